"""Rows brought to one size."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor


def rms_norm(
    x: Tensor,
    weight: Tensor | None = None,
    eps: float = 1e-6,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return ``x / sqrt(mean(x**2) + eps) * weight`` over the last axis. A new tensor, or ``out``.

    >>> import strided
    >>> strided.nn.rms_norm(strided.tensor([3.0, 3.0]), strided.tensor([1.0, 2.0]), 0.0).tolist()
    [1.0, 2.0]
    """
    return _native.rms_norm(x, weight, eps, out, dtype)
