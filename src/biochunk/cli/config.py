"""`biochunk config`: dataset files and their JSON Schema."""

import json
from pathlib import Path
from typing import Annotated

import typer

from ..errors import FileFaultsError
from ..files import whole_file
from ..schemas import dataset_json_schema, read_dataset
from ..shipped import dataset_path
from ..wording import counted

app = typer.Typer(help="Check dataset files; write their JSON Schema.", no_args_is_help=True)


@app.command("check")
def check_command(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Dataset files, or names of those that come with the package"),
    ],
) -> None:
    """Check dataset files. Every fault is listed: where it is, what was found, what is expected.

    Once a file's form is right, its parameters are tried on the components; a recogniser that is named as entity source
    is loaded.
    """
    wrong = 0
    for path in [dataset_path(file) for file in files]:
        try:
            dataset = read_dataset(path)
            from ..parameters import check_parameters

            check_parameters(dataset, str(path))
        except FileFaultsError as error:
            typer.echo(f"Error: {error}", err=True)
            wrong += 1
            continue
        triggers = sum(len(relation.triggers) for relation in dataset.relations.values())
        relations = counted(len(dataset.relations), "relation")
        typer.echo(f"{path}: ok, {relations}, {counted(triggers, 'trigger')}")
    if wrong:
        raise typer.Exit(1)


@app.command("schema")
def schema_command(
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where to write it; default: stdout")
    ] = None,
) -> None:
    """Write the JSON Schema of a dataset file, for editors and other tools."""
    text = json.dumps(dataset_json_schema(), ensure_ascii=False, indent=2) + "\n"
    if output is None:
        typer.echo(text, nl=False)
    else:
        with whole_file(output) as file:
            file.write(text)
