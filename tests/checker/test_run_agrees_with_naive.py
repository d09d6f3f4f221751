"""Random walks: the naive explorer and a run have the same states, the same steps from each, and the same verdicts."""

from __future__ import annotations

import random
from collections import Counter
from copy import copy

import pytest
import toys

from naive import DOWN, Global, Local, Naive, Transit
from precede.checker.event_text import kind_of
from precede.checker.local import Local as OwnLocal
from precede.checker.result import Event, FaultEvent
from precede.checker.run import Run, StepTaken
from precede.checker.trace.rejudge import broken_at_end
from precede.models import Model
from precede.models.gk import GK
from precede.models.ks_arrival import KSArrival

WALKS = 4
LONGEST = 14

FAULTY = {"duplicates": 1, "losses": 1, "crashes": 1, "restarts": 1}
SYSTEMS = [
    (toys.Ack(), {}),
    (toys.Ack(), {"channel": "fifo", **FAULTY}),
    (toys.Buffer(), {"dests": "broadcast", "sends": 4}),
    (toys.Buffer(eager=0), {"channel": "fifo-delivery", "sends": 4, "dests": "unicast", "duplicates": 2}),
    (toys.Buffer(eager=0), {"processes": 2, "dests": "unicast", "sends": 4, "crashes": 1, "restarts": 1}),
    (toys.TokenRing(), {"losses": 1}),
    (toys.Deaf(), {"channel": "fifo"}),
    (toys.Meeting(), {}),
    (toys.Meeting(), {"self_addressed": "network", "crashes": 1, "restarts": 1, "losses": 1}),
    (toys.Relay(), {"channel": "fifo", "duplicates": 1}),
    (toys.Views(), {"crashes": 1, "restarts": 1}),
    (toys.Counting(), {"sends": 5, "dests": "unicast", **FAULTY}),
    (toys.Counting(), {"channel": "fifo", "sends": 4, "crashes": 2, "restarts": 2}),
    (
        toys.Counting(),
        {"channel": "fifo-delivery", "dests": "groups", "groups": (frozenset({1, 2}), frozenset({2, 3}))},
    ),
    (toys.Choosing(), {"dests": "unicast"}),
    (toys.Choosing(), {"dests": "broadcast", "duplicates": 1, "channel": "fifo"}),
    (KSArrival(), {"duplicates": 1, "losses": 1}),
    (GK(), {"crashes": 1, "restarts": 1}),
]


def as_naive(run: Run) -> Global:
    """The state of a run as the naive explorer writes it."""
    contents = [Transit(*transit.content) for transit in run.in_transit.values()]
    network: Counter[object] | dict[object, tuple[Transit, ...]] = Counter(contents)
    if run.bounds.channel in ("fifo", "fifo-delivery"):
        network = {t.channel: tuple(other for other in contents if other.channel == t.channel) for t in contents}
    return Global(
        tuple(map(local_as_naive, run.locals.values())), frozenset(network.items()), tuple(run.faults.values())
    )


def local_as_naive(local: OwnLocal) -> Local:
    return Local(DOWN if local.down else local.state, local.past, local.held, local.earlier)


def after(run: Run, event: Event) -> tuple[Run, StepTaken]:
    other = copy(run)
    other.locals, other.in_transit, other.faults = dict(run.locals), dict(run.in_transit), dict(run.faults)
    return other, other.apply(event)


def described(kind: str, state: Global, wrong: object) -> tuple[object, ...]:
    return kind, state, frozenset(wrong)  # type: ignore[call-overload]


@pytest.mark.parametrize(("model", "bounds"), SYSTEMS, ids=lambda v: type(v).__name__ if isinstance(v, Model) else "")
def test_a_run_has_the_steps_states_and_verdicts_of_the_naive_explorer(model, bounds):
    calls = toys.calls_of_toy(model, **{"sends": 3, **bounds})
    naive = Naive(calls)
    for seed in range(WALKS):
        choose, run = random.Random(seed), Run(calls, calls.bounds)
        for _ in range(LONGEST):
            state = as_naive(run)
            following = [(event, *after(run, event)) for event in run.enabled()]
            expected = Counter(described(str(a[0]), s, wrong) for a, s, wrong in naive.steps(state))
            found = Counter(described(kind_of(e), as_naive(r), taken.wrong) for e, r, taken in following)
            assert found == expected
            wrong = set(naive.wrong_in(state))
            for property in ("Delivery", "NoNeedlessDelay", "Minimality"):
                assert broken_at_end(run, property) == (property in wrong), property
            assert bool(run.undelivered()) == naive.undelivered(state)
            if not following:
                break
            rare = [f for f in following if isinstance(f[0], FaultEvent)]
            _, run, taken = choose.choice(rare if rare and choose.random() < 0.2 else following)
            assert taken.held == run.held() and taken.waiting == run.waiting_packets() and taken.down == run.down
