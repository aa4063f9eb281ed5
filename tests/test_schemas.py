"""Broken dataset files of the kinds that a person makes: each gives clear faults, quickly, and no traceback."""
# ruff: noqa: E501 - a table of one broken file a line reads best unbroken

import copy
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from biochunk.cli import app
from biochunk.errors import FileFaultsError
from biochunk.schemas import check_dataset, read_dataset

GOOD: dict[str, Any] = {
    "schema_version": 1,
    "name": "demo",
    "version": "0.1.0",
    "relations": {
        "TREATS": {
            "definition": "A drug treats a disease.",
            "weight": 4,
            "triggers": [
                {"phrase": "treat", "tier": 1, "pos": "verb"},
                {"phrase": "therapy", "tier": 2, "pos": "noun"},
            ],
            "rejected": ["patients"],
        },
        "CAUSES": {
            "definition": "A drug causes a disease.",
            "weight": 3,
            "triggers": [
                {"phrase": "after", "tier": 3, "pos": "preposition", "invert": True},
                {"phrase": "label", "tier": 3, "pos": "verb", "forms": ["labels", "labelled"]},
            ],
        },
    },
    "negation": {"pre": ["not"]},
    "context_markers": ["in patients with"],
    "entities": {"rules": ["brackets"], "patterns": [{"name": "code", "pattern": "[A-Z]{3}\\d+"}]},
    "parameters": {"hybrid_selector": {"top_k": 2}},
}

Change = Callable[[dict[str, Any]], object]
TREATS = "relations.TREATS"


def at(data: dict[str, Any], path: str) -> Any:
    """What stands at a key path ("relations.TREATS.triggers.0")."""
    here: Any = data
    for part in path.split(".") if path else ():
        here = here[int(part)] if isinstance(here, list) else here[part]
    return here


def put(path: str, value: object) -> Change:
    """A mutation that writes a value at a key path."""
    parent, _, key = path.rpartition(".")

    def change(data: dict[str, Any]) -> None:
        here = at(data, parent)
        here[int(key) if isinstance(here, list) else key] = value

    return change


def drop(path: str) -> Change:
    """A mutation that takes away a key."""
    parent, _, key = path.rpartition(".")
    return lambda data: at(data, parent).pop(key)


def add(path: str, value: object) -> Change:
    """A mutation that adds an item to a list."""
    return lambda data: at(data, path).append(value)


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


def pattern(text: str, **options: object) -> dict[str, Any]:
    return {"name": "mine", "pattern": text, **options}


