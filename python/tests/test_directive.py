"""The file with which the agent changes the batch of a running training."""

import json

import pytest

pytest.importorskip("torch", reason="PyTorch is missing: apt-get install python3-torch")

from spur.assignment import Batch
from spur.torch import _directive

pytestmark = pytest.mark.training


def rescaled(ranks, per_device=8, batch=16, number=1):
    master = '{"address": "127.0.0.1", "port": 1}'
    return (
        f'{{"batch": {{"perDevice": {per_device}, "accumulation": 0, "global": {batch}}}, '
        f'"rescale": {{"number": {number}, "ranks": {ranks}, "master": {master}}}}}'
    )


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

        assert file.read(2) == _directive.Directive(Batch(per_device, 3))
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
        rescaled("[0, null, null]", per_device=8, batch=16),
        rescaled("[1, 0]"),
        rescaled("[0, 0]"),
        rescaled("[0, 2]"),
        rescaled("[]"),
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


def test_a_change_of_the_ranks_is_carried_out_once(directive):
    path, file = directive
    path.write_text(rescaled("[0, null, 1]", batch=24))
    assert file.read(2).rescale.ranks == (0, None, 1)

    path.write_text(rescaled("[0, null, 1]", per_device=4, batch=12))
    assert file.read(3, rescaled=1) == _directive.Directive(Batch(4, 1))
