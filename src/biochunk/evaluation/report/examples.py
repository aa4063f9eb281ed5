"""Sentences on which arms differ, drawn by displaCy: gold and every arm's answer."""

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from spacy.displacy import EntityRenderer

_COLORS = {"HEAD": "#9ecae1", "TAIL": "#fdd0a2"}


def examples_html(examples: Sequence[dict[str, Any]]) -> str:
    """Examples as HTML.

    examples (Sequence[dict]): Each with view, dataset, id, kind, text, and `rows`: for gold and each arm its name, its
        triples [head, relation, tail], whether they are right, and what of the sentence its reader saw.
    """
    return "\n".join(_example(example) for example in examples)


def _example(example: dict[str, Any]) -> str:
    rows = "\n".join(_row(example["text"], row) for row in example["rows"])
    title = f"{example['dataset']}, {example['view']}, {example['id']}: {example['kind']}"
    return f"<article><h3>{escape(title)}</h3>\n{rows}</article>"


def _row(text: str, row: dict[str, Any]) -> str:
    triples = row["triples"]
    said = "; ".join(" | ".join(triple) for triple in triples) or "no relation"
    drawn = ""
    if triples:
        head, _, tail = triples[0]
        ents = _places(text, head, tail)
        data = {"text": text, "ents": ents, "title": None}
        drawn = EntityRenderer({"colors": _COLORS}).render([data], page=False)
    mark = "" if row["right"] is None else " ✓" if row["right"] else " ✗"
    seen = f'<p class="note">saw: {escape(row["seen"])}</p>' if row.get("seen") else ""
    return f'<div class="answer"><p><b>{escape(row["name"])}</b>{mark} {escape(said)}</p>{drawn}{seen}</div>'


def _places(text: str, head: str, tail: str) -> list[dict[str, Any]]:
    """Where head and tail first stand, in text order; a part that overlaps the other is left out."""
    found = []
    for label, part in (("HEAD", head), ("TAIL", tail)):
        match = re.search(re.escape(part), text, re.IGNORECASE) if part else None
        if match is not None:
            found.append((match.start(), match.end(), label))
    found.sort()
    if len(found) == 2 and found[1][0] < found[0][1]:
        found.pop()
    return [{"start": start, "end": end, "label": label} for start, end, label in found]
