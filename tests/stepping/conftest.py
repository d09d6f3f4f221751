"""One browser for all tests of pages; they are skipped where there is none."""

import pytest
from browser import started, why_none


@pytest.fixture(scope="session")
def browser():
    reason = why_none()
    if reason:
        pytest.skip(reason)
    with started() as driver:
        yield driver
