"""The command line: exit codes, one-line errors, and what goes to which stream."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from precede.checker.cli import run
from precede.models.catalog import CATALOG

SMALL = ("--processes", "3", "--sends", "2")
SCENARIOS = Path(__file__).parent / "scenarios"


def error_of(capsys, *arguments):
    """The exit code and the one line on standard error; nothing goes to standard output."""
    code = run(arguments)
    out, err = capsys.readouterr()
    err = err.lstrip("\n")  # after Ctrl-C the terminal still stands behind ^C
    assert out == ""
    assert err.startswith("precede: ") and err.count("\n") == 1 and "Traceback" not in err, err
    return code, err


@pytest.mark.parametrize(
    ("code", "hint", "arguments"),
    [
        (2, "did you mean ks", ("check", "kss")),
        (2, "path/to/file.py:Class", ("check", "unheard-of")),
        (2, "did you mean", ("check", "ks", "--property", "CausalOrdr")),
        (2, "KS-2", ("check", "ks", "--reading", "KS-2z")),
        (2, "of jang", ("check", "ks", "--reading", "J-3a")),
        (2, "precede readings KS-1", ("check", "ks", "--reading", "KS-1a")),
        (2, "no reading", ("check", "ks", "--reading", "KS-99a")),
        (151, "at least 2 processes", ("check", "ks", "--processes", "1")),
        (151, "at least 1 send", ("check", "ks", "--sends", "0")),
        (151, "at least 1", ("check", "ks", "--sends-per-process", "-1")),
        (151, "at most 62", ("check", "ks", "--processes", "99999999999999999999")),
        (2, "positive number of seconds", ("check", "ks", "--time-limit", "0")),
        (2, "positive number of seconds", ("check", "ks", "--time-limit", "nan")),
        (2, "2G", ("check", "ks", "--memory-limit", "lots")),
        (2, "2G", ("check", "ks", "--memory-limit", "0")),
        (2, "--max-states", ("check", "ks", "--max-states", "0")),
        (2, "unordered", ("check", "ks", "--channel", "ordered")),
        (2, "--channel", ("check", "ks", "--chanel", "fifo")),
        (2, "MODEL", ("check",)),
        (2, "check", ("chekc", "ks")),
        (2, "exclude each other", ("check", "ks", "--sends", "3", "--scenario", "triangle.txt")),
        (153, "no such scenario", ("check", "ks", "--scenario", "nowhere.txt")),
        (2, "needs a file", ("check", "ks", "--trace", "-")),
        (153, "cannot be written", ("check", "ks", "--json", "no/such/folder/x.json")),
        (153, "cannot be written", ("check", "ks", "--trace", "no/such/folder/x.json")),
        (2, "folder", ("check", "ks", "--json", ".")),
        (2, "same file", ("check", "ks", "--json", "x.json", "--trace", "./x.json")),
        (2, "'nowhere.py'", ("check", "nowhere.py:Mine")),
        (153, "no such trace", ("trace", "show", "nowhere.json")),
        (153, "no such trace", ("trace", "draw", "nowhere.json", "-o", "x.svg")),
        (153, "no such trace", ("trace", "replay", "nowhere.json")),
        (2, ".svg", ("trace", "draw", "nowhere.json", "-o", "x.png")),
        (2, "no model", ("list", "unheard-of")),
        (2, "no model", ("bench", "unheard-of")),
    ],
)
def test_a_mistake_is_one_line_that_teaches(capsys, tmp_path, monkeypatch, code, hint, arguments):
    monkeypatch.chdir(tmp_path)
    found, line = error_of(capsys, *arguments)
    assert found == code and hint in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"{", b"[1, 2]", b"\x00\xff\xfe", b'{"format": "other"}', b"[" * 100_000])
def test_a_foreign_trace_file_is_refused(capsys, tmp_path, content):
    (tmp_path / "foreign.json").write_bytes(content)
    assert error_of(capsys, "trace", "show", str(tmp_path / "foreign.json"))[0] == 153


def test_holds_exits_with_0_and_says_for_which_runs(capsys):
    assert run(["check", "rst", *SMALL]) == 0
    out, err = capsys.readouterr()
    assert (
        "holds for all runs of 3 processes with at most 2 multicasts, unordered channels, no self-addressed messages"
        in out
    )
    assert err == ""


def test_a_broken_reading_exits_with_12_and_prints_the_shortest_counterexample(capsys):
    assert run(["check", "rst", "--sends", "3", "--reading", "RST-1c"]) == 12
    out = capsys.readouterr().out
    assert "violated" in out and "receive" in out and "holds for all" not in out


def test_a_limit_exits_with_3_and_never_says_holds(capsys):
    assert run(["check", "ks", "--max-states", "50", "--json", "-"]) == 3
    result = json.loads(capsys.readouterr().out)
    assert result["verdict"] == "incomplete" and result["complete"] is False and result["stopped"]
    assert {p["verdict"] for p in result["properties"].values()} == {"incomplete"}


def test_json_on_standard_output_is_alone_and_whole(capsys):
    assert run(["check", "ks", *SMALL, "--json", "-"]) == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    needed = """engine complete model readings bounds channel verdict properties
    distinct_states transitions depth local_states packets seconds peak_memory_bytes"""
    assert set(needed.split()) <= set(result) and err == ""
    assert result["properties"]["CausalOrder"] | {"counts": {}} == {
        "verdict": "holds", "trace_length": None, "counts": {}, "explanation": None, "note": None,
    }  # fmt: skip


def test_fifo_arrival_says_that_it_is_the_same_as_unordered(capsys):
    assert run(["check", "rst", *SMALL, "--channel", "fifo-arrival"]) == 0
    assert "the same as unordered" in capsys.readouterr().out


def test_a_trace_is_written_shown_drawn_and_replayed(capsys, tmp_path):
    trace, drawing = str(tmp_path / "x.json"), tmp_path / "x.svg"
    assert run(["check", "rst", "--sends", "3", "--reading", "RST-1c", "--trace", trace]) == 12
    assert f"trace written to {trace}" in capsys.readouterr().out
    assert run(["trace", "show", trace]) == 0
    whole = capsys.readouterr().out
    assert run(["trace", "show", trace, "--differences", "--process", "1"]) == 0
    assert 0 < len(capsys.readouterr().out) < len(whole)
    assert run(["trace", "draw", trace, "-o", str(drawing)]) == 0
    assert drawing.read_text().rstrip().endswith("</svg>")
    assert run(["trace", "replay", trace]) == 0
    assert "the same" in capsys.readouterr().out
    assert error_of(capsys, "trace", "show", trace, "--process", "9")[0] == 2


def test_without_a_counterexample_no_trace_is_written(capsys, tmp_path):
    trace = tmp_path / "x.json"
    assert run(["check", "rst", *SMALL, "--trace", str(trace)]) == 0
    assert "no counterexample" in capsys.readouterr().out and not trace.exists()


def test_a_scenario_is_explored(capsys):
    assert run(["check", "rst", "--scenario", str(SCENARIOS / "triangle.txt"), "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["scenario"] == "triangle" and result["distinct_states"] < 20


def test_list_names_every_reading_with_its_default(capsys):
    assert run(["list", "--json", "-"]) == 0
    listed = {m["name"]: m for m in json.loads(capsys.readouterr().out)["models"]}
    assert list(listed) == list(CATALOG)
    assert listed["sa"]["parameters"]["K"]["default"] == 0 and "C-SA-COL" in listed["sa"]["claims"]
    assert {name: listed[name]["status"] for name in ("rst", "ks", "prs")} == {
        "rst": "found", "ks": "read in full", "prs": "reconstructed",
    }  # fmt: skip
    assert set(listed["jang"]["readings"]) == {f"J-{row}" for row in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)}
    assert run(["list"]) == 0
    assert "KS-10" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("size", "expected"),
    [("500", 500), ("1K", 2**10), ("1.5k", 1536), ("2G", 2**31), ("3MiB", 3 * 2**20), ("1TB", 2**40)],
)
def test_sizes(size, expected):
    from precede.checker.cli.options import Size

    assert Size().convert(size, None, None) == expected


def precede(*arguments, **settings):
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "precede.checker.cli", *arguments], capture_output=True, text=True, **settings
    )


def test_help_takes_at_most_six_times_as_long_as_importing_click():
    """Of each the quickest of three, in turns, so that a slow machine slows both."""

    def seconds(*command):
        started = time.perf_counter()
        assert subprocess.run([sys.executable, *command], capture_output=True).returncode == 0
        return time.perf_counter() - started

    of_help, of_click = ("-m", "precede.checker.cli", "--help"), ("-c", "import click")
    seconds(*of_help)
    times = [(seconds(*of_help), seconds(*of_click)) for _ in range(3)]
    assert min(help for help, _ in times) <= 6 * min(click for _, click in times)


def test_help_loads_nothing_heavy():
    code = "import sys, precede.checker.cli as c; c.run(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert {"numba", "numpy", "networkx", "rich", "z3", "pyspark"} & set(done.stdout.split()) == set()


def test_the_version_is_that_of_the_distribution():
    from importlib.metadata import version

    assert precede("--version").stdout == f"precede, version {version('precede')}\n"


def test_pipes_get_no_colour_and_no_progress():
    done = precede("check", "rst", "--sends", "3", env=os.environ | {"FORCE_COLOR": ""})
    assert done.stderr == "" and not re.search(r"[\x1b\r]", done.stdout)


def test_a_broken_pipe_is_quiet():
    command = f"{sys.executable} -m precede.checker.cli list | true"
    done = subprocess.run(["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"], capture_output=True, text=True)
    assert (done.stderr, done.returncode) == ("", 141)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_disk_is_one_line():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "precede.checker.cli", "list"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 153 and done.stderr == "precede: No space left on device\n"
    done = precede("check", "rst", *SMALL, "--json", "/dev/full")
    assert done.returncode == 153 and done.stderr == "precede: /dev/full: cannot be written: No space left on device\n"


def test_an_unexpected_bug_is_short_and_tells_how_to_see_more(capsys, monkeypatch):
    monkeypatch.delenv("PRECEDE_DEBUG", raising=False)
    monkeypatch.setattr("precede.checker.loading.load_model", lambda *_: 1 / 0)
    code, line = error_of(capsys, "check", "ks")
    assert code == 70 and "ZeroDivisionError" in line and "PRECEDE_DEBUG=1" in line


def test_an_interrupt_outside_the_search_is_one_line(capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("precede.checker.loading.load_model", interrupted)
    code, line = error_of(capsys, "check", "ks")
    assert (code, line) == (130, "precede: interrupted\n")


def test_control_characters_of_a_name_do_not_reach_the_terminal(capsys):
    _, line = error_of(capsys, "check", "ks", "--json", "no-folder\x07\u202e/x.json")
    assert "no-folder\\x07\\u202e/x.json" in line
