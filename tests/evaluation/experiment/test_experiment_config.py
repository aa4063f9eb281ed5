"""Configs of experiments: what comes with the package, and what is said of a wrong one."""

import pytest

from biochunk.biomedrag.ty import Reader
from biochunk.errors import BiochunkError, FileFaultsError, UsageError
from biochunk.evaluation.experiment.config import Arm
from biochunk.evaluation.experiment.layout import pipeline_name, retrieval_name
from biochunk.evaluation.experiment.plans import read_plan
from biochunk.shipped import shipped_names

MINIMAL = """
[experiment]
title = "T"
views = ["clean"]
baseline = "fixed"
seeds = [0]

[experiment.datasets]
gmciht = ["triples"]

[experiment.arms]

[experiment.arms.fixed]
pipeline = "fixed"

[reader]
@misc = "biochunk.linear_reader.v1"
"""


@pytest.mark.parametrize("name", shipped_names("experiments"))
def test_shipped_experiments_are_valid(name):
    plan = read_plan(name)
    assert plan.name == name
    assert plan.experiment.baseline in plan.experiment.arms
    assert isinstance(plan.make_reader(3), Reader)


def test_defaults_are_filled_in(tmp_path):
    path = tmp_path / "mine.cfg"
    path.write_text(MINIMAL)
    plan = read_plan(str(path))
    assert plan.name == "mine"
    assert plan.experiment.arms == {"fixed": Arm(pipeline="fixed")}
    assert plan.experiment.store_split == "dev"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('baseline = "fixed"', 'baseline = "hybrid"', "found the baseline 'hybrid', expected one of: fixed"),
        (
            'pipeline = "fixed"',
            'pipeline = "hybird"',
            "experiment.arms.fixed.pipeline: found the arm 'hybird', expected",
        ),
        ('pipeline = "fixed"', 'pipeline = ""', "found the arm '', expected one of: adaptive"),
        ('pipeline = "fixed"', 'pipeline = "no.cfg"', "found no file 'no.cfg'"),
        ('pipeline = "fixed"', 'pipeline = "fixed"\noverrides = {"components.zz.a": 1}', "components.zz.a"),
        ("seeds = [0]", 'seeds = [0]\nmentions = "zzz"', "experiment.mentions: found the arm 'zzz'"),
        ("seeds = [0]", 'seeds = [0]\npeers = ["zzz"]', "found the peer 'zzz', expected one of: langchain"),
        ("seeds = [0]", "seeds = [1, 1]", "experiment.seeds: found 1 2 times, expected each value once"),
        ("seeds = [0]", "seeds = [-1]", "experiment.seeds.0: found -1, expected greater than or equal to 0"),
        ("seeds = [0]", "seeds = [0]\ninputs = []", "experiment.inputs"),
        ('views = ["clean"]', "views = []", "experiment.views"),
        ('views = ["clean"]', 'views = ["clean", "clean"]', "found 'clean' 2 times"),
        ('views = ["clean"]', 'views = ["../x"]', "found the name '../x'"),
        ('["triples"]', '["triples", "triples"]', "experiment.datasets.gmciht: found 'triples' 2 times"),
        ('["triples"]', "[]", "experiment.datasets.gmciht"),
        ("gmciht = ", "gmcith = ", "found the dataset 'gmcith', expected one of: ade"),
        (
            "[reader]",
            '[experiment.answers]\nade = ["static"]\n\n[reader]',
            "answers: found the dataset 'ade'",
        ),
        ("experiment.arms.fixed]", "experiment.arms.a/ESC]", "found the name 'a/ESC', expected at most"),
        ("linear_reader", "lin_reader", "'biochunk.lin_reader.v1', expected one of: biochunk.linear_reader.v1"),
        ("@misc", "foo", "reader.@misc: found nothing"),
        ('_reader.v1"', '_reader.v1"\nfoo = 3', "reader.foo: found the unknown option 'foo'"),
        ("seeds = [0]", "seeds = []", "experiment.seeds"),
        ("seeds = [0]", "seeds = [0]\nsplit = 3", "experiment.split"),
        ('["triples"]', '["words"]', "experiment.datasets.gmciht.0"),
        ('pipeline = "fixed"', 'pipeline = "fixed"\ntop_k = 9', "expected at most `pieces`"),
        ("[reader]", "[answerer]", "an unknown section"),
    ],
)
def test_a_wrong_config_is_named_with_its_place(tmp_path, old, new, said):
    path = tmp_path / "mine.cfg"
    path.write_text(MINIMAL.replace(old, new))
    with pytest.raises(FileFaultsError, match=r"mine\.cfg") as error:
        read_plan(str(path))
    assert said in str(error.value)
    assert not any(
        word in str(error.value) for word in ("Input should", "Extra inputs", "Field required", "Value error")
    )


