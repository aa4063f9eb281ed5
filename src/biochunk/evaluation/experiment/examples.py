"""Items on which an arm and the baseline differ, for the report."""

from typing import Any

from ...biomedrag.predictions import Prediction, load_predictions
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
                rows: list[dict[str, Any]] = [{"name": "gold", "triples": _gold(a), "right": None, "seen": ""}]
                for name, one, texts in zip(names, (a, b), seen, strict=True):
                    right, said = _right(one), texts.get(record.id, "")
                    rows.append({"name": name, "triples": _triples(one), "right": right, "seen": said})
                found.append(
                    {
                        "view": source.view,
                        "dataset": source.dataset,
                        "input": given,
                        "id": record.id,
                        "kind": _KINDS[kind].format(arm=arm[0], base=base),
                        "text": record.text,
                        "rows": rows,
                    }
                )
    return found


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
