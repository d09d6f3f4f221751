"""A real browser for the tests of pages: Debian's Chromium with its driver, started by the tests."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SIZE = (1400, 1000)
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
)


def why_none() -> str | None:
    """Why no browser can be started here; None where one can."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "no selenium: pip install -e '.[test]' brings it"
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        return "no browser: apt-get install chromium chromium-driver brings one"
    return None


@contextmanager
def started(size: tuple[int, int] = SIZE) -> Iterator[Any]:
    """A browser that keeps what its pages write to the console and what they ask for."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in (*ARGUMENTS, f"--window-size={size[0]},{size[1]}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        driver.set_page_load_timeout(60)
        yield driver
    finally:
        driver.quit()


def console(driver: Any) -> list[str]:
    """What the page has written to the console since this was asked last."""
    return [entry["message"] for entry in driver.get_log("browser")]


def requests(driver: Any) -> list[str]:
    """The addresses that were asked for since this was asked last."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


def find(browser, selector):
    """The elements of a selector."""
    return browser.find_elements("css selector", selector)


def text(browser, selector):
    """The text of an element as it is shown."""
    return browser.execute_script("return document.querySelector(arguments[0]).innerText", selector)


def press(browser, *keys):
    """Press keys, one after the other."""
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def step_of(browser):
    """The step that is shown."""
    return int(browser.execute_script("return document.querySelector('input[type=range]').value"))


def click(browser, selector):
    """Click an element, also one of an SVG."""
    browser.execute_script(
        "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true}))", selector
    )


def fragment(browser):
    """The part of the address after #, with it."""
    return browser.execute_script("return location.hash")
