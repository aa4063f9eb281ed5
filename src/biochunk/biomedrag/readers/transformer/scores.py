"""What the network gives to each possible answer, and how that is compared with gold. Imports torch."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from .network import NEVER, Batch, Goals, Network, ordered_pairs

# Share of the two helping losses: finding the gold mentions, and the relation of the gold pair once it is found.
_MENTIONS, _RELATION = 0.2, 0.5
_SMOOTHING = 0.1


@dataclass(slots=True)
class TripleScores:
    """Scores of triples. k candidates are kept, p = k * (k - 1) ordered pairs of them.

    cells (Tensor): Shape (b, p, relations).
    nothing (Tensor): Shape (b,): what a triple must beat where an example may have none or several.
    mentions (Tensor): Shape (b, m): of each candidate.
    kept (Tensor): Shape (b, k): indices of candidates.
    heads, tails (Tensor): Shape (p,): indices into `kept`.
    """

    cells: Tensor
    nothing: Tensor
    mentions: Tensor
    kept: Tensor
    heads: Tensor
    tails: Tensor


def triple_scores(network: Network, batch: Batch, *, one: bool, goals: Goals | None = None) -> TripleScores:
    """Score all triples of the kept candidates.

    network (Network): The network.
    batch (Batch): Items.
    one (bool): Every example has exactly one triple, so that "nothing" cannot be.
    goals (Goals | None): In training: gold candidates are kept whatever their scores.
    """
    states = network.encode(batch)
    mentions = network.mention_scores(states, batch)
    sure = None if goals is None else (goals.heads.any(1) | goals.tails.any(1)).float()
    kept = network.keep(mentions, sure)
    spans = batch.spans.gather(1, kept.unsqueeze(-1).expand(-1, -1, 2))
    heads, tails = ordered_pairs(spans)
    own = mentions.gather(1, kept)
    cells = network.pair_scores(states, spans[:, heads], spans[:, tails])[..., : network.relations]
    cells = (cells + (own[:, heads] + own[:, tails]).unsqueeze(-1)).clamp(min=NEVER)
    nothing = network.nothing(states[:, 0]).squeeze(-1)
    return TripleScores(cells, torch.full_like(nothing, NEVER) if one else nothing, mentions, kept, heads, tails)


def gold_cells(scores: TripleScores, goals: Goals) -> Tensor:
    """RETURNS (Tensor): Shape (b, g, p), bool: the pairs with the strings of each gold triple."""
    kept = scores.kept.unsqueeze(1).expand(-1, goals.heads.shape[1], -1)
    heads, tails = goals.heads.gather(2, kept), goals.tails.gather(2, kept)
    return heads[:, :, scores.heads] & tails[:, :, scores.tails] & goals.gold_mask.unsqueeze(-1)


def triple_log_probability(scores: TripleScores, goals: Goals) -> Tensor:
    """Log-probability of the gold triples of each item.

    Each gold triple competes with all wrong triples and "nothing", and "nothing" with the wrong triples (a softmax
    with a learned threshold, as in document-level extraction). With exactly one triple that is the softmax over all.
    Pairs of places with the same strings say the same triple; their probabilities add up.

    RETURNS (Tensor): Shape (b, g + 1): of each gold triple (0 for padding), and of "nothing" against the wrong ones.
    """
    cells = gold_cells(scores, goals)
    # Shape (b, g, p): scores of each gold triple's relation.
    chosen = scores.cells.transpose(1, 2).gather(1, goals.relations.unsqueeze(-1).expand(-1, -1, scores.cells.shape[1]))
    gold = chosen.masked_fill(~cells, NEVER).logsumexp(-1)
    right = torch.zeros_like(scores.cells, dtype=torch.bool).transpose(1, 2)
    for g in range(cells.shape[1]):
        index = goals.relations[:, g].view(-1, 1, 1).expand(-1, 1, cells.shape[2])
        right = right.scatter(1, index, right.gather(1, index) | cells[:, g : g + 1])
    wrong = scores.cells.masked_fill(right.transpose(1, 2), NEVER).flatten(1).logsumexp(-1)
    rest = torch.logaddexp(wrong, scores.nothing)
    each = gold - torch.logaddexp(gold, rest.unsqueeze(1))
    return torch.cat([each.masked_fill(~goals.gold_mask, 0.0), (scores.nothing - rest).unsqueeze(1)], dim=1)


def triples_loss(network: Network, batch: Batch, goals: Goals, *, one: bool) -> Tensor:
    """Loss of the task "triples": the triples jointly, and as help the gold mentions and the gold pairs' relations."""
    scores = triple_scores(network, batch, one=one, goals=goals)
    log_probability = triple_log_probability(scores, goals)
    # A sentence may hold a gold string more often than spans are kept; what cannot be said teaches nothing.
    log_probability = log_probability.masked_fill(log_probability < NEVER / 2, 0.0)
    loss = -(log_probability[:, :-1] if one else log_probability).sum(1).mean()
    known = batch.span_mask & (goals.mentions >= 0)
    each = functional.binary_cross_entropy_with_logits(
        scores.mentions, goals.mentions.clamp(min=0).float(), reduction="none"
    )
    loss = loss + _MENTIONS * (each * known).sum(1).mean()
    return loss + _RELATION * _relation_loss(scores, goals)


