"""Products by PyTorch's names that are made of others: sums of products, chains, cross products."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.errors import InvalidDimension, ShapeMismatch
from strided.ops.define import operation
from strided.ops.linear_algebra import addmv, outer


@operation(operands=3)
def addbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, /, *, beta: Any = 1, alpha: Any = 1
) -> Tensor:
    """Return ``beta * input + alpha * (batch1 @ batch2).sum(0)``. A new tensor.

    >>> import strided
    >>> strided.addbmm(strided.zeros(1, 1), strided.ones(2, 1, 3), strided.ones(2, 3, 1)).item()
    6.0
    """
    found = alpha * (batch1 @ batch2).sum(0)
    made: Tensor = found if beta == 0 else beta * input + found
    return made


@operation(function=None, kind="in place", operands=3)
def addbmm_(
    input: Tensor, batch1: Tensor, batch2: Tensor, /, *, beta: Any = 1, alpha: Any = 1
) -> Tensor:
    """Overwrite with ``beta * input + alpha * (batch1 @ batch2).sum(0)``, in place.

    >>> import strided
    >>> strided.zeros(1, 1).addbmm_(strided.ones(2, 1, 3), strided.ones(2, 3, 1)).item()
    6.0
    """
    return input.copy_(addbmm(input.clone(), batch1, batch2, beta=beta, alpha=alpha))


@operation(operands=3)
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, /, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """Return ``beta * input + alpha * outer(vec1, vec2)``. A new tensor.

    >>> import strided
    >>> strided.addr(strided.zeros(1, 1), strided.tensor([2.0]), strided.tensor([3.0])).item()
    6.0
    """
    found = alpha * outer(vec1, vec2)
    made: Tensor = found if beta == 0 else beta * input + found
    return made


@operation(function=None, kind="in place", operands=3)
def addr_(input: Tensor, vec1: Tensor, vec2: Tensor, /, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """Overwrite with ``beta * input + alpha * outer(vec1, vec2)``, in place.

    >>> import strided
    >>> strided.zeros(1, 1).addr_(strided.tensor([2.0]), strided.tensor([3.0])).item()
    6.0
    """
    return input.copy_(addr(input.clone(), vec1, vec2, beta=beta, alpha=alpha))


@operation(function=None, kind="in place", operands=3)
def addmv_(input: Tensor, mat: Tensor, vec: Tensor, /, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """Overwrite with ``beta * input + alpha * mat @ vec``, in place.

    >>> import strided
    >>> strided.zeros(1).addmv_(strided.ones(1, 2), strided.ones(2)).item()
    2.0
    """
    return input.copy_(addmv(input.clone(), mat, vec, beta=beta, alpha=alpha))


@operation(method=None)
def chain_matmul(*matrices: Tensor) -> Tensor:
    """Return the product of matrices, multiplied in the cheapest order. A new tensor.

    >>> import strided
    >>> strided.chain_matmul(strided.ones(1, 3), strided.ones(3, 1)).item()
    3.0
    """
    from strided.linalg.factors import multi_dot

    return matrices[0].clone() if len(matrices) == 1 else multi_dot(list(matrices))


@operation(operands=2)
def cross(x: Tensor, other: Tensor, /, axis: int | None = None) -> Tensor:
    """Return the cross products of vectors of 3 elements; the first such axis unless said.

    A new tensor.

    >>> import strided
    >>> strided.cross(strided.tensor([1, 0, 0]), strided.tensor([0, 1, 0])).tolist()
    [0, 0, 1]
    """
    from strided.linalg import matrix_functions

    if axis is None:
        axis = next((a for a, length in enumerate(x.shape) if length == 3), None)
    if axis is None:
        raise ShapeMismatch(
            operation="cross", expected=(3,), got=x.shape, hint="an axis must have length 3"
        )
    if not -x.ndim <= axis < x.ndim:
        raise InvalidDimension(dim=axis, rank=x.ndim)
    return matrix_functions.cross(x, other, axis=axis)


@operation(operands=2, name="rsub", method=None)
def rsub(x: Any, other: Any, /, *, alpha: Any = 1) -> Tensor:
    """Return ``other - alpha * input``. A new tensor.

    >>> import strided
    >>> strided.rsub(strided.tensor([1.0]), 3).tolist()
    [2.0]
    """
    found: Tensor = other - x * alpha
    return found


def _clamped(name: str, side: str) -> None:
    def body(x: Tensor, /, bound: Any, *, out: Tensor | None = None) -> Tensor:
        from strided.ops.comparison import clip

        return clip(x, **{side: bound}, out=out)

    body.__doc__ = (
        f"Return the elements, bounded by one number or tensor. A new tensor, or ``out``.\n\n"
        "    >>> import strided\n"
        f"    >>> strided.{name}(strided.tensor([0.0, 2.0]), 1.0).tolist()\n"
        f"    {'[1.0, 2.0]' if side == 'min' else '[0.0, 1.0]'}\n    "
    )
    operation(name=name, operands=2, in_place="several", also={"bound": side})(body)


_clamped("clamp_min", "min")
_clamped("clamp_max", "max")


@operation()
def frexp(x: Tensor, /) -> Any:
    """Return mantissas in [0.5, 1) and exponents: x is ``mantissa * 2**exponent``. New tensors.

    >>> import strided
    >>> mantissa, exponent = strided.frexp(strided.tensor([6.0]))
    >>> mantissa.item(), exponent.item()
    (0.75, 3)
    """
    import numpy as np

    from strided.ops.arrays import from_numpy

    narrow = x.dtype.name in ("float32", "float64")
    mantissa, exponent = np.frexp((x if narrow else x.float()).detach().numpy())
    powers = from_numpy(np.asarray(exponent))
    if x.requires_grad:  # the mantissa is x divided by a power of 2
        return x.ldexp(-powers), powers
    return from_numpy(np.asarray(mantissa)).to(x.dtype), powers


@operation()
def hardshrink(x: Tensor, /, lambd: float = 0.5) -> Tensor:
    """Return the elements beyond ``lambd`` and below its negative, zeros between. A new tensor.

    >>> import strided
    >>> strided.tensor([0.1, -2.0]).hardshrink().tolist()
    [0.0, -2.0]
    """
    from strided.ops.elementwise import where

    return where((x > lambd) | (x < -lambd) | x.detach().isnan(), x, 0.0)


@operation(operands=2)
def prelu(x: Tensor, weight: Tensor, /) -> Tensor:
    """Return x where it is positive, else x times the weight of its channel. A new tensor.

    >>> import strided
    >>> strided.tensor([-2.0, 2.0]).prelu(strided.tensor(0.5)).tolist()
    [-1.0, 2.0]
    """
    from strided.ops.elementwise import where

    if weight.ndim == 1 and x.ndim > 1 and weight.numel() > 1:
        weight = weight.reshape([-1 if axis == 1 else 1 for axis in range(x.ndim)])
    return where(x > 0, x, x * weight)
