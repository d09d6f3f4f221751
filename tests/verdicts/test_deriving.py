"""The rule from outcomes to a verdict."""

from __future__ import annotations

import pytest

from precede.checker.verdicts.deriving import Answer, aspects_of, verdict_of
from precede.checker.verdicts.rows import Row

CLAIM = Row("C-KS-T4", "ks", "", "proved", ())
READING = Row("KS-2a", "ks", "", "refuted", ())
OF_RST = Row("RST-2c", "rst", "", "holds up to", ())


def check(name, verdict):
    return Answer(name, "check", verdict)


def prove(name, verdict):
    return Answer(name, "prove", verdict)


def found(name, verdict):
    return Answer(name, "seek", verdict, is_search=True)


def side(name, verdict):
    return Answer(name, "compare", verdict)


@pytest.mark.parametrize(
    ("row", "answers", "verdict"),
    [
        (CLAIM, [prove("C-KS-T4", "proved"), check("CausalOrder", "holds")], "proved"),
        (CLAIM, [prove("C-KS-T4", "open"), check("CausalOrder", "holds")], "holds up to"),
        (CLAIM, [prove("C-KS-T4", "open")], "open"),
        (CLAIM, [prove("C-KS-T4", "refuted"), check("CausalOrder", "holds")], "refuted"),
        (CLAIM, [prove("C-KS-T4", "proved"), check("CausalOrder", "violated")], "refuted"),
        (CLAIM, [check("CausalOrder", "incomplete")], "open"),
        (CLAIM, [check("CausalOrder", "holds"), check("Delivery", "incomplete")], "open"),
        (CLAIM, [], "open"),
        (READING, [check("Minimality", "violated"), check("CausalOrder", "holds")], "refuted"),
        (OF_RST, [check("Minimality", "violated"), check("CausalOrder", "holds")], "holds up to"),
        (OF_RST, [check("CausalOrder", "not applicable")], "open"),
        (READING, [side("deliveries", "same"), side("facts", "same"), check("CausalOrder", "holds")], "no effect"),
        (READING, [side("deliveries", "same"), side("facts", "differs"), check("CausalOrder", "holds")], "holds up to"),
        (READING, [side("deliveries", "same"), side("facts", "same"), check("CausalOrder", "violated")], "refuted"),
        (READING, [side("facts", "same")], "open"),
        (READING, [Answer("behaviour", "behaviour", "same")], "no effect"),
        (READING, [Answer("behaviour", "behaviour", "differs")], "open"),
        (READING, [side("deliveries", "same"), prove("J-14", "proved")], "proved"),
        (READING, [side("facts", "holds"), side("bytes", "violated")], "refuted"),
        (READING, [Answer("units", "sizes", "measured")], "holds up to"),
        (READING, [found("CausalOrder", "incomplete"), check("CausalOrder", "holds")], "holds up to"),
        (READING, [found("CausalOrder", "incomplete")], "open"),
        (READING, [found("CausalOrder", "violated"), check("CausalOrder", "holds")], "refuted"),
    ],
)
def test_the_verdict(row, answers, verdict):
    assert verdict_of(row, answers) == verdict


def test_what_decides_can_be_named():
    answers = [check("CausalOrder", "violated"), check("Delivery", "holds")]
    assert verdict_of(READING, answers) == "refuted"
    assert verdict_of(Row("KS-2a", "ks", "", "", (), claimed=("Delivery",)), answers) == "holds up to"


def test_every_aspect_has_its_own_verdict():
    answers = [
        check("CausalOrder", "holds"), prove("C-KS-T4", "proved"), check("Delivery", "incomplete"),
        check("Minimality", "violated"), Answer("C-KS-S4", "check", "holds"), side("bytes", "differs"),
    ]  # fmt: skip
    assert aspects_of(answers) == {
        "causal order": "proved", "delivery": "open", "exactness": "refuted", "false waits": None,
        "size bound": "holds up to",
    }  # fmt: skip
    assert aspects_of([found("CausalOrder", "incomplete")])["causal order"] == "open"
    assert aspects_of([found("Delivery", "incomplete"), check("Delivery", "holds")])["delivery"] == "holds up to"
    assert aspects_of([Answer("C-KS-SC-SYNC", "prove", "proved")])["size bound"] is None
    assert aspects_of([Answer("C-X", "check", "violated", "false waits")])["false waits"] == "refuted"
