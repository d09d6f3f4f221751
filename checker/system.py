"""The system around a model in one state of a run: its processes, what is in transit, and what may happen next.

design.md, section 5, in plain Python over plain values, independently of the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from precede.models import Joint, Message, Packet, State, Step

from .bounds import Bounds
from .calls import ModelCalls
from .errors import ConfigurationError
from .event_text import name, name_or_signal
from .history import MessageId, Past
from .local import Content, Copy, Local, Transit, after_receive, after_send
from .result import Event, FaultEvent, InternalEvent, JointEvent, ReceiveEvent, SendEvent
from .scenario import Scenario, must_be_delivered, must_have_arrived, next_dests

FAULTS = ("duplicate", "lose", "crash", "restart")


class ImpossibleStep(ConfigurationError):
    """A schedule asks for a step that the system cannot take in the state reached."""


class System:
    """One state of a run: per process its `Local`, and the packets in transit by number, the oldest first."""

    def __init__(self, calls: ModelCalls, bounds: Bounds, scenario: Scenario | None = None) -> None:
        """The initial state. `scenario` restricts the run to its script; `bounds` are those of `scripted_bounds`."""
        self.calls = calls
        self.bounds = bounds
        self.scenario = scenario
        self.locals: dict[int, Local] = {p: Local(calls.start(p)) for p in self.processes}
        self.in_transit: dict[int, Transit] = {}
        self.faults: dict[str, int] = dict.fromkeys(FAULTS, 0)
        self.is_short = calls.model.direct and not bounds.duplicates
        """Whether a message and a process tell a packet."""

    @property
    def processes(self) -> range:
        """The processes, 1..n."""
        return range(1, self.bounds.processes + 1)

    @property
    def states(self) -> dict[int, State]:
        """The model state of every process; None for one that is down."""
        return {p: local.state for p, local in self.locals.items()}

    @property
    def pasts(self) -> dict[int, Past]:
        """The past of every process."""
        return {p: local.past for p, local in self.locals.items()}

    @property
    def takes_own(self) -> bool:
        """Whether a sender takes its own copy within the send."""
        return self.bounds.self_addressed == "at-send"

    @property
    def down(self) -> tuple[int, ...]:
        """The processes that have crashed and not come back."""
        return tuple(p for p, local in self.locals.items() if local.down)

    def global_state(self) -> tuple[object, ...]:
        """A hashable value, equal for equal states: the numbers of packets left out, unordered channels as bags."""
        contents = [transit.content for transit in self.in_transit.values()]
        network: frozenset[tuple[object, object]] = frozenset(Counter(contents).items())
        if self._is_queued():
            channels = {(packet.sender, packet.to) for packet, _ in contents}
            network = frozenset((c, tuple(t.content for t in self.on_channel(*c))) for c in channels)
        return tuple(self.locals.values()), network, tuple(self.faults.values())

    def on_channel(self, sender: int, to: int) -> list[Transit]:
        """What is in transit from `sender` to `to`, the oldest first."""
        return [t for t in self.in_transit.values() if (t.packet.sender, t.packet.to) == (sender, to)]

    def place_of(self, transit: Transit) -> int:
        """Its place, from 0, among what is in transit on its channel."""
        return self.on_channel(transit.packet.sender, transit.packet.to).index(transit)

    def enabled(self) -> tuple[Event, ...]:
        """Every event that may happen now: sends, receives, internal and joint steps, faults; equal packets once."""
        return (
            *self.enabled_sends(),
            *self.enabled_receives(),
            *self.enabled_internals(),
            *self.enabled_joints(),
            *self.enabled_faults(),
        )

    def enabled_sends(self) -> tuple[Event, ...]:
        """The sends that bounds, scenario, model and, in a rendezvous, the receivers allow now."""
        return tuple(
            SendEvent(p, dests, alternative)
            for p in self.processes
            for dests in self._candidate_dests(p)
            if not self._why_not_send(p, dests)
            for alternative, step in enumerate(self._send_steps(p, dests))
            if not self._why_not_met(p, dests, step)
        )

    def enabled_receives(self) -> tuple[Event, ...]:
        """The receives that model, channel and scenario allow now: by process, then message, or sender and place."""
        ready = [t for t in self._distinct() if not self._why_not_receive(t)]
        if self.is_short:
            ready.sort(key=lambda t: (t.packet.to, t.message or ()))
        return tuple(
            ReceiveEvent(t.packet.to, t.message, alternative)
            if self.is_short
            else ReceiveEvent(t.packet.to, t.message, alternative, t.packet.sender, self.place_of(t))
            for t in ready
            for alternative in range(len(self._offer(t)))
        )

    def enabled_internals(self) -> tuple[InternalEvent, ...]:
        """The steps that processes may take by themselves."""
        return tuple(InternalEvent(p, number) for p in self.processes for number in range(len(self._internals(p))))

    def enabled_joints(self) -> tuple[JointEvent, ...]:
        """The steps that all processes may take together."""
        return tuple(JointEvent(number) for number in range(len(self._joints())))

    def enabled_faults(self) -> tuple[Event, ...]:
        """The faults that the bounds allow: duplicates, losses, crashes, restarts."""
        packets = [(t.packet.to, t.packet.sender, self.place_of(t)) for t in self._distinct()]
        faults = [FaultEvent(kind, *packet) for kind in FAULTS[:2] for packet in packets]
        faults += [FaultEvent(kind, p) for kind in FAULTS[2:] for p in self.processes]
        return tuple(fault for fault in faults if not self._why_not_fault(fault))

    def waiting_packets(self) -> tuple[Transit, ...]:
        """What is in transit to a process that does not take it now, whatever the channel says, sorted by copy."""
        waiting = [t for t in self.in_transit.values() if not self.locals[t.packet.to].down and not self._offer(t)]
        return tuple(sorted(waiting, key=lambda t: _order(t.copy)))

    def waiting(self) -> tuple[Copy, ...]:
        """The copies in transit whose delivery condition does not hold now, whatever the channel says; sorted."""
        return tuple(transit.copy for transit in self.waiting_packets())

    def held(self) -> tuple[tuple[MessageId, int], ...]:
        """(message, process): what has arrived and is not delivered, sorted."""
        return tuple(sorted((sent.id, p) for p, local in self.locals.items() for sent in local.held))

    def undelivered(self) -> tuple[tuple[MessageId, int], ...]:
        """(message, destination): what has been sent and is not delivered at a process that is up, sorted."""
        sent = {s for p, local in self.locals.items() for s in local.past.sent if s.message.sender == p}
        copies = {(s.id, d) for s in sent for d in s.message.dests if not self.locals[d].down}
        return tuple(sorted(copy for copy in copies if copy not in self.locals[copy[1]].past.delivered))

    def offers(self, transit: Transit) -> int:
        """In how many ways the model takes it now, whatever the channel and the scenario say; 0: it has to wait."""
        return len(self._offer(transit))

    def ways_to_send(self, process: int, dests: frozenset[int]) -> int:
        """In how many ways the model sends to `dests` now, whatever bounds and scenario say; 0: it does not."""
        return 0 if self.locals[process].down else len(self._send_steps(process, dests))

    def receivable(self, transit: Transit) -> bool:
        """Whether the model and the channel let it be received now, whatever the scenario says."""
        return bool(self._offer(transit)) and self._ahead_on_channel(transit) is None

    def moves(self) -> bool:
        """Whether a receive, an internal or a joint step is possible, whatever the scenario says."""
        if any(self.receivable(transit) for transit in self.in_transit.values()):
            return True
        return bool(self.enabled_internals() or self.enabled_joints())

    def _candidate_dests(self, process: int) -> tuple[frozenset[int], ...]:
        if self.scenario is None:
            return self.bounds.destination_sets(process)
        dests = next_dests(self.scenario, process, self.locals[process].sent + 1)
        return () if dests is None else (dests,)

    def _why_not_send(self, process: int, dests: frozenset[int]) -> str | None:
        local = self.locals[process]
        if local.down:
            return f"process {process} is down"
        if sum(other.sent for other in self.locals.values()) >= self.bounds.sends:
            return f"the bound allows {self.bounds.sends} sends in all"
        if local.sent >= self.bounds.per_process:
            return f"the bound allows {self.bounds.per_process} sends of one process"
        if not self._allowed_dests(process, dests):
            return (
                f"the bounds do not allow this destination set ({self.bounds.dests}, self {self.bounds.self_addressed})"
            )
        if self.scenario is None:
            return None
        if next_dests(self.scenario, process, local.sent + 1) != dests:
            return f"scenario {self.scenario.name} does not say so"
        here = local.past.delivered_at(process)
        missing = [id for id in must_be_delivered(self.scenario, process, local.sent + 1) if id not in here]
        return f"scenario {self.scenario.name} wants {name(missing[0])} delivered first" if missing else None

    def _allowed_dests(self, process: int, dests: frozenset[int]) -> bool:
        others = set(self.processes) - ({process} if self.bounds.self_addressed == "forbidden" else set())
        if self.bounds.dests == "groups":
            return dests in self.bounds.destination_sets(process)
        if self.bounds.dests == "broadcast":
            return dests == others
        return 1 <= len(dests) <= (1 if self.bounds.dests == "unicast" else len(others)) and dests <= others

    def _message(self, process: int, dests: frozenset[int]) -> Message:
        """The next message of `process`, numbered as the checker knows it."""
        return Message(process, self.locals[process].sent + 1, dests)

    def _send_steps(self, process: int, dests: frozenset[int]) -> tuple[Step, ...]:
        local = self.locals[process]
        return self.calls.send(local.state, Message(process, local.sent + 1 - local.earlier, dests))

    def _why_not_met(self, process: int, dests: frozenset[int], step: Step) -> str | None:
        """Why the packets of a send cannot all be received in the same step, where the channel wants that."""
        if self.bounds.channel != "rendezvous":
            return None
        effect = after_send(self.locals[process], step, self._message(process, dests), self.takes_own)
        locals_ = self.locals | {process: effect.local}
        for transit in effect.transmitted:
            if isinstance(transit.packet, Packet):
                to, steps = transit.packet.to, self._offered(locals_[transit.packet.to], transit)
                if not steps:
                    return f"{to} cannot receive {name_or_signal(transit.message)} in the same step"
                locals_[to] = after_receive(locals_[to], to, steps[0], transit.sent).local
        return None

    def _why_not_receive(self, transit: Transit) -> str | None:
        at = transit.packet.to
        if self.locals[at].down:
            return f"process {at} is down"
        if not self._offer(transit):
            return "its delivery condition does not hold" if transit.sent else "the model does not take it now"
        if (ahead := self._ahead_on_channel(transit)) is not None:
            return f"channel {self.bounds.channel} wants {name_or_signal(ahead.message)} received first"
        if self.scenario is not None and transit.sent is not None:
            for other in must_have_arrived(self.scenario, at, transit.sent.id, self.bounds.channel):
                if not self._has_arrived(other, at):
                    return f"scenario {self.scenario.name} wants {name(other)} to arrive at {at} first"
        return None

    def _why_not_fault(self, fault: FaultEvent) -> str | None:
        most = dict(zip(FAULTS, self.bounds.faults, strict=True))[fault.kind]
        if self.faults[fault.kind] >= most:
            return f"the bound allows {most} faults of this kind"
        is_down = self.locals[fault.process].down
        if fault.kind == "crash" and is_down:
            return "it is down"
        return "it is not down" if fault.kind == "restart" and not is_down else None

    def _has_arrived(self, message: MessageId, at: int) -> bool:
        copies = [t for t in self.in_transit.values() if t.copy == (message, at)]
        if any(self.receivable(copy) for copy in copies):
            return False
        return bool(copies) or (message, at) in self.locals[at].past.delivered or (message, at) in self.held()

    def _ahead_on_channel(self, transit: Transit) -> Transit | None:
        """The older one on the same channel that has to be received before `transit`, if there is one."""
        if not self._is_queued():
            return None
        channel = self.on_channel(transit.packet.sender, transit.packet.to)
        older = channel[: channel.index(transit)]
        if self.calls.channel_rule == "fifo":
            older = [t for t in older if self._offer(t)]
        return older[0] if older else None

    def _is_queued(self) -> bool:
        return self.calls.channel_rule in ("fifo", "fifo-delivery")

    def _distinct(self) -> Iterator[Transit]:
        """What is in transit, by destination and sender, the oldest first; of equal ones the oldest only."""
        seen: set[Content] = set()
        for transit in sorted(self.in_transit.values(), key=lambda t: (t.packet.to, t.packet.sender, t.number)):
            if transit.content not in seen:
                seen.add(transit.content)
                yield transit

    def _offer(self, transit: Transit) -> tuple[Step, ...]:
        return self._offered(self.locals[transit.packet.to], transit)

    def _offered(self, local: Local, transit: Transit) -> tuple[Step, ...]:
        if local.down:
            return ()
        if isinstance(transit.packet, Packet):
            return self.calls.receive(local.state, transit.packet)
        return self.calls.signal(local.state, transit.packet)

    def _internals(self, process: int) -> tuple[Step, ...]:
        local = self.locals[process]
        return () if local.down else self.calls.internal(process, local.state)

    def _joints(self) -> tuple[Joint, ...]:
        return () if self.down else self.calls.joint(tuple(self.states.values()))


def _order(copy: Copy) -> tuple[object, ...]:
    message, at = copy
    return message is None, message or (0, 0), at
