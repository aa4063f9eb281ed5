"""The reader that fine-tunes a small encoder."""

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....corpora.splits import in_part, sentence_key
from ....errors import BiochunkError, Errors, MissingExtraError, UsageError
from ....ty import FloatArray
from ...items import Answer, Example, Gold, Task
from ...metrics import folded
from .gold import read_targets
from .input import Item, Limits

if TYPE_CHECKING:
    from .tuned import Tuned

# Share of the sentences on which the threshold is chosen, where there is one; they are not trained on.
_HELD = 0.1


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a fit did.

    trained, held (int): Examples that were trained on, and those on which the threshold was chosen.
    cut, evidence_cut (int): Examples of which the sentence, or the evidence, did not fit.
    missing (int): Gold triples that no candidate spans make, so that the reader cannot learn or say them.
    losses (tuple[float, ...]): Mean loss of each epoch.
    seconds, cpu_seconds (float): By the wall, and of this process on all its threads.
    weights (int): Numbers that were trained.
    device, precision (str): Where, and in what matrices were multiplied.
    """

    trained: int
    held: int
    cut: int
    evidence_cut: int
    missing: int
    losses: tuple[float, ...]
    seconds: float
    cpu_seconds: float
    weights: int
    device: str
    precision: str


@dataclass(kw_only=True, eq=False)
class TransformerReader:
    """Fine-tunes an encoder of `transformers` to say which relations hold, which relation a pair has, or a class.

    The same seed gives the same weights on the same machine with the same number of threads; a GPU, or another
    machine, may differ in the last bits. An answer may differ in its last bits with the examples beside it.

    seed (int): Of new weights, of the order of examples and of dropout.
    model (str | None): Folder of an encoder with a fast tokenizer, or an installed package that holds one; None:
        all-MiniLM-L6-v2.
    epochs, batch_size, lr, head_lr, layer_decay, weight_decay, warmup, average, masked: See
        `training.Recipe`.
    dropout (float): In the heads; the encoder has none.
    hidden (int): Width of the heads.
    kept (int): Candidate spans of a sentence that take part in pairs.
    max_pieces (int): Word pieces that are read of a sentence; the rest is cut, counted and warned of.
    evidence_pieces (int): Word pieces that are read of the evidence, the best first; 0: none.
    max_words (int): Words of the longest span that is tried as a mention, if it was not detected.
    train_embeddings (bool): Train the word pieces' own vectors too.
    device (str): "auto" (a GPU if there is one), "cpu", "cuda", …
    precision (str): "float32", "bfloat16", or "auto": bfloat16 where the processor multiplies it.
    threads (int | None): Of torch on the CPU; None: as many as it uses.
    fitted (Fitted | None): What the last fit did.
    """

    seed: int = 0
    model: str | None = None
    epochs: int = 8
    batch_size: int = 32
    lr: float = 3e-4
    head_lr: float = 1e-3
    layer_decay: float = 0.9
    weight_decay: float = 0.01
    warmup: float = 0.1
    average: float = 0.2
    masked: float = 0.0
    dropout: float = 0.1
    hidden: int = 256
    kept: int = 12
    max_pieces: int = 160
    evidence_pieces: int = 32
    max_words: int = 8
    train_embeddings: bool = False
    device: str = "auto"
    precision: str = "auto"
    threads: int | None = None
    fitted: Fitted | None = field(default=None, init=False, repr=False)
    _tuned: "Tuned | None" = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name, least in {"epochs": 1, "batch_size": 1, "kept": 2, "max_pieces": 8, "max_words": 1}.items():
            if getattr(self, name) < least:
                raise UsageError(f"Transformer reader: {name} is {getattr(self, name)}, expected at least {least}")
        if self.precision not in ("auto", "float32", "bfloat16"):
            found = self.precision
            raise UsageError(f"Transformer reader: precision is {found!r}, expected auto, float32 or bfloat16")

    def fit(self, examples: Sequence[Example], gold: Sequence[Gold], *, task: Task, relations: Sequence[str]) -> None:
        """Fine-tune, anew at each call; see `Reader.fit`. What it did stands in `fitted`.

        RAISES (MissingExtraError): If torch or transformers is not installed.
        RAISES (BiochunkError): If the model cannot be loaded, there is nothing to learn from, or gold names a relation
            that is not among `relations`.
        """
        _check_gold(examples, gold, relations)
        _need_packages()
        from .training import Clock, Recipe, loss_function, seeded, threads, train

        clock = Clock()
        with threads(self.threads), seeded(self.seed):
            tuned, half = self._start(gold, task, relations)
            items = tuned.read(examples)
            self._warn(items)
            targets = read_targets(items, gold, task=task, relations=relations)
            held = [not tuned.one and in_part(sentence_key(e.text), _HELD, self.seed) for e in examples]
            rest = [i for i, out in enumerate(held) if not out] or list(range(len(items)))
            losses = train(
                tuned.network,
                [items[i] for i in rest],
                [targets[i] for i in rest],
                loss_function(task, one=tuned.one),
                tuned.tokenizer,
                Recipe(**{part.name: getattr(self, part.name) for part in fields(Recipe)}),
                device=tuned.device,
                half=half,
            )
            chosen = [i for i, out in enumerate(held) if out]
            if chosen:
                tuned.tune([examples[i] for i in chosen], [items[i] for i in chosen], [gold[i] for i in chosen])
        self._tuned = tuned
        seconds, cpu_seconds = clock.read()
        self.fitted = Fitted(
            trained=len(rest),
            held=len(chosen),
            cut=sum(item.cut for item in items),
            evidence_cut=sum(item.evidence_cut for item in items),
            missing=sum(target.missing for target in targets),
            losses=tuple(losses),
            seconds=seconds,
            cpu_seconds=cpu_seconds,
            weights=sum(p.numel() for p in tuned.network.parameters() if p.requires_grad),
            device=str(tuned.device),
            precision="bfloat16" if half else "float32",
        )

    def predict(self, examples: Sequence[Example]) -> list[Answer]:
        """Answer; see `Reader.predict`."""
        tuned = self._fitted()
        from .training import threads

        items = tuned.read(examples)
        self._warn(items)
        with threads(self.threads):
            return tuned.answers(tuned.think(items))

    def grade(self, examples: Sequence[Example], gold: Sequence[Gold]) -> FloatArray:
        """Log-probability of gold answers; see `GradedReader.grade`.

        Where an example may have several triples, or none, it is the sum over the gold triples, each against all wrong
        ones and none, and over "no other". A triple that the reader cannot say, because no candidate spans have its
        strings, counts -20.
        """
        tuned = self._fitted()
        from .training import threads

        with threads(self.threads):
            return tuned.grades(tuned.read(examples), gold)

    def to_disk(self, path: str | Path) -> None:
        """Save as a folder: JSON, safetensors, and the encoder's own config and tokenizer files."""
        self._fitted().save(Path(path), self._options())

    def from_disk(self, path: str | Path) -> "TransformerReader":
        """Load what `to_disk` wrote, with its options; the device and the threads stay as here."""
        _need_packages()
        from .tuned import Tuned, choose_device

        try:
            facts = json.loads((Path(path) / "reader.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BiochunkError(Errors.E009.format(action="read", path=path, problem=error)) from None
        for name, value in facts["options"].items():
            if name not in ("device", "threads"):
                setattr(self, name, value)
        self._tuned = Tuned.load(Path(path), facts, choose_device(self.device))
        self.fitted = None
        return self

    def _options(self) -> dict[str, Any]:
        return {part.name: getattr(self, part.name) for part in fields(self) if part.init}

    def _start(self, gold: Sequence[Gold], task: Task, relations: Sequence[str]) -> tuple["Tuned", bool]:
        """An encoder with new heads, and whether it is trained in bfloat16."""
        from .answers import Rule
        from .network import Network
        from .tuned import Tuned, choose_device, choose_half, load_encoder

        device = choose_device(self.device)
        tokenizer, encoder = load_encoder(self.model)
        encoder.get_input_embeddings().requires_grad_(self.train_embeddings)
        shape: dict[str, Any] = {
            "relations": len(relations),
            "hidden": self.hidden,
            "kept": self.kept,
            "dropout": self.dropout,
        }
        network = Network(encoder, **shape).to(device)
        said = [{(folded(t.head.text), t.relation, folded(t.tail.text)) for t in g.triples} for g in gold]
        counts = [len(triples) for triples in said]
        same = any(head == tail for triples in said for head, _, tail in triples)
        limits = Limits(
            pieces=self.max_pieces,
            evidence=self.evidence_pieces,
            positions=getattr(encoder.config, "max_position_embeddings", 512),
            words=self.max_words,
        )
        rule = Rule(0.0, min(counts), max(counts), same)
        return Tuned(task, tuple(relations), limits, rule, shape, tokenizer, network, device), choose_half(
            self.precision, device
        )

    def _fitted(self) -> "Tuned":
        if self._tuned is None:
            raise BiochunkError("The transformer reader is not fitted, expected a call of fit or from_disk before")
        return self._tuned

    def _warn(self, items: Sequence[Item]) -> None:
        if cut := sum(item.cut for item in items):
            warnings.warn(
                f"{cut} of {len(items)} sentences are longer than {self.max_pieces} word pieces and marks; their ends "
                "were not read (option max_pieces)",
                stacklevel=3,
            )


def _check_gold(examples: Sequence[Example], gold: Sequence[Gold], relations: Sequence[str]) -> None:
    if not examples:
        raise BiochunkError("The transformer reader found no examples, expected some to learn from")
    if len(examples) != len(gold):
        raise BiochunkError(f"Found {len(gold)} gold answers for {len(examples)} examples, expected one each")
    named = {t.relation for g in gold for t in g.triples} | {a.relation for g in gold for a in g.relations if a}
    if unknown := named - set(relations):
        raise BiochunkError(f"Gold names {sorted(unknown)}, expected relations among {list(relations)}")


def _need_packages() -> None:
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingExtraError(package, "experiment", "The transformer reader")
