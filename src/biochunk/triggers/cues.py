"""Candidate cues: phrases of one to four words, with the inflections of one cue merged into one."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..chunking.lexicon import IRREGULAR_BASES, verb_forms
from ..schemas import PartOfSpeech

MAX_WORDS = 4

PREPOSITIONS = frozenset((
    "after", "against", "among", "as", "at", "before", "between", "by", "despite", "during", "following",
    "for", "from", "in", "into", "of", "on", "over", "through", "to", "toward", "towards", "under", "upon",
    "via", "with", "within", "without",
))  # fmt: skip
# Words that say nothing of a relation: a cue neither starts nor ends with one.
_EMPTY = frozenset((
    "'s", "a", "all", "also", "although", "an", "and", "another", "any", "are", "author", "be", "been",
    "being", "both", "but", "can", "could", "did", "do", "does", "each", "either", "few", "had", "has",
    "have", "he", "her", "here", "his", "how", "however", "i", "if", "is", "it", "its", "many", "may",
    "might", "more", "most", "must", "neither", "no", "nor", "not", "one", "only", "or", "other", "our",
    "several", "she", "should", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "three", "thus", "transl", "two", "very", "was", "we", "well", "were",
    "what", "when", "where", "whereas", "whether", "which", "while", "who", "whom", "whose", "will", "would",
))  # fmt: skip
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)?|a|i")
_NOMINAL = re.compile(
    r".{2,}(?:tion|sion|ment|ance|ence|ancy|ency|ity|ism|osis|ysis|al|age|or|er|ist|ogen|apy|graphy|scopy|ure)"
    r"|role|effect|agent|cause|use|loss|risk|level|product|substrate"
)

_ADJECTIVAL = re.compile(r".+(?:able|ary|ful|ible|ic|ive|less|ous)")


@dataclass(frozen=True)
class Cue:
    """A cue as a dataset file writes it.

    phrase (str): A verb in its base form, a noun in the singular, anything else as written.
    pos (PartOfSpeech): Part of speech, guessed from the endings and from the forms seen.
    """

    phrase: str
    pos: PartOfSpeech


@dataclass(frozen=True)
class Written:
    """One place where a cue stands.

    start, end (int): Bounds in words.
    cue (Cue): The cue.
    participle (bool): True when its first word is a past participle.
    """

    start: int
    end: int
    cue: Cue
    participle: bool


class Merger:
    """Finds the cue behind a written phrase, by the words that a corpus holds."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        """counts (Mapping[str, int]): How often each lower-cased word stands in the corpus."""
        self._verbs: dict[str, tuple[str, bool]] = {}
        self._nouns: dict[str, str] = {}
        for word in counts:
            if word in PREPOSITIONS or word in _EMPTY or not _WORD.fullmatch(word):
                continue
            base = _verb_base(word, counts)
            if base is not None:
                self._verbs[word] = (base, any(f.participle and f.text == word for f in verb_forms(base)))
            singular = _singular(word)
            if singular != word and singular in counts:
                self._nouns[word] = self._nouns[singular] = singular

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> "Merger":
        """A merger for these sentences of lower-cased words."""
        return cls(Counter(word for words in sentences for word in words))

    def written(self, words: Sequence[str]) -> Iterator[Written]:
        """Every phrase of a sentence that can be a cue.

        words (Sequence[str]): Lower-cased words without white space.
        """
        for start, word in enumerate(words):
            if word in _EMPTY or not _WORD.fullmatch(word):
                continue
            for end in range(start + 1, min(start + MAX_WORDS, len(words)) + 1):
                last = words[end - 1]
                if last != "-" and not _WORD.fullmatch(last):
                    break
                if last in _EMPTY or last == "-":
                    continue
                cue, participle = self.merge(words[start:end])
                yield Written(start, end, cue, participle)

    def merge(self, words: Sequence[str]) -> tuple[Cue, bool]:
        """The cue behind a written phrase, and whether its first word is a past participle.

        words (Sequence[str]): One to four lower-cased words; a hyphen is a word of its own.
        """
        if all(word in PREPOSITIONS for word in words):
            return Cue(_join(words), "preposition"), False
        first = words[0]
        base, participle = self._verbs.get(first, (None, False))
        if base is not None and "-" not in words and not self._is_noun(words):
            rest = words[1:]
            # The agent of a passive belongs to the pattern, not to the cue.
            if participle and tuple(rest) == ("by",):
                rest = ()
            if participle and rest and rest[0] in PREPOSITIONS:
                return Cue(_join([first, *rest]), "phrase"), True
            return Cue(_join([base, *rest]), "verb"), participle
        if self._is_noun(words):
            at = _head(words)
            head = self._nouns.get(words[at], words[at])
            return Cue(_join([*words[:at], head, *words[at + 1 :]]), "noun"), False
        return Cue(_join(words), "phrase"), False

    def _is_noun(self, words: Sequence[str]) -> bool:
        """Whether a noun heads a phrase: "increase in" has one where "increase" alone is taken for a verb."""
        at = _head(words)
        if at < 0:
            return False
        word = words[at]
        if self._verbs.get(word, ("", False))[1] or word.endswith("ed"):
            return False
        nominal = _NOMINAL.fullmatch(word) is not None or (word in self._nouns and word not in self._verbs)
        if len(words) == 1:
            return nominal and word not in self._verbs
        return nominal or (at == 0 and words[1] in ("of", "in") and not _ADJECTIVAL.fullmatch(word))


def _head(words: Sequence[str]) -> int:
    """The noun that a nominal phrase is about: the word before the first preposition, else the last."""
    return next((i for i, word in enumerate(words) if word in PREPOSITIONS), len(words)) - 1


def _join(words: Sequence[str]) -> str:
    return " ".join(words).replace(" - ", "-")


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "ches", "shes")) and not word.endswith(("ases", "oses", "uses")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _bases(word: str) -> Iterator[str]:
    """Verbs of which `word` can be a regular form, itself included."""
    yield word
    for ending in ("ing", "ed", "es", "s", "d"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:
            continue
        yield stem
        if ending in ("ing", "ed"):
            yield stem + "e"
            if stem[-1] == stem[-2] or stem.endswith("ck"):
                yield stem[:-1]
        if stem.endswith("i"):
            yield stem[:-1] + "y"


def _verb_base(word: str, counts: Mapping[str, int]) -> str | None:
    """The verb of which `word` is a form: the corpus holds it in a past or -ing form and in another form."""
    if word in IRREGULAR_BASES:
        return IRREGULAR_BASES[word]
    best, most = None, 0
    for base in dict.fromkeys(_bases(word)):
        forms = verb_forms(base)
        if all(form.text != word for form in forms):
            continue
        seen = [counts.get(form.text, 0) for form in forms]
        inflected = sum(n for form, n in zip(forms, seen, strict=True) if form.participle or form is forms[-1])
        # A noun that is rarely a verb ("effect", "effected") is left a noun.
        if sum(map(bool, seen)) >= 2 and inflected >= 0.1 * sum(seen) and sum(seen) >= most:
            best, most = base, sum(seen)
    return best
