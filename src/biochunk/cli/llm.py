"""`biochunk llm`: a language model as reader."""

import json
import math
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BiochunkError, UsageError
from ..files import whole_file
from ..schemas import read_dataset
from ..shipped import dataset_path
from ..wording import counted
from . import common, llm_common, llm_train
from .llm_common import DeviceOption, TaskOption

if TYPE_CHECKING:
    from ..biomedrag.readers.llm import LanguageModel, Prices, Report

app = typer.Typer(help="A language model as reader, behind an endpoint or local.", no_args_is_help=True)
app.command("train")(llm_train.train_command)


class ApiOption(str, Enum):
    """Which protocol an endpoint speaks."""

    chat = "chat"
    completions = "completions"


@app.command("read")
def read_command(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="Unified JSONL")],
    dataset: llm_common.DatasetFile,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Predictions file to write")],
    base_url: Annotated[
        str | None, typer.Option(help="Endpoint that speaks the OpenAI protocol, such as http://localhost:8000/v1")
    ] = None,
    model: Annotated[str | None, typer.Option(help="The model's name at the endpoint")] = None,
    local: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of a causal language model, instead of an endpoint")
    ] = None,
    adapter: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Adapter for --local, by `biochunk llm train`")
    ] = None,
    train: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Unified JSONL whose nearest sentences are examples in prompts")
    ] = None,
    store: llm_common.Store = None,
    pipeline: llm_common.Chunker = None,
    task: llm_common.TaskChoice = TaskOption.auto,
    examples: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=20,
            help="Most retrieved chunks, and most train sentences, in a prompt (usual: 0, 1, 3); default: 1, or 0 "
            "without --train and --store",
        ),
    ] = None,
    limit: llm_common.Limit = None,
    max_tokens: Annotated[int, typer.Option(min=1, help="Most tokens of an answer")] = 256,
    key_variable: Annotated[
        str | None, typer.Option(help="Environment variable that holds the API key; default: no key is sent")
    ] = None,
    api: Annotated[ApiOption, typer.Option(help="completions: the older protocol of plain text")] = ApiOption.chat,
    extra: Annotated[
        str | None, typer.Option(metavar="JSON", help='Fields added to a request, such as {"top_p": 1}; null removes')
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.001, help="Seconds until a request counts as failed")] = 60.0,
    retries: Annotated[int, typer.Option(min=0, help="Most retries of a request")] = 4,
    patience: Annotated[int, typer.Option(min=1, help="So many failed prompts in a row end the run")] = 10,
    concurrency: Annotated[int, typer.Option(min=1, max=256, help="Requests at a time")] = 4,
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keeps an endpoint's answers; default: OUTPUT with .answers.jsonl behind its whole name",
        ),
    ] = None,
    prompt_price: Annotated[float | None, typer.Option(min=0, help="Price of a million tokens of prompts")] = None,
    completion_price: Annotated[float | None, typer.Option(min=0, help="Price of a million tokens of answers")] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Prompts that a local model reads at a time")] = 1,
    device: llm_common.Device = DeviceOption.auto,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the counts to this file as JSON")] = None,
) -> None:
    """Ask a language model about every record and write a predictions file, for `biochunk score`.

    An answer that cannot be read counts as none and is counted by its kind; so is a request that fails. The answers of
    an endpoint are kept as they come: a run that was stopped goes on where it was. docs/llm.md says more.
    """
    _check_model(base_url, model, local, adapter)
    kept = None if local is not None else cache or output.with_name(f"{output.name}.answers.jsonl")
    outputs = (path for path in (output, report, kept) if path is not None)
    common.check_outputs(outputs, tuple(path for path in (corpus, train, store) if path is not None))
    if examples is None:
        examples = 0 if train is None and store is None else 1
        if not examples:
            typer.echo("Note: prompts show no examples; --train, or --store with --pipeline, gives some", err=True)
    if examples and train is None and store is None:
        raise UsageError(f"found --examples {examples} and nothing to show; give --train or --store, or --examples 0")
    prices = _prices(prompt_price, completion_price)
    knowledge = read_dataset(dataset_path(dataset))
    chosen, relations = llm_common.task_of(task, knowledge), list(knowledge.relations)
    from ..biomedrag.predictions import Prediction, make_prediction, write_predictions
    from ..biomedrag.readers.llm import EndpointLanguageModel, LanguageModel, LanguageModelReader, LocalLanguageModel
    from ..biomedrag.readers.llm.feed import read_corpus, to_examples

    asked: LanguageModel
    if local is not None:
        asked = LocalLanguageModel(
            local, adapter=adapter, max_tokens=max_tokens, batch_size=batch_size, device=device.value
        )
    else:
        asked = EndpointLanguageModel(
            str(base_url),
            str(model),
            api=api.value,
            key_variable=key_variable,
            max_tokens=max_tokens,
            timeout=timeout,
            retries=retries,
            patience=patience,
            concurrency=concurrency,
            extra=_extra(extra),
            cache=kept,
        )
    records, gold = read_corpus(corpus, task=chosen, relations=relations, limit=limit)
    shown, answers = read_corpus(train, task=chosen, relations=relations) if train else ([], [])
    reader = LanguageModelReader(
        asked, examples=examples, definitions=llm_common.definitions_of(knowledge), prices=prices
    )
    reader.fit(list(to_examples(shown, task=chosen)), answers, task=chosen, relations=relations)
    source = llm_common.evidence_source(store, pipeline, knowledge)
    rows = list(to_examples(records, task=chosen, source=source))

    def predictions() -> Iterator[Prediction]:
        stream = llm_common.bar(reader.answers(rows), len(rows), "records")
        for row, answer, truth in zip(rows, stream, gold, strict=True):
            yield make_prediction(row, answer, truth, task=chosen)
        failed = reader.report.failures
        if failed and failed.total() == reader.report.prompts:
            raise _no_answer(asked, reader.report)

    try:
        write_predictions(output, predictions())
    finally:
        # The counts of a run that failed are wanted too.
        if report is not None:
            with whole_file(report) as file:
                file.write(json.dumps(reader.report.to_json(), indent=2) + "\n")
    typer.echo(f"{output}: {counted(len(rows), 'record')}")
    for line in _lines(reader.report):
        typer.echo(line)


