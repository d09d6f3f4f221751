"""The registry of verdicts: every claim and every reading of the papers, decided live from its evidence.

`rows` and `loading` (the data, registry/*.toml); `asking` (a run as a task), `exploring`, `comparing` and `solving`
(tasks carried out), `outcomes` (what they say); `deriving` (the rule from outcomes to a verdict), `deciding` (all rows,
sharing what several ask); `reporting`, `showing` (the runs that refute, witnesses/), `findings` (the page).
"""

from .deciding import Decided, Session
from .deriving import VERDICTS
from .loading import load_registry, select_rows
from .rows import Evidence, Row

__all__ = ["VERDICTS", "Decided", "Evidence", "Row", "Session", "load_registry", "select_rows"]
