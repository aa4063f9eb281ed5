"""From a dataset to a pipeline, in memory: `biochunk.build`."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy import util
from spacy.language import Language

from biochunk.build import build_pipeline, local_paths, read_arm, wants_table
from biochunk.errors import BiochunkError, UsageError
from biochunk.schemas import Dataset, check_dataset
from biochunk.shipped import shipped_file, shipped_names

TEXT = "Aspirin therapy reduces inflammation by inhibiting COX-2 expression."
WORDS = [
    "drug",
    "aspirin",
    "cox",
    "therapy",
    "treats",
    "inhibits",
    "inhibiting",
    "reduces",
    "disease",
    "inflammation",
    "activity",
]


def make_dataset(**changes: Any) -> Dataset:
    """A task of two relations."""
    relations = {
        "INHIBITS": {
            "definition": "A drug inhibits the activity of a target.",
            "weight": 3,
            "triggers": [{"phrase": "inhibit", "tier": 1, "pos": "verb"}],
        },
        "AFFECTS": {
            "definition": "A therapy reduces a disease.",
            "weight": 2,
            "triggers": [{"phrase": "reduce", "tier": 3, "pos": "verb"}],
        },
    }
    return check_dataset({"schema_version": 1, "name": "tiny", "relations": relations, **changes})


@pytest.fixture
def table(tmp_path: Path, tiny_static_encoder: Any) -> Path:
    """Folder of a static table."""
    folder = tmp_path / "table"
    tiny_static_encoder(WORDS).to_disk(folder)
    return folder


def chunk_facts(nlp: Language) -> list[Any]:
    return [(c.text, c.source, c.slot, c.similarity, c.relation, c.priority) for c in nlp(TEXT)._.bio_chunks]


@pytest.mark.parametrize(
    ("arm", "pipes", "sources", "ranking"),
    [
        ("fixed", ["hybrid_selector"], ["fixed"], "cosine"),
        ("fixed_strict", ["hybrid_selector"], ["fixed_strict"], "cosine"),
        ("sentence", ["hybrid_selector"], ["sentence"], "cosine"),
        ("entity", ["bio_entity_spans", "hybrid_selector"], ["entity"], "cosine"),
        (
            "trigger",
            ["bio_entity_spans", "trigger_tagger", "hybrid_selector"],
            ["trigger", "entity"],
            "cosine",
        ),
        (
            "proposition",
            ["bio_entity_spans", "trigger_tagger", "proposition_extractor", "hybrid_selector"],
            ["proposition", "trigger", "entity"],
            "cosine",
        ),
        (
            "tiers",
            [
                "bio_entity_spans",
                "trigger_tagger",
                "proposition_extractor",
                "relation_resolver",
                "hybrid_selector",
            ],
            ["proposition", "trigger", "entity"],
            "cosine_bias",
        ),
        (
            "hybrid",
            [
                "bio_entity_spans",
                "trigger_tagger",
                "proposition_extractor",
                "relation_resolver",
                "hybrid_selector",
            ],
            ["proposition", "trigger", "entity", "fixed"],
            "cosine_bias",
        ),
        (
            "adaptive",
            [
                "bio_entity_spans",
                "trigger_tagger",
                "proposition_extractor",
                "relation_resolver",
                "hybrid_selector",
            ],
            ["pair", "trigger", "entity", "fixed"],
            "adaptive",
        ),
    ],
)
def test_arm_is_its_step_of_the_ladder(
    table: Path, arm: str, pipes: list[str], sources: list[str], ranking: str
) -> None:
    nlp = build_pipeline(make_dataset(), arm=arm, encoder=table)
    options = nlp.get_pipe("hybrid_selector").options
    assert nlp.pipe_names == pipes
    assert (list(options.sources), options.ranking) == (sources, ranking)
    assert nlp.config["nlp"]["tokenizer"]["@tokenizers"] == "biochunk.tokenizer.v1"
    # A short sentence may be a chunk by itself in the arm that plans pieces.
    assert {c.source for c in nlp(TEXT)._.bio_chunks} <= {*sources, *(["sentence"] if "pair" in sources else [])}
    assert nlp(TEXT)._.bio_chunks


def test_every_shipped_config_is_in_the_ladder() -> None:
    assert shipped_names("pipelines") == sorted(
        ["fixed", "fixed_strict", "sentence", "entity", "trigger", "proposition", "tiers", "hybrid", "adaptive"]
    )


@pytest.mark.parametrize("arm", ["fixed", "hybrid"])
def test_config_alone_builds_the_same_pipeline(tmp_path: Path, table: Path, arm: str) -> None:
    """What `spacy assemble` does with a shipped config gives what `build_pipeline` gives."""
    dataset = tmp_path / "tiny.json"
    dataset.write_text(make_dataset().model_dump_json(), encoding="utf8")
    overrides = {"paths.dataset": str(dataset), "paths.encoder": str(table)}
    config = util.load_config(shipped_file("pipelines", arm), overrides=overrides, interpolate=False)
    nlp = util.load_model_from_config(config, auto_fill=True)
    nlp.initialize()
    assert chunk_facts(nlp) == chunk_facts(build_pipeline(make_dataset(), arm=arm, encoder=table))


def test_parameters_of_the_dataset_reach_the_components(table: Path) -> None:
    parameters = {"hybrid_selector": {"top_k": 1}, "relation_resolver": {"mode": "lexicographic"}}
    nlp = build_pipeline(make_dataset(parameters=parameters), encoder=table)
    assert nlp.get_pipe("hybrid_selector").options.top_k == 1
    assert nlp.config["components"]["relation_resolver"]["mode"] == "lexicographic"


def test_what_an_arm_writes_out_wins_over_the_dataset(table: Path) -> None:
    parameters = {"hybrid_selector": {"sources": ["sentence"], "top_k": 1}}
    nlp = build_pipeline(make_dataset(parameters=parameters), arm="entity", encoder=table)
    options = nlp.get_pipe("hybrid_selector").options
    assert (list(options.sources), options.top_k) == (["entity"], 1)


def test_saved_pipeline_needs_no_file_beside_it(tmp_path: Path, table: Path) -> None:
    nlp = build_pipeline(make_dataset(), encoder=table)
    nlp.to_disk(tmp_path / "saved")
    table.rename(tmp_path / "gone")
    assert chunk_facts(spacy.load(tmp_path / "saved")) == chunk_facts(nlp)


def test_no_path_stays_in_what_is_saved(tmp_path: Path, table: Path) -> None:
    build_pipeline(make_dataset(), encoder=table).to_disk(tmp_path / "saved")
    for path in (tmp_path / "saved").rglob("*"):
        if path.is_file():
            assert str(tmp_path).encode() not in path.read_bytes(), path.name


def test_two_builds_save_the_same_bytes(tmp_path: Path, table: Path) -> None:
    for name in ("one", "two"):
        build_pipeline(make_dataset(), encoder=table).to_disk(tmp_path / name)
    one, two = (
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two


def test_meta_says_what_the_pipeline_is_and_needs(table: Path) -> None:
    meta = build_pipeline(make_dataset(description="A task\nof two."), encoder=table, version="1.2.3").meta
    assert (meta["lang"], meta["name"], meta["version"]) == ("en", "biochunk_tiny", "1.2.3")
    assert (meta["description"], meta["license"]) == ("A task of two.", "MIT")
    names = [requirement.split(">")[0].split("<")[0] for requirement in meta["requirements"]]
    assert names == ["biochunk", "spacy"]
    assert meta["requirements"][0] == "biochunk>=0.1,<0.2"


@pytest.mark.parametrize(
    ("arm", "name", "expected"),
    [
        ("hybrid", None, "biochunk_tiny"),
        ("fixed", None, "biochunk_tiny_fixed"),
        ("fixed", "x", "biochunk_x"),
        ("My Arm-2.cfg", None, "biochunk_tiny_my_arm_2"),
        ("hybrid.cfg", None, "biochunk_tiny_hybrid"),
        ("my.cfg", "x", "biochunk_x"),
    ],
)
def test_name_follows_dataset_and_arm(table: Path, tmp_path: Path, arm: str, name: str | None, expected: str) -> None:
    if arm.endswith(".cfg"):
        (tmp_path / arm).write_text("[components.hybrid_selector]\ntop_k = 1\n", encoding="utf8")
        arm = str(tmp_path / arm)
    assert build_pipeline(make_dataset(), arm=arm, encoder=table, name=name).meta["name"] == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"arm": "hybird"}, "found the arm 'hybird', expected one of: adaptive, entity, fixed"),
        ({"arm": "nowhere.cfg"}, "found no file 'nowhere.cfg'"),
        ({"name": "My-Task"}, "found the name 'My-Task'"),
        ({"version": "new"}, "found the version 'new'"),
    ],
)
def test_wrong_options_are_usage_errors(table: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        build_pipeline(make_dataset(), encoder=table, **options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pipeline = [", "this config cannot be used"),
        ('[nlp]\nlang = "en"\n', r"no section \[components\]"),
        ('[components.bio_entity_span]\nsource = "ents"\n', "component 'bio_entity_span', expected one of: bio_entity"),
        (
            '[nlp]\nlang = "en"\npipeline = ["hybrid_selector"]\n[components]\n'
            '[components.hybrid_selector]\nfactory = "hybrid_selector"\ntop_q = 2\n',
            "top_q",
        ),
        (
            '[nlp]\nlang = "en"\npipeline = ["x"]\n[components]\n[components.x]\nfactory = "nowhere"\n',
            "nowhere",
        ),
        ('[nlp]\nlang = "en"\npipeline = []\n[components]\n[components.x]\nsource = ${paths.no}\n', "paths"),
    ],
)
def test_broken_config_is_one_clear_error(tmp_path: Path, table: Path, text: str, message: str) -> None:
    arm = tmp_path / "broken.cfg"
    arm.write_text(text, encoding="utf8")
    with pytest.raises(BiochunkError, match=message) as caught:
        build_pipeline(make_dataset(), arm=str(arm), encoder=table)
    assert "\n" not in str(caught.value)


def test_missing_table_is_an_error() -> None:
    with pytest.raises(BiochunkError, match="holds no table yet"):
        build_pipeline(make_dataset())


def test_own_config_may_hold_other_components(tmp_path: Path, table: Path) -> None:
    arm = tmp_path / "own.cfg"
    text = shipped_file("pipelines", "entity").read_text("utf8")
    text = text.replace('pipeline = ["bio', 'pipeline = ["sentencizer", "bio')
    arm.write_text(text + '\n[components.sentencizer]\nfactory = "sentencizer"\n', encoding="utf8")
    nlp = build_pipeline(make_dataset(), arm=str(arm), encoder=table)
    assert nlp.pipe_names == ["sentencizer", "bio_entity_spans", "hybrid_selector"]
    assert {chunk.sentence for chunk in nlp(f"{TEXT} {TEXT}")._.bio_chunks} == {0, 1}


def test_recogniser_from_a_folder_is_carried_and_its_path_forgotten(tmp_path: Path, table: Path) -> None:
    recogniser = spacy.blank("en")
    recogniser.add_pipe("entity_ruler").add_patterns([{"label": "GENE", "pattern": "COX-2"}])
    recogniser.meta["name"] = "tiny_ner"
    recogniser.to_disk(tmp_path / "ner")
    parameters = {"bio_entity_spans": {"source": str(tmp_path / "ner")}}
    nlp = build_pipeline(make_dataset(parameters=parameters), encoder=table)
    assert local_paths(nlp) == []
    assert nlp.config["components"]["bio_entity_spans"]["source"] == "en_tiny_ner"
    nlp.to_disk(tmp_path / "saved")
    (tmp_path / "ner").rename(tmp_path / "gone")
    assert [e.text for e in spacy.load(tmp_path / "saved")(TEXT)._.bio_entities] == ["COX-2"]


def test_config_without_nlp_is_laid_over_hybrid(tmp_path: Path, table: Path) -> None:
    arm = tmp_path / "part.cfg"
    arm.write_text("[components.hybrid_selector]\ntop_k = 1\n", encoding="utf8")
    nlp = build_pipeline(make_dataset(), arm=str(arm), encoder=table)
    assert nlp.pipe_names == build_pipeline(make_dataset(), encoder=table).pipe_names
    assert nlp.get_pipe("hybrid_selector").options.top_k == 1


@pytest.mark.parametrize(
    ("encoder", "expected"),
    [("", True), ('[components.hybrid_selector.encoder]\n@misc = "biochunk.vectors_encoder.v1"\n', False)],
)
def test_only_the_static_encoder_wants_a_table(tmp_path: Path, encoder: str, expected: bool) -> None:
    arm = tmp_path / "own.cfg"
    arm.write_text(shipped_file("pipelines", "fixed").read_text("utf8") + "\n" + encoder, encoding="utf8")
    assert wants_table(read_arm(str(arm))) is expected


def test_importing_biochunk_brings_in_nothing_heavy() -> None:
    code = """
import sys, biochunk
assert not {"spacy", "torch", "numpy"} & set(sys.modules)
from biochunk import build_pipeline
assert callable(build_pipeline)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
