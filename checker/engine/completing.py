"""Compiled completion of local steps: what the model answered for (model state, copy), joined with the pasts.

Everything that is local is judged here, once per local step, local state or packet. Verdicts are bits of `flags`.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bundles import DOWN, Array
from .compiled import inlined, kernel
from .interning import held_after, intern_local, intern_packet
from .local_verdicts import CAUSAL_ORDER, NEEDLESS_DELAY, TWICE, holds_needlessly, judge_local, judge_packet
from .pasts import (
    intern_past,
    intern_send,
    is_delivered,
    is_due,
    past_after_delivery,
    past_after_internal,
    past_after_send,
)

WAITS = -1
WAITS_NEEDLESSLY = -2
"""What the map of local steps says where a receive gives no step."""

UNKNOWN = -1
ASKED = -2
NONE = -3
"""Values of `Locals.sends`, `internal` and `fault` where there is no step number."""

SENDING = 0
RECEIVING = 1
BY_ITSELF = 2

UNKNOWN_MESSAGE = 1
UNKNOWN_EVENT = 2
OTHER_DESTINATIONS = 3
"""Codes of `Rules.error`."""


class Rules(NamedTuple):
    """What the completion of a step needs besides the interned objects: destination sets as bits, slots per process,
    whether facts are judged, whether the model takes internal steps, whether a sender takes its own copy within the
    send, and the first error met: its code and the process."""

    dest_bits: Array
    per_process: int
    judge_facts: bool
    has_internal: bool
    takes_own: bool
    error: Array


class Copies(NamedTuple):
    """What the model transmits: sender and receiver, and the message, -1 for a signal."""

    sender: Array
    to: Array
    message: Array
    size: Array


@kernel
def is_addressed(rules, sends, event, process):
    """Whether the message of `event` is addressed to this process."""
    return (rules.dest_bits[sends.dests[event]] >> np.uint64(process)) & np.uint64(1) != np.uint64(0)


@inlined
def newest_of(pasts, sends, past, sender, number):
    """The newest send event in a past that models know by this sender and number; 0 for none."""
    event = pasts.newest[past, sender]
    while event > 0 and sends.number[event] - sends.earlier[event] != number:
        event = pasts.newest[sends.past[event], sender]
    return event


@inlined
def event_of(pasts, sends, held, items, past, hand, sender, number):
    """The send event of a message as models name it: the one at hand, one held, or one of the pasts; 0 for none. After
    a restart several may be meant: the youngest is."""
    if hand > 0 and sends.sender[hand] == sender and sends.number[hand] - sends.earlier[hand] == number:
        return hand
    found = 0
    while items > 0:
        event = held.event[items]
        if (
            sends.sender[event] == sender
            and sends.number[event] - sends.earlier[event] == number
            and sends.number[event] > sends.number[found]
        ):
            found = event
        items = held.rest[items]
    if found > 0:
        return found
    event = newest_of(pasts, sends, past, sender, number)
    if event == 0 and hand > 0:
        event = newest_of(pasts, sends, sends.past[hand], sender, number)
    return event


class Work(NamedTuple):
    """Local steps to be entered, one entry for each call of the model: the local state, the event of the message
    received (0 for none), SENDING, RECEIVING or BY_ITSELF, the destination set of a send, the model's first answer (-1
    for none), and the resulting first step, or WAITS or WAITS_NEEDLESSLY."""

    local: Array
    hand: Array
    kind: Array
    dests: Array
    answer: Array
    result: Array


@inlined
def enter_step(
    local, hand, kind, answer, pasts, sends, timelines, held, locals, packets, answers, delivered, messages, copied,
    copies, steps, local_packets, rules, state_facts, packet_facts,
):  # fmt: skip
    """Enter the step that the model's `answer` makes of `local`. `hand` is the event of the message sent or received, 0
    for none. Returns whether another alternative follows."""
    per_process = rules.per_process
    past = locals.past[local]
    owner = pasts.owner[past]
    depends = answers.depends[answer]
    flags = 0
    if depends > timelines.length[pasts.timeline[past]]:
        rules.error[0] = UNKNOWN_EVENT
        rules.error[1] = owner
        depends = 0
    if kind == SENDING:
        past = past_after_send(pasts, sends, timelines, rules.dest_bits, per_process, past, hand)
    elif kind == BY_ITSELF and depends >= 0:
        past = past_after_internal(pasts, timelines, sends, per_process, past, depends)
    items = locals.held[local]
    first = answers.first_delivered[answer]
    for place in range(first, first + answers.delivered[answer]):
        message = delivered.items[place]
        sender, number = messages.sender[message], messages.number[message]
        event = event_of(pasts, sends, held, items, past, hand, sender, number)
        if event == 0:
            rules.error[0] = UNKNOWN_MESSAGE
            rules.error[1] = owner
            continue
        if messages.dests[message] != sends.dests[event]:
            rules.error[0] = OTHER_DESTINATIONS
            rules.error[1] = owner
        if is_delivered(pasts, sends, per_process, past, event):
            flags |= TWICE
        elif not is_due(pasts, sends, past, event):
            flags |= CAUSAL_ORDER
        own = -1 if kind == SENDING else depends
        past = past_after_delivery(pasts, sends, timelines, rules.dest_bits, per_process, past, event, own)
    added = 0
    arrives = kind == RECEIVING or (kind == SENDING and rules.takes_own)
    if arrives and hand > 0 and is_addressed(rules, sends, hand, owner):
        added = hand
    if items > 0 or added > 0:
        items = held_after(held, pasts, sends, per_process, items, past, added)
    size = locals.size[0]
    new = intern_local(locals, pasts, sends, answers.state[answer], past, items, locals.earlier[local])
    if locals.size[0] > size:
        if rules.judge_facts:
            locals.flags[new] = judge_local(pasts, sends, state_facts, new, locals)
        if not rules.has_internal and holds_needlessly(
            pasts, sends, held, locals, new, answers, -1, delivered, messages
        ):
            locals.flags[new] |= NEEDLESS_DELAY
    flags |= locals.flags[new]
    step = steps.size[0]
    steps.first[step] = local_packets.size[0]
    steps.length[step] = answers.length[answer]
    for place in range(answers.first[answer], answers.first[answer] + answers.length[answer]):
        copy = copied.items[place]
        message = copies.message[copy]
        event = 0
        if message >= 0:
            sender, number = messages.sender[message], messages.number[message]
            event = event_of(pasts, sends, held, locals.held[local], past, hand, sender, number)
            if event == 0:
                rules.error[0] = UNKNOWN_MESSAGE
                rules.error[1] = owner
            elif messages.dests[message] != sends.dests[event]:
                rules.error[0] = OTHER_DESTINATIONS
                rules.error[1] = owner
        size = packets.size[0]
        packet = intern_packet(
            packets, sends, per_process, pasts.newest.shape[1], event, copy, copies.sender[copy], copies.to[copy]
        )
        if rules.judge_facts and packets.size[0] > size and event > 0:
            packets.flags[packet] = judge_packet(pasts, sends, rules.dest_bits, packet_facts, packet, packets)
        flags |= packets.flags[packet]
        local_packets.items[local_packets.size[0]] = packet
        local_packets.size[0] += 1
    more = answers.more[answer] != 0
    steps.next[step] = new
    steps.flags[step] = flags
    steps.alternative[step] = step + 1 if more else -1
    steps.size[0] = step + 1
    return more


@kernel
def enter_start(model, process, pasts, sends, locals, rules, state_facts):
    """The local state in which a process starts; it is entered at its first time, before everything else."""
    new = pasts.size[0]
    pasts.owner[new] = process
    pasts.timeline[new] = 0
    pasts.newest[new] = 0
    pasts.own[new] = 0
    pasts.known[new] = 0
    pasts.cover[new] = 0
    past = intern_past(pasts)
    local = intern_local(locals, pasts, sends, model, past, 0, 0)
    if rules.judge_facts:
        locals.flags[local] = judge_local(pasts, sends, state_facts, local, locals)
    locals.reached[local] = 1
    return local


@kernel
def enter_steps(
    work, begin, end, pasts, sends, timelines, held, locals, packets, answers, delivered, messages, copied, copies,
    steps, local_packets, rules, state_facts, packet_facts,
):  # fmt: skip
    """Enter the steps of the entries begin to end of `work`, with all their alternatives."""
    for index in range(begin, end):
        answer = work.answer[index]
        if answer < 0:
            continue
        local = work.local[index]
        work.result[index] = steps.size[0]
        more = True
        while more:
            hand = work.hand[index]
            if work.kind[index] == SENDING:
                hand = np.int64(
                    intern_send(
                        pasts, sends, timelines, rules.dest_bits, locals.past[local], work.dests[index],
                        answers.depends[answer], locals.earlier[local],
                    )
                )  # fmt: skip
            more = enter_step(
                local, hand, work.kind[index], answer, pasts, sends, timelines, held, locals, packets, answers,
                delivered, messages, copied, copies, steps, local_packets, rules, state_facts, packet_facts,
            )  # fmt: skip
            answer += 1


@kernel
def judge_held(wanted, internal_answers, pasts, sends, held, locals, answers, delivered, messages):
    """Judge what local states hold, when their internal steps are known."""
    for index in range(len(wanted)):
        local = wanted[index]
        answer = internal_answers[index]
        if holds_needlessly(pasts, sends, held, locals, local, answers, answer, delivered, messages):
            locals.flags[local] |= NEEDLESS_DELAY


@kernel
def complete_faults(wanted, starts, pasts, sends, locals, steps, rules, state_facts):
    """Enter the steps in which processes crash, or come back in the state `starts`."""
    for index in range(len(wanted)):
        local = wanted[index]
        past = locals.past[local]
        if locals.model[local] == DOWN:
            start = starts[pasts.owner[past]]
            new = intern_local(locals, pasts, sends, start, past, 0, locals.sent[local])
            if rules.judge_facts:
                locals.flags[new] = judge_local(pasts, sends, state_facts, new, locals)
        else:
            new = intern_local(locals, pasts, sends, np.int32(DOWN), past, 0, locals.earlier[local])
        step = steps.size[0]
        steps.next[step] = new
        steps.flags[step] = locals.flags[new]
        steps.alternative[step] = -1
        steps.first[step] = steps.length[step] = 0
        steps.size[0] = step + 1
        locals.fault[local] = step


@kernel
def complete_joints(wanted, answers, joints, joint_steps, states, more, pasts, sends, locals, rules, state_facts):
    """Enter the joint steps of the entries `wanted`; `answers` are the first rows of `states`, -1 for none."""
    for index in range(len(wanted)):
        joint = wanted[index]
        answer = answers[index]
        joints.first[joint] = joint_steps.size[0] if answer >= 0 else NONE
        while answer >= 0:
            step = joint_steps.size[0]
            joint_steps.flags[step] = 0
            for process in range(states.shape[1]):
                local = joints.locals[joint, process]
                size = locals.size[0]
                new = intern_local(
                    locals, pasts, sends, states[answer, process], locals.past[local], locals.held[local],
                    locals.earlier[local],
                )  # fmt: skip
                if locals.size[0] > size and rules.judge_facts:
                    locals.flags[new] = judge_local(pasts, sends, state_facts, new, locals)
                joint_steps.next[step, process] = new
                joint_steps.flags[step] |= locals.flags[new]
            joint_steps.more[step] = more[answer]
            joint_steps.size[0] = step + 1
            answer = answer + 1 if more[answer] != 0 else -1
