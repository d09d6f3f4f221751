"""Claims about the baselines: section 7.5 of algorithms.md, and what their rows in section 2 say of states and packets.

C-B-4 and C-B-5 are rows of section 7.5. C-BSS-1 and -2, C-BJ-1 and C-PS-1 and -2 are named here.
"""

from __future__ import annotations

from collections import Counter

from precede.checker.history import Past, Sent
from precede.models import Message, Packet
from precede.models.birman_joseph import BirmanJosephState
from precede.models.bss import Vector
from precede.models.bss_changed import BSSChanged, BSSChangedState
from precede.models.bss_groups import BSSGroupsState, Clocks, Group
from precede.models.differential_clocks import DifferentialClocksState, with_entries
from precede.models.psync import Graph, PsyncState, leaves

from .registry import claim


@claim("C-B-4", "differential-clocks", statement="V is what it is with full vectors: it counts the known messages")
def clock(state: DifferentialClocksState, past: Past) -> bool:
    """On states."""
    return counts(past.sent, len(state.V)) == state.V


@claim(
    "C-B-4-msg",
    "differential-clocks",
    statement="what a copy leaves out of the full vector of its message is as in the sender's message before it",
)
def attached(packet: Packet, past: Past) -> bool:
    """On packets, against the vector of the message before."""
    n = len(packet.message.dests) + 1
    before = [sent for sent in past.sent if sent.id == (packet.sender, packet.message.number - 1)]
    known = full_vector(before[0], n) if before else (0,) * n
    return with_entries(known, packet.control) == full_vector(Sent(packet.message, past), n)


@claim(
    "C-B-4-rebuilt",
    "differential-clocks",
    statement="the vector last rebuilt of each process is the full vector of its message",
)
def rebuilt(state: DifferentialClocksState, past: Past) -> bool:
    """On states, once the message is delivered; its number is in the vector."""
    sent = {s.id: s for s in past.sent}
    vectors = {sent[i, T[i - 1]]: T for i, T in enumerate(state.T, 1) if (i, T[i - 1]) in sent}
    return all(full_vector(s, len(T)) == T for s, T in vectors.items())


@claim("C-B-5", "psync", "psync-requests", statement="the view has no more leaves than the conversation participants")
def few_leaves(state: PsyncState) -> bool:
    """On states: the leaves are what is attached."""
    return len(leaves(state.G)) <= state.participants


@claim("C-B-5-msg", "psync", "psync-requests", statement="a copy names at most one message of each participant")
def one_of_each(packet: Packet) -> bool:
    """On packets, without knowing the participants."""
    named: frozenset[Message] = packet.control
    return len({m.sender for m in named}) == len(named)


@claim("C-BSS-1", "bss-groups", "bss-changed", statement="V_g[x] counts the known messages of x in g")
def group_clocks(state: BSSGroupsState | BSSChangedState, past: Past) -> bool:
    """The invariant behind d1, for the groups whose vectors are kept."""
    kept = {g for g, _ in state.V}
    return counters(state.V) == {(g, x): c for (g, x), c in group_counts(past.sent).items() if g in kept}


@claim(
    "C-BSS-2",
    "bss-changed",
    statement="the vectors that a copy leaves out are as in the sender's message before it that BSS-4 names",
)
def carried_clocks(model: BSSChanged, packet: Packet, past: Past) -> bool:
    """On packets: the message before it to the same destination or in the same group."""
    sent = Sent(packet.message, past)
    earlier = [
        s
        for s in past.sent
        if s.message.sender == packet.sender
        and (packet.to in s.message.dests if model.since == "a" else s.message.dests == packet.message.dests)
    ]
    before = group_counts_at(max(earlier, key=lambda s: s.message.number)) if earlier else {}
    carried = {g for g, _ in packet.control}
    left_out = {(g, x): c for (g, x), c in before.items() if g not in carried}
    return left_out | counters(packet.control) == group_counts_at(sent)


@claim(
    "C-BSS-2-rebuilt",
    "bss-changed",
    statement="the vectors last rebuilt of each process are those of its message",
)
def completed_clocks(state: BSSChangedState, past: Past) -> bool:
    """On states, once the message is delivered; its number is the sum of the sender's components."""
    sent = {s.id: s for s in past.sent}
    vectors = [((i, sum(T_g[i - 1] for _, T_g in T)), T) for (i, _), T in state.known]
    return all(group_counts_at(sent[id]) == counters(T) for id, T in vectors if id in sent)


@claim("C-BJ-1", "birman-joseph", statement="a process holds every message of its past, to pass it on (resilience)")
def holds_the_past(state: BirmanJosephState, past: Past) -> bool:
    """Without a stability protocol."""
    return {sent.id for sent in past.sent} <= {held.id for held in state.BUF}


@claim("C-PS-1", "psync", "psync-requests", statement="the leaves of the view are the latest messages of the past")
def leaves_are_latest(state: PsyncState, past: Past) -> bool:
    """The context graph is the past."""
    covered = {earlier.id for sent in past.sent for earlier in sent.past.sent}
    return {m[:2] for m in leaves(state.G)} == {sent.id for sent in past.sent} - covered


@claim(
    "C-PS-2",
    "psync",
    "psync-requests",
    statement="a message that messages of all other participants follow is delivered everywhere, and may be collected",
)
def may_be_collected(state: PsyncState, past: Past) -> bool:
    """The rule for collecting."""
    delivered = past.delivered
    return all(
        (m[:2], d) in delivered
        for m, _ in state.G
        if len({follower.sender for follower in followers(state.G, m)} | {m.sender}) == state.participants
        for d in m.dests
    )


def followers(G: Graph, message: Message) -> frozenset[Message]:
    """The messages of G that name `message`, or one that does, and so on."""
    found = frozenset[Message]()
    while more := {m for m, named in G if named & (found | {message})} - found:
        found |= more
    return found


def counts(sent: frozenset[Sent], n: int) -> Vector:
    """How many of the messages each of n processes has sent."""
    of = Counter(s.message.sender for s in sent)
    return tuple(of[k] for k in range(1, n + 1))


def full_vector(sent: Sent, n: int) -> Vector:
    """The vector that BSS attaches: the messages known to the sender, and this one."""
    return counts(sent.past.sent | {sent}, n)


def group_counts(sent: frozenset[Sent]) -> dict[tuple[Group, int], int]:
    """How many of the messages each process has sent in each group; only what is not 0."""
    return Counter((s.message.dests | {s.message.sender}, s.message.sender) for s in sent)


def group_counts_at(sent: Sent) -> dict[tuple[Group, int], int]:
    """What BSS attaches: the messages known to the sender, and this one."""
    return group_counts(sent.past.sent | {sent})


def counters(T: Clocks) -> dict[tuple[Group, int], int]:
    """The components of the vectors that are not 0."""
    return {(g, x): c for g, T_g in T for x, c in enumerate(T_g, 1) if c}
