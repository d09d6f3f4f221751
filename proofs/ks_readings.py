"""KS as printed and in other readings, lookahead (Section 4.5), and the literal form of Section 4.2: refuted by runs.

Each run is that of the Python model; Z3 finds that it is possible and that what is claimed fails after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import z3
from z3 import And, ForAll, Implies, Not, Or

from . import ks
from .claims import Claim, Refutation
from .concrete_runs import Run, Step, World, started, world_of
from .conditions import Condition
from .ks_paths import claim, stored
from .pasts import before, causal_order, d, dest, m, n, p
from .steps import ALL_STEPS, Action, Steps

PRINTED = Steps(frozenset({"RCV(4) first test"}))
"""RCV(4) with the printed guard, which asks of an entry of LOG that it be not in LOG: the first test marks nothing."""


def run_of(world: World, steps: Sequence[Step[ks.KS]]) -> Run[ks.KS]:
    """The run of these steps."""
    return started(world, ks.some_state(), ks.initial).through(steps)


def snd(world: World, j: int, M: str) -> Step[ks.KS]:
    """SND at j."""
    return lambda s: ks.snd(s, world.process(j), world.message(M))


def rcv(world: World, j: int, M: str, steps: Steps = ALL_STEPS) -> Step[ks.KS]:
    """RCV at j."""
    return lambda s: ks.rcv(s, world.process(j), world.message(M), steps)


def nothing_redundant(s: ks.KS) -> z3.BoolRef:
    """LOG has only what is required."""
    return ForAll([p, m, d], Implies(stored(s, p, m, d), s.pasts.required(p, m, d)))


def nothing_missing(s: ks.KS) -> z3.BoolRef:
    """LOG has all that is required."""
    return ForAll([p, m, d], Implies(s.pasts.required(p, m, d), stored(s, p, m, d)))


def printed_guard() -> Sequence[Condition]:
    """3 knows of a, and not of b, which covers it at 2; 1, which has sent both, learns of a once more."""
    w = world_of(a=(1, {2, 3}), b=(1, {2, 3}), c=(3, {1}))
    run = run_of(w, [snd(w, 1, "a"), snd(w, 1, "b"), rcv(w, 3, "a"), snd(w, 3, "c"), rcv(w, 1, "c", PRINTED)])
    return [run.condition("KS-2a: LOG has nothing redundant", nothing_redundant(run.state))]


def never_true(steps: Steps) -> Iterable[Condition]:
    """The printed guard, of the entry of LOG that the loop is at."""
    s = ks.some_state()
    yield Condition(
        "KS-2a: the printed guard never holds", (s.entry(p, n),), Not(And(before(m, n), Not(s.entry(p, n))))
    )


def shared_copy(s: ks.KS, w: World, j: int, M: str, lowest: int) -> Action:
    """SND with one O_M for all destinations in ascending order: those after the lowest do not find themselves in it."""
    action = ks.snd(s, w.process(j), w.message(M))
    after, this = action.after, w.message(M)
    first = w.process(lowest)

    def OD(x: z3.ExprRef, e: z3.ExprRef, m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
        return And(after.OD(x, e, m, d), Or(x != this, e == first, Not(dest(this, d))))

    return replace(action, after=replace(after, OD=OD))


def one_copy_for_all() -> Sequence[Condition]:
    """1 sends a to 3, then b to 2 and 3: the copy of b to 3 is made of that to 2, which does not name a."""
    w = world_of(a=(1, {3}), b=(1, {2, 3}))
    run = run_of(w, [snd(w, 1, "a"), lambda s: shared_copy(s, w, 1, "b", 2), rcv(w, 3, "b")])
    return [run.condition("KS-6c: causal order", causal_order(run.state.pasts))]


def own_entry() -> Sequence[Condition]:
    """With the entry of a in the O_M of a, its destination waits for a itself."""
    w = world_of(a=(1, {3}))

    def send(s: ks.KS) -> Action:
        action, a = ks.snd(s, w.process(1), w.message("a")), w.message("a")
        O = lambda x, e, m: Or(action.after.O(x, e, m), And(x == a, m == a))  # noqa: E731
        OD = lambda x, e, m, d: z3.If(And(x == a, m == a), dest(a, d), action.after.OD(x, e, m, d))  # noqa: E731
        return replace(action, after=replace(action.after, O=O, OD=OD))

    run = run_of(w, [send])
    return [
        run.condition("KS-32b: a copy without predecessors is ready", ks.ready(run.state, w.process(3), w.message("a")))
    ]


def literal() -> Sequence[Condition]:
    """1 sends two messages to 3: the entry of the first is empty and goes."""
    w = world_of(a=(1, {3}), b=(1, {3}))
    run = run_of(w, [snd(w, 1, "a"), snd(w, 1, "b")])
    older = ForAll([p, m, n], Implies(And(run.state.entry(p, n), before(m, n)), run.state.entry(p, m)))
    return [run.condition("IMPL: an entry has all older ones of its sender with it", older)]


AHEAD = {
    "a": frozenset({"RCV(3) insert", "RCV(3) delete"}),
    "b": frozenset({"RCV(3) insert", "RCV(3) delete", "RCV(4) union"}),
    "c": frozenset[str](),
    "d": frozenset({"RCV(3) delete"}),
}
"""What the lookahead leaves out of RCV(3) to RCV(5), by the letters of KS-3."""


def arrival(w: World, j: int, M: str, letter: str) -> Step[ks.KS]:
    """M arrives at j and must wait: RCV(4) and RCV(5) run ahead, and nothing is delivered."""

    def step(s: ks.KS) -> Action:
        process, message = w.process(j), w.message(M)
        action = ks.rcv(s, process, message, Steps(AHEAD[letter]))
        waits = And(ks.in_transit(s, process, message), Not(ks.ready(s, process, message)))
        return Action("arrival", waits, replace(action.after, pasts=s.pasts))

    return step


def lookahead() -> Sequence[Condition]:
    """Every form of it loses facts that are required; with the received O_M as it is, causal order is lost by it."""
    w = world_of(a=(3, {1, 2}), b=(3, {1, 2}), c=(1, {2}))
    steps = [snd(w, 3, "a"), snd(w, 3, "b"), arrival(w, 1, "b", "a"), rcv(w, 1, "a"), snd(w, 1, "c"), rcv(w, 2, "c")]
    run = run_of(w, steps)
    found = [run.condition("V2: causal order, KS-3a", causal_order(run.state.pasts))]
    w = world_of(a=(1, {3}), b=(3, {1}), c=(3, {1, 2}))
    steps = [snd(w, 1, "a"), rcv(w, 3, "a"), snd(w, 3, "b"), snd(w, 3, "c"), arrival(w, 1, "c", "b")]
    run = run_of(w, steps)
    found.append(run.condition("V2: LOG has what is required, KS-3b", nothing_missing(run.state)))
    for letter in "cd":
        w = world_of(a=(1, {2, 3}), b=(1, {2, 3}))
        run = run_of(w, [snd(w, 1, "a"), snd(w, 1, "b"), arrival(w, 2, "b", letter), rcv(w, 2, "a")])
        found.append(run.condition(f"V2: LOG has what is required, KS-3{letter}", nothing_missing(run.state)))
    return found


def nothing(steps: Steps) -> Iterable[Condition]:
    """No condition: nothing is repaired."""
    return ()


CLAIMS: tuple[Claim, ...] = (
    claim(
        "KS-2a",
        "RCV(4), the printed guard",
        "RCV(4) as printed keeps LOG free of what is redundant",
        never_true,
        refutation=Refutation(
            printed_guard, ("ks", "--sends", "3", "--reading", "KS-2a", "--property", "Minimality"), 5
        ),
        repaired="the guard of the comment (KS-2b): C-KS-T7; the printed one never holds, so that the first test"
        " deletes nothing",
    ),
    claim(
        "KS-6c",
        "SND(2)",
        "one O_M for all destinations, reduced for one after another, keeps causal order",
        nothing,
        refutation=Refutation(
            one_copy_for_all, ("ks", "--sends", "3", "--reading", "KS-6c", "--property", "CausalOrder"), 3
        ),
        repaired="a copy of LOG for each (KS-6a): C-KS-T4",
    ),
    claim(
        "KS-32b",
        "SND(2), RCV(3)",
        "the message's own entry may be part of O_M when it is sent",
        nothing,
        refutation=Refutation(
            own_entry, ("ks", "--sends", "3", "--reading", "KS-32b", "--property", "NoNeedlessDelay"), 1
        ),
        repaired="RCV(3) inserts it (KS-32a): C-KS-T5",
    ),
    claim(
        "C-KS-IMPL-literal",
        "Section 4.2, as printed",
        "if l(i,a2) is in LOG and a1 < a2 then l(i,a1) is in LOG",
        nothing,
        refutation=Refutation(literal, ("ks", "--sends", "3", "--property", "C-KS-IMPL-literal"), 2),
        repaired="explicitly or implicitly: C-KS-IMPL",
    ),
    claim(
        "C-KS-V2",
        "Section 4.5",
        "lookahead: redundant facts leave LOG earlier; the steps may be reordered this way",
        nothing,
        refutation=Refutation(
            lookahead, ("ks-lookahead", "--sends", "3", "--reading", "KS-3a", "--property", "CausalOrder"), 6
        ),
    ),
)
