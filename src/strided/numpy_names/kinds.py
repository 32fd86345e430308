"""NumPy's other names of dtypes, and its kinds of dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from strided import _native
from strided._native import DType, Tensor

byte, ubyte = _native.int8, _native.uint8
ushort = _native.uint16
intc, uintc = _native.int32, _native.uint32
int_, uint = _native.int64, _native.uint64
intp, uintp = _native.int64, _native.uint64
ulong = _native.uint64
longlong, ulonglong = _native.int64, _native.uint64
single = _native.float32
csingle = _native.complex64
bool_ = _native.bool
True_, False_ = True, False
# What dtypes are asked about: issubdtype(x.dtype, floating).
generic, number = np.generic, np.number
integer, signedinteger, unsignedinteger = np.integer, np.signedinteger, np.unsignedinteger
inexact, floating, complexfloating = np.inexact, np.floating, np.complexfloating
ndarray = Tensor


def dtype(dtype: Any) -> DType:
    """Return the dtype that a name, a type of Python or a dtype of NumPy means. Nothing is copied.

    >>> import strided
    >>> strided.dtype("float32")
    strided.float32
    """
    return _native.as_dtype(dtype)
