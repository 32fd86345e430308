"""Serialization between workers: a header, and the tensor's own bytes as a frame.

Nothing is copied to send elements that lie side by side, in whatever order of axes, or that have
less between them than there is of them; others are packed first. Nothing is copied to receive them
into memory that is aligned and may be written to, which is what distributed allots.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.interop.own_elements import own_elements

_LEAD = 8  # no element, and no part of a complex one, is longer


def serialize(x: Tensor) -> tuple[dict[str, Any], list[Any]]:
    """Return the header and the frames of a tensor: views of it, or of its packed elements."""
    if type(x) is not Tensor or x.requires_grad:
        raise NotImplementedError  # by which distributed pickles it, as what it is
    layout = _native.layout_of(x)
    own = own_elements(layout)
    low, high = layout.bounds or (0, -1)
    if not own.core.is_packed() and 2 * own.core.size > high - low:
        elements = x.as_strided((high - low + 1,), (1,), low)
        strides, offset = layout.strides, layout.offset - low
    else:
        elements = own.taken_from(x)._convert(None, False, "row_major", "export")
        strides, offset = own.strides, own.offset
    header = {
        "dtype": x.dtype.name,
        "shape": layout.shape,
        "strides": strides,
        "offset": offset,
        "writable": x.writable,
    }
    return header, _frames_of(elements.reshape(-1).view(_native.uint8))


def _frames_of(raw: Tensor) -> list[Any]:
    """Return the bytes behind a few others, which make them arrive at a multiple of their size.

    distributed receives the first buffer of a message behind the message's header, at any address,
    and every other one into memory of its own; but others that are so long that they were cut into
    shards it joins by copying. So short frames follow a buffer, and long ones are the first: they
    have space in front of them to be moved.
    """
    from distributed.protocol.utils import BIG_BYTES_SHARD_SIZE

    lead = bytes(_LEAD) if raw.nbytes > BIG_BYTES_SHARD_SIZE else bytearray(_LEAD)
    return [lead, memoryview(raw)]


def deserialize(header: dict[str, Any], frames: list[Any]) -> Tensor:
    """Return the tensor in received frames. A view of them where it can be.

    What could be written to where it came from can be written to here: it is copied out of frames
    that cannot be, such as those read back from a disk.
    """
    lead, data = (memoryview(frame) for frame in frames)
    dtype: DType = getattr(_native, header["dtype"])
    raw = _aligned(lead, data, dtype)
    if raw.writable and not header["writable"]:
        raw = _native._from_buffer(memoryview(raw).toreadonly())
    elif header["writable"] and not raw.writable:
        raw = raw._convert(None, True, None, "export")
    flat = raw.view(dtype)
    offset = flat.storage_offset() + header["offset"]
    return flat.as_strided(tuple(header["shape"]), tuple(header["strides"]), offset)


def _aligned(lead: memoryview, data: memoryview, dtype: DType) -> Tensor:
    """Return the bytes at an address that suits the dtype. A view of the frames if it can be."""
    raw = _native._from_buffer(data)
    part = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
    surplus = raw.data_ptr() % part if raw.nbytes else 0
    if not surplus:
        return raw
    follows = _native._from_buffer(lead).data_ptr() + _LEAD == raw.data_ptr()
    if not follows or not raw.writable:
        return raw._convert(None, True, None, "align")
    from distributed.protocol.utils import merge_memoryviews

    _native.log_copy("align", raw, raw.dtype)
    whole = merge_memoryviews([lead, data])
    place = whole[_LEAD - surplus : _LEAD - surplus + raw.nbytes]
    place[:] = data
    return _native._from_buffer(place)
