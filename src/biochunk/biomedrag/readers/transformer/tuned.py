"""A fine-tuned encoder with what it needs to answer, and its folder on disk. Imports torch and transformers."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModel, AutoTokenizer

from ....encoders.models import default_model_path, resolve_model
from ....errors import BiochunkError, Errors
from ....files import whole_file
from ....folders import whole_folder
from ....ty import FloatArray
from ...items import Answer, Example, Gold, Task
from ...metrics import score_answers
from .answers import Opinion, Rule, answer, log_probabilities, opinions
from .gold import read_targets
from .input import Item, Limits, read_items
from .network import Network

# An encoder's own dropout is left out: few passes need little of it, and its random numbers take a third of the time of
# a step on a CPU.
_DROPOUTS = ("attention_probs_dropout_prob", "hidden_dropout_prob", "attention_dropout", "dropout")
# Items that are answered at a time.
_BATCH = 32


@dataclass(slots=True)
class Tuned:
    """What a reader has after `fit`.

    task, relations: See `Reader.fit`.
    limits (Limits): How much is read.
    rule (Rule): How scores become answers.
    shape (dict[str, Any]): Arguments of `Network`, without the encoder.
    tokenizer (Any): The encoder's.
    network (Network): The encoder and its heads.
    device (torch.device): Where the network is.
    """

    task: Task
    relations: tuple[str, ...]
    limits: Limits
    rule: Rule
    shape: dict[str, Any]
    tokenizer: Any
    network: Network
    device: torch.device

    @property
    def one(self) -> bool:
        """Whether every example has exactly one triple."""
        return self.rule.least == self.rule.most == 1

    def read(self, examples: Sequence[Example]) -> list[Item]:
        """Encode examples."""
        return read_items(examples, self.tokenizer, task=self.task, limits=self.limits)

    def think(self, items: Sequence[Item]) -> list[Opinion]:
        """What the network thinks of items, in their order."""
        out: dict[int, Opinion] = {}
        for index in _by_length(items):
            some = [items[i] for i in index]
            found = opinions(
                self.network, some, task=self.task, relations=self.relations, one=self.one, device=self.device
            )
            out.update(zip(index, found, strict=True))
        return [out[i] for i in range(len(items))]

    def answers(self, thoughts: Sequence[Opinion]) -> list[Answer]:
        """Answers from opinions."""
        return [answer(thought, task=self.task, rule=self.rule) for thought in thoughts]

    def grades(self, items: Sequence[Item], gold: Sequence[Gold]) -> FloatArray:
        """Log-probability of gold answers, in the order of items."""
        targets = read_targets(items, gold, task=self.task, relations=self.relations)
        out = np.zeros(len(items), dtype=np.float32)
        for index in _by_length(items):
            some, wanted = [items[i] for i in index], [targets[i] for i in index]
            out[index] = log_probabilities(self.network, some, wanted, task=self.task, one=self.one, device=self.device)
        return out

    def tune(self, examples: Sequence[Example], items: Sequence[Item], gold: Sequence[Gold]) -> None:
        """Choose the threshold with the best F1 on examples not trained on; of equal ones the nearest to 0."""
        thoughts = self.think(items)

        def f1(threshold: float) -> float:
            self.rule = self.rule._replace(threshold=threshold)
            return score_answers(examples, self.answers(thoughts), gold, task=self.task).main.score().f1

        steps = sorted(np.arange(-4.0, 4.01, 0.25).tolist(), key=abs)
        self.rule = self.rule._replace(threshold=max(steps, key=f1))

    def save(self, folder: Path, options: dict[str, Any]) -> None:
        """Write `reader.json`, `network.safetensors`, and the encoder's config and tokenizer under `encoder`."""
        facts = {
            "options": options,
            "task": self.task,
            "relations": self.relations,
            "limits": asdict(self.limits),
            "rule": self.rule._asdict(),
            "shape": self.shape,
        }
        with whole_folder(folder) as new:
            with whole_file(new / "reader.json") as file:
                json.dump(facts, file, indent=2)
                file.write("\n")
            weights = {name: value.cpu().contiguous() for name, value in self.network.state_dict().items()}
            save_file(weights, new / "network.safetensors")
            self.network.encoder.config.save_pretrained(new / "encoder")
            self.tokenizer.save_pretrained(new / "encoder")

    @classmethod
    def load(cls, folder: Path, facts: dict[str, Any], device: torch.device) -> "Tuned":
        """Read what `save` wrote.

        facts (dict[str, Any]): What `reader.json` says.
        """
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder / "encoder", local_files_only=True)
            config = AutoConfig.from_pretrained(folder / "encoder", local_files_only=True)
            network = Network(_bare(AutoModel.from_config(config)), **facts["shape"])
            network.load_state_dict(load_file(folder / "network.safetensors"))
        except (OSError, ValueError, RuntimeError) as error:
            raise BiochunkError(Errors.E009.format(action="read", path=folder, problem=error)) from None
        return cls(
            facts["task"],
            tuple(facts["relations"]),
            Limits(**facts["limits"]),
            Rule(**facts["rule"]),
            facts["shape"],
            tokenizer,
            network.to(device).eval(),
            device,
        )


def load_encoder(model: str | None) -> tuple[Any, Any]:
    """A tokenizer and an encoder.

    model (str | None): See `TransformerReader`.
    RAISES (BiochunkError): If they cannot be loaded, or the tokenizer is none of the fast ones, which know where each
        word piece stands in the text.
    """
    path = str(default_model_path()) if model is None else resolve_model(model)
    expected = "a folder or an installed package of an encoder of transformers, with a fast tokenizer"
    try:
        tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True)
        config = AutoConfig.from_pretrained(path, local_files_only=True)
        for name in _DROPOUTS:
            if hasattr(config, name):
                setattr(config, name, 0.0)
        encoder = AutoModel.from_pretrained(path, config=config, local_files_only=True)
    except (OSError, ValueError) as error:
        problem = f"cannot be loaded: {' '.join(str(error).split())}"
        raise BiochunkError(Errors.E008.format(encoder=path, problem=problem, expected=expected)) from None
    if not tokenizer.is_fast or tokenizer.cls_token_id is None or tokenizer.sep_token_id is None:
        problem = "has a tokenizer that is not fast, or without first and last piece"
        raise BiochunkError(Errors.E008.format(encoder=path, problem=problem, expected=expected))
    return tokenizer, _bare(encoder)


def choose_device(name: str) -> torch.device:
    """The device of a name; for "auto" a GPU if there is one."""
    if name != "auto":
        return torch.device(name)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def choose_half(precision: str, device: torch.device) -> bool:
    """Whether to multiply matrices in bfloat16. For "auto": where the processor does so itself and saves time."""
    if precision != "auto":
        return precision == "bfloat16"
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    native = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
    return device.type == "cpu" and native is not None and bool(native())


def _bare(encoder: Any) -> Any:
    """An encoder without a pooler, which nothing here reads."""
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None
    return encoder


def _by_length(items: Sequence[Item]) -> Iterator[list[int]]:
    order = sorted(range(len(items)), key=lambda i: len(items[i].ids))
    for start in range(0, len(order), _BATCH):
        yield order[start : start + _BATCH]
