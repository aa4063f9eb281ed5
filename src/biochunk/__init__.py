"""spaCy components that cut biomedical sentences into evidence chunks."""

from importlib.metadata import version

__version__ = version("biochunk")
