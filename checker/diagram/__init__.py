"""A trace as a space-time diagram.

Rooms: `drawing` (the whole picture), `happenings` (what a step shows where), `layout` (where everything is), `labels`
(names that do not overlap), `ground`, `marks` and `style` (what is drawn how), `legend`, `elements` (SVG).
"""

from .drawing import draw

__all__ = ["draw"]
