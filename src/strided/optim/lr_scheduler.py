"""Rates that change from step to step, by the names of ``torch.optim.lr_scheduler``."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence

from strided.errors import InvalidArgument
from strided.optim.one_cycle import OneCycleLR
from strided.optim.optimizer import Optimizer
from strided.optim.plateau import ReduceLROnPlateau
from strided.optim.schedule import LRScheduler

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "OneCycleLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]


class LambdaLR(LRScheduler):
    """The first rate times a function of the number of steps (one function, or one per group).

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=2.0)
    >>> schedule = strided.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 / (1 + step))
    >>> schedule.step()
    >>> schedule.get_last_lr()
    [1.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
    ) -> None:
        groups = len(optimizer.param_groups)
        self.lr_lambdas = [lr_lambda] * groups if callable(lr_lambda) else list(lr_lambda)
        if len(self.lr_lambdas) != groups:
            raise InvalidArgument(
                argument="lr_lambda",
                got=f"{len(self.lr_lambdas)} functions",
                requirement=f"must be one function, or {groups}: one per group",
            )
        super().__init__(optimizer)

    def rate(self, epoch: int, base: float, group: int) -> float:
        return base * self.lr_lambdas[group](epoch)


class StepLR(LRScheduler):
    """The rate times ``gamma`` every ``step_size`` steps.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> strided.optim.lr_scheduler.StepLR(optimizer, 10).rate(25, 1.0, 0)
    0.010000000000000002
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer)

    def rate(self, epoch: int, base: float, group: int) -> float:
        return base * self.gamma ** (epoch // self.step_size)


class MultiStepLR(LRScheduler):
    """The rate times ``gamma`` at each of some steps.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> strided.optim.lr_scheduler.MultiStepLR(optimizer, [3, 5], gamma=0.5).rate(5, 1.0, 0)
    0.25
    """

    def __init__(self, optimizer: Optimizer, milestones: Sequence[int], gamma: float = 0.1) -> None:
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer)

    def rate(self, epoch: int, base: float, group: int) -> float:
        return base * self.gamma ** bisect_right(self.milestones, epoch)


class ExponentialLR(LRScheduler):
    """The rate times ``gamma`` at every step.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> strided.optim.lr_scheduler.ExponentialLR(optimizer, 0.5).rate(2, 1.0, 0)
    0.25
    """

    def __init__(self, optimizer: Optimizer, gamma: float) -> None:
        self.gamma = gamma
        super().__init__(optimizer)

    def rate(self, epoch: int, base: float, group: int) -> float:
        return base * self.gamma**epoch


class LinearLR(LRScheduler):
    """A factor that goes from one value to another in a straight line, and stays there.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.LinearLR(optimizer, 0.5, total_iters=2)
    >>> [schedule.rate(step, 1.0, 0) for step in range(4)]
    [0.5, 0.75, 1.0, 1.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
    ) -> None:
        self.start_factor, self.end_factor = start_factor, end_factor
        self.total_iters = total_iters
        super().__init__(optimizer)

    def rate(self, epoch: int, base: float, group: int) -> float:
        done = min(self.total_iters, epoch) / self.total_iters
        return base * (self.start_factor + (self.end_factor - self.start_factor) * done)


class ConstantLR(LRScheduler):
    """A factor for the first steps, and 1 afterwards.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.ConstantLR(optimizer, 0.5, total_iters=2)
    >>> [schedule.rate(step, 1.0, 0) for step in range(3)]
    [0.5, 0.5, 1.0]
    """

    def __init__(self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5) -> None:
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer)

    def rate(self, epoch: int, base: float, group: int) -> float:
        return base * (self.factor if epoch < self.total_iters else 1.0)


class CosineAnnealingLR(LRScheduler):
    """Half a cosine from the first rate to ``eta_min`` in ``T_max`` steps, and back.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.CosineAnnealingLR(optimizer, 4)
    >>> [round(schedule.rate(step, 1.0, 0), 3) for step in range(5)]
    [1.0, 0.854, 0.5, 0.146, 0.0]
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer)

    def rate(self, epoch: int, base: float, group: int) -> float:
        cosine = math.cos(math.pi * epoch / self.T_max)
        return self.eta_min + (base - self.eta_min) * (1 + cosine) / 2


class SequentialLR(LRScheduler):
    """One schedule after the other: the next begins at each milestone.

    >>> import strided
    >>> from strided.optim.lr_scheduler import ConstantLR, ExponentialLR, SequentialLR
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> parts = [ConstantLR(optimizer, 0.1), ExponentialLR(optimizer, 0.5)]
    >>> schedule = SequentialLR(optimizer, parts, milestones=[2])
    >>> [schedule.rate(step, 1.0, 0) for step in range(4)]
    [0.1, 0.1, 1.0, 0.5]
    """

    def __init__(
        self, optimizer: Optimizer, schedulers: Sequence[LRScheduler], milestones: Sequence[int]
    ) -> None:
        if len(schedulers) != len(milestones) + 1:
            raise InvalidArgument(
                argument="milestones",
                got=f"{len(milestones)} for {len(schedulers)} schedules",
                requirement="must be one fewer than the schedules",
            )
        self._schedulers, self.milestones = list(schedulers), list(milestones)
        super().__init__(optimizer)

    def rate(self, epoch: int, base: float, group: int) -> float:
        number = bisect_right(self.milestones, epoch)
        begin = self.milestones[number - 1] if number else 0
        return self._schedulers[number].rate(epoch - begin, base, group)
