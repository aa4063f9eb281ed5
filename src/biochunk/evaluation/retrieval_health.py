"""Whether retrieval serves many chunks, and such with the right relation, before any reader."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..biomedrag.items import Evidence
from ..errors import BiochunkError

# Ranks up to which a label may be hit.
NEAR, FAR = 1, 5


class RetrievalHealth(NamedTuple):
    """Health of a retrieval over some queries.

    queries (int): Query sentences.
    unserved (int): Those that got no chunk; they count as misses.
    distinct (int): Stored chunks that are the first one of some query.
    top_share (float): Share of queries whose first chunk is the most served one.
    distinct_at_5, top_share_at_5: The same for the first five chunks of each query.
    hit_at_1, hit_at_5 (float): Share of queries with a gold label among the labels of the first one or five chunks.
    """

    queries: int
    unserved: int
    distinct: int
    top_share: float
    distinct_at_5: int
    top_share_at_5: float
    hit_at_1: float
    hit_at_5: float


# BioMedRAG's released run on GM-CIHT, counted in its prediction file: one chunk in each of the 465 test prompts.
RELEASED = {"queries": 465, "distinct": 3, "top_share": 357 / 465, "hit_at_1": 0.065}


def retrieval_health(evidence: Sequence[Sequence[Evidence]], labels: Sequence[Collection[str]]) -> RetrievalHealth:
    """Measure a retrieval.

    evidence (Sequence[Sequence[Evidence]]): For each query its chunks, the best first, by any order.
    labels (Sequence[Collection[str]]): For each query its gold labels; see `biomedrag.labelled.evidence_labels`.
    RAISES (BiochunkError): When there is no query, or not one collection of labels each.
    """
    if not evidence or len(evidence) != len(labels):
        raise BiochunkError(
            f"found evidence of {len(evidence)} queries and gold of {len(labels)}, expected some, one each"
        )
    queries = len(evidence)
    near, far = (Counter(item.row for items in evidence for item in items[:rank]) for rank in (NEAR, FAR))
    return RetrievalHealth(
        queries=queries,
        unserved=sum(not items for items in evidence),
        distinct=len(near),
        top_share=max(near.values(), default=0) / queries,
        distinct_at_5=len(far),
        top_share_at_5=max(far.values(), default=0) / queries,
        hit_at_1=_hits(evidence, labels, NEAR) / queries,
        hit_at_5=_hits(evidence, labels, FAR) / queries,
    )


def _hits(evidence: Sequence[Sequence[Evidence]], labels: Sequence[Collection[str]], rank: int) -> int:
    pairs = zip(evidence, labels, strict=True)
    return sum(any(item.relation in gold for item in items[:rank]) for items, gold in pairs)
