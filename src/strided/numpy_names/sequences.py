"""Samples in a row: convolution, derivatives, integrals, interpolation, windows."""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor, any_tracked
from strided.errors import InvalidArgument, ShapeMismatch
from strided.numpy_names.calls import common_dtype, in_floats, numpys, with_dtype
from strided.ops.arguments import Axes, as_integers, as_operand
from strided.ops.elementwise import where
from strided.ops.joining import concat
from strided.ops.manipulation import normal_axis
from strided.ops.searching import searchsorted

# ---- convolution ----


def _vectors(a: Any, v: Any, name: str) -> tuple[Tensor, Tensor]:
    x, y = as_operand(a), as_operand(v)
    x, y = (one if one.ndim else one.reshape(1) for one in (x, y))
    for one in (x, y):
        if one.ndim != 1 or not one.size:
            raise ShapeMismatch(
                operation=name, expected=(1,), got=one.shape, hint="give vectors with elements"
            )
    dtype = common_dtype(x, y)
    return with_dtype(x, dtype), with_dtype(y, dtype)


def convolve(a: Any, v: Any, mode: str = "full") -> Tensor:
    """Return the convolution of two vectors. A new tensor.

    ``mode`` is "full", "same" (as long as the longer one) or "valid" (where both overlap whole).

    >>> import strided
    >>> strided.convolve(strided.tensor([1, 2, 3]), strided.tensor([0, 1])).tolist()
    [0, 1, 2, 3]
    """
    x, y = _vectors(a, v, "convolve")
    if y.size > x.size:
        x, y = y, x
    if any_tracked((x, y)):
        return _slid(x, y.flip(0), mode)
    made: Tensor = numpys("convolve", x, y, mode)
    return made


def correlate(a: Any, v: Any, mode: str = "valid") -> Tensor:
    """Return the cross-correlation of two vectors. A new tensor.

    >>> import strided
    >>> strided.correlate(strided.tensor([1, 2, 3]), strided.tensor([0, 1])).tolist()
    [2, 3]
    """
    x, y = _vectors(a, v, "correlate")
    if any_tracked((x, y)):
        y = y.conj() if y.dtype.is_complex else y
        # The shorter one is slid along the longer one; the result is reversed then.
        return _slid(y, x, mode).flip(0) if y.size > x.size else _slid(x, y, mode)
    made: Tensor = numpys("correlate", x, y, mode)
    return made


