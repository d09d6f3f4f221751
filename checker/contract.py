"""What a model must keep to: each answer is held against the contract of precede.models, and becomes a plain tuple."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from precede.models import Fact, Joint, Message, Model, Packet, Signal, State, Step

from .bounds import Bounds
from .errors import ModelError
from .values import a, defect

MOST_ALTERNATIVES = 200


class Contract:
    """Checks of the answers of one model under given bounds; every method raises ModelError, with one line."""

    model: Model
    bounds: Bounds
    _name: str

    def _broken(self, what: str) -> ModelError:
        return ModelError(f"{self._name}.{what}")

    def _one_state(self, answer: Any, process: int, processes: int) -> State:
        if answer is None:
            raise self._broken("start returns None: return the initial state")
        if isinstance(answer, Step):
            raise self._broken("start returns a Step: return the initial state alone")
        self._require_hash("start", answer)
        state: State = answer
        return state

    def _steps(self, method: str, answer: Any) -> tuple[Step, ...]:
        if answer is None:
            return ()
        if isinstance(answer, Step):
            return (answer,)
        if not isinstance(answer, tuple):
            raise self._broken(f"{method} returns {_shown(answer)}: return a Step, several of them, or None")
        if len(answer) > MOST_ALTERNATIVES:
            raise self._broken(
                f"{method} gives more than {MOST_ALTERNATIVES} alternatives: yield each distinct result once"
            )
        for step in answer:
            if not isinstance(step, Step):
                raise self._broken(
                    f"{method} gives {_shown(step)} where a Step is expected: write Step(state, packets, delivered)"
                )
        return answer

    def _sends(self, answer: Any, state: State, message: Message) -> tuple[Step, ...]:
        steps = self._steps("send", answer)
        for step in steps:
            self._check_dependency("send", step)
            if self.model.direct:
                self._check_packets(step.packets, message)
            else:
                self._check_transmitted("send", step, message.sender)
            if step.delivered != () and (self.model.direct or step.delivered != (message,)):
                raise self._broken(
                    "send delivers a message: messages are delivered by receive (--self at-send does so for the sender)"
                )
        return self._distinct("send", steps)

    def _check_dependency(self, method: str, step: Step) -> None:
        number = step.depends_on
        if self.model.semantic:
            if not isinstance(number, int) or number < 0:
                raise self._broken(
                    f"{method} gives a step whose depends_on is {number!r}: give the number of an earlier event, or 0"
                )
        elif number is not None:
            raise self._broken(f"{method} gives a step with depends_on, but the model does not say semantic = True")

    def _check_transmitted(self, method: str, step: Step, me: int) -> None:
        """What a model that is not `direct` may transmit and deliver."""
        if not isinstance(step.packets, tuple) or not isinstance(step.delivered, tuple):
            raise self._broken(f"{method} gives a step whose packets or delivered is no tuple")
        for packet in step.packets:
            if not isinstance(packet, Packet | Signal):
                raise self._broken(f"{method} transmits {_shown(packet)}: give Packets and Signals")
            if packet.sender != me or packet.to not in range(1, self.bounds.processes + 1):
                raise self._broken(f"{method} transmits from {packet.sender!r} to {packet.to!r}: the sender is {me}")
        for message in step.delivered:
            if not isinstance(message, Message) or me not in message.dests:
                raise self._broken(f"{method} delivers {_shown(message)}, which is no message to {me}")

    def _check_packets(self, packets: Any, message: Message) -> None:
        if not isinstance(packets, tuple) or not all(isinstance(packet, Packet) for packet in packets):
            raise self._broken(
                f"send transmits {_shown(packets)}: give a tuple of Packet(sender, to, message, control), or say "
                "direct = False for signals"
            )
        for packet in packets:
            if packet.to not in message.dests:
                processes = self.bounds.processes
                if packet.to not in range(1, processes + 1):
                    raise self._broken(f"send transmits to process {packet.to!r}: the processes are 1 to {processes}")
                raise self._broken(
                    f"send transmits to {packet.to}, which is no destination of the message ({_ids(message.dests)}): "
                    "a model that passes messages on says direct = False"
                )
            if packet.sender != message.sender:
                raise self._broken(f"send transmits a packet with sender {packet.sender!r}: it is {message.sender}")
            if packet.message != message:
                raise self._broken(f"send transmits another message, {packet.message!r}: pass on the one it is given")
        for d in sorted(message.dests):
            copies = sum(packet.to == d for packet in packets)
            if copies != 1:
                many = "no packet" if copies == 0 else f"{copies} packets"
                raise self._broken(f"send transmits {many} to destination {d}: give one packet per destination")

    def _receives(self, answer: Any, state: State, packet: Packet) -> tuple[Step, ...]:
        steps = self._steps("receive", answer)
        for step in steps:
            self._check_dependency("receive", step)
            if not self.model.direct:
                self._check_transmitted("receive", step, packet.to)
                continue
            if step.delivered != (packet.message,):
                raise self._broken(
                    f"receive delivers {step.delivered!r}: a step that takes a packet delivers (packet.message,), "
                    "and None is the answer while it has to wait; a model that buffers says direct = False"
                )
            if step.packets != ():
                raise self._broken("receive transmits packets: a model with packets of its own says direct = False")
        return self._distinct("receive", steps)

    def _signals(self, answer: Any, state: State, signal: Signal) -> tuple[Step, ...]:
        steps = self._steps("signal", answer)
        for step in steps:
            self._check_transmitted("signal", step, signal.to)
        return self._distinct("signal", steps)

    def _internals(self, answer: Any, process: int) -> tuple[Step, ...]:
        steps = self._steps("internal", answer)
        for step in steps:
            self._check_dependency("internal", step)
            self._check_transmitted("internal", step, process)
            if self.model.direct and (step.packets or step.delivered or step.depends_on is None):
                raise self._broken("internal gives a step that is no event to depend on: say direct = False")
        return self._distinct("internal", steps)

    def _joints(self, answer: Any, states: tuple[State, ...]) -> tuple[Joint, ...]:
        if not isinstance(answer, tuple) or not all(isinstance(joint, Joint) for joint in answer):
            raise self._broken(f"joint returns {_shown(answer)}: give Joint(name, states), several or none")
        for joint in answer:
            if not isinstance(joint.states, tuple) or len(joint.states) != len(states):
                raise self._broken("joint gives other than one new state for each process")
            self._require_hash("joint", joint)
        return tuple(dict.fromkeys(answer))

    def _distinct(self, method: str, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        try:
            hash(steps)
        except Exception:
            for step in steps:
                self._require_hash(method, step)
        return steps if len(steps) <= 1 else tuple(dict.fromkeys(steps))

    def _require_hash(self, method: str, value: Any) -> None:
        try:
            hash(value)
        except Exception as error:
            reason = defect(value) or f"what cannot be hashed ({error})"
            raise self._broken(f"{method} returns a value that holds {reason}") from None

    def _facts(self, answer: Any, _: Any) -> frozenset[Fact]:
        processes = range(1, self.bounds.processes + 1)
        try:
            facts = frozenset(answer)
            wrong = [f for f in facts if not (f[0][0] in processes and isinstance(f[0][1], int) and f[1] in processes)]
        except (TypeError, IndexError, KeyError, ValueError):
            raise self._broken(
                f"facts are {_shown(answer)}: give a frozenset of ((sender, number), destination)"
            ) from None
        if wrong:
            raise self._broken(f"facts hold {wrong[0]!r}: give ((sender, number), destination), processes 1 to n")
        return facts


def _shown(value: Any) -> str:
    text = repr(value)
    return f"{a(value)} ({text if len(text) <= 60 else text[:57] + '...'})"


def _ids(processes: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(processes)))
