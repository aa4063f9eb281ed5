"""DDI: drug-drug interactions, four relations and None, surface strings without marks."""

from .source import Source, sentence_with_triples

SOURCE = Source(
    name="ddi",
    title="DDI",
    folders=("ddi", "1_ddi"),
    files={split: (rf"{split}_triples\.jsonl?",) for split in ("train", "dev", "test")},
    parse=sentence_with_triples,
    labels=("DRUG", "DRUG"),
    directed=False,
)
