"""Which lines a record gives."""

from collections import Counter

import pytest

from biochunk.biomedrag.export.rows import read_items
from biochunk.corpora.records import Entity, Record, Triple
from biochunk.errors import BiochunkError

TEXT = "Aspirin inhibits COX-2 and COX-1."
ENTITIES = [Entity(id=f"e{n}", start=s, end=e, text=TEXT[s:e]) for n, (s, e) in enumerate(((0, 7), (17, 22), (27, 32)))]
LABELS = ("INHIBITS", "TREATS")


def record(**fields):
    return Record(**{"id": "r", "dataset": "d", "split": "s", "text": TEXT, "entities": ENTITIES, **fields})


def triple(head, tail, relation="INHIBITS"):
    return Triple(head=head, relation=relation, tail=tail)


def lines(*records, none=True):
    counts = Counter()
    items = list(read_items(records, LABELS, none=none, counts=counts))
    rows = [(row.relation, row.head.text, row.tail.text) for item in items for row in item.rows]
    return rows, {kind: count for kind, count in counts.items() if count}


@pytest.mark.parametrize(
    ("fields", "rows"),
    [
        ({"triples": [triple("e0", "e1")]}, [("INHIBITS", "Aspirin", "COX-2")]),
        (
            {"triples": [triple("e0", "e1"), triple("e0", "e2", "TREATS")]},
            [("INHIBITS", "Aspirin", "COX-2"), ("TREATS", "Aspirin", "COX-1")],
        ),
        ({"meta": {"pairs": [["e0", "e1"]]}}, [("None", "Aspirin", "COX-2")]),
        (
            {"triples": [triple("e1", "e0")], "meta": {"pairs": [["e0", "e1"], ["e1", "e2"]]}},
            [("INHIBITS", "COX-2", "Aspirin"), ("None", "COX-2", "COX-1")],
        ),
        ({"label": 1, "entities": []}, [("INHIBITS", "", "")]),
        ({"label": 1, "triples": [triple("e0", "e1")]}, [("INHIBITS", "", "")]),
        ({"label": 0}, [("None", "", "")]),
        ({"label": "TREATS"}, [("TREATS", "", "")]),
    ],
)
def test_one_line_a_triple_a_pair_without_relation_or_a_label(fields, rows):
    found, counts = lines(record(**fields))
    assert found == rows
    assert counts["lines"] == len(rows)
    assert counts.get("lines of None", 0) == [row[0] for row in rows].count("None")


def test_records_without_a_line_are_counted():
    assert lines(record(), record(text=" ", entities=[], label=1)) == ([], {"records": 2, "records without a line": 2})


def test_pairs_without_a_relation_can_be_left_out_and_are_counted():
    asked = record(triples=[triple("e0", "e1")], meta={"pairs": [["e0", "e1"], ["e0", "e2"]]})
    alone = record(meta={"pairs": [["e0", "e2"]]})
    rows, counts = lines(asked, alone, record(label=0), none=False)
    assert [row[0] for row in rows] == ["INHIBITS", "None"]
    assert counts == {
        "records": 3,
        "lines": 2,
        "lines of None": 1,
        "pairs without a relation left out": 2,
        "records without a line": 1,
    }


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"triples": [triple("e0", "e1", "CAUSES")]}, "CAUSES"),
        ({"label": 1, "triples": [triple("e0", "e1", "CAUSES")]}, "CAUSES"),
        ({"meta": {"pairs": [["e0", "e9"]]}}, "e9"),
        ({"meta": {"pairs": [["e0", 1]]}}, "meta.pairs"),
        ({"meta": {"pairs": ["e0"]}}, "meta.pairs"),
        ({"meta": {"pairs": 3}}, "meta.pairs"),
    ],
)
def test_what_cannot_be_a_line_is_named(fields, found):
    with pytest.raises(BiochunkError, match=rf"record 'r': .*{found}"):
        lines(record(**fields))
