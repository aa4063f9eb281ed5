"""`biochunk entities`: which words belong to mentions, learned from annotated text; how many mentions are found."""

import json
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..corpora.records import Record
from ..errors import BiochunkError, UsageError
from ..schema_parameters import EntitySpansParameters
from ..schemas import Dataset, read_dataset
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

    from ..entities.coverage import Coverage

app = typer.Typer(help="Learn where mentions begin and end, report how many are found.", no_args_is_help=True)

_ENTITIES = ("bio_entity_spans",)


@app.command("learn")
def learn_command(
    corpus: Corpus,
    dataset: DatasetFile,
    output: Output,
    split: TrainSplit = None,
    min_count: Annotated[int, typer.Option(min=1, help="Fewest phrases that judge a word")] = 2,
    cut: Annotated[float, typer.Option(min=0, max=1, help="Smallest share of a word that is cut")] = 0.85,
    optional: Annotated[float, typer.Option(min=0, max=1, help="Smallest share of a word that is optional")] = 0.35,
    alone: Annotated[
        float, typer.Option(min=0, max=1, help="A word is no mention by itself where it is one in fewer of its spans")
    ] = 0.05,
    force: Force = False,
) -> None:
    """Learn which words at the edges of a noun phrase belong to a mention; print the lists and what they change.

    The share is that of the phrases with a mention in which the word stands outside it. The dataset's lists before,
    after, joins, never_alone and alone are replaced; rules, patterns, stop_words and stop_heads stay, and are the place
    for what you decide by hand.
    """
    from ..entities.learn import Thresholds, propose
    from ..entities.sentences import annotated
    from ..entities.table import change_table, count_words, lists_table, verdict
    from ..pipeline.entity_rules import EntityRules
    from ..triggers.finders import make_finder

    if not cut >= optional:
        raise UsageError(f"found --cut {cut} and --optional {optional}, expected --cut >= --optional")
    old = read_dataset(dataset_path(dataset))
    if "noun_phrase" not in old.entities.rules:
        raise UsageError(f"{dataset}: found no rule 'noun_phrase' in entities.rules, expected it, as it uses the lists")
    records = list(train_or_all(corpus) if split is None else records_of(corpus, split))
    nlp = make_finder(_by_rules(old), _ENTITIES)
    component: Any = nlp.get_pipe(_ENTITIES[0])
    sentences = annotated((nlp.make_doc(record.text), record) for record in records)
    if not any(sentence.gold for sentence in sentences):
        raise BiochunkError(f"{corpus}: found no mention in {len(records)} records, expected annotated entities")
    make = partial(
        EntityRules,
        nlp.vocab,
        verbs=component.knowledge["verbs"],
        nominal=component.knowledge["nominal"],
        max_tokens=component.max_tokens,
        boundary="both",
    )
    limits = Thresholds(cut=cut, optional=optional, alone=alone, fewest=min_count)
    new = old.model_copy(update={"entities": propose(sentences, old.entities, make, limits)})
    typer.echo(lists_table(new.entities))
    before, after = _covered(nlp, records), _covered(make_finder(_by_rules(new), _ENTITIES), records)
    typer.echo(change_table(before, after))
    typer.echo(f"On the records learned from, {verdict(before, after)}. `biochunk entities score` tells of others.")
    write_dataset(new, output, old, force)
    typer.echo(f"{output}: {count_words(new.entities)} words in the lists, learned from {len(records)} records")


@app.command("score")
def score_command(
    corpus: Corpus,
    dataset: OneDataset = None,
    pipeline: OnePipeline = None,
    split: Split = "all",
    lower: Annotated[bool, typer.Option("--lower", help="Lower-case the texts first")] = False,
    format: Annotated[Format, typer.Option(help="How to print the report")] = Format.table,
) -> None:
    """Report how many annotated mentions are found, exactly or inside a span of at most 3 tokens more, and by what.

    With --dataset by the dataset's rules, with --pipeline by a saved pipeline. "spans a mention" is what that costs:
    all spans over all annotated mentions, a mention with two boundaries counting twice. A rule's "annotated" is the
    share of its spans that are annotated mentions; where annotation leaves mentions out, that is no precision.

    Of the annotated pairs, "in one proposition" have both mentions whole inside one proposition, and "as its arguments"
    overlap subject and object of one: part of a mention is enough there, so that this share may be the higher one.
    """
    from ..entities.table import coverage_table
    from ..pipeline.load import load_pipeline
    from ..triggers.finders import make_finder

    one_of(dataset, pipeline)
    if dataset is not None:
        nlp = make_finder(read_dataset(dataset_path(dataset)))
    else:
        nlp = load_pipeline(str(pipeline))
        for name in [n for n in nlp.pipe_names if nlp.get_pipe_meta(n).factory == "hybrid_selector"]:
            nlp.disable_pipe(name)
    records = records_of(corpus, split)
    found = _covered(nlp, map(_lowered, records) if lower else records)
    if format is Format.json:
        rules = {rule: {"spans": count, "annotated": share} for rule, (count, share) in found.rules().items()}
        typer.echo(json.dumps({**found.rates(), "rules": rules}, indent=2))
    else:
        typer.echo(coverage_table(found))


def _covered(nlp: "Language", records: Iterable[Record]) -> "Coverage":
    from ..entities.coverage import coverage

    return coverage(nlp.pipe(((record.text, record) for record in records), as_tuples=True))


def _by_rules(dataset: Dataset) -> Dataset:
    """The dataset with rules as the source of its entities, whatever its parameters say."""
    own = dataset.parameters.bio_entity_spans
    rules = EntitySpansParameters(max_tokens=own.max_tokens)
    return dataset.model_copy(update={"parameters": dataset.parameters.model_copy(update={"bio_entity_spans": rules})})


def _lowered(record: Record) -> Record:
    """The record in lower case; capitals without a lower case of one character stay, so that offsets hold."""
    text = "".join(c.lower() if len(c.lower()) == 1 else c for c in record.text)
    entities = [e.model_copy(update={"text": text[e.start : e.end]}) for e in record.entities]
    return record.model_copy(update={"text": text, "entities": entities})
