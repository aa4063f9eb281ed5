"""BRAT stand-off: what annotators and other tools leave in a folder."""

import pytest

from biochunk.corpora.formats import Notes, brat
from biochunk.corpora.formats.brat_lines import brat_type
from biochunk.corpora.records import Entity, Record, Triple
from biochunk.errors import BiochunkError, FileFaultsError

TEXT = "left and right ventricle"


def read(tmp_path, annotations, text=TEXT, notes=None, **options):
    """The one record of a folder with one document."""
    (tmp_path / "d.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
    (tmp_path / "d.ann").write_bytes(annotations if isinstance(annotations, bytes) else annotations.encode())
    (record,) = brat.read(tmp_path, notes=Notes() if notes is None else notes, **options)
    return record


def test_mentions_and_relations_are_read(tmp_path):
    record = read(tmp_path, "T1\tSide 0 4\tleft\nT2\tOrgan 15 24\tventricle\nR1\tOF Arg1:T1 Arg2:T2\n")
    assert [(e.id, e.start, e.end, e.label) for e in record.entities] == [
        ("T1", 0, 4, "Side"),
        ("T2", 15, 24, "Organ"),
    ]
    assert record.triples == [Triple(head="T1", relation="OF", tail="T2")]
    assert record.meta == {}


def test_arguments_named_the_other_way_round_are_turned(tmp_path):
    record = read(tmp_path, "T1\tA 0 4\tleft\nT2\tB 15 24\tventricle\nR1\tOF Arg2:T1 Arg1:T2\n")
    assert record.triples == [Triple(head="T2", relation="OF", tail="T1")]


def test_discontinuous_mention_covers_its_pieces_and_goes_out_as_pieces(tmp_path):
    notes = Notes()
    record = read(tmp_path, "T1\tOrgan 0 4;15 24\tleft ventricle\n", notes=notes)
    assert record.entities[0].text == TEXT
    assert record.meta == {"fragments": {"T1": [[0, 4], [15, 24]]}}
    assert list(notes.counts().values()) == [1]
    brat.write(tmp_path / "out", [record], notes=notes)
    assert (tmp_path / "out" / "d.ann").read_text() == "T1\tOrgan 0 4;15 24\tleft ventricle\n"


def test_events_become_triples_of_their_triggers(tmp_path):
    annotations = (
        "T1\tProtein 0 3\tp53\nT2\tProtein 21 25\tMDM2\nT3\tBinding 4 9\tbinds\nT4\tCause 10 16\tcauses\n"
        "E1\tBinding:T3 Theme:T1 Theme2:T2\nE2\tCause:T4 Cause:E1\n"
    )
    notes = Notes()
    record = read(tmp_path, annotations, text="p53 binds causes and MDM2", notes=notes)
    assert [(t.head, t.relation, t.tail) for t in record.triples] == [
        ("T3", "Theme", "T1"),
        ("T3", "Theme2", "T2"),
        ("T4", "Cause", "T3"),
    ]
    assert notes.counts()["events were read as triples (trigger, role, argument)"] == 2


def test_all_other_lines_are_kept_in_meta_and_noted(tmp_path):
    other = [
        "A1\tNegation T1",
        "M1\tSpeculation T1",
        "N1\tReference T1 MESH:D1\tleft",
        "*\tEquiv T1 T2",
        "#1\tNote T1\ta b",
    ]
    notes = Notes()
    annotations = "T1\tA 0 4\tleft\nT2\tB 9 14\tright\n" + "\n".join(other)
    assert read(tmp_path, annotations, notes=notes).meta == {"brat": other}
    assert len(notes.lines()) == 1


def test_given_and_other_annotations_of_the_shared_task_are_joined(tmp_path):
    (tmp_path / "d.txt").write_text(TEXT)
    (tmp_path / "d.a1").write_text("T1\tSide 0 4\tleft")
    (tmp_path / "d.a2").write_text("T2\tOrgan 15 24\tventricle\nE1\tOrgan:T2 Side:T1\n")
    (record,) = brat.read(tmp_path, notes=Notes())
    assert (len(record.entities), len(record.triples)) == (2, 1)


def test_text_without_annotations_is_a_record_and_noted(tmp_path):
    (tmp_path / "d.txt").write_text(TEXT)
    notes = Notes()
    assert [record.text for record in brat.read(tmp_path, notes=notes)] == [TEXT]
    assert "without an .ann file" in notes.lines()[0]


def test_annotations_without_a_text_are_refused(tmp_path):
    (tmp_path / "e.ann").write_text("")
    for _ in range(2):
        with pytest.raises(FileFaultsError, match=r"e\.ann.*annotations without a text"):
            list(brat.read(tmp_path))
        # Another document with its text changes nothing.
        (tmp_path / "d.txt").write_text(TEXT)


def test_records_come_in_natural_order_with_sub_folders(tmp_path):
    for name in ("a10", "a2", "b/a1"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.txt").write_text("x")
        (tmp_path / f"{name}.ann").write_text("")
    assert [record.id for record in brat.read(tmp_path)] == ["a2", "a10", "b/a1"]


@pytest.mark.parametrize(
    ("text", "line", "start", "unit"),
    [
        ("🧬 BRCA1 lost", "T1\tGene 3 8\tBRCA1\n", 2, "UTF-16 units"),
        ("α: BRCA1 lost", "T1\tGene 4 9\tBRCA1\n", 3, "UTF-8 bytes"),
        ("A fell.\r\nB\r\nBRCA1", "T1\tGene 10 15\tBRCA1\n", 12, "CRLF"),
        (b"\xef\xbb\xbfA BRCA1", "T1\tGene 3 8\tBRCA1\n", 2, "byte order mark"),
        ("A fell.\r\nBRCA1", "T1\tGene 9 14\tBRCA1\n", 9, None),
        (b"\xef\xbb\xbfA BRCA1", "T1\tGene 2 7\tBRCA1\n", 2, None),
    ],
)
def test_offsets_of_other_tools_are_turned_and_noted(tmp_path, text, line, start, unit):
    notes = Notes()
    record = read(tmp_path, line, text=text, notes=notes)
    assert (record.entities[0].start, record.entities[0].text) == (start, "BRCA1")
    assert [unit in line for line in notes.lines()] == ([True] if unit else [])


def test_line_end_in_a_mention_is_a_space_in_its_line(tmp_path):
    assert read(tmp_path, "T1\tA 0 3\ta b\n", text="a\nb").entities[0].text == "a\nb"


def test_windows_line_ends_in_annotations_change_nothing(tmp_path):
    lines = "T1\tA 0 4\tleft\nR1\tR Arg1:T1 Arg2:T1\n"
    assert read(tmp_path, lines.replace("\n", "\r\n")) == read(tmp_path, lines)


@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        (
            "T1\tA 0 4\tright\n",
            r"mention T1: found 'right' at \[\(0, 4\)\], expected 'left', which stands there",
        ),
        ("T1\tA 0 99\tleft\n", "offsets within the text"),
        ("T1\tA 4 0\tleft\n", "offsets within the text"),
        ("T1\tA 0 4\tleft\nT1\tB 0 4\tleft\n", "the id 'T1' twice"),
        ("T1\tA 0 4\tleft\nR1\tR Arg1:T1 Arg2:T9\n", "a reference to 'T9'"),
        ("T1\tA 0 4\tleft\nE1\tA:T9 Theme:T1\n", "a reference to 'T9'"),
        ("\nT1\tA zero 4\tleft\n", "line 2: found"),
        ("T1\tA 0 4\n", "line 1: found"),
        ("X1\twhat\n", "line 1: found"),
        (b"T1\tA 0 4\t\xff\n", "expected a file in UTF-8"),
    ],
)
def test_broken_annotations_are_one_error_with_file_and_place(tmp_path, annotations, message):
    with pytest.raises(FileFaultsError, match=message) as error:
        read(tmp_path, annotations)
    assert "d.ann" in str(error.value)


