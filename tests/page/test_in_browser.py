"""The page in a real browser: stepping, keys, addresses, light, hostile traces, long runs."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from browser import click, console, find, fragment, press, requests, step_of, text
from runs import calls_of, hostile_trace, random_trace

from precede.checker.bounds import Bounds
from precede.checker.page import document_of, executing, page
from precede.checker.run import Run
from precede.checker.trace import read_trace

REFUTATIONS = Path(__file__).parents[2] / "proofs" / "refutations"
EVIL = '</script><script>window.hit=1</script><img src=x onerror="window.hit=2"><b>bold</b>'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def documented():
    """The document of a trace, made once."""
    kept = {}

    def document(trace):
        if id(trace) not in kept:
            kept[id(trace)] = (trace, document_of(trace))
        return kept[id(trace)][1]

    return document


@pytest.fixture
def opened(browser, folder, documented):
    """Open a page of traces, at a fragment of its address."""

    def open_(*traces, fragment="", name="page"):
        file = folder / f"{name}.html"
        file.write_text(page([documented(trace) for trace in traces]), encoding="utf-8")
        browser.get("about:blank")
        browser.get(f"{file.as_uri()}{fragment}")
        return browser

    yield open_
    assert console(browser) == []


@pytest.fixture(scope="module")
def rst_1b():
    return read_trace(REFUTATIONS / "C-B-1-RST-1b.json")


def test_it_opens_at_the_end_and_says_what_is_wrong(opened, rst_1b):
    browser = opened(rst_1b)
    assert browser.title == "CausalOrder violated: Raynal-Schiper-Toueg: matrix counters"
    assert "process 2 delivers 1.1 although 3.1" in text(browser, ".verdict")
    assert step_of(browser) == 4 and text(browser, ".step-card .lead") == "receive 1.1 at 2"
    assert [e.get_attribute("title") or e.text for e in find(browser, ".properties .broken th")] != []


def test_nothing_is_asked_of_anyone(opened, rst_1b, folder):
    browser = opened(rst_1b)
    requests(browser)
    opened(rst_1b)
    assert {address.partition(":")[0] for address in requests(browser)} <= {"file", "about", "data"}


def test_buttons_keys_and_slider_step(opened, rst_1b):
    from selenium.webdriver.common.keys import Keys

    browser = opened(rst_1b, fragment="#step=0")
    assert "nothing has happened yet" in text(browser, ".step-card .lead")
    click(browser, "[aria-label^='next step']")
    assert step_of(browser) == 1
    press(browser, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    assert step_of(browser) == 2 and fragment(browser) == "#step=2"
    slider = find(browser, "input[type=range]")[0]
    slider.send_keys(Keys.ARROW_RIGHT)
    assert step_of(browser) == 3
    assert slider.get_attribute("aria-valuetext") == "step 3 of 4: send 1.1 to 2"
    find(browser, ".to-step")[0].click()
    assert step_of(browser) == 1


def test_a_step_marks_what_it_changes(opened, rst_1b):
    browser = opened(rst_1b, fragment="#step=4")
    assert text(browser, ".state.acted h3").startswith("process 2")
    cells = [cell.get_attribute("title") for cell in find(browser, ".state.acted .new")]
    assert cells == ["was 0", "was 0", "was 0"]
    assert [row.text for row in find(browser, ".statements .label")] == ["d1", "d2", "d3", "d4", "d5"]


def test_the_address_reopens_the_same_picture(opened, rst_1b):
    browser = opened(rst_1b, fragment="#step=2&select=p1&zoom=1.5&hide=2&theme=dark")
    assert step_of(browser) == 2 and text(browser, ".selection-card .lead").startswith("3.1 3 → 1")
    assert find(browser, "[aria-pressed=true]")[0].text == "process 2"
    assert browser.execute_script("return document.documentElement.dataset.theme") == "dark"
    before = fragment(browser)
    click(browser, "[aria-label^='next step']")
    assert fragment(browser) == before.replace("step=2", "step=3")
    browser.execute_script("location.hash = '#step=1'")
    time.sleep(0.1)
    assert step_of(browser) == 1 and find(browser, "[aria-pressed=true]") == []


@pytest.mark.parametrize(
    "bad", ["#step=99", "#step=x&select=p99", "#select=e9.9&zoom=nan&hide=7,a&trace=5", "#%E0%A4%A", "#select=<b>"]
)
def test_an_address_that_fits_no_run_opens_the_end(opened, rst_1b, bad):
    browser = opened(rst_1b, fragment=bad)
    assert step_of(browser) == 4 and find(browser, ".selected") == []


def test_a_packet_shows_what_it_carries_and_why(opened):
    trace = read_trace(REFUTATIONS / "KS-2a.json")
    browser = opened(trace)
    click(browser, ".canvas .packet")
    assert "Control information" in text(browser, ".selection-card")
    assert find(browser, ".selection-card .items tr")
    click(browser, ".selection-card .clear")
    assert find(browser, ".selected") == []


@pytest.mark.parametrize("seed", range(3))
def test_the_light_shows_the_causal_past_and_future(opened, seed, monkeypatch):
    monkeypatch.setattr(executing, "LONGEST_JUDGED", 0)
    trace = random_trace("ks", Bounds(4, 8), 24, seed)
    run = Run(calls_of("ks", trace.bounds), trace.bounds)
    number = len([step for step in trace.steps if step.is_send]) // 2
    sends = [i for i, step in enumerate(trace.steps) if step.is_send]
    for event in trace.schedule[: sends[number]]:
        run.apply(event)
    step = trace.steps[sends[number]]
    past = run.locals[step.process].past
    browser = opened(trace, fragment=f"#select=p{step.packets[0].number}")
    lit = {e.get_attribute("aria-label").split(",")[0] for e in find(browser, ".packet.in-past")}
    assert {label.split(" from")[0] + " " + label.split("to ")[1].split(":")[0] for label in lit} == {
        f"{s}.{n} {d}" for (s, n), d in past.delivered if (s, n) != step.id
    }
    outstanding = {(s.id, d) for s in past.sent for d in s.message.dests} - past.delivered
    assert len(find(browser, ".packet.in-past-open")) == len(outstanding)


def test_everything_can_be_reached_with_the_keyboard_alone(opened, rst_1b):
    from selenium.webdriver.common.keys import Keys

    browser = opened(rst_1b)
    browser.execute_script("document.querySelector('.scroll').focus()")
    press(browser, Keys.ARROW_DOWN)
    assert find(browser, ".packet.selected")[0].get_attribute("aria-label").startswith("3.1 from 3 to 1")
    press(browser, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert fragment(browser) == "#step=4&select=p3"
    press(browser, Keys.HOME)
    assert step_of(browser) == 0
    press(browser, Keys.ESCAPE, "+", "t", "?")
    assert find(browser, "dialog[open]")
    unreachable = browser.execute_script(
        "return [...document.querySelectorAll('a, button, input, select')].filter((e) => e.tabIndex < 0).length"
    )
    assert unreachable == 0


def test_every_control_and_every_mark_has_a_name(opened, rst_1b):
    browser = opened(rst_1b)
    nameless = browser.execute_script(
        "return [...document.querySelectorAll('button, input, select, .canvas .packet, .event, section, svg[role]')]"
        ".filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim())).map((e) => e.outerHTML.slice(0, 80))"
    )
    assert nameless == []


def test_a_hostile_trace_shows_as_text(opened, tmp_path):
    browser = opened(hostile_trace(tmp_path, EVIL, {"set": [EVIL]}), name="hostile")
    assert browser.execute_script("return window.hit") is None
    assert text(browser, "h1") == EVIL
    assert find(browser, "img, b:not(.facts b):not(.card b)") == []
    assert browser.execute_script("return document.scripts.length") == 2
    assert EVIL in text(browser, ".states") and EVIL in browser.execute_script(
        "return document.querySelector('.canvas').textContent"
    )
    click(browser, ".packet")
    assert EVIL in text(browser, ".selection-card") and browser.execute_script("return window.hit") is None


def work(browser):
    """The seconds that the processor has worked for the page, however busy the machine is."""
    found = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(metric["value"] for metric in found if metric["name"] == "TaskDuration")


def test_500_events_open_within_a_second_and_step_at_once(opened, browser):
    trace = random_trace("bss", Bounds(5, 160, dests="broadcast"), 500)
    assert len(trace.steps) == 500
    browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    before = work(browser)
    opened(trace, name="long")
    assert len(find(browser, ".canvas .event")) == 500
    drawn = work(browser)
    assert drawn - before < 1
    browser.execute_script(
        "for (let i = 0; i < 20; i += 1) {"
        "  document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'})); document.body.offsetTop; }"
    )
    assert step_of(browser) == 480 and work(browser) - drawn < 20 * 0.1


def test_the_saved_picture_is_an_svg_with_its_styles(opened, rst_1b):
    browser = opened(rst_1b)
    source = browser.execute_async_script(
        "const done = arguments[0]; URL.createObjectURL = (blob) => { blob.text().then(done); return 'data:,'; };"
        "document.querySelector(\"[aria-label='save the diagram as SVG']\").click();"
    )
    root = ElementTree.fromstring(source)
    texts = ["".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"process 1", "3.1", "1.1"} <= set(texts)
    assert "var(" not in source and "rgb(" in source


def test_the_saved_png_is_a_picture_of_twice_the_size(opened, rst_1b):
    browser = opened(rst_1b)
    width, size = browser.execute_async_script(
        "const done = arguments[0]; const original = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => {"
        "  if (blob.type === 'image/png') createImageBitmap(blob).then((image) => done([image.width, blob.size]));"
        "  return blob.type === 'image/png' ? 'data:,' : original(blob); };"
        "document.querySelector(\"[aria-label='save the diagram as PNG']\").click();"
    )
    shown = int(find(browser, ".canvas svg")[0].get_attribute("width"))
    assert width == 2 * (shown + 92) and size > 10_000


def test_the_light_of_an_event_holds_what_it_delivers(opened, rst_1b):
    browser = opened(rst_1b, fragment="#select=e4.2")
    lit = {e.get_attribute("aria-label").split(":")[0] for e in find(browser, ".packet.in-past")}
    assert lit == {"3.1 from 3 to 1", "1.1 from 1 to 2"}
    assert [e.get_attribute("aria-label").split(":")[0] for e in find(browser, ".packet.in-past-open")] == [
        "3.1 from 3 to 2"
    ]


def test_light_and_dark_follow_the_system_and_the_key(opened, rst_1b):
    browser = opened(rst_1b)
    ground = "return getComputedStyle(document.body).backgroundColor"
    seen = []
    for scheme in ("light", "dark"):
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )
        seen.append(browser.execute_script(ground))
    press(browser, "t")
    seen.append(browser.execute_script(ground))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert seen[0] != seen[1] and seen[2] == seen[0]


def test_several_runs_are_chosen_from_a_list(opened, rst_1b):
    browser = opened(rst_1b, read_trace(REFUTATIONS / "KS-6c.json"))
    from selenium.webdriver.support.ui import Select

    Select(find(browser, ".choice select")[0]).select_by_index(1)
    assert text(browser, "h1").startswith("Kshemkalyani") and fragment(browser) == "#trace=2&step=3"


def test_it_prints_in_light_colours_on_paper(opened, rst_1b):
    import base64

    printed = base64.b64decode(opened(rst_1b, fragment="#theme=dark").print_page())
    assert printed.startswith(b"%PDF") and len(printed) > 10_000
