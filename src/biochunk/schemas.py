"""The dataset file: everything biochunk knows about one extraction task, as one checked JSON file.

`read_dataset` is the only way in. It reports every fault of a file at once and never lets a user's pattern
hang.
"""

import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import re2
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from .errors import Fault, FileFaultsError
from .schema_faults import json_type, to_fault
from .schema_parameters import Parameters
from .schema_values import (
    EdgeClass,
    EntityRule,
    Number,
    PartOfSpeech,
    PatternName,
    Phrase,
    Strict,
    Tier,
    Words,
    fault,
    has_word,
    no_boolean,
)

SCHEMA_VERSION = 1

_DEFAULT_RULES: tuple[EntityRule, ...] = ("brackets", "coordination", "shapes", "affixes", "noun_phrase")


class Learned(Strict):
    """What `biochunk triggers learn` measured, kept so that a later run can tell a hand edit from its own."""

    tier: Tier = Field(title="Tier that the learner gave")
    count: int = Field(ge=0, le=1_000_000_000, title="Training items of this relation with the cue")
    share: float = Field(ge=0, le=1, title="Smoothed share of the cue's items that carry this relation")


class Trigger(Strict):
    """One cue of one relation (paper §3.5-3.6)."""

    phrase: Words = Field(title="The cue; a verb in its base form, anything else as it is written")
    tier: Tier = Field(title="1 primary (bonus 3), 2 secondary (bonus 2), 3 tertiary (bonus 1)")
    pos: PartOfSpeech = Field(default="phrase", title="Part of speech; decides inflection and where arguments stand")
    forms: list[Words] | None = Field(
        default=None, min_length=1, title="All written forms; default: regular inflections"
    )
    invert: bool = Field(default=False, title="True when the tail is written first, as in 'B after A'")
    patterns: list[PatternName] | None = Field(
        default=None, min_length=1, title="Allowed patterns; default: by part of speech"
    )
    learned: Learned | None = Field(default=None, title="Set by `biochunk triggers learn`")


class Relation(Strict):
    """One relation label of the task."""

    definition: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(has_word)] = (
        Field(title="One sentence that says what the relation means; chunks are ranked against it")
    )
    weight: Number = Field(title="Weight in the relation hierarchy (paper §3.7)")
    directed: bool = Field(default=True, title="False when (a, b) and (b, a) mean the same")
    triggers: list[Trigger] = Field(default_factory=list, title="Cues of this relation")
    rejected: list[Phrase] = Field(
        default_factory=list, title="Cues that `biochunk triggers learn` proposed and a reviewer turned down"
    )

    @field_validator("triggers")
    @classmethod
    def _unique(cls, triggers: list[Trigger]) -> list[Trigger]:
        seen: dict[str, int] = {}
        for i, trigger in enumerate(triggers):
            first = seen.setdefault(_key(trigger.phrase), i)
            if first != i:
                raise fault(f"the trigger '{trigger.phrase}' at {first} and at {i}", "each trigger once a relation")
        return triggers

    @model_validator(mode="after")
    def _not_rejected(self) -> "Relation":
        rejected = {_key(phrase) for phrase in self.rejected}
        both = [trigger.phrase for trigger in self.triggers if _key(trigger.phrase) in rejected]
        if both:
            raise fault(f"'{both[0]}' among the triggers and the rejected cues", "it in one of the two lists")
        return self


def _key(phrase: str) -> str:
    """What two phrases have in common that match the same text."""
    return " ".join(phrase.lower().split())


class Cues(Strict):
    """Cue words of negation or of hedging. Lists are added to the built-in ones unless `replace` is true."""

    replace: bool = Field(default=False, title="Use only these lists, not the built-in ones")
    pre: list[Phrase] = Field(default_factory=list, title="Cues that act on what follows, up to a termination")
    argument: list[Phrase] = Field(default_factory=list, title="Cues that act only on the next entity or trigger")
    post: list[Phrase] = Field(default_factory=list, title="Cues that act on what stands before")
    pseudo: list[Phrase] = Field(default_factory=list, title="Phrases that look like a cue and are none")
    termination: list[Phrase] = Field(default_factory=list, title="Words that end a cue's scope")