# name: (mutation, where, part of "found", part of "expected")
BROKEN: dict[str, tuple[Change, str, str, str]] = {
    "typo in a key": (put(f"{TREATS}.weigth", 3), f"{TREATS}.weigth", "'weigth'", "'weight'"),
    "typo in a top key": (put("relation", {}), "relation", "'relation'", "'relations'"),
    "typo in a trigger's key": (put(f"{TREATS}.triggers.0.teir", 1), f"{TREATS}.triggers.0.teir", "'teir'", "'tier'"),
    "key of nowhere": (put("xyz", 1), "xyz", "'xyz'", "one of: context_markers"),
    "key of nowhere in learned": (
        put(f"{TREATS}.triggers.0.learned", {"tier": 1, "count": 3, "share": 0.5, "by": "me"}),
        f"{TREATS}.triggers.0.learned.by", "'by'", "one of: count, share, tier",
    ),
    "typo in a component": (put("parameters.hybrid_selecter", {}), "parameters.hybrid_selecter", "selecter", "'hybrid_selector'"),
    "typo in an option": (put("parameters.hybrid_selector.topk", 2), "parameters.hybrid_selector.topk", "'topk'", "'top_k'"),
    "unknown target relation": (
        put("parameters.hybrid_selector.target_relation", "TREAT"),
        "parameters.hybrid_selector.target_relation", "'TREAT'", "TREATS, CAUSES",
    ),
    "tier 4": (put(f"{TREATS}.triggers.0.tier", 4), f"{TREATS}.triggers.0.tier", "4", "1, 2 or 3"),
    "tier 0": (put(f"{TREATS}.triggers.1.tier", 0), f"{TREATS}.triggers.1.tier", "0", "1, 2 or 3"),
    "tier as text": (put(f"{TREATS}.triggers.0.tier", "1"), f"{TREATS}.triggers.0.tier", '"1"', "1, 2 or 3"),
    "tier as boolean": (put(f"{TREATS}.triggers.0.tier", True), f"{TREATS}.triggers.0.tier", "true", "a number"),
    "format version as boolean": (put("schema_version", True), "schema_version", "true", "a number"),
    "trigger of punctuation": (put(f"{TREATS}.triggers.0.phrase", "..."), f"{TREATS}.triggers.0.phrase", "...", "a letter or a digit"),
    "invisible trigger": (
        put(f"{TREATS}.triggers.0.phrase", "\u200b"), f"{TREATS}.triggers.0.phrase", "\\u200b", "a letter or a digit",
    ),
    "invisible definition": (put(f"{TREATS}.definition", "\u200d."), f"{TREATS}.definition", "\\u200d", "a letter or a digit"),
    "tier missing": (drop(f"{TREATS}.triggers.0.tier"), f"{TREATS}.triggers.0.tier", "nothing", "required"),
    "duplicate trigger": (
        add(f"{TREATS}.triggers", {"phrase": "treat", "tier": 2}), f"{TREATS}.triggers", "'treat' at 0 and at 2", "once",
    ),
    "duplicate trigger by case and space": (
        add(f"{TREATS}.triggers", {"phrase": " Therapy ", "tier": 2}), f"{TREATS}.triggers", "'Therapy'", "once",
    ),
    "trigger that is rejected": (put(f"{TREATS}.rejected", ["Treat"]), TREATS, "'treat'", "one of the two lists"),
    "trigger without a phrase": (drop(f"{TREATS}.triggers.0.phrase"), f"{TREATS}.triggers.0.phrase", "nothing", "required"),
    "blank trigger": (put(f"{TREATS}.triggers.0.phrase", "  "), f"{TREATS}.triggers.0.phrase", '"  "', "at least 1 character"),
    "trigger as text": (add(f"{TREATS}.triggers", "cure"), f"{TREATS}.triggers.2", '"cure"', "an object"),
    "trigger with a line break": (
        put(f"{TREATS}.triggers.0.phrase", "lead\nto"), f"{TREATS}.triggers.0.phrase", "lead\\nto", "one line",
    ),
    "trigger with a null byte": (
        put(f"{TREATS}.triggers.0.phrase", "tre\0at"), f"{TREATS}.triggers.0.phrase", "tre\\u0000at", "control characters",
    ),
    "trigger of 300 characters": (
        put(f"{TREATS}.triggers.0.phrase", "a" * 300), f"{TREATS}.triggers.0.phrase", "aaa...", "at most 200 characters",
    ),
    "triggers as object": (put(f"{TREATS}.triggers", {"treat": 1}), f"{TREATS}.triggers", "an object", "an array"),
    "unknown part of speech": (put(f"{TREATS}.triggers.0.pos", "vreb"), f"{TREATS}.triggers.0.pos", '"vreb"', "'verb'"),
    "unknown pattern name": (
        put(f"{TREATS}.triggers.0.patterns", ["suffix"]), f"{TREATS}.triggers.0.patterns.0", '"suffix"', "'infix'",
    ),
    "no pattern at all": (put(f"{TREATS}.triggers.0.patterns", []), f"{TREATS}.triggers.0.patterns", "an empty array", "at least 1"),
    "no form at all": (put(f"{TREATS}.triggers.0.forms", []), f"{TREATS}.triggers.0.forms", "an empty array", "at least 1"),
    "forms as text": (put(f"{TREATS}.triggers.0.forms", "treats"), f"{TREATS}.triggers.0.forms", '"treats"', "an array"),
    "invert as text": (put(f"{TREATS}.triggers.0.invert", "yes"), f"{TREATS}.triggers.0.invert", '"yes"', "true or false"),
    "share above one": (
        put(f"{TREATS}.triggers.0.learned", {"tier": 1, "count": 3, "share": 50}),
        f"{TREATS}.triggers.0.learned.share", "50", "less than or equal to 1",
    ),
    "weight as text": (put(f"{TREATS}.weight", "4"), f"{TREATS}.weight", '"4"', "a number"),
    "weight as boolean": (put(f"{TREATS}.weight", True), f"{TREATS}.weight", "true", "a number"),
    "weight null": (put(f"{TREATS}.weight", None), f"{TREATS}.weight", "null", "a number"),
    "negative weight": (put(f"{TREATS}.weight", -1), f"{TREATS}.weight", "-1", "greater than or equal to 0"),
    "huge weight": (put(f"{TREATS}.weight", 1000), f"{TREATS}.weight", "1000", "less than or equal to 100"),
    "weight missing": (drop(f"{TREATS}.weight"), f"{TREATS}.weight", "nothing", "required"),
    "blank definition": (put(f"{TREATS}.definition", " "), f"{TREATS}.definition", '" "', "at least 1 character"),
    "definition missing": (drop(f"{TREATS}.definition"), f"{TREATS}.definition", "nothing", "required"),
    "empty relations": (put("relations", {}), "relations", "an empty object", "at least 1"),
    "relations as list": (put("relations", ["TREATS"]), "relations", "an array", "an object"),
    "relation as number": (put("relations.TREATS", 4), "relations.TREATS", "4", "an object"),
    "blank relation": (lambda d: d["relations"].update({" ": d["relations"]["TREATS"]}), "relations. ", '" "', "at least 1 character"),
    "relation with a tab": (
        lambda d: d["relations"].update({"A\tB": d["relations"]["TREATS"]}), "relations.A\tB", "A\\tB", "control characters",
    ),
    "relations that differ by case": (
        lambda d: d["relations"].update({"treats": d["relations"]["CAUSES"]}), "relations", "'TREATS' and 'treats'", "case",
    ),
    "relations missing": (drop("relations"), "relations", "nothing", "required"),
    "other format version": (put("schema_version", 2), "schema_version", "2", "1"),
    "no format version": (drop("schema_version"), "schema_version", "nothing", "required"),
    "name with a space": (put("name", "My data"), "name", '"My data"', "small letters"),
    "version of two parts": (put("version", "1.0"), "version", '"1.0"', "0.1.0"),
    "version in other digits": (put("version", "\u0661.0.0"), "version", "\u0661", "0.1.0"),
    "huge option": (
        put("parameters.hybrid_selector.max_tokens", 10**30), "parameters.hybrid_selector.max_tokens", "1000", "1000000",
    ),
    "empty entity source": (
        put("parameters.bio_entity_spans", {"source": ""}), "parameters.bio_entity_spans.source", '""', "at least 1",
    ),
    "unknown task": (put("task", "ner"), "task", '"ner"', "'triples' or 'classification'"),
    "bad regex": (put("entities.patterns.0", pattern("([A-Z")), "entities.patterns.0", "missing", "RE2"),
    "regex with look-behind": (put("entities.patterns.0", pattern("(?<=a)b")), "entities.patterns.0", "(?<=a)b", "RE2"),
    "regex with a back-reference": (put("entities.patterns.0", pattern(r"(a)\1")), "entities.patterns.0", r"\1", "RE2"),
    "regex that explodes": (
        put("entities.patterns.0", pattern("((a{100}){100}){100}")), "entities.patterns.0", "a{100}", "RE2",
    ),
    "regex of nothing": (put("entities.patterns.0", pattern("a*")), "entities.patterns.0", "empty text", "needs a character"),
    "regex of 3000 characters": (
        put("entities.patterns.0", pattern("a" * 3000)), "entities.patterns.0.pattern", "aaa...", "at most 2000",
    ),
    "group that is not there": (put("entities.patterns.0", pattern("(a)b", group=2)), "entities.patterns.0", "group 2", "0 to 1"),
    "unknown rule": (put("entities.rules", ["bracket"]), "entities.rules.0", '"bracket"', "'brackets'"),
    "cues as text": (put("negation.pre", "not"), "negation.pre", '"not"', "an array"),
    "marker as number": (put("context_markers", [3]), "context_markers.0", "3", "text in quotes"),
    "top_k zero": (put("parameters.hybrid_selector.top_k", 0), "parameters.hybrid_selector.top_k", "0", "greater than or equal to 1"),
    "top_k a fraction": (put("parameters.hybrid_selector.top_k", 1.5), "parameters.hybrid_selector.top_k", "1.5", "a whole number"),
    "mix above one": (put("parameters.hybrid_selector.mix", 70), "parameters.hybrid_selector.mix", "70", "less than or equal to 1"),
    "bounds crossed": (
        put("parameters.hybrid_selector", {"min_tokens": 12, "max_tokens": 5}), "parameters.hybrid_selector", "12", "<=",
    ),
    "two tier bonuses": (
        put("parameters.relation_resolver", {"tier_bonus": [3, 2]}),
        "parameters.relation_resolver.tier_bonus", "an array", "at least 3",
    ),
    "unknown source": (
        put("parameters.hybrid_selector.sources", ["windows"]), "parameters.hybrid_selector.sources.0", '"windows"', "'entity'",
    ),
    "nested too deeply": (put("description", nested(90)), "description", "an array", "text in quotes"),
}  # fmt: skip


