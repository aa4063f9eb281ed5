"""`biochunk triggers`: cues learned from annotated text, and how well they cover it."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BiochunkError, UsageError
from ..schemas import read_dataset
from ..shipped import dataset_path
from .learning import (
    Corpus,
    DatasetFile,
    Force,
    Format,
    OneDataset,
    OnePipeline,
    Output,
    Split,
    TrainSplit,
    one_of,
    records_of,
    train_or_all,
    write_dataset,
)

if TYPE_CHECKING:
    from spacy.language import Language

app = typer.Typer(
    help="Learn trigger words from annotated text, weigh relations, report coverage.", no_args_is_help=True
)


@app.command("learn")
def learn_command(
    corpus: Corpus,
    dataset: DatasetFile,
    output: Output,
    split: TrainSplit = None,
    min_count: Annotated[int, typer.Option(min=1, help="Fewest training items of a cue")] = 3,
    primary: Annotated[float, typer.Option(min=0, max=1, help="Smallest share of tier 1")] = 0.5,
    secondary: Annotated[float, typer.Option(min=0, max=1, help="Smallest share of tier 2")] = 0.25,
    tertiary: Annotated[float, typer.Option(min=0, max=1, help="Smallest share of tier 3")] = 0.08,
    force: Force = False,
) -> None:
    """Collect words and phrases between and near annotated pairs; keep and print those that tell a relation.

    Triggers that a person wrote, or whose tier a person changed, stay as they are, and cues listed as rejected stay
    out. Triggers learned before are measured anew on these records, and dropped where these do not support them: for
    more records, give the earlier ones again. Everything new, changed, dropped or kept by hand is listed.
    """
    from ..triggers.collect import collect, items_of
    from ..triggers.finders import Words
    from ..triggers.learn import Thresholds, propose
    from ..triggers.merge import merge
    from ..triggers.table import merge_summary, review_table

    if not primary >= secondary >= tertiary:
        raise UsageError(
            f"found the shares {primary}, {secondary}, {tertiary}; expected --primary >= --secondary >= --tertiary"
        )
    old = read_dataset(dataset_path(dataset))
    records = train_or_all(corpus) if split is None else records_of(corpus, split)
    items = items_of(records, old, Words())
    if not any(item.relation in old.relations for item in items):
        known, found = ", ".join(old.relations), ", ".join(sorted({str(item.relation) for item in items}))
        raise BiochunkError(f"{corpus}: found the relations {found}; expected some of the dataset's: {known}")
    thresholds = Thresholds(count=min_count, primary=primary, secondary=secondary, tertiary=tertiary)
    new, changes = merge(old, propose(collect(items), old.relations, thresholds))
    typer.echo(review_table(changes).rstrip("\n"))
    write_dataset(new, output, old, force)
    typer.echo(f"{output}: {merge_summary(changes)}")
    if not any(relation.triggers for relation in new.relations.values()):
        typer.echo(
            f"Warning: {output} has 0 triggers: no cue in {len(items)} items met the thresholds. Give more records "
            "(best one sentence each), or lower --min-count and --tertiary",
            err=True,
        )


@app.command("weigh")
def weigh_command(
    corpus: Corpus,
    dataset: DatasetFile,
    output: Output,
    keep: Annotated[list[str] | None, typer.Option(help="Relation whose weight stays; may be repeated")] = None,
    split: TrainSplit = None,
    force: Force = False,
) -> None:
    """Set relation weights so that the gold relation has the highest priority as often as possible."""
    from ..triggers.collect import gold_relations
    from ..triggers.finders import TAGGER, fired_tiers, make_finder
    from ..triggers.weigh import Fired, fit_weights, top_share

    old = read_dataset(dataset_path(dataset))
    unknown = sorted(set(keep or ()) - set(old.relations))
    if unknown:
        raise UsageError(f"found --keep {unknown[0]}, expected one of: {', '.join(old.relations)}")
    bonus = old.parameters.relation_resolver.tier_bonus or [3.0, 2.0, 1.0]
    nlp = make_finder(old, TAGGER)
    records = train_or_all(corpus) if split is None else records_of(corpus, split)
    items = [
        Fired({name: bonus[tier - 1] for name, tier in fired_tiers(doc).items()}, gold)
        for doc, record in nlp.pipe(((r.text, r) for r in records), as_tuples=True)
        for gold in gold_relations(record, old.relations)
    ]
    before = {name: relation.weight for name, relation in old.relations.items()}
    after = fit_weights(items, before, [name for name in before if name not in (keep or ())])
    for name in before:
        typer.echo(f"{name}: {before[name]:g} -> {after[name]:g}")
    typer.echo(
        f"gold relation on top: {top_share(items, before):.1%} -> {top_share(items, after):.1%} of {len(items)} items"
    )
    relations = {name: r.model_copy(update={"weight": after[name]}) for name, r in old.relations.items()}
    write_dataset(old.model_copy(update={"relations": relations}), output, old, force)
    changed = sum(before[name] != after[name] for name in before)
    typer.echo(f"{output}: {changed} of {len(before)} weights changed, set by {len(items)} items")


@app.command("score")
def score_command(
    corpus: Corpus,
    dataset: OneDataset = None,
    pipeline: OnePipeline = None,
    split: Split = "all",
    format: Annotated[Format, typer.Option(help="How to print the report")] = Format.table,
) -> None:
    """Report by relation in how many sentences a trigger fires, and where the gold relation is found.

    Columns: sentences with a trigger; gold relation signalled by a trigger, stated by a proposition, stated with the
    highest priority (a tie of n counts 1/n); relations fired a sentence; sentences without the relation in which a
    trigger of it fires.
    """
    from ..triggers.collect import gold_relations
    from ..triggers.coverage import coverage, found_in
    from ..triggers.finders import make_finder
    from ..triggers.table import coverage_table

    one_of(dataset, pipeline)
    if dataset is not None:
        knowledge = read_dataset(dataset_path(dataset))
        nlp, relations = make_finder(knowledge), list(knowledge.relations)
    else:
        nlp, relations = _loaded(str(pipeline))
    pairs = (
        (found_in(doc), gold_relations(record, relations))
        for doc, record in nlp.pipe(((r.text, r) for r in records_of(corpus, split)), as_tuples=True)
    )
    rows = coverage(pairs, relations)
    if format is Format.json:
        typer.echo(json.dumps({name: row.rates() for name, row in rows.items()}, indent=2))
    else:
        typer.echo(coverage_table(rows))


def _loaded(name: str) -> "tuple[Language, list[str]]":
    """A saved pipeline without its chunk selector, and the relations that it weighs."""
    from ..pipeline.load import load_pipeline

    nlp = load_pipeline(name)
    selectors = [pipe for pipe in nlp.pipe_names if nlp.get_pipe_meta(pipe).factory == "hybrid_selector"]
    selector: Any = nlp.get_pipe(selectors[0])
    labels = list(selector.labels)
    for pipe in selectors:
        nlp.disable_pipe(pipe)
    return nlp, labels
