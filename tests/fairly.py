"""Liveness where protocol steps form cycles: may a message wait for ever although every receipt that can be is made?"""

from __future__ import annotations

from typing import Any

import networkx as nx

from naive import Found, Global


def starving(found: Found) -> set[Global]:
    """The states with an undelivered message in which a fair run without further sends can stay for ever.

    Fair: what can be received from some point on is received. A run that never ends stays, in the end, within one
    strongly connected component; it is fair when it visits all of it and nothing can be received in all its states.
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(found.states)
    receivable: dict[Global, frozenset[Any]] = {}
    edges: Any
    for state, edges in found.edges.items():
        graph.add_edges_from((state, after) for action, after in edges if action[0] != "send")
        receivable[state] = frozenset(action[1] for action, _ in edges if action[0] == "receive")
    starved: set[Global] = set()
    for component in nx.strongly_connected_components(graph):
        some = next(iter(component))
        is_left = len(component) == 1 and graph[some] and some not in graph[some]
        is_fair = not frozenset.intersection(*(receivable[state] for state in component))
        if is_fair and not is_left and undelivered(some):
            starved |= component
    return starved


def starving_by_process(found: Found) -> set[Global]:
    """The same where fairness is by process only (X-11b): one that can receive something from some point on receives
    something, but not everything that it can."""
    graph = nx.DiGraph()
    graph.add_nodes_from(found.states)
    able, receipts = {}, nx.MultiDiGraph()
    edges: Any
    for state, edges in found.edges.items():
        graph.add_edges_from((state, after) for action, after in edges if action[0] != "send")
        received = [(action[1].packet.to, after) for action, after in edges if action[0] == "receive"]
        able[state] = frozenset(process for process, _ in received)
        receipts.add_edges_from((state, after, process) for process, after in received)
    starved: set[Global] = set()
    for component in nx.strongly_connected_components(graph):
        some = next(iter(component))
        is_left = len(component) == 1 and graph[some] and some not in graph[some]
        receive = {process for _, _, process in receipts.subgraph(component).edges(keys=True)}
        is_fair = frozenset.intersection(*(able[state] for state in component)) <= receive
        if is_fair and not is_left and undelivered(some):
            starved |= component
    return starved


def undelivered(state: Global) -> bool:
    """Whether some message is not delivered at one of its destinations."""
    sent = {s for local in state.locals for s in local.past.sent}
    return any((s.id, d) not in state.locals[d - 1].past.delivered for s in sent for d in s.message.dests)
