#!/usr/bin/env python3
"""Real PyTorch trainings on this machine under Spur, FIFO and backfill, and the replay of the same jobs (see README.md).

usage: python3 benchmarks/physical/run.py [--jobs 20] [--seeds 1,2,3] [--out FOLDER]
"""

import argparse
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from datetime import datetime

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "training"))
from local_cluster import ENDED, REPOSITORY, LocalCluster, Unexpected, python_with_torch, run_until_end  # noqa: E402
from record import KINDS, changes, read_record  # noqa: E402

TRAINING = REPOSITORY / "examples" / "training" / "paced.py"
NODES, SLOTS = ("left", "right"), 4
COUNTS = (1, 2, 4)
BATCH = 16
ROUND_SECONDS, EARLY_SECONDS = 5, 1
POLICIES = {"spur": "spur", "fifo": "fifo", "backfill": "easy-backfill"}
PACES = {
    "cnn": {"perSample": 0.04, "perPass": 0.02},
    "transformer": {"perSample": 0.03, "perPass": 0.12},
    "mlp": {"perSample": 0.02, "perPass": 0.24},
}
"""Seconds of the accelerator that stand for a sample and for a pass. They give a good, a medium and a poor scaling."""


@dataclass
class Training:
    """A job of the experiment; `arrival` is in seconds since the start of the run."""

    name: str
    model: str
    samples: int
    requested: int
    arrival: float
    id: str = ""
    state: str = "WAITING"
    end: float = math.inf
    started: float = math.inf
    allocated: float = math.inf
    record: list = field(default_factory=list)

    @property
    def jct(self):
        return self.end - self.arrival

    def seconds(self, profile, slots):
        """Expected seconds from start to end."""
        known = profile[self.model]
        return known["startSeconds"] + self.samples / known["speeds"][str(slots)]


def draw(seed, count, mean_seconds, window):
    """Jobs of a Poisson process with `count` arrivals in `window` seconds, scaled to a mean of `mean_seconds` on one slot."""
    source = random.Random(seed)
    arrivals = sorted(source.uniform(0, window) for _ in range(count))
    lengths = [math.exp(source.uniform(math.log(15), math.log(100))) for _ in range(count)]
    scale = mean_seconds / statistics.mean(lengths)
    jobs = []
    for number, (arrival, length) in enumerate(zip(arrivals, lengths)):
        model = source.choice(list(PACES))
        steps = max(4, round(length * scale / step_seconds(model, 1)))
        requested = source.choices(COUNTS, (4, 3, 3))[0]
        jobs.append(Training(f"{model}-{number:02d}", model, BATCH * steps, requested, arrival))
    return jobs


def step_seconds(model, slots):
    return PACES[model]["perPass"] + PACES[model]["perSample"] * BATCH / slots


class Cluster(LocalCluster):
    def __init__(self, options, folder, profile):
        super().__init__(str(REPOSITORY / "spur"), folder)
        self.options = options
        self.profile = profile

    def start_all(self):
        environment = {"SPUR_ETAS_ENABLED": "false", "SPUR_SECURITY_RATE_REQUESTSPERSECOND": "0"}
        self.start_service(environment, roundSeconds=ROUND_SECONDS, earlyRoundSeconds=EARLY_SECONDS)
        for node in NODES:
            self.start_agent(node, SLOTS)

    def submit(self, job, fixed):
        known = self.profile[job.model]
        pace = PACES[job.model]
        words = ["-B", str(TRAINING), job.model, "--samples", str(job.samples), "--seed", job.name[-2:]]
        words += ["--per-sample", str(pace["perSample"]), "--per-pass", str(pace["perPass"])]
        words += ["--record", str(self.record_of(job))]
        least, most = (job.requested, job.requested) if fixed else (COUNTS[0], COUNTS[-1])
        points = [
            {"acceleratorType": "stated", "batchSize": BATCH, **speed} for speed in speeds(known, "samplesPerSecond")
        ]
        spec = {
            "work": {"unit": "SAMPLES", "amount": job.samples},
            "elasticity": {"minSlots": least, "maxSlots": most, "powersOfTwo": True},
            "batch": {"initial": BATCH, "min": BATCH, "max": BATCH, "maxPerDevice": BATCH},
            "profile": {"points": points},
            "restartPenaltySeconds": known["startSeconds"],
            "changeCosts": change_costs(self.options),
        }
        command = {"program": self.options.python, "args": words, "env": {"OMP_NUM_THREADS": "1"}}
        submission = {"owner": "benchmark", "name": job.name, "command": command, "spec": spec}
        job.id = self.call("POST", "/jobs", submission)["id"]
        job.state = "SUBMITTED"

    def record_of(self, job):
        return self.folder / f"{job.name}.jsonl"

    def read(self, jobs, zero):
        """Reads the states of submitted jobs that have not ended. Times are of the service, relative to `zero`."""
        for job in jobs:
            if job.id and job.state not in ENDED:
                found = self.job(job.id)
                job.state = found["state"]
                if job.state in ENDED:
                    job.end = seconds_of(found["endedAt"]) - zero
                    job.allocated = self.first_start(job) - zero
                    job.record = read_record(self.record_of(job))

    def first_start(self, job):
        return min(seconds_of(held["startedAt"]) for held in self.call("GET", f"/jobs/{job.id}/allocations")["items"])


