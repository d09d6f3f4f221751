"""The claims of Kshemkalyani, Singhal, Distributed Computing 11(2), 1998, that are about states, copies and local steps
(algorithms.md, section 7.1).

A claim over paths of the computation is stated for the edges of one event: those into it and out of it.
"""

from __future__ import annotations

from typing import Any

from precede.checker.history import Past
from precede.models import Message, Packet

from .ks_sets import (
    bounded,
    carried,
    edges_of,
    facts,
    known_before,
    known_numbers,
    nd,
    numbers,
    pairs,
    repeated,
    required_on,
    sent_of,
    stored,
    ts,
    unstated,
    with_room,
)
from .registry import claim

SAME_STATE = ("ks", "ks-hardware", "ks-complement")
"""The models whose state is that of KS."""


@claim("C-KS-L1", *SAME_STATE, statement="a destination is in at most one entry of each sender in LOG")
def destinations_are_in_one_entry(state: Any) -> bool:
    """Lemma 1."""
    return not repeated(state.LOG)


@claim("C-KS-L1-msg", "ks", statement="a destination is in at most one entry of each sender in O_M")
def destinations_are_in_one_entry_of_a_copy(packet: Packet) -> bool:
    """Lemma 1, of O_M."""
    return not repeated(packet.control)


@claim("C-KS-L2", *SAME_STATE, statement="TS(i, LOG) is always defined and never decreases")
def ts_never_decreases(before: Any, after: Any) -> bool:
    """Lemma 2."""
    earlier, later = ts(before.LOG), ts(after.LOG)
    return all(earlier.get(i, -1) >= 0 and later.get(i, -1) >= earlier[i] for i in range(1, len(before.SR) + 1))


@claim("C-KS-L3", *SAME_STATE, statement="TS(i, LOG) is the number of the newest message of i in the causal past")
def ts_is_the_newest_known(state: Any, past: Past) -> bool:
    """Lemma 3: TS never decreases along a path, for pasts only grow along it."""
    return known_numbers(past) == numbers(state.LOG)


@claim("C-KS-L3-msg", "ks", statement="TS(i, O_M) is the number of the newest message of i in the past of the send")
def ts_of_a_copy_is_the_newest_known(packet: Packet, past: Past) -> bool:
    """Lemma 3, of O_M before RCV(3)."""
    return known_numbers(past) == numbers(packet.control)


@claim("C-KS-L4", *SAME_STATE, statement="once inserted an entry only shrinks; once deleted it does not come back")
def entries_only_shrink(process: int, before: Any, event: Any, after: Any, past: Past) -> bool:
    """Lemma 4: an entry is inserted when its message enters the past, and never later."""
    earlier, known = dict(before.LOG), known_before(process, event, past)
    return all(earlier[st] >= D if st in earlier else st not in known for st, D in after.LOG)


@claim("C-KS-L5", "ks", statement="along every edge of an event the Dests of an entry only shrink")
def entries_only_shrink_along_edges(model: Any, process: int, before: Any, event: Any, after: Any, past: Past) -> bool:
    """Lemma 5: from LOG to the copies, from a copy to LOG, and from LOG to LOG. No entry: no Dests."""
    earlier, sent = dict(before.LOG), sent_of(event, past)
    if isinstance(event, Message):
        earlier[event[:2]] = event.dests
        return all(earlier.get(st, frozenset()) >= D for edge in edges_of(model, before, event) for st, D in edge)
    if not isinstance(event, Packet) or sent is None:
        return True
    brought, later = {**dict(event.control), sent.id: event.message.dests}, dict(after.LOG)
    on_the_copy = {s.id for s in sent.past.sent} | {sent.id}
    sources = [(earlier, known_before(process, event, past)), (brought, on_the_copy)]
    return all(later.get(st, frozenset()) <= source.get(st, frozenset()) for source, known in sources for st in known)


