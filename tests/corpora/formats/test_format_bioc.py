"""BioC: foreign documents, hostile XML and JSON, and agreement with the `bioc` package."""

import json
import time

import pytest

from biochunk.corpora.formats import FormatWarning, Notes, bioc_json, bioc_xml
from biochunk.corpora.records import Entity, Record, Triple
from biochunk.errors import FileFaultsError

HEAD = "<collection><source>s</source><date/><key/>"


def document(text="Aspirin fell.", annotations="", offset=0, key="d1", relations="", infons=""):
    """A BioC XML document with one passage."""
    return (
        f"<document><id>{key}</id>{infons}<passage><offset>{offset}</offset><text>{text}</text>"
        f"{annotations}{relations}</passage></document>"
    )


def annotation(start, text, key="T1", length=None, label="Drug"):
    length = len(text) if length is None else length
    return (
        f'<annotation id="{key}"><infon key="type">{label}</infon>'
        f'<location offset="{start}" length="{length}"/><text>{text}</text></annotation>'
    )


def read_xml(tmp_path, *documents, head=HEAD, tail="</collection>", notes=None, **options):
    path = tmp_path / "in.xml"
    path.write_text(head + "".join(documents) + tail, encoding="utf-8")
    return list(bioc_xml.read(path, notes=Notes() if notes is None else notes, **options))


def read_json(tmp_path, data, notes=None, **options):
    path = tmp_path / "in.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return list(bioc_json.read(path, notes=Notes() if notes is None else notes, **options))


def test_read_gives_offsets_of_the_record(tmp_path):
    (record,) = read_xml(tmp_path, document(annotations=annotation(0, "Aspirin")), dataset="mine", split="dev")
    assert record.entities == [Entity(id="T1", start=0, end=7, text="Aspirin", label="Drug")]
    assert (record.id, record.dataset, record.split) == ("d1", "mine", "dev")


def test_passages_are_joined_and_their_bounds_kept(tmp_path):
    title = "<passage><infon key='type'>title</infon><offset>0</offset><text>On aspirin</text></passage>"
    body = f"<passage><offset>11</offset><text>It fell.</text>{annotation(14, 'fell', label='')}</passage>"
    (record,) = read_xml(tmp_path, f"<document><id>1</id>{title}{body}</document>")
    assert record.text == "On aspirin\nIt fell."
    assert record.entities[0].start == 14
    assert [passage["end"] for passage in record.meta["bioc"]["passages"]] == [10, 19]
    assert record.meta["bioc"]["passages"][0]["infons"] == {"type": "title"}


def test_offsets_of_a_passage_count_from_the_document(tmp_path):
    (record,) = read_xml(tmp_path, document(offset=200, annotations=annotation(200, "Aspirin")))
    assert record.entities[0].start == 0
    assert record.meta["bioc"]["passages"][0]["offset"] == 200


def test_text_in_sentences_is_put_together(tmp_path):
    sentences = "<sentence><offset>0</offset><text>A fell.</text></sentence>"
    sentences += f"<sentence><offset>9</offset><text>B rose.</text>{annotation(9, 'B')}</sentence>"
    (record,) = read_xml(tmp_path, f"<document><id>1</id><passage><offset>0</offset>{sentences}</passage></document>")
    assert record.text == "A fell.  B rose."
    assert record.entities[0].text == "B"


def test_annotations_of_the_document_go_to_their_passage(tmp_path):
    passages = "".join(
        f"<passage><offset>{offset}</offset><text>{text}</text></passage>" for offset, text in ((0, "A"), (2, "B"))
    )
    (record,) = read_xml(tmp_path, f"<document><id>1</id>{passages}{annotation(2, 'B')}</document>")
    assert record.entities[0].start == 2


@pytest.mark.parametrize(
    ("roles", "head"),
    [(("head", "tail"), "T1"), (("Arg2", "Arg1"), "T2"), (("", ""), "T1"), (("object", "x"), "T1")],
)
def test_relation_takes_its_direction_from_the_roles(tmp_path, roles, head):
    nodes = "".join(f'<node refid="T{i}" role="{role}"/>' for i, role in enumerate(roles, 1))
    relation = f'<relation id="R1"><infon key="type">INHIBITS</infon>{nodes}</relation>'
    found = annotation(0, "Aspirin") + annotation(8, "fell", key="T2")
    (record,) = read_xml(tmp_path, document(annotations=found, relations=relation))
    assert [(triple.head, triple.relation) for triple in record.triples] == [(head, "INHIBITS")]