def mutated(change: Change) -> dict[str, Any]:
    data = copy.deepcopy(GOOD)
    change(data)
    return data


def faults_of(path: Path) -> list[tuple[str, str, str]]:
    with pytest.raises(FileFaultsError) as caught:
        read_dataset(path)
    assert str(caught.value).startswith(f"{path}: ")
    return [(fault.where, fault.found, fault.expected) for fault in caught.value.faults]


def test_schemas_accepts_the_file_that_the_others_are_made_from() -> None:
    assert list(check_dataset(copy.deepcopy(GOOD)).relations) == ["TREATS", "CAUSES"]


@pytest.mark.parametrize("name", BROKEN)
def test_schemas_broken_content_gives_one_clear_fault(name: str, tmp_path: Path) -> None:
    change, where, found, expected = BROKEN[name]
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(mutated(change)))
    start = time.process_time()
    [fault] = faults_of(path)
    assert time.process_time() - start < 2
    assert fault[0] == where
    assert found in fault[1]
    assert expected in fault[2]


GOOD_TEXT = json.dumps(GOOD)

# name: (bytes of the file, where, part of "found", part of "expected")
BROKEN_BYTES: dict[str, tuple[bytes, str, str, str]] = {
    "empty file": (b"", "line 1 column 1", "no JSON", "a JSON object"),
    "not JSON": (b"name: demo\n", "line 1 column 1", "no JSON", "a JSON object"),
    "comment in JSON": (b'{\n  // mine\n  "name": "x"}', "line 2 column 3", "no JSON", "a JSON object"),
    "trailing comma": (b'{"name": "x",}', "line 1 column 14", "no JSON", "a JSON object"),
    "cut off": (GOOD_TEXT[:-20].encode(), "line 1", "no JSON", "a JSON object"),
    "two objects": (GOOD_TEXT.encode() * 2, "line 1", "extra data", "a JSON object"),
    "a list": (b"[1, 2]", "file", "an array", "an object"),
    "a number": (b"7", "file", "a number", "an object"),
    "UTF-16": (GOOD_TEXT.encode("utf-16"), "byte 0", "0xff", "UTF-8"),
    "Latin-1": (GOOD_TEXT.replace("drug", "dr\u00fcg").replace("\\u00fc", "x").encode("latin-1"), "byte ", "0xfc", "UTF-8"),
    "null bytes": (b"\0" * 64, "line 1 column 1", "no JSON", "a JSON object"),
    "duplicate key": (b'{"name": "a", "name": "b"}', "file", "'name' 2 times", "once"),
    "duplicate relation": (
        GOOD_TEXT.replace('"CAUSES"', '"TREATS"').encode(), "file", "'TREATS' 2 times", "once",
    ),
    "NaN": (GOOD_TEXT.replace('"weight": 4', '"weight": NaN').encode(), "file", "NaN", "a number"),
    "infinity": (GOOD_TEXT.replace('"weight": 4', '"weight": -Infinity').encode(), "file", "-Infinity", "a number"),
    "number beyond all bounds": (GOOD_TEXT.replace('"weight": 4', '"weight": 1e999').encode(), "file", "not finite", "a number"),
    "number of 5000 digits": (GOOD_TEXT.replace('"weight": 4', f'"weight": {"9" * 5000}').encode(), "file", "digits", "a number"),
    "half a character": (GOOD_TEXT.replace('"treat"', '"tre\\ud83eat"').encode(), "file", "U+D83E", "Unicode"),
    "brackets 100,000 deep": (b"[" * 100_000 + b"]" * 100_000, "file", "too deeply", "a dataset object"),
    "objects 100,000 deep": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "file", "too deeply", "a dataset object"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN_BYTES)
