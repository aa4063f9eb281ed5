"""A Doc as the dicts that displaCy draws with `manual=True`: coloured spans, and arcs of propositions.

displaCy does not escape labels and changes the dicts that it gets: labels are escaped here, and every call
makes new dicts.
"""

from collections.abc import Collection, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from spacy.tokens import Doc, Span

from ..extensions import Proposition, install_extensions
from ..spans import sentences
from .colors import CHUNK, ENTITY, PROPOSITION, REJECTED, TIERS

KINDS = ("entity", "trigger", "proposition", "chunk")

# Longest text between arguments that an arc picture shows in full, in characters.
_LONGEST_GAP = 24


def spans_data(
    doc: Doc, sentence: int | None = None, *, kinds: Collection[str] = KINDS, anchor: str = ""
) -> dict[str, Any]:
    """Everything found, for `displacy.render(data, style="span", manual=True)`.

    The label of a span is its kind (a key of `COLORS`), so that displaCy's colours fit; the relation, or the
    label of an entity, stands behind it as a link to "#ANCHOR" + span id.
    doc (Doc): A Doc after the pipeline.
    sentence (int | None): Index of one sentence, as in `Chunk.sentence`; None: the whole Doc.
    kinds (Collection[str]): What to show, of `KINDS` and "rejected" (propositions that lost).
    anchor (str): Beginning of the links' targets, to tell Docs of one page apart.
    RETURNS (dict): "text", "tokens", "spans" (start_token, end_token, start, end, label, kb_id, kb_url),
        "settings"; "title" is None.
    RAISES (IndexError): If there is no such sentence.
    """
    install_extensions()
    first, last = _bounds(doc, sentence)
    base = doc[first:last].start_char if first < last else 0
    found: list[tuple[Span, str, str]] = []
    if "entity" in kinds:
        found += [(e.span, ENTITY, "" if e.label == ENTITY else e.label) for e in doc._.bio_entities]
    if "trigger" in kinds:
        found += [(t.span, TIERS.get(t.tier, TIERS[3]), t.relation) for t in doc._.bio_triggers]
    for proposition in doc._.bio_propositions:
        if ("proposition" if proposition.kept else "rejected") in kinds:
            label = PROPOSITION if proposition.kept else REJECTED
            found.append((proposition.span, label, relation_text(proposition)))
    if "chunk" in kinds:
        found += [(c.span, CHUNK, f"{c.slot} {c.relation}") for c in doc._.bio_chunks]
    return {
        "text": doc[first:last].text,
        "title": None,
        "tokens": [token.text for token in doc[first:last]],
        "spans": [
            {
                "start_token": span.start - first,
                "end_token": min(span.end, last) - first,
                "start": span.start_char - base,
                "end": span.end_char - base,
                "label": label,
                "kb_id": escape(note),
                "kb_url": "#" + escape(anchor + span.id_),
            }
            for span, label, note in found
            if first <= span.start < last
        ],
        "settings": _settings(doc),
    }


def arcs_data(
    doc: Doc, sentence: int | None = None, *, propositions: Sequence[Proposition] | None = None
) -> dict[str, Any]:
    """Arcs subject → trigger → object, for `displacy.render(data, style="dep", manual=True)`.

    Every argument and trigger is one word of the picture (those that share a token are one together), and so
    is the text between two of them, shortened where it is long: displaCy gives each word the same width.
    doc (Doc): A Doc after the pipeline.
    sentence (int | None): Index of one sentence; None: the whole Doc.
    propositions (Sequence[Proposition] | None): What to draw; None: the kept propositions.
    RETURNS (dict): "words" (text, tag), "arcs" (start < end, label, dir), "settings"; "title" is None. No
        proposition, no words.
    RAISES (IndexError): If there is no such sentence.
    """
    install_extensions()
    first, last = _bounds(doc, sentence)
    if propositions is None:
        propositions = [p for p in doc._.bio_propositions if p.kept]
    drawn = [p for p in propositions if first <= p.span.start < last]
    blocks = _merge([span for p in drawn for span in (p.subject, p.trigger, p.object)])
    words: list[dict[str, str]] = []
    # Word index of each token of an argument or trigger.
    places: dict[int, int] = {}
    end = blocks[0][0] if blocks else 0
    for start, stop in blocks:
        if end < start:
            words.append({"text": _shorten(doc[end:start].text), "tag": ""})
        places.update(dict.fromkeys(range(start, stop), len(words)))
        words.append({"text": doc[start:stop].text, "tag": _roles(drawn, start, stop)})
        end = stop
    arcs: list[dict[str, Any]] = []
    for proposition in drawn:
        label = escape(relation_text(proposition))
        ends = [places[span.start] for span in (proposition.subject, proposition.trigger, proposition.object)]
        for source, target in pairwise(ends):
            arc = {
                "start": min(source, target),
                "end": max(source, target),
                "label": label,
                "dir": "right" if source < target else "left",
            }
            if source != target and arc not in arcs:
                arcs.append(arc)
    return {"words": words, "arcs": arcs, "title": None, "settings": _settings(doc)}


def relation_text(proposition: Proposition) -> str:
    """The relation with its polarity: "INHIBITS", "not INHIBITS", "INHIBITS?", "not INHIBITS?"."""
    return ("not " if proposition.negated else "") + proposition.relation + ("?" if proposition.uncertain else "")


def _bounds(doc: Doc, sentence: int | None) -> tuple[int, int]:
    if sentence is None:
        return 0, len(doc)
    return sentences(doc)[sentence]


def _merge(spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Token ranges of the spans in text order, those that share a token as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _roles(propositions: Sequence[Proposition], start: int, end: int) -> str:
    """What a word of the picture is in the propositions, such as "subject" or "object / subject"."""
    roles = [
        role
        for p in propositions
        for role, span in (("subject", p.subject), ("trigger", p.trigger), ("object", p.object))
        if start <= span.start < end
    ]
    return " / ".join(dict.fromkeys(roles))


def _shorten(text: str) -> str:
    """A text in one line: whole, or its first and last word where it is long, and these cut."""
    words = text.split()
    whole = " ".join(words)
    if len(whole) <= _LONGEST_GAP:
        return whole
    half = _LONGEST_GAP // 2
    return f"{words[0][:half]} … {words[-1][-half:]}"


def _settings(doc: Doc) -> dict[str, str]:
    return {"lang": doc.lang_, "direction": doc.vocab.writing_system.get("direction", "ltr")}
