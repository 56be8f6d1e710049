"""Spur against Sia in the simulator that the authors of Sia publish.

The simulator (https://github.com/siasosp23/artifacts) stays unchanged: it advances the jobs, charges restarts, and
chooses the batch size of each placement. A row of the table is a policy: Sia's own program, or a Spur service that
receives each round as `POST /api/v1/solve`. README.md in this folder describes the rows.
"""

import argparse
import collections
import contextlib
import dataclasses
import json
import math
import os
import statistics
import sys
import time
import urllib.error
import urllib.request

#: A batch size that every used number of slots divides: the simulator chooses the real one itself.
NOMINAL_BATCH = 55440
ROUND_SECONDS = 60
#: Sia considers at most twice the largest number of slots that a job has measured.
GROWTH = 2
MAX_REPLICAS = 64


@dataclasses.dataclass(frozen=True)
class Row:
    """A policy and what it knows."""

    scheduler: str
    #: The measured throughput of all configurations, and the gradient statistics of the epoch.
    oracle: bool = False
    #: Batch sizes up to the limit of the training; otherwise up to the submitted size.
    limit: bool = False
    #: All jobs of a model share their measurements at once.
    family: bool = False
    #: Every number of slots; otherwise those of Sia.
    counts: bool = False
    #: Shapes on more nodes than necessary.
    spread: bool = False


ROWS = {
    "sia": Row("sia"),
    "spur": Row("spur"),
    "spur-limit": Row("spur", limit=True),
    "spur-family": Row("spur", limit=True, family=True),
    "spur-counts": Row("spur", limit=True, family=True, counts=True),
    "spur-spread": Row("spur", limit=True, family=True, counts=True, spread=True),
    "sia-family": Row("sia", limit=True, family=True),
    "sia-oracle": Row("sia", oracle=True),
    "spur-oracle": Row("spur", oracle=True),
    "spur-oracle-counts": Row("spur", oracle=True, counts=True),
    "spur-oracle-spread": Row("spur", oracle=True, counts=True, spread=True),
}


class Service:
    """A Spur service. Solves snapshots and stores nothing."""

    def __init__(self, url, token=None):
        self.url = url.rstrip("/") + "/api/v1/solve"
        self.headers = {"Content-Type": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def solve(self, snapshot):
        """Returns the plan. Waits where the service limits the rate, and exits with its message on another error."""
        body = json.dumps(snapshot).encode()
        while True:
            try:
                with urllib.request.urlopen(urllib.request.Request(self.url, body, self.headers), timeout=300) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503):
                    sys.exit(f"{self.url}: status {error.code}: {error.read().decode(errors='replace')[:4000]}")
                time.sleep(float(error.headers.get("Retry-After") or 1))
            except urllib.error.URLError as error:
                sys.exit(f"{self.url}: {error.reason}. Start a service with ./spur serve, or set --service.")


def load_simulator(artifacts):
    """Imports the modules `cluster`, `job`, `sia` and `simulator_config`. HiGHS solves Sia's programs."""
    folder = os.path.join(artifacts, "sia-simulator")
    if not os.path.isdir(folder):
        sys.exit(f"{folder}: no such folder. --artifacts requires a clone of https://github.com/siasosp23/artifacts")
    sys.path.insert(0, folder)
    import cvxpy

    solve = cvxpy.Problem.solve

    def solve_by_highs(problem, **_):
        return solve(problem, solver=cvxpy.SCIPY, scipy_options={"mip_rel_gap": 1e-4})

    cvxpy.Problem.solve = solve_by_highs
    import cluster
    import job
    import sia
    import simulator_config

    return argparse.Namespace(cluster=cluster, job=job, sia=sia, config=simulator_config)


