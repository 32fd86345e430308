"""Where things are, and whether tensors share memory."""

from __future__ import annotations

from collections.abc import Callable

from strided import _native
from strided._native import Tensor
from strided.functions.fuse import fuse

_MANY = 1 << 15  # elements from which one pass over memory repays its preparation


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Return the positions of nonzero elements, one tensor per axis. New tensors.

    >>> import strided
    >>> [t.tolist() for t in strided.nonzero(strided.tensor([[0, 1], [2, 0]]))]
    [[0, 1], [1, 0]]
    """
    return _native.nonzero(x).unbind(1)


def shares_memory(a: Tensor, b: Tensor) -> bool:
    """Return whether two tensors share at least one byte.

    Exact; raises OverlapTooHard where that would take too long.

    >>> import strided
    >>> x = strided.arange(6)
    >>> strided.shares_memory(x[::2], x[1::2]), strided.shares_memory(x, x.flip())
    (False, True)
    """
    return _native.shares_memory(a, b)


def may_share_memory(a: Tensor, b: Tensor) -> bool:
    """Return whether the address ranges of two tensors touch. Quick; false means surely disjoint.

    >>> import strided
    >>> x = strided.arange(6)
    >>> strided.may_share_memory(x[::2], x[1::2])
    True
    """
    return _native.may_share_memory(a, b)


def allclose(
    a: Tensor, b: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Return whether all elements agree within atol + rtol * abs(b).

    >>> import strided
    >>> strided.allclose(strided.ones(2), strided.ones(2) + 1e-7)
    True
    """

    def close(a: Tensor, b: Tensor) -> Tensor:
        near = (a - b).abs() <= b.abs() * rtol + atol
        near = near.logical_or(a == b)
        if equal_nan:
            near = near.logical_or(a.isnan().logical_and(b.isnan()))
        return near.all()

    return _holds(close, a, b)


def array_equal(a: Tensor, b: Tensor) -> bool:
    """Return whether two tensors have the same shape and elements.

    >>> import strided
    >>> strided.array_equal(strided.arange(3), strided.tensor([0, 1, 2]))
    True
    """
    return a.shape == b.shape and _holds(lambda a, b: (a == b).all(), a, b)


def _holds(function: Callable[[Tensor, Tensor], Tensor], a: Tensor, b: Tensor) -> bool:
    """Ask whether something is true of all elements; of many, without temporaries."""
    return bool((fuse(function) if a.numel() + b.numel() > _MANY else function)(a, b))
