"""Printing of tensors: NumPy's formatting of the values, then shape and dtype."""

from __future__ import annotations

import struct
import sys
from typing import Any

from strided import _native
from strided._native import Tensor

_SUMMARISED = 1 << 12  # elements of which NumPy shows the first and the last few


def _bfloat16_text(bits: Any) -> str:
    """Format one bfloat16 by its bits: they are the upper half of a float32."""
    value: float = struct.unpack("<f", struct.pack("<I", int(bits) << 16))[0]
    return f"{value:.4g}"


def _values(x: Tensor, **layout: Any) -> str:
    import numpy as np

    # NumPy's answer too, but it refuses arrays with a huge axis beside an empty one.
    if 0 in x.shape:
        return "[]"
    # So many elements can only be repeated ones, and of those some look like all.
    for axis in range(x.ndim):
        if x.numel() * x.dtype.itemsize > sys.maxsize and x.strides[axis] == 0:
            x = x.narrow(axis, 0, min(x.shape[axis], _SUMMARISED))
    if x.numel() * x.dtype.itemsize > sys.maxsize:  # of windows over windows
        return "[...]"
    if x.dtype is _native.bfloat16:
        # NumPy cannot print it; only the elements that are shown are converted.
        bits = x.view(_native.uint16).numpy()
        return np.array2string(bits, formatter={"int_kind": _bfloat16_text}, **layout)
    return np.array2string(x.numpy(), **layout)


def text_of(x: Tensor, is_repr: bool) -> str:
    """Return ``tensor([...])``, as ``repr`` with shape and dtype (the native type asks this)."""
    # What is printed of the graph; a plain tensor has no word about it.
    graph = ""
    if x._track is not None and x.requires_grad:
        graph = f", grad_fn={x.grad_fn}" if x.grad_fn is not None else ", requires_grad=True"
        x = x.detach()
    prefix = "tensor("
    values = _values(x, separator=", ", prefix=prefix, suffix="," if is_repr else ")")
    if not is_repr:
        return f"{prefix}{values})"
    facts = f"shape={x.shape}, dtype={x.dtype.name}{graph}"
    last_line = len(values) - values.rfind("\n") - 1
    gap = " " if last_line + len(facts) <= 75 else "\n" + " " * len(prefix)
    return f"{prefix}{values},{gap}{facts})"
