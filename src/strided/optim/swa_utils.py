"""Averages of weights: stochastic weight averaging and exponential moving averages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import Any, TypeAlias

from strided import _native
from strided._native import Tensor
from strided.autograd.grad_mode import no_grad
from strided.errors import InvalidArgument
from strided.nn.batch_norm import Statistics
from strided.nn.module import Module
from strided.optim.lr_scheduler import LRScheduler
from strided.optim.optimizer import Optimizer

__all__ = ["SWALR", "AveragedModel", "get_ema_avg_fn", "get_swa_avg_fn", "update_bn"]

Average: TypeAlias = Callable[[Tensor, Tensor, int], Tensor]


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """Return a function that moves an average by a share of 1 - decay.

    >>> import strided
    >>> average = strided.optim.swa_utils.get_ema_avg_fn(0.5)
    >>> average(strided.zeros(1), strided.ones(1), 3).tolist()
    [0.5]
    """
    if not 0.0 <= decay <= 1.0:
        raise InvalidArgument(
            argument="decay", got=str(decay), requirement="must lie between 0 and 1"
        )
    return lambda average, value, count: average * decay + value * (1.0 - decay)


def get_swa_avg_fn() -> Average:
    """Return a function that keeps the mean of all values so far.

    >>> import strided
    >>> average = strided.optim.swa_utils.get_swa_avg_fn()
    >>> average(strided.zeros(1), strided.ones(1), 3).tolist()
    [0.25]
    """
    return lambda average, value, count: average + (value - average) / (count + 1)


class AveragedModel(Module):
    """A copy of a module whose parameters are averages of those of the module.

    >>> import strided
    >>> layer = strided.nn.Linear(1, 1)
    >>> averaged = strided.optim.swa_utils.AveragedModel(layer)
    >>> averaged.update_parameters(layer)
    >>> strided.array_equal(averaged.module.weight, layer.weight)
    True
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Average | None = None,
        use_buffers: bool = False,
    ) -> None:
        self.module: Any = deepcopy(model)
        self.register_buffer("n_averaged", _native.zeros((), dtype=_native.int64))
        self.avg_fn = avg_fn or get_swa_avg_fn()
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take the parameters of a module into the averages, in place.

        >>> import strided
        >>> layer = strided.nn.Linear(1, 1)
        >>> averaged = strided.optim.swa_utils.AveragedModel(layer)
        >>> averaged.update_parameters(layer)
        >>> averaged.n_averaged.item()
        1
        """
        count = self.n_averaged.item()
        own, new = list(self.module.parameters()), list(model.parameters())
        buffers = list(zip(self.module.buffers(), model.buffers(), strict=True))
        pairs = list(zip(own, new, strict=True)) + (buffers if self.use_buffers else [])
        with no_grad():
            for average, value in pairs:
                kept, now = average.detach(), value.detach()
                is_number = kept.dtype.kind == "f"
                kept.copy_(now if count == 0 or not is_number else self.avg_fn(kept, now, count))
            if not self.use_buffers:
                for kept, now in buffers:
                    kept.copy_(now)
            self.n_averaged.add_(1)


class SWALR(LRScheduler):
    """Annealing to a constant rate, for stochastic weight averaging.

    >>> import strided
    >>> optimizer = strided.optim.SGD([strided.nn.Parameter(strided.ones(1))], lr=1.0)
    >>> schedule = strided.optim.swa_utils.SWALR(optimizer, 0.5, 2, "linear")
    >>> [schedule.rate(step, 1.0, 0) for step in range(4)]
    [1.0, 0.75, 0.5, 0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float | Sequence[float],
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        if anneal_strategy not in ("cos", "linear"):
            raise InvalidArgument(
                argument="anneal_strategy",
                got=repr(anneal_strategy),
                requirement="must be 'cos' or 'linear'",
            )
        count = len(optimizer.param_groups)
        given = [swa_lr] * count if isinstance(swa_lr, (int, float)) else list(swa_lr)
        self.swa_lrs, self.anneal_epochs = given, anneal_epochs
        self.anneal_strategy = anneal_strategy
        super().__init__(optimizer, last_epoch)

    def rate(self, epoch: int, base: float, group: int) -> float:
        done = min(1.0, epoch / max(1, self.anneal_epochs))
        if self.anneal_strategy == "cos":
            done = (1 - math.cos(math.pi * done)) / 2
        return self.swa_lrs[group] * done + base * (1 - done)


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Compute the running statistics of batch norms anew, in place, over all batches.

    >>> import strided
    >>> layer = strided.nn.BatchNorm1d(1)
    >>> strided.optim.swa_utils.update_bn([strided.tensor([[1.0], [3.0]])], layer)
    >>> layer.running_mean.tolist()
    [2.0]
    """
    layers = [m for m in model.modules() if isinstance(m, Statistics)]
    kept, was_training = [m.momentum for m in layers], model.training
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None
    model.train()
    with no_grad():
        for batch in loader:
            model(batch[0] if isinstance(batch, (list, tuple)) else batch)
    for layer, momentum in zip(layers, kept, strict=True):
        layer.momentum = momentum
    model.train(was_training)
