"""Real trainings with PyTorch and gloo, on 1 to 4 ranks, restarted with other numbers of ranks."""

import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="PyTorch is missing: apt-get install python3-torch")

from launch import HERE, Job, outputs, read_steps

pytestmark = pytest.mark.training

LOSS_TOLERANCE = 1e-4
"""Sums of 32-bit numbers in another order change a loss by less than this."""


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """One rank, batch 48 in one pass, two epochs of 500 samples."""
    job = Job(tmp_path_factory.mktemp("uninterrupted"))
    job.run(1, 48, 1)
    return job


def assert_epochs_are_disjoint(steps, batch):
    for epoch in {step["epoch"] for step in steps}:
        ids = [index for step in steps if step["epoch"] == epoch for index in step["ids"]]
        assert len(ids) == len(set(ids))
    assert {len(step["ids"]) for step in steps} == {batch}


def assert_same_training(steps, expected):
    assert [step["ids"] for step in steps] == [step["ids"] for step in expected]
    assert [step["loss"] for step in steps] == pytest.approx([step["loss"] for step in expected], abs=LOSS_TOLERANCE)


@pytest.mark.parametrize(("ranks", "per_device", "passes"), [(2, 12, 2), (3, 16, 1), (4, 4, 3)])
def test_the_global_batch_is_exact_and_the_same_for_every_number_of_ranks(
    tmp_path, uninterrupted, ranks, per_device, passes
):
    job = Job(tmp_path)
    job.run(ranks, per_device, passes)

    assert_epochs_are_disjoint(job.steps(), 48)
    assert_same_training(job.steps(), uninterrupted.steps())
    assert job.end()["weights"] == pytest.approx(uninterrupted.end()["weights"], abs=1e-4)
    assert job.end()["samples"] == 2 * 480


@pytest.mark.parametrize(
    ("ranks", "nodes", "passes", "skew", "workers"),
    [(2, 1, 1, 0, 0), (2, 1, 4, 0.03, 0), (2, 1, 1, 0.15, 0), (3, 2, 2, 0.15, 0), (2, 2, 1, 0.15, 2)],
)
def test_a_stop_ends_all_ranks_after_the_same_complete_step(tmp_path, ranks, nodes, passes, skew, workers):
    job = Job(tmp_path)
    job.nodes = nodes
    options = ("--epochs", "99", "--pause", "0.05", "--workers", str(workers))
    processes = job.start(ranks, 4, passes, *job.out, *options)
    job.await_samples(3 * ranks * 4 * passes)
    job.stop(processes, skew)

    assert_epochs_are_disjoint(job.steps(), ranks * 4 * passes)
    trained = sum(len(step["ids"]) for step in job.steps())
    assert job.progress()["samples"] == job.progress()["checkpointSamples"] == trained


def test_a_stop_without_its_checkpoint_fails_on_rank_0(tmp_path):
    job = Job(tmp_path)
    processes = job.start(2, 4, 1, *job.out, "--epochs", "99", "--pause", "0.05")
    job.await_samples(24)
    folder = job.checkpoints / "gen-00000001"
    folder.rmdir()
    folder.touch()
    (job.report / "stop").touch()
    texts = outputs(processes, (0, 1))

    assert [process.returncode for process in processes] == [1, 0]
    assert "was not saved" in texts[0]


def test_the_last_epoch_ends_with_a_checkpoint(tmp_path):
    job = Job(tmp_path)
    job.run(1, 48, 1, "--epochs", "1")

    assert job.progress()["checkpointSamples"] == job.progress()["samples"] == 480


def test_a_training_that_cannot_save_after_the_last_epoch_fails(tmp_path):
    job = Job(tmp_path)
    processes = job.start(1, 48, 1, *job.out, "--epochs", "1", "--pause", "0.05")
    job.await_samples(48)
    folder = job.checkpoints / "gen-00000001"
    folder.rmdir()
    folder.touch()

    assert "the training is not complete" in outputs(processes, (1,))[0]


def test_a_stopped_training_continues_with_another_number_of_ranks(tmp_path, uninterrupted):
    job = Job(tmp_path)
    stop = ["--pause", "0.15", "--touch", str(job.report / "stop")]
    job.run(4, 12, 1, "--at", "3", *stop)
    assert (job.report / "asked").exists()
    first = job.progress()
    job.run(1, 24, 2, "--at", "2", *stop)
    job.run(3, 8, 2)

    assert_same_training(job.steps(), uninterrupted.steps())
    assert job.end()["weights"] == pytest.approx(uninterrupted.end()["weights"], abs=1e-4)
    assert first["samples"] == first["checkpointSamples"] == 48 * len(job.steps(1))
    assert [step["ranks"] for step in job.steps()] == sorted(
        [step["ranks"] for step in job.steps()], key=[4, 1, 3].index
    )
    assert job.progress()["samples"] == 960


