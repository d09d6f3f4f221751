"""The runs that refute claims of the papers, as traces: `precede.proofs` names a run for each, and the model takes it.

Where Z3's model of the refutation is itself a run of the algorithm, that run is taken; else the shortest counterexample
that `precede check` finds with the arguments of the refutation.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from precede.models import Packet

from .local import Local
from .properties import UserProperty, select_properties
from .result import Event, InternalEvent, ReceiveEvent, Schedule, SendEvent, Witness
from .run import Run, StepTaken
from .trace import Trace, record
from .trace.replay import reload, replay

if TYPE_CHECKING:
    from precede.proofs.claims import Claim
    from precede.proofs.refuting_runs import Step

    from .cli.options import Question

FROM_Z3 = "precede prove"
"""The source of a trace that is Z3's model."""


def committed(id: str) -> Path | None:
    """The trace that comes with the proofs for this claim; None if there is none."""
    import precede.proofs

    file = Path(precede.proofs.__file__).parent / "refutations" / f"{id}.json"
    return file if file.is_file() else None


def trace_of(claim: Claim, question: Question) -> Trace:
    """The run that refutes a claim, for the question that the `check` of its refutation asks. Raises AssertionError
    where the model does not do what refutes it."""
    from precede.proofs.refuting_runs import refuting_run

    assert claim.refutation is not None
    steps = refuting_run(claim.refutation)
    trace = checked(question) if steps is None else taken(question, steps)
    if not is_violated(trace):
        raise AssertionError(f"{claim.id}: the run does not violate {trace.violation} of the model")
    return trace


def checked(question: Question) -> Trace:
    """The shortest counterexample."""
    from .engine import explore
    from .report import first_violation

    result = explore(question.calls, question.bounds, question.properties, scenario=question.scenario)
    worst = first_violation(result)
    if worst is None or worst.witness is None:
        raise AssertionError(f"{question.calls.loaded.name}: no counterexample")
    return record(question.calls, question.bounds, worst.witness.schedule, property=worst.name, witness=worst.witness,
                  scenario=question.scenario)  # fmt: skip


def taken(question: Question, steps: tuple[Step, ...]) -> Trace:
    """The run that is Z3's model, taken by the Python model."""
    from .explained import explained

    run, schedule = Run(question.calls, question.bounds), events(question, steps)
    for event in schedule:
        run.apply(event)
    property = question.properties[0]
    if isinstance(property, UserProperty):
        witness = Witness(schedule, f"{property.name} does not hold at the end of the run that Z3 finds")
        return record(
            question.calls, question.bounds, schedule, property=property.name, witness=witness, source=FROM_Z3
        )
    witness = explained(run, property, schedule)
    return record(question.calls, question.bounds, schedule, property=property, witness=witness, source=FROM_Z3)


def events(question: Question, steps: tuple[Step, ...]) -> Schedule:
    """The steps as events of ours. An alternative of a semantic model is the number of the event depended on."""
    numbers: dict[str, tuple[int, int]] = {}
    schedule: list[Event] = []
    by_choice = question.calls.loaded.readings.get("GK-9") == "b"
    for step in steps:
        if step.kind == "send":
            number = 1 + sum(sender == step.process for sender, _ in numbers.values())
            numbers[step.message] = step.process, number
            schedule.append(SendEvent(step.process, step.dests, step.depends_on))
        elif step.kind == "delivery":
            schedule.append(ReceiveEvent(step.process, numbers[step.message], step.depends_on if by_choice else 0))
        else:
            schedule.append(InternalEvent(step.process, step.depends_on))
    return tuple(schedule)


def is_violated(trace: Trace) -> bool:
    """Whether the run, taken again, is the recorded one and ends with its violation, be it of a built-in property or of
    a claim."""
    answer = replay(trace)
    if not answer.same or trace.violation is None:
        return False
    return answer.violation == "there" or (answer.violation == "not judged" and not claim_holds(trace))


def claim_holds(trace: Trace) -> bool:
    """Whether the claim that a trace names holds at its end: of all states, of all copies in transit, or of its last
    step."""
    from .calls import ModelCalls
    from .scenario import parse_scenario

    assert trace.violation is not None
    calls = ModelCalls(reload(trace), trace.bounds)
    (claim,) = select_properties([trace.violation.property], calls.model, trace.model)
    assert isinstance(claim, UserProperty)
    scenario = None if trace.scenario is None else parse_scenario(trace.scenario[1], trace.scenario[0])
    run = Run(calls, trace.bounds, scenario)
    before, last = dict(run.locals), None
    for step in trace.steps:
        before, last = dict(run.locals), run.apply(step.event)
    return holds_at_end(claim, run, before, last)


def holds_at_end(claim: UserProperty, run: Run, before: dict[int, Local], last: StepTaken | None) -> bool:
    """Whether a claim holds in the state that a run has reached: `before` are the processes before the last step,
    `last` the step itself, None in the initial state."""

    def judge(**values: object) -> bool:
        return claim.judge(**{name: value for name, value in values.items() if name in claim.needs})

    model = run.calls.model
    if claim.kind == "state":
        locals_ = run.locals.items()
        return all(judge(model=model, process=p, state=local.state, past=local.past) for p, local in locals_)
    if claim.kind == "packet":
        sent = [(t.packet, t.sent) for t in run.in_transit.values() if t.sent is not None]
        return all(judge(model=model, packet=packet, past=s.past) for packet, s in sent if isinstance(packet, Packet))
    if last is None:
        return True
    ((p, after),) = last.states
    event = last.taken.packet if last.taken else last.message
    return judge(model=model, process=p, before=before[p].state, event=event, after=after, past=run.locals[p].past)
