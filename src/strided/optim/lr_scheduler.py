"""Learning-rate schedulers, by the names of ``torch.optim.lr_scheduler``.

A schedule is a function of the number of steps and the rate at the start: nothing is accumulated,
so a schedule can be set to any step, and two of them on one optimizer do not multiply.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from strided.errors import InvalidArgument
from strided.optim.optimizer import Optimizer
from strided.optim.reduce_on_plateau import ReduceLROnPlateau

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

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = -1
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
        left_out = ("optimizer", "lr_lambdas", "_schedulers")
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
    ) -> None:
        self.start_factor, self.end_factor = start_factor, end_factor
        self.total_iters = total_iters
        super().__init__(optimizer)

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

    def __init__(self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5) -> None:
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer)

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

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer)

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


class OneCycleLR(LRScheduler):
    """One-cycle policy: up to ``max_lr`` and down (Smith 2017, arXiv:1708.07120).

    Momentum moves in the opposite direction.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.OneCycleLR(
    ...     optimizer, 1.0, total_steps=5, pct_start=0.5, cycle_momentum=False
    ... )
    >>> rates = []
    >>> for _ in range(4):
    ...     rates += schedule.get_last_lr()
    ...     schedule.step()
    >>> [round(rate, 3) for rate in rates]
    [0.04, 0.76, 0.905, 0.345]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | Sequence[float],
        total_steps: int,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float = 0.85,
        max_momentum: float = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
    ) -> None:
        if anneal_strategy not in ("cos", "linear"):
            raise InvalidArgument(
                argument="anneal_strategy",
                got=repr(anneal_strategy),
                requirement="must be 'cos' or 'linear'",
            )
        groups = optimizer.param_groups
        self.max_lrs = [max_lr] * len(groups) if isinstance(max_lr, (int, float)) else list(max_lr)
        self.total_steps, self.anneal_strategy = total_steps, anneal_strategy
        self.div_factor, self.final_div_factor = div_factor, final_div_factor
        self.cycle_momentum = cycle_momentum
        self.base_momentum, self.max_momentum = base_momentum, max_momentum
        # (last step, kind of end) of each phase; rates and momenta move between kinds.
        rise = float(pct_start * total_steps) - 1
        self.phases = [(rise, "low", "high"), (total_steps - 1.0, "high", "least")]
        if three_phase:
            fall = float(2 * pct_start * total_steps) - 2
            self.phases[1:] = [(fall, "high", "low"), (total_steps - 1.0, "low", "least")]
        for group, top in zip(groups, self.max_lrs, strict=True):
            group["initial_lr"] = top / div_factor
        super().__init__(optimizer)

    def _between(self, epoch: int, values: Mapping[str, float]) -> float:
        begin = 0.0
        for end, first, last in self.phases:
            if epoch <= end or end == self.phases[-1][0]:
                done = (epoch - begin) / (end - begin)
                if self.anneal_strategy == "linear":
                    return (values[last] - values[first]) * done + values[first]
                cosine = math.cos(math.pi * done)
                return values[last] + (values[first] - values[last]) / 2.0 * (cosine + 1)
            begin = end
        raise AssertionError("the last phase has every later step")

    def rate(self, epoch: int, base: float, group: int) -> float:
        least = base / self.final_div_factor
        return self._between(epoch, {"low": base, "high": self.max_lrs[group], "least": least})

    def step(self, epoch: int | None = None) -> None:
        """Advance by one step, and set rates and momenta.

        >>> import strided
        >>> optimizer = strided.optim.Adam([strided.nn.Parameter(strided.ones(1))])
        >>> schedule = strided.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=10)
        >>> schedule.step()
        >>> optimizer.param_groups[0]["betas"][0] < 0.95
        True
        """
        if self.last_epoch + 1 >= self.total_steps and epoch is None:
            raise InvalidArgument(
                argument="step",
                got=str(self.last_epoch + 1),
                requirement=f"must be below total_steps = {self.total_steps}",
            )
        super().step(epoch)
        if not self.cycle_momentum:
            return
        ends = {"low": self.max_momentum, "high": self.base_momentum, "least": self.max_momentum}
        momentum = self._between(self.last_epoch, ends)
        for group in self.optimizer.param_groups:
            if "betas" in group:
                group["betas"] = (momentum, *group["betas"][1:])
            elif "momentum" in group:
                group["momentum"] = momentum
