"""A trace as a space-time diagram.

Rooms: `drawing` (the whole picture), `layout` (where everything is), `labels` (names that do not overlap), `marks` and
`style` (what is drawn how), `legend`, `elements` (SVG).
"""

from .drawing import draw

__all__ = ["draw"]
