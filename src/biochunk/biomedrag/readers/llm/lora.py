"""Fine-tuning of a local language model with low-rank adapters (LoRA), on prompts and their answers."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import BiochunkError, MissingExtraError, UsageError
from ....folders import whole_folder
from .causal import Device, Dtype, answer_tokens, context_length, load_causal, prompt_tokens
from .prompt import Lesson

if TYPE_CHECKING:
    from torch import Tensor

# Share of the steps in which the learning rate rises to its full height.
_WARM_UP = 0.05
_LARGEST_GRADIENT = 1.0
# No loss is taken where this label stands.
_NO_LOSS = -100


@dataclass(frozen=True, slots=True)
class LoraOptions:
    """Settings of a training.

    rank (int): Rank of the added matrices.
    alpha (float): They are scaled by alpha / rank.
    dropout (float): On their input, 0 to 1.
    epochs (int): Times that every lesson is seen.
    learning_rate (float): At its height; it rises in the first 5 % of the steps and falls to 0 in a straight line.
    batch_size (int): Lessons a step.
    max_length (int): Most tokens of prompt and answer together. A longer lesson is left out, and counted.
    seed (int): Of the first weights, the dropout and the order.
    """

    rank: int = 8
    alpha: float = 16.0
    dropout: float = 0.05
    epochs: int = 3
    learning_rate: float = 2e-4
    batch_size: int = 4
    max_length: int = 1024
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of a training.

    lessons (int): Lessons that were learned from.
    too_long (int): Lessons that were left out for their length.
    losses (list[float]): Mean loss of each epoch, in nats a token of the answer.
    """

    lessons: int
    too_long: int
    losses: list[float]


def train_lora(
    folder: str | Path,
    lessons: Iterable[Lesson],
    out: str | Path,
    *,
    options: LoraOptions | None = None,
    device: Device = "auto",
    dtype: Dtype = "auto",
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> Trained:
    """Fine-tune a model; only the loss on the answers counts, and only the added matrices change.

    folder (str | Path): The model (`causal.load_causal`); it stays as it is.
    lessons (Iterable[Lesson]): What is learned.
    out (str | Path): Folder of the adapter, which appears whole: its weights (safetensors) and config as peft reads
        them, and `training.json` with the options and the losses.
    options (LoraOptions | None): Settings; None: the defaults.
    device, dtype (str): See `causal.load_causal`.
    progress (Callable): Wraps the steps of an epoch, to show how far it is.
    RAISES (MissingExtraError): If peft, torch or transformers is not installed.
    RAISES (UsageError): If an option makes no sense or no lesson is short enough.
    RAISES (BiochunkError): If the model cannot be loaded, or the loss is no number any more.
    """
    options = options or LoraOptions()
    _check(options)
    try:
        import peft
        import torch
    except ImportError as error:
        raise MissingExtraError(str(error.name), "llm-train", "Training a language model") from None
    model, tokenizer = load_causal(folder, device=device, dtype=dtype)
    most = min(options.max_length, context_length(model) or options.max_length)
    rows = [(prompt_tokens(tokenizer, item.prompt), answer_tokens(tokenizer, item.answer)) for item in lessons]
    short = [row for row in rows if len(row[0]) + len(row[1]) <= most]
    if not short:
        raise UsageError(f"found {len(rows)} lessons of more than {most} tokens, expected shorter ones; see max_length")
    torch.manual_seed(options.seed)
    adapted = peft.get_peft_model(model, _config(peft, model, options))
    losses = _fit(adapted, short, options, pad=tokenizer.pad_token_id or 0, progress=progress)
    trained = Trained(len(short), len(rows) - len(short), losses)
    with whole_folder(out) as work:
        adapted.save_pretrained(str(work), safe_serialization=True, save_embedding_layers=False)
        _tidy(work, {"options": asdict(options), **asdict(trained)})
    return trained


def _check(options: LoraOptions) -> None:
    for name in ("rank", "epochs", "batch_size", "max_length"):
        if getattr(options, name) < 1:
            raise UsageError(f"found {name} {getattr(options, name)}, expected at least 1")
    for name in ("alpha", "learning_rate"):
        if not 0 < getattr(options, name) < math.inf:
            raise UsageError(f"found {name} {getattr(options, name)}, expected a number above 0")
    if not 0 <= options.dropout < 1:
        raise UsageError(f"found dropout {options.dropout}, expected 0 or more, and less than 1")


def _config(peft: Any, model: Any, options: LoraOptions) -> Any:
    from transformers.pytorch_utils import Conv1D

    return peft.LoraConfig(
        task_type="CAUSAL_LM",
        r=options.rank,
        lora_alpha=options.alpha,
        lora_dropout=options.dropout,
        target_modules="all-linear",
        # GPT-2's layers keep their weights the other way round.
        fan_in_fan_out=any(isinstance(module, Conv1D) for module in model.modules()),
    )


def _fit(
    model: Any,
    rows: Sequence[tuple[list[int], list[int]]],
    options: LoraOptions,
    *,
    pad: int,
    progress: Callable[[Iterable[Any]], Iterable[Any]],
) -> list[float]:
    """Train the matrices. RETURNS (list[float]): Mean loss a token of each epoch."""
    import torch

    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=options.learning_rate, weight_decay=0.0)
    steps = options.epochs * math.ceil(len(rows) / options.batch_size)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, _Rate(steps))
    order = np.random.default_rng(options.seed)
    losses = []
    model.train()
    for _ in range(options.epochs):
        total, tokens = 0.0, 0
        for batch in progress(list(_batches(order.permutation(len(rows)), options.batch_size))):
            ids, mask, labels = _tensors([rows[i] for i in batch], pad, model.device)
            logits = model(input_ids=ids, attention_mask=mask).logits[:, :-1].float()
            # Each place tells the token that follows it.
            loss = torch.nn.functional.cross_entropy(
                logits.flatten(0, 1), labels[:, 1:].flatten(), ignore_index=_NO_LOSS
            )
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, _LARGEST_GRADIENT)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            count = int((labels[:, 1:] != _NO_LOSS).sum())
            total, tokens = total + loss.item() * count, tokens + count
        losses.append(total / tokens)
        if not math.isfinite(losses[-1]):
            raise BiochunkError(f"found the loss {losses[-1]} after an epoch, expected a number; lower learning_rate")
    return losses


