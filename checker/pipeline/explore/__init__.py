"""`precede explore`: the state space as data, explored on Spark, and `precede query`: questions about it in SQL.

`outcome` goes from question to result, `search` from level to level; `folder` and `tables` say what is on disk,
`journal` how it is resumed. `worker` is what runs inside Arrow batches, `shipping` what it knows, `rows` and `names`
how states travel and what they are called, `findings` what surveys have found. `paths` finds the runs to violations,
`local_tables` writes what is local, `asking` and `wire` let workers call the model. `querying` is the other command.
"""
