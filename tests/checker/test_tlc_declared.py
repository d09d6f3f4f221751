"""TLC is asked only what its specification has a word for; anything else would silently be another question."""

from __future__ import annotations

import pytest

from precede.checker.bounds import CHANNELS, DESTS, SELF, Bounds
from precede.checker.cli import run
from precede.checker.errors import UsageError
from precede.checker.loading import load_model
from precede.checker.tlc import require_counterpart, run_tlc
from precede.checker.tlc.configuration import configuration
from precede.checker.tlc.declared import MODULES, SYSTEM, declared
from precede.models.catalog import CATALOG

BOUNDS = Bounds(processes=3, sends=2)
READINGS = {
    "rst": {"RST-1": "abc", "RST-2": "abc", "RST-3": "abcd"},
    "ks": {"KS-2": "ab", "KS-10": "abcd", "KS-16": "ab"},
    "jang": {"J-1": "ab", "J-2": "abcd", "J-3": "ab", "J-4": "ab", "J-7": "abcd"},
}
"""The readings that each specification has, with their letters."""

CASES = [
    (model, reading_id, letter)
    for model in MODULES
    for reading_id, (_, reading) in CATALOG[model].readings().items()
    for letter in reading.variants
]


def test_a_specification_declares_its_readings_and_their_letters():
    for model, module in MODULES.items():
        expected = {reading_id.replace("-", "_"): tuple(letters) for reading_id, letters in READINGS[model].items()}
        assert declared(module) == expected


def test_the_system_declares_loads_channels_and_own_copies():
    assert declared(SYSTEM) == {"Load": DESTS[:3], "Channel": CHANNELS[:4], "Self": SELF}


@pytest.mark.parametrize(("model", "reading_id", "letter"), CASES, ids=lambda case: case)
def test_a_letter_is_taken_where_the_specification_has_it_or_it_is_the_default(model, reading_id, letter):
    loaded = load_model(model, [f"{reading_id}{letter}"])
    default = CATALOG[model].readings()[reading_id][0].default
    if letter in READINGS[model].get(reading_id, default):
        require_counterpart(model, loaded.readings, BOUNDS)
        return
    with pytest.raises(UsageError) as caught:
        require_counterpart(model, loaded.readings, BOUNDS)
    text = str(caught.value)
    assert text.startswith(f"--reading {reading_id}{letter}: {MODULES[model]}.tla has ") and "precede check" in text


def test_the_refusal_says_what_tlc_would_have_checked_and_what_it_can():
    with pytest.raises(UsageError, match=r"RST-6b: RST\.tla has no constant for RST-6 and TLC would check RST-6a; use"):
        require_counterpart("rst", load_model("rst", ["RST-6b"]).readings, BOUNDS)
    with pytest.raises(UsageError, match=r"--reading J-1c: Jang\.tla has J-1a and J-1b only; use `precede check`"):
        require_counterpart("jang", load_model("jang", ["J-1c"]).readings, BOUNDS)


@pytest.mark.parametrize(
    ("bounds", "says"),
    [
        (Bounds(channel="rendezvous"), "--channel rendezvous: the TLA+ specifications have unordered, fifo, "),
        (Bounds(dests="groups", groups=(frozenset({1, 2}),)), "--dests groups: the TLA+ specifications have unicast, "),
        (Bounds(duplicates=1), "--duplicate 1: the TLA+ specifications have no faults"),
        (Bounds(losses=2), "--lose 2: "),
        (Bounds(crashes=1), "--crash 1: "),
        (Bounds(restarts=1), "--restart 1: "),
    ],
    ids=lambda case: case.split(":")[0] if isinstance(case, str) else "",
)
def test_a_system_that_the_specifications_do_not_have_is_refused(bounds, says):
    with pytest.raises(UsageError) as caught:
        require_counterpart("ks", {}, bounds)
    assert str(caught.value).startswith(says)


def test_every_load_channel_and_own_copy_of_the_specifications_is_taken():
    for dests, channel, own in zip((*DESTS[:3], "unicast"), CHANNELS[:4], (*SELF, "network"), strict=True):
        require_counterpart("ks", {}, Bounds(dests=dests, channel=channel, self_addressed=own))


def test_a_parameter_of_the_model_is_refused():
    with pytest.raises(UsageError, match=r"--set K: KS\.tla has no such constant"):
        require_counterpart("ks", {}, BOUNDS, {"K": 5})


@pytest.mark.parametrize("model", MODULES)
def test_the_configuration_has_the_readings_of_the_specification_and_no_others(model):
    lines = configuration(model, load_model(model).readings, BOUNDS, ("TypeOK",)).splitlines()
    families = tuple(f"    {family}_" for family in ("RST", "KS", "J", "GK", "X"))
    names = [line.split(" = ")[0].strip() for line in lines if line.startswith(families)]
    assert sorted(names) == sorted(reading_id.replace("-", "_") for reading_id in READINGS[model])


def test_a_run_is_refused_before_java_is_looked_for(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(UsageError, match="--reading GK-19a"):
        run_tlc("rst", load_model("rst", ["GK-19a"]).readings, BOUNDS, ())
    with pytest.raises(UsageError, match="--lose 1"):
        run_tlc("rst", load_model("rst").readings, Bounds(losses=1), ())


@pytest.mark.parametrize(
    ("says", "arguments"),
    [
        ("--reading RST-6b: RST.tla has no constant", ("rst", "--reading", "RST-6b")),
        ("--channel rendezvous", ("ks", "--channel", "rendezvous")),
        ("--dests groups", ("ks", "--dests", "groups", "--groups", "1,2;2,3")),
        ("--duplicate 1", ("jang", "--duplicate", "1")),
        ("--set K=5: ks has no parameters", ("ks", "--set", "K=5")),
    ],
)
def test_the_command_refuses_in_one_line(capsys, says, arguments):
    assert run(["tlc", *arguments, "--sends", "1"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"precede: {says}") and err.count("\n") == 1
