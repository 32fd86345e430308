"""Gradients of contractions: sums of products of two tensors over shared axes.

Each operand's gradient is a product of g and the other operand, read through transposed views. Axes
that an operand was repeated along are summed within the product itself.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.ops.derivatives import conj
from strided.ops.rule import Backward, Call, Gradient, Gradients, gradient_of


def save_others(call: Call, a: Tensor, b: Tensor) -> Any:
    """Keep each operand only if the gradient of the other one is wanted."""
    return call.save(a if call.needs(1) else None, b if call.needs(0) else None)


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
def _contract_gradient(call: Call, a: Tensor, b: Tensor, batch: int, summed: int) -> Backward:
    """Sums of products over several axes: (batch, rows, summed) and (batch, summed, columns)."""
    saved = save_others(call, a, b)
    rows, columns = a.ndim - batch - summed, b.ndim - batch - summed
    first = range(batch)

    def backward(g: Tensor) -> Gradients:
        a, b = saved()
        of_a: Gradient = None
        of_b: Gradient = None
        if b is not None:
            order = [*first, *range(batch + summed, b.ndim), *range(batch, batch + summed)]
            of_a = _contracted(g, conj(b).permute(order), batch, columns)
        if a is not None:
            order = [*first, *range(batch + rows, a.ndim), *range(batch, batch + rows)]
            of_b = _contracted(conj(a).permute(order), g, batch, rows)
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
