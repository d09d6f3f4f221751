"""Runs that go on for ever without delivering: fair cycles in the graph of all states.

A cycle cannot change the history or the faults used, so all its states lack the same deliveries. Under weak fairness of
every receipt, of every process's internal steps and of the joint steps (design.md, section 6; X-11a) a strongly
connected component has a fair cycle exactly when each of these is disabled in one of its states or taken inside it.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .bundles import Array, Rows, append
from .compiled import kernel
from .enabling import is_undelivered
from .entering import find_row
from .expanding import ALTERNATIVES, expand_row, first_packet_place
from .limits import BrokenOff
from .search import Search

if TYPE_CHECKING:
    from networkx import MultiDiGraph

BLOCK = 4096


class Edges(NamedTuple):
    """Transitions from states that lack a delivery: where from, where to (-1: the history changes), by which action,
    and what must not be enabled for ever: a packet's receipt (its number), or -1 - p, -1 - n for internal and joint
    steps; 0 where nothing obliges."""

    source: Array
    target: Array
    action: Array
    duty: Array
    size: Array


class Lasso(NamedTuple):
    """The number of a state, and the actions of a fair cycle through it."""

    start: int
    actions: list[int]


@kernel
def same_history(row, new, system, locals):
    """Whether no process has another past and no fault was used."""
    for process in range(system.processes):
        if locals.past[row[process]] != locals.past[new[process]]:
            return False
    return system.head == system.processes or row[system.processes] == new[system.processes]


@kernel
def duty_of(row, action, system):
    """What is done by an action that must not be enabled for ever and never taken; 0 for sends and faults."""
    place = action // ALTERNATIVES
    internal = system.processes * system.width
    if place < internal:
        return 0
    if place <= internal + system.processes:
        return internal - place - 1
    place -= first_packet_place(system)
    if place >= 0 and place % 3 == 0:
        return row[system.head + place // 3]
    return 0


@kernel
def list_edges(
    even, odd, split, begin, end, edges, pasts, sends, held, locals, packets, steps, known_steps, send_steps,
    local_packets, joints, joint_steps, system, script, missing, found, scratch, successors,
):  # fmt: skip
    """Add the edges of the rows numbered begin to end (2 i + h: row i of half h). `edges` must have room."""
    for number in range(begin, end):
        half = number & 1
        rows = even if half == 0 else odd
        if number >> 1 >= rows.size[0]:
            continue
        row = rows.row[number >> 1]
        if not is_undelivered(row, system, pasts, locals):
            continue
        successors.size[0] = 0
        expand_row(
            row, number, pasts, sends, held, locals, packets, steps, known_steps, send_steps, local_packets, joints,
            joint_steps, system, script, missing, found, scratch, successors,
        )  # fmt: skip
        for index in range(successors.size[0]):
            new = edges.size[0]
            edges.source[new] = number
            edges.target[new] = -1
            edges.action[new] = successors.action[index]
            edges.duty[new] = duty_of(row, successors.action[index], system)
            if same_history(row, successors.row[index], system, locals):
                hash = successors.hash[index]
                other = np.int64(hash >> np.uint64(63)) if split else np.int64(0)
                target = find_row(even if other == 0 else odd, successors.row[index], hash)
                edges.target[new] = 2 * target + other
            edges.size[0] = new + 1


def find_lasso(search: Search, halves: list[Rows], split: bool) -> Lasso | None:
    """A fair cycle of states that lack a delivery, from all states of a finished search; None if there is none.

    `split`: whether a row's half is the first bit of its hash; else all rows are in the first half.
    """
    from scipy.sparse import coo_array  # few searches need it, and it takes longer to import than the engine
    from scipy.sparse.csgraph import connected_components

    edges = _edges(search, halves, split)
    inner = edges.target >= 0
    nodes, ends = np.unique(np.concatenate([edges.source, edges.target[inner]]), return_inverse=True)
    if not len(nodes):
        return None
    sources, targets = ends[: len(edges.source)], ends[len(edges.source) :]
    graph = coo_array((np.ones(len(targets), np.int8), (sources[inner], targets)), shape=(len(nodes), len(nodes)))
    _, component = connected_components(graph, connection="strong")
    inside = np.zeros(len(edges.source), bool)
    inside[inner] = component[sources[inner]] == component[targets]
    for chosen in _fair_components(component, sources, inside, edges.duty):
        return _cycle(nodes, component == chosen, sources, inner, targets, inside, edges)
    return None


def _edges(search: Search, halves: list[Rows], split: bool) -> Edges:
    edges = new_edges(0)
    worker = search.workers[0]
    total = 2 * max(int(half.size[0]) for half in halves)
    block = max(2, min(BLOCK, 1_000_000 // search.most_successors))
    for begin in range(0, total, block):
        room = new_edges(block * search.most_successors)
        search.prepare(worker, 1)
        list_edges(halves[0], halves[1], split, begin, min(begin + block, total), room, *search.tables(worker))
        size = int(room.size[0])
        append(edges, *(column[:size] for column in room[:-1]))
        if search.watch.must_stop(search.states, search.transitions, 0, search.depth):
            raise BrokenOff
    size = int(edges.size[0])
    source, target, action, duty = (column[:size] for column in edges[:-1])
    return Edges(source, target, action, duty, edges.size)


def new_edges(room: int) -> Edges:
    """Room for so many edges, none yet."""
    source, target, action, duty = (np.zeros(room, np.int32) for _ in range(4))
    return Edges(source, target, action, duty, np.zeros(1, np.int64))


def _fair_components(component: Array, sources: Array, inside: Array, duty: Array) -> list[int]:
    """The components with a cycle in which every duty is somewhere not enabled, or done."""
    cyclic = np.unique(component[sources[inside]])
    sizes = np.bincount(component)
    owed = duty != 0
    enabled = np.unique(np.stack([sources[owed], duty[owed]], axis=1), axis=0)
    per, counts = np.unique(np.stack([component[enabled[:, 0]], enabled[:, 1]], axis=1), axis=0, return_counts=True)
    always = per[counts == sizes[per[:, 0]]] if len(per) else per
    done = {tuple(pair) for pair in np.stack([component[sources[inside & owed]], duty[inside & owed]], axis=1).tolist()}
    unfair = {pair[0] for pair in always.tolist() if tuple(pair) not in done}
    return [int(c) for c in cyclic.tolist() if c not in unfair]


def _cycle(
    nodes: Array, chosen: Array, sources: Array, inner: Array, targets: Array, inside: Array, edges: Edges
) -> Lasso:
    """A short fair cycle in one component."""
    from networkx import MultiDiGraph

    graph = MultiDiGraph()
    target_of = np.full(len(sources), -1)
    target_of[inner] = targets
    enabled: dict[int, set[int]] = {}
    for edge in np.flatnonzero(chosen[sources]).tolist():
        enabled.setdefault(int(sources[edge]), set()).add(int(edges.duty[edge]))
        if inside[edge]:
            graph.add_edge(
                int(sources[edge]), int(target_of[edge]), action=int(edges.action[edge]), duty=int(edges.duty[edge])
            )
    start = min(graph.nodes)
    best: list[tuple[int, int, int]] | None = None
    for _, first, key in sorted(graph.out_edges(start, keys=True)):
        path = [(start, first, key), *_path(graph, first, start)]
        if (best is None or len(path) < len(best)) and _is_fair(graph, path, enabled):
            best = path
    if best is None:
        best, here = [], start
        for edge in sorted(graph.edges(keys=True)):
            best += [*_path(graph, here, edge[0]), edge]
            here = edge[1]
        best += _path(graph, here, start)
    return Lasso(int(nodes[start]), [graph.edges[edge]["action"] for edge in best])


def _path(graph: MultiDiGraph, source: int, target: int) -> list[tuple[int, int, int]]:
    from networkx import shortest_path

    states = shortest_path(graph, source, target)
    return [(a, b, min(graph[a][b])) for a, b in pairwise(states)]


def _is_fair(graph: MultiDiGraph, path: list[tuple[int, int, int]], enabled: dict[int, set[int]]) -> bool:
    always = set.intersection(*(enabled[a] for a, _, _ in path)) - {0}
    return always <= {graph.edges[edge]["duty"] for edge in path}
