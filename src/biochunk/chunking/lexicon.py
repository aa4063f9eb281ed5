"""Written forms of a trigger: regular English inflection, so that a dataset file lists each cue once."""

import re
from dataclasses import dataclass

from ..schemas import Trigger

_VOWELS = "aeiou"
_PREPOSITION = re.compile(
    "against|among|between|by|for|from|in|into|of|on|to|towards?|upon|via|with|within", re.IGNORECASE
)

# One syllable that ends consonant-vowel-consonant doubles its last letter ("block" does not, "stop" does) …
_SHORT = re.compile(r"[^aeiou]*(?:qu)?[aeiouy][^aeiouwxy]")
# … and so do longer words stressed on such a last syllable; stress is not written, so the endings are listed.
_STRESSED_ENDINGS = ("fer", "mit", "cur", "pel", "trol")
_NOT_STRESSED = frozenset(["differ", "offer", "suffer", "buffer", "limit", "vomit"])

# Past forms that no rule gives: past tense, then past participle where it differs.
_IRREGULAR_PAST = {
    "arise": ("arose", "arisen"),
    "bear": ("bore", "borne"),
    "become": ("became", "become"),
    "be": ("was", "been"),
    "begin": ("began", "begun"),
    "bind": ("bound",),
    "break": ("broke", "broken"),
    "bring": ("brought",),
    "choose": ("chose", "chosen"),
    "cut": ("cut",),
    "do": ("did", "done"),
    "draw": ("drew", "drawn"),
    "drive": ("drove", "driven"),
    "fall": ("fell", "fallen"),
    "feed": ("fed",),
    "fight": ("fought",),
    "find": ("found",),
    "get": ("got",),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "grow": ("grew", "grown"),
    "have": ("had",),
    "hold": ("held",),
    "keep": ("kept",),
    "know": ("knew", "known"),
    "lead": ("led",),
    "leave": ("left",),
    "lie": ("lay", "lain"),
    "lose": ("lost",),
    "make": ("made",),
    "meet": ("met",),
    "put": ("put",),
    "rise": ("rose", "risen"),
    "run": ("ran", "run"),
    "see": ("saw", "seen"),
    "seek": ("sought",),
    "set": ("set",),
    "show": ("showed", "shown"),
    "shrink": ("shrank", "shrunk"),
    "speed": ("sped",),
    "spread": ("spread",),
    "take": ("took", "taken"),
    "undergo": ("underwent", "undergone"),
    "withdraw": ("withdrew", "withdrawn"),
}
# Written past form to base, for merging inflections; forms that are as common as another word are left out.
IRREGULAR_BASES = {
    form: base
    for base, past in _IRREGULAR_PAST.items()
    for form in past
    if form not in ("lay", "left", "was", "been", "had", "did", "done", "saw", "felt")
}
_IRREGULAR_PARTICIPLES = frozenset(past[-1] for past in _IRREGULAR_PAST.values())
_IRREGULAR_PLURALS = {
    "calf": "calves",
    "child": "children",
    "foot": "feet",
    "man": "men",
    "mouse": "mice",
    "woman": "women",
}


@dataclass(frozen=True)
class Form:
    """One way in which a trigger is written.

    text (str): The words, single-spaced, as the dataset file writes them (matching ignores case).
    participle (bool): True for a past participle ("inhibited"), which may stand in a passive.
    """

    text: str
    participle: bool


