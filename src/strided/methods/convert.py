"""Other dtypes, other libraries."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import DType, Tensor
from strided.memory_layout import MemoryLayout
from strided.methods.namespace import check_device

if TYPE_CHECKING:
    import numpy


def to(
    self: Tensor,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    copy: bool = False,
    memory_format: Any = None,
    non_blocking: bool = False,
) -> Tensor:
    """Return this tensor in another dtype or memory order: itself if nothing changes, else a copy.

    >>> import strided
    >>> x = strided.arange(3)
    >>> x.to(strided.float32).dtype, x.to(strided.int64) is x
    (strided.float32, True)
    """
    for arg in args:
        if isinstance(arg, DType):
            dtype = arg
        elif isinstance(arg, Tensor):
            dtype = arg.dtype
        elif arg == "cpu":
            device = arg
        elif isinstance(arg, MemoryLayout):
            memory_format = arg
        else:
            dtype = arg
    check_device(device)
    return self._convert(dtype, copy, memory_format)


def astype(self: Tensor, dtype: Any, *, copy: bool = True) -> Tensor:
    """Return a copy in another dtype; with ``copy=False`` itself when the dtype is the same.

    >>> import strided
    >>> strided.tensor([1.7, -1.7]).astype(strided.int64).tolist()
    [1, -1]
    """
    return self._convert(dtype, copy)


def type_as(self: Tensor, other: Tensor) -> Tensor:
    """Return this tensor in the dtype of another: itself when it is the same, else a copy.

    >>> import strided
    >>> strided.arange(3).type_as(strided.zeros(1)).dtype
    strided.float32
    """
    return self._convert(other.dtype)


def _to_dtype(name: str, dtype: DType) -> Any:
    def method(self: Tensor) -> Tensor:
        return self._convert(dtype)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = (
        f"Return this tensor as {dtype.name}: itself when it is already, else a copy.\n\n"
        f"    >>> import strided\n    >>> strided.ones(2).{name}().dtype\n"
        f"    strided.{dtype.name}\n    "
    )
    return method


def numpy_(self: Tensor, *, force: bool = False) -> numpy.ndarray[Any, Any]:
    """Return a NumPy array over the same memory, strides kept. A view, never a copy.

    >>> import strided
    >>> x = strided.zeros(2, 3)
    >>> x.T.numpy()[0, 1] = 5
    >>> x[1, 0].item()
    5.0
    """
    import numpy as np

    if self.dtype is _native.bfloat16:
        return np.asarray(self.view(_native.uint16)).view(np.dtype(self.dtype.dtype))
    return np.asarray(memoryview(self))


def __array__(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Any:
    """Return a NumPy array: over the same memory unless a dtype or ``copy=True`` asks otherwise.

    >>> import numpy, strided
    >>> numpy.asarray(strided.arange(3))
    array([0, 1, 2])
    """
    import numpy as np

    array = numpy_(self)
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise ValueError(f"{self.dtype} cannot become {dtype} without a copy")
        _native.log_copy("export", self, _known_dtype(dtype) or self.dtype)
        return array.astype(dtype)
    if copy:
        _native.log_copy("export", self, self.dtype)
    return np.array(array) if copy else array


def _known_dtype(dtype: Any) -> DType | None:
    try:
        return _native.as_dtype(dtype)
    except (TypeError, ValueError):  # one that only NumPy has
        return None


def __dlpack__(
    self: Tensor,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """Return a DLPack capsule over the same memory, strides kept (or of a copy when asked).

    >>> import numpy, strided
    >>> numpy.from_dlpack(strided.arange(3))
    array([0, 1, 2])
    """
    if dl_device is not None and tuple(dl_device) != (1, 0):
        raise BufferError("strided tensors live on the CPU: dl_device must be (1, 0)")
    versioned = max_version is not None and max_version[0] >= 1
    x = self._convert(None, True, None, "export") if copy else self
    return _native._to_dlpack(x, versioned, bool(copy))


def __dlpack_device__(self: Tensor) -> tuple[int, int]:
    """Return DLPack's name for the CPU.

    >>> import strided
    >>> strided.zeros(1).__dlpack_device__()
    (1, 0)
    """
    return (1, 0)


def _as_subclass(like: type[Tensor], x: Tensor, attributes: dict[str, Any]) -> Tensor:
    """Return a view of a plain tensor as a subclass, with the attributes its ``__init__`` set."""
    if like is Tensor:
        return x
    made = like.__new__(like, x)
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def _from_bytes(
    data: bytes,
    dtype: str,
    shape: tuple[int, ...],
    like: type[Tensor] = Tensor,
    attributes: dict[str, Any] | None = None,
) -> Tensor:
    """Rebuild a pickled tensor (the bytes are its elements in row-major order)."""
    raw = _native._from_buffer(bytearray(data))
    return _as_subclass(like, raw.view(getattr(_native, dtype)).view(shape), attributes or {})


def __reduce_ex__(self: Tensor, protocol: Any) -> tuple[Any, ...]:
    """Pickle a tensor as its own elements: a small view does not drag its storage along.

    >>> import pickle, strided
    >>> pickle.loads(pickle.dumps(strided.arange(6).reshape(2, 3).T)).tolist()
    [[0, 3], [1, 4], [2, 5]]
    """
    packed = self._convert(None, False, "row_major", "export")
    elements = packed.reshape(-1).view(_native.uint8)
    _native.log_copy("export", packed, self.dtype)
    plain = (bytes(elements), self.dtype.name, self.shape)
    if type(self) is Tensor:
        return _from_bytes, plain
    return _from_bytes, (*plain, type(self), getattr(self, "__dict__", {}))


def __copy__(self: Tensor) -> Tensor:
    """Return another tensor over the same storage. A view.

    >>> import copy, strided
    >>> x = strided.zeros(2)
    >>> copy.copy(x).shares_storage(x)
    True
    """
    return _as_subclass(type(self), self.view(), getattr(self, "__dict__", {}))


def __deepcopy__(self: Tensor, memo: Any) -> Tensor:
    """Return a copy with its own storage.

    >>> import copy, strided
    >>> x = strided.zeros(2)
    >>> copy.deepcopy(x).shares_storage(x)
    False
    """
    attributes = deepcopy(getattr(self, "__dict__", {}), memo)
    return _as_subclass(type(self), self.clone(), attributes)


def cpu(self: Tensor) -> Tensor:
    """Return this tensor itself: it is on the CPU already.

    >>> import strided
    >>> strided.zeros(1).cpu().device
    'cpu'
    """
    return self


def to_device(self: Tensor, device: Any, /, *, stream: Any = None) -> Tensor:
    """Return this tensor itself on a device; only ``"cpu"`` exists.

    >>> import strided
    >>> strided.zeros(1).to_device("cpu").device
    'cpu'
    """
    return to(self, device=device)


METHODS: dict[str, Any] = {
    "to": to,
    "astype": astype,
    "type_as": type_as,
    "float": _to_dtype("float", _native.float32),
    "double": _to_dtype("double", _native.float64),
    "half": _to_dtype("half", _native.float16),
    "bfloat16": _to_dtype("bfloat16", _native.bfloat16),
    "int": _to_dtype("int", _native.int32),
    "long": _to_dtype("long", _native.int64),
    "bool": _to_dtype("bool", _native.bool),
    "numpy": numpy_,
    "__array__": __array__,
    "__dlpack__": __dlpack__,
    "__dlpack_device__": __dlpack_device__,
    "__reduce_ex__": __reduce_ex__,
    "__copy__": __copy__,
    "__deepcopy__": __deepcopy__,
    "cpu": cpu,
    "to_device": to_device,
}
