"""A run as one page to look at: diagram, steps, states, and why every item of control information is there.

Rooms: `executing` (the run taken again, and what only that tells), `watching` and `statements` (the labelled statements
that run), `histories` (what the past requires, and why), `others` (what else could have happened), `telling` (the
violation in sentences), `document` (all of it as JSON), `building` (one file out of it), `app` (the page itself, plain
ES modules), `notebook`, `gallery` and `committed` (many runs on one page, and those that come with precede).
"""

from .building import page
from .document import document_of

__all__ = ["document_of", "page"]
