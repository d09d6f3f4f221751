"""Confirmation: a violating step of the closure as a concrete run, or the knowledge that there is none.

Of a candidate only its sends are taken: each process's messages, in their order, as far as the past knows them. All
runs that make exactly these are searched by the state engine, shortest first.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..calls import ModelCalls
from ..engine.breadth_first import BreadthFirst
from ..engine.decoding import Decoder
from ..engine.explore import witness_of
from ..engine.judging import UserJudge
from ..engine.limits import Watch
from ..engine.space import StateSpace
from ..properties import UserProperty
from ..result import Witness
from ..scenario import Scenario, ScriptedMessage, scripted_bounds
from .closure import Closure

Script = tuple[tuple[frozenset[int], ...], ...]
"""For each process the destinations of its messages, in the order of their sends."""

TRIES = 24
"""Scripts searched for one property bit."""


@dataclass(frozen=True)
class Confirmation:
    """What was found of the candidates of one property bit: a run, or None; and how many scripts were searched."""

    witness: Witness | None
    searched: int


def confirm(closure: Closure, bit: int, item: str | UserProperty, watch: Watch) -> Confirmation:
    """Search the scripts of the candidates of a bit, the cheapest first; of those of equal cost the shortest run is
    taken."""
    index = bit.bit_length() - 1
    noted = closure.noted
    searched: set[Script] = set()
    best: Witness | None = None
    cost = -1
    for place in range(int(noted.kept[index])):
        if best is not None and int(noted.cost[index, place]) > cost:
            break
        script = _script_of(closure, index, place)
        if script in searched:
            continue
        if len(searched) == TRIES or watch.interrupted():
            break
        searched.add(script)
        found = _search(closure.space.calls, script, bit, item, watch)
        if found is not None and (best is None or len(found.schedule) < len(best.schedule)):
            best, cost = found, int(noted.cost[index, place])
    return Confirmation(best, len(searched))


def _script_of(closure: Closure, index: int, place: int) -> Script:
    """The sends that a candidate knows, those of the packet it receives included."""
    space, noted = closure.space, closure.noted
    packet, after = int(noted.packet[index, place]), int(noted.after[index, place])
    local = after if packet < 0 else int(noted.local[index, place])
    past = int(space.locals.past[local])
    chains = []
    for process in range(space.processes):
        newest = int(space.pasts.newest[past, process])
        if packet > 0:
            event = int(space.packets.event[packet])
            own = int(space.sends.sender[event]) == process
            theirs = event if own else int(space.pasts.newest[space.sends.past[event], process])
            if space.sends.number[theirs] > space.sends.number[newest]:
                newest = theirs
        chains.append(_chain(space, newest, process))
    return tuple(chains)


def _chain(space: StateSpace, event: int, process: int) -> tuple[frozenset[int], ...]:
    dests = []
    while event:
        dests.append(space.sets[int(space.sends.dests[event])])
        event = int(space.pasts.newest[space.sends.past[event], process])
    return tuple(reversed(dests))


def _search(calls: ModelCalls, script: Script, bit: int, item: str | UserProperty, watch: Watch) -> Witness | None:
    """The shortest run of these sends that shows the violation; without any, the initial states."""
    scenario = _scenario_of(script) if any(script) else None
    bounds = calls.bounds if scenario is None else scripted_bounds(scenario, calls.bounds)
    name = item if isinstance(item, str) else item.name
    space = StateSpace(calls, bounds, scenario, judge_facts=name == "Minimality")
    decoder = Decoder(space)
    run = BreadthFirst(space, decoder, UserJudge(decoder, (item,)), watch, [bit])
    run.judge_initial_state()
    if scenario is not None:
        run.run()
    return witness_of(run, bit, name) if bit in run.hits else None


def _scenario_of(script: Script) -> Scenario:
    messages = tuple(
        ScriptedMessage(f"m{process}_{number}", process, number, dests)
        for process, own in enumerate(script, 1)
        for number, dests in enumerate(own, 1)
    )
    return Scenario("confirmation", "", len(script), messages)
