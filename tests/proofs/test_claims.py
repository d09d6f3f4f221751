"""The claims of the papers: what is proved, what is false as printed, and what each proof depends on.

One seed by default; all three: `pytest -m sweep tests/proofs/test_claims.py`.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest
import z3

from precede.checker.cli import run
from precede.proofs import proving
from precede.proofs.catalog import CLAIMS, ON_PAPER, OPEN
from precede.proofs.claims import Claim, Refutation
from precede.proofs.conditions import SEEDS, Answer, Condition, decide
from precede.proofs.pasts import MESSAGES, after_send, facts_of_pasts, initially, may_send, some_pasts
from precede.proofs.proving import Prover

REFUTED = {claim.id for claim in CLAIMS if claim.refutation}
RUNS = [claim.id for claim in CLAIMS if claim.refutation and claim.refutation.check]
PRINTED = """
C-KS-S4 KS-23senda KS-23ownb KS-23three KS-2a KS-6c KS-32b C-KS-IMPL-literal C-KS-V2 C-J-B1 C-J-I4 C-GK-L1
C-GK-PR1 C-GK-T1-unordered C-GK-T1-counts
C-GK-L3 C-GK-L4 C-SA-SZ C-B-1-RST-1b C-B-1-RST-1c C-B-1-RST-2b C-B-1-SES-1b C-B-1-BSS-5b C-B-1-BSS-5c C-B-1-BSS-3c C-B-3
C-KS-SC-KS-26a C-KS-SC-MF-1b C-KS-SC-KS-29 C-KS-V4
"""
"""What is false as printed, or as one may read it."""


def claim_of(id):
    return next(claim for claim in CLAIMS if claim.id == id)


@cache
def prover(*seeds):
    return Prover(seeds)


def test_ids_are_unique_and_what_is_left_to_paper_is_named_and_explained():
    assert len({claim.id.lower() for claim in CLAIMS}) == len(CLAIMS)
    assert {name for claim in CLAIMS for name in claim.on_paper} <= set(ON_PAPER)
    assert not {id for id, _ in OPEN} & {claim.id for claim in CLAIMS}


def test_what_is_false_as_printed_is_known():
    assert PRINTED.split() == [claim.id for claim in CLAIMS if claim.refutation]


@pytest.mark.parametrize("id", [claim.id for claim in CLAIMS])
def test_a_claim_is_proved_or_refuted(id):
    assert_proved_or_refuted(id, SEEDS[:1])


@pytest.mark.sweep
@pytest.mark.parametrize("id", [claim.id for claim in CLAIMS])
def test_a_claim_is_proved_or_refuted_with_three_seeds(id):
    assert len(SEEDS) == 3
    assert_proved_or_refuted(id, SEEDS)


def assert_proved_or_refuted(id, seeds):
    found = prover(*seeds).prove(claim_of(id))
    assert (found.verdict, found.unproved) == ("refuted" if id in REFUTED else "proved", ())


@pytest.mark.parametrize("id", RUNS)
def test_a_refutation_is_a_run_of_the_python_model(id, capsys, tmp_path):
    refutation, trace = claim_of(id).refutation, tmp_path / "x.json"
    assert run(["check", *refutation.check, "--json", "-", "--trace", str(trace)]) in (11, 12)
    found = json.loads(capsys.readouterr().out)
    assert min(p["trace_length"] for p in found["properties"].values() if p["trace_length"]) == refutation.steps
    assert run(["trace", "replay", str(trace)]) == 0


def test_a_condition_that_does_not_hold_is_refuted_or_open_and_never_proved():
    pasts = some_pasts()
    given = tuple(formula for _, formula in MESSAGES)
    verdicts = {decide(Condition(name, given, formula), seconds=1).verdict for name, formula in facts_of_pasts(pasts)}
    assert "proved" not in verdicts and "refuted" in verdicts


def refuted_by(*goals):
    """A claim that is refuted if each of these goals is false."""
    given = tuple(formula for _, formula in MESSAGES)
    conditions = tuple(Condition(f"goal {number}", given, goal) for number, goal in enumerate(goals, 1))
    return Claim("none", "nowhere", "nothing", refutation=Refutation(lambda: conditions))


def test_a_claim_is_refuted_only_if_every_condition_of_its_refutation_is():
    false, true = z3.BoolVal(False), z3.BoolVal(True)
    both, one, none = (Prover().prove(refuted_by(*goals)) for goals in ((false, false), (false, true), ()))
    assert (both.verdict, both.unproved, both.conditions) == ("refuted", (), 2)
    assert (one.verdict, one.unproved) == ("open", ("goal 2",))
    assert none.verdict == "open"


@pytest.mark.parametrize("late", ["proved", "open"])
def test_a_claim_is_refuted_only_if_it_is_with_every_seed(monkeypatch, late):
    def unsure(condition, seed, seconds):
        return Answer(condition.name, "refuted" if seed < 2 else late, seed, 0.0)

    monkeypatch.setattr(proving, "decide", unsure)
    found = Prover((0, 1, 2)).prove(refuted_by(z3.BoolVal(False)))
    assert (found.verdict, found.unproved) == ("open", ("goal 1",))
    assert Prover((0, 1)).prove(refuted_by(z3.BoolVal(False))).verdict == "refuted"


def test_what_is_proved_instead_has_to_be_proved_as_well():
    broken = Condition("the repaired statement", (), z3.BoolVal(False))
    claim = replace(refuted_by(z3.BoolVal(False)), conditions=lambda steps: [broken])
    found = Prover().prove(claim)
    assert (found.verdict, found.unproved) == ("open", ("the repaired statement",))


@pytest.mark.sweep
def test_lookahead_is_refuted_in_each_of_its_four_forms():
    names = [condition.name for condition in claim_of("C-KS-V2").refutation.conditions()]
    assert [name[-5:] for name in names] == ["KS-3a", "KS-3b", "KS-3c", "KS-3d"]


def test_the_theory_of_pasts_is_inductive_for_sends():
    pasts = some_pasts()
    from precede.proofs.pasts import Message, Process

    i, M = z3.Const("i", Process), z3.Const("M", Message)
    given = tuple(formula for _, formula in MESSAGES)
    known = tuple(formula for _, formula in facts_of_pasts(pasts))
    for name, formula in facts_of_pasts(pasts):
        assert decide(Condition(name, (*given, initially(pasts)), formula)).verdict == "proved"
    for name, formula in facts_of_pasts(after_send(pasts, i, M)):
        assert decide(Condition(name, (*given, *known, may_send(pasts, i, M)), formula)).verdict == "proved"


def test_the_command_prints_a_table_and_refuses_an_unknown_id(capsys):
    assert run(["prove", "c-ks-l1", "--seeds", "1"]) == 0
    assert "C-KS-L1   Kshemkalyani, Singhal 1998, Lemma 1   proved" in capsys.readouterr().out
    assert run(["prove", "C-KS-L99"]) == 2
    assert "C-KS-L99 is not among the claims" in capsys.readouterr().err
