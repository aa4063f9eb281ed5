"""Chunkers of other packages, as rivals at equal words. They need the extra "peers".

Both work without a model. Chunks do not overlap, so that each word is indexed once. LangChain's sizes are counted in
characters, its default; counted in words its chunks of a sentence are those of `fixed_strict`. chonkie's are counted in
words and its lower bound of 24 characters is taken away, as with its defaults it cuts inside words at sizes of a few
words, and answers fewer questions (GM-CIHT, train slices).
"""

from collections.abc import Iterable, Mapping

from ..biomedrag.items import Span
from ..errors import BiochunkError, MissingExtraError
from .equal_words import Cut, MakeCut


def langchain_recursive(size: int) -> Cut:
    """`RecursiveCharacterTextSplitter` of langchain-text-splitters: at paragraphs, lines, spaces, at last anywhere.

    size (int): Most characters of a chunk.
    RAISES (MissingExtraError): If the package is not installed.
    """
    try:
        from langchain_text_splitters import RecursiveCharacterTextSplitter
    except ImportError:
        raise MissingExtraError("langchain-text-splitters", "peers", "The peer langchain-recursive") from None
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0)
    return lambda text: located(text, splitter.split_text(text))


def chonkie_recursive(size: int) -> Cut:
    """`RecursiveChunker` of chonkie with its default rules: at paragraphs, sentence ends, pauses (such as commas and
    brackets), then spaces.

    size (int): Most words of a chunk as chonkie counts them: a chunk that ends in a space has one more.
    RAISES (MissingExtraError): If the package is not installed.
    """
    try:
        from chonkie import RecursiveChunker
    except ImportError:
        raise MissingExtraError("chonkie", "peers", "The peer chonkie-recursive") from None
    chunker = RecursiveChunker(tokenizer="word", chunk_size=size, min_characters_per_chunk=1)
    return lambda text: located(text, (chunk.text for chunk in chunker.chunk(text)))


PEERS: Mapping[str, MakeCut] = {"langchain-recursive": langchain_recursive, "chonkie-recursive": chonkie_recursive}


def located(text: str, chunks: Iterable[str]) -> list[Span]:
    """Where consecutive chunks stand in a text, without white space at their ends; blank ones are left out.

    The packages' own offsets are not used: some of their chunkers report wrong ones where text repeats.

    RAISES (BiochunkError): If a chunk is not what follows in the text.
    """
    spans = []
    at = 0
    for chunk in chunks:
        chunk = chunk.strip()
        if not chunk:
            continue
        at += len(text[at:]) - len(text[at:].lstrip())
        if not text.startswith(chunk, at):
            raise BiochunkError(
                f"found the chunk {chunk!r}, expected what follows in the sentence: {text[at : at + len(chunk)]!r}"
            )
        spans.append((at, at + len(chunk)))
        at += len(chunk)
    return spans
