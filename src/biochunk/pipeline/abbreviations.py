"""Short forms and what they stand for, as one entity.

scispaCy's AbbreviationDetector, or any component like it, fills `doc._.abbreviations`: a list of spans of short forms,
each with its long form in `span._.long_form`; with its option `make_serializable` a list of dicts of token indices.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from spacy.tokens import Doc

from ..chunking.mentions import Range
from ..spans import ENTITIES, ID_PREFIXES, Found

EXTENSION = "abbreviations"
RULE = "abbreviation"


def read_abbreviations(doc: Doc) -> list[tuple[Range, Range]]:
    """What an earlier component says: token ranges of (short form, long form); nothing where there is none."""
    if not Doc.has_extension(EXTENSION):
        return []
    return [_ranges(item) for item in doc._.get(EXTENSION) or ()]


def _ranges(item: Any) -> tuple[Range, Range]:
    if isinstance(item, dict):
        return (item["short_start"], item["short_end"]), (item["long_start"], item["long_end"])
    return (item.start, item.end), (item._.long_form.start, item._.long_form.end)


def join_abbreviations(found: Sequence[Found], pairs: Sequence[tuple[Range, Range]]) -> list[Found]:
    """Mark mentions of the same entity, by short and long forms that another component has paired.

    Of such mentions each gets the fact "same_as": the span id of the first of them in the text. A form belongs to the
    mention with which it shares its last token ("tumor necrosis factor" to "human tumor necrosis factor"), or else to
    the longest part of it. A short form where no mention stands becomes one, if its long form or another of its short
    forms is; it has the rule "abbreviation" and their label.

    found (Sequence): Mentions in text order, none overlapping.
    pairs (Sequence): Token ranges of (short form, long form).
    RETURNS (list): Mentions in text order, none overlapping.
    """
    if not pairs:
        return list(found)
    groups: dict[Range, list[Range]] = {}
    for short, long in pairs:
        forms = groups.setdefault(long, [long])
        if short not in forms:
            forms.append(short)
    mentions: dict[Range, Found] = {(mention[0], mention[1]): mention for mention in found}
    partners: list[set[Range]] = []
    for forms in groups.values():
        places = [_place(mentions, form) for form in forms]
        known = [place for place in places if place is not None]
        if not known:
            continue
        label = mentions[min(known)][2]
        for form, place in zip(forms[1:], places[1:], strict=True):
            if place is None and not any(_shared(form, other) for other in mentions):
                mentions[form] = (*form, label, {"rule": RULE})
                known.append(form)
        partners.append(set(known))
    order = sorted(mentions)
    same_as = dict(chain.from_iterable(_named(group, order) for group in _merged(partners) if len(group) > 1))
    return [
        (
            *place,
            mentions[place][2],
            {**mentions[place][3], **({"same_as": same_as[place]} if place in same_as else {})},
        )
        for place in order
    ]


def without_definitions(entities: Sequence[Range], same_as: Mapping[Range, str]) -> list[Range]:
    """Entities of a sentence without those right behind a mention of the same entity, at most a bracket between them:
    in "tumor necrosis factor (TNF)" one thing is named twice, which are no two arguments of a relation.

    entities (Sequence): Token ranges in text order.
    same_as (Mapping): For some of them, which entity they are.
    """
    kept: list[Range] = []
    for place in entities:
        one = kept and same_as.get(kept[-1])
        if not one or one != same_as.get(place) or place[0] - kept[-1][1] > 1:
            kept.append(place)
    return kept


def _place(mentions: dict[Range, Found], form: Range) -> Range | None:
    """The mention that a form belongs to."""
    touching = [place for place in mentions if _shared(form, place)]
    return max(touching, key=lambda place: (place[0] < form[1] <= place[1], _shared(form, place)), default=None)


def _shared(form: Range, place: Range) -> int:
    return max(0, min(form[1], place[1]) - max(form[0], place[0]))


def _merged(groups: Sequence[set[Range]]) -> list[set[Range]]:
    """Groups with a mention in common are one."""
    merged: list[set[Range]] = []
    for group in groups:
        apart = [other for other in merged if not other & group]
        merged = [*apart, set(group).union(*(other for other in merged if other & group))]
    return merged


def _named(group: set[Range], order: Sequence[Range]) -> Iterator[tuple[Range, str]]:
    name = f"{ID_PREFIXES[ENTITIES]}{order.index(min(group))}"
    return ((place, name) for place in group)
