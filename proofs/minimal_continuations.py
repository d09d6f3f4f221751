"""Continuations of a cut, as formulas: what follows if the holder has these facts, and is it against causal order?

Unknown are the steps, and the facts of the holder. `twin` asks in addition for a second run before the cut, with the
same events, in which some destinations were not addressed: everyone who acts, and every copy that is received, has the
same facts and the same messages in both runs, the holder has its facts in this one *because they are what is required*,
and the last delivery is right. Then whoever sees no more than facts cannot do what is right in both runs: to deliver is
wrong in the one, and in the other there is nothing to wait for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import NamedTuple

import z3

from .bounded.booleans import Bit, both, but, chosen, conj, disj, either, implies, neg, same
from .minimal_cut import Copy, Cut, Fact, Facts, Move, Name

Row = dict[Fact, Bit]


class Continuation(NamedTuple):
    """The steps, and the other run that looks the same, where one was asked for."""

    moves: tuple[Move, ...]
    twin: Cut | None


@dataclass
class Moment:
    """Everything after some steps: what processes know of, their facts, what is delivered, what new copies carry."""

    known: dict[tuple[int, Name], Bit]
    facts: dict[tuple[int, Fact], Bit]
    delivered: dict[Fact, Bit]
    is_sent: dict[Name, Bit]
    dests: dict[Fact, Bit]
    carried_known: dict[tuple[Name, Name], Bit]
    """(new message, known before it)."""
    carried: dict[tuple[Copy, Fact], Bit]


class Continuations:
    """The continuations of a cut with at most `sends` more messages: all of them, since each copy is received once."""

    def __init__(self, cut: Cut, sends: int) -> None:
        self.cut = cut
        self.solver = z3.Solver()
        self.new: list[Name] = [(0, number) for number in range(1, sends + 1)]
        """Messages to come, by the order of their sends."""
        self.messages: list[Name] = [*sorted(cut.sent), *self.new]
        self.all_facts: list[Fact] = [(m, d) for m in self.messages for d in self._addressable(m)]
        self.held: dict[Fact, Bit] = {fact: z3.Bool(f"F{fact}") for fact in cut.possible}
        self.steps = sends + len(cut.in_transit) + sends * (cut.processes - 1)
        self.acts: list[dict[Move, Bit]] = []
        self.violated: list[Bit] = []
        self.twin = z3.Bool("twin")
        self.other = {(m, d): z3.Bool(f"to{m}{d}") for m in cut.sent for d in cut.sent[m].dests}
        """Whom the twin addresses."""
        self._moves = [*self._sends(), *self._receipts()]
        self._unroll()

    def violating(self, facts: Facts, *, twin: bool = False, shortest: bool = True) -> Continuation | None:
        """A continuation that ends against causal order where the holder has `facts`, and its twin if asked for; None
        if there is none."""
        assumed = [bit if fact in facts else z3.Not(bit) for fact, bit in self.held.items()]
        assumed.append(self.twin if twin else z3.Not(self.twin))
        if not shortest:
            return self._found([*assumed, disj(self.violated)], self.steps, twin)
        for length in range(1, self.steps + 1):
            if (found := self._found([*assumed, self.violated[length - 1]], length, twin)) is not None:
                return found
        return None

    def _found(self, assumed: list[Bit], most: int, twin: bool) -> Continuation | None:
        if any(bit is False for bit in assumed):
            return None
        self.solver.push()
        self.solver.add(*assumed)
        answer = self.solver.check()
        model = self.solver.model() if answer == z3.sat else None
        self.solver.pop()
        if answer == z3.unknown:
            raise RuntimeError("Z3 does not decide a question without quantifiers")
        if model is None:
            return None
        return Continuation(tuple(self._read(model, most)), self._read_twin(model) if twin else None)

    def _read_twin(self, model: z3.ModelRef) -> Cut:
        """The twin as a run: of each message the destinations that it keeps."""
        sends = (
            (m, replace(sending, dests=frozenset(d for d in sending.dests if _true(model, self.other[m, d]))))
            for m, sending in self.cut.sends
        )
        return replace(self.cut, sends=frozenset(sends))

    def _read(self, model: z3.ModelRef, most: int) -> Iterator[Move]:
        """The steps up to the first violation, with the new messages named as the observer will name them."""
        names: dict[Name, Name] = {}
        count = {p: sum(m[0] == p for m in self.cut.sent) for p in self.cut.everyone}
        for step in range(most):
            move = next(move for move, bit in self.acts[step].items() if _true(model, bit))
            if move.taken is None:
                count[move.process] += 1
                names[self.new[len(names)]] = move.process, count[move.process]
                yield move
            else:
                yield Move(move.process, taken=names.get(move.taken, move.taken))
            if _true(model, self.violated[step]):
                return

    def _addressable(self, m: Name) -> list[int]:
        return sorted(self.cut.sent[m].dests) if m in self.cut.sent else list(self.cut.everyone)

    def _sends(self) -> Iterator[Move]:
        for p in self.cut.everyone:
            others = [d for d in self.cut.everyone if d != p]
            sets = chain.from_iterable(combinations(others, size) for size in range(1, len(others) + 1))
            yield from (Move(p, frozenset(dests)) for dests in sets)

    def _receipts(self) -> Iterator[Move]:
        yield from (Move(d, taken=m) for m, d in self.cut.in_transit)
        yield from (Move(d, taken=m) for m in self.new for d in self.cut.everyone)

    def _start(self) -> Moment:
        cut = self.cut
        required = {p: cut.required_at(p) for p in cut.everyone}
        facts: dict[tuple[int, Fact], Bit] = {(p, f): f in required[p] for p in cut.everyone for f in self.all_facts}
        carried = {(c, f): f in on for c in cut.in_transit for on in (cut.required_on(c),) for f in self.all_facts}
        for fact, bit in self.held.items():
            if cut.copy is None:
                facts[cut.at, fact] = bit
            else:
                carried[cut.copy, fact] = bit
        known = {(p, m): m in cut.known_at(p) for p in cut.everyone for m in self.messages}
        delivered = {f: f in cut.delivered for f in self.all_facts}
        before = {(x, m): x in cut.sent and m in cut.sent[x].known for x in self.messages for m in self.messages}
        dests = {(m, d): m in cut.sent for m, d in self.all_facts}
        return Moment(known, facts, delivered, dict.fromkeys(self.new, False), dests, before, carried)

    def _unroll(self) -> None:
        now = self._start()
        over: Bit = False
        self.solver.add(*self._twin_is_a_run())
        for step in range(self.steps):
            acts = {move: z3.Bool(f"{step}:{number}") for number, move in enumerate(self._moves)}
            bits = list(acts.values())
            self.solver.add(z3.AtMost(*bits, 1))
            some = disj(bits)
            if step:
                self.solver.add(implies(some, disj(list(self.acts[-1].values()))), implies(over, neg(some)))
                self.solver.add(*self._ordered(self.acts[-1], acts))
            self.acts.append(acts)
            now, wrong = self._after(now, acts)
            self.violated.append(wrong)
            over = either(over, wrong)

    def _ordered(self, before: dict[Move, Bit], after: dict[Move, Bit]) -> Iterator[Bit]:
        """A receipt is not followed by a step of another process that is listed before it: the two can be exchanged."""
        for place, move in enumerate(self._moves):
            if move.taken is not None:
                exchanged = [after[earlier] for earlier in self._moves[:place] if earlier.process != move.process]
                yield implies(before[move], neg(disj(exchanged)))

    def _after(self, now: Moment, acts: dict[Move, Bit]) -> tuple[Moment, Bit]:
        """The next moment, and whether the step is a delivery against causal order."""
        then = Moment(*(dict(part) for part in vars(now).values()))
        sends = {m: a for m, a in acts.items() if m.taken is None}
        self._send(now, then, sends)
        wrong: list[Bit] = []
        for move, act in acts.items():
            if move.taken is not None:
                wrong.append(self._receive(now, then, move, move.taken, act))
        return then, disj(wrong)

    def _send(self, now: Moment, then: Moment, sends: dict[Move, Bit]) -> None:
        some = disj(list(sends.values()))
        self.solver.add(implies(some, neg(conj(list(now.is_sent.values())))))
        self.solver.add(*(implies(act, self._same_state(move.process)) for move, act in sends.items()))
        of = {p: disj([a for move, a in sends.items() if move.process == p]) for p in self.cut.everyone}
        to = {(p, d): disj([a for move, a in sends.items() if move.process == p and d in move.dests])
              for p in self.cut.everyone for d in self.cut.everyone}  # fmt: skip
        for p in self.cut.everyone:
            for f in self.all_facts:
                then.facts[p, f] = but(then.facts[p, f], to[p, f[1]])
        for place, x in enumerate(self.new):
            next_one = but(now.is_sent[self.new[place - 1]] if place else True, now.is_sent[x])
            then.is_sent[x] = either(now.is_sent[x], both(some, next_one))
            for p in self.cut.everyone:
                sent = both(of[p], next_one)
                then.known[p, x] = either(then.known[p, x], sent)
                for m in self.messages:
                    then.carried_known[x, m] = either(then.carried_known[x, m], both(sent, now.known[p, m]))
                for d in self.cut.everyone:
                    addressed = both(to[p, d], next_one)
                    then.dests[x, d] = either(then.dests[x, d], addressed)
                    then.facts[p, (x, d)] = either(then.facts[p, (x, d)], addressed)
                    for f in self.all_facts:
                        reduced = but(now.facts[p, f], False if f[1] == d else to[p, f[1]])
                        was = then.carried.get(((x, d), f), False)
                        then.carried[(x, d), f] = either(was, both(addressed, reduced))

    def _receive(self, now: Moment, then: Moment, move: Move, x: Name, act: Bit) -> Bit:
        at = move.process
        copy = x, at
        there = {f: now.carried.get((copy, f), False) for f in self.all_facts}
        to_here = [m for m in self.messages if (m, at) in self.other or m in self.new]
        ready = conj([implies(there[m, at], now.delivered[m, at]) for m in to_here if (m, at) in there])
        on_way = but(now.dests[copy], now.delivered[copy])
        self.solver.add(implies(act, both(on_way, ready)), implies(act, self._same_state(at)))
        if x in self.cut.sent:
            self.solver.add(implies(act, self._same_copy(copy)))
        known = {m: True if m == x else now.carried_known[x, m] for m in self.messages}
        behind = [m for m in to_here if m != x]
        wrong = disj([conj([known[m], now.dests[m, at], neg(now.delivered[m, at])]) for m in behind])
        wrong = both(act, wrong)
        for m in behind:
            if m in self.cut.sent:  # in the twin, the wrong delivery is right
                needed = conj([known[m], self.other[m, at], neg(now.delivered[m, at])])
                self.solver.add(implies(both(self.twin, wrong), neg(needed)))
        then.delivered[copy] = either(now.delivered[copy], act)
        for m in self.messages:
            then.known[at, m] = either(then.known[at, m], both(act, known[m]))
        for f in self.all_facts:
            theirs: Bit = False if f[1] == at else now.dests[f] if f[0] == x else there[f]
            ours = now.facts[at, f]
            lasts = both(either(ours, neg(now.known[at, f[0]])), either(theirs, neg(known[f[0]])))
            then.facts[at, f] = chosen(act, both(lasts, either(ours, theirs)), then.facts[at, f])
        return wrong

    def _twin_is_a_run(self) -> Iterator[Bit]:
        """What was delivered was addressed in the twin too, and the holder has what is required in the twin."""
        cut = self.cut
        yield from (self.other[fact] for fact in cut.delivered)
        if cut.copy is None:
            required = self._required(cut.known_at(cut.at), cut.delivered_known_at(cut.at))
        else:
            required = self._on_copy(cut.copy)
        yield from (implies(self.twin, same(required.get(fact, False), bit)) for fact, bit in self.held.items())

    def _required(self, known: frozenset[Name], delivered: frozenset[Fact]) -> Row:
        """The facts required in the twin."""
        row = {}
        for m in known:
            for d in self.cut.sent[m].dests:
                later = [self.other[n, d] for n in known if (n, d) in self.other and m in self.cut.sent[n].known]
                row[m, d] = but(self.other[m, d], either((m, d) in delivered, disj(later)))
        return row

    def _on_copy(self, copy: Copy) -> Row:
        sending = self.cut.sent[copy[0]]
        return {f: bit for f, bit in self._required(sending.known, sending.delivered).items()
                if f[1] not in sending.dests - {copy[1]}}  # fmt: skip

    def _same_state(self, p: int) -> Bit:
        """Process p has the same facts in the twin, unless it is the holder."""
        if self.cut.copy is None and p == self.cut.at:
            return True
        row, required = self._required(self.cut.known_at(p), self.cut.delivered_known_at(p)), self.cut.required_at(p)
        return implies(self.twin, conj([same(bit, f in required) for f, bit in row.items()]))

    def _same_copy(self, copy: Copy) -> Bit:
        """The copy has the same destinations in the twin and, unless it is the holder, the same facts."""
        sending, required = self.cut.sent[copy[0]], self.cut.required_on(copy)
        row = {} if copy == self.cut.copy else self._on_copy(copy)
        equal = [same(bit, f in required) for f, bit in row.items()]
        return implies(self.twin, conj([*equal, *(self.other[copy[0], d] for d in sending.dests)]))


def _true(model: z3.ModelRef, bit: Bit) -> bool:
    return bit if isinstance(bit, bool) else z3.is_true(model.eval(bit, model_completion=True))
