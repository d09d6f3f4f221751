"""The argument in small scope: what is together in a reachable global state is compatible, and met in the closure."""

from __future__ import annotations

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import all_states
from precede.checker.engine.bundles import Array
from precede.checker.engine.decoding import Decoder
from precede.checker.engine.judging import UserJudge
from precede.checker.engine.limits import Limits, Watch
from precede.checker.engine.space import StateSpace
from precede.checker.engine.weights import FULL, LIGHT, SETTLED
from precede.checker.histories.closure import Closure
from precede.checker.loading import load_model


def closed(calls: ModelCalls, bounds: Bounds, weight: int = FULL) -> tuple[Closure, Decoder, list[tuple[int, int]]]:
    """The closure, and the pairs of a local state and a packet that were met, in their order."""
    space = StateSpace(calls, bounds, None, judge_facts=False)
    decoder = Decoder(space)
    met: list[tuple[int, int]] = []
    enter = space.enter_receipts

    def noting(pairs: Array) -> Array:
        met.extend(map(tuple, pairs.tolist()))
        return enter(pairs)

    space.enter_receipts = noting  # type: ignore[method-assign]
    with Watch(Limits(), None) as watch:
        closure = Closure(space, UserJudge(decoder, ()), watch, weight)
        closure.run()
    assert closure.complete
    return closure, decoder, met


@pytest.mark.parametrize("reading", ["", "KS-6c"])
@pytest.mark.parametrize("bounds", [Bounds(3, 2), Bounds(2, 4), Bounds(3, 3, dests="unicast")], ids=str)
def test_the_pairs_that_meet_are_just_those_of_reachable_global_states(bounds: Bounds, reading: str) -> None:
    calls = ModelCalls(load_model("ks", [reading] if reading else []), bounds)
    closure, decoder, met = closed(calls, bounds)
    space = closure.space
    locals_ = {(decoder.local(o), int(space.pasts.owner[space.locals.past[o]])): o for o in range(space.locals.size[0])}
    packets = {decoder.packet(q): q for q in range(1, int(space.packets.size[0]))}
    together = set()
    for states, transit in all_states(calls, bounds):
        for packet, past in transit:
            to = packet.to - 1
            together.add((locals_[states[to], to], packets[packet, past]))
    assert together == set(met)


@pytest.mark.parametrize("weight", [FULL, LIGHT, SETTLED])
@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
def test_each_pair_is_met_once(model: str, weight: int) -> None:
    """With light pasts packets come late: after their messages are known to others."""
    bounds = Bounds(3, 3)
    _, _, met = closed(ModelCalls(load_model(model, []), bounds), bounds, weight)
    assert len(met) == len(set(met))
