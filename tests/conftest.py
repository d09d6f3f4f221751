"""Makes pytest put this folder on the path, for the modules that tests share; leaves what is slow to the sweep."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")
"""Java processes of tests are short: compiling their code twice takes a third of their time."""

SLOW = Path(__file__).with_name("slow.txt")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that slow.txt names. A line that names no test of a file that was collected is an error."""
    slow = {line for line in SLOW.read_text("utf-8").splitlines() if line and not line.startswith("#")}
    for item in items:
        if item.nodeid in slow:
            item.add_marker(pytest.mark.sweep)
    if any("::" in argument for argument in config.args) or config.getoption("lf", False):
        return
    names = {item.nodeid for item in items}
    files = {name.partition("::")[0] for name in names}
    strange = sorted(line for line in slow - names if line.partition("::")[0] in files)
    if strange:
        raise pytest.UsageError(f"{SLOW.name} names tests that are not there: {', '.join(strange)}")
