"""Real trainings on a GPU: one rank with nccl, and several ranks on one GPU with gloo."""

import itertools
import json
import shutil
import subprocess

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is missing: apt-get install python3-torch")

from conftest import PACKAGE, VISIBLE_GPUS
from launch import Job, outputs
from test_elastic import assert_epochs_are_disjoint, assert_same_training


def has_gpu():
    listed = shutil.which("nvidia-smi") and subprocess.run(["nvidia-smi", "-L"], capture_output=True, check=False)
    visible = VISIBLE_GPUS != "" and bool(listed) and listed.returncode == 0
    return visible and torch.version.cuda is not None


pytestmark = [
    pytest.mark.training,
    pytest.mark.skipif(not has_gpu(), reason="no GPU: nvidia-smi lists none, or PyTorch is built without CUDA"),
]

EPOCHS = ["--epochs", "8"]
SLOW = [*EPOCHS, "--pause", "0.3"]
GLOO = ["--backend", "gloo"]
VISIBLE = {"CUDA_VISIBLE_DEVICES": VISIBLE_GPUS.split(",")[0]}

AHEAD = """
import torch
import spur.torch as spur

spur.init_process_group()
model = spur.DistributedDataParallel(torch.nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = spur.DataLoader(range(20), batch_size=1)
spur.restore(model, optimizer)
for _ in spur.epochs(1):
    for number, _ in enumerate(loader):
        optimizer.zero_grad()
        loss = model(torch.ones(1, 4, device=spur.device())).sum()
        loss.backward()
        optimizer.step()
        torch.cuda._sleep(200_000_000)
        end = torch.cuda.Event()
        end.record()
        spur.step(loss)
        if number > 3:
            print("waited" if end.query() else "ahead")
"""


def gpu_job(folder, **options):
    return Job(folder, **options, variables=VISIBLE)


@pytest.fixture(scope="module")
def on_cpu(tmp_path_factory):
    """One rank on a CPU, batch 48 in one pass, eight epochs of 500 samples."""
    job = Job(tmp_path_factory.mktemp("cpu"))
    job.run(1, 48, 1, *EPOCHS)
    return job


LAYOUTS = [(1, 48, 1, []), (1, 16, 3, []), (2, 12, 2, GLOO)]


@pytest.mark.parametrize(("ranks", "per_device", "passes", "options"), LAYOUTS)
def test_the_losses_are_those_of_a_cpu(tmp_path, on_cpu, ranks, per_device, passes, options):
    job = gpu_job(tmp_path)
    job.run(ranks, per_device, passes, *EPOCHS, *options)

    assert_epochs_are_disjoint(job.steps(), 48)
    assert_same_training(job.steps(), on_cpu.steps())
    if ranks == 1:
        assert job.end()["noise"] == pytest.approx(on_cpu.end()["noise"], rel=0.02)
    assert job.progress()["samples"] == job.end()["samples"] == 8 * 480


def test_a_stopped_training_continues_from_its_checkpoint(tmp_path, on_cpu):
    job = gpu_job(tmp_path)
    job.run(1, 48, 1, "--at", "3", "--touch", str(job.report / "stop"), *SLOW)
    job.run(2, 24, 1, "--at", "2", "--touch", str(job.report / "stop"), *SLOW, *GLOO)
    job.run(1, 48, 1, *EPOCHS)

    assert job.steps(1) and job.steps(2) and job.steps(3)
    assert_same_training(job.steps(), on_cpu.steps())


def test_a_directive_changes_the_batch(tmp_path):
    job = gpu_job(tmp_path)
    directive = json.dumps({"batch": {"perDevice": 16, "accumulation": 2, "global": 48}})
    options = ["--pause", "0.03", "--epochs", "4", "--touch", str(job.report / "directive"), "--write", directive]
    job.run(1, 24, 1, "--batch", "24", "--at", "5", *options)

    steps = job.steps()
    assert {len(step["ids"]) for step in steps} == {24, 48}
    assert [change["mechanism"] for change in job.progress()["changes"]] == ["RECONFIGURE"]


def test_ranks_join_and_leave_with_gloo(tmp_path, on_cpu):
    job = gpu_job(tmp_path)
    slow = [*SLOW, "--until", str(job.folder / "fast"), *GLOO]
    running = job.start(1, 48, 1, "--out", str(job.folder / "record"), *slow)
    joining = job.rescale(1, [0, None], 24, 1, *EPOCHS, *GLOO)
    job.await_rescale(1)
    job.rescale(2, [0], 48, 1)
    job.await_rescale(2)
    (job.folder / "fast").touch()
    outputs([*running, *joining])

    assert [ranks for ranks, _ in itertools.groupby(step["ranks"] for step in job.steps())] == [1, 2, 1]
    assert_same_training(job.steps(), on_cpu.steps())
    assert [change["mechanism"] for change in job.progress()["changes"]] == ["RESCALE", "RESCALE"]


@pytest.mark.parametrize(("after", "options"), [(1, []), (2, GLOO)])
def test_ranks_that_wait_continue_from_the_checkpoint_of_the_stop(tmp_path, on_cpu, after, options):
    job = gpu_job(tmp_path)
    out = ["--out", str(job.folder / "record"), *options]
    running = job.start(1, 48, 1, *out, *SLOW)
    waiting = job.warm_up(after, 48 // after, 1, *out, *EPOCHS)
    job.replace(running)
    outputs(waiting)

    assert job.steps(1) and job.steps(2)
    assert_same_training(job.steps(), on_cpu.steps())
    assert [change["mechanism"] for change in job.progress()["changes"]] == ["MIGRATE"]


def test_a_step_does_not_wait_for_the_gpu(tmp_path):
    script = tmp_path / "ahead.py"
    script.write_text(AHEAD, encoding="ascii")
    job = Job(tmp_path, script, variables={**VISIBLE, "PYTHONPATH": str(PACKAGE)})
    text = outputs(job.start(1, 1, 1))[0]

    assert text.split().count("ahead") == 16, text