def _check_model(base_url: str | None, model: str | None, local: Path | None, adapter: Path | None) -> None:
    """RAISES (UsageError): If the options name no model, or more than one."""
    wanted = "--base-url URL and --model NAME for an endpoint, or --local DIR for a model of this machine"
    given = {"--base-url": base_url, "--model": model, "--local": local}
    names = [name for name, value in given.items() if value is not None]
    if names not in (["--base-url", "--model"], ["--local"]):
        raise UsageError(f"found {' and '.join(names) or 'no model'}, expected {wanted}")
    if adapter is not None and local is None:
        raise UsageError("found --adapter without --local, expected the model that it belongs to")


def _no_answer(asked: "LanguageModel", report: "Report") -> BiochunkError:
    """The error of a run in which every prompt failed."""
    from ..biomedrag.readers.llm import EndpointLanguageModel

    found = f"none of {counted(report.prompts, 'prompt')} got an answer ({_kinds(report.failures)})"
    if isinstance(asked, EndpointLanguageModel):
        return asked.no_answer(found, report.last_failure)
    return BiochunkError(f"{found}, expected some; check --examples, as long prompts may not fit the model")


def _prices(prompt: float | None, completion: float | None) -> "Prices | None":
    from ..biomedrag.readers.llm.usage import Prices

    if prompt is None and completion is None:
        return None
    if prompt is None or completion is None:
        raise UsageError("found one of --prompt-price and --completion-price, expected both or none")
    if not (math.isfinite(prompt) and math.isfinite(completion)):
        raise UsageError(f"found the prices {prompt} and {completion}, expected numbers")
    return Prices(prompt, completion)


def _extra(text: str | None) -> dict[str, Any]:
    shown = repr(text if text is None or len(text) <= 80 else text[:77] + "...")
    try:
        value = json.loads(text) if text is not None else {}
    except RecursionError:
        raise UsageError(f"found --extra {shown}, nested too deeply, expected a JSON object") from None
    except ValueError as error:
        raise UsageError(f"found --extra {shown}, expected a JSON object: {error}") from None
    if not isinstance(value, dict):
        raise UsageError(f"found --extra {shown}, expected a JSON object")
    return value


def _lines(report: "Report") -> Iterator[str]:
    yield f"Prompts: {report.prompts}, of which {report.known} were answered before; answers read: {report.answers}"
    yield f"Requests: {report.requests}, of which {report.retries} repeat a failed one ({_kinds(report.failed_tries)})"
    yield f"Prompts without an answer: {report.failures.total()} ({_kinds(report.failures)})"
    yield f"Faults of answers: {report.faults.total()} ({_kinds(report.faults)})"
    unmetered = f"; {counted(report.unmetered, 'answer')} came without a count" if report.unmetered else ""
    cost = "" if report.cost is None else f"; cost: {report.cost:.4f}"
    yield f"Tokens: {report.prompt_tokens} of prompts, {report.completion_tokens} of answers{unmetered}{cost}"


def _kinds(counts: "Counter[str]") -> str:
    return ", ".join(f"{kind}: {count}" for kind, count in sorted(counts.items())) or "none"
