"""KS, Theorem 8 and Corollary 2: what a message and a log must tell of the runs of `ks_chains`, and how much it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3
from z3 import And, Const, Consts, ForAll, Function, Implies, Int, Not, Or

from . import ks, ks_constraints
from .claims import Claim
from .concrete_runs import world_of
from .conditions import Condition
from .ks_chains import ADDRESSED, INDUCTION, KNOWN, NAMED, S, X, Y, first, i, is_first, link, none_to_y, takes_part
from .ks_constraints import RELIABLE, carries, come_first, constrained, necessary, ready
from .ks_readings import rcv, run_of, snd
from .ks_short_chains import up_to
from .lemmas import InductionByLemmas, few
from .pasts import (
    MESSAGES,
    Bool,
    Message,
    Process,
    before,
    causal_order,
    d,
    dest,
    e,
    hb,
    initially,
    m,
    may_send,
    n,
    p,
    required_before,
    sender,
)
from .steps import Steps

M, g = Consts("M g", Message)
"""What y sends after the link, and any message."""
TOLD = (*KNOWN, S.pasts.delivered(Y, link, Y))
"""y has delivered the link."""


def true_of(x: z3.ExprRef) -> z3.BoolRef:
    """What copies of x carry is true: they name messages of their past that go to their destination."""
    return ForAll([e, m], Implies(carries(x, e, m), And(hb(m, x), dest(m, e))))


def between(m: z3.ExprRef, d: z3.ExprRef) -> z3.BoolRef:
    """A chain of three, from m to x, to y, to d, has four different processes."""
    return And(m != X, m != Y, d != X, d != Y, m != d)


fact = Function("fact", Process, Process, Bool)
goes = And(m == first(sender(m)), Or(And(d == X, sender(m) != X), And(between(sender(m), d), fact(sender(m), d))))
CHOSEN = (
    ForAll([p], takes_part(p) == And(p != X, p != Y)),
    ForAll([m, d], dest(m, d) == Or(goes, And(m == link, d == Y))),
    *(formula for _, formula in NAMED),
)
"""All but x and y take part, and any facts are chosen: fact(m, d), first(m) goes to d."""


def runs(steps: Steps) -> Iterable[Condition]:
    """Every choice of facts is a run of the script, and any protocol whose copies carry the truth takes its steps."""
    for name, formula in (*ADDRESSED, ("nothing goes to y", none_to_y())):
        yield Condition(f"T8: whatever facts are chosen, {name}", CHOSEN, formula)
    holds = ForAll([p, d], Implies(between(p, d), dest(first(p), d) == fact(p, d)))
    yield Condition("T8: whatever facts are chosen, they hold", CHOSEN, holds)
    _, collects, _, learns = INDUCTION.actions(S, steps)
    for action, at, this in ((collects, X, first(i)), (learns, Y, link)):
        yield Condition(f"T8: {action.name} is possible", (*KNOWN, action.guard, true_of(this)), ready(S, at, this))


def waits_for(steps: Steps) -> Iterable[Condition]:
    """y must know of all first messages, and its copy to d names those that go to d and no others (with Theorem 2)."""
    must = And(is_first(m), dest(m, d), d != X)
    yield Condition("T8: what y must know", TOLD, ForAll([m, d], S.pasts.required(Y, m, d) == must))
    ends = (*TOLD, may_send(S.pasts, Y, M), dest(M, d), d != X, d != Y, constrained(M), true_of(M))
    yield Condition("T8: what the copy to d names", ends, ForAll([m], carries(M, d, m) == And(is_first(m), dest(m, d))))
    asked = And(S.pasts.required(Y, m, d), Not(S.pasts.delivered(d, m, d)), causal_order(S.pasts))
    yield Condition("T8: Theorem 2 applies", (*TOLD, is_first(m), dest(m, d), d != X, d != Y), asked)
    other = (*TOLD, is_first(m), sender(m) != X, sender(m) != Y)
    yield Condition("T8: no chain of one", (*other, sender(M) == Y), Not(before(m, M)))
    yield Condition("T8: no chain of two", (*other, S.pasts.delivered(Y, g, Y)), Not(up_to(m, g)))


Run, Memory = z3.DeclareSort("Run"), z3.DeclareSort("Memory")
r, r1, r2 = Consts("r r1 r2", Run)
facts_of = Function("facts_of", Run, Process, Process, Bool)
"""facts_of(r, m, d): in the run r of the script, first(m) goes to d."""
names = Function("names", Memory, Process, Process, Bool)
"""names(k, d, m): the copy of y to d names first(m), if k is what y knows; it is a function of that."""
link_of, log_of, log_of_x = (Function(name, Run, Memory) for name in ("link_of", "log_of", "log_of_x"))
told_by, learnt = Function("told_by", Memory, Memory), Function("learnt", Memory, Memory)
"""What x tells in the link, and what y, which has received nothing else, knows after it."""
DETERMINED = (
    ForAll([r, p, d], Implies(between(p, d), names(log_of(r), d, p) == facts_of(r, p, d))),
    ForAll([r], And(log_of(r) == learnt(link_of(r)), link_of(r) == told_by(log_of_x(r)))),
)  # fmt: skip
"""The copy to d names what `waits_for` says, in every run."""
DIFFER = (between(p, d), facts_of(r1, p, d), Not(facts_of(r2, p, d)))


def told_apart(name: str, by: Sequence[tuple[str, z3.FuncDeclRef]]) -> Iterable[Condition]:
    """Runs with different facts differ in each of these."""
    for what, of in by:
        yield Condition(f"{name}: different facts, different {what}", (*DETERMINED, *DIFFER), of(r1) != of(r2))


def lost(steps: Steps) -> Iterable[Condition]:
    """In KS, a fact that is not on the link is not in LOG of y after it, nor on any copy that y sends next."""
    s, j, x = ks.some_state(), Const("j", Process), Const("x", Message)

    def has(s: ks.KS, p: z3.ExprRef) -> z3.BoolRef:
        return And(s.entry(p, m), s.D(p, m, d))

    nowhere = (m != x, Not(has(s, j)), Not(And(s.O(x, j, m), s.OD(x, j, m, d))))
    yield Condition("T8: KS, a fact not on a copy is not learnt", nowhere, Not(has(ks.rcv(s, j, x, steps).after, j)))
    after = ks.snd(s, j, x, steps).after
    carried = And(after.O(x, e, m), after.OD(x, e, m, d))
    yield Condition("T8: KS, a fact not in LOG is not sent", (m != x, Not(has(s, j))), Not(carried))


def messages(steps: Steps) -> Iterable[Condition]:
    """Theorem 8: the link has different control information for each set of pairs. Channels may be FIFO."""
    yield from runs(steps)
    yield from necessary(steps)
    yield from waits_for(steps)
    yield from told_apart("T8", (("links", link_of),))
    count = Int("count")
    pairs = (count - 2) * (count - 3)
    yield Condition("T8: the pairs are at least n^2/2 from n = 9 on", (count >= 9,), 2 * pairs >= count * count)
    yield from lost(steps)


def logs(steps: Steps) -> Iterable[Condition]:
    """Corollary 2."""
    yield from messages(steps)
    yield from told_apart("C2", (("logs of y", log_of), ("logs of x", log_of_x)))


def told() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """The end of such a chain, and two runs with different facts."""
    chain = (is_first(m), between(sender(m), d), dest(m, d), may_send(S.pasts, Y, M), dest(M, d))
    small = (few(4)[0], few(3)[1])
    yield "T8: y is told of a fact", (*TOLD, *chain, constrained(M), true_of(M), *small)
    yield "T8: facts may be chosen", (*CHOSEN, between(p, d), fact(p, d), between(p, e), d != e, Not(fact(p, e)))
    yield "T8: facts differ", (*DETERMINED, *DIFFER)


OWN = InductionByLemmas(
    "any protocol, own deliveries",
    ks_constraints.S,
    (*MESSAGES, *((name, formula) for name, formula in ks_constraints.INDUCTION.invariant(ks_constraints.S))),
    lambda s: initially(s.pasts),
    lambda s: [
        (
            "what others sent to a process is delivered there if it is known",
            ForAll([p, m], Implies(And(s.pasts.past(p, m), dest(m, p), sender(m) != p), s.pasts.delivered(p, m, p))),
        )
    ],
    ks_constraints.INDUCTION.actions,
    come_first,
)


def largest(steps: Steps) -> Iterable[Condition]:
    """Facts required of a process at once are of different pairs: none of a process and itself, and none about the
    process but of its own messages. Each other pair has one when x sends the link, if all take part and send to all."""
    required = ks_constraints.S.pasts.required
    known = (*OWN.hypotheses, required(p, m, d))
    yield Condition("KS-22: about the process, only facts of its own messages", known, Or(d != p, sender(m) == p))
    yield Condition("KS-22: one fact of each pair", (*known, required(p, n, d), sender(m) == sender(n)), m == n)
    no_self = ForAll([m], Not(dest(m, sender(m))))
    yield Condition("KS-22: about a sender, none", (*known, no_self), d != sender(m))
    all_to_all = ForAll([p, d], And(takes_part(p), dest(first(p), d) == (p != d)))
    reached = ForAll([p, d], Implies(And(p != d, d != X), required_before(link, first(p), d)))
    yield Condition("KS-22: all others at once", (*KNOWN, S.pasts.sent(link), all_to_all), reached)


def all_at_once() -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    """KS takes the steps of the script: three processes, all of which send to both others; 1 collects and sends on."""
    everyone = (1, 2, 3)
    w = world_of(f1=(1, {2, 3}), f2=(2, {1, 3}), f3=(3, {1, 2}), link=(1, {2}))
    steps = [*(snd(w, a, f"f{a}") for a in everyone), rcv(w, 1, "f2"), rcv(w, 1, "f3"), snd(w, 1, "link")]
    run = run_of(w, steps)
    link, to = w.message("link"), w.process(2)

    def carried(a: int, d: int) -> z3.BoolRef:
        f, at = w.message(f"f{a}"), w.process(d)
        return And(run.state.O(link, to, f), run.state.OD(link, to, f, at))

    pairs = [carried(a, d) for a in everyone for d in (2, 3) if a != d]
    yield "KS-22: KS carries four facts of nine pairs", (*run.formulas, *pairs)


NAMING = "a copy names the messages that its destination waits for, and what it names is true"
DETERMINISTIC = "what a process sends is determined by what it has sent and received"
SOURCE = "Kshemkalyani, Singhal 1998, "
NO_SELF = "no process sends to itself"
CLAIMS: tuple[Claim, ...] = (
    Claim(
        "C-KS-T8",
        SOURCE + "Theorem 8",
        "CO over chains longer than two needs Omega(n^2) control information in messages",
        (INDUCTION,),
        messages,
        told,
        assumptions=(RELIABLE, NO_SELF, NAMING, DETERMINISTIC),
        on_paper=("minimal", "cut", "script", "subsets"),
        formula="at least (n-2)(n-3) bits: on one message, from x to y, any subset of the facts of as many pairs may be"
        " required, and y must name exactly those at the end of a chain of three. Nothing is said of protocols"
        " that tell a destination in another way, such as by numbers, what it has to wait for",
    ),
    Claim(
        "C-KS-C2",
        SOURCE + "Corollary 2",
        "Omega(n^2) in messages and logs for arbitrary chains",
        (INDUCTION,),
        logs,
        told,
        assumptions=(RELIABLE, NO_SELF, NAMING, DETERMINISTIC),
        on_paper=("minimal", "cut", "script", "subsets"),
        formula="at least (n-2)(n-3) bits, in the message and in what x and y store; as for C-KS-T8",
    ),
    Claim(
        "KS-22",
        SOURCE + "Section 7",
        "how many of the n^2 pairs of a sender and a destination can be required at once, and on one message",
        (ks_constraints.INDUCTION, OWN, INDUCTION),
        largest,
        all_at_once,
        assumptions=(RELIABLE, "no process sends to itself, but for the last bound"),
        on_paper=("injection", "script"),
        formula="never n^2: at most (n-1)^2, and all of these at once on the message from x to y; where processes send"
        " to themselves, at most n(n-1)+1",
    ),
)
