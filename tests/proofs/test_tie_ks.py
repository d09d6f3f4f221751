"""The symbolic KS does what the Python KS does: the same waits, logs and copies on every step of random runs."""

from __future__ import annotations

from collections import Counter

import pytest
import z3
from tied import state_of, step_of, translated, walks

from precede.checker.bounds import Bounds
from precede.checker.result import SendEvent
from precede.proofs import ks
from precede.proofs.pasts import Message, Process
from precede.proofs.steps import ALL_STEPS, Steps

j, to, d = z3.Consts("j to d", Process)
M, m = z3.Consts("M m", Message)
STATE = ks.some_state()
READY = translated(ks.ready(STATE, j, M))


def formulas(steps):
    """The logs after SND and RCV, and what a copy carries, as functions of a state."""
    snd, rcv = ks.snd(STATE, j, M, steps).after, ks.rcv(STATE, j, M, steps).after
    logs = {n: (translated(s.entry(j, m)), translated(s.D(j, m, d))) for n, s in (("SND", snd), ("RCV", rcv))}
    return logs, (translated(snd.O(M, to, m)), translated(snd.OD(M, to, m, d)))


def entries(log):
    """{message: destinations}, without the initial entries, which the proofs do not have."""
    return {mt: D for mt, D in log if mt[1] > 0}


def symbolic(state, relations, **constants):
    """The log that two formulas describe: which messages have an entry, and which destinations are in it."""
    entry, D = relations
    found = {}
    for message in state.messages:
        state.constants = {**constants, "m": message}
        if entry(state):
            state.constants |= {"d": None}
            found[message] = frozenset(p for p in state.processes if D(with_d(state, p)))
    return found


def with_d(state, p):
    state.constants["d"] = p
    return state


def first_difference(bounds, runs, steps=ALL_STEPS):
    """The first step of random runs on which the two differ, and how many sends, receives and waits were compared."""
    logs_after, carried = formulas(steps)
    seen = Counter()
    for run, event in walks("ks", bounds, runs):
        state, sends, about = state_of(run, event)
        logs = {p: entries(local.LOG) for p, local in run.states.items()}
        copies = {(t.message, t.packet.to): entries(t.packet.control) for t in run.in_transit.values()}
        state.relations |= {
            "entry": lambda p, m, logs=logs: m in logs[p],
            "D": lambda p, m, d, logs=logs: d in logs[p].get(m, ()),
            "O": lambda x, e, m, copies=copies: m in copies[x, e],
            "OD": lambda x, e, m, d, copies=copies: d in copies[x, e].get(m, ()),
        }
        for transit in run.in_transit.values():
            state.constants = {"j": transit.packet.to, "M": transit.message}
            if READY(state) != run.receivable(transit):
                return "RCV(1)", seen
            seen["waits"] += not run.receivable(transit)
        step, _ = step_of(run, event, sends, about)
        name = "SND" if isinstance(event, SendEvent) else "RCV"
        seen[name] += 1
        if symbolic(state, logs_after[name], j=event.process, M=about) != entries(step.state.LOG):
            return name, seen
        for packet in step.packets:
            if symbolic(state, carried, j=event.process, M=about, to=packet.to) != entries(packet.control):
                return "O_M", seen
    return None, seen


@pytest.mark.parametrize(
    "bounds", [Bounds(processes=3, sends=5), Bounds(processes=4, sends=4), Bounds(processes=2, sends=6)], ids=str
)
def test_every_step_of_a_random_run_is_the_same(bounds):
    difference, seen = first_difference(bounds, 25)
    assert difference is None and min(seen["SND"], seen["RCV"]) > 50


@pytest.mark.parametrize("label", [label for label in ks.LABELS if label != "RCV(1)"])
def test_a_step_that_is_left_out_makes_a_difference(label):
    difference, _ = first_difference(Bounds(processes=4, sends=6), 40, Steps(frozenset({label})))
    assert difference is not None
