"""The transformer reader's network: an encoder with heads for mentions, pairs and classes. Imports torch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .gold import Target
from .input import FLAGS, MARKS, PLACES, Item

# Widest span and longest distance that have vectors of their own; longer ones share the last.
_WIDTHS = 16
_DISTANCES = 24
# Candidates that a batch has at least, so that there is always a pair; the missing ones are masked.
_LEAST = 2
# Stands for "cannot be", where minus infinity would give NaN gradients.
NEVER = -1e4


@dataclass(slots=True)
class Batch:
    """Items side by side. b items, n positions, m candidates, q asked pairs; padding is 0 with mask False.

    ids, marks, places, types, mask (Tensor): Shape (b, n).
    spans (Tensor): Shape (b, m, 2). flags, widths, span_mask (Tensor): Shape (b, m).
    pairs (Tensor): Shape (b, q, 2). pair_mask (Tensor): Shape (b, q).
    """

    ids: Tensor
    marks: Tensor
    places: Tensor
    types: Tensor
    mask: Tensor
    spans: Tensor
    flags: Tensor
    widths: Tensor
    span_mask: Tensor
    pairs: Tensor
    pair_mask: Tensor


@dataclass(slots=True)
class Goals:
    """Targets side by side. g gold triples an item at most.

    heads, tails (Tensor): Shape (b, g, m), bool: the candidates with the triple's strings.
    relations, gold_mask (Tensor): Shape (b, g).
    mentions (Tensor): Shape (b, m); see `Target.mentions`.
    pairs (Tensor): Shape (b, q). labels (Tensor): Shape (b,).
    """

    heads: Tensor
    tails: Tensor
    relations: Tensor
    gold_mask: Tensor
    mentions: Tensor
    pairs: Tensor
    labels: Tensor


def collate(items: Sequence[Item], device: Any = "cpu") -> Batch:
    """Put items side by side."""
    spans = [item.spans for item in items]
    mask = [np.ones(len(item.ids), dtype=np.intp) for item in items]
    span_mask = [np.ones(len(item.spans), dtype=np.intp) for item in items]
    pairs = [np.array(item.pairs, dtype=np.intp).reshape(-1, 2) for item in items]
    pair_mask = [np.ones(len(item.pairs), dtype=np.intp) for item in items]
    return Batch(
        ids=_pad([item.ids for item in items], device),
        marks=_pad([item.marks for item in items], device),
        places=_pad([item.places for item in items], device),
        types=_pad([item.types for item in items], device),
        mask=_pad(mask, device).bool(),
        spans=_pad(spans, device, least=_LEAST),
        flags=_pad([item.flags for item in items], device, least=_LEAST),
        widths=_pad([item.widths for item in items], device, least=_LEAST),
        span_mask=_pad(span_mask, device, least=_LEAST).bool(),
        pairs=_pad(pairs, device),
        pair_mask=_pad(pair_mask, device).bool(),
    )


def collate_goals(items: Sequence[Item], targets: Sequence[Target], device: Any = "cpu") -> Goals:
    """Put targets side by side."""
    most = max(len(target.relations) for target in targets)
    width = max(_LEAST, *(len(item.spans) for item in items))
    heads, tails = (np.zeros((len(items), most, width), dtype=bool) for _ in range(2))
    for i, target in enumerate(targets):
        for j, (head, tail) in enumerate(zip(target.heads, target.tails, strict=True)):
            heads[i, j, head] = True
            tails[i, j, tail] = True
    return Goals(
        heads=torch.from_numpy(heads).to(device),
        tails=torch.from_numpy(tails).to(device),
        relations=_pad([target.relations for target in targets], device),
        gold_mask=_pad([[1] * len(target.relations) for target in targets], device).bool(),
        mentions=_pad([target.mentions for target in targets], device, least=_LEAST),
        pairs=_pad([target.pairs for target in targets], device),
        labels=torch.tensor([target.label for target in targets], device=device),
    )


def _pad(rows: Sequence[Any], device: Any, *, least: int = 0) -> Tensor:
    arrays = [np.asarray(row, dtype=np.int64) for row in rows]
    shape = (len(arrays), max(least, *(len(row) for row in arrays)), *arrays[0].shape[1:])
    out = np.zeros(shape, dtype=np.int64)
    for i, row in enumerate(arrays):
        out[i, : len(row)] = row
    return torch.from_numpy(out).to(device)


class Network(nn.Module):
    """An encoder and what is asked of it.

    Triples are scored jointly, as in span-based extraction end to end: a cheap scorer keeps the `kept` best candidate
    spans, then each ordered pair of these gets one score a relation, to which both spans' own scores are added.
    Head comes first in a pair, so that direction is part of the choice.

    encoder (nn.Module): A model of `transformers`.
    relations (int): Number of relations.
    hidden (int): Width of the heads.
    kept (int): Candidate spans that take part in pairs.
    dropout (float): In the heads.
    """

    def __init__(self, encoder: Any, *, relations: int, hidden: int, kept: int, dropout: float) -> None:
        super().__init__()
        self.encoder = encoder
        self.kept = kept
        self.relations = relations
        width = encoder.config.hidden_size
        self.typed = getattr(encoder.config, "type_vocab_size", 0) > 1
        self.marks = nn.Embedding(MARKS, width, padding_idx=0)
        self.places = nn.Embedding(PLACES, width, padding_idx=0)
        self.first, self.last = nn.Linear(width, hidden), nn.Linear(width, hidden)
        self.flag, self.width = nn.Embedding(FLAGS, hidden), nn.Embedding(_WIDTHS + 1, hidden)
        self.mention = nn.Linear(hidden, 1)
        # Each reads a span's first and last position, one half of its columns each.
        self.head, self.tail = nn.Linear(width, 2 * hidden), nn.Linear(width, 2 * hidden)
        self.between, self.whole = nn.Linear(width, hidden), nn.Linear(width, hidden)
        self.distance = nn.Embedding(2 * _DISTANCES + 1, hidden)
        # One column more than relations: that none holds, in the task "pairs".
        self.relation = nn.Sequential(
            nn.GELU(), nn.Dropout(dropout), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, relations + 1)
        )
        self.nothing = nn.Linear(width, 1)
        self.label = nn.Sequential(nn.Dropout(dropout), nn.Linear(2 * width, 2))
        self.drop = nn.Dropout(dropout)
        for table in (self.marks, self.places, self.flag, self.width, self.distance):
            nn.init.normal_(table.weight, std=0.02)

    def encode(self, batch: Batch) -> Tensor:
        """RETURNS (Tensor): Shape (b, n, width), float32."""
        pieces = self.encoder.get_input_embeddings()(batch.ids)
        pieces = pieces * (batch.marks == 0).unsqueeze(-1) + self.marks(batch.marks) + self.places(batch.places)
        types = {"token_type_ids": batch.types} if self.typed else {}
        out = self.encoder(inputs_embeds=pieces, attention_mask=batch.mask.long(), **types)
        return out.last_hidden_state.float()

    def mention_scores(self, states: Tensor, batch: Batch) -> Tensor:
        """RETURNS (Tensor): Shape (b, m): how much each candidate looks like a mention of a triple."""
        first = _take(self.first(states), batch.spans[..., 0])
        last = _take(self.last(states), batch.spans[..., 1])
        told = self.flag(batch.flags) + self.width(batch.widths.clamp(max=_WIDTHS))
        scores = self.mention(self.drop(nn.functional.gelu(first + last + told))).squeeze(-1)
        return scores.masked_fill(~batch.span_mask, NEVER)

    def keep(self, scores: Tensor, sure: Tensor | None = None) -> Tensor:
        """The candidates that take part in pairs, and in training all gold ones (`sure`, shape (b, m)).

        RETURNS (Tensor): Shape (b, k): their indices, in text order.
        """
        ranked = scores.detach() if sure is None else scores.detach() - 2 * NEVER * sure
        return ranked.topk(min(self.kept, scores.shape[1]), dim=1).indices.sort(dim=1).values

    def pair_scores(self, states: Tensor, heads: Tensor, tails: Tensor) -> Tensor:
        """Score pairs of spans.

        states (Tensor): Of `encode`.
        heads, tails (Tensor): Shape (b, p, 2): first and last positions.
        RETURNS (Tensor): Shape (b, p, relations + 1).
        """
        states = self.drop(states)
        head = _take_span(self.head(states), heads)
        tail = _take_span(self.tail(states), tails)
        low = torch.minimum(heads[..., 1], tails[..., 1]) + 1
        high = torch.maximum(heads[..., 0], tails[..., 0])
        # The mean between two spans from running sums, of which the first is 0.
        sums = nn.functional.pad(self.between(states), (0, 0, 1, 0)).cumsum(1)
        length = (high - low).clamp(min=0)
        between = (_take(sums, torch.maximum(low, high)) - _take(sums, low)) / length.clamp(min=1).unsqueeze(-1)
        gap = torch.where(heads[..., 0] < tails[..., 0], length, -length).clamp(-_DISTANCES, _DISTANCES)
        whole = self.whole(states[:, :1])
        return self.relation(head + tail + between + whole + self.distance(gap + _DISTANCES))


def ordered_pairs(spans: Tensor) -> tuple[Tensor, Tensor]:
    """All ordered pairs among k spans: indices of heads and of tails, each of shape (k * (k - 1),)."""
    count = spans.shape[1]
    grid = torch.ones(count, count, dtype=torch.bool, device=spans.device).fill_diagonal_(False)
    heads, tails = grid.nonzero(as_tuple=True)
    return heads, tails


def _take(rows: Tensor, index: Tensor) -> Tensor:
    """Rows (b, n, d) at positions (b, p): shape (b, p, d)."""
    return rows.gather(1, index.unsqueeze(-1).expand(-1, -1, rows.shape[-1]))


def _take_span(rows: Tensor, spans: Tensor) -> Tensor:
    first, last = rows.chunk(2, dim=-1)
    return _take(first, spans[..., 0]) + _take(last, spans[..., 1])
