"""Any text: nothing is cut, lost or moved, and time grows with the text's length only."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biochunk.chunking.windows import merge_overlapping
from biochunk.spans import CHUNKS, ENTITIES, PROPOSITIONS, TRIGGERS

WORDS = [
    *("aspirin", "COX-2", "IL-1β", "1,25-dihydroxyvitamin D3", "tris(2,2'-bipyridyl)ruthenium(II)", "pain", "patients"),
    *("inhibits", "was inhibited by", "therapy", "treatment of", "with", "not", "may", "no", "and", ",", "but", "."),
    *(
        "[  x  ]",
        "{ y }",
        "  padded  ",
        "(",
        ")",
        "—",
        "8)",
        "\r\n",
        "\u00a0",
        "\u200b",
        "e\u0301",
        "🧬",
        "\ufeff",
        "\x00",
    ),
]
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.lists(st.sampled_from(WORDS)).map(" ".join),
    st.lists(st.sampled_from(WORDS)).map("".join),
)


def problems(doc, text):
    if doc.text != text:
        yield "text"
    entities = merge_overlapping((span.start, span.end) for span in doc.spans[ENTITIES])
    for group in (PROPOSITIONS, CHUNKS):
        for span in doc.spans[group]:
            if any(start < border < end for start, end in entities for border in (span.start, span.end)):
                yield f"{group} cuts an entity"
    for chunk in doc._.bio_chunks:
        if chunk.text != text[chunk.start_char : chunk.end_char] or chunk.text != chunk.span.text:
            yield "chunk is not its slice"
    if bool(text.strip()) != bool(doc._.bio_chunks):
        yield "pool"
    for group in (ENTITIES, TRIGGERS, PROPOSITIONS, CHUNKS):
        if any(span.id_ not in doc.spans[group].attrs for span in doc.spans[group]):
            yield f"{group} lacks facts"


@pytest.mark.parametrize("sentences", [False, True])
@settings(max_examples=120, deadline=None)
@given(text=TEXTS)
def test_any_text(make_pipeline, sentences, text):
    assert list(problems(make_pipeline(sentences=sentences)(text), text)) == []


@settings(max_examples=40, deadline=None)
@given(texts=st.lists(TEXTS, max_size=5))
def test_any_texts_in_a_batch(make_pipeline, texts):
    nlp = make_pipeline()
    for doc, text in zip(nlp.pipe(texts), texts, strict=True):
        assert list(problems(doc, text)) == []
        assert doc.to_bytes() == nlp(text).to_bytes()


UNITS = {
    "words": "aspirin inhibits COX-2 and may not reduce pain in patients with diabetes ",
    "list": "aspirin, ",
    "conjunctions": "aspirin and ",
    "negations": "does not inhibit aspirin ",
    "nominal": "inhibition of aspirin by ",
    "brackets": "[ aspirin ] (IL-6) ",
    "padding": "  aspirin  x",
    "equal signs": "=" * 40,
    "hyphens": "ab-",
    "lines": "\r\n\n",
}


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_time_grows_with_length(make_pipeline, unit):
    nlp = make_pipeline()

    def seconds(count):
        start = time.process_time()
        nlp(unit * count)
        return time.process_time() - start

    small = min(seconds(500) for _ in range(2))
    large = min(seconds(4000) for _ in range(2))
    # Eight times the text; quadratic work would take 64 times as long.
    assert large < 20 * small + 0.05


def test_a_hundred_thousand_words(make_pipeline):
    text = UNITS["words"] * 9000
    doc = make_pipeline()(text)
    assert len(text.split()) >= 100_000
    assert doc.text == text
    assert len(doc._.bio_chunks) == 2