def _slid(x: Tensor, y: Tensor, mode: str) -> Tensor:
    """Return the products of y with every window of x: sums that pass gradients."""
    n, m = x.size, y.size
    if mode not in ("full", "same", "valid"):
        raise InvalidArgument(
            argument="mode", got=repr(mode), requirement='must be "full", "same" or "valid"'
        )
    zeros = _native.zeros((m - 1,), dtype=x.dtype)
    whole = concat([zeros, x, zeros], axis=0).unfold(0, m, 1) @ y
    if mode == "full":
        return whole
    if mode == "same":
        return whole.narrow(0, (m - 1) // 2, n)
    return whole.narrow(0, m - 1, n - m + 1)


# ---- derivatives and integrals ----


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Tensor:
    """Return the differences of neighbours of the flattened tensor. A new tensor.

    >>> import strided
    >>> strided.ediff1d(strided.tensor([1, 2, 4]), to_end=9).tolist()
    [1, 2, 9]
    """
    x = as_operand(ary).reshape(-1)
    parts = [x[1:] - x[:-1]]
    if to_begin is not None:
        parts.insert(0, as_operand(to_begin).reshape(-1)._convert(x.dtype, reason="promote"))
    if to_end is not None:
        parts.append(as_operand(to_end).reshape(-1)._convert(x.dtype, reason="promote"))
    return concat(parts, axis=0) if len(parts) > 1 else parts[0]


def gradient(f: Any, *varargs: Any, axis: Axes = None, edge_order: int = 1) -> Any:
    """Return the derivative along each axis, by differences of second order. New tensors.

    ``varargs`` are the distances of samples: one for all axes, or for each axis a number or the
    coordinates. One axis gives a tensor, several a tuple of them.

    >>> import strided
    >>> strided.gradient(strided.tensor([1.0, 4.0, 9.0])).tolist()
    [3.0, 4.0, 5.0]
    """
    x = in_floats(f)
    axes = tuple(range(x.ndim)) if axis is None else as_integers(axis)
    axes = tuple(normal_axis(one, x.ndim) for one in axes)
    given = varargs or (1.0,)
    given = given * len(axes) if len(given) == 1 else given
    if len(given) != len(axes):
        raise TypeError(f"gradient() takes a distance for each of {len(axes)} axes, or one for all")
    if edge_order not in (1, 2):
        raise InvalidArgument(
            argument="edge_order", got=str(edge_order), requirement="must be 1 or 2"
        )
    found = []
    for one, distance in zip(axes, given, strict=True):
        if x.shape[one] < edge_order + 1:
            raise ShapeMismatch(
                operation="gradient",
                expected=(edge_order + 1,),
                got=(x.shape[one],),
                hint="the axis needs at least edge_order + 1 elements",
            )
        found.append(_derivative(x.movedim(one, -1), distance, edge_order).movedim(-1, one))
    return found[0] if len(found) == 1 else tuple(found)


def _derivative(x: Tensor, distance: Any, edge_order: int) -> Tensor:
    """Return the derivative along the last axis."""
    n = x.shape[-1]
    before: Any
    first: Any
    last: Any
    h: Any = in_floats(distance) if not isinstance(distance, (int, float)) else distance
    if isinstance(h, Tensor) and h.ndim:
        if h.shape != (n,):
            raise ShapeMismatch(
                operation="gradient", expected=(n,), got=h.shape, hint="one coordinate per element"
            )
        steps = h[1:] - h[:-1]
        before, after = steps[:-1], steps[1:]
        first, last = (
            (steps[0], steps[1] if n > 2 else None),
            (steps[-1], steps[-2] if n > 2 else None),
        )
    else:
        before = after = h
        first = last = (h, h)
    middle = (
        x[..., 2:] * (before / (after * (before + after)))
        + x[..., 1:-1] * ((after - before) / (before * after))
        - x[..., :-2] * (after / (before * (before + after)))
    )
    (d1, d2), (e1, e2) = first, last
    if edge_order == 1:
        begin = (x[..., 1] - x[..., 0]) / d1
        end = (x[..., -1] - x[..., -2]) / e1
    else:
        begin = _edge(x[..., 0], x[..., 1], x[..., 2], d1, d2)
        end = -_edge(x[..., -1], x[..., -2], x[..., -3], e1, e2)
    return concat([begin.unsqueeze(-1), middle, end.unsqueeze(-1)], axis=-1)


def _edge(a: Tensor, b: Tensor, c: Tensor, d1: Any, d2: Any) -> Tensor:
    both = d1 + d2
    made: Tensor = (
        -a * ((2 * d1 + d2) / (d1 * both)) + b * (both / (d1 * d2)) - c * (d1 / (d2 * both))
    )
    return made


# ---- interpolation ----


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: float | None = None
) -> Tensor:
    """Return a piecewise linear function of points (xp, fp) at other places. A new tensor.

    ``xp`` ascends. Outside it the function is ``left`` and ``right``, by default the end values;
    with ``period`` it repeats.

    >>> import strided
    >>> strided.interp(strided.tensor([0.5, 2.5]), [0, 1, 2], [0.0, 10.0, 20.0]).tolist()
    [5.0, 20.0]
    """
    at, places, values = in_floats(x), in_floats(xp), in_floats(fp)
    if places.ndim != 1 or places.shape != values.shape or not places.size:
        raise ShapeMismatch(
            operation="interp",
            expected=places.shape,
            got=values.shape,
            hint="xp and fp are vectors of one length",
        )
    at, places = (with_dtype(one, common_dtype(at, places)) for one in (at, places))
    if period is not None:
        if not period:
            raise InvalidArgument(argument="period", got="0", requirement="must not be zero")
        period, left, right = abs(period), None, None
        at, places = at % period, places % period
        order = places.argsort()
        places, values = places.index_select(0, order), values.index_select(0, order)
        places = concat([places[-1:] - period, places, places[:1] + period], axis=0)
        values = concat([values[-1:], values, values[:1]], axis=0)
    left = values[0] if left is None else left
    right = values[-1] if right is None else right
    if places.size == 1:
        inside = values[0]
        return where(at < places[0], left, where(at > places[0], right, inside))
    flat = at.reshape(-1)
    low = (searchsorted(places, flat.detach(), "right") - 1).clip(0, places.size - 2)
    x0, x1 = places.index_select(0, low), places.index_select(0, low + 1)
    y0, y1 = values.index_select(0, low), values.index_select(0, low + 1)
    width = x1 - x0
    share = (flat - x0) / where(width == 0, 1, width)
    found = (y0 + (y1 - y0) * share).reshape(at.shape)
    found = where(at == places[-1], values[-1], found)
    return where(at < places[0], left, where(at > places[-1], right, found))


