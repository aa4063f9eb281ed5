import pytest

from biochunk.chunking.candidates import AT_END, AT_START, BLANK, EITHER, WORD, Sizes, pool, windows_by_source
from biochunk.chunking.windows import Borders


@pytest.mark.parametrize(
    ("edges", "windows", "expected"),
    [
        ([WORD] * 4, [(0, 4), (1, 3), (0, 4)], [(0, 4), (1, 3)]),
        ([WORD, WORD, WORD, EITHER], [(0, 4), (0, 3)], [(0, 3)]),
        ([EITHER, WORD, WORD, WORD], [(0, 4)], [(1, 4)]),
        ([AT_START, WORD, WORD, AT_START], [(0, 4)], [(1, 4)]),
        ([AT_END, WORD, WORD, AT_END], [(0, 4)], [(0, 3)]),
        ([BLANK, WORD, EITHER, BLANK], [(0, 4)], [(1, 3)]),  # two tokens must remain
        ([BLANK, BLANK], [(0, 2)], []),
    ],
)
def test_pool_trims_and_drops_doubles(edges, windows, expected):
    assert list(pool([(0, windows)], edges, 2)) == expected


def test_a_range_keeps_its_first_maker():
    assert pool([(-1, [(0, 3)]), (0, [(0, 3), (1, 3)])], [WORD] * 3, 5) == {(0, 3): -1, (1, 3): 0}


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (["fixed"], [(-1, [(0, 2)]), (0, [(0, 6), (6, 9)])]),
        (["sentence"], [(-1, [(0, 2)]), (0, [(0, 9)])]),
        (["trigger", "fixed_strict"], [(-1, [(0, 2)]), (0, [(0, 6)]), (1, [(0, 6), (6, 9)])]),
    ],
)
def test_windows_by_source(sources, expected):
    made = windows_by_source(
        sources,
        Borders([(4, 6)], 0, 9),
        triggers=[(2, 3)],
        found=[(0, 2, -1)],
        words=[(i, i + 1) for i in range(9)],
        sizes=Sizes(8, 3, 5, 12, 2, 5 if "fixed_strict" in sources else 4),
    )
    assert [(number, [tuple(window) for window in windows]) for number, windows in made] == expected
