"""Random numbers as NumPy has them: the same numbers for the same seed, as tensors.

``default_rng(seed)`` makes a generator with all of NumPy's distributions. Floats are NumPy's
rounded to float32, the default here, unless a dtype is given: ``dtype=strided.float64`` has them
bit for bit. The functions of the module are NumPy's older ones, seeded by ``seed``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import Tensor
from strided.errors import DTypeMismatch
from strided.numpy_names.random_distributions import Distributions, Size
from strided.ops import random_tensors as _random
from strided.ops.arguments import as_operand

if TYPE_CHECKING:
    import numpy


class Generator(Distributions, _random.Generator):
    """A source of random numbers with NumPy's distributions; other functions take it as generator.

    >>> import strided
    >>> rng = strided.random.Generator(7)
    >>> strided.rand(2, generator=rng).shape
    (2,)
    """

    @property
    def _source(self) -> Any:
        return self.numpy

    @property
    def bit_generator(self) -> Any:
        """NumPy's bit generator behind it, itself.

        >>> import strided
        >>> strided.random.default_rng(0).bit_generator.random_raw() > 0
        True
        """
        return self.numpy.bit_generator

    def spawn(self, n_children: int) -> list[Generator]:
        """Return new generators whose numbers do not depend on each other.

        >>> import strided
        >>> len(strided.random.default_rng(0).spawn(2))
        2
        """
        return [_around(one) for one in self.numpy.spawn(n_children)]

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Size = None,
        dtype: Any = _native.int64,
        endpoint: bool = False,
    ) -> Tensor:
        """Return random integers from low up to but without high. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).integers(10, size=3).tolist()
        [8, 6, 5]
        """
        ends = (_plain(low), _plain(high))
        kind = "bool" if _native.as_dtype(dtype) is _native.bool else _native.as_dtype(dtype).name
        return as_operand(self.numpy.integers(*ends, size, kind, endpoint))

    def choice(
        self,
        a: Any,
        size: Size = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Tensor:
        """Return random elements of a vector, rows of a tensor, or of range(a). A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).choice([10, 20, 30], size=2).tolist()
        [30, 20]
        """
        count, rows = _choices(a, axis)
        found = self.numpy.choice(count, size, replace, _doubles(p), 0, shuffle)
        return as_operand(found) if rows is None else _taken(rows, found, axis)

    def permutation(self, x: Any, axis: int = 0) -> Tensor:
        """Return the slices along an axis, or range(x), in random order. A new tensor.

        >>> import strided
        >>> sorted(strided.random.default_rng(0).permutation(4).tolist())
        [0, 1, 2, 3]
        """
        count, rows = _choices(x, axis)
        order = self.numpy.permutation(count)
        return as_operand(order) if rows is None else rows.index_select(axis, as_operand(order))

    def permuted(self, x: Any, *, axis: int | None = None, out: Tensor | None = None) -> Tensor:
        """Return the elements of every line along an axis in random order. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).permuted(strided.arange(4)).sum().item()
        6
        """
        made = as_operand(self.numpy.permuted(as_operand(x).numpy(), axis=axis))
        return made if out is None else out.copy_(made)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Bring the slices along an axis into random order, in place.

        >>> import strided
        >>> x = strided.arange(4)
        >>> strided.random.default_rng(0).shuffle(x)
        >>> x.sum().item()
        6
        """
        _shuffle(self.numpy, x, axis)

    def bytes(self, length: int) -> bytes:
        """Return random bytes. No tensor, no view.

        >>> import strided
        >>> len(strided.random.default_rng(0).bytes(3))
        3
        """
        return self.numpy.bytes(length)


def _around(source: numpy.random.Generator) -> Generator:
    made = Generator()
    made._bits = source
    return made


def default_rng(seed: Any = None) -> Generator:
    """Return a generator; the same seed gives the same numbers, which are those of NumPy.

    ``seed`` may also be one of NumPy's bit generators or generators: that is used itself.

    >>> import strided
    >>> strided.random.default_rng(42).integers(0, 10, 3).tolist()
    [0, 7, 6]
    """
    import numpy as np

    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, _random.Generator):
        return _around(seed.numpy)
    seed = seed.tolist() if isinstance(seed, Tensor) else seed
    made = _around(np.random.default_rng(seed))
    made._seed = seed if isinstance(seed, int) else None
    return made


# ---- parts ----


def _plain(value: Any) -> Any:
    return value.numpy() if isinstance(value, Tensor) else value


def _doubles(p: Any) -> Any:
    """Return probabilities in double precision; those of float32 need not add up to 1 there."""
    import numpy as np

    if p is None:
        return None
    if isinstance(p, Tensor) or getattr(p, "dtype", None) == np.float32:
        wide = np.asarray(_plain(p), dtype=np.float64)
        return wide / wide.sum()
    return p


def _choices(a: Any, axis: int) -> tuple[int, Tensor | None]:
    if hasattr(a, "__index__") and not getattr(a, "ndim", 0):
        return int(a), None
    rows = as_operand(a)
    if not rows.ndim:
        raise DTypeMismatch(
            operation="choice",
            got=rows.dtype.name,
            reason="one number must be an integer",
            hint="give a count, or a vector",
        )
    return rows.shape[axis], rows


def _taken(rows: Tensor, found: Any, axis: int) -> Tensor:
    index = as_operand(found)
    made = rows.index_select(axis, index.reshape(-1))
    axis = axis % rows.ndim
    return made.reshape((*rows.shape[:axis], *index.shape, *rows.shape[axis + 1 :]))


