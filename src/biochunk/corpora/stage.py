"""All rows of a dataset on disk, so that the rows of one sentence come together in bounded memory."""

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from .records import Record
from .splits import sentence_key

_TABLE = """
CREATE TABLE row (
    split TEXT, number INTEGER, sentence BLOB, claim BLOB, relation TEXT, record TEXT, UNIQUE (split, claim)
)
"""
_GROUPS = """
SELECT row.sentence, relation, record, splits FROM row
JOIN (
    SELECT sentence, min(CASE WHEN split = :split THEN number END) AS first, json_group_array(DISTINCT split) AS splits
    FROM row GROUP BY sentence
) AS sentences
    ON row.sentence = sentences.sentence
WHERE split = :split
ORDER BY first, number
"""


class Rows(NamedTuple):
    """The rows of a sentence in a split with their relations, in file order, and all splits that hold it."""

    rows: list[tuple[Record, str]]
    splits: set[str]


class Stage:
    """A temporary database; nothing of it stays."""

    def __init__(self) -> None:
        # An empty name is a file of SQLite's own, which it removes; small data never leaves memory.
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.execute("PRAGMA cache_size = -32768")
        self._db.execute("BEGIN")
        self._db.execute(_TABLE)
        self._count = 0

    def add(self, record: Record, relation: str) -> bool:
        """Take in a published record. RETURNS (bool): False if its split has the same row already."""
        self._count += 1
        claim = _digest(
            record.model_dump_json(include={"text", "entities", "triples", "label"}) + str(record.meta.get("pairs"))
        )
        values = (record.split, self._count, _digest(sentence_key(record.text)), claim, relation, record.to_json())
        return self._db.execute("INSERT OR IGNORE INTO row VALUES (?, ?, ?, ?, ?, ?)", values).rowcount == 1

    def groups(self, split: str) -> Iterator[Rows]:
        """The sentences of a split in the order of their first rows."""
        self._db.execute("CREATE INDEX IF NOT EXISTS by_sentence ON row (sentence, split)")
        found = self._db.execute(_GROUPS, {"split": split})
        for (_, splits), rows in groupby(found, key=lambda row: (row[0], row[3])):
            yield Rows(
                [(Record.model_validate_json(record), relation) for _, relation, record, _ in rows],
                set(json.loads(splits)),
            )

    def close(self) -> None:
        self._db.close()


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()
