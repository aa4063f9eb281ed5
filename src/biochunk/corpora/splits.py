"""Splits that keep a sentence on one side: by a hash of its letters and digits, and of nothing else."""

import hashlib
import re
from contextlib import ExitStack
from pathlib import Path

from ..errors import BiochunkError, UsageError
from ..files import whole_file
from .records import read_records

_LETTERS = re.compile(r"[^\W_]+")


def sentence_key(text: str) -> str:
    """What makes two texts the same sentence: letters and digits only, lower-cased, one character for one.

    A text without any letter or digit is its own key, without white space.
    """
    letters = "".join(_LETTERS.findall(text))
    # Most text is ASCII, where lower-casing never changes a length.
    key = letters.lower() if letters.isascii() else "".join(map(_lower, letters))
    return key or "".join(text.split())


def in_part(key: str, fraction: float, seed: int = 0) -> bool:
    """Whether a sentence belongs to the carved part.

    key (str): Its `sentence_key`.
    fraction (float): Expected share of distinct sentences in the part, from 0 to 1. Which sentences they are
        does not change when others come or go, so the share is met on average, not to the sentence.
    seed (int): Another seed, another part; parts of one seed with growing fractions are nested.
    """
    digest = hashlib.blake2b(f"{seed}\n{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") < fraction * 2**64


def split_file(path: Path, out: Path, *, fraction: float, seed: int = 0) -> tuple[int, int]:
    """Carve a part out of a unified file: `out/part.jsonl` and `out/rest.jsonl`, in file order.

    RETURNS (tuple[int, int]): How many records went into the part and into the rest.
    RAISES (BiochunkError): If the file is faulty or one side gets nothing; then neither file is written.
    """
    if not 0 < fraction < 1:
        raise UsageError(f"found --fraction {fraction}, expected a number between 0 and 1, such as 0.1")
    counts = [0, 0]
    with ExitStack() as stack:
        files = [stack.enter_context(whole_file(out / name)) for name in ("part.jsonl", "rest.jsonl")]
        for record in read_records(path):
            side = 0 if in_part(sentence_key(record.text), fraction, seed) else 1
            files[side].write(record.to_json() + "\n")
            counts[side] += 1
        if not all(counts):
            raise BiochunkError(
                f"{path}: found {sum(counts)} records, of which {counts[0]} fell into the part, expected "
                "some on each side; choose another --fraction or --seed"
            )
    return counts[0], counts[1]


def _lower(char: str) -> str:
    # A few capitals have no lower case of one character; they stay, so that keys align with their text.
    lower = char.lower()
    return lower if len(lower) == 1 else char
