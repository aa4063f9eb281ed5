"""A language model in the reader's place."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import tee

from ....errors import BiochunkError, UsageError
from ....ty import Encoder
from ...examples import pair_triples
from ...items import Answer, Example, Gold, Mention, PairAnswer, Task, Triple
from .parse import parse_label, parse_pair, parse_triples
from .prompter import Prompter
from .usage import Completion, LanguageModel, Prices, Report


class LanguageModelReader:
    """Asks a language model, with BioMedRAG's prompt; a `Reader`.

    `fit` teaches the model nothing: it keeps the train sentences, of which the nearest are shown in prompts. In the
    task "pairs" each pair is a prompt of its own. An answer that cannot be read, or that did not come, is an answer
    that states nothing (no triple, no relation, no class), and is counted in `report`.

    model (LanguageModel): What writes the answers.
    examples (int): How many retrieved chunks, and how many nearest train sentences, a prompt shows at most (BioMedRAG
        and the paper: 0, 1 or 3).
    definitions (Mapping[str, str] | None): Definition of each relation, shown with its name.
    encoder (Encoder | None): Finds the nearest train sentences; None: by their words.
    prices (Prices | None): What tokens cost.
    RAISES (UsageError): If `examples` is below 0.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        examples: int = 1,
        definitions: Mapping[str, str] | None = None,
        encoder: Encoder | None = None,
        prices: Prices | None = None,
    ) -> None:
        if examples < 0:
            raise UsageError(f"found examples {examples}, expected 0 or more")
        self.model = model
        self.examples = examples
        self.definitions = dict(definitions or {})
        self.encoder = encoder
        self.report = Report(prices=prices)
        self._prompter: Prompter | None = None

    def fit(self, examples: Sequence[Example], gold: Sequence[Gold], *, task: Task, relations: Sequence[str]) -> None:
        """Keep the train sentences to be shown; see `Reader.fit`. The counts of `report` begin anew."""
        self._prompter = Prompter(
            examples,
            gold,
            task=task,
            relations=relations,
            definitions=self.definitions,
            shown=self.examples,
            encoder=self.encoder,
        )
        self.report = Report(prices=self.report.prices)

    def predict(self, examples: Sequence[Example]) -> list[Answer]:
        """See `Reader.predict`.

        RAISES (BiochunkError): If `fit` was not called, or the model cannot be asked any more; `report` then holds
            the counts so far.
        """
        return list(self.answers(examples))

    def answers(self, examples: Iterable[Example]) -> Iterator[Answer]:
        """The same one by one, in order."""
        prompter = self.prompter
        ours, theirs = tee(examples)
        prompts = (prompt for example in theirs for prompt in prompter.of(example))
        with closing(self.model.complete(prompts)) as completions:
            for example in ours:
                if prompter.task == "pairs":
                    relations = tuple(self._pair(next(completions), pair) for pair in example.pairs)
                    yield Answer(pair_triples(example, relations), relations)
                elif prompter.task == "label":
                    yield Answer(label=self._label(next(completions)))
                else:
                    yield Answer(self._triples(next(completions), example.text))
            # A model that gives up says so after its last completion.
            next(completions, None)

    @property
    def prompter(self) -> Prompter:
        """Makes the prompts.

        RAISES (BiochunkError): If `fit` was not called.
        """
        if self._prompter is None:
            raise BiochunkError("found a language model reader before fit, expected fit(…, task=…, relations=…) first")
        return self._prompter

    def _written(self, completion: Completion) -> str | None:
        self.report.add(completion)
        return completion.text

    def _triples(self, completion: Completion, text: str) -> tuple[Triple, ...]:
        written = self._written(completion)
        if written is None:
            return ()
        parsed = parse_triples(written, text, self.prompter.relations, cut=completion.cut)
        self.report.faults.update(parsed.faults)
        self.report.answers += len(parsed.triples)
        return parsed.triples

    def _pair(self, completion: Completion, pair: tuple[Mention, Mention]) -> PairAnswer | None:
        written = self._written(completion)
        if written is None:
            return None
        answer, faults = parse_pair(written, pair, self.prompter.relations, cut=completion.cut)
        self.report.faults.update(faults)
        self.report.answers += answer is not None
        return answer

    def _label(self, completion: Completion) -> int | None:
        written = self._written(completion)
        if written is None:
            return None
        label, faults = parse_label(written, cut=completion.cut)
        self.report.faults.update(faults)
        self.report.answers += label is not None
        return label
