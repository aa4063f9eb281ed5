import pytest

from biochunk.chunking.noun_phrases import AFFIX, SHAPE, Classes
from biochunk.chunking.shapes import Affixes, has_shape, name_in, name_within

SHAPES = "IL-1β p53 cyp3a4 NF-κB κB TNF mRNA mTOR cAMP c57bl/6j H2O2 1,25-(OH)2D3 5-HT 25(OH)D3 rs1801133 Ca(2 C57BL/6J"
NO_SHAPES = "aspirin 1990s 10-fold 24h 50mg fig2 3rd 12 n Patients day3 4-year-old µM"


@pytest.mark.parametrize("word", SHAPES.split())
def test_names_have_a_shape(word):
    assert has_shape(word)


@pytest.mark.parametrize("word", NO_SHAPES.split())
def test_measures_and_words_have_none(word):
    assert not has_shape(word)


AFFIXED = (
    "aspirin ketoconazole metoprolol atorvastatin imatinib acetylcholinesterase kinases pancreatitis carcinomas "
    "anemia anaemia hypertension glucose ethanol interleukin"
)


@pytest.mark.parametrize("word", AFFIXED.split())
def test_names_have_an_affix(word):
    assert Affixes()(word)


COMMON = "diseases increase candidate purposes rates base ate patients table one guidelines"


@pytest.mark.parametrize("word", COMMON.split())
def test_common_words_have_none(word):
    assert not Affixes()(word)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("s", SHAPE),
        ("a", AFFIX),
        (".", ""),
        # "5-HT", "L-arginine", "beta-carotene"
        ("D-.", SHAPE),
        ("1-a", SHAPE),
        ("G-.", SHAPE),
        # "aspirin-free" is no drug; "di-sulfide" is judged by its end
        ("a-.", ""),
        (".-a", AFFIX),
        # two words are no single name
        ("sa", ""),
        ("D", ""),
    ],
)
def test_name_in(names, expected):
    assert name_in(names) == expected


@pytest.mark.parametrize(
    ("grammar", "names", "spaces", "expected"),
    [
        # "mutation G551D", "steroid prednisolone", "novel IL-1 assay"
        ("NN", ".s", [1, 1], (1, 2)),
        ("NN", ".a", [1, 1], (1, 2)),
        ("NNHNN", "..-s.", [1, 0, 0, 1, 1], (1, 4)),
        # the tokenizer's "T790|M"
        ("NNN", ".s.", [1, 0, 1], (1, 3)),
        # "vitamin D levels"
        ("LNN", "a1.", [1, 1, 1], (0, 2)),
        # nothing more than the name
        ("N", "s", [1], None),
        ("NN", "..", [1, 1], None),
    ],
)
def test_name_within(grammar, names, spaces, expected):
    size = len(grammar)
    assert name_within(Classes(grammar, "K" * size, "K" * size, names, spaces), 0, size, (SHAPE, AFFIX)) == expected
