"""`hybrid_selector`: writes the evidence chunks of each sentence to the span group `bio_chunks` (paper §3.9)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from spacy import util
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from ..chunking.candidates import Sizes, Source
from ..chunking.selection import SELECTORS, Ranking
from ..errors import BiochunkError, Errors
from ..extensions import TARGET_RELATION
from ..schemas import Dataset
from ..spans import CANDIDATES, CHUNKS, PROPOSITIONS, TRIGGERS, Facts, Found, read_group, write_group
from ..ty import Bindable, Encoder, FloatArray, IntArray, Serializable, SpanEncoder
from .candidate_pools import CandidatePools, Maker, Pool
from .component import KnowledgePipe, batches, score_sets

Candidate = tuple[int, int, str]
# The pools of a Doc's sentences, and the makers of all their candidates.
_Pools = tuple[Sequence[Pool], Sequence[Maker]]


class Options(NamedTuple):
    """Options of `hybrid_selector`; the defaults are the factory's.

    sources (Sequence[Source]): What makes candidates.
    ranking (Ranking): "cosine_bias" (slots by similarity, then priority), "cosine", "mix", or "adaptive" (first what
        the source "pair" planned).
    top_k (int): Chunks a sentence.
    top_n (int): How many of the most similar candidates slot 2 chooses from.
    mix (float): Share of the cosine in the mode "mix".
    width, stride, min_tokens, max_tokens (int): Entity-aware windows, in tokens.
    window (int): Tokens on each side of a trigger.
    fixed_words (int): Words of BioMedRAG's windows.
    target_relation (str | None): Rank against this relation's definition; None: the best over all definitions. A Doc's
        own `doc._.bio_target_relation` wins.
    keep_candidates (bool): Also write the whole pool to the span group `bio_candidates`.
    """

    sources: Sequence[Source]
    ranking: Ranking
    top_k: int
    top_n: int
    mix: float
    width: int
    stride: int
    min_tokens: int
    max_tokens: int
    window: int
    fixed_words: int
    target_relation: str | None
    keep_candidates: bool


class HybridSelector(KnowledgePipe):
    """Pools candidate windows of each sentence, scores them against the relation definitions and selects chunks.

    nlp (Language): The pipeline.
    name (str): Name in the pipeline.
    encoder (Encoder): Text to vectors; carried inside a saved pipeline when it is `Serializable`.
    options (Options): What is pooled and how it is ranked.
    """

    def __init__(self, nlp: Language, name: str, *, encoder: Encoder, options: Options) -> None:
        super().__init__(nlp, name)
        self.check_options(
            ("sources", list(options.sources), len(options.sources) > 0, "at least one source"),
            ("top_k", options.top_k, options.top_k >= 1, "a number from 1"),
            ("top_n", options.top_n, options.top_n >= 1, "a number from 1"),
            ("mix", options.mix, 0 <= options.mix <= 1, "a share from 0 to 1"),
            ("stride", options.stride, options.stride >= 1, "a number from 1"),
            (
                "width",
                options.width,
                options.width >= options.stride,
                "at least stride, so that no token is left out",
            ),
            ("min_tokens", options.min_tokens, options.min_tokens >= 1, "a number from 1"),
            (
                "max_tokens",
                options.max_tokens,
                options.max_tokens >= options.min_tokens,
                "at least min_tokens",
            ),
            ("window", options.window, options.window >= 0, "a number from 0"),
            ("fixed_words", options.fixed_words, options.fixed_words >= 1, "a number from 1"),
            (
                "ranking",
                options.ranking,
                options.ranking != "adaptive" or "pair" in options.sources,
                'another ranking where the sources lack "pair"',
            ),
        )
        self.encoder = encoder
        self.options = options
        sizes = Sizes(*(getattr(options, size) for size in Sizes._fields))
        self._make_pools = CandidatePools(nlp.vocab, sources=options.sources, sizes=sizes)
        self._labels: tuple[str, ...] = ()
        self._columns: dict[str, int] = {}
        self._targets: Any = None
        if isinstance(encoder, Bindable):
            encoder.bind(nlp)

    @property
    def labels(self) -> tuple[str, ...]:
        """Relations that chunks are ranked against, in the order of the dataset file."""
        return self._labels

    def _take_dataset(self, dataset: Dataset) -> dict[str, Any]:
        return {"definitions": {label: relation.definition for label, relation in dataset.relations.items()}}

    def _use_knowledge(self, knowledge: dict[str, Any]) -> None:
        definitions = knowledge["definitions"]
        target = self.options.target_relation
        if target is not None and target not in definitions:
            raise BiochunkError(Errors.E007.format(found=target, expected=", ".join(definitions)))
        self._labels = tuple(definitions)
        self._columns = {label: column for column, label in enumerate(definitions)}

    def initialize(
        self,
        get_examples: Any = None,
        *,
        nlp: Language | None = None,
        dataset: Any = None,
        encoder_source: str | None = None,
    ) -> None:
        """Take the relation definitions from a dataset, and the encoder's data from a folder.

        get_examples, nlp: Not used; part of spaCy's signature.
        dataset (Dataset | dict): The dataset.
        encoder_source (str | None): Folder that the encoder's `to_disk` wrote, for an encoder that carries data.
        RAISES (BiochunkError): When no dataset is given, or a wrong one.
        """
        if encoder_source is not None and isinstance(self.encoder, Serializable):
            self.encoder.from_disk(util.ensure_path(encoder_source))
        super().initialize(get_examples, nlp=nlp, dataset=dataset)
        self._encode_definitions()

    def _load(self, loaded: dict[str, Any]) -> None:
        super()._load(loaded)
        if self.knowledge is not None:
            self._encode_definitions()

    def _encode_definitions(self) -> None:
        """Once, when both the definitions and the encoder's data are there."""
        texts = list(self.knowledge["definitions"].values()) if self.knowledge else []
        encoder = self.encoder
        self._targets = encoder.prepare(texts) if isinstance(encoder, SpanEncoder) else encoder.encode(texts)

    def _serializers(self) -> dict[str, Any]:
        return {"encoder": self.encoder} if isinstance(self.encoder, Serializable) else {}

    def candidates(self, doc: Doc) -> list[list[Candidate]]:
        """The pool of each sentence; empty only where the sentence is white space. Writes nothing.

        RETURNS (list[list[Candidate]]): (start, end, source) of each candidate; token bounds.
        RAISES (BiochunkError): When a source is wanted whose span group is not on the Doc.
        """
        pools, makers = self._pools(doc)
        return [[(*window, makers[number].source) for window, number in pool.windows.items()] for pool in pools]

    def _pools(self, doc: Doc) -> _Pools:
        make = self._make_pools
        if make.needs_triggers:
            self.require_group(doc, TRIGGERS, "trigger_tagger")
        if make.needs_propositions:
            self.require_group(doc, PROPOSITIONS, "proposition_extractor")
        return make(doc, self._target(doc))

    def find(self, doc: Doc) -> list[Found]:
        """The chunks of one Doc; writes nothing. `pipe` does the same for a whole batch with one encoder call."""
        return self._find_batch([doc])[0]

    def set_annotations(self, doc: Doc, found: Iterable[Found]) -> None:
        """Replace the Doc's group `bio_chunks`, and `bio_candidates` where the pool is kept."""
        write_group(doc, CHUNKS, found)
        if self.options.keep_candidates:
            pools = self.candidates(doc)
            write_group(doc, CANDIDATES, ((*candidate, {}) for found in pools for candidate in found))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 256) -> Iterator[Doc]:
        """Apply the component to a stream of Docs, a batch at a time with one encoder call.

        stream (Iterable[Doc]): The Docs.
        batch_size (int): Most Docs in a batch; see `batches`.
        """
        for docs in batches(stream, batch_size):
            try:
                batch = self._find_batch(docs)
            except Exception:
                # One bad Doc must not take its batch with it: each alone, errors to the pipeline's handler.
                for doc in docs:
                    try:
                        self.set_annotations(doc, self.find(doc))
                    except Exception as error:
                        self.get_error_handler()(self.name, self, [doc], error)
                    else:
                        yield doc
                continue
            for doc, found in zip(docs, batch, strict=True):
                self.set_annotations(doc, found)
                yield doc

    def _find_batch(self, docs: Sequence[Doc]) -> list[list[Found]]:
        self.require_knowledge()
        options = self.options
        found = [self._pools(doc) for doc in docs]
        counts = [len(pool.windows) for pools, _ in found for pool in pools]
        if not any(counts):
            return [[] for _ in docs]
        similarities, relations, cosines = self._best(docs, found)
        scores: Any = cosines
        if options.ranking == "mix":
            # The paper's 70/30 variant. Structure is priority over the highest one of the sentence's own candidates, so
            # that it is on the cosine's scale whatever weights and bonuses are set.
            structure = [share for pools, makers in found for pool in pools for share in _priority_shares(pool, makers)]
            scores = options.mix * cosines + (1 - options.mix) * np.array(structure)
        # One stable sort for the whole batch: by sentence, then from the highest score to the lowest.
        order = np.lexsort((-scores, np.repeat(np.arange(len(counts)), counts))).tolist()
        ranked = _Ranked(order, scores.tolist(), similarities, relations)
        results = []
        first = 0
        for doc, (pools, makers) in zip(docs, found, strict=True):
            chunks: list[Found] = []
            for sentence, pool in enumerate(pools):
                chunks += self._select(doc, sentence, pool, makers, ranked, first)
                first += len(pool.windows)
            results.append(chunks)
        return results

    def _select(
        self, doc: Doc, sentence: int, pool: Pool, makers: Sequence[Maker], ranked: "_Ranked", first: int
    ) -> Iterator[Found]:
        """The chunks of one sentence by slot. first: its first candidate among those of the batch."""
        options = self.options
        windows = list(pool.windows)
        own = [makers[number] for number in pool.windows.values()]
        adaptive = options.ranking == "adaptive"
        preferences = [maker.wanted if adaptive else maker.priority for maker in own]
        order = [i - first for i in ranked.order[first : first + len(windows)]]
        chosen = SELECTORS[options.ranking](order, preferences, windows, options.top_k, options.top_n)
        has_target = self._target(doc) is not None
        for slot, i in enumerate(chosen, 1):
            maker = own[i]
            row = first + i
            column = ranked.relations[row]
            if maker.relation is not None and not has_target:
                # A proposition says itself what it is evidence of.
                column = self._columns.get(maker.relation, column)
            facts: Facts = {
                "source": maker.source,
                "slot": slot,
                "relation": self._labels[column],
                "similarity": round(float(ranked.similarities[row, column]), 6),
                "score": round(ranked.scores[row] if maker.chance is None or not adaptive else maker.chance, 6),
                "sentence": sentence,
            }
            if maker.proposition is not None:
                facts["priority"], facts["proposition"] = maker.priority, maker.proposition
            reason = maker.reason or pool.rest
            if reason:
                trigger = doc[slice(*maker.trigger)].text if maker.trigger else ""
                facts["reason"] = reason.replace("{trigger}", trigger)
            yield (*windows[i], facts["relation"], facts)

    def _best(self, docs: Sequence[Doc], found: Sequence[_Pools]) -> tuple[FloatArray, list[int], FloatArray]:
        """For every candidate of a batch its cosines to all definitions, and the column and value that it is ranked by:
        the target relation's where there is one, else the highest.
        """
        spans = [
            np.array([window for pool in pools for window in pool.windows], dtype=np.intp).reshape(-1, 2)
            for pools, _ in found
        ]
        similarities = self._similarities(docs, spans)
        relations = similarities.argmax(axis=1)
        targets = [self._columns.get(self._target(doc) or "", -1) for doc in docs]
        if any(column >= 0 for column in targets):
            columns = np.repeat(targets, [len(s) for s in spans])
            relations = np.where(columns < 0, relations, columns)
        return similarities, relations.tolist(), similarities[np.arange(len(relations)), relations]

    def _target(self, doc: Doc) -> str | None:
        """The relation that the Doc's chunks are ranked against, or None for all of them."""
        target = (doc._.get(TARGET_RELATION) if doc.user_data else None) or self.options.target_relation
        if target is not None and target not in self._columns:
            raise BiochunkError(Errors.E007.format(found=target, expected=", ".join(self._labels)))
        return target

    def _similarities(self, docs: Sequence[Doc], spans: Sequence[IntArray]) -> FloatArray:
        """Cosine of every span of a batch to every relation definition: (spans, relations)."""
        if isinstance(self.encoder, SpanEncoder):
            return self.encoder.similarities(docs, spans, self._targets)
        texts = [doc[start:end].text for doc, bounds in zip(docs, spans, strict=True) for start, end in bounds.tolist()]
        unique = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        vectors = self.encoder.encode(list(unique))
        if vectors.ndim != 2 or len(vectors) != len(unique):
            found = f"an array of shape {vectors.shape}"
            raise BiochunkError(
                Errors.E006.format(found=found, texts=len(unique), expected="one row a text", name=self.name)
            )
        return (vectors @ self._targets.T)[[unique[text] for text in texts]]

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Share of gold propositions whose subject and object stand together in one selected chunk: bio_chunks_r.

        Precision and F1 come with it: a chunk that holds no gold proposition is a wrong one.
        """
        return score_sets((_covered(eg) for eg in examples), CHUNKS)


class _Ranked(NamedTuple):
    """All candidates of a batch, sentence by sentence: their order within the sentence, what they are ordered by,
    cosines to all definitions, and the column that each is ranked by.
    """

    order: Sequence[int]
    scores: Sequence[float]
    similarities: FloatArray
    relations: Sequence[int]


def _priority_shares(pool: Pool, makers: Sequence[Maker]) -> list[float]:
    """Priority of each candidate of a sentence over the highest one there; 0 for what is no proposition."""
    priorities = [makers[number].priority for number in pool.windows.values()]
    highest = max(priorities, default=0.0)
    return [value / highest if highest else 0.0 for value in priorities]


def _covered(example: Example) -> tuple[set[Any], set[Any]]:
    """Gold propositions, and which of them a chunk holds; a chunk that holds none stands for itself."""
    gold = {
        (*facts["subject"], span.label_, *facts["object"])
        for span, facts in read_group(example.reference, PROPOSITIONS)
    }
    predicted: set[Any] = set()
    if CHUNKS in example.predicted.spans:
        for chunk in example.predicted.spans[CHUNKS]:
            low, high = chunk.start_char, chunk.end_char
            held = {g for g in gold if low <= min(g[0], g[3]) and max(g[1], g[4]) <= high}
            predicted |= held or {(low, high)}
    return gold, predicted
