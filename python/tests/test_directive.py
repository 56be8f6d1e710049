"""The file with which the agent changes the batch of a running training."""

import json

import pytest

pytest.importorskip("torch", reason="PyTorch is missing: apt-get install python3-torch")

from spur.assignment import Batch
from spur.torch import _directive

pytestmark = pytest.mark.training


@pytest.fixture
def directive(tmp_path, monkeypatch):
    monkeypatch.setattr(_directive, "READ_SECONDS", 0)
    return tmp_path / "directive", _directive.DirectiveFile(str(tmp_path))


def test_each_directive_is_returned_once(directive):
    path, file = directive
    assert file.read(2) is None
    for per_device in (8, 16):
        new = path.with_name("new")
        new.write_text(json.dumps({"batch": {"perDevice": per_device, "accumulation": 2, "global": 6 * per_device}}))
        new.replace(path)

        assert file.read(2) == Batch(per_device, 3)
        assert file.read(2) is None


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        '{"batch": null}',
        '{"batch": {"perDevice": "many", "accumulation": 0, "global": 0}}',
        '{"batch": {"perDevice": 0, "accumulation": 0, "global": 0}}',
        '{"batch": {"perDevice": 24, "accumulation": -1, "global": 48}}',
        '{"batch": {"perDevice": 24, "accumulation": 0, "global": 64}}',
    ],
)
def test_a_malformed_directive_is_logged_and_ignored(directive, capfd, text):
    path, file = directive
    path.write_text(text)

    assert file.read(2) is None
    assert file.read(2) is None
    assert capfd.readouterr().err.count(f"The directive {path} is ignored") == 1


def test_without_an_agent_there_is_no_directive():
    assert _directive.DirectiveFile(None).read(2) is None
