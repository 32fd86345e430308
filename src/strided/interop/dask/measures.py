"""Sizes and tokens of chunks.

Both look at the elements that a tensor reaches, each of them once, never at its whole storage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.interop.own_elements import own_elements

_PIECE = 16 << 20  # bytes that are packed at a time where elements do not lie side by side


def reached_bytes(x: Tensor) -> int:
    """Return the bytes of the elements that a tensor reaches, each counted once."""
    return own_elements(_native.layout_of(x)).core.size * x.itemsize


def token(x: Tensor) -> tuple[Any, ...]:
    """Return what names a tensor: class, dtype, shape, order of memory, elements.

    Where its elements lie in the storage and what lies between them does not count. Their order
    does: functions of a chunk may ask for it, and elements that are packed in any order are read
    where they lie.
    """
    own = own_elements(_native.layout_of(x))
    kind = f"{type(x).__module__}.{type(x).__qualname__}"
    digests = tuple(_digests(own.taken_from(x.detach())))
    return kind, x.dtype.name, x.shape, own.strides, own.offset, x.requires_grad, digests


def _digests(elements: Tensor) -> Iterator[str]:
    from dask.hashing import hash_buffer_hex

    for piece in _pieces(elements):
        packed = piece._convert(None, False, "row_major", "export")
        yield hash_buffer_hex(memoryview(packed.reshape(-1).view(_native.uint8)))


def _pieces(elements: Tensor) -> Iterator[Tensor]:
    """Yield parts of bounded size, cut at places that depend on the shape alone. Views."""
    if elements.nbytes <= _PIECE:
        yield elements
        return
    step = _PIECE * elements.shape[0] // elements.nbytes
    for begin in range(0, elements.shape[0], max(1, step)):
        part = elements[begin : begin + max(1, step)]
        yield from [part] if step else _pieces(part[0])
