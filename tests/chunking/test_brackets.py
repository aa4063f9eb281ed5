import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.chunking.brackets import balanced


def grown(tokens, start, end):
    """tokens: split at "|", the text being their join; "_" is a space."""
    words = tokens.split("|")
    text, starts, ends = "", [], []
    for word in words:
        starts.append(len(text))
        text += word.replace("_", " ")
        ends.append(len(text.rstrip(" ")))
    first, last = balanced(text, starts, ends, start, end)
    return text[starts[first] : ends[last - 1]]


@pytest.mark.parametrize(
    ("tokens", "start", "end", "expected"),
    [
        ("(|-)-epicatechin_|rose", 1, 2, "(-)-epicatechin"),
        ("[|(|3)H]dopamine_|rose", 2, 3, "[(3)H]dopamine"),
        ("(|+|)|-catechin", 3, 4, "(+)-catechin"),
        ("BRAF(V600E|)|,_|x", 0, 1, "BRAF(V600E)"),
        ("IL-2_|(|x|)", 0, 1, "IL-2"),
        ("the_|aspirin|)", 1, 2, "aspirin"),
        # No partner within reach: the range stays.
        ("a)b_|c", 0, 1, "a)b"),
        ("a(b_|c", 0, 1, "a(b"),
    ],
)
def test_balanced(tokens, start, end, expected):
    assert grown(tokens, start, end) == expected


@given(st.lists(st.sampled_from(["(", ")", "[", "]", "a", "-"]), min_size=1, max_size=30), st.data())
def test_a_range_only_grows(words, data):
    text = "".join(words)
    starts = list(range(len(words)))
    ends = [i + 1 for i in starts]
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    first, last = balanced(text, starts, ends, start, end)
    assert 0 <= first <= start < end <= last <= len(words)
