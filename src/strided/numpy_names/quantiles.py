"""Quantiles along axes, with gradients: the elements are sorted and neighbours weighed."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.numpy_names.calls import in_floats, numpys
from strided.ops.arguments import Axes, as_integers, as_operand, into, reduced_axes
from strided.ops.arrays import asarray
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.sorting import sort

# By what is between two neighbours; NumPy's other methods run as NumPy's.
_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def _rows(x: Tensor, axis: Axes) -> tuple[Tensor, tuple[int, ...]]:
    """Return the tensor with the axes that are reduced as one last axis, and these axes."""
    axes = tuple(range(x.ndim)) if axis is None else as_integers(axis)
    axes = reduced_axes(x, tuple(_native.normal_axis(one, x.ndim) for one in axes))
    kept = [one for one in range(x.ndim) if one not in axes]
    moved = x.permute((*kept, *axes))
    return moved.reshape((*(x.shape[one] for one in kept), -1)), axes


def in_double(q: Any) -> Tensor:
    """Return shares in double precision: in float32, 0.3 is another one."""
    import numpy as np

    given = q if isinstance(q, Tensor) else asarray(np.asarray(q, dtype=np.float64))
    return given._convert(_native.float64, reason="promote").detach()


def quantile_of(
    name: str,
    x: Tensor,
    q: Any,
    axis: Axes,
    method: str,
    keepdims: bool,
    out: Any,
    weights: Any,
    skips_nan: bool,
) -> Tensor:
    x = in_floats(x)
    places = in_double(q)
    if places.ndim > 1:
        raise InvalidArgument(
            argument="q", got=f"rank {places.ndim}", requirement="must be a number or a vector"
        )
    if bool(((places < 0) | (places > 1)).any()) or bool((places != places).any()):
        raise InvalidArgument(
            argument="q", got=str(q), requirement="must lie in 0 to 1 (0 to 100 for percentiles)"
        )
    if weights is not None or method not in _METHODS or x.dtype.is_complex:
        options: dict[str, Any] = {} if weights is None else {"weights": as_operand(weights)}
        made: Tensor = numpys(
            name, x, places.numpy(), axis, method=method, keepdims=keepdims, **options
        )
        return into(out, made._convert(x.dtype, reason="promote"), name)
    rows, axes = _rows(x, axis)
    ordered = sort(rows, axis=-1)
    length = ordered.shape[-1]
    if not length:
        raise InvalidArgument(argument="axis", got=str(axis), requirement="must have elements")
    numbers = (ordered == ordered).detach().count_nonzero(-1).unsqueeze(-1)
    # NaN is last: of the numbers, the place of each quantile, and its neighbours.
    last = (numbers - 1).clip(0)._convert(_native.float64, reason="promote")
    at = places.reshape(-1) * last
    low, high = at.floor(), at.ceil()
    if method == "nearest":
        low = high = at.round()
    first = ordered.take_along_dim(low.to(_native.int64), -1)
    found = first
    if method == "higher":
        found = ordered.take_along_dim(high.to(_native.int64), -1)
    elif method in ("linear", "midpoint"):
        second = ordered.take_along_dim(high.to(_native.int64), -1)
        share = (at - low) if method == "linear" else 0.5 * (high != low).to(_native.float64)
        share = share.to(x.dtype)
        # Between infinities there is nothing to weigh.
        found = where(first == second, first, first + (second - first) * share)
    if skips_nan:
        found = where(numbers == 0, float("nan"), found)
    else:
        found = where(numbers < length, float("nan"), found)
    found = found.movedim(-1, 0)
    if keepdims:
        for one in axes:
            found = found.unsqueeze(one + 1)
    found = found if places.ndim else found.squeeze(0)
    return into(out, found, name)


@operation(
    operands=1,
    numpy="quantile: a q axis out overwrite_input method=interpolation keepdims * weights",
)
def quantile(
    x: Tensor,
    /,
    q: Any,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    interpolation: str = "linear",
    method: str | None = None,
    overwrite_input: bool = False,
    weights: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the values below which the shares q of the elements lie. A new tensor, or ``out``.

    >>> import strided
    >>> strided.quantile(strided.tensor([0.0, 1.0, 2.0]), 0.25).item()
    0.5
    """
    way = method or interpolation
    return quantile_of("quantile", x, q, axis, way, keepdims, out, weights, False)


@operation(
    operands=1,
    numpy="nanquantile: a q axis out overwrite_input method=interpolation keepdims * weights",
)
def nanquantile(
    x: Tensor,
    /,
    q: Any,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    interpolation: str = "linear",
    method: str | None = None,
    overwrite_input: bool = False,
    weights: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return quantiles of the elements that are not NaN. A new tensor, or ``out``.

    >>> import strided
    >>> strided.nanquantile(strided.tensor([0.0, strided.nan, 2.0]), 0.5).item()
    1.0
    """
    way = method or interpolation
    return quantile_of("nanquantile", x, q, axis, way, keepdims, out, weights, True)


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
