#!/usr/bin/env python3
"""Real PyTorch trainings on this machine under Spur, FIFO and backfill, and the replay of the same jobs (see README.md).

usage: python3 benchmarks/physical/run.py [--experiment even|uneven] [--jobs 20] [--seeds 1,2,3] [--out FOLDER]
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time
from datetime import datetime

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "training"))
from local_cluster import ENDED, REPOSITORY, LocalCluster, Unexpected, python_with_torch, run_until_end  # noqa: E402
from record import KINDS, changes, read_record  # noqa: E402
from workload import EXPERIMENTS, KINDS_OF_JOBS, PACES, SILENT, Training, draw_even, draw_uneven, pace_of  # noqa: E402

TRAINING = REPOSITORY / "examples" / "training" / "paced.py"
SILENT_TRAINING = REPOSITORY / "benchmarks" / "physical" / "plain.py"
ROUND_SECONDS, EARLY_SECONDS = 5, 1
POLICIES = {"spur": "spur", "fifo": "fifo", "backfill": "easy-backfill"}
CALIBRATION_SLOTS = 5
"""Slots of each of the two nodes on which the profile is measured."""


class Cluster(LocalCluster):
    """`nodes` are slots by node, `profile` is by model."""

    def __init__(self, options, nodes, folder, profile):
        super().__init__(str(REPOSITORY / "spur"), folder)
        self.options = options
        self.experiment = EXPERIMENTS[options.experiment]
        self.nodes = nodes
        self.profile = profile

    def start_all(self):
        environment = {"SPUR_ETAS_ENABLED": "false", "SPUR_SECURITY_RATE_REQUESTSPERSECOND": "0"}
        self.start_service(environment, roundSeconds=ROUND_SECONDS, earlyRoundSeconds=EARLY_SECONDS)
        for node, slots in self.nodes.items():
            self.start_agent(node, slots)

    def submit(self, job, fixed):
        job.id = self.submit_silent(job) if job.model == SILENT else self.submit_known(job, fixed)
        job.state = "SUBMITTED"

    def words_of(self, job):
        pace = pace_of(job.model)
        words = ["--samples", str(job.samples), "--batch", str(self.experiment.batch)]
        words += ["--per-sample", str(pace["perSample"]), "--per-pass", str(pace["perPass"])]
        return [*words, "--record", str(self.record_of(job))]

    def submit_silent(self, job):
        """As a user submits a script of which nothing is known: by the command line, and without a speed or an amount of work."""
        words = [self.spur, "submit", "--service", self.address, "--name", job.name, "--owner", "benchmark", "--output", "name"]
        words += ["--gpus", str(job.requested), "--batch", str(self.experiment.batch), "--env", "OMP_NUM_THREADS=1", "--"]
        words += [self.options.python, "-B", str(SILENT_TRAINING), *self.words_of(job)]
        words += ["--checkpoint", str(self.folder / f"{job.name}.pt")]
        told = subprocess.run(words, capture_output=True, text=True, check=False)
        if told.returncode != 0:
            raise Unexpected(f"{job.name} was not submitted: {told.stderr}")
        return told.stdout.strip()

    def submit_known(self, job, fixed):
        known = self.profile[job.model]
        batch = self.experiment.batch
        words = ["-B", str(TRAINING), job.model, "--seed", job.name[-2:], *self.words_of(job)]
        least, most = (job.requested, job.requested) if fixed else job.range
        points = [
            {"acceleratorType": "stated", "batchSize": batch, **speed}
            for speed in speeds(self.experiment, known, "samplesPerSecond")
        ]
        spec = {
            "work": {"unit": "SAMPLES", "amount": job.samples},
            "elasticity": {"minSlots": least, "maxSlots": most, "powersOfTwo": self.experiment.powers_of_two},
            "batch": {"initial": batch, "min": batch, "max": batch, "maxPerDevice": batch},
            "profile": {"points": points},
            "restartPenaltySeconds": known["startSeconds"],
            "changeCosts": change_costs(self.options),
        }
        command = {"program": self.options.python, "args": words, "env": {"OMP_NUM_THREADS": "1"}}
        submission = {"owner": "benchmark", "name": job.name, "command": command, "spec": spec}
        return self.call("POST", "/jobs", submission)["id"]

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


def speeds(experiment, known, member):
    """Profile points of a model. Nodes are of one machine, so the speed on two nodes is that on one."""
    return [
        {"slots": count, "nodes": nodes, member: known["speeds"][str(count)]}
        for count in experiment.counts
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
        free = cluster.experiment.slots - sum(job.requested for job in running)
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
    experiment = EXPERIMENTS[options.experiment]
    counts = experiment.counts
    nodes = dict.fromkeys(experiment.nodes, CALIBRATION_SLOTS)
    cluster = Cluster(options, nodes, folder, {model: guess(experiment, model) for model in PACES})
    measured = {model: {"speeds": {}, "starts": []} for model in PACES}

    def measure():
        cluster.start_all()
        for shift in range(len(counts)):
            jobs = []
            for number, model in enumerate(PACES):
                slots = counts[(number + shift) % len(counts)]
                steps = round(options.calibration_seconds / experiment.step_seconds(model, slots))
                jobs.append(Training(f"{model}-{shift}{slots}", model, experiment.batch * steps, slots, 0))
            for job in jobs:
                cluster.submit(job, fixed=True)
                cluster.await_that(lambda: read_record(cluster.record_of(job)), f"steps of {job.name}")  # noqa: B023
            cluster.await_that(lambda: cluster.read(jobs, 0) or all(job.state in ENDED for job in jobs), "the calibration")
            for job in jobs:
                require_done(job)
                steps = [line["at"] for line in job.record if "loss" in line]
                step = (steps[-1] - steps[2]) / (len(steps) - 3)
                start = job.end - cluster.first_start(job) - step * len(steps)
                measured[job.model]["speeds"][str(job.requested)] = experiment.batch / step
                measured[job.model]["starts"].append(start)
                cluster.say(f"{job.model} on {job.requested} slots: {experiment.batch / step:.1f} samples/s, start {start:.1f} s")

    run_until_end(cluster, measure)
    return {
        model: {"speeds": found["speeds"], "startSeconds": round(statistics.median(found["starts"]), 2)}
        for model, found in measured.items()
    }


def guess(experiment, model, start_seconds=5):
    known = {str(count): experiment.batch / experiment.step_seconds(model, count) for count in experiment.counts}
    return {"speeds": known, "startSeconds": start_seconds}


def with_silent(experiment, profile):
    """Adds what the user expects of silent jobs; backfill uses it as their estimate, and Spur is not told."""
    return {**profile, SILENT: guess(experiment, SILENT, statistics.median(known["startSeconds"] for known in profile.values()))}


def require_done(job):
    if job.state != "DONE":
        raise Unexpected(f"{job.name} is {job.state}")


def predict(options, folder, jobs, scheduler, profile):
    """JCT and time to the first start of each job, as `./spur simulate` gives for the same jobs, profiles and periods."""
    experiment = EXPERIMENTS[options.experiment]
    models = {
        model: {
            "initialBatch": experiment.batch,
            "restartSeconds": known["startSeconds"],
            "changeCosts": change_costs(options),
            "speeds": [{"type": "stated", **speed} for speed in speeds(experiment, known, "samplesPerSecond")],
        }
        for model, known in profile.items()
    }
    counts = experiment.counts
    limits = {"minSlots": counts[0], "maxSlots": counts[-1], "powersOfTwo": True} if scheduler == "spur" else {}
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
    cluster = {"nodes": [{"type": "stated", "count": 1, "slots": slots} for slots in experiment.nodes.values()]}
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
    experiment = EXPERIMENTS[options.experiment]
    jobs = draw(options, experiment, seed)
    cluster = Cluster(options, experiment.nodes, folder, with_silent(experiment, profile))
    row = {"scheduler": scheduler, "seed": seed}
    run_until_end(cluster, lambda: row.update(cpu=run(cluster, jobs, scheduler)))
    done = [job for job in jobs if job.state == "DONE"]
    found = [change for job in jobs for change in changes(job.record)]
    stalls = {
        kind: [stall for name, _, _, stall in found if name == kind] for kind in KINDS
    }
    predicted = predict(options, folder, jobs, scheduler, profile) if experiment.replayed else {}
    return {
        **row,
        "jobs": {
            job.name: {"jct": job.jct, "wait": job.allocated - job.arrival, "kind": job.kind, **predicted.get(job.name, {}), **end_of(job)}
            for job in done
        },
        "failed": [job.name for job in jobs if job.state != "DONE"],
        "makespan": max((job.end for job in done), default=0) - min(job.arrival for job in jobs),
        "restarts": sum(generations(job) - 1 for job in done) - len(stalls["MIGRATE"]),
        "stalls": stalls,
    }


def draw(options, experiment, seed):
    if options.experiment == "uneven":
        return draw_uneven(experiment, seed)
    return draw_even(experiment, seed, options.jobs, options.mean_seconds, options.window * options.jobs)


def generations(job):
    return max(line["generation"] for line in job.record if "generation" in line)


def end_of(job):
    last = job.record[-1]
    return {"samples": last.get("samples"), "testLoss": last.get("testLoss")}


COLUMNS = "scheduler | seed | mean JCT | p50 | p90 | makespan | failed | restarts | rescales | moves | CPU | wait"
REPLAY_COLUMNS = "predicted wait | predicted JCT | difference"


def table(experiment, rows):
    columns = f"{COLUMNS} | {REPLAY_COLUMNS if experiment.replayed else ' | '.join(KINDS_OF_JOBS)}"
    lines = [f"| {columns} |", "| --- " * len(columns.split("|")) + "|"]
    for scheduler in POLICIES:
        found = [row for row in rows if row["scheduler"] == scheduler and row["jobs"]]
        values = [numbers(row) + (replay_of(row) if experiment.replayed else kinds_of(row)) for row in found]
        lines += [line(experiment, scheduler, row["seed"], each) for row, each in zip(found, values)]
        if len(found) > 1:
            lines.append(line(experiment, scheduler, "mean", [statistics.mean(column) for column in zip(*values)]))
    return "\n".join(lines)


def numbers(row):
    jcts = sorted(job["jct"] for job in row["jobs"].values())
    p90 = jcts[0] if len(jcts) == 1 else statistics.quantiles(jcts, n=10, method="inclusive")[-1]
    stalls = row["stalls"]
    counts = [len(row["failed"]), row["restarts"], len(stalls["RESCALE"]), len(stalls["MIGRATE"])]
    return [statistics.mean(jcts), statistics.median(jcts), p90, row["makespan"], *counts, row["cpu"], mean_of(row, "wait")]


def replay_of(row):
    return [mean_of(row, "predictedWait"), mean_of(row, "predicted")]


def kinds_of(row):
    """Mean JCT of each kind of jobs; not a number where none is done."""
    found = [[job["jct"] for job in row["jobs"].values() if job["kind"] == kind] for kind in KINDS_OF_JOBS]
    return [statistics.mean(jcts) if jcts else math.nan for jcts in found]


def mean_of(row, member):
    return statistics.mean(job[member] for job in row["jobs"].values())


def line(experiment, scheduler, seed, values):
    mean, p50, p90, makespan, failed, restarts, rescales, moves, cpu, wait, *others = values
    cells = [f"{value:.1f}" for value in (mean, p50, p90, makespan)] + [f"{value:g}" for value in (failed, restarts, rescales, moves)]
    cells += [f"{cpu:.0%}", *(f"{value:.1f}" for value in (wait, *others))]
    if experiment.replayed:
        cells.append(f"{others[-1] / mean - 1:+.1%}")
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
    parser.add_argument("--experiment", choices=EXPERIMENTS, default="even", help="nodes and jobs (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=20, help="jobs per run of even (default: %(default)s)")
    parser.add_argument("--seeds", default="1,2,3", help="seeds of the jobs (default: %(default)s)")
    parser.add_argument("--schedulers", default=",".join(POLICIES), help="default: %(default)s")
    parser.add_argument("--mean-seconds", type=float, default=45, help="mean duration of a job of even on one slot (default: %(default)s)")
    parser.add_argument("--window", type=float, default=6, help="mean seconds between arrivals of even (default: %(default)s)")
    parser.add_argument("--rescale-seconds", type=float, default=0.3, help="stated stall of a change of ranks (default: %(default)s)")
    parser.add_argument("--migrate-seconds", type=float, default=1, help="stated stall of a move (default: %(default)s)")
    parser.add_argument("--calibration-seconds", type=float, default=15, help="training of a calibration run (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=900, help="maximum seconds of a run (default: %(default)s)")
    parser.add_argument("--out", default="target/physical", help="a folder per experiment in it keeps finished runs (default: %(default)s)")
    return parser.parse_args()


def main():
    options = parse()
    options.python = python_with_torch() or sys.exit("PyTorch is missing: apt-get install python3-torch, or pip install torch.")
    out = pathlib.Path(options.out).resolve() / options.experiment
    out.mkdir(parents=True, exist_ok=True)
    subprocess.run([str(REPOSITORY / "spur"), "version"], check=True, stdout=subprocess.DEVNULL)
    profile = kept(out / "profile.json", lambda: calibrate(options, out / "calibration"))
    rows = []
    for seed in map(int, options.seeds.split(",")):
        for scheduler in options.schedulers.split(","):
            print(f"{scheduler}, seed {seed}", flush=True)
            rows.append(kept(out / f"{scheduler}-{seed}.json", lambda: measure(options, out, seed, scheduler, profile)))  # noqa: B023
    print(f"\n{table(EXPERIMENTS[options.experiment], rows)}\n\n{stalls_of(rows)}")
    print(f"Largest relative difference of a loss: {largest_difference_of_losses(rows):.1e}.")


def kept(file, make):
    """Reads what an earlier call has stored in `file`, or makes and stores it."""
    if not file.exists():
        content = json.dumps(make(), indent=1)
        file.write_text(content + "\n", encoding="ascii")
    return json.loads(file.read_text(encoding="ascii"))


if __name__ == "__main__":
    main()
