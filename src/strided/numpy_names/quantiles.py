"""Percentiles, and the median of what is not NaN. Gradients pass them."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.ops.arguments import Axes, as_operand
from strided.ops.distributions import in_double, quantile_of


def percentile(
    a: Any,
    q: Any,
    axis: Axes = None,
    out: Tensor | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Tensor:
    """Return the percentiles of elements along axes, or of all: 50 is the median. A new tensor.

    >>> import strided
    >>> strided.percentile(strided.arange(5), 75).item()
    3.0
    """
    share = in_double(q) / 100
    return quantile_of("quantile", a, share, axis, method, keepdims, out, weights, False)


def nanpercentile(
    a: Any,
    q: Any,
    axis: Axes = None,
    out: Tensor | None = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Tensor:
    """Return the percentiles of those elements that are numbers. A new tensor.

    >>> import strided
    >>> strided.nanpercentile(strided.tensor([1.0, strided.nan, 3.0]), 50).item()
    2.0
    """
    share = in_double(q) / 100
    return quantile_of("nanquantile", a, share, axis, method, keepdims, out, weights, True)


def nanmedian(
    a: Any,
    axis: Axes = None,
    out: Tensor | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
    *,
    dim: int | None = None,
    keepdim: bool = False,
) -> Any:
    """Return the median of those elements that are numbers, as NumPy has it. A new tensor.

    With ``dim`` it is PyTorch's: the lower of two, and where it stands.

    >>> import strided
    >>> strided.nanmedian(strided.tensor([1.0, strided.nan, 3.0])).item()
    2.0
    """
    if dim is not None:
        return as_operand(a).nanmedian(dim, keepdim)
    return quantile_of("nanquantile", a, 0.5, axis, "linear", keepdims, out, None, True)
