"""Gold strings to spans: which place is taken, and that none is guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.corpora.locate import Marking, NotLocated, locate_pair

PLAIN = Marking()
GMCIHT = Marking(padding=True, brackets=True)
CHEMPROT = Marking(padding=True, eats_next=True)


def _shown(text: str, head: str, tail: str, marking: Marking) -> str:
    """The text with the head in ‹› and the tail in «»."""
    places = locate_pair(text, head, tail, marking)
    edges = [(place.start, "‹«"[i], place.end, "›»"[i]) for i, place in enumerate(places)]
    out = []
    for i in range(len(text) + 1):
        out += [close for start, _, end, close in reversed(edges) if end == i]
        out += [open_ for start, open_, _, _ in edges if start == i]
        out += text[i : i + 1]
    return "".join(out)


TABLE = [
    # Each mention stands once.
    (PLAIN, "aspirin", "COX-1", "‹aspirin› blocks «COX-1»."),
    (PLAIN, "COX-1", "aspirin", "«aspirin» blocks ‹COX-1›."),
    (PLAIN, "β-lactamase", "🧬", "🧬 lost ‹β-lactamase› «🧬»"),
    # Repeated mentions: the pair with the fewest characters between, then the leftmost.
    (PLAIN, "TNF", "IL-6", "TNF fell in all of these mice; ‹TNF› and «IL-6» rose later."),
    (PLAIN, "TNF", "IL-6", "‹TNF› «IL-6» or TNF IL-6"),
    (PLAIN, "a", "b", "‹a›:«b» b:a"),
    # Equal strings take two places when there are two, else share one.
    (PLAIN, "warfarin", "warfarin", "‹warfarin› with «warfarin» and later warfarin"),
    (PLAIN, "warfarin", "warfarin", "take ‹«warfarin»› daily"),
    # A whole word goes before a part of one.
    (PLAIN, "rat", "calf", "laboratory work on the ‹rat› and the «calf»"),
    (PLAIN, "ergot", "rifampin", "ergotamine, «rifampin» and then much later in the text ‹ergot›"),
    (PLAIN, "NO", "eNOS", "«eNOS» makes ‹NO›"),
    # Places that do not overlap go before nested ones; only nested ones are taken when there is no other.
    (PLAIN, "estrogen", "estrogen receptor", "«estrogen receptor» binds ‹estrogen›"),
    (PLAIN, "estrogen", "estrogen receptor", "the ‹«estrogen› receptor» was lost"),
    # Padding goes before plain text, and brackets before padding.
    (GMCIHT, "tnf", "rats", "tnf falls;  ‹tnf›  in more than some of the  «rats» ."),
    (GMCIHT, "no", "smoke", "{  «smoke»  } makes semiqui no ne and then [  ‹no›  ]."),
    # A mark inside a word is no evidence, since every such string was marked.
    (GMCIHT, "ct", "cancer", "rese ct ability by  ‹ct›  in  «cancer» ."),
    (GMCIHT, "ea", "il-1", " «il-1»  was incr ea sed after many weeks of  ‹ea› ."),
    # ChemProt's annotated place lost the character behind it.
    (CHEMPROT, "valsartan", "ACE", " «ACE»  and  valsartan -like, unlike  ‹valsartan›   51%"),
    (CHEMPROT, "KA", "GluR", " «GluR»  is bound by  KA , while kynurenic acid ( ‹KA›   is"),
    # White space and brackets are passed over only where the string itself stands nowhere.
    (CHEMPROT, "NO", "iNOS", " ‹NO›  comes from synthase («i NO S»  in cells"),
    (CHEMPROT, "PSA", "cyclooxygenase (COX)-2", " ‹PSA›  and «cyclooxygenase (COX -2» fell"),
    (PLAIN, "interferon gamma", "TNF", "‹interferon\ngamma› and «TNF»"),
    (PLAIN, "IL-2 (human)", "TNF", "‹IL-2 [human]› and «TNF»"),
]


@pytest.mark.parametrize(("marking", "head", "tail", "expected"), TABLE)
def test_locate_pair(marking: Marking, head: str, tail: str, expected: str) -> None:
    text = expected.translate(str.maketrans("", "", "‹›«»"))
    assert _shown(text, head, tail, marking) == expected


@pytest.mark.parametrize(
    ("text", "head", "tail", "reason"),
    [
        ("aspirin fell", "aspirin", "COX-1", "the tail 'COX-1' is not in the text"),
        ("aspirin fell", "Aspirin", "fell", "the head 'Aspirin' is not in the text"),
        ("aspirin fell", "", "fell", "the head is empty"),
        ("aspirin fell", "fell", "  ", "the tail is empty"),
        ("aspirin (fell)", "()", "fell", "the head '()' is not in the text"),
        # Without white space "ip" would stand in "with papers".
        ("a gyp in between papers", "np", "papers", "not in the text"),
        ("aspirin fell", "x" * 500, "fell", "x..."),
    ],
)
def test_locate_pair_does_not_guess(text: str, head: str, tail: str, reason: str) -> None:
    with pytest.raises(NotLocated) as caught:
        locate_pair(text, head, tail, CHEMPROT)
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("marking", "text", "marks"),
    [
        (GMCIHT, "[  tnf  ] in {  rats  }", ("brackets", "brackets")),
        (GMCIHT, "[ tnf ] in  rats .", ("brackets", "padding")),
        (GMCIHT, "the  tnf  of rats", ("padding", "")),
        (GMCIHT, "[tnf in rats].", ("", "")),
        (PLAIN, "the  tnf  of rats", ("", "")),
    ],
)
def test_locate_pair_says_what_marks_a_mention(marking: Marking, text: str, marks: tuple[str, str]) -> None:
    assert tuple(place.mark for place in locate_pair(text, "tnf", "rats", marking)) == marks


def test_locate_pair_takes_no_longer_on_a_hostile_text() -> None:
    """Many places each: the nearest pair is found without trying all pairs (400 million here)."""
    head, tail = locate_pair("a " * 20_000 + "b " * 20_000, "a", "b", PLAIN)
    assert (head.start, tail.start) == (39_998, 40_000)


@given(st.data())
def test_locate_pair_spans_are_their_strings(data: st.DataObject) -> None:
    text = data.draw(st.text("ab ([-🧬", min_size=1, max_size=30).filter(str.strip))
    spans = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 6)).map(lambda span: text[span[0] : sum(span)])
    head, tail = data.draw(spans.filter(str.strip)), data.draw(spans.filter(str.strip))
    marking = data.draw(st.sampled_from([PLAIN, GMCIHT, CHEMPROT]))
    for place, mention in zip(locate_pair(text, head, tail, marking), (head, tail), strict=True):
        assert text[place.start : place.end] == mention
        assert place.exact
