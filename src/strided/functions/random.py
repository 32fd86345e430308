"""Random tensors, from NumPy's bit generators, written straight into a tensor's memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import Tensor, empty

if TYPE_CHECKING:
    import numpy


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
        self._seed = seed

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
        self._seed, self._bits = seed, None
        return self


_default = Generator()


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


def _shape(size: tuple[Any, ...]) -> tuple[int, ...]:
    if len(size) == 1 and not isinstance(size[0], int):
        return tuple(size[0])
    return tuple(size)


def _float(method: str, size: tuple[Any, ...], dtype: Any, generator: Generator | None) -> Tensor:
    out = empty(_shape(size), dtype=dtype)
    draw = getattr((generator or _default).numpy, method)
    if out.dtype in (_native.float32, _native.float64):
        draw(dtype=out.numpy().dtype, out=out.numpy())
        return out
    wide = empty(out.shape)
    draw(dtype=wide.numpy().dtype, out=wide.numpy())
    return out.copy_(wide)


def rand(*size: Any, dtype: Any = _native.float32, generator: Generator | None = None) -> Tensor:
    """Return uniform random numbers in [0, 1). A new tensor.

    >>> import strided
    >>> strided.rand(2, 3).shape
    (2, 3)
    """
    return _float("random", size, dtype, generator)


def randn(*size: Any, dtype: Any = _native.float32, generator: Generator | None = None) -> Tensor:
    """Return random numbers of the standard normal distribution. A new tensor.

    >>> import strided
    >>> strided.randn(2, 3).shape
    (2, 3)
    """
    return _float("standard_normal", size, dtype, generator)


def randint(
    low: int,
    high: int | None = None,
    size: int | Sequence[int] = (),
    *,
    dtype: Any = _native.int64,
    generator: Generator | None = None,
) -> Tensor:
    """Return random integers from low up to but without high. A new tensor.

    >>> import strided
    >>> bool((strided.randint(0, 5, (100,)) < 5).all())
    True
    """
    if high is None:
        low, high = 0, low
    shape = (size,) if isinstance(size, int) else tuple(size)
    drawn = (generator or _default).numpy.integers(low, high, size=shape or (1,))
    out = empty(shape, dtype=dtype)
    return out.copy_(_native._from_buffer(drawn).reshape(shape))


def rand_like(x: Tensor, /, *, generator: Generator | None = None) -> Tensor:
    """Return uniform random numbers in the shape and dtype of a tensor. A new tensor.

    >>> import strided
    >>> strided.rand_like(strided.zeros(2)).shape
    (2,)
    """
    return rand(*x.shape, dtype=x.dtype, generator=generator)


def randn_like(x: Tensor, /, *, generator: Generator | None = None) -> Tensor:
    """Return normal random numbers in the shape and dtype of a tensor. A new tensor.

    >>> import strided
    >>> strided.randn_like(strided.zeros(2)).shape
    (2,)
    """
    return randn(*x.shape, dtype=x.dtype, generator=generator)


def randperm(n: int, *, generator: Generator | None = None) -> Tensor:
    """Return 0 .. n-1 in random order. A new tensor.

    >>> import strided
    >>> sorted(strided.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    return _native._from_buffer((generator or _default).numpy.permutation(n)).to(_native.int64)
