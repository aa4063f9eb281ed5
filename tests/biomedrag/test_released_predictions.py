"""BioMedRAG's prediction files, by the rules of its own metric."""

import json

import pytest
from tests.biomedrag.released import PROMPT, line, published_counts

from biochunk.biomedrag.items import Triple
from biochunk.biomedrag.released_predictions import gold_triple, predicted_triple, read_released
from biochunk.errors import FileFaultsError


@pytest.fixture
def write(tmp_path):
    def write(*lines):
        path = tmp_path / "predictions.json"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("Aspirin|INHIBITS|COX-2", ("aspirin", "inhibits", "cox-2")),
        (" aspirin |INHIBITS|\tcox-2 ", ("aspirin", "inhibits", "cox-2")),
        # A relation keeps its spaces.
        ("aspirin| INHIBITS|cox-2", ("aspirin", " inhibits", "cox-2")),
        # Seven spaces are one; six stay, eight become two.
        ("a" + " " * 7 + "b|R|c" + " " * 8 + "d", ("a b", "r", "c  d")),
        ("a" + " " * 6 + "b|R|c", ("a" + " " * 6 + "b", "r", "c")),
        ("||", ("", "", "")),
        # What stands behind an empty line is not read.
        ("a|R|b\n\nAnd|S|so", ("a", "r", "b")),
        ("a|R|b\n", None),
        ("a|R|b\nc|S|d", None),
        ("a|R", None),
        ("a|R|b|c", None),
        ("", None),
    ],
)
def test_output(output, expected):
    assert predicted_triple(PROMPT + output) == (expected and Triple(*expected))


@pytest.mark.parametrize(
    "predicted",
    [
        "",
        "a|R|b",
        # An empty line in the instruction moves all blocks.
        PROMPT.replace("Name the triple.", "Name\n\nthe triple.") + "a|R|b",
    ],
)
def test_output_without_its_prompt_is_nothing(predicted):
    assert predicted_triple(predicted) is None


def test_gold():
    assert gold_triple("A" + " " * 7 + "b | R|C|more") == Triple("a b ", " r", "c")


@pytest.mark.parametrize("form", ["lines", "twice", "array", "windows"])
def test_published_counts_give_the_published_scores(write, form):
    lines = published_counts()
    if form == "twice":
        lines += lines
    if form == "array":
        lines = ["[" + ",\n".join(lines) + "]"]
    scored = read_released(write("\r\n".join(lines)) if form == "windows" else write(*lines))
    counts = scored.scores().counts
    assert counts["triple"].score()[:3] == (0.8177874186550976, 0.810752688172043, 0.8142548596112312)
    assert counts["head"].score()[:3] == (0.928416485900217, 0.9204301075268817, 0.9244060475161987)
    assert counts["tail"].score()[:3] == (0.9175704989154013, 0.9096774193548387, 0.9136069114470842)
    assert counts["relation"].score()[:3] == (0.8720173535791758, 0.864516129032258, 0.8682505399568036)
    assert len(scored.unread) == 4 * (1 + (form == "twice"))
    assert scored.unread[0] == ("item 462" if form == "array" else "line 462")


def test_what_the_metric_does_in_silence_is_noted(write):
    clean = line("a|R|b", "a|R|b", "s")
    assert read_released(write(clean)).notes == []
    scored = read_released(write(clean, clean, line("a |R|b", "a |R|b"), line("a|R|b|c", "a|R|b")))
    assert [note[:6] for note in scored.notes] == ["1 of 4"] * 3
    # Gold keeps its edge space and the prediction does not, so they never meet.
    assert scored.scores().main.right.tolist() == [1, 1, 0, 1]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ('{"ground_truth": "a|R|b"}', "line 2.predicted: found nothing, expected a string"),
        ('{"ground_truth": ["a"], "predicted": ""}', "line 2.ground_truth: found an array, expected a string"),
        ('{"ground_truth": "a|R", "predicted": ""}', "line 2.ground_truth: found 'a|R', expected head|relation|tail"),
    ],
)
def test_bad_line_is_named(write, bad, says):
    with pytest.raises(FileFaultsError, match=r"predictions.json: line 2") as error:
        read_released(write(line("a|R|b", ""), bad))
    assert says in str(error.value)


def test_every_bad_line_is_named(write):
    with pytest.raises(FileFaultsError) as error:
        read_released(write(json.dumps({}), line("a|R|b", ""), json.dumps({"ground_truth": "a", "predicted": ""})))
    assert [fault.where for fault in error.value.faults] == [
        "line 1.ground_truth",
        "line 1.predicted",
        "line 3.ground_truth",
    ]
