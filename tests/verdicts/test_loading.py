"""The registry's files: what they must be, and that every row is derived from what it expects."""

from __future__ import annotations

import pytest

from precede.checker.errors import SpecificationError, UsageError
from precede.checker.verdicts import load_registry, select_rows
from precede.checker.verdicts.deciding import expected_verdict
from precede.checker.verdicts.loading import parse_rows
from precede.checker.verdicts.rows import Expected, parse_expected
from precede.models.catalog import CATALOG

ROWS = {row.id: row for row in load_registry()}

QUESTIONS = '[questions]\nKS-3 = "which?"\n'
ROW = '[[row]]\nid = "KS-3a"\nabout = "ks"\nstatement = "so"\nverdict = "open"\n'
RUN = '[[row.evidence]]\nrun = "check ks"\nexpect = { CausalOrder = "violated 6" }\n'


def names(*words):
    return [row.id for row in select_rows([*parse_rows(THREE, "x.toml")], words)]


THREE = "[questions]\nKS-3 = 'a'\nKS-30 = 'b'\nKS-4 = 'c'\n" + "".join(
    ROW.replace("KS-3a", id) for id in ("KS-3a", "KS-3ax", "KS-30a", "KS-4a")
)


def test_a_word_names_rows_by_how_their_ids_begin():
    assert names("KS-3") == ["KS-3a", "KS-3ax"]
    assert names("ks-3a") == ["KS-3a", "KS-3ax"]
    assert names("KS-30", "KS-4a") == ["KS-30a", "KS-4a"]
    assert names("KS") == names() == ["KS-3a", "KS-3ax", "KS-30a", "KS-4a"]
    with pytest.raises(UsageError, match="KS-5: the registry has no such row"):
        names("KS-3", "KS-5")


def test_a_row_is_read():
    (row,) = parse_rows(QUESTIONS + ROW + RUN, "x.toml")
    assert (row.question, row.statement, row.is_claim) == ("which?", "so", False)
    (evidence,) = row.evidence
    assert evidence.expect == {"CausalOrder": Expected("violated", 6)}
    assert evidence.command == "precede check ks --property CausalOrder"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("row = ", "x.toml: Invalid value"),
        (ROW, "row KS-3a: \\[questions\\] has no KS-3"),
        (QUESTIONS + ROW.replace('about = "ks"\n', ""), "about is missing"),
        (QUESTIONS + ROW.replace('"ks"', '"kss"'), "no model is called kss"),
        (QUESTIONS + ROW.replace("open", "true"), "the verdict is one of proved, holds up to"),
        (QUESTIONS + ROW + 'bound = "3"\n', "bound is not known"),
        (QUESTIONS + ROW + RUN.replace("check", "chek"), "evidence 1: run is a command that starts with one of check"),
        (QUESTIONS + ROW + RUN.replace("violated 6", "violated: 6"), "evidence 1, CausalOrder: 'violated: 6' is no"),
        (QUESTIONS + ROW + RUN.replace('{ CausalOrder = "violated 6" }', "{}"), "expect says what must be found"),
        (QUESTIONS + ROW + RUN + 'asks = { CausalOrder = "order" }\n', "'order' is none of causal order"),
    ],
)
def test_what_is_no_row_is_refused_with_its_place(text, wrong):
    with pytest.raises(SpecificationError, match=wrong):
        parse_rows(text, "x.toml")


@pytest.mark.parametrize("text", ["holds", "violated 6", "9", "not applicable", "?"])
def test_an_expectation_is_written_as_it_is_read(text):
    expected = parse_expected(text)
    assert expected is not None and expected.text == text


def test_what_is_not_known_yet_is_met_by_nothing():
    assert parse_expected("violated ?") == Expected("?")
    assert [parse_expected(text) for text in ("", "hold", "violated:", "violated 6 steps")] == [None] * 4


@pytest.mark.parametrize("id", ROWS)
def test_the_registry_expects_something_of_every_run(id):
    """Without any run nothing is decided."""
    assert Expected("?") not in [e for evidence in ROWS[id].evidence for e in evidence.expect.values()]
    assert ROWS[id].deciding or ROWS[id].verdict == "open"


@pytest.mark.parametrize("id", ROWS)
def test_every_verdict_follows_from_what_the_evidence_is_expected_to_say(id):
    assert expected_verdict(ROWS[id]) == ROWS[id].verdict


@pytest.mark.parametrize("id", [row.id for row in ROWS.values() if row.verdict == "refuted"])
def test_every_refuted_row_says_why_and_what_restores_it(id):
    """And has the run that shows it, unless nothing does."""
    row = ROWS[id]
    assert row.why and row.restores
    assert any(evidence.repair for evidence in row.evidence) or row.restores.startswith("nothing")


@pytest.mark.parametrize("id", [row.id for row in ROWS.values() if row.verdict in ("open", "no effect")])
def test_every_row_without_an_effect_or_a_verdict_says_how_hard_it_was_tried(id):
    assert ROWS[id].tried


@pytest.mark.parametrize("id", [row.id for row in ROWS.values() if not row.is_claim])
def test_every_variant_is_judged_on_a_model_that_can_be_set_to_it(id):
    """Where the row is a reading of the model that it is about, some evidence sets it, or it is the default."""
    row = ROWS[id]
    readings = CATALOG[row.about.partition("@")[0]].readings()
    own = next(
        (name for name in readings if id.startswith(name) and id[len(name) :] in readings[name][1].variants), None
    )
    if own is None or readings[own][0].default == id[len(own) :]:
        return
    assert any(id in evidence.run.split() for evidence in row.deciding)
