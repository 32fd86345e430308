"""Special functions by PyTorch's names: Bessel, error and gamma functions, polynomials.

What this package has, it computes in float64; names such as ``expit`` are other names of functions
of ``strided`` itself.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

from strided.ops.activations import logit
from strided.ops.activations import sigmoid as expit
from strided.ops.arithmetic import round
from strided.ops.define import DEFINITIONS as _DEFINITIONS
from strided.ops.statistics import logsumexp
from strided.ops.transcendental import (
    digamma,
    erf,
    erfc,
    exp2,
    expm1,
    log1p,
    sinc,
    xlogy,
)
from strided.ops.transcendental import lgamma as gammaln
from strided.special.functions import (
    airy_ai,
    bessel_j0,
    bessel_j1,
    bessel_y0,
    bessel_y1,
    chebyshev_polynomial_t,
    chebyshev_polynomial_u,
    chebyshev_polynomial_v,
    chebyshev_polynomial_w,
    entr,
    erfcx,
    erfinv,
    hermite_polynomial_h,
    hermite_polynomial_he,
    i0,
    i0e,
    i1,
    i1e,
    laguerre_polynomial_l,
    legendre_polynomial_p,
    log_ndtr,
    modified_bessel_k0,
    modified_bessel_k1,
    ndtr,
    ndtri,
    polygamma,
    scaled_modified_bessel_k0,
    scaled_modified_bessel_k1,
    spherical_bessel_j0,
    xlog1py,
    zeta,
)
from strided.special.functions import igamma as gammainc
from strided.special.functions import igammac as gammaincc
from strided.special.functions import mvlgamma as multigammaln

psi = digamma
modified_bessel_i0, modified_bessel_i1 = i0, i1
(
    shifted_chebyshev_polynomial_t,
    shifted_chebyshev_polynomial_u,
    shifted_chebyshev_polynomial_v,
    shifted_chebyshev_polynomial_w,
) = (_DEFINITIONS[f"special.shifted_chebyshev_polynomial_{letter}"].operation for letter in "tuvw")


def __getattr__(name: str) -> _Any:
    if name in ("softmax", "log_softmax"):
        return getattr(_import_module("strided.nn.activation"), name)
    raise AttributeError(f"module 'strided.special' has no attribute {name!r}")


__all__ = [
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "exp2",
    "expit",
    "expm1",
    "gammainc",
    "gammaincc",
    "gammaln",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
    "log1p",
    "log_ndtr",
    "log_softmax",
    "logit",
    "logsumexp",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "multigammaln",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "round",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
    "sinc",
    "softmax",
    "spherical_bessel_j0",
    "xlog1py",
    "xlogy",
    "zeta",
]


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