def test_a_killed_training_repeats_the_steps_since_its_checkpoint(tmp_path, uninterrupted):
    job = Job(tmp_path)
    killed = job.start(2, 24, 1, "--out", str(job.folder / "record"), "--at", "6", "--kill", "--save-every", "0")
    assert killed[1].wait(60) == -9
    for process in killed:
        process.kill()
        process.communicate()
    job.run(4, 12, 1)

    expected = uninterrupted.steps()
    repeated = job.steps(2)
    begin = len(expected) - len(repeated)
    assert 4 <= begin <= 6
    assert_same_training(repeated, expected[begin:])


def test_a_directive_changes_the_batch_at_the_same_step_on_all_ranks(tmp_path):
    job = Job(tmp_path)
    directive = json.dumps({"batch": {"perDevice": 8, "accumulation": 2, "global": 48}})
    options = [
        "--pause",
        "0.03",
        "--epochs",
        "4",
        "--at",
        "5",
        "--touch",
        str(job.report / "directive"),
        "--write",
        directive,
    ]
    job.run(2, 12, 1, "--batch", "24", "--rule", "LINEAR", *options)

    steps = job.steps()
    assert all(len(step["batches"]) == 1 for step in steps)
    changed = next(number for number, step in enumerate(steps) if step["batches"] == {(8, 3)})
    assert {len(step["ids"]) for step in steps[:changed]} == {24}
    assert {len(step["ids"]) for step in steps[changed:]} == {48}
    for epoch in range(4):
        ids = [index for step in steps if step["epoch"] == epoch for index in step["ids"]]
        assert len(ids) == len(set(ids)) > 500 - 48


@pytest.mark.parametrize("text", ["{", '{"batch": {"perDevice": 5000, "accumulation": 0, "global": 10000}}'])
def test_a_malformed_directive_is_logged_once_and_the_training_continues(tmp_path, uninterrupted, text):
    job = Job(tmp_path)
    output = job.run(
        2, 24, 1, "--pause", "0.05", "--at", "3", "--touch", str(job.report / "directive"), "--write", text
    )

    assert output.count("is ignored") == 1
    assert_same_training(job.steps(), uninterrupted.steps())


def test_progress_has_samples_and_loss(uninterrupted):
    progress = uninterrupted.progress()

    assert progress["samples"] == progress["checkpointSamples"] == 960
    assert progress["loss"] == pytest.approx(uninterrupted.steps()[-1]["loss"])
    assert "noiseScale" not in progress, "after 20 steps"


def test_it_runs_outside_spur_under_torchrun(tmp_path, uninterrupted):
    out = tmp_path / "record"
    # Without the redirection, PyTorch 1.13 fails on Python 3.11: it does not recognize "no redirection".
    launcher = [
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc_per_node",
        "3",
        "--redirects",
        "1",
        "--tee",
        "1",
    ]
    command = [
        sys.executable,
        *launcher,
        "--log_dir",
        str(tmp_path / "logs"),
        str(HERE / "elastic.py"),
        "--out",
        str(out),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr

    assert_same_training(read_steps(out, 1), uninterrupted.steps())


def test_it_runs_outside_spur_as_one_process_and_resumes(tmp_path, uninterrupted):
    out = tmp_path / "record"
    for epochs in ("1", "2"):
        options = ["--out", str(out), "--directory", str(tmp_path / "checkpoints"), "--epochs", epochs]
        subprocess.run([sys.executable, "-B", str(HERE / "elastic.py"), *options], check=True, timeout=120)

    assert_same_training(read_steps(out, 1), uninterrupted.steps())


def test_without_an_agent_it_trains_the_batch_that_a_connector_passes(tmp_path, uninterrupted):
    out = tmp_path / "record"
    options = ["--out", str(out), "--batch", "16", "--max-per-device", "12"]
    environment = {**os.environ, "SPUR_GLOBAL_BATCH": "48"}
    subprocess.run([sys.executable, "-B", str(HERE / "elastic.py"), *options], check=True, timeout=120, env=environment)

    assert_same_training(read_steps(out, 1), uninterrupted.steps())


def test_another_version_of_the_environment_is_an_error_at_the_start(tmp_path):
    job = Job(tmp_path)
    processes = job.start(1, 48, 1, "--out", str(tmp_path / "record"), environment={"SPUR_ENVIRONMENT_VERSION": "2"})

    assert "SPUR_ENVIRONMENT_VERSION is 2, but this package reads version 1: install" in outputs(processes, (1,))[0]


def test_a_batch_that_no_split_gives_exactly_is_an_error_at_the_start(tmp_path):
    job = Job(tmp_path)
    processes = job.start(
        3, 1, 1, "--out", str(tmp_path / "record"), "--batch", "50", environment={"SPUR_LOCAL_BATCH": ""}
    )

    assert "batch_size 50 is not a multiple of 3 ranks: choose 48 or 51" in outputs(processes, (1,))[0]


def test_the_process_group_is_released_at_the_exit(tmp_path):
    job = Job(tmp_path, HERE / "exits.py")

    for text in outputs(job.start(2, 4, 1)):
        assert text.splitlines()[-1] == "released"
