"""PubTator: files of other tools, the line ends of a text, and what a line cannot hold."""

import pytest

from biochunk.corpora.formats import Notes, pubtator
from biochunk.corpora.records import Entity, Record, Triple
from biochunk.errors import FileFaultsError


def read(tmp_path, text, notes=None, **options):
    path = tmp_path / "in.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(pubtator.read(path, notes=Notes() if notes is None else notes, **options))


def write(tmp_path, *records, notes=None):
    pubtator.write(tmp_path / "out.txt", records, notes=Notes() if notes is None else notes)
    return (tmp_path / "out.txt").read_text(encoding="utf-8").split("\n")


FOREIGN = (
    "7|t|Aspirin and COX-2\n"
    "7|a|Aspirin blocks COX-2.\n"
    "7\t0\t7\tAspirin\tChemical\tD001241\n"
    "7\t12\t17\tCOX-2\tGene\t5743\n"
    "7\t18\t25\tAspirin\tChemical\tD001241\n"
    "7\t33\t38\tCOX-2\tGene\t5743\n"
    "7\tINHIBITS\tD001241\t5743\n"
    "\n"
    "8|t|Nothing here\n"
    "8|a|\n"
)


def test_title_and_abstract_are_one_text(tmp_path):
    first, second = read(tmp_path, FOREIGN, dataset="d", split="s")
    assert first.text == "Aspirin and COX-2\nAspirin blocks COX-2."
    assert second.text == "Nothing here"
    assert (first.id, first.dataset, first.split) == ("7", "d", "s")


def test_repeated_concepts_get_ids_and_stay_in_meta(tmp_path):
    record = read(tmp_path, FOREIGN)[0]
    assert [entity.id for entity in record.entities] == ["T1", "T2", "T3", "T4"]
    assert record.meta["pubtator"]["concepts"] == {
        "T1": "D001241",
        "T2": "5743",
        "T3": "D001241",
        "T4": "5743",
    }


def test_a_dash_is_no_concept(tmp_path):
    text = "7|t|Aspirin fell\n7|a|\n7\t0\t7\tAspirin\tChemical\t-\n"
    [record] = read(tmp_path, text)
    assert [entity.id for entity in record.entities] == ["T1"]
    assert record.meta == {}
    [other] = read(tmp_path, text + "7\t8\t12\tfell\tChange\tC1\n7\tR\t-\tC1\n")
    assert other.meta["pubtator"] == {"concepts": {"T2": "C1"}, "relations": [["R", "-", "C1"]]}
    assert other.triples == []


def test_relation_of_repeated_concepts_is_set_on_the_nearest_mentions_and_noted(tmp_path):
    notes = Notes()
    record = read(tmp_path, FOREIGN, notes=notes)[0]
    # "COX-2\nAspirin" are one character apart; the other pairs are 5 and more.
    assert record.triples == [Triple(head="T3", relation="INHIBITS", tail="T2")]
    assert any("two nearest" in line and "line 7" in line for line in notes.lines())


def test_relation_finds_a_concept_among_several_of_a_mention(tmp_path):
    text = "1|t|A B\n1\t0\t1\tA\tX\tD1|D2\n1\t2\t3\tB\tX\tD3\n1\tR\tD2\tD3\n"
    assert read(tmp_path, text)[0].triples == [Triple(head="D1|D2", relation="R", tail="D3")]


def test_relation_of_a_concept_without_mention_is_kept_in_meta(tmp_path):
    notes = Notes()
    (record,) = read(tmp_path, "1|t|A\n1\t0\t1\tA\tX\tD1\n1\tCID\tD1\tD9\n", notes=notes)
    assert record.triples == []
    assert record.meta["pubtator"]["relations"] == [["CID", "D1", "D9"]]
    assert "without a mention" in notes.lines()[0]


def test_more_columns_are_kept_in_meta(tmp_path):
    text = "1|t|A B\n1\t0\t1\tA\tX\tD1\tnote\n1\t2\t3\tB\tX\tD2\n1\tR\tD1\tD2\tNovel\n"
    (record,) = read(tmp_path, text)
    assert record.meta["pubtator"] == {"more": {"D1": ["note"]}, "relations": [["R", "D1", "D2", "Novel"]]}
    assert len(record.triples) == 1


def test_leading_spaces_of_a_title_count(tmp_path):
    (record,) = read(tmp_path, "1|t|  A\n1\t2\t3\tA\tX\tD1\n")
    assert record.entities[0].start == 2


