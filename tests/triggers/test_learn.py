import math
from collections.abc import Callable

import pytest

from biochunk.corpora.records import Record
from biochunk.schemas import Dataset
from biochunk.triggers.collect import collect, items_of
from biochunk.triggers.finders import Words
from biochunk.triggers.learn import Proposal, Thresholds, log_likelihood, propose

RELATIONS = ["INHIBITS", "TREATS", "PRECEDES"]


def learned(records: list[Record], dataset: Dataset, **thresholds: float) -> dict[tuple[str, str], Proposal]:
    collected = collect(items_of(records, dataset, Words()))
    found = propose(collected, dataset.relations, Thresholds(**thresholds))  # type: ignore[arg-type]
    return {(p.relation, p.cue.phrase): p for p in found}


@pytest.fixture
def demo(make_dataset: Callable[..., Dataset]) -> Dataset:
    return make_dataset(**{name: [] for name in RELATIONS})


def test_learn_finds_the_cue_of_each_relation(corpus: list[Record], demo: Dataset) -> None:
    found = learned(corpus, demo)
    assert {("INHIBITS", "inhibit"), ("TREATS", "treatment"), ("PRECEDES", "after")} <= found.keys()
    assert not any("seen" in phrase for _, phrase in found)


def test_learn_inverts_a_cue_whose_tail_comes_first(corpus: list[Record], demo: Dataset) -> None:
    found = learned(corpus, demo, new=1)
    after = [p for (relation, phrase), p in found.items() if relation == "PRECEDES" and "after" in phrase]
    assert after and all(p.invert for p in after)


def test_learn_passive_and_prefix_frames_are_not_inversion(corpus: list[Record], demo: Dataset) -> None:
    # Of the sentences with "inhibit" half are passive; "inhibition of X by Y" names the tail first.
    assert not learned(corpus, demo)["INHIBITS", "inhibit"].invert
    nominal = learned(corpus[12:18] + corpus[30:], demo)
    assert {phrase: p.invert for (_, phrase), p in nominal.items()}["inhibition"] is False


def test_learn_share_is_smoothed_towards_the_relation_s_overall_share(corpus: list[Record], demo: Dataset) -> None:
    found = learned(corpus, demo)
    p = found["INHIBITS", "inhibit"]
    assert p.share == pytest.approx((12 + 5 * 18 / 36) / (12 + 5))
    assert p.odds == pytest.approx(p.share / (1 - p.share))


def test_learn_tiers_follow_the_thresholds(corpus: list[Record], demo: Dataset) -> None:
    for primary, secondary, tier in [(0.5, 0.25, 1), (0.99, 0.5, 2), (0.99, 0.98, 3)]:
        found = learned(corpus, demo, primary=primary, secondary=secondary)
        assert found["INHIBITS", "inhibit"].tier == tier


def test_learn_cue_of_many_relations_is_left_out(make_record: Callable[..., Record], demo: Dataset) -> None:
    rows = [
        make_record(f"<h>drug{i}</h> {verb} and also shows <t>thing{i}</t>.", relation, i)
        for i, (verb, relation) in enumerate(
            [("blocks", "INHIBITS"), ("cures", "TREATS"), ("precedes", "PRECEDES")] * 8
        )
    ]
    phrases = {phrase for _, phrase in learned(rows, demo)}
    assert not any("show" in phrase for phrase in phrases)
    assert {"blocks", "cures", "precedes"} <= phrases


def test_learn_drops_a_cue_that_covers_nothing_new(corpus: list[Record], demo: Dataset) -> None:
    found = learned(corpus, demo)
    # "was inhibited", "inhibited by", … cover the same sentences as "inhibit".
    assert sum("inhibit" in phrase.split()[0] for relation, phrase in found if relation == "INHIBITS") <= 3


def test_learn_longer_cue_keeps_the_relations_of_the_one_it_hides(
    make_record: Callable[..., Record], demo: Dataset
) -> None:
    forms = [
        ("<h>drug{i}</h> reduces risk of <t>illness{i}</t>", "PRECEDES", 12),
        ("<h>drug{i}</h> reduces <t>illness{i}</t>", "INHIBITS", 12),
        ("<h>drug{i}</h> reduces risk of <t>illness{i}b</t>", "INHIBITS", 6),
        ("<h>drug{i}</h> has risk of <t>illness{i}</t>", "TREATS", 40),
    ]
    rows = [make_record(form.format(i=i), relation) for form, relation, n in forms for i in range(n)]
    found = learned(rows, demo)
    assert ("INHIBITS", "reduces") in found
    assert ("PRECEDES", "reduces risk") in found
    # Where "reduces risk" is matched, "reduces" is not: its relation comes along.
    assert found["INHIBITS", "reduces risk"].count == 6


def test_learn_needs_the_count(corpus: list[Record], demo: Dataset) -> None:
    assert not learned(corpus, demo, count=13)


def test_learn_log_likelihood_of_independence_is_zero_and_of_dependence_is_not() -> None:
    assert log_likelihood(10, 20, 50, 100) == pytest.approx(0)
    assert log_likelihood(20, 20, 20, 100) == pytest.approx(-2 * (20 * math.log(0.2) + 80 * math.log(0.8)))


@pytest.mark.parametrize("counts", [(3, 5, 10, 10), (3, 10, 5, 10)])
def test_learn_log_likelihood_with_a_cell_that_expects_no_item(counts: tuple[int, int, int, int]) -> None:
    # One relation alone, or a cue that is in every sentence but not always near the pair.
    assert math.isfinite(log_likelihood(*counts))


def test_learn_from_a_corpus_of_one_relation(make_record: Callable[..., Record], demo: Dataset) -> None:
    near = [make_record(f"<h>drug{i}</h> blocks <t>thing{i}</t>.", "INHIBITS", i) for i in range(3)]
    far = "<h>drug{i}</h> met <t>thing{i}</t> in a long trial of five years which blocks"
    assert learned(near + [make_record(far.format(i=i), "INHIBITS", i) for i in range(3, 6)], demo) == {}
