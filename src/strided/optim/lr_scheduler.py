"""Learning-rate schedulers, by the names of ``torch.optim.lr_scheduler``.

A schedule is a function of the number of steps and the rate at the start: nothing is accumulated,
so a schedule can be set to any step, and two of them on one optimizer do not multiply.
"""

from __future__ import annotations

import importlib
import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from strided.errors import InvalidArgument
from strided.nn.left_out_of_nn import missing
from strided.optim.optimizer import Optimizer
from strided.optim.reduce_on_plateau import ReduceLROnPlateau

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

if TYPE_CHECKING:
    from strided.optim.cycles import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR

_LATER = ("CosineAnnealingWarmRestarts", "CyclicLR", "OneCycleLR")


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        return missing("optim.lr_scheduler", name)
    value = getattr(importlib.import_module("strided.optim.cycles"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


class LRScheduler:
    """Base class of schedulers: sets the learning rate of every parameter group.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(1))
    >>> optimizer = strided.optim.SGD([weight], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    >>> rates = []
    >>> for _ in range(4):
    ...     rates += schedule.get_last_lr()
    ...     schedule.step()
    >>> rates
    [1.0, 1.0, 0.5, 0.5]
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.step()

    def rate(self, epoch: int, base: float, group: int) -> float:
        """Return the learning rate of a group at a step; a subclass defines it.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> strided.optim.lr_scheduler.ExponentialLR(optimizer, 0.5).rate(3, 1.0, 0)
        0.125
        """
        raise NotImplementedError(f"{type(self).__name__} has no rate")

    def step(self, epoch: int | None = None) -> None:
        """Advance by one step (or to ``epoch``) and set the rates.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> schedule = strided.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        >>> schedule.step()
        >>> optimizer.param_groups[0]["lr"]
        0.5
        """
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        groups = self.optimizer.param_groups
        for number, (group, base) in enumerate(zip(groups, self.base_lrs, strict=True)):
            group["lr"] = self.rate(self.last_epoch, base, number)

    def get_last_lr(self) -> list[float]:
        """Return the current rates.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> strided.optim.lr_scheduler.ExponentialLR(optimizer, 0.5).get_last_lr()
        [1.0]
        """
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """Return the state: everything but the optimizer and functions.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> strided.optim.lr_scheduler.ExponentialLR(optimizer, 0.5).state_dict()["last_epoch"]
        0
        """
        left_out = ("optimizer", "lr_lambdas", "_schedulers", "_factors", "_scale_fn")
        return {key: value for key, value in vars(self).items() if key not in left_out}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load the state of another scheduler of this class.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> schedule = strided.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        >>> schedule.load_state_dict({"last_epoch": 2})
        >>> schedule.get_last_lr()
        [0.25]
        """
        vars(self).update(state_dict)
        self.step(self.last_epoch)


class LambdaLR(LRScheduler):
    """The base rate times a function of the step (one function, or one per group).

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
        last_epoch: int = -1,
    ) -> None:
        groups = len(optimizer.param_groups)
        self.lr_lambdas = [lr_lambda] * groups if callable(lr_lambda) else list(lr_lambda)
        if len(self.lr_lambdas) != groups:
            raise InvalidArgument(
                argument="lr_lambda",
                got=f"{len(self.lr_lambdas)} functions",
                requirement=f"must be one function, or {groups}: one per group",
            )
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: int, base: float, group: int) -> float:
        return base * self.lr_lambdas[group](epoch)


class StepLR(LRScheduler):
    """The rate times ``gamma`` every ``step_size`` steps.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> strided.optim.lr_scheduler.StepLR(optimizer, 10).rate(25, 1.0, 0)
    0.010000000000000002
    """

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: int, base: float, group: int) -> float:
        return base * self.gamma ** (epoch // self.step_size)


class MultiStepLR(LRScheduler):
    """The rate times ``gamma`` at each of some steps.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> strided.optim.lr_scheduler.MultiStepLR(optimizer, [3, 5], gamma=0.5).rate(5, 1.0, 0)
    0.25
    """

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: int, base: float, group: int) -> float:
        return base * self.gamma ** bisect_right(self.milestones, epoch)


class ExponentialLR(LRScheduler):
    """The rate times ``gamma`` at every step.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> strided.optim.lr_scheduler.ExponentialLR(optimizer, 0.5).rate(2, 1.0, 0)
    0.25
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: int, base: float, group: int) -> float:
        return base * self.gamma**epoch


class LinearLR(LRScheduler):
    """Linear warm-up or decay of a factor, which then stays.

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
        last_epoch: int = -1,
    ) -> None:
        self.start_factor, self.end_factor = start_factor, end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: int, base: float, group: int) -> float:
        done = min(self.total_iters, epoch) / self.total_iters
        return base * (self.start_factor + (self.end_factor - self.start_factor) * done)


class ConstantLR(LRScheduler):
    """A constant factor for the first steps, 1 afterwards.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.ConstantLR(optimizer, 0.5, total_iters=2)
    >>> [schedule.rate(step, 1.0, 0) for step in range(3)]
    [0.5, 0.5, 1.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: int, base: float, group: int) -> float:
        return base * (self.factor if epoch < self.total_iters else 1.0)


class CosineAnnealingLR(LRScheduler):
    """Cosine annealing from the base rate to ``eta_min`` in ``T_max`` steps, and back.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.CosineAnnealingLR(optimizer, 4)
    >>> [round(schedule.rate(step, 1.0, 0), 3) for step in range(5)]
    [1.0, 0.854, 0.5, 0.146, 0.0]
    """

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: int, base: float, group: int) -> float:
        cosine = math.cos(math.pi * epoch / self.T_max)
        return self.eta_min + (base - self.eta_min) * (1 + cosine) / 2


