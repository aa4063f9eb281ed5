"""What is said of a config that cannot be read or used."""

import pytest

from biochunk.build import build_pipeline
from biochunk.config_text import parse_config
from biochunk.errors import BiochunkError
from biochunk.schemas import read_dataset
from biochunk.shipped import shipped_file

SELECTOR = "components.hybrid_selector"


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("ranking", "nestd", "ranking: found 'nestd', expected one of: 'cosine_bias', 'cosine', 'mix', 'adaptive'"),
        ("top_k", "x", "top_k: found 'x', expected a whole number"),
        ("zz", 3, "found the unknown option 'zz'"),
    ],
)
def test_a_wrong_option_is_said_in_plain_words(option, value, said):
    dataset = read_dataset(shipped_file("datasets", "gmciht"))
    with pytest.raises(BiochunkError) as error:
        build_pipeline(dataset, overrides={f"{SELECTOR}.{option}": value})
    assert said in str(error.value)
    assert not any(raw in str(error.value) for raw in ("typing", "<class", "spacy.lang", "\n"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a]\nx = 1\nx = 2\n", r"found the key 'x' twice in \[a\]"),
        ("[a]\n[a]\n", r"found the section \[a\] twice"),
    ],
)
def test_what_stands_twice(text, said):
    with pytest.raises(ValueError, match=said):
        parse_config(text)


def test_a_section_may_lack_the_one_above_it():
    assert parse_config("[a]\nx = 1\n\n[a.b.c]\ny = 2\n") == {"a": {"x": 1, "b": {"c": {"y": 2}}}}
