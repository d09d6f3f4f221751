"""The kept table of assumptions: what it says, and that computing it again says the same."""

import json
from dataclasses import replace

import pytest

from precede.checker import assumptions
from precede.checker.assumptions import (
    JUDGED,
    KEPT,
    SWITCHES,
    Cell,
    Table,
    bound_of,
    cell_of,
    compute,
    read_table,
    table_lines,
)
from precede.checker.bounds import Bounds
from precede.checker.cli import run
from precede.checker.errors import EnvironmentProblem, ModelError
from precede.checker.formats import ASSUMPTIONS
from precede.checker.result import PropertyResult, Result, SendEvent, Witness
from precede.models.catalog import CATALOG

RECOMPUTED = (
    "rst", "ks", "gk", "null", "bss", "psync-requests", "synchronous", "differential-clocks", "mattern-fuenfrocken",
)  # fmt: skip
BOUND = Bounds(processes=3, sends=2)
CHANNELS = ("unordered", "fifo", "fifo-delivery")


@pytest.fixture(scope="module")
def kept():
    return read_table(KEPT)


def verdicts(table, model):
    return {switch: cell.text() for switch, cell in table.of(model).items()}


@pytest.mark.parametrize("model", RECOMPUTED)
def test_computing_a_row_again_gives_the_kept_cells(kept, model):
    assert list(compute(model)) == list(kept.of(model).values())


@pytest.mark.sweep
@pytest.mark.parametrize("model", [name for name in CATALOG if name not in RECOMPUTED])
def test_computing_every_other_row_again_gives_the_kept_cells(kept, model):
    assert list(compute(model)) == list(kept.of(model).values())


def test_the_kept_table_has_every_built_in_model_under_every_switch_at_the_default_bound(kept):
    assert [(c.model, c.switch) for c in kept.ordered()] == [(m, s) for m in CATALOG for s in SWITCHES]
    assert [c for c in kept.ordered() if c.bound != bound_of(CATALOG[c.model], c.switch)] == []


def test_the_kept_table_is_as_the_command_writes_it(kept):
    assert KEPT.read_text() == kept.as_text()


def test_models_made_for_fifo_channels_need_them_and_no_more(kept):
    made_for_fifo = [name for name, model in CATALOG.items() if model.channel == "fifo"]
    assert made_for_fifo
    for name in made_for_fifo:
        row = verdicts(kept, name)
        assert row["unordered"].split()[0] in ("CO", "stuck")
        assert row["fifo"] == row["fifo-delivery"] == "holds"


def test_models_made_for_unordered_channels_hold_on_every_channel(kept):
    channels = {
        name: {kept.cells[name, channel].verdict for channel in CHANNELS}
        for name, model in CATALOG.items()
        if model.channel == "unordered"
    }
    assert channels.pop("null") == {"violated"}
    assert channels.pop("birman-joseph-stable") == {"incomplete"}
    assert set(map(frozenset, channels.values())) == {frozenset({"holds"})}


def test_null_breaks_the_order_by_the_triangle_and_without_fifo_by_two_messages_of_one_sender(kept):
    assert verdicts(kept, "null") == dict.fromkeys(SWITCHES, "CO 3") | {"fifo": "CO 4", "fifo-delivery": "CO 4"}


def test_no_algorithm_survives_a_loss_where_packets_can_be_lost(kept):
    losses = {name: kept.cells[name, "loss"].verdict for name in CATALOG}
    assert losses["synchronous"] == "not applicable"
    assert "holds" not in losses.values()


def test_some_algorithms_survive_a_duplicate(kept):
    surviving = {name for name in CATALOG if kept.cells[name, "duplicate"].verdict == "holds"}
    assert {"bss", "kimkim", "psync-requests", "ks-sequence"} <= surviving
    assert not surviving & {"rst", "ks", "jang", "ses", "prs", "oracle"}


def test_a_crash_leaves_the_others_waiting_only_where_someone_passes_messages_on(kept):
    stuck = {name for name in CATALOG if kept.cells[name, "crash"].verdict == "stuck"}
    assert stuck == {"centralised", "hierarchical", "separators", "mattern-fuenfrocken", "mostefaoui-raynal"}


def test_a_model_that_forbids_messages_to_oneself_says_which_reading_allows_them(kept):
    cell = kept.cells["rst", "self-network"]
    assert (cell.verdict, cell.text()) == ("not applicable", "n/a")
    assert "RST-3b" in cell.note