def unwrap(
    p: Any, discont: float | None = None, axis: int = -1, *, period: float = 2 * math.pi
) -> Tensor:
    """Return angles whose jumps of more than half a period are taken out. A new tensor.

    >>> import strided
    >>> strided.unwrap(strided.tensor([0, 3, 2]), period=4).tolist()
    [0, -1, -2]
    """
    x = as_operand(p)
    axis = normal_axis(axis, x.ndim)
    length = x.shape[axis]
    d = x.narrow(axis, 1, length - 1) - x.narrow(axis, 0, length - 1)
    discont = period / 2 if discont is None else discont
    if x.dtype.kind in "iu" and isinstance(period, int):
        high, is_even = divmod(period, 2)[0], period % 2 == 0
    else:
        x, d = in_floats(x), in_floats(d)
        high, is_even = period / 2, True  # type: ignore[assignment]
    low = -high if is_even or x.dtype.kind == "f" else -high - (period % 2)
    moved = (d - low) % period + low
    if is_even:
        moved = where((moved == low) & (d > 0), high, moved)
    correction = where(d.abs() < discont, 0, moved - d)
    rest = x.narrow(axis, 1, length - 1) + correction.cumsum(axis)
    return concat([x.narrow(axis, 0, 1), rest], axis=axis)


# ---- windows ----


def _window(name: str, M: int, *parameters: float) -> Tensor:
    return with_dtype(numpys(name, M, *parameters), _native.float32)


def bartlett(M: int) -> Tensor:
    """Return the triangular window of so many points. A new tensor.

    >>> import strided
    >>> strided.bartlett(3).tolist()
    [0.0, 1.0, 0.0]
    """
    return _window("bartlett", M)


def blackman(M: int) -> Tensor:
    """Return the Blackman window of so many points. A new tensor.

    >>> import strided
    >>> strided.blackman(3)[1].item()
    1.0
    """
    return _window("blackman", M)


def hamming(M: int) -> Tensor:
    """Return the Hamming window of so many points. A new tensor.

    >>> import strided
    >>> strided.hamming(3)[1].item()
    1.0
    """
    return _window("hamming", M)


def hanning(M: int) -> Tensor:
    """Return the Hann window of so many points. A new tensor.

    >>> import strided
    >>> strided.hanning(3).tolist()
    [0.0, 1.0, 0.0]
    """
    return _window("hanning", M)


def kaiser(M: int, beta: float) -> Tensor:
    """Return the Kaiser window of so many points. A new tensor.

    >>> import strided
    >>> strided.kaiser(3, 0.0).tolist()
    [1.0, 1.0, 1.0]
    """
    return _window("kaiser", M, beta)
