"""`precede step` in a real browser: steps are taken, undone and branched, and the address holds the run."""

from __future__ import annotations

import threading

import pytest
from browser import console, find, fragment, requests, step_of, text
from runs import calls_of

from precede.checker.bounds import Bounds
from precede.checker.stepping import Stepping
from precede.checker.stepping.server import StepServer

BOUNDS = Bounds(3, 3)


@pytest.fixture(scope="module")
def server():
    with StepServer(Stepping(calls_of("rst", BOUNDS, ("RST-1b",)), BOUNDS)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def opened(browser, server):
    browser.get("about:blank")
    browser.get(server.address)
    yield browser
    assert console(browser) == []


def wait_for(browser, steps):
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 30).until(lambda b: len(find(b, ".steps li")) == steps + 1)


def take(browser, *labels):
    for label in labels:
        steps = len(find(browser, ".steps li")) - 1
        next(button for button in find(browser, ".choices button") if button.text == label).click()
        wait_for(browser, steps + 1)


def press_button(browser, words):
    next(button for button in find(browser, ".others-card button") if button.text == words).click()


def test_a_violation_is_stepped_to_by_hand(opened):
    take(opened, "send 1.1 to 2,3", "receive 1.1 at 2", "send 2.1 to 3", "receive 2.1 at 3")
    assert step_of(opened) == 4 and "process 3 delivers 2.1 although 1.1" in text(opened, ".verdict")
    assert "has not been delivered there" in text(opened, ".story-card")


def test_a_step_is_undone_and_another_taken_and_the_first_kept_as_a_branch(opened):
    take(opened, "send 1.1 to 2", "receive 1.1 at 2")
    press_button(opened, "undo the last step")
    wait_for(opened, 1)
    assert "2 steps, to: receive 1.1 at 2" in text(opened, ".others-card")
    take(opened, "send 2.1 to 1")
    press_button(opened, "undo the last step")
    wait_for(opened, 1)
    take(opened, "receive 1.1 at 2")
    assert "receive 1.1 at 2" not in text(opened, ".others-card details")


def test_from_an_earlier_state_the_run_branches(opened):
    take(opened, "send 1.1 to 2", "receive 1.1 at 2")
    opened.execute_script("document.querySelectorAll('.steps button')[1].click()")
    assert step_of(opened) == 1
    next(button for button in find(opened, ".choices button") if button.text == "send 3.1 to 1").click()
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(opened, 30).until(lambda b: "2 steps, to: receive 1.1 at 2" in text(b, ".others-card"))
    assert text(opened, ".steps li:last-child").endswith("send 3.1 to 1")
    press_button(opened, "2 steps, to: receive 1.1 at 2")
    WebDriverWait(opened, 30).until(lambda b: text(b, ".steps li:last-child").endswith("receive 1.1 at 2"))


def test_the_address_reopens_the_run(opened):
    take(opened, "send 2.1 to 1,3", "receive 2.1 at 3")
    where = opened.current_url
    assert "path=" in fragment(opened)
    opened.get("about:blank")
    opened.get(where)
    wait_for(opened, 2)
    assert text(opened, ".step-card .lead") == "receive 2.1 at 3"


def test_the_run_is_saved_as_a_trace_and_as_a_scenario(opened):
    take(opened, "send 1.1 to 2", "receive 1.1 at 2")
    beginnings = {"save as trace": '{\n "format": "precede-trace"', "save as scenario": "# A run of rst."}
    for words, beginning in beginnings.items():
        saved = opened.execute_async_script(
            "const [words, done] = arguments;"
            "URL.createObjectURL = (blob) => { blob.text().then(done); return 'data:,'; };"
            "[...document.querySelectorAll('.others-card button')].find((b) => b.textContent === words).click();",
            words,
        )
        assert saved.startswith(beginning)


def test_only_its_own_server_is_asked(opened, server):
    requests(opened)
    take(opened, "send 1.1 to 2")
    assert {address.split("/")[2] for address in requests(opened) if address.startswith("http")} == {
        f"127.0.0.1:{server.port}"
    }
