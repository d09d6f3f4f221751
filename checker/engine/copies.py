"""Every packet and signal that is in transit in some run, as the model knows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from precede.models import Packet, Signal

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import ModelError
from ..progress import Progress
from .breadth_first import BreadthFirst
from .decoding import Decoder
from .judging import UserJudge
from .limits import BrokenOff, Limits, Watch
from .space import StateSpace


class InTransit(NamedTuple):
    """How many distinct packets, told apart by the past before their sends, look alike to the model; the states and the
    seconds of the search, and what stopped it, None when the whole bound was explored."""

    counts: Counter[Packet | Signal]
    states: int
    stopped: str | None
    seconds: float


def copies_in_transit(
    calls: ModelCalls, bounds: Bounds, limits: Limits, on_progress: Callable[[Progress], None] | None = None
) -> InTransit:
    """Explore every run within the bounds and collect what is in transit. Raises ModelError when the model fails."""
    with Watch(limits, on_progress) as watch:
        try:
            space = StateSpace(calls, bounds, None, judge_facts=False)
            decoder = Decoder(space)
            search = BreadthFirst(space, decoder, UserJudge(decoder, ()), watch, [])
        except BrokenOff:
            raise ModelError(f"{calls.loaded.name}: start does not return") from None
        try:
            search.run()
        except MemoryError:
            watch.reason = "memory is exhausted"
        except BrokenOff as broken:
            watch.reason = f"{watch.reason}; {broken}"
        watch.finished = True
        packets = space.packets
        reached = np.flatnonzero(packets.reached[: packets.size[0]])
        copies, numbers = np.unique(packets.copy[reached], return_counts=True)
        pairs = zip(copies.tolist(), numbers.tolist(), strict=True)
        counts = Counter({space.model.copies[copy]: number for copy, number in pairs})
        stopped = None if search.complete else watch.reason or "interrupted"
        return InTransit(counts, search.states, stopped, watch.seconds)
