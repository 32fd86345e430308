"""Gradient clipping by norm and by value."""

from __future__ import annotations

import math
from collections.abc import Iterable

from strided._native import Tensor
from strided.autograd import no_grad
from strided.errors import UnsupportedOperation
from strided.nn.flat_parameters import split_flat
from strided.ops.creation import full
from strided.ops.joining import stack


def _gradients(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    """Return gradients; flat parameters that are given whole count as one tensor."""
    whole, others = split_flat([parameters] if isinstance(parameters, Tensor) else parameters)
    for flat in whole:
        flat.gather()
    found = [flat.grad for flat in whole]
    return found + [p.grad.detach() for p in others if p.grad is not None]


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
) -> Tensor:
    """Clip the total norm of gradients in place; returns the norm before clipping.

    The norm is a new tensor.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.zeros(2))
    >>> weight.grad = strided.tensor([3.0, 4.0])
    >>> strided.nn.clip_grad_norm_([weight], 1.0).item()
    5.0
    >>> [round(g, 3) for g in weight.grad.tolist()]
    [0.6, 0.8]
    """
    with no_grad():
        gradients = _gradients(parameters)
        if not gradients:
            return full((), 0.0)
        norms = [grad.norm(norm_type) for grad in gradients]
        total = norms[0] if len(norms) == 1 else stack(norms).norm(norm_type)
        size = float(total.item())
        if error_if_nonfinite and not math.isfinite(size):
            raise UnsupportedOperation(
                operation="clip_grad_norm_",
                reason=f"the norm of the gradients is {size}",
                hint="look for the first operation that gives inf or nan, or clip without "
                "error_if_nonfinite=True",
            )
        factor = max_norm / (size + 1e-6)
        if not factor >= 1.0:
            for grad in gradients:
                grad.mul_(factor)
    return total


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float) -> None:
    """Clip gradients in place to [-clip_value, clip_value].

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.zeros(2))
    >>> weight.grad = strided.tensor([0.5, -4.0])
    >>> strided.nn.clip_grad_value_([weight], 1.0)
    >>> weight.grad.tolist()
    [0.5, -1.0]
    """
    with no_grad():
        for grad in _gradients(parameters):
            grad.clamp_(-clip_value, clip_value)
