"""The callbacks in real trainers, where their libraries are installed."""

import importlib.util
import os
import re
import subprocess
import sys
import time

import pytest
import record
from launch import HERE, Job, free_port, outputs

pytestmark = [pytest.mark.training, pytest.mark.frameworks]


def has(*modules):
    return all(importlib.util.find_spec(module) is not None for module in modules)


HUGGING_FACE = pytest.mark.skipif(
    not has("torch", "transformers", "accelerate"),
    reason="Hugging Face transformers is missing: pip install transformers accelerate",
)
LIGHTNING = pytest.mark.skipif(
    not has("torch") or not (has("lightning") or has("pytorch_lightning")),
    reason="Lightning is missing: pip install lightning",
)
SCRIPTS = [pytest.param("trainer.py", marks=HUGGING_FACE), pytest.param("fit.py", marks=LIGHTNING)]
STOPS = [
    *[
        pytest.param("fit.py", *stop, marks=LIGHTNING)
        for stop in [(1, 1, 4, 0), (2, 1, 1, 0), (2, 1, 1, 0.15), (2, 1, 4, 0.03), (2, 2, 4, 0.15), (3, 2, 1, 0.15)]
    ],
    *[
        pytest.param("trainer.py", *stop, marks=HUGGING_FACE)
        for stop in [(1, 1, 4, 0), (2, 1, 1, 0.03), (3, 2, 4, 0.15)]
    ],
]
CHANGES = {
    "larger-batch": [(1, 4, 1), (1, 8, 1)],
    "more-passes": [(1, 4, 1), (1, 4, 2)],
    "smaller-batch": [(1, 8, 1), (1, 4, 1)],
    "fewer-ranks": [(2, 4, 1), (1, 4, 1)],
    "more-ranks-then-passes": [(1, 4, 1), (2, 4, 1), (1, 4, 3)],
}


def outside_spur(folder, script):
    own = {name: value for name, value in os.environ.items() if not name.startswith("SPUR_")}
    command = [sys.executable, "-B", str(HERE / script)]
    return subprocess.run(
        command, env={**own, "OUT": str(folder)}, cwd=folder, capture_output=True, text=True, timeout=180
    )


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
    done = outside_spur(tmp_path, script)
    assert done.returncode == 0, done.stdout + done.stderr
    assert steps(done.stdout) == 16


@pytest.mark.parametrize(("script", "ranks", "nodes", "passes", "skew"), STOPS)
def test_a_stop_ends_all_ranks_after_the_same_complete_step(tmp_path, script, ranks, nodes, passes, skew):
    job = Job(tmp_path, HERE / script)
    job.nodes = nodes
    variant = {"EPOCHS": "9", "SAMPLES": "2304", "PAUSE": "0.05", "RECORD": str(tmp_path), "OUT": str(tmp_path / "out")}
    processes = job.start(ranks, 4, passes, environment=variant)
    job.await_samples(3 * ranks * 4 * passes)
    time.sleep(0.12)  # in the middle of an accumulation
    texts = job.stop(processes, skew)

    ends = {re.search("steps .*|$", text)[0] for text in texts}
    assert len(ends) == 1, texts
    assert f"ranks {ranks} " in texts[0]
    assert job.progress()["checkpointSamples"] == job.progress()["samples"]
    done = [each for rank in record.read(tmp_path) for each in rank["ids"]]
    assert job.progress()["samples"] == len(done) == steps(texts[0]) * ranks * 4 * passes


@LIGHTNING
def test_ranks_stop_together_if_the_checkpoint_cannot_be_saved(tmp_path):
    job = Job(tmp_path, HERE / "fit.py")
    processes = job.start(2, 4, 1, environment={"EPOCHS": "9", "SAMPLES": "2304"})
    job.await_samples(24)
    folder = job.checkpoints / "gen-00000001"
    folder.rmdir()
    folder.touch()
    texts = job.stop(processes, 0)

    assert "was not saved" in texts[0]
    assert steps(texts[0]) == steps(texts[1])


