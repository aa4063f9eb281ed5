"""Causal language models of a local folder: how they are loaded, and how a prompt becomes tokens."""

from pathlib import Path
from typing import Any, Literal

from ....errors import BiochunkError, MissingExtraError, UsageError

Device = Literal["auto", "cpu", "cuda"]
# "auto": as the weights are stored.
Dtype = Literal["auto", "float32", "bfloat16", "float16"]


def load_causal(folder: str | Path, *, device: Device = "auto", dtype: Dtype = "auto") -> tuple[Any, Any]:
    """Load a model and its tokenizer. Nothing is fetched, no code of the folder is run, and only safetensors are read.

    folder (str | Path): A folder as `save_pretrained` of transformers writes it.
    device (str): "auto" takes the GPU where there is one.
    dtype (str): Type of the weights.
    RETURNS (tuple[Any, Any]): The model, ready to read, and the tokenizer.
    RAISES (MissingExtraError): If torch or transformers is not installed.
    RAISES (UsageError): If there is no such folder or device.
    RAISES (BiochunkError): If the folder holds no such model.
    """
    if not Path(folder).is_dir():
        raise UsageError(f"found no folder '{folder}', expected one with a causal language model")
    try:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
    except ImportError as error:
        raise MissingExtraError(str(error.name), "llm-train", "A local language model") from None
    if device == "cuda" and not torch.cuda.is_available():
        raise UsageError("found no GPU, expected one for the device 'cuda'; choose 'cpu' or 'auto'")
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(
            folder, local_files_only=True, use_safetensors=True, torch_dtype=dtype if dtype == "auto" else _type(dtype)
        )
    # What transformers raises for a folder that lacks or garbles a file, by its kinds.
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        problem = " ".join(str(error).split())[:300]
        raise BiochunkError(
            f"'{folder}' cannot be loaded as a causal language model: {problem}. Expected config.json, a tokenizer "
            "and weights in safetensors"
        ) from None
    gpu = device == "cuda" or (device == "auto" and torch.cuda.is_available())
    return model.to("cuda" if gpu else "cpu").eval(), tokenizer


def is_chat(tokenizer: Any) -> bool:
    """Whether a model was trained to answer messages."""
    return bool(tokenizer.chat_template)


def prompt_tokens(tokenizer: Any, prompt: str) -> list[int]:
    """The tokens that a model reads: the prompt as a user's message where the tokenizer has a chat template, else the
    prompt itself.
    """
    # Tokenizers refuse lone surrogates.
    clean = prompt.encode("utf-8", "replace").decode("utf-8")
    if not is_chat(tokenizer):
        return list(tokenizer(clean)["input_ids"])
    # Templates of models that think first know this name, others pass over it.
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": clean}], add_generation_prompt=True, tokenize=False, enable_thinking=False
    )
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def answer_tokens(tokenizer: Any, answer: str) -> list[int]:
    """The tokens that a model should write for an answer, with the end.

    RAISES (BiochunkError): If the tokenizer has no token for the end of a text.
    """
    if tokenizer.eos_token_id is None:
        raise BiochunkError("found a tokenizer without an end-of-text token, expected one, so that answers can end")
    clean = answer.encode("utf-8", "replace").decode("utf-8")
    # A prompt without a template ends in "Response:".
    text = clean if is_chat(tokenizer) else f" {clean}"
    return [*tokenizer(text, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id]


def context_length(model: Any) -> int | None:
    """Most tokens that a model can read and write, where its config says so."""
    return getattr(model.config, "max_position_embeddings", None)


def _type(name: str) -> Any:
    import torch

    return getattr(torch, name)
