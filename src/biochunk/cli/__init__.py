"""The `biochunk` command. One file a command or group of commands; this file joins them, reports errors."""

import io
import signal
import sys
import threading
from types import FrameType
from typing import Annotated, NoReturn

import typer

from .. import __version__
from ..errors import BiochunkError
from . import (
    bench,
    build,
    chunk,
    config,
    corpora,
    distil,
    entities,
    experiment,
    export,
    formats,
    llm,
    ner,
    score,
    show,
    stats,
    summary,
    triggers,
)

app = typer.Typer(
    name="biochunk",
    help="Evidence chunks from biomedical text.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(config.app, name="config")
app.add_typer(corpora.app, name="corpora")
corpora.app.command("export")(formats.export_command)
corpora.app.command("import")(formats.import_command)
corpora.app.command("stats")(stats.stats_command)
app.add_typer(entities.app, name="entities")
app.add_typer(experiment.app, name="experiment")
app.add_typer(export.app, name="export")
app.add_typer(llm.app, name="llm")
app.add_typer(ner.app, name="ner")
app.add_typer(triggers.app, name="triggers")
app.command("bench")(bench.bench_command)
app.command("build")(build.build_command)
app.command("chunk")(chunk.chunk_command)
app.command("distil")(distil.distil_command)
app.command("score")(score.score_command)
app.command("show")(show.show_command)
app.command("summary")(summary.summary_command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"biochunk {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit")
    ] = False,
) -> None:
    """Options of the whole command line; its help is that of `app`."""


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    """End as the shell reports a signal; by way of an exception, so that half-written files are removed."""
    signal.signal(number, signal.SIG_IGN)  # a second one must not interrupt the removal
    sys.exit(128 + number)


def main() -> None:
    """Run the command line. An error is one clear message on stderr: exit code 2 for bad usage, else 1.

    SIGTERM ends it with exit code 143, and leaves no half-written file.
    """
    # Python allows handlers in the main thread only.
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _stop)
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show, or is no valid Unicode, is printed as an escape and ends no report.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        # Typer reports bad usage (exit code 2), an interrupt and a closed pipe (`| head`) by itself.
        app()
    except BiochunkError as error:
        typer.echo(f"Error: {error}", err=True)
        sys.exit(error.exit_code)
