"""What light pasts meet beyond what runs reach: their local states against those of full pasts, seen as lightly."""

from __future__ import annotations

from typing import Any

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine.decoding import Decoder
from precede.checker.engine.judging import UserJudge
from precede.checker.engine.limits import Limits, Watch
from precede.checker.engine.space import StateSpace
from precede.checker.engine.weights import FULL, LIGHT
from precede.checker.histories.closure import Closure
from precede.checker.loading import load_model


def seen_lightly(bounds: Bounds, weight: int) -> tuple[int, set[Any]]:
    """How many local states the closure of RST has, and them with what light pasts say: the model state, which messages
    are known, with their destinations, and which are delivered here."""
    space = StateSpace(ModelCalls(load_model("rst", []), bounds), bounds, None, judge_facts=False)
    with Watch(Limits(), None) as watch:
        closure = Closure(space, UserJudge(Decoder(space), ()), watch, weight)
        closure.run()
    assert closure.complete
    chains: list[tuple[int, ...]] = [()]
    for event in range(1, int(space.sends.size[0])):
        before = int(space.pasts.newest[space.sends.past[event], space.sends.sender[event]])
        chains.append((*chains[before], int(space.sends.dests[event])))
    found = set()
    count = int(space.locals.size[0])
    pasts = space.locals.past[:count]
    columns = space.locals.model[:count].tolist(), space.pasts.owner[pasts].tolist()
    known = space.pasts.newest[pasts].tolist(), space.pasts.own[pasts].tolist()
    for model, owner, newest, own in zip(*columns, *known, strict=True):
        found.add((space.model.states[model], owner, tuple(chains[event] for event in newest), tuple(own)))
    return count, found


@pytest.mark.parametrize(
    ("bounds", "light", "full", "excess"),
    [
        (Bounds(3, 4), 3_603, 28_131, 0),
        (Bounds(4, 4, dests="unicast"), 5_324, 19_760, 0),
        pytest.param(Bounds(4, 5, dests="unicast"), 26_660, 210_152, 24, marks=pytest.mark.sweep),
    ],
    ids=str,
)
def test_light_pasts_meet_all_that_full_pasts_meet_and_little_more(
    bounds: Bounds, light: int, full: int, excess: int
) -> None:
    """In 24 of 26,660 local states of four processes a process knows messages of pasts that agree only lightly."""
    (light_count, met), (full_count, reached) = seen_lightly(bounds, LIGHT), seen_lightly(bounds, FULL)
    assert (light_count, full_count) == (light, full)
    assert reached <= met
    assert len(met - reached) == excess
