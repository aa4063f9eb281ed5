"""What a language model was asked and what it cost, as counts."""

from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Completion:
    """What became of one prompt.

    text (str | None): What the model wrote; None where there is no answer.
    failure (str): Why there is none, as a kind: "timeout", "connection", "http_500", "bad_json" …; "" where there is.
    detail (str): What the endpoint said about the failure, for a message.
    cut (bool): The model was stopped by the limit of tokens.
    prompt_tokens, completion_tokens (int | None): As the endpoint counts them; None where it does not say.
    tries (int): Requests sent; 0 where the answer was known.
    failed (tuple[str, ...]): Kinds of failure of the tries that were followed by another.
    """

    text: str | None
    failure: str = ""
    detail: str = ""
    cut: bool = False
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    tries: int = 1
    failed: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """The failure with its detail, for a message."""
        return f"{self.failure} ({self.detail})" if self.detail else self.failure


@runtime_checkable
class LanguageModel(Protocol):
    """What writes the answers: an endpoint or a local model."""

    def complete(self, prompts: Iterable[str]) -> Generator[Completion, None, None]:
        """One completion a prompt, in order. A prompt that fails is a completion with a failure.

        RAISES (BiochunkError): When so many fail that to go on makes no sense.
        """
        ...


class Prices(NamedTuple):
    """Prices of a million tokens of prompt and of completion, in any one currency."""

    prompt: float
    completion: float


@dataclass
class Report:
    """Counts of a run.

    prompts (int): Questions put to the model.
    known (int): Of these, answered from the cache.
    requests (int): Requests sent, retries included.
    retries (int): Requests that repeat a failed one.
    failed_tries (Counter[str]): Failures after which a request was repeated, by kind.
    failures (Counter[str]): Prompts without an answer, by kind of the last failure.
    last_failure (str): Why the last of them has none (`Completion.reason`), for a message.
    faults (Counter[str]): What was wrong with answers, by kind (`parse`); a fault costs the line, not the run.
    answers (int): Triples, relations of pairs or classes that were read.
    prompt_tokens, completion_tokens (int): Of the requests that were answered in this run.
    unmetered (int): Requests answered without a count of tokens; their cost is unknown.
    prices (Prices | None): What tokens cost.
    """

    prompts: int = 0
    known: int = 0
    requests: int = 0
    retries: int = 0
    failed_tries: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    last_failure: str = ""
    faults: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unmetered: int = 0
    prices: Prices | None = None

    def add(self, completion: Completion) -> None:
        """Count one completion."""
        self.prompts += 1
        self.requests += completion.tries
        self.retries += max(completion.tries - 1, 0)
        self.failed_tries.update(completion.failed)
        if completion.text is None:
            self.failures[completion.failure] += 1
            self.last_failure = completion.reason
        elif not completion.tries:
            self.known += 1
        elif completion.prompt_tokens is None or completion.completion_tokens is None:
            self.unmetered += 1
        else:
            self.prompt_tokens += completion.prompt_tokens
            self.completion_tokens += completion.completion_tokens

    @property
    def cost(self) -> float | None:
        """Price of the tokens that were counted, in the currency of `prices`; None without prices."""
        if self.prices is None:
            return None
        return (self.prompt_tokens * self.prices.prompt + self.completion_tokens * self.prices.completion) / 1e6

    def to_json(self) -> dict[str, Any]:
        """All counts as JSON values, kinds by name."""
        return {
            "prompts": self.prompts,
            "known": self.known,
            "requests": self.requests,
            "retries": self.retries,
            "failed_tries": dict(sorted(self.failed_tries.items())),
            "failures": dict(sorted(self.failures.items())),
            "faults": dict(sorted(self.faults.items())),
            "answers": self.answers,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "unmetered": self.unmetered,
            "cost": self.cost,
        }
