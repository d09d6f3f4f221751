"""Audits of recorded message logs: was causal order violated, where, and what would each algorithm have cost?

Rooms: `tables` (every table, documented), `ndjson`, `columns`, `shiviz` and `own_traces` (readers), `matching`
(regular expressions in a child process), `clocks` (messages out of vector clocks), `execution` (one execution as
arrays), `pairing`, `holding`, `synchrony`, `crowns` and `chains` (compiled kernels over them), `judging` (the verdict),
`costs` and `delays` (what causal order would have cost), `pictures` and `exporting` (diagrams, ShiViz logs), `running`
and `on_spark` (one process, or Spark), `store` (what --out keeps), `generating` (logs whose violations are known).
"""
