"""Texts read by the linear reader: their rows of features, kept while the same texts are asked again."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....ty import FloatArray, IntArray
from ...items import Example, Mention
from ...store import NONE
from .columns import PAIR_BLOCKS, TEXT_BLOCKS, pair_names, text_names, word_names
from .matrix import Columns
from .selection import Selected
from .text import Text

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# Weight of the evidence among the blocks of `columns`, and how much less each further chunk counts.
_EVIDENCE = 0.3
_NEXT = 0.8
# All chunks together, and the first alone.
_SHARES = (1 / 3, 1 / 2)


class Row(NamedTuple):
    """What is classified: a pair of mentions of a text, in text order, or the whole text.

    text (int): Which text.
    """

    text: int
    pair: tuple[Mention, Mention] | None = None


class Reading:
    """Examples as their different texts and their evidence, as many may ask of one text with other evidence.

    examples (Sequence[Example]): The examples.
    which (IntArray): Shape (examples,): the text of each.
    bare (list[Example]): The different texts: examples without their evidence.
    texts (list[Text]): Their tokens.
    selected (Selected | None): Their candidate pairs, where these are not given.
    """

    def __init__(self, examples: Sequence[Example]) -> None:
        self.examples = tuple(examples)
        places: dict[tuple[object, ...], int] = {}
        keys = [(e.text, e.mentions, e.pairs, e.cues, e.statements) for e in self.examples]
        self.which: IntArray = np.array([places.setdefault(key, len(places)) for key in keys], dtype=np.intp)
        first = np.unique(self.which, return_index=True)[1].tolist()
        self.bare = [replace(self.examples[i], evidence=()) for i in first]
        self.texts = [Text(example) for example in self.bare]
        self.selected: Selected | None = None
        self._rows: dict[Row, int] = {}
        self._named: csr_matrix | None = None

    def is_of(self, examples: Sequence[Example]) -> bool:
        """Whether it reads just these examples."""
        return len(examples) == len(self.examples) and all(
            one is other or one == other for one, other in zip(examples, self.examples, strict=True)
        )

    def learn_columns(self, rows: Sequence[Row]) -> Columns:
        """The columns of train rows, which are then this reading's first rows."""
        columns = Columns(TEXT_BLOCKS if rows and rows[0].pair is None else PAIR_BLOCKS)
        self._named = columns.fit(self._blocks(rows, columns))
        self._rows = {}
        for place, row in enumerate(rows):
            self._rows.setdefault(row, place)
        return columns

    def named(self, rows: Sequence[Row], columns: Columns) -> "csr_matrix":
        """Features of rows; see `Matrix`. What was asked before is not built again."""
        from scipy.sparse import vstack

        new = [row for row in dict.fromkeys(rows) if row not in self._rows]
        if new or self._named is None:
            built = columns.named(self._blocks(new, columns))
            start = 0 if self._named is None else self._named.shape[0]
            self._rows.update((row, start + place) for place, row in enumerate(new))
            self._named = built if self._named is None else vstack([self._named, built], format="csr")
        return self._named[[self._rows[row] for row in rows]]

    def evidence(self, relations: Sequence[str]) -> FloatArray:
        """Labels of every example's evidence, the first chunks counting more: shape (examples, 2 * labels)."""
        labels = {label: place for place, label in enumerate((*relations, NONE))}
        found = np.zeros((len(self.examples), 2 * len(labels)), dtype=np.float32)
        for row, example in enumerate(self.examples):
            for rank, chunk in enumerate(example.evidence):
                if (place := labels.get(chunk.relation)) is not None:
                    found[row, place] += _SHARES[0] * _NEXT**rank
                    if rank == 0:
                        found[row, len(labels) + place] = _SHARES[1]
        return found * np.float32(np.sqrt(_EVIDENCE))

    def _blocks(self, rows: Sequence[Row], columns: Columns) -> dict[str, list[list[str]]]:
        blocks: dict[str, list[list[str]]] = {name: [] for name in columns.weights}
        for row in rows:
            example, text = self.bare[row.text], self.texts[row.text]
            if row.pair is None:
                names = text_names(example, text)
            else:
                names = pair_names(example, text, *row.pair)
                names["words"] = self._words[row.text]
            for name, found in blocks.items():
                found.append(names[name])
        return blocks

    @cached_property
    def _words(self) -> list[list[str]]:
        return [word_names(text) for text in self.texts]
