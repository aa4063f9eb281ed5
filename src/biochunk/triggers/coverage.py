"""How well triggers and propositions cover the gold relations of a corpus."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import NamedTuple

from spacy.tokens import Doc

from ..spans import PROPOSITIONS, read_group
from .finders import fired_tiers

NONE = "(none)"


class Found(NamedTuple):
    """What a pipeline found in one sentence.

    fired (frozenset[str]): Relations that its triggers signal.
    proposed (frozenset[str]): Relations of its propositions, the losers of overlaps included.
    top (tuple[str, ...]): Relations of the propositions with the highest priority.
    """

    fired: frozenset[str]
    proposed: frozenset[str]
    top: tuple[str, ...]


@dataclass
class Row:
    """Counts over pairs of a sentence and one of its gold relations (or over sentences without any).

    items (int): Pairs.
    trigger (int): Of these, sentences in which some trigger fires.
    fired (int): Of these, where the gold relation is signalled by a trigger.
    proposed (int): Of these, where it is the relation of a proposition.
    top (float): Of these, where it has the highest priority; a tie of n relations counts 1/n.
    relations (int): Relations fired, summed over the pairs.
    others (int): Sentences without the relation.
    alarms (int): Of these, where a trigger of it fires all the same.
    """

    items: int = 0
    trigger: int = 0
    fired: int = 0
    proposed: int = 0
    top: float = 0.0
    relations: int = 0
    others: int = 0
    alarms: int = 0

    def __add__(self, other: "Row") -> "Row":
        return Row(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def rates(self) -> dict[str, float | int | None]:
        """Name → value: shares from 0 to 1, None where nothing could be counted."""
        return {
            "items": self.items,
            "trigger": _rate(self.trigger, self.items),
            "gold fired": _rate(self.fired, self.items),
            "gold proposed": _rate(self.proposed, self.items),
            "gold on top": _rate(self.top, self.items),
            "relations fired": _rate(self.relations, self.items),
            "fired elsewhere": _rate(self.alarms, self.others),
        }


def found_in(doc: Doc) -> Found:
    """What stands on a Doc that went through a pipeline; priorities as `relation_resolver` gave them."""
    priorities: dict[str, float] = {}
    proposed = set()
    for span, facts in read_group(doc, PROPOSITIONS):
        proposed.add(span.label_)
        if "priority" in facts:
            priorities[span.label_] = max(facts["priority"], priorities.get(span.label_, facts["priority"]))
    best = max(priorities.values(), default=None)
    top = tuple(label for label, value in priorities.items() if value == best)
    return Found(frozenset(fired_tiers(doc)), frozenset(proposed), top)


def coverage(found: Iterable[tuple[Found, list[str]]], relations: Iterable[str]) -> dict[str, Row]:
    """Count what was found against gold relations.

    found (Iterable[tuple[Found, list[str]]]): For each sentence what was found and its gold relations.
    relations (Iterable[str]): All relations of the task.
    RETURNS (dict[str, Row]): A row a relation in the given order, those without items included; "(none)" for
        the sentences without gold relation, when there are any; "all" for all pairs, without "(none)".
    """
    rows = {name: Row() for name in relations}
    none = Row()
    for (fired, proposed, top), gold in found:
        for name in gold:
            row = rows.setdefault(name, Row())
            row.items += 1
            row.trigger += bool(fired)
            row.fired += name in fired
            row.proposed += name in proposed
            row.top += 1 / len(top) if name in top else 0.0
            row.relations += len(fired)
        if not gold:
            none.items += 1
            none.trigger += bool(fired)
            none.relations += len(fired)
        for name, row in rows.items():
            if name not in gold:
                row.others += 1
                row.alarms += name in fired
    total = sum(rows.values(), Row())
    table = dict(sorted(rows.items(), key=lambda item: -item[1].items))
    return {**table, **({NONE: none} if none.items else {}), "all": total}


def _rate(part: float, whole: int) -> float | None:
    return part / whole if whole else None
