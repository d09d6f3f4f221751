"""Sends under mutual exclusion by a token: what serialised broadcast and serialised multicast have in common.

`time(m)` is the place of m among all messages of the system. What the token carries to a process, or what that process
keeps of it while it holds the token, is put down under the process: while the token moves, it is that of the process to
which it moves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import z3
from z3 import And, ForAll, Function, If, Implies, Not, Or

from .counting import Int, Number, v
from .pasts import Bool, Message, Process, Relation, m, n, p, q

time = Function("time", Message, Int)
"""The first message of the system has 1."""

TIMES = (("no two messages have the same time", ForAll([m, n], Implies(time(m) == time(n), m == n))),)


@dataclass(frozen=True)
class Token:
    """holds(p): p has the token; coming(p): it is on its way to p. turn(p): with the token, how many messages are sent.
    nth(v): the message of that time."""

    holds: Relation
    coming: Relation
    turn: Number
    nth: Callable[..., z3.ExprRef]

    def at(self, p: z3.ExprRef) -> z3.BoolRef:
        """The token is at p or on its way to p."""
        return Or(self.holds(p), self.coming(p))

    def initially(self) -> z3.BoolRef:
        """One process holds the token, and nothing is sent."""
        one = ForAll([p, q], Implies(And(self.holds(p), self.holds(q)), p == q))
        return And(one, ForAll([p], And(Not(self.coming(p)), self.turn(p) == 0)))

    def takes(self, i: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
        """i holds the token, and M is the next message of the system."""
        return And(self.holds(i), time(M) == self.turn(i) + 1)

    def after_send(self, i: z3.ExprRef, M: z3.ExprRef) -> Token:
        """The token just after its holder has sent M."""
        return replace(
            self,
            turn=lambda p: If(p == i, self.turn(i) + 1, self.turn(p)),
            nth=lambda v: If(v == self.turn(i) + 1, M, self.nth(v)),
        )

    def passed(self, i: z3.ExprRef, j: z3.ExprRef) -> Token:
        """m1: the token just after i has passed it on to j."""
        return replace(
            self,
            holds=lambda p: And(self.holds(p), p != i),
            coming=lambda p: Or(self.coming(p), p == j),
            turn=lambda p: If(p == j, self.turn(i), self.turn(p)),
        )

    def taken(self, j: z3.ExprRef) -> Token:
        """m2: the token just after j has taken it."""
        return replace(self, holds=lambda p: Or(self.holds(p), p == j), coming=lambda p: And(self.coming(p), p != j))

    def facts(self, sent: Relation) -> list[tuple[str, z3.BoolRef]]:
        """There is at most one token, and it has the times of all messages."""
        vth = self.nth(v)
        return [
            ("there is one token",
             ForAll([p, q], Implies(And(self.at(p), self.at(q)), p == q))),
            ("the token does not move to its holder", ForAll([p], Not(And(self.holds(p), self.coming(p))))),
            ("the token counts all messages",
             ForAll([p, m], Implies(And(self.at(p), sent(m)), And(time(m) >= 1, time(m) <= self.turn(p))))),
            ("the token counts nothing else",
             ForAll([p, v], Implies(And(self.at(p), v >= 1, v <= self.turn(p)), And(sent(vth), time(vth) == v)))),
            ("times start at 1", ForAll([m], Implies(sent(m), time(m) >= 1))),
            ("no time is left out",
             ForAll([m, v], Implies(And(sent(m), v >= 1, v <= time(m)), And(sent(vth), time(vth) == v)))),
            ("turns are not negative", ForAll([p], self.turn(p) >= 0)),
        ]  # fmt: skip


def some_token() -> Token:
    """Any token."""
    return Token(
        Function("holds", Process, Bool),
        Function("coming", Process, Bool),
        Function("turn", Process, Int),
        Function("nth_sent", Int, Message),
    )
