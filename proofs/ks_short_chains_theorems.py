"""KS, Lemma 8: with 2n identifiers on a copy, deliveries respect chains of one and of two messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import z3
from z3 import And, Consts, ForAll, Implies

from . import ks_short_chains as short
from .claims import Claim, Refutation
from .concrete_runs import Run, World, started
from .conditions import Condition
from .ks_short_chains import Chains, Reading, had, known_before, up_to
from .lemmas import InductionByLemmas
from .pasts import MESSAGES, Message, Process, before, dest, m
from .steps import ALL_STEPS, Action, Steps

S = short.some_state()
i, j = Consts("i j", Process)
M, M1, link = Consts("M M1 link", Message)
BOTH = Reading(records_column=True)


def come_first(s: Chains, action: Action) -> list[tuple[str, z3.BoolRef]]:
    """What d1 says of a copy that passes it."""
    if action.name != "receive":
        return []
    due = And(known_before(M, m), dest(m, j))
    return [("what must come first is delivered", ForAll([m], Implies(due, s.got(j, m))))]


def induction(name: str, reading: Reading) -> InductionByLemmas[Chains]:
    """Of the algorithm in this reading. Knowledge may come from farther than one hop where columns are recorded."""
    return InductionByLemmas(
        name,
        S,
        MESSAGES,
        short.initial,
        lambda s: short.invariant(s, exact=not reading.records_column),
        lambda s, steps: (short.send(s, i, M, steps, reading), short.receive(s, j, M, steps, reading)),
        come_first,
    )


INDUCTION = induction("chains of two", short.DEFAULT)
COLUMNS = induction("chains of two, columns recorded", BOTH)


def order(known: InductionByLemmas[Chains], name: str) -> Callable[[Steps], Iterable[Condition]]:
    """In the words of the definition: the sender of M has sent M1 before it, or delivered before it a message of the
    sender of M1 that is M1 or later."""

    def conditions(steps: Steps) -> Iterable[Condition]:
        here = (*known.hypotheses, S.got(j, M), dest(M1, j))
        yield Condition(f"{name}: chains of one", (*here, before(M1, M)), S.got(j, M1))
        yield Condition(f"{name}: chains of two", (*here, had(M, link), up_to(M1, link)), S.got(j, M1))

    return conditions


def exact(steps: Steps) -> Iterable[Condition]:
    """Order, and no needless delay: a copy waits only for what must come before it on a chain of at most two."""
    yield from order(INDUCTION, "L8")(steps)
    due = ForAll([m], Implies(And(known_before(M, m), dest(m, j)), S.got(j, m)))
    yield Condition("L8: what is due is ready", (*INDUCTION.hypotheses, short.in_transit(S, j, M), due),
                    short.ready(S, j, M))  # fmt: skip


def run_of(world: World, reading: Reading, steps: Sequence[tuple[str, int, str]]) -> Run[Chains]:
    """The run of these sends and receipts: what is done, the process, the message."""
    run = started(world, S, short.initial)
    for done, process, message in steps:
        move = short.send if done == "send" else short.receive
        at, this = world.process(process), world.message(message)
        run = run.step(lambda s, move=move, at=at, this=this: move(s, at, this, ALL_STEPS, reading))  # type: ignore[misc]
    return run


def without_itself() -> Sequence[Condition]:
    """1 sends a to 2 and 3: the copy to 2 does not say that a goes to 3, to which 2 sends b, delivered before a."""
    w = World(3, {"a": (1, frozenset({2, 3})), "b": (2, frozenset({3}))})
    steps = [("send", 1, "a"), ("receive", 2, "a"), ("send", 2, "b"), ("receive", 3, "b")]
    run = run_of(w, Reading(counts_itself=False), steps)
    return [run.condition("KS-23senda: chains of two", short.ordered(run.state))]


def without_own() -> Sequence[Condition]:
    """1 sends a and b to 2, which delivers b first."""
    w = World(3, {"a": (1, frozenset({2})), "b": (1, frozenset({2}))})
    run = run_of(w, Reading(names_own=False), [("send", 1, "a"), ("send", 1, "b"), ("receive", 2, "b")])
    return [run.condition("KS-23ownb: chains of one", short.ordered(run.state))]


def longer() -> Sequence[Condition]:
    """A chain of three, as in the proof of Theorem 8: a from 1 to 2 and 4, b from 2 to 3, c from 3 to 4, which has
    not received a."""
    w = World(4, {"a": (1, frozenset({2, 4})), "b": (2, frozenset({3})), "c": (3, frozenset({4}))})
    steps = [("send", 1, "a"), ("receive", 2, "a"), ("send", 2, "b"), ("receive", 3, "b"), ("send", 3, "c")]
    run = run_of(w, short.DEFAULT, [*steps, ("receive", 4, "c")])
    return [run.condition("L8 for chains of three", run.state.got(w.process(4), w.message("a")))]


def nothing(steps: Steps) -> Iterable[Condition]:
    """No condition: nothing is repaired."""
    return ()


SCRIPT = Path(__file__).parent / "scripts" / "chain_of_three.txt"
SOURCE = "Kshemkalyani, Singhal 1998, Section 7.1, Lemma 8"
RELIABLE = "no copy is lost or duplicated; channels need not be FIFO"
CHECK = ("chains-two", "--processes", "3", "--property", "C-KS-L8", "--reading")
CLAIMS: tuple[Claim, ...] = (
    Claim(
        "C-KS-L8",
        SOURCE,
        "CO over chains of length two is possible with O(n) identifiers (2n)",
        (INDUCTION,),
        exact,
        assumptions=(RELIABLE,),
        on_paper=("minimal", "fairness"),
        steps=short.LABELS,
        formula="if (1) counts the message that carries it and (2) names the sender's own latest message to j: two"
        " lists with an identifier for each process; a copy waits only for what comes before it on such a chain. What a"
        " process stores is a matrix",
    ),
    Claim(
        "KS-23b",
        SOURCE,
        "j may record its own column as well, by maximum",
        (COLUMNS,),
        order(COLUMNS, "KS-23b"),
        assumptions=(RELIABLE,),
        steps=short.LABELS,
        formula="the order of deliveries; copies may wait for messages that longer chains tell of",
    ),
    Claim(
        "KS-23senda",
        SOURCE,
        "(1) may leave out the message that carries it",
        (),
        nothing,
        refutation=Refutation(without_itself, (*CHECK, "KS-23senda", "--sends", "2"), 4),
        repaired="it counts (KS-23sendb): C-KS-L8",
    ),
    Claim(
        "KS-23ownb",
        SOURCE,
        "(2) may leave out the sender's own latest message to j",
        (),
        nothing,
        refutation=Refutation(without_own, (*CHECK, "KS-23ownb", "--sends", "2", "--dests", "unicast"), 3),
        repaired="it is named (KS-23owna): C-KS-L8",
    ),
    Claim(
        "KS-23three",
        SOURCE,
        "the same identifiers order chains of three messages",
        (),
        nothing,
        refutation=Refutation(longer, ("chains-two", "--scenario", str(SCRIPT), "--property", "CausalOrder"), 6),
        repaired="chains of at most two: C-KS-L8",
    ),
)
