"""Noise scale, learning-rate rules and aggregators."""

import http.server
import json
import math
import random
import threading

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is missing: apt-get install python3-torch")

from launch import HERE, Job, free_port

import spur.torch as spur
from spur.torch import _rates, _session
from spur.torch._noise import MIN_MEASUREMENTS, NoiseScale

pytestmark = pytest.mark.training


@pytest.mark.parametrize(("ranks", "per_device", "passes"), [(1, 24, 1), (1, 8, 3), (3, 4, 2)])
def test_the_noise_scale_of_a_known_distribution_is_found(tmp_path, ranks, per_device, passes):
    job = Job(tmp_path, HERE / "noise.py")
    job.run(ranks, per_device, passes)

    assert job.end()["noise"] == pytest.approx(5, rel=0.15)


def test_the_noise_scale_is_unknown_until_both_averages_are_positive():
    noise = NoiseScale()
    assert noise.value is None
    for _ in range(MIN_MEASUREMENTS):
        noise.observe(8, 1.0, 16, 2.0)
    assert noise.value is None


def test_overflows_and_equal_batches_are_ignored():
    noise = NoiseScale()
    for small, large in [(float("inf"), 1.0), (float("nan"), 1.0)]:
        noise.observe(8, small, 16, large)
    noise.observe(8, 3.0, 8, 2.0)
    for _ in range(MIN_MEASUREMENTS):
        noise.observe(8, 3.0, 16, 2.0)

    # variance (3 - 2) / (1/8 - 1/16) = 16, square (16 * 2 - 8 * 3) / 8 = 1
    assert noise.value == pytest.approx(16)


def measure(noise, count, generator, batches):
    """Adds gradients of two ranks with one component and mean 1, whose noise scale is that number of batches of 8."""
    for _ in range(count):
        one, other = (1 + math.sqrt(2 * batches) * generator.gauss(0, 1) for _ in range(2))
        noise.observe(4, (one**2 + other**2) / 2, 8, ((one + other) / 2) ** 2)


def first_estimates(batches):
    for seed in range(400):
        noise, generator = NoiseScale(), random.Random(seed)
        measure(noise, MIN_MEASUREMENTS - 1, generator, batches)
        assert noise.value is None
        measure(noise, 1, generator, batches)
        yield noise


@pytest.mark.parametrize(("batches", "error"), [(0.1, 0.07), (1, 0.29), (2, 0.5)])
def test_the_first_estimate_has_the_stated_relative_error(batches, error):
    squares = [noise.state_dict()["square"] for noise in first_estimates(batches)]

    assert math.sqrt(sum((square - 1) ** 2 for square in squares) / len(squares)) < error


def test_the_first_estimate_near_convergence_exceeds_one_batch():
    values = [noise.value for noise in first_estimates(1000)]

    assert sum(value is not None and value < 8 for value in values) <= len(values) / 100


def test_a_restarted_training_reports_the_noise_scale_of_its_checkpoint(tmp_path):
    job = Job(tmp_path, HERE / "noise.py")
    processes = job.start(1, 24, 1, *job.out, "--epochs", "999")
    job.await_samples(2 * MIN_MEASUREMENTS * 24)
    job.stop(processes, 0)
    job.run(1, 1200, 1, "--epochs", str(int(job.progress()["samples"]) // 24_000 + 2))

    progress = job.progress()
    assert progress["generation"] == 2
    assert progress["steps"] < MIN_MEASUREMENTS
    assert progress["noiseScale"] == pytest.approx(5, rel=0.5)


def test_a_restart_continues_the_estimate():
    noise, restored = NoiseScale(), NoiseScale()
    measure(noise, MIN_MEASUREMENTS, random.Random(1), 1)
    restored.load_state_dict(noise.state_dict())
    assert restored.value == noise.value
    for estimate in (noise, restored):
        measure(estimate, 10, random.Random(2), 1)
    assert restored.value == noise.value


@pytest.mark.parametrize(
    ("rule", "noise", "expected"),
    [
        ("LINEAR", 100, 4),
        ("SQRT", 100, 2),
        ("NONE", 100, 1),
        ("ADASCALE", None, 1),
        ("ADASCALE", 0, 1),
        ("ADASCALE", 64, (64 + 64) / (64 + 256) * 4),
        ("ADASCALE", 1e9, 4),
    ],
)
def test_factors_of_the_learning_rate(rule, noise, expected):
    assert _rates.factor(rule, 64, 256, noise) == pytest.approx(expected, rel=1e-5)
    assert _rates.factor(rule, 64, 64, noise) == pytest.approx(1)


def test_an_unknown_rule_is_an_error():
    with pytest.raises(ValueError, match="learning_rate_rule 'CUBIC' is not one of"):
        _rates.factor("CUBIC", 64, 64, None)


def test_the_rate_is_scaled_in_the_step_and_the_optimizer_keeps_its_own():
    spur.init_process_group()
    session = _session.session()
    weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    session.batch, session.base_batch = spur.Batch(16, 2), 8
    _rates.accumulate(optimizer, scheduler, session, "LINEAR")

    for is_last in (False, True):
        session.is_last_pass = is_last
        optimizer.zero_grad()
        weight.grad = torch.ones(1) if weight.grad is None else weight.grad + 1
        optimizer.step()
        scheduler.step()

    assert weight.item() == pytest.approx(-0.1 * 4 * 2)
    assert optimizer.param_groups[0]["lr"] == pytest.approx(0.05)
    optimizer.zero_grad()
    assert weight.grad is None or weight.grad.item() == 0


class _Service(http.server.BaseHTTPRequestHandler):
    status, body = 200, b""

    def do_GET(self):
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_):
        pass


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (None, ""),
        (404, "{}"),
        (200, json.dumps({"generation": 1})),
        (200, json.dumps({"generation": 1, "strategy": "ALL_REDUCE", "shards": 0, "workers": 2, "aggregators": []})),
    ],
)
def test_without_aggregators_the_ranks_reduce_the_gradients(tmp_path, status, body):
    port, server = free_port(), None
    if status is not None:
        handler = type("Handler", (_Service,), {"status": status, "body": body.encode()})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    environment = {"SPUR_SERVICE": f"http://127.0.0.1:{port}", "SPUR_JOB_KEY": "key"}
    job = Job(tmp_path)
    output = job.run(2, 24, 1, "--epochs", "1", environment=environment)
    if server is not None:
        server.shutdown()
        server.server_close()

    assert output.count("Aggregators are not used") == (0 if "ALL_REDUCE" in body else 1)
    assert len(job.steps()) == 10
