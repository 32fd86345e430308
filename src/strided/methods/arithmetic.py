"""Arithmetic with more than two operands, or with operators only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from strided._native import Tensor, apply, apply_into
from strided.ops.elementwise import op_id

_ADD, _SUBTRACT = op_id("add"), op_id("subtract")


def _scaled(op: int, x: Tensor, other: Any, alpha: Any, out: Tensor | None) -> Tensor:
    if alpha != 1:
        other = other * alpha
    return apply(op, x, other) if out is None else apply_into(op, out, x, other)


def add(self: Tensor, other: Any, *, alpha: Any = 1, out: Tensor | None = None) -> Tensor:
    """Add ``other * alpha``. Elementwise; returns a new tensor, or writes into ``out``.

    >>> import strided
    >>> strided.tensor([1, 2]).add(3, alpha=2).tolist()
    [7, 8]
    """
    return _scaled(_ADD, self, other, alpha, out)


def add_(self: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """Add ``other * alpha`` in place: overwrites this tensor and whatever shares its storage.

    >>> import strided
    >>> strided.tensor([1, 2]).add_(3).tolist()
    [4, 5]
    """
    return _scaled(_ADD, self, other, alpha, self)


def subtract(self: Tensor, other: Any, *, alpha: Any = 1, out: Tensor | None = None) -> Tensor:
    """Subtract ``other * alpha``. Elementwise; returns a new tensor, or writes into ``out``.

    >>> import strided
    >>> strided.tensor([8, 9]).subtract(3, alpha=2).tolist()
    [2, 3]
    """
    return _scaled(_SUBTRACT, self, other, alpha, out)


def subtract_(self: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """Subtract ``other * alpha`` in place: overwrites this tensor and whatever shares its storage.

    >>> import strided
    >>> strided.tensor([8, 9]).subtract_(3).tolist()
    [5, 6]
    """
    return _scaled(_SUBTRACT, self, other, alpha, self)


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
    "add": add,
    "add_": add_,
    "sub": subtract,
    "subtract": subtract,
    "sub_": subtract_,
    "subtract_": subtract_,
    "__contains__": __contains__,
    "__reversed__": __reversed__,
    "__divmod__": __divmod__,
    "__rdivmod__": __rdivmod__,
}
