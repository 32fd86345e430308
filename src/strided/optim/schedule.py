"""What all schedules share: the number of steps, and rates set by it.

A schedule is a function of the number of steps and the rate at the start: nothing is accumulated,
so a schedule can be set to any step, and two of them on one optimiser do not multiply.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strided.optim.optimizer import Optimizer


class LRScheduler:
    """Sets the rate of every group of an optimiser; a subclass says which rate at which step.

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
        """Return the rate of a group after so many steps; a subclass says how.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> strided.optim.lr_scheduler.ExponentialLR(optimizer, 0.5).rate(3, 1.0, 0)
        0.125
        """
        raise NotImplementedError(f"{type(self).__name__} has no rate")

    def step(self, epoch: int | None = None) -> None:
        """Go on by one step (or to one), and set the rates.

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
        """Return the rates as they stand.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> strided.optim.lr_scheduler.ExponentialLR(optimizer, 0.5).get_last_lr()
        [1.0]
        """
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """Return what is needed to go on: everything but the optimiser and functions.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> strided.optim.lr_scheduler.ExponentialLR(optimizer, 0.5).state_dict()["last_epoch"]
        0
        """
        left_out = ("optimizer", "lr_lambdas", "_schedulers")
        return {key: value for key, value in vars(self).items() if key not in left_out}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on where another schedule of this kind stood.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> schedule = strided.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        >>> schedule.load_state_dict({"last_epoch": 2})
        >>> schedule.get_last_lr()
        [0.25]
        """
        vars(self).update(state_dict)
        self.step(self.last_epoch)
