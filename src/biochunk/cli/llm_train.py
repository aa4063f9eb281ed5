"""`biochunk llm train`: fine-tuning of a local language model."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import Errors, UsageError
from ..schemas import read_dataset
from ..shipped import dataset_path
from . import llm_common
from .llm_common import DeviceOption, TaskOption


def train_command(
    train: Annotated[Path, typer.Argument(metavar="TRAIN", help="Unified JSONL")],
    dataset: llm_common.DatasetFile,
    model: Annotated[Path, typer.Option(metavar="DIR", help="Folder of a causal language model; it stays as it is")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder of the adapter to write")],
    store: llm_common.Store = None,
    pipeline: llm_common.Chunker = None,
    task: llm_common.TaskChoice = TaskOption.auto,
    examples: llm_common.Examples = 1,
    limit: llm_common.Limit = None,
    rank: Annotated[int, typer.Option(min=1, help="Rank of the added matrices")] = 8,
    alpha: Annotated[float, typer.Option(min=0.001, help="They are scaled by alpha / rank")] = 16.0,
    dropout: Annotated[float, typer.Option(min=0, max=0.99, help="Dropout on their input")] = 0.05,
    epochs: Annotated[int, typer.Option(min=1, help="Times that every lesson is seen")] = 3,
    learning_rate: Annotated[float, typer.Option(min=1e-12, max=1, help="At its height")] = 2e-4,
    batch_size: Annotated[int, typer.Option(min=1, help="Lessons a step")] = 4,
    max_length: Annotated[
        int, typer.Option(min=1, help="Most tokens of prompt and answer; longer ones are left out")
    ] = 1024,
    seed: Annotated[int, typer.Option(min=0, help="Of first weights, dropout and order")] = 0,
    device: llm_common.Device = DeviceOption.auto,
) -> None:
    """Fine-tune a local language model with LoRA on the reader's own prompts and the right answers.

    Give the options of the prompt (--task, --examples, --store, --pipeline) as they will be for `biochunk llm read`.
    """
    _check_output(output, model)
    knowledge = read_dataset(dataset_path(dataset))
    chosen, relations = llm_common.task_of(task, knowledge), list(knowledge.relations)
    from ..biomedrag.readers.llm.feed import read_corpus, to_examples
    from ..biomedrag.readers.llm.lora import LoraOptions, train_lora
    from ..biomedrag.readers.llm.prompter import Prompter

    records, gold = read_corpus(train, task=chosen, relations=relations, limit=limit)
    source = llm_common.evidence_source(store, pipeline, knowledge)
    rows = list(to_examples(records, task=chosen, source=source))
    definitions = llm_common.definitions_of(knowledge)
    prompter = Prompter(rows, gold, task=chosen, relations=relations, definitions=definitions, shown=examples)
    trained = train_lora(
        model,
        llm_common.bar(prompter.lessons(rows, gold), None, "prompts"),
        output,
        options=LoraOptions(rank, alpha, dropout, epochs, learning_rate, batch_size, max_length, seed),
        device=device.value,
        progress=lambda steps: llm_common.bar(steps, None, "steps"),
    )
    losses = ", ".join(f"{loss:.4f}" for loss in trained.losses)
    typer.echo(f"{output}: learned from {trained.lessons} prompts; loss a token by epoch: {losses}")
    if trained.too_long:
        typer.echo(f"Warning: {trained.too_long} prompts of more than {max_length} tokens were left out", err=True)


def _check_output(output: Path, model: Path) -> None:
    """RAISES (UsageError): If something else than an earlier adapter, or the model, would be replaced."""
    problem = ""
    if output.exists() and not output.is_dir():
        problem = "found a file, expected a folder"
    elif output.is_dir() and any(output.iterdir()) and not (output / "adapter_config.json").is_file():
        problem = "found other files, expected a new or empty folder, or an earlier adapter, which is replaced"
    elif output.resolve() in (model.resolve(), *model.resolve().parents):
        problem = "the model is in this folder, which is replaced; choose another one"
    if problem:
        raise UsageError(Errors.E009.format(action="write", path=output, problem=problem))
