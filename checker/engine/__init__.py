"""The compiled state-space engine (design.md, section 7).

Model states, packets, pasts and local states are interned to small integers; the readable Python model is called once
per distinct (model state, event); a global state is a short row of integers; compiled kernels expand and deduplicate
whole frontiers. Rooms: `bundles` (the arrays), `interning` (pasts, events, local states, packets), `completing` (local
steps and their judgement), `expanding` (global steps), `space` (asks the model for what the kernels miss), `search`.
"""

from .decoding import GlobalState
from .explore import all_states, explore
from .limits import Limits, Progress

__all__ = ["GlobalState", "Limits", "Progress", "all_states", "explore"]
