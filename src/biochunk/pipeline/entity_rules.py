"""Entity mentions by rule (paper §3.4): annotation marks, the user's patterns, names by their shape, noun phrases."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Literal

from spacy.attrs import IDX, ORTH, SPACY
from spacy.tokens import Doc
from spacy.vocab import Vocab

from ..chunking import mentions
from ..chunking.brackets import balanced
from ..chunking.coordination import coordinated
from ..chunking.edges import boundaries
from ..chunking.noun_phrases import (
    AFFIX,
    HALF,
    NEVER_ALONE,
    OPENED,
    PUNCTUATION,
    SHAPE,
    Classes,
    next_word,
    noun_phrases,
    read_classes,
)
from ..chunking.shapes import name_in, name_within
from ..chunking.word_codes import WordCodes
from ..schemas import EntityKnowledge, compile_any, compile_pattern
from ..spans import Found

# Which boundary of a mention is written, where its noun phrase has two.
BoundaryChoice = Literal["both", "maximal", "minimal"]
MAXIMAL, MINIMAL = "maximal", "minimal"

_NAME_RULES = {SHAPE: "shapes", AFFIX: "affixes"}
_SHARED = "coordination"
_TEXT_RULES = {**mentions.TEXT_RULES, _SHARED: coordinated}
_PHRASE = "noun_phrase"
# What makes a single token a name.
_SINGLE = {SHAPE: SHAPE, OPENED: SHAPE, AFFIX: AFFIX}
_Grow = Callable[[int, int], mentions.Range]
# Token range, rule, and the range of the minimal mention inside with its rule, where there is one.
_Inner = tuple[int, int, str]
_Mention = tuple[int, int, str, _Inner | None]


class EntityRules:
    """Finds mentions by the rules of a dataset.

    vocab (Vocab): The pipeline's vocabulary.
    knowledge (EntityKnowledge): The rules.
    verbs, nominal (Sequence[str]): Written forms of the dataset's triggers; see `WordCodes`.
    max_tokens (int): Longest noun phrase, in tokens.
    boundary (BoundaryChoice): "both" gives a phrase with an optional edge as two spans.
    """

    def __init__(
        self,
        vocab: Vocab,
        knowledge: EntityKnowledge,
        *,
        verbs: Sequence[str],
        nominal: Sequence[str],
        max_tokens: int,
        boundary: BoundaryChoice,
    ) -> None:
        self.codes = WordCodes(knowledge, verbs=verbs, nominal=nominal)
        self.max_tokens = max_tokens
        self.boundary = boundary
        self._vocab = vocab
        self._memo = _Memo(vocab, self.codes)
        self._any_pattern = compile_any(knowledge.patterns)
        self._patterns = [(p.name, p.group, compile_pattern(p)) for p in knowledge.patterns]
        self._marks = [rule for rule in knowledge.rules if rule in mentions.MARK_RULES]
        self._text_rules = [rule for rule in knowledge.rules if rule in _TEXT_RULES and rule not in self._marks]
        self._phrases = _PHRASE in knowledge.rules
        # Of rules that find the same span the earlier one is named.
        rules: Sequence[str] = knowledge.rules
        earlier = rules[: rules.index(_PHRASE)] if self._phrases else rules
        self._names = {kind: rule for kind, rule in _NAME_RULES.items() if rule in earlier}

    def classes(self, doc: Doc) -> Classes:
        """The classes of the Doc's tokens."""
        array = doc.to_array([ORTH, SPACY])
        return read_classes([self._memo[orth] for orth in array[:, 0].tolist()], array[:, 1].tolist())

    def find(self, doc: Doc) -> list[Found]:
        """Mentions of the Doc in text order; writes nothing.

        Two spans overlap only where a mention has two boundaries, the minimal one inside the maximal one.

        doc (Doc): The Doc.
        RETURNS (list[Found]): Label "ENTITY"; facts: "rule", and "boundary" ("maximal" or "minimal") where a mention
            has two.
        """
        if not len(doc):
            return []
        orths, spaces, starts = doc.to_array([ORTH, SPACY, IDX]).T.tolist()
        classes = read_classes(list(map(self._memo.__getitem__, orths)), spaces)
        # What `doc.text` gives, in half the time.
        words: list[str] = [self._vocab.strings[orth] for orth in orths]
        text = "".join([word + " " if space else word for word, space in zip(words, spaces, strict=True)])
        marked = self._find_marked(text, starts, classes.grammar)
        if marked:
            # What is marked is taken: no rule that infers mentions may touch it.
            grammar = list(classes.grammar)
            for start, end, _ in marked:
                grammar[start:end] = PUNCTUATION * (end - start)
            classes = classes._replace(grammar="".join(grammar))
        whole = _whole_brackets(text, starts, spaces) if "(" in text or "[" in text else _as_it_is
        if marked:
            whole = partial(_beside, marked, whole)
        found: list[_Mention] = []
        if self._phrases:
            found = list(self._find_phrases(classes, whole))
        elif self._names:
            found = list(self._find_names(classes, whole))
        if whole is not _as_it_is or ")" in text or "]" in text:
            found = _settled(found, partial(_has_letter, text, starts))
        if self._text_rules:
            found = self._with_text_rules(text, starts, classes, found)
        if marked:
            found = sorted([*found, *((*mark, None) for mark in marked)], key=_place)
        return self._written(found)

    def _written(self, found: Iterable[_Mention]) -> list[Found]:
        written: list[Found] = []
        for start, end, rule, inner in found:
            if inner is None:
                written.append((start, end, "ENTITY", {"rule": rule}))
                continue
            if self.boundary != MINIMAL:
                written.append((start, end, "ENTITY", {"rule": rule, "boundary": MAXIMAL}))
            if self.boundary != MAXIMAL:
                written.append((*inner[:2], "ENTITY", {"rule": inner[2], "boundary": MINIMAL}))
        return written

    def _find_marked(self, text: str, starts: Sequence[int], grammar: str) -> list[tuple[int, int, str]]:
        """What the user's patterns and annotation marks say: (first token, token after the last, rule)."""
        found: list[tuple[int, int, int, str]] = []
        # Most texts hold none of the user's patterns; one search for all of them tells.
        if self._any_pattern is None or self._any_pattern.search(text):
            for name, group, pattern in self._patterns:
                spans = _to_tokens(starts, [match.span(group) for match in pattern.finditer(text)])
                found += [(0, *span, name) for span in spans if _has_letter(text, starts, *span)]
        for rule in self._marks:
            spans = _to_tokens(starts, mentions.TEXT_RULES[rule](text))
            found += [(1, *span, rule) for span in spans if _has_letter(text, starts, *span)]
        if not found:
            return []
        # White space of any kind at the edges of a mark belongs to the mark.
        found = [(rank, *mentions.without_space(grammar, start, end), rule) for rank, start, end, rule in found]
        return mentions.drop_overlaps([mention for mention in found if mention[1] < mention[2]])

    def _find_phrases(self, classes: Classes, whole: _Grow) -> Iterator[_Mention]:
        """Noun phrases, cut at their edges. whole: grows a range so that no bracket stays open."""
        _, before, after, names, _ = classes
        rules = self._names
        for start, end in noun_phrases(classes, self.max_tokens):
            if end - start > 1:
                start, end, inner_start, inner_end = boundaries(before, after, start, end)
            if end - start == 1:
                if names[start] != NEVER_ALONE:
                    yield *whole(start, end), rules.get(_SINGLE.get(names[start], ""), _PHRASE), None
                continue
            inner: mentions.Range | None = None
            if (inner_start > start or inner_end < end) and names[inner_start:inner_end] != NEVER_ALONE:
                inner = inner_start, inner_end
            else:
                # "the mutation G551D", "the steroid prednisolone": the phrase is one boundary, the name another.
                inner = name_within(classes, start, end, rules)
            rule = rules.get(name_in(names[start:end]), _PHRASE)
            if inner is None:
                yield *whole(start, end), rule, None
            else:
                inner_rule = rules.get(name_in(names[slice(*inner)]), _PHRASE)
                yield *whole(start, end), rule, (*whole(*inner), inner_rule)

    def _find_names(self, classes: Classes, whole: _Grow) -> Iterator[_Mention]:
        """Names by their shape or affix alone, word by word."""
        grammar, names = classes.grammar, classes.names
        for start, end in noun_phrases(classes, self.max_tokens):
            while start < end:
                following = next_word(grammar, start, end)
                rule = self._names.get(name_in(names[start:following]))
                if rule is not None:
                    yield *whole(start, following), rule, None
                start = following

    def _with_text_rules(
        self, text: str, starts: Sequence[int], classes: Classes, phrases: list[_Mention]
    ) -> list[_Mention]:
        """Phrases together with what rules over the text find; of those that overlap the longest stays."""
        found: list[tuple[int, int, int, str]] = []
        inner: dict[mentions.Range, _Inner | None] = {}
        for rule in self._text_rules:
            if rule != _SHARED:
                for span in _to_tokens(starts, _TEXT_RULES[rule](text)):
                    found += [(2, *run, rule) for run in noun_phrases(classes, len(starts), *span)]
            elif HALF in classes.names:
                for start, end, _, member in _coordinations(_to_tokens(starts, coordinated(text)), phrases):
                    found.append((2, start, end, rule))
                    inner[start, end] = member
        if not found:
            return phrases
        found += [(2, *phrase[:3]) for phrase in phrases]
        for phrase in phrases:
            inner.setdefault(phrase[:2], phrase[3])
        return [(*mention, inner.get(mention[:2])) for mention in mentions.drop_overlaps(found)]


