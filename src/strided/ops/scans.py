"""Products along axes; running sums, products and extremes; differences of neighbours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import Tensor, grad_mode
from strided.errors import InvalidArgument
from strided.ops.arguments import Axes, as_operand, count_along, reduced_axes, with_axes
from strided.ops.define import DTypeLike, operation
from strided.ops.elementwise import where
from strided.ops.extremes import each_at_its_position
from strided.ops.fused import in_one_pass
from strided.ops.gradients import Backward, Call, Gradients, conj
from strided.ops.joining import joined
from strided.ops.sorting import Ordered, Pair

# ---- products ----


def _prod_gradient(
    call: Call, x: Tensor, axis: Axes, keepdims: bool, dtype: DTypeLike, out: None
) -> Backward:
    axes = reduced_axes(x, axis)
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, y = saved()
        g = with_axes(g, axes, keepdims)
        if bool((x == 0).any()):
            return (g * conj(_products_of_others(x, axes)),)
        share = g * conj(with_axes(y, axes, keepdims))
        return (in_one_pass(lambda share, x: share / conj(x), share, x),)

    return backward


def _products_of_others(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """Return for each element the product of all others along the axes."""
    if not axes:
        return x * 0 + 1
    others = [axis for axis in range(x.ndim) if axis not in axes]
    order = [*others, *axes]
    lines = x.permute(order)
    line = lines.reshape(*lines.shape[: len(others)], count_along(x, axes))
    made = _product_before(line) * _product_before(line.flip(-1)).flip(-1)
    return made.reshape(lines.shape).permute([order.index(axis) for axis in range(x.ndim)])


def _product_before(line: Tensor) -> Tensor:
    """Return the product of the elements in front of each one, along the last axis."""
    made = _native.empty(line.shape, dtype=line.dtype).fill_(1)
    made.narrow(-1, 1, line.shape[-1] - 1).copy_(line.narrow(-1, 0, line.shape[-1] - 1).cumprod(-1))
    return made


@operation(gradient=_prod_gradient, numpy="prod: a axis dtype out keepdims", fuse="prod")
def prod(
    x: Tensor,
    /,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Multiply elements along axes, or all of them; small integers in int64. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]]).prod(1).tolist()
    [2, 12]
    """
    ...


# ---- running sums and products ----


def _cumsum_gradient(
    call: Call, x: Tensor, axis: int | None, dtype: DTypeLike, out: None
) -> Backward:
    shape = x.shape

    def backward(g: Tensor) -> Gradients:
        if g.ndim == 0:
            return (g,)
        return (_sums_from_here(g, 0 if axis is None else axis).reshape(shape),)

    return backward


def _sums_from_here(g: Tensor, dim: int) -> Tensor:
    return g.flip(dim).cumsum(dim).flip(dim)


