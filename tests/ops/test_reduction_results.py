"""Where results of reductions go, norms of every order, NaN passed over, bytes that are no bool."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from support.compare import COMPLEX, FLOATS, HALVES, INTS, as_numpy, assert_same, dtype_of, kind_of
from support.layouts import NONEMPTY, laid
from support.op_reference import PLAIN

import strided

# ---- out ----

CALLS: dict[str, tuple[Any, ...]] = {
    "sum": (1,),
    "prod": (1,),
    "mean": (1,),
    "any": (1,),
    "all": (1,),
    "count_nonzero": (1,),
    "amin": (1,),
    "amax": (1,),
    "argmin": (1,),
    "argmax": (1,),
    "var": (1,),
    "std": (1,),
    "norm": (2, 1),
    "logsumexp": (1,),
    "cumsum": (1,),
    "cumprod": (1,),
}


@pytest.mark.parametrize("name", CALLS)
def test_out(name: str) -> None:
    x = strided.arange(12.0).reshape(3, 4).T
    plain = getattr(x, name)(*CALLS[name])
    # Side by side, with gaps, from the other end, in another dtype.
    room = strided.zeros(*(2 * n for n in plain.shape), dtype=plain.dtype)
    gaps = room[tuple(slice(None, None, 2) for _ in plain.shape)]
    for out in (strided.empty_like(plain), gaps, gaps.flip(0), strided.empty(plain.shape)):
        version = out._version
        assert getattr(x, name)(*CALLS[name], out=out) is out
        assert out._version > version
        assert as_numpy(out).tolist() == as_numpy(plain).tolist()
    assert room[tuple(slice(1, None, 2) for _ in plain.shape)].count_nonzero().item() == 0
    with pytest.raises(strided.ShapeMismatch):
        getattr(x, name)(*CALLS[name], out=strided.empty(5, 5))
    with pytest.raises(TypeError):
        getattr(x, name)(*CALLS[name], out=[0.0])
    read_only = strided.from_numpy(np.frombuffer(bytes(plain.nbytes), "uint8"))
    with pytest.raises(strided.ReadOnlyTensor):
        getattr(x, name)(*CALLS[name], out=read_only.view(plain.dtype).reshape(plain.shape))
    if plain.dtype.is_floating_point:
        with pytest.raises(strided.DTypeMismatch):
            getattr(x, name)(*CALLS[name], out=strided.empty(plain.shape, dtype=strided.int64))


def test_out_that_is_read_meanwhile() -> None:
    a = np.arange(12.0).reshape(3, 4)
    x = strided.from_numpy(a.copy())
    x.sum(0, out=x[1])
    assert_same(x[1], a.sum(axis=0))
    x = strided.from_numpy(a.copy())
    x.cumsum(1, out=x.T.contiguous().T)
    x.cumsum(1, out=x)
    assert_same(x, np.cumsum(a, axis=1))
    x.cumsum(0, out=x.flip(0))
    assert_same(x.flip(0), np.cumsum(np.cumsum(a, axis=1), axis=0))
    out = strided.zeros(3, 1, dtype=strided.float64)
    assert x.amax(1, keepdim=True, out=out) is out


def test_arguments() -> None:
    x = strided.arange(6.0).reshape(2, 3)
    for name in ("sum", "prod", "mean", "amin", "amax", "any", "all", "count_nonzero"):
        method = getattr(x, name)
        expected = method(1, True).tolist()
        for keywords in ({"dim": 1, "keepdim": True}, {"axis": 1, "keepdims": True}):
            assert method(**keywords).tolist() == expected
        for wrong in ({"dim": 1, "axis": 1}, {"keepdim": object()}, {"dims": 1}, {"dtype": 3}):
            with pytest.raises(TypeError):
                method(**wrong)
        with pytest.raises(TypeError):
            method(1, True, None)
        assert method(()).tolist() == method(dim=[]).tolist()
    assert x.var(0, ddof=0).tolist() == x.var(0, correction=0).tolist()
    with pytest.raises(TypeError):
        x.var(0, ddof=0, correction=0)
    with pytest.raises(TypeError):
        x.var(0, 0)
    assert x.var(0, dtype=strided.float64).dtype is strided.float64
    assert x.max(axis=(0, 1)).item() == x.max(axis=None).item() == 5
    for method in (x.max, x.min):
        with pytest.raises(TypeError):
            method(1, out=strided.empty(2))
        assert method(axis=1, out=strided.empty(2)).shape == (2,)
        values, indices = method(dim=1, keepdim=True)
        assert values.shape == indices.shape == (2, 1)
    assert x.max(0).indices.tolist() == [1, 1, 1]
    assert x.aminmax(dim=1).max.tolist() == [2.0, 5.0]


# ---- smallest and largest together ----


@pytest.mark.parametrize("layout", NONEMPTY)
def test_aminmax_over_layouts(layout: str) -> None:
    for dtype in ("bool", *INTS, *FLOATS):
        x, a = laid(layout, PLAIN[kind_of(dtype)], dtype)
        for axis in (None, *range(a.ndim), tuple(range(a.ndim))):
            found = x.aminmax(axis)
            assert_same(found.min, np.asarray(a.min(axis=axis)), where=(dtype, layout, axis))
            assert_same(found.max, np.asarray(a.max(axis=axis)), where=(dtype, layout, axis))
    for name in COMPLEX:
        with pytest.raises(strided.DTypeMismatch):
            strided.ones(2, dtype=dtype_of(name)).aminmax()
    with pytest.raises(strided.InvalidArgument):
        strided.ones(2, 0).aminmax(dim=1)


# ---- norms ----


def norm_of(a: np.ndarray, p: float, axis: Any) -> np.ndarray:
    size = np.abs(a.astype("complex128" if a.dtype.kind == "c" else "float64"))
    if math.isinf(p):
        return np.asarray((np.max if p > 0 else np.min)(size, axis=axis))
    if p == 0:
        return np.asarray(np.sum(size != 0, axis=axis), "float64")
    with np.errstate(divide="ignore"):
        return np.asarray(np.sum(size**p, axis=axis) ** (1 / p))


@pytest.mark.parametrize("layout", NONEMPTY)
@pytest.mark.parametrize("p", [0, 0.5, 1, 2, 3, 4.5, -1, -2, math.inf, -math.inf])
def test_norms_over_layouts(p: float, layout: str) -> None:
    for dtype in ("int32", "uint8", "bool", *FLOATS, *COMPLEX):
        result = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
        result = result if kind_of(result) == "f" else "float32"
        x, a = laid(layout, PLAIN[kind_of(dtype)], dtype)
        for axis in (None, *range(a.ndim)):
            expected = norm_of(a, p, axis).astype(result)
            rtol = 3e-6 if result == "float32" else 1e-13
            assert_same(x.norm(p, axis), expected, rtol, where=(dtype, layout, axis))


def test_norms_of_halves_and_nothing() -> None:
    for name in HALVES:
        x = strided.tensor([3.0, -4.0, 0.0]).to(dtype_of(name))
        assert [x.norm(p).item() for p in (2, 1, math.inf, -math.inf, 0)] == [5, 7, 4, 0, 2]
        assert x.norm().dtype is dtype_of(name)
    empty = strided.zeros(0, 3)
    assert empty.norm().item() == empty.norm(1).item() == empty.norm(0).item() == 0
    assert empty.norm(2, 0).tolist() == [0.0] * 3
    assert empty.norm(math.inf).item() == 0  # nothing is the largest of no sizes
    assert strided.tensor([1e30, 1e30]).norm().item() == pytest.approx(math.sqrt(2) * 1e30)


def test_logsumexp() -> None:
    inf, nan = math.inf, math.nan
    rows = [[0.0, 1.0], [inf, 1.0], [-inf, 1.0], [-inf, -inf], [nan, 1.0], [inf, -inf], [1e4, -1e4]]
    expected = [math.log1p(math.e), inf, 1.0, -inf, nan, inf, 1e4]
    for dtype in FLOATS:
        x = strided.tensor(rows, dtype=dtype_of(dtype))
        for view, axis in ((x, 1), (x.T, 0), (x.T.contiguous(), 0), (x.T.contiguous().T, 1)):
            assert_same(view.logsumexp(axis), np.asarray(expected, dtype), 1e-6)
    assert strided.zeros(0).logsumexp(0).item() == -inf
    assert strided.arange(3).logsumexp(0).item() == pytest.approx(2.4076059644)
    long = np.random.default_rng(0).normal(0, 300, (70, 5000))
    for dtype, rtol in (("float32", 1e-6), ("float64", 1e-14)):
        a = long.astype(dtype)
        wide = a.astype("longdouble")
        for axis in (0, 1, None):
            top = wide.max(axis=axis, keepdims=True)
            made = np.log(np.exp(wide - top).sum(axis=axis)) + top.reshape(
                wide.max(axis=axis).shape
            )
            assert_same(strided.from_numpy(a).logsumexp(axis), np.asarray(made, dtype), rtol)


# ---- numbers only ----


def test_nan_is_passed_over() -> None:
    nan = math.nan
    a = np.array([[1.0, nan, -3.0, 8.0], [nan, nan, nan, nan], [5.0, 2.0, nan, -math.inf]])
    for dtype in (*FLOATS, *HALVES):
        x = strided.from_numpy(a).to(dtype_of(dtype))
        for view, b in ((x, a), (x.T, a.T), (x[:, ::2], a[:, ::2]), (x.flip(0), a[::-1])):
            for axis in (None, 0, 1):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of rows without a number
                    made = {
                        name: np.asarray(getattr(np, name)(b, axis=axis), "float32")
                        for name in ("nansum", "nanmean", "nanmin", "nanmax")
                    }
                for name, expected in made.items():
                    for got in (getattr(view, name)(axis), getattr(strided, name)(view, axis=axis)):
                        assert got.dtype is dtype_of(dtype)
                        assert_same(got.to(strided.float32), expected, 1e-2, where=(name, axis))
    whole = strided.tensor([[1, 2], [3, 4]])
    assert whole.nansum(0).tolist() == [4, 6]
    assert whole.nanmax().item() == 4
    assert whole.nanmean(1).tolist() == [1.5, 3.5]


@pytest.mark.parametrize("layout", NONEMPTY)
@pytest.mark.parametrize("name", ["nansum", "nanmean", "nanmin", "nanmax"])
def test_nan_is_passed_over_in_all_layouts(name: str, layout: str) -> None:
    for dtype in FLOATS:
        x, a = laid(layout, [1.5, math.nan, -2.0, math.nan, 0.25], dtype)
        for axis in (None, *range(a.ndim), tuple(range(a.ndim))):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = np.asarray(getattr(np, name)(a, axis=axis, keepdims=True), dtype)
            got = getattr(x, name)(axis, keepdim=True)
            assert_same(got, expected, 1e-6, where=(dtype, layout, axis))


# ---- axes ----

OVER_AXES = [name for name in CALLS if not name.startswith(("arg", "cum"))] + ["nansum", "nanmax"]


@pytest.mark.parametrize("name", [*CALLS, "nansum", "nanmax", "aminmax"])
def test_axes_out_of_range(name: str) -> None:
    x = strided.ones(2, 3)
    for axis in (2, -3, 1 << 40):
        with pytest.raises(strided.InvalidDimension):
            getattr(x, name)(dim=axis)
    with pytest.raises(strided.InvalidDimension):
        getattr(strided.ones(2, 0), name)(dim=2)
    with pytest.raises(TypeError):
        getattr(x, name)(dim=0.5)


@pytest.mark.parametrize("name", OVER_AXES)
def test_axes_named_twice(name: str) -> None:
    for axes in ((0, 0), (1, -1)):
        with pytest.raises(strided.DuplicateAxis):
            getattr(strided.ones(2, 3), name)(dim=axes)


@pytest.mark.parametrize("layout", NONEMPTY)
def test_functions_are_the_methods(layout: str) -> None:
    x, a = laid(layout, PLAIN["f"], "float32")
    for axis in (None, *range(-a.ndim, a.ndim), tuple(range(a.ndim))):
        for keep in (False, True):
            norm = strided.vector_norm(x, axis=axis, keepdims=keep, ord=3)
            assert_same(norm, as_numpy(x.norm(3, axis, keep)), where=(layout, axis))
            made = strided.logsumexp(x, axis=axis, keepdims=keep)
            assert_same(made, as_numpy(x.logsumexp(axis, keep)), where=(layout, axis))


# ---- bytes ----


def test_bools_may_be_any_byte() -> None:
    a = np.array([[0, 2, 0, 255], [1, 0, 7, 7], [0, 0, 0, 0]], "uint8")
    x = strided.from_numpy(a).view(strided.bool)
    for axis in (None, 0, 1):
        assert_same(x.sum(axis), np.sum(a != 0, axis=axis, dtype="int64"))
        assert_same(x.count_nonzero(axis), np.sum(a != 0, axis=axis, dtype="int64"))
        assert_same(x.any(axis), np.any(a, axis=axis))
        assert_same(x.all(axis), np.all(a, axis=axis))
        assert_same(x.amax(axis), np.any(a, axis=axis))
        assert_same(x.amin(axis), np.all(a, axis=axis))
        assert_same(x.argmax(axis), np.argmax(a != 0, axis=axis))
        assert_same(x.argmin(axis), np.argmin(a != 0, axis=axis))
        assert_same(x.prod(axis), np.prod(a != 0, axis=axis, dtype="int64"))
        assert_same(x.cumsum(axis), np.cumsum(a != 0, axis=axis, dtype="int64"))
    assert_same(x.mean(), np.float32(5 / 12), 1e-7)