def test_relation_of_concepts_is_kept_in_meta_and_noted(tmp_path):
    relation = '<relation id="R1"><infon key="relation">CID</infon><infon key="Chemical">D1</infon></relation>'
    notes = Notes()
    (record,) = read_xml(tmp_path, document(relations=relation), notes=notes)
    assert record.triples == []
    assert record.meta["bioc"]["relations"][0]["infons"] == {"relation": "CID", "Chemical": "D1"}
    assert any("relations that do not join two mentions" in line for line in notes.lines())


def test_infons_without_a_field_are_kept_in_meta(tmp_path):
    found = annotation(0, "Aspirin").replace("<location", '<infon key="MESH">D001241</infon><location')
    (record,) = read_xml(tmp_path, document(annotations=found, infons='<infon key="journal">J</infon>'))
    assert record.meta["bioc"] == {"infons": {"journal": "J"}, "annotations": {"T1": {"MESH": "D001241"}}}


def test_repeated_annotation_id_is_changed_and_noted(tmp_path):
    notes = Notes()
    twice = annotation(0, "Aspirin") + annotation(8, "fell", label="Change") + annotation(8, "fell", key="T1~2")
    [record] = read_xml(tmp_path, document(annotations=twice), notes=notes)
    assert [(entity.id, entity.start) for entity in record.entities] == [("T1", 0), ("T1~2", 8), ("T1~2~2", 8)]
    assert any("annotation ids that stand twice" in line for line in notes.lines())


def test_gap_is_read_as_the_covering_span_with_its_pieces(tmp_path):
    found = annotation(0, "left ventricle", length=4).replace("<text>", '<location offset="15" length="9"/><text>')
    notes = Notes()
    (record,) = read_xml(tmp_path, document("left and right ventricle", found), notes=notes)
    assert record.entities[0].text == "left and right ventricle"
    assert record.meta["fragments"] == {"T1": [[0, 4], [15, 24]]}
    assert list(notes.counts().values()) == [1]


@pytest.mark.parametrize(("start", "length", "unit"), [(3, 5, "UTF-16 units"), (5, 5, "UTF-8 bytes"), (2, 5, None)])
def test_offsets_in_another_unit_are_turned_and_noted(tmp_path, start, length, unit):
    notes = Notes()
    (record,) = read_xml(tmp_path, document("🧬 BRCA1 lost", annotation(start, "BRCA1", length=length)), notes=notes)
    assert record.text[record.entities[0].start : record.entities[0].end] == "BRCA1"
    assert [unit in line for line in notes.lines()] == ([True] if unit else [])


def test_passage_offsets_in_bytes_do_not_move_mentions(tmp_path):
    title = "<passage><offset>0</offset><text>β and α</text></passage>"
    body = f"<passage><offset>10</offset><text>TNF fell.</text>{annotation(10, 'TNF')}</passage>"
    (record,) = read_xml(tmp_path, f"<document><id>1</id>{title}{body}</document>")
    assert record.text == "β and α\nTNF fell."
    assert record.entities[0].start == 8


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (annotation(1, "Aspirin"), r"annotation 'T1' at \[\(1, 8\)\]: found 'spirin ', expected 'Aspirin'"),
        (annotation(9, "fell", length=40), "found offsets outside the text, expected 'fell'"),
        (annotation(0, "Aspirin", length=0), "outside the text"),
        (annotation(-1, "Aspirin"), "offset '-1', expected a whole number"),
        (annotation("x", "Aspirin"), "offset 'x', expected a whole number"),
        (annotation(0, "Aspirin").replace(' id="T1"', ""), "expected an annotation with an id"),
        ('<annotation id="T1"><text>Aspirin</text></annotation>', "no location"),
    ],
)
def test_broken_annotation_is_one_error_with_document_and_line(tmp_path, broken, message):
    with pytest.raises(FileFaultsError, match=message) as error:
        read_xml(tmp_path, document(key="d0"), "\n", document(annotations=broken, key="d9"))
    assert "line 2" in str(error.value)
    assert "d9" in str(error.value)


