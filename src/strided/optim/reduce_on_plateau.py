"""ReduceLROnPlateau: a lower rate where a metric stops improving."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from strided.errors import InvalidArgument
from strided.optim.optimizer import Optimizer


class ReduceLROnPlateau:
    """The rate times ``factor`` after more than ``patience`` steps without a better metric.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
    >>> for loss in (3.0, 2.0, 2.0, 2.0):
    ...     schedule.step(loss)
    >>> schedule.get_last_lr()
    [0.1]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float = 0.0,
        eps: float = 1e-8,
    ) -> None:
        for name, value, allowed in (
            ("mode", mode, ("min", "max")),
            ("threshold_mode", threshold_mode, ("rel", "abs")),
        ):
            if value not in allowed:
                raise InvalidArgument(
                    argument=name, got=repr(value), requirement=f"must be one of {allowed}"
                )
        if factor >= 1.0:
            raise InvalidArgument(argument="factor", got=str(factor), requirement="must be below 1")
        self.optimizer = optimizer
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.factor, self.patience, self.cooldown = factor, patience, cooldown
        self.min_lr, self.eps = min_lr, eps
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0

    def _is_better(self, metric: float) -> bool:
        sign = 1.0 if self.mode == "max" else -1.0
        if self.threshold_mode == "rel":
            return sign * metric > sign * self.best * (1.0 + sign * self.threshold)
        return sign * metric > sign * self.best + self.threshold

    def step(self, metrics: Any) -> None:
        """Record a metric (a number, or a tensor with one) and reduce the rates on a plateau.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> schedule = strided.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
        >>> schedule.step(1.0)
        >>> schedule.step(2.0)
        >>> optimizer.param_groups[0]["lr"]
        0.1
        """
        metric = float(metrics.item() if hasattr(metrics, "item") else metrics)
        self.last_epoch += 1
        if self._is_better(metric):
            self.best, self.num_bad_epochs = metric, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            for group in self.optimizer.param_groups:
                lower = max(group["lr"] * self.factor, self.min_lr)
                if group["lr"] - lower > self.eps:
                    group["lr"] = lower

    def get_last_lr(self) -> list[float]:
        """Return the current rates.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> strided.optim.lr_scheduler.ReduceLROnPlateau(optimizer).get_last_lr()
        [1.0]
        """
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """Return the state: everything but the optimizer.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> strided.optim.lr_scheduler.ReduceLROnPlateau(optimizer).state_dict()["patience"]
        10
        """
        return {key: value for key, value in vars(self).items() if key != "optimizer"}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load the state of another scheduler of this class.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> schedule = strided.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
        >>> schedule.load_state_dict({"best": 0.5})
        >>> schedule.best
        0.5
        """
        vars(self).update(state_dict)
