"""NumPy's functions on tensors: ours or NumPy's own, the values agree and tensors come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import strided
from strided.interop.numpy_rows import ROWS
from strided.interop.numpy_ufuncs import _ours
from strided.memory_layout import Size

LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "row-major": lambda a: a,
    "transposed": lambda a: a.T,
    "stepped": lambda a: a[::2, 1::2],
    "flipped": lambda a: a[::-1, ::-1],
}


# Elements of every dtype are asked in one layout at least, float64 in all.
INPUTS = [*(("float64", name) for name in LAYOUTS), ("float32", "flipped"), ("int64", "stepped")]
# Where dtypes follow the rules of this library: integers give float32 where a real number comes
# out, a list is no wider than float32, and so is a number.
NARROWER = {
    "float32": {"a list", "outer with a list", "a number of NumPy's", "dot"},
    "int64": {
        *("divmod", "outer with a list", "a number of NumPy's", "mean", "std", "var"),
        *("real", "imag", "where", "clip", "sinc", "angle", "dot", "fft.hfft"),
    },
}
NARROWED = {"float64": "float32", "complex128": "complex64"}


def numbers(dtype: str = "float64") -> np.ndarray:
    a = np.linspace(-2.0, 3.0, 24).reshape(4, 6) + 0.05
    return (10 * a if dtype == "int64" else a).astype(dtype)


def same(got: Any, wanted: Any, narrower: bool = False) -> None:
    """Tensors for arrays and scalars, with the same dtype and elements; all else as it is."""
    if isinstance(wanted, (tuple, list)):
        assert len(got) == len(wanted)
        for one, other in zip(got, wanted, strict=True):
            same(one, other, narrower)
    elif isinstance(wanted, (np.ndarray, np.generic)):
        assert isinstance(got, strided.Tensor), type(got)
        assert got.shape == wanted.shape
        dtype = wanted.dtype.name
        assert got.dtype.name == (NARROWED.get(dtype, dtype) if narrower else dtype)
        narrow = narrower or got.dtype.name in NARROWED.values()
        limits = {"rtol": 1e-5, "atol": 1e-5} if narrow else {"rtol": 1e-12, "atol": 1e-13}
        np.testing.assert_allclose(np.asarray(got), wanted, **limits)
    else:
        # x.size is an int that can be called.
        assert type(got) is type(wanted) or isinstance(got, Size)
        assert got == wanted


# ---- ufuncs ----

INTEGERS = ["bitwise", "gcd", "lcm", "left_shift", "right_shift", "invert"]


# What these give for integers by the rules of this library; NumPy rounds 1 / x down to an integer,
# and has floats for whole numbers.
OF_INTEGERS: dict[str, Callable[..., Any]] = {
    "reciprocal": lambda a: (1 / a).astype("float32"),
    "heaviside": lambda a, b: np.heaviside(a, b).astype("int64"),
    "rint": lambda a: a,
}
# What gives float64 for integers here too.
WIDE = {"float_power", "nextafter"}


def ready(ufunc: Any, x: Any) -> Any:
    """Return elements that a ufunc is defined for."""
    if any(name in ufunc.__name__ for name in INTEGERS):
        return (abs(x) * 10).astype("int64")
    if ufunc.__name__ in ("arccosh", "log", "log2", "log10", "sqrt"):
        return abs(x) + x.dtype.type(1.5 if x.dtype.kind == "f" else 1)
    return x * x.dtype.type(0.3) if x.dtype.kind == "f" else x


@pytest.mark.parametrize(("dtype", "layout"), INPUTS)
@pytest.mark.parametrize("ufunc", _ours(), ids=lambda ufunc: ufunc.__name__)
def test_every_ufunc_that_runs_as_ours(ufunc: Any, dtype: str, layout: str) -> None:
    a = ready(ufunc, LAYOUTS[layout](numbers(dtype)))
    if ufunc.__name__ in ("matmul", "vecdot"):
        operands = [a, a.T] if ufunc.__name__ == "matmul" else [a, a]
    else:
        operands = [a, abs(a) % 4 + 1][: ufunc.nin] if ufunc.nin > 1 else [a]
    if ufunc.__name__ in ("power", "left_shift", "right_shift"):
        operands[1] = abs(operands[1])
    tensors = [strided.from_numpy(np.asarray(one)) for one in operands]
    narrower = a.dtype.kind == "i" and ufunc.__name__ not in WIDE
    if a.dtype.kind == "i" and ufunc.__name__ in OF_INTEGERS:
        same(ufunc(*tensors), OF_INTEGERS[ufunc.__name__](*operands))
        return
    with np.errstate(all="ignore"):
        wanted = ufunc(*operands)
        same(ufunc(*tensors), wanted, narrower)
        mixed = ufunc(operands[0], *tensors[1:]) if ufunc.nin > 1 else ufunc(tensors[0])
        same(mixed, wanted, narrower)


def test_many_ufuncs_run_as_ours() -> None:
    assert len(_ours()) > 70


CALLS: dict[str, Callable[[Any], Any]] = {
    "a ufunc that NumPy alone has": lambda x: np.cbrt(x),
    "two results": lambda x: np.modf(x),
    "divmod": lambda x: np.divmod(x, 0.7),
    "dtype=": lambda x: np.add(x, 1, dtype="float32"),
    "a number first": lambda x: np.subtract(1, x),
    "a list": lambda x: np.add(x, list(range(x.shape[-1]))),
    "reduce": lambda x: np.add.reduce(x),
    "reduce all axes": lambda x: np.maximum.reduce(x, axis=None),
    "reduce two axes": lambda x: np.multiply.reduce(x, axis=(0, 1), keepdims=True),
    "reduce from": lambda x: np.add.reduce(x, initial=5.0),
    "reduce some": lambda x: np.add.reduce(x, where=x > 0),
    "reduce by another": lambda x: np.hypot.reduce(x, axis=1),
    "reduce in a dtype": lambda x: np.add.reduce(x, axis=1, dtype="float32"),
    "extremes in a dtype": lambda x: np.minimum.reduce(x, axis=1, dtype="float32"),
    "accumulate": lambda x: np.add.accumulate(x, axis=1),
    "accumulate extremes": lambda x: np.maximum.accumulate(x),
    "outer": lambda x: np.multiply.outer(x, x[0]),
    "outer with a list": lambda x: np.add.outer([1.0, 2.0], x),
    "reduceat": lambda x: np.add.reduceat(x, [0, 1]),
    "operators": lambda x: np.ones(x.shape) * x - np.full(x.shape, 2),
    "a number of NumPy's": lambda x: np.float64(2) / (x + 10) ** np.full(x.shape, 2),
    "comparison": lambda x: np.zeros(x.shape) < x,
    "matmul": lambda x: np.ones((2, x.shape[0])) @ x,
}


@pytest.mark.parametrize(("dtype", "layout"), INPUTS)
@pytest.mark.parametrize("call", CALLS)
def test_calls(call: str, dtype: str, layout: str) -> None:
    a = LAYOUTS[layout](numbers(dtype))
    narrower = call in NARROWER.get(dtype, ())
    same(CALLS[call](strided.from_numpy(a)), CALLS[call](a), narrower)


def test_out_may_be_of_either_kind() -> None:
    a, x = numbers(), strided.from_numpy(numbers())
    array, tensor = np.zeros((4, 6)), strided.zeros(6, 4, dtype=strided.float64).T
    assert np.add(x, 1, out=array) is array
    assert np.cbrt(x, out=tensor) is tensor
    np.testing.assert_allclose(array, a + 1)
    np.testing.assert_allclose(tensor.numpy(), np.cbrt(a))
    assert np.multiply(a, a, out=tensor) is tensor
    np.testing.assert_allclose(tensor.numpy(), a * a)
    kept = array
    array += x
    assert array is kept
    np.testing.assert_allclose(array, a + 1 + a)
    row = strided.zeros(6, dtype=strided.float64)
    assert np.add.reduce(x, out=row) is row
    assert np.sum(x, axis=0, out=row) is row
    np.testing.assert_allclose(row.numpy(), a.sum(0))
    fraction, whole = strided.zeros_like(x), np.zeros((4, 6))
    assert np.modf(x, out=(fraction, whole))[0] is fraction
    np.testing.assert_allclose(whole, np.trunc(a))


def test_out_where_no_tensor_can_point() -> None:
    x = strided.arange(3.0, dtype=strided.float64)
    for out in (np.zeros(25, "u1")[1:].view("f8"), np.zeros(3, "longdouble"), np.zeros(3, ">f8")):
        assert np.add(x, 1, out=out) is out
        assert out.tolist() == [1, 2, 3]
        assert np.cumsum(x, out=out) is out
        assert out.tolist() == [0, 1, 3]


def test_where_writes_only_where_it_holds() -> None:
    x, out = strided.arange(4.0), strided.full((4,), -1.0)
    assert np.exp2(x, out=out, where=strided.tensor([True, False, True, False])) is out
    assert out.tolist() == [1.0, -1.0, 4.0, -1.0]


def test_writes_are_counted() -> None:
    x = strided.zeros(4)
    for write in (
        lambda: np.add.at(x, [0, 0, 2], 1.0),
        lambda: np.copyto(x, np.ones(4)),
        lambda: np.cbrt(np.ones(4, "float32"), out=x),
        lambda: np.percentile(np.ones((2, 4), "float32"), 50, axis=0, out=x),
    ):
        before = x._version
        write()
        assert x._version > before
    assert x.tolist() == [1.0] * 4


def test_other_arrays_decide_for_themselves() -> None:
    class Proud:
        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
            return "mine"

        def __array_function__(self, *args: Any) -> Any:
            return "mine too"

    x = strided.zeros(2)
    assert np.add(x, Proud()) == np.add(Proud(), x) == "mine"
    assert np.concatenate([x, Proud()]) == "mine too"
    with pytest.raises(TypeError):
        np.add(x, object())


def test_refusals_are_numpys_own_where_numpy_runs() -> None:
    with pytest.raises(TypeError, match="not supported for the input types"):
        np.bitwise_and(strided.ones(2), 1)
    with pytest.raises(ValueError):
        np.add(strided.zeros(2, 3), strided.zeros(4))
    frozen = strided.frombuffer(bytes(8), dtype="float32")
    for write in (
        lambda: np.add(frozen, 1, out=frozen),
        lambda: np.cbrt(frozen, out=frozen),
        lambda: np.add.at(frozen, 0, 1),
    ):
        with pytest.raises(ValueError):
            write()


# ---- other functions ----


def square(x: Any) -> Any:
    """A symmetric matrix with an inverse, made of some elements."""
    some = x[:2, :2]
    return some @ some.T + np.eye(2)


def by_name(module: str, name: str) -> Callable[[Any], Any]:
    return lambda x: getattr(getattr(np, module), name)(x)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: np.sum(x, axis=(0, 1), keepdims=True),
    "prod": lambda x: np.prod(x, 1),
    "mean": lambda x: np.mean(x, axis=0),
    "max": lambda x: np.max(x, axis=1),
    "amax": lambda x: np.amax(x),
    "min": lambda x: np.min(x, 0, keepdims=True),
    "amin": lambda x: np.amin(x),
    "any": lambda x: np.any(x > 2.9, axis=0),
    "all": lambda x: np.all(x > -9),
    "argmax": lambda x: np.argmax(x, axis=1),
    "argmin": lambda x: np.argmin(x),
    "std": lambda x: (np.std(x, axis=0), np.std(x, ddof=1), np.std(x, 1, correction=1)),
    "var": lambda x: np.var(x, axis=1, keepdims=True),
    "cumsum": lambda x: (np.cumsum(x), np.cumsum(x, axis=0)),
    "cumprod": lambda x: np.cumprod(x, 1),
    "count_nonzero": lambda x: np.count_nonzero(x > 0, axis=0),
    "reshape": lambda x: (np.reshape(x, -1), np.reshape(x, (x.shape[0], 1, -1))),
    "ravel": lambda x: (np.ravel(x), np.ravel(x, order="F")),
    "transpose": lambda x: (np.transpose(x), np.transpose(x, (1, 0))),
    "permute_dims": lambda x: np.permute_dims(x, axes=(1, 0)),
    "moveaxis": lambda x: np.moveaxis(x[None], 0, -1),
    "swapaxes": lambda x: np.swapaxes(x, 0, 1),
    "squeeze": lambda x: np.squeeze(x[:, None], axis=1),
    "expand_dims": lambda x: np.expand_dims(x, (0, 2)),
    "broadcast_to": lambda x: (np.broadcast_to(x, (2, *x.shape)), np.broadcast_to(x[0, 0], 3)),
    "flip": lambda x: (np.flip(x), np.flip(x, 1)),
    "rot90": lambda x: np.rot90(x, 3),
    "diagonal": lambda x: np.diagonal(x, 1),
    "matrix_transpose": lambda x: np.matrix_transpose(x),
    "real": lambda x: np.real(x * (1 + 2j)),
    "imag": lambda x: (np.imag(x * (1 + 2j)), np.imag(x)),
    "concatenate": lambda x: (np.concatenate([x, x]), np.concatenate([x, np.ones(x.shape)], 1)),
    "concat": lambda x: np.concat([x, x], axis=None),
    "stack": lambda x: np.stack([x, x], axis=1),
    "vstack": lambda x: (np.vstack([x, x]), np.vstack([x[0], x[1]])),
    "hstack": lambda x: (np.hstack([x, x]), np.hstack([x[0], x[1]])),
    "tile": lambda x: (np.tile(x, 2), np.tile(x, (2, 1, 3))),
    "repeat": lambda x: (np.repeat(x, 2, axis=0), np.repeat(x, 3)),
    "roll": lambda x: (np.roll(x, 1), np.roll(x, (1, 2), axis=(0, 1))),
    "copy": lambda x: np.copy(x),
    "take": lambda x: (np.take(x, [1, 0], axis=1), np.take(x, 2)),
    "take_along_axis": lambda x: np.take_along_axis(x, np.argsort(x, axis=1), axis=1),
    "where": lambda x: (np.where(x > 0, x, -1.0), np.where(x > 0)),
    "sort": lambda x: (np.sort(x, axis=0), np.sort(x, axis=None)),
    "argsort": lambda x: np.argsort(x, axis=0),
    "searchsorted": lambda x: np.searchsorted(np.sort(x[0]), x[1], side="right"),
    "tril": lambda x: np.tril(x, -1),
    "triu": lambda x: np.triu(x),
    "clip": lambda x: (np.clip(x, -1, 1), np.clip(x, None, 0.5)),
    "round": lambda x: (np.round(x), np.round(x, 1)),
    "around": lambda x: np.around(x),
    "sinc": lambda x: np.sinc(x),
    "angle": lambda x: np.angle(x * (1 + 1j)),
    "isposinf": lambda x: np.isposinf(x),
    "isneginf": lambda x: np.isneginf(x),
    "dot": lambda x: (np.dot(x, x.T), np.dot(x[0], x[0]), np.dot(x, 2.0), np.dot(x[None], x.T)),
    "vdot": lambda x: np.vdot(x[0], x[0]),
    "inner": lambda x: np.inner(x, x),
    "outer": lambda x: np.outer(x[0], x[1]),
    "kron": lambda x: np.kron(x[0], x[1]),
    "tensordot": lambda x: np.tensordot(x, x, axes=((1,), (1,))),
    "einsum": lambda x: np.einsum("ij,kj->ik", x, x),
    "empty_like": lambda x: np.empty_like(x).shape,
    "zeros_like": lambda x: np.zeros_like(x),
    "ones_like": lambda x: (np.ones_like(x), np.ones_like(x, dtype="int8", shape=(2, 3))),
    "full_like": lambda x: (np.full_like(x, 3), np.full_like(x, x[0, 0], dtype="int8", shape=5)),
    "shape": lambda x: (np.shape(x), np.shape([x, x])),
    "ndim": lambda x: np.ndim(x),
    "size": lambda x: (np.size(x), np.size(x, 1)),
    "isclose": lambda x: (np.isclose(x, x + 1e-9), np.isclose(x, 0.05, atol=1.0)),
    "allclose": lambda x: (np.allclose(x, x + 1e-9), np.allclose(x, x + 1)),
    "array_equal": lambda x: (np.array_equal(x, x), np.array_equal(x, x[0])),
    "diff": lambda x: (np.diff(x), np.diff(x, 2, axis=0), np.diff(x, prepend=0.0)),
    "linalg.inv": lambda x: np.linalg.inv(square(x)),
    "linalg.det": lambda x: np.linalg.det(square(x)),
    "linalg.slogdet": lambda x: np.linalg.slogdet(square(x)),
    "linalg.eigh": lambda x: (np.linalg.eigh(square(x))[0], np.linalg.eigh(square(x), "U")[0]),
    "linalg.eigvalsh": lambda x: np.linalg.eigvalsh(square(x)),
    "linalg.svdvals": lambda x: np.linalg.svdvals(x),
    "linalg.solve": lambda x: np.linalg.solve(square(x), np.ones(2)),
    "linalg.cholesky": lambda x: np.linalg.cholesky(square(x), upper=True),
    "linalg.qr": lambda x: (abs(np.linalg.qr(x).R), abs(np.linalg.qr(x, mode="r"))),
    "linalg.svd": lambda x: (np.linalg.svd(x).S, np.linalg.svd(x, compute_uv=False)),
    "linalg.matrix_power": lambda x: np.linalg.matrix_power(square(x), 3),
    "linalg.norm": lambda x: tuple(
        np.linalg.norm(one, *of)
        for one, of in [
            *((x, of) for of in [(), (None, 0), (None, (0, 1)), (3, 1), (np.inf, 1, True)]),
            *((x[0], of) for of in [(), (1,), (-np.inf,)]),
            (x[None], ()),
        ]
    ),
    "linalg.norm of matrices": lambda x: tuple(
        np.linalg.norm(x, *of) for of in [(1,), ("nuc",), (2, (0, 1))]
    ),
    **{f"fft.{name}": by_name("fft", name) for name in ("fft", "ifft", "rfft", "irfft", "ihfft")},
    "fft.hfft": lambda x: np.fft.hfft(x * (1 + 1j), 5, 0, "ortho"),
    **{f"fft.{name}": by_name("fft", name) for name in ("fft2", "ifft2", "rfft2", "irfft2")},
    **{f"fft.{name}": by_name("fft", name) for name in ("fftn", "ifftn", "rfftn", "irfftn")},
    **{f"fft.{name}": by_name("fft", name) for name in ("fftshift", "ifftshift")},
    "dtypes as NumPy means them": lambda x: (
        np.sum(x, dtype="f4").dtype.name,
        np.mean(x, dtype=float).dtype.name,
        np.zeros_like(x, dtype=int).dtype.name,
        np.cumsum(x, dtype="c8").dtype.name,
        np.add.reduce(x, dtype="f4").dtype.name,
    ),
    # without a row
    "linalg without a row": lambda x: (np.linalg.pinv(square(x)), np.linalg.cond(square(x))),
    "fft of integers": lambda x: np.fft.fft(np.round(x).astype("int64")),
    "percentile": lambda x: np.percentile(x, [10, 50], axis=0),
    "median": lambda x: np.median(x, axis=1),
    "unique": lambda x: np.unique(x > 0, return_counts=True),
    "split": lambda x: np.array_split(x, 2, axis=1),
    "cross": lambda x: np.cross(np.stack([x[0, 0], x[0, 1], x[1, 0]]), np.stack([x[0, 1]] * 3)),
    "trapezoid": lambda x: (np.trapezoid(x), np.trapezoid(x, x[0], axis=1)),
    "diag": lambda x: (np.diag(x[0]), np.diag(x, 1)),
    "diagflat": lambda x: np.diagflat(x[:2, :2], -1),
    "atleast_3d": lambda x: np.atleast_3d(x),
    "meshgrid": lambda x: np.meshgrid(x[0], x[1]),
    "pad": lambda x: np.pad(x, 1),
    "interp": lambda x: np.interp(x[0], [-3.0, 0.0, 4.0], [0.0, 1.0, 0.0]),
    "histogram": lambda x: np.histogram(x, bins=3),
    "nan_to_num": lambda x: np.nan_to_num(x),
    "like=": lambda x: np.asarray([1.0, 2.0], like=x),
    "zeros like=": lambda x: np.zeros((2, 2), like=x),
    "facts": lambda x: (np.shape(x), np.ndim(x), np.size(x), np.iscomplexobj(x)),
    "truth": lambda x: (np.allclose(x, x), np.array_equal(x, x + 1)),
    "text": lambda x: np.array2string(x, precision=2),
}


@pytest.mark.parametrize(("dtype", "layout"), INPUTS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str, dtype: str, layout: str) -> None:
    a = LAYOUTS[layout](numbers(dtype))
    narrower = name in NARROWER.get(dtype, ())
    same(FUNCTIONS[name](strided.from_numpy(a)), FUNCTIONS[name](a), narrower)


def test_narrower_dtypes_are_in_the_tables() -> None:
    for names in NARROWER.values():
        assert names <= CALLS.keys() | FUNCTIONS.keys()


def test_every_row_is_tried() -> None:
    assert not ROWS.keys() - FUNCTIONS.keys()


VIEWS = [
    "reshape",
    "transpose",
    "permute_dims",
    "moveaxis",
    "swapaxes",
    "squeeze",
    "expand_dims",
    "broadcast_to",
    "flip",
    "rot90",
    "diagonal",
    "matrix_transpose",
    "split",
    "atleast_3d",
]


@pytest.mark.parametrize("name", VIEWS)
def test_views_stay_views(name: str) -> None:
    x = strided.arange(24.0, dtype=strided.float64).reshape(4, 6)
    with strided.no_copies(implicit_only=False):
        made = FUNCTIONS[name](x)
    for view in made if isinstance(made, (list, tuple)) else [made]:
        assert view.shares_storage(x)


def test_gradients_pass_numpys_functions() -> None:
    for run in (
        lambda x: np.linalg.det(x),
        lambda x: np.linalg.solve(x, np.ones(2)),
        lambda x: np.linalg.norm(x),
        lambda x: abs(np.fft.rfft(x)),
        lambda x: np.diff(x),
        lambda x: np.mean(np.sin(x), axis=0),
    ):
        x = strided.tensor([[4.0, 1.0], [2.0, 3.0]], dtype=strided.float64, requires_grad=True)
        assert strided.autograd.gradcheck(run, x)
    assert np.shape(x) == (2, 2)
    assert np.allclose(x, x.detach())
    with pytest.raises(strided.GradientNotPossible):
        np.linalg.pinv(x)


def test_numpys_own_error_for_what_has_no_inverse() -> None:
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        np.linalg.inv(strided.zeros(2, 2))


def test_copies_are_seen() -> None:
    x = strided.arange(6).reshape(2, 3)
    with strided.trace_copies() as report:
        np.copy(x)
        np.concatenate([x, x])
        np.ravel(x.T)
        np.ravel(x)
    assert [event.reason for event in report.events] == ["clone", "join", "join", "reshape"]


def test_what_no_tensor_holds_stays_an_array() -> None:
    x = strided.arange(3.0)
    assert np.strings.mod(np.array(["%d"] * 3), x.numpy()).tolist() == ["0", "1", "2"]
    wide = np.add(x, 1, dtype="longdouble")
    assert (type(wide), wide.dtype.name) == (np.ndarray, np.dtype("longdouble").name)
    assert type(np.asarray(["a"], like=x)) is np.ndarray


def test_bfloat16() -> None:
    x = strided.tensor([1.5, -2.0], dtype=strided.bfloat16)
    assert np.sum(x).item() == -0.5
    assert np.negative(x).dtype is strided.bfloat16
    assert np.cbrt(strided.tensor([8.0], dtype=strided.bfloat16)).tolist() == [2.0]
    assert np.median(x).item() == -0.25


# ---- __array_interface__ ----


@pytest.mark.parametrize("layout", LAYOUTS)
def test_array_interface(layout: str) -> None:
    a = LAYOUTS[layout](numbers())
    x = strided.from_numpy(a)
    ours, theirs = x.__array_interface__, a.__array_interface__
    assert ours["data"] == theirs["data"]
    assert (ours["shape"], ours["typestr"]) == (theirs["shape"], theirs["typestr"])

    class Only:
        __array_interface__ = x.__array_interface__

    shared = np.asarray(Only())
    assert (shared.ctypes.data, shared.strides) == (a.ctypes.data, a.strides)
    assert strided.asarray(Only()).data_ptr() == x.data_ptr()


def test_array_interface_says_what_may_be_written_and_what_it_cannot_say() -> None:
    assert strided.frombuffer(b"abcd").__array_interface__["data"][1] is True
    assert not hasattr(strided.zeros(2, dtype=strided.bfloat16), "__array_interface__")
    assert np.asarray(strided.zeros(2, dtype=strided.bfloat16)).dtype.name == "bfloat16"


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.percentile(x, 30, axis=0),
        lambda x: np.nanquantile(x, 0.3),
        lambda x: np.nanmedian(x),
        lambda x: np.pad(x, ((1, 0), (0, 2)), mode="reflect"),
        lambda x: np.pad(x, 1, constant_values=2.0),
        lambda x: np.interp(x, [-1.0, 0.0, 1.0], [0.0, 1.0, 4.0]),
        lambda x: np.block([[x, x], [x, x]]),
        lambda x: np.select([x > 0], [x]),
        lambda x: np.average(x, axis=1, weights=[1.0, 2.0, 3.0]),
        lambda x: np.cov(x),
        lambda x: np.corrcoef(x),
        lambda x: np.diag(x),
        lambda x: np.cross(x, x[::-1]),
        lambda x: np.trapezoid(x, axis=0),
        lambda x: np.insert(x, 1, 0.5, axis=1),
    ],
)
def test_gradients_pass_functions_of_numpy(call: Any) -> None:
    """Where NumPy's would refuse a tensor that is recorded, ours runs in its place."""
    a = np.random.default_rng(3).standard_normal((2, 3))
    x = strided.tensor(a).requires_grad_()
    made = call(x)
    assert np.allclose(made.detach(), call(a))
    made.sum().backward()
    step, i = 1e-6, (1, 2)
    moved = a.copy()
    moved[i] += step
    assert np.isclose(float(x.grad[i]), (call(moved).sum() - call(a).sum()) / step, atol=1e-4)
