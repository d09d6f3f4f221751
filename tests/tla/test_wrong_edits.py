"""A wrong edit of a specification is noticed by the comparison with the model."""

from __future__ import annotations

import pytest
from sweeping import quick
from tla_runs import calls_of, counts, engine, needs_java, tlc

from precede.checker.bounds import Bounds
from precede.checker.engine import whole_states
from precede.checker.tlc import compare_states, run_tlc, running
from precede.checker.tlc.configuration import write_specification

pytestmark = needs_java
TWO = Bounds(processes=3, sends=2)

EDITS = [
    ("ks", "KSLog", "LogAfterSend(L, M) == Purge(Struck(L, M.dests) \\cup {OwnEntry(M)})",
     "LogAfterSend(L, M) == Purge(L \\cup {OwnEntry(M)})"),
    ("rst", "RST", "DELIV' = [DELIV EXCEPT ![j][i] = WithNext(@, Place(packet))]",
     "DELIV' = [DELIV EXCEPT ![i][j] = WithNext(@, Place(packet))]"),
    ("jang", "Jang", "WithOwn(C, M) == [C EXCEPT ![M.sender] = @ \\cup {Tuple(M.number, M.dests)}]",
     "WithOwn(C, M) == [C EXCEPT ![M.sender] = {Tuple(M.number, M.dests)}]"),
]  # fmt: skip


def edited(monkeypatch, module, old, new):
    """TLC gets the module with `new` for `old`."""

    def write(folder, model, cfg):
        write_specification(folder, model, cfg)
        path = folder / f"{module}.tla"
        text = path.read_text()
        assert old in text, f"{module}.tla has no {old}"
        path.write_text(text.replace(old, new))

    monkeypatch.setattr(running, "write_specification", write)


@pytest.mark.parametrize(
    ("model", "module", "old", "new"), quick(EDITS, lambda edit: edit[0] != "jang"), ids=[edit[0] for edit in EDITS]
)
def test_a_wrong_edit_changes_the_verdict_or_the_states(monkeypatch, tmp_path, model, module, old, new):
    calls = calls_of(model, "", TWO)
    edited(monkeypatch, module, old, new)
    dump = tmp_path / "states.dump"
    found = run_tlc(model, calls.loaded.readings, TWO, (), dump=dump)
    if found.verdict == "holds":
        assert not compare_states(model, whole_states(calls, TWO), dump).equal


def test_without_an_edit_they_agree():
    assert counts(tlc("ks", TWO)) == counts(engine("ks", TWO))
