"""The namespace as the array API (2025.12) describes it: names, answers about itself, differences.

The public conformance suite tests far more (``make conformance``); these tests need nothing else.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.compare import COMPLEX, FLOATS, INTS, assert_same, dtype_of
from support.paths import ROOT

import strided
import strided as xp

NAMES = """
arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril
triu zeros zeros_like
astype can_cast finfo iinfo isdtype result_type
abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_invert
bitwise_or bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1
floor floor_divide greater greater_equal hypot imag isfinite isinf isnan less less_equal log log1p
log2 log10 logaddexp logical_and logical_not logical_or logical_xor maximum minimum multiply
negative nextafter not_equal positive pow real reciprocal remainder round sign signbit sin sinh
square sqrt subtract tan tanh trunc
take take_along_axis matmul matrix_transpose tensordot vecdot
broadcast_arrays broadcast_shapes broadcast_to concat expand_dims flip moveaxis permute_dims repeat
reshape roll squeeze stack tile unstack
argmax argmin count_nonzero nonzero searchsorted where
isin unique_all unique_counts unique_inverse unique_values argsort sort
cumulative_sum cumulative_prod max mean min prod std sum var all any diff
__array_namespace_info__ linalg fft
"""
LINALG = """
cholesky cross det diagonal eig eigh eigvals eigvalsh inv matmul matrix_norm matrix_power
matrix_rank matrix_transpose outer pinv qr slogdet solve svd svdvals tensordot trace vecdot
vector_norm
"""
FFT = """
fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift
"""
DTYPES = ("bool", *INTS, *FLOATS, *COMPLEX)
CONSTANTS = {"e": np.e, "inf": np.inf, "pi": np.pi, "newaxis": None}


@pytest.mark.parametrize(
    ("namespace", "names"), [(strided, NAMES), (strided.linalg, LINALG), (strided.fft, FFT)]
)
def test_names(namespace: Any, names: str) -> None:
    assert not [name for name in names.split() if not hasattr(namespace, name)]
    assert {name: getattr(strided, name) for name in CONSTANTS} == CONSTANTS
    assert np.isnan(strided.nan)


# ---- what it says about itself ----


def test_namespace_of_a_tensor() -> None:
    x = strided.zeros(1)
    assert x.__array_namespace__() is strided
    assert strided.__array_api_version__ == "2025.12"
    for revision in ("2021.12", "2024.12", strided.__array_api_version__):
        assert x.__array_namespace__(api_version=revision) is strided
    for unknown in ("2019.12", "2999.12", ""):
        with pytest.raises(strided.InvalidArgument):
            x.__array_namespace__(api_version=unknown)


def test_info() -> None:
    info = strided.__array_namespace_info__()
    assert info.capabilities() == {
        "boolean indexing": True,
        "data-dependent shapes": True,
        "max dimensions": 64,
    }
    assert info.devices() == (info.default_device(),) == ("cpu",)
    assert strided.zeros([1] * 64).ndim == 64
    with pytest.raises(strided.InvalidArgument):
        strided.zeros([1] * 65)
    for device in (None, *info.devices()):
        defaults = info.default_dtypes(device=device)
        assert defaults["real floating"] is strided.ones(1).dtype is strided.asarray(1.0).dtype
        assert defaults["complex floating"] is strided.asarray(1j).dtype
        assert defaults["integral"] is strided.asarray(1).dtype
        assert defaults["indexing"] is strided.argsort(strided.ones(1)).dtype
        assert list(info.dtypes(device=device)) == list(DTYPES)
    for kind, expected in {
        "bool": ("bool",),
        "signed integer": INTS[:4],
        "unsigned integer": INTS[4:],
        "integral": INTS,
        "real floating": FLOATS,
        "complex floating": COMPLEX,
        "numeric": (*INTS, *FLOATS, *COMPLEX),
        ("bool", "real floating"): ("bool", *FLOATS),
    }.items():
        assert tuple(info.dtypes(kind=kind)) == expected
    with pytest.raises(strided.InvalidArgument, match="must be one of bool, signed integer"):
        info.dtypes(kind="float")


DEVICE_TAKERS: list[Callable[[Any], Any]] = [
    lambda device: xp.asarray(1.0, device=device),
    lambda device: xp.zeros((2,), device=device),
    lambda device: xp.ones(2, device=device),
    lambda device: xp.full((2,), 1, device=device),
    lambda device: xp.empty_like(xp.ones(2), device=device),
    lambda device: xp.arange(3, device=device),
    lambda device: xp.linspace(0, 1, 3, device=device),
    lambda device: xp.eye(2, device=device),
    lambda device: xp.astype(xp.ones(2), xp.int8, device=device),
    lambda device: xp.from_dlpack(xp.ones(2), device=device),
    lambda device: xp.fft.fftfreq(4, device=device),
    lambda device: xp.ones(2).to_device(device),
    lambda device: xp.__array_namespace_info__().dtypes(device=device),
    lambda device: xp.__array_namespace_info__().default_dtypes(device=device),
]


@pytest.mark.parametrize("call", DEVICE_TAKERS)
def test_only_the_cpu(call: Callable[[Any], Any]) -> None:
    made = call("cpu")
    assert isinstance(made, dict) or made.device == "cpu"
    with pytest.raises(strided.InvalidArgument) as caught:
        call("cuda")
    assert caught.value.argument == "device"


@pytest.mark.parametrize("name", ["empty", "zeros", "ones"])
def test_shapes_by_every_name(name: str) -> None:
    make = getattr(strided, name)
    assert next(iter(inspect.signature(make).parameters)) == "shape"
    for made in (make(2, 3), make((2, 3)), make([2, 3]), make(shape=(2, 3))):
        assert made.shape == (2, 3)
    assert make(()).shape == make().shape == ()
    assert make(5).shape == make(shape=5).shape == (5,)
    assert strided.full(shape=(2,), fill_value=3).tolist() == [3, 3]


# ---- functions follow the standard, methods PyTorch ----

X = strided.tensor([[3.0, 1.0], [2.0, 5.0]])


def refused(call: Callable[[], Any]) -> str:
    with pytest.raises(strided.StridedError) as caught:
        call()
    return type(caught.value).__name__


# What the function answers, what the method answers; docs/array-api.md has the same rows.
DIFFERENCES: dict[str, tuple[Any, Any]] = {
    "squeeze": (refused(lambda: xp.squeeze(X, 0)), X.squeeze(0).shape),
    "std": (xp.std(X[0]).item(), round(X[0].std().item() ** 2)),
    "max": (xp.max(X, axis=0).tolist(), [part.tolist() for part in X.max(0)]),
    "sort": (xp.sort(X[0]).tolist(), [part.tolist() for part in X[0].sort()]),
    "median": (xp.median(X).item(), X.median().item()),
    "nonzero": (len(xp.nonzero(X)), X.nonzero().shape),
    "take": (
        xp.take(X, xp.tensor([1]), axis=1).tolist(),
        X.take(xp.tensor([3])).tolist(),
    ),
    "astype": (
        refused(lambda: xp.astype(xp.tensor([1j]), xp.float32)),
        xp.tensor([1 + 2j]).astype(xp.float32).tolist(),
    ),
    "flip": (xp.flip(X).tolist(), X.flip(0).tolist()),
    "diagonal": (xp.linalg.diagonal(xp.ones(5, 2, 3)).shape, xp.ones(5, 2, 3).diagonal().shape),
}
EXPECTED: dict[str, tuple[Any, Any]] = {
    "squeeze": ("ShapeMismatch", (2, 2)),
    "std": (1.0, 2),
    "max": ([3.0, 5.0], [[3.0, 5.0], [0, 1]]),
    "sort": ([1.0, 3.0], [[1.0, 3.0], [1, 0]]),
    "median": (2.5, 2.0),
    "nonzero": (2, (4, 2)),
    "take": ([[1.0], [5.0]], [5.0]),
    "astype": ("DTypeMismatch", [1.0]),
    "flip": ([[5.0, 2.0], [1.0, 3.0]], [[2.0, 5.0], [3.0, 1.0]]),
    "diagonal": ((5, 2), (3, 2)),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_functions_and_methods_differ(name: str) -> None:
    assert DIFFERENCES[name] == EXPECTED[name]


def test_every_difference_is_in_the_docs() -> None:
    page = (ROOT / "docs" / "array-api.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `strided.")]
    for name in EXPECTED:
        assert any(f"{name}(" in row for row in rows), name


SUMMED_IN = {
    **dict.fromkeys(INTS[:4], "int64"),
    **dict.fromkeys(INTS[4:], "uint64"),
    **{name: name for name in (*FLOATS, *COMPLEX)},
}


@pytest.mark.parametrize(("dtype", "wide"), SUMMED_IN.items())
def test_sums_do_not_overflow(dtype: str, wide: str) -> None:
    x = strided.ones(3, dtype=dtype_of(dtype))
    for reduce in (xp.sum, xp.prod, xp.cumulative_sum, xp.cumulative_prod, xp.linalg.trace):
        argument = x.reshape(1, 3) if reduce is xp.linalg.trace else x
        assert reduce(argument).dtype is dtype_of(wide), reduce
        assert reduce(argument, dtype=x.dtype).dtype is x.dtype


REDUCTIONS = ("sum", "prod", "max", "min", "mean", "std", "var", "any", "all", "argmax", "argmin")


@pytest.mark.parametrize("name", REDUCTIONS)
def test_scalars_are_tensors(name: str) -> None:
    found = getattr(strided, name)(X)
    assert isinstance(found, strided.Tensor)
    assert found.shape == ()
    assert isinstance(X[0, 0], strided.Tensor)
    assert isinstance(X.size, int)


def test_only_matrices_have_a_transpose() -> None:
    assert X.T.shape == (2, 2)
    for x in (strided.ones(3), strided.ones(2, 2, 2)):
        with pytest.raises(strided.UnsupportedOperation):
            x.T  # noqa: B018


# ---- what the standard asks for beyond NumPy's habits ----


def test_grids_and_broadcasts_are_tuples() -> None:
    assert type(strided.meshgrid(strided.arange(2), strided.arange(3))) is tuple
    assert type(strided.broadcast_arrays(X, X[0])) is tuple
    assert type(strided.unstack(X)) is tuple


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("dtype", ["int8", "uint64"])
def test_repeat(axis: int | None, dtype: str) -> None:
    a = np.arange(6).reshape(2, 3)
    x = strided.tensor(a).T.flip(0)
    b = np.asarray(x)
    count = b.size if axis is None else b.shape[axis]
    for repeats in (0, 3, [2], [i % 3 for i in range(count)], [0] * count):
        given = repeats if isinstance(repeats, int) else strided.tensor(repeats).to(dtype_of(dtype))
        assert_same(strided.repeat(x, given, axis=axis), np.repeat(b, repeats, axis))
    assert strided.repeat(strided.zeros(0), strided.zeros(0, dtype=strided.int64)).shape == (0,)


REFUSED_REPEATS: list[tuple[type[Exception], Any]] = [
    (strided.ShapeMismatch, strided.tensor([1, 2, 3])),
    (strided.ShapeMismatch, strided.tensor([[1, 2]])),
    (strided.InvalidArgument, strided.tensor([1.0, 2.0])),
    (strided.InvalidArgument, strided.tensor([1.5])),
    (strided.InvalidArgument, strided.tensor([1, -2])),
    (strided.InvalidArgument, strided.tensor([2**63, 2**63], dtype=strided.uint64)),
    (strided.StridedError, -1),
]


@pytest.mark.parametrize(("error", "repeats"), REFUSED_REPEATS)
def test_refused_repeats(error: type[Exception], repeats: Any) -> None:
    with pytest.raises(error):
        strided.repeat(strided.ones(2), repeats)


def test_masks_of_length_0() -> None:
    x = strided.arange(6).reshape(2, 3)
    for shape in ((0,), (2, 0), (0, 3), (0, 0)):
        picked = x[strided.zeros(shape, dtype=strided.bool)]
        assert picked.shape == (0, *x.shape[len(shape) :])
    x[strided.zeros((0,), dtype=strided.bool)] = 9
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    for shape in ((1,), (2, 2), (0, 1), (2, 3, 1)):
        with pytest.raises(IndexError) as caught:
            x[strided.zeros(shape, dtype=strided.bool)]
        assert isinstance(caught.value, strided.StridedError)


@pytest.mark.parametrize("dtype", [*INTS, *FLOATS])
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted_takes_numbers(dtype: str, side: str) -> None:
    x = strided.tensor([1, 3, 5]).to(dtype_of(dtype))
    for number in (0, 3, 4, 100):
        found = strided.searchsorted(x, number, side=side)
        assert (found.shape, found.item()) == ((), int(np.searchsorted([1, 3, 5], number, side)))
    assert strided.searchsorted(x, 2.5, side=side).item() == 1
    assert strided.searchsorted(x, 1000, side=side).item() == 3


def test_searchsorted_compares_in_the_precision_of_the_list() -> None:
    x = strided.tensor([0.1, 0.2], dtype=strided.float64)
    assert strided.searchsorted(x, 0.1).item() == 0
    assert strided.searchsorted(x, 0.1, side="right").item() == 1


@pytest.mark.parametrize("k", [-(2**70), -4, -2, 0, 1, 3, 2**70])
def test_diagonals_of_any_number(k: int) -> None:
    a = np.arange(1, 7).reshape(2, 3)
    near = max(-9, min(9, k))
    assert_same(strided.eye(2, 3, k=k), np.eye(2, 3, near, dtype="float32"))
    assert_same(strided.tril(strided.tensor(a), k=k), np.tril(a, near))
    assert_same(strided.triu(strided.tensor(a), k=k), np.triu(a, near))
    assert_same(strided.linalg.diagonal(strided.tensor(a), offset=k), np.diagonal(a, near))


def test_nonzero_of_rank_0() -> None:
    with pytest.raises(strided.UnsupportedOperation):
        strided.nonzero(strided.tensor(1))
    assert strided.tensor(1).nonzero().shape == (1, 0)


@pytest.mark.parametrize("source", DTYPES)
@pytest.mark.parametrize("target", DTYPES)
def test_astype(source: str, target: str) -> None:
    a = np.array([0, 1, 2]).astype(source)
    x = strided.from_numpy(a)
    if source in COMPLEX and target not in (*COMPLEX, "bool"):
        with pytest.raises(strided.DTypeMismatch):
            strided.astype(x, dtype_of(target))
        return
    made = strided.astype(x, dtype_of(target))
    assert_same(made, a.astype(target))
    assert not made.shares_storage(x)
    assert (strided.astype(x, dtype_of(target), copy=False) is x) == (source == target)


def test_the_module_answers_for_a_program() -> None:
    """A program that knows only the standard, handed a tensor."""

    def whitened(x: Any) -> Any:
        namespace = x.__array_namespace__(api_version="2024.12")
        centred = x - namespace.mean(x, axis=0, keepdims=True)
        covariance = namespace.matrix_transpose(centred) @ centred / x.shape[0]
        values, vectors = namespace.linalg.eigh(covariance)
        return centred @ vectors / namespace.sqrt(values)

    x = strided.tensor(np.random.default_rng(0).standard_normal((50, 3)))[::-1]
    y = whitened(x)
    assert_same(y.T @ y / 50, np.eye(3), 1e-12)
    assert sys.modules[type(x).__module__.partition(".")[0]] is strided
