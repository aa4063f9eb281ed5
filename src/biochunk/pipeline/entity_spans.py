"""`bio_entity_spans`: writes the span group `bio_entities` (paper §3.4)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from ..chunking.lexicon import surface_forms
from ..chunking.overlap import Policy
from ..errors import OptionError
from ..schemas import Dataset, EntityKnowledge
from ..spans import ENTITIES, Found, write_group
from .abbreviations import join_abbreviations, read_abbreviations
from .component import KnowledgePipe, batches, score_sets, span_set
from .entity_rules import BoundaryChoice, EntityRules
from .entity_sources import ENTS, GAZETTEER, NER, PAPER, RULES, is_pipeline, join_found, paper_rules, parse_sources
from .gazetteer import Gazetteer, Terms
from .recogniser import RULE, Recogniser


class EntitySpans(KnowledgePipe):
    """Finds entity mentions by rules, by named entity recognisers, from a list of terms, or by several of these.

    nlp (Language): The pipeline.
    name (str): Name in the pipeline.
    source (str | list[str]): "rules" or "regex"; "paper" for the paper's three rules alone (markup, capitalised terms
        of several words, hyphenated words); "ents" for `doc.ents` of an earlier component; "ner" for the pipeline that
        the option `ner` names; "gazetteer" for the list of terms given to `initialize`; else the name or path of a
        spaCy pipeline whose entities are taken. Pipelines are loaded once and carried inside a saved one. Several, as
        a list or joined by a plus sign ("ner+regex"), are ranked in their order.
    ner (str): Name or path of the pipeline that "ner" stands for.
    overlap (str): Which of overlapping mentions of several sources stay, "nested", "fill", "first" or "longest"; see
        `chunking.overlap.join`.
    max_tokens (int): Longest noun phrase, in tokens.
    boundary (BoundaryChoice): What the rules give where a mention has two boundaries ("serum insulin", "insulin"):
        "both" as two spans, or the "maximal" or the "minimal" one.
    """

    groups = (ENTITIES,)

    def __init__(
        self,
        nlp: Language,
        name: str,
        *,
        source: str | list[str],
        ner: str,
        overlap: Policy,
        max_tokens: int,
        boundary: BoundaryChoice,
    ) -> None:
        super().__init__(nlp, name)
        sources = parse_sources(source)
        self.check_options(
            ("source", source, bool(sources), "at least one source"),
            ("source", source, not {RULES, PAPER} <= {*sources}, "one of 'rules' and 'paper'"),
            ("max_tokens", max_tokens, max_tokens >= 1, "a number from 1"),
        )
        self.sources = sources
        self.overlap = overlap
        self.max_tokens = max_tokens
        self.boundary = boundary
        self.recognisers = {
            source: Recogniser(name, "ner", ner) if source == NER else Recogniser(name, "source", source)
            for source in sources
            if is_pipeline(source)
        }
        self.gazetteer = Gazetteer() if GAZETTEER in sources else None

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]] | None = None,
        *,
        nlp: Language | None = None,
        dataset: Any = None,
        gazetteer: Terms | None = None,
    ) -> None:
        """Take the component's knowledge from a dataset, and its terms from a list.

        get_examples, nlp: Not used; part of spaCy's signature.
        dataset (Dataset | dict): The dataset, usually `{"@readers": "biochunk.dataset.v1", "path": FILE}`.
        gazetteer (Terms | None): The terms, usually `{"@readers": "biochunk.gazetteer.v1", "path": FILE}`.
        RAISES (BiochunkError): When no dataset is given, or a wrong one.
        RAISES (OptionError): When terms are wanted and none given, or given and not wanted.
        """
        if (gazetteer is None) != (self.gazetteer is None):
            found, expected = ("no list of terms", "one") if gazetteer is None else ("a list of terms", "none")
            raise OptionError(
                self.name, "source", f"{'+'.join(self.sources)!r} and {found} is given", f"{expected} for this source"
            )
        super().initialize(get_examples, nlp=nlp, dataset=dataset)
        if self.gazetteer is not None and gazetteer is not None:
            self.gazetteer.add(gazetteer, self.tokenizer)

    def _take_dataset(self, dataset: Dataset) -> dict[str, Any]:
        nominal = sorted(
            {
                form.text.lower()
                for relation in dataset.relations.values()
                for trigger in relation.triggers
                if trigger.pos == "noun" and trigger.tier < 3 and " " not in trigger.phrase
                for form in surface_forms(trigger)
            }
        )
        verbs = sorted(
            {
                form.text.lower()
                for relation in dataset.relations.values()
                for trigger in relation.triggers
                if trigger.pos == "verb" and " " not in trigger.phrase
                for form in surface_forms(trigger)
            }
        )
        return {"entities": dataset.entities.model_dump(), "nominal": nominal, "verbs": verbs}

    def _use_knowledge(self, knowledge: dict[str, Any]) -> None:
        rules = EntityKnowledge.model_validate(knowledge["entities"])
        self.rules = EntityRules(
            self.vocab,
            paper_rules(rules) if PAPER in self.sources else rules,
            verbs=knowledge["verbs"],
            nominal=knowledge["nominal"],
            max_tokens=self.max_tokens,
            boundary=self.boundary,
        )
        for recogniser in self.recognisers.values():
            recogniser.load()

    def find(self, doc: Doc) -> list[Found]:
        """Mentions of the Doc in text order; writes nothing. They overlap only where one has two boundaries.

        doc (Doc): The Doc.
        RETURNS (list[Found]): Label "ENTITY" or the recogniser's or term's label; facts: "rule", the name of what found
            it; "boundary", "maximal" or "minimal", where a mention has two; where a list of terms or a recogniser found
            it, "source", its name, and "id", the term's identifier; "same_as" where an earlier component
            has paired abbreviations with what they stand for, see `join_abbreviations`.
        """
        self.require_knowledge()
        return next(self._find_all([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 256) -> Iterator[Doc]:
        """Apply the component to a stream of Docs; recognisers work on a batch of texts at a time."""
        if not self.recognisers:
            yield from super().pipe(stream, batch_size=batch_size)
            return
        for docs in batches(stream, batch_size):
            try:
                self.require_knowledge()
                found = list(self._find_all(docs))
            except Exception:
                # One by one, the error handler learns which Doc it is.
                yield from super().pipe(docs, batch_size=batch_size)
                continue
            for doc, mentions_ in zip(docs, found, strict=True):
                self.set_annotations(doc, mentions_)
            yield from docs

    def _find_all(self, docs: Sequence[Doc]) -> Iterator[list[Found]]:
        layers = [self._find_by(source, docs) for source in self.sources]
        for doc, *found in zip(docs, *layers, strict=True):
            joined = found[0] if len(found) == 1 else join_found(doc, found, self.overlap)
            pairs = read_abbreviations(doc)
            yield join_abbreviations(joined, pairs) if pairs else joined

    def _find_by(self, source: str, docs: Sequence[Doc]) -> list[list[Found]]:
        if source in (RULES, PAPER):
            return [self.rules.find(doc) for doc in docs]
        if source == ENTS:
            return [[(e.start, e.end, e.label_ or "ENTITY", {"rule": RULE}) for e in doc.ents] for doc in docs]
        if source == GAZETTEER and self.gazetteer is not None:
            return [self.gazetteer.find(doc) for doc in docs]
        return self.recognisers[source].find(docs)

    def set_annotations(self, doc: Doc, found: Iterable[Found]) -> None:
        """Replace the Doc's group `bio_entities`."""
        write_group(doc, ENTITIES, found)

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Precision, recall and F1 of mention borders, whatever the label: bio_entities_p, _r, _f."""
        return score_sets(((_borders(eg.reference), _borders(eg.predicted)) for eg in examples), ENTITIES)

    def _serializers(self) -> dict[str, Any]:
        parts: dict[str, Any] = {f"ner{i or ''}": ner for i, ner in enumerate(self.recognisers.values())}
        return parts if self.gazetteer is None else parts | {"gazetteer": self.gazetteer}


def _borders(doc: Doc) -> set[tuple[int, int]]:
    return {(start, end) for start, end, _ in span_set(doc, ENTITIES)}
