"""What a recogniser should learn from a sentence, and what it must not take for an answer: missing annotation.

No corpus annotates everything. One of genes says nothing of drugs, and one of relations names two mentions of a
sentence that may hold ten. A word without a label is therefore no counter-example by itself; such words are missing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from spacy.tokens import Doc, Span
from spacy.util import filter_spans

from ..chunking.mentions import Range

LABEL = "ENTITY"


def gold_spans(doc: Doc, mentions: Iterable[tuple[int, int, str]]) -> list[Span]:
    """Mentions (first character, character after the last, label) as spans: those that begin and end with a token,
    and of overlapping ones the longest.
    """
    spans = (doc.char_span(start, end, label=label) for start, end, label in mentions)
    return filter_spans(span for span in spans if span is not None)


def set_borders(doc: Doc, gold: Sequence[Span], possible: Iterable[Range], rng: Any, *, beside: float) -> None:
    """Annotate a sentence some of whose mentions are known, for a model of where mentions begin and end.

    Known mentions are entities. What may be part of another one is missing, all else is outside. The words beside a
    known mention are not part of it, which is what there is to learn of borders; but they may be mentions themselves.

    doc (Doc): The sentence.
    gold (Sequence[Span]): Its known mentions, none overlapping.
    possible (Iterable[Range]): Token ranges that may be mentions, such as those of the rules.
    rng (numpy.random.Generator): Chooses the words beside mentions that count as outside.
    beside (float): Their share.
    """
    missing = {i for start, end in possible for i in range(start, end)}
    known = {i for span in gold for i in range(span.start, span.end)}
    edges = sorted({i for span in gold for i in (span.start - 1, span.end)} & missing - known)
    missing -= {i for i, chance in zip(edges, rng.random(len(edges)), strict=True) if chance < beside}
    doc.set_ents(list(gold), missing=[doc[i : i + 1] for i in sorted(missing - known)], default="outside")


def set_kinds(doc: Doc, gold: Sequence[Span], others: Collection[str], longest: int) -> None:
    """Annotate a sentence of a corpus that has all mentions of some kinds, for a model of more kinds.

    doc (Doc): The sentence.
    gold (Sequence[Span]): Its mentions.
    others (Collection[str]): Names of the other kinds, in lower case; where one stands annotation is missing.
    longest (int): Tokens of the longest of them.
    """
    known = {i for span in gold for i in range(span.start, span.end)}
    lower = doc.text.lower()
    missing: set[int] = set()
    for start in range(len(doc)):
        for end in range(start + 1, min(start + longest, len(doc)) + 1):
            if lower[doc[start].idx : doc[end - 1].idx + len(doc[end - 1])] in others:
                missing.update(range(start, end))
    doc.set_ents(list(gold), missing=[doc[i : i + 1] for i in sorted(missing - known)], default="outside")


def names_of_other_kinds(names: Mapping[str, Collection[str]], kinds: Collection[str]) -> set[str]:
    """Names of all kinds but some. names (Mapping): Kind → its names, in lower case; a name of one of the kinds is out.

    A name shorter than three characters is left out: it stands for too many things.
    """
    own = {name for kind in kinds for name in names.get(kind, ())}
    return {
        name
        for kind, found in names.items()
        if kind not in kinds
        for name in found
        if len(name) > 2 and name not in own
    }