def test_names_that_brat_cannot_write_come_back_from_notes(tmp_path):
    entity = Entity(id="e 1", start=0, end=4, text="left", label="TRIGGER:Große Linke")
    triple = Triple(head="e 1", relation="is a", tail="e 1")
    record = Record(id="r/1 %.", dataset="", split="", text=TEXT, entities=[entity], triples=[triple])
    brat.write(tmp_path / "out", [record])
    assert list(brat.read(tmp_path / "out")) == [record]
    lines = (tmp_path / "out" / "r%2F1%20%25..ann").read_text(encoding="utf-8").split("\n")
    assert lines[:2] == ["T1\tTRIGGER_Gro_e_Linke 0 4\tleft", "R1\tis_a Arg1:T1 Arg2:T1"]


def test_type_changed_in_brat_wins_over_the_note(tmp_path):
    lines = "T1\tOther 0 4\tleft\n#1\tLabel T1\tTRIGGER:X\n#2\tEntityID T1\te1\n"
    entity = read(tmp_path, lines).entities[0]
    assert (entity.id, entity.label) == ("e1", "Other")


def test_configuration_names_every_type(tmp_path):
    entities = [Entity(id=f"T{i}", start=0, end=1, text="x", label=label) for i, label in enumerate("AB", 1)]
    triples = [Triple(head="T1", relation="IS", tail="T2")]
    record = Record(id="r", dataset="", split="", text="x", entities=entities, triples=triples)
    brat.write(tmp_path / "out", [record])
    lines = (tmp_path / "out" / "annotation.conf").read_text().split("\n")
    assert lines[:4] == ["[entities]", "A", "B", ""]
    assert "IS Arg1:<ENTITY>, Arg2:<ENTITY>" in lines
    assert {"[relations]", "[events]", "[attributes]"} < set(lines)


@pytest.mark.parametrize(("label", "expected"), [("GENE", "GENE"), ("a b:ç", "a_b__"), ("", "Entity"), ("-_9", "-_9")])
def test_brat_type(label, expected):
    assert brat_type(label) == expected


def test_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "mine").write_text("x")
    with pytest.raises(BiochunkError, match="new or empty folder"):
        brat.write(tmp_path, [Record(id="r", dataset="", split="", text="x")])
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": "β" * 60}, "200 at most"),
        ({"label": "a\tb"}, "without tab"),
        ({"relation": "a\nb"}, "without tab"),
    ],
)
def test_what_files_and_lines_cannot_hold_is_refused_and_leaves_nothing(tmp_path, fields, message):
    fields = {"id": "r", "label": "", "relation": "R"} | fields
    entity = Entity(id="T1", start=0, end=1, text="x", label=fields["label"])
    triple = Triple(head="T1", relation=fields["relation"], tail="T1")
    record = Record(id=fields["id"], dataset="", split="", text="x", entities=[entity], triples=[triple])
    with pytest.raises(FileFaultsError, match=message):
        brat.write(tmp_path / "out", [record])
    assert not list(tmp_path.iterdir())
