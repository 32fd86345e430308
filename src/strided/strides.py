"""Strides: how many elements lie between neighbours along each axis."""

from __future__ import annotations

from collections.abc import Sequence

from strided._native import Layout
from strided.errors import InvalidDimension, ShapeMismatch


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

    def __new__(cls, *values: int | Sequence[int]) -> Strides:
        """Strides(4, 1) and Strides((4, 1)) are the same."""
        if len(values) == 1 and not isinstance(values[0], int):
            return super().__new__(cls, (int(v) for v in values[0]))  # type: ignore[union-attr]
        numbers = values or (0, 0, 0, 0)
        return super().__new__(cls, (v.__index__() for v in numbers))  # type: ignore[union-attr]

    def __getnewargs__(self) -> tuple[tuple[int, ...]]:
        return (tuple(self),)

    @classmethod
    def from_shape(cls, shape: Sequence[int], order: str = "row_major") -> Strides:
        """Return the gap-free strides of a shape, ``row_major`` or ``column_major``.

        >>> import strided
        >>> strided.Strides.from_shape((2, 3, 4))
        Strides(12, 4, 1)
        >>> strided.Strides.from_shape((2, 3, 4), order="column_major")
        Strides(1, 2, 6)
        """
        make = {"row_major": Layout.row_major, "column_major": Layout.column_major}[order]
        return cls(make(shape).strides)

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
        return self._named(0)

    @property
    def c(self) -> int:
        """The stride of the channel axis of an NCHW layout."""
        return self._named(1)

    @property
    def h(self) -> int:
        """The stride of the height axis of an NCHW layout."""
        return self._named(2)

    @property
    def w(self) -> int:
        """The stride of the width axis of an NCHW layout."""
        return self._named(3)

    def _named(self, axis: int) -> int:
        if len(self) != 4:
            raise InvalidDimension(dim=axis, rank=len(self))
        return self[axis]

    def get_offset(self, *index: int) -> int:
        """Return the distance of an element from the first one: the sum of index times stride.

        >>> import strided
        >>> strided.Strides.from_shape((2, 3, 4, 5)).get_offset(1, 2, 3, 4)
        119
        """
        if len(index) != len(self):
            raise ShapeMismatch(
                operation="get_offset",
                expected=tuple(self),
                got=index,
                cure=f"pass {len(self)} indices, one per stride",
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
        return f"Strides({', '.join(map(str, self))})"

    __str__ = __repr__
