#!/usr/bin/env python3
"""A small training that Spur can start, stop, grow, shrink and move: logistic regression, in Python alone.

Data parallel: each rank computes the gradient of its share of the batch. Rank 0 sums the shares over TCP and returns the
sum, so that all ranks have the same weights. Where the plan has aggregators for the job, they sum the shares instead. The
batch does not depend on the number of ranks, and neither do the losses. The data are synthetic, from a seed. Between steps
a rank sleeps for the time per sample in `--milliseconds`, which simulates a busy accelerator.

    python3 train.py --samples 20000 --checkpoints /tmp/weights

runs alone. Under Spur the agent sets RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT and SPUR_CHECKPOINT_DIR. The exit code is 0
when all samples are processed, or after the checkpoint of a requested stop.
"""

import argparse
import json
import math
import os
import random
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
import spur.aggregation  # pylint: disable=wrong-import-position
import spur.reporter  # pylint: disable=wrong-import-position

FEATURES = 8
EXAMPLES = 2048
CONNECT_SECONDS = 60
PEER_SECONDS = 60


def main():
    options = parse()
    store = Checkpoints(options.checkpoints, int(os.environ.get("SPUR_GENERATION", "1")))
    nothing = {"samples": 0, "weights": [0.0] * (FEATURES + 1), "loss": 0.0}
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    with connect(rank, world) as ranks:
        state = share(store.load() or nothing if rank == 0 else nothing, ranks)
        reporter = spur.reporter.connect(samples=state["samples"])
        say(rank, f"{world} ranks, {ranks.how}, begin at {state['samples']} samples, loss {state['loss']:.6f}")
        train(options, state, store, reporter, ranks)
        say(rank, f"{world} ranks end at {state['samples']} samples, loss {state['loss']:.6f}")


def share(state, ranks):
    """The state of rank 0, for all: the others bring zeros to the sum."""
    samples, loss, *weights = ranks.sum([float(state["samples"]), state["loss"], *state["weights"]])
    return {"samples": int(samples), "weights": weights, "loss": loss}


