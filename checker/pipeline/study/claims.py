"""The claims of Jang et al. about their Figures 2 and 3 (algorithms.md, C-J-F1 to F7, C-J-B3), judged on results.

Every criterion is on means over seeds, with 95 % confidence intervals over the seeds (of differences: paired by seed).
A claim holds if its criterion does for every number of processes and every load that it is about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from .statistics import Estimate, Rows, crossing, estimate, exponent, paired
from .studies import LOADS

HOLDS, VIOLATED, UNDECIDED, UNKNOWN = "holds", "fails", "undecided", "no data"
NEARLY_LINEAR = 1.25
BREAK_EVEN = 4 / 6


@dataclass(frozen=True)
class Judgement:
    """What became of a claim: its verdict (holds, fails, undecided where an interval reaches over the limit, no data)
    and the figures that say why."""

    claim: str
    criterion: str
    verdict: str
    figures: str


@dataclass(frozen=True)
class Claim:
    """A claim, the criterion by which it is judged, and the function that does so."""

    id: str
    statement: str
    criterion: str
    judge: Callable[[Rows], tuple[str, str]]


def judged(rows: Rows) -> list[Judgement]:
    """All claims on the rows of one group of the study."""
    results = []
    for claim in CLAIMS:
        try:
            verdict, figures = claim.judge(rows)
        except (IndexError, ValueError, ZeroDivisionError, KeyError):
            verdict, figures = UNKNOWN, "not all points are there"
        results.append(Judgement(claim.id, claim.criterion, verdict, figures))
    return results


def _loads(rows: Rows) -> list[str]:
    return [load for load in LOADS if len(rows.where(load=load))]


def _at(rows: Rows, algorithm: str, load: str, n: int) -> Rows:
    found = rows.where(algorithm=algorithm, load=load, processes=n)
    if not len(found):
        raise KeyError(algorithm)
    return found


def _ratio(rows: Rows, one: str, other: str, load: str, n: int, figure: str) -> Estimate:
    return paired(_at(rows, one, load, n), _at(rows, other, load, n), figure, lambda x, y: x / y)


def _both(estimates: list[tuple[str, Estimate]], limit: float, below: bool = True) -> tuple[str, str]:
    """Whether all estimates are below (or above) a limit; the nearest to it is shown."""
    sign = 1 if below else -1
    verdicts = [
        HOLDS if sign * (e.high if below else e.low) < sign * limit
        else VIOLATED if sign * (e.low if below else e.high) > sign * limit
        else UNDECIDED
        for _, e in estimates
    ]  # fmt: skip
    verdict = VIOLATED if VIOLATED in verdicts else UNDECIDED if UNDECIDED in verdicts else HOLDS
    where, worst = max(estimates, key=lambda named: sign * named[1].mean)
    return verdict, f"{'largest' if below else 'smallest'}: {worst.text(3)} ({where})"


def _fewest(figure: str) -> Callable[[Rows], tuple[str, str]]:
    def judge(rows: Rows) -> tuple[str, str]:
        ratios = [
            (f"of {other}, {load}, n = {n}", _ratio(rows, "jang", other, load, n, figure))
            for other in ("rst", "prs") for load in _loads(rows) for n in rows.values("processes")
        ]  # fmt: skip
        return _both(ratios, 1.0)

    return judge


def _advantage(rows: Rows) -> tuple[str, str]:
    gains = []
    for other in ("rst", "prs"):
        for n in rows.values("processes"):
            one = _seeds(rows, other, "multicast", n)
            two = _seeds(rows, other, "unicast", n)
            both = sorted(one.keys() & two.keys())
            gains.append((f"against {other}, n = {n}", estimate(one[seed] / two[seed] for seed in both)))
    return _both(gains, 1.0)


def _seeds(rows: Rows, other: str, load: str, n: int) -> dict[int, float]:
    one, two = _at(rows, "jang", load, n).by_seed("units"), _at(rows, other, load, n).by_seed("units")
    return {seed: one[seed] / two[seed] for seed in one.keys() & two.keys()}


def _every_sender(rows: Rows) -> tuple[str, str]:
    shares = [
        (f"{load}, n = {n}", _at(rows, "jang", load, n).mean(lambda row, n=n: row["senders"] / n))  # type: ignore[misc]
        for load in _loads(rows) for n in rows.values("processes")
    ]  # fmt: skip
    return _both(shares, 0.999, below=False)


def _more_than_destinations(rows: Rows) -> tuple[str, str]:
    ratios = [
        (f"{load}, n = {n}", _at(rows, "jang", load, n).mean(lambda row: row["units"] / row["copies_per_send"]))
        for load in _loads(rows) for n in rows.values("processes")
    ]  # fmt: skip
    return _both(ratios, 1.0, below=False)


def _sizes(rows: Rows) -> tuple[str, str]:
    """RST has 4 bytes and PRS 6 by the byte model, so what is to be measured is Jang's."""
    sizes = [
        (f"{load}, n = {n}", _at(rows, "jang", load, n).mean(lambda row: row["bytes"] / row["units"]))
        for load in _loads(rows) for n in rows.values("processes")
    ]  # fmt: skip
    verdict, figures = _both(sizes, 6.0, below=False)
    return verdict, f"RST 4, PRS 6 bytes; Jang {figures}"


