"""A gallery: one page with a picture and a paragraph of each run, and a link to the page on which it can be stepped
through. Plain HTML without a script; pictures are images, so that nothing in them can reach the page."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable
from dataclasses import dataclass

from ..diagram import draw
from ..trace.data import Trace
from ..trace.values import printable
from .building import document, hashed, read_asset
from .telling import chosen_readings, meaning_of, story_of

STYLE = "gallery.css"


@dataclass(frozen=True)
class Exhibit:
    """One run: what it is called, what it shows and why that is so, and the file of its page."""

    name: str
    trace: Trace
    shows: str
    why: str
    page: str


def gallery(exhibits: Iterable[Exhibit], title: str) -> str:
    """The gallery as the text of an HTML file."""
    style = read_asset(STYLE)
    policy = f"default-src 'none'; style-src '{hashed(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    cards = map(_card, exhibits)
    return document(
        printable(title), policy, style, [f"<header><h1>{_text(title)}</h1></header>", "<main>", *cards, "</main>"]
    )


def _card(exhibit: Exhibit) -> str:
    trace = exhibit.trace
    picture = base64.b64encode(draw(trace).encode()).decode()
    violation = trace.violation
    said = " ".join(sentence.text for sentence in story_of(trace))
    alt = f"Space-time diagram of {len(trace.steps)} steps. {said}"
    parts = [
        f'<article id="{_text(exhibit.name)}">',
        f"<h2>{_text(exhibit.name)}</h2>",
        f'<p class="model">{_text(trace.title or trace.model)}</p>',
        f'<a href="{html.escape(exhibit.page)}"><img alt="{_text(alt)}" src="data:image/svg+xml;base64,{picture}"></a>',
    ]
    if exhibit.shows:
        parts.append(f'<p class="shows">{_text(exhibit.shows)}</p>')
    for one in chosen_readings(trace):
        parts.append(f'<p class="shows">{_text(one.id)}: {_text(one.question)} {_text(one.answer)}</p>')
    if not exhibit.shows and violation is not None and meaning_of(violation.property, trace.model):
        parts.append(f"<p>{_text(violation.property)}: {_text(meaning_of(violation.property, trace.model))}</p>")
    parts.append(f"<p>{_text(said)}</p>")
    if exhibit.why:
        parts.append(f'<p class="why">{_text(exhibit.why)}</p>')
    parts += [f'<p><a href="{html.escape(exhibit.page)}">step through it</a></p>', "</article>"]
    return "\n".join(parts)


def _text(text: str) -> str:
    return html.escape(printable(text))
