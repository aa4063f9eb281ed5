import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.chunking import mentions


def found(rule, text):
    return [text[start:end] for start, end in rule(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[  aspirin  ] blocks {  COX-2  }", ["aspirin", "COX-2"]),
        ("[aspirin] at first and [metformin] later", ["metformin"]),
        ("{ IL-6 } rose", ["IL-6"]),
        ("[Treatment of pain with aspirin.]", []),
        ("aspirin [3] and ibuprofen [4,5]", []),
        ("no marks at all", []),
        ("uptake of [3H]thymidine and cyclohepta[e]furan", []),
        ("[ unclosed", []),
    ],
)
def test_bracketed(text, expected):
    assert found(mentions.bracketed, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the  aspirin  blocks  COX-2  there", ["aspirin", "COX-2"]),
        (" aspirin  blocks pain", ["aspirin"]),
        ("it blocks  pain .", ["pain"]),
        ("it blocks  pain ", ["pain"]),
        ("anti- aspirin  serum", ["aspirin"]),
        ("in  obese   mice .", ["obese", "mice"]),
        ("( aspirin ) and more  pain ", ["aspirin", "pain"]),
        ("no padding here", []),
    ],
)
def test_padded(text, expected):
    assert found(mentions.padded, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in Parkinson Disease and pain", ["Parkinson Disease"]),
        ("Aspirin helps", []),
        ("all lower case", []),
        ("the Epstein-Barr Virus", ["Epstein-Barr Virus"]),
    ],
)
def test_capitalised(text, expected):
    assert found(mentions.capitalised, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a receptor-complex binds", ["receptor-complex"]),
        ("COX-2 and IL-1β", ["COX-2", "IL-1β"]),
        ("pre - and post", []),
        ("1,25-dihydroxyvitamin", ["1,25-dihydroxyvitamin"]),
    ],
)
def test_hyphenated(text, expected):
    assert found(mentions.hyphenated, text) == expected


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        ([(2, 0, 2, "noun_phrase"), (2, 0, 3, "hyphenated")], [(0, 3, "hyphenated")]),
        ([(1, 1, 2, "padding"), (2, 0, 5, "noun_phrase")], [(1, 2, "padding")]),
        ([(2, 0, 1, "capitalised"), (2, 0, 1, "noun_phrase")], [(0, 1, "capitalised")]),
        ([(2, 3, 4, "a"), (2, 0, 1, "b")], [(0, 1, "b"), (3, 4, "a")]),
    ],
)
def test_drop_overlaps(candidates, expected):
    assert mentions.drop_overlaps(candidates) == expected


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], []),
        ([(0, 1), (1, 2)], [(0, 1), (1, 2)]),
        ([(0, 1), (0, 3), (3, 4)], [(0, 3), (3, 4)]),
        ([(0, 3), (1, 2), (2, 3)], [(0, 3)]),
        ([(0, 2), (1, 4)], [(1, 4)]),
    ],
)
def test_apart(spans, expected):
    assert list(mentions.apart(spans)) == expected


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)), max_size=10))
def test_apart_keeps_the_longest(pairs):
    spans = sorted({(start, start + length) for start, length in pairs})
    wanted = [(start, end) for start, end, _ in mentions.drop_overlaps([(0, *span, "") for span in spans])]
    assert list(mentions.apart(spans)) == wanted


@given(st.text())
def test_text_rules_give_ranges_in_the_text(text):
    for rule in mentions.TEXT_RULES.values():
        for start, end in rule(text):
            assert 0 <= start < end <= len(text)


@pytest.mark.parametrize("unit", ["a,", "A'", "[ ", "( a", "- ", "a-", "{ x ", "A A", "  a", "[a", "-a -", "x  "])
@pytest.mark.parametrize("rule", mentions.TEXT_RULES.values(), ids=mentions.TEXT_RULES)
def test_text_rules_take_linear_time(rule, unit):
    def seconds(count):
        start = time.process_time()
        list(rule(unit * count + "."))
        return time.process_time() - start

    small = min(seconds(4000) for _ in range(3))
    large = min(seconds(16000) for _ in range(3))
    # Quadratic work would take 16 times as long.
    assert large < 8 * small + 0.02