def test_the_bound_is_three_sends_for_channels_and_two_with_faults():
    assert bound_of(CATALOG["gk"], "unordered") == Bounds(3, 3, channel="unordered")
    assert bound_of(CATALOG["gk"], "crash+restart") == Bounds(3, 2, channel="fifo", crashes=1, restarts=1)
    assert bound_of(CATALOG["ks"], "self-at-send") == Bounds(3, 2, self_addressed="at-send")
    assert bound_of(CATALOG["mattern-fuenfrocken"], "self-network").sends == 3
    assert bound_of(CATALOG["mattern-fuenfrocken"], "loss").sends == 2
    assert bound_of(CATALOG["bss"], "loss", 4) == Bounds(3, 4, dests="broadcast", losses=1)


def found(stopped=None, transitions=1, **lengths):
    """A result with these counterexamples; a length of None is a property that is undecided."""
    schedule = SendEvent(1, frozenset({2}))
    properties = [
        PropertyResult(
            name, "incomplete" if length is None else "violated", length and Witness((schedule,) * length, "")
        )
        for name, length in lengths.items()
    ]
    properties += [PropertyResult(name, "incomplete" if stopped else "holds") for name in JUDGED if name not in lengths]
    counts = {"distinct_states": 1, "transitions": transitions, "depth": 1, "local_states": 1, "packets": 1}
    return Result(engine="states", search="bfs", model="m", readings={}, bounds=BOUND, complete=stopped is None,
                  stopped=stopped, properties=tuple(properties), seconds=0, peak_memory_bytes=0, **counts)  # fmt: skip


def test_safety_goes_before_delivery_even_by_a_longer_run():
    cell = cell_of("m", "loss", found(CausalOrder=5, Delivery=2, Integrity=4))
    assert (cell.verdict, cell.property, cell.trace_length) == ("violated", "Integrity", 4)
    assert cell.note == "also CausalOrder, by 5 steps; also Delivery, by 2 steps"
    assert cell.text() == "int 4"


def test_a_run_for_ever_is_marked():
    result = found(Delivery=7)
    delivery, *others = result.properties
    delivery = replace(delivery, witness=replace(delivery.witness, loop=3))
    cell = cell_of("m", "loss", replace(result, properties=(delivery, *others)))
    assert (cell.verdict, cell.loop, cell.text()) == ("stuck", True, "stuck 7*")
    assert cell_of("m", "loss", result).text() == "stuck 7"


def test_an_ended_search_never_holds():
    assert cell_of("m", "loss", found("the limit")) == Cell("m", "loss", "incomplete", BOUND, note="the limit")
    cell = cell_of("m", "loss", found("the limit", CausalOrder=3, Delivery=None))
    assert (cell.verdict, cell.note) == ("violated", "undecided: Delivery, Integrity; the limit")


def test_a_system_in_which_nothing_is_sent_is_no_evidence():
    assert cell_of("m", "fifo", found(transitions=0)).verdict == "not applicable"
    assert cell_of("m", "fifo", found()) == Cell("m", "fifo", "holds", BOUND)


def test_a_limit_on_states_makes_cells_incomplete(monkeypatch):
    monkeypatch.setattr(assumptions, "MOST_STATES", 50)
    cell = next(compute("rst"))
    assert (cell.verdict, cell.note) == ("incomplete", "the limit of 50 states was reached")


FAILING = """
from dataclasses import dataclass
from precede.models import Model, Step
@dataclass(frozen=True)
class Failing(Model):
    def start(self, me, processes):
        return 0
    def send(self, state, message):
        return 1 / 0
    def receive(self, state, packet):
        return Step(state, (), (packet.message,))
"""


def test_a_model_that_fails_without_faults_is_an_error(tmp_path):
    (tmp_path / "failing.py").write_text(FAILING)
    with pytest.raises(ModelError, match="division by zero"):
        list(compute(f"{tmp_path / 'failing.py'}:Failing"))


def test_ctrl_c_in_an_exploration_ends_the_computation(monkeypatch):
    monkeypatch.setattr(assumptions, "explore", lambda *_, **__: found("interrupted"))
    with pytest.raises(KeyboardInterrupt):
        next(compute("rst"))


