"""The hierarchical organisation keeps causal order, and whatever comes first can always move on."""

from __future__ import annotations

from collections.abc import Iterable

import z3
from z3 import And, Const, ForAll, Implies, Not, Or

from . import hierarchical
from .claims import Claim
from .conditions import Condition
from .hierarchical import CLUSTERS, Hierarchical, across, reaches, receive, rep, send, send_itself, up, zone_hb
from .pasts import MESSAGES, Message, Process, before, dest, hb, m, p, sender
from .steps import Action, Steps
from .witnessed import WitnessedInduction

S = hierarchical.some_state()
i, j, r = Const("i", Process), Const("j", Process), Const("r", Process)
M, M1, M2 = Const("M", Message), Const("M1", Message), Const("M2", Message)


def is_known(s: Hierarchical, action: Action) -> list[tuple[str, z3.BoolRef]]:
    """Whatever happened before M is known to the representative that passes it on."""
    if action.name != "passing up":
        return []
    own = ForAll([m], Implies(And(hb(m, M), sender(m) == sender(M)), before(m, M)))
    return [("earlier messages of its sender are earlier", own),
            ("what happened before it is known", ForAll([m], Implies(hb(m, M), s.zone_past(r, m))))]  # fmt: skip


INDUCTION = WitnessedInduction(
    "hierarchical",
    S,
    (*MESSAGES, *CLUSTERS),
    hierarchical.initial,
    hierarchical.invariant,
    lambda s, steps: (
        send(s, i, M, steps),
        send_itself(s, i, M, steps),
        up(s, r, M, steps),
        across(s, r, M, steps),
        receive(s, j, M, steps),
    ),
    is_known,
    small=lambda s: And(ForAll([m], m == M), ForAll([p], Or(p == i, p == j, p == r))),
)
KNOWN = INDUCTION.hypotheses


def safe_and_live(steps: Steps) -> Iterable[Condition]:
    """Causal order in the words of the paper; and the next message on each channel moves."""
    delivered = S.pasts.delivered
    ordered = (*KNOWN, delivered(j, M2, j), hb(M1, M2), dest(M1, j))
    yield Condition("hierarchical: M is delivered before M'", ordered, delivered(j, M1, j))
    first = ForAll([m], Implies(before(m, M), S.passed(m)))
    waiting = (S.pasts.sent(M), Not(S.passed(M)), rep(sender(M)) == r, first)
    noted = hierarchical.remembered(S, r, M)
    yield Condition("hierarchical: the next message goes up", (*KNOWN, *waiting, noted), up(S, r, M).guard)
    due = ForAll([m], Implies(And(zone_hb(m, M), reaches(m, r), rep(sender(m)) != r), S.taken(r, m)))
    waits = (S.passed(M), reaches(M, r), rep(sender(M)) != r, Not(S.taken(r, M)), due)
    yield Condition("hierarchical: what is due among representatives is taken", (*KNOWN, *waits), across(S, r, M).guard)
    due = ForAll([m], Implies(And(S.ahead(rep(j), m, M), dest(m, j)), delivered(j, m, j)))
    copy = (S.down(rep(j), M), dest(M, j), Not(delivered(j, M, j)), due)
    yield Condition("hierarchical: the next copy is delivered", (*KNOWN, *copy), receive(S, j, M).guard)


CLAIMS = (
    Claim("C-KS-SC-HIERARCHICAL", "Kshemkalyani, Singhal 1998, Section 7.1, hierarchical",
          "hierarchical: representatives that keep causal order among them keep it for all; nothing is carried to and "
          "from them", (INDUCTION,), safe_and_live,
          assumptions=(
              "no copy is lost or duplicated",
              "channels between a process and its representative are FIFO",
              "no process sends to itself; every message goes up, and on when it is delivered (KS-30a)",
              "the representatives keep causal order among them, as KS does (C-KS-T4, C-KS-T5)",
          ),
          on_paper=("minimal", "fairness"), steps=hierarchical.LABELS,
          formula="one level of clusters, of any sizes; by using it again among representatives, any number of levels"),
)  # fmt: skip