def _shuffle(source: Any, x: Any, axis: int = 0) -> None:
    if isinstance(x, Tensor):
        order = as_operand(source.permutation(x.shape[axis]))
        x.copy_(x.index_select(axis, order))
    else:
        source.shuffle(x) if not axis else source.shuffle(x, axis)


# ---- NumPy's older functions, of one generator ----


class RandomState(Distributions):
    """NumPy's older generator: the same numbers for the same seed, as tensors.

    >>> import strided
    >>> strided.random.RandomState(0).randint(10, size=3).tolist()
    [5, 0, 3]
    """

    def __init__(self, seed: Any = None) -> None:
        import numpy as np

        self._source = np.random.RandomState(seed)

    def seed(self, seed: Any = None) -> None:
        """Start over from a seed.

        >>> import strided
        >>> strided.random.seed(0)
        """
        self._source.seed(seed)

    def rand(self, *size: int) -> Tensor:
        """Return uniform random numbers in [0, 1). A new tensor.

        >>> import strided
        >>> strided.random.rand(2, 3).shape
        (2, 3)
        """
        return self.random(size or None)

    def randn(self, *size: int) -> Tensor:
        """Return random numbers of the standard normal distribution. A new tensor.

        >>> import strided
        >>> strided.random.randn(2, 3).shape
        (2, 3)
        """
        return self.standard_normal(size or None)

    def randint(self, low: Any, high: Any = None, size: Size = None, dtype: Any = int) -> Tensor:
        """Return random integers from low up to but without high. A new tensor.

        >>> import strided
        >>> strided.random.randint(5, size=(2, 2)).shape
        (2, 2)
        """
        kind = _native.as_dtype(dtype).name
        return as_operand(self._source.randint(_plain(low), _plain(high), size, kind))

    def random_sample(self, size: Size = None) -> Tensor:
        """Return uniform random numbers in [0, 1). A new tensor.

        >>> import strided
        >>> strided.random.random_sample(2).shape
        (2,)
        """
        return self.random(size)

    def choice(self, a: Any, size: Size = None, replace: bool = True, p: Any = None) -> Tensor:
        """Return random elements of a vector, or of range(a). A new tensor.

        >>> import strided
        >>> strided.random.choice(3, size=4).shape
        (4,)
        """
        count, rows = _choices(a, 0)
        found = self._source.choice(count, size, replace, _doubles(p))
        return as_operand(found) if rows is None else _taken(rows, found, 0)

    def permutation(self, x: Any) -> Tensor:
        """Return the rows of a tensor, or range(x), in random order. A new tensor.

        >>> import strided
        >>> sorted(strided.random.permutation(3).tolist())
        [0, 1, 2]
        """
        count, rows = _choices(x, 0)
        order = as_operand(self._source.permutation(count))
        return order if rows is None else rows.index_select(0, order)

    def shuffle(self, x: Any) -> None:
        """Bring the rows of a tensor into random order, in place.

        >>> import strided
        >>> x = strided.arange(3)
        >>> strided.random.shuffle(x)
        >>> x.sum().item()
        3
        """
        _shuffle(self._source, x)


_global = RandomState()
seed, rand, randn, randint = _global.seed, _global.rand, _global.randn, _global.randint
random = _global.random
random_sample = ranf = sample = _global.random_sample
choice, permutation, shuffle = _global.choice, _global.permutation, _global.shuffle
normal, standard_normal, uniform = _global.normal, _global.standard_normal, _global.uniform
exponential, poisson, binomial = _global.exponential, _global.poisson, _global.binomial
gamma, beta, geometric = _global.gamma, _global.beta, _global.geometric
chisquare, dirichlet, f, gumbel = _global.chisquare, _global.dirichlet, _global.f, _global.gumbel
hypergeometric, laplace, logistic = _global.hypergeometric, _global.laplace, _global.logistic
lognormal, logseries, multinomial = _global.lognormal, _global.logseries, _global.multinomial
multivariate_normal = _global.multivariate_normal
negative_binomial = _global.negative_binomial
noncentral_chisquare, noncentral_f = _global.noncentral_chisquare, _global.noncentral_f
pareto, power, rayleigh = _global.pareto, _global.power, _global.rayleigh
standard_cauchy, standard_exponential = _global.standard_cauchy, _global.standard_exponential
standard_gamma, standard_t = _global.standard_gamma, _global.standard_t
triangular, vonmises, wald = _global.triangular, _global.vonmises, _global.wald
weibull, zipf = _global.weibull, _global.zipf

__all__ = [
    "Generator",
    "RandomState",
    "beta",
    "binomial",
    "chisquare",
    "choice",
    "default_rng",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "gumbel",
    "hypergeometric",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_normal",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "poisson",
    "power",
    "rand",
    "randint",
    "randn",
    "random",
    "random_sample",
    "ranf",
    "rayleigh",
    "sample",
    "seed",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "triangular",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
]
# Of the module, and what it is not: bit generators and their states are NumPy's own.
LEFT_OUT = {
    **dict.fromkeys(
        ("BitGenerator", "MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64", "SeedSequence"),
        "strided.random.default_rng takes NumPy's: default_rng(numpy.random.PCG64(0))",
    ),
    **dict.fromkeys(
        (
            "get_state",
            "set_state",
            "get_bit_generator",
            "set_bit_generator",
            "bit_generator",
            "mtrand",
        ),
        "keep a generator of your own: strided.random.default_rng(seed)",
    ),
    **dict.fromkeys(
        ("random_integers", "bytes", "test"), "strided.random.default_rng has integers"
    ),
}


def __getattr__(name: str) -> Any:
    hint = f"\n  {LEFT_OUT[name]}" if name in LEFT_OUT else ""
    raise AttributeError(f"module 'strided.random' has no attribute {name!r}{hint}")


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