class _Rate:
    """The learning rate as a share of its height, by step."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.rising = math.ceil(_WARM_UP * steps)

    def __call__(self, step: int) -> float:
        if step < self.rising:
            return (step + 1) / self.rising
        return max(self.steps - step, 0) / max(self.steps - self.rising, 1)


def _tensors(rows: Sequence[tuple[list[int], list[int]]], pad: int, device: Any) -> "tuple[Tensor, Tensor, Tensor]":
    """Tokens, mask and labels of a batch, filled up on the right; labels are set on the answers alone."""
    import torch

    width = max(len(prompt) + len(answer) for prompt, answer in rows)

    def tensor(parts: Iterable[list[int]], fill: int) -> "Tensor":
        return torch.tensor([part + [fill] * (width - len(part)) for part in parts], device=device)

    return (
        tensor((prompt + answer for prompt, answer in rows), pad),
        tensor(([1] * (len(prompt) + len(answer)) for prompt, answer in rows), 0),
        tensor(([_NO_LOSS] * len(prompt) + answer for prompt, answer in rows), _NO_LOSS),
    )


def _batches(order: np.ndarray, size: int) -> Iterator[list[int]]:
    for start in range(0, len(order), size):
        yield order[start : start + size].tolist()


def _tidy(folder: Path, facts: dict[str, Any]) -> None:
    """Make the folder the same in every run, and say how it was made."""
    # A form that a person should fill in, which nobody did.
    (folder / "README.md").unlink(missing_ok=True)
    path = folder / "adapter_config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    # peft writes sets in the order of their hashes.
    config["target_modules"] = sorted(config["target_modules"])
    for name, value in ((path.name, config), ("training.json", facts)):
        (folder / name).write_text(json.dumps(value, indent=2, sort_keys=True) + "\n", encoding="utf-8")
