"""In which order do elements follow each other in memory? In words."""

from __future__ import annotations

from strided._native import Layout


def order_text(layout: Layout) -> str:
    """Return the order of a layout of bytes, whose last axis runs through one element.

    The layout is neither contiguous nor self-overlapping: those are asked before.

    >>> import strided
    >>> from strided.inspect.order import order_text
    >>> order_text(strided.Layout((2, 3, 4), (-4, 24, 1), 4))
    'column-major with gaps, axis 0 reversed'
    """
    rank = layout.rank - 1
    axes = tuple(axis for axis in layout.memory_order() if axis < rank)
    stepped = [axis for axis in axes if layout.shape[axis] > 1]
    packed = layout.is_packed()
    if stepped == sorted(stepped):
        said = "row-major"
    elif stepped == sorted(stepped, reverse=True):
        said = "column-major"
    else:
        said = f"packed in order {axes}" if packed else f"in order {axes}"
    if not packed:
        said += " with gaps"
    elif axes == (0, 2, 3, 1):
        said += ", channels last"
    backwards = [f"axis {axis} reversed" for axis in sorted(stepped) if layout.strides[axis] < 0]
    return ", ".join([said, *backwards])
