"""Tensors over the memory of arrays, buffers and files, and of lists of numbers."""

from __future__ import annotations

import sys
from collections import deque
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import Tensor
from strided.errors import (
    DTypeMismatch,
    FileUnusable,
    InvalidArgument,
    ShapeMismatch,
    StridedError,
    UnsupportedOperation,
)
from strided.ops.data_types import check_device
from strided.ops.define import operation

if TYPE_CHECKING:
    import numpy

_DLPACK_CPU = 1  # kDLCPU of dlpack.h
_IMMUTABLE = ("jax", "jaxlib")


@operation(kind="view", method=None, operands=0)
def from_numpy(array: numpy.ndarray[Any, Any]) -> Tensor:
    """Return a tensor over the memory of a NumPy array, with its strides, whatever they are.

    A view: writes are seen on both sides; a read-only array gives a read-only tensor.

    >>> import numpy, strided
    >>> a = numpy.array([[1, 2, 3], [4, 5, 6]], order="F")
    >>> strided.from_numpy(a).stride()
    (1, 2)
    """
    # Asked of the type: an array writes its description anew each time it is asked.
    if not hasattr(type(array), "__array_interface__") or not hasattr(array, "dtype"):
        raise TypeError(f"{type(array).__name__} is no NumPy array; use strided.asarray")
    if array.dtype.kind == "V" and array.dtype.name == "bfloat16":
        import numpy as np

        return _native._from_buffer(array.view(np.uint16)).view(_native.bfloat16)
    try:
        return _native._from_buffer(array)
    except StridedError:
        raise
    except (ValueError, BufferError) as error:  # NumPy's own refusal to export the dtype
        raise DTypeMismatch(
            operation="from_numpy",
            got=str(array.dtype),
            reason="strided has no such dtype",
            hint="convert it with .astype() first",
        ) from error


@operation(kind="either", method=None, operands=0)
def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """Return a tensor over the memory of what has ``__dlpack__``. A view unless ``copy=True``.

    What the other library says is read-only stays so, and so do arrays of JAX, which never change.
    Arrays of another device come only with ``device="cpu"`` and without ``copy=False``, if their
    library brings them over.

    >>> import numpy, strided
    >>> a = numpy.zeros(3)
    >>> strided.from_dlpack(a)[0] = 7.0
    >>> a[0].item()
    7.0
    """
    check_device(device)
    if isinstance(x, Tensor):
        return x.clone() if copy else x.view()
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"{type(x).__name__} has no __dlpack__; use strided.asarray")
    options: dict[str, Any] = {"max_version": (1, 1)}
    comes_over = device is not None and _dlpack_device(x)[0] != _DLPACK_CPU
    if comes_over:
        options.update(dl_device=(_DLPACK_CPU, 0), copy=copy)
    try:
        capsule = x.__dlpack__(**options)
    except TypeError:
        if comes_over:
            raise
        capsule = x.__dlpack__()  # a producer from before DLPack 1.0
    producer = type(x).__module__.partition(".")[0]
    if producer == "torch" and x.is_neg():  # PyTorch hands over the elements with the wrong sign
        raise UnsupportedOperation(
            operation="from_dlpack",
            reason="its elements change their sign when they are read",
            hint="use x.resolve_neg(), which copies",
        )
    shared = _native._from_dlpack(capsule, producer, producer in _IMMUTABLE)
    return shared.clone() if copy and not comes_over else shared


def _dlpack_device(x: Any) -> tuple[int, int]:
    asked = getattr(x, "__dlpack_device__", None)
    found: tuple[int, int] = (_DLPACK_CPU, 0) if asked is None else asked()
    return found


@operation(kind="view", method=None, operands=0)
def frombuffer(
    buffer: Any, *, dtype: Any = _native.float32, count: int = -1, offset: int = 0
) -> Tensor:
    """Return a rank-1 tensor over the bytes of a buffer. A view; read-only for read-only buffers.

    >>> import strided
    >>> strided.frombuffer(bytearray(b"\\x01\\x00\\x02\\x00"), dtype=strided.int16).tolist()
    [1, 2]
    """
    dtype = _native.as_dtype(dtype)
    raw = memoryview(buffer).cast("B")
    room = raw.nbytes - offset
    if offset < 0 or room < 0:
        raise InvalidArgument(
            argument="offset", got=str(offset), requirement=f"must lie in 0..{raw.nbytes}"
        )
    nbytes = count * dtype.itemsize if count >= 0 else room
    if nbytes > room or nbytes % dtype.itemsize:
        raise InvalidArgument(
            argument="buffer",
            got=f"{room} bytes from offset {offset}",
            requirement=f"must hold {count if count >= 0 else 'whole'} {dtype.name} elements",
        )
    flat = _native._from_buffer(raw[offset : offset + nbytes])
    part = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
    if nbytes and flat.data_ptr() % part:
        raise UnsupportedOperation(
            operation="frombuffer",
            reason=f"its {dtype.name} elements are not aligned to {part} bytes",
            hint=f"copy the bytes first: strided.tensor(bytes).view(strided.{dtype.name})",
        )
    return flat.view(dtype)


