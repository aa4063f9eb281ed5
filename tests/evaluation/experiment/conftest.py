"""The sample corpora, and a tiny static table of their words."""

import shutil
from pathlib import Path

import pytest
from tests.conftest import build_tiny_static_encoder

from biochunk.corpora.records import read_records

SAMPLES = Path(__file__).parents[3] / "corpora" / "samples"


@pytest.fixture(scope="session")
def samples() -> Path:
    """The samples themselves, to be read only."""
    return SAMPLES


@pytest.fixture(scope="session")
def table(tmp_path_factory) -> Path:
    words = {
        word.strip(".,;:()").lower()
        for path in sorted(SAMPLES.rglob("*.jsonl"))
        for record in read_records(path)
        for word in record.text.split()
    }
    folder = tmp_path_factory.mktemp("table")
    build_tiny_static_encoder(sorted(words), dims=16).to_disk(folder)
    return folder


@pytest.fixture
def corpora(tmp_path) -> Path:
    """A copy of the samples that a test may spoil."""
    return Path(shutil.copytree(SAMPLES, tmp_path / "corpora"))