def parse():
    parser = argparse.ArgumentParser(description="Trains a logistic regression on synthetic data.")
    parser.add_argument("--samples", type=int, required=True, help="total number of samples")
    parser.add_argument("--batch", type=int, default=64, help="global batch size (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=0.5, help="learning rate (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the data (default: %(default)s)")
    parser.add_argument("--milliseconds", type=float, default=0, help="time of a rank per sample (default: 0)")
    parser.add_argument("--save-every", type=int, default=20, help="steps between checkpoints (default: %(default)s)")
    parser.add_argument("--crash-at", type=int, help="exit once with code 3 at this number of samples")
    parser.add_argument("--checkpoints", default=os.environ.get("SPUR_CHECKPOINT_DIR", "checkpoints"))
    return parser.parse_args()


def train(options, state, store, reporter, ranks):
    """Steps until all samples are seen or one rank was asked to stop; all ranks leave after the same step."""
    data = examples(options.seed)
    step = 0
    stop = False
    while state["samples"] < options.samples and not stop:
        began = time.monotonic()
        size = min(options.batch, options.samples - state["samples"])
        mine = [data[(state["samples"] + i) % EXAMPLES] for i in range(ranks.rank, size, ranks.world)]
        gradient, loss = gradient_of(state["weights"], mine)
        pause(began + options.milliseconds / 1000 * len(mine))
        *total, stops = ranks.sum(gradient + [loss, 1.0 if reporter.should_stop() else 0.0])
        state["weights"] = [w - options.rate * g / size for w, g in zip(state["weights"], total)]
        state["loss"] = total[-1] / size
        state["samples"] += size
        stop = stops > 0
        step += 1
        reporter.step(samples=size, loss=state["loss"])
        done = stop or state["samples"] >= options.samples
        if ranks.rank == 0 and (done or step % options.save_every == 0):
            store.save(state)
            reporter.saved()
        crash_once(options, state, store)


def crash_once(options, state, store):
    if options.crash_at and state["samples"] >= options.crash_at:
        mark = os.path.join(store.folder, "crashed")
        if not os.path.exists(mark):
            open(mark, "w", encoding="ascii").close()
            os._exit(3)


def examples(seed):
    """Points with labels 0 and 1 that no plane divides without mistakes."""
    source = random.Random(seed)
    truth = [source.gauss(0, 1) for _ in range(FEATURES)]
    made = []
    for _ in range(EXAMPLES):
        x = [source.gauss(0, 1) for _ in range(FEATURES)]
        margin = sum(a * b for a, b in zip(truth, x)) + source.gauss(0, 0.5)
        made.append((x + [1.0], 1.0 if margin > 0 else 0.0))
    return made


def gradient_of(weights, batch):
    """Sum of gradients and sum of losses over the batch."""
    gradient, loss = [0.0] * len(weights), 0.0
    for x, label in batch:
        margin = sum(w * v for w, v in zip(weights, x))
        probability = 1 / (1 + math.exp(-max(-30.0, min(30.0, margin))))
        loss -= math.log(max(1e-12, probability if label else 1 - probability))
        gradient = [g + (probability - label) * v for g, v in zip(gradient, x)]
    return gradient, loss


def pause(until):
    left = until - time.monotonic()
    if left > 0:
        time.sleep(left)


class Checkpoints:
    """One folder for each generation, so that a generation that should be gone cannot overwrite what a later one wrote."""

    def __init__(self, folder, generation):
        self.folder = folder
        self.generation = generation
        # Made before anything is read: from here on older generations save no more.
        os.makedirs(self._of(generation), exist_ok=True)

    def load(self):
        """Returns the state of the newest checkpoint; None without one."""
        for generation in sorted(self._generations(), reverse=True):
            path = os.path.join(self._of(generation), "state.json")
            if os.path.exists(path):
                with open(path, encoding="ascii") as file:
                    return json.load(file)
        return None

    def save(self, state):
        """Writes a temporary file, flushes it to disk and renames it, so that a checkpoint is always complete."""
        if any(generation > self.generation for generation in self._generations()):
            sys.exit(f"generation {self.generation} does not save: a later one has begun")
        path = os.path.join(self._of(self.generation), "state.json")
        with open(path + ".new", "w", encoding="ascii") as file:
            json.dump(state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)

    def _of(self, generation):
        return os.path.join(self.folder, f"gen-{generation:08d}")

    def _generations(self):
        return [int(name[4:]) for name in os.listdir(self.folder) if name.startswith("gen-") and name[4:].isdigit()]


def connect(rank, world):
    aggregation = spur.aggregation.connect()
    if aggregation:
        return Served(aggregation)
    if world == 1:
        return Alone()
    address = (os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))
    return Master(address, world) if rank == 0 else Member(address, rank, world)


class Served:
    """A rank whose sums are made by the aggregators of Spur."""

    how = "with aggregators"

    def __init__(self, aggregation):
        self.aggregation = aggregation
        self.rank, self.world = aggregation.rank, aggregation.world

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.aggregation.__exit__(*failure)

    def sum(self, values):
        return list(self.aggregation.sum(values))


class Alone:
    """A world of one rank."""

    rank, world = 0, 1
    how = "alone"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def sum(self, values):
        return values


class Master:
    """Rank 0: sums what the others send, always in the order of ranks, so that the sum is the same each time."""

    rank = 0
    how = "among themselves"

    def __init__(self, address, world):
        self.world = world
        self.server = socket.create_server(address, backlog=world)
        self.server.settimeout(CONNECT_SECONDS)
        self.members = {}
        while len(self.members) < world - 1:
            member, _ = self.server.accept()
            member.settimeout(PEER_SECONDS)
            member.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.members[int(receive(member, 1)[0])] = member

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for end in [*self.members.values(), self.server]:
            end.close()

    def sum(self, values):
        for _, member in sorted(self.members.items()):
            values = [a + b for a, b in zip(values, receive(member, len(values)))]
        for member in self.members.values():
            send(member, values)
        return values


class Member:
    """Every other rank."""

    how = "among themselves"

    def __init__(self, address, rank, world):
        self.rank, self.world = rank, world
        self.master = reach(address)
        self.master.settimeout(PEER_SECONDS)
        self.master.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        send(self.master, [float(rank)])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.master.close()

    def sum(self, values):
        send(self.master, values)
        return receive(self.master, len(values))


def reach(address):
    """Rank 0 may begin later than this one."""
    end = time.monotonic() + CONNECT_SECONDS
    while True:
        try:
            return socket.create_connection(address, timeout=5)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def send(peer, values):
    peer.sendall(struct.pack(f"<{len(values)}d", *values))


def receive(peer, count):
    data = b""
    while len(data) < 8 * count:
        part = peer.recv(8 * count - len(data))
        if not part:
            raise ConnectionError("another rank has ended")
        data += part
    return list(struct.unpack(f"<{count}d", data))


def say(rank, text):
    if rank == 0:
        print(text, flush=True)


if __name__ == "__main__":
    main()
