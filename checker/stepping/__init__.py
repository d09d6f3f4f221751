"""A model stepped through by hand in the browser, without a search.

Rooms: `following` (a path of choices as a run), `answering` (what is said to a request), `server` (that of the page).
"""

from .answering import Stepping
from .server import serve

__all__ = ["Stepping", "serve"]