def _break_even(rows: Rows) -> tuple[str, str]:
    texts, verdicts = [], []
    for load in _loads(rows):
        sizes = rows.values("processes")
        shares = [_at(rows, "prs", load, n).mean(lambda row, n=n: row["units"] / n**2) for n in sizes]  # type: ignore[misc]
        grows = all(a.mean < b.mean for a, b in pairwise(shares))
        near = 0.8 * BREAK_EVEN <= shares[-1].mean <= 1.25 * BREAK_EVEN
        verdicts.append(HOLDS if grows and near else VIOLATED)
        texts.append(f"{load}: {shares[0].text(3)} to {shares[-1].text(3)} of n^2, {'' if grows else 'not '}growing")
    return (HOLDS if set(verdicts) == {HOLDS} else VIOLATED), "; ".join(texts)


def _dearer(rows: Rows) -> tuple[str, str]:
    sizes = rows.values("processes")
    seeds = rows.values("seed")
    at = []
    ratios = {n: _ratio_by_seed(rows, n) for n in sizes}
    for seed in seeds:
        passed = crossing(sizes, [ratios[n][seed] for n in sizes])
        if passed is not None:
            at.append(passed)
    text = f"PRS / RST bytes {estimate(ratios[sizes[0]].values()).text(3)} at n = {sizes[0]}, "
    text += f"{estimate(ratios[sizes[-1]].values()).text(3)} at n = {sizes[-1]}; "
    if len(at) < len(seeds):
        return VIOLATED, text + "PRS does not pass RST in between"
    passed_at = estimate(at)
    return (HOLDS if 20 <= passed_at.mean <= 30 else VIOLATED), f"{text}equal at n = {passed_at.text(1)}"


def _ratio_by_seed(rows: Rows, n: int) -> dict[int, float]:
    one, two = _at(rows, "prs", "unicast", n).by_seed("bytes"), _at(rows, "rst", "unicast", n).by_seed("bytes")
    return {seed: one[seed] / two[seed] for seed in one}


def _linear(figure: str) -> Callable[[Rows], tuple[str, str]]:
    def judge(rows: Rows) -> tuple[str, str]:
        exponents = []
        for load in _loads(rows):
            sizes = rows.values("processes")
            by_seed = [_at(rows, "jang", load, n).by_seed(figure) for n in sizes]
            exponents.append((load, estimate(exponent(sizes, [x[s] for x in by_seed]) for s in by_seed[0])))
        verdict, _ = _both(exponents, NEARLY_LINEAR)
        return verdict, "; ".join(f"{load}: n^{e.text(3)}" for load, e in exponents)

    return judge


CLAIMS = (
    Claim("C-J-F1", "Jang has the fewest dependents, in unicast and multicast",
          "dependents of a copy, Jang's by RST's and by PRS's: the interval is below 1", _fewest("units")),
    Claim("C-J-F1 (advantage)", "the advantage is larger in multicast",
          "the same ratio in multicast by that in unicast: the interval is below 1", _advantage),
    Claim("C-J-F2", "there is at least one dependent of each sender",
          "distinct senders on a copy by n: the interval is above 0.999", _every_sender),
    Claim("C-J-F2 (number)", "there are more dependents than destination processes",
          "dependents of a copy by destinations of its message: the interval is above 1", _more_than_destinations),
    Claim("C-J-F3", "a dependent of RST is the smallest, of Jang the largest",
          "bytes by dependents of Jang: the interval is above 6, which is PRS's", _sizes),
    Claim("C-J-F4", "PRS's dependents approach (4/6) n^2",
          "PRS's dependents by n^2 grow with n and reach 0.8 to 1.25 times 4/6 at the largest n", _break_even),
    Claim("C-J-F5", "Jang's bytes are below RST's and PRS's",
          "bytes of a copy, Jang's by RST's and by PRS's: the interval is below 1", _fewest("bytes")),
    Claim("C-J-F6", "in unicast PRS has more bytes than RST beyond n = 25",
          "the ratio passes 1 between n = 20 and n = 30", _dearer),
    Claim("C-J-F7", "Jang's bytes grow nearly linearly",
          f"the exponent of a fit a * n^b to the bytes of a copy: the interval is below {NEARLY_LINEAR}",
          _linear("bytes")),
    Claim("C-J-B3", "Jang's dependents grow nearly linearly",
          f"the exponent of a fit to the dependents of a copy: the interval is below {NEARLY_LINEAR}",
          _linear("units")),
)  # fmt: skip
