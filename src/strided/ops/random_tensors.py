"""Random tensors, from NumPy's bit generators, written straight into a tensor's memory."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import Tensor, empty
from strided.errors import DTypeMismatch, InvalidArgument, OutOfMemory
from strided.ops.creation import arange
from strided.ops.data_types import iinfo
from strided.ops.define import operation

if TYPE_CHECKING:
    import numpy


def checked_seed(seed: Any) -> int:
    """Return a seed that is a whole number, not below zero."""
    if hasattr(seed, "__index__"):
        # A negative one counts from 2**64, as in PyTorch.
        return index(seed) % 2**64 if index(seed) < 0 else index(seed)
    raise InvalidArgument(argument="seed", got=repr(seed), requirement="must be an integer")


class Generator:
    """A source of random numbers that can be seeded.

    >>> import strided
    >>> a = strided.rand(3, generator=strided.Generator(0))
    >>> b = strided.rand(3, generator=strided.Generator(0))
    >>> strided.array_equal(a, b)
    True
    """

    def __init__(self, seed: int | None = None) -> None:
        self._bits: numpy.random.Generator | None = None
        self._seed = None if seed is None else checked_seed(seed)

    @property
    def numpy(self) -> numpy.random.Generator:
        """The NumPy generator behind it, made at first use.

        >>> import strided
        >>> g = strided.Generator(0)
        >>> g.numpy is g.numpy
        True
        """
        if self._bits is None:
            import numpy as np

            self._bits = np.random.Generator(np.random.PCG64(self._seed))
        return self._bits

    def manual_seed(self, seed: int) -> Generator:
        """Start over from a seed.

        >>> import strided
        >>> g = strided.Generator().manual_seed(1)
        >>> strided.randint(0, 10, (3,), generator=g).shape
        (3,)
        """
        self._seed, self._bits = checked_seed(seed), None
        return self

    def initial_seed(self) -> int:
        """Return the seed, drawn from the system when none was given.

        >>> import strided
        >>> strided.Generator(3).initial_seed()
        3
        """
        if self._seed is None:
            self.seed()
        assert self._seed is not None
        return self._seed

    def seed(self) -> int:
        """Start over from a seed that the system draws, and return it.

        >>> import strided
        >>> strided.Generator().seed() >= 0
        True
        """
        self._seed, self._bits = int.from_bytes(os.urandom(7), "little"), None
        return self._seed

    def get_state(self) -> dict[str, Any]:
        """Return where the generator is, for ``set_state``.

        >>> import strided
        >>> g = strided.Generator(0)
        >>> state = g.get_state()
        >>> a = strided.rand(2, generator=g)
        >>> strided.array_equal(a, strided.rand(2, generator=g.set_state(state)))
        True
        """
        state: dict[str, Any] = dict(self.numpy.bit_generator.state)
        return state

    def set_state(self, state: dict[str, Any]) -> Generator:
        """Go on from where ``get_state`` was called.

        >>> import strided
        >>> g = strided.Generator(0)
        >>> g.set_state(g.get_state()) is g
        True
        """
        self.numpy.bit_generator.state = state
        return self


_default = Generator()


def generator_of(generator: Generator | None) -> Generator:
    """Return a generator, or the default one."""
    return generator or _default


def manual_seed(seed: int) -> Generator:
    """Seed the default generator.

    >>> import strided
    >>> _ = strided.manual_seed(0)
    >>> a = strided.rand(2)
    >>> _ = strided.manual_seed(0)
    >>> strided.array_equal(a, strided.rand(2))
    True
    """
    return _default.manual_seed(seed)


def initial_seed() -> int:
    """Return the seed of the default generator.

    >>> import strided
    >>> _ = strided.manual_seed(5)
    >>> strided.initial_seed()
    5
    """
    return _default.initial_seed()


def seed() -> int:
    """Seed the default generator by the system, and return the seed.

    >>> import strided
    >>> strided.seed() == strided.initial_seed()
    True
    """
    return _default.seed()


def get_rng_state() -> dict[str, Any]:
    """Return where the default generator is, for ``set_rng_state``.

    >>> import strided
    >>> state = strided.get_rng_state()
    >>> a = strided.rand(2)
    >>> strided.set_rng_state(state)
    >>> strided.array_equal(a, strided.rand(2))
    True
    """
    return _default.get_state()


def set_rng_state(state: dict[str, Any]) -> None:
    """Let the default generator go on from where ``get_rng_state`` was called.

    >>> import strided
    >>> strided.set_rng_state(strided.get_rng_state())
    """
    _default.set_state(state)


_BLOCK = 1 << 20  # integers that are drawn at a time

# Bits of precision. A float32 just below 1 would round to 1 in the half types.
_HALVES = {_native.float16: 11, _native.bfloat16: 8}


def _draw(method: str, out: Tensor, generator: Generator | None) -> Tensor:
    if out.numel() == 0:  # NumPy refuses some shapes of such arrays
        return out
    array = out.numpy()
    getattr((generator or _default).numpy, method)(dtype=array.dtype, out=array)
    return out


def _float(method: str, size: tuple[Any, ...], dtype: Any, generator: Generator | None) -> Tensor:
    out = empty(*size, dtype=dtype) if size else empty((), dtype=dtype)
    if out.dtype in (_native.float32, _native.float64):
        return _draw(method, out, generator)
    if out.dtype.is_complex:
        parts = _draw(method, out.view_as_real(), generator)
        if method == "standard_normal":
            parts.mul_(0.5**0.5)  # the two variances add up to 1
        return out
    if out.dtype not in _HALVES:
        raise DTypeMismatch(
            operation="rand" if method == "random" else "randn",
            got=out.dtype.name,
            reason="the numbers drawn are not whole",
            hint="use randint for integers",
        )
    wide = _draw(method, empty(out.shape), generator)
    if method == "random":
        steps = 2 ** _HALVES[out.dtype]
        wide.mul_(steps).floor_().mul_(1 / steps)
    _native.copy_into(out, wide, "promote")
    return out


def random_bits(shape: Sequence[int], generator: Generator | None = None) -> Tensor:
    """Return random uint32, two from each number of the bit generator. A new tensor."""
    count = math.prod(shape)
    try:
        bits = (generator or _default).numpy.bit_generator.random_raw((count + 1) // 2)
    except ValueError:  # an array cannot be that long
        raise OutOfMemory(nbytes=4 * count) from None
    return _native._from_buffer(bits).view(_native.uint32).narrow(0, 0, count).view(tuple(shape))


@operation(method=None, operands=0)
def rand(
    *size: Any,
    dtype: Any = _native.float32,
    generator: Generator | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return uniform random numbers in [0, 1). A new tensor.

    >>> import strided
    >>> strided.rand(2, 3).shape
    (2, 3)
    """
    made = _float("random", size, dtype, generator)
    return made.requires_grad_() if requires_grad else made