@operation(kind="view", method=None, operands=0)
def memory_map(
    path: Any, *, dtype: Any = _native.uint8, shape: Any = None, mode: str = "r", offset: int = 0
) -> Tensor:
    """Return a tensor over the bytes of a file. A view: nothing is read until it is used.

    ``mode``: ``"r"`` read-only, ``"c"`` copy on write (changes stay in memory), ``"r+"`` read and
    write.

    >>> import os, strided, tempfile
    >>> file = tempfile.NamedTemporaryFile(delete=False)
    >>> _ = file.write(bytes(range(8))), file.close()
    >>> strided.memory_map(file.name, dtype=strided.uint8, shape=(2, 4))[1].tolist()
    [4, 5, 6, 7]
    >>> os.unlink(file.name)
    """
    import os

    dtype, path = _native.as_dtype(dtype), os.fsdecode(path)
    count = -1
    if shape is not None:
        shape = (shape,) if hasattr(shape, "__index__") else tuple(shape)
        if -1 not in shape:
            count = 1
            for length in shape:
                count *= int(length)
    if count * dtype.itemsize > sys.maxsize:
        raise FileUnusable(path=path, reason=f"no file holds {count} {dtype.name} elements")
    if abs(offset) > sys.maxsize:
        raise FileUnusable(path=path, reason=f"no file has a byte {offset}")
    flat = _native.map_file(path, dtype, mode, offset, count)
    if flat.nbytes != flat.bytes_kept_alive:
        raise FileUnusable(
            path=path,
            reason=f"{flat.bytes_kept_alive} bytes from offset {offset} are not a whole number of "
            f"{dtype.name} elements",
        )
    return flat if shape is None else flat.view(shape)


def _shared(obj: Any) -> Tensor | None:
    """Return a tensor over the memory of an array-like, None when it has no memory to share."""
    if isinstance(obj, Tensor):
        return obj
    known = any(
        hasattr(one, name)
        for one in (type(obj), obj)
        for name in ("__array_interface__", "__array_struct__")
    )
    if known:
        import numpy as np

        return from_numpy(np.asarray(obj))
    if hasattr(obj, "__dlpack__"):
        return from_dlpack(obj)
    if isinstance(obj, (bytes, bytearray, memoryview)) or _exports_buffer(obj):
        return _native._from_buffer(obj)
    if hasattr(obj, "__array__"):
        import numpy as np

        return from_numpy(np.asarray(obj))
    return None


def _copied_bytes(obj: Any, reason: str) -> Tensor:
    """Return a copy of an array whose elements lie where no tensor can point: between multiples of
    their size. Their bytes are copied as an axis of their own."""
    from types import SimpleNamespace

    import numpy as np

    array = np.asarray(obj)
    interface = {
        "version": 3,
        "typestr": "|u1",
        "shape": (*array.shape, array.itemsize),
        "strides": (*array.strides, 1),
        "data": (array.ctypes.data, True),
    }
    raw = _native._from_buffer(np.asarray(SimpleNamespace(__array_interface__=interface)))
    moved = raw._convert(None, True, "row_major", reason)
    return moved.view(_native.as_dtype(array.dtype)).select(-1, 0)


def _exports_buffer(obj: Any) -> bool:
    try:
        memoryview(obj)
    except TypeError:
        return False
    return True


def _from_lists(data: Any, dtype: Any) -> Tensor:
    if isinstance(data, (range, deque)):
        data = list(data)
    made: Tensor = _native._from_nested(data, dtype)
    if made is not NotImplemented:
        return made
    if not isinstance(data, (list, tuple)):
        raise TypeError(f"cannot make a tensor from {type(data).__name__}")
    # A list of arrays: one copy of each, into slices of the result.
    parts = [asarray(part, dtype=dtype) for part in data]
    common = parts[0].dtype
    for part in parts:
        if part.shape != parts[0].shape:
            raise ShapeMismatch(
                operation="tensor from a list of arrays",
                expected=parts[0].shape,
                got=part.shape,
                hint="all arrays must have the same shape",
            )
        common = _native.promote_types(common, part.dtype)
    out = _native.empty((len(parts), *parts[0].shape), dtype=common)
    for i, part in enumerate(parts):
        _native.join_into(out[i], part)
    return out


@operation(
    kind="either",
    method=None,
    operands=0,
    aliases=("as_tensor",),
    also={"obj": "data a"},
    forecast=lambda of: of.converted,
)
def asarray(
    obj: Any, /, dtype: Any = None, *, device: Any = None, copy: bool | None = None
) -> Tensor:
    """Return a tensor of anything that holds numbers. A view wherever memory can be shared.

    ``copy=True`` always copies, ``copy=False`` raises ValueError where it would have to.

    >>> import numpy, strided
    >>> a = numpy.zeros((2, 3))
    >>> strided.asarray(a.T)[0, 1] = 5
    >>> a[1, 0].item()
    5.0
    >>> strided.asarray([[1, 2], [3, 4]]).dtype
    strided.int64
    """
    check_device(device)
    try:
        shared = _shared(obj)
    except UnsupportedOperation as error:
        if copy is False or error.operation != "sharing this buffer":
            raise
        shared, copy = _copied_bytes(obj, "clone" if copy else "align"), None
    if shared is None:
        if copy is False:
            raise InvalidArgument(
                argument="copy",
                got="False",
                requirement=f"cannot be kept for {type(obj).__name__}: it has no memory to share",
            )
        return _from_lists(obj, dtype)
    changes = dtype is not None and _native.as_dtype(dtype) is not shared.dtype
    if copy is False and changes:
        raise InvalidArgument(
            argument="copy", got="False", requirement=f"cannot be kept: {shared.dtype} changes"
        )
    return shared._convert(dtype, bool(copy))


@operation(method=None, operands=0)
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return a new tensor with the numbers of lists, arrays, buffers or tensors. Always a copy.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]], shape=(2, 2), dtype=int64)
    """
    # What is copied is part of no graph, whatever the data was.
    plain = data.detach() if isinstance(data, Tensor) else data
    made = asarray(plain, dtype=dtype, device=device, copy=True)
    return made.requires_grad_() if requires_grad else made
