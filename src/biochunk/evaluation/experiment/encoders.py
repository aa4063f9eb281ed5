"""The encoders of an experiment by name."""

from pathlib import Path

from ...encoders.models import DEFAULT_MODEL
from ...encoders.sentence_transformers import SentenceTransformersEncoder
from ...encoders.static import StaticEncoder
from ...ty import Encoder
from .config import Encoding


def make_encoder(name: Encoding, table: Path) -> Encoder:
    """An encoder: "static" (the distilled table) or "minilm" (the transformer that it was distilled from).

    table (Path): Folder of the static table.
    """
    if name == "minilm":
        return SentenceTransformersEncoder(DEFAULT_MODEL)
    encoder = StaticEncoder()
    encoder.from_disk(table)
    return encoder
