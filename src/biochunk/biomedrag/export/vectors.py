"""Arrays of vectors beside text files: row i is line i's."""

from itertools import islice
from pathlib import Path

import numpy as np

from ...ty import Encoder

_BATCH = 1024


def write_vectors(path: Path, texts: Path, encoder: Encoder, shape: tuple[int, int]) -> None:
    """Encode the lines of a text file, some at a time.

    path (Path): The .npy file, float32.
    texts (Path): The text file.
    encoder (Encoder): The encoder.
    shape (tuple[int, int]): Lines of the file, at least one, and numbers a row. Rows of fewer numbers are filled up
        with zeros, which changes no dot product.
    """
    array = np.lib.format.open_memmap(path, "w+", np.dtype("<f4"), shape)
    with open(texts, encoding="utf-8", newline="\n") as file:
        at = 0
        while batch := [line.removesuffix("\n") for line in islice(file, _BATCH)]:
            vectors = encoder.encode(batch)
            array[at : at + len(batch), : vectors.shape[1]] = vectors
            at += len(batch)
    array.flush()
