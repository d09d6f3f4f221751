"""Histories instead of interleavings (checker/histories/README.md): the closure covers every run, of any model whose
steps are local, for any number of processes and steps and any bound on the sends.

A message stands here for an event, a step that transmits: in a direct model the send of a message, else any step with
packets of any kind. Of the model nothing is assumed but that a step depends on the state of one process and at most one
copy: what it may answer is a relation. The closure is any relation that keeps the rules. What is remembered of an event
beyond which one it is, is fixed when it is made; light pasts remember less: whoever tells less apart only adds to the
closure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import z3
from z3 import And, Const, Consts, ForAll, Function, If, Implies, Not, Or

from .claims import Named
from .pasts import MESSAGES, Bool, Message, Process, Relation, before, hb, m, n, p, sender, x
from .steps import Action, Steps
from .witnessed import WitnessedInduction

LABELS = ("start", "move", "send", "copies", "meet", "answer", "answered copies")

Messages = z3.DeclareSort("Messages")
"""Sets of events."""
Copy = z3.DeclareSort("Copy")
"""What one event transmits to one process; it may transmit several copies to the same."""
Copies = z3.DeclareSort("Copies")
"""Sets of copies."""
Local = z3.DeclareSort("Local")
"""States of a process, as the model has them."""
Content = z3.DeclareSort("Content")
"""What a copy carries."""
Answer = z3.DeclareSort("Answer")
"""What a model answers: the next state, and what each copy carries."""

S, T, K, Q = Consts("S T K Q", Messages)
R = Const("R", Copies)
L, a, A = Const("L", Local), Const("a", Content), Const("A", Answer)
c, e, C = Consts("c e C", Copy)
i, M = Const("i", Process), Const("M", Message)

of = Function("of", Copy, Message)
to = Function("to", Copy, Process)
nothing, no_copies = Const("nothing", Messages), Const("no_copies", Copies)
has = Function("has", Messages, Message, Bool)
with_one = Function("with_one", Messages, Message, Messages)
joined = Function("joined", Messages, Messages, Messages)
holds = Function("holds", Copies, Copy, Bool)
with_copy = Function("with_copy", Copies, Copy, Copies)
within = Function("within", Messages, Bool)
"""within(S): the bound allows the sends among these events."""

starts = Function("starts", Process, Local, Bool)
moves = Function("moves", Local, Answer, Bool)
sends = Function("sends", Local, Message, Answer, Bool)
receives = Function("receives", Local, Content, Copy, Answer, Bool)
answers = Function("answers", Local, Content, Copy, Message, Answer, Bool)
"""Steps of a process by itself, without an event and with one; receipts, without an event and with one."""
state_of = Function("state_of", Answer, Local)
carried = Function("carried", Answer, Copy, Content)

in_states = Function("in_states", Process, Messages, Copies, Local, Bool)
"""in_states(p, K, R, L): the closure has the state L of p, which knows K and has received R."""
in_copies = Function("in_copies", Copy, Messages, Content, Bool)
"""in_copies(c, Q, a): the closure has the copy c, which carries a; before its event Q was known."""

SETS = (
    ("no events", ForAll([m], Not(has(nothing, m)))),
    ("one event more", ForAll([S, n, m], has(with_one(S, n), m) == Or(has(S, m), m == n))),
    ("a union", ForAll([S, T, m], has(joined(S, T), m) == Or(has(S, m), has(T, m)))),
    ("no copies", ForAll([c], Not(holds(no_copies, c)))),
    ("one copy more", ForAll([R, c, e], holds(with_copy(R, e), c) == Or(holds(R, c), c == e))),
    ("a part of what is within the bound is", ForAll([S, T], Implies(
        And(within(T), ForAll([m], Implies(has(S, m), has(T, m)))), within(S)))),
)  # fmt: skip


def brought(K: z3.ExprRef, c: z3.ExprRef, Q: z3.ExprRef) -> z3.ExprRef:
    """What is known after the receipt of a copy by a process that knew K."""
    return joined(K, with_one(Q, of(c)))


def compatible(K: z3.ExprRef, R: z3.ExprRef, c: z3.ExprRef, Q: z3.ExprRef) -> Named:
    """Whether a state whose process knows K and has received R, and a copy to it before whose event Q was known, may
    meet: the conditions of the page, by their numbers."""
    theirs = with_one(Q, of(c))
    agree = Or(has(K, n), has(theirs, m))
    first = And(Implies(has(K, n), has(K, m)), Implies(has(theirs, n), has(theirs, m)))
    return (
        ("1: of each process one knows what the other knows",
         ForAll([m, n], Implies(And(has(K, m), has(theirs, n), sender(m) == sender(n)), agree))),
        ("1: of each process the first events are known", ForAll([m, n], Implies(before(m, n), first))),
        ("2: of the receiver nothing is known that it has not made",
         ForAll([m], Implies(And(has(theirs, m), sender(m) == to(c)), has(K, m)))),
        ("3: whoever knows of an event knows its past",
         Implies(has(K, of(c)), ForAll([m], Implies(has(Q, m), has(K, m))))),
        ("4: the copy is not received", Not(holds(R, c))),
        ("5: together they are within the bound", within(brought(K, c, Q))),
    )  # fmt: skip


def all_of(named: Named) -> tuple[z3.BoolRef, ...]:
    """The formulas without their names."""
    return tuple(formula for _, formula in named)


def is_next(K: z3.ExprRef, i: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """M is the next event of i, which knows K before it, within the bound."""
    own = Implies(sender(m) == i, has(K, m) == before(m, M))
    return And(sender(M) == i, ForAll([m], And(has(K, m) == hb(m, M), own)), within(with_one(K, M)))


def rules(steps: Steps) -> Named:
    """What the closure is closed under."""
    there = in_states(p, K, R, L)
    sent = And(there, is_next(K, p, M), sends(L, M, A))
    after = brought(K, C, Q)
    meet = And(there, in_copies(C, Q, a), to(C) == p, *all_of(compatible(K, R, C, Q)))
    answered = And(meet, is_next(after, p, M), answers(L, a, C, M, A))
    next_state, next_received = state_of(A), with_copy(R, C)

    def always(condition: z3.BoolRef, conclusion: z3.BoolRef) -> z3.BoolRef:
        return ForAll([p, K, R, L, C, Q, a, M, A, c], Implies(condition, conclusion))

    everything: Sequence[tuple[str, str, z3.BoolRef]] = (
        ("start", "initial states", ForAll([p, L], Implies(starts(p, L), in_states(p, nothing, no_copies, L)))),
        ("move", "a step of a process by itself", always(And(there, moves(L, A)), in_states(p, K, R, next_state))),
        ("send", "an event: the state after it", always(sent, in_states(p, with_one(K, M), R, next_state))),
        ("copies", "an event: its copies", always(And(sent, of(c) == M), in_copies(c, K, carried(A, c)))),
        ("meet", "a state and a copy that are compatible meet",
         always(And(meet, receives(L, a, C, A)), in_states(p, after, next_received, next_state))),
        ("answer", "a receipt that is an event: the state after it",
         always(answered, in_states(p, with_one(after, M), next_received, next_state))),
        ("answered copies", "a receipt that is an event: its copies",
         always(And(answered, of(c) == M), in_copies(c, after, carried(A, c)))),
    )  # fmt: skip
    return tuple((name, formula) for label, name, formula in everything if steps(label, True, False))


@dataclass(frozen=True)
class Run:
    """A global state. made(m): the event m is made; past(p, m): p knows of it, local(p): the state of p; known(p): the
    events that it knows; received(p): the copies that it has received; known_before(m): what was known before the
    event m; content(c): what the copy c carries; happened: the events that are made."""

    made: Relation
    past: Relation
    local: Relation
    known: Relation
    received: Relation
    known_before: Relation
    content: Relation
    happened: z3.ExprRef


def some_run() -> Run:
    """Any state."""
    return Run(
        Function("made", Message, Bool),
        Function("past", Process, Message, Bool),
        Function("local", Process, Local),
        Function("known", Process, Messages),
        Function("received", Process, Copies),
        Function("known_before", Message, Messages),
        Function("content", Copy, Content),
        Const("happened", Messages),
    )


def initial(s: Run) -> z3.BoolRef:
    """Nothing has happened."""
    start = And(starts(p, s.local(p)), s.known(p) == nothing, s.received(p) == no_copies)
    return And(
        ForAll([m], Not(s.made(m))),
        ForAll([p, m], Not(s.past(p, m))),
        ForAll([p], start),
        s.happened == nothing,
        within(nothing),
    )


def step(s: Run, i: z3.ExprRef) -> Run:
    """The state of i becomes that of the answer."""
    return replace(s, local=lambda p: If(p == i, state_of(A), s.local(p)))


def event(s: Run, i: z3.ExprRef, M: z3.ExprRef) -> Run:
    """i has made the event M."""
    return replace(
        s,
        made=lambda m: Or(m == M, s.made(m)),
        past=lambda p, m: Or(And(p == i, m == M), s.past(p, m)),
        known=lambda p: If(p == i, with_one(s.known(i), M), s.known(p)),
        known_before=lambda m: If(m == M, s.known(i), s.known_before(m)),
        content=lambda c: If(of(c) == M, carried(A, c), s.content(c)),
        happened=with_one(s.happened, M),
    )


def receipt(s: Run, C: z3.ExprRef) -> Run:
    """The copy C is received."""
    news = lambda p, m: And(p == to(C), Or(m == of(C), hb(m, of(C))))  # noqa: E731
    return replace(
        s,
        past=lambda p, m: Or(news(p, m), s.past(p, m)),
        known=lambda p: If(p == to(C), brought(s.known(p), C, s.known_before(of(C))), s.known(p)),
        received=lambda p: If(p == to(C), with_copy(s.received(p), C), s.received(p)),
    )


def may_make(s: Run, i: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """M is the next event of i, its past is that of i now, and the bound allows it."""
    own = Implies(sender(m) == i, s.made(m) == before(m, M))
    return And(
        sender(M) == i,
        Not(s.made(M)),
        ForAll([m], And(hb(m, M) == s.past(i, m), own)),
        within(with_one(s.happened, M)),
    )


def in_transit(s: Run, c: z3.ExprRef) -> z3.BoolRef:
    """A copy is in transit: channels hand over any copy at any time, and lose and repeat none."""
    return And(s.made(of(c)), Not(holds(s.received(to(c)), c)))


def actions(s: Run) -> tuple[Action, ...]:
    """The steps of one process."""
    there, arrived = s.local(to(C)), in_transit(s, C)
    after = receipt(s, C)
    return (
        Action("a step by itself", moves(s.local(i), A), step(s, i)),
        Action("an event", And(may_make(s, i, M), sends(s.local(i), M, A)), step(event(s, i, M), i)),
        Action("a receipt", And(arrived, receives(there, s.content(C), C, A)), step(after, to(C))),
        Action("a receipt that is an event",
               And(arrived, may_make(after, to(C), M), answers(there, s.content(C), C, M, A)),
               step(event(after, to(C), M), to(C))),
    )  # fmt: skip


def facts(s: Run) -> list[tuple[str, z3.BoolRef]]:
    """What a process knows is its past, pasts are closed, and the closure has everything that there is."""
    return [
        ("what is known is made", ForAll([p, m], Implies(s.past(p, m), s.made(m)))),
        ("a process knows its events", ForAll([m], Implies(s.made(m), s.past(sender(m), m)))),
        ("what happened before an event is made", ForAll([m, n], Implies(And(s.made(n), hb(m, n)), s.made(m)))),
        ("pasts are closed", ForAll([p, m, n], Implies(And(s.past(p, n), hb(m, n)), s.past(p, m)))),
        ("the pasts of events are closed",
         ForAll([m, n, x], Implies(And(s.made(x), hb(n, x), hb(m, n)), hb(m, x)))),
        ("the events of a process happen in their order",
         ForAll([m, n], Implies(And(s.made(n), before(m, n)), hb(m, n)))),
        ("known is what lies in the past", ForAll([p, m], has(s.known(p), m) == s.past(p, m))),
        ("what was known before an event lay in its past",
         ForAll([m, n], Implies(s.made(m), has(s.known_before(m), n) == hb(n, m)))),
        ("received copies are those to the process", ForAll([p, c], Implies(holds(s.received(p), c), to(c) == p))),
        ("what has happened is made", ForAll([m], has(s.happened, m) == s.made(m))),
        ("it is within the bound", within(s.happened)),
        ("the closure has each state", ForAll([p], in_states(p, s.known(p), s.received(p), s.local(p)))),
        ("the closure has each copy",
         ForAll([c], Implies(s.made(of(c)), in_copies(c, s.known_before(of(c)), s.content(c))))),
    ]  # fmt: skip


def meeting(s: Run, action: Action) -> Named:
    """Before a receipt: the state and the copy are compatible."""
    if not action.name.startswith("a receipt"):
        return ()
    return compatible(s.known(to(C)), s.received(to(C)), C, s.known_before(of(C)))


X = some_run()
ONE, OTHER = with_one(nothing, M), with_one(nothing, of(C))
FEW = And(
    ForAll([m], Or(m == M, m == of(C))),
    ForAll([p], Or(p == i, p == to(C))),
    ForAll([c], c == C),
    ForAll([S], Or(*(some == S for some in (nothing, ONE, OTHER, with_one(ONE, of(C)))))),
    ForAll([R], Or(no_copies == R, with_copy(no_copies, C) == R)),
    ForAll([L], Const("L1", Local) == L),
    ForAll([a], a == Const("a1", Content)),
)
"""Two events of two processes, and a model with one state."""


def covering(steps: Steps) -> WitnessedInduction[Run]:
    """The induction, with a closure that these rules keep."""
    return WitnessedInduction(
        "histories",
        X,
        (*MESSAGES, *SETS, *rules(steps)),
        initial,
        facts,
        lambda s, _: actions(s),
        meeting,
        small=lambda s: FEW,
    )
