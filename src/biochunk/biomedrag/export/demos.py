"""The nearest train example of a sentence, which BioMedRAG's prompts show."""

from collections.abc import Sequence

import numpy as np

from ...errors import BiochunkError
from ...ty import Encoder, FloatArray, IntArray
from ..index import ExactIndex
from .rows import Item, Row
from .stored import encode

_NONE = np.zeros(0, dtype=np.intp)


class Demos:
    """Nearest train sentences by cosine.

    items (Sequence[Item]): The train split.
    encoder (Encoder): The arm's encoder.
    """

    def __init__(self, items: Sequence[Item], encoder: Encoder) -> None:
        self._items = items
        self._encoder = encoder
        self._index = ExactIndex(self._encode(items))
        own: dict[str, list[int]] = {}
        for number, item in enumerate(items):
            own.setdefault(item.key, []).append(number)
        self._own: dict[str, IntArray] = {key: np.array(numbers, dtype=np.intp) for key, numbers in own.items()}

    def nearest(self, items: Sequence[Item]) -> list[Row]:
        """For each item the first row of the nearest train record that is another sentence.

        RAISES (BiochunkError): When train holds no other sentence.
        """
        exclude = [self._own.get(item.key, _NONE) for item in items]
        rows, _ = self._index.search(self._encode(items), 1, exclude=exclude)
        for item, row in zip(items, rows[:, 0], strict=True):
            if row < 0:
                raise BiochunkError(
                    f"record '{item.record.id}': found no other sentence in train, expected one for its demonstration"
                )
        return [self._items[row].rows[0] for row in rows[:, 0]]

    def _encode(self, items: Sequence[Item]) -> FloatArray:
        return encode(self._encoder, [item.rows[0].sentence.text for item in items])
