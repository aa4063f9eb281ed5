import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.chunking.lexicon import is_participle, plural, surface_forms, verb_forms
from biochunk.schemas import Trigger

LINES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=30)


def forms(phrase: str, pos: str, **options: object) -> list[str]:
    """Forms as text, a participle with a star."""
    trigger = Trigger.model_validate({"phrase": phrase, "tier": 1, "pos": pos, **options})
    return [form.text + "*" * form.participle for form in surface_forms(trigger)]


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        ("inhibit", "inhibit inhibits inhibited* inhibiting"),
        ("reduce", "reduce reduces reduced* reducing"),
        ("modify", "modify modifies modified* modifying"),
        ("play", "play plays played* playing"),
        ("stop", "stop stops stopped* stopping"),
        ("block", "block blocks blocked* blocking"),
        ("treat", "treat treats treated* treating"),
        ("occur", "occur occurs occurred* occurring"),
        ("transfer", "transfer transfers transferred* transferring"),
        ("differ", "differ differs differed* differing"),
        ("limit", "limit limits limited* limiting"),
        ("control", "control controls controlled* controlling"),
        ("mimic", "mimic mimics mimicked* mimicking"),
        ("suppress", "suppress suppresses suppressed* suppressing"),
        ("mix", "mix mixes mixed* mixing"),
        ("die", "die dies died* dying"),
        ("agree", "agree agrees agreed* agreeing"),
        ("up-regulate", "up-regulate up-regulates up-regulated* up-regulating"),
        ("co-apply", "co-apply co-applies co-applied* co-applying"),
        ("bind", "bind binds bound* binding"),
        ("give", "give gives gave given* giving"),
        ("cut", "cut* cuts cutting"),
    ],
)
def test_lexicon_verb_inflects_regularly(verb: str, expected: str) -> None:
    assert forms(verb, "verb") == expected.split()


def test_lexicon_verb_phrase_inflects_its_first_word() -> None:
    assert forms("act on", "verb") == ["act on", "acts on", "acted on*", "acting on"]
    assert "led to*" in forms("lead to", "verb")


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("inhibitor of", ["inhibitor of", "inhibitors of"]),
        ("side effect", ["side effect", "side effects"]),
        ("therapy", ["therapy", "therapies"]),
        ("analysis of", ["analysis of", "analyses of"]),
        ("patients", ["patients"]),
        ("woman", ["woman", "women"]),
        ("in patients with", ["in patients with"]),
        ("loss", ["loss", "losses"]),
    ],
)
def test_lexicon_noun_gives_singular_and_plural(noun: str, expected: list[str]) -> None:
    assert forms(noun, "noun") == expected


@pytest.mark.parametrize("pos", ["adjective", "preposition", "phrase"])
def test_lexicon_other_parts_of_speech_stand_as_written(pos: str) -> None:
    assert forms("resistant  to", pos) == ["resistant to"]


def test_lexicon_explicit_forms_win() -> None:
    assert forms("label", "verb", forms=["labelled with", "label"]) == ["labelled with*", "label"]
    assert forms("cure", "noun", forms=["cured"]) == ["cured"]


@pytest.mark.parametrize(
    ("form", "expected"), [("inhibited", True), ("led to", True), ("gave", False), ("leads to", False)]
)
def test_lexicon_knows_a_participle(form: str, expected: bool) -> None:
    assert is_participle(form) is expected


def test_lexicon_plural_of_a_compound_keeps_its_prefix() -> None:
    assert plural("co-therapy") == "co-therapies"


@given(LINES.filter(lambda line: any(map(str.isalnum, line))), st.sampled_from(["verb", "noun", "phrase"]))
def test_lexicon_any_phrase_gives_distinct_forms_with_the_phrase_first(phrase: str, pos: str) -> None:
    found = [form.text for form in surface_forms(Trigger.model_validate({"phrase": phrase, "tier": 1, "pos": pos}))]
    assert found[0] == " ".join(phrase.split())
    assert len(set(found)) == len(found)


@given(st.from_regex(r"[a-z]{2,12}", fullmatch=True))
def test_lexicon_regular_verbs_have_one_participle_in_ed_or_a_listed_one(verb: str) -> None:
    participles = [form.text for form in verb_forms(verb) if form.participle]
    assert len(participles) == 1
    assert is_participle(participles[0])
