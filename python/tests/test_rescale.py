"""Real trainings whose ranks change while they run."""

import pytest

pytest.importorskip("torch", reason="PyTorch is missing: apt-get install python3-torch")

from launch import Job, outputs
from test_elastic import assert_epochs_are_disjoint, assert_same_training

pytestmark = pytest.mark.training

EPOCHS = ["--epochs", "6"]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """One rank, batch 48 in one pass, six epochs of 500 samples."""
    job = Job(tmp_path_factory.mktemp("uninterrupted"))
    job.run(1, 48, 1, *EPOCHS)
    return job


def start(job, world, per_device):
    """Starts a generation whose steps are slow until finish() is called."""
    slow = ["--pause", "0.2", "--until", str(job.folder / "fast")]
    return job.start(world, per_device, 1, "--out", str(job.folder / "record"), *EPOCHS, *slow)


def finish(job, *processes):
    (job.folder / "fast").touch()
    outputs(processes)


def test_ranks_join_and_leave_a_running_training(tmp_path, uninterrupted):
    job = Job(tmp_path)
    first = start(job, 2, 24)
    second = job.rescale(1, [0, 1, None, None], 12, 1, *EPOCHS)
    job.await_rescale(1)
    job.rescale(2, [0, 3, 1], 16, 1, *EPOCHS)
    job.await_rescale(2)
    third = job.rescale(3, [0, None], 24, 1, *EPOCHS)
    job.await_rescale(3)
    finish(job, *first, *second, *third)

    steps = job.steps()
    ranks = [step["ranks"] for step in steps]
    assert [count for index, count in enumerate(ranks) if index == 0 or ranks[index - 1] != count] == [2, 4, 3, 2]
    assert_epochs_are_disjoint(steps, 48)
    assert_same_training(steps, uninterrupted.steps())
    assert job.end()["weights"] == pytest.approx(uninterrupted.end()["weights"], abs=1e-4)
    assert job.progress()["samples"] == job.end()["samples"] == 6 * 480


def test_a_joining_rank_that_is_killed_does_not_stop_the_others(tmp_path, uninterrupted):
    job = Job(tmp_path)
    running = start(job, 2, 24)
    joining = job.rescale(1, [0, 1, None], 16, 1, *EPOCHS, "--die", "warm-up")
    assert joining[0].wait(60) == -9
    finish(job, *running)

    assert_same_training(job.steps(), uninterrupted.steps())


def test_a_rank_that_is_killed_in_the_change_loses_no_step(tmp_path, uninterrupted):
    job = Job(tmp_path)
    running = start(job, 2, 24)
    joining = job.rescale(1, [0, 1, None], 16, 1, *EPOCHS, "--die", "change")
    assert joining[0].wait(60) == -9
    (job.report / "stop").touch()
    outputs(running, codes=(0, 1))
    before = len(job.steps())
    job.report.joinpath("directive").unlink()
    job.run(3, 16, 1, *EPOCHS)

    assert_same_training(job.steps(), uninterrupted.steps())
    assert job.steps(2)[0]["from"] // 48 + job.steps(2)[0]["epoch"] * 10 == before


def test_a_training_that_stops_while_ranks_join_saves_a_checkpoint(tmp_path, uninterrupted):
    job = Job(tmp_path)
    running = start(job, 2, 24)
    joining = job.rescale(1, [0, 1, None, None], 12, 1, *EPOCHS)
    (job.report / "stop").touch()
    outputs([*running, *joining])
    job.report.joinpath("directive").unlink()
    job.run(1, 48, 1, *EPOCHS)

    assert_same_training(job.steps(), uninterrupted.steps())
