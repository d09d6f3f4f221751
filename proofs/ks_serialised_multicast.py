"""Serialised multicast (Kshemkalyani, Singhal 1998, Section 7.1), as a transition system for any number of processes
with the reading of the model's default (KS-26b): a copy names, for each process, the latest message to it; the vector
goes with the token. No process sends to itself, so that KS-26own makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import z3
from z3 import And, BoolVal, Const, ForAll, Function, If, Implies, Not, Or

from .claims import Claim, Refutation
from .concrete_runs import started, world_of
from .conditions import Condition
from .counting import NUMBERS, Int, Number, Senders, a, larger, number, some_senders
from .mutual_exclusion import TIMES, Token, some_token, time
from .pasts import (
    MESSAGES,
    Bool,
    Message,
    Pasts,
    Process,
    Relation,
    after_delivery,
    after_send,
    causal_order,
    d,
    dest,
    facts_of_pasts,
    hb,
    initially,
    m,
    may_send,
    n,
    p,
    sender,
    some_pasts,
    x,
)
from .steps import ALL_STEPS, Action, Steps
from .witnessed import WitnessedInduction

LABELS = ("s1", "s2", "s4", "d1", "d2", "m1")

latest_to_before = Function("latest_to_before", Message, Process, Message)
"""latest_to_before(x, d): `latest_to` just before the send of x."""


@dataclass(frozen=True)
class Serialised:
    """pasts, senders and token: what happened. last(p, d, m): with the token goes that m is the latest message to d.
    SR(p, a): the largest number of a message of a delivered at p. names(x, d, m): the copies of x name m for d.
    latest_to(d): the latest message to d, if there is one."""

    pasts: Pasts
    senders: Senders
    token: Token
    last: Relation
    SR: Number
    names: Relation
    latest_to: Callable[..., z3.ExprRef]


def some_state() -> Serialised:
    """Any state."""
    return Serialised(
        some_pasts(),
        some_senders(),
        some_token(),
        Function("last", Process, Process, Message, Bool),
        Function("SR", Process, Process, Int),
        Function("names", Message, Process, Message, Bool),
        Function("latest_to", Process, Message),
    )


def initial(s: Serialised) -> z3.BoolRef:
    """Nothing has happened."""
    nothing = And(ForAll([p, d, m], Not(s.last(p, d, m))), ForAll([p, a], s.SR(p, a) == 0))
    return And(initially(s.pasts), s.senders.initially(), s.token.initially(), nothing)


def send(s: Serialised, i: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """The holder of the token sends M with the vector, and replaces the entries of the destinations."""

    def last(d: z3.ExprRef, m: z3.ExprRef) -> z3.BoolRef:
        return steps("s4", If(dest(M, d), m == M, s.last(i, d, m)), s.last(i, d, m))

    after = replace(
        s,
        pasts=after_send(s.pasts, i, M),
        senders=s.senders.after_send(i, M),
        token=s.token.after_send(i, M),
        last=lambda p, d, m: If(p == i, last(d, m), s.last(p, d, m)),
        names=lambda x, d, m: If(x == M, steps("s2", s.last(i, d, m), BoolVal(False)), s.names(x, d, m)),
        latest_to=lambda d: If(dest(M, d), M, s.latest_to(d)),
    )
    alone = steps("s1", s.token.takes(i, M), time(M) == s.token.turn(i) + 1)
    remembered = ForAll([d], latest_to_before(M, d) == s.latest_to(d))
    guard = And(may_send(s.pasts, i, M), s.senders.takes(i, M), Not(dest(M, i)), alone, remembered)
    return Action("send", guard, after)


def ready(s: Serialised, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """d1: the message that M names for j is delivered there."""
    return ForAll([m], Implies(s.names(M, j, m), number(m) <= s.SR(j, sender(m))))


def in_transit(s: Serialised, j: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
    """The copy of M to j is in transit."""
    return And(s.pasts.sent(M), dest(M, j), Not(s.pasts.delivered(j, M, j)))


def receive(s: Serialised, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """j receives and delivers M."""
    SR = lambda p, a: If(And(p == j, a == sender(M)), larger(s.SR(p, a), number(M)), s.SR(p, a))  # noqa: E731
    after = replace(s, pasts=after_delivery(s.pasts, j, M), SR=steps("d2", SR, s.SR))
    return Action("delivery", And(in_transit(s, j, M), steps("d1", ready(s, j, M), BoolVal(True))), after)


def pass_on(s: Serialised, i: z3.ExprRef, j: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """m1: the holder sends the token to j, with the vector."""
    last = lambda d, m: steps("m1", s.last(i, d, m), BoolVal(False))  # noqa: E731
    after = replace(s, token=s.token.passed(i, j), last=lambda p, d, m: If(p == j, last(d, m), s.last(p, d, m)))
    return Action("passing the token", And(s.token.holds(i), i != j), after)


def take_token(s: Serialised, j: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
    """m2: j takes the token."""
    return Action("taking the token", s.token.coming(j), replace(s, token=s.token.taken(j)))


def facts(s: Serialised) -> list[tuple[str, z3.BoolRef]]:
    """A process delivers what is sent to it in the order of the sends; inductive together with the theory of pasts."""
    sent, delivered = s.pasts.sent, s.pasts.delivered
    to_d, latest, before_x = And(sent(m), dest(m, d)), s.latest_to(d), latest_to_before(x, d)
    return [
        *s.senders.facts(sent),
        *s.token.facts(sent),
        ("no process sends to itself", ForAll([x], Implies(sent(x), Not(dest(x, sender(x)))))),
        ("the latest message to a process",
         ForAll([m, d], Implies(to_d, And(sent(latest), dest(latest, d), time(m) <= time(latest))))),
        ("with the token goes the latest message to each process",
         ForAll([p, d, m], Implies(s.token.at(p), s.last(p, d, m) == And(to_d, m == latest)))),
        ("the latest message to a process before a send",
         ForAll([x, m, d], Implies(And(sent(x), to_d, time(m) < time(x)),
                                   And(sent(before_x), dest(before_x, d), time(before_x) < time(x),
                                       time(m) <= time(before_x))))),
        ("a copy names the latest message to each process",
         ForAll([x, d, m], Implies(sent(x), s.names(x, d, m) == And(to_d, time(m) < time(x), m == before_x)))),
        ("SR has numbers of the past",
         ForAll([p, a], And(s.SR(p, a) >= 0, s.SR(p, a) <= s.senders.count(a)))),
        ("SR says what is delivered",
         ForAll([m, d], Implies(to_d, delivered(d, m, d) == (number(m) <= s.SR(d, sender(m)))))),
        ("what is delivered is what was sent first",
         ForAll([d, m, x], Implies(And(delivered(d, x, d), to_d, time(m) < time(x)), delivered(d, m, d)))),
        ("what happened before was sent before",
         ForAll([m, x], Implies(And(sent(x), hb(m, x)), time(m) < time(x)))),
        ("causal order", causal_order(s.pasts)),
    ]  # fmt: skip


def invariant(s: Serialised) -> list[tuple[str, z3.BoolRef]]:
    """The theory of pasts, and the facts of serialised multicast."""
    return [*facts_of_pasts(s.pasts), *facts(s)]


S = some_state()
i, j = Const("i", Process), Const("j", Process)
M, M1, M2 = Const("M", Message), Const("M1", Message), Const("M2", Message)


def named_delivered(s: Serialised, action: Action) -> list[tuple[str, z3.BoolRef]]:
    """What d1 says of a copy that passes it."""
    if action.name != "delivery":
        return []
    earlier, named = And(s.pasts.sent(m), dest(m, j), time(m) < time(M)), latest_to_before(M, j)
    return [
        ("the message before it is delivered", ForAll([m], Implies(earlier, s.pasts.delivered(j, named, j)))),
        ("others were before that", ForAll([m], Implies(earlier, Or(m == named, time(m) < time(named))))),
        ("all messages before it are delivered", ForAll([m], Implies(earlier, s.pasts.delivered(j, m, j)))),
    ]


INDUCTION = WitnessedInduction(
    "serialised multicast",
    S,
    (*MESSAGES, *NUMBERS, *TIMES),
    initial,
    invariant,
    lambda s, steps: (
        send(s, i, M, steps),
        receive(s, j, M, steps),
        pass_on(s, i, j, steps),
        take_token(s, j, steps),
    ),
    named_delivered,
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j))),
)
KNOWN = INDUCTION.hypotheses


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the paper; the next of the messages to a process is ready; there are n pairs."""
    delivered = S.pasts.delivered
    ordered = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("serialised multicast: M is delivered before M'", ordered, delivered(j, M1, j))
    earlier = ForAll([m], Implies(And(S.pasts.sent(m), dest(m, j), time(m) < time(M)), delivered(j, m, j)))
    next = (*KNOWN, in_transit(S, j, M), earlier)
    yield Condition("serialised multicast: the next message to a process is ready", next, ready(S, j, M))
    two = (*KNOWN, S.pasts.sent(x), S.names(x, d, m), S.names(x, d, n))
    yield Condition("serialised multicast: a copy names one message for each process", two, m == n)


