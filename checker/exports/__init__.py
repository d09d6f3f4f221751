"""A trace in the formats of other tools, and their traces as ours.

Rooms: `itf` and `from_itf` (Informal Trace Format: Apalache, Quint, ITF viewers), `shiviz`, `mermaid`, `dot`, `python`
(a program that takes the run again), `tla` (a module that TLC follows), `from_tlc` (what TLC printed), `specified`
(states of our specifications as a run of the model).
"""

from .writing import FORMATS, export

__all__ = ["FORMATS", "export"]
