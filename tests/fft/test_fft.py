"""strided.fft against NumPy: any strides, lengths, axes and norms; precision, refusals, copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.compare import COMPLEX, FLOATS, HALVES, assert_same, dtype_of

import strided
from strided import fft

ROUNDING = {"float32": 1e-5, "complex64": 1e-5, "float64": 1e-13, "complex128": 1e-13}
NORMS = ("backward", "ortho", "forward")
# What each takes; "fc": real numbers too.
TAKES = {"fft": "fc", "ifft": "fc", "irfft": "fc", "hfft": "fc", "rfft": "f", "ihfft": "f"}
TAKES_MANY = {"fftn": "fc", "ifftn": "fc", "irfftn": "fc", "rfftn": "f"}
PAIRS = [("fft", "ifft"), ("rfft", "irfft"), ("hfft", "ihfft")]

LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "row-major": lambda x: x,
    "permuted": lambda x: x.permute(2, 0, 1),
    "flipped": lambda x: x.flip((0, 2)),
    "stepped": lambda x: x[:, ::2, 1:],
    "expanded": lambda x: x[:1].expand(3, -1, -1),
}


def numbers(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    chance = np.random.default_rng(0)
    array = chance.standard_normal(shape)
    if dtype in COMPLEX:
        array = array + 1j * chance.standard_normal(shape)
    return array.astype(dtype)


def dtypes(takes: str) -> tuple[str, ...]:
    return FLOATS if takes == "f" else (*FLOATS, *COMPLEX)


def expected_of(name: str, a: np.ndarray, **named: Any) -> np.ndarray:
    """Return NumPy's answer in the precision of the input, whatever NumPy computes in."""
    result: np.ndarray = getattr(np.fft, name)(a, **named)
    single = a.dtype in (np.float32, np.complex64)
    names = ("complex64", "float32") if single else ("complex128", "float64")
    return result.astype(names[0] if result.dtype.kind == "c" else names[1])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", TAKES)
def test_one_axis(name: str, layout: str) -> None:
    for dtype in dtypes(TAKES[name]):
        x = LAYOUTS[layout](strided.tensor(numbers((3, 4, 6), dtype)))
        a = np.asarray(x)
        for axis in (-1, 0, 1):
            for n in (None, 1, 3, 9):
                for norm in NORMS:
                    named = {"n": n, "axis": axis, "norm": norm}
                    expected = expected_of(name, a, **named)
                    found = getattr(fft, name)(x, **named)
                    assert_same(found, expected, ROUNDING[dtype], where=(name, layout, named))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", TAKES_MANY)
def test_many_axes(name: str, layout: str) -> None:
    for dtype in dtypes(TAKES_MANY[name]):
        x = LAYOUTS[layout](strided.tensor(numbers((3, 4, 6), dtype)))
        a = np.asarray(x)
        for axes, s in [
            (None, None),
            ((0, 2), None),
            ((-1, 1), (3, 5)),
            ([2], [4]),
            ((0, 1), (2, 7)),
        ]:
            for norm in NORMS:
                expected = expected_of(name, a, s=s, axes=axes, norm=norm)
                found = getattr(fft, name)(x, s=s, axes=axes, norm=norm)
                assert_same(found, expected, ROUNDING[dtype], where=(name, layout, axes, s, norm))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("there", "back"), PAIRS)
def test_there_and_back(there: str, back: str, norm: str) -> None:
    a = numbers((3, 7), "float64")
    x = strided.tensor(a)
    first, second = (back, there) if there == "hfft" else (there, back)
    again = getattr(fft, second)(getattr(fft, first)(x, norm=norm), n=7, norm=norm)
    assert_same(strided.real(again) if again.dtype.kind == "c" else again, a, 1e-13)


def test_minus_one_keeps_a_length() -> None:
    x = strided.tensor(numbers((3, 4), "complex128"))
    found = fft.fftn(x, s=(-1, 6), axes=(0, 1))
    assert_same(found, np.fft.fftn(np.asarray(x), s=(3, 6), axes=(0, 1)), 1e-13)


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_frequencies(n: int) -> None:
    for d in (1.0, 0.3):
        assert_same(fft.fftfreq(n, d=d, dtype=strided.float64), np.fft.fftfreq(n, d), 1e-15)
        assert_same(fft.rfftfreq(n, d=d, dtype=strided.float64), np.fft.rfftfreq(n, d), 1e-15)
        assert_same(fft.fftfreq(n, d=d), np.fft.fftfreq(n, d).astype("float32"), 1e-7)
    assert fft.rfftfreq(n).dtype is strided.float32


@pytest.mark.parametrize("axes", [None, 0, -1, (0, 1), [1]])
def test_shifts(axes: Any) -> None:
    a = np.arange(15).reshape(3, 5)
    x = strided.tensor(a)
    assert_same(fft.fftshift(x, axes=axes), np.fft.fftshift(a, axes))
    assert_same(fft.ifftshift(x, axes=axes), np.fft.ifftshift(a, axes))
    assert_same(fft.ifftshift(fft.fftshift(x, axes=axes), axes=axes), a)


@pytest.mark.parametrize("dtype", HALVES)
def test_half_precision_is_computed_in_single(dtype: str) -> None:
    x = strided.tensor([1.0, 1.0], dtype=dtype_of(dtype))
    assert fft.rfft(x).tolist() == [2 + 0j, 0j]
    assert fft.rfft(x).dtype is strided.complex64


def test_nothing_is_copied_on_the_way() -> None:
    x = strided.tensor(numbers((4, 6), "complex128")).mT.flip(0)[1:]
    with strided.trace_copies() as report:
        for name in ("fft", "ifft", "irfft", "hfft"):
            getattr(fft, name)(x)
        fft.fftn(x)
        fft.fftfreq(7)
        fft.rfftfreq(7)
    assert report.count == 0


COMPLEX_ONES = strided.ones(3, dtype=strided.complex64)
REFUSALS: list[tuple[type[strided.StridedError], Callable[[], Any]]] = [
    (strided.DTypeMismatch, lambda: fft.fft(strided.arange(3))),
    (strided.DTypeMismatch, lambda: fft.rfft(COMPLEX_ONES)),
    (strided.DTypeMismatch, lambda: fft.fftfreq(3, dtype=strided.int64)),
    (strided.InvalidArgument, lambda: fft.fft(COMPLEX_ONES, n=0)),
    (strided.InvalidArgument, lambda: fft.fft(strided.zeros(0))),
    (strided.InvalidArgument, lambda: fft.irfft(strided.zeros(1))),
    (strided.InvalidArgument, lambda: fft.irfftn(strided.zeros(2, 1))),
    (strided.InvalidArgument, lambda: fft.fft(COMPLEX_ONES, norm="none")),
    (strided.InvalidArgument, lambda: fft.fftn(COMPLEX_ONES, s=(3,))),
    (strided.InvalidArgument, lambda: fft.fftn(COMPLEX_ONES, s=(3, 3), axes=(0,))),
    (strided.InvalidArgument, lambda: fft.fftfreq(0)),
    (strided.InvalidArgument, lambda: fft.fftfreq(3, device="cuda")),
    (strided.InvalidDimension, lambda: fft.fft(COMPLEX_ONES, axis=1)),
    (strided.InvalidDimension, lambda: fft.fftshift(COMPLEX_ONES, axes=1)),
    (strided.InvalidDimension, lambda: fft.fft(strided.zeros(()))),
]


@pytest.mark.parametrize(("error", "call"), REFUSALS)
def test_refusals(error: type[strided.StridedError], call: Callable[[], Any]) -> None:
    with pytest.raises(error):
        call()
