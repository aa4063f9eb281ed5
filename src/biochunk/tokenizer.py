"""spaCy's English tokenizer for biomedical text: no emoticons, and time linear in runs of punctuation."""

import re
from collections.abc import Callable
from typing import Any

from spacy.lang.tokenizer_exceptions import emoticons
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

# spaCy takes time quadratic in a run of punctuation, as table rules and sequence gaps have them ("=" * 8000). Runs
# longer than this are cut into pieces that are tokenized one by one.
_PIECE = 64
_RUN = re.compile(rf"(?:[^\w\s]|_){{{2 * _PIECE},}}")


class BioTokenizer(Tokenizer):
    """A `spacy.tokenizer.Tokenizer` that stays linear in the length of the text."""

    def __call__(self, string: str) -> Doc:
        """Tokenize a text. A run of over 128 punctuation signs is cut into pieces of 64.

        string (str): The text.
        RETURNS (Doc): Its tokens; the text is kept character by character.
        """
        if len(string) < 2 * _PIECE or _RUN.search(string) is None:
            return super().__call__(string)
        words: list[str] = []
        spaces: list[bool] = []
        for piece in _pieces(string):
            doc = super().__call__(piece)
            words += [token.text for token in doc]
            spaces += [bool(token.whitespace_) for token in doc]
        return Doc(self.vocab, words=words, spaces=spaces)

    def __reduce__(self) -> tuple[Any, ...]:
        return (BioTokenizer, super().__reduce__()[1])


def _pieces(string: str) -> list[str]:
    """The text cut inside each long run of punctuation only."""
    pieces = []
    start = 0
    for match in _RUN.finditer(string):
        for cut in range(match.start() + _PIECE, match.end() - _PIECE + 1, _PIECE):
            pieces.append(string[start:cut])
            start = cut
    pieces.append(string[start:])
    return pieces


def make_tokenizer() -> Callable[[Language], BioTokenizer]:
    """Registered as `biochunk.tokenizer.v1`; use it in a config as [nlp.tokenizer] @tokenizers.

    RETURNS (Callable): Builds the tokenizer of a pipeline from the language's rules, less its emoticons: "8)" is not a
    face but the end of "(n = 8)".
    """
    return _build


def _build(nlp: Language) -> BioTokenizer:
    defaults = nlp.Defaults
    return BioTokenizer(
        nlp.vocab,
        rules={text: rule for text, rule in defaults.tokenizer_exceptions.items() if text not in emoticons},
        prefix_search=compile_prefix_regex(defaults.prefixes or ()).search,
        suffix_search=compile_suffix_regex(defaults.suffixes or ()).search,
        infix_finditer=compile_infix_regex(defaults.infixes or ()).finditer,
        token_match=defaults.token_match,
        url_match=defaults.url_match,
    )
