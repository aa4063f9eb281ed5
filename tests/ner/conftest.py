"""Entity corpora in IOB, of our own sentences, and the command line."""

import pytest
from tests.cli.conftest import cli as cli

CHEMICALS = ["aspirin", "warfarin", "S-ketamine", "vitamin C", "digoxin", "heparin", "morphine", "lithium"]
DISEASES = ["gout", "asthma", "liver cancer", "Parkinson's disease", "anaemia", "sepsis", "rickets", "angina"]


def rows(words, tags):
    return "".join(f"{word}\t{tag}\n" for word, tag in zip(words, tags, strict=True)) + "\n"


def mention(name, label):
    words = name.replace("-", " - ").replace("'", " ' ").split()
    return words, [f"{'B' if i == 0 else 'I'}-{label}" for i in range(len(words))]


def sentence(chemical, disease, *, diseases=True):
    first, first_tags = mention(chemical, "Chemical")
    second, second_tags = mention(disease, "Disease")
    if not diseases:
        second_tags = ["O"] * len(second)
    return rows(
        ["We", "gave", *first, "(", "5", "mg", ")", "for", *second, "."],
        ["O"] * 2 + first_tags + ["O"] * 5 + second_tags + ["O"],
    )


@pytest.fixture(scope="session")
def iob_folder(tmp_path_factory):
    """Two corpora: BOTH has chemicals and diseases, DRUGS chemicals alone."""
    folder = tmp_path_factory.mktemp("iob")
    pairs = [(c, d) for c in CHEMICALS for d in DISEASES]
    for name, diseases in (("BOTH", True), ("DRUGS", False)):
        (folder / f"{name}-IOB").mkdir()
        for split, part in (("train", pairs[::2]), ("devel", pairs[1::4])):
            text = "".join(sentence(c, d, diseases=diseases) for c, d in part)
            (folder / f"{name}-IOB" / f"{split}.tsv").write_text(text, encoding="utf8")
    return folder
