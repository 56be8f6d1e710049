"""The jobs of the experiments with real trainings, and the clusters that they are made for (see README.md)."""

import math
import random
import statistics
from dataclasses import dataclass, field

PACES = {
    "cnn": {"perSample": 0.04, "perPass": 0.02},
    "transformer": {"perSample": 0.03, "perPass": 0.12},
    "mlp": {"perSample": 0.02, "perPass": 0.24},
}
"""Seconds of the accelerator that stand for a sample and for a pass. They give a good, a medium and a poor scaling."""

SILENT = "silent"
"""Model and kind of the jobs that report nothing."""

SILENT_PACE = {"perSample": 0.03, "perPass": 0.1}
ASSUMED_START_SECONDS = 4
"""Time from the allocation to the first step, for the load of a workload that is drawn before the profile is used."""

KINDS_OF_JOBS = ("rigid", "elastic", SILENT)
RIGID_SLOTS, ELASTIC_JOBS, SILENT_SLOTS = (1, 1, 2, 3, 4), 2, (1, 1, 2)
ELASTIC_REQUEST = 2
SHORTEST_SECONDS, LONGEST_SECONDS = 16, 45


@dataclass(frozen=True)
class Experiment:
    """Slots by node, allowed slots of elastic jobs, the batch of each job, and whether the jobs can be replayed."""

    nodes: dict
    counts: tuple
    batch: int
    powers_of_two: bool
    replayed: bool

    @property
    def slots(self):
        return sum(self.nodes.values())

    def step_seconds(self, model, slots):
        pace = pace_of(model)
        return pace["perPass"] + pace["perSample"] * self.batch / slots


EXPERIMENTS = {
    "even": Experiment({"left": 4, "right": 4}, (1, 2, 4), 16, True, True),
    "uneven": Experiment({"left": 2, "right": 3}, (1, 2, 3, 4), 12, False, False),
}


@dataclass
class Training:
    """A job of an experiment; `arrival` is in seconds since the start of the run, `range` are its slots under Spur."""

    name: str
    model: str
    samples: int
    requested: int
    arrival: float
    range: tuple = (1, 4)
    id: str = ""
    state: str = "WAITING"
    end: float = math.inf
    started: float = math.inf
    allocated: float = math.inf
    record: list = field(default_factory=list)

    @property
    def jct(self):
        return self.end - self.arrival

    @property
    def kind(self):
        if self.model == SILENT:
            return SILENT
        return "rigid" if self.range[0] == self.range[1] else "elastic"

    def seconds(self, profile, slots):
        """Expected seconds from start to end."""
        known = profile[self.model]
        return known["startSeconds"] + self.samples / known["speeds"][str(slots)]


def pace_of(model):
    return SILENT_PACE if model == SILENT else PACES[model]


def draw_even(experiment, seed, count, mean_seconds, window):
    """Jobs of a Poisson process with `count` arrivals in `window` seconds, scaled to a mean of `mean_seconds` on one slot."""
    source = random.Random(seed)
    arrivals = sorted(source.uniform(0, window) for _ in range(count))
    lengths = [math.exp(source.uniform(math.log(15), math.log(100))) for _ in range(count)]
    scale = mean_seconds / statistics.mean(lengths)
    jobs = []
    for number, (arrival, length) in enumerate(zip(arrivals, lengths)):
        model = source.choice(list(PACES))
        steps = max(4, round(length * scale / experiment.step_seconds(model, 1)))
        requested = source.choices(experiment.counts, (4, 3, 3))[0]
        jobs.append(Training(f"{model}-{number:02d}", model, experiment.batch * steps, requested, arrival))
    return jobs


def draw_uneven(experiment, seed):
    """Ten jobs in a random order. Their arrivals span 0.9 of the time in which all slots could train them: the load is 1."""
    source = random.Random(seed)
    drawn = [(source.choice(list(PACES)), slots, (slots, slots)) for slots in RIGID_SLOTS]
    drawn += [(source.choice(list(PACES)), ELASTIC_REQUEST, (1, max(experiment.counts))) for _ in range(ELASTIC_JOBS)]
    drawn += [(SILENT, slots, (slots, slots)) for slots in SILENT_SLOTS]
    source.shuffle(drawn)
    lengths = [math.exp(source.uniform(math.log(SHORTEST_SECONDS), math.log(LONGEST_SECONDS))) for _ in drawn]
    held = sum(slots * (length + ASSUMED_START_SECONDS) for (_, slots, _), length in zip(drawn, lengths))
    drawn_times = sorted(source.random() for _ in drawn)
    first, last = drawn_times[0], drawn_times[-1]
    span = held / experiment.slots * (1 - 1 / len(drawn))
    arrivals = [(moment - first) / (last - first) * span for moment in drawn_times]
    jobs = []
    for number, ((model, slots, allowed), length, arrival) in enumerate(zip(drawn, lengths, arrivals)):
        steps = round(length / experiment.step_seconds(model, slots))
        job = Training("", model, experiment.batch * steps, slots, arrival, allowed)
        job.name = f"{job.kind}-{number:02d}"
        jobs.append(job)
    return jobs
