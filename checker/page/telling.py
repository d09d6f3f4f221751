"""The violation of a trace in sentences, each with the step that it is about; from the trace alone."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from precede.models.catalog import CATALOG

from ..event_text import name, name_or_signal
from ..history import MessageId
from ..trace.data import Trace, Violation
from ..trace.journeys import in_transit_at_end
from ..trace.text import loop_in_words

MEANINGS = {
    "CausalOrder": "When a message is delivered at a process, every message to that process in its causal past has "
    "been delivered there.",
    "Delivery": "No run gets stuck while a message is undelivered, and none goes on for ever without delivering it.",
    "Integrity": "A message is delivered at most once at a process.",
    "NoNeedlessDelay": "A message whose causal predecessors have all been delivered at a process can be "
    "delivered there.",
    "Minimality": "Control information asserts exactly what is required: sent, not known to be delivered, and with no "
    "later message that stands for it.",
}
"""What the built-in properties say, in a sentence."""
SEMANTIC = (
    "When a message is delivered at a process, every message to that process whose send it depends on has been "
    "delivered there."
)
"""What CausalOrder says where only messages that depend on each other are ordered."""


@dataclass(frozen=True)
class Sentence:
    """A sentence and the step, from 1, in which what it says happens; None where it is about no single one."""

    text: str
    step: int | None = None


def meaning_of(property: str, model: str) -> str:
    """What a property says of a model: a built-in one, or a claim of a paper; empty for a user's own."""
    from ..claims import CLAIMS

    known = CATALOG.get(model.partition("@")[0])
    if property == "CausalOrder" and known is not None and known.semantic:
        return SEMANTIC
    if property in CLAIMS:
        return CLAIMS[property].statement
    return MEANINGS.get(property, "")


@dataclass(frozen=True)
class ChosenReading:
    """A reading of the paper that is not the usual one: its id and letter, the question, and the answer taken."""

    id: str
    question: str
    answer: str


def chosen_readings(trace: Trace) -> list[ChosenReading]:
    """The readings of a trace that differ from the defaults of its model; empty for a model of the user's own."""
    model = CATALOG.get(trace.model.partition("@")[0])
    if model is None:
        return []
    return [
        ChosenReading(f"{id}{trace.readings[id]}", reading.question, reading.variants[trace.readings[id]])
        for id, (field, reading) in model.readings().items()
        if trace.readings.get(id, field.default) != field.default and trace.readings[id] in reading.variants
    ]


def story_of(trace: Trace) -> list[Sentence]:
    """How the violation comes about; empty without one."""
    violation = trace.violation
    if violation is None:
        return []
    if violation.property == "CausalOrder" and violation.message and violation.before:
        return _too_early(trace, violation, violation.message, violation.before)
    found = [Sentence(violation.explanation, len(trace.steps) or None)] if violation.explanation else []
    if trace.loop is not None:
        found.append(Sentence(f"{loop_in_words(trace)}, for ever.", trace.loop + 1))
    left = [f"{name_or_signal(p.message)} to {p.to}" for p in in_transit_at_end(trace)]
    if violation.property == "Delivery" and left:
        found.append(Sentence(f"Still in transit: {', '.join(left)}."))
    return found


def chain_of(trace: Trace) -> list[MessageId]:
    """The messages that lead from the one that should have been delivered before to the offending one: each is sent
    after its sender has sent or delivered the one before it. Empty where the trace shows no such chain."""
    violation = trace.violation
    if violation is None or violation.message is None or violation.before is None:
        return []
    return _chain(trace, violation.before, violation.message)


def _chain(trace: Trace, first: MessageId, last: MessageId) -> list[MessageId]:
    sent = _sends(trace)
    if first not in sent or last not in sent:
        return []
    came_from: dict[MessageId, MessageId] = {}
    queue = deque([first])
    while queue:
        message = queue.popleft()
        known_at = _known_at(trace, message, sent[message])
        for other, step in sent.items():
            if other != first and other not in came_from and step > known_at.get(other[0], len(trace.steps)):
                came_from[other] = message
                queue.append(other)
    if last not in came_from:
        return []
    chain = [last]
    while chain[-1] != first:
        chain.append(came_from[chain[-1]])
    return chain[::-1]


def _sends(trace: Trace) -> dict[MessageId, int]:
    """The step, from 0, of every send."""
    return {step.id: i for i, step in enumerate(trace.steps) if step.is_send and step.id is not None}


def _known_at(trace: Trace, message: MessageId, sent: int) -> dict[int, int]:
    """By process, the first step at which it has sent or delivered a message."""
    known = {message[0]: sent}
    for i, step in enumerate(trace.steps):
        for delivered, at in step.delivered:
            if delivered == message:
                known.setdefault(at, i)
    return known


def _too_early(trace: Trace, violation: Violation, message: MessageId, before: MessageId) -> list[Sentence]:
    sends = _sends(trace)
    here = violation.process
    at = f"process {here}" if here else "its destination"
    chain = _chain(trace, before, message)
    found = []
    for earlier, later in zip([None, *chain], chain, strict=False):
        if earlier is not None and earlier[0] != later[0]:
            step = _known_at(trace, earlier, 0)[later[0]]
            found.append(Sentence(f"Process {later[0]} delivers {name(earlier)}.", step + 1))
        dests = ",".join(map(str, sorted(trace.steps[sends[later]].message.dests)))  # type: ignore[union-attr]
        so = ""
        if earlier is not None:
            after = f"after {name(earlier)}" if earlier[0] == later[0] else "after that"
            so = f" {after}, so {name(earlier)} lies in the causal past of {name(later)}"
        found.append(Sentence(f"Process {later[0]} sends {name(later)} to {dests}{so}.", sends[later] + 1))
    wrong = next((i for i, s in enumerate(trace.steps, 1) if (message, here) in s.delivered), len(trace.steps))
    found.append(
        Sentence(
            f"{at[0].upper()}{at[1:]} delivers {name(message)}, although {name(before)}, which is also for it and lies "
            f"in the causal past of {name(message)}, has not been delivered there.",
            wrong,
        )
    )
    return found
