"""The dataset files and the configs of pipelines and experiments that come with the package."""

from importlib.resources import files
from pathlib import Path
from typing import Literal

from .errors import UsageError

Kind = Literal["datasets", "pipelines", "experiments"]

_SUFFIX = {"datasets": ".json", "pipelines": ".cfg", "experiments": ".cfg"}
# The JSON Schema of dataset files stands beside them.
_OTHER = ("schema",)


def shipped_names(kind: Kind) -> list[str]:
    """Names of all dataset files ("ade", …), pipeline configs ("entity", …) or experiments ("ablation", …), sorted."""
    names = sorted(path.stem for path in _folder(kind).glob(f"*{_SUFFIX[kind]}"))
    return [name for name in names if name not in _OTHER]


def shipped_file(kind: Kind, name: str) -> Path:
    """A file that comes with the package, by name; it may not exist."""
    return _folder(kind) / f"{name}{_SUFFIX[kind]}"


def dataset_path(file: str) -> Path:
    """Path of a dataset file, or of one that comes with the package.

    file (str): A path; or a bare name ("gmciht") that is no file here.
    RETURNS (Path): The path. A path with a folder or a suffix is returned as it is, whether it exists or not.
    RAISES (UsageError): When a bare name is neither a file nor the name of a dataset.
    """
    path = Path(file)
    if path.exists() or path.name != file or path.suffix:
        return path
    known = shipped_names("datasets")
    if file not in known:
        raise UsageError(f"found no file '{file}', expected a dataset file or one of: {', '.join(known)}")
    return shipped_file("datasets", file)


def _folder(kind: Kind) -> Path:
    return Path(str(files("biochunk.configs"))) / kind
