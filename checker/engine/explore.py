"""One exploration from bounds to result: the engine's public functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import ModelError, UsageError
from ..progress import Progress
from ..properties import UserProperty
from ..result import PropertyResult, Result, Witness
from ..scenario import Scenario
from .breadth_first import BreadthFirst
from .compacted import CYCLES, Compacted
from .compiled import compilation_notes
from .decoding import Decoder, GlobalState, WholeState
from .depth_first import DepthFirst
from .explaining import explain, show, undelivered
from .judging import MINIMALITY_PARTS, UserJudge, bits_of
from .limits import BrokenOff, Limits, Watch
from .memory import peak_memory
from .orbits import Orbits
from .random_walks import RandomWalks
from .search import Search
from .space import StateSpace

SEARCHES: dict[str, type[Search]] = {"bfs": BreadthFirst, "dfs": DepthFirst, "random": RandomWalks}
KEEPS: dict[str, type[Search] | None] = {"rows": None, "fingerprints": Compacted, "orbits": Orbits}
OMISSION = "states were told apart by 64-bit fingerprints: one was left out with a probability of at most {:.1e}"
MINIMALITY_NEEDS_FACTS = "the model states no facts, so its information cannot be compared with what is required"


def explore(
    calls: ModelCalls,
    bounds: Bounds,
    properties: tuple[str | UserProperty, ...],
    *,
    search: str = "bfs",
    keep: str = "rows",
    limits: Limits | None = None,
    scenario: Scenario | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    seed: int = 0,
    walks: int = 10_000,
) -> Result:
    """Explore every run of the model within the bounds (or of the scenario) and judge the properties.

    `search` is bfs (levels, shortest counterexamples), dfs or random (`walks` walks selected by `seed`). `keep` says
    what a breadth-first search remembers: rows, fingerprints, or those of orbits (one state of all that differ in the
    numbers of processes only; `symmetric` says of which questions). Raises UsageError where that does not apply,
    ModelError or PropertyError when the model or a property of the user fails; limits, Ctrl-C and lack of memory end in
    a result that is incomplete and holds all that was found.
    """
    if search not in SEARCHES:
        raise UsageError(f"--search {search}: choose one of {', '.join(SEARCHES)}")
    if keep != "rows" and search != "bfs":
        raise UsageError(f"--search {search}: only bfs can keep {keep} instead of states")
    has_facts = calls.has_facts()
    judged = tuple(p for p in properties if p != "Minimality" or has_facts)
    bits = bits_of(judged)
    notes = compilation_notes()
    with Watch(limits or Limits(), on_progress) as watch:
        try:
            space = StateSpace(calls, bounds, scenario, judge_facts="Minimality" in judged)
            decoder = Decoder(space)
            kind = KEEPS[keep] or SEARCHES[search]
            run = kind(space, decoder, UserJudge(decoder, judged), watch, list(bits.values()))
        except BrokenOff:
            raise ModelError(f"{calls.loaded.name}: start does not return") from None
        if isinstance(run, RandomWalks):
            run.seed, run.walks = seed, walks
        try:
            run.judge_initial_state()
            run.run()
        except MemoryError:
            watch.reason = "memory is exhausted"
        except BrokenOff as broken:
            watch.reason = f"{watch.reason}; {broken}"
        lasso = None
        unsought = False
        if run.complete and "Delivery" in bits and bits["Delivery"] not in run.hits:
            unsought = isinstance(run, Compacted) and run.returns
            try:
                lasso = run.lasso()
            except (BrokenOff, MemoryError):
                run.complete = False
                watch.reason = f"{watch.reason or 'memory is exhausted'}, in the search for fair cycles"
        watch.finished = True
        stopped = None if run.complete else watch.reason or "every requested property is decided"
        results = [
            judged_result(run, name, bits[name])
            if name in bits
            else PropertyResult(name, "not applicable", note=MINIMALITY_NEEDS_FACTS)
            for name in (p if isinstance(p, str) else p.name for p in properties)
        ]
        if lasso is not None:
            results = [never_delivered(run, *lasso) if p.name == "Delivery" else p for p in results]
        if unsought:
            stopped = CYCLES
            results = [PropertyResult(p.name, "incomplete") if p.name == "Delivery" else p for p in results]
        counted = search != "random"
        return Result(
            engine="states",
            search=search,
            model=calls.loaded.name,
            readings=calls.loaded.readings,
            bounds=bounds,
            complete=run.complete and not unsought,
            stopped=stopped,
            properties=tuple(results),
            distinct_states=run.states if counted else None,
            transitions=run.transitions,
            depth=run.depth,
            local_states=int(np.sum(run.weights("locals"), dtype=np.int64)),
            packets=int(np.sum(run.weights("packets"), dtype=np.int64)),
            seconds=watch.seconds,
            peak_memory_bytes=peak_memory(),
            labels=calls.labels(),
            scenario=scenario.name if scenario else None,
            orbits=run.orbits,
            omission_probability=run.omission,
            shortest=search == "bfs",
            notes=notes if run.omission is None else (*notes, OMISSION.format(run.omission)),
        )


def whole_states(calls: ModelCalls, bounds: Bounds) -> Iterator[WholeState]:
    """As `all_states`, for any model and any faults."""
    space = StateSpace(calls, bounds, None, judge_facts=False)
    decoder = Decoder(space)
    with Watch(Limits(), None) as watch:
        search = BreadthFirst(space, decoder, UserJudge(decoder, ()), watch, [])
        for level in search.levels():
            for rows in level:
                yield from map(decoder.whole_state, rows)


def labelled_transitions(calls: ModelCalls, bounds: Bounds) -> Iterator[tuple[WholeState, str, WholeState]]:
    """Every transition once: the state before, what happens (`Decoder.kind`), the state after."""
    space = StateSpace(calls, bounds, None, judge_facts=False)
    decoder = Decoder(space)
    with Watch(Limits(), None) as watch:
        search = BreadthFirst(space, decoder, UserJudge(decoder, ()), watch, [])
        for level in search.levels():
            for row in (row for rows in level for row in rows):
                before = decoder.whole_state(row)
                for action, after in search.successors(row):
                    yield before, decoder.kind(row, action), decoder.whole_state(after)


def all_states(calls: ModelCalls, bounds: Bounds, scenario: Scenario | None = None) -> Iterator[GlobalState]:
    """Every reachable global state once, as values, in breadth-first order."""
    space = StateSpace(calls, bounds, scenario, judge_facts=False)
    decoder = Decoder(space)
    with Watch(Limits(), None) as watch:
        search = BreadthFirst(space, decoder, UserJudge(decoder, ()), watch, [])
        for level in search.levels():
            for rows in level:
                yield from map(decoder.state, rows)


def judged_result(run: Search, name: str, bits: int) -> PropertyResult:
    """The verdict on one property, with its shortest witness and, for Minimality, its parts."""
    hits = sorted((hit.steps, bit) for bit, hit in run.hits.items() if bit & bits)
    counts = _minimality_counts(run) if name == "Minimality" else {}
    if not hits:
        return PropertyResult(name, "holds" if run.complete else "incomplete", counts=counts)
    witnesses = {bit: witness_of(run, bit, name) for _, bit in hits}
    notes = [f"{part}: {witnesses[bit].explanation} ({run.hits[bit].steps} steps)"
             for part, bit in MINIMALITY_PARTS.items() if bit in witnesses]  # fmt: skip
    return PropertyResult(name, "violated", witnesses[hits[0][1]], counts, "; ".join(notes))


def never_delivered(run: Search, prefix: list[int], cycle: list[int]) -> PropertyResult:
    """Delivery violated by a run that goes round a fair cycle for ever."""
    schedule, _, after = run.run_of(prefix + cycle)
    waiting = sorted(undelivered(run.decoder.whole_state(after)))
    listed = ", ".join(f"{show(message)} to {to}" for to, message in waiting)
    text = f"the last {len(cycle)} steps can go on for ever, fairly, and these are never delivered: {listed}"
    witness = Witness(schedule, text, waiting[0][0], waiting[0][1], loop=len(prefix))
    return PropertyResult("Delivery", "violated", witness)


def witness_of(run: Search, bit: int, name: str) -> Witness:
    """The run that shows the first violation of a bit, explained."""
    schedule, before, after = run.schedule_to(run.hits[bit])
    return explain(run.decoder, bit, name, schedule, before, after)


def _minimality_counts(run: Search) -> dict[str, int | None]:
    """How many of the reached local states and packets miss a required fact or hold a redundant one."""
    counts: dict[str, int | None] = {}
    for part, bit in MINIMALITY_PARTS.items():
        bundle = "locals" if part.endswith("states") else "packets"
        weights = run.weights(bundle)
        wrong = weights[(getattr(run.space, bundle).flags[: len(weights)] & bit) != 0]
        counts[part] = int(np.sum(wrong, dtype=np.int64)) if run.complete else None
    return counts
