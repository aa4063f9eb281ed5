"""Builders by which an experiment's config names readers. Each returns a function of the seed."""

from collections.abc import Callable
from functools import partial
from typing import Any

from .linear import LinearReader
from .transformer import TransformerReader


def make_linear_reader() -> Callable[..., LinearReader]:
    """`biochunk.linear_reader.v1`: see `LinearReader`."""
    return LinearReader


def make_transformer_reader(
    model: str | None = None, epochs: int | None = None, device: str = "auto", threads: int | None = None
) -> Callable[..., TransformerReader]:
    """`biochunk.transformer_reader.v1`: see `TransformerReader`, whose default of `epochs` holds where it is None."""
    options: dict[str, Any] = {"model": model, "device": device, "threads": threads}
    if epochs is not None:
        options["epochs"] = epochs
    return partial(TransformerReader, **options)
