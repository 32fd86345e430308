"""Order statistics and moments: quantiles, modes, covariance, bins; running and trapezoid sums."""

from __future__ import annotations

from typing import Any, NamedTuple

from strided import _native
from strided._native import Tensor, grad_mode, zeros
from strided.errors import InvalidArgument, ShapeMismatch
from strided.ops.arguments import Axes, as_operand, into
from strided.ops.arrays import asarray
from strided.ops.creation import arange
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.joining import concat
from strided.ops.manipulation import normal_axis
from strided.ops.statistics import mean, std, var


class Moments(NamedTuple):
    """What ``var_mean`` and ``std_mean`` return: the variance or the deviation, then the mean.

    >>> import strided
    >>> strided.var_mean(strided.tensor([1.0, 3.0])).mean.item()
    2.0
    """

    variation: Tensor
    mean: Tensor


class Found(NamedTuple):
    """What ``mode`` and ``nanmedian`` return along an axis: values and their positions.

    >>> import strided
    >>> strided.mode(strided.tensor([1, 2, 2])).indices.item()
    2
    """

    values: Tensor
    indices: Tensor


# ---- moments ----


@operation(method=None)
def var_mean(
    x: Tensor,
    /,
    axis: Axes = None,
    *,
    correction: Any = 1,
    keepdims: bool = False,
) -> Moments:
    """Return the variance and the mean along axes. New tensors; divides by n - 1 unless said.

    >>> import strided
    >>> v, m = strided.var_mean(strided.tensor([1.0, 3.0]))
    >>> v.item(), m.item()
    (2.0, 2.0)
    """
    return Moments(
        var(x, axis=axis, correction=correction, keepdims=keepdims),
        mean(x, axis=axis, keepdims=keepdims),
    )


@operation(method=None)
def std_mean(
    x: Tensor,
    /,
    axis: Axes = None,
    *,
    correction: Any = 1,
    keepdims: bool = False,
) -> Moments:
    """Return the standard deviation and the mean along axes. New tensors; n - 1 unless said.

    >>> import strided
    >>> s, m = strided.std_mean(strided.tensor([1.0, 3.0]), correction=0)
    >>> s.item(), m.item()
    (1.0, 2.0)
    """
    return Moments(
        std(x, axis=axis, correction=correction, keepdims=keepdims),
        mean(x, axis=axis, keepdims=keepdims),
    )


def _variables(m: Any, rowvar: bool) -> Tensor:
    x = m if isinstance(m, Tensor) else asarray(m)
    if x.ndim > 2:
        raise ShapeMismatch(
            operation="cov", expected=(2,), got=(x.ndim,), hint="give a vector or a matrix"
        )
    if x.ndim < 2:
        return x.reshape(1, -1)
    return x if rowvar or x.shape[0] == 1 else x.T


