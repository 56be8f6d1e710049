"""Positions in the data of an epoch, for every batch and number of ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Epochs:
    """Passes and steps of epochs with `length` samples, with up to `per_device` samples of each rank in a pass.

    As in transformers and Lightning, the last step of an epoch has fewer passes where the others have all samples.
    """

    length: int
    ranks: int
    per_device: int
    passes: int

    @property
    def passes_of_epoch(self) -> int:
        return -(-self.length // (self.ranks * self.per_device))

    @property
    def steps(self) -> int:
        return -(-self.passes_of_epoch // self.passes)

    @property
    def passes_of_last_step(self) -> int:
        return self.passes_of_epoch - (self.steps - 1) * self.passes

    def steps_of(self, rest: int) -> int:
        """Steps for the last `rest` samples of an epoch, without more than `per_device` samples in a pass."""
        of_pass = self.ranks * self.per_device
        return 1 + max(0, -(-(rest - self.passes_of_last_step * of_pass) // (self.passes * of_pass)))

    def passes_of(self, rest: int) -> int:
        return (self.steps_of(rest) - 1) * self.passes + self.passes_of_last_step

    def step_of(self, samples: int) -> int:
        """Number of steps after which transformers is in the epoch of `samples` and runs the steps for its rest."""
        epoch, offset = divmod(samples, self.length)
        return (epoch + 1) * self.steps - self.steps_of(self.length - offset)

    def parts(self, rest: int, rank: int) -> Iterator[tuple[int, int]]:
        """Yields the passes of a rank in the last `rest` samples of an epoch, which all parts share evenly.

        Each is the range of its samples among them. A rank needs a sample in each pass, so it repeats one where the
        samples are fewer than the parts.
        """
        count = self.passes_of(rest) * self.ranks
        for part in range(rank, count, self.ranks):
            low, high = rest * part // count, rest * (part + 1) // count
            yield low, max(high, low + 1)
