"""Instructions, demonstrations and candidates as strings. What scripts parse is exact; the words around it are ours."""

from collections.abc import Sequence
from itertools import permutations


def relation_instruction(relations: Sequence[str], examples: str) -> str:
    """Which relation a sentence states, with examples behind. The scorer reads what follows the two spaces."""
    return f"Which relation does the sentence state? Answer with one of: {', '.join(relations)}. Examples:  {examples}"


def triple_request(relations: Sequence[str]) -> str:
    """Which triple a sentence states; what the triple scripts keep of `triple_instruction`."""
    return (
        "Which relation does the sentence state, and between which two entities? Answer with the head entity, the "
        "relation and the tail entity, with a vertical bar between them. The relation is one of: "
        f"{', '.join(relations)}."
    )


def triple_instruction(relations: Sequence[str], examples: str) -> str:
    """The same request with examples behind."""
    return f"{triple_request(relations)} Examples: {examples}"


def triple(head: str, relation: str, tail: str) -> str:
    """A triple as it is answered and scored."""
    return f"{head}|{relation}|{tail}"


def demonstration(sentence: str, response: str) -> str:
    """The nearest train example, and the place of the sentence that is asked about."""
    return f"1. Context:{sentence} Response:{response} 2. Context:{{}}. Response: {{}}"


def evidence(chunk: str, response: str) -> str:
    """A stored chunk with what it is evidence of."""
    return f"Context: {chunk} Response: {response}"


def triple_evidence(chunk: str, head: str, relation: str, tail: str) -> str:
    """A stored chunk between the head and tail of some triple of its relation, as the triple scripts join them."""
    return evidence(f"{head} {chunk} {tail}", triple(head, relation, tail))


def candidates(items: Sequence[str]) -> list[str]:
    """What the scorer chooses from: ordered selections of some items, each joined by a space.

    Of k of n items all orders are candidates, of all n items just the given one; shorter selections come first.

    items (Sequence[str]): At least one.
    RETURNS (list[str]): 1, 3, 10, 41, 206, … strings of 1, 5, 18, 104, 710, … items in all for 1, 2, 3, 4, 5, … items.
    """
    shorter = [chosen for length in range(1, len(items)) for chosen in permutations(items, length)]
    return [" ".join(chosen) for chosen in (*shorter, tuple(items))]


def with_candidates(instruction: str, strings: Sequence[str]) -> str:
    """An instruction as the scorer is trained on it."""
    return "|".join((instruction, *strings))
