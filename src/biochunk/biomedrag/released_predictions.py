"""BioMedRAG's prediction files, read by the rules of its own metric, so that its published figures come out.

The rules are those of its script `4_generation_triple_model/0_F1_triplet_evalution.py`, as commit 7911231 of its
repository left it:

- gold is what stands before, between and after the first two `|` of `ground_truth`; further parts are passed over;
- `predicted` is prompt and output: what follows the third empty line, up to the next, has to be two lines (the heading
  "### Response:" and the output), and the second has to have exactly two `|`; else nothing is predicted;
- all is lower-cased; in heads and tails a run of seven spaces becomes one; predicted heads and tails lose white space
  at their edges. Gold does not, and relations never do.

Where fewer than three empty lines stand, the script ends with an error; here nothing is predicted.
"""

from collections.abc import Iterator
from pathlib import Path

from ..corpora.jsonrows import JsonRow, read_json_rows
from ..errors import Fault, FileFaultsError
from ..schema_faults import json_type
from .items import Triple
from .metrics import Item
from .predictions import Scored

_KEYS = ("ground_truth", "predicted")
_SEVEN_SPACES = " " * 7


def read_released(path: str | Path) -> Scored:
    """Read a prediction file of BioMedRAG; each line is an item, also where lines are repeated.

    path (str | Path): The file, with `ground_truth` and `predicted` in every object: JSON lines, or a JSON array.
    RAISES (FileFaultsError): With every line that lacks one of them, or whose gold is not `head|relation|tail`.
    """
    faults: list[Fault] = []
    scored = Scored([], [], [], [], [])
    seen: set[tuple[str, str]] = set()
    repeated = unreachable = longer = 0
    for row in read_json_rows(path):
        found = list(_faults(row))
        faults += found
        if found:
            continue
        truth, output = row.value["ground_truth"], row.value["predicted"]
        gold, predicted = gold_triple(truth), predicted_triple(output)
        scored.items.append(Item(frozenset([predicted] if predicted else []), frozenset([gold])))
        scored.names.setdefault(gold.relation, truth.split("|")[1])
        if predicted is None:
            scored.unread.append(row.where)
        key = (str(row.value.get("sentence", "")), truth)
        repeated += key in seen
        seen.add(key)
        longer += truth.count("|") > 2
        unreachable += gold.head != gold.head.strip() or gold.tail != gold.tail.strip()
    if faults:
        raise FileFaultsError(str(path), faults)
    for number, what in (
        (repeated, "repeat the sentence and the gold of an earlier one; the metric counts them again"),
        (longer, "have gold with more than two '|'; the metric takes the first three parts"),
        (unreachable, "have gold with white space at the edge of head or tail; by the metric it is always missed"),
    ):
        if number:
            scored.notes.append(f"{number} of {len(scored.items)} items {what}.")
    return scored


def gold_triple(truth: str) -> Triple:
    """The gold of a line, as compared. truth (str): `head|relation|tail`, with at least two `|`."""
    head, relation, tail = truth.split("|")[:3]
    return Triple(_name(head), relation.lower(), _name(tail))


def predicted_triple(predicted: str) -> Triple | None:
    """What an output states, as compared; None where it does not parse. predicted (str): Prompt and output."""
    blocks = predicted.split("\n\n")
    lines = blocks[3].split("\n") if len(blocks) > 3 else []
    parts = lines[1].split("|") if len(lines) == 2 else []
    if len(parts) != 3:
        return None
    head, relation, tail = parts
    return Triple(_name(head).strip(), relation.lower(), _name(tail).strip())


def _name(text: str) -> str:
    return text.lower().replace(_SEVEN_SPACES, " ")


def _faults(row: JsonRow) -> Iterator[Fault]:
    for key in _KEYS:
        value = row.value.get(key)
        if not isinstance(value, str):
            found = json_type(value) if key in row.value else "nothing"
            yield Fault(f"{row.where}.{key}", found, "a string")
        elif key == "ground_truth" and value.count("|") < 2:
            yield Fault(f"{row.where}.{key}", repr(value), "head|relation|tail")
