"""The lines of one row, one a file."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..retrieval import Pick
from . import names, wording
from .evidence import Found, best, picked
from .folder import Folder
from .rows import Row
from .separators import Safe, single_spaced
from .stored import Entry


class Written(NamedTuple):
    """What one row leaves for later files.

    strings (list[str]): What the scorer wants vectors of: candidates, demonstration and sentence.
    chosen (Entry): The stored chunk that the prompts of the generator show.
    """

    strings: list[str]
    chosen: Entry


class Writer:
    """Writes the files of one split.

    folder (Folder): Where to.
    split (str): "train" or "test".
    relations (Sequence[str]): What the instructions list.
    pick (str): See `picked`.
    pairs (dict[str, list[tuple[Safe, Safe]]]): Heads and tails of the dev rows of each relation; empty in a
        classification corpus, which has no files of triples.
    seed (int): For the pairs that are put around chosen chunks.
    """

    def __init__(
        self,
        folder: Folder,
        split: str,
        relations: Sequence[str],
        *,
        pick: Pick,
        pairs: dict[str, list[tuple[Safe, Safe]]],
        seed: int,
    ) -> None:
        self._folder = folder
        self._split = split
        self._relations = relations
        self._pick = pick
        self._pairs = pairs
        self._rng = np.random.default_rng(seed)

    def write(self, row: Row, found: Sequence[Found], demo: Row) -> Written:
        """Add the row's line to every file.

        row (Row): The row.
        found (Sequence[Found]): What its chunks found.
        demo (Row): Its demonstration.
        RETURNS (Written): What the next files need.
        """
        picks = picked(found, self._pick)
        entries = [entry for entry, _ in picks.values()]
        self._write_found(row, found, entries)
        candidates = wording.candidates([wording.evidence(entry.chunk.text, entry.relation) for entry in entries])
        example = wording.demonstration(demo.sentence.text, demo.relation)
        asked = wording.relation_instruction(self._relations, example)
        used = (row.sentence, demo.sentence)
        self._write(names.RELATION_DEMOS, _relation_line(row, asked), used)
        line = _relation_line(row, wording.with_candidates(asked, candidates))
        self._write(names.SCORER, line, (*used, *(entry.chunk for entry in entries)))
        chosen = best(picks)
        asked = wording.relation_instruction(self._relations, wording.evidence(chosen.chunk.text, chosen.relation))
        self._write(names.CHOSEN, _relation_line(row, asked), (row.sentence, chosen.chunk))
        if self._pairs:
            self._write_triples(row, demo, chosen)
        return Written([*candidates, example, row.sentence.text], chosen)

    def _write_found(self, row: Row, found: Sequence[Found], picks: Sequence[Entry]) -> None:
        line: dict[str, object] = {
            "relation": row.relation,
            "head": row.head.text,
            "tail": row.tail.text,
            "sentence": single_spaced(row.sentence).text,
            "all_chucks": [
                {one.chunk.text: [[e.chunk.text for e in one.entries], [e.relation for e in one.entries]]}
                for one in found
            ],
        }
        chunks = [text for one in found for text in (one.chunk, *(entry.chunk for entry in one.entries))]
        used = [row.sentence, row.head, row.tail, *chunks]
        self._write(names.FOUND, line, used)
        line["topn_sim_chuck"] = {entry.chunk.text: entry.relation for entry in picks}
        self._write(names.PICKED, line, [*used, *(entry.chunk for entry in picks)])

    def _write_triples(self, row: Row, demo: Row, chosen: Entry) -> None:
        used = (row.sentence, row.head, row.tail)
        example = wording.demonstration(demo.sentence.text, _triple(demo))
        asked = wording.triple_instruction(self._relations, example)
        self._write(names.TRIPLE_DEMOS, _triple_line(row, asked), (*used, demo.sentence, demo.head, demo.tail))
        pairs = self._pairs[chosen.relation]
        head, tail = pairs[self._rng.integers(len(pairs))]
        evidence = wording.triple_evidence(chosen.chunk.text, head.text, chosen.relation, tail.text)
        asked = f"{wording.triple_request(self._relations)} {evidence}"
        self._write(names.GENERATOR, _triple_line(row, asked), (*used, chosen.chunk, head, tail))

    def _write(self, name: str, line: dict[str, object], used: Sequence[Safe]) -> None:
        self._folder.json(name.format(split=self._split), line, *used)


def _relation_line(row: Row, instruction: str) -> dict[str, object]:
    return {
        "instruction": instruction,
        "context": row.sentence.text,
        "response": row.relation,
        "category": "relation_extraction",
    }


def _triple_line(row: Row, instruction: str) -> dict[str, object]:
    return {
        "instruction": instruction,
        "context": row.sentence.text,
        "response": _triple(row),
        "category": "triplet_extraction",
    }


def _triple(row: Row) -> str:
    return wording.triple(row.head.text, row.relation, row.tail.text)