def test_bad_document_can_be_left_out_and_is_handed_over(tmp_path):
    faults = []
    bad = document(annotations=annotation(1, "Aspirin"), key="bad")
    records = read_xml(tmp_path, bad, document(key="good"), on_fault=faults.append)
    assert [record.id for record in records] == ["good"]
    assert len(faults) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1.*no element found"),
        (HEAD + document(), "line 1.*expected well-formed XML"),
        (HEAD + "<document><id>1", "well-formed"),
        ("<html><body/></html>", "line 1: found <html>, expected the elements of BioC"),
        (HEAD + "<dokument/></collection>", "<dokument> in <collection>"),
        (
            HEAD + "<document><id>1</id><passage><text>x</text></passage></document></collection>",
            "offset None",
        ),
        (HEAD + "loose text</collection>", "'loose text' in <collection>"),
        (HEAD + document().replace("<id>d1</id>", "") + "</collection>", r"line 1\.id: found None"),
    ],
)
def test_file_that_is_no_bioc_is_refused(tmp_path, text, message):
    with pytest.raises(FileFaultsError, match=message):
        read_xml(tmp_path, head=text, tail="")


def test_entities_are_refused_before_they_grow(tmp_path):
    levels = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))
    bomb = f'<?xml version="1.0"?><!DOCTYPE collection [<!ENTITY e0 "x">{levels}]>'
    started = time.perf_counter()
    with pytest.raises(FileFaultsError, match="entity 'e0', expected a file that defines"):
        read_xml(tmp_path, document("&e11;"), head=bomb + HEAD)
    assert time.perf_counter() - started < 1


def test_other_files_are_not_read_through_entities(tmp_path):
    (tmp_path / "secret").write_text("SECRET", encoding="utf-8")
    head = f'<!DOCTYPE collection [<!ENTITY x SYSTEM "{(tmp_path / "secret").as_uri()}">]>' + HEAD
    with pytest.raises(FileFaultsError, match="entity 'x'"):
        read_xml(tmp_path, document("&x;"), head=head)


def test_document_type_without_entities_is_fine(tmp_path):
    assert read_xml(tmp_path, document(), head='<!DOCTYPE collection SYSTEM "BioC.dtd">' + HEAD)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1"])
def test_declared_encodings_and_byte_order_marks_are_read(tmp_path, encoding):
    path = tmp_path / "in.xml"
    name = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{name}"?>' + HEAD + document("Naïve") + "</collection>"
    path.write_bytes(text.encode(encoding))
    assert [record.text for record in bioc_xml.read(path)] == ["Naïve"]


def test_wrong_encoding_is_refused(tmp_path):
    path = tmp_path / "in.xml"
    path.write_bytes((HEAD + document("Naïve") + "</collection>").encode("iso-8859-1"))
    with pytest.raises(FileFaultsError, match="invalid token"):
        list(bioc_xml.read(path))


@pytest.mark.parametrize("field", ["id", "label", "relation"])
def test_names_that_xml_cannot_hold_are_refused_by_record(tmp_path, field):
    names = {"id": "e1", "label": "", "relation": "R"} | {field: "a\x01b"}
    entity = Entity(id=names["id"], start=0, end=1, text="x", label=names["label"])
    triple = Triple(head=names["id"], relation=names["relation"], tail=names["id"])
    record = Record(id="r1", dataset="", split="", text="x", entities=[entity], triples=[triple])
    with pytest.raises(FileFaultsError, match=r"record 'r1'.*control characters"):
        bioc_xml.write(tmp_path / "out.xml", [record])


def test_control_characters_warn_once_when_nobody_collects_notes(tmp_path):
    records = [Record(id=str(i), dataset="", split="", text="a\x00b") for i in range(3)]
    with pytest.warns(FormatWarning, match="characters that XML cannot hold.*: 3 ") as caught:
        bioc_xml.write(tmp_path / "out.xml", records)
    assert len(caught) == 1
    assert [record.text for record in bioc_xml.read(tmp_path / "out.xml")] == ["a\x00b"] * 3


@pytest.mark.parametrize("value", ["9:0000", "1:0000 1:0000", "1:110000", "1", "1:xyz", "x:0001"])
def test_wrong_list_of_characters_is_refused(tmp_path, value):
    infons = f'<infon key="biochunk.characters">{value}</infon>'
    with pytest.raises(FileFaultsError, match="OFFSET:HEX"):
        read_xml(tmp_path, document("a\ufffdb", infons=infons))


