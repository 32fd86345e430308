"""Negative log-likelihoods of Poisson and Gaussian distributions, and their modules."""

from __future__ import annotations

import math

from strided._native import Tensor
from strided.autograd.grad_mode import no_grad
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.loss import Loss, reduced
from strided.ops.creation import full
from strided.ops.define import operation
from strided.ops.elementwise import where


@operation(namespace="nn")
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    eps: float = 1e-8,
    reduction: str = "mean",
) -> Tensor:
    """Return the negative log-likelihood of counts for Poisson rates, or their logarithms.

    A new tensor. ``full`` adds Stirling's approximation of log(target!).

    >>> import strided
    >>> strided.nn.poisson_nll_loss(strided.zeros(2), strided.tensor([0.0, 3.0])).item()
    1.0
    """
    loss = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        more = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        loss = loss + where(target > 1, more, 0.0)
    return reduced(loss, reduction)


@operation(namespace="nn")
def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Return the negative log-likelihood of targets for Gaussian means and variances.

    A new tensor. Variances below ``eps`` count as ``eps``, with the gradient of the variance
    itself; ``full`` adds the constant.

    >>> import strided
    >>> x, target = strided.zeros(2), strided.tensor([1.0, 2.0])
    >>> strided.nn.gaussian_nll_loss(x, target, strided.ones(2), reduction="none").tolist()
    [0.5, 2.0]
    """
    variance = var if isinstance(var, Tensor) else _filled(input, var)
    if variance.shape != input.shape:
        if variance.shape == input.shape[:-1]:
            variance = variance.unsqueeze(-1)
        elif not (
            variance.ndim == input.ndim
            and variance.shape[:-1] == input.shape[:-1]
            and variance.shape[-1] == 1
        ):
            raise ShapeMismatch(
                operation="gaussian_nll_loss",
                expected=tuple(input.shape),
                got=tuple(variance.shape),
                hint="give a variance per element, or one per row",
            )
    with no_grad():
        if (variance < 0).any().item():
            raise InvalidArgument(
                argument="var", got="a negative number", requirement="must not be negative"
            )
        lift = variance.clamp(eps) - variance
    variance = variance + lift
    loss = 0.5 * (variance.log() + (input - target).square() / variance)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return reduced(loss, reduction)


def _filled(like: Tensor, value: float) -> Tensor:
    return full(tuple(like.shape), value, dtype=like.dtype)


class PoissonNLLLoss(Loss):
    """Negative log-likelihood of counts for Poisson rates.

    >>> import strided
    >>> strided.nn.PoissonNLLLoss()(strided.zeros(2), strided.ones(2)).item()
    1.0
    """

    _shown = ("reduction", "log_input", "full", "eps")

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        eps: float = 1e-8,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return poisson_nll_loss(input, target, self.log_input, self.full, self.eps, self.reduction)


class GaussianNLLLoss(Loss):
    """Negative log-likelihood of targets for Gaussian means and variances.

    >>> import strided
    >>> strided.nn.GaussianNLLLoss()(strided.zeros(2), strided.ones(2), strided.ones(2)).item()
    0.5
    """

    _shown = ("reduction", "full", "eps")

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.full, self.eps = full, eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor | float) -> Tensor:
        return gaussian_nll_loss(input, target, var, self.full, self.eps, self.reduction)
