"""TLC is asked only what its specification has a word for; anything else would silently be another question."""

from __future__ import annotations

import pytest

from precede.checker.bounds import CHANNELS, DESTS, SELF, Bounds
from precede.checker.cli import run
from precede.checker.errors import UsageError
from precede.checker.loading import load_model
from precede.checker.tlc import require_counterpart, run_tlc
from precede.checker.tlc.configuration import configuration
from precede.checker.tlc.declared import MODULES, WORKLOAD, declared, letters_of, source_of
from precede.models.catalog import CATALOG

BOUNDS = Bounds(processes=3, sends=2)
WRITTEN = tuple(model for model, module in MODULES.items() if source_of(module))
"""The models whose specification is there."""

CASES = [
    (model, reading_id, letter)
    for model in WRITTEN
    for reading_id, (_, reading) in CATALOG[model].readings().items()
    for letter in reading.variants
]


def letters_in_tla(model: str, reading_id: str) -> tuple[str, ...] | None:
    return letters_of(MODULES[model]).get(reading_id.replace("-", "_"))


def test_some_specifications_are_there():
    assert {"rst", "ks", "jang"} <= set(WRITTEN)


@pytest.mark.parametrize("model", WRITTEN)
def test_a_specification_declares_readings_of_its_model_and_their_letters(model):
    readings = CATALOG[model].readings()
    for name, letters in letters_of(MODULES[model]).items():
        if name.replace("_", "-") in readings:
            field, reading = readings[name.replace("_", "-")]
            assert set(letters) <= set(reading.variants) and field.default in letters, name


@pytest.mark.parametrize(
    ("model", "reading_id", "letters"), [("rst", "RST-1", "abc"), ("ks", "KS-2", "ab"), ("jang", "J-7", "abcd")]
)
def test_the_letters_are_those_of_assume_in_its_order(model, reading_id, letters):
    assert letters_in_tla(model, reading_id) == tuple(letters)


def test_the_workload_declares_loads_channels_and_own_copies():
    assert declared(WORKLOAD) == {"Load": DESTS, "Channel": CHANNELS, "Self": SELF}


@pytest.mark.parametrize(("model", "reading_id", "letter"), CASES, ids=lambda case: case)
def test_a_letter_is_taken_where_the_specification_has_it_or_it_is_the_default(model, reading_id, letter):
    loaded = load_model(model, [f"{reading_id}{letter}"])
    others = {id: field.default for id, (field, _) in CATALOG[model].readings().items()}
    letters = letters_in_tla(model, reading_id)
    if letter in (letters or others[reading_id]):
        require_counterpart(model, loaded.readings, BOUNDS)
        return
    with pytest.raises(UsageError) as caught:
        require_counterpart(model, loaded.readings, BOUNDS)
    text = str(caught.value)
    assert text.startswith(f"--reading {reading_id}{letter}: {MODULES[model]}.tla has ") and "precede check" in text


def test_the_refusal_says_what_tlc_would_have_checked_and_what_it_can(monkeypatch):
    with pytest.raises(UsageError, match=r"--reading J-1c: Jang\.tla has J-1a and J-1b only; use `precede check`"):
        require_counterpart("jang", load_model("jang", ["J-1c"]).readings, BOUNDS)
    monkeypatch.setattr("precede.checker.tlc.declared.letters_of", lambda module: {})
    with pytest.raises(UsageError, match=r"RST-6b: RST\.tla has no constant for RST-6 and TLC would check RST-6a; use"):
        require_counterpart("rst", load_model("rst", ["RST-6b"]).readings, BOUNDS)


@pytest.mark.parametrize(
    ("bounds", "says"),
    [
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
    groups = (frozenset({1, 2}),)
    for dests, channel, own in zip(DESTS, CHANNELS[:4], (*SELF, "network"), strict=True):
        bounds = Bounds(dests=dests, groups=groups if dests == "groups" else (), channel=channel, self_addressed=own)
        require_counterpart("ks", {}, bounds)
        assert f'Channel = "{channel}"' in configuration("ks", {}, bounds, ("TypeOK",))


def test_a_parameter_of_the_model_is_refused():
    with pytest.raises(UsageError, match=r"--set K: KS\.tla has no such constant"):
        require_counterpart("ks", {}, BOUNDS, {"K": 5})


@pytest.mark.parametrize("model", WRITTEN)
def test_the_configuration_has_the_readings_of_the_specification_and_no_others(model):
    readings = load_model(model).readings
    lines = configuration(model, readings, BOUNDS, ("TypeOK",)).splitlines()
    ids = {reading_id.replace("-", "_"): reading_id for reading_id in readings}
    given = {name.strip(): value for name, equals, value in (line.partition(" = ") for line in lines) if equals}
    expected = {name: f'"{readings[id]}"' for name, id in ids.items() if letters_in_tla(model, id) is not None}
    assert {name: value for name, value in given.items() if name in ids} == expected


def test_a_run_is_refused_before_java_is_looked_for(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(UsageError, match="--reading J-1c"):
        run_tlc("jang", load_model("jang", ["J-1c"]).readings, BOUNDS, ())
    with pytest.raises(UsageError, match="--lose 1"):
        run_tlc("rst", load_model("rst").readings, Bounds(losses=1), ())


@pytest.mark.parametrize(
    ("says", "arguments"),
    [
        ("--reading J-1c: Jang.tla has J-1a and J-1b only", ("jang", "--reading", "J-1c")),
        ("--duplicate 1", ("jang", "--duplicate", "1")),
        ("--set K=5: ks has no parameters", ("ks", "--set", "K=5")),
        ("--symmetry and --temporal exclude each other", ("ks", "--symmetry", "--temporal")),
        ("--symmetry: groups tell processes apart", ("ks", "--symmetry", "--groups", "1,2;2,3")),
        ("--states and --simulate exclude each other", ("ks", "--states", "--simulate", "5")),
        ("--temporal and --simulate exclude each other", ("ks", "--temporal", "--simulate", "5")),
        ("--symmetry and --simulate exclude each other", ("ks", "--symmetry", "--simulate", "5")),
        ("--depth 5: it is about --simulate", ("ks", "--depth", "5")),
        ("--seed 0: it is about --simulate", ("ks", "--seed", "0")),
    ],
)
def test_the_command_refuses_in_one_line(capsys, says, arguments):
    assert run(["tlc", *arguments, "--sends", "1"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"precede: {says}") and err.count("\n") == 1
