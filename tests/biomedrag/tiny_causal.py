"""Tiny causal language models with random weights, and a tokenizer of bytes; nothing is fetched."""

from pathlib import Path

import torch
from tokenizers import Tokenizer
from tokenizers.decoders import ByteLevel as ByteLevelDecoder
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

CHAT = (
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def save_tiny_model(folder: Path, *, kind: str = "llama", chat: bool = False, length: int = 2048) -> Path:
    """Write a model and its tokenizer, in which every byte is a token.

    kind (str): "llama" or "gpt2".
    chat (bool): Whether the tokenizer has a chat template.
    length (int): Most tokens that the model takes.
    """
    tokenizer = byte_tokenizer(chat)
    size = len(tokenizer)
    torch.manual_seed(0)
    if kind == "llama":
        config = LlamaConfig(
            vocab_size=size,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=length,
            eos_token_id=tokenizer.eos_token_id,
            bos_token_id=None,
            initializer_range=0.2,
        )
        model = LlamaForCausalLM(config)
    else:
        options = {
            "eos_token_id": tokenizer.eos_token_id,
            "bos_token_id": tokenizer.eos_token_id,
            "initializer_range": 0.2,
        }
        model = GPT2LMHeadModel(GPT2Config(size, length, n_embd=32, n_layer=2, n_head=4, **options))
    model.save_pretrained(folder, safe_serialization=True)
    tokenizer.save_pretrained(folder)
    return folder


def byte_tokenizer(chat: bool) -> PreTrainedTokenizerFast:
    names = ["<|pad|>", "<|end|>", "<|user|>", "<|assistant|>"]
    tokenizer = Tokenizer(BPE({name: i for i, name in enumerate([*names, *sorted(ByteLevel.alphabet())])}, []))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    tokenizer.decoder = ByteLevelDecoder()
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=names[0],
        eos_token=names[1],
        additional_special_tokens=names[2:],
        clean_up_tokenization_spaces=False,
    )
    made.chat_template = CHAT if chat else None
    return made