@claim("C-KS-L6", "ks", statement="a fact that an event is the first to drop was in LOG just before the event")
def first_dropped_facts_were_stored(model: Any, process: int, before: Any, event: Any, after: Any, past: Past) -> bool:
    """Lemma 6: a delivery stores what its copy is the first to bring; a send drops only what LOG has."""
    sent = sent_of(event, past)
    if sent is None:
        return True
    if isinstance(event, Message):
        dropped = sent.past.required() - frozenset.intersection(*map(facts, edges_of(model, before, event)))
        return dropped <= facts(before.LOG)
    brought = facts({**dict(event.control), sent.id: event.message.dests}.items())
    known = known_before(process, event, past)
    return all(m in known or d == process or (m, d) in facts(after.LOG) for m, d in brought)


@claim("C-KS-L7", *SAME_STATE, statement="an empty entry is the newest of its sender in LOG")
def empty_entries_are_the_newest(state: Any) -> bool:
    """Lemma 7."""
    return all(D or t == ts(state.LOG)[s] for (s, t), D in state.LOG)


@claim("C-KS-L7-msg", "ks", statement="an empty entry is the newest of its sender in O_M")
def empty_entries_of_a_copy_are_the_newest(packet: Packet) -> bool:
    """Lemma 7, of O_M."""
    return all(D or t == ts(packet.control)[s] for (s, t), D in packet.control)


@claim("C-KS-IMPL", *SAME_STATE, statement="a message older than TS that has no entry in LOG needs none")
def missing_entries_are_empty_ones(state: Any, past: Past) -> bool:
    """Section 4.2, explicit or implied (KS-19b): without an entry the message is delivered or guaranteed everywhere."""
    return not unstated(state.LOG, past.required())


@claim("C-KS-IMPL-msg", "ks", statement="a message older than TS that has no entry in O_M needs none")
def missing_entries_of_a_copy_are_empty_ones(packet: Packet, past: Past) -> bool:
    """The same of O_M."""
    return not unstated(packet.control, required_on(packet, past))


@claim("C-KS-IMPL-literal", *SAME_STATE, statement="if LOG has an entry of i it has all entries of older messages of i")
def older_entries_are_there(state: Any) -> bool:
    """Section 4.2 as printed (KS-19a)."""
    stored = {st for st, _ in state.LOG}
    return all((s, older) in stored for s, t in stored for older in range(1, t))


@claim("C-KS-T3", *SAME_STATE, statement="a fact that is not in LOG is known to be delivered or a later send covers it")
def nothing_is_missing(model: Any, state: Any, past: Past) -> bool:
    """Theorem 3, of the edge to the next event of the process."""
    return past.required() <= stored(model, state)


@claim("C-KS-T3-msg", "ks", statement="a fact that is not on a copy is delivered or covered, by this send or before it")
def nothing_is_missing_on_a_copy(model: Any, packet: Packet, past: Past) -> bool:
    """Theorem 3, of the edge to the delivery."""
    return required_on(packet, past) <= carried(model, packet)


@claim("C-KS-C1", "ks", "ks-hardware", statement="a send to d carries to d every fact of which it is a fixed point")
def facts_reach_their_fixed_points(model: Any, packet: Packet, past: Past) -> bool:
    """Corollary 1."""
    return {(m, d) for m, d in past.required() if d == packet.to} <= carried(model, packet)


@claim("C-KS-T6", *SAME_STATE, statement="no fact in LOG is known to be delivered or covered by a later send")
def nothing_is_redundant(model: Any, state: Any, past: Past) -> bool:
    """Theorem 6, of the edge to the next event of the process."""
    return past.required() >= stored(model, state)


@claim(
    "C-KS-T6-msg",
    "ks",
    "ks-complement",
    statement="no fact on a copy is delivered or covered, or about other Dests",
)
def nothing_is_redundant_on_a_copy(model: Any, packet: Packet, past: Past) -> bool:
    """Theorem 6, of the edge to the delivery."""
    return required_on(packet, past) >= carried(model, packet)


@claim("C-KS-T7", *SAME_STATE, statement="LOG holds the facts that the propagation constraints require, and no others")
def what_is_stored_is_optimal(model: Any, state: Any, past: Past) -> bool:
    """Theorem 7, of LOG."""
    return past.required() == stored(model, state)


@claim("C-KS-T7-msg", "ks", "ks-complement", statement="O_M holds the facts that the constraints require, no others")
def what_is_carried_is_optimal(model: Any, packet: Packet, past: Past) -> bool:
    """Theorem 7, of O_M."""
    return required_on(packet, past) == carried(model, packet)