@HUGGING_FACE
def test_a_training_without_the_position_in_its_last_checkpoint_fails(tmp_path):
    job = Job(tmp_path, HERE / "trainer.py")
    (job.checkpoints / "gen-00000001" / "checkpoint-16" / "spur.json.new").mkdir(parents=True)
    (process,) = job.start(1, 64, 1, environment={"OUT": str(tmp_path / "out")})
    output, _ = process.communicate(timeout=120)

    assert process.returncode != 0
    assert "IsADirectoryError" in output


@HUGGING_FACE
def test_outside_spur_a_training_needs_no_position_in_its_last_checkpoint(tmp_path):
    (tmp_path / "checkpoint-16" / "spur.json.new").mkdir(parents=True)
    done = outside_spur(tmp_path, "trainer.py")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "The checkpoint is not complete" in done.stderr


@LIGHTNING
def test_a_training_whose_last_checkpoint_cannot_be_saved_fails(tmp_path):
    job = Job(tmp_path, HERE / "fit.py")
    (process,) = job.start(1, 4, 1, environment={"EPOCHS": "1", "SAMPLES": "128"})
    job.await_samples(4)
    folder = job.checkpoints / "gen-00000001"
    folder.rmdir()
    folder.touch()
    output, _ = process.communicate(timeout=60)

    assert process.returncode != 0
    assert "the training is not complete" in output


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_stop_reaches_no_worker_of_the_data_loader(tmp_path, script):
    job = Job(tmp_path, HERE / script)
    variant = {"EPOCHS": "100", "PAUSE": "0.05", "WORKERS": "2", "OUT": str(tmp_path / "out")}
    processes = job.start(1, 4, 2, environment=variant)
    job.await_samples(24)
    output = job.stop(processes, 0)[0]

    assert job.progress()["checkpointSamples"] == job.progress()["samples"] == 8 * steps(output)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_stop_is_not_delayed_by_a_validation(tmp_path, script):
    job = Job(tmp_path, HERE / script)
    stop = {"STOP": str(job.report / "stop"), "STOP_AT": "3", "PAUSE": "0.6"}
    variant = {"EPOCHS": "9", "MIN_EPOCHS": "8", "VALIDATE": "1", "OUT": str(tmp_path / "out"), **stop}
    output = job.run_alone(16, 1, variant)

    # Lightning validates before the first step, and transformers after each step before the stop.
    assert len(re.findall("validated|evaluated", output)) == (3 * 4 if script == "trainer.py" else 2)
    assert job.progress()["checkpointSamples"] == 16 * steps(output) == 16 * 4


