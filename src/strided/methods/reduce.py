"""What some reductions return, and those that pass over NaN; the others are native methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from strided._native import DType, Tensor
from strided.ops.elementwise import where

Dims = int | Sequence[int] | None
_NAN = float("nan")


class Extreme(NamedTuple):
    """What ``max(dim)`` and ``min(dim)`` return: the values and where they stand."""

    values: Tensor
    indices: Tensor


class Extremes(NamedTuple):
    """What ``aminmax()`` returns: the smallest and the largest elements."""

    min: Tensor
    max: Tensor


def nansum(
    self: Tensor, dim: Dims = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """Add up the elements that are numbers along the given axes, or all of them. A new tensor.

    >>> import strided
    >>> strided.tensor([1.0, strided.nan, 3.0]).nansum().item()
    4.0
    """
    return self._nansum(dim, keepdim, dtype)


def nanmean(
    self: Tensor, dim: Dims = None, keepdim: bool = False, *, dtype: DType | None = None
) -> Tensor:
    """Return the mean of the elements that are numbers; NaN where there are none. A new tensor.

    >>> import strided
    >>> strided.tensor([1.0, strided.nan, 3.0]).nanmean().item()
    2.0
    """
    if not self.dtype.is_floating_point:
        return self.mean(dim, keepdim, dtype=dtype)
    wanted = self.dtype if dtype is None else dtype
    # Half types would round the sum before it is divided.
    wide = None if self.itemsize > 2 else "float32"
    mean = self._nansum(dim, keepdim, wide) / self._count_numbers(dim, keepdim)
    return mean._convert(wanted, reason="promote")


def nanmin(self: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
    """Return the smallest number along axes, or of all; NaN where there is none. A new tensor.

    >>> import strided
    >>> strided.tensor([4.0, strided.nan, 3.0]).nanmin().item()
    3.0
    """
    return _numbers_or_nan(self, self._nanmin(dim, keepdim), dim, keepdim)


def nanmax(self: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
    """Return the largest number along axes, or of all; NaN where there is none. A new tensor.

    >>> import strided
    >>> strided.tensor([4.0, strided.nan, 3.0]).nanmax().item()
    4.0
    """
    return _numbers_or_nan(self, self._nanmax(dim, keepdim), dim, keepdim)


def _numbers_or_nan(x: Tensor, found: Tensor, dim: Dims, keepdim: bool) -> Tensor:
    # An infinite result is what is left where there was no number; or it was one.
    if not x.dtype.is_floating_point or found.isfinite().all():
        return found
    return where(x._count_numbers(dim, keepdim) == 0, _NAN, found)


METHODS: dict[str, Any] = {
    "nansum": nansum,
    "nanmean": nanmean,
    "nanmin": nanmin,
    "nanmax": nanmax,
}
