"""Logs of small random runs, and what the definitions say of them, by brute force over the causal order."""

import itertools
import random

import networkx as nx
import pyarrow as pa

from precede.checker.pipeline.audit.ndjson import normalised


def random_run(seed, processes=4, messages=7, self_addressed=False, lost=0.1):
    """Events in an order in which they could have happened: (process, kind, message, destinations)."""
    choose = random.Random(seed)
    events, transit, sent = [], [], 0
    while sent < messages or transit:
        if sent < messages and (not transit or choose.random() < 0.5):
            p = choose.randrange(processes)
            others = [q for q in range(processes) if q != p or self_addressed]
            dests = choose.sample(others, choose.randint(1, min(3, len(others))))
            events.append((p, "send", f"m{sent}", dests))
            transit += [(f"m{sent}", d) for d in dests]
            sent += 1
        else:
            message, d = transit.pop(choose.randrange(len(transit)))
            if choose.random() >= lost:
                events.append((d, "deliver", message, None))
        if choose.random() < 0.2:
            events.append((choose.randrange(processes), "other", None, None))
    return events


def as_events(events, lines=None):
    """A run as a table of EVENTS."""
    columns = {
        "process": pa.array([str(p) for p, *_ in events]),
        "kind": pa.array([kind for _, kind, *_ in events]),
        "message": pa.array([m for _, _, m, _ in events], pa.string()),
        "destinations": pa.array([d and [str(q) for q in d] for *_, d in events], pa.list_(pa.string())),
    }  # fmt: skip
    return normalised(pa.table(columns), lines or list(range(1, len(events) + 1)), 0, "x")


class Reference:
    """The definitions, over the whole causal order of a run."""

    def __init__(self, events):
        self.events = events
        self.send = {m: i for i, (_, kind, m, _) in enumerate(events) if kind == "send"}
        self.dests = {m: d for _, kind, m, d in events if kind == "send"}
        self.delivery = {(m, p): i for i, (p, kind, m, _) in enumerate(events) if kind == "deliver"}
        graph = nx.DiGraph()
        graph.add_nodes_from(range(len(events)))
        last = {}
        for i, (p, kind, m, _) in enumerate(events):
            if p in last:
                graph.add_edge(last[p], i)
            last[p] = i
            if kind == "deliver":
                graph.add_edge(self.send[m], i)
        self.before = nx.transitive_closure_dag(graph)

    def precedes(self, a, b):
        return self.before.has_edge(a, b)

    def late(self, message, p):
        """The messages to p, sent in the past of `message`, that are not delivered there before it."""
        here = self.delivery[message, p]
        return {
            m
            for m, sent in self.send.items()
            if m != message and p in self.dests[m] and self.precedes(sent, self.send[message])
            and self.delivery.get((m, p), len(self.events)) > here
        }  # fmt: skip

    def early(self):
        return {(m, p) for m, p in self.delivery if self.late(m, p)}

    def early_in_channel(self):
        sender = {m: self.events[i][0] for m, i in self.send.items()}
        return {(m, p) for m, p in self.delivery if any(sender[x] == sender[m] for x in self.late(m, p))}

    def is_synchronous(self):
        """Whether the delivered messages can be put in an order that every process follows, each as one instant."""
        graph = nx.DiGraph()
        lines = {}
        for p, kind, m, _ in self.events:
            if kind != "other" and any(m == x for x, _ in self.delivery):
                lines.setdefault(p, []).append(m)
        for line in lines.values():
            for i, (a, b) in enumerate(itertools.pairwise(line)):
                if a != b:
                    graph.add_edge(a, b)
                elif a in line[i + 2 :]:
                    graph.add_edge(a, a)
        return nx.is_directed_acyclic_graph(graph)

    def reaches_delivery(self, m, other):
        """Whether the send of m precedes a delivery of another message."""
        return any(self.precedes(self.send[m], i) for (x, _), i in self.delivery.items() if x == other)

    def shortest_crown(self):
        graph = nx.DiGraph()
        for m, other in itertools.permutations(self.send, 2):
            if self.reaches_delivery(m, other):
                graph.add_edge(m, other)
        lengths = [len(cycle) for cycle in nx.simple_cycles(graph, length_bound=4)]
        return min(lengths, default=None)

    def hops(self, a, b):
        """The fewest messages on a causal chain from event a to event b."""
        graph = nx.DiGraph()
        last = {}
        for i, (p, kind, m, _) in enumerate(self.events):
            if p in last:
                graph.add_edge(last[p], i, weight=0)
            last[p] = i
            if kind == "deliver" and not graph.has_edge(self.send[m], i):
                graph.add_edge(self.send[m], i, weight=1)
        return nx.dijkstra_path_length(graph, a, b)

    def fewest_hops(self):
        return min(self.hops(self.send[x], self.send[m]) for m, p in self.early() for x in self.late(m, p))
