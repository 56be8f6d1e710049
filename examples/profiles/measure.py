#!/usr/bin/env python3
"""Measures how fast a small network trains on the cores of this machine, and prints a throughput profile for Spur.

Data-parallel training of a multilayer perceptron on synthetic data: one process per worker, each pinned to a core with one
thread; after every step gradients are averaged over all workers in shared memory, each worker averaging its share of them. A
core is a slot.

    pip install numpy
    python3 measure.py > cpu.json
"""

import os

for library in ("OMP", "OPENBLAS", "MKL"):  # before numpy is loaded: a worker is one core
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import datetime
import json
import multiprocessing
import platform
import statistics
import sys
import time

import numpy

LAYERS = (784, 1024, 1024, 10)


def parameters(seed):
    """Weights of all layers as one flat vector, and the view of each layer in it."""
    random = numpy.random.default_rng(seed)
    shapes = list(zip(LAYERS[:-1], LAYERS[1:]))
    flat = numpy.concatenate([(random.standard_normal(s) / s[0] ** 0.5).ravel() for s in shapes]).astype(numpy.float32)
    return flat, views(flat, shapes)


def views(flat, shapes):
    parts, at = [], 0
    for rows, columns in shapes:
        parts.append(flat[at : at + rows * columns].reshape(rows, columns))
        at += rows * columns
    return parts


def gradients(weights, into, samples, labels):
    """Gradient of the cross-entropy, written into the views `into`."""
    activations = [samples]
    for layer, weight in enumerate(weights):
        z = activations[-1] @ weight
        activations.append(numpy.maximum(z, 0) if layer < len(weights) - 1 else z)
    scores = numpy.exp(activations[-1] - activations[-1].max(axis=1, keepdims=True))
    error = scores / scores.sum(axis=1, keepdims=True)
    error[numpy.arange(len(labels)), labels] -= 1
    error /= len(labels)
    for layer in range(len(weights) - 1, -1, -1):
        numpy.matmul(activations[layer].T, error, out=into[layer])
        if layer:
            error = (error @ weights[layer].T) * (activations[layer] > 0)


def all_reduce(shared, rank, workers, barrier):
    """Each worker averages its share of the vector over all workers, and then every worker has the complete vector."""
    barrier.wait()
    bounds = numpy.linspace(0, shared.shape[1], workers + 1, dtype=int)
    own = slice(bounds[rank], bounds[rank + 1])
    shared[workers, own] = shared[:workers, own].mean(axis=0)
    barrier.wait()


def work(rank, workers, batch, steps, warm_up, buffer, size, barrier, results):
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[rank]})
    shapes = list(zip(LAYERS[:-1], LAYERS[1:]))
    shared = numpy.frombuffer(buffer, dtype=numpy.float32).reshape(workers + 1, size)
    flat, weights = parameters(seed=1)
    own = views(shared[rank], shapes)
    random = numpy.random.default_rng(rank)
    samples = random.standard_normal((batch // workers, LAYERS[0])).astype(numpy.float32)
    labels = random.integers(0, LAYERS[-1], batch // workers)
    times = []
    for step in range(warm_up + steps):
        begin = time.perf_counter()
        gradients(weights, own, samples, labels)
        if workers > 1:
            all_reduce(shared, rank, workers, barrier)
        flat -= 0.01 * shared[workers if workers > 1 else rank]
        if step >= warm_up:
            times.append(time.perf_counter() - begin)
    if rank == 0:
        results.put(statistics.median(times))


def measure(workers, batch, steps, warm_up):
    """Median seconds of a step."""
    size = sum(a * b for a, b in zip(LAYERS[:-1], LAYERS[1:]))
    context = multiprocessing.get_context("spawn")
    buffer = context.RawArray("f", (workers + 1) * size)
    barrier, results = context.Barrier(workers), context.Queue()
    processes = [
        context.Process(target=work, args=(rank, workers, batch, steps, warm_up, buffer, size, barrier, results))
        for rank in range(workers)
    ]
    for process in processes:
        process.start()
    seconds = results.get(timeout=600)
    for process in processes:
        process.join()
    return seconds


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


def main():
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--type", default="cpu-core", help="name of the accelerator type in the profile")
    options.add_argument("--workers", type=int, nargs="+", default=[k for k in (1, 2, 4, 8, 16, 32) if k <= cores])
    options.add_argument("--batches", type=int, nargs="+", default=[32, 64, 128, 256, 512, 1024])
    options.add_argument("--steps", type=int, default=40, help="measured steps; the median counts")
    options.add_argument("--warm-up", type=int, default=10, help="steps before those")
    given = options.parse_args()
    points = []
    for workers in given.workers:
        for batch in (b for b in given.batches if b % workers == 0):
            seconds = measure(workers, batch, given.steps, given.warm_up)
            print(f"{workers} workers, batch {batch}: {1000 * seconds:.2f} ms a step", file=sys.stderr)
            points.append({
                "acceleratorType": given.type, "slots": workers, "nodes": 1, "batchSize": batch,
                "strategy": "ALL_REDUCE", "aggregationSlots": 0, "samplesPerSecond": round(batch / seconds, 1),
            })
    json.dump({
        "measured": {
            "model": "multilayer perceptron " + "-".join(map(str, LAYERS)) + ", float32, plain SGD",
            "device": processor(),
            "cores": cores,
            "software": f"Python {platform.python_version()}, numpy {numpy.__version__}, {platform.system()}",
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
            "stepsPerPoint": given.steps,
        },
        "profile": {"points": points},
    }, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
