"""Messages out of vector clocks, for logs without message ids, and what is wrong with the clocks.

An event at p whose clock takes over component k of q received from event k of q, unless another event that it received
from knew that already. So every reception that brought news is found, and several in one event are told apart. What
leaves no trace is said, not guessed: a message that brought nothing new (in particular every message that was overtaken
in the sense of causal order: clocks alone never show a violation of it), which of several sends since the last tick it
was, and what came before the log begins or in events that it lacks.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ...trace.values import printable
from .execution import Execution
from .tables import DELIVER, OTHER, SEND

LARGEST = 2**53
MOST_ENTRIES = 4096
LONGEST_CLOCK = 1_000_000
SHOWN = 60


class Problem(NamedTuple):
    """What is wrong in a line of a log; `code` is one of `PROBLEM_CODES` in `judging`."""

    file: int
    line: int
    code: str
    text: str


class Event(NamedTuple):
    """An event of a log with clocks; `row` is its row in the table."""

    host: str
    own: int
    clock: dict[str, int]
    file: int
    line: int
    row: int


@dataclass
class Inferred:
    """The events that carry messages: their sources and what could not be told."""

    sources: dict[int, list[Event]] = field(default_factory=dict)
    """By row of a receiving event, the events that it received from."""
    problems: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def short(text: str) -> str:
    """A name from a log, on one line and of bounded length."""
    return printable(text if len(text) <= SHOWN else text[: SHOWN - 3] + "...")


def parse_clock(text: str) -> dict[str, int] | str:
    """A clock, or in words why it is none."""
    if len(text) > LONGEST_CLOCK:
        return f"the clock has more than {LONGEST_CLOCK:,} characters"
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return f"the clock is not a JSON object: {short(text)}"
    if not isinstance(found, dict):
        return f"the clock is not a JSON object: {short(text)}"
    if len(found) > MOST_ENTRIES:
        return f"the clock has more than {MOST_ENTRIES} entries"
    for name, count in found.items():
        if type(count) is not int or not 0 <= count <= LARGEST:
            return f"the clock's entry for {short(name)} is not a whole number from 0 to 2^53"
    return found


def infer(table: pa.Table) -> tuple[Execution | None, list[Problem], Counter[str]]:
    """The execution of a table of EVENTS with clocks, its problems, and how often what could not be told.

    None where no event has a clock that can be used.
    """
    found = Inferred()
    hosts = _hosts(table, found)
    by_own: dict[tuple[str, int], Event] = {}
    for events in hosts.values():
        for event in events:
            by_own.setdefault((event.host, event.own), event)
    for events in hosts.values():
        _infer_host(events, hosts, by_own, found)
    if not hosts:
        return None, found.problems, found.counts
    return _execution(table, hosts, found), found.problems, found.counts


def _hosts(table: pa.Table, found: Inferred) -> dict[str, list[Event]]:
    """The usable events of each host, by its own component."""
    hosts: dict[str, list[Event]] = {}
    columns = (table[name].to_pylist() for name in ("process", "clock", "file", "line"))
    for row, (host, text, file, line) in enumerate(zip(*columns, strict=True)):
        clock = parse_clock(text) if text is not None else "an event without a clock among events with clocks"
        if isinstance(clock, str):
            found.problems.append(Problem(file, line, "bad-clock", clock))
        elif host not in clock:
            found.problems.append(
                Problem(file, line, "no-own-component", f"the clock has no entry for its own process {short(host)}")
            )
        else:
            hosts.setdefault(host, []).append(Event(host, clock[host], clock, file, line, row))
    for events in hosts.values():
        owns = [event.own for event in events]
        if any(b < a for a, b in pairwise(owns)):
            found.counts["out of order in the log"] += 1
            events.sort(key=lambda event: event.own)
    return hosts


def _infer_host(
    events: list[Event], hosts: dict[str, list[Event]], by_own: dict[tuple[str, int], Event], found: Inferred
) -> None:
    before: Event | None = None
    for event in events:
        known = before.clock if before else {}
        _judge_steps(event, before, found)
        news = {q: k for q, k in event.clock.items() if q != event.host and k > known.get(q, 0)}
        if news and before is None and event.own > 1:
            found.counts["known before the log begins"] += len(news)
        elif news:
            if before and event.own > before.own + 1:
                found.counts["perhaps received in events that the log lacks"] += 1
            sources = _sources(event, news, hosts, by_own, found)
            if sources:
                found.sources[event.row] = sources
                if len(sources) > 1:
                    found.counts["several messages received in one event"] += 1
        elif before is not None:
            found.counts["events that took nothing over"] += 1
        before = event


def _judge_steps(event: Event, before: Event | None, found: Inferred) -> None:
    def wrong(code: str, text: str) -> None:
        found.problems.append(Problem(event.file, event.line, code, text))

    if before is None:
        if event.own > 1:
            found.counts["first events missing"] += 1
        return
    step = event.own - before.own
    if step == 0:
        found.counts["clocks that do not tick"] += 1
        if event.clock == before.clock:
            found.counts["equal clocks"] += 1
    elif step > 1:
        wrong("gap", f"the log lacks {step - 1:,} events of {short(event.host)} before this one, its {event.own:,}th")
    lost = [q for q, k in before.clock.items() if event.clock.get(q, 0) < k]
    if lost:
        wrong(
            "clock-decreases",
            f"{short(event.host)} knew event {before.clock[lost[0]]:,} of {short(lost[0])} in line {before.line:,} and "
            f"now {event.clock.get(lost[0], 0):,}",
        )


def _sources(
    event: Event,
    news: dict[str, int],
    hosts: dict[str, list[Event]],
    by_own: dict[tuple[str, int], Event],
    found: Inferred,
) -> list[Event]:
    """The events that `event` received from: those that no other of them knew."""
    events = {q: by_own.get((q, k)) for q, k in news.items()}
    known = {q: source.clock for q, source in events.items() if source is not None}
    direct = []
    for q, k in news.items():
        if any(r != q and clock.get(q, 0) >= k and known.get(q, {}).get(r, 0) < news[r] for r, clock in known.items()):
            continue
        source = events[q]
        if source is not None:
            direct.append(source)
            continue
        last = hosts[q][-1].own if q in hosts else 0
        if q not in hosts:
            found.counts["received from processes that have no events in the log"] += 1
        elif k > last:
            found.problems.append(
                Problem(event.file, event.line, "ahead-of-owner",
                        f"the clock knows event {k:,} of {short(q)}, whose last one in the log is {last:,}")
            )  # fmt: skip
        else:
            found.counts["received from events that the log lacks"] += 1
    for source in direct:
        _judge_source(event, source, found)
    return direct


def _judge_source(event: Event, source: Event, found: Inferred) -> None:
    unknown = next((x for x, k in source.clock.items() if event.clock.get(x, 0) < k), None)
    if unknown is None:
        return
    text = f"the clock knows event {source.own:,} of {short(source.host)} (line {source.line:,})"
    if unknown == event.host:
        text += f", which knows event {source.clock[unknown]:,} of {short(unknown)}, after this one"
    else:
        text += f" but not event {source.clock[unknown]:,} of {short(unknown)}, which that one knew"
    found.problems.append(Problem(event.file, event.line, "clocks-disagree", text))


def _execution(table: pa.Table, hosts: dict[str, list[Event]], found: Inferred) -> Execution:
    """Every event as its deliveries, then its send; an event without either as itself."""
    readers: dict[int, list[str]] = {}
    sent: dict[int, Event] = {}
    for events in hosts.values():
        for event in events:
            for source in found.sources.get(event.row, ()):
                readers.setdefault(source.row, []).append(event.host)
                sent[source.row] = source
    for row, names in readers.items():
        if len(set(names)) > 1:
            found.counts["one event sent to several"] += 1
        if len(set(names)) < len(names):
            found.counts["received twice by one process from one event"] += 1
        readers[row] = sorted(set(names))
    numbers = {name: i for i, name in enumerate(sorted(hosts))}
    ids = {row: i for i, row in enumerate(sorted(readers))}
    atoms: list[tuple[int, int, int, int]] = []  # row, process, kind, message
    ordered = sorted((e.row, rank, e) for events in hosts.values() for rank, e in enumerate(events))
    delivered: set[tuple[int, int]] = set()
    for row, _, event in _in_host_order(hosts, ordered):
        parts = []
        for source in found.sources.get(row, ()):
            if (source.row, numbers[event.host]) not in delivered:
                delivered.add((source.row, numbers[event.host]))
                parts.append((DELIVER, ids[source.row]))
        parts += [(SEND, ids[row])] if row in ids else []
        atoms += [(row, numbers[event.host], kind, message) for kind, message in parts or [(OTHER, -1)]]
    return _arrays(table, atoms, numbers, [f"{e.host}:{e.own}" for _, e in sorted(sent.items())], readers)


def _in_host_order(
    hosts: dict[str, list[Event]], ordered: list[tuple[int, int, Event]]
) -> Iterable[tuple[int, int, Event]]:
    """The events in the order of the log, those of a host that the log has out of order in the order of its clock."""
    next_of = {host: iter(events) for host, events in hosts.items()}
    for _, rank, event in ordered:
        found = next(next_of[event.host])
        yield found.row, rank, found


def _arrays(
    table: pa.Table, atoms: list[tuple[int, int, int, int]], numbers: dict[str, int], names: list[str],
    readers: dict[int, list[str]],
) -> Execution:  # fmt: skip
    rows, process, kind, message = (np.array(column) for column in zip(*atoms, strict=True))
    dests = [[numbers[name] for name in readers[row]] if k == SEND else [] for row, _, k, _ in atoms]
    starts = np.zeros(len(atoms) + 1, np.int64)
    np.cumsum([len(d) for d in dests], out=starts[1:])
    times = table["time"].to_numpy()
    return Execution(
        name="",
        processes=pa.array(list(numbers)),
        messages=pa.array(names, pa.string()),
        process=process.astype(np.int32),
        kind=kind.astype(np.int8),
        message=message.astype(np.int32),
        dest_start=starts,
        dest=np.array([d for part in dests for d in part], np.int32),
        known=(kind == SEND).astype(np.uint8),
        time=times[rows],
        file=table["file"].to_numpy()[rows],
        line=table["line"].to_numpy()[rows],
        text=table["text"],
        source=rows,
    )
