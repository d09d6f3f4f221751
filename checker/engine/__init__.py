"""The compiled state-space engine (design.md, section 7).

Model states, packets, pasts and local states are interned to small integers; the readable Python model is called once
per distinct (model state, event); a global state is a short row of integers; compiled kernels expand and deduplicate
whole frontiers. Compiled: `bundles` (the arrays), `pasts` and `interning`, `completing` (local steps) and
`local_verdicts`, `enabling`, `moving` and `expanding` (global steps), `entering` (exact deduplication), `cycles` (fair
cycles). In Python: `storage` and `space` (asks the model for what kernels miss), `search` and a module for each,
`judging`, `explaining`, `decoding`, `explore`.
"""

from ..progress import Progress
from .copies import InTransit, copies_in_transit
from .decoding import GlobalState, WholeState
from .explore import all_states, explore, labelled_transitions, whole_states
from .limits import Limits

__all__ = [
    "GlobalState",
    "InTransit",
    "Limits",
    "Progress",
    "WholeState",
    "all_states",
    "copies_in_transit",
    "explore",
    "labelled_transitions",
    "whole_states",
]
