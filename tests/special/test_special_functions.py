"""Special functions: identities that hold exactly or to the last digits, borders, dtypes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import strided as st
from strided import special

X = np.concatenate([np.linspace(-30, 30, 601), np.logspace(-6, 3, 60), -np.logspace(-6, 3, 60)])
POSITIVE = np.abs(X) + 1e-9


def _t(a: np.ndarray) -> st.Tensor:
    return st.asarray(np.ascontiguousarray(a))


def _close(got: st.Tensor, expected: object, rtol: float, atol: float = 0.0) -> None:
    np.testing.assert_allclose(got.numpy(), np.asarray(expected), rtol=rtol, atol=atol)


def test_bessel_functions_satisfy_their_wronskians() -> None:
    x = _t(POSITIVE)
    j = special.bessel_j1(x) * special.bessel_y0(x) - special.bessel_j0(x) * special.bessel_y1(x)
    _close(j * x, np.full(len(X), 2 / math.pi), 1e-8)
    k = special.i0e(x) * special.scaled_modified_bessel_k1(x)
    k = k + special.i1e(x) * special.scaled_modified_bessel_k0(x)
    _close(k * x, np.ones(len(X)), 1e-13)


def test_modified_bessel_functions_are_numpys() -> None:
    small = X[np.abs(X) < 500]
    _close(st.i0(_t(small)), np.i0(small), 1e-14)


@pytest.mark.parametrize("x", [-2.0, -0.75, -0.1, 0.0, 0.3, 0.9, 1 - 1e-10, -1 + 1e-14])
def test_erfinv_is_the_inverse(x: float) -> None:
    found = st.erfinv(st.tensor(x, dtype=st.float64)).item()
    if abs(x) > 1:
        assert math.isnan(found)
    else:
        assert math.erf(found) == pytest.approx(x, rel=1e-15)


def test_normal_distribution() -> None:
    p = np.concatenate([np.linspace(0.001, 0.999, 99), np.logspace(-200, -3, 50)])
    _close(special.ndtr(special.ndtri(_t(p))), p, 1e-10)
    x = np.linspace(-30, 5, 50)
    _close(special.log_ndtr(_t(x)).exp(), special.ndtr(_t(x)).numpy(), 1e-12, 1e-300)
    assert special.log_ndtr(st.tensor(-1e6, dtype=st.float64)).item() == pytest.approx(
        -0.5e12, rel=1e-9
    )
    _close(special.erfcx(_t(np.array([0.0, 30.0]))), [1, 0.018795888861416754], 1e-6)


def test_incomplete_gamma_functions() -> None:
    a, x = np.meshgrid(np.logspace(-1, 4, 25), np.logspace(-2, 4, 25))
    p, q = st.igamma(_t(a), _t(x)), st.igammac(_t(a), _t(x))
    _close(p + q, np.ones_like(a), 1e-12)
    _close(st.igammac(1.0, _t(POSITIVE[:50])), np.exp(-POSITIVE[:50]), 1e-12)
    _close(st.igamma(0.5, _t(POSITIVE[600:650])), _erf(np.sqrt(POSITIVE[600:650])), 1e-12)


def _erf(x: np.ndarray) -> np.ndarray:
    return np.array([math.erf(one) for one in x])


def test_polygamma_and_zeta() -> None:
    one = st.tensor(1.0, dtype=st.float64)
    assert special.zeta(2.0, one).item() == pytest.approx(math.pi**2 / 6, rel=1e-14)
    assert special.zeta(30.0, one).item() == pytest.approx(1 + 2**-30, rel=1e-12)
    assert st.polygamma(1, one).item() == pytest.approx(math.pi**2 / 6, rel=1e-14)
    x = _t(POSITIVE[::7])
    # psi_n(x + 1) - psi_n(x) = (-1)^n n! / x^(n + 1)
    for n in (1, 2, 3):
        step = st.polygamma(n, x + 1) - st.polygamma(n, x)
        expected = (-1) ** n * math.factorial(n) / POSITIVE[::7] ** (n + 1)
        _close(step, expected, 1e-7, 1e-12)
    assert special.zeta(0.5, one).isnan().item()
    assert special.zeta(1.0, one).isinf().item()


def test_polynomials_are_numpys() -> None:
    x = np.linspace(-1.2, 1.2, 25)
    of = np.polynomial
    for name, basis in (
        ("chebyshev_polynomial_t", of.chebyshev.chebval),
        ("hermite_polynomial_h", of.hermite.hermval),
        ("hermite_polynomial_he", of.hermite_e.hermeval),
        ("laguerre_polynomial_l", of.laguerre.lagval),
        ("legendre_polynomial_p", of.legendre.legval),
    ):
        for n in (0, 1, 2, 7):
            _close(getattr(special, name)(_t(x), n), basis(x, [0] * n + [1]), 1e-11, 1e-11)
    theta = np.linspace(0.1, 3, 20)
    _close(
        special.chebyshev_polynomial_u(_t(np.cos(theta)), 4),
        np.sin(5 * theta) / np.sin(theta),
        1e-10,
        1e-12,
    )
    assert special.shifted_chebyshev_polynomial_t(st.tensor([0.75]), 2).item() == -0.5


def test_dtypes_and_shapes() -> None:
    assert st.i0(st.arange(3)).dtype is st.float32
    assert st.i0(st.zeros(2, dtype=st.float16)).dtype is st.float16
    assert st.igamma(st.ones(2, 1), st.ones(3)).shape == (2, 3)
    assert st.i0(st.zeros(3, 2).T[:, ::2]).tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert st.erfinv(st.zeros(0)).shape == (0,)
    with pytest.raises(st.DTypeMismatch):
        st.i0(st.tensor([1j]))


def test_airy() -> None:
    x = np.array([-20.0, -9.0, -7.9, -2.33810741, 0.0, 1.0, 5.0, 50.0])
    expected = [
        *(-0.17640612707798468, -0.02213372154734647, -0.21024478929021646, 0.0),
        *(0.3550280538878172, 0.1352924163128814, 0.00010834442813607442, 0.0),
    ]
    _close(
        special.airy_ai(_t(x))[[1, 4, 5, 6, 7]], np.array(expected)[[1, 4, 5, 6, 7]], 1e-7, 1e-30
    )
