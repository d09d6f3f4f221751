"""KS with lookahead: Kshemkalyani, Singhal, Distributed Computing 11(2), 1998, Section 4.5, second note.

A copy that arrives and has to wait is read at once: RCV(4) and RCV(5) run with its O_M, and again when it is delivered.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import dropwhile
from typing import Any

from .deletion import in_place, marked
from .interface import Packet, Step, reading
from .ks import FrozenEntries, Id
from .ks_arrival import Copy, KSArrival


@dataclass(frozen=True)
class KSLookahead(KSArrival):
    """KS; a copy that has to wait changes LOG already when it arrives."""

    title = "Kshemkalyani-Singhal with lookahead on arrival"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 4.5"

    ahead: str = reading(
        "KS-3",
        "with which O_M do RCV(4) and RCV(5) run when a copy arrives that has to wait?",
        default="e",
        a="the received one as it is",
        b="the same, but they only delete and intersect: LOG gets no new entry",
        c="after RCV(3): with the message's entry, without j",
        d="with the message's entry, and with j",
        e="with none: there is no lookahead",
    )
    wait: str = reading(
        "KS-13",
        "what is the wait of RCV(1)?",
        default="a",
        a="one test of all entries",
        b="one wait after another, in the order of the entries: what is passed is not tested again",
        c="as a, but on the O_M that the lookahead has changed, which RCV(3) and the rest also take",
    )

    def begin(self, state: Any, packet: Packet) -> list[Step]:
        """The lookahead: RCV(4) and RCV(5), one step for each order of deletion that makes a difference."""
        if self.ahead == "e":
            return [Step(self.waiting(state, packet, packet.control))]
        LOG, O_M = dict(state.ks.LOG), dict(packet.control)
        if self.ahead in ("c", "d"):
            O_M = {**O_M, packet.message[:2]: packet.message.dests}
        if self.ahead == "c":
            O_M = {mt: D - {packet.to} for mt, D in O_M.items()}
        merged_in = {mt: D for mt, D in O_M.items() if mt in LOG} if self.ahead == "b" else O_M
        delete = marked if self.deletion == "a" else in_place
        steps = []
        for deleted in delete(self.redundant(LOG, O_M)):
            log = self.merged(packet.to, LOG, merged_in, deleted)
            ks = state.ks._replace(LOG=frozenset(log.items()))
            left = frozenset((mt, D) for mt, D in O_M.items() if mt not in deleted and mt not in LOG)
            steps.append(Step(self.waiting(state._replace(ks=ks), packet, left)))
        return steps

    def waiting(self, state: Any, packet: Packet, changed: FrozenEntries) -> Any:
        """The state in which the copy waits; `changed` is what the lookahead has left of O_M."""
        if self.wait == "c":
            packet = packet._replace(control=changed)
        return self.progressed(state._replace(buffer=state.buffer | {Copy(packet, packet.control)}))

    def complete(self, state: Any, packet: Packet) -> list[Step]:
        """RCV(2) to RCV(5); then the waits go on."""
        return [step._replace(state=self.progressed(step.state)) for step in super().complete(state, packet)]

    def progressed(self, state: Any) -> Any:
        """KS-13b: the state in which every copy waits at its first entry that is not satisfied."""
        if self.wait != "b":
            return state
        j, _, SR, _ = state.ks

        def satisfied(entry: tuple[Id, frozenset[int]]) -> bool:
            (m, t), _ = entry
            return bool(t <= SR[m - 1])

        def progressed(copy: Copy) -> Copy:
            naming_j = sorted((entry for entry in copy.tested if j in entry[1]), key=lambda entry: entry[0])
            return copy._replace(tested=frozenset(dropwhile(satisfied, naming_j)))

        return state._replace(buffer=frozenset(map(progressed, state.buffer)))
