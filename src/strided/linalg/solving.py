"""Inverse and linear systems, and their gradients.

Matrices of up to 16 rows are eliminated by a kernel of our own (``core/kernels/linalg/``), two to
five times as fast on stacks of them; larger ones are LAPACK's. Gradients are made of differentiable
operations, so second derivatives follow. Source: M. Giles, "Collected matrix derivative results
for forward and reverse mode algorithmic differentiation" (2008).
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import ShapeMismatch
from strided.linalg.lapack import (
    adjoint,
    called,
    in_floats,
    matrices,
    rounded,
    singular,
    tensor_of,
)
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradient, Gradients


def _inv_gradient(call: Call, x: Tensor) -> Backward:
    saved = call.save(call.output)

    def backward(g: Tensor) -> Gradients:
        back = adjoint(saved()[0])
        return (-(back @ g @ back),)

    return backward


@operation(
    gradient=_inv_gradient,
    numpy="linalg.inv: a",
    namespace="linalg",
    converts=True,
    method="inverse",
)
def inv(x: Any, /) -> Tensor:
    """Return the inverse of square matrices. A new tensor; singular ones raise SingularMatrix.

    >>> import strided
    >>> strided.linalg.inv(strided.tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    import numpy as np

    x = matrices("inv", x, square=True)
    own = in_floats(x)
    if _native.is_small_square(own):
        return _solved("inv", own, None, x.dtype)
    return tensor_of(called("inv", np.linalg.inv, own.numpy()), x.dtype)


def _solved(operation: str, a: Tensor, b: Tensor | None, dtype: DType) -> Tensor:
    found = _native.solve_small(a, b)
    if found is None:
        raise singular(operation, a.shape)
    return rounded(found, dtype)


def _solve_gradient(call: Call, a: Tensor, b: Tensor) -> Backward:
    """The right side's gradient is the solution of the adjoint system."""
    is_vector, wants_b = b.ndim == 1, call.needs(1)
    saved = call.save(a, call.output if call.needs(0) else None)

    def backward(g: Tensor) -> Gradients:
        a, found = saved()
        right = solve(adjoint(a), g.unsqueeze(-1) if is_vector else g)
        to_a: Gradient = None
        if found is not None:
            to_a = -(right @ adjoint(found.unsqueeze(-1) if is_vector else found))
        if not wants_b:
            return to_a, None
        return to_a, right.squeeze(-1) if is_vector else right

    return backward


@operation(gradient=_solve_gradient, numpy="linalg.solve: a b", namespace="linalg", converts=True)
def solve(x1: Any, x2: Any, /) -> Tensor:
    """Solve the linear system ``x1 @ x == x2``. A new tensor.

    ``x2`` is one vector when it has one axis, else matrices whose columns are solved for. Stacks
    broadcast. A singular matrix raises SingularMatrix.

    >>> import strided
    >>> strided.linalg.solve(strided.tensor([[2.0, 0.0], [0.0, 4.0]]), [2.0, 2.0]).tolist()
    [1.0, 0.5]
    """
    import numpy as np

    is_vector = x2.ndim == 1
    a = matrices("solve", x1, square=True)
    b = matrices("solve", x2.unsqueeze(-1) if is_vector else x2)
    if a.shape[-1] != b.shape[-2]:
        raise ShapeMismatch(
            operation="solve",
            expected=(a.shape[-1],) if is_vector else (a.shape[-1], b.shape[-1]),
            got=x2.shape,
            hint="the right side needs as many rows as the matrix",
        )
    dtype = _native.promote_types(a.dtype, b.dtype)
    stack = _native.broadcast_shape(a.shape[:-2], b.shape[:-2])
    left, right = (in_floats(x).broadcast_to((*stack, *x.shape[-2:])) for x in (a, b))
    if left.dtype is right.dtype and _native.is_small_square(left):
        found = _solved("solve", left, right, dtype)
    else:
        found = tensor_of(called("solve", np.linalg.solve, left.numpy(), right.numpy()), dtype)
    return found.squeeze(-1) if is_vector else found
