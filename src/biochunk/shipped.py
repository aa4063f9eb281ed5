"""The dataset files and pipeline configs that come with the package."""

from importlib.resources import files
from pathlib import Path
from typing import Literal

Kind = Literal["datasets", "pipelines"]

_SUFFIX = {"datasets": ".json", "pipelines": ".cfg"}
# The JSON Schema of dataset files stands beside them.
_OTHER = ("schema",)


def shipped_names(kind: Kind) -> list[str]:
    """Names of all dataset files ("ade", …) or pipeline configs ("entity", …), sorted."""
    names = sorted(path.stem for path in _folder(kind).glob(f"*{_SUFFIX[kind]}"))
    return [name for name in names if name not in _OTHER]


def shipped_file(kind: Kind, name: str) -> Path:
    """A dataset file or pipeline config by name; it may not exist."""
    return _folder(kind) / f"{name}{_SUFFIX[kind]}"


def _folder(kind: Kind) -> Path:
    return Path(str(files("biochunk.configs"))) / kind
