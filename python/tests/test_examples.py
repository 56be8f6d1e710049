"""The examples and the printed scripts run."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="PyTorch is missing: apt-get install python3-torch")

from conftest import PACKAGE
from launch import Job, outputs

pytestmark = pytest.mark.training

REPOSITORY = PACKAGE.parent
EXAMPLES = REPOSITORY / "examples" / "pytorch"


@pytest.mark.parametrize("page", ["how-to/python.md", "getting-started/tutorial-pytorch.md"])
def test_printed_scripts_run(tmp_path, page):
    text = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    script = tmp_path / "train.py"
    printed = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    script.write_text(re.sub(r"spur\.epochs\(\d+\)", "spur.epochs(3)", printed), encoding="utf-8")

    assert run(script).returncode == 0


def test_the_tutorial_states_the_work_of_its_script():
    text = (REPOSITORY / "docs" / "getting-started" / "tutorial-pytorch.md").read_text(encoding="utf-8")
    epochs, samples, amount = (
        int(re.search(pattern, text).group(1))
        for pattern in (r"spur\.epochs\((\d+)\)", r"torch\.randn\((\d+),", r"amount: (\d+)}")
    )

    assert amount == epochs * samples


@pytest.mark.parametrize("name", ["cnn.py", "transformer.py"])
def test_an_example_learns_and_has_at_most_ten_lines_of_spur(tmp_path, name):
    marked = [line for line in (EXAMPLES / name).read_text(encoding="ascii").splitlines() if line.endswith("# Spur")]
    assert len(marked) <= 10

    job = Job(tmp_path, EXAMPLES / name)
    processes = job.start(2, 16, 2, "--samples", "1536", "--epochs", "2", environment={"PYTHONPATH": str(PACKAGE)})
    losses = [float(loss) for loss in re.findall(r"loss ([\d.]+)", outputs(processes, seconds=300)[0])]
    assert len(losses) == 2
    assert losses[1] < losses[0]
    assert job.progress()["samples"] == 2 * 1536


def run(script):
    own = {name: value for name, value in os.environ.items() if not name.startswith("SPUR_")}
    return subprocess.run(
        [sys.executable, "-B", str(pathlib.Path(script))],
        env={**own, "PYTHONPATH": str(PACKAGE)},
        cwd=script.parent,
        timeout=300,
        check=True,
    )
