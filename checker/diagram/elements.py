"""The few SVG elements that a diagram needs.

Every text and attribute is escaped here, and nowhere else; what comes from outside is only ever a text.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from ..trace.values import printable

FONT = "Inter, Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"


def element(tag: str, *children: str, **attributes: str | float) -> str:
    """An element; `children` are finished elements, an underscore in an attribute's name stands for a hyphen."""
    given = "".join(f" {key.rstrip('_').replace('_', '-')}={_quoted(value)}" for key, value in attributes.items())
    if not children:
        return f"<{tag}{given}/>"
    return f"<{tag}{given}>{''.join(children)}</{tag}>"


def group(title: str, *children: str, **attributes: str | float) -> str:
    """Elements with a tooltip, which is also what a screen reader says."""
    return element("g", element("title", characters(title)), *children, **attributes)


def text(x: float, y: float, content: str, **attributes: str | float) -> str:
    """A line of text with its baseline at `y`."""
    return element("text", characters(content), x=x, y=y, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes: str | float) -> str:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def characters(content: str) -> str:
    """Text content; line breaks stay, other control characters do not."""
    return "\n".join(escape(printable(part)) for part in content.split("\n"))


def text_width(content: str, size: float) -> float:
    """About how wide a short text of digits is: a little more than it will be in any of the fonts."""
    return 0.62 * size * len(content)


def average_width(size: float) -> float:
    """About how wide a character of running text is."""
    return 0.53 * size


def _quoted(value: str | float) -> str:
    return quoteattr(value) if isinstance(value, str) else f'"{round(value, 1):g}"'
