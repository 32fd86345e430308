"""Strides: how many elements lie between neighbours along each axis."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import SupportsIndex

from strided._native import Layout
from strided.errors import InvalidDimension, ShapeMismatch, UnsupportedOperation
from strided.memory_layout import MemoryLayout


class Strides(tuple[int, ...]):
    """The strides of a layout, in elements; a tuple that can compute offsets.

    ``Strides(120, 40, 10, 2)`` takes the numbers, ``Strides.from_shape(shape)`` computes them, and
    ``Strides()`` is the 4-D default of zeros. A value: it shares nothing and copies nothing.

    >>> import strided
    >>> strided.Strides.from_shape((2, 3, 4, 5))
    Strides(60, 20, 5, 1)
    >>> strided.zeros(2, 3, 4).strides
    Strides(12, 4, 1)
    """

    __slots__ = ()

    def __new__(cls, *values: SupportsIndex | Iterable[SupportsIndex]) -> Strides:
        """Strides(4, 1) and Strides((4, 1)) are the same."""
        numbers: Iterable[object] = values or (0, 0, 0, 0)
        if len(values) == 1 and isinstance(values[0], Iterable):
            numbers = values[0]
        return super().__new__(cls, map(operator.index, numbers))  # type: ignore[arg-type]

    def __getnewargs__(self) -> tuple[tuple[int, ...]]:
        return (tuple(self),)

    @classmethod
    def from_shape(
        cls, shape: Sequence[int], order: MemoryLayout | str | Sequence[int] = "row_major"
    ) -> Strides:
        """Return the gap-free strides of a shape in a memory order.

        The order is a ``MemoryLayout`` or its name, or the axes from the slowest to the fastest.

        >>> import strided
        >>> strided.Strides.from_shape((2, 3, 4))
        Strides(12, 4, 1)
        >>> strided.Strides.from_shape((2, 3, 4), order="column_major")
        Strides(1, 2, 6)
        """
        asked = order if isinstance(order, MemoryLayout) else MemoryLayout(order)
        axes = asked.order_for(Layout.row_major(shape))
        return cls(Layout.ordered(shape, axes).strides)

    def stride(self, dim: int) -> int:
        """Return the stride of one axis; negative axes count from the end.

        >>> import strided
        >>> strided.Strides(12, 4, 1).stride(0)
        12
        """
        rank = len(self)
        if not -rank <= dim < rank:
            raise InvalidDimension(dim=dim, rank=rank)
        return self[dim]

    @property
    def n(self) -> int:
        """The stride of the batch axis of an NCHW layout."""
        return self._named("n")

    @property
    def c(self) -> int:
        """The stride of the channel axis of an NCHW layout."""
        return self._named("c")

    @property
    def h(self) -> int:
        """The stride of the height axis of an NCHW layout."""
        return self._named("h")

    @property
    def w(self) -> int:
        """The stride of the width axis of an NCHW layout."""
        return self._named("w")

    def _named(self, letter: str) -> int:
        if len(self) != 4:
            raise UnsupportedOperation(
                operation=f"Strides.{letter}",
                reason=f"N, C, H, W are the axes of rank 4, these strides have rank {len(self)}",
                hint="use .stride(dim)",
            )
        return self["nchw".index(letter)]

    def get_offset(self, *index: int) -> int:
        """Return the distance of an element from the first one: the sum of index times stride.

        >>> import strided
        >>> strided.Strides.from_shape((2, 3, 4, 5)).get_offset(1, 2, 3, 4)
        119
        """
        if len(index) != len(self):
            raise ShapeMismatch(
                operation="get_offset",
                expected=(len(self),),
                got=(len(index),),
                hint=f"pass {len(self)} indices, one per stride",
            )
        return sum(i * s for i, s in zip(index, self, strict=True))

    def is_contiguous(self, shape: Sequence[int]) -> bool:
        """Return whether a tensor of this shape would lie in row-major order without gaps.

        >>> import strided
        >>> strided.Strides(120, 1, 30, 5).is_contiguous((2, 3, 4, 5))
        False
        """
        if len(shape) != len(self):
            return False
        return bool(Layout(tuple(shape), tuple(self)).is_row_major())

    def __repr__(self) -> str:
        # Strides() would read as the 4-D default.
        return f"Strides({', '.join(map(str, self)) or '()'})"

    __str__ = __repr__
