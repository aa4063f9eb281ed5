"""What each word is to the noun-phrase grammar, from closed-class lists and a dataset's own lists."""

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from ..schemas import EdgeWords, EntityKnowledge
from . import noun_phrases as grammar
from .coordination import HYPHENS
from .edges import CUT, KEEP, OPTIONAL, Edge, read_edge
from .lexicon import verb_forms
from .shapes import Affixes, has_shape

# Signs inside names: they link what stands on both sides when no space does.
_LINKS = ("-", "‐", "‑", "/", "'", "′", "″", ",", "·", "(", ")", "[", "]", ":", "*", "→", ".", "’")
# Never part of a phrase.
_OUTSIDE = (grammar.FUNCTION, grammar.VERB, grammar.UNIT)


class WordCodes:
    """Four letters for a word: its class in the grammar, at the front of a phrase, at its end, and as a name.

    rules (EntityKnowledge): The dataset's rules.
    verbs (Sequence[str]): Written forms of its verb triggers, lower-case: they end a phrase.
    nominal (Sequence[str]): Written forms of its noun triggers: they are cut from the edges and are no mention alone.
    """

    def __init__(self, rules: EntityKnowledge, *, verbs: Sequence[str], nominal: Sequence[str]) -> None:
        data = _read("closed_class")
        phrases = _read("noun_phrases")
        self.joins = frozenset(word.lower() for word in (phrases["joins"] if rules.joins is None else rules.joins))
        self._classes = _classes(data, phrases, rules, verbs, self.joins)
        cut = [*nominal, *rules.stop_heads]
        self.before = _edge(phrases["before"], cut, rules.before)
        self.after = _edge(phrases["after"], cut, rules.after)
        never = [*phrases["never_alone"], *nominal, *rules.stop_heads, *rules.never_alone]
        # An edge of its own kind: words and endings.
        self._alone = read_edge([(CUT, never), (KEEP, rules.alone)])
        self._has_affix = Affixes()
        self._capitals = frozenset(phrases["capitals"])
        self._no_adverbs = frozenset(phrases["no_adverbs"])
        self._heads = frozenset(phrases["heads"])

    def __call__(self, word: str, is_number: bool) -> str:
        """The four letters of a token.

        word (str): The token.
        is_number (bool): Whether it is a number, in digits or in words.
        """
        lower = word.lower()
        kind = self._classes.get(lower)
        if kind is not None:
            if kind == grammar.LINK:
                name = {"(": grammar.OPENING, "[": grammar.OPENING, ")": grammar.CLOSING, "]": grammar.CLOSING}
                return kind + KEEP + KEEP + name.get(word, grammar.PLAIN)
            if lower in self._capitals and word.isupper():
                kind = grammar.WORD
            elif kind == grammar.ARTICLE and word.isupper():
                kind = grammar.CAPITAL
            elif kind in _OUTSIDE:
                return kind + KEEP + KEEP + grammar.PLAIN
        elif word.isspace():
            kind = grammar.SPACE
        elif not any(map(str.isalnum, word)):
            kind = grammar.PUNCTUATION
        elif is_number:
            kind = grammar.NUMBER
        elif lower.endswith("ly") and len(lower) > 4 and lower not in self._no_adverbs:
            kind = grammar.FUNCTION
        else:
            kind = grammar.WORD
        if kind in (grammar.NUMBER, grammar.GREEK):
            return kind + KEEP + KEEP + (grammar.HALF if word[0] in HYPHENS else kind)
        return kind + self.before(lower) + self.after(lower) + self._name(word, lower)

    def is_never_alone(self, word: str) -> bool:
        """Whether a word in lower case is no mention by itself."""
        return self._alone(word) == CUT

    def never_alone_words(self) -> list[str]:
        """Words, and no endings, that are no mention by themselves."""
        return self._alone.words(CUT)

    def is_name(self, word: str) -> bool:
        """Whether a word in lower case has the shape or the affix of a name."""
        return has_shape(word) or self._has_affix(word)

    def _name(self, word: str, lower: str) -> str:
        if ("(" in word or "[" in word) and word.count("(") + word.count("[") > word.count(")") + word.count("]"):
            return grammar.OPENED
        if len(word) == 1:
            return grammar.LETTER
        if word[0] in HYPHENS or word[-1] in HYPHENS:
            return grammar.HALF
        if has_shape(word):
            return grammar.SHAPE
        if lower in self._heads:
            return grammar.HEAD
        if self._alone.knows(lower):
            return grammar.PLAIN if self._alone(lower) == KEEP else grammar.NEVER_ALONE
        if self._has_affix(lower):
            return grammar.AFFIX
        return grammar.NEVER_ALONE if self._alone(lower) == CUT else grammar.PLAIN


def _read(name: str) -> dict[str, Any]:
    return json.loads((files("biochunk") / "data" / f"{name}.json").read_text("utf8"))


def _classes(
    closed: Mapping[str, list[str]],
    phrases: Mapping[str, Any],
    rules: EntityKnowledge,
    verbs: Iterable[str],
    joins: Iterable[str],
) -> dict[str, str]:
    """Class in the grammar of every word and sign that has one of its own."""
    table: dict[str, str] = {}
    for verb in closed["verbs"]:
        table.update(dict.fromkeys((form.text for form in verb_forms(verb)), grammar.VERB))
    for verb in closed["finite_verbs"]:
        # Their -ing forms are nouns as often ("feeding", "swelling").
        for form in verb_forms(verb):
            if not form.text.endswith("ing"):
                table[form.text] = grammar.PARTICIPLE if form.participle else grammar.VERB
    table.update(dict.fromkeys(closed["verb_forms"], grammar.VERB))
    for word in closed["adverbs_and_predicates"] + closed["function_words"]:
        table[word] = grammar.FUNCTION
    table.update(dict.fromkeys(closed["units_and_times"], grammar.UNIT))
    table.update(dict.fromkeys(phrases["unit_letters"], grammar.UNIT_LETTER))
    # From here on by what a word does to its neighbours.
    for name, kind in (("greek", grammar.GREEK), ("lettered", grammar.LETTERED), ("letters", grammar.ARTICLE)):
        table.update(dict.fromkeys(phrases[name], kind))
    table.update(dict.fromkeys(phrases["numerals"], grammar.NUMBER))
    table.update(dict.fromkeys(phrases["starters"], grammar.STARTER))
    joiners = {word[1:] for word in joins if word.startswith("-")}
    table.update(dict.fromkeys(joiners, grammar.JOINER))
    table.update(dict.fromkeys({word.lower() for word in verbs} - joiners, grammar.VERB))
    table.update({word.lower(): grammar.FUNCTION for word in rules.stop_words})
    table.update({word: grammar.WORD for word in joins if not word.startswith("-")})
    table.update(dict.fromkeys(_LINKS, grammar.LINK))
    table["+"] = grammar.PLUS
    return table


def _edge(default: Mapping[str, list[str]], cut: Sequence[str], own: EdgeWords) -> Edge:
    """What is built in, then what the dataset's triggers and stop heads say, then its own lists."""
    lists: list[tuple[str, Iterable[str]]] = [
        (CUT, default["cut"]),
        (OPTIONAL, default["optional"]),
        (CUT, cut),
        (CUT, own.cut),
        (OPTIONAL, own.optional),
        (KEEP, own.keep),
    ]
    return read_edge(lists, {"cut": CUT, "optional": OPTIONAL, "keep": KEEP}[own.default])