@operation(also={"x": "m"}, numpy="cov: m y rowvar bias ddof=correction fweights aweights * dtype")
def cov(
    x: Tensor,
    /,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    correction: float | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Tensor:
    """Return the covariance matrix of variables in rows, or with ``rowvar=False`` in columns.

    A new tensor. Divided by n - 1 unless ``bias`` or ``correction`` say otherwise; ``fweights`` say
    how often each observation occurs, ``aweights`` how much it counts.

    >>> import strided
    >>> strided.cov(strided.tensor([[0.0, 2.0], [0.0, 4.0]])).tolist()
    [[2.0, 4.0], [4.0, 8.0]]
    """
    x = _variables(x, rowvar)
    if y is not None:
        x = concat([x, _variables(y, rowvar)], axis=0)
    x = x if dtype is None else x.to(dtype)
    less = (0 if bias else 1) if correction is None else correction
    count: Any = x.shape[1]
    w: Any = None
    if fweights is not None:
        w = as_operand(fweights)
        if w.dtype.kind not in "iu":
            raise InvalidArgument(
                argument="fweights", got=w.dtype.name, requirement="must be integers"
            )
        count = w.sum()
    weights = None if aweights is None else as_operand(aweights).to(x.dtype)
    if weights is not None:
        w = weights if w is None else w * weights
    if w is None:
        centred, factor = x - x.mean(axis=1, keepdims=True), count - less
    else:
        total = w.sum()
        centred = x - (x * w).sum(axis=1, keepdims=True) / total
        factor = total
        if less and weights is None:
            factor = total - less
        elif less:
            factor = total - less * (w * weights).sum() / total
    right = centred if w is None else centred * w
    # Too few observations divide by zero, as NumPy does.
    return ((centred @ right.T.conj()) / as_operand(factor).clip(0)).squeeze()


@operation(numpy="corrcoef: x y rowvar * dtype")
def corrcoef(x: Tensor, /, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Tensor:
    """Return the correlation coefficients of variables in rows. A new tensor.

    >>> import strided
    >>> strided.corrcoef(strided.tensor([[0.0, 2.0], [0.0, 4.0]])).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    found = cov(x, y, rowvar, dtype=dtype)
    if found.ndim == 0:
        return found / found
    size = found.diagonal().real.sqrt()
    found = found / size.unsqueeze(1) / size.unsqueeze(0)
    return found if found.dtype.is_complex else found.clip(-1, 1)


# ---- order statistics ----


def _in_line(x: Tensor, axis: int | None) -> tuple[Tensor, int]:
    """Return the tensor with the axis last, and where that axis was."""
    if axis is None:
        return x.reshape(-1), 0
    place = normal_axis(axis, max(1, x.ndim))
    return (x.movedim(place, -1) if x.ndim else x.reshape(1)), place


@operation(name="lower nanmedian", function=None, method="nanmedian")
def _lower_nanmedian(x: Tensor, /, axis: int | None = None, keepdims: bool = False) -> Any:
    """Return the lower median of what is not NaN: a value, with an axis values and positions.

    New tensors.

    >>> import strided
    >>> strided.tensor([3.0, float("nan"), 1.0]).nanmedian().item()
    1.0
    """
    line, place = _in_line(x, axis)
    order = line.detach().argsort(-1)
    count: Any = line.shape[-1]
    if x.dtype.kind == "f":
        count = line.detach().isnan().logical_not().count_nonzero(-1).unsqueeze(-1)
    at: Any = (count - 1) // 2 if isinstance(count, int) else ((count - 1) // 2).clamp(min=0)
    if isinstance(at, int):
        at = zeros((*line.shape[:-1], 1), dtype=_native.int64).fill_(at)
    position = order.take_along_dim(at, -1)
    values = line.take_along_dim(position, -1)
    if axis is None:
        return values.reshape(())
    values, position = (one.movedim(-1, place) if x.ndim else one for one in (values, position))
    if not keepdims or not x.ndim:
        values, position = values.squeeze(place), position.squeeze(place)
    return Found(values, position)


@operation()
def mode(x: Tensor, /, axis: int = -1, keepdims: bool = False) -> Found:
    """Return the most frequent values along an axis, the least of equals, and positions.

    New tensors.

    >>> import strided
    >>> strided.mode(strided.tensor([3, 1, 3, 1])).values.item()
    1
    """
    line, place = _in_line(x, axis)
    ordered = line.detach().sort(-1)
    count = line.shape[-1]
    values, order = ordered.values, ordered.indices
    begins = values.narrow(-1, 1, max(0, count - 1)) != values.narrow(-1, 0, max(0, count - 1))
    at = arange(count).expand(values.shape)
    # Where the run of equals that each element stands in begins.
    first = zeros(values.shape, dtype=_native.int64)
    first.narrow(-1, 1, max(0, count - 1)).copy_(where(begins, at.narrow(-1, 1, count - 1), 0))
    lengths = at - first.cummax(-1).values
    last = lengths.argmax(-1, keepdim=True)
    position = order.take_along_dim(last, -1)
    found = line.take_along_dim(position, -1)
    if x.ndim == 0:
        return Found(found.reshape(()), position.reshape(()))
    found, position = found.movedim(-1, place), position.movedim(-1, place)
    if not keepdims:
        found, position = found.squeeze(place), position.squeeze(place)
    return Found(found, position)


# ---- bins ----


@operation()
def histc(
    x: Tensor, /, bins: int = 100, min: float = 0, max: float = 0, *, out: Tensor | None = None
) -> Tensor:
    """Return how many elements fall into equal bins from ``min`` to ``max``. A new tensor.

    Both zero: from the least to the largest element. The counts have the tensor's dtype.

    >>> import strided
    >>> strided.histc(strided.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3).tolist()
    [0.0, 2.0, 1.0, 0.0]
    """
    from strided.ops.searching import bincount

    values = x.detach().reshape(-1)
    if values.dtype.kind not in "f":
        values = values.double()
    low, high = float(min), float(max)
    if low == high and values.numel():
        low, high = float(values.amin()), float(values.amax())
    if low == high:
        low, high = low - 1, high + 1
    if not low < high or bins < 1:
        raise InvalidArgument(
            argument="max" if bins >= 1 else "bins",
            got=str(max if bins >= 1 else bins),
            requirement="must be above min" if bins >= 1 else "must be positive",
        )
    values = values[(values >= low) & (values <= high)]
    places = ((values - low) * (bins / (high - low))).long().clamp(max=bins - 1)
    return into(out, bincount(places, minlength=bins).to(x.dtype), "histc")


# ---- running and trapezoid sums ----


def _logcumsumexp_gradient(call: Call, x: Tensor, axis: int, out: None) -> Backward:
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, y = saved()
        if not x.ndim:
            return (g,)
        if grad_mode():  # in the plain way, of which there are derivatives
            return ((g * (-y).exp()).flip(axis).cumsum(axis).flip(axis) * x.exp(),)
        # The sum of g exp(x - y) from here on, its two signs apart, without overflow.
        parts = []
        for sign in (1, -1):
            size = where(g * sign > 0, (g * sign).clamp(min=1e-300).log(), -float("inf"))
            back = logcumsumexp((size - y).flip(axis), axis).flip(axis)
            parts.append((back + x).exp())
        return (parts[0] - parts[1],)

    return backward


@operation(gradient=_logcumsumexp_gradient)
def logcumsumexp(x: Tensor, /, axis: int, *, out: Tensor | None = None) -> Tensor:
    """Return running log(sum(exp(x))) along an axis, without overflow. A new tensor, or ``out``.

    >>> import strided
    >>> f"{strided.logcumsumexp(strided.tensor([1000.0, 1000.0]), 0)[1].item():.3f}"
    '1000.693'
    """
    if not x.ndim:
        normal_axis(axis, 1)
        return into(out, x.clone(), "logcumsumexp")
    # Doubling: after step s an element has the sum of the 2 * s elements up to it.
    line = (x if x.dtype.kind == "f" else x.float()).movedim(axis, -1).clone()
    count, step = line.shape[-1], 1
    while step < count:
        later = line.narrow(-1, step, count - step)
        line.narrow(-1, step, count - step).copy_(later.logaddexp(line.narrow(-1, 0, count - step)))
        step *= 2
    return into(out, line.movedim(-1, axis), "logcumsumexp")


def _pairs(y: Tensor, x: Any, dx: float, axis: int) -> Tensor:
    count = y.shape[normal_axis(axis, y.ndim)]
    first, second = y.narrow(axis, 0, max(0, count - 1)), y.narrow(axis, 1, max(0, count - 1))
    if x is None:
        return (first + second) * (dx / 2)
    gaps = x.diff(dim=-1 if x.ndim == 1 else axis)
    if gaps.ndim == 1 and y.ndim > 1:
        gaps = gaps.view([-1 if a == axis % y.ndim else 1 for a in range(y.ndim)])
    made: Tensor = (first + second) * gaps / 2
    return made


@operation(method=None, operands=2, aliases=("trapz",))
def trapezoid(y: Tensor, x: Tensor | None = None, /, *, dx: float = 1.0, axis: int = -1) -> Tensor:
    """Return the integral along an axis by the trapezoid rule. A new tensor.

    >>> import strided
    >>> strided.trapezoid(strided.tensor([1.0, 2.0, 3.0])).item()
    4.0
    """
    return _pairs(y, x, dx, axis).sum(axis)


@operation(method=None, operands=2)
def cumulative_trapezoid(
    y: Tensor, x: Tensor | None = None, /, *, dx: float = 1.0, axis: int = -1
) -> Tensor:
    """Return running integrals along an axis by the trapezoid rule. A new tensor.

    >>> import strided
    >>> strided.cumulative_trapezoid(strided.tensor([1.0, 2.0, 3.0])).tolist()
    [1.5, 4.0]
    """
    return _pairs(y, x, dx, axis).cumsum(axis)
