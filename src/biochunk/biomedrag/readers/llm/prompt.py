"""The text that a language model is asked with. Its shape is BioMedRAG's: an instruction, retrieved chunks with the
relation of each, nearest train sentences with their answers, then the context. The wording is ours.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...items import Evidence, Gold, Mention, Task

# What a model writes where nothing holds.
NOTHING = "None"
# Where a model that only goes on with a text begins to write the next question.
STOP = "\nContext:"

_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
_INSTRUCTIONS: Mapping[Task, str] = {
    "triples": (
        "Extract the relations that the context states between biomedical entities.\n"
        "Write one line for each of them: head|RELATION|tail. Copy head and tail from the context letter by letter.\n"
        f"Use only the relations that are listed. If the context states none of them, write {NOTHING}. "
        "Write nothing else."
    ),
    "pairs": (
        "Two entities are named with the context. Find the relation that the context states between them.\n"
        "Write one line: head|RELATION|tail, where head and tail are the two entities, in the order that is true.\n"
        f"Use only the relations that are listed. If the context states none of them, write {NOTHING}. "
        "Write nothing else."
    ),
    "label": (
        "Decide whether the context states the following. Write 1 if it does and 0 if it does not. Write nothing else."
    ),
}


class Lesson(NamedTuple):
    """A prompt and the answer that a model should write."""

    prompt: str
    answer: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A train sentence with its answer, as a prompt shows it.

    text (str): The sentence.
    pair (tuple[str, str] | None): The asked pair, in the task "pairs".
    response (str): The answer; see `response`.
    """

    text: str
    pair: tuple[str, str] | None
    response: str


def instruction(task: Task, relations: Sequence[str], definitions: Mapping[str, str]) -> str:
    """What the model has to do.

    task (str): See `Reader.fit`.
    relations (Sequence[str]): The labels; in the task "label" the first one is what class 1 states.
    definitions (Mapping[str, str]): Definition of each relation, where there is one.
    """
    listed = relations[:1] if task == "label" else relations
    lines = [f"- {name}: {one_line(definitions[name])}" if name in definitions else f"- {name}" for name in listed]
    return "\n".join([_INSTRUCTIONS[task], "", "Statement:" if task == "label" else "Relations:", *lines])


def make_prompt(
    head: str,
    text: str,
    *,
    pair: tuple[str, str] | None = None,
    evidence: Iterable[tuple[str, str]] = (),
    shown: Sequence[Shown] = (),
) -> str:
    """The whole prompt.

    head (str): The instruction.
    text (str): What is to be read.
    pair (tuple[str, str] | None): The asked pair, in the task "pairs".
    evidence (Iterable[tuple[str, str]]): Retrieved chunks with the answer that stands for each, the best first.
    shown (Sequence[Shown]): Train sentences, the nearest first.
    """
    blocks = [head]
    chunks = [f"Context: {one_line(chunk)}\nResponse: {answer}" for chunk, answer in evidence]
    if chunks:
        blocks.append("\n".join(["Parts of other sentences, with their relation:", *chunks]))
    examples = [f"{_question(s.text, s.pair)} {s.response}" for s in shown]
    if examples:
        blocks.append("\n".join(["Examples:", *examples]))
    blocks.append(_question(text, pair))
    return "\n\n".join(blocks)


def response(gold: Gold, task: Task, *, pair: tuple[Mention, Mention] | None = None, index: int = 0) -> str:
    """The right answer as a model should write it.

    gold (Gold): The answer of an example.
    task (str): See `Reader.fit`.
    pair (tuple[Mention, Mention] | None): The asked pair, in the task "pairs".
    index (int): Which asked pair it is.
    """
    if task == "label":
        return str(int(bool(gold.label)))
    if task == "triples":
        lines = dict.fromkeys(_line(t.head.text, t.relation, t.tail.text) for t in gold.triples)
        return "\n".join(lines) or NOTHING
    answer = gold.relations[index]
    if answer is None or pair is None:
        return NOTHING
    first, second = pair if answer.forward else (pair[1], pair[0])
    return _line(first.text, answer.relation, second.text)


def evidence_answers(evidence: Iterable[Evidence], task: Task, relations: Sequence[str]) -> list[tuple[str, str]]:
    """Each chunk with what a prompt says of it: its relation; in the task "label" 1 for the first one, else 0."""
    if task == "label":
        return [(item.text, str(int(item.relation == relations[0]))) for item in evidence]
    return [(item.text, item.relation) for item in evidence]


def names(pair: tuple[Mention, Mention] | None) -> tuple[str, str] | None:
    """A pair's mentions as strings."""
    return (pair[0].text, pair[1].text) if pair else None


def one_line(text: str) -> str:
    """A text without line breaks, for a line break ends a field of the prompt; other white space stays."""
    return _BREAKS.sub(" ", text)


def _question(text: str, pair: tuple[str, str] | None) -> str:
    lines = [f"Context: {one_line(text)}"]
    if pair:
        lines.append(f"Entities: {one_line(pair[0])}; {one_line(pair[1])}")
    return "\n".join([*lines, "Response:"])


def _line(head: str, relation: str, tail: str) -> str:
    return f"{one_line(head)}|{relation}|{one_line(tail)}"
