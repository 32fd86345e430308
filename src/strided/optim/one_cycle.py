"""One rise and one fall of the rate, with momentum the other way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from strided.errors import InvalidArgument
from strided.optim.optimizer import Optimizer
from strided.optim.schedule import LRScheduler


class OneCycleLR(LRScheduler):
    """Up to ``max_lr`` and down again, momentum the other way (Smith 2017, arXiv:1708.07120).

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
        """Go on by one step, and set rates and momenta.

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
