"""Builders by which an experiment's config names these readers. Each returns a function of the seed."""

from collections.abc import Callable
from functools import partial
from typing import Any

from ....schemas import read_dataset
from ....shipped import dataset_path
from .causal import Device, Dtype
from .client import Api, EndpointLanguageModel
from .local import LocalLanguageModel
from .reader import LanguageModelReader
from .usage import LanguageModel


def make_llm_reader(
    base_url: str,
    model: str,
    examples: int = 1,
    dataset: str | None = None,
    api: Api = "chat",
    key_variable: str | None = None,
    max_tokens: int = 256,
    timeout: float = 60.0,
    retries: int = 4,
    concurrency: int = 4,
    cache: str | None = None,
    extra: dict[str, Any] | None = None,
) -> Callable[..., LanguageModelReader]:
    """`biochunk.llm_reader.v1`: a reader over an endpoint.

    examples (int): See `LanguageModelReader`.
    dataset (str | None): Dataset file, or the name of one that comes with the package, whose definitions are shown.
    base_url, model, api, key_variable, max_tokens, timeout, retries, concurrency, cache, extra: See
        `EndpointLanguageModel`.
    RETURNS (Callable): Makes the reader from a keyword `seed`, on which only the waits before retries depend.
    """
    endpoint = partial(
        EndpointLanguageModel,
        base_url,
        model,
        api=api,
        key_variable=key_variable,
        max_tokens=max_tokens,
        timeout=timeout,
        retries=retries,
        concurrency=concurrency,
        cache=cache,
        extra=extra,
    )
    return partial(_endpoint_reader, endpoint, examples, dataset)


def make_local_llm_reader(
    folder: str,
    adapter: str | None = None,
    examples: int = 1,
    dataset: str | None = None,
    max_tokens: int = 256,
    batch_size: int = 1,
    device: Device = "auto",
    dtype: Dtype = "auto",
) -> Callable[..., LanguageModelReader]:
    """`biochunk.local_llm_reader.v1`: a reader over a local model.

    examples, dataset: See `make_llm_reader`.
    folder, adapter, max_tokens, batch_size, device, dtype: See `LocalLanguageModel`.
    RETURNS (Callable): Makes the reader from a keyword `seed`, on which nothing depends.
    """
    local = LocalLanguageModel(
        folder, adapter=adapter, max_tokens=max_tokens, batch_size=batch_size, device=device, dtype=dtype
    )
    return partial(_local_reader, local, examples, dataset)


def _endpoint_reader(
    endpoint: Callable[..., LanguageModel], examples: int, dataset: str | None, *, seed: int = 0
) -> LanguageModelReader:
    return _reader(endpoint(seed=seed), examples, dataset)


def _local_reader(local: LanguageModel, examples: int, dataset: str | None, *, seed: int = 0) -> LanguageModelReader:
    return _reader(local, examples, dataset)


def _reader(model: LanguageModel, examples: int, dataset: str | None) -> LanguageModelReader:
    relations = read_dataset(dataset_path(dataset)).relations if dataset else {}
    definitions = {name: relation.definition for name, relation in relations.items()}
    return LanguageModelReader(model, examples=examples, definitions=definitions)
