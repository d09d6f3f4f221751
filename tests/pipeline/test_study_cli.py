"""`precede study` from the outside: what it prints, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from precede.checker.cli import run
from precede.checker.formats import SIMULATION, STUDY_CLAIMS, THROUGHPUT
from precede.checker.pipeline.study import job
from precede.checker.pipeline.study.keeping import open_study
from precede.checker.pipeline.study.points import Point, run_point
from precede.checker.pipeline.study.studies import Settings
from precede.checker.pipeline.study.tables import COLUMNS, folder, write_point


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of which a few points are finished."""
    out = tmp_path_factory.mktemp("studies") / "jang"
    points = open_study(out, Settings("jang", 0.0002, 1))
    folder(out).mkdir()
    for point in points:
        if point.group == "base" and point.algorithm == "rst" and point.workload.processes == 10:
            write_point(out, run_point(point))
    return out


def test_an_unfinished_study_is_shown_as_incomplete(begun: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "claims", str(begun)]) == 3
    text = capsys.readouterr().out
    assert "incomplete: 283 points are missing" in text
    assert "C-J-F1 " in text and "no data" in text and "100.0" in text


def test_the_json_has_the_fields_of_its_format(begun: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "claims", str(begun), "--json", "-"]) == 3
    document = json.loads(capsys.readouterr().out)
    assert set(document) == {"format", "version", *(name for name in STUDY_CLAIMS.fields if name.isidentifier())}
    assert document["missing"] == 283


def test_plots_are_drawn_from_what_there_is(begun: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "plots", str(begun)]) == 3
    assert (begun / "figures" / "figure-2.svg").read_text().startswith("<?xml")
    assert "figure-3.csv" in capsys.readouterr().out


def test_the_base_of_a_study_is_shown_by_itself(
    begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Point] = []
    monkeypatch.setattr(job, "run_points", lambda points, *rest: asked.extend(points) or 0)
    command = ["study", "jang", "--out", str(begun), "--scale", "0.0002", "--seeds", "1", "--base-only"]
    assert run(command) == 3
    assert len(asked) == 30 and {point.group for point in asked} == {"base"}
    assert "30 points" in capsys.readouterr().out


def test_the_speed_of_an_algorithm_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["study", "throughput", "--algorithms", "rst", "--processes", "3,5", "--deliveries", "1000"]
    assert run([*command, "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document) == {"format", "version", *(name for name in THROUGHPUT.fields if name.isidentifier())}
    assert [(each["load"], each["processes"]) for each in document["measured"]] == [
        ("unicast", 3), ("unicast", 5), ("multicast", 3), ("multicast", 5),
    ]  # fmt: skip
    assert all(each["deliveries_per_second"] > 1000 for each in document["measured"])
    assert run(command) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[:2] == ["rst", "multicast"]


def test_columns_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "columns"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in COLUMNS)


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["jang", "--out", "x", "--full", "--scale", "1"], 2, "--full and --scale exclude each other"),
        (["jang", "--out", "x", "--scale", "7"], 2, "--scale is a number between"),
        (["jang", "--out", "x", "--scale", "nan"], 2, "--scale is a number between"),
        (["jang", "--out", "x", "--seeds", "0"], 2, "--seeds is a number between"),
        (["jang"], 2, "Missing option '--out'"),
        (["claims", "nowhere"], 153, "no such study file"),
        (["simulate", "nobody"], 2, "no model is called 'nobody'"),
        (["simulate", "gk"], 2, "give --dependence"),
        (["simulate", "gk", "--dependence", "0.5"], 2, "made for fifo channels"),
        (["simulate", "bss"], 2, "give --load broadcast"),
        (["simulate", "chains-two", "--engine", "kernel"], 2, "are compiled"),
        (["simulate", "rst", "--engine", "kernel", "--reading", "RST-1b"], 2, "are compiled"),
        (["simulate", "rst", "--delay", "-1"], 151, "delay -1.0"),
        (["throughput", "--processes", "ten"], 2, "write numbers"),
        (["throughput", "--processes", "1"], 151, "1 processes"),
        (["throughput", "--algorithms", "ks,bss"], 2, "are compiled"),
        (["plots", "nowhere"], 153, "no such study file"),
        (["sa", "--out", "x", "--base-only"], 2, "No such option"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: list[str], code: int, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(["study", *arguments]) == code
    assert text in capsys.readouterr().err
    assert not list(tmp_path.iterdir()), "nothing is left"


def test_another_study_is_not_mixed_in(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "sa", "--out", str(begun)]) == 2
    assert "holds study jang, scale 0.0002" in capsys.readouterr().err
    (tmp_path / "something").write_text("else")
    assert run(["study", "sa", "--out", str(tmp_path)]) == 2
    (begun.parent / "broken").mkdir()
    (begun.parent / "broken" / "study.json").write_text('{"format": "precede-study", "version": 1, "study": "x"}')
    assert run(["study", "claims", str(begun.parent / "broken")]) == 153


def test_one_run_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "simulate", "ks", "--processes", "4", "--measured", "20", "--json", "-"]) == 0
    slow = json.loads(capsys.readouterr().out)
    assert set(slow) == {"format", "version", *(name for name in SIMULATION.fields if name.isidentifier())}
    assert run(["study", "simulate", "ks", "--processes", "4", "--measured", "20", "--engine", "kernel"]) == 0
    assert f"{slow['figures']['bytes']:,.6g}" in capsys.readouterr().out
