"""Views by strides as NumPy has them: strides count bytes, views of windows may be read-only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.ops.arguments import as_integers, as_operand
from strided.ops.manipulation import broadcast_shapes as broadcast_shapes
from strided.ops.manipulation import broadcast_tensors
from strided.ops.splitting import sliding_window_view as _windows

__all__ = [
    "as_strided",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "sliding_window_view",
]


def _read_only(x: Tensor) -> Tensor:
    """Return a view of the same memory that refuses to be written."""
    array: Any = x.detach().numpy()
    view: Tensor = _native._from_buffer(memoryview(array).toreadonly())
    return view


def as_strided(
    x: Any,
    shape: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
    subok: bool = False,
    writeable: bool = True,
) -> Tensor:
    """Return any layout over the storage, strides in bytes as NumPy has them. A view.

    It begins at the tensor's first element and is checked to stay inside the storage.

    >>> import strided
    >>> x = strided.arange(6)
    >>> strided.lib.stride_tricks.as_strided(x, (2, 2), (8, 16)).tolist()
    [[0, 2], [1, 3]]
    """
    tensor = as_operand(x)
    lengths = tensor.shape if shape is None else as_integers(shape)
    size = tensor.itemsize
    steps = tuple(n * size for n in tensor.stride()) if strides is None else as_integers(strides)
    if any(step % size for step in steps):
        raise InvalidArgument(
            argument="strides",
            got=str(steps),
            requirement=f"must be multiples of {size} bytes, the size of an element",
        )
    made = tensor.as_strided(
        lengths, tuple(step // size for step in steps), tensor.storage_offset()
    )
    return made if writeable else _read_only(made)


def sliding_window_view(
    x: Any,
    window_shape: int | Sequence[int],
    axis: int | Sequence[int] | None = None,
    *,
    subok: bool = False,
    writeable: bool = False,
) -> Tensor:
    """Return all windows of a shape, with the window axes last. A view, read-only unless asked.

    >>> import strided
    >>> strided.lib.stride_tricks.sliding_window_view(strided.arange(4), 3).tolist()
    [[0, 1, 2], [1, 2, 3]]
    """
    made = _windows(as_operand(x), window_shape, axis)
    return made if writeable or made.requires_grad else _read_only(made)


def broadcast_to(array: Any, shape: int | Sequence[int], subok: bool = False) -> Tensor:
    """Return the tensor repeated to a shape by stride 0. A view.

    >>> import strided
    >>> strided.lib.stride_tricks.broadcast_to(strided.arange(2), (2, 2)).stride()
    (0, 1)
    """
    return as_operand(array).broadcast_to(as_integers(shape))


def broadcast_arrays(*args: Any, subok: bool = False) -> tuple[Tensor, ...]:
    """Return all tensors repeated to their common shape by stride 0. Views.

    >>> import strided
    >>> a, b = strided.lib.stride_tricks.broadcast_arrays(strided.zeros(2, 1), strided.zeros(3))
    >>> a.shape, b.shape
    ((2, 3), (2, 3))
    """
    return broadcast_tensors(*map(as_operand, args))