class ExactGoodput:
    """The goodput of a job on a type of accelerator, from the tables by which the simulator advances it."""

    def __init__(self, app, epoch, cache):
        self.app = app
        self.epoch = min(epoch, app.max_epochs - 1)
        self.cache = cache

    def get_goodput(self, nodes, replicas):
        return [self._best(int(n), int(k)) for n, k in zip(nodes, replicas)]

    def _best(self, nodes, replicas):
        key = (id(self.app), self.epoch, nodes, replicas)
        if key not in self.cache:
            placement = balanced(nodes, replicas)
            self.cache[key] = max((self._goodput(placement, b, a) for b, a in self._batches(placement)), default=0.0)
        return self.cache[key]

    def _batches(self, placement):
        """Yields batch sizes per device and numbers of further passes."""
        replicas = sum(placement)
        largest = self.app.get_max_local_bsz(placement)
        if not largest >= self.app.min_local_bsz:
            return
        low = max(self.app.init_batch_size, self.app.min_local_bsz * replicas)
        for step in range(20):
            batch = low * (self.app.max_batch_size / low) ** (step / 19) / replicas
            passes = max(1, math.ceil(batch / largest - 1e-8))
            if replicas == 1 and batch > self.app.init_batch_size:
                passes = max(2, passes)
            local = math.ceil(batch / passes - 1e-8)
            local = min(local, int(self.app.max_batch_size / (replicas * passes)))
            if self.app.min_local_bsz <= local <= largest:
                yield local, passes - 1

    def _goodput(self, placement, local, accumulation):
        step, sync = throughput(self.app, placement, local)
        if not step > 0:
            return 0.0
        batch = sum(placement) * local * (accumulation + 1)
        if not self.app.init_batch_size <= batch <= self.app.max_batch_size:
            return 0.0
        sqr, var = self.app.get_grad_stats(batch, self.epoch)
        gain = (var + sqr) / (var * self.app.init_batch_size / batch + sqr)
        return gain * self.app.init_batch_size / (step + (step - sync) * accumulation)


def throughput(app, placement, local):
    """Returns the seconds of a step and of its synchronization; NaN where the tables have no value."""
    try:
        step, sync = app.get_throughput(placement, local)
    except (AssertionError, IndexError, ValueError):
        return math.nan, math.nan
    return (step, sync) if step > 0 else (math.nan, math.nan)


