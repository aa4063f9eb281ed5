"""A language model that runs here."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from ....errors import BiochunkError, MissingExtraError, UsageError
from .causal import Device, Dtype, context_length, is_chat, load_causal, prompt_tokens
from .prompt import STOP
from .usage import Completion


class LocalLanguageModel:
    """A Hugging Face causal language model of a local folder, which is loaded at the first use and answers greedily.

    folder (str | Path): The model and its tokenizer (`causal.load_causal`).
    adapter (str | Path | None): Folder of a LoRA adapter, as `biochunk llm train` writes it.
    max_tokens (int): Most tokens of an answer.
    batch_size (int): Prompts at a time. Above 1 it is faster on a GPU; rounding then depends on the other prompts of a
        batch, so that in rare cases an answer does too.
    device, dtype (str): See `causal.load_causal`.
    RAISES (UsageError): If an option makes no sense.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        adapter: str | Path | None = None,
        max_tokens: int = 256,
        batch_size: int = 1,
        device: Device = "auto",
        dtype: Dtype = "auto",
    ) -> None:
        for name, value in (("max_tokens", max_tokens), ("batch_size", batch_size)):
            if value < 1:
                raise UsageError(f"found {name} {value}, expected at least 1")
        self.folder, self.adapter = folder, adapter
        self.max_tokens, self.batch_size = max_tokens, batch_size
        self.device, self.dtype = device, dtype

    def complete(self, prompts: Iterable[str]) -> Generator[Completion, None, None]:
        """See `LanguageModel`. A prompt that is too long for the model is a failure "too_long": nothing is cut off it.

        RAISES (BiochunkError): If the model cannot be loaded or the memory does not suffice.
        """
        for batch in _batches(prompts, self.batch_size):
            asked = [prompt_tokens(self._loaded.tokenizer, prompt) for prompt in batch]
            fits = [self._fits(tokens) for tokens in asked]
            written = iter(self._generate([tokens for tokens, fit in zip(asked, fits, strict=True) if fit]))
            for tokens, fit in zip(asked, fits, strict=True):
                if fit:
                    yield next(written)
                else:
                    most = context_length(self._loaded.model)
                    yield Completion(None, "too_long", f"{len(tokens)} tokens, at most {most} with the answer", tries=0)

    @cached_property
    def _loaded(self) -> "_Loaded":
        model, tokenizer = load_causal(self.folder, device=self.device, dtype=self.dtype)
        # The folder's own settings may sample or punish repetition; a greedy answer must not.
        from transformers import GenerationConfig

        ends = model.generation_config.eos_token_id
        ends = tokenizer.eos_token_id if ends is None else ends
        ends = [ends] if isinstance(ends, int) else list(ends or ())
        pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else next(iter(ends), 0)
        model.generation_config = GenerationConfig(
            do_sample=False,
            max_new_tokens=self.max_tokens,
            eos_token_id=ends or None,
            pad_token_id=pad,
            bos_token_id=tokenizer.bos_token_id,
        )
        if self.adapter is not None:
            model = _with_adapter(model, self.adapter)
        return _Loaded(model, tokenizer, frozenset(ends), pad)

    def _fits(self, tokens: Sequence[int]) -> bool:
        most = context_length(self._loaded.model)
        return most is None or len(tokens) + self.max_tokens <= most

    def _generate(self, asked: Sequence[Sequence[int]]) -> list[Completion]:
        """What the model writes after each of some prompts."""
        if not asked:
            return []
        import torch

        model, tokenizer, ends, pad = self._loaded
        width = max(map(len, asked))
        ids = torch.tensor([[pad] * (width - len(tokens)) + list(tokens) for tokens in asked], device=model.device)
        mask = torch.tensor([[0] * (width - len(t)) + [1] * len(t) for t in asked], device=model.device)
        options = {} if is_chat(tokenizer) else {"stop_strings": [STOP], "tokenizer": tokenizer}
        try:
            with torch.inference_mode():
                rows = model.generate(input_ids=ids, attention_mask=mask, **options)
        except torch.OutOfMemoryError:
            raise BiochunkError(
                f"found too little memory for {len(asked)} prompts of up to {width} tokens; lower batch_size"
            ) from None
        return [
            _completion(tokenizer, tokens, row, ends, self.max_tokens)
            for tokens, row in zip(asked, rows[:, width:].tolist(), strict=True)
        ]


class _Loaded(NamedTuple):
    model: Any
    tokenizer: Any
    ends: frozenset[int]
    pad: int


def _completion(
    tokenizer: Any, asked: Sequence[int], row: Sequence[int], ends: frozenset[int], most: int
) -> Completion:
    """The text of one row of generated tokens, up to its end."""
    written = next((i for i, token in enumerate(row) if token in ends), len(row))
    text = tokenizer.decode(row[:written], skip_special_tokens=True)
    before, stop, _ = text.partition(STOP)
    return Completion(
        before,
        cut=written >= most and not stop,
        prompt_tokens=len(asked),
        completion_tokens=min(written + 1, len(row)),
    )


def _with_adapter(model: Any, adapter: str | Path) -> Any:
    if not (Path(adapter) / "adapter_config.json").is_file():
        raise UsageError(f"found no adapter_config.json in '{adapter}', expected the folder of a LoRA adapter")
    try:
        from peft import PeftModel
    except ImportError:
        raise MissingExtraError("peft", "llm-train", "A LoRA adapter") from None
    try:
        return PeftModel.from_pretrained(model, str(adapter)).eval()
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        problem = " ".join(str(error).split())[:300]
        raise BiochunkError(f"'{adapter}' does not fit the model: {problem}") from None


def _batches(prompts: Iterable[str], size: int) -> Iterator[list[str]]:
    stream = iter(prompts)
    while batch := list(islice(stream, size)):
        yield batch
