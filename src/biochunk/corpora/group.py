"""All rows of one sentence as one record of the `clean` view.

Rows that differ in nothing but marks, spaces, case and punctuation are one sentence (`splits.sentence_key`).
Every row gets an outcome; what the rows have in common, and how they differ, decides the text.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from .clean import Span, Unmarked, unmark
from .locate import Marking
from .records import Entity, Record, Triple
from .report import GROUPED, KEPT

# Why a row of a group adds nothing.
WHY = {
    "duplicate_normalised": "the same stands above but for marks, spaces, case or punctuation",
    "overruled": "another row of the sentence says that a relation holds, or label 1",
    "not_located": "a gold mention of signs alone is not in the agreed text",
}
_LETTER = re.compile(r"[^\W_]")


class Group(NamedTuple):
    """The outcome of a group.

    record (Record | None): The sentence with everything that its rows say; None when no row is of use.
    outcomes (list[str]): What became of each row: `KEPT`, `GROUPED`, or why it was dropped.
    events (Counter[str]): What happened to the text, and pairs with several relations.
    """

    record: Record | None
    outcomes: list[str]
    events: Counter[str]


class _Mention(NamedTuple):
    start: int
    end: int
    label: str


class _Claim(NamedTuple):
    """What a row says: a pair of mentions with a relation (None: that there is none), or a label."""

    head: _Mention | None
    relation: str | None
    tail: _Mention | None
    label: int | str | None


def group_rows(rows: Sequence[Record], marking: Marking) -> Group:
    """Make one record of the published records of one sentence.

    A row is dropped as `duplicate_normalised` when, once marks are gone, an earlier row said the same of the
    same mentions. Where one row says that no relation holds between two mentions (or label 0) and another
    that one does (or label 1), the positive row wins and the other is `overruled`. Different relations of one
    pair all stay, and are counted.

    rows (Sequence[Record]): At least one, with equal `sentence_key`, in file order.
    """
    plain = [_unmark(row, marking) for row in rows]
    text, lost = _agreed_text(plain)
    claims = [_claim(row, one, text) for row, one in zip(rows, plain, strict=True)]
    outcomes = _outcomes(claims)
    used = [
        (row, claim) for row, claim, outcome in zip(rows, claims, outcomes, strict=True) if outcome in (KEPT, GROUPED)
    ]
    kept = [claim for _, claim in used if claim]
    several = Counter((claim.head, claim.tail) for claim in kept if claim.relation)
    events = Counter(
        {
            "closing brackets put back": sum(one.restored for one in plain),
            "characters behind mentions lost for good": lost,
            "texts mended by another row of the sentence": int(text != plain[0].text),
            "pairs with several relations": sum(count > 1 for count in several.values()),
        }
    )
    record = _record(text, used) if used else None
    return Group(record, outcomes, +events)


def _pair(row: Record) -> tuple[str, str] | None:
    """Ids of the pair that a published record asks about."""
    pairs = row.meta.get("pairs")
    return (pairs[0][0], pairs[0][1]) if pairs else None


def _unmark(row: Record, marking: Marking) -> Unmarked:
    """The row's text without marks, and the spans of its entities in their order."""
    strings = {entity.id: entity.text for entity in row.entities} | row.meta.get("gold", {})
    pair = _pair(row)
    head, tail = (strings[pair[0]], strings[pair[1]]) if pair else ("", "")
    return unmark(row.text, head, tail, [(entity.start, entity.end) for entity in row.entities], marking)


def _claim(row: Record, plain: Unmarked, text: str) -> _Claim | None:
    """What a row says of the agreed text; None if one of its mentions is not there."""
    mentions = {}
    for entity, span in zip(row.entities, plain.spans, strict=True):
        moved = _projected(plain.text, span, text)
        if not moved:
            return None
        mentions[entity.id] = _Mention(*moved, entity.label)
    pair = _pair(row)
    relation = row.triples[0].relation if row.triples else None
    return _Claim(pair and mentions[pair[0]], relation, pair and mentions[pair[1]], row.label)


