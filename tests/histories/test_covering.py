"""The argument in small scope: what is together in a reachable global state is compatible, and met in the closure."""

from __future__ import annotations

import numpy as np
import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import all_states
from precede.checker.engine.bundles import pair_key, place_of
from precede.checker.engine.decoding import Decoder
from precede.checker.engine.judging import UserJudge
from precede.checker.engine.limits import Limits, Watch
from precede.checker.engine.space import StateSpace
from precede.checker.engine.weights import FULL
from precede.checker.histories.closure import Closure
from precede.checker.loading import load_model


def closed(calls: ModelCalls, bounds: Bounds) -> tuple[Closure, Decoder]:
    space = StateSpace(calls, bounds, None, judge_facts=False)
    decoder = Decoder(space)
    with Watch(Limits(), None) as watch:
        closure = Closure(space, UserJudge(decoder, ()), watch, FULL)
        closure.run()
    assert closure.complete
    return closure, decoder


@pytest.mark.parametrize("reading", ["", "KS-6c"])
@pytest.mark.parametrize("bounds", [Bounds(3, 2), Bounds(2, 4), Bounds(3, 3, dests="unicast")], ids=str)
def test_the_pairs_that_meet_are_just_those_of_reachable_global_states(bounds: Bounds, reading: str) -> None:
    calls = ModelCalls(load_model("ks", [reading] if reading else []), bounds)
    closure, decoder = closed(calls, bounds)
    space = closure.space
    locals_ = {(decoder.local(o), int(space.pasts.owner[space.locals.past[o]])): o for o in range(space.locals.size[0])}
    packets = {decoder.packet(q): q for q in range(1, int(space.packets.size[0]))}
    together = set()
    for states, transit in all_states(calls, bounds):
        for packet, past in transit:
            to = packet.to - 1
            together.add((locals_[states[to], to], packets[packet, past]))
    keys = space.known_steps.keys[space.known_steps.keys != 0]
    met = {(int(key >> np.uint64(32)) - 1, int(key & np.uint64(0xFFFFFFFF))) for key in keys}
    assert together == met
    assert all(space.known_steps.keys[place_of(space.known_steps.keys, pair_key(*pair))] for pair in together)