class SequentialLR(LRScheduler):
    """Schedulers one after the other: the next begins at each milestone.

    >>> import strided
    >>> from strided.optim.lr_scheduler import ConstantLR, ExponentialLR, SequentialLR
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> parts = [ConstantLR(optimizer, 0.1), ExponentialLR(optimizer, 0.5)]
    >>> schedule = SequentialLR(optimizer, parts, milestones=[2])
    >>> [schedule.rate(step, 1.0, 0) for step in range(4)]
    [0.1, 0.1, 1.0, 0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: Sequence[LRScheduler],
        milestones: Sequence[int],
        last_epoch: int = -1,
    ) -> None:
        if len(schedulers) != len(milestones) + 1:
            raise InvalidArgument(
                argument="milestones",
                got=f"{len(milestones)} for {len(schedulers)} schedules",
                requirement="must be one fewer than the schedules",
            )
        self._schedulers, self.milestones = list(schedulers), list(milestones)
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: int, base: float, group: int) -> float:
        number = bisect_right(self.milestones, epoch)
        begin = self.milestones[number - 1] if number else 0
        return self._schedulers[number].rate(epoch - begin, base, group)


class MultiplicativeLR(LRScheduler):
    """The rate times a function of the step, at every step (one function, or one per group).

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda step: 0.5)
    >>> [schedule.rate(step, 1.0, 0) for step in range(3)]
    [1.0, 0.5, 0.25]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        groups = len(optimizer.param_groups)
        self.lr_lambdas = [lr_lambda] * groups if callable(lr_lambda) else list(lr_lambda)
        if len(self.lr_lambdas) != groups:
            raise InvalidArgument(
                argument="lr_lambda",
                got=f"{len(self.lr_lambdas)} functions",
                requirement=f"must be one function, or {groups}: one per group",
            )
        self._factors = [[1.0] for _ in range(groups)]  # products of the first steps
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: int, base: float, group: int) -> float:
        known = self._factors[group]
        while len(known) <= epoch:
            known.append(known[-1] * self.lr_lambdas[group](len(known)))
        return base * known[epoch]


class PolynomialLR(LRScheduler):
    """Polynomial decay to zero in ``total_iters`` steps.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.PolynomialLR(optimizer, 4, power=2.0)
    >>> [schedule.rate(step, 1.0, 0) for step in (0, 2, 4, 6)]
    [1.0, 0.25, 0.0, 0.0]
    """

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: int, base: float, group: int) -> float:
        left: float = 1.0 - min(self.total_iters, epoch) / self.total_iters
        return base * math.pow(left, self.power)


class ChainedScheduler(LRScheduler):
    """Schedulers together: the base rate times the factors of all.

    >>> import strided
    >>> from strided.optim.lr_scheduler import ChainedScheduler, ConstantLR, ExponentialLR
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> parts = [ConstantLR(optimizer, 0.5, total_iters=1), ExponentialLR(optimizer, 0.5)]
    >>> schedule = ChainedScheduler(parts)
    >>> [schedule.rate(step, 1.0, 0) for step in range(3)]
    [0.5, 0.5, 0.25]
    """

    def __init__(
        self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None
    ) -> None:
        self._schedulers = list(schedulers)
        owners = {id(one.optimizer) for one in self._schedulers}
        if len(owners) != 1 or (optimizer is not None and id(optimizer) not in owners):
            raise InvalidArgument(
                argument="schedulers",
                got=f"{len(self._schedulers)} of {len(owners)} optimizers",
                requirement="must be one or more, of the same optimizer",
            )
        super().__init__(self._schedulers[0].optimizer)

    def rate(self, epoch: int, base: float, group: int) -> float:
        rate = base
        for one in self._schedulers:
            rate *= one.rate(epoch, base, group) / base if base else 1.0
        return rate
