"""`precede step`: a path of choices is a run; the server answers only its own page, on the loopback interface."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from http.client import HTTPConnection

import pytest
from runs import calls_of, own_model

from precede.checker.bounds import Bounds
from precede.checker.cli import run
from precede.checker.errors import UsageError
from precede.checker.scenario import parse_scenario
from precede.checker.stepping import Stepping
from precede.checker.stepping.answering import path_of
from precede.checker.stepping.following import follow
from precede.checker.stepping.server import HEADERS, LARGEST_REQUEST, StepServer
from precede.checker.trace.file import _json
from precede.checker.trace.reading import parse_trace

BOUNDS = Bounds(3, 3)


def labels_to_path(calls, labels, bounds=BOUNDS):
    """The path that takes the steps with these labels."""
    path = []
    for label in labels:
        path.append(follow(calls, bounds, None, path).choices[-1].index(label))
    return path


TO_A_VIOLATION = ("send 1.1 to 2,3", "receive 1.1 at 2", "send 2.1 to 3", "receive 2.1 at 3")


def test_a_path_is_the_run_of_its_choices():
    calls = calls_of("ks", BOUNDS)
    path = labels_to_path(calls, TO_A_VIOLATION[:3])
    followed = follow(calls, BOUNDS, None, path)
    assert [step.label for step in followed.trace.steps] == list(TO_A_VIOLATION[:3])
    assert len(followed.choices) == 4 and "receive 2.1 at 3" not in followed.choices[-1]
    assert followed.choices[0] == (
        "send 1.1 to 2", "send 1.1 to 3", "send 1.1 to 2,3", "send 2.1 to 1", "send 2.1 to 3", "send 2.1 to 1,3",
        "send 3.1 to 1", "send 3.1 to 2", "send 3.1 to 1,2",
    )  # fmt: skip


def test_a_step_that_violates_what_is_claimed_makes_it_the_violation_of_the_run():
    calls = calls_of("rst", BOUNDS, ("RST-1b",))
    path = labels_to_path(calls, TO_A_VIOLATION)
    trace = follow(calls, BOUNDS, None, path).trace
    found = trace.violation
    assert (found.property, found.process, found.message, found.before) == ("CausalOrder", 3, (2, 1), (1, 1))
    assert follow(calls, BOUNDS, None, path[:-1]).trace.violation is None


@pytest.mark.parametrize("path", [[99], [-1], [0] * 301, [2, 0, 77]])
def test_a_path_that_is_none_is_refused(path):
    with pytest.raises(UsageError):
        follow(calls_of("ks", BOUNDS), BOUNDS, None, path)


@pytest.mark.parametrize("found", [None, [], {}, {"path": "0"}, {"path": [1.5]}, {"path": [True]}, {"path": [0] * 301}])
def test_a_request_that_brings_no_path_is_refused(found):
    with pytest.raises(UsageError):
        path_of(found)


@pytest.fixture(scope="module")
def server():
    stepping = Stepping(calls_of("rst", BOUNDS, ("RST-1b",)), BOUNDS)
    with StepServer(stepping) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def asked(server, method, path, body=None, headers=None, host=None):
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    given = {"X-Token": server.token} if headers is None else headers
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{server.port}")
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    for name, value in {"Content-Length": str(len(data)), **given}.items():
        connection.putheader(name, value)
    connection.endheaders(data)
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), answer.headers


def test_the_page_is_for_whoever_has_the_token(server):
    with urllib.request.urlopen(server.address, timeout=30) as answer:
        text = answer.read().decode()
    assert text.startswith("<!DOCTYPE html>") and "connect-src 'self'" in text
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(server.address[:-1], timeout=30)


def test_a_run_a_trace_and_a_scenario_are_answers(server):
    path = labels_to_path(server.stepping.calls, TO_A_VIOLATION)
    status, text, headers = asked(server, "POST", "/run", {"path": path})
    found = json.loads(text)
    assert status == 200 and found["run"]["violation"]["property"] == "CausalOrder" and len(found["choices"]) == 5
    assert {name: headers[name] for name in HEADERS} == HEADERS
    status, text, _ = asked(server, "POST", "/trace", {"path": path})
    assert [step.label for step in parse_trace(_json(text.encode())).steps] == list(TO_A_VIOLATION)
    status, text, _ = asked(server, "POST", "/scenario", {"path": path})
    assert status == 200 and len(parse_scenario(text, "saved").messages) == 2


@pytest.mark.parametrize(
    ("method", "path", "more", "status"),
    [
        ("POST", "/run", {"headers": {}}, 403),
        ("POST", "/run", {"headers": {"X-Token": "wrong"}}, 403),
        ("POST", "/run", {"host": "evil.example"}, 403),
        ("POST", "/run", {"host": "evil.example:80"}, 403),
        ("GET", "/", {}, 403),
        ("POST", "/elsewhere", {"body": {"path": []}}, 404),
        ("POST", "/run", {"body": b"\xff"}, 400),
        ("POST", "/run", {"body": b"[" * 20_000}, 400),
        ("POST", "/run", {"body": {"path": [99]}}, 422),
        ("POST", "/run", {"body": {"path": "x"}}, 422),
        ("POST", "/scenario", {"body": {"path": []}}, 422),
        ("POST", "/run", {"body": b" " * (LARGEST_REQUEST + 1)}, 413),
        ("PUT", "/run", {}, 501),
    ],
)
def test_anything_else_is_refused_with_a_line(server, method, path, more, status):
    found, text, _ = asked(server, method, path, **more)
    assert found == status and "Traceback" not in text


def test_another_site_is_refused_even_with_the_token(server):
    headers = {"X-Token": server.token, "Origin": "http://evil.example"}
    assert asked(server, "POST", "/run", {"path": []}, headers)[0] == 403
    headers["Origin"] = f"http://127.0.0.1:{server.port}"
    assert asked(server, "POST", "/run", {"path": []}, headers)[0] == 200


def test_it_listens_on_the_loopback_interface_only(server):
    assert server.server_address[0] == "127.0.0.1"


def test_the_command_prints_an_address_and_ends_with_ctrl_c(tmp_path):
    import signal

    command = [sys.executable, "-m", "precede.checker.cli", "step", own_model(tmp_path), "--sends", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        first = process.stdout.readline()
        with urllib.request.urlopen(first.rsplit(": ", 1)[1].strip(), timeout=30) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0 and process.stderr.read() == ""
    finally:
        process.kill()


def test_a_port_that_is_taken_is_said_in_one_line(server, capsys):
    assert run(["step", "ks", "--port", str(server.port)]) == 153
    assert "cannot be served" in capsys.readouterr().err
