"""KS, Theorem 8, Corollary 2, Lemma 8: the runs of the proofs are carried out, and the proofs depend on their parts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

import pytest
import z3
from runs import calls_of
from tied import SMALL, Tie, all_moves, first_difference, forgetful, start, updates, walks

from precede.checker.bounds import Bounds
from precede.checker.cli import run as command
from precede.checker.result import ReceiveEvent, SendEvent
from precede.checker.run import Run
from precede.checker.scenario import parse_scenario, scripted_bounds
from precede.models import Message
from precede.models.ks import KS
from precede.proofs import ks_chains, ks_chains_theorems
from precede.proofs import ks_short_chains as short
from precede.proofs.conditions import Condition, decide
from precede.proofs.ks_chains_theorems import TOLD, true_of
from precede.proofs.pasts import may_send
from precede.proofs.steps import Steps

X, Y = 1, 2
"""The process that collects, and the one that it tells."""


# The runs of Theorem 8, carried out by the Python model.


def everyone(n):
    """All send to all others: the facts of the most pairs."""
    return {p: set(range(1, n + 1)) - {p} for p in range(1, n + 1)}


def ends_of_three(n):
    """All pairs of which a chain of three may tell: nothing goes to y."""
    others = set(range(3, n + 1))
    return {p: {X} | others - {p} for p in others}


def text_of(n, firsts):
    """The scenario."""
    lines = [f"f{p}: {p} -> {', '.join(map(str, sorted(to)))}" for p, to in firsts.items()]
    collected = ", ".join(f"f{p}" for p in firsts if p != X)
    return "\n".join((f"processes {n}", *lines, f"link: {X} -> {Y} after {collected}"))


def carried_out(n, firsts, self_addressed="forbidden"):
    """The run of the script up to the link, and the packet of the link."""
    scenario = parse_scenario(text_of(n, firsts), "chains")
    bounds = scripted_bounds(scenario, Bounds(self_addressed=self_addressed))
    run = Run(calls_of("ks", bounds), bounds, scenario)
    for p, to in firsts.items():
        run.apply(SendEvent(p, frozenset(to)))
    for p in firsts:
        if p != X:
            run.apply(ReceiveEvent(X, (p, 1)))
    (transit,) = run.apply(SendEvent(X, frozenset({Y}))).transmitted
    return run, transit.packet


def pairs(facts):
    """Sender and destination of each."""
    return sorted((sender, d) for (sender, _), d in facts)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_all_pairs_but_those_about_the_collector_are_required_at_once_and_not_n_squared(n):
    run, packet = carried_out(n, everyone(n))
    all_others = [(p, d) for p in range(1, n + 1) for d in range(1, n + 1) if p != d != X]
    assert pairs(KS().packet_facts(packet)) == all_others
    assert len(all_others) == (n - 1) ** 2 == KS().control_units(packet)
    before = pairs(f for f in KS().state_facts(run.states[X]) if f[1] != Y)
    assert before == [(p, d) for p, d in all_others if d != Y], "the link covers those about y in LOG of x"


@pytest.mark.parametrize("n", [3, 4])
def test_with_own_copies_in_the_network_there_are_more_and_still_not_n_squared(n):
    _, packet = carried_out(n, {p: set(range(1, n + 1)) for p in range(1, n + 1)}, "network")
    assert len(KS().packet_facts(packet)) == n * (n - 1) + 1


@pytest.mark.parametrize("n", [4, 5])
def test_each_fact_at_the_end_of_a_chain_of_three_is_on_the_link(n):
    _, packet = carried_out(n, ends_of_three(n))
    assert len(KS().packet_facts(packet)) == (n - 2) * (n - 3)


def test_any_subset_of_the_facts_of_five_processes_may_be_on_the_link():
    others, seen = (3, 4, 5), set()
    ends = [(p, d) for p in others for d in others if p != d]
    chosen = [set(some) for size in range(7) for some in combinations(ends, size)]
    for facts in chosen:
        _, packet = carried_out(5, {p: {X} | {d for q, d in facts if q == p} for p in others})
        assert set(pairs(KS().packet_facts(packet))) == facts
        seen.add(packet.control)
    assert len(seen) == len(chosen) == 2**6


def ended(n, firsts, m, d, missing=()):
    """The end of the chain of three from m to d: whether d, which has delivered the first messages to it but m's, takes
    the last one before that of m. `missing` are facts left out of the link."""
    run, packet = carried_out(n, firsts)
    O_M = frozenset((mt, frozenset(e for e in D if (mt[0], e) not in missing)) for mt, D in packet.control)
    at_y = KS().receive(run.states[Y], packet._replace(control=O_M))[0].state
    (last,) = KS().send(at_y, Message(Y, 1, frozenset({d}))).packets
    for p, to in firsts.items():
        if d in to and p != m:
            run.apply(ReceiveEvent(d, (p, 1)))
    return KS().receive(run.states[d], last) is not None


@pytest.mark.parametrize("n", [4, 5])
def test_without_any_one_fact_a_chain_of_three_is_violated(n):
    firsts = ends_of_three(n)
    ends = [(m, d) for m, to in firsts.items() for d in to if d != X]
    assert [ended(n, firsts, m, d) for m, d in ends] == [False] * len(ends)
    assert [ended(n, firsts, m, d, {(m, d)}) for m, d in ends] == [True] * len(ends)
    assert not any(ended(n, firsts, m, d, {(q, e)}) for m, d in ends for q, e in ends if (q, e) != (m, d))


@pytest.mark.parametrize(("n", "firsts"), [(3, everyone(3)), (4, ends_of_three(4))], ids=["all pairs", "chains"])
def test_every_run_of_the_script_keeps_causal_order(n, firsts, tmp_path, capsys):
    script = tmp_path / "chains.txt"
    script.write_text(text_of(n, firsts))
    assert command(["check", "ks", "--scenario", str(script), "--json", "-"]) == 0
    assert {p["verdict"] for p in json.loads(capsys.readouterr().out)["properties"].values()} == {"holds"}


@pytest.mark.parametrize("n", [4, 5])
def test_of_these_runs_a_number_for_each_destination_would_tell_enough(n):
    """What Theorem 8 does not exclude. The link tells how many first messages go to each d, and y passes it on; d takes
    the last message when it has delivered so many first messages. It is right in all runs, and there are fewer
    different links than sets of facts."""
    others = range(3, n + 1)
    ends = [(p, d) for p in others for d in others if p != d]
    links = set()
    for chosen in product((False, True), repeat=len(ends)):
        facts = {end for end, here in zip(ends, chosen, strict=True) if here}
        told = {d: len({p for p, e in facts if e == d}) for d in others}
        links.add(tuple(told.values()))
        for d in others:
            to_d = {p for p, e in facts if e == d}
            arrived = [set(some) for size in range(n) for some in combinations(to_d, size)]
            assert all((len(some) == told[d]) == (some == to_d) for some in arrived)
    assert len(links) == (n - 2) ** (n - 2) and (n == 4 or len(links) < 2 ** len(ends))


# The proofs of Theorem 8 depend on their parts.


def proved(conditions):
    return all(decide(condition, seconds=3).verdict == "proved" for condition in conditions)


@pytest.mark.parametrize("part", ["collected", "all_sent"])
def test_without_a_part_of_the_script_its_runs_are_not_known(part, monkeypatch):
    monkeypatch.setattr(ks_chains, part, lambda s: z3.BoolVal(True))
    assert not proved(ks_chains.INDUCTION.conditions())


def without(condition, *left_out):
    kept = tuple(h for h in condition.hypotheses if not any(h.eq(one) for one in left_out))
    assert len(kept) == len(condition.hypotheses) - len(left_out)
    return Condition(condition.name, kept, condition.goal)


@cache
def condition_of(name):
    return next(c for c in ks_chains_theorems.logs(Steps()) if c.name == name)


@pytest.mark.parametrize(
    ("name", "left_out"),
    [
        ("T8: what y must know", TOLD[-1]),
        ("T8: what the copy to d names", true_of(ks_chains_theorems.M)),
        ("T8: what the copy to d names", ks_chains_theorems.constrained(ks_chains_theorems.M)),
        ("T8: what the copy to d names", may_send(ks_chains.S.pasts, ks_chains.Y, ks_chains_theorems.M)),
        ("T8: different facts, different links", ks_chains_theorems.DETERMINED[0]),
        ("T8: different facts, different links", ks_chains_theorems.DETERMINED[1]),
        ("C2: different facts, different logs of x", ks_chains_theorems.DETERMINED[1]),
        ("T8: the delivery of link is possible", true_of(ks_chains.link)),
    ],
)
def test_a_condition_needs_what_it_says(name, left_out):
    assert proved([condition_of(name)])
    assert not proved([without(condition_of(name), left_out)])


def test_a_first_message_to_y_would_have_to_come_first():
    guard = next(f for name, f in ks_chains.script(ks_chains.S) if name.startswith("y delivers the link when"))
    assert not proved([without(condition_of("T8: what y must know"), guard)])


@pytest.mark.parametrize(
    ("name", "place"),
    [("KS-22: about the process, only facts of its own messages", -2), ("KS-22: about a sender, none", -1)],
)
def test_the_bound_needs_what_it_says(name, place):
    condition = next(c for c in ks_chains_theorems.largest(Steps()) if c.name == name)
    assert proved([condition]) and not proved([without(condition, condition.hypotheses[place])])


# Lemma 8: the symbolic system is the Python model.


@dataclass(frozen=True, eq=False)
class Number:
    """A number on a copy, of a message of the sender of the copy."""

    number: int

    def __eq__(self, other):
        return self.number == other[1]

    def __hash__(self):
        raise TypeError


def known(past, p):
    """(m): p has sent it, or delivered it or a later message of its sender, in a past of p."""
    reached = {}
    for (sender, number), d in past.delivered:
        if d == p:
            reached[sender] = max(number, reached.get(sender, 0))
    return lambda m: (m[0] == p and m in {s.id for s in past.sent}) or m[1] <= reached.get(m[0], 0)


def one_hop(history):
    here, sends = history.pasts, history.sends
    return {
        "got": lambda p, m: (m, p) in here[p].delivered,
        "known": lambda p, m: known(here[p], p)(m),
        "known_before": lambda x, m: known(sends[x].past, x[0])(m),
        "had": lambda x, g: (g, x[0]) in sends[x].past.delivered,
    }


TIE = Tie(
    "chains-two", short.some_state(), short.send, short.receive,
    stored={
        "latest": lambda s, a, d: (a, s.latest[a - 1][d - 1]),
        "has_latest": lambda s, a, d: s.latest[a - 1][d - 1] > 0,
        "SR": lambda s, a: (a, s.SR[a - 1]),
        "has_SR": lambda s, a: s.SR[a - 1] > 0,
    },
    carried={
        "row": lambda c, d: Number(c.sent[d - 1]),
        "has_row": lambda c, d: c.sent[d - 1] > 0,
        "column": lambda c, a: (a, c.to_j[a - 1]),
        "has_column": lambda c, a: c.to_j[a - 1] > 0,
    },
    per_copy=("column", "has_column"),
    where={"latest": "has_latest", "SR": "has_SR", "row": "has_row", "column": "has_column"},
    given=one_hop,
)  # fmt: skip


@pytest.mark.parametrize("bounds", [Bounds(processes=3, sends=5), Bounds(processes=4, sends=4)], ids=str)
def test_every_step_of_a_random_run_of_lemma_8_is_the_same(bounds):
    difference, seen = first_difference(TIE, walks(start(TIE.model, bounds), 25))
    assert difference is None and min(seen["send"], seen["receive"], seen["waits"]) > 50


@pytest.mark.parametrize("bounds", SMALL, ids=str)
def test_every_step_of_every_small_run_of_lemma_8_is_the_same(bounds):
    difference, seen = first_difference(TIE, all_moves(start(TIE.model, bounds)))
    assert difference is None and (seen["send"], seen["receive"]) == SMALL[bounds]


@pytest.mark.parametrize("label", short.LABELS)
def test_a_step_of_lemma_8_that_is_left_out_makes_a_difference(label):
    moves = walks(start(TIE.model, Bounds(processes=4, sends=5)), 25)
    assert first_difference(TIE, moves, Steps(frozenset({label})))[0] is not None


@pytest.mark.parametrize(("action", "ghost"), updates(TIE))
def test_a_ghost_of_lemma_8_that_is_not_kept_makes_a_difference(action, ghost):
    moves = walks(start(TIE.model, Bounds(processes=3, sends=4)), 10)
    assert first_difference(forgetful(TIE, action, ghost), moves)[0] == ghost
