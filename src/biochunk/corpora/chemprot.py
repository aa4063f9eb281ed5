"""ChemProt: chemical-gene relations, five labels, mentions padded.

The marking also swallowed the character after each annotated mention: "( PSA   levels" was "(PSA) levels".
"""

from .locate import Marking
from .source import Source, sentence_with_triples

SOURCE = Source(
    name="chemprot",
    title="ChemProt",
    folders=("chemprot", "2_chemprot"),
    files={split: (rf"{split}_triples\.jsonl?",) for split in ("train", "dev", "test")},
    parse=sentence_with_triples,
    marking=Marking(padding=True, eats_next=True),
    labels=("CHEMICAL", "GENE"),
)
