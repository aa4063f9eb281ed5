"""Items on which an arm and the baseline differ, for the report."""

from typing import Any

from ...biomedrag.predictions import Prediction, load_predictions
from ...corpora.records import Record
from .config import Plan
from .corpus import Source
from .layout import Layout
from .read import prediction_paths, visible_texts

# Of each kind, for each source.
_MOST = 2
_KINDS = {(True, False): "only {arm} is right", (False, True): "only {base} is right", (False, False): "both are wrong"}


def examples(plan: Plan, sources: list[Source], layout: Layout) -> list[dict[str, Any]]:
    """The first items of each kind in corpus order, by the first seed's answers; the last arm against the baseline.

    RETURNS (list[dict]): See `report.examples.examples_html`.
    """
    experiment = plan.experiment
    base = experiment.baseline
    arm = [name for name in experiment.reading("evidence") if name != base][-1:]
    found: list[dict[str, Any]] = []
    if not arm:
        return found
    for source in sources:
        task = experiment.datasets[source.dataset][0]
        for given in experiment.inputs:
            names = (base, arm[0])
            ours, theirs = (
                load_predictions(prediction_paths(plan, source, layout, task, name, given)[0]) for name in names
            )
            seen = [visible_texts(experiment, source, layout, task, experiment.arms[n], given) for n in names]
            left = dict.fromkeys(_KINDS, _MOST)
            for record, a, b in zip(source.records("scored"), ours, theirs, strict=True):
                kind = (_right(b), _right(a))
                if not left.get(kind):
                    continue
                left[kind] -= 1
                rows = [_row(record, "gold", _gold(a), None, "")]
                for name, one, texts in zip(names, (a, b), seen, strict=True):
                    rows.append(_row(record, name, _triples(one), _right(one), texts.get(record.id, "")))
                found.append(
                    {
                        "view": source.view,
                        "dataset": source.dataset,
                        "task": task,
                        "input": given,
                        "id": record.id,
                        "arm": arm[0],
                        "kind": _KINDS[kind].format(arm=arm[0], base=base),
                        "text": record.text,
                        "rows": rows,
                    }
                )
    return found


def _row(record: Record, name: str, triples: list[list[str]], right: bool | None, seen: str) -> dict[str, Any]:
    places = _places(record, triples[0]) if triples else None
    return {"name": name, "triples": triples, "places": places, "right": right, "seen": seen}


def _places(record: Record, triple: list[str]) -> list[list[int]] | None:
    """Where head and tail of a triple are annotated; None where no gold triple has the same two strings."""
    entities = {entity.id: entity for entity in record.entities}
    for gold in record.triples:
        pair = entities[gold.head], entities[gold.tail]
        if [e.text.casefold() for e in pair] == [triple[0].casefold(), triple[2].casefold()]:
            return [[e.start, e.end] for e in pair]
    return None


def _right(answer: Prediction) -> bool:
    return sorted(_triples(answer)) == sorted(_gold(answer))


def _triples(answer: Prediction) -> list[list[str]]:
    return _strings(answer.triples, answer.label)


def _gold(answer: Prediction) -> list[list[str]]:
    return _strings(answer.gold.triples if answer.gold else [], answer.gold.label if answer.gold else None)


def _strings(triples: Any, label: int | None) -> list[list[str]]:
    if label is not None:
        return [["", f"class {label}", ""]]
    return [[triple.head, triple.relation, triple.tail] for triple in triples or []]