def _relation_loss(scores: TripleScores, goals: Goals) -> Tensor:
    """Relation and direction of the gold pairs, where one place of each is kept: a softmax over both orders."""
    cells = gold_cells(scores, goals)
    item, gold = cells.any(-1).nonzero(as_tuple=True)
    if not len(item):
        return scores.cells.sum() * 0
    # The likeliest place of the pair, and the same pair the other way round.
    relation = goals.relations[item, gold]
    said = scores.cells[item].gather(2, relation.view(-1, 1, 1).expand(-1, scores.cells.shape[1], 1)).squeeze(-1)
    pair = said.detach().masked_fill(~cells[item, gold], 2 * NEVER).argmax(1)
    size = scores.kept.shape[1]
    turned = _pair_index(scores.tails[pair], scores.heads[pair], size)
    both = torch.cat([scores.cells[item, pair], scores.cells[item, turned]], dim=1)
    return functional.cross_entropy(both, relation, label_smoothing=_SMOOTHING)


def _pair_index(head: Tensor, tail: Tensor, size: int) -> Tensor:
    """Where an ordered pair stands in `ordered_pairs` of `size` spans."""
    return head * (size - 1) + tail - (tail > head).long()


def asked_scores(network: Network, batch: Batch) -> Tensor:
    """Scores of the asked pairs' answers.

    RETURNS (Tensor): Shape (b, q, 2 * relations + 1): relations forward, backward, and that none holds.
    """
    states = network.encode(batch)
    first, second = (batch.spans.gather(1, batch.pairs[..., i].unsqueeze(-1).expand(-1, -1, 2)) for i in range(2))
    forward, backward = network.pair_scores(states, first, second), network.pair_scores(states, second, first)
    return torch.cat([forward[..., :-1], backward[..., :-1], forward[..., -1:] + backward[..., -1:]], dim=-1)


def pairs_loss(network: Network, batch: Batch, goals: Goals) -> Tensor:
    """Loss of the task "pairs"."""
    scores = asked_scores(network, batch)[batch.pair_mask]
    return functional.cross_entropy(scores, goals.pairs[batch.pair_mask], label_smoothing=_SMOOTHING)


def label_scores(network: Network, batch: Batch) -> Tensor:
    """RETURNS (Tensor): Shape (b, 2): of the classes, from the first position and the mean of all."""
    states = network.encode(batch)
    mask = batch.mask.unsqueeze(-1)
    mean = (states * mask).sum(1) / mask.sum(1)
    return network.label(torch.cat([states[:, 0], mean], dim=-1))


def label_loss(network: Network, batch: Batch, goals: Goals) -> Tensor:
    """Loss of the task "label"."""
    return functional.cross_entropy(label_scores(network, batch), goals.labels, label_smoothing=_SMOOTHING)
