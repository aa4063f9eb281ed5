"""Whole conversions of small folders of our own, laid out and marked as BioMedRAG's are."""

# ruff: noqa: E501 - a case of a table reads best on one line

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from biochunk.corpora import convert as convert_module
from biochunk.corpora.convert import SOURCES, convert
from biochunk.corpora.records import Record, read_records
from biochunk.corpora.report import Tally, to_json, to_table
from biochunk.corpora.splits import sentence_key
from biochunk.errors import BiochunkError, FileFaultsError, UsageError

Rows = list[dict[str, Any]]


def _git(sentence: str, head: str, relation: str, tail: str) -> dict[str, Any]:
    return {"PREDICATE": relation, "SUBJECT_TEXT": head, "OBJECT_TEXT": tail, "SENTENCE": sentence}


def _triples(text: str, *triples: tuple[str, str, str]) -> dict[str, Any]:
    return {"text": text, "triple_list": [list(triple) for triple in triples]}


GIT_TRAIN = [
    _git(" tnf  fell in  rats .", "tnf", "PROCESS_OF", "rats"),
    _git(" tnf  fell in [rats] and  mice .", "tnf", "PROCESS_OF", "mice"),
    _git("[  zinc  ] cut {  il-6  }.", "zinc", "INHIBITS", "il-6"),
    _git("zinc cut  il-6  and  tnf .", "il-6", "COEXISTS_WITH", "tnf"),
]
GIT_DEV = [
    _git("iron  raised  il-1 .", "il-1", "STIMULATES", "iron"),
    _git("Zinc cut  il-6 , and  tnf .", "tnf", "COEXISTS_WITH", "il-6"),
    _git(" lead  raised  il-2 .", "lead", "STIMULATES", "il-2"),
]
GIT_TEST = [
    _git(" lead , raised  il-2 .", "il-2", "STIMULATES", "lead"),
    _git(" tnf  fell in rats .", "tnf", "PROCESS_OF", "rats"),
    _git("[ gold  eased  pain ].", "gold", "TREATS", "pain"),
]
DDI_TRAIN = [
    _triples("Aspirin, iron\nand aspirin. ", ("Aspirin", "effect", "iron"), ("Aspirin", "None", "aspirin")),
    _triples("Aspirin, iron\nand aspirin. ", ("Aspirin", "None", "iron")),
    _triples("No drug."),
]
CHEMPROT_DEV = [_triples(" zinc  cut cyclooxygenase ( COX   levels", ("zinc", "DOWNREGULATOR", "COX"))]
ADE_TRAIN = [{"text": f"Drug {i} gave a rash.", "label": i % 2} for i in range(200)]


