"""Operators and functions of Python that are made of other operations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from strided._native import Tensor
from strided.ops.define import operation


@operation(function=None, kind="value")
def __contains__(x: Tensor, value: Any, /) -> bool:
    """Return whether an element equals the value.

    >>> import strided
    >>> 3 in strided.arange(4).reshape(2, 2)
    True
    """
    return bool((x == value).any())


@operation(function=None, kind="value")
def __reversed__(x: Tensor, /) -> Iterator[Tensor]:
    """Iterate over the first axis from its end. Views.

    >>> import strided
    >>> [x.item() for x in reversed(strided.arange(3))]
    [2, 1, 0]
    """
    return iter(x.flip(0))


@operation(function=None)
def __divmod__(x: Tensor, other: Any, /) -> tuple[Tensor, Tensor]:
    """Return the floor quotient and the remainder. New tensors.

    >>> import strided
    >>> [t.tolist() for t in divmod(strided.tensor([7, -7]), 2)]
    [[3, -4], [1, 1]]
    """
    return x // other, x % other


@operation(function=None)
def __rdivmod__(x: Tensor, other: Any, /) -> tuple[Tensor, Tensor]:
    """Return the floor quotient and the remainder of a number by this tensor. New tensors.

    >>> import strided
    >>> [t.tolist() for t in divmod(7, strided.tensor([2]))]
    [[3], [1]]
    """
    return other // x, other % x
