"""`biochunk chunk`: evidence chunks of every text of a file, as JSONL."""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, TextIO

import typer
from tqdm import tqdm

from ..batch.lines import Line, blocks
from ..wording import counted
from . import common


class OnError(str, Enum):
    """What a bad line does."""

    stop = "stop"
    skip = "skip"


_ADVICE = ". Stopped without output; --on-error skip passes over such lines."


@dataclass
class _Counts:
    texts: int = 0
    chunks: int = 0
    blank: int = 0
    bad: int = 0


def chunk_command(
    input: Annotated[
        str,
        typer.Argument(
            help="JSONL (objects with a text, or strings) or text, one a line; - for stdin", metavar="INPUT"
        ),
    ],
    output: Annotated[str, typer.Option("-o", "--output", help="JSONL file for the records; - for stdout")],
    pipeline: common.Pipeline,
    n_process: Annotated[int, typer.Option(min=1, help="Processes")] = 1,
    batch_size: Annotated[int, typer.Option(min=1, help="Texts that a component gets at a time")] = 256,
    on_error: Annotated[
        OnError,
        typer.Option(
            help="A bad line: stop without output, or skip it and write it to a file beside the output (bad lines of "
            "x.jsonl to x.errors.jsonl)"
        ),
    ] = OnError.stop,
    relation: common.Relation = None,
    format: Annotated[
        common.FormatOption, typer.Option(help="How to read INPUT; auto: by its name, else by its first line")
    ] = common.FormatOption.auto,
    text_key: common.TextKey = "text",
) -> None:
    """Find evidence chunks in every text and write one record a text, in the same order.

    A record holds id, text and meta of the input, and under "source" any other keys of its object.

    What was found is under sentences, entities, triggers, propositions, chunks; offsets are in code points.

    The output file appears whole or not at all.
    """
    skip = on_error is OnError.skip
    errors = _errors_file(output)
    common.check_outputs((output, errors) if skip and errors else (output,), (input,))
    # spaCy is imported only now, so that help and bad usage answer at once.
    from ..batch.processes import run_blocks
    from ..batch.run import Settings

    counts = _Counts()
    with ExitStack() as stack:
        stream = stack.enter_context(common.open_input(input))
        lines, kind = common.lines_and_format(stream, input, format)
        settings = Settings(kind, text_key, relation, batch_size)
        results = stack.enter_context(closing(run_blocks(blocks(lines), pipeline, settings, n_process=n_process)))
        records = stack.enter_context(common.open_output(output))
        faults = stack.enter_context(_open_errors(errors if skip else ""))
        bar = stack.enter_context(_progress(input))
        for block, outcomes in results:
            for line, outcome in zip(block, outcomes, strict=True):
                if outcome.error:
                    if not skip:
                        raise common.line_error(input, line.number, outcome.error, _ADVICE)
                    counts.bad += 1
                    _write_fault(faults, input, line, outcome.error)
                elif outcome.record:
                    records.write(outcome.record + "\n")
                    counts.texts += 1
                    counts.chunks += outcome.chunks
                else:
                    counts.blank += 1
            bar.set_postfix_str(counted(counts.texts, "text"), refresh=False)
            bar.update(sum(line.size for line in block))
    typer.echo(_summary(counts, input, kind, output, errors if skip else ""), err=True)


def _errors_file(output: str) -> str:
    """The side file of bad lines; none where the output is stdout."""
    return "" if output == common.STANDARD else output.removesuffix(".jsonl") + ".errors.jsonl"


@contextmanager
def _open_errors(path: str) -> Iterator[TextIO | None]:
    if not path:
        yield None
        return
    with common.open_output(path) as file:
        yield file


def _write_fault(file: TextIO | None, input: str, line: Line, error: str) -> None:
    if file is None:
        typer.echo(f"Skipped: {common.line_error(input, line.number, error)}", err=True)
        return
    entry = {"line": line.number, "error": error, "input": line.data.decode("utf-8", "backslashreplace")}
    file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def _progress(input: str) -> tqdm:
    total = Path(input).stat().st_size if input != common.STANDARD and Path(input).is_file() else None
    return tqdm(total=total, unit="B", unit_scale=True, leave=False, disable=not sys.stderr.isatty())


def _summary(counts: _Counts, input: str, kind: str, output: str, errors: str) -> str:
    where = "" if output == common.STANDARD else f" in {output}"
    texts, chunks = counted(counts.texts, "text"), counted(counts.chunks, "chunk")
    parts = [f"{texts} of {common.input_name(input)} (read as {kind}): {chunks}{where}"]
    if counts.blank:
        parts.append(f"{counted(counts.blank, 'blank line')} passed over")
    if counts.bad:
        parts.append(f"{counted(counts.bad, 'bad line')} skipped" + (f", see {errors}" if errors else ""))
    return "; ".join(parts)