def own_vectors() -> list[Condition]:
    """KS-26a: the vector is the sender's own, changed by its sends and deliveries. 1 sends a to 3 and b to 2, and
    passes the token on; 2, which has delivered b, knows of no message to 3, and sends c to 3."""
    w = world_of(a=(1, {3}), b=(1, {2}), c=(2, {3}))
    one, two, three = (w.process(number) for number in (1, 2, 3))
    a, b, c = (w.message(name) for name in w.sends)
    alone = Steps(frozenset({"m1"}))

    def deliver(s: Serialised) -> Action:
        action = receive(s, two, b)
        known = lambda p, d, m: If(And(p == two, dest(b, d)), m == b, s.last(p, d, m))  # noqa: E731
        return replace(action, after=replace(action.after, last=known))

    run = started(w, S, initial, INDUCTION.given).through([
        lambda s: send(s, one, a), lambda s: send(s, one, b), lambda s: pass_on(s, one, two, alone),
        lambda s: take_token(s, two), deliver, lambda s: send(s, two, c), lambda s: receive(s, three, c),
    ])  # fmt: skip
    return [run.condition("KS-26a: causal order", causal_order(run.state.pasts))]


OWN = ("serialised-multicast", "--reading", "KS-26a", "--processes", "3", "--sends", "3", "--property", "CausalOrder")
CLAIMS = (
    Claim("C-KS-SC-SERIAL-MULTICAST", "Kshemkalyani, Singhal 1998, Section 7.1, serialised multicast",
          "serialised multicast: n pairs, of the latest message to each destination, suffice", (INDUCTION,),
          safe_and_live,
          assumptions=(
              "no copy is lost or duplicated; channels need not be FIFO",
              "sends under mutual exclusion, which hands the vector over (KS-26b)",
              "no process sends to itself",
          ),
          on_paper=("minimal", "fairness"), steps=LABELS,
          formula="causal order, even the order of the sends; a copy of which all earlier messages to its destination "
          "are delivered passes d1; it names one message at most for each process"),
    Claim("C-KS-SC-KS-26a", "algorithms.md, section 8",
          "serialised multicast with the sender's own vector keeps causal order",
          assumptions=("no copy is lost or duplicated", "sends under mutual exclusion"),
          refutation=Refutation(own_vectors, OWN, 7)),
)  # fmt: skip
