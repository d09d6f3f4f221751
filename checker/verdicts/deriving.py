"""The rule that turns outcomes into a verdict. Nothing is looked up: what the registry expects plays no part.

The things that decide a row are those that its evidence asks: of a claim all of them; of a reading's variant the
properties that the paper of its algorithm claims (`Model.claims`), claims of a paper by their ids, and what Z3 proves.
In this order:

1. `refuted`: one of them is violated in some run, or Z3 refutes it.
2. `proved`: Z3 proves all that it was asked of them (at least one), for any number of processes and messages.
3. `no effect`: side by side with the default reading the same deliveries are made (and the same facts asserted) in all
   runs within the bound.
4. `holds up to`: all runs within the bound were explored, of at least one of them, and none violates it; or a figure
   was measured in all runs.
5. `open`: anything else.

That a search among runs that are drawn (`seek`, random walks) finds nothing says nothing, and is left aside.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from precede.models.catalog import CATALOG

from .rows import ASPECTS, Evidence, Row

VERDICTS = ("proved", "holds up to", "refuted", "no effect", "open")
FALSE = ("violated", "refuted")
WHOLE = ("holds", "measured")

BY_NAME = {
    "CausalOrder": "causal order",
    "Delivery": "delivery",
    "Integrity": "delivery",
    "Minimality": "exactness",
    "NoNeedlessDelay": "false waits",
    "facts": "exactness",
    "state facts": "exactness",
    "units": "size bound",
    "bytes": "size bound",
}
BY_PREFIX = {
    "C-KS-T4": "causal order",
    "C-KS-T5": "delivery",
    "C-KS-T7": "exactness",
    **dict.fromkeys(("C-KS-S1", "C-KS-S2", "C-KS-S3", "C-KS-S4"), "size bound"),
    "C-J-T1": "causal order",
    "C-J-T2": "delivery",
    "C-J-R3": "exactness",
    "C-J-B": "size bound",
    "C-GK-T1": "causal order",
    "C-GK-LIVE": "delivery",
    "C-GK-SZ": "size bound",
    "C-SA-T4": "causal order",
    "C-SA-T6": "delivery",
    "C-SA-SZ": "size bound",
    "C-SA-DLY": "false waits",
}
"""The aspect that a claim is about, by how its id begins."""


class Answer(NamedTuple):
    """What the rule needs of one outcome: what was asked, of which engine, the verdict, the aspect if one was named,
    and whether runs were drawn."""

    name: str
    engine: str
    verdict: str
    aspect: str | None = None
    is_search: bool = False

    @property
    def says_nothing(self) -> bool:
        """Whether a search found nothing."""
        return self.is_search and self.verdict == "incomplete"


def answer_of(evidence: Evidence, name: str, verdict: str) -> Answer:
    """What a piece of evidence says of one thing."""
    return Answer(name, evidence.engine, verdict, evidence.asks.get(name), evidence.is_search)


def verdict_of(row: Row, answers: Iterable[Answer]) -> str:
    """The verdict on a row from the answers of the evidence that decides it."""
    answers = [answer for answer in answers if decides(row, answer) and not answer.says_nothing]
    verdicts = {answer.verdict for answer in answers}
    if verdicts & set(FALSE):
        return "refuted"
    proofs = [answer.verdict for answer in answers if answer.engine == "prove"]
    if proofs and set(proofs) == {"proved"}:
        return "proved"
    if not row.is_claim and _no_effect(answers):
        return "no effect"
    aside = ("not applicable", "same", "differs")
    explored = [a.verdict for a in answers if a.engine != "prove" and a.verdict not in aside]
    if explored and all(verdict in WHOLE for verdict in explored):
        return "holds up to"
    compared = [answer.verdict for answer in answers if answer.verdict in ("same", "differs")]
    return "holds up to" if row.is_claim and compared and set(compared) == {"same"} else "open"


def _no_effect(answers: list[Answer]) -> bool:
    """Whether a comparison with the default says the same, of deliveries or whole behaviours and of all facts asked."""
    compared = {a.name: a.verdict for a in answers if a.engine in ("compare", "behaviour")}
    kinds = [compared[name] for name in ("deliveries", "behaviour", "facts", "state facts") if name in compared]
    return bool(compared.keys() & {"deliveries", "behaviour"}) and set(kinds) == {"same"}


def decides(row: Row, answer: Answer) -> bool:
    """Whether the answer takes part in deciding the row."""
    if answer.engine in ("compare", "behaviour", "sizes") and row.claimed is None:
        return True
    if row.claimed is not None:
        return answer.name in row.claimed or answer.engine in ("compare", "behaviour")
    if row.is_claim or answer.name not in BY_NAME:
        return True
    return answer.name in CATALOG[row.about.partition("@")[0]].claims


def aspects_of(answers: Iterable[Answer]) -> dict[str, str | None]:
    """The verdict on each aspect: refuted before open before proved before holds up to; None where it was not asked."""
    answers = list(answers)
    found = _words(answer for answer in answers if not answer.says_nothing)
    order = ("refuted", "open", "proved", "holds up to")
    verdicts = {aspect: next((w for w in order if w in words), None) for aspect, words in found.items()}
    return {aspect: verdict or ("open" if _words(answers)[aspect] else None) for aspect, verdict in verdicts.items()}


def _words(answers: Iterable[Answer]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {aspect: set() for aspect in ASPECTS}
    for answer in answers:
        aspect = answer.aspect or aspect_of(answer.name)
        if aspect is not None and answer.verdict not in ("same", "differs", "not applicable"):
            found[aspect].add(_word(answer.verdict))
    return found


def aspect_of(name: str) -> str | None:
    """The aspect that the name of a property or a claim is about; None if it is about none of them."""
    if name in BY_NAME:
        return BY_NAME[name]
    return next((aspect for prefix, aspect in BY_PREFIX.items() if name.startswith(prefix)), None)


def _word(verdict: str) -> str:
    words = {"holds": "holds up to", "measured": "holds up to", "proved": "proved"}
    return "refuted" if verdict in FALSE else words.get(verdict, "open")
