"""The dtype objects: names, spellings, limits, kinds, and where two of them meet."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from support.compare import (
    ALL_DTYPES,
    COMPLEX,
    FLOATS,
    HALVES,
    INTS,
    NUMPY_DTYPES,
    dtype_of,
    kind_of,
)

import strided

as_dtype = strided._native.as_dtype


def numpy_dtype(name: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name) if name == "bfloat16" else name)


# ---- the objects ----


@pytest.mark.parametrize("name", ALL_DTYPES)
def test_object(name: str) -> None:
    dtype, numpy = dtype_of(name), numpy_dtype(name)
    assert (dtype.name, str(dtype), repr(dtype)) == (name, name, f"strided.{name}")
    assert (dtype.itemsize, dtype.kind) == (numpy.itemsize, kind_of(name))
    assert dtype.is_floating_point == (kind_of(name) == "f")
    assert dtype.is_complex == (kind_of(name) == "c")
    assert dtype.is_signed == (kind_of(name) in "ifc")
    assert np.dtype(dtype) == numpy
    assert pickle.loads(pickle.dumps(dtype)) is copy.copy(dtype) is copy.deepcopy(dtype) is dtype
    assert {dtype: 1}[dtype_of(name)] == 1
    assert dtype == dtype_of(name)
    others = [other for other in ALL_DTYPES if other != name]
    assert all(dtype != dtype_of(other) for other in others)


def test_equal_to_what_stands_for_it() -> None:
    for standing in (bool, "bool", np.bool_, np.dtype("bool"), strided.bool):
        assert strided.bool == standing
        assert strided.float32 != standing
    assert strided.float64 == np.float64 == strided.float64.type
    for other in (float, int, object, None, 3, "f8", Any):
        assert strided.float64 != other
    assert len({strided.float32, strided.float32, strided.float64}) == 2


def test_objects_are_fixed() -> None:
    with pytest.raises(TypeError):
        strided.DType()
    with pytest.raises(AttributeError):
        strided.float32.name = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        type("Sub", (strided.DType,), {})


# ---- spellings ----


class Foreign:
    """A dtype of another library that only its text names."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


@pytest.mark.parametrize("name", ALL_DTYPES)
def test_spellings(name: str) -> None:
    numpy = numpy_dtype(name)
    for spelling in (dtype_of(name), name, numpy, numpy.type, Foreign(f"torch.{name}")):
        assert as_dtype(spelling) is dtype_of(name), spelling
        assert strided.zeros(1, dtype=spelling).dtype is dtype_of(name)


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        (bool, "bool"),
        (int, "int64"),
        (float, "float32"),
        (complex, "complex64"),
        (np.bool_, "bool"),
    ],
)
def test_builtins(spelling: type, name: str) -> None:
    assert as_dtype(spelling) is dtype_of(name)


@pytest.mark.parametrize(
    "wrong", ["int17", "", "float", None, 5, list, np.dtype("U3"), np.dtype("M8[s]"), np.longdouble]
)
def test_wrong_spellings(wrong: Any) -> None:
    with pytest.raises(TypeError):
        as_dtype(wrong)
    if wrong is not None:
        with pytest.raises(TypeError):
            strided.zeros(2, dtype=wrong)
        with pytest.raises(TypeError):
            strided.zeros(2).to(wrong)


def test_defaults() -> None:
    for make in (strided.empty, strided.zeros, strided.ones):
        assert make(2, dtype=None).dtype is strided.float32


# ---- limits ----


@pytest.mark.parametrize("name", INTS)
def test_iinfo(name: str) -> None:
    mine, numpy = strided.iinfo(dtype_of(name)), np.iinfo(name)
    assert (mine.bits, mine.min, mine.max) == (numpy.bits, numpy.min, numpy.max)
    assert mine.dtype is dtype_of(name)
    assert strided.iinfo(strided.zeros(1, dtype=name)) == mine
    for value in (mine.min, mine.max):
        assert strided.tensor([value], dtype=name).tolist() == [value]
    for value in (mine.min - 1, mine.max + 1):
        with pytest.raises((strided.InvalidArgument, OverflowError)):
            strided.tensor([value], dtype=name)


@pytest.mark.parametrize("name", [*FLOATS, *HALVES, *COMPLEX])
def test_finfo(name: str) -> None:
    mine = strided.finfo(dtype_of(name))
    numpy = ml_dtypes.finfo(name) if name == "bfloat16" else np.finfo(name)
    for field in ("bits", "eps", "max", "min", "smallest_normal"):
        assert float(getattr(mine, field)) == float(getattr(numpy, field)), field
    assert mine.dtype.kind == "f"
    one = strided.ones((), dtype=mine.dtype)
    assert bool(one + mine.eps > one)
    assert bool(one + mine.eps / 4 == one)
    assert strided.tensor(mine.max, dtype=mine.dtype).item() == mine.max
    assert bool((strided.tensor(mine.max, dtype=mine.dtype) * 2).isinf())


