"""spaCy components that cut biomedical sentences into evidence chunks."""

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .build import build_pipeline as build_pipeline

__version__ = version("biochunk")


def __getattr__(name: str) -> Any:
    # `from biochunk import build_pipeline` works, and importing biochunk alone brings in nothing heavy.
    if name == "build_pipeline":
        from .build import build_pipeline

        return build_pipeline
    raise AttributeError(f"module 'biochunk' has no attribute '{name}'")
