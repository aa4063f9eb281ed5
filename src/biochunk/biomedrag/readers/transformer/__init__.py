"""A fine-tuned small encoder as reader."""

from .reader import TransformerReader

__all__ = ["TransformerReader"]
