"""`biochunk build`: a pipeline from a dataset file."""

import os
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError
from ..schemas import read_dataset
from ..shipped import dataset_path


def cache_folder() -> Path:
    """Where tables are kept by default: the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "biochunk" / "static"


def build_command(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Dataset file, or the name of one that comes with the package"),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the pipeline")],
    arm: Annotated[
        str,
        typer.Option(help="Which chunker: the name of a config that comes with the package, or a .cfg file"),
    ] = "hybrid",
    encoder: Annotated[
        str | None,
        typer.Option(help="Folder of a static table, or a sentence-transformers model (name or folder) to distil"),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where distilled tables are kept; default: the user's cache"),
    ] = None,
    package: Annotated[bool, typer.Option("--package", help="Also make a wheel in DIR/dist")] = False,
    name: Annotated[
        str | None,
        typer.Option(
            help="The pipeline is called en_biochunk_NAME; default: the dataset's name, for another --arm followed "
            "by the name of the arm or .cfg file"
        ),
    ] = None,
    version: Annotated[str | None, typer.Option(help="Version of the pipeline; default: the dataset's")] = None,
) -> None:
    """Build a pipeline from a dataset file: check it, distil or reuse the encoder's table, assemble, save.

    DIR may be new, empty or hold a saved pipeline, which is replaced. It appears whole or not at all.
    """
    path = dataset_path(file)
    dataset = read_dataset(path)
    from ..build import build_pipeline, configured_table, read_arm, wants_table
    from ..package import check_target, save_pipeline
    from ..parameters import check_parameters
    from ..tables import static_table

    check_parameters(dataset, str(path))
    check_target(output, [path, arm, encoder])
    config = read_arm(arm)
    table = None
    if wants_table(config):
        source = encoder or configured_table(arm, config)
        table = static_table(source, cache or cache_folder(), on_step=typer.echo)
    elif encoder is not None:
        raise UsageError(f"found --encoder, expected none: the arm '{arm}' does not encode with a static table")
    nlp = build_pipeline(dataset, arm=arm, encoder=table, name=name, version=version)
    wheel = save_pipeline(nlp, output, wheel=package)
    label = "{lang}_{name} {version}".format(**nlp.meta)
    typer.echo(f"Built {label} ({', '.join(nlp.pipe_names)}) in {output}")
    if wheel:
        typer.echo(f"Wheel: {wheel}")
