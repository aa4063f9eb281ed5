"""`biochunk llm`: the whole way from a corpus file to a scored predictions file, and from a model to an adapter."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.biomedrag.protocol_server import Behaviour, Seen, fails, says, serving

from biochunk.corpora.records import Entity, Record, Triple, write_records

SAMPLES = Path("corpora/samples")
ENDPOINT = ["--base-url", "http://127.0.0.1:9/v1", "--model", "m"]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def record(key: str, head: str, verb: str, tail: str, relation: str) -> Record:
    text = f"{head} {verb} {tail}."
    entities = [
        Entity(id="e1", start=0, end=len(head), text=head),
        Entity(id="e2", start=text.index(tail), end=text.index(tail) + len(tail), text=tail),
    ]
    triples = [Triple(head="e1", relation=relation, tail="e2")]
    return Record(id=key, dataset="tiny", split="train", text=text, entities=entities, triples=triples)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    write_records(
        path, [record("c1", "Aspirin", "treats", "fever", "TREATS"), record("c2", "Iron", "causes", "pain", "CAUSES")]
    )
    return path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store.jsonl"
    write_records(
        path, [record("s1", "Zinc", "treats", "pain", "TREATS"), record("s2", "Gold", "causes", "pain", "CAUSES")]
    )
    return path


def answers(seen: Seen) -> Behaviour:
    return says({"Aspirin treats fever.": "Aspirin|TREATS|fever"}.get(seen.context, "Iron|TREATS|pain"))


def read(cli: Any, corpus: Path, out: Path, *options: str | Path) -> Any:
    return cli("llm", "read", corpus, "--dataset", "gmciht", "-o", out, *options)


def test_read_and_score(cli, corpus: Path, tmp_path: Path):
    out, report = tmp_path / "out.jsonl", tmp_path / "report.json"
    with serving(by=answers) as server:
        options = ["--base-url", server.base_url, "--model", "tiny", "--examples", "0"]
        prices = ["--prompt-price", "10", "--completion-price", "100"]
        ran = read(cli, corpus, out, *options, *prices, "--report", report)
        assert (ran.code, ran.err) == (0, "")
        again = read(cli, corpus, out, *options)
    assert "Prompts: 2, of which 0 were answered before; answers read: 2" in ran.out
    assert "cost: 0.0040" in ran.out
    assert "of which 2 were answered before" in again.out
    assert len(server.seen) == 2
    assert "- TREATS: " in server.seen[0].prompt
    assert json.loads(report.read_text())["prompt_tokens"] == 200
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert lines[0]["triples"] == [{"head": "Aspirin", "relation": "TREATS", "tail": "fever"}]
    scored = cli("score", out)
    assert "F1 0.5 " in scored.out


def test_prompts_show_train_sentences_and_evidence(
    cli, corpus: Path, store: Path, pipeline_folder: str, tmp_path: Path
):
    with serving(by=answers) as server:
        ran = read(
            cli,
            corpus,
            tmp_path / "out.jsonl",
            *["--base-url", server.base_url, "--model", "tiny", "--task", "pairs"],
            *["--train", store, "--store", store, "--pipeline", pipeline_folder],
        )
    assert ran.code == 0, ran.err
    by_context = {seen.context: seen.prompt for seen in server.seen}
    prompt = by_context["Iron causes pain."]
    assert "Gold causes pain" in prompt.partition("Parts of other sentences")[2].partition("Examples:")[0]
    assert "Context: Gold causes pain.\nEntities: Gold; pain\nResponse: Gold|CAUSES|pain" in prompt
    assert prompt.endswith("Entities: Iron; pain\nResponse:")


def test_classification(cli, tmp_path: Path):
    with serving(says("1")) as server:
        ran = cli(
            *["llm", "read", SAMPLES / "ade" / "dev.jsonl", "--dataset", "ade", "-o", tmp_path / "out.jsonl"],
            *["--base-url", server.base_url, "--model", "tiny", "--examples", "0", "--limit", "3"],
        )
    assert ran.code == 0, ran.err
    assert [json.loads(line)["label"] for line in (tmp_path / "out.jsonl").read_text().splitlines()] == [1, 1, 1]


def test_endpoint_that_refuses(cli, tmp_path: Path):
    with serving(fails(401, "Unknown key")) as server:
        ran = cli(
            *["llm", "read", SAMPLES / "gmciht" / "dev.jsonl", "--dataset", "gmciht", "-o", tmp_path / "out.jsonl"],
            *["--base-url", server.base_url, "--model", "tiny", "--examples", "0", "--patience", "2"],
        )
    assert ran.code == 1
    assert "2 requests in a row failed, the last with http_401 (Unknown key)" in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "out.jsonl").exists()


def test_no_answer_at_all(cli, corpus: Path, tmp_path: Path):
    report = tmp_path / "report.json"
    with serving(fails(400, "no such model")) as server:
        options = ("--base-url", server.base_url, "--model", "m", "--examples", "0", "--report", report)
        ran = read(cli, corpus, tmp_path / "out.jsonl", *options)
    assert ran.code == 1
    assert f"{server.base_url}/chat/completions: none of 2 prompts got an answer (http_400: 2)" in ran.err
    assert "the last with http_400 (no such model)" in ran.err
    assert "Check base_url, model and the API key" in ran.err
    assert json.loads(report.read_text())["failures"] == {"http_400": 2}
    assert not (tmp_path / "out.jsonl").exists()


def test_without_anything_to_show_prompts_have_no_examples(cli, corpus: Path, tmp_path: Path):
    with serving(by=answers) as server:
        ran = read(cli, corpus, tmp_path / "out.jsonl", "--base-url", server.base_url, "--model", "tiny")
    assert ran.code == 0, ran.err
    assert ran.err.startswith("Note: prompts show no examples")
    assert "Examples:" not in server.seen[0].prompt


def test_model_is_missed_first(cli, tmp_path: Path):
    ran = read(cli, tmp_path / "no.jsonl", tmp_path / "no" / "out.jsonl")
    assert ran.code == 2
    assert ran.err.startswith("Error: found no model, expected --base-url URL and --model NAME")


@pytest.mark.parametrize("option", ["--report", "--cache"])
@pytest.mark.parametrize("name", ["out.jsonl", "./out.jsonl", "x/../out.jsonl"])
@pytest.mark.parametrize("there", [True, False])
def test_outputs_are_different_files(cli, corpus: Path, tmp_path: Path, option: str, name: str, there: bool):
    out = tmp_path / "out.jsonl"
    (tmp_path / "x").mkdir()
    if there:
        out.write_text("old")
    ran = read(cli, corpus, out, *ENDPOINT, option, f"{tmp_path}/{name}")
    assert ran.code == 2
    assert "another output has the same name" in ran.err
    assert out.exists() == there and (not there or out.read_text() == "old")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--examples", "0"], "--local"),
        ([*ENDPOINT, "--local", "x", "--examples", "0"], "--local"),
        ([*ENDPOINT[:2], "--examples", "0"], "--model"),
        ([*ENDPOINT, "--adapter", "x", "--examples", "0"], "--adapter"),
        ([*ENDPOINT, "--examples", "1"], "--examples 1"),
        ([*ENDPOINT, "--examples", "0", "--extra", "[" * 100_000], "--extra"),
        ([*ENDPOINT, "--examples", "0", "--timeout", "inf"], "timeout inf"),
        ([*ENDPOINT, "--examples", "0", "--prompt-price", "inf", "--completion-price", "1"], "prices"),
        ([*ENDPOINT, "--examples", "0", "--prompt-price", "1"], "--completion-price"),
        ([*ENDPOINT, "--examples", "0", "--extra", "[1]"], "--extra"),
        ([*ENDPOINT, "--examples", "0", "--extra", "{"], "--extra"),
        ([*ENDPOINT, "--examples", "0", "--pipeline", "x"], "--store"),
        ([*ENDPOINT, "--examples", "0", "--key-variable", "NO_SUCH_KEY"], "NO_SUCH_KEY"),
        (["--base-url", "localhost", "--model", "m", "--examples", "0"], "base_url"),
        (["--local", "no/such/folder", "--examples", "0"], "no/such/folder"),
    ],
)
def test_wrong_options(cli, corpus: Path, tmp_path: Path, options: list[str], message: str):
    ran = read(cli, corpus, tmp_path / "out.jsonl", *options)
    assert ran.code == 2, ran.err
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / "out.jsonl").exists()


def test_relations_of_another_dataset(cli, corpus: Path, tmp_path: Path):
    ran = cli("llm", "read", corpus, "--dataset", "ddi", "-o", tmp_path / "o.jsonl", *ENDPOINT, "--examples", "0")
    assert ran.code == 1
    assert "record 'c1': relation: found 'TREATS', expected one of the dataset's" in ran.err
    assert "record 'c2'" in ran.err


def test_labels_that_are_none(cli, corpus: Path, tmp_path: Path):
    ran = cli("llm", "read", corpus, "--dataset", "ade", "-o", tmp_path / "o.jsonl", *ENDPOINT, "--examples", "0")
    assert ran.code == 1
    assert "record 'c1': label: found None, expected 0 or 1" in ran.err


def test_empty_corpus(cli, tmp_path: Path):
    (tmp_path / "empty.jsonl").write_text("")
    ran = read(cli, tmp_path / "empty.jsonl", tmp_path / "out.jsonl", *ENDPOINT, "--examples", "0")
    assert ran.code == 2
    assert "no record" in ran.err


def test_train_a_local_model_and_read_with_it(cli, corpus: Path, tmp_path: Path):
    pytest.importorskip("peft")
    from tests.biomedrag.tiny_causal import save_tiny_model

    model, adapter = save_tiny_model(tmp_path / "model"), tmp_path / "adapter"
    knowledge = tmp_path / "tiny.json"
    relations = {name: {"definition": "It does.", "weight": 1} for name in ("TREATS", "CAUSES")}
    knowledge.write_text(json.dumps({"schema_version": 1, "name": "tiny", "relations": relations}))
    same = ["--dataset", knowledge, "--examples", "0"]
    ran = cli(
        *["llm", "train", corpus, *same, "--model", model, "-o", adapter, "--device", "cpu"],
        *["--epochs", "1", "--learning-rate", "0.01"],
    )
    assert ran.code == 0, ran.err
    assert "learned from 2 prompts; loss a token by epoch: " in ran.out
    again = cli("llm", "train", corpus, *same, "--model", model, "-o", adapter, "--epochs", "1", "--max-length", "100")
    assert again.code == 2
    assert "2 lessons of more than 100 tokens" in again.err
    assert (adapter / "adapter_model.safetensors").is_file()
    out = tmp_path / "out.jsonl"
    ran = cli(
        *["llm", "read", corpus, *same, "--local", model, "--adapter", adapter, "-o", out],
        *["--max-tokens", "8", "--device", "cpu"],
    )
    assert ran.code == 0, ran.err
    assert "Prompts: 2" in ran.out
    assert len(out.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("target", "message"), [("file", "found a file"), ("full", "found other files"), ("model", "the model is in")]
)
def test_training_replaces_nothing_but_an_adapter(cli, corpus: Path, tmp_path: Path, target: str, message: str):
    (tmp_path / "file").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("")
    (tmp_path / "model").mkdir()
    ran = cli(
        *["llm", "train", corpus, "--dataset", "gmciht", "--examples", "0"],
        *["--model", tmp_path / "model", "-o", tmp_path / target],
    )
    assert ran.code == 2
    assert message in ran.err
