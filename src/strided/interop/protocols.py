"""Protocols by which other libraries read a tensor: methods of the native type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import Tensor
from strided.interop.exchange import numpy_
from strided.interop.numpy.array_function import __array_function__
from strided.interop.numpy.ufuncs import __array_ufunc__
from strided.interop.torch import to_torch

if TYPE_CHECKING:
    import numpy


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


def to_numpy(self: Tensor) -> numpy.ndarray[Any, Any]:
    """Return a NumPy array over the same memory, as ``numpy()``: the name data frames use. A view.

    >>> import strided
    >>> strided.arange(3).to_numpy().tolist()
    [0, 1, 2]
    """
    return numpy_(self)


def __arrow_array__(self: Tensor, type: Any = None) -> Any:
    """Return an array of Apache Arrow, as ``pyarrow.array(x)`` asks: a view where it can be."""
    import pyarrow

    return pyarrow.array(numpy_(self), type=type)


def __dask_tokenize__(self: Tensor) -> tuple[Any, ...]:
    """Return what names a tensor in a dask graph: equal tensors have one name. No copy is kept."""
    from strided.interop.dask import measures, registration

    registration.register()
    return measures.token(self)


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


METHODS: dict[str, Any] = {
    "__bytes__": __bytes__,
    "__array_ufunc__": __array_ufunc__,
    "__array_function__": __array_function__,
    "__arrow_array__": __arrow_array__,
    "__dask_tokenize__": __dask_tokenize__,
    "to_numpy": to_numpy,
    "tobytes": tobytes,
    "to_torch": to_torch,
    "__array_interface__": property(__array_interface__),
    "__array_priority__": property(__array_priority__),
}