@operation(method=None, operands=0)
def randn(
    *size: Any,
    dtype: Any = _native.float32,
    generator: Generator | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return random numbers of the standard normal distribution. A new tensor.

    >>> import strided
    >>> strided.randn(2, 3).shape
    (2, 3)
    """
    made = _float("standard_normal", size, dtype, generator)
    return made.requires_grad_() if requires_grad else made


@operation(method=None, operands=0)
def randint(
    low: int,
    high: int | Sequence[int] | None = None,
    size: int | Sequence[int] | None = None,
    *,
    dtype: Any = _native.int64,
    generator: Generator | None = None,
) -> Tensor:
    """Return random integers from low up to but without high. A new tensor.

    ``randint(high, size)`` counts from 0.

    >>> import strided
    >>> (strided.randint(0, 5, (100,)) < 5).all().item()
    True
    """
    if size is None and isinstance(high, Sequence):
        high, size = None, high  # randint(high, size), as in PyTorch
    bounds: tuple[Any, Any] = (0, low) if high is None else (low, high)
    first, end = map(index, bounds)
    out = empty(() if size is None else size, dtype=dtype)
    if not first < end:
        raise InvalidArgument(argument="high", got=str(end), requirement=f"must be above {first}")
    if out.dtype.kind in "iu":
        limits = iinfo(out.dtype)
        if first < limits.min or end - 1 > limits.max:
            raise InvalidArgument(
                argument="range",
                got=f"{first} to {end - 1}",
                requirement=f"must lie inside {out.dtype.name}: pass a wider dtype",
            )
    if not -(2**63) <= first < end <= (2**63 if first < 0 else 2**64):
        raise InvalidArgument(
            argument="range", got=f"{first} to {end - 1}", requirement="must fit in 64 bits"
        )
    kind = "uint64" if end > 2**63 else "int64"
    integers = (generator or _default).numpy.integers
    for part in out.view(-1).split(_BLOCK):
        drawn = integers(first, end, size=part.shape, dtype=kind)
        part.copy_(_native._from_buffer(drawn))
    return out


@operation(method=None, operands=0)
def rand_like(
    x: Tensor, /, *, generator: Generator | None = None, requires_grad: bool = False
) -> Tensor:
    """Return uniform random numbers in the shape and dtype of a tensor. A new tensor.

    >>> import strided
    >>> strided.rand_like(strided.zeros(2)).shape
    (2,)
    """
    return rand(*x.shape, dtype=x.dtype, generator=generator, requires_grad=requires_grad)


@operation(method=None, operands=0)
def randn_like(
    x: Tensor, /, *, generator: Generator | None = None, requires_grad: bool = False
) -> Tensor:
    """Return normal random numbers in the shape and dtype of a tensor. A new tensor.

    >>> import strided
    >>> strided.randn_like(strided.zeros(2)).shape
    (2,)
    """
    return randn(*x.shape, dtype=x.dtype, generator=generator, requires_grad=requires_grad)


@operation(method=None, operands=0)
def randperm(n: int, *, generator: Generator | None = None) -> Tensor:
    """Return 0 .. n-1 in random order. A new tensor.

    >>> import strided
    >>> sorted(strided.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    if n < 0:
        raise InvalidArgument(argument="n", got=str(n), requirement="must not be negative")
    made = arange(n, dtype=_native.int64)
    (generator or _default).numpy.shuffle(made.numpy())
    return made
