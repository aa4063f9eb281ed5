"""`hybrid_selector`: writes the evidence chunks of each sentence to the span group `bio_chunks` (paper §3.9)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from spacy import util
from spacy.attrs import IS_SPACE, SPACY
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from ..chunking import windows
from ..chunking.selection import SELECTORS, Candidate, Ranking, Source, mixed_scores, pool
from ..errors import BiochunkError, Errors
from ..extensions import TARGET_RELATION, install_extensions
from ..schemas import Dataset
from ..spans import CANDIDATES, CHUNKS, ENTITIES, PROPOSITIONS, TRIGGERS, Found, read_group, sentences, split_by, write_group
from ..ty import Bindable, Encoder, FloatArray, Serializable, SpanEncoder
from .component import KnowledgePipe, score_sets

# A batch of Docs is scored together; its size is bounded in tokens, so that one long Doc costs no more memory than many.
_BATCH_TOKENS = 8192


class Options(NamedTuple):
    """Options of `hybrid_selector`; the defaults are the factory's.

    sources (Sequence[Source]): What makes candidates.
    ranking (Ranking): "cosine_bias" (slots by similarity, then priority), "cosine" or "mix".
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
        _check(name, options)
        self.encoder = encoder
        self.options = options
        self._labels: tuple[str, ...] = ()
        self._targets: Any = None
        self._highest = 0.0
        if isinstance(encoder, Bindable):
            encoder.bind(nlp)
        install_extensions()

    @property
    def labels(self) -> tuple[str, ...]:
        """Relations that chunks are ranked against, in the order of the dataset file."""
        return self._labels

    def _take_dataset(self, dataset: Dataset) -> dict[str, Any]:
        highest = max(relation.weight for relation in dataset.relations.values())
        definitions = {label: relation.definition for label, relation in dataset.relations.items()}
        return {"definitions": definitions, "highest_weight": highest}

    def _use_knowledge(self, knowledge: dict[str, Any]) -> None:
        definitions = knowledge["definitions"]
        target = self.options.target_relation
        if target is not None and target not in definitions:
            raise BiochunkError(Errors.E007.format(found=target, expected=", ".join(definitions)))
        self._labels = tuple(definitions)
        # The largest bonus of the resolver is not known here; 3 is the paper's.
        self._highest = knowledge["highest_weight"] + 3

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

        RAISES (BiochunkError): When a source is wanted whose span group is not on the Doc.
        """
        options = self.options
        sources = options.sources
        if "proposition" in sources:
            self.require_group(doc, PROPOSITIONS, "proposition_extractor")
        if "trigger" in sources:
            self.require_group(doc, TRIGGERS, "trigger_tagger")
        array = doc.to_array([SPACY, IS_SPACE])
        spaces, blank = array[:, 0].tolist(), array[:, 1].tolist()
        fixed = {"fixed": windows.fixed_windows, "fixed_strict": windows.strict_windows}
        gaps = _space_runs(doc, blank) if not fixed.keys().isdisjoint(sources) else blank
        entities = _ranges(doc, ENTITIES)
        triggers = _ranges(doc, TRIGGERS) if "trigger" in sources else []
        propositions: list[Candidate] = []
        if "proposition" in sources:
            propositions = [
                Candidate(span.start, span.end, "proposition", facts.get("priority"), span.id_)
                for span, facts in read_group(doc, PROPOSITIONS)
                if facts.get("kept", True)
            ]
        units = sentences(doc)
        if len(units) == 1:
            parts = [(units[0], entities, triggers, propositions)]
        else:
            split = [split_by(units, items) for items in (entities, triggers, propositions)]
            parts = list(zip(units, *split, strict=True))
        pools = []
        for (start, end), own_entities, own_triggers, own_propositions in parts:
            borders = windows.Borders(own_entities, start, end)
            found = list(own_propositions)
            for source in sources:
                if source == "trigger":
                    made: Iterable[windows.Window] = windows.trigger_windows(own_triggers, borders, options.window)
                elif source == "entity":
                    made = windows.entity_windows(
                        borders,
                        width=options.width,
                        stride=options.stride,
                        min_tokens=options.min_tokens,
                        max_tokens=options.max_tokens,
                    )
                elif source == "sentence":
                    made = [(start, end)]
                elif source in fixed:
                    words = windows.space_words(spaces, gaps, start, end)
                    snapped = (borders.snap(window) for window in fixed[source](words, options.fixed_words))
                    made = [window for window in snapped if window is not None]
                else:
                    continue
                found += [Candidate(first, last, source) for first, last in made]
            pools.append(pool(found, blank))
        return pools

    def find(self, doc: Doc) -> list[Found]:
        """The chunks of one Doc; writes nothing. `pipe` does the same for a whole batch with one encoder call."""
        return self._find_batch([doc])[0]

    def set_annotations(self, doc: Doc, found: Iterable[Found]) -> None:
        """Replace the Doc's group `bio_chunks`, and `bio_candidates` where the pool is kept."""
        write_group(doc, CHUNKS, found)
        if self.options.keep_candidates:
            pools = self.candidates(doc)
            write_group(doc, CANDIDATES, (Found(c.start, c.end, c.source, {}) for found in pools for c in found))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 256) -> Iterator[Doc]:
        """Apply the component to a stream of Docs, a batch at a time.

        stream (Iterable[Doc]): The Docs.
        batch_size (int): Most Docs in a batch; a batch also ends at some thousand tokens.
        """
        for docs in _batches(stream, batch_size):
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
        pools = [self.candidates(doc) for doc in docs]
        similarities = self._similarities(docs, pools)
        results = []
        first = 0
        for doc, sentence_pools in zip(docs, pools, strict=True):
            count = sum(map(len, sentence_pools))
            rows = similarities[first : first + count]
            first += count
            results.append(self._select(doc, sentence_pools, rows))
        return results

    def _similarities(self, docs: Sequence[Doc], pools: Sequence[Sequence[Sequence[Candidate]]]) -> FloatArray:
        """Cosine of every candidate of a batch to every relation definition: (candidates, relations)."""
        if isinstance(self.encoder, SpanEncoder):
            spans = [
                np.array([(c[0], c[1]) for sentence in found for c in sentence], dtype=np.intp).reshape(-1, 2)
                for found in pools
            ]
            return self.encoder.similarities(docs, spans, self._targets)
        texts = []
        for doc, found in zip(docs, pools, strict=True):
            texts += [doc[c.start : c.end].text for sentence in found for c in sentence]
        unique = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        if not unique:
            return np.zeros((0, len(self._labels)), dtype=np.float32)
        vectors = self.encoder.encode(list(unique))
        if vectors.ndim != 2 or len(vectors) != len(unique):
            raise BiochunkError(
                Errors.E006.format(
                    found=f"an array of shape {vectors.shape}",
                    texts=len(unique),
                    expected="one row a text",
                    name=self.name,
                )
            )
        return (vectors @ self._targets.T)[[unique[text] for text in texts]]

    def _select(self, doc: Doc, pools: Sequence[Sequence[Candidate]], rows: FloatArray) -> list[Found]:
        options = self.options
        target = doc._.get(TARGET_RELATION) or options.target_relation
        if target is None:
            best = rows.argmax(axis=1).tolist() if len(rows) else []
            cosines = rows.max(axis=1).tolist() if len(rows) else []
        else:
            if target not in self._labels:
                raise BiochunkError(Errors.E007.format(found=target, expected=", ".join(self._labels)))
            column = self._labels.index(target)
            best = [column] * len(rows)
            cosines = rows[:, column].tolist()
        found = []
        first = 0
        choose = SELECTORS[options.ranking]
        for sentence, candidates in enumerate(pools):
            last = first + len(candidates)
            scores = cosines[first:last]
            if options.ranking == "mix":
                scores = mixed_scores(candidates, scores, options.mix, self._highest)
            for slot, i in enumerate(choose(candidates, scores, options.top_k, options.top_n), 1):
                candidate = candidates[i]
                facts = {
                    "source": candidate.source,
                    "slot": slot,
                    "similarity": round(cosines[first + i], 6),
                    "score": round(scores[i], 6),
                    "sentence": sentence,
                }
                if candidate.proposition is not None:
                    facts["priority"] = candidate.priority
                    facts["proposition"] = candidate.proposition
                found.append(Found(candidate.start, candidate.end, self._labels[best[first + i]], facts))
            first = last
        return found

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Share of gold propositions whose subject and object stand together in one selected chunk: bio_chunks_r.

        Precision and F1 come with it: a chunk that holds no gold proposition is a wrong one.
        """
        return score_sets((_covered(eg) for eg in examples), CHUNKS)


def _check(name: str, options: Options) -> None:
    """RAISES (BiochunkError): When options contradict each other."""
    problems = [
        (option, getattr(options, option), expected)
        for option, wrong, expected in (
            ("sources", not options.sources, "at least one source"),
            ("top_k", options.top_k < 1, "a number from 1"),
            ("top_n", options.top_n < 1, "a number from 1"),
            ("mix", not 0 <= options.mix <= 1, "a share from 0 to 1"),
            ("stride", options.stride < 1, "a number from 1"),
            ("width", options.width < options.stride, "at least stride, or tokens would be in no window"),
            ("min_tokens", options.min_tokens < 1, "a number from 1"),
            ("max_tokens", options.max_tokens < options.min_tokens, "at least min_tokens"),
            ("window", options.window < 0, "a number from 0"),
            ("fixed_words", options.fixed_words < 1, "a number from 1"),
        )
        if wrong
    ]
    for option, found, expected in problems:
        raise BiochunkError(Errors.E003.format(name=name, option=option, found=found, expected=expected))


def _ranges(doc: Doc, group: str) -> list[windows.Window]:
    return [(span.start, span.end) for span in doc.spans[group]] if group in doc.spans else []


def _space_runs(doc: Doc, blank: Sequence[int]) -> Sequence[int]:
    """For each token whether it consists of U+0020 only; white space of other kinds is part of BioMedRAG's words."""
    if not any(blank):
        return blank
    return [bool(flag) and not doc[i].text.strip(" ") for i, flag in enumerate(blank)]


def _batches(stream: Iterable[Doc], size: int) -> Iterator[list[Doc]]:
    docs: list[Doc] = []
    tokens = 0
    for doc in stream:
        docs.append(doc)
        tokens += len(doc)
        if len(docs) >= size or tokens >= _BATCH_TOKENS:
            yield docs
            docs, tokens = [], 0
    if docs:
        yield docs


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
