"""Random numbers written into tensors, tensors like another one, and draws from distributions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor, empty
from strided.errors import DTypeMismatch, InvalidArgument
from strided.ops.arrays import asarray, tensor
from strided.ops.creation import full, ones, zeros
from strided.ops.data_types import iinfo
from strided.ops.define import operation
from strided.ops.random_tensors import Generator, rand, randint, randn
from strided.ops.random_tensors import generator_of as _generator

# ---- in place ----


def _floats(x: Tensor, name: str) -> Tensor:
    if x.dtype.kind not in "fc":
        raise DTypeMismatch(
            operation=name,
            got=x.dtype.name,
            reason="the numbers drawn are not whole",
            hint="convert the tensor with .float(), or use .random_() for integers",
        )
    return x


def _uniform(x: Tensor, generator: Generator | None) -> Tensor:
    """Return numbers in (0, 1) of float64, none of them 0."""
    return 1 - rand(x.shape, dtype=_native.float64, generator=generator)


@operation(function=None, kind="in place", also={"from_": "from_ from"})
def uniform_(
    x: Tensor, /, from_: float = 0, to: float = 1, *, generator: Generator | None = None
) -> Tensor:
    """Overwrite with uniform random numbers from ``from_`` up to but without ``to``, in place.

    >>> import strided
    >>> bool((strided.empty(3).uniform_(2, 3) >= 2).all())
    True
    """
    if not from_ <= to:
        raise InvalidArgument(argument="to", got=str(to), requirement=f"must not be below {from_}")
    drawn = rand(x.shape, dtype=_floats(x, "uniform_").dtype, generator=generator)
    return x.copy_(drawn.mul_(to - from_).add_(from_))


@operation(function=None, kind="in place")
def normal_(
    x: Tensor, /, mean: float = 0, std: float = 1, *, generator: Generator | None = None
) -> Tensor:
    """Overwrite with normal random numbers, in place.

    >>> import strided
    >>> strided.empty(2, 3).normal_(0, 0.1).shape
    (2, 3)
    """
    if std < 0:
        raise InvalidArgument(argument="std", got=str(std), requirement="must not be negative")
    drawn = randn(x.shape, dtype=_floats(x, "normal_").dtype, generator=generator)
    return x.copy_(drawn.mul_(std).add_(mean))


@operation(function=None, kind="in place")
def log_normal_(
    x: Tensor, /, mean: float = 1, std: float = 2, *, generator: Generator | None = None
) -> Tensor:
    """Overwrite with numbers whose logarithms are normal, in place.

    >>> import strided
    >>> bool((strided.empty(3).log_normal_() > 0).all())
    True
    """
    drawn = randn(x.shape, dtype=_native.float64, generator=generator).mul_(std).add_(mean)
    return _floats(x, "log_normal_").copy_(drawn.exp_())


@operation(function=None, kind="in place")
def exponential_(x: Tensor, /, lambd: float = 1, *, generator: Generator | None = None) -> Tensor:
    """Overwrite with exponentially distributed numbers of rate ``lambd``, in place.

    >>> import strided
    >>> bool((strided.empty(3).exponential_() > 0).all())
    True
    """
    if lambd <= 0:
        raise InvalidArgument(argument="lambd", got=str(lambd), requirement="must be above 0")
    drawn = _uniform(_floats(x, "exponential_"), generator)
    return x.copy_(drawn.log_().mul_(-1 / lambd).clamp_(min=2.0**-126))


@operation(function=None, kind="in place")
def cauchy_(
    x: Tensor, /, median: float = 0, sigma: float = 1, *, generator: Generator | None = None
) -> Tensor:
    """Overwrite with numbers of a Cauchy distribution, in place.

    >>> import strided
    >>> strided.empty(3).cauchy_().shape
    (3,)
    """
    drawn = _uniform(_floats(x, "cauchy_"), generator).sub_(0.5).mul_(math.pi).tan_()
    return x.copy_(drawn.mul_(sigma).add_(median))


@operation(function=None, kind="in place")
def geometric_(x: Tensor, /, p: float, *, generator: Generator | None = None) -> Tensor:
    """Overwrite with how many trials a first success of probability p takes, in place.

    >>> import strided
    >>> bool((strided.empty(3).geometric_(0.5) >= 1).all())
    True
    """
    if not 0 < p < 1:
        raise InvalidArgument(argument="p", got=str(p), requirement="must lie between 0 and 1")
    return x.copy_(_uniform(x, generator).log_().div_(math.log1p(-p)).ceil_().clamp_(min=1))


@operation(function=None, kind="in place")
def bernoulli_(x: Tensor, /, p: Any = 0.5, *, generator: Generator | None = None) -> Tensor:
    """Overwrite with 1 in probability p, else 0, in place; p is a number or a tensor.

    >>> import strided
    >>> strided.zeros(2).bernoulli_(1.0).tolist()
    [1.0, 1.0]
    """
    _check_probability(p, "p")
    return x.copy_(rand(x.shape, dtype=_native.float64, generator=generator) < p)


def _check_probability(p: Any, name: str) -> None:
    inside = (p >= 0) & (p <= 1)
    if not (bool(inside.all()) if isinstance(inside, Tensor) else inside):
        got = "numbers outside" if isinstance(inside, Tensor) else str(p)
        raise InvalidArgument(argument=name, got=got, requirement="must lie in 0 to 1")


@operation(function=None, kind="in place", also={"from_": "from_ from"})
def random_(
    x: Tensor, /, from_: int | None = None, to: int | None = None, *, generator: Any = None
) -> Tensor:
    """Overwrite with whole random numbers, in place: below ``to``, or all that the dtype has.

    >>> import strided
    >>> bool((strided.zeros(5, dtype=strided.int64).random_(3) < 3).all())
    True
    """
    low, high = (0, from_) if to is None else (from_ or 0, to)
    if high is None:
        digits = {"float32": 24, "float64": 53, "float16": 11, "bfloat16": 8}
        if x.dtype.kind == "f":
            high = 2 ** digits[x.dtype.name] + 1
        else:
            high = 2 if x.dtype is _native.bool else iinfo(x.dtype).max + 1
    drawn = randint(low, high, x.shape, generator=generator)
    return x.copy_(drawn)


# ---- new tensors of draws ----


@operation()
def bernoulli(x: Tensor, /, p: Any = None, *, generator: Generator | None = None) -> Tensor:
    """Return 1 in the probability that each element says, else 0. A new tensor.

    >>> import strided
    >>> strided.bernoulli(strided.tensor([0.0, 1.0])).tolist()
    [0.0, 1.0]
    """
    made = empty(x.shape, dtype=x.dtype)
    return bernoulli_(made, x.detach() if p is None else p, generator=generator)


@operation(method=None, operands=0)
def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: int | Sequence[int] | None = None,
    *,
    generator: Generator | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return normal random numbers of given means and deviations, numbers or tensors. A new tensor.

    >>> import strided
    >>> strided.normal(0.0, 1.0, (2, 3)).shape, strided.normal(strided.zeros(4), 0.1).shape
    ((2, 3), (4,))
    """
    shapes = [one.shape for one in (mean, std) if isinstance(one, Tensor)]
    shape: Any = () if size is None else size
    if size is None:
        for one in shapes:
            shape = _native.broadcast_shape(shape, one)
    if dtype is None:
        given = [one.dtype for one in (mean, std) if isinstance(one, Tensor)]
        dtype = given[0] if given else _native.float32
    made: Tensor = randn(shape, dtype=dtype, generator=generator) * std + mean
    return made


