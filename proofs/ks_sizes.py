"""KS, Section 6.2: how many entries of one sender LOG and O_M may have, and the complement encoding.

A set has at most as many elements as another if each has a place of its own there. The place of an entry is a
destination that its D-field still has, or, if that is empty, any destination of the message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import z3
from z3 import And, Const, Exists, ForAll, Function, If, Implies, Ints, Not

from .claims import Claim, Refutation
from .concrete_runs import world_of
from .conditions import Condition
from .ks_paths import claim
from .ks_readings import run_of, snd
from .ks_safety import KNOWN, NO_SELF, RELIABLE, S
from .pasts import Message, Process, d, dest, m, n, p, sender, x
from .steps import Steps

e = Const("e", Process)
left = Const("left", Process)
named = Const("named", Message)
place = Function("place", Process, Message, Process)
place_m = Function("place_m", Message, Process, Message, Process)


def has_place(D: Callable[[z3.ExprRef], z3.BoolRef], place: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
    """`place` is in the D-field of m, or that is empty and it is a destination of m."""
    return If(Exists([left], D(left)), D(place), dest(m, place))


def bounded(steps: Steps) -> Iterable[Condition]:
    """Two entries of one sender have different places, and none is the sender: at most n - 1 entries."""
    places = ForAll([named], Implies(S.entry(p, named), has_place(lambda d: S.D(p, named, d), place(p, named), named)))
    two = And(S.entry(p, m), S.entry(p, n), sender(m) == sender(n), m != n)
    yield Condition("S1: places in LOG", (*KNOWN, places, two), place(p, m) != place(p, n))
    yield Condition("S1: the sender is no place in LOG", (*KNOWN, places, S.entry(p, m)), place(p, m) != sender(m))
    sent = (*KNOWN, S.pasts.sent(x), dest(x, e))
    O, OD, at = (lambda m: S.O(x, e, m)), (lambda m, d: S.OD(x, e, m, d)), (lambda m: place_m(x, e, m))
    places = ForAll([named], Implies(O(named), has_place(lambda d: OD(named, d), at(named), named)))
    yield Condition("S1: places in O_M", (*sent, places, O(m), O(n), sender(m) == sender(n), m != n), at(m) != at(n))
    yield Condition("S1: the sender is no place in O_M", (*sent, places, O(m)), at(m) != sender(m))


def room(steps: Steps) -> Iterable[Condition]:
    """m has an empty entry: its destinations are in no D-field of its sender, nor is the sender."""
    empty = And(S.entry(p, m), Not(Exists([left], S.D(p, m, left))), dest(m, d))
    other = And(S.entry(p, n), sender(n) == sender(m))
    yield Condition("S2: LOG", (*KNOWN, empty, other), Not(S.D(p, n, d)))
    yield Condition("S2: the sender is in no D-field of LOG", (*KNOWN, other), Not(S.D(p, n, sender(n))))
    sent = (*KNOWN, S.pasts.sent(x), dest(x, e))
    empty = And(S.O(x, e, m), Not(Exists([left], S.OD(x, e, m, left))), dest(m, d))
    other = And(S.O(x, e, n), sender(n) == sender(m))
    yield Condition("S2: O_M", (*sent, empty, other), Not(S.OD(x, e, n, d)))


def per_sender() -> Sequence[Condition]:
    """1 sends to 2, to 3 and to 2 again. Of three processes the last copy names two in entries of 1, each in an entry
    with one destination, whose complement is larger."""
    w = world_of(a=(1, {2}), b=(1, {3}), c=(1, {2}))
    s = run_of(w, [snd(w, 1, "a"), snd(w, 1, "b"), snd(w, 1, "c")]).state
    run = run_of(w, [snd(w, 1, "a"), snd(w, 1, "b"), snd(w, 1, "c")])
    two, three = w.process(2), w.process(3)
    c = w.message("c")
    union = [
        And(s.O(c, two, w.message(name)), s.OD(c, two, w.message(name), d)) for name, d in (("a", two), ("b", three))
    ]
    alone = And(Not(s.OD(c, two, w.message("a"), three)), Not(s.OD(c, two, w.message("b"), two)))
    return [run.condition("S4 as printed: the union over a sender's entries is at most n/2", Not(And(*union, alone)))]


def per_entry(steps: Steps) -> Iterable[Condition]:
    """An entry of `size` destinations of `count` processes transmits the smaller of D and its complement."""
    size, count = Ints("size count")
    sent = If(count - size < size, count - size, size)
    yield Condition("S4: per entry", (size >= 0, size <= count), And(sent >= 0, 2 * sent <= count))


CLAIMS: tuple[Claim, ...] = (
    claim(
        "C-KS-S1",
        "Section 6.2",
        "`0 <= nd_i <= n`; at most n entries per sender in O_M and in LOG",
        bounded,
        formula="at most n - 1 entries of each sender, since no process sends to itself; nd_i counts processes",
        on_paper=("injection",),
        assumptions=(RELIABLE, NO_SELF, "every message has a destination"),
    ),
    claim(
        "C-KS-S2",
        "Section 6.2",
        "if some entry of i is empty, the union of i's D-fields has fewer than n elements",
        room,
        formula="it lacks the destinations of the message with the empty entry, and i itself",
    ),
    claim(
        "C-KS-S4",
        "Section 6.2",
        "complement encoding gives `0 <= nd_i <= n/2`",
        per_entry,
        refutation=Refutation(
            per_sender, ("ks-complement", "--sends", "3", "--reading", "KS-4a", "--property", "C-KS-S4"), 3
        ),
        repaired="each entry transmits at most n/2 ids (KS-4c)",
    ),
)
