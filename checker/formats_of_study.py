"""The JSON formats of the simulation studies (`checker.formats`)."""

from __future__ import annotations

from .format_parts import Format

STUDY = Format(
    "precede-study",
    1,
    {
        "tool": 'what wrote it, such as "precede 0.1.0"',
        "study": "jang, prs, sa, gk or ks",
        "scale": "1 is the size of the study of Jang et al.",
        "seeds": "runs of each point",
        "points": "points in all; the finished ones are in points/*.parquet",
    },
)

STUDY_CLAIMS = Format(
    "precede-study-claims",
    1,
    {
        "study": "jang, prs, sa, gk or ks",
        "scale": "1 is the size of the study of Jang et al.",
        "seeds": "runs of each point",
        "missing": "points that are not finished",
        "claims": "the claims, judged on each group of points",
        "claims[].group": "base, what is varied, or a form of PRS",
        "claims[].claim": "its id",
        "claims[].criterion": "how it is judged",
        "claims[].verdict": "holds, fails, undecided or no data",
        "claims[].figures": "the figures that decide it, with 95 % confidence intervals over the seeds",
        "tables": "the answers to the questions of the study",
        "tables[].title": "the question",
        "tables[].rows": "lists of texts; the first names the columns",
        "exit_code": "0 when all points are there, 3 otherwise",
    },
)

SIMULATION = Format(
    "precede-simulation",
    1,
    {
        "model": "the model as it was named",
        "readings": "the letter of every reading of the model",
        "engine": "kernel (compiled) or model (Python)",
        "workload": "the parameters by name, times in seconds; see checker/pipeline/study/tables.py",
        "figures": "the figures by name; see checker/pipeline/study/tables.py",
    },
)

THROUGHPUT = Format(
    "precede-study-throughput",
    1,
    {
        "measured": "one run for each algorithm, load and size",
        "measured[].algorithm": "the compiled algorithm",
        "measured[].load": "unicast or multicast",
        "measured[].processes": "how many",
        "measured[].deliveries": "copies delivered",
        "measured[].seconds": "CPU time of the simulation",
        "measured[].deliveries_per_second": "of CPU time",
    },
)
