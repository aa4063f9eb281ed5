"""Which records an experiment works on."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...corpora.convert import STORE
from ...corpora.records import Record, read_records
from ...errors import Fault, FileFaultsError, UsageError
from .config import Experiment, Split

# View of corpora that lie in folders by dataset alone, such as the samples.
SAMPLE = "sample"


@dataclass(frozen=True)
class Source:
    """The files of one dataset in one view.

    view, dataset (str): Which.
    train, store, scored (Path): What is learned from, what the store holds, what is scored.
    store_split, split (str): Splits of the last two.
    """

    view: str
    dataset: str
    train: Path
    store: Path
    scored: Path
    store_split: str
    split: str

    def path(self, part: str) -> Path:
        """File of "train", "store" or "scored"."""
        return Path(getattr(self, part))

    def records(self, part: str) -> list[Record]:
        """All records of "train", "store" or "scored"."""
        return list(read_records(self.path(part)))


def find_sources(experiment: Experiment, root: Path, split: Split | None = None) -> list[Source]:
    """The files of an experiment.

    experiment (Experiment): Its datasets and views.
    root (Path): A folder VIEW/DATASET/SPLIT.jsonl for each view, as `biochunk corpora convert` makes it; or
        DATASET/SPLIT.jsonl, which then is the one view "sample".
    split (str | None): What is scored; None: test where it is there, else dev.
    RETURNS (list[Source]): One a view and dataset; datasets of which nothing is there are left out.
    RAISES (UsageError): When no dataset is there, or one lacks a file.
    """
    views = _views(experiment, root)
    sources = [
        _source(experiment, view, dataset, folder / dataset, split)
        for view, folder in views.items()
        for dataset in experiment.datasets
        if (folder / dataset).is_dir()
    ]
    if not sources:
        wanted = f"{experiment.views[0]}/{next(iter(experiment.datasets))}/train.jsonl"
        raise UsageError(f"found no corpus in '{root}', expected files such as {wanted}, by `biochunk corpora convert`")
    return sources


def missing_sources(experiment: Experiment, root: Path) -> list[str]:
    """RETURNS (list[str]): The folders VIEW/DATASET of an experiment's corpora that are not there."""
    views = _views(experiment, root)
    # A folder of the datasets alone stands for every view.
    wanted = [""] if SAMPLE in views else experiment.views
    folders = [root / view / dataset for view in wanted for dataset in experiment.datasets]
    return [str(folder) for folder in folders if not folder.is_dir()]


def check_sources(experiment: Experiment, sources: list[Source]) -> None:
    """See that what is asked can be asked of the records.

    RAISES (FileFaultsError): When a file has an id twice, records of another dataset, or nothing that a task or the
        answer retrieval asks for.
    """
    for source in sources:
        tasks = experiment.datasets[source.dataset]
        for part in ("train", "store", "scored"):
            path = source.path(part)
            facts = _facts(path, path.stat().st_mtime_ns, path.stat().st_size)
            fault = _fault(facts, source.dataset)
            if part != "store" and not fault:
                asked = [*tasks, *(["answers"] if part == "scored" and source.dataset in experiment.answers else [])]
                fault = _asked_fault(facts, asked)
            if fault:
                raise FileFaultsError(str(path), [fault])


@dataclass(frozen=True)
class _Facts:
    """What a file of records holds.

    datasets (dict[str, str]): The datasets, each with its first record.
    twice (str): An id that stands there twice, or "".
    unlabelled (str): The first record without a class of 0 or 1, or "".
    triples (bool): Whether any record has a triple.
    """

    datasets: dict[str, str]
    twice: str
    unlabelled: str
    triples: bool


@cache
def _facts(path: Path, changed: int, size: int) -> _Facts:
    ids: set[str] = set()
    datasets: dict[str, str] = {}
    twice = unlabelled = ""
    triples = False
    for record in read_records(path):
        twice = twice or (record.id if record.id in ids else "")
        ids.add(record.id)
        datasets.setdefault(record.dataset, record.id)
        unlabelled = unlabelled or ("" if str(record.label) in ("0", "1") else record.id)
        triples = triples or bool(record.triples)
    return _Facts(datasets, twice, unlabelled, triples)


def _fault(facts: _Facts, dataset: str) -> Fault | None:
    if not facts.datasets:
        return Fault("file", "no record", "at least one")
    if facts.twice:
        return Fault(f"record '{facts.twice}'", "this id twice", "each id once")
    for other, record in facts.datasets.items():
        if other != dataset:
            return Fault(f"record '{record}'", f"the dataset '{other}'", f"'{dataset}', by the name of the folder")
    return None


def _asked_fault(facts: _Facts, asked: list[str]) -> Fault | None:
    for task in asked:
        if task == "label" and facts.unlabelled:
            expected = "a label of 0 or 1, as the task label asks for it; change the experiment's tasks"
            return Fault(f"record '{facts.unlabelled}'", "no class", expected)
        if task != "label" and not facts.triples:
            who, where = ("answer retrieval", "answers") if task == "answers" else (f"the task {task}", "tasks")
            return Fault("file", "no triple", f"some, as {who} asks for them; change the experiment's {where}")
    return None


def _views(experiment: Experiment, root: Path) -> dict[str, Path]:
    views = {view: root / view for view in experiment.views if (root / view).is_dir()}
    if not views and any((root / dataset).is_dir() for dataset in experiment.datasets):
        return {SAMPLE: root}
    return views


def _source(experiment: Experiment, view: str, dataset: str, folder: Path, split: Split | None) -> Source:
    scored: str = split or ("test" if (folder / "test.jsonl").is_file() else "dev")
    store = folder / f"{experiment.store_split}.jsonl"
    if experiment.store_split == "dev" and (folder / f"{STORE}.jsonl").is_file():
        store = folder / f"{STORE}.jsonl"
    source = Source(
        view=view,
        dataset=dataset,
        train=folder / "train.jsonl",
        store=store,
        scored=folder / f"{scored}.jsonl",
        store_split=experiment.store_split,
        split=scored,
    )
    for path in (source.train, source.store, source.scored):
        if not path.is_file():
            expected = f"the splits train, {experiment.store_split} and {scored}"
            raise UsageError(f"found no file '{path}', expected {expected}")
    return source