def test_schemas_broken_bytes_give_one_clear_fault(name: str, tmp_path: Path) -> None:
    data, where, found, expected = BROKEN_BYTES[name]
    path = tmp_path / "broken.json"
    path.write_bytes(data)
    [fault] = faults_of(path)
    assert fault[0].startswith(where)
    assert found in fault[1]
    assert expected in fault[2]


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda path: path, "no such file"),
        (lambda path: path.mkdir() or path, "directory"),
        (lambda path: path / "below", "no such file"),
        (lambda path: Path(f"{path}\0x"), "null"),
        (lambda path: path.with_name("n" * 300), "too long"),
    ],
)
def test_schemas_unreadable_path_gives_one_clear_fault(
    make: Callable[[Path], Path], found: str, tmp_path: Path
) -> None:
    [fault] = faults_of(make(tmp_path / "dataset.json"))
    assert fault[0] == "file"
    assert found in fault[1]
    assert fault[2] == "a readable file"


def test_schemas_accepts_a_byte_order_mark_and_crlf(tmp_path: Path) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(json.dumps(GOOD, indent=1).replace("\n", "\r\n").encode("utf-8-sig"))
    assert read_dataset(path).name == "demo"


def test_schemas_lists_every_fault_of_a_file() -> None:
    data = mutated(put(f"{TREATS}.weight", "4"))
    put(f"{TREATS}.triggers.0.tier", 4)(data)
    put("relations.CAUSES.wieght", 1)(data)
    put("relatoins", {})(data)
    with pytest.raises(FileFaultsError) as caught:
        check_dataset(data, "x.json")
    assert [fault.where for fault in caught.value.faults] == [
        f"{TREATS}.weight",
        f"{TREATS}.triggers.0.tier",
        "relations.CAUSES.wieght",
        "relatoins",
    ]


