"""Values that a dataset file is made of, and how one that is wrong is reported."""

import json
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

# One line of text: a tab, a line break or a null byte inside it would never match, and breaks files we write.
Phrase = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f\x85\u2028\u2029]*$"
    ),
]
Number = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
PartOfSpeech = Literal["verb", "noun", "adjective", "preposition", "phrase"]
PatternName = Literal["infix", "prefix", "postfix"]
SourceName = Literal["entity", "trigger", "proposition", "pair", "fixed", "fixed_strict", "sentence"]
EntityRule = Literal[
    "brackets", "padding", "capitalised", "hyphenated", "coordination", "shapes", "affixes", "noun_phrase"
]
EdgeClass = Literal["keep", "optional", "cut"]


def fault(found: str, expected: str, where: str | None = None) -> PydanticCustomError:
    """A validation error that carries the parts of a `Fault`. where: key path; default: where the error is raised."""
    return PydanticCustomError("biochunk_fault", "{expected}", {"found": found, "expected": expected, "where": where})


def has_word(text: str) -> str:
    if not any(character.isalnum() for character in text):
        # Escaped, for the characters may be invisible.
        raise fault(json.dumps(text), "text with a letter or a digit")
    return text


def no_boolean(value: object) -> object:
    """In Python, though not in JSON, true equals 1."""
    if isinstance(value, bool):
        raise fault(json.dumps(value), "a number")
    return value


# What is looked for in a text, in words.
Words = Annotated[Phrase, AfterValidator(has_word)]
Tier = Annotated[Literal[1, 2, 3], BeforeValidator(no_boolean)]
# Far beyond any sentence, and small enough for any file format.
LARGEST = 1_000_000


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
