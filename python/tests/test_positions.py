"""Positions in the data after changes of batch, passes and ranks, without a framework."""

import random

import pytest

from spur._epochs import Epochs
from spur.huggingface import _Batches


def run_as_transformers(epochs, samples, stop_after):
    """Runs the loop of transformers' Trainer from a position, with all ranks.

    Returns the ids in their order, and the samples at the stop; the training ends after three epochs.
    """
    ranks = [_Batches(list(range(epochs.length)), epochs, rank, samples) for rank in range(epochs.ranks)]
    step, ids = epochs.step_of(samples), []
    first = step // epochs.steps
    for epoch in range(first, 3):
        skipped = step % epochs.steps if epoch == first else 0
        for batches in ranks:
            batches.begin_epoch()
        iterators = [iter(batches) for batches in ranks]
        for iterator in iterators:
            assert [next(iterator) for _ in range(skipped * epochs.passes)] == [[]] * (skipped * epochs.passes)
        for update in range(skipped, epochs.steps):
            is_last = update == epochs.steps - 1
            for _ in range(epochs.passes_of_last_step if is_last else epochs.passes):
                for part in [next(iterator) for iterator in iterators]:
                    assert 1 <= len(part) <= epochs.per_device
                    ids += part
            step, stop_after = step + 1, stop_after - 1
            samples = {batches.end_step() for batches in ranks}
            assert len(samples) == 1
            if stop_after == 0:
                return ids, samples.pop()
        for iterator in iterators:
            assert list(iterator) == []
    return ids, samples.pop()


@pytest.mark.parametrize("seed", range(300))
def test_each_epoch_has_each_sample_once_for_every_sequence_of_changes(seed):
    chance = random.Random(seed)
    length = chance.randint(30, 200)
    samples, ids = 0, []
    while samples < 3 * length:
        layout = chance.randint(1, 4), chance.randint(1, 16), chance.randint(1, 4)
        trained, samples = run_as_transformers(Epochs(length, *layout), samples, chance.randint(1, 9))
        ids += trained

    ends = [place for place in range(1, len(ids)) if ids[place] < ids[place - 1]]
    epochs = [ids[begin:end] for begin, end in zip([0, *ends], [*ends, len(ids)])]
    # A rank repeats a sample where a step has fewer samples than parts.
    assert [sorted(set(epoch)) for epoch in epochs] == 3 * [list(range(length))]
    assert samples == 3 * length


@pytest.mark.parametrize(
    ("layout", "samples", "step"),
    [
        ((1, 4, 1), 76, 19),
        ((1, 8, 1), 76, 9),  # the rest of 52 samples takes 7 of the 8 steps of the second epoch
        ((1, 4, 2), 76, 9),
        ((2, 4, 1), 64, 8),
        ((1, 64, 1), 65, 1),
        ((1, 8, 1), 192, 24),
    ],
)
def test_a_position_is_restated_in_steps_of_the_batch(layout, samples, step):
    assert Epochs(64, *layout).step_of(samples) == step


def test_an_epoch_without_a_rest_has_full_batches():
    batches = _Batches(list(range(64)), Epochs(64, 2, 8, 2), 1, 0)
    batches.begin_epoch()

    assert list(batches) == [list(range(begin, begin + 8)) for begin in (8, 24, 40, 56)]
