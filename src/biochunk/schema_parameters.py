"""Options of components that a dataset file may set; the factories hold the defaults and say what each means."""

from typing import Literal

from pydantic import Field, model_validator

from .schema_values import LARGEST, Number, PatternName, Phrase, SourceName, Strict, fault


class EntitySpansParameters(Strict):
    source: Phrase | None = None
    ner: Phrase | None = None
    overlap: Literal["nested", "fill", "first", "longest"] | None = None
    max_tokens: int | None = Field(default=None, ge=1, le=LARGEST)
    boundary: Literal["both", "maximal", "minimal"] | None = None


class PropositionParameters(Strict):
    search: int | None = Field(default=None, ge=1, le=LARGEST)
    margin: int | None = Field(default=None, ge=0, le=LARGEST)
    scope: int | None = Field(default=None, ge=1, le=LARGEST)
    passive_agents: list[Phrase] | None = None
    patterns: list[PatternName] | None = None


class ResolverParameters(Strict):
    mode: Literal["additive", "lexicographic"] | None = None
    weights: Literal["dataset", "flat", "inverted", "shuffled"] | None = None
    tier_bonus: list[Number] | None = Field(default=None, min_length=3, max_length=3)


class SelectorParameters(Strict):
    ranking: Literal["cosine_bias", "cosine", "mix", "adaptive"] | None = None
    top_k: int | None = Field(default=None, ge=1, le=LARGEST)
    top_n: int | None = Field(default=None, ge=1, le=LARGEST)
    mix: float | None = Field(default=None, ge=0, le=1)
    width: int | None = Field(default=None, ge=1, le=LARGEST)
    stride: int | None = Field(default=None, ge=1, le=LARGEST)
    min_tokens: int | None = Field(default=None, ge=1, le=LARGEST)
    max_tokens: int | None = Field(default=None, ge=1, le=LARGEST)
    window: int | None = Field(default=None, ge=0, le=LARGEST)
    fixed_words: int | None = Field(default=None, ge=1, le=LARGEST)
    target_relation: Phrase | None = None
    sources: list[SourceName] | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _bounds(self) -> "SelectorParameters":
        if self.min_tokens is not None and self.max_tokens is not None and self.min_tokens > self.max_tokens:
            raise fault(f"min_tokens {self.min_tokens} above max_tokens {self.max_tokens}", "min_tokens <= max_tokens")
        return self


class Parameters(Strict):
    """Component options that differ from the defaults; `biochunk build` writes them to the config."""

    bio_entity_spans: EntitySpansParameters = Field(default_factory=EntitySpansParameters)
    proposition_extractor: PropositionParameters = Field(default_factory=PropositionParameters)
    relation_resolver: ResolverParameters = Field(default_factory=ResolverParameters)
    hybrid_selector: SelectorParameters = Field(default_factory=SelectorParameters)
