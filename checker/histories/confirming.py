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
from .protocol import ProtocolClosure
from .tables import Script

AnyClosure = Closure | ProtocolClosure

TRIES = 24
"""Scripts searched for one property bit."""


@dataclass(frozen=True)
class Confirmation:
    """What was found of the candidates of one property bit: a run, or None; and how many scripts were searched."""

    witness: Witness | None
    searched: int


def confirm(closure: AnyClosure, bit: int, item: str | UserProperty, watch: Watch) -> Confirmation:
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
        script = closure.script_of(index, place)
        if script in searched:
            continue
        if len(searched) == TRIES or watch.interrupted():
            break
        searched.add(script)
        found = _search(closure.space.calls, script, bit, item, watch)
        if found is not None and (best is None or len(found.schedule) < len(best.schedule)):
            best, cost = found, int(noted.cost[index, place])
    return Confirmation(best, len(searched))


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
