"""How functions of NumPy run here: on tensors, and by NumPy over the memory of tensors."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.interop.numpy_ufuncs import by_numpy
from strided.ops.arguments import as_operand


def numpys(name: str, *args: Any, written: tuple[Any, ...] = (), **options: Any) -> Any:
    """Return what NumPy's function of a name gives; tensors are lent to it, not copied."""
    import numpy as np

    function: Any = np
    for part in name.split("."):
        function = getattr(function, part)
    return by_numpy(function, args, options, written)


def tensors(values: Any) -> list[Tensor]:
    """Return a tensor of each item of a sequence; the rows of a tensor are views."""
    return list(values.unbind(0)) if isinstance(values, Tensor) else [as_operand(v) for v in values]


def with_dtype(x: Tensor, dtype: Any) -> Tensor:
    """Return a tensor in a dtype, itself when it has that already."""
    return x if dtype is None else x._convert(dtype, reason="promote")


def in_floats(x: Any) -> Tensor:
    """Return a tensor of floats or complex numbers: integers and bool take float32."""
    made: Tensor = as_operand(x)
    return made if made.dtype.kind in "fc" else made._convert(_native.float32, reason="promote")


def common_dtype(*parts: Tensor) -> DType:
    """Return the dtype that all of them promote to."""
    dtype = parts[0].dtype
    for part in parts[1:]:
        dtype = _native.promote_types(dtype, part.dtype)
    return dtype
