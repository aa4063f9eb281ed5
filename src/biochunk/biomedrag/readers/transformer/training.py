"""How the transformer reader's network is trained. Imports torch."""

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from ....ty import IntArray
from ...items import Task
from .gold import Target
from .input import Item
from .network import Batch, Goals, Network, collate, collate_goals
from .scores import label_loss, pairs_loss, triples_loss

# Batches that are sorted by length together; more means less padding and less mixing.
_POOL = 16


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train.

    seed (int): Of the order of batches, of new weights and of dropout.
    epochs (int): Passes over the examples.
    batch_size (int): Examples a step.
    lr (float): Learning rate of the encoder's last layer.
    head_lr (float): Learning rate of the new weights.
    layer_decay (float): Each layer below learns at the rate of the one above times this.
    weight_decay (float): Of matrices.
    warmup (float): Share of the steps in which the rates rise from 0; then they fall to 0 along a line.
    average (float): Share of the steps, at the end, of which the weights are averaged.
    masked (float): Share of the word pieces that are hidden at each step, so that no name is all that tells.
    """

    seed: int
    epochs: int
    batch_size: int
    lr: float
    head_lr: float
    layer_decay: float
    weight_decay: float
    warmup: float
    average: float
    masked: float


def loss_function(task: Task, *, one: bool) -> Callable[[Network, Batch, Goals], Tensor]:
    """The loss of a task; for `one` see `triple_scores`."""
    if task == "triples":
        return partial(triples_loss, one=one)
    return pairs_loss if task == "pairs" else label_loss


def train(
    network: Network,
    items: Sequence[Item],
    targets: Sequence[Target],
    loss: Callable[[Network, Batch, Goals], Tensor],
    tokenizer: Any,
    recipe: Recipe,
    *,
    device: Any,
    half: bool,
) -> list[float]:
    """Train in place.

    network (Network): On `device`.
    items, targets (Sequence): What to read and what to say, one each.
    loss (Callable): See `loss_function`.
    tokenizer (Any): The encoder's, for its mask.
    recipe (Recipe): How.
    device (torch.device): Where.
    half (bool): Multiply matrices in bfloat16; the weights stay float32.
    RETURNS (list[float]): Mean loss of each epoch.
    """
    rng = np.random.default_rng(recipe.seed)
    lengths = np.array([len(item.ids) for item in items])
    per_epoch = math.ceil(len(items) / recipe.batch_size)
    steps = recipe.epochs * per_epoch
    optimizer = torch.optim.AdamW(_groups(network, recipe))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, partial(_rate, steps=steps, warmup=recipe.warmup))
    trained = [p for p in network.parameters() if p.requires_grad]
    mean = _Mean(trained, start=steps - max(1, round(recipe.average * steps)))
    losses = []
    network.train()
    with tqdm(total=steps, desc="train", unit=" steps", leave=False, disable=not sys.stderr.isatty()) as bar:
        for epoch in range(recipe.epochs):
            total = 0.0
            for number, index in enumerate(batches(lengths, recipe.batch_size, rng)):
                some = [items[i] for i in index]
                batch = collate(some, device)
                hide(batch, tokenizer, recipe.masked)
                goals = collate_goals(some, [targets[i] for i in index], device)
                with torch.autocast(device.type, dtype=torch.bfloat16, enabled=half):
                    value = loss(network, batch, goals)
                value.backward()
                torch.nn.utils.clip_grad_norm_(trained, 1.0)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad(set_to_none=True)
                mean.add(epoch * per_epoch + number)
                total += float(value.detach()) * len(index)
                bar.update()
            losses.append(total / len(items))
            bar.set_postfix(loss=f"{losses[-1]:.3f}")
    mean.write()
    network.eval()
    return losses


def hide(batch: Batch, tokenizer: Any, share: float) -> None:
    """Put the tokenizer's mask in the place of some word pieces; not of its first, last and other special pieces."""
    if share and tokenizer.mask_token_id is not None:
        special = torch.tensor(tokenizer.all_special_ids, device=batch.ids.device)
        hidden = (torch.rand(batch.ids.shape, device=batch.ids.device) < share) & ~torch.isin(batch.ids, special)
        batch.ids = batch.ids.masked_fill(hidden, tokenizer.mask_token_id)


def batches(lengths: IntArray, size: int, rng: np.random.Generator) -> Iterator[IntArray]:
    """Batches of items of similar length, in random order; each item once.

    lengths (IntArray): Of each item.
    size (int): Items a batch.
    rng (np.random.Generator): Source of chance.
    """
    order = rng.permutation(len(lengths))
    cut: list[IntArray] = []
    for start in range(0, len(order), size * _POOL):
        pool = order[start : start + size * _POOL]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        cut.extend(pool[i : i + size] for i in range(0, len(pool), size))
    for i in rng.permutation(len(cut)):
        yield cut[i]


@contextmanager
def threads(count: int | None) -> Iterator[None]:
    """Let torch use so many threads inside the block; None: as many as it does."""
    before = torch.get_num_threads()
    if count is not None:
        torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Make torch's chance start at `seed` inside the block, and go on outside as if nothing had been."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield


class Clock:
    """Seconds since it was made, by the wall and of this process on all its threads."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def read(self) -> tuple[float, float]:
        return time.perf_counter() - self._wall, time.process_time() - self._cpu


class _Mean:
    """Running mean of weights from step `start` on."""

    def __init__(self, weights: Sequence[Tensor], *, start: int) -> None:
        self._weights, self._start = weights, start
        self._count = 0
        self._means: list[Tensor] = []

    @torch.no_grad()
    def add(self, step: int) -> None:
        if step < self._start:
            return
        self._count += 1
        if self._count == 1:
            self._means = [weight.detach().clone() for weight in self._weights]
        else:
            torch._foreach_lerp_(self._means, [w.detach() for w in self._weights], 1 / self._count)

    @torch.no_grad()
    def write(self) -> None:
        for weight, mean in zip(self._weights, self._means, strict=True):
            weight.copy_(mean)


def _rate(step: int, *, steps: int, warmup: float) -> float:
    rise = max(1.0, warmup * steps)
    return min((step + 1) / rise, max(0.0, (steps - step) / max(1.0, steps - rise)))


def _groups(network: Network, recipe: Recipe) -> list[dict[str, Any]]:
    """Weights with their learning rates: new ones, and the encoder's by depth."""
    layers = getattr(network.encoder.config, "num_hidden_layers", 0)
    groups: dict[tuple[float, float], list[Tensor]] = {}
    for name, weight in network.named_parameters():
        if weight.requires_grad:
            decay = recipe.weight_decay if weight.ndim > 1 else 0.0
            groups.setdefault((_lr(name, layers, recipe), decay), []).append(weight)
    return [{"params": weights, "lr": lr, "weight_decay": decay} for (lr, decay), weights in groups.items()]


def _lr(name: str, layers: int, recipe: Recipe) -> float:
    if not name.startswith("encoder."):
        return recipe.head_lr
    # "encoder.encoder.layer.3.…" in BERT, "encoder.transformer.layer.3.…" in DistilBERT.
    number = next((int(part) for part in name.split(".") if part.isdigit()), -1)
    return recipe.lr * recipe.layer_decay ** (layers - 1 - number)