def test_json_collections_arrays_and_lines_are_read(tmp_path):
    one = {"id": "1", "passages": [{"offset": 0, "text": "A fell."}]}
    two = {"id": 2, "passages": [{"offset": 0, "text": 'B "documents": [ fell.'}]}
    shapes = [
        {"documents": [one, two]},
        {"source": 'a "documents": [ b', "infons": {}, "PubTator3": [one, two], "key": ""},
        [one, two],
        json.dumps(one) + "\n" + json.dumps(two) + "\n",
        "\ufeff" + json.dumps([one, two], indent=2).replace("\n", "\r\n"),
    ]
    for shape in shapes:
        assert [record.id for record in read_json(tmp_path, shape)] == ["1", "2"], shape


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"documents": [{"id": "1"}', "line 1: found an end inside an array"),
        ('{"documents": [{"id": "1"}]', "after the documents"),
        ('{"documents": [{"id": "1"} {"id": "2"}]}', "'{' after a document"),
        ('{"documents": [\n{"id": "1"},\n{"id": }]}', "line 3: found no JSON"),
        ('{"documents": ["x"]}', "'x', expected a BioC document"),
        ('{"documents": [{"id": "1", "passages": 3}]}', "passages 3, expected a JSON array"),
        ('{"documents": [{"id": "1", "passages": [3]}]}', "passage 1: found 3"),
        ('{"documents": [{"id": "1", "passages": [{"offset": 0, "text": 7}]}]}', "text 7, expected a string"),
        ('{"documents": [{"id": "1", "passages": [{"offset": true}]}]}', "offset True"),
        ("[" * 100_000, "nested too deeply|no JSON"),
        ('[{"id": "1"}] x', "'x' after the end"),
        ("hello", "line 1: found no JSON"),
    ],
)
def test_broken_json_is_refused_with_its_line(tmp_path, text, message):
    with pytest.raises(FileFaultsError, match=message):
        read_json(tmp_path, text)


def test_json_in_another_encoding_is_refused(tmp_path):
    path = tmp_path / "in.json"
    path.write_bytes('[{"id": "é"}]'.encode("utf-16"))
    with pytest.raises(FileFaultsError, match="expected a file in UTF-8"):
        list(bioc_json.read(path))


def test_json_of_many_blocks_is_read_document_by_document(tmp_path):
    found = [Record(id=str(i), dataset="", split="", text="β-lactamase rose. " * 50) for i in range(500)]
    bioc_json.write(tmp_path / "big.json", found)
    assert (tmp_path / "big.json").stat().st_size > 400_000
    assert list(bioc_json.read(tmp_path / "big.json")) == found


@pytest.mark.parametrize("name", ["xml", "json"])
def test_the_bioc_package_reads_the_same(tmp_path, name):
    pytest.importorskip("bioc")
    from bioc import biocjson, biocxml

    text = "Aspirin\r\ninhibits 🧬 COX-2 & more <fast>."
    entities = [Entity(id="e1", start=0, end=7, text="Aspirin", label="Drug")]
    entities.append(Entity(id="e2", start=20, end=25, text="COX-2", label="Gene"))
    triples = [Triple(head="e1", relation="INHIBITS", tail="e2")]
    record = Record(id="r1", dataset="d", split="dev", text=text, entities=entities, triples=triples)
    writer, reader = (bioc_xml, biocxml) if name == "xml" else (bioc_json, biocjson)
    writer.write(tmp_path / "out", [record])
    with open(tmp_path / "out", "rb") as file:
        (other,) = reader.load(file).documents
    (passage,) = other.passages
    assert (other.id, passage.text) == ("r1", text)
    assert [(a.id, a.text, a.infons["type"], a.locations[0].offset) for a in passage.annotations] == [
        ("e1", "Aspirin", "Drug", 0),
        ("e2", "COX-2", "Gene", 20),
    ]
    assert [(n.refid, n.role) for n in passage.relations[0].nodes] == [("e1", "head"), ("e2", "tail")]


@pytest.mark.parametrize("name", ["xml", "json"])
def test_what_the_bioc_package_writes_is_read(tmp_path, name):
    bioc = pytest.importorskip("bioc")
    from bioc import biocjson, biocxml

    passage = bioc.BioCPassage.of_text("Aspirin & COX-2\tfell", 0)
    found = bioc.BioCAnnotation()
    found.id, found.text, found.infons = "1", "COX-2", {"type": "Gene"}
    found.add_location(bioc.BioCLocation(10, 5))
    passage.add_annotation(found)
    other = bioc.BioCDocument.of_passages(passage)
    other.id = "d1"
    package, ours = (biocxml, bioc_xml) if name == "xml" else (biocjson, bioc_json)
    text = package.dumps(bioc.BioCCollection.of_documents(other))
    (tmp_path / "in").write_text(text, encoding="utf-8")
    (record,) = ours.read(tmp_path / "in")
    assert (record.id, record.text) == ("d1", "Aspirin & COX-2\tfell")
    assert record.entities == [Entity(id="1", start=10, end=15, text="COX-2", label="Gene")]