def _outcomes(claims: Sequence[_Claim | None]) -> list[str]:
    related = {frozenset((claim.head, claim.tail)) for claim in claims if claim and claim.relation}
    positive = any(claim.label == 1 for claim in claims if claim)
    seen: set[_Claim] = set()
    outcomes: list[str] = []
    for claim in claims:
        if not claim:
            outcomes.append("not_located")
        elif _is_overruled(claim, related, positive):
            outcomes.append("overruled")
        elif claim in seen:
            outcomes.append("duplicate_normalised")
        else:
            outcomes.append(GROUPED if seen else KEPT)
            seen.add(claim)
    return outcomes


def _is_overruled(claim: _Claim, related: set[frozenset[_Mention | None]], positive: bool) -> bool:
    if claim.head:
        return not claim.relation and frozenset((claim.head, claim.tail)) in related
    return positive and claim.label == 0


def _record(text: str, used: Sequence[tuple[Record, _Claim | None]]) -> Record:
    first = used[0][0]
    claims = [claim for _, claim in used if claim]
    mentions = sorted({mention for claim in claims for mention in (claim.head, claim.tail) if mention})
    ids = {mention: f"e{i}" for i, mention in enumerate(mentions, 1)}
    meta: dict[str, Any] = {"file": first.meta["file"]}
    place = "item" if "item" in first.meta else "line"
    meta[f"{place}s"] = [row.meta[place] for row, _ in used]
    pairs = {(ids[claim.head], ids[claim.tail]): None for claim in claims if claim.head and claim.tail}
    if pairs:
        meta["pairs"] = [list(pair) for pair in pairs]
    return first.model_copy(
        update={
            "text": text,
            "entities": [
                Entity(id=ids[m], start=m.start, end=m.end, text=text[m.start : m.end], label=m.label) for m in mentions
            ],
            "triples": [
                Triple(head=ids[claim.head], relation=claim.relation, tail=ids[claim.tail])
                for claim in claims
                if claim.head and claim.tail and claim.relation
            ],
            "meta": meta,
        }
    )


def _agreed_text(rows: Sequence[Unmarked]) -> tuple[str, int]:
    """The letters and digits of the first row, and between each two of them what most rows have there.

    Rows whose marks leave that open have no vote while another row's do not; ties go to the earlier row.
    RETURNS (tuple[str, int]): The text, and how many characters are lost that no row has.
    """
    first = rows[0]
    lost = sum(all(i in row.doubtful for row in rows) for i in first.lost)
    if all(row.text == first.text for row in rows):
        return first.text, lost
    pieces = []
    between = zip(*(_LETTER.split(row.text) for row in rows), strict=True)
    for i, (gaps, letter) in enumerate(zip_longest(between, _LETTER.findall(first.text), fillvalue="")):
        agreed = gaps[0]
        if any(gap != agreed for gap in gaps):
            votes = Counter(gap for gap, row in zip(gaps, rows, strict=True) if i not in row.doubtful)
            agreed = votes.most_common(1)[0][0] if votes else agreed
        pieces += [agreed, letter]
    return "".join(pieces), lost


def _projected(text: str, span: Span, onto: str) -> Span | None:
    """Where a span stands in another text of the same letters; None for a mention of signs that are gone.

    The signs at the edges of the mention ("(R)-" or "+") come along where the other text has them too.
    """
    if text == onto:
        return span
    start, end = span
    gaps = _LETTER.split(text[start:end])
    letters = [match.start() for match in _LETTER.finditer(onto)]
    before = len(_LETTER.findall(text[:start]))
    if len(gaps) == 1:
        found = onto.find(gaps[0], letters[before - 1] + 1 if before else 0)
        within = found >= 0 and (before == len(letters) or found < letters[before])
        return (found, found + len(gaps[0])) if within else None
    new_start, new_end = letters[before], letters[before + len(gaps) - 2] + 1
    while gaps[0] and onto[new_start - 1 : new_start] == gaps[0][-1]:
        gaps[0] = gaps[0][:-1]
        new_start -= 1
    while gaps[-1] and onto[new_end : new_end + 1] == gaps[-1][0]:
        gaps[-1] = gaps[-1][1:]
        new_end += 1
    return new_start, new_end
