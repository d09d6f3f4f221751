"""Rows of algorithms.md, section 8, that are questions and not changes of a model: what answers them.

Together with the readings of the built-in models (`Model.readings`) the table has every row of section 8 once.
"""

from __future__ import annotations

import re

CHANNEL = "check with --channel unordered, fifo-arrival, fifo and fifo-delivery (variants a, b, c, d)"
SIMULATION = "simulations are not built yet"


def _claims(*ids: str, more: str = "") -> str:
    return f"check with {' and '.join(f'--property {name}' for name in ids)}{more}"


ANSWERS: dict[str, str] = {
    "X-1": "the relation of the checker is Send -> Deliver (variant b); arrivals as events of it (a) are not built yet",
    "X-2": "check with --self forbidden, network and at-send (variants a, b, c); for d see RST-3 and KS-7; "
    "`precede assumptions` has them side by side",
    "X-3": "`precede check ks@any`, `ks@oldest` and `ks@per-sender` (variants a, b, c), and so for every direct model",
    "X-4": f"{CHANNEL}; `precede assumptions` has all but b side by side",
    "X-6": "waits do not block (variant a); `precede check ks@blocking` and `ks@silent` are b and c",
    "X-7": "a multicast is one Send event (variant a); `precede check ks@unicasts` and `ks@interleaved` are b and c",
    "X-8": "`precede compare ks jang` and so on, for ks, jang, prs and oracle, which asserts the required set "
    "(variants a, b); what rst, ses and sa assert is not built yet",
    "X-9": "check with --property NoNeedlessDelay: it is relative to CO (variant a), for gk to ->s (b)",
    "X-10": "check with --crash 1 --restart 1 for variant b; a is ks-dynamic with KS-5c; c is not built yet",
    "X-11": "check with --property Delivery, which assumes weak fairness of each receipt (variant a) where the states "
    "have cycles; b is not built yet",
    "KS-1": "check ks with --channel fifo and unordered (variants a, b), and ks-sequence (c)",
    "KS-11": "not built yet: no property states sufficient condition 1, printed or negated",
    "KS-12": _claims("C-KS-L1", more="; SND(3) of ks takes d from the older entry (variant b); a is not built yet"),
    "KS-17": _claims("C-KS-T7", "C-KS-T7-msg", more=", or with Minimality (variant a); b is not built yet"),
    "KS-18": _claims("C-KS-FP", more=", and --self forbidden and network (variants a, b)"),
    "KS-19": _claims("C-KS-IMPL-literal", "C-KS-IMPL", more=" (variants a, b)"),
    "KS-20": "`precede sizes ks` has facts and bytes of a copy; the bounds per sender are C-KS-S1 and C-KS-S2",
    "KS-21": "check with --property C-KS-L1 to C-KS-L7 (variant a), C-KS-L1-msg and its like for O_M; "
    "between the steps (b) is not built yet",
    "KS-22": "`precede prove KS-22`: at most (n-1)^2 facts are required at once, and as many are reached",
    "KS-28": "check mattern-fuenfrocken with MF-3b and MF-3a (variants a, b)",
    "KS-33": "`precede minimal ks`: each required fact, dropped, lets some continuation violate causal order",
    "J-11": _claims("C-J-B1", "C-J-B1-nonempty", more=" (variants a, b)"),
    "J-12": _claims("C-J-R3", "C-J-R3-msg", more=" (variants a, b), or with Minimality"),
    "J-13": "it is X-6: waits do not block (variant a); `precede check jang@blocking` and `jang@silent` are b and c",
    "J-14": "`precede compare ks jang` (variants a, b)",
    "J-15": _claims(
        "C-J-R2-2", "C-J-R2-3", "C-J-R2-4", "C-J-R2-5", "C-J-R2", more="; a count of the removals is not built yet"
    ),
    "J-16": "check with --processes 4 --dests unicast and larger, and --reading for the mutants",
    "J-17": "check with --property CausalOrder; by chain length it is not built yet",
    "J-18": "check with --property Delivery; the step of the proof itself is not built yet",
    "J-19": SIMULATION,
    "J-20": "control_units counts tuples of CI, control_bytes is the core; `precede sizes jang` has both; "
    "the other counts are not built yet",
    "J-21": SIMULATION,
    "GK-6": _claims("C-GK-L1", "C-GK-L1-sends", more=" (variants a, b); sends only (c) is not built yet"),
    "GK-10": "an event depends on earlier ones (variant a); b is not built yet",
    "GK-11": "gk tests the latest direct dependency (variant a); --set chained=1 makes every event depend on the one "
    "before; b and c are not built yet",
    "GK-14": _claims("C-GK-L2", "C-GK-L3", "C-GK-L2-msg", "C-GK-L3-msg", more=" (variants a, b); c is not built yet"),
    "GK-15": _claims("C-GK-L4-msg-own", "C-GK-L4-msg", more=" (variants a, b)"),
    "GK-16": CHANNEL,
    "GK-17": _claims("C-GK-D45", more=" and --reading GK-9a, GK-9b and GK-9c"),
    "GK-18": _claims("C-GK-P1", more=" (variant a), and with GK-12b (b); the smallest MCV (c) is not built yet"),
    "GK-20": _claims(
        "C-GK-FC", "NoNeedlessDelay", more="; the counts of a and b, and waits beside rst (c), are not built yet"
    ),
    "SA-5": "check sa with --set K=2, 3, 4, ...; with SA-3b --property Delivery says whether the repetition ends",
    "SA-10": "not built yet: sa does not say what its matrix asserts",
    "SA-12": "extra messages are not in the relation (variant a); b is not built yet",
    "SA-14": f"`precede sizes sa` with --set K=5 and its like, at small bounds; {SIMULATION}",
    "SA-15": _claims("C-SA-L2", "C-SA-L3", "C-SA-L3-extra"),
    "SA-16": _claims("C-SA-P5", "C-SA-P5-user", more=" (variants a, b)"),
    "SA-17": CHANNEL,
    "SA-18": _claims("NoNeedlessDelay", more="; the longest chain of waits is not built yet"),
    "SA-19": "control_bytes of sa counts triples (variant a); the other encodings are not built yet",
    "PRS-5": "check prs with --property Minimality and --dests unicast, multicast and broadcast",
}


def row_of(reading_id: str) -> str:
    """The row of section 8 that a reading belongs to: "SA-11" for "SA-11own"."""
    row = re.match(r"[A-Z]+-\d+", reading_id)
    return row[0] if row else reading_id


def answer_of(row: str) -> str | None:
    """What answers the question `row` ("X-4"); None when section 8 has no such row, or it is a reading."""
    return ANSWERS.get(row)