def surface_forms(trigger: Trigger) -> tuple[Form, ...]:
    """All written forms of a trigger, without duplicates, the phrase itself first unless `forms` is given.

    A verb gives base, -s, past, participle and -ing of its first word ("lead to": "leads to", "led to"); a
    noun its singular and plural ("inhibitor of": "inhibitors of"); anything else stands as written. Explicit
    `forms` replace the regular ones.

    trigger (Trigger): The trigger.
    RETURNS (tuple[Form, ...]): Its forms; none only when the file gives an empty list of forms.
    """
    if trigger.forms is not None:
        forms = [Form(" ".join(form.split()), trigger.pos == "verb" and is_participle(form)) for form in trigger.forms]
    elif trigger.pos == "verb":
        first, *rest = trigger.phrase.split()
        tail = "".join(f" {word}" for word in rest)
        forms = [Form(form.text + tail, form.participle) for form in verb_forms(first)]
    elif trigger.pos == "noun":
        words = trigger.phrase.split()
        at = next((i for i, word in enumerate(words) if _PREPOSITION.fullmatch(word)), len(words)) - 1
        forms = [Form(" ".join(words), False)]
        if at >= 0:
            forms.append(Form(" ".join([*words[:at], plural(words[at]), *words[at + 1 :]]), False))
    else:
        forms = [Form(" ".join(trigger.phrase.split()), False)]
    participle: dict[str, bool] = {}
    for form in forms:
        participle[form.text] = participle.get(form.text, False) or form.participle
    return tuple(Form(text, flag) for text, flag in participle.items())


def verb_forms(verb: str) -> tuple[Form, ...]:
    """Forms of one verb. A hyphenated verb is inflected at its end ("up-regulate": "up-regulated").

    verb (str): The base form.
    RETURNS (tuple[Form, ...]): Base, -s, past tense, participle where it differs, -ing.
    """
    prefix, last = _split_compound(verb)
    past = _IRREGULAR_PAST.get(last.lower(), (_past(last),))
    return (
        Form(verb, False),
        Form(prefix + _third_person(last), False),
        *(Form(prefix + word, False) for word in past[:-1]),
        Form(prefix + past[-1], True),
        Form(prefix + _gerund(last), False),
    )


def plural(noun: str) -> str:
    """The plural of a noun; a word that looks like a plural stands as it is.

    noun (str): The noun.
    RETURNS (str): Its plural.
    """
    prefix, last = _split_compound(noun)
    lower = last.lower()
    if lower in _IRREGULAR_PLURALS:
        return prefix + _IRREGULAR_PLURALS[lower]
    if lower.endswith("is"):
        return prefix + last[:-2] + "es"
    if lower.endswith("s") and not lower.endswith(("ss", "us")):
        return noun
    return prefix + _third_person(last)


def is_participle(form: str) -> bool:
    """Whether the first word of a written verb form can be a past participle.

    form (str): A form such as "led to".
    """
    first = _split_compound(form.split()[0])[1].lower()
    return first.endswith("ed") or first in _IRREGULAR_PARTICIPLES


def _split_compound(word: str) -> tuple[str, str]:
    """The part up to and with the last hyphen, and what follows; a word that ends in a hyphen stays whole."""
    head, hyphen, last = word.rpartition("-")
    return (head + hyphen, last) if last else ("", word)


def _third_person(word: str) -> str:
    lower = word.lower()
    if lower.endswith(("s", "x", "z", "ch", "sh", "o")):
        return word + "es"
    if _ends_consonant_y(lower):
        return word[:-1] + "ies"
    return word + "s"


def _past(word: str) -> str:
    lower = word.lower()
    if lower.endswith("e"):
        return word + "d"
    if _ends_consonant_y(lower):
        return word[:-1] + "ied"
    return _doubled(word) + "ed"


def _gerund(word: str) -> str:
    lower = word.lower()
    if lower.endswith("ie"):
        return word[:-2] + "ying"
    if lower.endswith("e") and not lower.endswith(("ee", "oe", "ye")) and len(word) > 2:
        return word[:-1] + "ing"
    return _doubled(word) + "ing"


def _doubled(word: str) -> str:
    """The stem before -ed and -ing: last letter doubled, or "k" after a final "c" ("mimic": "mimicked")."""
    lower = word.lower()
    if lower.endswith("c"):
        return word + "k"
    stressed = lower.endswith(_STRESSED_ENDINGS) and lower not in _NOT_STRESSED
    return word + word[-1] if stressed or _SHORT.fullmatch(lower) else word


def _ends_consonant_y(lower: str) -> bool:
    return lower.endswith("y") and lower[-2:-1] not in ("", *_VOWELS)
