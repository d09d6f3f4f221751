"""The relations of the theory of events and semantic pasts (semantic_pasts.py), as the checker's histories have them.

An event is (process, number).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from histories import NONE, History, Id, nth
from translating import Value

from precede.checker.history import LocalEvent, Sent

Event = tuple[int, int]
Vector = tuple[int, ...]


def send_of(sent: Sent) -> Event:
    """The event at which a message is sent."""
    return sent.message.sender, 1 + len(sent.past.events)


class Events:
    """All events of a history, those that happen later included."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.processes = sorted(history.pasts)

    @cached_property
    def all(self) -> dict[Event, LocalEvent]:
        """By their names, in the order of each process."""
        return {(p, k): event for p in self.processes for k, event in enumerate(self.history.later[p].events, 1)}

    def of(self, f: Event) -> Event:
        """The send of the message that is delivered at f."""
        event = self.all[f]
        return send_of(event.sent) if event.kind == "delivery" and event.sent else NONE

    def dests(self, x: Event) -> frozenset[int]:
        """The destinations of the message sent at x."""
        event = self.all[x]
        return event.sent.message.dests if event.kind == "send" and event.sent else frozenset()

    @cached_property
    def before(self) -> dict[Event, frozenset[Event]]:
        """The events that happened before each."""
        return self._closed(lambda f: {g for g in ((f[0], f[1] - 1), self.of(f)) if g in self.all})

    def direct(self, f: Event) -> set[Event]:
        """The events on which f depends directly: one of its process, and the send of what it delivers."""
        return {g for g in ((f[0], self.all[f].depends_on), self.of(f)) if g in self.all}

    @cached_property
    def semantic(self) -> dict[Event, frozenset[Event]]:
        """The events on which each depends."""
        return self._closed(self.direct)

    def _closed(self, direct: Callable[[Event], set[Event]]) -> dict[Event, frozenset[Event]]:
        found: dict[Event, frozenset[Event]] = {}

        def closure(f: Event) -> frozenset[Event]:
            if f not in found:
                found[f] = frozenset().union(*({g} | closure(g) for g in direct(f)))
            return found[f]

        return {f: closure(f) for f in self.all}

    def past(self, f: Event) -> frozenset[Event]:
        """What has happened for the process of f just after it; nothing before its first event, (p, 0)."""
        return self.before[f] | {f} if f in self.all else frozenset()

    @cached_property
    def ecv(self) -> dict[Event, Vector]:
        """How many events of each process that are."""
        return {
            f: tuple(max((k for p, k in self.past(f) if p == q), default=0) for q in self.processes)
            for f in (*self.all, *((p, 0) for p in self.processes))
        }

    @cached_property
    def mcv(self) -> dict[Event, Vector]:
        """Definition 5: a local event that depends on one after MCV brings it to ECV, a delivery to the maximum."""
        found: dict[Event, Vector] = {(p, 0): (0,) * len(self.processes) for p in self.processes}

        def after(f: Event) -> Vector:
            if f not in found:
                old, event = after((f[0], f[1] - 1)), self.all[f]
                if event.kind == "delivery":
                    found[f] = tuple(map(max, old, after(self.of(f))))
                else:
                    found[f] = self.ecv[f] if event.depends_on > old[self.processes.index(f[0])] else old
            return found[f]

        for f in self.all:
            after(f)
        return found

    def sources(self, f: Event, q: int) -> list[Event]:
        """The events within MCV just after f whose ECV has its component of q."""
        last, of_q = self.mcv[f], self.processes.index(q)
        within = [e for e in self.past(f) if e[1] <= last[self.processes.index(e[0])]]
        return sorted(e for e in within if self.ecv[e][of_q] == last[of_q])

    def relations(self) -> dict[str, Value]:
        """Those of semantic_pasts.py; `delivery(p)` is the next event of p."""
        number = {p: len(past.events) for p, past in self.history.pasts.items()}
        delivered = {(f[0], self.of(f)) for f in self.all if f[1] <= number[f[0]]}
        at = {q: place for place, q in enumerate(self.processes)}

        def last(p: int) -> Event:
            return p, number[p]

        def channel(a: int, d: int) -> list[Event]:
            return sorted(x for x in self.all if x[0] == a and d in self.dests(x))

        def so_far(a: int, d: int) -> list[Event]:
            return [x for x in channel(a, d) if x[1] <= number[a]]

        def via(e: Event, f: Event) -> Event:
            return min((g for g in self.direct(f) if e == g or e in self.semantic[g]), default=NONE)

        return {
            "proc": lambda e: e[0],
            "num": lambda e: e[1],
            "to": lambda x, d: d in self.dests(x),
            "is_send": lambda x: self.all[x].kind == "send",
            "is_delivery": lambda f: self.all[f].kind == "delivery",
            "of": self.of,
            "happens_before": lambda e, f: e in self.before[f],
            "dep": lambda f, g: g == (f[0], self.all[f].depends_on),
            "sem": lambda e, f: e in self.semantic[f],
            "via": via,
            "latest": lambda f: (f[0], self.all[f].depends_on),
            "latest_number": lambda f: self.all[f].depends_on,
            "ecv": lambda f, q: self.ecv[f][at[q]],
            "mcv": lambda f, q: self.mcv[f][at[q]],
            "source_of": lambda f, q: min(self.sources(f, q), default=NONE),
            "index": lambda x, d: 1 + channel(x[0], d).index(x),
            "happened": lambda e: e[1] <= number[e[0]],
            "past_events": lambda p, e: e in self.past(last(p)),
            "ECV": lambda p, q: self.ecv[last(p)][at[q]],
            "MCV": lambda p, q: self.mcv[last(p)][at[q]],
            "source": lambda p, q: min(self.sources(last(p), q), default=NONE),
            "delivered_event": lambda d, x: (d, x) in delivered,
            "count_events": lambda a, d: len(so_far(a, d)),
            "nth_event": lambda a, d, v: nth(so_far(a, d), v),
            "delivery": lambda p: (p, number[p] + 1),
            "is_source": lambda p, q, e: e in self.sources(last(p), q),
        }


def named(history: History) -> Callable[[Id], Event]:
    """The name of the send of each message."""
    return lambda m: send_of(history.sends[m])
