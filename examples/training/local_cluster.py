"""A service and agents on this machine, for demonstrations and measurements."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
PATIENCE_SECONDS = 180
END_SECONDS = 60
ENDED = ("DONE", "FAILED", "CANCELLED")


class Unexpected(Exception):
    """Something is not as it should be."""


def is_python_with_torch(python):
    try:
        return subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def python_with_torch():
    """Returns this Python, or that of the system, if it has PyTorch; otherwise None."""
    return next(filter(is_python_with_torch, (sys.executable, "/usr/bin/python3")), None)


class LocalCluster:
    """A service with an embedded PostgreSQL, and the agents of nodes with stated slots. All files are below `folder`."""

    def __init__(self, spur, folder):
        self.spur = spur
        self.folder = folder
        self.processes = []
        self.address = None
        self.began = time.monotonic()
        folder.mkdir(parents=True, exist_ok=True)

    def start_service(self, environment=None, **settings):
        variables = {"SPUR_HOME": str(self.folder / "home"), "SPUR_EXECUTORS_LEASE": "30s", "SPUR_SECURITY_MODE": "local"}
        service = self.start("service", ["serve", "--port", "0"], {**variables, **(environment or {})})
        line = self.await_that(lambda: self.printed("service", r"http://127\.0\.0\.1:\d+"), "the service is ready", service)
        self.address = line
        current, tag = self.call("GET", "/settings", want_tag=True)
        self.call("PUT", "/settings", {**current, **settings}, {"If-Match": tag})
        self.call("PUT", "/tenants/root", {}, {"If-None-Match": "*"}, accept=(201, 412, 428))
        self.say(f"the service is at {self.address}")

    def start_agent(self, node, slots=None, *options):
        """Starts the agent of a node with `slots` stated slots; without them, with the devices that `options` state."""
        stated = [] if slots is None else ["--slots", str(slots), "--type", "stated"]
        words = ["agent", "--service", self.address, "--node", node, *stated, *options]
        words += ["--address", "127.0.0.1", "--state", str(self.folder / node)]
        words += ["--checkpoints", str(self.folder / "checkpoints")]
        if os.geteuid() == 0:
            words += ["--user", "root"]
        self.start(node, words, {})
        self.await_that(lambda: self.call("GET", f"/nodes/{node}", accept=(200, 404)).get("state") == "ACTIVE", f"node {node}")
        count = len(self.call("GET", f"/nodes/{node}")["devices"])
        self.say(f"node {node} brings {count} slot{'' if count == 1 else 's'}")

    def job(self, job):
        return self.call("GET", f"/jobs/{job}")

    def events(self, job):
        """The kinds of the events of a job, in order."""
        return [event["kind"] for event in self.call("GET", f"/jobs/{job}/events?limit=500")["items"]]

    def nodes(self, job):
        allocation = self.job(job)["allocation"]
        return [piece["node"] for piece in allocation["placement"]] if allocation else []

    def state(self, job):
        return self.job(job)["state"]

    def await_state(self, job, state):
        self.await_that(lambda: self.state(job) == state, f"job {job} is {state}")

    def await_running(self, job):
        def runs():
            found = self.job(job)
            return found["observed"] is not None and found["doneSamples"] > 0

        self.await_that(runs, f"job {job} makes progress")

    def await_slots(self, job, slots, words):
        def holds():
            found = self.job(job)
            return found["allocation"] and found["allocation"]["configuration"]["slots"] == slots

        self.await_that(holds, f"{slots} slots for {job}")
        before = self.job(job)
        self.await_that(lambda: self.job(job)["doneSamples"] > before["doneSamples"], "progress of it")
        unit = "slot" if slots == 1 else "slots"
        self.say(f"{before['name']} {words}: {slots} {unit} on {' and '.join(self.nodes(job))}")

    def await_that(self, condition, what, process=None, seconds=PATIENCE_SECONDS):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if process is not None and process.poll() is not None:
                raise Unexpected(f"a program has ended while waiting: {what}")
            found = condition()
            if found:
                return found
            time.sleep(0.2)
        raise Unexpected(f"waited too long: {what}")

    def call(self, method, path, body=None, headers=None, accept=(200, 201, 202, 204), want_tag=False):
        request = urllib.request.Request(
            f"{self.address}/api/v1{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **(headers or {})},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                status, tag, text = answer.status, answer.headers.get("ETag"), answer.read()
        except urllib.error.HTTPError as refused:
            status, tag, text = refused.code, None, refused.read()
        if status not in accept:
            raise Unexpected(f"{method} {path}: {status} {text.decode()}")
        found = json.loads(text) if text else {}
        return (found, tag) if want_tag else found

    def start(self, name, words, environment):
        """Starts a program in a session of its own, so that Ctrl-C reaches this process only, which ends it in order."""
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                [self.spur, *words],
                env={**os.environ, **environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def printed(self, name, pattern):
        found = re.search(pattern, (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace"))
        return found and found.group()

    def last_words(self):
        logs = sorted(self.folder.glob("*.log"))
        return "\n".join(f"--- {log.name}\n{log.read_text(encoding='utf-8', errors='replace')[-3000:]}" for log in logs)

    def end(self):
        """Cancels the jobs first, because they outlive their agents. At last kills trainings that have not ended."""
        try:
            for job in self.call("GET", "/jobs")["items"] if self.address else []:
                if job["state"] not in ENDED:
                    self.call("POST", f"/jobs/{job['id']}/cancel")
            if len(self.processes) > 1:
                self.await_that(lambda: not self.holding(), "the jobs to end", seconds=END_SECONDS)
                self.await_that(lambda: not self.aggregators(), "the aggregators to end", seconds=END_SECONDS)
        except (Unexpected, OSError) as trouble:
            print(f"left behind: {trouble}", file=sys.stderr)
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        for process in reversed(self.processes):
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
        self.processes = []
        self.kill_leftovers()

    def kill_leftovers(self):
        own = f"\0SPUR_CHECKPOINT_DIR={self.folder}/".encode()
        for environment in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if own in environment.read_bytes():
                    os.kill(int(environment.parent.name), signal.SIGKILL)
            except OSError:
                pass

    def holding(self):
        return sum(executor["holding"] for executor in self.call("GET", "/executors")["items"])

    def aggregators(self):
        return self.call("GET", "/plans/current", accept=(200, 404)).get("aggregators", [])

    def say(self, text):
        print(f"{time.monotonic() - self.began:5.0f} s  {text}", flush=True)


def run_until_end(cluster, run):
    """Runs `run`, and ends the cluster whatever happens; exits with the logs if something is not as it should be."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        run()
    except Unexpected as wrong:
        sys.exit(f"FAILED: {wrong}\n{cluster.last_words()}")
    finally:
        cluster.end()
