"""`biochunk show`: one HTML page of what a pipeline finds in a text or in the first texts of a file."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from ..batch.texts import BadLineError, check_text, parse_line
from ..errors import UsageError
from ..wording import counted
from . import common

_FILES = (".jsonl", ".ndjson", ".json", ".txt")


def show_command(
    text: Annotated[
        str,
        typer.Argument(
            help="The text; or a file (.jsonl, .ndjson, .json, .txt) or - for stdin, with one text a line",
            metavar="TEXT",
        ),
    ],
    output: Annotated[str, typer.Option("-o", "--output", help="HTML file; - for stdout")],
    pipeline: common.Pipeline,
    relation: common.Relation = None,
    limit: Annotated[int, typer.Option(min=1, help="Most texts of a file that are shown")] = 50,
    text_key: common.TextKey = "text",
) -> None:
    """Write one HTML page: the text with its spans, the propositions as arcs and tables, the chunks.

    The page needs no other file and no network. Its path is printed.
    """
    named = text.lower().endswith(_FILES)
    if named and not Path(text).is_file():
        raise UsageError(f"found no file '{text}', expected one, or a text that does not end in {', '.join(_FILES)}")
    is_file = named or text == common.STANDARD
    common.check_output(output, (text,) if is_file else ())
    # spaCy is imported only now, so that help and bad usage answer at once.
    from ..extensions import TARGET_RELATION
    from ..inspect import render_page
    from ..pipeline.load import load_pipeline

    nlp = load_pipeline(pipeline, relation)
    if is_file:
        # One more than is shown tells whether there are more.
        texts = list(islice(_texts(text, text_key, nlp.max_length), limit + 1))
        if len(texts) > limit:
            typer.echo(f"Showing the first {counted(limit, 'text')}; --limit shows more.", err=True)
            texts.pop()
    else:
        try:
            texts = [check_text(text, nlp.max_length)]
        except BadLineError as error:
            raise UsageError(f"TEXT: {error}") from None
    docs = []
    for one in texts:
        doc = nlp.make_doc(one)
        if relation is not None:
            doc._.set(TARGET_RELATION, relation)
        docs.append(nlp(doc))
    title = f"Evidence chunks by {Path(pipeline).name}"
    with common.open_output(output) as file:
        file.write(render_page(docs, title=title))
    if output != common.STANDARD:
        typer.echo(output)


def _texts(path: str, text_key: str, max_length: int) -> Iterator[str]:
    with common.open_input(path) as stream:
        lines, kind = common.lines_and_format(stream, path, common.FormatOption.auto)
        for line in lines:
            try:
                found = parse_line(line, kind, text_key, max_length)
            except BadLineError as error:
                raise common.line_error(path, line.number, str(error)) from None
            if found is not None:
                yield found.text
