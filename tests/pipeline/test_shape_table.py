"""Names that are hard to find whole: chemicals, genes, variants, doses, strains, cell lines, in sentences of our own.

The table's columns: kind, sentence, the mention that has to be found.
"""

from pathlib import Path

import pytest

from biochunk.schemas import read_dataset
from biochunk.shipped import shipped_file
from biochunk.spans import CANDIDATES, CHUNKS, ENTITIES

from .conftest import COMPONENTS, dataset

LINES = (Path(__file__).parent.parent / "chunking" / "shape_table.tsv").read_text(encoding="utf8").splitlines()
TABLE = [tuple(line.split("\t")) for line in LINES if not line.startswith("#")]
KINDS = {"chemical", "gene", "variant", "dose", "strain", "cell line", "disease", "shared part", "lower case"}


def lowered(text: str) -> str:
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def test_the_table_is_well_formed():
    assert len(TABLE) >= 150
    assert {kind for kind, _, _ in TABLE} == KINDS
    assert all(text.count(mention) for _, text, mention in TABLE)


@pytest.fixture(scope="module", params=["gmciht", "no lists"])
def nlp(request, make_pipeline):
    data = dataset() if request.param == "no lists" else read_dataset(shipped_file("datasets", request.param))
    return make_pipeline(components=COMPONENTS, data=data, hybrid_selector={"keep_candidates": True})


@pytest.mark.parametrize("case", [str, lowered], ids=["as written", "lower case"])
def test_names_are_found_whole(nlp, case):
    missed = []
    for _, text, mention in TABLE:
        doc = nlp(case(text))
        if case(mention) not in [span.text for span in doc.spans[ENTITIES]]:
            missed.append((mention, [span.text for span in doc.spans[ENTITIES]]))
    assert len(missed) <= 0.05 * len(TABLE), missed


def test_no_chunk_cuts_a_name(nlp):
    for _, text, mention in TABLE:
        doc = nlp(text)
        start = text.index(mention)
        entities = [(span.start_char, span.end_char) for span in doc.spans[ENTITIES]]
        if (start, start + len(mention)) not in entities:
            continue
        for group in (CHUNKS, CANDIDATES):
            for span in doc.spans[group]:
                for first, last in entities:
                    assert not any(first < border < last for border in (span.start_char, span.end_char)), (text, span)


def test_every_span_says_which_rule_fired(nlp):
    rules = {"coordination", "shapes", "affixes", "noun_phrase", "brackets", "padding"}
    for _, text, _ in TABLE:
        for entity in nlp(text)._.bio_entities:
            assert entity.rule in rules
            assert entity.boundary in ("", "maximal", "minimal")
