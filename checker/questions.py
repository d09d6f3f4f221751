"""Rows of algorithms.md, section 8, that are questions and not changes of a model: what answers them.

Together with the readings of the built-in models (`Model.readings`) the table has every row of section 8.
"""

from __future__ import annotations

SELF = "compare --self forbidden, --self network and --self at-send (variants a, b, c; d is not built yet)"
CHANNEL = "compare --channel unordered, fifo-arrival, fifo and fifo-delivery (variants a, b, c, d)"
MINIMALITY = "check --property Minimality, which judges stored and carried facts apart"
DELAY = "check --property NoNeedlessDelay"
OWN_PROPERTY = "write it as a property of a state, packet or step and give --property path.py:name"
LATER = "no option or command answers it yet"


def _algorithm(name: str) -> str:
    return f"it belongs to {name}, which is not built yet"


KS = "a variant of Kshemkalyani-Singhal that is not built yet"
JANG = "a variant of Jang et al. that is not built yet"

ANSWERS: dict[str, str] = {
    "X-1": "the relation of the checker is Send -> Deliver (variant b); arrivals are not events yet",
    "X-2": SELF,
    "X-3": "compare --channel unordered and fifo (variants a, c); oldest arrival (b) is not built yet",
    "X-4": CHANNEL,
    "X-5": "check rst and prs, which count (variant a), under --channel unordered and fifo; b is not built yet",
    "X-6": "waits do not block (variant a); blocking waits are not built yet",
    "X-7": "a multicast is one Send event (variant a), --dests unicast sends one by one; b and c are not built yet",
    "X-8": f"{MINIMALITY}, for ks, jang, prs and kimkim; the vectors of rst, ses and bss assert no facts",
    "X-9": f"{DELAY} (variant a); the semantic relation (b) is not built yet",
    "X-10": "crashes and restarts are not built yet",
    "X-11": "check --property Delivery, which bounded runs decide without fairness",
    "KS-1": "check ks with --channel unordered and --channel fifo (variants b, a); c is not built yet",
    "KS-3": f"lookahead on arrival is {KS}",
    "KS-4": f"complement encoding is {KS}",
    "KS-5": f"joining and leaving processes are {KS}",
    "KS-6": "ks computes each copy afresh (variant a); the other forms are not built yet",
    "KS-7": SELF,
    "KS-8": f"omitting what was sent before is {KS}",
    "KS-9": f"hardware multicast is {KS}",
    "KS-11": LATER,
    "KS-12": LATER,
    "KS-13": "RCV(1) is one guard (variant a); the other forms are not built yet",
    "KS-14": "RCV(2) assigns (variant a); the maximum is not built yet",
    "KS-15": "the clock ticks at sends (variant a); the other forms are not built yet",
    "KS-17": f"{MINIMALITY} (variant a)",
    "KS-18": LATER,
    "KS-19": OWN_PROPERTY,
    "KS-20": OWN_PROPERTY,
    "KS-21": f"{OWN_PROPERTY} (variant a: after each event)",
    "KS-22": OWN_PROPERTY,
    **{f"KS-{row}": f"the special cases of Section 7.1 are {KS}" for row in range(23, 32)},
    "KS-32": "O_M leaves the message's own entry out (variant a); b is not built yet",
    "KS-33": LATER,
    "KS-34": "RCV(3) removes j before the merge (variant a); b is not built yet",
    "J-5": "DLV is assigned (variant a), compare --channel unordered and fifo; b and c are not built yet",
    "J-6": f"S2 has no such test (variant a); b is not built yet. For self-addressed messages {SELF}",
    "J-8": "a copy carries DC[j] only (variant a); b and c are not built yet",
    "J-9": "R5 and R6 are both carried out (variant a); leaving them out is not built yet",
    "J-10": "R4 always inserts (variant a); b and c are not built yet",
    "J-11": OWN_PROPERTY,
    "J-12": MINIMALITY,
    "J-13": "the wait does not block (variant a); blocking waits are not built yet",
    "J-14": f"{MINIMALITY}, for ks and for jang",
    "J-15": LATER,
    "J-16": "compare --processes and --dests unicast with multicast",
    "J-17": "check --property CausalOrder",
    "J-18": "check --property Delivery",
    "J-19": "simulations are not built yet",
    "J-20": "control_units counts tuples of CI and control_bytes is the core (variant a); others are not built yet",
    "J-21": "simulations are not built yet",
    **{f"GK-{row}": _algorithm("Gambhire-Kshemkalyani") for row in range(1, 21)},
    **{f"SA-{row}": _algorithm("Sanchez-Alvarez") for row in range(1, 20)},
    "RST-4": "rst keeps the diagonal; dropping it is not built yet",
    "RST-5": "rst attaches the same matrix to all copies (variant a); b is not built yet",
    "RST-6": "the restatements of other papers are not built yet",
    **{f"BSS-{row}": _algorithm("Birman-Schiper-Stephenson in overlapping groups") for row in (3, 4)},
    "BJ-1": _algorithm("Birman-Joseph CBCAST"),
    "PS-1": _algorithm("Psync"),
    "PRS-5": f"{MINIMALITY}, for prs, with --dests unicast, multicast and broadcast",
    **{f"MF-{row}": _algorithm("Mattern-Fuenfrocken") for row in range(1, 4)},
    **{f"MR-{row}": _algorithm("Mostefaoui-Raynal") for row in range(1, 3)},
    "RV-1": _algorithm("Rodrigues-Verissimo"),
    **{f"SK-{row}": _algorithm("Singhal-Kshemkalyani") for row in range(1, 3)},
}


def answer_of(row: str) -> str | None:
    """What answers the question `row` ("X-4"); None when section 8 has no such row."""
    return ANSWERS.get(row)
