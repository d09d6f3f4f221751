"""Messages inferred from vector clocks, and what is wrong with clocks."""

import json

import pyarrow as pa
import pytest
from audit_reference import Reference, random_run

from precede.checker.pipeline.audit.judging import judge
from precede.checker.pipeline.audit.tables import DELIVER, SEND, filled


def table_of(events):
    """Events (host, clock) as EVENTS, one a line."""
    columns = {
        "execution": pa.array(["x"] * len(events)),
        "process": pa.array([host for host, _ in events]),
        "kind": pa.array([0] * len(events), pa.int8()),
        "clock": pa.array([clock if isinstance(clock, str) else json.dumps(clock) for _, clock in events]),
        "file": pa.array([0] * len(events), pa.int32()),
        "line": pa.array(range(1, len(events) + 1), pa.int64()),
    }
    return filled(columns, len(events))


def judged(events):
    return judge("x", table_of(events))


def messages(found):
    """(sender:its event, receiver) of every inferred message."""
    e, p = found.execution, found.paired
    return sorted(
        (e.message_name(int(e.message[i])), e.process_name(int(e.process[i])))
        for i in range(e.events)
        if p.role[i] == DELIVER
    )


def clocked(events):
    """The clocks of a run, each event one tick, and the receptions that bring news: (sender:its event, receiver)."""
    clocks, carried, found, news = {}, {}, [], []
    for p, kind, m, _ in events:
        clock = clocks.setdefault(p, {})
        clock[p] = clock.get(p, 0) + 1
        if kind == "deliver":
            sender, at = carried[m]
            if at[sender] > clock.get(sender, 0):
                news.append((f"h{sender}:{at[sender]}", f"h{p}"))
            for q, k in at.items():
                clock[q] = max(k, clock.get(q, 0))
        if kind == "send":
            carried[m] = (p, dict(clock))
        found.append((f"h{p}", {f"h{q}": k for q, k in clock.items()}))
    return found, sorted(news)


def test_every_reception_that_brings_news_is_found_and_nothing_else():
    overtaken = 0
    for seed in range(300):
        events = random_run(seed, processes=2 + seed % 4, messages=8)
        log, news = clocked(events)
        found = judged(log)
        assert messages(found) == news, seed
        assert not found.counts and found.by_clocks
        overtaken += len(Reference(events).early())
        assert found.verdict in ("synchronous", "causal")
    assert overtaken > 100  # and clocks alone show none of them


def test_two_messages_received_in_one_event_are_told_apart_and_one_known_through_the_other_is_not_invented():
    log = [("a", {"a": 1}), ("b", {"b": 1}), ("c", {"c": 1, "a": 1, "b": 1})]
    assert messages(judged(log)) == [("a:1", "c"), ("b:1", "c")]
    assert judged(log).untold["several messages received in one event"] == 1
    relayed = [("a", {"a": 1}), ("b", {"b": 1, "a": 1}), ("c", {"c": 1, "a": 1, "b": 1})]
    assert messages(judged(relayed)) == [("a:1", "b"), ("b:1", "c")]


def test_one_event_received_by_several_is_one_multicast():
    found = judged([("a", {"a": 1}), ("b", {"a": 1, "b": 1}), ("c", {"a": 1, "c": 1})])
    assert [int(k) for k in found.execution.kind].count(SEND) == 1
    assert found.untold["one event sent to several"] == 1 and found.verdict == "synchronous"


def test_what_the_log_lacks_is_said_and_not_guessed():
    first = judged([("a", {"a": 5, "b": 3}), ("b", {"b": 4})])
    assert messages(first) == [] and first.untold["first events missing"] == 2
    assert first.untold["known before the log begins"] == 1
    absent = judged([("a", {"a": 1}), ("a", {"a": 2, "z": 9})])
    assert messages(absent) == [] and absent.untold["received from processes that have no events in the log"] == 1
    missing = judged([("b", {"b": 1}), ("b", {"b": 3}), ("a", {"a": 1}), ("a", {"a": 2, "b": 2})])
    assert missing.untold["received from events that the log lacks"] == 1
    still = judged([("a", {"a": 1}), ("b", {"b": 0}), ("b", {"a": 1, "b": 0})])
    assert messages(still) == [("a:1", "b")] and still.untold["clocks that do not tick"] == 1


def test_events_out_of_order_in_the_log_are_sorted_by_their_own_component():
    found = judged([("a", {"a": 2, "b": 1}), ("b", {"b": 1}), ("a", {"a": 1})])
    assert messages(found) == [("b:1", "a")] and found.untold["out of order in the log"] == 1


WRONG = {
    "gap": ([("a", {"a": 1}), ("a", {"a": 4})], 2),
    "no-own-component": ([("a", {"a": 1}), ("a", {"b": 1})], 2),
    "clock-decreases": ([("b", {"b": 1}), ("b", {"b": 2}), ("a", {"a": 1, "b": 2}), ("a", {"a": 2, "b": 1})], 4),
    "ahead-of-owner": ([("b", {"b": 1}), ("a", {"a": 1, "b": 7})], 2),
    "clocks-disagree": ([("b", {"b": 1, "c": 1}), ("c", {"c": 1}), ("a", {"a": 1, "b": 1})], 3),
    "bad-clock": ([("a", {"a": 1}), ("a", "{torn")], 2),
}


@pytest.mark.parametrize("code", WRONG)
def test_each_fault_of_clocks_is_found_with_its_line_and_no_other(code):
    log, line = WRONG[code]
    clean = [(f"x{host}", {f"x{q}": k for q, k in clock.items()}) for host, clock in clocked(random_run(1))[0]]
    found = judged(clean + log)
    assert dict(found.counts) == {code: 1}
    assert [(p.code, p.line) for p in found.problems] == [(code, len(clean) + line)]


@pytest.mark.parametrize(
    "clock", ['{"a": 1e999}', '{"a": -1}', '{"a": 1.5}', '{"a": true}', "[1]", "null", '{"a": "1"}', "[" * 5000,
              '{"a": ' + "9" * 6000 + "}", json.dumps({f"h{i}": 1 for i in range(5000)}),
              '{"a":' + " " * 2_000_000 + "1}"]
)  # fmt: skip
def test_hostile_clocks_are_problems(clock):
    found = judged([("a", {"a": 1}), ("a", clock)])
    assert dict(found.counts) == {"bad-clock": 1}
    assert len(found.problems[0].text) < 200


def test_clocks_that_know_each_other_are_a_cycle_and_reported():
    found = judged([("a", {"a": 1}), ("a", {"a": 2, "b": 2}), ("b", {"b": 1}), ("b", {"b": 2, "a": 2})])
    assert found.counts["clocks-disagree"] + found.counts["cycle"] >= 1