@operation(method=None)
def poisson(x: Tensor, /, generator: Generator | None = None) -> Tensor:
    """Return counts of Poisson distributions whose rates are the elements. A new tensor.

    >>> import strided
    >>> strided.poisson(strided.zeros(2)).tolist()
    [0.0, 0.0]
    """
    drawn = _generator(generator).numpy.poisson(x.detach().double().numpy())
    return asarray(drawn)._convert(x.dtype)


@operation(method=None, operands=2)
def binomial(count: Tensor, prob: Tensor, /, generator: Generator | None = None) -> Tensor:
    """Return how many of ``count`` trials of probability ``prob`` succeed. A new tensor.

    >>> import strided
    >>> strided.binomial(strided.tensor([5.0]), strided.tensor([1.0])).tolist()
    [5.0]
    """
    drawn = _generator(generator).numpy.binomial(
        count.detach().long().numpy(), prob.detach().double().numpy()
    )
    return asarray(drawn)._convert(count.dtype)


@operation()
def multinomial(
    x: Tensor,
    /,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Return positions drawn from each row in proportion to its weights, int64. A new tensor.

    >>> import strided
    >>> strided.multinomial(strided.tensor([0.0, 1.0, 0.0]), 1).tolist()
    [1]
    """
    weights = x.detach().double()
    if x.ndim not in (1, 2) or num_samples < 1:
        raise InvalidArgument(
            argument="num_samples" if num_samples < 1 else "input",
            got=str(num_samples) if num_samples < 1 else f"shape {x.shape}",
            requirement="must be positive" if num_samples < 1 else "must have 1 or 2 axes",
        )
    total = weights.sum(-1, keepdim=True)
    usable = bool((weights >= 0).all()) and bool(((total > 0) & total.isfinite()).all())
    if not usable:
        raise InvalidArgument(
            argument="input",
            got="other weights",
            requirement="must be finite and not negative, and not all zero in a row",
        )
    if replacement:
        running = (weights / total).cumsum(-1)
        running[..., -1] = 1.0
        # Weights of zero at the end are never reached.
        last = (weights > 0).to(_native.int8).flip(-1).argmax(-1, keepdim=True)
        drawn = rand(*x.shape[:-1], num_samples, dtype=_native.float64, generator=generator)
        if x.ndim == 1:
            found = _native_search(running, drawn)
        else:
            rows = [_native_search(a, b) for a, b in zip(running, drawn, strict=True)]
            from strided.ops.joining import stack

            found = stack(rows)
        return found.minimum(x.shape[-1] - 1 - last)
    if num_samples > int((weights > 0).count_nonzero(-1).amin()):
        raise InvalidArgument(
            argument="num_samples",
            got=str(num_samples),
            requirement="must not exceed the positive weights of a row, or pass replacement=True",
        )
    # The smallest of exponential numbers with these rates comes first in proportion to them.
    keys = _uniform(weights, generator).log_().neg_() / weights
    return keys.topk(num_samples, -1, largest=False).indices


def _native_search(running: Tensor, drawn: Tensor) -> Tensor:
    from strided.ops.searching import searchsorted

    return searchsorted(running, drawn, side="right")


@operation(method=None, operands=1)
def randint_like(
    x: Tensor,
    /,
    low: int = 0,
    high: int | None = None,
    *,
    dtype: Any = None,
    generator: Generator | None = None,
) -> Tensor:
    """Return whole random numbers in the shape and dtype of a tensor. A new tensor.

    >>> import strided
    >>> strided.randint_like(strided.zeros(2), 1).tolist()
    [0.0, 0.0]
    """
    first, end = (0, low) if high is None else (low, high)
    drawn = randint(first, end, x.shape, generator=generator)
    return drawn._convert(dtype or x.dtype)


# ---- like this tensor ----


@operation(function=None, spread=True, operands=1)
def new_empty(
    x: Tensor, /, size: int | Sequence[int] = (), *, dtype: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return a tensor of another shape in this dtype, its elements not set. A new tensor.

    >>> import strided
    >>> strided.zeros(2, dtype=strided.int8).new_empty(2, 3).dtype
    strided.int8
    """
    return empty(size, dtype=dtype or x.dtype, requires_grad=requires_grad)


@operation(function=None, spread=True, operands=1)
def new_zeros(
    x: Tensor, /, size: int | Sequence[int] = (), *, dtype: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return zeros of another shape in this dtype. A new tensor.

    >>> import strided
    >>> strided.arange(3).new_zeros(2).tolist()
    [0, 0]
    """
    return zeros(size, dtype=dtype or x.dtype, requires_grad=requires_grad)


@operation(function=None, spread=True, operands=1)
def new_ones(
    x: Tensor, /, size: int | Sequence[int] = (), *, dtype: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return ones of another shape in this dtype. A new tensor.

    >>> import strided
    >>> strided.arange(3).new_ones((1, 2)).tolist()
    [[1, 1]]
    """
    return ones(size, dtype=dtype or x.dtype, requires_grad=requires_grad)


@operation(function=None, operands=1)
def new_full(
    x: Tensor,
    /,
    size: int | Sequence[int],
    fill_value: Any,
    *,
    dtype: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return one value everywhere, of another shape in this dtype. A new tensor.

    >>> import strided
    >>> strided.arange(3).new_full((2,), 7).tolist()
    [7, 7]
    """
    return full(size, fill_value, dtype=dtype or x.dtype, requires_grad=requires_grad)


@operation(function=None, operands=1)
def new_tensor(
    x: Tensor, /, data: Any, *, dtype: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return a tensor of other data in this dtype. A new tensor.

    >>> import strided
    >>> strided.zeros(1).new_tensor([1, 2]).tolist()
    [1.0, 2.0]
    """
    return tensor(data, dtype=dtype or x.dtype, requires_grad=requires_grad)


@operation(function=None, operands=1)
def new_empty_strided(
    x: Tensor, /, size: Sequence[int], stride: Sequence[int], dtype: Any = None
) -> Tensor:
    """Return a tensor of these strides in this dtype, its elements not set. A new tensor.

    >>> import strided
    >>> strided.zeros(1).new_empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
    return empty_strided(size, stride, dtype=dtype or x.dtype)


@operation(method=None, operands=0)
def empty_strided(
    size: Sequence[int], stride: Sequence[int], *, dtype: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return a tensor of these strides, its elements not set. A new tensor.

    >>> import strided
    >>> strided.empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
    size, stride = tuple(size), tuple(stride)
    reach = sum((n - 1) * s for n, s in zip(size, stride, strict=True)) + 1
    memory = empty(0 if 0 in size else max(1, reach), dtype=dtype)
    made = memory.as_strided(size, stride, 0)
    return made.requires_grad_() if requires_grad else made


@operation(method=None, operands=0)
def empty_permuted(
    size: Sequence[int], physical_layout: Sequence[int], *, dtype: Any = None
) -> Tensor:
    """Return a tensor whose axes lie in a given order, slowest first, its elements not set.

    A new tensor.

    >>> import strided
    >>> strided.empty_permuted((2, 3), (1, 0)).stride()
    (1, 2)
    """
    order = [int(one) for one in physical_layout]
    back = sorted(range(len(order)), key=order.__getitem__)
    return empty([size[axis] for axis in order], dtype=dtype).permute(back)


@operation(method=None, operands=0)
def scalar_tensor(s: Any, *, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return a number as a tensor of rank 0, of float32 unless a dtype is given. A new tensor.

    >>> import strided
    >>> strided.scalar_tensor(2).item()
    2.0
    """
    return tensor(s, dtype=dtype or _native.float32, requires_grad=requires_grad)


@operation(method=None, name="complex of parts", function="complex")
def complex_of(real: Tensor, imag: Tensor, /, *, out: Tensor | None = None) -> Tensor:
    """Return complex numbers of their real and imaginary parts. A new tensor, or ``out``.

    >>> import strided
    >>> strided.complex(strided.tensor([1.0]), strided.tensor([2.0])).tolist()
    [(1+2j)]
    """
    return _joined(real, imag, out)


@operation(method=None)
def polar(abs: Tensor, angle: Tensor, /, *, out: Tensor | None = None) -> Tensor:
    """Return complex numbers of their absolute values and angles. A new tensor, or ``out``.

    >>> import strided
    >>> strided.polar(strided.tensor([2.0]), strided.tensor([0.0])).tolist()
    [(2+0j)]
    """
    return _joined(abs * angle.cos(), abs * angle.sin(), out)


def _joined(real: Tensor, imag: Tensor, out: Tensor | None) -> Tensor:
    from strided.ops.arguments import into
    from strided.ops.joining import stack

    if real.dtype is not imag.dtype or real.dtype.kind != "f":
        raise DTypeMismatch(
            operation="complex",
            got=f"{real.dtype.name} and {imag.dtype.name}",
            reason="the parts are of one floating-point dtype",
            hint="convert both, as with .float()",
        )
    if real.dtype in (_native.float16, _native.bfloat16):
        real, imag = real.float(), imag.float()
    shape = _native.broadcast_shape(real.shape, imag.shape)
    pairs = stack([real.broadcast_to(shape), imag.broadcast_to(shape)], axis=-1)
    return into(out, pairs.view_as_complex(), "complex")