def test_limits_of_the_other_kind() -> None:
    for name in ALL_DTYPES:
        wrong = strided.finfo if kind_of(name) in "biu" else strided.iinfo
        with pytest.raises(TypeError):
            wrong(dtype_of(name))


# ---- where dtypes meet ----


def expected_meeting(a: str, b: str) -> str | None:
    """Return the array API's answer: NumPy's, except where that leaves the array API's table."""
    if a == b:
        return a
    kinds = {kind_of(a), kind_of(b)}
    if kinds == {"i", "u"} and "uint64" in (a, b):
        return None  # NumPy: float64
    if "f" in kinds or "c" in kinds:
        floats = [d for d in (a, b) if kind_of(d) in "fc"]
        if len(floats) == 1:
            return floats[0]  # NumPy widens for large integers
        if "bfloat16" in floats:
            other = floats[1 - floats.index("bfloat16")]
            return "float32" if other == "float16" else other
    return np.promote_types(a, b).name


def test_promotion_table() -> None:
    for a in ALL_DTYPES:
        for b in ALL_DTYPES:
            wanted = expected_meeting(a, b)
            if wanted is None:
                with pytest.raises(strided.DTypeMismatch):
                    strided.promote_types(a, b)
                assert not strided.can_cast(a, b)
                continue
            assert strided.promote_types(dtype_of(a), dtype_of(b)).name == wanted, (a, b)
            assert strided.result_type(strided.zeros(1, dtype=a), dtype_of(b)).name == wanted
            assert strided.can_cast(a, dtype_of(b)) == (wanted == b), (a, b)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((strided.uint8, 1), "uint8"),
        ((strided.int8, 1.5), "float32"),
        ((strided.float16, 1.5), "float16"),
        ((strided.float64, 1j), "complex128"),
        ((strided.bool, 1), "int64"),
        ((strided.zeros(2), strided.arange(2), 5), "float32"),
        ((True, 2), "int64"),
        ((1, 2.5), "float32"),
        ((3j,), "complex64"),
    ],
)
def test_numbers_are_weak(arguments: tuple[Any, ...], name: str) -> None:
    assert strided.result_type(*arguments).name == name


KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


def test_kinds() -> None:
    for name in ALL_DTYPES:
        for kind, letters in KINDS.items():
            assert strided.isdtype(dtype_of(name), kind) == (kind_of(name) in letters)
        assert strided.isdtype(dtype_of(name), dtype_of(name))
        assert strided.isdtype(dtype_of(name), ("bool", "numeric"))
        assert not strided.isdtype(dtype_of(name), ())
    with pytest.raises(ValueError):
        strided.isdtype(strided.float32, "number")


@pytest.mark.parametrize("name", NUMPY_DTYPES)
def test_conversion_methods(name: str) -> None:
    x = (
        strided.tensor([0, 1, 3], dtype=dtype_of(name))
        if name != "bool"
        else strided.ones(3).bool()
    )
    methods = {
        "float": "float32",
        "double": "float64",
        "half": "float16",
        "bfloat16": "bfloat16",
        "int": "int32",
        "long": "int64",
        "bool": "bool",
    }
    for method, wanted in methods.items():
        y = getattr(x, method)()
        assert (y.dtype.name, y is x) == (wanted, wanted == name)
    for spelling in (strided.float64, "float64", np.float64, strided.zeros(1).double()):
        assert x.to(spelling).dtype is strided.float64
    assert x.type_as(strided.zeros(1)).dtype is strided.float32
    assert x.astype(x.dtype) is not x
    assert x.astype(x.dtype, copy=False) is x.to(x.dtype) is x.to("cpu") is x.cpu() is x


@pytest.mark.parametrize("half", [strided.float16, strided.bfloat16])
@pytest.mark.parametrize("wide", ["float64", "int64", "uint64", "int32", "uint32"])
def test_vectors_round_to_half_types_as_single_elements_do(wide: str, half: strided.dtype) -> None:
    random = np.random.default_rng(7)
    words = random.integers(0, 2**64, 3000, dtype=np.uint64)
    words >>= random.integers(0, 64, 3000, dtype=np.uint64)
    if wide == "float64":
        tiny = random.integers(0x36A0 << 48, 0x3820 << 48, 1000)  # subnormal as bfloat16, and less
        ties = random.integers(990, 1040, 3000) << 52 | random.integers(0, 2**11, 3000) << 41
        ties += random.integers(-1, 2, 3000)  # and their neighbours
        made = [words, *(each.astype(np.uint64) for each in (tiny, ties)), [1 << 63]]
        values = np.concatenate(made).view(np.float64)
        values = values[~np.isnan(values)]
    else:
        values = words.astype(wide)
    packed = strided.tensor(values)
    apart = strided.empty(5 * len(values), dtype=packed.dtype)[::5]
    apart.copy_(packed)
    ours, single = (x.to(half).view(strided.int16).numpy() for x in (packed, apart))
    assert (ours == single).all()
