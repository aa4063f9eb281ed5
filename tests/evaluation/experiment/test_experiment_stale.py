"""Nothing is read that is damaged, or made by other settings than those that the report states."""

import json
import shutil
from pathlib import Path

import pytest
from tests.evaluation.experiment.small import run, small

from biochunk.errors import UsageError
from biochunk.evaluation.experiment.answers import answer_cells
from biochunk.evaluation.experiment.config import Arm
from biochunk.evaluation.experiment.corpus import find_sources
from biochunk.evaluation.experiment.layout import Layout

ONE = {"datasets": {"gmciht": ["triples"]}, "arms": {"fixed": Arm(pipeline="fixed")}, "seeds": [0], "peers": []}


@pytest.fixture(scope="module")
def done(tmp_path_factory, samples, table) -> Path:
    """A finished experiment of one arm."""
    out = tmp_path_factory.mktemp("done") / "out"
    run(small(**ONE), samples, out, table)
    return out


@pytest.fixture
def out(done, tmp_path) -> Path:
    """A copy of it that a test may spoil."""
    return Path(shutil.copytree(done, tmp_path / "out"))


@pytest.mark.parametrize("stage", ["retrieval", "readers", "report"])
def test_a_stage_says_which_one_comes_before(stage, tmp_path, samples, table):
    with pytest.raises(UsageError, match="run --stage chunks before"):
        run(small(**ONE), samples, tmp_path / "out", table, [stage])


@pytest.mark.parametrize(
    ("changes", "stage"),
    [
        ({"budget": 12}, "readers"),
        ({"shown": 2}, "readers"),
        ({"seeds": [0, 1]}, "readers"),
        ({"retrieved": 3}, "retrieval"),
        ({"pieces": 4}, "chunks"),
        ({"resamples": 300}, "answers"),
    ],
)
def test_a_report_of_other_settings_is_refused(changes, stage, done, samples, table):
    with pytest.raises(UsageError, match=f"run --stage {stage} before --stage report"):
        run(small(**{**ONE, **changes}), samples, done, table, ["report"])


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _no_text(path: Path) -> None:
    path.write_bytes(b"\xff\xfe")


DAMAGE = {
    "sentences": ("sentences/**/scored.jsonl", _cut, "chunks"),
    "a folder in a file's place": ("sentences/**/train.jsonl", _folder, "chunks"),
    "a mark": ("sentences/**/.scored.jsonl.key", _no_text, "chunks"),
    "a folder in a mark's place": ("sentences/**/.scored.jsonl.key", _folder, "chunks"),
    "a store": ("stores/**/rows.jsonl", _empty, "retrieval"),
    "evidence": ("evidence/**/scored.cosine.jsonl", _empty, "retrieval"),
    "predictions": ("predictions/**/*.jsonl", _cut, "readers"),
    "answers": ("answers/**/*.json", _no_text, "answers"),
}


@pytest.mark.parametrize(("pattern", "damage", "stage"), DAMAGE.values(), ids=DAMAGE)
def test_what_was_damaged_is_refused_and_made_again(pattern, damage, stage, out, samples, table):
    path = next(out.glob(pattern))
    before = path.read_bytes()
    damage(path)
    with pytest.raises(UsageError, match=f"run --stage {stage} before --stage report"):
        run(small(**ONE), samples, out, table, ["report"])
    run(small(**ONE), samples, out, table, [stage, "report"])
    if stage != "answers":
        assert path.read_bytes() == before
    assert json.loads((out / "results.json").read_text("utf-8"))["scores"]


def test_answers_are_made_again_where_an_arm_uses_other_chunks(tmp_path, samples, table):
    def key(**changes) -> str:
        plan = small(**{**ONE, "arms": {"a": Arm(pipeline="hybrid", **changes)}})
        sources = find_sources(plan.experiment, samples)
        return answer_cells(plan, sources, Layout(tmp_path), table)[0].key

    assert key() == key(hubness="none")
    assert len({key(), key(top_k=1), key(weights_from_prior=True)}) == 3
