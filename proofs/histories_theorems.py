"""What holds of everything in the closure of histories holds in every run (checker/histories/README.md)."""

from __future__ import annotations

from collections.abc import Iterable

import z3
from z3 import And, ForAll, Function, Implies, Not

from .claims import Claim
from .conditions import Condition
from .histories import (
    LABELS,
    A,
    Answer,
    C,
    Content,
    Copies,
    Copy,
    K,
    L,
    Local,
    M,
    Messages,
    Q,
    R,
    X,
    a,
    actions,
    all_of,
    answers,
    brought,
    compatible,
    covering,
    i,
    in_copies,
    in_states,
    in_transit,
    is_next,
    moves,
    of,
    receives,
    sends,
    to,
)
from .pasts import Bool, Message, Process, p
from .steps import ALL_STEPS, Steps

STATE = (Process, Messages, Copies, Local)
COPY = (Copy, Messages, Content)
bad_state = Function("bad_state", *STATE, Bool)
bad_move = Function("bad_move", *STATE, Answer, Bool)
bad_event = Function("bad_event", *STATE, Message, Answer, Bool)
bad_pair = Function("bad_pair", *STATE, *COPY, Bool)
bad_receipt = Function("bad_receipt", *STATE, *COPY, Answer, Bool)
bad_answer = Function("bad_answer", *STATE, *COPY, Message, Answer, Bool)
"""Any properties: of process states, of each kind of step, and of a state and a copy that meet, which the model may
hold back."""


def covered(steps: Steps) -> Iterable[Condition]:
    """What is together is compatible, and what is bad in a run is bad in the closure."""
    known = covering(steps).hypotheses
    for name, formula in compatible(X.known(to(C)), X.received(to(C)), C, X.known_before(of(C))):
        yield Condition(f"what is together is compatible, {name}", (*known, in_transit(X, C)), formula)
    state, pair, bound = (p, K, R, L), (C, Q, a), (p, K, R, L, C, Q, a, M, A)
    there = in_states(*state)
    together = And(there, in_copies(*pair), to(C) == p, *all_of(compatible(K, R, C, Q)))
    after = brought(K, C, Q)
    here = (i, X.known(i), X.received(i), X.local(i))
    receiver = (to(C), X.known(to(C)), X.received(to(C)), X.local(to(C)))
    copy = (C, X.known_before(of(C)), X.content(C))
    move, event, receipt, answer = (action.guard for action in actions(X))
    judged = (
        ("states", there, bad_state(*state), z3.BoolVal(True), bad_state(*here)),
        ("steps by themselves", And(there, moves(L, A)), bad_move(*state, A), move, bad_move(*here, A)),
        ("events", And(there, is_next(K, p, M), sends(L, M, A)), bad_event(*state, M, A), event,
         bad_event(*here, M, A)),
        ("pairs", together, bad_pair(*state, *pair), in_transit(X, C), bad_pair(*receiver, *copy)),
        ("receipts", And(together, receives(L, a, C, A)), bad_receipt(*state, *pair, A), receipt,
         bad_receipt(*receiver, *copy, A)),
        ("receipts that are events", And(together, is_next(after, p, M), answers(L, a, C, M, A)),
         bad_answer(*state, *pair, M, A), answer, bad_answer(*receiver, *copy, M, A)),
    )  # fmt: skip
    for name, met, bad, happens, is_bad in judged:
        never = ForAll(bound, Implies(met, Not(bad)))
        yield Condition(f"a property of {name}", (*known, never, happens), Not(is_bad))


CLAIMS = (
    Claim("H-COVER", "checker/histories/README.md",
          "every run is covered: what no local step of the closure violates is violated in no run",
          conditions=lambda steps: [*covering(steps).conditions(), *covered(steps)],
          witness=lambda: covering(ALL_STEPS).witnesses(), steps=LABELS,
          assumptions=("a step is taken by one process from its own state and at most one copy",
                       "channels hand over any copy in transit at any time, and lose and repeat none"),
          formula="each process state and copy of a reachable global state is in the closure, and a copy in transit is "
                  "compatible with the state of its receiver; so a property of states, pairs or steps that nothing in "
                  "the closure violates holds in every run"),
)  # fmt: skip