@LIGHTNING
def test_a_stop_with_another_data_loader_does_not_end_the_epoch(tmp_path):
    job = Job(tmp_path, HERE / "fit.py")
    variant = {"EPOCHS": "3", "SAMPLES": "64", "OWN_LOADER": "1", "RECORD": str(tmp_path), "PAUSE": "0.1"}
    stop = {"STOP": str(job.report / "stop"), "STOP_AT": "3"}
    outputs(job.start(1, 4, 1, environment={**variant, **stop}))
    assert job.progress()["samples"] < 64
    text = outputs(job.start(1, 4, 1, environment={**variant, "PAUSE": "0"}))[0]

    assert sum(len(each["ids"]) for each in record.read(tmp_path)) == 3 * 64
    assert "The data loader is not that of spur.lightning.data_loader()" in text


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("script", SCRIPTS)
def test_each_epoch_has_each_sample_once_after_changes(tmp_path, script, changes):
    job, samples = Job(tmp_path, HERE / script), 61
    variant = {"EPOCHS": "3", "SAMPLES": str(samples), "RECORD": str(tmp_path), "OUT": str(tmp_path / "out")}
    for number, (ranks, per_device, passes) in enumerate(changes):
        # The reporter looks for the file each 0.5 s, so the training stops some steps after it.
        stop = {"STOP": str(job.report / "stop"), "STOP_AT": str(40 // (ranks * per_device * passes))}
        is_last = number == len(changes) - 1
        stops = {"PAUSE": "0.01"} if is_last else {"PAUSE": "0.1", **stop}
        outputs(job.start(ranks, per_device, passes, environment={**variant, **stops}))
        assert is_last or job.progress()["samples"] < 3 * samples

    passes = record.read(tmp_path)
    order = [index for each in passes for index in each["ids"]]
    for epoch in range(3):
        assert sorted(order[epoch * samples : (epoch + 1) * samples]) == list(range(samples)), epoch
    assert len(order) == job.progress()["samples"] == 3 * samples
    if script == "trainer.py":
        assert_rate_follows_the_samples(passes, 3 * samples)


def assert_rate_follows_the_samples(passes, total):
    """The default schedule of transformers falls linearly from 5e-5 to 0."""
    done, at_step = 0, {}
    for each in passes:
        at_step.setdefault((each["generation"], each["step"]), [done, each["rate"], 0])[2] += len(each["ids"])
        done += len(each["ids"])
    largest = max(count for _, _, count in at_step.values())
    for before, rate, _ in at_step.values():
        assert rate / 5e-5 == pytest.approx(1 - before / total, abs=1.5 * largest / total)


@LIGHTNING
@pytest.mark.parametrize("nodes", [1, 2])
def test_torchrun_starts_the_ranks_of_the_plan(tmp_path, nodes):
    job = Job(tmp_path, HERE / "fit.py")
    job.nodes, job.generation = nodes, 1
    port, starts = str(free_port()), []
    for node in range(nodes):
        launcher = {"MASTER_PORT": port, "SPUR_LAUNCH": "PER_NODE", "EPOCHS": "1", "RECORD": str(tmp_path)}
        command = [sys.executable, "-m", "torch.distributed.run", f"--nnodes={nodes}", f"--nproc_per_node={2 // nodes}"]
        command += [f"--node_rank={node}", "--master_addr=127.0.0.1", f"--master_port={port}"]
        environment = job.environment(node, 2, 16, 1, **launcher)
        starts.append(
            subprocess.Popen(
                [*command, str(job.script)],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
    texts = outputs(starts)

    assert sum(text.count("ranks 2 ") for text in texts) == 2
    assert sorted(index for each in record.read(tmp_path) for index in each["ids"]) == list(range(256))


@LIGHTNING
@pytest.mark.parametrize(("visible", "device"), [(1, "cuda:0"), (2, "cuda:1")])
def test_a_rank_takes_the_gpu_that_is_its_own(monkeypatch, visible, device):
    import torch

    import spur.lightning

    # The agent shows a process its device alone with launch PER_DEVICE, and all devices of the node with PER_NODE.
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: visible)
    variables = {"SPUR_JOB": "job", "RANK": "3", "LOCAL_RANK": "1", "WORLD_SIZE": "5", "NODE_RANK": "1"}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    strategy = spur.lightning.arguments(accelerator="gpu")["strategy"]

    assert strategy.root_device == torch.device(device)
    assert strategy.distributed_sampler_kwargs == {"num_replicas": 5, "rank": 3}
    assert (strategy.world_size, strategy.node_rank, strategy.local_rank) == (5, 1, 1)
    assert spur.lightning.arguments(accelerator="cpu")["strategy"].root_device == torch.device("cpu")


@LIGHTNING
def test_a_trainer_without_the_ranks_of_the_plan_is_refused(tmp_path):
    job = Job(tmp_path, HERE / "fit.py")
    texts = outputs(job.start(2, 16, 1, environment={"PLAIN": "1"}), codes=(1,))

    for text in texts:
        assert "the training has 1 ranks, but the plan has 2" in text
        assert "Trainer(**spur.lightning.arguments(...))" in text


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_launcher_with_another_number_of_ranks_is_refused(tmp_path, script):
    job = Job(tmp_path, HERE / script)
    environment = {"SPUR_GLOBAL_BATCH": "64", "OUT": str(tmp_path / "out")}
    text = outputs(job.start(1, 16, 1, environment=environment), codes=(1,))[0]

    assert "the training has 1 ranks, but the plan has 4" in text
    assert "--nproc_per_node=${LOCAL_WORLD_SIZE}" in text


def steps(output):
    found = re.search(r"steps (\d+)", output)
    assert found, output
    return int(found[1])
