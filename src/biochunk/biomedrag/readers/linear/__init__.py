"""Linear models over hashed features as reader."""

from .reader import LinearReader

__all__ = ["LinearReader"]