class _Memo(dict[int, str]):
    """The codes of the words met so far, by the hash of the word; the oldest ways of writing are not forgotten, so it
    stops growing at some size instead.
    """

    def __init__(self, vocab: Vocab, codes: WordCodes) -> None:
        super().__init__()
        self._vocab, self._codes = vocab, codes

    def __missing__(self, orth: int) -> str:
        lexeme = self._vocab[orth]
        code = self._codes(lexeme.orth_, lexeme.like_num)
        if len(self) < _MEMO_SIZE:
            self[orth] = code
        return code


_MEMO_SIZE = 100_000


def _coordinations(spans: Iterable[mentions.Range], phrases: Sequence[_Mention]) -> Iterator[_Mention]:
    """Coordinations with the phrases that they touch, as the members share what surrounds them: "human COX-1 and -2".

    The member that is written in full is the minimal mention. spans: what is written; phrases: sorted, apart.
    """
    starts, ends = [phrase[0] for phrase in phrases], [phrase[1] for phrase in phrases]
    for start, end in spans:
        inside = phrases[bisect_right(ends, start) : bisect_left(starts, end)]
        if inside:
            start, end = min(start, inside[0][0]), max(end, inside[-1][1])
            member = next((phrase[:3] for phrase in inside if phrase[:2] != (start, end)), None)
            yield start, end, _SHARED, member