def change_costs(options):
    return {"rescaleSeconds": options.rescale_seconds, "migrateSeconds": options.migrate_seconds}


def speeds(known, member):
    """Profile points of a model. Nodes are of one machine, so the speed on two nodes is that on one."""
    return [
        {"slots": count, "nodes": nodes, member: known["speeds"][str(count)]}
        for count in COUNTS
        for nodes in ((1,) if count == 1 else (1, 2))
    ]


def seconds_of(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def startable(waiting, running, free, now, backfills, profile):
    """Returns the next job that starts, or None: FIFO, or EASY backfill (Lifka 1995).

    With backfill, a later job starts if it ends before the start of the first waiting job by the estimates, or leaves
    it enough slots. `running` holds pairs of the slots and the expected end of each running job.
    """
    limit, spare = None, 0
    for job in waiting:
        if limit is None:
            if job.requested <= free:
                return job
            if not backfills:
                return None
            limit, spare = reservation(job, running, free)
        elif job.requested <= free:
            if now + job.seconds(profile, job.requested) <= limit or job.requested <= spare:
                return job
    return None


def reservation(job, running, free):
    """The time at which `job` can start by the expected ends, and the slots that are then left over."""
    for slots, end in sorted(running, key=lambda pair: pair[1]):
        free += slots
        if free >= job.requested:
            return end, free - job.requested
    return math.inf, 0


def run(cluster, jobs, scheduler):
    """Submits the jobs as the scheduler requires, and waits until all have ended or the limit is over."""
    cluster.start_all()
    zero = time.time()
    busy = cpu_seconds()
    backfills = scheduler == "backfill"
    while any(job.state not in ENDED for job in jobs) and time.time() - zero < cluster.options.limit:
        cluster.read(jobs, zero)
        now = time.time() - zero
        waiting = [job for job in jobs if not job.id and job.arrival <= now]
        if scheduler == "spur":
            for job in waiting:
                cluster.submit(job, fixed=False)
        else:
            submit_fixed(cluster, jobs, waiting, now, backfills)
        time.sleep(0.2)
    cluster.read(jobs, zero)
    used = (cpu_seconds() - busy) / (time.time() - zero) / os.cpu_count()
    for job in jobs:
        cluster.say(f"{job.name}: {job.state}, arrival {job.arrival:.1f} s, JCT {job.jct:.1f} s")
    return used


def submit_fixed(cluster, jobs, waiting, now, backfills):
    while True:
        running = [job for job in jobs if job.id and job.state not in ENDED]
        free = SLOTS * len(NODES) - sum(job.requested for job in running)
        expected = [(job.requested, job.started + job.seconds(cluster.profile, job.requested)) for job in running]
        chosen = startable(waiting, expected, free, now, backfills, cluster.profile)
        if chosen is None:
            return
        cluster.submit(chosen, fixed=True)
        chosen.started = now
        waiting.remove(chosen)


def cpu_seconds():
    """CPU time of this machine that was not idle."""
    numbers = [int(word) for word in pathlib.Path("/proc/stat").read_text(encoding="ascii").split("\n")[0].split()[1:9]]
    return (sum(numbers) - numbers[3] - numbers[4]) / os.sysconf("SC_CLK_TCK")


def calibrate(options, folder):
    """Measures each model on each number of slots, three jobs at a time that start in turn, and returns the profiles.

    `startSeconds` is the part of the time from start to end that is not training, as the median over the runs.
    """
    cluster = Cluster(options, folder, {model: guess(model) for model in PACES})
    measured = {model: {"speeds": {}, "starts": []} for model in PACES}

    def measure():
        cluster.start_all()
        for shift in range(len(COUNTS)):
            jobs = []
            for number, model in enumerate(PACES):
                slots = COUNTS[(number + shift) % len(COUNTS)]
                steps = round(options.calibration_seconds / step_seconds(model, slots))
                jobs.append(Training(f"{model}-{shift}{slots}", model, BATCH * steps, slots, 0))
            for job in jobs:
                cluster.submit(job, fixed=True)
                cluster.await_that(lambda: read_record(cluster.record_of(job)), f"steps of {job.name}")  # noqa: B023
            cluster.await_that(lambda: cluster.read(jobs, 0) or all(job.state in ENDED for job in jobs), "the calibration")
            for job in jobs:
                require_done(job)
                steps = [line["at"] for line in job.record if "loss" in line]
                step = (steps[-1] - steps[2]) / (len(steps) - 3)
                start = job.end - cluster.first_start(job) - step * len(steps)
                measured[job.model]["speeds"][str(job.requested)] = BATCH / step
                measured[job.model]["starts"].append(start)
                cluster.say(f"{job.model} on {job.requested} slots: {BATCH / step:.1f} samples/s, start {start:.1f} s")

    run_until_end(cluster, measure)
    return {
        model: {"speeds": found["speeds"], "startSeconds": round(statistics.median(found["starts"]), 2)}
        for model, found in measured.items()
    }


def guess(model):
    return {"speeds": {str(count): BATCH / step_seconds(model, count) for count in COUNTS}, "startSeconds": 5}


def require_done(job):
    if job.state != "DONE":
        raise Unexpected(f"{job.name} is {job.state}")


def predict(options, folder, jobs, scheduler, profile):
    """JCT and time to the first start of each job, as `./spur simulate` gives for the same jobs, profiles and periods."""
    models = {
        model: {
            "initialBatch": BATCH,
            "restartSeconds": known["startSeconds"],
            "changeCosts": change_costs(options),
            "speeds": [{"type": "stated", **speed} for speed in speeds(known, "samplesPerSecond")],
        }
        for model, known in profile.items()
    }
    limits = {"minSlots": COUNTS[0], "maxSlots": COUNTS[-1], "powersOfTwo": True} if scheduler == "spur" else {}
    trace = [
        {
            "id": job.name,
            "arrival": job.arrival,
            "model": job.model,
            "samples": job.samples,
            "requestedSlots": job.requested,
            **limits,
        }
        for job in jobs
    ]
    cluster = {"nodes": [{"type": "stated", "count": len(NODES), "slots": SLOTS}]}
    files = {"trace.json": {"models": models, "jobs": trace}, "cluster.json": cluster}
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content, indent=1), encoding="ascii")
    words = [str(REPOSITORY / "spur"), "simulate", "--trace", str(folder / "trace.json"), "--format", "spur"]
    words += ["--cluster", str(folder / "cluster.json"), "--policy", POLICIES[scheduler], "--json", str(folder / "replay.json")]
    words += ["--round", str(ROUND_SECONDS), "--early", str(EARLY_SECONDS)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    replay = json.loads((folder / "replay.json").read_text(encoding="utf-8"))["policies"][0]
    return {
        job["id"]: {"predicted": job["end"] - job["arrival"], "predictedWait": job["firstStart"] - job["arrival"]}
        for job in replay["jobs"]
    }


def measure(options, out, seed, scheduler, profile):
    """Runs a scheduler on the jobs of a seed, and returns the row of the results."""
    folder = out / f"{scheduler}-{seed}"
    jobs = draw(seed, options.jobs, options.mean_seconds, options.window * options.jobs)
    cluster = Cluster(options, folder, profile)
    row = {"scheduler": scheduler, "seed": seed}
    run_until_end(cluster, lambda: row.update(cpu=run(cluster, jobs, scheduler)))
    done = [job for job in jobs if job.state == "DONE"]
    found = [change for job in jobs for change in changes(job.record)]
    stalls = {
        kind: [stall for name, _, _, stall in found if name == kind] for kind in KINDS
    }
    predicted = predict(options, folder, jobs, scheduler, profile)
    return {
        **row,
        "jobs": {
            job.name: {"jct": job.jct, "wait": job.allocated - job.arrival, **predicted[job.name], **end_of(job)}
            for job in done
        },
        "failed": [job.name for job in jobs if job.state != "DONE"],
        "makespan": max((job.end for job in done), default=0) - min(job.arrival for job in jobs),
        "restarts": sum(generations(job) - 1 for job in done) - len(stalls["MIGRATE"]),
        "stalls": stalls,
    }


def generations(job):
    return max(line["generation"] for line in job.record if "generation" in line)


def end_of(job):
    last = job.record[-1]
    return {"samples": last.get("samples"), "testLoss": last.get("testLoss")}


COLUMNS = (
    "scheduler | seed | mean JCT | p50 | p90 | makespan | failed | restarts | rescales | moves | CPU"
    " | wait | predicted wait | predicted JCT | difference"
)


def table(rows):
    lines = [f"| {COLUMNS} |", "| --- " * len(COLUMNS.split("|")) + "|"]
    for scheduler in POLICIES:
        of_scheduler = [numbers(row) for row in rows if row["scheduler"] == scheduler and row["jobs"]]
        seeds = [row["seed"] for row in rows if row["scheduler"] == scheduler and row["jobs"]]
        lines += [line(scheduler, seed, values) for seed, values in zip(seeds, of_scheduler)]
        if len(of_scheduler) > 1:
            lines.append(line(scheduler, "mean", [statistics.mean(column) for column in zip(*of_scheduler)]))
    return "\n".join(lines)


def numbers(row):
    jcts = sorted(job["jct"] for job in row["jobs"].values())
    wait, predicted_wait, predicted = (
        statistics.mean(job[name] for job in row["jobs"].values()) for name in ("wait", "predictedWait", "predicted")
    )
    p90 = jcts[0] if len(jcts) == 1 else statistics.quantiles(jcts, n=10, method="inclusive")[-1]
    stalls = row["stalls"]
    counts = [len(row["failed"]), row["restarts"], len(stalls["RESCALE"]), len(stalls["MIGRATE"])]
    return [statistics.mean(jcts), statistics.median(jcts), p90, row["makespan"], *counts, row["cpu"], wait, predicted_wait, predicted]


def line(scheduler, seed, values):
    mean, p50, p90, makespan, failed, restarts, rescales, moves, cpu, wait, predicted_wait, predicted = values
    cells = [f"{value:.1f}" for value in (mean, p50, p90, makespan)] + [f"{value:g}" for value in (failed, restarts, rescales, moves)]
    cells += [f"{cpu:.0%}", f"{wait:.1f}", f"{predicted_wait:.1f}", f"{predicted:.1f}", f"{predicted / mean - 1:+.1%}"]
    return " | ".join(["", scheduler, str(seed), *cells, ""]).strip()


def stalls_of(rows):
    lines = []
    for kind in KINDS:
        all_stalls = [stall for row in rows for stall in row["stalls"][kind]]
        if all_stalls:
            lines.append(f"Stall of a {kind}: mean {statistics.mean(all_stalls):.2f} s of {len(all_stalls)}.")
    return "\n".join(lines)


def largest_difference_of_losses(rows):
    """Largest relative difference of the loss of a job between schedulers: the same samples are trained."""
    losses = {}
    for row in rows:
        for name, job in row["jobs"].items():
            losses.setdefault((row["seed"], name), []).append(job["testLoss"])
    return max(((max(each) - min(each)) / min(each) for each in losses.values()), default=0)


def parse():
    parser = argparse.ArgumentParser(description="Real trainings under Spur, FIFO and backfill, and their replay.")
    parser.add_argument("--jobs", type=int, default=20, help="jobs per run (default: %(default)s)")
    parser.add_argument("--seeds", default="1,2,3", help="seeds of the jobs (default: %(default)s)")
    parser.add_argument("--schedulers", default=",".join(POLICIES), help="default: %(default)s")
    parser.add_argument("--mean-seconds", type=float, default=45, help="mean duration of a job on one slot (default: %(default)s)")
    parser.add_argument("--window", type=float, default=6, help="mean seconds between arrivals (default: %(default)s)")
    parser.add_argument("--rescale-seconds", type=float, default=0.3, help="stated stall of a change of ranks (default: %(default)s)")
    parser.add_argument("--migrate-seconds", type=float, default=1, help="stated stall of a move (default: %(default)s)")
    parser.add_argument("--calibration-seconds", type=float, default=15, help="training of a calibration run (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=900, help="maximum seconds of a run (default: %(default)s)")
    parser.add_argument("--out", default="target/physical", help="folder of the results; finished runs are kept (default: %(default)s)")
    return parser.parse_args()


def main():
    options = parse()
    options.python = python_with_torch() or sys.exit("PyTorch is missing: apt-get install python3-torch, or pip install torch.")
    out = pathlib.Path(options.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    subprocess.run([str(REPOSITORY / "spur"), "version"], check=True, stdout=subprocess.DEVNULL)
    profile = kept(out / "profile.json", lambda: calibrate(options, out / "calibration"))
    rows = []
    for seed in map(int, options.seeds.split(",")):
        for scheduler in options.schedulers.split(","):
            print(f"{scheduler}, seed {seed}", flush=True)
            rows.append(kept(out / f"{scheduler}-{seed}.json", lambda: measure(options, out, seed, scheduler, profile)))  # noqa: B023
    print(f"\n{table(rows)}\n\n{stalls_of(rows)}\nLargest relative difference of a loss: {largest_difference_of_losses(rows):.1e}.")


def kept(file, make):
    """Reads what an earlier call has stored in `file`, or makes and stores it."""
    if not file.exists():
        content = json.dumps(make(), indent=1)
        file.write_text(content + "\n", encoding="ascii")
    return json.loads(file.read_text(encoding="ascii"))


if __name__ == "__main__":
    main()
