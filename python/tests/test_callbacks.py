"""The callbacks in real trainers, where their libraries are installed."""

import importlib.util
import os
import re
import subprocess
import sys

import pytest
from launch import HERE, Job

pytestmark = pytest.mark.training


def has(*modules):
    return all(importlib.util.find_spec(module) is not None for module in modules)


SCRIPTS = [
    pytest.param(
        "trainer.py",
        marks=pytest.mark.skipif(
            not has("torch", "transformers", "accelerate"),
            reason="Hugging Face transformers is missing: pip install transformers accelerate",
        ),
    ),
    pytest.param(
        "fit.py",
        marks=pytest.mark.skipif(
            not has("torch") or not (has("lightning") or has("pytorch_lightning")),
            reason="Lightning is missing: pip install lightning",
        ),
    ),
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_stopped_training_saves_and_continues(tmp_path, script):
    job = Job(tmp_path, HERE / script)
    stop = {"STOP": str(job.report / "stop"), "STOP_AT": "5", "OUT": str(tmp_path / "out")}
    first = steps(job.run_alone(16, 4, stop))
    assert 5 < first < 16
    assert (job.report / "asked").exists()
    assert job.progress()["samples"] == job.progress()["checkpointSamples"] == 64 * first

    last = steps(job.run_alone(64, 2, {**stop, "STOP_AT": ""}))
    assert last == 16
    # Lightning ends an epoch with an incomplete step, which has 64 samples instead of 128.
    assert 64 * first + 128 * (16 - first) - job.progress()["samples"] in ((0,) if script == "trainer.py" else (0, 64))
    assert job.progress()["loss"] > 0


@pytest.mark.parametrize("script", SCRIPTS)
def test_outside_spur_it_trains_as_the_script_says(tmp_path, script):
    own = {name: value for name, value in os.environ.items() if not name.startswith("SPUR_")}
    command = [sys.executable, "-B", str(HERE / script)]
    done = subprocess.run(
        command, env={**own, "OUT": str(tmp_path)}, cwd=tmp_path, capture_output=True, text=True, timeout=180
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert steps(done.stdout) == 16


def steps(output):
    return int(re.search(r"steps (\d+)", output)[1])
