"""Rules for the learning rate when the batch is not the one that the rate was chosen for."""

from __future__ import annotations

import functools
from typing import Any, Callable, Optional

from spur.torch._session import Session

LINEAR = "LINEAR"
"""The rate times the ratio of the batches (Goyal et al. 2017); usual for SGD."""

SQRT = "SQRT"
"""The rate times the square root of the ratio (Krizhevsky 2014); usual for Adam."""

ADASCALE = "ADASCALE"
"""The rate times the gain of AdaScale (Johnson et al. 2020), from the gradient noise scale."""

NONE = "NONE"
"""The rate as it is."""


def factor(rule: str, base_batch: int, batch: int, noise_scale: Optional[float]) -> float:
    """Factor of the learning rate at `batch` samples; 1 at `base_batch`.

    The gain of AdaScale is (noise + base) / (noise + batch) * batch / base: from 1 without noise to the ratio of the
    batches. It is 1 while the noise scale is unknown.
    """
    ratio = batch / base_batch
    if rule == LINEAR:
        return ratio
    if rule == SQRT:
        return float(ratio**0.5)
    if rule == ADASCALE:
        return 1.0 if noise_scale is None else (noise_scale + base_batch) / (noise_scale + batch) * ratio
    if rule == NONE:
        return 1.0
    raise ValueError(f"learning_rate_rule {rule!r} is not one of {LINEAR}, {SQRT}, {ADASCALE}, {NONE}")


def accumulate(optimizer: Any, scheduler: Any, session: Session, rule: str) -> None:
    """Makes `optimizer.step` act in the last pass of a step only, with the rate of the rule.

    The rate of the optimizer stays the one of the script, so schedulers are not affected by the rule.
    """
    factor(rule, 1, 1, None)
    step, zero_grad = optimizer.step, optimizer.zero_grad
    accumulated = False

    @functools.wraps(step)
    def step_on_last_pass(*arguments: Any, **options: Any) -> Any:
        nonlocal accumulated
        accumulated = not session.is_last_pass
        return None if accumulated else _scaled(optimizer, session, rule, lambda: step(*arguments, **options))

    @functools.wraps(zero_grad)
    def zero_before_first_pass(*arguments: Any, **options: Any) -> None:
        if not accumulated:
            zero_grad(*arguments, **options)

    optimizer.step, optimizer.zero_grad = step_on_last_pass, zero_before_first_pass
    if scheduler is not None:
        kind = type(scheduler)

        def advance_on_last_pass(self: Any, *arguments: Any, **options: Any) -> None:
            if session.is_last_pass:
                kind.step(self, *arguments, **options)

        # Not an attribute of the scheduler, because these are part of its state.
        scheduler.__class__ = type(kind.__name__, (kind,), {"step": advance_on_last_pass})


def _scaled(optimizer: Any, session: Session, rule: str, step: Callable[[], Any]) -> Any:
    by = factor(rule, session.base_batch, session.global_batch, session.noise.value)
    if by == 1:
        return step()
    rates = [group["lr"] for group in optimizer.param_groups]
    try:
        for group in optimizer.param_groups:
            group["lr"] = group["lr"] * by
        return step()
    finally:
        for group, rate in zip(optimizer.param_groups, rates):
            group["lr"] = rate