def balanced(nodes, replicas):
    """Returns the placement with the most equal numbers of slots per node, in descending order."""
    return tuple(replicas // nodes + (1 if node < replicas % nodes else 0) for node in range(nodes))


class Knowledge:
    """The goodput functions of a row."""

    def __init__(self, row, job_module):
        self.row = row
        self.job_module = job_module
        self.fits = {}
        self.exact = {}

    def apply(self, jobs, infos):
        """Replaces the goodput functions in `infos` by those of the row."""
        row = self.row
        if not (row.oracle or row.limit or row.family):
            return
        families = collections.defaultdict(list)
        for job in jobs:
            families[job.app_name].append(job)
        for job in jobs:
            info = infos.get(job.name)
            if info is None:
                continue
            for cluster in info.speedup_fn:
                if row.oracle:
                    app = job.applications[cluster]
                    info.speedup_fn[cluster] = ExactGoodput(app, job.epoch, self.exact)
                    info.max_replicas[cluster] = min(MAX_REPLICAS, app.max_batch_size // app.min_local_bsz)
                else:
                    self._learned(job, families[job.app_name], cluster, info)

    def _learned(self, job, family, cluster, info):
        app = job.applications[cluster]
        model, gradients = job.perf_params[cluster], job.grad_params
        if self.row.family:
            model, largest = self._family_model(job, family, cluster)
            gradients = gradients or next((other.grad_params for other in family if other.grad_params), None)
            info.max_replicas[cluster] = min(
                max(GROWTH * largest, 1), MAX_REPLICAS, app.max_batch_size // app.min_local_bsz
            )
        if model is None or gradients is None:
            info.speedup_fn[cluster] = None
            return
        limit = app.max_batch_size if self.row.limit else job.target_batch_size
        info.speedup_fn[cluster] = job.speedup_fn_class(
            self.job_module.GoodputFunction(model, gradients, app.init_batch_size),
            limit,
            (app.min_local_bsz, app.max_local_bsz),
            accumulation=True,
        )

    def _family_model(self, job, family, cluster):
        """Returns the model of all measurements of the family on the type, and their largest number of slots."""
        profile = {}
        for other in family:
            profile.update(other.profiles[cluster])
        if not profile:
            return None, 0
        key = (job.app_name, cluster)
        if self.fits.get(key, (0, None))[0] != len(profile):
            self.fits[key] = (len(profile), job.optimize_perf_params(profile))
        return self.fits[key][1], max(replicas for _, replicas, _ in profile)


def policies(simulator, service, row):
    """Returns the policy of a row: a subclass of Sia's, because the simulator accepts no other."""
    import numpy

    class InformedSia(simulator.sia.SiaPolicy):
        """Sia's program with the knowledge of the row."""

        gaps = ()

        def attach(self, simulated):
            self.simulated = simulated
            self.knowledge = Knowledge(row, simulator.job)

        def optimize(self, jobs, nodes, previous):
            self.knowledge.apply(self.simulated.jobs, jobs)
            return super().optimize(jobs, nodes, previous)

    class Spur(InformedSia):
        """The plans of a Spur service. Sia's functions compute the goodput of the configurations."""

        def attach(self, simulated):
            super().attach(simulated)
            self.gaps = []
            self.memory = {}
            self.allocations = {}
            self.stopped = {}
            self.valid = {}

        def optimize(self, jobs, nodes, previous):
            self.knowledge.apply(self.simulated.jobs, jobs)
            plan = service.solve(self._snapshot(jobs, nodes))
            self.memory = plan["memory"]
            self.gaps.append(plan["quality"].get("gap") or 0.0)
            held = {running["jobId"]: running["allocation"] for running in plan["running"]}
            self.stopped.update({name: self.simulated.current_time for name in self.allocations if name not in held})
            self.allocations = held
            return {name: self._gpus(name) for name in jobs}

        def _gpus(self, name):
            """Returns the type and, for each slot, the index of its node."""
            allocation = self.allocations.get(name)
            if allocation is None:
                return None, ()
            pieces = [(int(p["node"].rsplit("-", 1)[1]), len(p["devices"])) for p in allocation["placement"]]
            return (
                allocation["configuration"]["acceleratorType"],
                [node for node, count in pieces for _ in range(count)],
            )

        def _snapshot(self, jobs, nodes):
            simulated = {job.name: job for job in self.simulated.jobs}
            return {
                "format": "spur-snapshot/1",
                "now": self.simulated.current_time,
                "settings": {"gapTarget": 0.002, "budget": {"work": 1, "wallSeconds": 60}},
                "acceleratorTypes": [{"name": cluster, "contention": 0} for cluster in nodes],
                "pools": [{"name": cluster} for cluster in nodes],
                "nodes": [
                    {
                        "id": f"{cluster}-{index}",
                        "pool": cluster,
                        "acceleratorType": cluster,
                        "devices": [str(device) for device in range(node.resources["nvidia.com/gpu"])],
                        "cpus": 1000,
                        "memoryGiB": 10000,
                    }
                    for cluster, of_type in nodes.items()
                    for index, node in of_type.items()
                ],
                "jobs": [self._job(name, info, simulated[name], nodes) for name, info in jobs.items()],
                "memory": self.memory,
            }

        def _job(self, name, info, job, nodes):
            points = self._points(info, job, nodes)
            counts = sorted({point["slots"] for point in points})
            app = job.reference_app
            total = app.get_progress(app.max_epochs)
            restart = simulator.sia.get_restart_penalty(name)
            history = {
                "attainedService": info.attained_service,
                "runSeconds": job.execution_time,
                "restarts": info.num_restarts,
                "waitingSince": max(info.creation_timestamp, self.stopped.get(name, 0)),
            }
            allocation = self.allocations.get(name)
            return {
                "id": name,
                "arrival": info.creation_timestamp,
                # progress is counted in steps at the initial batch size
                "remainingSamples": max(1.0, total - job.progress) * app.init_batch_size,
                "history": history,
                "allocation": allocation,
                "spec": {
                    "work": {"amount": total * app.init_batch_size},
                    "elasticity": {"maxSlots": counts[-1], "allowedCounts": counts, "consolidate": not row.spread},
                    "batch": dict.fromkeys(("initial", "min", "max", "maxPerDevice"), NOMINAL_BATCH),
                    "profile": {"points": points},
                    "restartPenaltySeconds": restart,
                    # Sia does not move a job that writes or reads its checkpoint, either
                    "minRunSeconds": restart,
                },
            }

        def _points(self, info, job, nodes):
            """Returns the goodput of each configuration that the row may use. Others have the value 0."""
            unknown = all(function is None for function in info.speedup_fn.values())
            largest = max(1, *info.max_replicas.values())
            points = []
            for cluster in nodes:
                shapes = [(1, 1)] if unknown else self._shapes(job, cluster, len(nodes[cluster]), largest)
                if unknown:
                    goodputs = [1.0]
                else:
                    nodes_and_slots = numpy.asarray(shapes).reshape(-1, 2)
                    goodputs = self._compute_goodputs_v2(info, cluster, nodes_and_slots[:, 0], nodes_and_slots[:, 1])
                known = {shape: float(goodput) for shape, goodput in zip(shapes, goodputs)}
                points += [
                    {
                        "acceleratorType": cluster,
                        "slots": slots,
                        "nodes": count,
                        "batchSize": NOMINAL_BATCH,
                        "samplesPerSecond": max(0.0, goodput),
                    }
                    for (count, slots), goodput in known.items()
                ]
            held = self.allocations.get(job.name)
            return self._with_zeros(points, nodes, held)

        def _with_zeros(self, points, nodes, held):
            """Adds a value of 0 for each number of slots that another type allows: it would be interpolated."""
            counts = {point["slots"] for point in points}
            if held is not None:
                counts.add(sum(held["configuration"]["shape"]))
            known = {(p["acceleratorType"], p["slots"], p["nodes"]) for p in points}
            zeros = []
            for cluster in nodes:
                per_node = self.cluster_ngpus_per_node[cluster]
                for slots in counts:
                    for count in range(math.ceil(slots / per_node), min(slots, len(nodes[cluster])) + 1):
                        if (cluster, slots, count) not in known:
                            zeros.append(
                                {
                                    "acceleratorType": cluster,
                                    "slots": slots,
                                    "nodes": count,
                                    "batchSize": NOMINAL_BATCH,
                                    "samplesPerSecond": 0,
                                }
                            )
            return points + zeros

        def _shapes(self, job, cluster, node_count, largest):
            """Returns pairs of nodes and slots that the tables of the simulator cover."""
            per_node = self.cluster_ngpus_per_node[cluster]
            if not row.counts:
                return [(int(n), int(k)) for n, k in zip(*self.configs[cluster]) if k <= largest]
            shapes = []
            for slots in range(1, min(largest, per_node * node_count) + 1):
                if NOMINAL_BATCH % slots:
                    continue
                minimum = math.ceil(slots / per_node)
                maximum = min(slots, node_count) if row.spread else minimum
                shapes += [(n, slots) for n in range(minimum, maximum + 1) if self._covered(job, cluster, n, slots)]
            return shapes

        def _covered(self, job, cluster, count, slots):
            app = job.applications[cluster]
            key = (app.name, cluster, count, slots)
            if key not in self.valid:
                placement = balanced(count, slots)
                largest = app.get_max_local_bsz(placement)
                self.valid[key] = largest >= app.min_local_bsz and all(
                    throughput(app, placement, local)[0] > 0
                    for local in {int(app.min_local_bsz), int((app.min_local_bsz + largest) // 2), int(largest)}
                )
            return self.valid[key]

    return Spur if row.scheduler == "spur" else InformedSia



def simulate(simulator, service, name, workload, limit=None):
    """Returns the figures of a row on a workload."""
    import pandas

    row = ROWS[name]
    config = simulator.config
    per_node = {cluster: config.cluster_ngpus_per_node[cluster] for cluster in config.cluster_nnodes}
    started = time.time()
    with open(os.devnull, "w") as sink, contextlib.redirect_stdout(sink):
        policy = policies(simulator, service, row)(
            p_fairness=config.sia_default_p_val,
            lambda_a=config.sia_default_lambda_a,
            lambda_n=config.sia_default_lambda_n,
            project_throughputs=True,
            share_max_replicas=True,
        )
        policy.populate_valid_configs(config.cluster_nnodes, per_node, config.cluster_max_physical_nnodes)
        jobs = pandas.read_csv(workload)
        simulated = simulator.cluster.Cluster(
            jobs if limit is None else jobs.head(limit),
            policy,
            config.cluster_nnodes,
            per_node,
            max_physical_nodes=config.cluster_max_physical_nnodes,
        )
        policy.attach(simulated)
        rounds = 0
        while not simulated.all_complete():
            simulated.step(ROUND_SECONDS)
            rounds += 1
    times = sorted(job.completion_time - job.submission_time for job in simulated.jobs)
    gaps = sorted(policy.gaps) or [0.0]
    return {
        "row": name,
        "workload": os.path.splitext(os.path.basename(workload))[0],
        "jobs": len(times),
        "mean": statistics.fmean(times),
        "p99": times[min(len(times) - 1, math.ceil(0.99 * len(times)) - 1)],
        "makespan": max(job.completion_time for job in simulated.jobs) / 3600,
        "gpuHours": sum(job.attained_service for job in simulated.jobs) / 3600,
        "restarts": statistics.fmean(job.num_restarts or 0 for job in simulated.jobs),
        "byModel": {
            model: statistics.fmean(
                job.completion_time - job.submission_time for job in simulated.jobs if job.app_name == model
            )
            for model in sorted({job.app_name for job in simulated.jobs})
        },
        "gap99": gaps[math.ceil(0.99 * len(gaps)) - 1],
        "rounds": rounds,
        "wallSeconds": time.time() - started,
    }


def print_table(results):
    """Prints a line for each workload and row, relative to the row `sia` of the workload, or to the first."""
    print("| workload | row | jobs | mean JCT (s) | against sia | p99 JCT (s) | makespan (h) | GPU-hours | restarts/job |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for workload in sorted({result["workload"] for result in results}):
        of_workload = [result for result in results if result["workload"] == workload]
        base = [result["mean"] for result in of_workload if result["row"] == "sia"] or [of_workload[0]["mean"]]
        for result in of_workload:
            change = 100 * (result["mean"] / statistics.fmean(base) - 1)
            print(
                f"| {workload} | {result['row']} | {result['jobs']} | {result['mean']:,.0f} | {change:+.1f} % "
                f"| {result['p99']:,.0f} | {result['makespan']:.2f} | {result['gpuHours']:,.0f} "
                f"| {result['restarts']:.2f} |"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--artifacts", required=True, help="clone of https://github.com/siasosp23/artifacts")
    parser.add_argument("--service", default="http://localhost:8080", help="address of a Spur service (%(default)s)")
    parser.add_argument("--token", default=os.environ.get("SPUR_TOKEN"), help="access token ($SPUR_TOKEN)")
    parser.add_argument("--workloads", default="philly/workload-1", help="files below workloads/, with commas between")
    parser.add_argument("--rows", default="sia,spur,spur-limit,spur-family,spur-counts", help=", ".join(ROWS))
    parser.add_argument("--repeat", type=int, default=1, help="number of runs of each row (%(default)s)")
    parser.add_argument("--jobs", type=int, help="only the first jobs of each workload")
    parser.add_argument("--results", help="file to which each result is appended as a line of JSON")
    options = parser.parse_args()
    unknown = [row for row in options.rows.split(",") if row not in ROWS]
    if unknown:
        parser.error(f"unknown rows {', '.join(unknown)}; rows are {', '.join(ROWS)}")
    simulator = load_simulator(options.artifacts)
    service = Service(options.service, options.token)
    results = []
    for workload in options.workloads.split(","):
        file = os.path.join(options.artifacts, "sia-simulator", "workloads", workload + ".csv")
        for row in options.rows.split(",") * options.repeat:
            results.append(simulate(simulator, service, row, file, options.jobs))
            print(json.dumps(results[-1]), file=sys.stderr)
            if options.results:
                with open(options.results, "a") as lines:
                    lines.write(json.dumps(results[-1]) + "\n")
    print_table(results)


if __name__ == "__main__":
    main()
