"""Names that are known by how they are written: chemical and gene shapes, and affixes of drugs, enzymes and diseases.

Words are judged one by one, in either case; `name_in` joins what is known of words that signs join ("5-HT", "NF-κB").
"""

import json
import re
from collections.abc import Container
from importlib.resources import files

from .edges import SIGN
from .noun_phrases import AFFIX, GREEK, LETTER, LETTERED, NUMBER, OPENED, OPENING, SHAPE, Classes, next_word

# Letters and digits in one word: "il-6", "p53", "c57bl/6j", "1,25-(oh)2d3" …
_LETTERS_AND_DIGITS = re.compile(r"(?=[^\d\s]*\d)(?=[\W\d]*[^\W\d_])\S+")
# … but for sizes, times, folds and places in a text ("50mg", "24h", "10-fold", "1990s", "fig2", "day3").
_MEASURED = re.compile(
    r"[\d.,:x×/–-]+-?(?:st|nd|rd|th|s|x|h|hr|d|g|m|l|v|w|k|yr|fold|mer|bp|kb|mg|kg|ml|mm|cm|nm|μm|µm|min|hz|kda|"
    r"days?|weeks?|years?|hours?|months?|items?|points?|years?-old|year-olds?|m²|kg/m2|mg/kg)"
    r"|(?:fig|figs|table|day|week|grade|step|phase|group|stage|level|n|h|ph|q)\.?\d+\w?"
)
_GREEK_SIGN = re.compile(r"[α-ωΑ-Ω]")
_MICRO = re.compile(r"[µμ]\w{0,3}(?:/\w+)?")
# "mRNA", "cAMP", "NFkB", "TNF": capitals behind the first letter.
_CAPITALS = re.compile(r"[^\W\d_]{0,4}[a-z][A-Z]\w*|[A-Z]{2,5}s?")
# "4'-", "Bcl(2", "poly(I", "(1→3)-"
_INNER_SIGN = re.compile(r"\d['′″]|\w[(\[]\w|\w[)\]]-?\w|→")

_SHAPED = re.compile(f"[{SHAPE}{re.escape(OPENED)}]")
# A word, or several that signs join.
_UNIT = re.compile(rf"[^{SIGN}{OPENING}](?:[{SIGN}{OPENING}][^{SIGN}{OPENING}])*")


def has_shape(word: str) -> bool:
    """Whether a token is written as names of chemicals, genes, variants, strains and cell lines are.

    Letters with digits, Greek letters, capitals within a word, brackets and primes inside.

    word (str): The token as it stands; in lower-cased text there are no capitals to go by.
    """
    if _GREEK_SIGN.search(word) is not None:
        return _MICRO.fullmatch(word) is None
    if _LETTERS_AND_DIGITS.fullmatch(word) is not None:
        return _MEASURED.fullmatch(word.lower()) is None
    return _CAPITALS.fullmatch(word) is not None or _INNER_SIGN.search(word) is not None


class Affixes:
    """Says whether a word in lower case has an affix of the lists that come with the package.

    A class and no closure, as whoever holds it is pickled for other processes.
    """

    def __init__(self) -> None:
        lists: dict[str, list[str]] = json.loads((files("biochunk") / "data" / "affixes.json").read_text("utf8"))
        self._exceptions = frozenset(lists.pop("exceptions"))
        self._endings = frozenset(ending for entries in lists.values() for ending in entries)
        self._lengths = sorted({len(ending) for ending in self._endings}, reverse=True)

    def __call__(self, word: str) -> bool:
        # A plural has the affix of its singular; a stem stands before an affix.
        singular = word[:-1] if word.endswith("s") and not word.endswith(("ss", "is", "us")) else word
        if len(singular) < 5 or singular in self._exceptions or not singular.isalpha():
            return False
        for length in self._lengths:  # noqa: SIM110 - some thousand words a second come by here
            if singular[-length:] in self._endings and length < len(singular):
                return True
        return False


def name_in(names: str) -> str:
    """What makes a mention a name, when it is one word or several that signs join: SHAPE, AFFIX or "".

    names (str): `Classes.names` of the mention's tokens.
    """
    if _UNIT.fullmatch(names) is None:
        return ""
    if SHAPE in names or OPENED in names:
        return SHAPE
    if len(names) > 1 and any(kind in names for kind in (NUMBER, LETTER, GREEK)):
        return SHAPE
    return AFFIX if names[-1] == AFFIX else ""


def name_within(classes: Classes, start: int, end: int, kinds: Container[str]) -> tuple[int, int] | None:
    """The part of a noun phrase that is a name: its first word by shape, else its last one by affix.

    classes (Classes): What is known of the tokens.
    start, end (int): The phrase.
    kinds (Container[str]): Which of SHAPE and AFFIX count.
    RETURNS (tuple[int, int] | None): The word's tokens with all that signs join to it; None where there is no such
        word, or where the phrase is nothing more.
    """
    grammar, names, spaces = classes.grammar, classes.names, classes.spaces
    found = _SHAPED.search(names, start, end) if SHAPE in kinds else None
    at = found.start() if found is not None else names.rfind(AFFIX, start, end) if AFFIX in kinds else -1
    if at < 0:
        return None
    last = next_word(grammar, at, end)
    # The tokenizer cuts what looks like a unit from a name: "T790|M".
    while last < end and not spaces[last - 1]:
        last = next_word(grammar, last, end)
    while at > start and not spaces[at - 1]:
        at -= 1
    if last < end and grammar[last - 1] == LETTERED and names[last] in (LETTER, NUMBER):
        last = next_word(grammar, last, end)  # "vitamin D"
    return (at, last) if last - at < end - start else None