def test_schemas_pattern_that_hangs_other_engines_is_quick() -> None:
    data = mutated(put("entities.patterns.0", pattern("(a+)+$")))
    start = time.process_time()
    check_dataset(data)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("name", [*BROKEN, *BROKEN_BYTES])
def test_config_check_reports_each_broken_file_without_traceback(name: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    data = json.dumps(mutated(BROKEN[name][0])).encode() if name in BROKEN else BROKEN_BYTES[name][0]
    path.write_bytes(data)
    result = CliRunner().invoke(app, ["config", "check", str(path)])
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {path}: ")
    assert ": found " in result.stderr
    assert ", expected " in result.stderr


def test_config_check_goes_through_all_files(tmp_path: Path) -> None:
    good, bad, missing = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "missing.json"
    good.write_text(GOOD_TEXT)
    bad.write_text("{")
    result = CliRunner().invoke(app, ["config", "check", str(bad), str(missing), str(good)])
    assert result.exit_code == 1
    assert result.stdout == f"{good}: ok, 2 relations, 4 triggers\n"
    assert str(bad) in result.stderr
    assert str(missing) in result.stderr


def test_config_check_without_a_file_is_bad_usage() -> None:
    assert CliRunner().invoke(app, ["config", "check"]).exit_code == 2


def test_config_schema_writes_what_the_code_says(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    assert CliRunner().invoke(app, ["config", "schema", "-o", str(path)]).exit_code == 0
    printed = CliRunner().invoke(app, ["config", "schema"])
    assert json.loads(printed.stdout) == json.loads(path.read_text())
    assert json.loads(path.read_text())["$schema"].endswith("2020-12/schema")
