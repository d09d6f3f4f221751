"""The papers' simulation studies: what control information costs at scale, under workloads that are drawn from seeds.

`workload` says what is sent when and arrives when; `simulation` runs any model under it in Python; `kernels` runs
seven algorithms compiled; `points` and `job` distribute runs over Spark; `claims` and `answers` judge what comes out.
"""
