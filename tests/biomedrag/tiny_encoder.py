"""A BERT of a few thousand random weights, whose vocabulary is the words of some texts."""

import re
from collections.abc import Iterable
from pathlib import Path


def save_tiny_encoder(folder: Path, texts: Iterable[str], *, positions: int = 96, seed: int = 0) -> str:
    """Write config, weights and tokenizer. RETURNS (str): The folder, as a reader's `model`."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    words = sorted({word for text in texts for word in re.findall(r"\w+|[^\w\s]", text.lower())})
    folder.mkdir(parents=True)
    vocab = folder / "vocab.txt"
    vocab.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, "##s"]) + "\n", encoding="utf-8")
    config = BertConfig(
        vocab_size=len(words) + 6,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=positions,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    BertTokenizerFast(str(vocab), do_lower_case=True, model_max_length=positions).save_pretrained(folder)
    return str(folder)
