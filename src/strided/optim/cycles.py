"""Schedules that rise and fall: one cycle, cycles, cosines with warm restarts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from strided.errors import InvalidArgument
from strided.optim.lr_scheduler import LRScheduler
from strided.optim.optimizer import Group, Optimizer


def _set_momentum(group: Group, momentum: float) -> None:
    """Set the momentum of a group, which Adam calls its first beta."""
    if "betas" in group:
        group["betas"] = (momentum, *group["betas"][1:])
    elif "momentum" in group:
        group["momentum"] = momentum


def _each(value: float | Sequence[float], count: int, name: str) -> list[float]:
    given = [value] * count if isinstance(value, (int, float)) else list(value)
    if len(given) != count:
        raise InvalidArgument(
            argument=name, got=f"{len(given)} numbers", requirement=f"must be one, or {count}"
        )
    return [float(one) for one in given]


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
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float = 0.85,
        max_momentum: float = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        if total_steps is None:
            if epochs is None or steps_per_epoch is None:
                raise InvalidArgument(
                    argument="total_steps",
                    got="None",
                    requirement="must be given, or epochs and steps_per_epoch",
                )
            total_steps = epochs * steps_per_epoch
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
        super().__init__(optimizer, last_epoch)

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
        if self.last_epoch + 1 > self.total_steps and epoch is None:
            raise InvalidArgument(
                argument="step",
                got=str(self.last_epoch + 1),
                requirement=f"must be at most total_steps = {self.total_steps}",
            )
        super().step(epoch)
        if not self.cycle_momentum:
            return
        ends = {"low": self.max_momentum, "high": self.base_momentum, "least": self.max_momentum}
        momentum = self._between(self.last_epoch, ends)
        for group in self.optimizer.param_groups:
            _set_momentum(group, momentum)


class CosineAnnealingWarmRestarts(LRScheduler):
    """Cosine annealing with warm restarts (Loshchilov and Hutter 2016, arXiv:1608.03983).

    The first cosine takes ``T_0`` steps, each further one ``T_mult`` times as many.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 2, T_mult=2)
    >>> [round(schedule.rate(step, 1.0, 0), 3) for step in range(7)]
    [1.0, 0.5, 1.0, 0.854, 0.5, 0.146, 1.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        for name, value in (("T_0", T_0), ("T_mult", T_mult)):
            if not isinstance(value, int) or value < 1:
                raise InvalidArgument(
                    argument=name, got=repr(value), requirement="must be a whole number above zero"
                )
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: float, base: float, group: int) -> float:
        length, done = float(self.T_0), float(epoch)
        if self.T_mult == 1:
            done %= length
        while done >= length:
            done, length = done - length, length * self.T_mult
        return self.eta_min + (base - self.eta_min) * (1 + math.cos(math.pi * done / length)) / 2

    def step(self, epoch: float | None = None) -> None:
        """Advance by one step, or to an epoch, which may be a fraction.

        >>> import strided
        >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
        >>> schedule = strided.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 2)
        >>> schedule.step(0.5)
        >>> round(schedule.get_last_lr()[0], 3)
        0.854
        """
        super().step(epoch)  # type: ignore[arg-type]
        self.last_epoch = math.floor(self.last_epoch)


class CyclicLR(LRScheduler):
    """Cycles between two rates (Smith 2015, arXiv:1506.01186).

    ``mode`` is triangular, triangular2 (the height halves each cycle) or exp_range (it falls by
    ``gamma`` each step); ``scale_fn`` replaces it. Momentum moves in the opposite direction.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.lr_scheduler.CyclicLR(
    ...     optimizer, 0.0, 1.0, step_size_up=2, cycle_momentum=False
    ... )
    >>> [schedule.rate(step, 0.0, 0) for step in range(6)]
    [0.0, 0.5, 1.0, 0.5, 0.0, 0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | Sequence[float],
        max_lr: float | Sequence[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float | Sequence[float] = 0.8,
        max_momentum: float | Sequence[float] = 0.9,
        last_epoch: int = -1,
    ) -> None:
        if scale_fn is None and mode not in ("triangular", "triangular2", "exp_range"):
            raise InvalidArgument(
                argument="mode",
                got=repr(mode),
                requirement="must be triangular, triangular2 or exp_range",
            )
        groups = optimizer.param_groups
        if cycle_momentum and not all("momentum" in g or "betas" in g for g in groups):
            raise InvalidArgument(
                argument="cycle_momentum",
                got="True",
                requirement="needs an optimizer with momentum or betas",
            )
        count = len(groups)
        self.max_lrs = _each(max_lr, count, "max_lr")
        up, down = step_size_up, step_size_up if step_size_down is None else step_size_down
        self.total_size, self.step_ratio = float(up + down), up / (up + down)
        self.mode, self.gamma, self.scale_mode = mode, gamma, scale_mode
        if scale_fn is None:
            self.scale_mode = "iterations" if mode == "exp_range" else "cycle"
        self._scale_fn = scale_fn
        self.cycle_momentum = cycle_momentum
        self.base_momentums = _each(base_momentum, count, "base_momentum")
        self.max_momentums = _each(max_momentum, count, "max_momentum")
        for group, low in zip(groups, _each(base_lr, count, "base_lr"), strict=True):
            if last_epoch == -1:
                group["lr"] = low
            group["initial_lr"] = low
        super().__init__(optimizer, last_epoch)

    def _height(self, epoch: int) -> float:
        """Return how far up the cycle is, from 0 to 1, scaled."""
        cycle = math.floor(1 + epoch / self.total_size)
        x = 1.0 + epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        at = cycle if self.scale_mode == "cycle" else epoch
        if self._scale_fn is not None:
            return height * self._scale_fn(at)
        if self.mode == "triangular2":
            return height / 2.0 ** (at - 1)
        return height * self.gamma**at if self.mode == "exp_range" else height

    def rate(self, epoch: int, base: float, group: int) -> float:
        return base + (self.max_lrs[group] - base) * self._height(epoch)

    def step(self, epoch: int | None = None) -> None:
        """Advance by one step, and set rates and momenta.

        >>> import strided
        >>> optimizer = strided.optim.Adam([strided.nn.Parameter(strided.ones(1))])
        >>> schedule = strided.optim.lr_scheduler.CyclicLR(optimizer, 0.1, 0.5, step_size_up=4)
        >>> schedule.step()
        >>> optimizer.param_groups[0]["betas"][0] < 0.9
        True
        """
        super().step(epoch)
        if self.cycle_momentum:
            height = self._height(self.last_epoch)
            pairs = zip(self.base_momentums, self.max_momentums, strict=True)
            for group, (low, high) in zip(self.optimizer.param_groups, pairs, strict=True):
                _set_momentum(group, high - (high - low) * height)
