#!/usr/bin/env bash
# LINE: the NC solver gives each server its own queue, so a queue of 8 GPUs holds 24 jobs instead of 7.
#
# Seen with line-solver 3.0.8.0 (CPython 3.11, Linux x86-64), 2026-12-01.
#
# Documentation: "LINE features algorithms for the solution of open queueing systems (e.g., M/M/1, M/M/k, M/G/1, ...)".
# The NC solver is for "product-form queueing networks", of which M/M/k is one. Its method ca is the "Multiclass
# convolution algorithm (exact)", and comom is "exact" as well.
#
# Behavior: jobs arrive at one queue of 1, 2, 4 and 8 GPUs, which are busy for 75 % of the time. A sum over the states
# gives the mean number of jobs, and the MVA solver agrees. NC reports 3 jobs for each GPU, by the default and by both
# exact methods. This is the result for separate queues among which the jobs are divided at random. With 8 GPUs a job of
# 1 h waits 3 h instead of 0.18 h. The utilization is right, and there is no warning. In a closed network of 8 jobs the
# default is right, and the exact methods are wrong by 6 %. A plan of capacity by NC asks for too many GPUs. No report
# was found.
#
# The package is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q line-solver==3.0.8.0
cat >"$folder/program.py" <<'PROGRAM'
from line_solver import (ClosedClass, Delay, Exp, Network, OpenClass, Queue, SchedStrategy, Sink, SolverMVA, SolverNC,
                         Source)

def chain(gpus, states, arrival):
    weights = [1.0]
    for jobs in range(1, states):
        weights.append(weights[-1] * arrival(jobs - 1) / min(jobs, gpus))
    return sum(jobs * weight for jobs, weight in enumerate(weights)) / sum(weights)

def open_network(gpus):
    model = Network("open")
    source, queue, sink = Source(model, "Source"), Queue(model, "Queue", SchedStrategy.FCFS), Sink(model, "Sink")
    jobs = OpenClass(model, "Jobs")
    source.setArrival(jobs, Exp(0.75 * gpus))
    queue.setService(jobs, Exp(1))
    queue.setNumberOfServers(gpus)
    model.link(Network.serialRouting(source, queue, sink))
    return model

def closed_network(gpus):
    model = Network("closed")
    delay, queue = Delay(model, "Delay"), Queue(model, "Queue", SchedStrategy.FCFS)
    jobs = ClosedClass(model, "Jobs", 8, delay)
    delay.setService(jobs, Exp(1))
    queue.setService(jobs, Exp(1))
    queue.setNumberOfServers(gpus)
    model.link(Network.serialRouting(delay, queue))
    return model

def show(name, gpus, build, expected):
    texts = []
    for create, method in (SolverMVA, "default"), (SolverNC, "default"), (SolverNC, "ca"), (SolverNC, "comom"):
        row = create(build(gpus), method=method).getAvgTable().iloc[-1]
        texts.append(f"{create.__name__} {method} {row['QLen']:.2f} {row['Util']:.0%}".removeprefix("Solver"))
    print(f"{name}, {gpus} GPUs: sum {expected:.2f}", *texts, sep=", ", flush=True)

for gpus in 1, 2, 4, 8:
    show("open", gpus, open_network, chain(gpus, 1000, lambda jobs: 0.75 * gpus))
show("closed", 4, closed_network, chain(4, 9, lambda jobs: 8 - jobs))
PROGRAM
"$folder/env/bin/python" -W ignore "$folder/program.py" >"$folder/log"
grep GPUs: "$folder/log" | tee "$folder/output"
diff "$folder/output" - <<'EXPECTED'
open, 1 GPUs: sum 3.00, MVA default 3.00 75%, NC default 3.00 75%, NC ca 3.00 75%, NC comom 3.00 75%
open, 2 GPUs: sum 3.43, MVA default 3.43 75%, NC default 6.00 75%, NC ca 6.00 75%, NC comom 6.00 75%
open, 4 GPUs: sum 4.53, MVA default 4.53 75%, NC default 12.00 75%, NC ca 12.00 75%, NC comom 12.00 75%
open, 8 GPUs: sum 7.07, MVA default 7.07 75%, NC default 24.00 75%, NC ca 24.00 75%, NC comom 24.00 75%
closed, 4 GPUs: sum 4.44, MVA default 4.44 89%, NC default 4.44 89%, NC ca 4.72 82%, NC comom 4.72 82%
EXPECTED
