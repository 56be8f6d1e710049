"""Gradient noise scale (McCandlish et al. 2018, appendix A.1; Qiao et al. 2021, Pollux, section 3.1)."""

from __future__ import annotations

from typing import Any, Optional

SMOOTHING = 0.99
"""Weight of the past in the averages; the first steps are averaged with equal weights."""

FIRST_MEASUREMENTS = 300
"""Measurements in consecutive steps; then only each tenth step is measured, because a measurement takes time."""

PERIOD = 10

MIN_MEASUREMENTS = 100
"""Measurements before the first estimate, which a restart continues from its checkpoint."""


class NoiseScale:
    """Estimates tr(covariance of a sample's gradient) / |gradient|^2, in samples.

    Two batch sizes give unbiased estimates of numerator and denominator. Both are averaged over steps, because the
    quotient of single estimates is biased. A constant factor on all gradients, such as a loss scale, cancels out.

    The denominator limits the precision: if the noise scale is r batches, n independent measurements leave the average
    a relative standard error of at most 2 sqrt((r + r^2) / n). Noise in one direction has this error, and other noise
    less. MIN_MEASUREMENTS leave at most 28 % for one batch and 49 % for two. A larger noise scale, as near convergence,
    is less certain, but 99 % of its estimates exceed one batch. A single measurement could state any value.
    """

    def __init__(self) -> None:
        self._weight = 0.0
        self._variance = 0.0
        self._square = 0.0

    def observe(self, small: float, square_of_small: float, large: float, square_of_large: float) -> None:
        """Adds a step: squared norms of mean gradients over `small` and `large` samples. Ignores infinite values."""
        if not small < large or not abs(square_of_small) + abs(square_of_large) < float("inf"):
            return
        square = (large * square_of_large - small * square_of_small) / (large - small)
        variance = (square_of_small - square_of_large) / (1 / small - 1 / large)
        past = min(SMOOTHING, self._weight / (self._weight + 1))
        self._weight += 1
        self._square = past * self._square + (1 - past) * square
        self._variance = past * self._variance + (1 - past) * variance

    def is_due(self, step: int) -> bool:
        """Whether a step is measured, equal on all ranks that count the same steps."""
        return self._weight < FIRST_MEASUREMENTS or step % PERIOD == 0

    @property
    def value(self) -> Optional[float]:
        """The noise scale in samples; None before MIN_MEASUREMENTS, and while the averages are not positive."""
        if self._weight < MIN_MEASUREMENTS or self._variance <= 0 or self._square <= 0:
            return None
        return self._variance / self._square

    def state_dict(self) -> dict[str, float]:
        return {"weight": self._weight, "variance": self._variance, "square": self._square}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self._weight = float(state["weight"])
        self._variance = float(state["variance"])
        self._square = float(state["square"])
