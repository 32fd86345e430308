"""Protocols by which other libraries read a tensor: NumPy, DLPack, Arrow, dask, the array API.

Each gives a view of the same memory, or a copy that was asked for.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import InvalidArgument, UnsupportedOperation

if TYPE_CHECKING:
    import numpy

ARRAY_API = "2025.12"  # the revision of the standard that is implemented
REVISIONS = ("2021.12", "2022.12", "2023.12", "2024.12", ARRAY_API)  # each contains those before it


# ---- NumPy and Arrow ----


def numpy_(self: Tensor, *, force: bool = False) -> numpy.ndarray[Any, Any]:
    """Return a NumPy array over the same memory, strides kept. A view, never a copy.

    A tensor that requires a gradient is refused unless ``force`` is true: what NumPy writes is not
    recorded.

    >>> import strided
    >>> x = strided.zeros(2, 3)
    >>> x.T.numpy()[0, 1] = 5
    >>> x[1, 0].item()
    5.0
    """
    import numpy as np

    if force:
        self = self.detach()
    plain = self.dtype is not _native.bfloat16
    try:
        array = np.asarray(memoryview(self) if plain else memoryview(self.view(_native.uint16)))
    except ValueError as error:  # a huge axis beside an empty one
        raise UnsupportedOperation(
            operation="x.numpy()", reason=f"NumPy says: {error}", hint="index the huge axis first"
        ) from None
    except BufferError as error:  # an element that is repeated beyond all counting
        raise UnsupportedOperation(
            operation="x.numpy()", reason=str(error), hint="index or narrow the huge axis first"
        ) from None
    return array if plain else array.view(np.dtype(self.dtype.dtype))


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


def to_numpy(self: Tensor) -> numpy.ndarray[Any, Any]:
    """Return a NumPy array over the same memory, as ``numpy()``: the name data frames use. A view.

    >>> import strided
    >>> strided.arange(3).to_numpy().tolist()
    [0, 1, 2]
    """
    return numpy_(self)


def __array_interface__(self: Tensor) -> dict[str, Any]:
    """NumPy's description of the memory, for those that read it directly. A view.

    >>> import strided
    >>> strided.zeros(2, 3).T.__array_interface__["shape"]
    (3, 2)
    """
    if self.dtype.name == "bfloat16":
        # Its typestr would be that of two unknown bytes; without it readers go on to __array__.
        raise AttributeError("bfloat16 has no __array_interface__: use .numpy()")
    interface: dict[str, Any] = numpy_(self).__array_interface__
    return interface


def __array_priority__(self: Tensor) -> float:
    """Above that of NumPy's arrays: where both meet, tensors decide what becomes of them."""
    return 100.0


def __arrow_array__(self: Tensor, type: Any = None) -> Any:
    """Return an array of Apache Arrow, as ``pyarrow.array(x)`` asks: a view where it can be."""
    import pyarrow

    return pyarrow.array(numpy_(self), type=type)


def tobytes(self: Tensor) -> bytes:
    """Return the elements in row-major order as bytes. A copy.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]], dtype=strided.uint8).T.tobytes()
    b'\\x01\\x03\\x02\\x04'
    """
    _native.log_copy("export", self, self.dtype)
    raw = self if self.dtype is not _native.bfloat16 else self.view(_native.uint16)
    return bytes(memoryview(raw))


def __bytes__(self: Tensor) -> bytes:
    """Return ``tobytes()``. A copy; an integer of rank 0 would say how many zeros otherwise.

    >>> import strided
    >>> bytes(strided.tensor(3, dtype=strided.uint8))
    b'\\x03'
    """
    return tobytes(self)


# ---- DLPack ----


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
    if any(stride < 0 for stride in x.stride()) and _asked_by_torch():
        # PyTorch ends the process when it meets them, also where nobody steps along the axis.
        if runs_backwards(x):
            raise BufferError(
                f"PyTorch cannot hold negative strides, and these are {x.stride()}: "
                "use x.contiguous(), which copies, or numpy.from_dlpack(x), which does not"
            )
        x = x.as_strided(x.shape, tuple(map(abs, x.stride())), x.storage_offset())
    return _native._to_dlpack(x, versioned, bool(copy))


def runs_backwards(x: Tensor) -> bool:
    """Whether an axis that is stepped along has a negative stride."""
    steps = zip(x.shape, x.stride(), strict=True)
    return x.size > 0 and any(stride < 0 and length > 1 for length, stride in steps)


def _asked_by_torch() -> bool:
    caller = str(sys._getframe(2).f_globals.get("__name__"))
    return caller == "torch" or caller.startswith("torch.")


def __dlpack_device__(self: Tensor) -> tuple[int, int]:
    """Return DLPack's name for the CPU.

    >>> import strided
    >>> strided.zeros(1).__dlpack_device__()
    (1, 0)
    """
    return (1, 0)


# ---- dask and the array API ----


def __dask_tokenize__(self: Tensor) -> tuple[Any, ...]:
    """Return what names a tensor in a dask graph: equal tensors have one name. No copy is kept."""
    from strided.interop.dask import register, token

    register()
    return token(self)


def __array_namespace__(self: Tensor, /, *, api_version: str | None = None) -> ModuleType:
    """Return the namespace of the array API functions for this tensor: ``strided`` itself.

    >>> import strided
    >>> strided.zeros(1).__array_namespace__() is strided
    True
    """
    if api_version is not None and api_version not in REVISIONS:
        raise InvalidArgument(
            argument="api_version",
            got=repr(api_version),
            requirement=f"must be one of {', '.join(REVISIONS)}",
        )
    return sys.modules["strided"]


METHODS: dict[str, Any] = {
    "numpy": numpy_,
    "to_numpy": to_numpy,
    "__array__": __array__,
    "__array_interface__": property(__array_interface__),
    "__array_priority__": property(__array_priority__),
    "__arrow_array__": __arrow_array__,
    "tobytes": tobytes,
    "__bytes__": __bytes__,
    "__dlpack__": __dlpack__,
    "__dlpack_device__": __dlpack_device__,
    "__dask_tokenize__": __dask_tokenize__,
    "__array_namespace__": __array_namespace__,
}
