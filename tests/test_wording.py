"""Words of messages."""

import pytest

from biochunk.wording import counted


@pytest.mark.parametrize(
    ("count", "words", "says"),
    [
        (0, ("text",), "0 texts"),
        (1, ("text",), "1 text"),
        (1, ("entity", "entities"), "1 entity"),
        (1200, ("entity", "entities"), "1,200 entities"),
    ],
)
def test_counted(count: int, words: tuple[str, ...], says: str) -> None:
    assert counted(count, *words) == says
