"""Arithmetic that Python spells with operators and functions of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from strided._native import Tensor


def __contains__(self: Tensor, value: Any) -> bool:
    """Return whether an element equals the value.

    >>> import strided
    >>> 3 in strided.arange(4).reshape(2, 2)
    True
    """
    return bool((self == value).any())


def __reversed__(self: Tensor) -> Iterator[Tensor]:
    """Iterate over the first axis from its end. Views.

    >>> import strided
    >>> [x.item() for x in reversed(strided.arange(3))]
    [2, 1, 0]
    """
    return iter(self.flip(0))


def __divmod__(self: Tensor, other: Any) -> tuple[Tensor, Tensor]:
    """Return the floor quotient and the remainder. New tensors.

    >>> import strided
    >>> [t.tolist() for t in divmod(strided.tensor([7, -7]), 2)]
    [[3, -4], [1, 1]]
    """
    return self // other, self % other


def __rdivmod__(self: Tensor, other: Any) -> tuple[Tensor, Tensor]:
    """Return the floor quotient and the remainder of a number by this tensor. New tensors.

    >>> import strided
    >>> [t.tolist() for t in divmod(7, strided.tensor([2]))]
    [[3], [1]]
    """
    return other // self, other % self


METHODS: dict[str, Any] = {
    "__contains__": __contains__,
    "__reversed__": __reversed__,
    "__divmod__": __divmod__,
    "__rdivmod__": __rdivmod__,
}