@claim("C-KS-S1", *SAME_STATE, statement="0 <= nd_i <= n, and LOG has at most n entries of each sender")
def entries_are_bounded(state: Any) -> bool:
    """Section 6.2."""
    return bounded(state.LOG, len(state.SR))


@claim("C-KS-S1-msg", "ks", statement="0 <= nd_i <= n, and O_M has at most n entries of each sender")
def entries_of_a_copy_are_bounded(before: Any, event: Any) -> bool:
    """The same of every copy that is delivered."""
    return not isinstance(event, Packet) or bounded(event.control, len(before.SR))


@claim("C-KS-S2", *SAME_STATE, statement="nd_i < n where LOG has an empty entry of i")
def empty_entries_leave_room(state: Any) -> bool:
    """Section 6.2."""
    return with_room(state.LOG, len(state.SR))


@claim("C-KS-S2-msg", "ks", statement="nd_i < n where O_M has an empty entry of i")
def empty_entries_of_a_copy_leave_room(before: Any, event: Any) -> bool:
    """The same of every copy that is delivered."""
    return not isinstance(event, Packet) or with_room(event.control, len(before.SR))


@claim("C-KS-S3", *SAME_STATE, statement="the sum of nd_i of LOG is at most n^2 and the least possible")
def storage_is_the_least_possible(state: Any, past: Past) -> bool:
    """Section 6.2: a pair (sender, destination) for each required fact."""
    return sum(nd(state.LOG).values()) == pairs(past.required()) <= len(state.SR) ** 2


@claim("C-KS-S3-msg", "ks", statement="the overhead of a copy, the sum of nd_i, is the least possible")
def overhead_is_the_least_possible(model: Any, packet: Packet, past: Past) -> bool:
    """Section 6.2."""
    return bool(model.control_units(packet) == pairs(required_on(packet, past)))


@claim("C-KS-S4", "ks-complement", statement="complement encoding: 0 <= nd_i <= n/2 (KS-4 says what nd_i counts)")
def encoding_halves_the_bound(model: Any, packet: Packet) -> bool:
    """Section 6.2."""
    return all(2 * size <= packet.control.processes for size in model.nd(packet).values())


@claim("C-KS-V1", "ks-hardware", statement="hardware multicast: a copy carries more about its own Dests only")
def overhead_is_on_the_multicast_only(model: Any, packet: Packet, past: Past) -> bool:
    """Section 4.5; that it does not spread is C-KS-T7 of the stored facts."""
    others = packet.message.dests - {packet.to}
    return required_on(packet, past) == {(m, d) for m, d in carried(model, packet) if d not in others}


@claim("C-KS-V2", "ks-lookahead", statement="lookahead: LOG loses redundant facts, and still holds all required ones")
def lookahead_loses_nothing(model: Any, state: Any, past: Past) -> bool:
    """Section 4.5."""
    return past.required() <= stored(model, state)


@claim("C-KS-V4", "ks-differences", statement="without duplicates on a channel LOG holds the required facts, no others")
def differences_change_nothing(model: Any, state: Any, past: Past) -> bool:
    """Section 3.5."""
    return past.required() == stored(model, state)


@claim("C-KS-T4", *SAME_STATE, statement="when M' is delivered here, all messages to here sent causally before it are")
def deliveries_are_ordered(process: int, past: Past) -> bool:
    """Theorem 4."""
    here = past.delivered_at(process)
    return all(s.past.to(process) <= here for s in past.sent if s.id in here)


@claim(
    "C-KS-FP",
    *SAME_STATE,
    statement="fixed points of one fact are concurrent: no later send to d precedes its delivery",
)
def fixed_points_are_concurrent(process: int, event: Any, past: Past) -> bool:
    """Section 3.2. By definition no FP1 and no other FP2 is before an FP2: what is left is an FP2 before the FP1."""
    sent = sent_of(event, past)
    if not isinstance(event, Packet) or sent is None:
        return True
    return not any(process in s.message.dests and sent in s.past.sent for s in past.sent)
