"""`biochunk ner`: data, packaging and scores of trained named entity recognisers."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UsageError
from .summary import Format

if TYPE_CHECKING:
    from ..ner.scores import Recall, Score

app = typer.Typer(help="Train named entity recognisers with `spacy train`, and score them.", no_args_is_help=True)

Iob = Annotated[
    Path | None, typer.Argument(metavar="[FOLDER]", help="Folder of entity corpora in IOB, such as BC5CDR-IOB")
]
Relations = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Folder of relation corpora, DATASET/SPLIT.jsonl, the clean view")
]
Most = Annotated[int | None, typer.Option(min=1, help="Read no more than this many sentences of a corpus")]


@app.command("convert")
def convert_command(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the training data")],
    folder: Iob = None,
    relations: Relations = None,
    most: Most = None,
) -> None:
    """Make training data for `spacy train`, in DIR/kinds of IOB corpora and in DIR/borders of relation corpora.

    Where a corpus does not say whether a word is part of a mention, annotation is missing, and nothing is learned.
    """
    from ..ner.convert import convert

    for name, count in sorted(convert(folder, relations, output, most=most).items()):
        typer.echo(f"{name}: {count}")


@app.command("join")
def join_command(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the pipeline")],
    borders: Annotated[Path | None, typer.Option(metavar="DIR", help="Pipeline trained on DIR/borders")] = None,
    kinds: Annotated[Path | None, typer.Option(metavar="DIR", help="Pipeline trained on DIR/kinds")] = None,
    package: Annotated[bool, typer.Option("--package", help="Also make a wheel in DIR/dist")] = False,
    version: Annotated[str, typer.Option(help="Version of the pipeline")] = "0.1.0",
) -> None:
    """Join trained recognisers to the pipeline en_biochunk_ner, which "ner" in a pipeline's config stands for."""
    from ..ner.joined import join_recognisers
    from ..package import check_target, save_pipeline

    check_target(output, [borders, kinds])
    nlp = join_recognisers(borders, kinds, version=version)
    wheel = save_pipeline(nlp, output, wheel=package)
    typer.echo("Built {lang}_{name} {version} in {output}".format(**nlp.meta, output=output))
    if wheel:
        typer.echo(f"Wheel: {wheel}")


@app.command("score")
def score_command(
    folder: Iob = None,
    relations: Relations = None,
    pipeline: Annotated[str, typer.Option(help="Name or folder of a spaCy pipeline")] = "en_biochunk_ner",
    split: Annotated[str, typer.Option(help="Split of the entity corpora")] = "devel",
    relation_split: Annotated[str, typer.Option(help="Split of the relation corpora")] = "dev",
    most: Most = None,
    format: Annotated[Format, typer.Option(help="How to print the scores")] = Format.table,
) -> None:
    """Print F1 by corpus and kind, and of relation corpora the share of annotated mentions that is found.

    A mention of an entity corpus is right with both borders and the kind. For kinds that a corpus does not annotate
    there is no score. Relation corpora annotate a few mentions of a sentence, so that only what is missed can be told:
    "exact" with both borders, "inside" in a span of at most three tokens more, at so many spans a mention.
    """
    from ..ner.iob import find_corpora
    from ..ner.scores import score_corpus, score_relations
    from ..pipeline.spacy_load import is_pipeline_name, load_spacy

    if folder is None and relations is None:
        raise UsageError("found neither IOB corpora nor --relations, expected one of them, or both")
    if not is_pipeline_name(pipeline):
        raise UsageError(
            f"found --pipeline '{pipeline}', expected the name of an installed spaCy pipeline or the folder of a saved "
            "one. Install it, or make one with `biochunk ner join`"
        )
    paths = sorted(relations.glob(f"*/{relation_split}.jsonl")) if relations is not None else []
    if relations is not None and not paths:
        raise UsageError(
            f"found no DATASET/{relation_split}.jsonl in {relations}, expected relation corpora as `biochunk corpora "
            "convert` writes them"
        )
    nlp = load_spacy(pipeline)
    kinds: dict[str, dict[str, Score]] = {}
    for corpus in find_corpora(folder) if folder is not None else []:
        kinds[corpus.name] = score_corpus(nlp, corpus, split, most)
    found: dict[str, Recall] = {}
    for path in paths:
        recall = score_relations(nlp, path, most)
        if recall.mentions:
            found[path.parent.name] = recall
    if not any(scores["all"].gold for scores in kinds.values()) and not found:
        raise UsageError(f"found no annotated mention of the splits '{split}' and '{relation_split}', expected some")
    typer.echo(_json(kinds, found) if format is Format.json else _table(kinds, found))


def _json(kinds: "dict[str, dict[str, Score]]", found: "dict[str, Recall]") -> str:
    entities = {
        name: {k: {"precision": s.precision, "recall": s.recall, "f1": s.f1, "gold": s.gold} for k, s in scores.items()}
        for name, scores in kinds.items()
    }
    mentions = {
        name: {
            "mentions": r.mentions,
            "exact": r.exact / r.mentions,
            "inside": r.inside / r.mentions,
            "spans a mention": r.spans / r.mentions,
        }
        for name, r in found.items()
    }
    return json.dumps({"entities": entities, "mentions": mentions}, indent=2)


def _table(kinds: "dict[str, dict[str, Score]]", found: "dict[str, Recall]") -> str:
    lines = []
    if kinds:
        lines.append(f"{'':26}{'P':>8}{'R':>8}{'F1':>8}{'gold':>8}")
    for name, scores in kinds.items():
        for kind, s in scores.items():
            if kind != "all" or len(scores) > 2:
                lines.append(
                    f"{name + ' ' + kind:26}{100 * s.precision:8.1f}{100 * s.recall:8.1f}{100 * s.f1:8.1f}{s.gold:8}"
                )
    if found:
        lines.append(f"{'':26}{'exact':>8}{'inside':>8}{'spans':>8}{'gold':>8}")
    for name, r in found.items():
        exact, inside, spans = 100 * r.exact / r.mentions, 100 * r.inside / r.mentions, r.spans / r.mentions
        lines.append(f"{name + ' mentions':26}{exact:8.1f}{inside:8.1f}{spans:8.2f}{r.mentions:8}")
    return "\n".join(lines)
