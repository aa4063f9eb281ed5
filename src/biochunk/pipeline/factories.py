"""The spaCy factories. Defaults of every option stand here and nowhere else; the numbers are the paper's."""

from typing import Literal

from spacy.language import Language

from ..chunking.candidates import Source
from ..chunking.overlap import Policy
from ..chunking.priority import Mode, Weights
from ..chunking.selection import Ranking
from ..ty import Encoder
from . import hybrid_selector, proposition_extractor
from .entity_rules import BoundaryChoice
from .entity_spans import EntitySpans
from .hybrid_selector import HybridSelector
from .mention_group import MentionGroup
from .proposition_extractor import PropositionExtractor
from .relation_resolver import RelationResolver
from .trigger_tagger import TriggerTagger


@Language.factory(
    "bio_entity_spans",
    assigns=["doc.spans", "doc._.bio_entities"],
    default_config={
        "source": "rules",
        "ner": "en_biochunk_ner",
        "overlap": "nested",
        "max_tokens": 8,
        "boundary": "both",
    },
    default_score_weights={"bio_entities_f": 1.0, "bio_entities_p": 0.0, "bio_entities_r": 0.0},
)
def make_entity_spans(
    nlp: Language,
    name: str,
    source: str | list[str],
    ner: str,
    overlap: Policy,
    max_tokens: int,
    boundary: BoundaryChoice,
) -> EntitySpans:
    """Entity mentions by rules, recognisers or a list of terms (paper §3.4); see `EntitySpans`."""
    return EntitySpans(nlp, name, source=source, ner=ner, overlap=overlap, max_tokens=max_tokens, boundary=boundary)


@Language.factory(
    "trigger_tagger",
    assigns=["doc.spans", "doc._.bio_triggers"],
    default_score_weights={"bio_triggers_f": 1.0, "bio_triggers_p": 0.0, "bio_triggers_r": 0.0},
)
def make_trigger_tagger(nlp: Language, name: str) -> TriggerTagger:
    """Tiered trigger words and phrases (paper §3.5-3.6); see `TriggerTagger`."""
    return TriggerTagger(nlp, name)


@Language.factory(
    "proposition_extractor",
    requires=["doc.spans"],
    assigns=["doc.spans", "doc._.bio_propositions"],
    default_config={
        "search": 25,
        "margin": 3,
        "scope": 15,
        "passive_agents": ["by", "with"],
        "patterns": ["infix", "prefix", "postfix"],
    },
    default_score_weights={"bio_propositions_f": 1.0, "bio_propositions_p": 0.0, "bio_propositions_r": 0.0},
)
def make_proposition_extractor(
    nlp: Language,
    name: str,
    search: int,
    margin: int,
    scope: int,
    passive_agents: list[str],
    patterns: list[Literal["infix", "prefix", "postfix"]],
) -> PropositionExtractor:
    """Subject-trigger-object propositions (paper §3.8); see `PropositionExtractor`."""
    options = proposition_extractor.Options(search, margin, scope, passive_agents, patterns)
    return PropositionExtractor(nlp, name, options=options)


@Language.factory(
    "relation_resolver",
    requires=["doc.spans"],
    assigns=["doc.spans"],
    default_config={"mode": "additive", "weights": "dataset", "tier_bonus": [3.0, 2.0, 1.0]},
    default_score_weights={"bio_relations_f": 1.0, "bio_relations_p": 0.0, "bio_relations_r": 0.0},
)
def make_relation_resolver(
    nlp: Language, name: str, mode: Mode, weights: Weights, tier_bonus: list[float]
) -> RelationResolver:
    """Priorities and choice among competing propositions (paper §3.7); see `RelationResolver`."""
    return RelationResolver(nlp, name, mode=mode, weights=weights, tier_bonus=tier_bonus)


@Language.factory("mention_group", requires=["doc.ents"], assigns=["doc.ents", "doc.spans"])
def make_mention_group(nlp: Language, name: str) -> MentionGroup:
    """Moves `doc.ents` out of the next recogniser's way; see `MentionGroup`."""
    return MentionGroup()


@Language.factory(
    "hybrid_selector",
    requires=["doc.spans"],
    assigns=["doc.spans", "doc._.bio_chunks"],
    default_config={
        "encoder": {"@misc": "biochunk.static_encoder.v1"},
        "sources": ["proposition", "trigger", "entity", "fixed"],
        "ranking": "cosine_bias",
        "top_k": 2,
        "top_n": 5,
        "mix": 0.7,
        "width": 8,
        "stride": 3,
        "min_tokens": 5,
        "max_tokens": 12,
        "window": 4,
        "fixed_words": 5,
        "target_relation": None,
        "keep_candidates": False,
    },
    default_score_weights={"bio_chunks_r": 1.0, "bio_chunks_p": 0.0, "bio_chunks_f": 0.0},
)
def make_hybrid_selector(
    nlp: Language,
    name: str,
    encoder: Encoder,
    sources: list[Source],
    ranking: Ranking,
    top_k: int,
    top_n: int,
    mix: float,
    width: int,
    stride: int,
    min_tokens: int,
    max_tokens: int,
    window: int,
    fixed_words: int,
    target_relation: str | None,
    keep_candidates: bool,
) -> HybridSelector:
    """Evidence chunks (paper §3.9); see `HybridSelector`."""
    options = hybrid_selector.Options(
        sources=sources,
        ranking=ranking,
        top_k=top_k,
        top_n=top_n,
        mix=mix,
        width=width,
        stride=stride,
        min_tokens=min_tokens,
        max_tokens=max_tokens,
        window=window,
        fixed_words=fixed_words,
        target_relation=target_relation,
        keep_candidates=keep_candidates,
    )
    return HybridSelector(nlp, name, encoder=encoder, options=options)
