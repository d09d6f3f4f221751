"""States that differ in the names of processes only: what TLC keeps stands for all of them."""

from __future__ import annotations

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import whole_states
from precede.checker.errors import UsageError
from precede.checker.loading import load_model
from precede.checker.result import ReceiveEvent, Schedule, SendEvent
from precede.checker.run import Run
from precede.checker.tlc import compare_orbits, require_symmetry, schedule_of, symmetry
from precede.checker.tlc.mapping import image_of
from precede.checker.tlc.schedule import whole_state
from precede.checker.tlc.symmetry import namings
from precede.checker.tlc.values import parse, parse_state

BOUNDS = Bounds(processes=3, sends=1, dests="unicast")
EMPTY = "[sent |-> {}, delivered |-> {}]"
MATRIX = "({0} :> ({0} :> 0 @@ {1} :> {4} @@ {2} :> 0) @@ {1} :> {3} @@ {2} :> {3})"


def printed(sender: str, to: str, other: str, *, received: bool) -> str:
    """A state of RST after one send, as TLC prints it with model values for the processes."""
    zero = f"({sender} :> 0 @@ {to} :> 0 @@ {other} :> 0)"
    nothing = f"({sender} :> {zero} @@ {to} :> {zero} @@ {other} :> {zero})"
    one = MATRIX.format(sender, to, other, zero, 1)
    message = f"[sender |-> {sender}, number |-> 1, dests |-> {{{to}}}]"
    sent = f"{{[msg |-> {message}, past |-> {EMPTY}]}}"
    mine = f"[sent |-> {sent}, delivered |-> {{}}]"
    theirs = f"[sent |-> {sent}, delivered |-> {{<<<<{sender}, 1>>, {to}>>}}]" if received else EMPTY
    count = f"({sender} :> 1 @@ {to} :> 0 @@ {other} :> 0)" if received else zero
    packet = f"[to |-> {to}, msg |-> {message}, control |-> {nothing}, past |-> {EMPTY}]"
    return (
        f"/\\ SENT = ({sender} :> {one} @@ {to} :> {one if received else nothing} @@ {other} :> {nothing})\n"
        f"/\\ DELIV = ({sender} :> {zero} @@ {to} :> {count} @@ {other} :> {zero})\n"
        f"/\\ past = ({sender} :> {mine} @@ {to} :> {theirs} @@ {other} :> {EMPTY})\n"
        f"/\\ network = {{{'' if received else packet}}}\n"
    )


def initial() -> str:
    zero = "(p1 :> 0 @@ p2 :> 0 @@ p3 :> 0)"
    matrix = f"(p1 :> {zero} @@ p2 :> {zero} @@ p3 :> {zero})"
    return (
        f"/\\ SENT = (p1 :> {matrix} @@ p2 :> {matrix} @@ p3 :> {matrix})\n/\\ DELIV = {matrix}\n"
        f"/\\ past = (p1 :> {EMPTY} @@ p2 :> {EMPTY} @@ p3 :> {EMPTY})\n/\\ network = {{}}\n"
    )


SENT, RECEIVED = printed("p1", "p2", "p3", received=False), printed("p1", "p2", "p3", received=True)
RENAMED = printed("p3", "p1", "p2", received=True)


def calls() -> ModelCalls:
    return ModelCalls(load_model("rst"), BOUNDS)


def compared(tmp_path, *states: str):
    dump = tmp_path / "states.dump"
    dump.write_text("".join(f"State {n}:\n{state}\n" for n, state in enumerate(states, 1)))
    return compare_orbits("rst", whole_states(calls(), BOUNDS), dump)


def test_a_state_is_named_in_every_way_its_own_numbers_first():
    image = {"past": parse("(p1 :> 0 @@ p2 :> 7)"), "dests": parse("{p2}"), "pair": parse("<<p1, 1>>")}
    assert list(namings(image)) == [
        {"past": (0, 7), "dests": frozenset({2}), "pair": (1, 1)},
        {"past": (7, 0), "dests": frozenset({1}), "pair": (2, 1)},
    ]


def test_where_processes_are_numbers_there_is_one_naming():
    image = {"past": (0, 7), "dests": frozenset({2})}
    assert list(namings(image)) == [image]


def test_one_state_of_each_kind_stands_for_all_of_ours(tmp_path):
    sets = compared(tmp_path, initial(), SENT, RECEIVED)
    assert (sets.common, sets.only_ours, sets.only_tlc, sets.orbits, sets.kept) == (13, 0, 0, 3, 3) and sets.equal


def test_a_missing_kind_of_state_is_missing_under_all_names(tmp_path):
    sets = compared(tmp_path, initial(), SENT)
    assert (sets.common, sets.only_ours, sets.only_tlc) == (7, 6, 0) and not sets.equal


def test_a_wrong_state_is_found_under_all_names(tmp_path):
    sets = compared(tmp_path, initial(), SENT, RECEIVED.replace("p2 :> 1", "p2 :> 2"))
    assert (sets.common, sets.only_ours, sets.only_tlc) == (7, 6, 6) and not sets.equal


def test_a_state_that_is_kept_twice_is_noticed(tmp_path):
    sets = compared(tmp_path, initial(), SENT, RECEIVED, RENAMED)
    assert (sets.only_ours, sets.only_tlc, sets.orbits, sets.kept) == (0, 0, 3, 4) and not sets.equal


def test_a_trace_whose_names_change_on_the_way_is_one_run():
    trace = [parse_state(state) for state in (initial(), SENT, RENAMED)]
    schedule: Schedule = (SendEvent(1, frozenset({2})), ReceiveEvent(2, (1, 1)))
    assert schedule_of(calls(), BOUNDS, trace) == schedule
    run = Run(calls(), BOUNDS)
    for event in schedule:
        run.apply(event)
    assert image_of("rst", whole_state(run)) in namings(trace[-1])


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("ASSUME /\\ X \\in {1}\n       /\\ Procs = 1..Cardinality(Procs)\n", "the numbers 1 to n$"),
        ('ASSUME RST_1 = "a" => Procs = 1..Cardinality(Procs)\n', 'the numbers 1 to n where RST_1 = "a"$'),
        ('ASSUME RST_1 \\in {"a", "c"} => Procs = 1..Cardinality(Procs)\n', "the numbers 1 to n where RST_1"),
        ('ASSUME (RST_1 # "b" \\/ X) => Procs = 1..Cardinality(Procs)\n', "the numbers 1 to n where"),
        ("Leader == CHOOSE p \\in Procs : TRUE\n", "chooses one of the processes"),
        ('ASSUME RST_1 = "b" => Procs = 1..Cardinality(Procs)\n', None),
        ('ASSUME RST_1 \\in {"b", "c"} => Procs = 1..Cardinality(Procs)\n', None),
    ],
)
def test_symmetry_is_refused_where_processes_are_compared(monkeypatch, source, says):
    monkeypatch.setattr(symmetry, "source_of", lambda module: source if module == "RST" else "")
    monkeypatch.setattr(symmetry, "modules_of", lambda module: (module, "CausalSystem"))
    if says is None:
        require_symmetry("rst", {}, BOUNDS)
        return
    with pytest.raises(UsageError, match=says):
        require_symmetry("rst", {"RST-1": "a"}, BOUNDS)