@pytest.mark.parametrize("text", [FOREIGN.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + FOREIGN.encode()])
def test_windows_line_ends_and_byte_order_mark_change_nothing(tmp_path, text):
    assert read(tmp_path, text) == read(tmp_path, FOREIGN)


def test_utf16_offsets_are_turned_and_noted(tmp_path):
    notes = Notes()
    (record,) = read(tmp_path, "1|t|🧬 BRCA1 lost\n1\t3\t8\tBRCA1\tGene\t672\n", notes=notes)
    assert record.entities[0].start == 2
    assert "UTF-16" in notes.lines()[0]


@pytest.mark.parametrize("text", ["A\nB", "A\n", "\n", "\nA", "A\nB\nC\r\n", "A\r", "\r\n\r\n"])
def test_line_ends_in_a_text_come_back(tmp_path, text):
    record = Record(id="r", dataset="", split="", text=text)
    lines = write(tmp_path, record)
    assert len(lines) == 4
    assert list(pubtator.read(tmp_path / "out.txt", notes=Notes())) == [record]


def test_first_line_end_becomes_title_and_abstract(tmp_path):
    notes = Notes()
    assert write(tmp_path, Record(id="r", dataset="", split="", text="A\nB"), notes=notes)[:2] == [
        "r|t|A",
        "r|a|B",
    ]
    assert notes.lines() == []


def test_pictures_of_line_ends_are_noted_on_both_ways(tmp_path):
    notes = Notes()
    write(tmp_path, Record(id="r", dataset="", split="", text="A\nB\nC"), notes=notes)
    list(pubtator.read(tmp_path / "out.txt", notes=notes))
    assert ["pictures" in line for line in notes.lines()] == [True, True]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "a|b"}, "record 'a|b': found its id"),
        ({"id": "a\tb"}, "found its id"),
        ({"id": "\ufeffa"}, "found its id"),
        ({"text": "␊"}, r"U\+240A"),
        ({"label": "a\tb"}, "name without tab"),
        ({"entity": "a\nb"}, "name without tab"),
        ({"entity": "-"}, "the entity id '-'"),
        ({"relation": "a\nb"}, "name without tab"),
    ],
)
def test_what_a_line_cannot_hold_is_refused_by_record(tmp_path, change, message):
    fields = {"id": "r", "text": "x", "entity": "e1", "label": "", "relation": "R"} | change
    key, text = fields["entity"], fields["text"]
    entity = Entity(id=key, start=0, end=1, text=text, label=fields["label"])
    triple = Triple(head=key, relation=fields["relation"], tail=key)
    record = Record(id=fields["id"], dataset="", split="", text=text, entities=[entity], triples=[triple])
    with pytest.raises(FileFaultsError, match=message):
        write(tmp_path, record)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1|a|only an abstract\n", r"line 1: found '1\|a\|only an abstract', expected ID\|t\|TITLE"),
        ("1|t|A\n2|a|B\n", r"line 2: found '2\|a\|B', expected 1\|a\|ABSTRACT"),
        ("1|t|A\n2\t0\t1\tA\tX\tD1\n", "line 2: found id '2', expected '1'"),
        ("1|t|A\n1\t0\t1\n", "line 2: found '1.t0.t1', expected ID, START"),
        ("1|t|A B\n1\t0\t1\tB\tX\tD1\n", "line 2: found 'B' at 0-1, expected 'A', which stands there"),
        ("1|t|A\n1\t0\t9\tA\tX\tD1\n", "offsets within the text"),
        ("1|t|A\n1\t1\t0\tA\tX\tD1\n", "offsets within the text"),
        ("1|t|A\n1|t|B\n", "line 2"),
        ("1|t|A\n\n1|t|B\n", "record '1': found the same record id twice"),
        ("|t|A\n", "id: found ''"),
        ("just text\n", "line 1: found 'just text'"),
    ],
)
def test_broken_file_is_one_error_with_its_line(tmp_path, text, message):
    with pytest.raises(FileFaultsError, match=message):
        read(tmp_path, text)


def test_wrong_encoding_is_refused(tmp_path):
    with pytest.raises(FileFaultsError, match="line 2 byte 5: found 0xef, expected a file in UTF-8"):
        read(tmp_path, "1|t|A\n1|a|ï".encode("iso-8859-1"))


def test_truncated_file_loses_no_complete_document(tmp_path):
    assert [record.id for record in read(tmp_path, FOREIGN[: FOREIGN.index("8|a|")])] == ["7", "8"]


def test_bad_document_can_be_left_out(tmp_path):
    faults = []
    assert [record.id for record in read(tmp_path, "x\n\n2|t|A\n", on_fault=faults.append)] == ["2"]
    assert len(faults) == 1
