"""Which records an experiment works on."""

from dataclasses import dataclass
from pathlib import Path

from ...corpora.convert import STORE
from ...corpora.records import Record, read_records
from ...errors import UsageError
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
    views = {view: root / view for view in experiment.views if (root / view).is_dir()}
    if not views and any((root / dataset).is_dir() for dataset in experiment.datasets):
        views = {SAMPLE: root}
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
