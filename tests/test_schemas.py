"""The formats of all JSON are frozen: a field goes only with a new version of its format."""

from __future__ import annotations

from copy import deepcopy

import pytest

from precede.checker import schemas
from precede.checker.errors import ConfigurationError


def test_the_frozen_formats_are_those_of_the_code():
    """When a field was added: python -m precede.checker.schemas."""
    assert schemas.frozen() == schemas.current()
    assert schemas.FILE.read_text() == schemas.as_text(schemas.current())


def changed(version=0, fields=()):
    """The current formats, of precede-result the version raised and fields gone."""
    found = deepcopy(schemas.current())
    found["formats"]["precede-result"]["version"] += version
    for field in fields:
        del found["formats"]["precede-result"]["fields"][field]
    return found


@pytest.mark.parametrize(
    ("after", "wrong"),
    [
        (changed(fields=["verdict"]), ["precede-result: verdict is gone"]),
        (changed(version=1, fields=["verdict"]), []),
        (changed(version=-1), ["precede-result: version 0 after 1"]),
        ({"formats": {}}, [f"{name} is gone" for name in schemas.current()["formats"]]),
    ],
)
def test_what_goes_needs_a_new_version(after, wrong):
    assert list(schemas.broken(schemas.current(), after)) == wrong


def test_what_is_added_needs_none():
    assert list(schemas.broken(changed(fields=["verdict"]), schemas.current())) == []


def test_a_field_cannot_be_frozen_away(monkeypatch, tmp_path):
    file = tmp_path / "schemas.json"
    file.write_text(schemas.as_text(schemas.current()))
    less = changed(fields=["verdict"])
    monkeypatch.setattr(schemas, "FILE", file)
    monkeypatch.setattr(schemas, "current", lambda: less)
    with pytest.raises(ConfigurationError, match="verdict is gone"):
        schemas.write()
