"""What fails takes nothing else with it: results, children, and standard output."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from precede.checker import bench, demo
from precede.checker.cli import run
from precede.checker.errors import EnvironmentProblem

BROKEN = ("check", "rst", "--sends", "2", "--reading", "RST-1b")
MODEL = """
from dataclasses import dataclass
from precede.models import Model, Packet, Step

print("loaded")

@dataclass(frozen=True)
class Mine(Model):
    def start(self, me, processes):
        return "\\xe9"
    def send(self, state, message):
        print("sent")
        return Step(state, tuple(Packet(message.sender, d, message, 0) for d in message.dests))
    def receive(self, state, packet):
        return Step(state, delivered=(packet.message,))

@dataclass(frozen=True)
class Sized(Mine):
    def control_units(self, packet):
        return "many"

@dataclass(frozen=True)
class Forgetful(Mine):
    def send(self, state, message):
        Step(state)

def fine(state):
    print("judged")
    return True
"""


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MODEL)
    return str(path)


def full_disk(*_):
    raise EnvironmentProblem("x: cannot be written: No space left on device")


def test_a_trace_that_cannot_be_written_leaves_the_result_and_the_json(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("precede.checker.trace.write_trace", full_disk)
    found = tmp_path / "found.json"
    assert run([*BROKEN, "--trace", str(tmp_path / "t.json"), "--json", str(found)]) == 153
    out, err = capsys.readouterr()
    assert "violated: CausalOrder" in out and "Still in transit" in out
    assert err == "precede: x: cannot be written: No space left on device\n"
    assert json.loads(found.read_text())["verdict"] == "violated"


def test_a_broken_pipe_takes_neither_the_trace_nor_the_json_with_it(tmp_path):
    command = f"{sys.executable} -m precede.checker.cli {' '.join(BROKEN)} --trace t.json --json found.json | true"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr == ""
    assert {path.name for path in tmp_path.iterdir()} == {"t.json", "found.json"}


def test_a_size_that_is_none_does_not_take_the_verdict_with_it(capsys, mine):
    assert run(["check", f"{mine}:Sized", "--sends", "2"]) == 75
    out, err = capsys.readouterr()
    assert "violated: CausalOrder" in out and "Sized.control_units returned 'many'" in err


def test_what_user_code_prints_is_never_part_of_the_json(capsys, mine):
    assert run(["check", f"{mine}:Mine", "--sends", "1", "--property", f"{mine}:fine", "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["verdict"] == "holds"
    assert {"loaded", "sent", "judged"} <= set(err.split())


def test_a_model_that_never_sends_is_not_passed_over(capsys, mine):
    assert run(["check", f"{mine}:Forgetful", "--sends", "1"]) == 0
    assert "note: no message was ever sent" in capsys.readouterr().out


def test_more_sends_than_the_engine_can_number_are_refused(capsys):
    assert run(["check", "ks", "--sends", "9" * 24]) == 151
    assert "at most 2,000 are supported" in capsys.readouterr().err


def test_a_terminal_without_unicode_gets_escapes(mine):
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, "-m", "precede.checker.cli", "check", f"{mine}:Mine", "--sends", "2"],
        capture_output=True, text=True, env=environment,
    )  # fmt: skip
    assert done.returncode == 12 and "state = \\xe9" in done.stdout


@pytest.mark.parametrize("arguments", [(), ("trace",)])
def test_without_a_command_the_help_is_printed_as_it_is(capsys, arguments):
    assert run(arguments) == 2
    assert capsys.readouterr().err.startswith("Usage: precede") and "bug" not in capsys.readouterr().err


@pytest.mark.parametrize(("closed", "arguments", "code"), [(1, "list", 0), (1, "nonsense", 2), (2, "nonsense", 2)])
def test_a_closed_stream_is_no_bug(closed, arguments, code):
    command = f"{sys.executable} -m precede.checker.cli {arguments} {closed}>&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == code and "Traceback" not in done.stderr and "bug" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_terminate_ends_like_an_interrupt(number):
    code = (
        "import os, precede.checker.cli as c, precede.checker.loading as l\n"
        f"l.load_model = lambda *_: os.kill(os.getpid(), {int(number)})\n"
        "import sys; sys.argv = ['precede', 'check', 'ks']; c.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr.strip()) == (130, "precede: interrupted")


@dataclass
class Stopped:
    stopped: str | None = "interrupted"
    verdict: str = "incomplete"
    distinct_states: int | None = 5
    transitions: int | None = 4


@pytest.mark.parametrize("tool", ["explore", "run_tlc"])
def test_an_interrupt_ends_the_whole_demonstration(capsys, tmp_path, monkeypatch, tool):
    monkeypatch.setattr(demo, tool, lambda *_, **__: Stopped())
    monkeypatch.setattr(demo, "MODELS", ("rst",))
    assert run(["demo", "--into", str(tmp_path)]) == 130
    assert capsys.readouterr().err.strip() == "precede: interrupted"


def test_an_interrupt_of_tlc_ends_the_benchmark_and_keeps_what_was_measured(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("precede.checker.tlc.run_tlc", lambda *_, **__: Stopped())
    measured = bench.Measurement("rst", "precede", 1906, 3273, 1.0, 200_000_000, 100.0)
    monkeypatch.setattr(bench, "measure_precede", lambda *_: measured)
    found = tmp_path / "found.json"
    assert run(["bench", "rst", "--json", str(found)]) == 130
    assert "1,906" in capsys.readouterr().out
    assert len(json.loads(Path(found).read_text())["measurements"]) == 1
