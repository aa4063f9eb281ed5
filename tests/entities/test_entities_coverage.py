"""What is counted as found: by hand-written spans, so that every count can be checked."""

import pytest
import spacy

from biochunk.entities.coverage import Coverage, coverage
from biochunk.entities.table import coverage_table, verdict
from biochunk.spans import ENTITIES, PROPOSITIONS, write_group

from .conftest import record


def covered(marked, spans, propositions=(), relation=""):
    """spans: (start, end, facts) in tokens."""
    one = record(marked, relation=relation)
    doc = spacy.blank("en")(one.text)
    write_group(doc, ENTITIES, [(start, end, "ENTITY", facts) for start, end, facts in spans])
    write_group(doc, PROPOSITIONS, [(start, end, "R", facts) for start, end, facts in propositions])
    return coverage([(doc, one)])


def test_exact_and_inside():
    found = covered(
        "a <m>b</m> c d e f g <m>h</m> and <m>i</m>",
        [(1, 2, {"rule": "x"}), (3, 8, {"rule": "x"}), (5, 8, {"rule": "y"}), (8, 10, {"rule": "y"})],
    )
    # "b" exactly, "h" in a span of two tokens more, "i" in one of one token more.
    assert (found.mentions, found.exact, found.inside, found.spans) == (3, 1, 3, 4)


def test_a_span_of_more_than_three_tokens_more_does_not_count():
    assert covered("a b c <m>d</m> e", [(0, 5, {"rule": "x"})]).inside == 0
    assert covered("a b c <m>d</m> e", [(0, 4, {"rule": "x"})]).inside == 1


def test_a_span_that_cuts_a_mention_does_not_count():
    assert covered("a <m>b c</m> d", [(1, 2, {"rule": "x"})]).inside == 0


def test_rules_are_counted_with_their_boundary():
    found = covered(
        "a <m>b</m> c", [(0, 2, {"rule": "x", "boundary": "maximal"}), (1, 2, {"rule": "x", "boundary": "minimal"})]
    )
    assert found.rules() == {"x, maximal": (1, 0.0), "x, minimal": (1, 1.0)}


def test_pairs_in_propositions():
    facts = {"subject": [0, 1], "object": [4, 5]}
    found = covered("<m>a</m> b <m>c</m> d", [], [(0, 3, facts)], relation="R")
    assert (found.pairs, found.joined, found.arguments) == (1, 1, 1)
    other = covered("<m>a</m> b <m>c</m> d", [], [(0, 3, {"subject": [0, 1], "object": [2, 3]})], relation="R")
    assert (other.pairs, other.joined, other.arguments) == (1, 1, 0)
    assert covered("<m>a</m> b <m>c</m> d", [], [(0, 2, facts)], relation="R").joined == 0


def test_nothing_to_count_is_no_share():
    rates = covered("a b", []).rates()
    assert rates["mentions"] == 0
    assert rates["found exactly"] is rates["spans a mention"] is rates["gold pair in one proposition"] is None
    assert "-" in coverage_table(covered("a b", []))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((5, 7, 20), (6, 6, 30), "better than the old ones, by 'found exactly'"),
        ((5, 7, 20), (4, 9, 10), "worse than the old ones, by 'found exactly'"),
        ((5, 7, 20), (5, 6, 10), "worse than the old ones, by 'found inside, 3 tokens more at most'"),
        ((5, 7, 20), (5, 7, 10), "better than the old ones, by 'spans a mention'"),
        ((5, 7, 20), (5, 7, 20), "as good as the old ones"),
    ],
)
def test_it_is_said_whether_lists_are_better(before, after, expected):
    old, new = (Coverage(mentions=10, exact=e, inside=i, spans=s) for e, i, s in (before, after))
    assert verdict(old, new) == f"the new lists are {expected}"
