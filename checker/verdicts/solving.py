"""Evidence from other engines: Z3 (`prove`, `bounded`, `minimal`), TLC (`tlc --all`) and simulation (`study`)."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import EnvironmentProblem, UsageError
from ..report import assumptions
from ..result import Witness
from .outcomes import Outcome, Ran
from .tools import INTERRUPTED, Tools

if TYPE_CHECKING:
    from precede.proofs.proving import Prover

    from ..bounded import BoundedResult
    from ..bounds import Bounds
    from ..calls import ModelCalls
    from ..tlc.manifest import ListedRun
    from ..trace import Trace


def require_claims(ids: tuple[str, ...]) -> None:
    """Raises UsageError where one is no claim of `precede prove`."""
    from precede.proofs.catalog import by_id

    try:
        by_id(ids)
    except KeyError as unknown:
        raise UsageError(f"{unknown.args[0]} is not among the claims of `precede prove`") from None


def prover_of(tools: Tools) -> Prover:
    """The one prover of a session, which decides once what several claims rest on."""
    from precede.proofs.conditions import SECONDS
    from precede.proofs.proving import Prover

    # Z3's limit is one of wall time: a busy machine must not make a verdict of it.
    prover: Prover = tools.kept.setdefault(
        "prover", Prover(range(tools.seeds), seconds=4 * SECONDS, on_condition=tools.text)
    )
    return prover


@dataclass(frozen=True)
class Prove:
    """`precede prove`: claims for any number of processes and messages."""

    ids: tuple[str, ...]

    @property
    def key(self) -> object:
        """The claims."""
        return "prove", self.ids

    @property
    def bound(self) -> None:
        """Any number of processes and messages."""

    def run(self, names: Sequence[str], tools: Tools) -> Ran:
        """Prove or refute them; what they rest on is decided once in a session."""
        from precede.proofs.catalog import ON_PAPER, by_id

        started = time.perf_counter()
        prover, outcomes, assumed = prover_of(tools), {}, []
        for name, claim in zip(self.ids, by_id(self.ids), strict=True):
            proof = prover.prove(claim)
            outcomes[name] = Outcome(proof.verdict, explanation="; ".join(proof.unproved[:3]) or claim.repaired)
            assumed += [*claim.assumptions, *(f"on paper: {ON_PAPER[name]}" for name in claim.on_paper)]
        seconds = time.perf_counter() - started
        return Ran("Z3", outcomes, self.bound, seconds, assumptions=tuple(dict.fromkeys(assumed)))


@dataclass(frozen=True)
class BoundedRuns:
    """`precede bounded`: Z3 looks for a shortest violation among all runs of so many steps."""

    calls: ModelCalls
    bounds: Bounds
    steps: int
    sends: int | None
    time_limit: float | None

    @property
    def key(self) -> object:
        """The model and the runs."""
        loaded = self.calls.loaded
        return "bounded", loaded.name, tuple(sorted(loaded.readings.items())), self.bounds, self.steps, self.sends

    @property
    def bound(self) -> str:
        """The runs that are formulas."""
        return f"runs of at most {self.steps} steps of {assumptions(self.bounds)}"

    def run(self, names: Sequence[str], tools: Tools) -> Ran:
        """Search."""
        from precede.proofs.bounded import Bounds as Runs
        from precede.proofs.bounded import search

        from ..bounded import BoundedResult, algorithm_of, judged, witness_of

        algorithm = algorithm_of(self.calls)
        runs = Runs(self.bounds.processes, self.sends, self.bounds.dests, self.bounds.channel)
        started = time.perf_counter()
        findings = search(
            algorithm, runs, judged(names, algorithm), self.steps, time_limit=self.time_limit,
            on_depth=lambda depth, name: tools.text(f"runs of {depth} steps, {name}"),
        )  # fmt: skip
        witnesses = {f.name: witness_of(self.calls, self.bounds, f) for f in findings if f.is_violated}
        seconds = time.perf_counter() - started
        result = BoundedResult(self.calls, self.bounds, self.steps, findings, witnesses, None, seconds)
        by_time = self.time_limit is not None and seconds >= self.time_limit
        stopped = None if result.complete else "the time limit" if by_time else INTERRUPTED
        return Ran("Z3", self._outcomes(result), self.bound, seconds, stopped=stopped)

    def _outcomes(self, result: BoundedResult) -> dict[str, Outcome]:
        found = {}
        for one in result.findings:
            witness = result.witnesses.get(one.name)
            found[one.name] = Outcome(
                result.verdict_on(one),
                one.steps if one.is_violated else None,
                explanation=witness.explanation if witness else "",
                shortest=True,
                trace=partial(self._trace, one.name, witness) if witness else None,
            )
        return found

    def _trace(self, name: str, witness: Witness) -> Trace:
        from ..bounded import trace_of

        return trace_of(self.calls, self.bounds, name, witness)


@dataclass(frozen=True)
class SmallestSets:
    """`precede minimal`: the smallest sets of facts with which causal order is kept. The name asked is `minimal`."""

    calls: ModelCalls
    bounds: Bounds
    more: int
    sample: int | None
    seed: int

    @property
    def key(self) -> object:
        """The model and the runs."""
        loaded = self.calls.loaded
        readings = tuple(sorted(loaded.readings.items()))
        return "minimal", loaded.name, readings, self.bounds, self.more, self.sample, self.seed

    @property
    def bound(self) -> str:
        """The runs up to the states and copies."""
        sample = f"{self.sample:,} pasts, drawn at random, of " if self.sample else ""
        return sample + assumptions(self.bounds)

    def run(self, names: Sequence[str], tools: Tools) -> Ran:
        """Optimise."""
        from ..minimal import minimal

        started = time.perf_counter()
        found = minimal(self.calls, self.bounds, more=self.more, sample=self.sample, seed=self.seed, time_limit=None,
                        on_progress=tools.show, on_text=tools.text)  # fmt: skip
        document = found.as_json()
        whole = document["verdict"] if document["complete"] or document["verdict"] == "violated" else "incomplete"
        text = "; ".join(document[k]["explanation"] for k in ("missing", "redundant") if document[k]["explanation"])
        outcome = Outcome(whole, explanation=text)
        return Ran("Z3", {"minimal": outcome}, self.bound, time.perf_counter() - started,
                   stopped=INTERRUPTED if found.stopped == "an interrupt" else found.stopped)  # fmt: skip


@dataclass(frozen=True)
class Tlc:
    """`precede tlc --all RUN`: a run of the manifest, by TLC, on the specification."""

    name: str

    @property
    def key(self) -> object:
        """The run."""
        return "tlc", self.name

    @property
    def bound(self) -> str:
        """The bounds of the run in the manifest."""
        return assumptions(self.listed().bounds)

    def listed(self) -> ListedRun:
        """The run in the manifest. Raises UsageError where there is none of this name."""
        from ..tlc.manifest import manifest

        run = next((run for run in manifest() if run.name.lower() == self.name.lower()), None)
        if run is None:
            raise UsageError(f"tlc --all {self.name}: no such run in tla/manifest.toml")
        return run

    def run(self, names: Sequence[str], tools: Tools) -> Ran:
        """Let TLC do it. Where there is no Java everything is incomplete."""
        from ..tlc.listed import carry_out

        run, started = self.listed(), time.perf_counter()
        try:
            found = carry_out(run, on_progress=tools.show)
        except EnvironmentProblem as problem:
            return Ran("TLC", {name: Outcome("incomplete") for name in names}, self.bound, 0.0, stopped=str(problem))
        tlc, outcomes = found.tlc, {}
        for name in (*run.properties, *run.temporal):
            verdict = tlc.verdict if tlc.verdict != "violated" or tlc.violated_property == name else "incomplete"
            steps = tlc.trace_length if verdict == "violated" else None
            outcomes[name] = Outcome(verdict, steps, explanation="; ".join(found.differences), shortest=True)
        stopped = "; ".join(found.differences) or tlc.stopped
        return Ran("TLC", outcomes, self.bound, time.perf_counter() - started, stopped=stopped)


@dataclass(frozen=True)
class Study:
    """`precede study NAME`: a simulation on Spark, judged by the claims of its paper at the base point."""

    name: str
    scale: float
    seeds: int

    @property
    def key(self) -> object:
        """The study and its size."""
        return "study", self.name, self.scale, self.seeds

    @property
    def bound(self) -> str:
        """The size of the simulation."""
        return f"simulation at {self.scale:g} of the paper's size, {self.seeds} seeds"

    def run(self, names: Sequence[str], tools: Tools) -> Ran:
        """Simulate in a folder that goes away, and judge."""
        from ..pipeline.study.claims import judged
        from ..pipeline.study.job import run_points
        from ..pipeline.study.keeping import load_rows, open_study
        from ..pipeline.study.studies import Settings

        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "study"
            points = [p for p in open_study(out, Settings(self.name, self.scale, self.seeds)) if p.group == "base"]
            run_points(points, out, "local[*]", 2**31, lambda done, all, _: tools.text(f"{done} of {all} points"))
            _, rows, _ = load_rows(out)
            missing = len(points) - len(rows)
            found = {j.claim: j for j in judged(rows)}
        words = {"holds": "holds", "fails": "violated"}
        outcomes = {id: Outcome(words.get(j.verdict, "incomplete"), explanation=j.figures) for id, j in found.items()}
        stopped = f"{missing} points are missing" if missing else None
        return Ran("simulation", outcomes, self.bound, time.perf_counter() - started, stopped=stopped)
