"""The audit says of every small run what the definitions say of it."""

import random

import pytest
from audit_reference import Reference, as_events, random_run

from precede.checker.pipeline.audit.judging import judge

SEEDS = range(400)


def judged(events, lines=None):
    return judge("x", as_events(events, lines))


def copies(found, numbers):
    e, p = found.execution, found.paired
    return [(e.message_name(int(p.of[c])), int(e.process_name(int(p.to[c])))) for c in numbers]


def run_of(seed):
    return random_run(seed, processes=2 + seed % 4, messages=3 + seed % 6, self_addressed=seed % 5 == 0)


@pytest.mark.parametrize("part", range(4))
def test_early_deliveries_classes_and_smallest_pairs_are_those_of_the_definitions(part):
    seen = set()
    for seed in SEEDS[100 * part : 100 * part + 100]:
        events = run_of(seed)
        reference, found = Reference(events), judged(events)
        early, in_channel = reference.early(), reference.early_in_channel()
        assert sorted(copies(found, found.early)) == sorted(early), seed
        assert sorted(copies(found, found.early_fifo)) == sorted(in_channel), seed
        assert not found.counts
        assert (found.crown is None) == reference.is_synchronous(), seed
        expected = "none" if in_channel else "fifo" if early else "causal" if found.crown else "synchronous"
        assert found.verdict == expected
        seen.add(found.verdict)
        if early:
            pair = found.causal_pair
            (message, p), late = copies(found, [pair.early])[0], found.execution.message_name(pair.late)
            assert late in reference.late(message, p)
            assert len(pair.chain) == reference.hops(reference.send[late], reference.send[message])
            assert pair.exact and len(pair.chain) == reference.fewest_hops(), seed
        if in_channel:
            pair = found.fifo_pair
            (message, p), late = copies(found, [pair.early])[0], found.execution.message_name(pair.late)
            assert late in reference.late(message, p)
            assert reference.events[reference.send[late]][0] == reference.events[reference.send[message]][0]
    assert seen == {"none", "fifo", "causal", "synchronous"}


def test_crowns_are_crowns_and_the_smallest_ones():
    sizes = []
    for seed in SEEDS:
        events = random_run(seed, processes=3 + seed % 3, messages=6, lost=0)
        reference, found = Reference(events), judged(events)
        if found.crown is None:
            continue
        names = [found.execution.message_name(m) for m in found.crown.messages]
        for one, other in zip(names, names[1:] + names[:1], strict=True):
            assert reference.reaches_delivery(one, other), seed
        assert found.crown.exact and len(names) == reference.shortest_crown(), seed
        sizes.append(len(names))
    assert sizes.count(2) > 100


def test_a_crown_of_three_without_one_of_two():
    sends = [(p, "send", f"m{p}", [(p + 1) % 3]) for p in range(3)]
    events = [*sends, *(((p + 1) % 3, "deliver", f"m{p}", None) for p in range(3))]
    found = judged(events)
    assert found.verdict == "causal"
    assert len(found.crown.messages) == 3 and found.crown.exact


def test_an_order_of_the_log_that_is_not_that_of_time_changes_nothing():
    for seed in SEEDS:
        events = run_of(seed)
        by_process = sorted(range(len(events)), key=lambda i: (-events[i][0], i))
        one, other = judged(events), judged([events[i] for i in by_process])
        assert not other.counts
        assert one.verdict == other.verdict
        assert sorted(copies(one, one.early)) == sorted(copies(other, other.early))


def test_sends_without_destinations_have_those_that_deliver_them():
    for seed in SEEDS[:100]:
        events = random_run(seed, lost=0)
        unsaid = [(p, kind, m, None) for p, kind, m, _ in events]
        one, other = judged(events), judged(unsaid)
        assert sorted(copies(one, one.early)) == sorted(copies(other, other.early))
        assert one.verdict == other.verdict


def test_what_is_overtaken_and_never_delivered_is_told_apart():
    events = [(0, "send", "a", [1]), (0, "send", "b", [1]), (1, "deliver", "b", None)]
    found = judged(events)
    assert found.verdict == "none" and found.overtook_lost == 1
    late = judged([*events, (1, "deliver", "a", None)])
    assert late.verdict == "none" and late.overtook_lost == 0


def test_a_receive_is_an_arrival_where_there_is_a_delivery_and_otherwise_the_delivery():
    sends = [(0, "send", "a", [1]), (0, "send", "b", [1])]
    arrivals = [(1, "receive", "b", None), (1, "receive", "a", None)]
    assert judged(sends + arrivals).verdict == "none"
    deliveries = [(1, "deliver", "a", None), (1, "deliver", "b", None)]
    held = judged(sends + arrivals + deliveries)
    assert held.verdict == "synchronous" and not held.counts


FAULTY = {
    "sent-twice": [(0, "send", "a", [1]), (1, "deliver", "a", None), (0, "send", "a", [1])],
    "never-sent": [(0, "send", "a", [1]), (1, "deliver", "b", None)],
    "delivered-twice": [(0, "send", "a", [1]), (1, "deliver", "a", None), (1, "deliver", "a", None)],
    "not-addressed": [(0, "send", "a", [1]), (2, "deliver", "a", None)],
    "received-twice": [
        (0, "send", "a", [1]), (1, "receive", "a", None), (1, "receive", "a", None), (1, "deliver", "a", None)
    ],
    "cycle": [(0, "deliver", "b", None), (0, "send", "a", [1]), (1, "deliver", "a", None), (1, "send", "b", [0])],
}  # fmt: skip


@pytest.mark.parametrize("code", FAULTY)
def test_each_problem_is_found_with_its_line_and_no_other(code):
    clean = [(p + 10, kind, m and f"x{m}", d and [q + 10 for q in d]) for p, kind, m, d in random_run(3, lost=0)]
    wanted = {
        "sent-twice": 3,
        "never-sent": 2,
        "delivered-twice": 3,
        "not-addressed": 2,
        "received-twice": 3,
        "cycle": 1,
    }
    for before in (0, len(clean)):
        found = judged([*clean[:before], *FAULTY[code], *clean[before:]])
        assert dict(found.counts) == {code: 1}
        assert [(p.code, p.line) for p in found.problems] == [(code, before + wanted[code])]


def test_a_cycle_leaves_the_rest_to_be_judged():
    rest = [(5, "send", "p", [6]), (5, "send", "q", [6]), (6, "deliver", "q", None), (6, "deliver", "p", None)]
    found = judged([*FAULTY["cycle"], *rest])
    assert found.verdict == "none" and copies(found, found.early) == [("q", 6)]
    assert "4 events on or behind" in found.problems[0].text


def test_random_disorder_never_raises_and_is_always_reported():
    choose = random.Random(5)
    for _ in range(300):
        kinds = [choose.choice(["send", "deliver", "receive", "other"]) for _ in range(choose.randint(1, 30))]
        events = [
            (choose.randrange(3), kind, None if kind == "other" else f"m{choose.randrange(5)}",
             choose.choice([None, [], [0], [1, 2], [0, 0, 1]]) if kind == "send" else None)
            for kind in kinds
        ]  # fmt: skip
        found = judged(events)
        ids = [m for _, kind, m, _ in events if kind == "send"]
        assert found.counts["sent-twice"] == len(ids) - len(set(ids))
        assert found.verdict in ("none", "fifo", "causal", "synchronous")
