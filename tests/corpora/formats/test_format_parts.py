"""What formats share: units of offsets, pieces, JSON streams, outputs that are whole or not there."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.corpora.formats import FORMATS, FormatWarning, Notes, get_format
from biochunk.corpora.formats.fragments import add_fragments, pieces_of
from biochunk.corpora.formats.json_stream import DocumentStream, NotJsonError
from biochunk.corpora.formats.notes import noting
from biochunk.corpora.formats.offsets import UNITS, Mention, characters, locate
from biochunk.corpora.formats.output import whole_folder, whole_path
from biochunk.corpora.records import Entity, Record
from biochunk.errors import BiochunkError, UsageError


@given(
    text=st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12),
    data=st.data(),
    unit=st.sampled_from(list(UNITS)),
)
def test_span_counted_in_any_unit_is_never_moved_to_other_text(text, data, unit):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    widths = UNITS[unit](text)
    piece = (sum(widths[:start]), sum(widths[:end]))
    located = locate(text, [Mention("T1", (piece,), text[start:end])])
    # Of equal texts another may be meant; what is found always reads as the file says.
    if not isinstance(located, list):
        ((found_start, found_end),) = located[1][0]
        found, wanted = text[found_start:found_end], text[start:end]
        assert [c if not c.isspace() else " " for c in found] == [c if not c.isspace() else " " for c in wanted]


def test_code_points_win_where_they_fit():
    assert locate("🧬 AA A", [Mention("T1", ((3, 4),), "A")]) == ("characters", [((3, 4),)])


def test_one_unit_must_fit_all_mentions():
    mentions = [Mention("T1", ((3, 4),), "A"), Mention("T2", ((0, 2),), "🧬"), Mention("T3", ((1, 2),), " ")]
    misfits = locate("🧬 A", mentions)
    assert [misfit.mention.id for misfit in misfits] == ["T1", "T2"]


def test_mentions_without_text_need_only_lie_inside():
    assert locate("abc", [Mention("T1", ((1, 3),), None)]) == ("characters", [((1, 3),)])
    assert isinstance(locate("abc", [Mention("T1", ((1, 4),), None)]), list)


def test_widths_of_code_points_are_one():
    assert characters("a🧬") == [1, 1]


@pytest.mark.parametrize(
    "fragments",
    [
        None,
        3,
        {"e2": [[0, 1], [2, 3]]},
        {"e1": 3},
        {"e1": [[0, 3]]},
        {"e1": [[0, 1], [1, 2]]},
        {"e1": [[2, 3], [0, 1]]},
        {"e1": [[0, 2], [1, 3]]},
        {"e1": [[0, 1], [2, "3"]]},
        {"e1": [[0, 1], [2]]},
        {"e1": [[True, 1], [2, 3]]},
    ],
)
def test_pieces_that_do_not_cover_the_entity_are_the_entity(fragments):
    entity = Entity(id="e1", start=0, end=3, text="abc")
    record = Record(id="r", dataset="", split="", text="abc", entities=[entity], meta={"fragments": fragments})
    assert pieces_of(record, entity) == ((0, 3),)


def test_add_fragments_tells_whether_any_is_new():
    meta = {"fragments": {"e1": [[0, 1], [2, 3]]}}
    assert not add_fragments(meta, {"e1": [[0, 1], [2, 3]]})
    assert not add_fragments(meta, {})
    assert add_fragments(meta, {"e2": [[0, 1], [2, 3]]})
    assert set(meta["fragments"]) == {"e1", "e2"}


class SmallBlocks(io.StringIO):
    """A file that gives three characters at a time, whatever is asked for."""

    def read(self, size=-1):
        return super().read(3)


@pytest.mark.parametrize(
    "text",
    [
        '{"documents": [{"a": "}]"}, {"b": [1]}], "z": {}}',
        '[{"a": "}]"}\n,{"b": [1]}]',
        '{"a": "}]"}\n{"b": [1]}',
    ],
)
def test_documents_are_cut_wherever_the_blocks_end(text):
    stream = DocumentStream(SmallBlocks(text), ("documents",))
    assert [value for _, value in stream.documents()] == [{"a": "}]"}, {"b": [1]}]


def test_line_of_a_fault_counts_from_the_file_start():
    stream = DocumentStream(io.StringIO('[\n{"a": 1},\n\n{"b": }]'), ())
    with pytest.raises(NotJsonError) as error:
        list(stream.documents())
    assert error.value.line == 4


def test_unknown_format_names_the_known_ones():
    with pytest.raises(UsageError, match="Found the format 'conll', expected one of: bioc-xml"):
        get_format("conll")
    assert get_format("brat") is FORMATS["brat"]


def test_notes_are_counted_by_kind_with_the_first_place():
    notes = Notes()
    for place in ("a", "b"):
        notes.add("kind", place)
    assert notes.lines() == ["kind: 2 (first: a)"]


def test_run_without_notes_of_the_caller_ends_in_one_warning():
    with (
        pytest.warns(FormatWarning, match=r"one: 1 \(first: a\); two: 1 \(first: b\)"),
        noting(None) as notes,
    ):
        notes.add("one", "a")
        notes.add("two", "b")


@pytest.mark.parametrize("context", [whole_path, whole_folder])
def test_failed_output_leaves_nothing(context, tmp_path):
    def fail():
        with context(tmp_path / "sub" / "out") as part:
            (part / "x" if part.is_dir() else part).write_text("x")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        fail()
    assert not list((tmp_path / "sub").iterdir())


def test_finished_outputs_have_the_usual_permissions(tmp_path):
    (tmp_path / "plain").write_text("")
    (tmp_path / "folder").mkdir()
    with whole_path(tmp_path / "out") as part:
        part.write_text("x")
    with whole_folder(tmp_path / "outs") as part:
        (part / "a").write_text("x")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert (tmp_path / "outs").stat().st_mode == (tmp_path / "folder").stat().st_mode


def test_output_that_cannot_be_written_is_one_error(tmp_path):
    (tmp_path / "file").write_text("x")
    for context in (whole_path, whole_folder):
        with pytest.raises(BiochunkError, match="Cannot write"), context(tmp_path / "file" / "out"):
            pass
