"""The assignment from environment variables. Nothing here needs PyTorch."""

import os
import re
import subprocess
import sys

import pytest
from conftest import PACKAGE

import spur.huggingface
from spur.assignment import Assignment, Batch, RankMismatch, VersionMismatch, require_workers

UNDER_SPUR = {"SPUR_JOB": "job", "WORLD_SIZE": "4", "RANK": "3", "SPUR_LOCAL_BATCH": "8", "SPUR_ACCUM_STEPS": "2"}


def test_ranks_batch_and_folders_are_read():
    read = Assignment.of({**UNDER_SPUR, "SPUR_GLOBAL_BATCH": "64", "SPUR_REPORT_URL": "file:///a%20b/report"})

    assert (read.rank, read.world_size, read.batch) == (3, 4, Batch(8, 2))
    assert read.report_dir == read.control_dir == "/a b/report"
    assert Assignment.of({**UNDER_SPUR, "SPUR_CONTROL_DIR": "/a b/control"}).control_dir == "/a b/control"
    assert read.resume_dir is None


def test_outside_spur_there_is_one_rank_without_a_batch():
    read = Assignment.of({})

    assert (read.job, read.rank, read.world_size, read.batch) == (None, 0, 1, None)


def test_without_an_agent_the_script_splits_the_planned_batch():
    read = Assignment.of({"WORLD_SIZE": "4", "SPUR_GLOBAL_BATCH": "512"})

    assert (read.job, read.batch, read.global_batch) == (None, None, 512)
    assert read.split(64, 4, 32) == Batch(32, 4)
    assert Assignment.of({"SPUR_GLOBAL_BATCH": ""}).split(64, 4, 32) == Batch(16)
    assert Assignment.of({**UNDER_SPUR, "SPUR_GLOBAL_BATCH": "64"}).split(128, 4, None) == Batch(8, 2)
    with pytest.raises(ValueError, match="batch_size 512 is not a multiple of 3 ranks"):
        read.split(64, 3, None)


def test_the_arguments_of_transformers_have_the_batch_that_a_connector_passes(monkeypatch):
    monkeypatch.setenv("SPUR_GLOBAL_BATCH", "512")
    monkeypatch.setenv("WORLD_SIZE", "4")

    assert spur.huggingface.arguments(per_device_train_batch_size=32, seed=1) == {
        "per_device_train_batch_size": 32,
        "gradient_accumulation_steps": 4,
        "seed": 1,
    }


def test_a_planned_batch_below_one_is_logged_and_ignored(capfd):
    assert Assignment.of({"SPUR_GLOBAL_BATCH": "0"}).split(64, 4, None) == Batch(16)

    assert "SPUR_GLOBAL_BATCH 0 is ignored" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("variable", "value", "logged"),
    [
        ("SPUR_LOCAL_BATCH", "many", "SPUR_LOCAL_BATCH is not a number: 'many'"),
        ("SPUR_LOCAL_BATCH", "-1", "batch of -1 samples in 2 passes"),
        ("SPUR_GLOBAL_BATCH", "65", "SPUR_GLOBAL_BATCH 65 is not 4 ranks x 8 samples x 2 passes"),
        ("SPUR_GENERATION", "first", "SPUR_GENERATION is not a number: 'first'"),
    ],
)
def test_a_malformed_variable_is_logged_once_and_ignored(variable, value, logged, capfd):
    for _ in range(2):
        Assignment.of({**UNDER_SPUR, variable: value})

    assert capfd.readouterr().err.count(logged) == 1


def test_another_version_is_an_error():
    Assignment.of({**UNDER_SPUR, "SPUR_ENVIRONMENT_VERSION": "1"})
    with pytest.raises(VersionMismatch, match="is 9, but this package reads version 1"):
        Assignment.of({**UNDER_SPUR, "SPUR_ENVIRONMENT_VERSION": "9"})


def test_other_ranks_than_those_of_the_plan_are_an_error():
    read = Assignment.of({**UNDER_SPUR, "SPUR_GLOBAL_BATCH": "64"})
    read.require_ranks(4, "state the ranks")
    with pytest.raises(RankMismatch, match=r"has 1 ranks, but the plan has 4: WORLD_SIZE is 4.*state the ranks"):
        read.require_ranks(1, "state the ranks")

    launched = Assignment.of({**UNDER_SPUR, "WORLD_SIZE": "2", "SPUR_GLOBAL_BATCH": "64"})
    with pytest.raises(RankMismatch, match=r"has 2 ranks, but the plan has 4: WORLD_SIZE is 2.*start torchrun with"):
        launched.require_ranks(2, "state the ranks")
    Assignment.of({"WORLD_SIZE": "2"}).require_ranks(1, "state the ranks")


def test_one_process_for_several_devices_needs_a_launcher(tmp_path, monkeypatch):
    variables = {"SPUR_LAUNCH": "PER_NODE", "LOCAL_WORLD_SIZE": "2", "SPUR_PROCESS_DIR": str(tmp_path)}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    require_workers()
    (tmp_path / "pid").write_text(f"{os.getpid()} 12345\n", encoding="ascii")
    require_workers()  # a worker: the guard is the parent of its launcher
    (tmp_path / "pid").write_text(f"{os.getppid()} 12345\n", encoding="ascii")
    with pytest.raises(RankMismatch, match="one process was started for 2 devices, because launch is PER_NODE"):
        require_workers()
    monkeypatch.setenv("SPUR_LAUNCH", "PER_DEVICE")
    require_workers()


@pytest.mark.parametrize(
    ("total", "ranks", "limit", "expected"),
    [(256, 4, None, Batch(64)), (256, 4, 32, Batch(32, 2)), (90, 3, 8, Batch(6, 5)), (7, 1, 2, Batch(1, 7))],
)
def test_a_batch_is_split_exactly(total, ranks, limit, expected):
    split = Batch.split(total, ranks, limit)

    assert split == expected
    assert split.total(ranks) == total


def test_the_version_is_that_of_the_release():
    pom = (PACKAGE.parent / "pom.xml").read_text(encoding="utf-8")

    assert spur.__version__ == re.search(r"^  <version>(.*)</version>", pom, re.MULTILINE)[1]


def test_the_package_is_importable_without_pytorch():
    code = (
        "import sys, importlib\n"
        "for name in ('torch', 'transformers', 'lightning', 'pytorch_lightning'): sys.modules[name] = None\n"
        "for name in ('spur', 'spur.reporter', 'spur.aggregation', 'spur.assignment', 'spur.client',\n"
        "             'spur.huggingface', 'spur.lightning'): importlib.import_module(name)\n"
    )
    subprocess.run([sys.executable, "-B", "-c", code], cwd=PACKAGE, check=True)