def _place(mention: _Mention) -> tuple[int, int]:
    return mention[0], mention[1]


def _as_it_is(start: int, end: int) -> mentions.Range:
    return start, end


def _settled(found: Sequence[_Mention], has_letter: Callable[[int, int], bool]) -> list[_Mention]:
    """Mentions beside brackets, put in order: of those that overlap, as they grew to close one, the longest stays; a
    second boundary that is the same as the first, or a bracket alone, is none.
    """
    known: dict[mentions.Range, _Inner | None] = {}
    for start, end, _, inner in found:
        if inner is not None:
            low, high, _ = inner
            if (low, high) == (start, end) or low < start or high > end or not has_letter(low, high):
                inner = None
        known[start, end] = known.get((start, end)) or inner
    kept = mentions.drop_overlaps([(2, *mention[:3]) for mention in found if has_letter(*mention[:2])])
    return [(*mention, known[mention[:2]]) for mention in kept]


def _beside(marked: Sequence[tuple[int, int, str]], whole: _Grow, start: int, end: int) -> mentions.Range:
    """Grown, but not over a marked mention: brackets around one are annotation and no part of a name."""
    first, last = whole(start, end)
    i = bisect_left(marked, last, key=itemgetter(0)) - 1
    return (start, end) if i >= 0 and marked[i][1] > first else (first, last)


def _whole_brackets(text: str, starts: Sequence[int], spaces: Sequence[int]) -> _Grow:
    ends = [start - space for start, space in zip([*starts[1:], len(text)], spaces, strict=True)]
    return partial(balanced, text, starts, ends)


def _has_letter(text: str, starts: Sequence[int], start: int, end: int) -> bool:
    stop = starts[end] if end < len(starts) else len(text)
    return any(character.isalnum() for character in text[starts[start] : stop])


def _to_tokens(starts: Sequence[int], ranges: Iterable[mentions.Range]) -> list[mentions.Range]:
    """Character ranges as the smallest token ranges that hold them. starts: first character of each token."""
    # A group of a user's pattern may match nothing.
    return [(bisect_right(starts, start) - 1, bisect_left(starts, end)) for start, end in ranges if start < end]
