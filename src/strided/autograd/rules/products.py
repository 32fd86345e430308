"""Gradients of matrix products: each operand's is a product of g and the other one, read through
transposed views. Axes that an operand was repeated along are summed within the product itself.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.ops.derivatives import conj
from strided.ops.rule import Backward, Call, Gradient, Gradients, gradient_of


def _others(call: Call, a: Tensor, b: Tensor) -> Any:
    """Keep each operand only if the gradient of the other one is wanted."""
    return call.save(a if call.needs(1) else None, b if call.needs(0) else None)


@gradient_of("matmul")
def _matmul(call: Call, a: Tensor, b: Tensor) -> Backward:
    saved = _others(call, a, b)
    of_a, of_b = a.shape, b.shape

    def backward(g: Tensor) -> Gradients:
        a, b = saved()
        return (
            None if b is None else gradient_of_left(g, b, of_a),
            None if a is None else gradient_of_right(g, a, of_b),
        )

    return backward


def gradient_of_left(g: Tensor, b: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the gradient of ``a @ b`` for a, of which only the shape is needed."""
    b = conj(b)
    if b.ndim == 1:
        return g.unsqueeze(-1) * b  # an outer product for each row
    if len(shape) == 1:
        # A row: what g lacks of a matrix product is that axis.
        return _summed_product(g.unsqueeze(-2), b.mT, (1, *shape)).reshape(shape)
    return _summed_product(g, b.mT, shape)


def gradient_of_right(g: Tensor, a: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the gradient of ``a @ b`` for b, of which only the shape is needed."""
    a = conj(a)
    if a.ndim == 1 and len(shape) == 1:
        return g * a
    if a.ndim == 1:
        return a.unsqueeze(-1) * g.unsqueeze(-2)
    if len(shape) == 1:
        return _summed_product(a.mT, g.unsqueeze(-1), (*shape, 1)).reshape(shape)
    return _summed_product(a.mT, g, shape)


def _summed_product(left: Tensor, right: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return ``left @ right``, summed over the batch axes that the shape does not have.

    They are summed together with the inner axis, so no product larger than the result is made.
    """
    if left.ndim == right.ndim == len(shape) == 2:
        return left @ right
    batch = tuple(_native.broadcast_shape(left.shape[:-2], right.shape[:-2]))
    lead = len(batch) - (len(shape) - 2)
    gone = [i for i, n in enumerate(batch) if i < lead or (shape[i - lead] == 1 and n != 1)]
    if not gone:
        return left @ right
    kept = [i for i in range(len(batch)) if i not in gone]
    left = left.expand(*batch, *left.shape[-2:])
    right = right.expand(*batch, *right.shape[-2:])
    row, column = len(batch), len(batch) + 1
    made = _native.contract(
        left.permute(*kept, row, *gone, column),
        right.permute(*kept, *gone, row, column),
        len(kept),
        len(gone) + 1,
    )
    return made.reshape(shape)


@gradient_of("contract")
def _contract(call: Call, a: Tensor, b: Tensor, batch: int, summed: int) -> Backward:
    """Sums of products over several axes: (batch, rows, summed) and (batch, summed, columns)."""
    saved = _others(call, a, b)
    rows, columns = a.ndim - batch - summed, b.ndim - batch - summed
    first = range(batch)

    def backward(g: Tensor) -> Gradients:
        a, b = saved()
        of_a: Gradient = None
        of_b: Gradient = None
        if b is not None:
            turned = [*first, *range(batch + summed, b.ndim), *range(batch, batch + summed)]
            of_a = _contracted(g, conj(b).permute(turned), batch, columns)
        if a is not None:
            turned = [*first, *range(batch + rows, a.ndim), *range(batch, batch + rows)]
            of_b = _contracted(conj(a).permute(turned), g, batch, rows)
        return of_a, of_b

    return backward


def _contracted(a: Tensor, b: Tensor, batch: int, summed: int) -> Tensor:
    if summed:
        return _native.contract(a, b, batch, summed)
    for _ in range(b.ndim - batch):
        a = a.unsqueeze(-1)
    for _ in range(a.ndim - b.ndim):
        b = b.unsqueeze(batch)
    return a * b


def _added_product(call: Call, a: Tensor, b: Tensor, beta: Any, alpha: Any) -> Backward:
    """Rule of ``beta * x + alpha * (a @ b)``."""
    # Keywords may come in any order; x stands first, and may be one of the factors.
    place_a = next(i for i, tensor in enumerate(call.tensors) if i and tensor is a)
    place_b = next(i for i in (2, 1) if call.tensors[i] is b)
    wants_x, wants_a, wants_b = call.needs(0), call.needs(place_a), call.needs(place_b)
    saved = call.save(a if wants_b else None, b if wants_a else None)
    of_a, of_b = a.shape, b.shape

    def backward(g: Tensor) -> Gradients:
        a, b = saved()
        scaled = g if alpha == 1 else g * conj(alpha)
        made: list[Gradient] = [None] * 3
        if wants_x:
            made[0] = g if beta == 1 else g * conj(beta)
        if b is not None:
            made[place_a] = gradient_of_left(scaled, b, of_a)
        if a is not None:
            made[place_b] = gradient_of_right(scaled, a, of_b)
        return made

    return backward


@gradient_of("addmm")
def _addmm(
    call: Call, x: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1, **_: Any
) -> Backward:
    return _added_product(call, mat1, mat2, beta, alpha)


@gradient_of("addmv")
def _addmv(
    call: Call, x: Tensor, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1, **_: Any
) -> Backward:
    return _added_product(call, mat, vec, beta, alpha)


@gradient_of("baddbmm")
def _baddbmm(
    call: Call,
    x: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    **_: Any,
) -> Backward:
    return _added_product(call, batch1, batch2, beta, alpha)
