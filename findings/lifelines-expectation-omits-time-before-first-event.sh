#!/usr/bin/env bash
# lifelines: the expected run time of a Cox or Aalen model omits the time before the shortest run time of the data.
#
# Seen with lifelines 0.30.3, pandas 2.3.3 and scipy 1.17.1 (CPython 3.11, Linux x86-64), 2026-11-29.
#
# Documentation: predict_expectation integrates S(t) from 0 to infinity; its only caution names values that are too
# large.
#
# Behavior: the integral starts at the shortest run time. All 80 jobs ran for 10 h or longer, and none is censored.
# The means of the two groups are 17.5 h and 25 h; CoxPHFitter expects 7.3 h and 14.8 h. If each job runs 1000 h
# longer, it expects the same 7.3 h and 14.8 h. Its S(t) before the first event is the value at that event: S(0) is
# 0.59 and not 1. KaplanMeierFitter starts with S(0) = 1. A backfill scheduler that plans with these run times starts
# jobs that do not fit.
#
# The packages are installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q lifelines==0.30.3 pandas==2.3.3 scipy==1.17.1 numpy==2.4.6
cat >"$folder/program.py" <<'PROGRAM'
import pandas as pd
from lifelines import AalenAdditiveFitter, CoxPHFitter, KaplanMeierFitter
from lifelines.utils import restricted_mean_survival_time

jobs = pd.DataFrame({"hours": [10, 10, 10, 20, 20, 30, 30, 40] * 10, "ended": 1, "large": [0, 1] * 40})
groups = pd.DataFrame({"large": [0, 1]})
curve = KaplanMeierFitter().fit(jobs.hours, jobs.ended)
print("data", jobs.groupby("large").hours.mean().tolist(), "shortest", jobs.hours.min())
print("Kaplan-Meier mean", restricted_mean_survival_time(curve, t=40), "S(5)", curve.predict(5))
for model in (CoxPHFitter(), AalenAdditiveFitter()):
    model.fit(jobs, "hours", "ended")
    print(type(model).__name__, "mean", [round(v, 1) for v in model.predict_expectation(groups)])
    if isinstance(model, CoxPHFitter):
        print("Cox S(0), S(5)", model.predict_survival_function(groups[:1], times=[0, 5])[0].round(2).tolist())
        model.fit(jobs.assign(hours=jobs.hours + 1000), "hours", "ended")
        print("1000 h longer, mean", [round(v, 1) for v in model.predict_expectation(groups)])
PROGRAM
"$folder/env/bin/python" -W ignore "$folder/program.py" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
data [17.5, 25.0] shortest 10
Kaplan-Meier mean 21.25 S(5) 1.0
CoxPHFitter mean [7.3, 14.8]
Cox S(0), S(5) [0.59, 0.59]
1000 h longer, mean [7.3, 14.8]
AalenAdditiveFitter mean [8.3, 13.5]
EXPECTED
