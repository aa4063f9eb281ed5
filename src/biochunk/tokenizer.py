"""spaCy's English tokenizer for biomedical text: no emoticons, and time linear in runs of punctuation."""

import re
from collections.abc import Callable
from typing import Any

from spacy.lang.tokenizer_exceptions import emoticons
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

from .errors import BiochunkError, Errors

# spaCy takes time quadratic in a run of punctuation, as table rules and sequence gaps have them ("=" * 8000), and in
# some other runs without a space ("'s" * 8000). Long ones are cut into pieces that are tokenized one by one.
_PIECE = 64
_RUN = re.compile(rf"(?:[^\w\s]|_){{{2 * _PIECE},}}|\S{{{16 * _PIECE},}}")


class BioTokenizer(Tokenizer):
    """A `spacy.tokenizer.Tokenizer` that stays linear in the length of the text."""

    def __call__(self, string: str) -> Doc:
        """Tokenize a text. A run of over 128 punctuation signs, or 1024 characters without a space, is cut into pieces.

        string (str): The text.
        RETURNS (Doc): Its tokens; the text is kept character by character.
        RAISES (BiochunkError): When the text holds half of a surrogate pair, which spaCy cannot store.
        """
        if len(string) < 2 * _PIECE or _RUN.search(string) is None:
            return self._tokenize_piece(string)
        words: list[str] = []
        spaces: list[bool] = []
        for piece in _pieces(string):
            doc = self._tokenize_piece(piece)
            words += [token.text for token in doc]
            spaces += [bool(token.whitespace_) for token in doc]
        return Doc(self.vocab, words=words, spaces=spaces)

    def _tokenize_piece(self, string: str) -> Doc:
        try:
            return super().__call__(string)
        except UnicodeEncodeError:
            # spaCy names the place within a word only.
            position = next(i for i, character in enumerate(string) if "\ud800" <= character <= "\udfff")
            raise BiochunkError(Errors.E005.format(code=ord(string[position]), position=position)) from None

    def __reduce__(self) -> tuple[Any, ...]:
        return (BioTokenizer, super().__reduce__()[1])


def _pieces(string: str) -> list[str]:
    """The text cut inside each long run only."""
    pieces = []
    start = 0
    for match in _RUN.finditer(string):
        size = _PIECE if match.end() - match.start() < 16 * _PIECE else 4 * _PIECE
        for cut in range(match.start() + size, match.end() - size + 1, size):
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