def compile_pattern(pattern: "EntityPattern") -> Any:
    """Compile a user's pattern with RE2, whose matching time is linear in the text whatever the pattern.

    pattern (EntityPattern): The pattern.
    RETURNS: A compiled RE2 pattern.
    RAISES (re2.error): When the pattern is not in RE2 syntax or compiles to too large a program.
    """
    return _compile(f"(?i:{pattern.pattern})" if pattern.ignore_case else pattern.pattern)


def compile_any(patterns: Sequence["EntityPattern"]) -> Any:
    """One RE2 pattern that matches where any of several does, or None where they are none or too many for one."""
    if len(patterns) < 2:
        return None
    try:
        return _compile("|".join(f"(?{'i' if p.ignore_case else ''}:{p.pattern})" for p in patterns))
    except re2.error:
        return None


def _compile(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 8 << 20
    return re2.compile(pattern, options)


class EntityPattern(Strict):
    """A pattern of the user's for entity mentions, in RE2 syntax: no look-around, no back-references."""

    name: Phrase = Field(title="Name that is recorded on each span the pattern finds")
    pattern: Annotated[str, StringConstraints(min_length=1, max_length=2000)] = Field(title="RE2 pattern")
    group: int = Field(default=0, ge=0, title="Capture group that holds the mention; 0 is the whole match")
    ignore_case: bool = Field(default=False, title="Match without regard to case")

    @model_validator(mode="after")
    def _compiles(self) -> "EntityPattern":
        try:
            compiled = compile_pattern(self)
        except re2.error as error:
            reason = error.args[0].decode("utf8", "replace") if isinstance(error.args[0], bytes) else error.args[0]
            raise fault(f"pattern {self.pattern!r} ({reason})", "a pattern in RE2 syntax") from None
        if self.group > compiled.groups:
            raise fault(f"group {self.group} of {self.pattern!r}", f"a group from 0 to {compiled.groups}")
        # A group that may be empty is passed over where it is; a match that may be empty is a mistake.
        if any(match.start() == match.end() for sample in ("", "a b") for match in compiled.finditer(sample)):
            raise fault(f"pattern {self.pattern!r} that matches empty text", "a pattern that needs a character")
        return self


class EdgeWords(Strict):
    """What belongs to a mention at one edge of a noun phrase: words, and endings such as "-al".

    A word outweighs an ending, a longer ending a shorter one.
    """

    cut: list[Phrase] = Field(default_factory=list, title="Words that are no part of a mention")
    optional: list[Phrase] = Field(default_factory=list, title="Words with and without which a mention is given")
    keep: list[Phrase] = Field(default_factory=list, title="Words that are part of a mention")
    default: EdgeClass = Field(default="keep", title="What is done with all other words")


class EntityKnowledge(Strict):
    """How entity mentions are found by rule (paper §3.4)."""

    rules: list[EntityRule] = Field(
        default_factory=lambda: list(_DEFAULT_RULES),
        title="Built-in rules, the earlier one winning where two find the same",
    )
    patterns: list[EntityPattern] = Field(default_factory=list, title="Patterns of the user's; they win over rules")
    stop_words: list[Phrase] = Field(default_factory=list, title="Further words that end a noun phrase")
    stop_heads: list[Phrase] = Field(default_factory=list, title="Words cut from the edges of a noun phrase")
    before: EdgeWords = Field(default_factory=EdgeWords, title="Words that may stand before a mention in a noun phrase")
    after: EdgeWords = Field(default_factory=EdgeWords, title="Words that may stand after a mention in a noun phrase")
    joins: list[Phrase] | None = Field(
        default=None,
        title="Verb forms and function words in names; '-based' is one behind a hyphen. Default: the built-in ones",
    )
    never_alone: list[Phrase] = Field(
        default_factory=list, title="Further words, and endings such as '-ly', that are no mention by themselves"
    )
    alone: list[Phrase] = Field(default_factory=list, title="Words that are a mention by themselves, whatever says not")


class Dataset(Strict):
    """One dataset file."""

    schema_version: Annotated[Literal[1], BeforeValidator(no_boolean)] = Field(title="Version of this file format")
    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=50)] = Field(
        title="Short name; the pipeline is called en_biochunk_<name>"
    )
    version: Annotated[str, StringConstraints(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")] = Field(
        default="0.1.0", title="Version of the pipeline package"
    )
    description: str = Field(default="", title="What the task is")
    task: Literal["triples", "classification"] = Field(default="triples", title="What a sentence is annotated with")
    relations: dict[Phrase, Relation] = Field(min_length=1, title="Relation labels")
    negation: Cues = Field(default_factory=Cues, title="Cues of negation")
    hedges: Cues = Field(default_factory=Cues, title="Cues of uncertainty")
    context_markers: list[Phrase] = Field(
        default_factory=list,
        title="Phrases that open a setting ('in patients with'); what follows is no subject",
    )
    entities: EntityKnowledge = Field(default_factory=EntityKnowledge, title="Entity rules and patterns")
    parameters: Parameters = Field(default_factory=Parameters, title="Component options for this dataset")

    @field_validator("relations")
    @classmethod
    def _distinct(cls, relations: dict[str, Relation]) -> dict[str, Relation]:
        seen: dict[str, str] = {}
        for name in relations:
            first = seen.setdefault(_key(name), name)
            if first != name:
                raise fault(f"the relations '{first}' and '{name}'", "names that differ by more than case")
        return relations

    @model_validator(mode="after")
    def _known_relation(self) -> "Dataset":
        target = self.parameters.hybrid_selector.target_relation
        if target is not None and target not in self.relations:
            raise fault(
                f"'{target}'",
                f"one of: {', '.join(self.relations)}",
                "parameters.hybrid_selector.target_relation",
            )
        return self


def read_dataset(path: str | Path) -> Dataset:
    """Read and check a dataset file.

    path (str | Path): A JSON file in UTF-8. A byte order mark is accepted on purpose: editors on Windows write one.
    RETURNS (Dataset): The checked dataset.
    RAISES (FileFaultsError): With every fault of the file: key path, what was found and what is expected.
    """
    name = os.fspath(path)
    try:
        raw = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or str(error)
        raise FileFaultsError(name, [Fault("file", found.lower(), "a readable file")]) from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        fault = Fault(f"byte {error.start}", f"0x{raw[error.start]:02x}, which is not UTF-8", "a file in UTF-8")
        raise FileFaultsError(name, [fault]) from None
    return check_dataset(_parse(text, name), name)


def _parse(text: str, name: str) -> object:
    """JSON as its standard has it: no key twice, no NaN or Infinity."""
    faults: list[Fault] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(key for key, _ in items)
        faults.extend(
            Fault("file", f"the key '{key}' {n} times in one object", "each key once")
            for key, n in counts.items()
            if n > 1
        )
        return dict(items)

    def constant(value: str) -> None:
        faults.append(Fault("file", value, "a number"))

    try:
        data = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise FileFaultsError(name, [Fault(where, f"no JSON ({error.msg.lower()})", "a JSON object")]) from None
    except RecursionError:
        raise FileFaultsError(name, [Fault("file", "JSON nested too deeply", "a dataset object")]) from None
    except ValueError:
        # Python refuses integers of more than 4300 digits.
        raise FileFaultsError(name, [Fault("file", "a number of thousands of digits", "a number")]) from None
    if faults:
        raise FileFaultsError(name, faults)
    return data


def check_dataset(data: object, name: str = "dataset") -> Dataset:
    """Check a dataset that is already parsed.

    data (object): What JSON parsing gave.
    name (str): What to call it in an error, usually the file's path.
    RETURNS (Dataset): The checked dataset.
    RAISES (FileFaultsError): With every fault.
    """
    if not isinstance(data, dict):
        raise FileFaultsError(name, [Fault("file", json_type(data), "an object")])
    try:
        # By way of JSON: strict mode then takes lists and numbers as JSON has them.
        text = json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        found = f"half a character (U+{ord(error.object[error.start]):04X})"
        raise FileFaultsError(name, [Fault("file", found, "whole Unicode characters")]) from None
    except ValueError:
        raise FileFaultsError(name, [Fault("file", "a number that is not finite", "a number")]) from None
    try:
        return Dataset.model_validate_json(text)
    except ValidationError as error:
        raise FileFaultsError(name, [to_fault(detail, Dataset) for detail in error.errors()]) from None


def dataset_json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a dataset file, for editors and for other tools."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Dataset.model_json_schema()}
