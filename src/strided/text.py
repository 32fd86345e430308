"""How tensors print: NumPy's formatting of the values, then shape and dtype."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor


def _printable(x: Tensor) -> Any:
    """Return a NumPy array to print; only the shown corner of a large bfloat16 tensor is converted."""
    return x.numpy() if x.dtype is not _native.bfloat16 else x.to(_native.float32).numpy()


def text_of(x: Tensor, is_repr: bool) -> str:
    """Return ``tensor([...])``, as ``repr`` with shape and dtype (the native type asks this)."""
    import numpy as np

    prefix = "tensor("
    values = np.array2string(
        _printable(x), separator=", ", prefix=prefix, suffix="," if is_repr else ")"
    )
    if not is_repr:
        return f"{prefix}{values})"
    facts = f"shape={x.shape}, dtype={x.dtype.name}"
    last_line = len(values) - values.rfind("\n") - 1
    gap = " " if last_line + len(facts) <= 75 else "\n" + " " * len(prefix)
    return f"{prefix}{values},{gap}{facts})"
