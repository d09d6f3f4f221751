"""Theorem 2 of Kshemkalyani and Singhal fact by fact (KS-33), and minimality as optimisation.

For a past of a state or of a copy, which is the *holder*, with everyone else as the Propagation Constraints want it:

- a set of facts is *enough* if the observer, with these in place of the holder's, delivers nothing against causal order
  in any continuation with at most so many more sends;
- of all sets that are enough, `z3.Optimize` finds a smallest one, and whether it is the only one;
- for each fact of it, Z3 finds a shortest continuation that ends against causal order when the fact alone is missing;
- the fact is *indistinguishable* when there is a continuation with a twin (`minimal_continuations`): then no algorithm
  at all that sees only the remaining facts does what is right. Otherwise whoever receives the copy has the fact itself,
  and would be safe if it kept what it has, at the price of facts that are not required.

More facts never add deliveries. So what stops a continuation is a set of facts each of which stops it alone, and a set
is enough just when it has one of these for each continuation: the smallest sets are found by asking for continuations
of the smallest set that is not refuted yet. Each continuation that Z3 finds is executed by the observer as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import z3

from .minimal_continuations import Continuations
from .minimal_cut import Cut, Fact, Facts, Move, Observer


@dataclass(frozen=True)
class Dropped:
    """A shortest continuation that ends against causal order without this fact; `indistinguishable`: one has a twin."""

    fact: Fact
    continuation: tuple[Move, ...]
    indistinguishable: bool


@dataclass(frozen=True)
class Optimum:
    """A smallest set that is enough, whether there is no other one, and what follows without each of its facts."""

    facts: Facts
    is_unique: bool
    dropped: tuple[Dropped, ...]
    questions: int
    """Continuations that Z3 was asked for."""


@dataclass
class Holder:
    """A past with its continuations of at most `sends` more sends."""

    cut: Cut
    sends: int

    def __post_init__(self) -> None:
        self._continuations = Continuations(self.cut, self.sends)
        self._questions = 0

    def violating(self, facts: Facts, *, twin: bool = False, shortest: bool = False) -> tuple[Move, ...] | None:
        """A continuation against causal order where the holder has these facts, or None. Raises AssertionError where
        Z3 and the observer disagree."""
        self._questions += 1
        found = self._continuations.violating(facts, twin=twin, shortest=shortest)
        if found is None:
            return None
        if Observer(self.cut, facts).violates(found.moves) is not True:
            raise AssertionError(f"the observer does not do what Z3 found: {found.moves}")
        if found.twin and not is_twin(self.cut, found.twin, facts, found.moves):
            raise AssertionError(f"this is no twin: {found.twin} of {self.cut}")
        return found.moves

    def optimum(self) -> Optimum:
        """The smallest sets of facts that are enough."""
        optimizer = z3.Optimize()
        chosen = {fact: z3.Bool(str(fact)) for fact in self.cut.possible}
        optimizer.minimize(z3.Sum([z3.If(bit, 1, 0) for bit in chosen.values()]) if chosen else z3.IntVal(0))
        smallest = self._smallest(optimizer, chosen)
        if smallest is None:
            raise AssertionError(f"no set of facts keeps causal order after {self.cut}")
        optimizer.add(z3.Or(*(bit != (fact in smallest) for fact, bit in chosen.items())))
        optimizer.add(z3.AtMost(*chosen.values(), len(smallest)) if chosen else z3.BoolVal(False))
        other = self._smallest(optimizer, chosen)
        dropped = tuple(self._without(fact, smallest) for fact in sorted(smallest))
        return Optimum(smallest, other is None, dropped, self._questions)

    def _smallest(self, optimizer: z3.Optimize, chosen: dict[Fact, z3.BoolRef]) -> Facts | None:
        """The smallest set that the optimizer allows and that is enough; None if there is none."""
        while optimizer.check() == z3.sat:
            model = optimizer.model()
            facts = frozenset(fact for fact, bit in chosen.items() if z3.is_true(model.eval(bit)))
            found = self.violating(facts)
            if found is None:
                return facts
            optimizer.add(z3.Or(*(chosen[fact] for fact in self._stops(found, facts))))
        return None

    def _stops(self, continuation: Iterable[Move], facts: Facts) -> list[Fact]:
        """The facts that, added to these, stop the continuation before it goes wrong."""
        moves = tuple(continuation)
        more = [fact for fact in self.cut.possible if fact not in facts]
        return [fact for fact in more if Observer(self.cut, facts | {fact}).violates(moves) is None]

    def _without(self, fact: Fact, facts: Facts) -> Dropped:
        rest = facts - {fact}
        found = self.violating(rest, shortest=True)
        if found is None:
            raise AssertionError(f"{fact} is part of a smallest set and can be dropped")
        return Dropped(fact, found, self.violating(rest, twin=True) is not None)


def is_twin(cut: Cut, twin: Cut, facts: Facts, moves: Iterable[Move]) -> bool:
    """Whether `facts` are required of the holder in the twin, nobody who acts and no copy that is received has other
    facts in it, nor other destinations, and all of the continuation is right there."""
    moves = tuple(moves)
    acting = {move.process for move in moves} - ({cut.at} if cut.copy is None else set())
    received = {(m.taken, m.process) for m in moves if m.taken in cut.sent}
    copies = [(name, d) for name, d in received if name is not None]
    same = all(cut.required_at(p) == twin.required_at(p) for p in acting)
    same = same and all(cut.sent[name].dests == twin.sent[name].dests for name, _ in copies)
    same = same and all(cut.required_on(c) == twin.required_on(c) for c in copies if c != cut.copy)
    return same and twin.required == facts and Observer(twin, facts).violates(moves) is False
