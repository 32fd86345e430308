"""Distributions that random numbers are drawn of, by NumPy's generators, as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from strided import _native
from strided._native import Tensor
from strided.ops.arguments import as_operand

Size: TypeAlias = int | Sequence[int] | None


class Distributions:
    """What NumPy's generator and its older one draw; a base of both."""

    _source: Any

    def _drawn(self, name: str, *parameters: Any, size: Any, **options: Any) -> Tensor:
        """Return what NumPy draws; floats in the default float."""
        values = (p.numpy() if isinstance(p, Tensor) else p for p in parameters)
        made = as_operand(getattr(self._source, name)(*values, size=size, **options))
        if made.dtype.kind != "f" or options:
            return made
        return made._convert(_native.float32, reason="promote")

    def _standard(self, name: str, *parameters: Any, size: Any, dtype: Any) -> Tensor:
        """Return numbers in a dtype: NumPy draws float32 and float64 in different ways."""
        if dtype is not None:
            wanted = _native.as_dtype(dtype)
            if wanted in (_native.float32, _native.float64):
                return self._drawn(name, *parameters, size=size, dtype=wanted.name)
            return self._standard(name, *parameters, size=size, dtype=None).to(wanted)
        made = self._drawn(name, *parameters, size=size)
        # Just below 1 float32 would round to 1, which is left out.
        return made.clip(None, 1 - 2**-24) if name == "random" else made

    def random(self, size: Size = None, dtype: Any = None) -> Tensor:
        """Return random numbers of the uniform distribution in [0, 1). A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).random(size=3).shape
        (3,)
        """
        return self._standard("random", size=size, dtype=dtype)

    def standard_normal(self, size: Size = None, dtype: Any = None) -> Tensor:
        """Return random numbers of the standard normal distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).standard_normal(size=3).shape
        (3,)
        """
        return self._standard("standard_normal", size=size, dtype=dtype)

    def standard_exponential(self, size: Size = None, dtype: Any = None) -> Tensor:
        """Return random numbers of the exponential distribution of scale 1. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).standard_exponential(size=3).shape
        (3,)
        """
        return self._standard("standard_exponential", size=size, dtype=dtype)

    def standard_gamma(self, shape: Any, size: Size = None, dtype: Any = None) -> Tensor:
        """Return random numbers of the gamma distribution of scale 1. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).standard_gamma(2.0, size=3).shape
        (3,)
        """
        return self._standard("standard_gamma", shape, size=size, dtype=dtype)

    def beta(self, a: Any, b: Any, size: Size = None) -> Tensor:
        """Return random numbers of the beta distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).beta(2, 3, size=3).shape
        (3,)
        """
        return self._drawn("beta", a, b, size=size)

    def binomial(self, n: Any, p: Any, size: Size = None) -> Tensor:
        """Return random integers of the binomial distribution. A new tensor.

        How many of n trials succeed.

        >>> import strided
        >>> strided.random.default_rng(0).binomial(10, 0.5, size=3).shape
        (3,)
        """
        return self._drawn("binomial", n, p, size=size)

    def chisquare(self, df: Any, size: Size = None) -> Tensor:
        """Return random numbers of the chi-square distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).chisquare(2, size=3).shape
        (3,)
        """
        return self._drawn("chisquare", df, size=size)

    def dirichlet(self, alpha: Any, size: Size = None) -> Tensor:
        """Return random numbers of the Dirichlet distribution. A new tensor.

        Parts that add up to 1.

        >>> import strided
        >>> strided.random.default_rng(0).dirichlet([1, 2], size=3).shape
        (3, 2)
        """
        return self._drawn("dirichlet", alpha, size=size)

    def exponential(self, scale: Any = 1.0, size: Size = None) -> Tensor:
        """Return random numbers of the exponential distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).exponential(2.0, size=3).shape
        (3,)
        """
        return self._drawn("exponential", scale, size=size)

    def f(self, dfnum: Any, dfden: Any, size: Size = None) -> Tensor:
        """Return random numbers of the F distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).f(2, 3, size=3).shape
        (3,)
        """
        return self._drawn("f", dfnum, dfden, size=size)

    def gamma(self, shape: Any, scale: Any = 1.0, size: Size = None) -> Tensor:
        """Return random numbers of the gamma distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).gamma(2.0, size=3).shape
        (3,)
        """
        return self._drawn("gamma", shape, scale, size=size)

    def geometric(self, p: Any, size: Size = None) -> Tensor:
        """Return random integers of the geometric distribution. A new tensor.

        Trials until one succeeds.

        >>> import strided
        >>> strided.random.default_rng(0).geometric(0.5, size=3).shape
        (3,)
        """
        return self._drawn("geometric", p, size=size)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None) -> Tensor:
        """Return random numbers of the Gumbel distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).gumbel(size=3).shape
        (3,)
        """
        return self._drawn("gumbel", loc, scale, size=size)

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Size = None) -> Tensor:
        """Return random integers of the hypergeometric distribution. A new tensor.

        Draws without return.

        >>> import strided
        >>> strided.random.default_rng(0).hypergeometric(5, 5, 3, size=3).shape
        (3,)
        """
        return self._drawn("hypergeometric", ngood, nbad, nsample, size=size)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None) -> Tensor:
        """Return random numbers of the Laplace distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).laplace(size=3).shape
        (3,)
        """
        return self._drawn("laplace", loc, scale, size=size)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None) -> Tensor:
        """Return random numbers of the logistic distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).logistic(size=3).shape
        (3,)
        """
        return self._drawn("logistic", loc, scale, size=size)

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Size = None) -> Tensor:
        """Return random numbers of the log-normal distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).lognormal(size=3).shape
        (3,)
        """
        return self._drawn("lognormal", mean, sigma, size=size)

    def logseries(self, p: Any, size: Size = None) -> Tensor:
        """Return random integers of the logarithmic series distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).logseries(0.5, size=3).shape
        (3,)
        """
        return self._drawn("logseries", p, size=size)

    def multinomial(self, n: Any, pvals: Any, size: Size = None) -> Tensor:
        """Return random integers of the multinomial distribution. A new tensor.

        Counts that add up to n.

        >>> import strided
        >>> strided.random.default_rng(0).multinomial(5, [0.5, 0.5], size=3).shape
        (3, 2)
        """
        return self._drawn("multinomial", n, pvals, size=size)

    def multivariate_normal(self, mean: Any, cov: Any, size: Size = None) -> Tensor:
        """Return random numbers of the normal distribution of vectors. A new tensor.

        >>> import strided
        >>> rng = strided.random.default_rng(0)
        >>> rng.multivariate_normal([0, 0], [[1, 0], [0, 1]], size=3).shape
        (3, 2)
        """
        return self._drawn("multivariate_normal", mean, cov, size=size)

    def negative_binomial(self, n: Any, p: Any, size: Size = None) -> Tensor:
        """Return random integers of the negative binomial distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).negative_binomial(3, 0.5, size=3).shape
        (3,)
        """
        return self._drawn("negative_binomial", n, p, size=size)

    def noncentral_chisquare(self, df: Any, nonc: Any, size: Size = None) -> Tensor:
        """Return random numbers of the noncentral chi-square distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).noncentral_chisquare(2, 1, size=3).shape
        (3,)
        """
        return self._drawn("noncentral_chisquare", df, nonc, size=size)

    def noncentral_f(self, dfnum: Any, dfden: Any, nonc: Any, size: Size = None) -> Tensor:
        """Return random numbers of the noncentral F distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).noncentral_f(2, 3, 1, size=3).shape
        (3,)
        """
        return self._drawn("noncentral_f", dfnum, dfden, nonc, size=size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None) -> Tensor:
        """Return random numbers of the normal distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).normal(5.0, 2.0, size=3).shape
        (3,)
        """
        return self._drawn("normal", loc, scale, size=size)

    def pareto(self, a: Any, size: Size = None) -> Tensor:
        """Return random numbers of the Pareto distribution of the second kind. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).pareto(3, size=3).shape
        (3,)
        """
        return self._drawn("pareto", a, size=size)

    def poisson(self, lam: Any = 1.0, size: Size = None) -> Tensor:
        """Return random integers of the Poisson distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).poisson(4.0, size=3).shape
        (3,)
        """
        return self._drawn("poisson", lam, size=size)

    def power(self, a: Any, size: Size = None) -> Tensor:
        """Return random numbers of the power distribution on 0 to 1. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).power(3, size=3).shape
        (3,)
        """
        return self._drawn("power", a, size=size)

    def rayleigh(self, scale: Any = 1.0, size: Size = None) -> Tensor:
        """Return random numbers of the Rayleigh distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).rayleigh(size=3).shape
        (3,)
        """
        return self._drawn("rayleigh", scale, size=size)

    def standard_cauchy(self, size: Size = None) -> Tensor:
        """Return random numbers of the standard Cauchy distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).standard_cauchy(size=3).shape
        (3,)
        """
        return self._drawn("standard_cauchy", size=size)

    def standard_t(self, df: Any, size: Size = None) -> Tensor:
        """Return random numbers of Student's t distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).standard_t(5, size=3).shape
        (3,)
        """
        return self._drawn("standard_t", df, size=size)

    def triangular(self, left: Any, mode: Any, right: Any, size: Size = None) -> Tensor:
        """Return random numbers of the triangular distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).triangular(0, 1, 3, size=3).shape
        (3,)
        """
        return self._drawn("triangular", left, mode, right, size=size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Size = None) -> Tensor:
        """Return random numbers of the uniform distribution from low up to high. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).uniform(-1, 1, size=3).shape
        (3,)
        """
        return self._drawn("uniform", low, high, size=size)

    def vonmises(self, mu: Any, kappa: Any, size: Size = None) -> Tensor:
        """Return random numbers of the von Mises distribution on the circle. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).vonmises(0, 1, size=3).shape
        (3,)
        """
        return self._drawn("vonmises", mu, kappa, size=size)

    def wald(self, mean: Any, scale: Any, size: Size = None) -> Tensor:
        """Return random numbers of the Wald distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).wald(1, 1, size=3).shape
        (3,)
        """
        return self._drawn("wald", mean, scale, size=size)

    def weibull(self, a: Any, size: Size = None) -> Tensor:
        """Return random numbers of the Weibull distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).weibull(2, size=3).shape
        (3,)
        """
        return self._drawn("weibull", a, size=size)

    def zipf(self, a: Any, size: Size = None) -> Tensor:
        """Return random integers of the Zipf distribution. A new tensor.

        >>> import strided
        >>> strided.random.default_rng(0).zipf(2, size=3).shape
        (3,)
        """
        return self._drawn("zipf", a, size=size)

    def multivariate_hypergeometric(
        self, colors: Any, nsample: int, size: Size = None, method: str = "marginals"
    ) -> Tensor:
        """Return how many of each color are drawn without return. A new tensor.

        >>> import strided
        >>> rng = strided.random.default_rng(0)
        >>> rng.multivariate_hypergeometric([3, 5], 4, size=2).shape
        (2, 2)
        """
        return self._drawn("multivariate_hypergeometric", colors, nsample, size=size, method=method)
