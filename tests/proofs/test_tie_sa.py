"""The symbolic SA does what the Python SA does: the same waits, counts, copies and pasts on every step of random runs
and of all small ones.

The symbolic system sends and receives extra messages in steps of their own: a step of the model is a send or a delivery
and the extra messages that it sends, one after the other. The checker's pasts have no extra messages; `Told` adds them,
as SA-12a has it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import pytest
import z3
from histories import NONE, Id, elements, known, nth
from tied import all_moves, start, walks
from translating import State, evaluable, functions_of, part, places, translated

from precede.checker.bounds import Bounds
from precede.checker.run import Run
from precede.models import Signal
from precede.proofs import sa
from precede.proofs.pasts import Message, Process
from precede.proofs.steps import ALL_STEPS, Steps

i, e = z3.Consts("i e", Process)
x = z3.Const("x", Message)
STATE = sa.some_state()
FIELDS = functions_of(STATE)
GHOSTS = [of for of in FIELDS if of not in ("M", "DELIV", "Mm")]
Column = dict[tuple[int, int], int]


@dataclass(frozen=True)
class Told:
    """What happened in a run, with extra messages: destinations of all messages in the order of their sends, sent and
    delivered ones, the past of each process and that before each send, and what copies carry. Those of the application
    are (sender, number), extra messages have negative numbers."""

    dests: dict[Id, frozenset[int]]
    past: dict[int, frozenset[Id]]
    earlier: dict[Id, frozenset[Id]]
    carried: dict[Id, Column]
    delivered: frozenset[tuple[int, Id]] = frozenset()
    sent: tuple[Id, ...] = ()

    def with_message(self, m: Id, dests: frozenset[int]) -> Told:
        """With a message that is about to be sent."""
        return replace(self, dests=self.dests | {m: dests}, earlier=self.earlier | {m: self.past[m[0]]})

    def after_send(self, m: Id) -> Told:
        """After the send of m."""
        return replace(self, sent=(*self.sent, m), past=self.past | {m[0]: self.past[m[0]] | {m}})

    def after_delivery(self, j: int, m: Id) -> Told:
        """After the delivery of m at j: that of an extra message adds nothing to the past."""
        learned = self.earlier[m] | {m} if m[1] > 0 else frozenset()
        return replace(self, delivered=self.delivered | {(j, m)}, past=self.past | {j: self.past[j] | learned})

    def channel(self, a: int, d: int) -> list[Id]:
        """The messages from a to d, in the order in which they are sent."""
        return [m for m, dests in self.dests.items() if m[0] == a and d in dests]

    def relations(self, M: dict[int, Column], DELIV: dict[int, dict[int, int]]) -> dict[str, Any]:
        """The relations of the symbolic system, with these matrices."""

        def index(m, d):
            return self.channel(m[0], d).index(m) + 1

        def count(a, d):
            return sum(m in self.sent for m in self.channel(a, d))

        def held(past, column, m, d):
            return [h for h in past if d in self.dests[h] and (h == m or m in self.earlier[h])
                    and index(h, d) <= column[h[0], d]]  # fmt: skip

        return {
            "sender": lambda m: m[0],
            "user": lambda m: m[1] > 0,
            "dest": lambda m, d: d in self.dests[m],
            "index": index,
            "hb": lambda m, x: m in self.earlier[x],
            "sent": lambda m: m in self.sent,
            "past": lambda p, m: m in self.past[p],
            "delivered": lambda d, m: (d, m) in self.delivered,
            "count": count,
            "nth": lambda a, d, v: nth(self.channel(a, d)[: count(a, d)], v),
            "holders": lambda p, m, d: held(self.past[p], M[p], m, d),
            "holder": lambda p, m, d: min(held(self.past[p], M[p], m, d), default=NONE),
            "holder_before": lambda x, m, d: min(held(self.earlier[x], self.carried[x], m, d), default=NONE),
            "M": lambda p, a, d: M[p][a, d],
            "DELIV": lambda p, a: DELIV[p][a],
            "Mm": lambda m, a, d: self.carried[m][a, d],
        }


class RunTold(Run):
    """A run that says what happened."""

    @property
    def told(self) -> Told:
        """So far."""
        nothing = {p: frozenset() for p in self.processes}
        return getattr(self, "_told", Told({}, nothing, {}, {}))

    def apply(self, event):
        """Take one step."""
        told, taken = self.told, super().apply(event)
        for name, m, dests in parts(taken):
            if name.endswith("send"):
                told = told.with_message(m, dests).after_send(m)
            else:
                told = told.after_delivery(event.process, m)
        carried = {name_of(t): carried_by(t, self.processes) for t in taken.transmitted}
        self._told = replace(told, carried=told.carried | carried)
        return taken


def parts(taken):
    """What one step is made of: (step of the symbolic system, message, its destinations)."""
    if taken.taken:
        m = name_of(taken.taken)
        yield ("user receive" if m[1] > 0 else "extra receive"), m, frozenset()
    dests = {name_of(t): taken.message.dests if t.message else frozenset({t.packet.to}) for t in taken.transmitted}
    yield from (("user send" if m[1] > 0 else "extra send", m, to) for m, to in dests.items())


def name_of(transit):
    """A message."""
    return transit.message or (transit.packet.sender, -transit.number)


def carried_by(transit, processes):
    """What a copy carries; of an extra message it is one column."""
    packet = transit.packet
    if isinstance(packet, Signal):
        return {(a, d): packet.control[a - 1] if d == packet.to else 0 for a, d in product(processes, repeat=2)}
    return {(a, d): packet.control[a - 1][d - 1] for a, d in product(processes, repeat=2)}


class Symbolic:
    """The symbolic system, without the steps left out, and the fields that an action leaves as they were."""

    def __init__(self, steps=ALL_STEPS, forgotten=()):
        actions = {
            "user send": sa.snd(STATE, i, x, steps),
            "extra send": sa.xsnd(STATE, i, x, e, steps),
            "user receive": sa.rcv(STATE, i, x, steps),
            "extra receive": sa.xrcv(STATE, i, x, steps),
        }
        self.guards = {name: translated(evaluable(a.guard, ("holder_before",))) for name, a in actions.items()}
        self.after = {
            (name, of): translated(part(STATE if (name, of) in forgotten else a.after, of)(*places(FIELDS[of])))
            for name, a in actions.items()
            for of in FIELDS
        }
        self.updates = [(name, of) for name, a in actions.items() for of in GHOSTS
                        if part(a.after, of) is not part(STATE, of)]  # fmt: skip

    def is_possible(self, name, run, relations, told, p, m):
        return self.guards[name](State(elements(run, told.dests), relations, constants(told, p, m)))

    def table(self, name, of, run, relations, told, p, m):
        """{arguments: value} of a field after the step."""
        state, after = State(elements(run, told.dests), relations, {}), self.after[name, of]
        found = {}
        for args in product(*(state.elements[FIELDS[of].domain(k).name()] for k in range(FIELDS[of].arity()))):
            if of != "Mm" or args[0] == m:
                state.constants = constants(told, p, m) | {f"x{k}": arg for k, arg in enumerate(args)}
                found[args] = after(state)
        return found


def constants(told, p, m):
    """e is the destination of an extra message."""
    return {"i": p, "x": m, "e": min(told.dests[m])}


def matrices(run):
    """M and DELIV of all processes."""
    processes = run.processes
    M = {p: {(a, d): s.M[a - 1][d - 1] for a, d in product(processes, repeat=2)} for p, s in run.states.items()}
    return M, {p: dict(enumerate(s.DELIV, 1)) for p, s in run.states.items()}


def is_right(of, relations, told, args, found):
    """Whether a ghost is what it must be."""
    if of == "nth":
        return relations["nth"](*args) in (found, NONE)
    if of == "holder":
        p, m, d = args
        undelivered = m in told.past[p] and d in told.dests[m] and (d, m) not in told.delivered
        return not undelivered or found in relations["holders"](p, m, d)
    return found == relations[of](*args)


def first_difference(moves, symbolic):
    """The first guard or field in which the two differ, and how often each step was compared."""
    seen = Counter()
    for run, taken, after in moves:
        told, (M, DELIV) = run.told, matrices(run)
        possible = {(t.packet.to, name_of(t)) for t in run.in_transit.values() if run.receivable(t)}
        seen["waits"] += len(run.in_transit) - len(possible)
        relations = told.relations(M, DELIV)
        for p, m in product(run.processes, told.sent):
            name = f"{'user' if m[1] > 0 else 'extra'} receive"
            if symbolic.is_possible(name, run, relations, told, p, m) != ((p, m) in possible):
                return f"guard of {name}", seen
        if taken and (difference := difference_in(symbolic, run, taken, after, seen)):
            return difference, seen
    return None, seen


def difference_in(symbolic, run, taken, after, seen):
    """What differs in one step, if anything does."""
    p, told, (M, DELIV) = taken.event.process, run.told, matrices(run)
    for name, m, dests in parts(taken):
        seen[name] += 1
        is_send = name.endswith("send")
        told = told.with_message(m, dests) if is_send else told
        here = run, told.relations(M, DELIV), told, p, m
        if is_send and not symbolic.is_possible(name, *here):
            return f"guard of {name}"
        tables = {of: symbolic.table(name, of, *here) for of in FIELDS}
        told = told.after_send(m) if is_send else told.after_delivery(p, m)
        if is_send:
            told = replace(told, carried=told.carried | {m: {args[1:]: n for args, n in tables["Mm"].items()}})
        for (q, a, d), value in tables["M"].items():
            M = M | {q: M[q] | {(a, d): value}}
        for (q, a), value in tables["DELIV"].items():
            DELIV = DELIV | {q: DELIV[q] | {a: value}}
        relations = told.relations(M, DELIV)
        for of in GHOSTS:
            if not all(is_right(of, relations, told, args, value) for args, value in tables[of].items()):
                return of
    if any(told.carried[name_of(t)] != carried_by(t, run.processes) for t in taken.transmitted):
        return "Mm"
    users = {q: {m for m in told.past[q] if m[1] > 0} for q in run.processes}
    if any(users[q] != known(past) for q, past in after.pasts.items()):
        return "past"
    return None if matrices(after) == (M, DELIV) else "M or DELIV"


LONG = Bounds(processes=4, sends=6)
"""d2 reset finds something only in runs longer than the others here, and not where extra messages do its work."""
SYMBOLIC = Symbolic()


def begun(bounds, settings=()):
    return start("sa", bounds, settings, RunTold)


@pytest.mark.parametrize("bounds", [Bounds(processes=3, sends=5), Bounds(processes=4, sends=4), LONG], ids=str)
@pytest.mark.parametrize("settings", [(), ("K=4",), ("K=2",)], ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds, settings):
    difference, seen = first_difference(walks(begun(bounds, settings), 6), SYMBOLIC)
    assert difference is None and min(seen["user send"], seen["user receive"], seen["waits"]) > 20
    assert min(seen["extra send"], seen["extra receive"]) > 10 or settings != ("K=2",)


SMALL = {
    Bounds(processes=3, sends=2): [108, 288, 18, 30],
    Bounds(processes=3, sends=3, dests="unicast"): [270, 510, 6, 6],
}
"""With K=1: how many sends and receives differ, and how many extra ones."""


@pytest.mark.parametrize("bounds", SMALL, ids=str)
def test_every_step_of_every_small_run_is_the_same(bounds):
    difference, seen = first_difference(all_moves(begun(bounds, ("K=1",))), SYMBOLIC)
    names = ("user send", "user receive", "extra send", "extra receive")
    assert difference is None and [seen[name] for name in names] == SMALL[bounds]


@pytest.mark.parametrize("label", sa.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    difference, _ = first_difference(walks(begun(LONG, ("K=4",)), 15), Symbolic(Steps(frozenset({label}))))
    assert difference is not None


@pytest.mark.parametrize(("action", "ghost"), SYMBOLIC.updates)
def test_a_ghost_that_an_action_leaves_as_it_was_makes_a_difference(action, ghost):
    symbolic = Symbolic(forgotten=[(action, ghost)])
    assert first_difference(walks(begun(LONG, ("K=2",)), 15), symbolic)[0] == ghost
