"""From corpora to an installed recogniser, with the commands as a user types them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from tests.pipeline.conftest import dataset

from biochunk.pipeline.mention_group import MENTIONS

ROOT = Path(__file__).parents[2]
SMALL = {
    "training.max_epochs": 25,
    "training.eval_frequency": 20,
    "components.ner.model.tok2vec.embed.width": 48,
    "components.ner.model.tok2vec.encode.width": 48,
    "components.ner.model.tok2vec.encode.depth": 2,
    "training.optimizer.learn_rate": 0.005,
}


def train(data, model):
    """`spacy train` with the config that comes with the project, on little data: dev is train."""
    paths = {"paths.train": data / "train.spacy", "paths.dev": data / "train.spacy"}
    options = [word for key, value in (SMALL | paths).items() for word in (f"--{key}", str(value))]
    config = str(ROOT / "training/ner_tok2vec.cfg")
    command = [sys.executable, "-m", "spacy", "train", config, "-o", str(model), *options]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return model / "model-best"


@pytest.mark.slow
def test_convert_train_join_score_and_use(cli, iob_folder, tmp_path):
    relations = ROOT / "corpora/samples"
    assert cli("ner", "convert", iob_folder, "--relations", relations, "-o", tmp_path / "data").code == 0
    borders, kinds = (train(tmp_path / "data" / part, tmp_path / part) for part in ("borders", "kinds"))
    joined = cli("ner", "join", "--borders", borders, "--kinds", kinds, "-o", tmp_path / "ner")
    assert "en_biochunk_ner 0.1.0" in joined.out, joined.err

    ran = cli("ner", "score", iob_folder, "--relations", relations, "--pipeline", tmp_path / "ner", "--format", "json")
    scores = json.loads(ran.out)
    # Names and frames are the same in both splits, so a model that has learned anything knows them.
    assert scores["entities"]["BOTH"]["DISEASE"]["f1"] > 0.8
    assert scores["entities"]["DRUGS"]["CHEMICAL"]["f1"] > 0.8
    assert 0 < scores["mentions"]["gmciht"]["exact"] <= scores["mentions"]["gmciht"]["inside"] <= 1
    assert "BOTH DISEASE" in cli("ner", "score", iob_folder, "--pipeline", tmp_path / "ner").out

    nlp = spacy.blank("en")
    options = {"source": "ner+regex", "ner": str(tmp_path / "ner")}
    nlp.add_pipe("bio_entity_spans", config=options).initialize(dataset=dataset())
    nlp.to_disk(tmp_path / "pipeline")
    doc = spacy.load(tmp_path / "pipeline")("We gave warfarin (5 mg) for liver cancer.")
    assert "warfarin" in [entity.text for entity in doc._.bio_entities]
    assert MENTIONS not in doc.spans


def test_join_needs_a_trained_recogniser(cli, tmp_path):
    spacy.blank("en").to_disk(tmp_path / "blank")
    for options, expected in (
        ([], "expected a trained pipeline"),
        (["--kinds", tmp_path / "none"], "found no pipeline in"),
        (["--kinds", tmp_path / "blank"], "expected one called 'ner'"),
    ):
        ran = cli("ner", "join", *options, "-o", tmp_path / "out")
        assert (ran.code, expected in ran.err) == (2, True), ran.err


def test_score_needs_a_pipeline_and_a_corpus(cli, tmp_path):
    assert cli("ner", "score").code == 2
    ran = cli("ner", "score", tmp_path, "--pipeline", "no_such_pipeline")
    assert "found --pipeline 'no_such_pipeline', expected" in ran.err
    assert ran.code == 2


def recogniser(folder, *, labels=(), initialize=False):
    nlp = spacy.blank("en")
    component = nlp.add_pipe("ner")
    for label in labels:
        component.add_label(label)
    if initialize:
        nlp.initialize()
    nlp.to_disk(folder)


@pytest.fixture
def broken(tmp_path):
    """Recognisers that cannot be used, by what is wrong with them, and one that can ("good")."""
    recogniser(tmp_path / "good", labels=["GENE"], initialize=True)
    recogniser(tmp_path / "uninitialised")
    recogniser(tmp_path / "unlabelled", initialize=True)
    for name in ("garbage", "truncated"):
        recogniser(tmp_path / name, labels=["GENE"], initialize=True)
    (tmp_path / "garbage/config.cfg").write_text("no config\n[")
    model = tmp_path / "truncated/ner/model"
    model.write_bytes(model.read_bytes()[:1000])
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["join", "--kinds", "garbage"], 1, "[B009] Cannot load the pipeline"),
        (["join", "--kinds", "truncated"], 1, "[B009] Cannot load the pipeline"),
        (["join", "--borders", "uninitialised"], 1, "[B009] Cannot load the pipeline"),
        (["join", "--borders", "unlabelled"], 2, "expected a trained one"),
        (["join", "--kinds", "good", "--version", "zz"], 2, "found the version 'zz', expected one such as 0.1.0"),
        (["score", "iob", "--pipeline", "garbage"], 1, "[B009] Cannot load the pipeline"),
        (["score", "iob", "--pipeline", "truncated"], 1, "[B009] Cannot load the pipeline"),
        (["score", "iob", "--pipeline", ""], 2, "found --pipeline '', expected"),
    ],
)
def test_a_recogniser_that_cannot_be_used_is_one_line(cli, broken, monkeypatch, arguments, code, expected):
    monkeypatch.chdir(broken)
    ran = cli("ner", *arguments, *(["-o", "out"] if arguments[0] == "join" else []))
    assert (ran.code, expected in ran.err, ran.err.count("\n")) == (code, True, 1), ran.err
    assert not Path("out").exists()
