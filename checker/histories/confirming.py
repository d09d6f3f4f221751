"""Confirmation: a violating step of the closure as a concrete run, or the knowledge that there is none.

Of a candidate only its sends are taken: each process's messages, in their order, as far as the past knows them. All
runs that make exactly these are searched by the state engine, shortest first. Where candidates do not tell how long
their runs are, shorter runs with other sends are looked for afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..calls import ModelCalls
from ..engine.breadth_first import BreadthFirst
from ..engine.decoding import Decoder
from ..engine.explore import witness_of
from ..engine.judging import UserJudge, bits_of
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

SHORTER = 50_000
"""Global states among which shorter runs are looked for."""

Item = str | UserProperty


@dataclass(frozen=True)
class Confirmation:
    """What was found of the candidates of one property bit: a run, or None; and how many scripts were searched."""

    witness: Witness | None
    searched: int


def confirm(closure: AnyClosure, bit: int, item: Item, watch: Watch) -> Confirmation:
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


def shorten(calls: ModelCalls, items: dict[int, Item], found: dict[int, Witness], watch: Watch) -> bool:
    """Put shorter runs within the bound in place of those found, by property bit; `items` says which property has the
    bit. False where too many states lie before the end of the longest for knowing that there is none."""
    judged = tuple(dict.fromkeys(items[bit] for bit in found))
    space = StateSpace(calls, calls.bounds, None, judge_facts="Minimality" in judged)
    decoder = Decoder(space)
    here = {bit: _bit_of(bit, items[bit], judged) for bit in found}
    run = BreadthFirst(space, decoder, UserJudge(decoder, judged), watch, list(here.values()))
    run.judge_initial_state()
    longest = max(len(witness.schedule) for witness in found.values())
    levels = run.levels()
    while not run.decided and run.depth + 1 < longest and next(levels, None) is not None:
        if run.states > SHORTER or watch.interrupted():
            break
    for bit, own in here.items():
        if own in run.hits:
            item = items[bit]
            shorter = witness_of(run, own, item if isinstance(item, str) else item.name)
            if len(shorter.schedule) < len(found[bit].schedule):
                found[bit] = shorter
    levels.close()
    return run.decided or run.complete or run.depth + 1 >= longest


def _search(calls: ModelCalls, script: Script, bit: int, item: Item, watch: Watch) -> Witness | None:
    """The shortest run of these sends that shows the violation; without any, the initial states."""
    scenario = _scenario_of(script) if any(script) else None
    bounds = calls.bounds if scenario is None else scripted_bounds(scenario, calls.bounds)
    name = item if isinstance(item, str) else item.name
    bit = _bit_of(bit, item, (item,))
    space = StateSpace(calls, bounds, scenario, judge_facts=name == "Minimality")
    decoder = Decoder(space)
    run = BreadthFirst(space, decoder, UserJudge(decoder, (item,)), watch, [bit])
    run.judge_initial_state()
    if scenario is not None:
        run.run()
    return witness_of(run, bit, name) if bit in run.hits else None


def search_all(calls: ModelCalls, script: Script, watch: Watch) -> None:
    """Make all calls of all runs of these sends."""
    if not any(script):
        return
    scenario = _scenario_of(script)
    space = StateSpace(calls, scripted_bounds(scenario, calls.bounds), scenario, judge_facts=False)
    decoder = Decoder(space)
    BreadthFirst(space, decoder, UserJudge(decoder, ()), watch, []).run()


def _bit_of(bit: int, item: Item, judged: tuple[Item, ...]) -> int:
    """The bit of a property where only these are judged: a user's properties are numbered among themselves."""
    return bit if isinstance(item, str) else bits_of(judged)[item.name]


def _scenario_of(script: Script) -> Scenario:
    messages = tuple(
        ScriptedMessage(f"m{process}_{number}", process, number, dests)
        for process, own in enumerate(script, 1)
        for number, dests in enumerate(own, 1)
    )
    return Scenario("confirmation", "", len(script), messages)
