"""The data pipeline on Spark: exploration beyond one machine, the papers' simulations at full size, audits of logs.

Every job reads and writes Parquet with documented schemas, runs on `local[*]` or on any cluster, and gives the same
answer on one worker or many.
"""
