"""Memory layout: orders of axes that are asked for, and the strides that follow."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

from strided._native import Layout, Tensor
from strided.errors import InvalidArgument, InvalidDimension, ShapeMismatch, UnsupportedOperation

# ---- memory formats: the order in which the axes of a new tensor are laid out ----


class MemoryLayout:
    """An order of axes in memory. A value; making one moves nothing.

    Row-major, column-major, channels last, like the source ("preserve"), or any permutation.

    >>> import strided
    >>> x = strided.zeros(2, 3, 4, 5)
    >>> x.contiguous(memory_format=strided.channels_last).stride()
    (60, 1, 15, 3)
    >>> x.clone(memory_format=strided.MemoryLayout((3, 2, 1, 0))).stride()
    (1, 2, 6, 24)
    """

    __slots__ = ("_axes", "name")

    def __init__(self, order: str | Sequence[int]) -> None:
        """Take a name, or the axes from the slowest to the fastest."""
        if isinstance(order, str):
            if order not in _NAMES:
                raise InvalidArgument(
                    argument="memory_format",
                    got=repr(order),
                    requirement=f"must be one of {', '.join(_NAMES)}, or a permutation",
                )
            self.name = order
            self._axes: tuple[int, ...] = ()
        else:
            self.name = "permutation"
            self._axes = tuple(order)

    def order_for(self, layout: Layout) -> tuple[int, ...]:
        """Return the axes of a layout from the slowest to the fastest in this order.

        >>> import strided
        >>> strided.column_major.order_for(strided.Layout((2, 3)))
        (1, 0)
        """
        rank = layout.rank
        axes = tuple(range(rank))
        if self.name == "row_major":
            return axes
        if self.name == "column_major":
            return axes[::-1]
        if self.name == "preserve":
            return tuple(layout.memory_order())
        if self.name == "channels_last":
            if rank not in (4, 5):
                raise UnsupportedOperation(
                    operation="channels_last",
                    reason=f"needs rank 4 (NCHW) or 5 (NCDHW), this tensor has rank {rank}",
                    hint="pass a permutation of the axes instead",
                )
            return (0, *range(2, rank), 1)
        if sorted(self._axes) != list(axes):
            raise InvalidArgument(
                argument="memory_format",
                got=str(self._axes),
                requirement=f"must name each of the {rank} axes once",
            )
        return self._axes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MemoryLayout):
            return NotImplemented
        return (self.name, self._axes) == (other.name, other._axes)

    def __hash__(self) -> int:
        return hash((self.name, self._axes))

    def __repr__(self) -> str:
        return f"MemoryLayout({self._axes if self._axes else repr(self.name)})"


_NAMES = ("row_major", "column_major", "channels_last", "preserve")

row_major = MemoryLayout("row_major")
column_major = MemoryLayout("column_major")
channels_last = MemoryLayout("channels_last")
preserve_format = MemoryLayout("preserve")
contiguous_format = row_major  # PyTorch's name


def memory_order(
    tensor: Tensor, memory_format: MemoryLayout | str | Sequence[int]
) -> tuple[int, ...]:
    """Return the axis order of a memory format for a tensor (the native type asks this)."""
    if not isinstance(memory_format, MemoryLayout):
        memory_format = MemoryLayout(memory_format)
    return memory_format.order_for(tensor.layout)


# ---- strides: how many elements lie between neighbours along each axis ----


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


class Size(int):
    """The number of elements; called, the shape or the length of an axis, as in PyTorch.

    >>> import strided
    >>> x = strided.zeros(2, 3)
    >>> x.size, x.size(), x.size(-1)
    (6, (2, 3), 3)
    """

    _shape: tuple[int, ...]

    def __call__(self, dim: int | None = None) -> Any:
        if dim is None:
            return self._shape
        rank = len(self._shape)
        if not -rank <= dim < rank:
            raise InvalidDimension(dim=dim, rank=rank)
        return self._shape[dim]

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        return int, (int(self),)

    def __copy__(self) -> int:
        return int(self)

    def __deepcopy__(self, memo: Any) -> int:
        return int(self)
