"""Relations of two tensors: whether their elements agree, whether they share memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.ops.axes import MANY
from strided.ops.closeness import are_close
from strided.ops.deferred import Deferred, evaluate
from strided.ops.define import operation
from strided.storage import Storage


@operation(method=None, converts=True, numpy="allclose: a b rtol atol equal_nan")
def allclose(
    a: Tensor, b: Tensor, /, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Return whether all elements agree within atol + rtol * abs(b).

    >>> import strided
    >>> strided.allclose(strided.ones(2), strided.ones(2) + 1e-7)
    True
    """

    def close(a: Any, b: Any) -> Any:
        return are_close(a, b, rtol, atol, equal_nan).all()

    return _holds(close, a, b)


@operation(method=None, converts=True, numpy="array_equal: a1 a2")
def array_equal(a: Tensor, b: Tensor, /) -> bool:
    """Return whether two tensors have the same shape and elements.

    >>> import strided
    >>> strided.array_equal(strided.arange(3), strided.tensor([0, 1, 2]))
    True
    """
    return a.shape == b.shape and _holds(lambda a, b: (a == b).all(), a, b)


def _holds(function: Callable[[Any, Any], Any], a: Tensor, b: Tensor) -> bool:
    """Ask whether something is true of all elements; of many, without temporaries."""
    if a.numel() + b.numel() <= MANY or _native.any_tracked((a, b)):
        return bool(function(a, b))
    return bool(evaluate([function(Deferred.of(a), Deferred.of(b))])[0])


@operation(method=None)
def shares_memory(a: Tensor, b: Tensor, /) -> bool:
    """Return whether two tensors share at least one byte.

    Exact; raises OverlapTooHard where that would take too long.

    >>> import strided
    >>> x = strided.arange(6)
    >>> strided.shares_memory(x[::2], x[1::2]), strided.shares_memory(x, x.flip())
    (False, True)
    """
    return _native.shares_memory(a, b)


@operation(method=None)
def may_share_memory(a: Tensor, b: Tensor, /) -> bool:
    """Return whether the address ranges of two tensors touch. Quick; false means surely disjoint.

    >>> import strided
    >>> x = strided.arange(6)
    >>> strided.may_share_memory(x[::2], x[1::2])
    True
    """
    return _native.may_share_memory(a, b)


@operation(function=None, kind="value")
def shares_storage(x: Tensor, /, other: Tensor) -> bool:
    """Return whether both are views of one storage (they may still reach different elements).

    >>> import strided
    >>> x = strided.zeros(4)
    >>> x[:2].shares_storage(x[2:])
    True
    """
    return Storage(x) == Storage(other)
