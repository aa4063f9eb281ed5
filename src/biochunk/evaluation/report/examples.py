"""Sentences on which arms differ, drawn by displaCy: gold and every arm's answer."""

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from spacy.displacy import EntityRenderer

from .tables import INPUTS, TASKS, dataset_name

_COLORS = {"HEAD": "#9ecae1", "TAIL": "#fdd0a2"}


def examples_html(examples: Sequence[dict[str, Any]], baseline: str) -> str:
    """Examples as HTML.

    examples (Sequence[dict]): Each with view, dataset, task, input, id, arm, kind, text, and `rows`: for gold and each
        arm its name, its triples [head, relation, tail], the annotated places of the first one ([[start, end], …], or
        None where it is not annotated), whether they are right, and what of the sentence its reader saw.
    baseline (str): The arm that the examples' arm is compared with.
    """
    arms = ", ".join(f"<code>{escape(arm)}</code>" for arm in dict.fromkeys(example["arm"] for example in examples))
    intro = (
        f"<p>The first items on which {arms} and <code>{escape(baseline)}</code> differ, or both are wrong, by the "
        "first seed's answers. ✓: all triples of the sentence are right, none too many. The first is marked.</p>"
    )
    return "\n".join([intro, *(_example(example) for example in examples)])


def _example(example: dict[str, Any]) -> str:
    rows = "\n".join(_row(example["text"], row) for row in example["rows"])
    place = dataset_name(example["dataset"]), example["view"], TASKS[example["task"]], INPUTS[example["input"]]
    title = f"{', '.join((*place, example['id']))}: {example['kind']}"
    return f"<article><h3>{escape(title)}</h3>\n{rows}</article>"


def _row(text: str, row: dict[str, Any]) -> str:
    triples = row["triples"]
    said = "; ".join(" | ".join(part for part in triple if part) for triple in triples) or "no relation"
    drawn = ""
    if triples:
        head, _, tail = triples[0]
        data = {"text": text, "ents": _marks(row.get("places") or _find(text, head, tail)), "title": None}
        drawn = EntityRenderer({"colors": _COLORS}).render([data], page=False)
    mark = "" if row["right"] is None else " ✓" if row["right"] else " ✗"
    seen = f'<p class="note">saw: {escape(row["seen"])}</p>' if row.get("seen") else ""
    return f'<div class="answer"><p><b>{escape(row["name"])}</b>{mark} {escape(said)}</p>{drawn}{seen}</div>'


def _marks(places: Sequence[Sequence[int] | None]) -> list[dict[str, Any]]:
    """Head and tail as displaCy wants them, in text order; the tail is left out where it overlaps the head."""
    marks: list[dict[str, Any]] = [
        {"start": place[0], "end": place[1], "label": label}
        for label, place in zip(("HEAD", "TAIL"), places, strict=True)
        if place
    ]
    if len(marks) == 2 and marks[0]["start"] < marks[1]["end"] and marks[1]["start"] < marks[0]["end"]:
        marks.pop()
    return sorted(marks, key=lambda mark: mark["start"])


def _find(text: str, head: str, tail: str) -> list[tuple[int, int] | None]:
    """Where head and tail first stand, the longer first and the other beside it; whole words before parts of words."""
    found: dict[str, tuple[int, int] | None] = {"head": None, "tail": None}
    for name, part in sorted((("head", head), ("tail", tail)), key=lambda pair: -len(pair[1])):
        taken = [place for place in found.values() if place]
        for pattern in (rf"(?<!\w){re.escape(part)}(?!\w)", re.escape(part)) if part else ():
            spans = (match.span() for match in re.finditer(pattern, text, re.IGNORECASE))
            free = (span for span in spans if all(span[1] <= start or end <= span[0] for start, end in taken))
            found[name] = found[name] or next(free, None)
    return [found["head"], found["tail"]]
