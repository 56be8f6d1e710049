"""Checkpoints on disk, and what happens when they cannot be written or read."""

import os
import pathlib
import types

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is missing: apt-get install python3-torch")

from spur.assignment import Assignment
from spur.torch._checkpoint import CheckpointError, Checkpoints
from spur.torch._loop import _Keeper

pytestmark = pytest.mark.training


def checkpoints(folder, generation, resume=None):
    environment = {
        "SPUR_JOB": "job",
        "SPUR_GENERATION": str(generation),
        "SPUR_CHECKPOINT_DIR": str(folder),
        "SPUR_CHECKPOINT_WRITE_DIR": str(folder / f"gen-{generation:08d}"),
        "SPUR_CHECKPOINT_RESUME_DIR": str(folder / f"gen-{resume:08d}") if resume else "",
    }
    opened = Checkpoints(Assignment.of(environment), None)
    opened.open()
    return opened


def saved(folder, generation):
    assert checkpoints(folder, generation).save({"value": generation})


def test_the_newest_generation_is_found(tmp_path):
    saved(tmp_path, 1)
    saved(tmp_path, 3)

    assert checkpoints(tmp_path, 4).find().state["value"] == 3
    assert checkpoints(tmp_path, 3).find().state["value"] == 3
    assert checkpoints(tmp_path, 4, resume=1).find().state["value"] == 1
    assert checkpoints(tmp_path / "other", 1).find() is None


def test_a_damaged_checkpoint_is_skipped(tmp_path, capfd):
    saved(tmp_path, 1)
    saved(tmp_path, 2)
    damaged = tmp_path / "gen-00000002" / "state.pt"
    damaged.write_bytes(damaged.read_bytes()[:100])

    assert checkpoints(tmp_path, 3).find().state["value"] == 1
    assert f"The checkpoint {damaged} is skipped" in capfd.readouterr().err


def test_progress_is_not_discarded_when_no_checkpoint_can_be_read(tmp_path):
    saved(tmp_path, 1)
    (tmp_path / "gen-00000001" / "state.pt").write_bytes(b"")

    with pytest.raises(CheckpointError, match=r"no checkpoint can be read: .*state.pt"):
        checkpoints(tmp_path, 2).find()


def test_a_generation_does_not_save_after_a_later_one_has_begun(tmp_path):
    earlier = checkpoints(tmp_path, 1)
    checkpoints(tmp_path, 2)

    with pytest.raises(SystemExit, match="generation 1 does not save: generation 2 has begun"):
        earlier.save({})


def test_a_failed_save_keeps_the_last_checkpoint_and_is_logged_once(tmp_path, capfd):
    kept = checkpoints(tmp_path, 1)
    assert kept.save({"value": 1})
    for _ in range(2):
        assert not kept.save({"value": lambda: None})

    assert kept.find().state["value"] == 1
    assert capfd.readouterr().err.count("was not saved") == 1


def test_a_full_disk_does_not_end_the_training(tmp_path, capfd):
    full = checkpoints(tmp_path, 1)
    os.symlink("/dev/full", tmp_path / "gen-00000001" / "state.pt.new")

    assert not full.save({"value": torch.zeros(1_000_000)})
    assert "No space left on device" in capfd.readouterr().err


def test_a_training_whose_last_checkpoint_cannot_be_saved_is_not_complete(tmp_path):
    opened = checkpoints(tmp_path, 1)
    rank_0 = types.SimpleNamespace(rank=0, state_dict=dict, reporter=types.SimpleNamespace(saved=lambda: None))
    _Keeper(rank_0, opened, {}, every=600).save_last()
    os.symlink("/dev/full", tmp_path / "gen-00000001" / "state.pt.new")

    with pytest.raises(CheckpointError, match="not complete"):
        _Keeper(rank_0, opened, {}, every=600).save_last()

    _Keeper(rank_0, Checkpoints(Assignment.of({}), None), {}, every=600).save_last()


def test_a_folder_that_could_not_be_created_is_created_for_the_next_checkpoint(tmp_path):
    opened = checkpoints(tmp_path, 1)
    (tmp_path / "gen-00000001").rmdir()

    assert opened.save({"value": 1})


def test_a_folder_that_cannot_be_created_does_not_stop_the_training(tmp_path, capfd):
    (tmp_path / "file").write_text("", encoding="ascii")
    opened = checkpoints(tmp_path / "file", 1)

    assert not opened.save({"value": 1})
    assert opened.find() is None
    assert "Checkpoints cannot be saved" in capfd.readouterr().err


def test_without_folders_nothing_is_saved(tmp_path):
    assert not Checkpoints(Assignment.of({}), None).save({})
    assert list(pathlib.Path(tmp_path).iterdir()) == []