def test_a_table_survives_its_file_and_a_foreign_file_is_refused(tmp_path):
    table = Table()
    table.put([Cell("null", "loss", "stuck", BOUND, "Delivery", 2, True, "x"), Cell("ks", "fifo", "holds", BOUND)])
    file = tmp_path / "table.json"
    file.write_text(table.as_text())
    assert read_table(file).cells == table.cells
    assert [cell.model for cell in read_table(file).ordered()] == ["ks", "null"]
    whole = json.loads(file.read_text())
    assert whole == table.as_json()
    damaged = ([], {}, whole | {"version": 9}, whole | {"cells": [{}]}, whole | {"cells": 1},
               whole | {"cells": [whole["cells"][0] | {"switch": "x"}]})  # fmt: skip
    for document in damaged:
        file.write_text(json.dumps(document))
        with pytest.raises(EnvironmentProblem):
            read_table(file)


def test_the_json_has_the_declared_fields(kept):
    document = kept.as_json()
    top = {name for name in ASSUMPTIONS.fields if "." not in name}
    in_cell = {name.removeprefix("cells[].") for name in ASSUMPTIONS.fields if name.startswith("cells[].")}
    assert set(document) == top | {"format", "version"}
    for cell in document["cells"]:
        assert set(cell) | {f"bound.{name}" for name in cell["bound"]} == in_cell


def test_the_printed_table_has_a_line_for_each_model_and_no_wrapped_head(kept):
    lines = [line.plain for line in table_lines(kept)]
    assert lines[0].split()[:3] == ["made", "for", "sends"]
    assert [line.split()[0] for line in lines[1 : 1 + len(CATALOG)]] == list(CATALOG)
    row = next(line for line in lines if line.split()[:1] == ["ks-differences"])
    assert row.split()[1:6] == ["fifo", "3/2", "multicast", "stuck", "4"]


def test_the_command_shows_the_kept_table_without_computing(monkeypatch, capsys):
    monkeypatch.setattr(assumptions, "compute", None)
    assert run(["assumptions", "gk", "bss", "--json", "-"]) == 0
    cells = json.loads(capsys.readouterr().out)["cells"]
    assert [cell["model"] for cell in cells] == ["gk"] * len(SWITCHES) + ["bss"] * len(SWITCHES)


def test_check_finds_a_cell_that_was_changed_by_hand(monkeypatch, capsys, tmp_path):
    assert run(["assumptions", "bss", "--check"]) == 0
    assert "0 of 9 computed cells differ" in capsys.readouterr().out
    table = read_table(KEPT)
    table.put([replace(table.cells["bss", "loss"], trace_length=2)])
    (tmp_path / "changed.json").write_text(table.as_text())
    monkeypatch.setattr(assumptions, "KEPT", tmp_path / "changed.json")
    assert run(["assumptions", "bss", "--check"]) == 12
    assert "1 of 9 computed cells differ from the kept table: bss loss" in capsys.readouterr().out


def test_write_keeps_the_cells_of_other_models(tmp_path, capsys):
    target = tmp_path / "table.json"
    assert run(["assumptions", "null", "--write", str(target), "--sends", "1"]) == 0
    assert run(["assumptions", "bss", "--write", str(target)]) == 0
    table = read_table(target)
    assert table.models == ["bss", "null"]
    assert table.cells["null", "fifo"] == Cell("null", "fifo", "holds", Bounds(3, 1, channel="fifo"))
    assert table.of("bss") == read_table(KEPT).of("bss")


def test_an_interrupted_command_shows_what_it_has_and_says_incomplete(monkeypatch, capsys):
    def interrupted(model, *_):
        yield Cell(model, "unordered", "holds", BOUND)
        raise KeyboardInterrupt

    monkeypatch.setattr(assumptions, "compute", interrupted)
    assert run(["assumptions", "ks", "rst", "--sends", "2"]) == 3
    out = capsys.readouterr().out
    assert "incomplete: interrupted" in out
    assert out.splitlines()[1].split() == ["ks", "2", "multicast", "holds"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nosuch"], 2),
        (["--check", "--sends", "2"], 2),
        (["bss", "--sends", "0"], 151),
        (["bss", "--write", "x.json", "--json", "x.json"], 2),
        (["bss", "--write", "pyproject.toml"], 153),
    ],
)
def test_wrong_uses_end_before_anything_is_computed(monkeypatch, tmp_path, capsys, arguments, code):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    assert run(["assumptions", *arguments]) == code
    assert capsys.readouterr().err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]
