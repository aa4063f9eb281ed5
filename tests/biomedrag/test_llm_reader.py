"""The reader over a language model: what it asks, how it answers, what it counts."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.biomedrag.protocol_server import Behaviour, Seen, fails, says, serving

from biochunk.biomedrag.items import Answer, Evidence, Example, Gold, GoldTriple, Mention, PairAnswer, Triple
from biochunk.biomedrag.readers.llm import Completion, EndpointLanguageModel, LanguageModelReader, Prices
from biochunk.biomedrag.readers.llm.factories import make_llm_reader, make_local_llm_reader
from biochunk.biomedrag.ty import Reader
from biochunk.errors import BiochunkError, UsageError

RELATIONS = ["TREATS", "CAUSES"]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


class Scripted:
    """A language model that writes what it is told, in turn, and keeps the prompts."""

    def __init__(self, *written: str | Completion) -> None:
        self.written = written
        self.prompts: list[str] = []

    def complete(self, prompts: Iterable[str]) -> Iterator[Completion]:
        for prompt, written in zip(prompts, self.written, strict=True):
            self.prompts.append(prompt)
            yield written if isinstance(written, Completion) else Completion(written)


def mention(text: str, word: str) -> Mention:
    start = text.index(word)
    return Mention(word, start, start + len(word))


def example(key: str, text: str, *pairs: tuple[str, str], evidence: tuple[Evidence, ...] = ()) -> Example:
    return Example(key, text, pairs=tuple((mention(text, a), mention(text, b)) for a, b in pairs), evidence=evidence)


TRAIN = [
    example("t1", "Aspirin treats pain.", ("Aspirin", "pain")),
    example("t2", "Warfarin causes bleeding.", ("Warfarin", "bleeding")),
    example("t3", "Pain and bleeding were seen.", ("Pain", "bleeding")),
    example("t4", "Rash was caused by penicillin.", ("Rash", "penicillin")),
]


def gold_of(row: Example, relation: str | None, forward: bool = True) -> Gold:
    first, second = row.pairs[0] if forward else row.pairs[0][::-1]
    triples = (GoldTriple(first, relation, second),) if relation else ()
    return Gold(triples, (PairAnswer(relation, forward) if relation else None,), label=int(relation == "CAUSES"))


GOLD = [gold_of(TRAIN[0], "TREATS"), gold_of(TRAIN[1], "CAUSES"), gold_of(TRAIN[2], None)]
GOLD.append(gold_of(TRAIN[3], "CAUSES", False))


def fitted(model: Any, task: Any, **options: Any) -> LanguageModelReader:
    reader = LanguageModelReader(model, **options)
    reader.fit(TRAIN, GOLD, task=task, relations=RELATIONS)
    return reader


def test_it_is_a_reader():
    assert isinstance(LanguageModelReader(Scripted()), Reader)


def test_triples():
    reader = fitted(Scripted("ibuprofen|TREATS|fever\nIbuprofen|CAUSES|ulcers", "None"), "triples")
    answers = reader.predict([example("a", "Ibuprofen treats fever, causes ulcers."), example("b", "No news.")])
    assert answers == [
        Answer((Triple("Ibuprofen", "TREATS", "fever"), Triple("Ibuprofen", "CAUSES", "ulcers"))),
        Answer(),
    ]
    assert (reader.report.prompts, reader.report.answers) == (2, 2)


def test_pairs_are_asked_one_by_one():
    model = Scripted("Ulcers|CAUSES|ibuprofen", "None", "ibuprofen|CAUSES|ulcers")
    reader = fitted(model, "pairs")
    row = example("a", "Ulcers and fever under ibuprofen", ("Ulcers", "ibuprofen"), ("Ulcers", "fever"))
    none = example("b", "Nothing is asked.")
    other = example("c", "Ulcers under ibuprofen", ("Ulcers", "ibuprofen"))
    assert reader.predict([row, none, other]) == [
        Answer((Triple("Ulcers", "CAUSES", "ibuprofen"),), (PairAnswer("CAUSES", True), None)),
        Answer((), ()),
        Answer((Triple("ibuprofen", "CAUSES", "Ulcers"),), (PairAnswer("CAUSES", False),)),
    ]
    assert "Entities: Ulcers; fever\nResponse:" in model.prompts[1]
    assert reader.report.answers == 2


def test_labels():
    reader = fitted(Scripted("1", "0", "who knows", Completion(None, "timeout")), "label")
    answers = reader.predict([example(key, f"Case {key}.") for key in "abcd"])
    assert [answer.label for answer in answers] == [1, 0, None, None]
    assert reader.report.faults == {"malformed": 1}
    assert reader.report.failures == {"timeout": 1}
    assert reader.report.answers == 2


def chunk(text: str, relation: str) -> Evidence:
    return Evidence(text, relation, "d1", 0, 0.9, 0)


@pytest.mark.parametrize("shown", [0, 1, 3])
def test_prompt_shows_so_many_chunks_and_sentences(shown: int):
    model = Scripted("None")
    evidence = tuple(chunk(f"chunk {i}", "TREATS") for i in range(5))
    fitted(model, "triples", examples=shown).predict([example("a", "Heparin causes bleeding.", evidence=evidence)])
    (prompt,) = model.prompts
    assert prompt.count("Context: chunk ") == shown
    assert prompt.count("Response:") == 2 * shown + 1
    assert ("Warfarin causes bleeding.\nResponse: Warfarin|CAUSES|bleeding" in prompt) == (shown > 0)
    assert prompt.endswith("Context: Heparin causes bleeding.\nResponse:")


def test_a_train_sentence_never_shows_itself():
    reader = fitted(Scripted(), "triples", examples=3)
    for row in TRAIN:
        assert reader.prompter.of(row)[0].count(f"Context: {row.text}") == 1
    # Nor does a copy with other spacing and case.
    assert "Aspirin treats pain." not in reader.prompter.of(example("x", "aspirin  treats pain"))[0]


def test_definitions_are_shown():
    reader = fitted(Scripted(), "triples", definitions={"TREATS": "It helps."})
    assert "- TREATS: It helps.\n- CAUSES\n" in reader.prompter.of(TRAIN[0])[0]


def test_no_train_sentences():
    reader = LanguageModelReader(Scripted("None"))
    reader.fit([], [], task="triples", relations=RELATIONS)
    assert reader.predict([TRAIN[0]]) == [Answer()]


def test_use_before_fit():
    with pytest.raises(BiochunkError, match="before fit"):
        LanguageModelReader(Scripted()).predict([TRAIN[0]])


def test_negative_examples():
    with pytest.raises(UsageError, match="-1"):
        LanguageModelReader(Scripted(), examples=-1)


@pytest.mark.parametrize("task", ["triples", "pairs", "label"])
def test_lessons_are_the_prompts_with_the_right_answers(task: Any):
    """What is learned is what the reader asks, and its right answer reads back as gold."""
    reader = fitted(None, task)
    lessons = list(reader.prompter.lessons(TRAIN, GOLD))
    assert [lesson.prompt for lesson in lessons] == [prompt for row in TRAIN for prompt in reader.prompter.of(row)]
    reader = fitted(Scripted(*(lesson.answer for lesson in lessons)), task)
    for answer, gold in zip(reader.predict(TRAIN), GOLD, strict=True):
        if task == "label":
            assert answer.label == gold.label
        else:
            assert answer.triples == tuple(triple.triple for triple in gold.triples)
    assert not reader.report.faults


def test_fit_begins_counting_anew_and_keeps_prices():
    reader = fitted(Scripted("None"), "triples", prices=Prices(1.0, 2.0))
    reader.predict([TRAIN[0]])
    assert reader.report.prompts == 1
    reader.fit(TRAIN, GOLD, task="triples", relations=RELATIONS)
    assert (reader.report.prompts, reader.report.cost) == (0, 0.0)


def test_examples_are_read_as_they_are_needed():
    reader = fitted(Scripted(*["None"] * 3), "triples")
    stream = reader.answers(iter([example(key, f"Case {key}.") for key in "abc"]))
    assert len(list(stream)) == 3


SENTENCES = {
    "good": "Ibuprofen treats fever.",
    "two": "Ibuprofen causes ulcers, treats fever.",
    "prose": "Steroids treat asthma.",
    "malformed": "Insulin treats diabetes.",
    "relation": "Statins treat gout.",
    "entity": "Opioids treat cough.",
    "fields": "Zinc treats colds.",
    "empty": "Iron treats anaemia.",
    "null": "Lithium treats mania.",
    "json": "Quinine treats malaria.",
    "choices": "Digoxin treats oedema.",
    "limit": "Heparin treats thrombosis.",
    "mended": "Morphine treats angina.",
    "broken": "Cocaine causes angina.",
    "huge": "Ethanol causes cirrhosis.",
    "unicode": "β‑Carotene causes «xanthoderma» 💊.",
    "cut": "Cortisol causes obesity.",
    "pairs": "Ginger treats nausea.",
}


def test_every_behaviour_is_counted_and_none_ends_the_run(tmp_path: Path):
    behaviours = {
        "good": [says("Ibuprofen|TREATS|fever")],
        "two": [says("1. ibuprofen|CAUSES|ulcers\n2. ibuprofen|treats|fever")],
        "prose": [says("Sure! Here it is:\n```\nSteroids | TREATS | asthma\n```\nAnything else?")],
        "malformed": [says("Insulin is a treatment of diabetes.")],
        "relation": [says("Statins|CURES|gout")],
        "entity": [says("Opioids|TREATS|pneumonia")],
        "fields": [says("Zinc|TREATS")],
        "empty": [says("")],
        "null": [says(None)],
        "json": [Behaviour(b"<html>Bad gateway</html>")],
        "choices": [Behaviour(b'{"object": "chat.completion"}')],
        "limit": [fails(429, Retry_After="2"), says("Heparin|TREATS|thrombosis")],
        "mended": [fails(500), says("Morphine|TREATS|angina")],
        "broken": [fails(500)],
        "huge": [says("Ethanol|CAUSES|cirrhosis\n" * 30_000)],
        "unicode": [says("β‑carotene|CAUSES|«xanthoderma» 💊")],
        "cut": [says("Cortisol|CAUSES|obes", finish="length")],
        "pairs": [says("Ginger|TREATS|nausea\nGinger|TREATS|nausea", tokens=None)],
    }
    names = {text: name for name, text in SENTENCES.items()}
    asked: dict[str, int] = {}

    def answer(seen: Seen) -> Behaviour:
        name = names[seen.context]
        asked[name] = asked.get(name, 0) + 1
        return behaviours[name][min(asked[name], len(behaviours[name])) - 1]

    waited: list[float] = []
    with serving(by=answer) as server:
        model = EndpointLanguageModel(
            server.base_url, "tiny", retries=2, sleep=waited.append, cache=tmp_path / "answers.jsonl"
        )
        reader = fitted(model, "triples", prices=Prices(2.0, 10.0))
        rows = [example(name, text) for name, text in SENTENCES.items()]
        answers = dict(zip(SENTENCES, reader.predict(rows), strict=True))
        report = reader.report.to_json()
        asked.clear()
        again = reader.predict(rows)
    assert {name: len(a.triples) for name, a in answers.items() if a.triples} == {
        "good": 1,
        "two": 2,
        "prose": 1,
        "limit": 1,
        "mended": 1,
        "huge": 1,
        "unicode": 1,
        "pairs": 1,
    }
    assert answers["unicode"].triples == (Triple("β‑Carotene", "CAUSES", "«xanthoderma» 💊"),)
    assert report == {
        "prompts": 18,
        "known": 0,
        "requests": 22,
        "retries": 4,
        "failed_tries": {"http_429": 1, "http_500": 3},
        "failures": {"bad_json": 1, "http_500": 1, "no_choices": 1, "null_content": 1},
        "faults": {
            "cut": 1,
            "empty": 1,
            "entity": 1,
            "fields": 1,
            "malformed": 1,
            "relation": 1,
            "repeated": 200,
            "too_many_lines": 1,
        },
        "answers": 9,
        "prompt_tokens": 1300,
        "completion_tokens": 130,
        "unmetered": 1,
        "cost": pytest.approx(0.0039),
    }
    assert max(waited) >= 2
    # Answers come from the cache the second time; what failed is asked again.
    assert again == list(answers.values())
    assert set(asked) == {"null", "json", "choices", "broken"}
    assert reader.report.known == 14


def test_endpoint_that_refuses_ends_the_run_and_leaves_the_counts():
    with serving(fails(401)) as server:
        reader = fitted(EndpointLanguageModel(server.base_url, "tiny", patience=4), "triples")
        with pytest.raises(BiochunkError, match="4 requests in a row failed"):
            reader.predict([example(str(i), f"Case number {i}.") for i in range(500)])
    assert reader.report.failures == {"http_401": 4}


def test_endpoint_that_refuses_the_last_prompts_ends_the_run():
    with serving(fails(401)) as server:
        reader = fitted(EndpointLanguageModel(server.base_url, "tiny", patience=3), "label")
        with pytest.raises(BiochunkError, match="3 requests in a row failed"):
            reader.predict([example(str(i), f"Case number {i}.") for i in range(3)])


def test_builders_make_readers_from_a_seed():
    reader = make_llm_reader("http://localhost:8000/v1", "tiny", examples=3, dataset="ddi")(seed=7)
    assert (reader.examples, reader.model.seed) == (3, 7)
    assert "mechanism" in reader.definitions
    local = make_local_llm_reader("folder", "adapter")(seed=7)
    assert (local.model.folder, local.model.adapter, local.definitions) == ("folder", "adapter", {})