def _write(path: Path, rows: Rows, *, array: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("[" + ", ".join(lines) + "]" if array else "".join(line + "\n" for line in lines), "utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder in our layout. GM-CIHT's test rows stand twice, as in the original."""
    root = tmp_path / "data"
    for split, rows in (("train", GIT_TRAIN), ("dev", GIT_DEV), ("test", GIT_TEST * 2)):
        _write(root / "gmciht" / f"renew_triplet_T_{split}.jsonl", rows, array=False)
    _write(root / "ddi" / "train_triples.json", DDI_TRAIN, array=True)
    _write(root / "chemprot" / "dev_triples.json", CHEMPROT_DEV, array=True)
    _write(root / "ade" / "ade_corpus_v2_train_4000.json", ADE_TRAIN, array=False)
    return root


def _read(out: Path, name: str, split: str) -> list[Record]:
    return list(read_records(out / name / f"{split}.jsonl"))


def _files(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def test_published_keeps_every_row_and_every_byte_of_text(data: Path, tmp_path: Path) -> None:
    convert(data, tmp_path / "out", "published")
    test = _read(tmp_path / "out", "gmciht", "test")
    assert [record.text for record in test] == [row["SENTENCE"] for row in GIT_TEST * 2]
    assert [record.id for record in test[:2]] == ["gmciht-test-0001", "gmciht-test-0002"]
    assert len({sentence_key(record.text) for record in test}) == len(GIT_TEST)
    assert test[0].model_dump() == {
        "id": "gmciht-test-0001",
        "dataset": "gmciht",
        "split": "test",
        "text": " lead , raised  il-2 .",
        "entities": [
            {"id": "e1", "start": 1, "end": 5, "text": "lead", "label": ""},
            {"id": "e2", "start": 16, "end": 20, "text": "il-2", "label": ""},
        ],
        "triples": [{"head": "e2", "relation": "STIMULATES", "tail": "e1"}],
        "label": None,
        "meta": {
            "file": "renew_triplet_T_test.jsonl",
            "line": 1,
            "pairs": [["e2", "e1"]],
            "marks": {"e2": "padding", "e1": "padding"},
        },
    }


def test_published_keeps_the_pair_of_a_row_without_a_relation(data: Path, tmp_path: Path) -> None:
    convert(data, tmp_path / "out", "published")
    effect, none, again, bare = _read(tmp_path / "out", "ddi", "train")
    assert [len(record.triples) for record in (effect, none, again, bare)] == [1, 0, 0, 0]
    assert [entity.text for entity in none.entities] == ["Aspirin", "aspirin"]
    assert (none.meta["pairs"], none.meta["item"]) == ([["e1", "e2"]], 1)
    assert (bare.entities, "pairs" in bare.meta) == ([], False)


def test_clean_drops_duplicates_and_leaks_and_groups_rows(data: Path, tmp_path: Path) -> None:
    tallies = convert(data, tmp_path / "out", "clean")
    out = tmp_path / "out"
    assert [record.text for record in _read(out, "gmciht", "train")] == [
        "tnf fell in rats.",
        "tnf fell in [rats] and mice.",
        "zinc cut il-6.",
        "zinc cut il-6 and tnf.",
    ]
    assert [record.text for record in _read(out, "gmciht", "dev")] == [
        "iron raised il-1.",
        "lead raised il-2.",
    ]
    assert [record.text for record in _read(out, "gmciht", "test")] == [
        "lead, raised il-2.",
        "[gold eased pain].",
    ]
    # The store is dev without what stands in test.
    store = _read(out, "gmciht", "store")
    assert [(record.text, record.split, record.id) for record in store] == [
        ("iron raised il-1.", "store", "gmciht-dev-0001")
    ]
    splits = tallies["gmciht"].to_json()["splits"]
    assert {split: splits[split]["rows"] for split in splits} == {
        "train": {"read": 4, "kept": 4, "grouped": 0, "dropped": {}},
        "dev": {"read": 3, "kept": 2, "grouped": 0, "dropped": {"in_train": 1}},
        "test": {"read": 6, "kept": 2, "grouped": 0, "dropped": {"duplicate": 3, "in_train": 1}},
        "store": {"read": 2, "kept": 1, "grouped": 0, "dropped": {"in_test": 1}},
    }
    (ddi, bare) = _read(out, "ddi", "train")
    assert (ddi.text, bare.text) == ("Aspirin, iron and aspirin.", "No drug.")
    assert ddi.meta == {"file": "train_triples.json", "items": [1, 1], "pairs": [["e1", "e2"], ["e1", "e3"]]}
    assert tallies["ddi"].to_json()["splits"]["train"]["rows"] == {
        "read": 4,
        "kept": 2,
        "grouped": 1,
        "dropped": {"overruled": 1},
    }


def test_clean_says_what_it_did_to_texts_and_could_not_compare(data: Path, tmp_path: Path) -> None:
    report = convert(data, tmp_path / "out", "clean")["chemprot"].to_json()
    assert _read(tmp_path / "out", "chemprot", "dev")[0].text == "zinc cut cyclooxygenase (COX) levels"
    assert report["splits"]["dev"]["events"] == {"closing brackets put back": 1}
    assert report["notes"] == [
        "there is no train file, so no sentence was dropped for standing in it",
        "there is no test file, so no sentence was dropped for standing in it",
    ]


def test_ade_dev_is_carved_out_of_train_the_same_in_both_views(data: Path, tmp_path: Path) -> None:
    keys = []
    for view in ("published", "clean"):
        tallies = convert(data, tmp_path / view, view, ["ade"])
        train, dev = (_read(tmp_path / view, "ade", split) for split in ("train", "dev"))
        assert len(train) + len(dev) == 200
        assert 5 <= len(dev) <= 40
        assert not {sentence_key(record.text) for record in train} & {sentence_key(record.text) for record in dev}
        assert tallies["ade"].notes[0].startswith("dev is carved out of ade_corpus_v2_train_4000.json")
        keys.append([record.text for record in dev])
    assert keys[0] == keys[1]


@pytest.mark.parametrize("view", ["published", "clean"])
def test_convert_accounts_for_every_row(data: Path, tmp_path: Path, view: convert_module.View) -> None:
    rows = {"gmciht": 13, "ddi": 4, "chemprot": 1, "ade": 200}
    for name, tally in convert(data, tmp_path / "out", view).items():
        splits = tally.to_json()["splits"]
        assert sum(part["rows"]["read"] for split, part in splits.items() if split != "store") == rows[name]
        for split, part in splits.items():
            assert part["records"] == len(_read(tmp_path / "out", name, split)) == part["rows"]["kept"]
            for counts in (part["rows"], *part["relations"].values()):
                assert counts["read"] == counts["kept"] + counts["grouped"] + sum(counts["dropped"].values())


@pytest.mark.parametrize("view", ["published", "clean"])
def test_convert_is_deterministic_and_may_run_again(data: Path, tmp_path: Path, view: convert_module.View) -> None:
    convert(data, tmp_path / "a", view)
    first = _files(tmp_path / "a")
    convert(data, tmp_path / "a", view)
    assert _files(tmp_path / "a") == first
    program = (
        "import pathlib, sys; from biochunk.corpora.convert import convert; "
        "convert(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3])"
    )
    command = [sys.executable, "-c", program, str(data), str(tmp_path / "b"), view]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "7"})
    assert _files(tmp_path / "b") == first


def test_clean_of_clean_text_changes_nothing(data: Path, tmp_path: Path) -> None:
    """The clean records, written as a corpus file again, come out the same."""
    convert(data, tmp_path / "once", "clean", ["gmciht"])
    rows = []
    for record in _read(tmp_path / "once", "gmciht", "train"):
        texts = {entity.id: entity.text for entity in record.entities}
        rows += [_git(record.text, texts[t.head], t.relation, texts[t.tail]) for t in record.triples]
    _write(tmp_path / "again" / "gmciht" / "renew_triplet_T_train.jsonl", rows, array=True)
    convert(tmp_path / "again", tmp_path / "twice", "clean")
    once, twice = (
        [record.model_dump(exclude={"meta", "id"}) for record in _read(tmp_path / out, "gmciht", "train")]
        for out in ("once", "twice")
    )
    assert once == twice


def test_dropped_rows_are_listed_with_file_place_and_reason(tmp_path: Path) -> None:
    rows = [
        _git(" tnf  fell in  rats .", "tnf", "PROCESS_OF", "mice"),
        _git(" tnf  fell in  rats .", "tnf", "PROCESS_OF", "rats"),
        _git("tnf \ud83e fell in rats", "tnf", "PROCESS_OF", "rats"),
        _git("tnf fell in rats", "tnf", " ", "rats"),
        _git("tnf fell in rats", "tnf", "A\tB", ""),
        _git(" \n", "tnf", "PROCESS_OF", "rats"),
        _git(" tnf  fell in  rats .", "tnf", "PROCESS_OF", "rats"),
    ]
    path = tmp_path / "gmciht" / "renew_triplet_T_train.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for view, kept in (("published", 2), ("clean", 1)):
        tallies = convert(tmp_path, tmp_path / view, view)  # type: ignore[arg-type]
        counts = tallies["gmciht"].to_json()["splits"]["train"]["rows"]
        assert (counts["read"], counts["kept"]) == (7, kept)
        assert counts["dropped"]["not_located"] == 2
        assert counts["dropped"]["surrogate"] == 1
        assert counts["dropped"]["empty"] == 2
    lines = (tmp_path / "clean" / "gmciht" / "dropped.tsv").read_text().splitlines()
    file = "train\trenew_triplet_T_train.jsonl"
    assert lines == [
        "split\tfile\twhere\trelation\treason\tdetail",
        f"{file}\tline 1\tPROCESS_OF\tnot_located\tthe tail 'mice' is not in the text",
        f"{file}\tline 3\tPROCESS_OF\tsurrogate\tU+D83E at character 4 of 'tnf \\ud83e fell in rats'",
        f"{file}\tline 4\t \tempty\tthe relation has no name",
        f'{file}\tline 5\t"A\\tB"\tnot_located\tthe tail is empty',
        f"{file}\tline 6\tPROCESS_OF\tempty\tthe text is empty",
        f"{file}\tline 7\tPROCESS_OF\tduplicate\tthe same row stands above",
    ]


LAYOUTS = {
    "ours": "{ours}",
    "BioMedRAG's folder": "{theirs}",
    "its repository": "dataset/{theirs}",
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(
    ("name", "theirs", "files", "others"),
    [
        ("gmciht", "0_GM-CIHT", ["renew_triplet_T_train.jsonl", "renew_triplet_T_test.jsonl"], []),
        ("ddi", "1_DDI", ["dev_triples.json", "test_triples.json"], ["DDI_test.json", "rel2id.json"]),
        ("chemprot", "2_chemprot", ["train_triples.json"], ["Chem_test.json", "train.jsonl", "valid.jsonl"]),
        ("ade", "ade_classification", ["ade_corpus_v2_test.json"], []),
    ],
)
def test_convert_finds_the_splits_and_passes_over_other_files(
    tmp_path: Path, layout: str, name: str, theirs: str, files: list[str], others: list[str]
) -> None:
    folder = tmp_path / "data" / layout.format(ours=name, theirs=theirs)
    rows: Rows = {"gmciht": GIT_TRAIN, "ddi": DDI_TRAIN, "chemprot": CHEMPROT_DEV, "ade": ADE_TRAIN}[name]
    for file in files:
        _write(folder / file, rows, array=True)
    for file in others:
        _write(folder / file, [{"other": "shape"}], array=True)
    tally = convert(tmp_path / "data", tmp_path / "out", "published")[name]
    assert sorted(tally.files.values()) == sorted(files)
    assert all(file in Counter(tally.files.values()) for file in files)


def test_convert_takes_the_4000_ade_rows_before_the_full_train_file(tmp_path: Path) -> None:
    _write(tmp_path / "ade" / "ade_corpus_v2_train.json", ADE_TRAIN, array=False)
    _write(tmp_path / "ade" / "ade_corpus_v2_train_4000.json", ADE_TRAIN[:50], array=False)
    rows = convert(tmp_path, tmp_path / "out", "published")["ade"].to_json()["splits"]
    assert rows["train"]["rows"]["read"] + rows["dev"]["rows"]["read"] == 50
    (tmp_path / "ade" / "ade_corpus_v2_train_4000.json").unlink()
    rows = convert(tmp_path, tmp_path / "out", "published")["ade"].to_json()["splits"]
    assert rows["train"]["rows"]["read"] + rows["dev"]["rows"]["read"] == 200


def test_convert_takes_one_dataset_from_a_folder_of_any_name(tmp_path: Path) -> None:
    _write(tmp_path / "mine" / "dev_triples.json", CHEMPROT_DEV, array=False)
    assert list(convert(tmp_path / "mine", tmp_path / "out", "clean", ["chemprot"])) == ["chemprot"]
    with pytest.raises(BiochunkError, match="found no benchmark files under"):
        convert(tmp_path / "mine", tmp_path / "out", "clean")


def test_convert_names_a_wrong_argument(data: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="found dataset 'git', expected one of: gmciht, ddi, chemprot, ade"):
        convert(data, tmp_path / "out", "clean", ["git"])
    with pytest.raises(BiochunkError, match="there is no such folder"):
        convert(tmp_path / "none", tmp_path / "out", "clean")
    with pytest.raises(BiochunkError, match="not a folder"):
        convert(data / "ade" / "ade_corpus_v2_train_4000.json", tmp_path / "out", "clean")
    (data / "empty").mkdir()
    with pytest.raises(BiochunkError, match="expected gmciht: a folder gmciht or gm-ciht or 0_gm-ciht;"):
        convert(data / "empty", tmp_path / "out", "clean")


def test_convert_wants_one_file_a_split(tmp_path: Path) -> None:
    for file in ("dev_triples.json", "dev_triples.jsonl"):
        _write(tmp_path / "ddi" / file, DDI_TRAIN, array=True)
    with pytest.raises(BiochunkError, match=r"dev_triples\.json, dev_triples\.jsonl all fit; keep one"):
        convert(tmp_path, tmp_path / "out", "clean")


MISFITS: dict[str, tuple[str, Any, str]] = {
    "no text": ("gmciht", {"SUBJECT_TEXT": "a"}, "item 2 of the array, SENTENCE: found the keys SUBJECT_TEXT"),
    "text of another type": ("gmciht", _git(3, "a", "b", "c"), "SENTENCE: found 3, expected a string"),  # type: ignore[arg-type]
    "no triples": ("ddi", {"text": "a"}, "triple_list: found the keys text, expected the key 'triple_list'"),
    "triples of another type": ("ddi", {"text": "a", "triple_list": {}}, "expected a list of [head, relation, tail]"),
    "a pair": ("ddi", {"text": "a", "triple_list": [["a", "b"]]}, "triple_list.0: found ['a', 'b']"),
    "a null": ("ddi", {"text": "a", "triple_list": [["a", None, "b"]]}, "expected [head, relation, tail], three strings"),
    "no label": ("ade", {"text": "a"}, "label: found nothing, expected 0 or 1"),
    "a label of another type": ("ade", {"text": "a", "label": True}, "label: found True, expected 0 or 1"),
    "another label": ("ade", {"text": "a", "label": "1"}, "label: found '1', expected 0 or 1"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "row", "message"), MISFITS.values(), ids=MISFITS)
def test_convert_names_every_row_of_another_shape(tmp_path: Path, name: str, row: dict[str, Any], message: str) -> None:
    file = {
        "gmciht": "renew_triplet_T_test.jsonl",
        "ddi": "test_triples.json",
        "ade": "ade_corpus_v2_test.json",
    }[name]
    good = {"gmciht": GIT_TRAIN, "ddi": DDI_TRAIN, "ade": ADE_TRAIN}[name][0]
    _write(tmp_path / name / file, [good, row, row], array=True)
    with pytest.raises(FileFaultsError) as caught:
        convert(tmp_path, tmp_path / "out", "published")
    assert len(caught.value.faults) == 2
    assert message in str(caught.value)
    # Nothing half-done stays behind.
    assert _files(tmp_path / "out") == {}


def test_convert_stops_listing_faults_of_a_file_of_another_kind(tmp_path: Path) -> None:
    _write(tmp_path / "ddi" / "test_triples.json", [{"x": 1}] * 1000, array=True)
    with pytest.raises(FileFaultsError) as caught:
        convert(tmp_path, tmp_path / "out", "published")
    assert len(caught.value.faults) == 50


def test_convert_refuses_a_folder_with_splits_that_it_would_not_replace(data: Path, tmp_path: Path) -> None:
    convert(data, tmp_path / "out", "clean")
    before = _files(tmp_path / "out")
    with pytest.raises(BiochunkError, match=r"store\.jsonl' from another conversion"):
        convert(data, tmp_path / "out", "published")
    assert _files(tmp_path / "out") == before


def test_convert_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are written as they are read: of a million, no more than a few are ever held."""
    alive = Counter[str]()

    class Counted(Record):
        def __init__(self, **values: Any) -> None:
            super().__init__(**values)
            alive["now"] += 1
            alive["most"] = max(alive["most"], alive["now"])

        def __del__(self) -> None:
            alive["now"] -= 1

    monkeypatch.setattr("biochunk.corpora.published.Record", Counted)
    _write(tmp_path / "ade" / "ade_corpus_v2_test.json", ADE_TRAIN * 10, array=True)
    convert(tmp_path, tmp_path / "out", "published")
    assert len(_read(tmp_path / "out", "ade", "test")) == 2000
    assert alive["most"] <= 3


def test_tally_notices_a_lost_row() -> None:
    tally = Tally()
    tally.read("train", "TREATS")
    tally.read("train", "TREATS")
    tally.outcome("train", "TREATS", "kept")
    with pytest.raises(BiochunkError, match="train/TREATS: 2 rows read and 1 accounted for"):
        tally.check()


def test_report_has_the_same_numbers_as_table_and_json(data: Path, tmp_path: Path) -> None:
    tallies = convert(data, tmp_path / "out", "clean")
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report == json.loads(to_json("clean", tallies))
    lines = [line.split() for line in to_table("clean", tallies).splitlines()]
    assert lines[0] == ["view", "clean", "read", "kept", "grouped", "dropped", "why"]
    assert ["gmciht", "test", "6", "2", "0", "4", "duplicate", "3,", "in_train", "1"] in lines
    assert ["TREATS", "2", "1", "0", "1", "duplicate", "1"] in lines
    assert set(report["datasets"]) == set(SOURCES)


def test_corpora_command(data: Path, tmp_path: Path) -> None:
    """The command line end to end: result, report on stdout, one clear line and exit code for what is wrong."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from biochunk.cli import main; main()", "corpora", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    done = run(
        "convert",
        str(data),
        "-o",
        str(tmp_path / "out"),
        "--view",
        "clean",
        "--dataset",
        "ddi",
        "--format",
        "json",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list(json.loads(done.stdout)["datasets"]) == ["ddi"]
    assert run("check", str(tmp_path / "out" / "ddi" / "train.jsonl")).returncode == 0
    wrong = run("convert", str(tmp_path / "none"), "-o", str(tmp_path / "out"), "--view", "clean")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("Error: [B009] Cannot read")
    assert wrong.stderr.count("\n") == 1
    assert run("convert", str(data), "-o", str(tmp_path / "out"), "--view", "other").returncode == 2
