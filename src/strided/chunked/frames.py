"""A tensor on its way from one process to another: a header, and its own bytes as frames.

Nothing is copied to send a tensor whose elements lie side by side, in whatever order of axes, or
with less between them than of their own; others are packed first. Nothing is copied to receive one
into memory that can be written to, or that needs not be.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.methods.own_elements import own_elements

_ALIGNMENT = 8  # no element, and no part of a complex one, is longer


def taken_apart(x: Tensor) -> tuple[dict[str, Any], list[Any]]:
    """Return the header and the frames of a tensor. The frames are views of it where they can be."""
    layout = _native.layout_of(x)
    own = own_elements(layout)
    header = {"dtype": x.dtype.name, "shape": layout.shape, "writable": x.writable}
    elements = own.taken_from(x.detach())
    reach = layout.bounds
    if reach is not None and not own.core.is_packed():
        low, high = reach
        if 2 * own.core.size >= high - low + 1:
            run = x.detach().as_strided((high - low + 1,), (1,), low)
            header |= {"strides": layout.strides, "offset": layout.offset - low}
            return header, _framed(run)
    header |= {"strides": own.strides, "offset": own.offset}
    return header, _framed(elements._convert(None, False, "row_major", "export"))


def _framed(packed: Tensor) -> list[Any]:
    # The first buffer of a message is received behind its headers, at any address; others get
    # memory of their own. The first frame is there to be first.
    return [bytearray(_ALIGNMENT), memoryview(packed.reshape(-1).view(_native.uint8))]


def put_together(header: dict[str, Any], frames: list[Any]) -> Tensor:
    """Return the tensor in received frames. A view of them where it can be."""
    raw, dtype = _native._from_buffer(frames[1]), getattr(_native, header["dtype"])
    part = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
    if raw.nbytes and raw.data_ptr() % part:
        raw = raw._convert(None, True, None, "align")
    elif header["writable"] and not raw.writable:
        raw = raw._convert(None, True, None, "export")
    flat = raw.view(dtype)
    offset = flat.storage_offset() + header["offset"]
    return flat.as_strided(tuple(header["shape"]), tuple(header["strides"]), offset)
