"""Hierarchical organisation: Kshemkalyani, Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1.

A cluster is represented by its smallest member. The representatives run KS among themselves; below them a message goes
up from representative to representative, and down again. This is separators.py with zones made of the clusters.
"""

from __future__ import annotations

from dataclasses import dataclass

from .interface import Model, Sets, parameter, reading
from .ks import KS
from .null import Null
from .separators import Zone, Zoned


@dataclass(frozen=True)
class Hierarchical(Zoned):
    """Representatives multicast among themselves; the others send to their representative and get from it."""

    title = "Kshemkalyani-Singhal, hierarchical: representatives of clusters"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1"
    status = "read in full; a paragraph, the steps are ours"
    assumes = "reliable, asynchronous FIFO channels; fixed clusters, each with a representative"
    size = "that of KS among the representatives; nothing between them and the others"
    channel = "fifo"

    clusters: Sets = parameter((), "the clusters, and clusters of clusters (levels); none: {1,2}, {3,4}, ...")
    local: str = reading(
        "KS-30",
        "what becomes of a message within a cluster, and when does a representative forward?",
        default="a",
        a="it goes up as every message does; on delivery",
        b="it stays there: the members, with the representative, run KS of their own",
        c="it stays there, without control information",
        d="as a, on arrival",
    )

    def orderings(self, processes: int) -> dict[Zone, Model]:
        """KS for the outermost representatives; for a cluster its representative with each of those that it stands
        for, or with all of them (KS-30b and c)."""
        every = range(1, processes + 1)
        clusters = self.clusters or tuple(frozenset(every[p : p + 2]) for p in range(0, processes, 2))
        found: dict[Zone, Model] = {representatives(frozenset(every), clusters, proper=False): KS()}
        for cluster in sorted(set(clusters), key=len, reverse=True):
            top, below = min(cluster), representatives(cluster, clusters)
            if self.local in ("a", "d"):
                found |= {frozenset({top, p}): Null() for p in sorted(below - {top})}
            else:
                found[below] = KS() if self.local == "b" else Null()
        return {zone: ordering for zone, ordering in found.items() if len(zone) > 1}

    def forwards_on_arrival(self) -> bool:
        """KS-30d."""
        return self.local == "d"


def representatives(processes: Zone, clusters: Sets, proper: bool = True) -> Zone:
    """Those in `processes` who are in no smaller cluster, or represent a largest one; `proper`: other than itself."""
    within = [c for c in clusters if c < processes or (c == processes and not proper)]
    largest = [c for c in within if not any(c < other for other in within)]
    return frozenset(map(min, largest)) | processes.difference(*largest)
