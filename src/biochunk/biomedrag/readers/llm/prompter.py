"""Prompts for examples, with train sentences to show."""

from collections.abc import Iterator, Mapping, Sequence

from ....errors import UsageError
from ....ty import Encoder
from ...items import Example, Gold, Mention, Task
from .neighbours import Neighbours, VectorNeighbours, WordNeighbours
from .prompt import Lesson, Shown, evidence_answers, instruction, make_prompt, names, response


class Prompter:
    """Makes the prompts of examples.

    examples (Sequence[Example]), gold (Sequence[Gold]): Train sentences, of which the nearest are shown with their
        answers; a sentence is never shown in a prompt that asks about itself.
    task (str), relations (Sequence[str]): See `Reader.fit`.
    definitions (Mapping[str, str]): Definition of each relation, where there is one.
    shown (int): How many retrieved chunks, and how many train sentences, a prompt shows at most.
    encoder (Encoder | None): Finds the nearest train sentences; None: by their words.
    RAISES (UsageError): If `shown` is below 0.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        gold: Sequence[Gold],
        *,
        task: Task,
        relations: Sequence[str],
        definitions: Mapping[str, str],
        shown: int,
        encoder: Encoder | None = None,
    ) -> None:
        if shown < 0:
            raise UsageError(f"found examples {shown}, expected 0 or more")
        self.task: Task = task
        self.relations = tuple(relations)
        self.shown = shown
        self._instruction = instruction(task, relations, definitions)
        self._train = [
            Shown(example.text, names(pair), answer)
            for example, truth in zip(examples, gold, strict=True)
            for pair, answer in zip(self._asked(example), self._answers(example, truth), strict=True)
        ]
        self._neighbours: Neighbours | None = None
        if self._train and shown:
            texts = [item.text for item in self._train]
            self._neighbours = VectorNeighbours(texts, encoder) if encoder else WordNeighbours(texts)

    def of(self, example: Example) -> list[str]:
        """The prompts of an example: one an asked pair in the task "pairs", else one."""
        evidence = evidence_answers(example.evidence[: self.shown], self.task, self.relations)
        nearest = self._neighbours.nearest(example.text, self.shown) if self._neighbours else []
        shown = [self._train[row] for row in nearest]
        return [
            make_prompt(self._instruction, example.text, pair=names(pair), evidence=evidence, shown=shown)
            for pair in self._asked(example)
        ]

    def lessons(self, examples: Sequence[Example], gold: Sequence[Gold]) -> Iterator[Lesson]:
        """All prompts of some examples with the answers that a model should write."""
        for example, truth in zip(examples, gold, strict=True):
            yield from map(Lesson, self.of(example), self._answers(example, truth))

    def _asked(self, example: Example) -> list[tuple[Mention, Mention] | None]:
        return list(example.pairs) if self.task == "pairs" else [None]

    def _answers(self, example: Example, gold: Gold) -> list[str]:
        return [response(gold, self.task, pair=pair, index=index) for index, pair in enumerate(self._asked(example))]