def test_a_key_twice_is_one_line(tmp_path):
    path = tmp_path / "mine.cfg"
    path.write_text(MINIMAL.replace("seeds = [0]", "seeds = [0]\nseeds = [1]"))
    with pytest.raises(BiochunkError, match=r"found the key 'seeds' twice in \[experiment\]"):
        read_plan(str(path))


def test_an_unknown_experiment_names_the_known_ones():
    with pytest.raises(UsageError, match="expected one of: ablation, evaluate, headline"):
        read_plan("evalute")


def test_equal_arms_share_their_files_and_different_ones_do_not():
    experiment = read_plan("evaluate").experiment
    base = Arm(pipeline="hybrid")
    other = Arm(pipeline="hybrid", overrides={"components.hybrid_selector.top_n": 3})
    assert pipeline_name(base) == pipeline_name(Arm(pipeline="hybrid", scorer=True, top_k=1)) == "hybrid"
    assert pipeline_name(other) != pipeline_name(base)
    names = [retrieval_name(arm, experiment) for arm in (base, other, Arm(pipeline="hybrid", top_k=1))]
    assert len(set(names)) == 3
    assert retrieval_name(Arm(pipeline="hybrid", scorer=True), experiment) == names[0]
    assert retrieval_name(Arm(pipeline="hybrid", own_mentions=True), experiment) == names[0]
    assert retrieval_name(Arm(pipeline="hybrid", scorer=True, own_mentions=True), experiment) not in names


def test_files_of_one_name_are_told_apart_by_what_they_hold(tmp_path):
    texts = {"a/hybrid.cfg": "[components]\n", "b/hybrid.cfg": "[components]\n\n", "c/hybrid.cfg": "[components]\n"}
    for file, text in texts.items():
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).write_text(text)
    a, b, c = (pipeline_name(Arm(pipeline=str(tmp_path / file))) for file in texts)
    assert a == c
    assert len({a, b, pipeline_name(Arm(pipeline="hybrid"))}) == 3


def test_arms_whose_recogniser_is_not_installed_are_left_out_and_named(tmp_path):
    path = tmp_path / "mine.cfg"
    arm = '[experiment.arms.by-ner]\npipeline = "hybrid"\nneeds = "en_no_such_pipeline"\n'
    path.write_text(MINIMAL.replace("[reader]", f"{arm}\n[reader]"))
    plan = read_plan(str(path))
    assert plan.left_out == {"by-ner": "en_no_such_pipeline"}
    assert list(plan.experiment.arms) == ["fixed"]
    path.write_text(path.read_text().replace('baseline = "fixed"', 'baseline = "by-ner"'))
    with pytest.raises(BiochunkError, match="the baseline arm needs it"):
        read_plan(str(path))


def test_comparisons_name_arms(tmp_path):
    path = tmp_path / "mine.cfg"
    path.write_text(MINIMAL.replace("seeds = [0]", 'seeds = [0]\ncomparisons = [["fixed", "hybird"]]'))
    with pytest.raises(FileFaultsError, match="found the arm 'hybird'"):
        read_plan(str(path))
