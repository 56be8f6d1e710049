"""A training that speaks with its scheduler as AdaptDL 0.2.11 does; the requests are AdaptDL's, the code is not.

Each rank finds rank 0 by the supervisor and sends it a number; rank 0 sends everybody the sum, saves it, and sends hints.
The first start is ended in the middle, so that a second one goes on from what was saved.
"""
import json
import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request

URL = os.environ["ADAPTDL_SUPERVISOR_URL"]
KEY = os.environ["ADAPTDL_JOB_ID"]
GROUP = int(os.environ["ADAPTDL_NUM_RESTARTS"])
RANK = int(os.environ["ADAPTDL_REPLICA_RANK"])
REPLICAS = int(os.environ["ADAPTDL_NUM_REPLICAS"])
PORT = int(os.environ["ADAPTDL_MASTER_PORT"])
CHECKPOINTS = os.environ["ADAPTDL_CHECKPOINT_PATH"]

HINTS = {
    "initBatchSize": 64, "localBszBounds": None, "globalBatchSize": None, "maxBatchSize": 64, "maxProfiledReplicas": REPLICAS,
    "gradientAccumulation": False, "gradParams": {"norm": 0.5, "var": 2.0},
    "perfParams": {"alpha_c": 0.1, "beta_c": 0.001, "alpha_n": 0.05, "beta_n": 0.0, "alpha_r": 0.0, "beta_r": 0.0, "gamma": 1.0},
}


def discover():
    while True:
        try:
            with urllib.request.urlopen(f"{URL}/discover/{KEY}/{GROUP}") as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            if refused.code != 408:
                raise


def post_hints():
    request = urllib.request.Request(
        f"{URL}/hints/{KEY}", data=json.dumps(HINTS).encode(), method="PUT", headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return answer.status


def lead(own):
    server = socket.create_server(("", PORT), backlog=REPLICAS)
    members = [server.accept()[0] for _ in range(REPLICAS - 1)]
    total = own + sum(int(member.makefile().readline()) for member in members)
    for member in members:
        member.sendall(b"%d\n" % total)
    return total


def follow(master, own):
    while True:
        try:
            with socket.create_connection((master, PORT)) as leader:
                leader.sendall(b"%d\n" % own)
                return int(leader.makefile().readline())
        except OSError:
            time.sleep(0.1)


def newest():
    saved = [int(name.rsplit("-", 1)[1]) for name in os.listdir(CHECKPOINTS) if name.startswith("checkpoint-")]
    if not saved:
        return None
    with open(os.path.join(CHECKPOINTS, f"checkpoint-{max(saved)}", "state")) as file:
        return json.load(file)


def save(state):
    folder = os.path.join(CHECKPOINTS, f"checkpoint-{GROUP}")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "state.new"), "w") as file:
        json.dump(state, file)
    os.replace(os.path.join(folder, "state.new"), os.path.join(folder, "state"))


before = newest()
addresses = discover()
total = lead(RANK + 1) if RANK == 0 else follow(addresses[0], RANK + 1)
if before is None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if RANK == 0:
        save({"group": GROUP, "total": total, "addresses": addresses, "hints": post_hints()})
    while True:
        time.sleep(0.1)
if RANK == 0:
    save({"group": GROUP, "total": before["total"] + total, "from": before})
