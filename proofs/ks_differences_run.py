"""KS-8a violates causal order: a copy leaves out entries as they were last sent to the same process, and the receiver
takes what arrives for O_M. An entry that is left out looks like one that is done with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import z3
from z3 import And, ForAll, Not

from . import ks
from .claims import Refutation
from .concrete_runs import Step, World, started, world_of
from .conditions import Condition
from .ks_readings import rcv, snd
from .pasts import causal_order, d
from .steps import Action


def next_to(world: World, j: int, M: str, e: int, last: str) -> Step[ks.KS]:
    """SND of M at j, where `last` is the last message before from j to e: its copy is not said again."""
    this, before, to = world.message(M), world.message(last), world.process(e)

    def step(s: ks.KS) -> Action:
        action = ks.snd(s, world.process(j), this)
        after = action.after

        def told(m: z3.ExprRef) -> z3.BoolRef:
            return And(s.O(before, to, m), ForAll([d], s.OD(before, to, m, d) == after.OD(this, to, m, d)))

        def O(x: z3.ExprRef, e: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
            return And(after.O(x, e, m), Not(And(x == this, e == to, told(m))))

        return replace(action, after=replace(after, O=O))

    return step


def left_out() -> Sequence[Condition]:
    """2 sends a to 1, then b and c to 3. The copy of b says that a must reach 1, and that of c not again; 3 takes it
    that a is done with, and sends f to 1."""
    w = world_of(a=(2, {1}), b=(2, {3}), c=(2, {3}), f=(3, {1}))
    steps = [snd(w, 2, "a"), snd(w, 2, "b"), next_to(w, 2, "c", 3, "b"), rcv(w, 3, "b"), rcv(w, 3, "c")]
    run = started(w, ks.some_state(), ks.initial).through([*steps, snd(w, 3, "f"), rcv(w, 1, "f")])
    return [run.condition("KS-8a: causal order", causal_order(run.state.pasts))]


CHECK = (
    "ks-differences", "--reading", "KS-8a", "--channel", "fifo", "--processes", "3", "--sends", "4",
    "--dests", "unicast", "--property", "CausalOrder",
)  # fmt: skip
REFUTATION = Refutation(left_out, CHECK, 7)
