"""Theorem 2 of Kshemkalyani and Singhal, fact by fact (KS-33): without a required fact some continuation goes wrong."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache

import pytest
from click.testing import CliRunner

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.cli.minimal import minimal as command
from precede.checker.errors import UsageError
from precede.checker.loading import load_model
from precede.checker.minimal import Recorder, by_past, minimal
from precede.checker.result import ReceiveEvent, SendEvent
from precede.checker.run import Run
from precede.proofs.minimal_continuations import Continuations
from precede.proofs.minimal_cut import Cut, Move, Observer, Sending
from precede.proofs.minimal_facts import Holder

TWO = Bounds(3, 2)


def calls(model="ks", *readings, bounds=TWO):
    return ModelCalls(load_model(model, readings), bounds)


@cache
def found(model="ks", *readings):
    return minimal(calls(model, *readings), TWO)


@cache
def holders():
    """Every past of a state or copy of KS up to names, with two messages."""
    from precede.checker.engine import explore

    recorder = Recorder(calls())
    explore(calls(), TWO, recorder.properties)
    return [group[0][0].cut for group in by_past(recorder.found).values()]


@cache
def optima():
    return [(cut, Holder(cut, 1).optimum()) for cut in holders()]


def test_ks_has_in_every_state_and_copy_the_smallest_set_that_is_enough_and_it_is_the_only_one():
    ks = found()
    assert (ks.verdict, ks.exit_code, ks.not_unique, ks.not_required, ks.wrong) == ("holds", 0, 0, 0, {})
    assert (ks.held, ks.decided) == ({"states": 219, "copies": 96}, {"states": 219, "copies": 96})
    assert ks.pasts == ks.pasts_decided == 55
    assert (ks.needed, sum(ks.lengths.values())) == ({"states": 258, "copies": 54}, 258 + 54)
    assert ks.sizes == {0: 84, 1: 156, 2: 69, 3: 6}
    assert max(ks.lengths) == 4


def test_no_algorithm_at_all_can_do_without_a_fact_of_a_state():
    assert found().indistinguishable == {"states": 258, "copies": 42}


@pytest.mark.sweep
def test_so_it_is_with_three_messages():
    ks = minimal(calls(bounds=Bounds(3, 3)), Bounds(3, 3))
    assert (ks.verdict, ks.not_unique, ks.not_required) == ("holds", 0, 0)
    assert (ks.held, ks.needed) == ({"states": 2340, "copies": 876}, {"states": 3306, "copies": 774})
    assert ks.indistinguishable == {"states": 3306, "copies": 576}


@pytest.mark.sweep
def test_so_it_is_for_four_processes_and_with_two_more_sends():
    four = minimal(calls(bounds=Bounds(4, 2)), Bounds(4, 2))
    assert (four.verdict, four.not_unique, four.not_required) == ("holds", 0, 0)
    assert minimal(calls(), TWO, more=2).verdict == "holds"


@pytest.mark.parametrize("model", ["jang", "oracle"])
def test_so_it_is_for_other_optimal_algorithms(model):
    assert found(model).verdict == "holds" and found(model).needed == found().needed


def test_a_missing_fact_is_found_with_a_continuation_that_goes_wrong():
    broken = found("ks", "KS-6c")
    assert (broken.verdict, broken.exit_code, list(broken.wrong)) == ("violated", 12, ["missing"])
    assert broken.wrong_holders["missing"] == 9 and broken.disordered == 9
    assert broken.wrong["missing"].explanation == (
        "the copy of 1.2 to 3, with 1.1 to 3; 1.2 to 2,3, lacks the fact that 1.1 must still reach 3; then 3 delivers "
        "1.2, against causal order"
    )


def test_a_redundant_fact_is_found():
    broken = found("ks", "KS-10b")
    assert (broken.verdict, list(broken.wrong), broken.wrong_holders["redundant"]) == ("violated", ["redundant"], 18)
    assert "holds the fact that 1.1 must still reach 3; without it nothing" in broken.wrong["redundant"].explanation


def test_an_algorithm_without_facts_misses_all_of_them():
    assert found("null").wrong_holders["missing"] == sum(size for facts, size in found("null").sizes.items() if facts)


def test_a_model_that_says_nothing_of_facts_is_refused():
    with pytest.raises(UsageError, match="does not say what its control information asserts"):
        minimal(calls("rst"), TWO)


def test_a_sample_is_incomplete_and_the_same_for_one_seed():
    first, again, other = (minimal(calls(), TWO, sample=10, seed=seed) for seed in (1, 1, 2))
    assert (first.verdict, first.exit_code, first.pasts_decided) == ("incomplete", 3, 10)
    assert first.needed == again.needed and first.needed != other.needed


def learns_it_otherwise(cut, fact):
    """Whether the destination of the copy has the fact from elsewhere whenever it may take the copy: it has it now, or
    must deliver a message first that brings it."""
    if cut.copy is None:
        return False
    message, to = cut.copy
    before = [m for m in cut.sent[message].known if to in cut.sent[m].dests]
    brought = any(fact[0] == m or fact in cut.required_on((m, to)) for m in before) and fact[1] != to
    return fact in cut.required_at(to) or brought


def test_what_a_copy_carries_is_needed_by_any_algorithm_unless_its_destination_learns_it_otherwise():
    for cut, optimum in optima():
        for dropped in optimum.dropped:
            assert dropped.indistinguishable is not learns_it_otherwise(cut, dropped.fact)


def test_every_set_without_a_required_fact_goes_wrong_and_every_set_with_all_of_them_does_not():
    chosen = random.Random(0)
    for cut in holders():
        holder = Continuations(cut, 1)
        some = frozenset(fact for fact in cut.possible if chosen.random() < 0.7)
        assert (holder.violating(some, shortest=False) is None) is (some >= cut.required)


def test_the_observer_keeps_just_what_is_required():
    chosen = random.Random(1)
    for _ in range(100):
        observer = Observer(Cut(3, 1, frozenset(), frozenset()), frozenset())
        sends, delivered = {}, {p: set() for p in (1, 2, 3)}
        for _ in range(12):
            ready = [copy for copy in sorted(observer.copies) if observer.is_ready(copy)]
            p = chosen.randint(1, 3)
            if ready and chosen.random() < 0.7:
                copy = p_copy = chosen.choice(ready)
                assert observer.is_right(copy)
                observer.receive(copy)
                p = p_copy[1]
                delivered[p] |= {copy} | sends[copy[0]].delivered
            else:
                before = observer.states[p].known
                dests = frozenset(chosen.sample(sorted({1, 2, 3} - {p}), chosen.randint(1, 2)))
                sends[observer.send(p, dests)] = Sending(dests, before, frozenset(delivered[p]))
            known = observer.states[p].known
            cut = Cut(3, p, frozenset((m, s) for m, s in sends.items() if m in known), frozenset(delivered[p]))
            assert observer.states[p].facts == cut.required


def realised(cut):
    """KS after the run that a cut is."""
    run = Run(calls(bounds=Bounds(3, 4)), Bounds(3, 4))
    todo = [*sorted(cut.sent), *sorted(cut.delivered)]
    while todo:
        event = next(event for event in todo if may_happen(cut, event, todo))
        todo.remove(event)
        if event in cut.sent:
            run.apply(SendEvent(event[0], cut.sent[event].dests))
        else:
            run.apply(ReceiveEvent(event[1], event[0]))
    return run


def may_happen(cut, event, todo):
    if event in cut.sent:
        return not cut.sent[event].delivered & set(todo) and not cut.sent[event].known & set(todo)
    message, at = event
    later = [m for m in cut.sent if m in todo and m[0] == at and event not in cut.sent[m].delivered]
    earlier = {(m, at) for m in cut.sent[message].known} & set(todo)
    return message not in todo and not later and not earlier


def without(entries, fact):
    """LOG or O_M without a destination of one of its entries."""
    message, d = fact
    return frozenset((m, dests - {d} if m == message else dests) for m, dests in entries)


def drop(run, cut, fact):
    """KS-33: drop the fact in LOG (a), or on the one copy (b)."""
    if cut.copy is None:
        local = run.locals[cut.at]
        run.locals[cut.at] = local._replace(state=local.state._replace(LOG=without(local.state.LOG, fact)))
        return
    number, transit = next((n, t) for n, t in run.in_transit.items() if t.copy == cut.copy)
    packet = transit.packet._replace(control=without(transit.packet.control, fact))
    run.in_transit[number] = transit._replace(packet=packet)


def follow(run, moves):
    """The names of what the last step violates."""
    wrong = frozenset()
    for move in moves:
        assert not wrong
        event = SendEvent(move.process, move.dests) if move.taken is None else ReceiveEvent(move.process, move.taken)
        wrong = run.apply(event).wrong
    return wrong


def test_ks_itself_goes_wrong_in_each_continuation_once_the_fact_is_dropped():
    dropped = [(cut, one) for cut, optimum in optima() for one in optimum.dropped]
    assert len(dropped) == 55
    for cut, one in dropped:
        run = realised(cut)
        drop(run, cut, one.fact)
        assert follow(run, one.continuation) == {"CausalOrder"}


def test_ks_itself_does_not_allow_these_continuations_as_it_is():
    from precede.checker.run import ImpossibleStep

    for cut, optimum in optima():
        for one in optimum.dropped:
            with pytest.raises(ImpossibleStep, match="delivery condition"):
                follow(realised(cut), one.continuation)


def test_continuations_that_are_none_are_told_from_those_that_do_no_harm():
    cut = Cut(3, 1, frozenset({((1, 1), Sending(frozenset({2}), frozenset(), frozenset()))}), frozenset())
    early = (Move(1, frozenset({2})), Move(2, taken=(1, 2)))
    assert cut.required == {((1, 1), 2)}
    assert Observer(cut, frozenset()).violates(early) is True
    assert Observer(cut, cut.required).violates(early) is None
    assert Observer(cut, cut.required).violates((early[0], Move(2, taken=(1, 1)), early[1])) is False
    nobody = replace(cut, sends=frozenset({((1, 1), Sending(frozenset(), frozenset(), frozenset()))}))
    assert nobody.required == frozenset() and Observer(nobody, frozenset()).violates(early) is False


def test_the_command_reports_its_figures_and_writes_them_as_json(tmp_path):
    target = tmp_path / "x.json"
    result = CliRunner().invoke(command, ["ks", "--sends", "2", "--json", str(target)], standalone_mode=False)
    assert result.return_value == 0
    assert "312 continuations, one for each fact that is needed; the longest has 4 steps" in result.output
    assert json.loads(target.read_text())["states"] == {
        "count": 219, "decided": 219, "facts": 258, "indistinguishable": 258,
    }  # fmt: skip
