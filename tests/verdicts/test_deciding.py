"""Rows decided live: shared explorations, what differs from the registry, Ctrl-C."""

from __future__ import annotations

import json

import pytest

from precede.checker.cli import run
from precede.checker.errors import ConfigurationError
from precede.checker.verdicts import Session, exploring
from precede.checker.verdicts.loading import parse_rows


def rows_of(*evidence, verdict="refuted", id="KS-2a"):
    text = f'[questions]\nKS-2 = "?"\n[[row]]\nid = "{id}"\nabout = "ks"\nstatement = "."\nverdict = "{verdict}"\n'
    return parse_rows(text + "".join(f"[[row.evidence]]\n{lines}\n" for lines in evidence), "x.toml")


REDUNDANT = 'run = "check ks --reading KS-2a --sends 3"\nexpect = { Minimality = "violated 5" }'


def test_what_is_not_as_expected_is_named():
    wrong = rows_of(REDUNDANT.replace("5", "4"), verdict="holds up to")
    (found,) = Session(wrong).decide()
    assert found.differences() == [
        ("`check ks --reading KS-2a --sends 3`, Minimality", "violated 4", "violated 5"),
        ("verdict", "holds up to", "refuted"),
    ]


def test_a_length_that_is_not_told_is_not_compared_and_a_property_that_is_not_is():
    (found,) = Session(rows_of(REDUNDANT.replace(" 5", ""))).decide()
    assert found.differences() == []
    (found,) = Session(rows_of(REDUNDANT.replace("violated 5", "holds"), verdict="refuted")).decide()
    assert found.differences() == [("`check ks --reading KS-2a --sends 3`, Minimality", "holds", "violated 5")]


def test_rows_that_ask_of_the_same_runs_share_one_exploration(monkeypatch):
    asked = []
    original = exploring.examine

    def counting(calls, bounds, properties, **options):
        asked.append(properties)
        return original(calls, bounds, properties, **options)

    monkeypatch.setattr(exploring, "examine", counting)
    other = 'run = "check ks --sends 3 --processes 3 --reading KS-2a"\nexpect = { CausalOrder = "holds" }'
    rows = [*rows_of(REDUNDANT), *rows_of(other, id="KS-2b")]
    first, second = Session(rows).decide()
    assert asked == [("Minimality", "CausalOrder")]
    assert (first.verdict, second.verdict) == ("refuted", "holds up to")
    assert list(first.carried[0].outcomes) == ["Minimality"]


def test_a_repair_shows_and_does_not_decide():
    repair = 'run = "check ks --sends 2"\nexpect = { Minimality = "holds" }\nrepair = true'
    (found,) = Session(rows_of(REDUNDANT, repair)).decide()
    assert (found.verdict, len(found.carried), found.aspects["exactness"]) == ("refuted", 2, "refuted")


def test_a_reading_without_an_effect_has_the_behaviour_of_the_default_and_a_broken_one_has_not():
    same = 'run = "behaviour ks --reading KS-14b --sends 2"\nexpect = { behaviour = "same" }'
    other = 'run = "behaviour ks --reading KS-6c --sends 2"\nexpect = { behaviour = "differs" }'
    (first,) = Session(rows_of(same)).decide()
    (second,) = Session(rows_of(other)).decide()
    assert (first.verdict, second.verdict) == ("no effect", "open")
    assert [d[0] for d in second.differences()] == ["verdict"]


@pytest.mark.parametrize(
    ("run", "wrong"),
    [
        ("check kss", "no model is called 'kss'"),
        ("check ks --sends x", "Invalid value for '--sends'"),
        ("check ks --reading SA-1a", "SA-1 is a reading of sa, not of ks"),
        ("tlc --all KS-99", "no such run in tla/manifest.toml"),
        ("study jung", "no study is called jung"),
    ],
)
def test_a_run_that_is_no_command_is_told_with_its_row(run, wrong):
    with pytest.raises(ConfigurationError, match=f"KS-2a, `{run}`: .*{wrong}"):
        list(Session(rows_of(f'run = "{run}"\nexpect = {{ CausalOrder = "holds" }}')).decide())


def test_an_interrupt_keeps_what_was_decided(monkeypatch, capsys):
    calls = []
    original = exploring.examine

    def interrupted(*arguments, **options):
        calls.append(1)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return original(*arguments, **options)

    monkeypatch.setattr(exploring, "examine", interrupted)
    assert run(["readings", "KS-2a", "X-4a-gk", "--quick", "--json", "-"]) == 3
    document = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in document["rows"]] == ["KS-2a"]
    assert document["complete"] is False


def test_the_commands_compare_with_the_registry(capsys, monkeypatch):
    assert run(["readings", "KS-2a", "--quick", "--check"]) == 0
    assert "1 row, 0 differences" in capsys.readouterr().out
    monkeypatch.setattr("precede.checker.verdicts.load_registry", lambda: rows_of(REDUNDANT.replace("5", "4")))
    assert run(["readings", "KS-2a", "--check"]) == 12
    assert "Minimality: expected violated 4, found violated 5" in capsys.readouterr().out


def test_what_was_not_asked_has_no_verdict(capsys, monkeypatch):
    monkeypatch.setattr("precede.checker.verdicts.load_registry", lambda: rows_of(REDUNDANT, verdict="proved"))
    run(["readings", "KS-2a", "--quick", "--json", "-"])
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["verdict"], row["whole"], row["expected"]) == (None, False, "proved")


def test_the_refuting_run_is_written_with_its_scenario_and_picture(tmp_path, capsys):
    assert run(["readings", "KS-2a", "--quick", "--witnesses", str(tmp_path)]) == 0
    assert {file.name for file in tmp_path.iterdir()} == {"KS-2a.json", "KS-2a.txt", "KS-2a.svg"}
    assert run(["trace", "replay", str(tmp_path / "KS-2a.json")]) == 0
    capsys.readouterr()
    assert run(["readings", "KS-2a", "--witnesses", str(tmp_path / "none")]) == 153
