"""NumPy's names give NumPy's values, on tensors of any strides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import strided

_RANDOM = numpy.random.default_rng(11)
_A = _RANDOM.standard_normal((6, 8))
_N = numpy.where(_RANDOM.random((6, 8)) < 0.3, numpy.nan, _A)
_Z = _RANDOM.standard_normal((6, 8)) + 1j * _RANDOM.standard_normal((6, 8))
_I = _RANDOM.integers(-5, 6, (6, 8))
ARRAYS: dict[str, Any] = {"a": _A, "n": _N, "z": _Z, "i": _I, "b": _I > 0}
LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "whole": lambda x: x,
    "transposed": lambda x: x.T,
    "stepped": lambda x: x[::2, ::-2],
}

# np: the library; a: floats, n: with NaN, z: complex, i: integers, b: bool. Expressions.
CALLS = """
np.append(a, i)
np.append(a, a, axis=1)
np.atleast_1d(a[0, 0], a)
np.atleast_2d(a[0])
np.atleast_3d(a, a[0])
np.block([[a, a], [a[:1], a[:1]]])
np.block([a[0], 1.0, a[1]])
np.column_stack([a[0], a[:2].T])
np.hstack([a[0], a[1]])
np.vstack([a[0], a])
np.dstack([a[0], a[1]])
np.dstack([a, a])
np.delete(a, [0, -1], axis=1)
np.delete(a, slice(0, None, 2), axis=0)
np.delete(a, -1)
np.delete(a[0], np.asarray(a[0] > 0))
np.insert(a, 1, 5.0, axis=1)
np.insert(a, [0, 2], 7.0, axis=0)
np.insert(a[0], [1, 1, 2], [1.0, 2.0, 3.0])
np.insert(a, 2, a[0], axis=0)
np.insert(a, -1, 0)
np.resize(a, (3, 5))
np.resize(a, 2)
np.array_split(a, 4, axis=1)
np.trim_zeros(np.hstack([a[0] * 0, a[0], 0.0]))
np.rollaxis(np.stack([a, a]), 2)
np.rollaxis(np.stack([a, a]), 0, 3)
np.pad(a, 2)
np.pad(a, ((1, 2), (0, 3)), constant_values=((1, 2), (3, 4)))
np.pad(a, 3, "edge")
np.pad(a, (2, 1), "reflect")
np.pad(a, 2, "reflect", reflect_type="odd")
np.pad(a, ((9, 9), (9, 9)), "wrap")
np.pad(a, 9, "symmetric")
np.pad(a, 2, "linear_ramp", end_values=3.0)
np.pad(a, 2, "maximum")
np.pad(a, 2, "mean", stat_length=2)
np.pad(a, 2, "median")
np.pad(a, 2, "minimum")
np.pad(a, {1: (1, 2)})
np.diag(a)
np.diag(a, 2)
np.diag(a[0], -1)
np.diagflat(a, 1)
np.trace(a, 1)
np.identity(3, dtype=np.float64)
np.tri(3, 5, 1, dtype=np.float64)
np.tril_indices(4, 1, 3)
np.triu_indices(3, -1)
np.tril_indices_from(a)
np.triu_indices_from(a, 2)
np.diag_indices(3, 3)
np.mask_indices(3, np.triu, 1)
np.vander(a[0], 3)
np.vander(i[0], increasing=True)
np.logspace(0, 3, 5, base=2.0, dtype=np.float64)
np.geomspace(2.0, 32.0, 5, dtype=np.float64)
np.indices((2, 3, 4))
np.indices((2, 3), sparse=True)
np.fromfunction(lambda p, q: p * 10 + q, (2, 3), dtype=int)
np.ix_([0, 2], [True, False, True])
np.unravel_index([5, 11], (3, 4))
np.unravel_index(7, (3, 4), order="F")
np.ravel_multi_index(([0, 2], [1, 3]), (3, 4))
np.ravel_multi_index(([4, -1], [1, 9]), (3, 4), mode=("wrap", "clip"))
np.r_[a[0], 1.0, 2:5]
np.r_["-1", a, a]
np.r_["0,2", a[0], a[1]]
np.c_[a[0], a[1]]
np.c_[a, a]
np.mgrid[1:4, 0:6:2]
np.ogrid[1:4, 0:6:2]
np.average(a, axis=1)
np.average(a, weights=abs(a))
np.average(a, axis=0, weights=np.arange(1, len(a) + 1), returned=True)
np.ptp(a, axis=1, keepdims=True)
np.ptp(i)
np.cov(a)
np.cov(a, rowvar=False)
np.cov(a, bias=True)
np.cov(a, ddof=0)
np.cov(a[0], a[1])
np.cov(a, fweights=np.arange(1, a.shape[1] + 1))
np.cov(a, aweights=abs(a[0]))
np.cov(a[0])
np.cov(z)
np.corrcoef(a)
np.corrcoef(z)
np.nanmedian(n)
np.nanmedian(n, axis=0)
np.nanmedian(n, axis=(0, 1), keepdims=True)
np.nanprod(n, axis=1)
np.nancumsum(n)
np.nancumprod(n, axis=0)
np.nanvar(n, axis=1)
np.nanstd(n, ddof=1)
np.nanvar(z)
np.nanargmax(n)
np.nanargmin(n[:, :1] * 0 + a, axis=1) if not np.isnan(n[:, 0]).any() else np.nanargmin(a, axis=1)
np.quantile(a, 0.3)
np.quantile(a, [0.0, 0.5, 1.0], axis=1)
np.quantile(a, 0.25, axis=(0, 1), keepdims=True)
np.quantile(a, 0.4, axis=0, method="lower")
np.quantile(a, 0.4, axis=0, method="higher")
np.quantile(a, 0.4, axis=0, method="nearest")
np.quantile(a, 0.4, axis=0, method="midpoint")
np.quantile(a, 0.4, axis=0, method="hazen")
np.quantile(n, 0.4, axis=0)
np.percentile(a, [10, 90], axis=0)
np.nanquantile(n, 0.7)
np.nanpercentile(n, [10, 60], axis=1)
np.histogram2d(a[0], a[1], bins=3)
np.histogram2d(a[0], a[1], bins=[2, 3], range=[[-1, 1], [-2, 2]], density=True)
np.histogramdd(a[:, :2], bins=2)
np.histogram_bin_edges(a, bins="auto")
np.digitize(a, [-1.0, 0.0, 1.0])
np.digitize(a, [1.0, 0.0, -1.0], right=True)
np.convolve(a[0], a[1, :3])
np.convolve(a[1, :3], a[0], "same")
np.convolve(i[0], i[1], "valid")
np.correlate(a[0], a[1, :2], "full")
np.correlate(z[0], z[1, :2], "same")
np.ediff1d(a, to_begin=[1.0], to_end=[2.0, 3.0])
np.gradient(a)
np.gradient(a, 2.0, axis=1)
np.gradient(a, axis=0, edge_order=2) if len(a) > 2 else 0
np.gradient(a[0], np.cumsum(abs(a[0])))
np.gradient(a[0], np.cumsum(abs(a[0])), edge_order=2)
np.trapezoid(a, axis=0)
np.trapezoid(a, dx=0.5)
np.trapezoid(a, np.cumsum(abs(a), 1))
np.interp(a, [-1.0, 0.0, 1.0], [3.0, 1.0, 2.0])
np.interp(a, [-1.0, 0.0, 1.0], [3.0, 1.0, 2.0], left=-9.0, right=9.0)
np.interp(a * 5, [0.0, 1.0, 2.5], [3.0, 1.0, 2.0], period=3.0)
np.interp(0.5, [0.0, 0.5, 0.5, 1.0], [0.0, 1.0, 2.0, 3.0])
np.unwrap(a * 5)
np.unwrap(a * 5, axis=0, period=3.0)
np.unwrap(i[0], period=4)
np.cross(a[:, :3], a[:1, :3], axis=-1)
np.cross(a[:3], a[:3], axis=0)
np.union1d(i, [7, 0])
np.intersect1d(i[0], i[1])
np.intersect1d(i[0], [0, 1, 2, 3], return_indices=True)
np.setdiff1d(i, [0, 1])
np.setxor1d(i[0], i[1])
np.isin(i, [0, 1])
np.lexsort((i[0], i[1]))
np.partition(a, 2)[:, 2]
np.sort(np.partition(a, 1, axis=0)[:2], axis=0)
np.argpartition(a, 0)[:, 0]
np.sort_complex(z[0])
np.sort_complex(i[0])
np.unique(i, return_index=True, return_inverse=True, return_counts=True)
np.select([a > 0, a < -1], [a, 2 * a])
np.select([i > 0], [i], default=0.5)
np.choose(abs(i) % 3, [a, 2 * a, 3 * a])
np.choose([1, 4, -1], [[1, 2, 3], [4, 5, 6]], mode="wrap")
np.choose([1, 4, -1], [[1, 2, 3], [4, 5, 6]], mode="clip")
np.piecewise(a, [a < 0, a > 1], [lambda x: -x, lambda x: x * x, 0.5])
np.piecewise(a[0], a[0] < 0, [1.0, 2.0])
np.extract(b, a)
np.compress([True, False, True], a, axis=0)
np.compress([False, True], a)
np.apply_along_axis(lambda x: x * 2, 0, a)
np.apply_along_axis(lambda x: x.sum(), 1, a)
np.apply_over_axes(np.sum, a, [0, 1])
np.vectorize(lambda p, q: p + 2 * q)(i, 3)
np.poly([1.0, -2.0, 3.0])
np.polyval([1.0, 2.0, 3.0], a)
np.polyfit(a[0], a[1], 2)
np.polyadd([1, 2], [3, 4, 5])
np.polysub([1, 2], [3, 4, 5])
np.polymul([1.0, 2.0], a[0])
np.polydiv(a[0], [1.0, 2.0])
np.polyder([1.0, 2.0, 3.0], 2)
np.polyint([1.0, 2.0], k=3.0)
np.sort_complex(np.roots([1.0, 0.0, 1.0]))
np.iscomplex(z)
np.isreal(z)
np.real_if_close(z.real + 0j)
np.array_equiv(a, np.stack([a, a]))
np.bitwise_count(i)
np.cbrt(a)
np.fabs(a)
np.frexp(a)
np.modf(a)
np.divmod(a, 0.7)
np.rint(a * 3)
np.round(a, 2)
np.round(a * 100, -1)
np.round(i * 37, -1)
np.packbits(b, axis=1)
np.packbits(b)
np.unpackbits(np.packbits(b), count=5)
np.spacing(a)
np.ldexp(a, 3)
np.add.reduce(a, axis=1)
np.multiply.accumulate(a, axis=0)
np.subtract.outer(a[0], a[1])
np.add.reduceat(a[0], [0, 2])
np.array(a, ndmin=3)
np.asanyarray(a)
np.asarray_chkfinite(a)
np.asfortranarray(a)
np.ascontiguousarray(a)
np.require(a, requirements=["C", "W"])
np.copy(a)
np.shape(a), np.ndim(a), np.size(a), np.size(a, 0)
np.iscomplexobj(z), np.isrealobj(z), np.isfortran(a.T), np.isscalar(3)
np.issubdtype(a.dtype, np.floating), np.issubdtype(i.dtype, np.inexact)
np.array2string(i), np.binary_repr(9, 6), np.base_repr(30, 7)
np.format_float_positional(0.25), np.format_float_scientific(1234.5)
list(np.ndindex(2, 1)), list(np.ndindex((1, 2)))
[float(x) for x in a.flat], len(a.flat)
a.flat[3], a.flat[1:7:2]
a.flags.c_contiguous, a.flags.f_contiguous, a.flags["WRITEABLE"]
(abs(i) % 3).choose([a, 2 * a, 3 * a])
a.compress([True, False, True], 0)
np.lib.stride_tricks.sliding_window_view(a, (2, 2))
np.lib.stride_tricks.sliding_window_view(a, 2, axis=1)
np.float32(1.5), np.int64(3), np.float64(a)
np.fft.fft2(a), np.fft.irfft2(np.fft.rfft2(a))
np.linalg.norm(a), np.linalg.norm(a, 1), np.linalg.norm(a, axis=0), np.linalg.norm(a, "nuc")
np.linalg.matrix_power(i[:3, :3], 3)
"""

LINES = CALLS.strip().splitlines()


def same(there: Any, here: Any) -> None:
    """Assert that values, shapes and kinds are equal."""
    if isinstance(there, (tuple, list)) and not isinstance(here, strided.Tensor):
        assert len(there) == len(here)
        for pair in zip(there, here, strict=True):
            same(*pair)
    elif isinstance(there, (str, type(None))):
        assert there == here
    else:
        theirs, ours = numpy.asarray(there), numpy.asarray(here)
        assert theirs.shape == ours.shape
        assert theirs.dtype.kind == ours.dtype.kind
        # Integers take float32 here.
        single = ours.dtype.name in ("float32", "complex64")
        rtol = 1e-5 if single else 1e-10
        assert numpy.allclose(theirs, ours, rtol=rtol, atol=rtol, equal_nan=True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("line", LINES)
def test_values(line: str, layout: str) -> None:
    theirs = {name: LAYOUTS[layout](array) for name, array in ARRAYS.items()}
    ours = {name: LAYOUTS[layout](strided.tensor(array)) for name, array in ARRAYS.items()}
    code = compile(line, line, "eval")
    with numpy.errstate(all="ignore"):
        same(eval(code, {"np": numpy, **theirs}), eval(code, {"np": strided, **ours}))


# ---- what is written in place, through views ----

WRITES = """
np.fill_diagonal(x, 7.0)
np.fill_diagonal(x.T, 7.0, wrap=True)
np.fill_diagonal(x, [1.0, 2.0])
np.place(x, x > 0, [1.0, 2.0, 3.0])
np.putmask(x, x > 0, [1.0, 2.0, 3.0])
np.putmask(x, x > 0, x * 10)
np.put(x, [0, 5, -1], [1.0, 2.0])
np.put(x, [100, -100], 3.0, mode="clip")
np.copyto(x, x[0])
np.copyto(x, 5.0, where=x > 0)
np.add.at(x, ([0, 0, 1], [1, 1, 0]), 1.0)
x.fill(3.0)
x.partition(1)
x.flat[2:7] = [1.0, 2.0]
x.flat[0] = 9.0
x.flat = [1.0, 2.0, 3.0]
"""


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("line", WRITES.strip().splitlines())
def test_writes(line: str, layout: str) -> None:
    theirs, ours = _A.copy(), strided.tensor(_A)
    for library, whole in ((numpy, theirs), (strided, ours)):
        exec(line, {"np": library, "x": LAYOUTS[layout](whole)})
    if "partition" in line:
        theirs, ours = numpy.sort(theirs), strided.sort(ours)
    assert numpy.array_equal(theirs, ours.numpy())


# ---- memory ----


def test_views_are_views() -> None:
    x = strided.arange(24.0).reshape(4, 6)
    for view in (
        strided.diag(x),
        strided.rollaxis(x, 1),
        strided.array_split(x, 3)[1],
        strided.atleast_3d(x),
        strided.trim_zeros(x[1]),
        x.flat(3),
    ):
        assert view.shares_storage(x)


def test_refusals() -> None:
    x = strided.arange(6.0).reshape(2, 3)
    for call, error in (
        (lambda: strided.percentile(x, 101), strided.InvalidArgument),
        (lambda: strided.delete(x, 9, axis=1), IndexError),
        (lambda: strided.insert(x, 9, 0.0, axis=1), IndexError),
        (lambda: strided.choose([5], [[1], [2]]), strided.InvalidArgument),
        (lambda: strided.pad(x, -1), strided.InvalidArgument),
        (lambda: strided.pad(x, 1, "constant", end_values=3), strided.InvalidArgument),
        (lambda: strided.average(x, weights=[1.0]), strided.ShapeMismatch),
        (lambda: strided.average(x, weights=x * 0), ZeroDivisionError),
        (lambda: strided.nanargmax(x * float("nan")), strided.InvalidArgument),
        (lambda: strided.gradient(x, edge_order=3), strided.InvalidArgument),
        (lambda: strided.interp(x, [0.0, 1.0], [1.0]), strided.ShapeMismatch),
        (lambda: strided.asarray_chkfinite([float("nan")]), strided.InvalidArgument),
        (lambda: strided.histogram2d(x.requires_grad_(), x), strided.GradientNotPossible),
    ):
        with pytest.raises(error):
            call()
