"""Real trainings whose next ranks start while the previous ones still train."""

import pytest

pytest.importorskip("torch", reason="PyTorch is missing: apt-get install python3-torch")

from launch import Job, outputs
from test_elastic import assert_epochs_are_disjoint, assert_same_training

pytestmark = pytest.mark.training


@pytest.mark.parametrize(("before", "after"), [(1, 2), (2, 1), (2, 3)])
def test_ranks_that_wait_continue_from_the_checkpoint_of_the_stop(tmp_path, before, after):
    expected = Job(tmp_path / "uninterrupted")
    expected.run(1, 48, 1)
    job = Job(tmp_path / "migrated")
    options = ["--out", str(job.folder / "record")]
    running = job.start(before, 48 // before, 1, *options, "--pause", "0.2")
    waiting = job.warm_up(after, 48 // after, 1, *options)
    assert not job.steps(2)

    job.replace(running)
    outputs(waiting)

    assert job.steps(1) and job.steps(2)
    assert_epochs_are_disjoint(job.steps(), 48)
    assert_same_training(job.steps(), expected.steps())
    assert job.end()["weights"] == pytest.approx(expected.end()["weights"], abs=1e-4)
    assert job.progress()["samples"] == job.end()["samples"] == 2 * 480
    assert [change["mechanism"] for change in job.progress()["changes"]] == ["MIGRATE"]


def test_a_rank_that_waits_ends_on_a_stop(tmp_path):
    job = Job(tmp_path)
    options = ["--out", str(job.folder / "record")]
    running = job.start(1, 48, 1, *options, "--pause", "0.2")
    waiting = job.warm_up(1, 48, 1, *options)
    (job.folder / "run-2" / "stop").touch()
    outputs(waiting)
    assert not list(job.checkpoints.glob("gen-00000002"))
    (job.report / "stop").touch()
    outputs(running)
