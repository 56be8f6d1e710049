"""Reads the record of a training (see paced.py): its steps, and the changes between them."""

import json

KINDS = ("RECONFIGURE", "RESCALE", "MIGRATE", "restart")


def changes(record):
    """The changes of a record: kind, step before, step after, stall in seconds.

    A change is complete with two steps after it; their distance is the duration of a step.
    """
    steps = [line for line in record if "loss" in line]
    found = []
    for before, after, later in zip(steps, steps[1:], steps[2:]):
        kind = kind_of_change(before, after)
        if kind is not None:
            found.append((kind, before, after, max(0, 2 * after["at"] - before["at"] - later["at"])))
    return found


def kind_of_change(before, after):
    """MIGRATE is a new generation whose rank 0 started while the one before trained."""
    if after["generation"] != before["generation"]:
        return "MIGRATE" if after["started"] < before["at"] else "restart"
    if after["ranks"] != before["ranks"]:
        return "RESCALE"
    return "RECONFIGURE" if after["batch"] != before["batch"] else None


def read_record(path):
    """The complete lines of a record of paced.py."""
    if not path.exists():
        return []
    text = path.read_text(encoding="ascii")
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
