"""dask: sizes, names and functions of chunks, their way between workers, and their registration.

Tensors are registered with the parts of dask that are imported, and with others as soon as one
meets a tensor: when it asks for a size (the entry point ``dask.sizeof``) or a name
(``__dask_tokenize__``), when ``strided.chunked`` is used, and when strided is imported after them,
as in a worker that receives its first tensor. Nothing of dask is imported or replaced by that.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.interop.shared_memory import own_elements
from strided.ops.arrays import asarray
from strided.ops.creation import full
from strided.ops.einsum import einsum, tensordot
from strided.ops.indexing_reading import take
from strided.ops.joining import concat
from strided.ops.shapes import reshape

_PIECE = 16 << 20  # bytes that are packed at a time where elements do not lie side by side
_LEAD = 8  # no element, and no part of a complex one, is longer in bytes


# ---- sizes and names of chunks ----
# Both look at the elements that a tensor reaches, each of them once, never at its whole storage.


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


# ---- functions that dask looks up by the type of a chunk, a row per lookup ----


def _dtype(dtype: Any) -> DType:
    """Return the dtype that dask names, sometimes by letters that only NumPy reads."""
    import numpy as np

    return _native.as_dtype(np.dtype("float64" if dtype is None else dtype))


def _in(dtype: Any, *arrays: Any) -> list[Tensor]:
    """Return arrays as tensors of one dtype, or each of its own."""
    tensors = [asarray(one) for one in arrays]
    return tensors if dtype is None else [one.to(_dtype(dtype)) for one in tensors]


def _concatenate(arrays: Any, axis: int = 0) -> Tensor:
    """Return several chunks as one. A chunk that is alone along this axis is returned as it is."""
    parts = _in(None, *arrays)
    return parts[0] if len(parts) == 1 else concat(parts, axis=axis)


def _take(x: Tensor, indices: Any, axis: int | None = None) -> Tensor:
    whole = reshape(x, (-1,)) if axis is None else x
    return take(whole, asarray(indices), axis=axis or 0)


def _tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    return tensordot(asarray(a), asarray(b), axes=axes)


def _einsum(subscripts: str, *operands: Any, dtype: Any = None, **_: Any) -> Tensor:
    # What else dask names (casting, order) says how NumPy is to compute.
    return einsum(subscripts, *_in(dtype, *operands))


def _empty(shape: Any, dtype: Any = None, **_: Any) -> Tensor:
    lengths = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    return _native.empty(lengths, dtype=_dtype(dtype))


def _divide(a: Any, b: Any, dtype: Any = None) -> Tensor:
    above, below = _in(dtype, a, b)
    return above / below


def _numel(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None, **_: Any) -> Tensor:
    """Return how many elements are reduced, for each element of the result."""
    counted = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    axes = {one % x.ndim for one in counted}
    shape = [
        1 if at in axes else length
        for at, length in enumerate(x.shape)
        if keepdims or at not in axes
    ]
    count = math.prod(x.shape[one] for one in axes)
    return full(shape, count, dtype=_dtype(dtype))


def _nannumel(x: Tensor, **options: Any) -> Any:
    import numpy as np

    return np.sum(~x.isnan(), **options)


def _to_numpy(x: Tensor, **_: Any) -> Any:
    return x.numpy()


LOOKUPS: dict[str, Any] = {
    "concatenate_lookup": _concatenate,
    "take_lookup": _take,
    "tensordot_lookup": _tensordot,
    "einsum_lookup": _einsum,
    "empty_lookup": _empty,
    "divide_lookup": _divide,
    "numel_lookup": _numel,
    "nannumel_lookup": _nannumel,
    "to_numpy_dispatch": _to_numpy,
}


# ---- serialization between workers: a header, and the tensor's own bytes as a frame ----
# Nothing is copied to send elements that lie side by side, in whatever order of axes, or that have
# less between them than there is of them; others are packed first. Nothing is copied to receive
# them into memory that is aligned and may be written to, which is what distributed allots.


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


# ---- registration ----


def _with_sizes() -> None:
    from dask.sizeof import sizeof

    sizeof.register(Tensor, reached_bytes)


def _with_arrays() -> None:
    """Tensors as chunks, and the functions that dask looks up by the type of a chunk."""
    import numpy as np
    from dask.array import dispatch as lookups
    from dask.array import register_chunk_type

    register_chunk_type(Tensor)
    for name, function in LOOKUPS.items():
        getattr(lookups, name).register(Tensor, function)
    by_numpy = lookups.percentile_lookup.dispatch(np.ndarray)
    lookups.percentile_lookup.register(Tensor, by_numpy)


def _with_workers() -> None:
    """The way of a tensor from one worker to another."""
    from distributed.protocol import dask_deserialize, dask_serialize

    dask_serialize.register(Tensor, serialize)
    dask_deserialize.register(Tensor, deserialize)


# module of dask: how tensors are registered with it
_PARTS = {
    "dask.sizeof": _with_sizes,
    "dask.array": _with_arrays,
    "distributed.protocol": _with_workers,
}
_registered: set[str] = set()


def register() -> None:
    """Register tensors with the parts of dask that are imported and do not know them."""
    for module, add in _PARTS.items():
        if module in _registered or module not in sys.modules:
            continue
        # It may be half imported, or a version with other names: neither is a reason for importing
        # strided to fail.
        with suppress(Exception):
            add()
            _registered.add(module)


def enable() -> None:
    """Import the parts of dask that take tensors, and register with them."""
    import dask.array  # noqa: F401

    with suppress(ImportError):
        import distributed.protocol  # noqa: F401
    register()
