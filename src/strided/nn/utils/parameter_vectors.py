"""Parameters as one vector, and the norm of all gradients."""

from __future__ import annotations

import math
from collections.abc import Iterable

from strided._native import Tensor
from strided.autograd.grad_mode import no_grad
from strided.errors import ShapeMismatch, UnsupportedOperation
from strided.ops.creation import full
from strided.ops.joining import cat, stack

__all__ = [
    "clip_grads_with_norm_",
    "get_total_norm",
    "parameters_to_vector",
    "vector_to_parameters",
]


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Return the elements of all parameters in a line. A new tensor.

    >>> import strided
    >>> several = [strided.ones(2), strided.zeros(1, 1)]
    >>> strided.nn.utils.parameters_to_vector(several).tolist()
    [1.0, 1.0, 0.0]
    """
    return cat([p.reshape(-1) for p in parameters], axis=0)


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Copy the elements of a line into parameters, in place.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.zeros(2))
    >>> strided.nn.utils.vector_to_parameters(strided.ones(2), [weight])
    >>> weight.tolist()
    [1.0, 1.0]
    """
    given = list(parameters)
    count = sum(p.numel() for p in given)
    if vec.numel() != count or vec.ndim != 1:
        raise ShapeMismatch(
            operation="vector_to_parameters",
            expected=(count,),
            got=tuple(vec.shape),
            hint="the vector has one number per element of the parameters",
        )
    begin = 0
    with no_grad():
        for p in given:
            p.copy_(vec.detach().narrow(0, begin, p.numel()).reshape(tuple(p.shape)))
            begin += p.numel()


def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Return the norm of all elements of some tensors. A new tensor.

    >>> import strided
    >>> strided.nn.utils.get_total_norm([strided.tensor([3.0]), strided.tensor([4.0])]).item()
    5.0
    """
    given = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    if not given:
        return full((), 0.0)
    norms = [x.norm(norm_type) for x in given]
    total = norms[0] if len(norms) == 1 else stack(norms).norm(norm_type)
    if error_if_nonfinite and not math.isfinite(total.item()):
        raise UnsupportedOperation(
            operation="get_total_norm",
            reason=f"the norm is {total.item()}",
            hint="look for the first operation that gives inf or nan",
        )
    return total


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scale gradients in place, so that a total norm that is known becomes ``max_norm`` at most.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.zeros(1))
    >>> weight.grad = strided.tensor([4.0])
    >>> strided.nn.utils.clip_grads_with_norm_([weight], 2.0, strided.tensor(8.0))
    >>> round(weight.grad.item(), 3)
    1.0
    """
    factor = max_norm / (float(total_norm.item()) + 1e-6)
    if factor >= 1.0:
        return
    with no_grad():
        for p in [parameters] if isinstance(parameters, Tensor) else parameters:
            if p.grad is not None:
                p.grad.detach().mul_(factor)
