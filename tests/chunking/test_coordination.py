import time

import pytest

from biochunk.chunking.coordination import coordinated


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it inhibits COX-1 and -2 there", ["COX-1 and -2"]),
        ("interleukin-6, -8 and -10 rose", ["interleukin-6, -8 and -10"]),
        ("COX-1/-2 inhibitors", ["COX-1/-2"]),
        ("alpha- and beta-blockers", ["alpha- and beta-blockers"]),
        ("mono-, di- and tri-glycerides", ["mono-, di- and tri-glycerides"]),
        ("pre- or post-operative", ["pre- or post-operative"]),
        ("aspirin and COX-2", []),
        ("from 5 to -3 degrees", []),
        ("a well- known fact", []),
    ],
)
def test_coordinated(text, expected):
    assert [text[start:end] for start, end in coordinated(text)] == expected


@pytest.mark.parametrize("unit", ["a- and ", "a1 and -1 ", "a-,", "-a", "a" * 30, "((", "1-/"])
def test_coordination_takes_linear_time(unit):
    def seconds(count):
        start = time.process_time()
        list(coordinated(unit * count))
        return time.process_time() - start

    small = min(seconds(2000) for _ in range(3))
    large = min(seconds(8000) for _ in range(3))
    # Quadratic work would take 16 times as long.
    assert large < 8 * small + 0.02
