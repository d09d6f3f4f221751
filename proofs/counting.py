"""Places of messages, for algorithms that count: in the channel from the sender to a destination, or among all messages
of the sender.

`index(m, d)` and `number(m)` are given of messages. `count` is how many there are, and `nth` the message of a place;
both are ghosts that a send computes, so that "the first v messages" needs no argument about finite sets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import z3
from z3 import And, Consts, ForAll, Function, If, Implies, IntSort

from .pasts import Message, Process, Relation, before, d, dest, m, n, sender

Int = IntSort()
a = Consts("a", Process)[0]
v = z3.Const("v", Int)
Number = Callable[..., z3.ArithRef]

index = Function("index", Message, Process, Int)
"""index(m, d): m is that message of its sender to d; the first is 1."""
number = Function("number", Message, Int)
"""number(m): m is that message of its sender; the first is 1."""

INDICES = (
    ("a channel's messages are ordered as their sender's",
     ForAll([m, n, d], Implies(And(before(m, n), dest(m, d), dest(n, d)), index(m, d) < index(n, d)))),
)  # fmt: skip
NUMBERS = (
    ("a sender's messages are numbered in their order",
     ForAll([m, n], before(m, n) == And(sender(m) == sender(n), number(m) < number(n)))),
)  # fmt: skip


def larger(left: z3.ArithRef, right: z3.ArithRef) -> z3.ArithRef:
    """The maximum."""
    return If(left >= right, left, right)


@dataclass(frozen=True)
class Channels:
    """count(a, d): messages sent from a to d; nth(a, d, v): the v-th of them."""

    count: Number
    nth: Callable[..., z3.ExprRef]

    def initially(self) -> z3.BoolRef:
        """Nothing is sent."""
        return ForAll([a, d], self.count(a, d) == 0)

    def takes(self, i: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
        """M is the next message from i in each of its channels."""
        return ForAll([d], Implies(dest(M, d), index(M, d) == self.count(i, d) + 1))

    def after_send(self, i: z3.ExprRef, M: z3.ExprRef) -> Channels:
        """The channels just after i has sent M."""
        return Channels(
            lambda a, d: If(And(a == i, dest(M, d)), self.count(a, d) + 1, self.count(a, d)),
            lambda a, d, v: If(And(a == i, dest(M, d), v == self.count(a, d) + 1), M, self.nth(a, d, v)),
        )

    def facts(self, sent: Relation) -> list[tuple[str, z3.BoolRef]]:
        """The messages sent have the places from 1 to count."""
        vth = self.nth(a, d, v)
        return [
            ("messages of a channel have a place",
             ForAll([m, d], Implies(And(sent(m), dest(m, d)),
                                    And(index(m, d) >= 1, index(m, d) <= self.count(sender(m), d))))),
            ("no place is empty",
             ForAll([a, d, v], Implies(And(v >= 1, v <= self.count(a, d)),
                                       And(sent(vth), dest(vth, d), sender(vth) == a, index(vth, d) == v)))),
        ]  # fmt: skip


@dataclass(frozen=True)
class Senders:
    """count(a): messages sent by a; nth(a, v): the v-th of them."""

    count: Number
    nth: Callable[..., z3.ExprRef]

    def initially(self) -> z3.BoolRef:
        """Nothing is sent."""
        return ForAll([a], self.count(a) == 0)

    def takes(self, i: z3.ExprRef, M: z3.ExprRef) -> z3.BoolRef:
        """M is the next message of i."""
        return number(M) == self.count(i) + 1

    def after_send(self, i: z3.ExprRef, M: z3.ExprRef) -> Senders:
        """The numbers just after i has sent M."""
        return Senders(
            lambda a: If(a == i, self.count(a) + 1, self.count(a)),
            lambda a, v: If(And(a == i, v == self.count(a) + 1), M, self.nth(a, v)),
        )

    def facts(self, sent: Relation) -> list[tuple[str, z3.BoolRef]]:
        """The messages sent have the numbers from 1 to count."""
        vth = self.nth(a, v)
        return [
            ("messages have a number",
             ForAll([m], Implies(sent(m), And(number(m) >= 1, number(m) <= self.count(sender(m)))))),
            ("no number is left out",
             ForAll([a, v], Implies(And(v >= 1, v <= self.count(a)),
                                    And(sent(vth), sender(vth) == a, number(vth) == v)))),
        ]  # fmt: skip


def some_channels() -> Channels:
    """Any channels."""
    return Channels(Function("count", Process, Process, Int), Function("nth", Process, Process, Int, Message))


def some_senders() -> Senders:
    """Any numbers."""
    return Senders(Function("sends", Process, Int), Function("nth_of", Process, Int, Message))
