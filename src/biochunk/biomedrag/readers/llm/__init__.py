"""A language model in the reader's place: behind an endpoint, or run here."""

from .client import EndpointLanguageModel
from .local import LocalLanguageModel
from .reader import LanguageModelReader
from .usage import Completion, LanguageModel, Prices, Report

__all__ = [
    "Completion",
    "EndpointLanguageModel",
    "LanguageModel",
    "LanguageModelReader",
    "LocalLanguageModel",
    "Prices",
    "Report",
]