@operation(gradient=_cumsum_gradient, numpy="cumsum: a axis dtype out")
def cumsum(
    x: Tensor,
    /,
    axis: int | None = None,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return running sums along an axis (flattened when none is given). A new tensor.

    >>> import strided
    >>> strided.tensor([1, 2, 3]).cumsum(0).tolist()
    [1, 3, 6]
    """
    ...


def _cumprod_gradient(
    call: Call, x: Tensor, axis: int | None, dtype: DTypeLike, out: None
) -> Backward:
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, y = saved()
        if g.ndim == 0:
            return (g,)
        line, along = (x.reshape(-1), 0) if axis is None else (x, axis)
        if not bool((x == 0).any()):
            made = _sums_from_here(g * conj(y), along) / conj(line)
        elif grad_mode():
            made = _cumprod_by_element(g, line, _native.normal_axis(along, line.ndim))
        else:
            made = _cumprod_with_zeros(g, line, y, along)
        return (made.reshape(x.shape),)

    return backward


def _cumprod_with_zeros(g: Tensor, x: Tensor, y: Tensor, dim: int) -> Tensor:
    """Return the gradient where lines hold zeros; linear in the length of a line.

    In front of the first zero of a line the products before it count. At that zero the products
    from there on do, without it. Behind it every product is zero whatever an element is.
    """
    zero = x == 0
    count = zero.cumsum(dim)
    first = zero & (count == 1)
    before = _sums_from_here(where(count == 0, g * conj(y), 0), dim) / conj(where(zero, 1, x))
    without = where(first, 1, x).cumprod(dim)
    at = _sums_from_here(where(count > 0, g * conj(without), 0), dim)
    return where(count == 0, before, where(first, at, 0))


def _cumprod_by_element(g: Tensor, x: Tensor, dim: int) -> Tensor:
    """Return the same, element by element: this one can be differentiated at zeros."""
    length = x.shape[dim]
    made = _native.empty(g.shape, dtype=g.dtype).fill_(0)
    ahead: Tensor | None = None  # the product of the elements in front
    for k in range(length):
        behind = x.narrow(dim, k + 1, length - k - 1).cumprod(dim)
        total = (g.narrow(dim, k + 1, length - k - 1) * conj(behind)).sum(dim, keepdim=True)
        total = total + g.narrow(dim, k, 1)
        made.narrow(dim, k, 1).copy_(total if ahead is None else total * conj(ahead))
        factor = x.narrow(dim, k, 1)
        ahead = factor if ahead is None else ahead * factor
    return made


@operation(gradient=_cumprod_gradient, numpy="cumprod: a axis dtype out")
def cumprod(
    x: Tensor,
    /,
    axis: int | None = None,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return running products along an axis (flattened when none is given). A new tensor.

    >>> import strided
    >>> strided.tensor([1, 2, 3]).cumprod(0).tolist()
    [1, 2, 6]
    """
    ...


@operation(method=None)
def cumulative_sum(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Tensor:
    """Return running sums along an axis, with a leading 0 if asked for. A new tensor.

    >>> import strided
    >>> strided.cumulative_sum(strided.tensor([1, 2, 3]), include_initial=True).tolist()
    [0, 1, 3, 6]
    """
    return _with_initial(x, axis, lambda axis: cumsum(x, axis, dtype=dtype), include_initial, 0)


@operation(method=None)
def cumulative_prod(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Tensor:
    """Return running products along an axis, with a leading 1 if asked for. A new tensor.

    >>> import strided
    >>> strided.cumulative_prod(strided.tensor([1, 2, 3])).tolist()
    [1, 2, 6]
    """
    return _with_initial(x, axis, lambda axis: cumprod(x, axis, dtype=dtype), include_initial, 1)


def _with_initial(
    x: Tensor,
    axis: int | None,
    run: Callable[[int | None], Tensor],
    include_initial: bool,
    initial: int,
) -> Tensor:
    axis = 0 if axis is None and x.ndim == 1 else axis
    running = run(axis)
    if not include_initial:
        return running
    at = 0 if axis is None else axis % x.ndim
    start = (*running.shape[:at], 1, *running.shape[at + 1 :])
    first = _native.empty(start, dtype=running.dtype).fill_(initial)
    return joined([first, running], axis=at)


# ---- running extremes ----


def _running_extreme_gradient(call: Call, x: Tensor, axis: int, out: None) -> Backward:
    return each_at_its_position(call, axis)


@operation(gradient=_running_extreme_gradient, result=Ordered, copies_out=True)
def cummax(x: Tensor, /, axis: int = -1, *, out: Pair | None = None) -> Ordered:
    """Return the largest element so far along an axis, and where it stands. New tensors.

    >>> import strided
    >>> values, indices = strided.tensor([1, 3, 2]).cummax(0)
    >>> values.tolist(), indices.tolist()
    ([1, 3, 3], [0, 1, 1])
    """
    ...


@operation(gradient=_running_extreme_gradient, result=Ordered, copies_out=True)
def cummin(x: Tensor, /, axis: int = -1, *, out: Pair | None = None) -> Ordered:
    """Return the smallest element so far along an axis, and where it stands. New tensors.

    >>> import strided
    >>> values, indices = strided.tensor([3, 1, 2]).cummin(0)
    >>> values.tolist(), indices.tolist()
    ([3, 1, 1], [0, 1, 1])
    """
    ...


# ---- differences ----


@operation(converts=True, numpy="diff: a n axis")
def diff(
    x: Tensor, /, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None
) -> Tensor:
    """Return the differences of neighbours along an axis, n times over. A new tensor.

    >>> import strided
    >>> strided.tensor([1, 4, 9, 16]).diff().tolist()
    [3, 5, 7]
    """
    axis = _native.normal_axis(axis, x.ndim)
    if n < 0:
        raise InvalidArgument(argument="n", got=str(n), requirement="must not be negative")
    given = [part for part in (prepend, x, append) if part is not None]
    made = x if len(given) == 1 else joined([as_operand(part) for part in given], axis=axis)
    if n and 0 in made.shape:  # of any length
        return made.narrow(axis, 0, max(made.shape[axis] - n, 0)).clone()
    for _ in range(min(n, made.shape[axis] + 1)):  # then nothing is left
        length = max(made.shape[axis] - 1, 0)
        later = made.narrow(axis, made.shape[axis] - length, length)
        earlier = made.narrow(axis, 0, length)
        made = later.not_equal(earlier) if made.dtype is _native.bool else later - earlier
    return made if n else made.clone()
