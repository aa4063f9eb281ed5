"""One HTML page of what was found in some Docs. It needs no other file and no network."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from spacy.displacy import DependencyRenderer, SpanRenderer
from spacy.tokens import Doc

from ..extensions import Chunk, Proposition, install_extensions
from ..spans import sentences
from .colors import COLORS, MEANINGS, REJECTED
from .displacy import arcs_data, relation_text, spans_data
from .svg import arc_options, span_options


def render_page(docs: Iterable[Doc], *, title: str) -> str:
    """A legend, and for each sentence its spans, its propositions as arcs and a table, and its chunks.

    docs (Iterable[Doc]): Docs after the pipeline.
    title (str): Title and heading.
    RETURNS (str): A complete HTML document; the same Docs give the same bytes.
    """
    install_extensions()
    articles = [_article(doc, number) for number, doc in enumerate(docs, 1)]
    body = "\n".join(articles) or "<p>No text.</p>"
    style = (files("biochunk") / "data" / "page.css").read_text("utf8")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
{_legend()}
</header>
<main>
{body}
</main>
</body>
</html>
"""


def _legend() -> str:
    items = "\n".join(
        f'<li><span class="swatch" style="background: {COLORS[label]}">{label}</span> {meaning}</li>'
        for label, meaning in MEANINGS.items()
        if label != REJECTED
    )
    return f'<ul class="legend" aria-label="Legend">\n{items}\n</ul>'


def _article(doc: Doc, number: int) -> str:
    units = range(len(sentences(doc)))
    parts = "\n".join(_section(doc, i, f"d{number}") for i in units) or "<p>An empty text.</p>"
    return f'<article id="d{number}">\n<h2>Text {number}</h2>\n{parts}\n</article>'


def _section(doc: Doc, sentence: int, prefix: str) -> str:
    first, last = sentences(doc)[sentence]
    anchor = f"{prefix}-"
    propositions = [p for p in doc._.bio_propositions if first <= p.span.start < last]
    chunks = [c for c in doc._.bio_chunks if c.sentence == sentence]
    parts = [
        f"<h3>Sentence {sentence + 1}</h3>",
        f'<p class="sentence">{escape(doc[first:last].text)}</p>',
        _spans(doc, sentence, anchor),
        '<div class="arcs-row">',
        *(_arcs(doc, p, anchor) for p in propositions if p.kept),
        "</div>",
        _proposition_table(propositions, anchor),
        _chunk_table(chunks, anchor),
    ]
    return f'<section id="{prefix}-s{sentence + 1}">\n' + "\n".join(parts) + "\n</section>"


def _spans(doc: Doc, sentence: int, anchor: str) -> str:
    data = spans_data(doc, sentence, anchor=anchor)
    renderer = SpanRenderer({"colors": COLORS, **span_options(data)})
    renderer.direction = data["settings"]["direction"]
    drawn = renderer.render_spans(data["tokens"], data["spans"], None)
    return f'<figure class="spans-figure">{drawn}</figure>'


def _arcs(doc: Doc, proposition: Proposition, anchor: str) -> str:
    data = arcs_data(doc, propositions=[proposition])
    key = anchor + proposition.span.id_
    renderer = DependencyRenderer(arc_options(data))
    drawn = renderer.render_svg(f"arcs-{key}", data["words"], data["arcs"])
    # Compact arcs take a third of the height that displaCy leaves for them.
    spare = renderer.highest_level * renderer.distance // 3 - 8
    label = escape(_in_words(proposition))
    return (
        '<figure class="arcs"><div class="scroll" tabindex="0">'
        f'<div role="img" aria-label="{label}" style="margin-top: {-spare}px">{drawn}</div></div>'
        f"<figcaption>{label}</figcaption></figure>"
    )


def _in_words(p: Proposition) -> str:
    return f"{p.subject.text} → {relation_text(p)} → {p.object.text}"


def _proposition_table(propositions: Sequence[Proposition], anchor: str) -> str:
    rows = [
        (
            anchor + p.span.id_,
            "" if p.kept else "lost",
            [
                p.span.id_,
                p.subject.text,
                p.relation,
                p.object.text,
                f"{p.trigger.text} (tier {p.tier})",
                p.pattern + (", passive" if p.passive else ""),
                "" if p.priority is None else f"{p.priority:g}",
                _polarity(p),
                "kept" if p.kept else f"lost: {p.reason}",
            ],
        )
        for p in propositions
    ]
    head = ["id", "subject", "relation", "object", "trigger", "pattern", "priority", "polarity", "status"]
    return _table("Propositions", head, rows)


def _polarity(p: Proposition) -> str:
    words = ["negated"] * p.negated + ["uncertain"] * p.uncertain
    return ", ".join(words) or "affirmed"


def _chunk_table(chunks: Sequence[Chunk], anchor: str) -> str:
    head = ["slot", "text", "source", "similarity", "relation", "characters"]
    why = any(c.reason for c in chunks)
    rows = []
    for c in chunks:
        cells = [
            str(c.slot),
            c.text,
            c.source if c.proposition is None else f"{c.source} {c.proposition}",
            f"{c.similarity:.3f}",
            c.relation,
            f"{c.start_char}–{c.end_char}",
        ]
        rows.append((anchor + c.span.id_, "", [*cells, c.reason] if why else cells))
    return _table("Chunks", [*head, "reason"] if why else head, rows)


def _table(caption: str, head: Sequence[str], rows: Sequence[tuple[str, str, Sequence[str]]]) -> str:
    """A table; a row is its element id, its class, and the text of its cells. No text is trusted."""
    if not rows:
        return f'<p class="none">{caption}: none found.</p>'
    titles = "".join(f'<th scope="col">{name}</th>' for name in head)
    lines = "\n".join(
        f'<tr id="{escape(key)}" class="{kind}">' + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        for key, kind, cells in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">\n'
        f"<table>\n<caption>{caption}</caption>\n"
        f"<thead><tr>{titles}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table></div>"
    )
