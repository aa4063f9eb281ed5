"""The `biochunk` command. One file a command or group of commands; this file joins them and reports errors."""

import sys

import click
import typer

from ..errors import BiochunkError
from . import corpora

app = typer.Typer(
    name="biochunk",
    help="Evidence chunks from biomedical text.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(corpora.app, name="corpora")


def main() -> None:
    """Run the command line. Errors are one clear message on stderr: exit code 2 for bad usage, 1 for failure."""
    try:
        code = app(standalone_mode=False)
    except BiochunkError as error:
        typer.echo(f"Error: {error}", err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        typer.echo("Stopped.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of a pipe (`| head`) went away: not an error of ours.
        sys.stderr.close()
        sys.exit(0)
    sys.exit(code or 0)
