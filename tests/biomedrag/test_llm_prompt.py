"""The prompt's shape and the examples that it shows."""

import pytest
from tests.conftest import build_tiny_static_encoder

from biochunk.biomedrag.items import Evidence, Gold, GoldTriple, Mention, PairAnswer
from biochunk.biomedrag.readers.llm.neighbours import Neighbours, VectorNeighbours, WordNeighbours
from biochunk.biomedrag.readers.llm.parse import parse_pair, parse_triples
from biochunk.biomedrag.readers.llm.prompt import Shown, evidence_answers, instruction, make_prompt, response


def test_prompt_ends_with_the_question():
    prompt = make_prompt("Do it.", "Aspirin helps.")
    assert prompt == "Do it.\n\nContext: Aspirin helps.\nResponse:"


def test_prompt_shows_evidence_then_examples_then_the_context():
    prompt = make_prompt(
        "Do it.",
        "Drug A\nblocks B.",
        pair=("Drug A", "B"),
        evidence=[("C cures D", "TREATS"), ("E hurts F", "CAUSES")],
        shown=[Shown("G blocks H.", ("G", "H"), "G|BLOCKS|H")],
    )
    assert prompt.split("\n\n")[1:] == [
        "Parts of other sentences, with their relation:\n"
        "Context: C cures D\nResponse: TREATS\nContext: E hurts F\nResponse: CAUSES",
        "Examples:\nContext: G blocks H.\nEntities: G; H\nResponse: G|BLOCKS|H",
        "Context: Drug A blocks B.\nEntities: Drug A; B\nResponse:",
    ]


@pytest.mark.parametrize("task", ["triples", "pairs"])
def test_instruction_lists_relations_with_their_definitions(task):
    lines = instruction(task, ["TREATS", "CAUSES"], {"CAUSES": "A leads\nto B."}).splitlines()
    assert lines[-3:] == ["Relations:", "- TREATS", "- CAUSES: A leads to B."]
    assert "head|RELATION|tail" in lines[1]


def test_instruction_of_classification_states_the_first_relation_alone():
    lines = instruction("label", ["ADE", "INDICATION"], {"ADE": "A drug does harm."}).splitlines()
    assert lines[-2:] == ["Statement:", "- ADE: A drug does harm."]


def mention(text: str) -> Mention:
    return Mention(text, 0, len(text))


def test_response_is_what_the_parser_reads():
    gold = Gold(
        triples=(
            GoldTriple(mention("drug\nA"), "TREATS", mention("pain")),
            GoldTriple(mention("x|y"), "CAUSES", mention("(R)-z")),
        )
    )
    text = "x|y and drug\nA were for pain of (R)-z"
    parsed = parse_triples(response(gold, "triples"), text, ["TREATS", "CAUSES"])
    assert parsed.triples == tuple(t.triple for t in gold.triples)
    assert not parsed.faults
    assert response(Gold(), "triples") == "None"


def test_response_of_pairs_has_the_true_direction():
    pair = (mention("pain"), mention("drug A"))
    answers = (None, PairAnswer("TREATS", False))
    gold = Gold(relations=answers)
    assert response(gold, "pairs", pair=pair, index=0) == "None"
    assert response(gold, "pairs", pair=pair, index=1) == "drug A|TREATS|pain"
    assert parse_pair("drug A|TREATS|pain", pair, ["TREATS"])[0] == answers[1]


@pytest.mark.parametrize("label", [0, 1])
def test_response_of_classification(label: int):
    assert response(Gold(label=label), "label") == str(label)


def test_evidence_of_classification_has_a_class():
    evidence = [Evidence(f"chunk {name}", name, "r", 0, 0.5, 0) for name in ("ADE", "INDICATION", "None")]
    assert [answer for _, answer in evidence_answers(evidence, "label", ["ADE", "INDICATION"])] == ["1", "0", "0"]
    assert evidence_answers(evidence, "triples", ["ADE"])[1] == ("chunk INDICATION", "INDICATION")


TEXTS = ["aspirin treats pain", "Aspirin  treats pain!", "warfarin causes bleeding", "aspirin causes bleeding"]


@pytest.fixture(params=["words", "vectors"])
def neighbours(request: pytest.FixtureRequest) -> Neighbours:
    if request.param == "words":
        return WordNeighbours(TEXTS)
    words = {"aspirin": [1, 0, 0], "pain": [0, 1, 0], "bleeding": [0, 0, 1], "warfarin": [0.1, 0, 1]}
    return VectorNeighbours(TEXTS, build_tiny_static_encoder(words))


@pytest.mark.parametrize(
    ("text", "k", "rows"),
    [
        ("pain under aspirin", 1, [0]),
        ("pain under aspirin", 2, [0, 3]),
        ("bleeding under warfarin", 1, [2]),
        ("aspirin treats pain", 1, [3]),
        ("pain under aspirin", 9, [0, 3, 2]),
        ("pain under aspirin", 0, []),
    ],
)
def test_nearest_sentences_are_distinct_and_never_the_same_one(neighbours, text: str, k: int, rows: list[int]):
    assert neighbours.nearest(text, k) == rows


def test_unknown_words_give_the_first_rows():
    assert WordNeighbours(TEXTS).nearest("qwerty", 2) == [0, 2]
