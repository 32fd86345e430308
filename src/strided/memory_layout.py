"""Memory formats: the order in which a new tensor's axes are laid out. Asked for, never guessed."""

from __future__ import annotations

from collections.abc import Sequence

from strided._native import Layout, Tensor
from strided.errors import InvalidArgument, UnsupportedOperation


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
