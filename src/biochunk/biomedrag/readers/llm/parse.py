"""From what a language model wrote to an answer. Whatever it wrote, nothing here raises; what gives no answer is
counted by its kind.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ...items import Mention, PairAnswer, Triple
from .fields import Names, entity_of, is_border, is_heading, letters, split_fields, words

# Kinds of faults.
EMPTY = "empty"  # nothing was written
MALFORMED = "malformed"  # something was, and no line of it is an answer
FIELDS = "fields"  # a line with another number of fields than three
RELATION = "relation"  # a relation outside the set
ENTITY = "entity"  # an entity that does not stand in the text
OTHER_PAIR = "other_pair"  # other entities than the asked pair
CONTRADICTION = "contradiction"  # a second, different answer to one question
REPEATED = "repeated"  # the same triple once more
CUT = "cut"  # the model ran out of tokens; its unfinished line does not count
TOO_MANY_LINES = "too_many_lines"  # the lines after the first 200 do not count

_THOUGHT_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_THOUGHT_START = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_SAYS_NOTHING = frozenset({"none", "norelation", "norelations", "notriple", "notriples", "na", "null", "nothing"})
_CLASSES = {"1": 1, "yes": 1, "true": 1, "0": 0, "no": 0, "false": 0}
# A model that repeats itself for ever is not followed for ever.
_MOST_LINES = 200
_LONGEST_LINE = 2000


class Parsed(NamedTuple):
    """Triples in the order of writing, and how many faults of each kind were met."""

    triples: tuple[Triple, ...]
    faults: Counter[str]


def parse_triples(written: str, text: str, relations: Sequence[str], *, cut: bool = False) -> Parsed:
    """Read `head|RELATION|tail` lines.

    Thoughts of a reasoning model, code fences, numbering, bullets, quotes, table borders and prose around the lines
    are passed over. A relation may be written in other case or with spaces for underscores. An entity must stand in
    the text as whole words, in any case and with any white space; the answer has it as the text has it.

    written (str): What the model wrote.
    text (str): What it was given to read.
    relations (Sequence[str]): The labels.
    cut (bool): The model was stopped in the middle, so that its last line is unfinished.
    """
    faults: Counter[str] = Counter()
    lines, cut = _lines(written, faults, cut)
    if cut and lines and not written.endswith("\n"):
        lines.pop()
    triples: dict[Triple, None] = {}
    names = Names(relations)
    answered = False
    for line in lines:
        if "|" not in line:
            answered |= _says_nothing(line)
        elif not is_border(line):
            answered = True
            read = _read_line(line, text, names)
            if isinstance(read, Triple):
                faults[REPEATED] += read in triples
                triples[read] = None
            elif read:
                faults[read] += 1
    if lines and not answered:
        faults[MALFORMED] += 1
    return Parsed(tuple(triples), +faults)


def parse_pair(
    written: str, pair: tuple[Mention, Mention], relations: Sequence[str], *, cut: bool = False
) -> tuple[PairAnswer | None, Counter[str]]:
    """Read the relation of an asked pair from `head|RELATION|tail` lines; the first line about the pair counts.

    Where both mentions are written alike the pair's first one is the head.

    written, relations, cut: See `parse_triples`.
    pair (tuple[Mention, Mention]): The asked pair.
    """
    first, second = pair[0].text, pair[1].text
    parsed = parse_triples(written, f"{first}\n\n{second}", relations, cut=cut)
    faults = Counter({OTHER_PAIR if kind == ENTITY else kind: count for kind, count in parsed.faults.items()})
    answers: dict[PairAnswer, None] = {}
    for triple in parsed.triples:
        found = _folded(triple.head), _folded(triple.tail)
        if found == (_folded(first), _folded(second)):
            answers[PairAnswer(triple.relation, True)] = None
        elif found == (_folded(second), _folded(first)):
            answers[PairAnswer(triple.relation, False)] = None
        else:
            faults[OTHER_PAIR] += 1
    faults[CONTRADICTION] += max(len(answers) - 1, 0)
    return next(iter(answers), None), +faults


def parse_label(written: str, *, cut: bool = False) -> tuple[int | None, Counter[str]]:
    """Read a class: 1, yes or true; 0, no or false.

    The first line that is such a word alone counts (or after one word, as in "Answer: 1"), else the first that begins
    with one, else a word anywhere if none of the other class stands beside it.

    written, cut: See `parse_triples`.
    RETURNS (tuple[int | None, Counter[str]]): The class, None where none is stated, and the faults.
    """
    faults: Counter[str] = Counter()
    lines = [words(line) for line in _lines(written, faults, cut)[0]]
    alone = [_CLASSES.get(line[-1]) for line in lines if 1 <= len(line) <= 2]
    first = [_CLASSES.get(line[0]) for line in lines if line]
    anywhere = {_CLASSES[word] for line in lines for word in line if word in _CLASSES}
    for found in (alone, first, list(anywhere) if len(anywhere) == 1 else []):
        classes = [label for label in found if label is not None]
        if classes:
            faults[CONTRADICTION] += len(set(classes)) > 1
            return classes[0], +faults
    if lines:
        faults[MALFORMED] += 1
    return None, +faults


def _lines(written: str, faults: Counter[str], cut: bool) -> tuple[list[str], bool]:
    """The lines of an answer that are not blank, without thoughts and code fences, up to where the model goes on with a
    question of its own; and whether the last one of them is unfinished.
    """
    answer = _THOUGHT_START.split(_THOUGHT_END.split(written)[-1])[0]
    lines: list[str] = []
    for part in answer.splitlines():
        line = part.strip()
        if lines and line.startswith("Context:"):
            cut = False
            break
        if line and not line.startswith(("```", "~~~")):
            lines.append(line[:_LONGEST_LINE])
    faults[CUT] += cut
    faults[EMPTY] += not lines and not cut
    if len(lines) > _MOST_LINES:
        faults[TOO_MANY_LINES] += 1
    return lines[:_MOST_LINES], cut


def _read_line(line: str, text: str, names: Names) -> Triple | str | None:
    """A triple of a line with separators; else its kind of fault, or None where it states nothing."""
    fields = split_fields(line)
    if len(fields) < 3:
        return FIELDS
    # An entity may hold a separator, so any field between can be the relation.
    found = [(i, name) for i in range(1, len(fields) - 1) if (name := names.find(fields[i]))]
    for i, name in found:
        head, tail = entity_of("|".join(fields[:i]), text), entity_of("|".join(fields[i + 1 :]), text)
        if head and tail:
            return Triple(head, name, tail)
    if len(fields) > 3:
        return FIELDS
    if found:
        return ENTITY
    return None if letters(fields[1]) in _SAYS_NOTHING or is_heading(fields) else RELATION


def _says_nothing(line: str) -> bool:
    """Whether a line says that nothing holds: "None", "No relation.", "Response: None", "None of these holds"."""
    said = words(line)
    return "".join(said) in _SAYS_NOTHING or "none" in (said[:1] + (said[-1:] if len(said) == 2 else []))


def _folded(text: str) -> str:
    return " ".join(text.split()).lower()
