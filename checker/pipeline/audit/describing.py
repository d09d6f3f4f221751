"""What was found in an execution, as JSON and as rows: the numbers of `judging` with the names and lines of the log."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from .chains import Pair
from .clocks import Problem
from .costs import TOO_LARGE, costs_of
from .crowns import Crown
from .delays import Delays, delays_of, summary
from .execution import Execution
from .judging import Judged
from .pairing import Paired

MOST_VIOLATIONS = 100_000
SHOWN_VIOLATIONS = 100
CLOCKS_ONLY = (
    "messages are inferred from vector clocks, to which a message that is overtaken brings nothing new: violations of "
    "causal order and of FIFO do not show"
)


class Describer:
    """Turns what was judged into what is written, for one execution; `files` are the names of the logs."""

    def __init__(self, judged: Judged, files: Sequence[str]) -> None:
        self.judged = judged
        self.files = files
        self.delays: Delays = delays_of(judged)

    def document(self, long: bool = False) -> dict[str, Any]:
        """One of the `executions` of precede-audit (`checker.formats_of_audit`)."""
        judged = self.judged
        costs = costs_of(judged, long)
        notes = [CLOCKS_ONLY] if judged.by_clocks else []
        if any(cost is None for cost in costs.values()):
            notes.append(TOO_LARGE)
        return {
            "execution": judged.name,
            "verdict": judged.verdict,
            "well_formed": not judged.counts,
            "messages_from": "vector clocks" if judged.by_clocks else "ids",
            **self._sizes(),
            "problem_counts": dict(sorted(judged.counts.items())),
            "problems": [self._problem(problem) for problem in judged.problems],
            "not_told": dict(sorted(judged.untold.items())),
            "early_deliveries": len(judged.early),
            "early_before_undelivered": judged.overtook_lost,
            "early_in_channel": len(judged.early_fifo),
            "crown": self._crown(judged.crown),
            "causal_pair": self._pair(judged.causal_pair),
            "fifo_pair": self._pair(judged.fifo_pair),
            "violations": self.violations(SHOWN_VIOLATIONS),
            "delays": summary(judged, self.delays),
            "control_information": costs,
            "notes": notes,
        }

    def _sizes(self) -> dict[str, Any]:
        execution, paired = self.judged.execution, self.judged.paired
        if execution is None or paired is None:
            processes = 0 if execution is None else len(execution.processes)
            events = 0 if execution is None else execution.events
            return {"processes": processes, "events": events, "messages": 0, "copies": 0, "undelivered": 0}
        copies = int((paired.copy_end - paired.copy_start).sum())
        return {
            "processes": len(execution.processes),
            "events": events_of_log(execution),
            "messages": int((paired.send >= 0).sum()),
            "copies": copies,
            "undelivered": copies - int(paired.deliveries.sum()),
        }

    def _problem(self, problem: Problem) -> dict[str, Any]:
        return {
            "file": self.files[problem.file],
            "line": problem.line,
            "code": problem.code,
            "text": problem.text,
        }

    def problems(self) -> list[dict[str, Any]]:
        """The rows of PROBLEMS, without the name of the execution."""
        return [self._problem(problem) for problem in self.judged.problems]

    def violations(self, most: int = MOST_VIOLATIONS) -> list[dict[str, Any]]:
        """The rows of VIOLATIONS, without the name of the execution."""
        execution, paired = self.judged.execution, self.judged.paired
        if execution is None or paired is None:
            return []
        in_channel = set(self.judged.early_fifo.tolist()) if len(self.judged.early) else set()
        return [
            self._violation(execution, paired, i, int(copy), int(copy) in in_channel)
            for i, copy in enumerate(self.judged.early[:most])
        ]

    def _violation(self, execution: Execution, paired: Paired, i: int, copy: int, is_fifo: bool) -> dict[str, Any]:
        here, until = int(paired.delivered[copy]), int(self.delays.until[i])
        time = float(self.delays.time[i])
        return {
            "early": execution.message_name(int(paired.of[copy])),
            "process": execution.process_name(int(paired.to[copy])),
            "early_file": self.files[int(execution.file[here])],
            "early_line": int(execution.line[here]),
            "late": None if until < 0 else execution.message_name(int(execution.message[until])),
            "late_line": None if until < 0 else int(execution.line[until]),
            "fifo": is_fifo,
            "held_events": None if until < 0 else int(self.delays.events[i]),
            "held_time": time if isfinite(time) else None,
        }

    def _event(self, event: int) -> dict[str, Any] | None:
        execution = self.judged.execution
        if event < 0 or execution is None:
            return None
        return {
            "process": execution.process_name(int(execution.process[event])),
            "file": self.files[int(execution.file[event])],
            "line": int(execution.line[event]),
            "text": execution.text_of(event),
        }

    def _pair(self, pair: Pair | None) -> dict[str, Any] | None:
        execution, paired = self.judged.execution, self.judged.paired
        if pair is None or execution is None or paired is None:
            return None
        early = int(paired.of[pair.early])
        late_copy = next(
            c
            for c in range(paired.copy_start[pair.late], paired.copy_end[pair.late])
            if paired.to[c] == paired.to[pair.early]
        )
        return {
            "late": execution.message_name(pair.late),
            "early": execution.message_name(early),
            "process": execution.process_name(int(paired.to[pair.early])),
            "late_sent": self._event(int(paired.send[pair.late])),
            "early_sent": self._event(int(paired.send[early])),
            "early_delivered": self._event(int(paired.delivered[pair.early])),
            "late_delivered": self._event(int(paired.delivered[late_copy])),
            "chain": self._chain(pair.chain, int(paired.send[early])),
            "smallest": pair.exact,
        }

    def _chain(self, messages: Sequence[int], last: int) -> list[dict[str, Any]]:
        """The messages of a chain to event `last`, each with its send and the delivery that passes it on."""
        execution, paired = self.judged.execution, self.judged.paired
        assert execution is not None and paired is not None
        found = []
        passed_on = [int(paired.send[m]) for m in messages[1:]] + [last]
        for m, following in zip(messages, passed_on, strict=False):
            target = execution.process[following]
            copies = range(paired.copy_start[m], paired.copy_end[m])
            delivered = next((int(paired.delivered[c]) for c in copies if paired.to[c] == target), -1)
            found.append(
                {
                    "message": execution.message_name(m),
                    "sent": self._event(int(paired.send[m])),
                    "delivered": self._event(delivered),
                }
            )
        return found

    def _crown(self, crown: Crown | None) -> dict[str, Any] | None:
        execution, paired = self.judged.execution, self.judged.paired
        if crown is None or execution is None or paired is None:
            return None
        links = []
        for m, chain, delivered in zip(crown.messages, crown.chains, crown.reached, strict=True):
            links.append(
                {
                    "message": execution.message_name(m),
                    "sent": self._event(int(paired.send[m])),
                    "chain": self._chain(chain, delivered),
                    "next_delivered": self._event(delivered),
                }
            )
        return {"size": len(crown.messages), "messages": links, "smallest": crown.exact}


def events_of_log(execution: Execution) -> int:
    """Events of the log itself: one that both delivers and sends is one."""
    if execution.source is None:
        return execution.events
    return len(set(execution.source.tolist()))
