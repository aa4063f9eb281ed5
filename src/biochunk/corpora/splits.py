"""Splits that keep a sentence on one side: by a hash of its letters and digits, so they depend on nothing else."""

import hashlib


def sentence_key(text: str) -> str:
    """What makes two texts the same sentence: letters and digits only, lower-cased, one character for one.

    A text without any letter or digit is its own key, without white space.
    """
    key = "".join([_lower(char) for char in text if char.isalnum()])
    return key or "".join(text.split())


def in_part(key: str, fraction: float, seed: int = 0) -> bool:
    """Whether a sentence belongs to the carved part.

    key (str): Its `sentence_key`.
    fraction (float): Expected share of distinct sentences in the part, from 0 to 1. Which sentences they are does not
        change when others come or go, so the share is met on average, not to the sentence.
    seed (int): Another seed, another part; parts of one seed with growing fractions are nested.
    """
    digest = hashlib.blake2b(f"{seed}\n{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") < fraction * 2**64


def _lower(char: str) -> str:
    # A few capitals have no lower case of one character; they stay, so that keys align with their text.
    lower = char.lower()
    return lower if len(lower) == 1 else char
