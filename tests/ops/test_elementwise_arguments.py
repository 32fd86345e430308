"""What elementwise ops accept: dtypes, shapes, numbers, out=, operators and the in-place family."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from support.compare import (
    ALL_DTYPES,
    BOOL,
    COMPLEX,
    FLOATS,
    INTS,
    as_numpy,
    assert_same,
    dtype_of,
    kind_of,
)
from support.layouts import MATRICES, WRITABLE, fill, laid, placed
from support.op_reference import (
    BINARY_ROWS,
    OTHER,
    PLAIN,
    PROMOTED_KINDS,
    UNARY_ROWS,
    accepted,
    promoted,
    reference,
    refuses,
    result_dtype,
)

import strided
from strided.ops.elementwise import definitions

ELEMENTWISE = [*definitions(1), *definitions(2)]

# ---- refusals ----


@pytest.mark.parametrize("op", [*UNARY_ROWS, *BINARY_ROWS])
def test_accepted_and_refused_dtypes(op: str) -> None:
    for dtype in ALL_DTYPES:
        operands = [strided.ones(2, dtype=dtype_of(dtype))] * (1 if op in UNARY_ROWS else 2)
        if refuses(op, dtype):
            with pytest.raises(strided.DTypeMismatch) as caught:
                getattr(strided, op)(*operands)
            assert (caught.value.operation, caught.value.got) == (op, dtype)
            assert isinstance(caught.value, TypeError)
        else:
            assert getattr(strided, op)(*operands).dtype.name == result_dtype(op, dtype), dtype


def test_shapes_that_do_not_broadcast() -> None:
    with pytest.raises(strided.ShapeMismatch) as caught:
        strided.zeros(2, 3) + strided.zeros(2, 4)
    assert (caught.value.expected, caught.value.got) == ((2, 3), (2, 4))
    with pytest.raises(ValueError):
        strided.zeros(2).add_(strided.zeros(3, 2))


@pytest.mark.parametrize("other", [[1, 2], "text", None, object(), b"ab"])
def test_operands_that_are_no_arrays(other: Any) -> None:
    x = strided.zeros(2)
    with pytest.raises(TypeError):
        x + other
    with pytest.raises(TypeError):
        x += other
    if not isinstance(other, list):  # functions take lists, as NumPy's do
        with pytest.raises(TypeError):
            strided.add(x, other)
    with pytest.raises(TypeError):
        x.add(other)
    assert (x == other) is False or other in ([1, 2], b"ab")


# ---- broadcasting, mixed dtypes, numbers ----


@pytest.mark.parametrize("op", ["add", "less", "divide", "bitwise_xor"])
def test_pairs_of_layouts(op: str) -> None:
    dtype = "int64" if op == "bitwise_xor" else "float64"
    kind = kind_of(dtype)
    function = getattr(strided, op)
    for first, at in MATRICES.items():
        x, a = placed(at, fill(PLAIN[kind], at.room, dtype))
        for second, other in MATRICES.items():
            y, b = placed(other, fill(OTHER[kind], other.room, dtype))
            for cut in ((), (0,), (slice(0, 1),), (slice(None), slice(1, 2)), (None,), (1, 2)):
                expected = reference(op, dtype, a, b[cut])
                assert_same(function(x, y[cut]), expected, where=(first, second, cut))
                assert_same(function(x[cut], y), reference(op, dtype, a[cut], b))


def test_promotion_of_dtypes() -> None:
    for a in ALL_DTYPES:
        for b in ALL_DTYPES:
            x, y = strided.ones(2, dtype=dtype_of(a)), strided.ones(3, 1, dtype=dtype_of(b))
            expected = promoted(a, b)
            if expected is None:
                with pytest.raises(strided.DTypeMismatch):
                    x + y
                continue
            assert strided.promote_types(dtype_of(a), dtype_of(b)) is dtype_of(expected)
            assert strided.result_type(x, y) is dtype_of(expected)
            assert (x + y).dtype is dtype_of(expected), (a, b)
            assert (x == y).dtype is strided.bool


@pytest.mark.parametrize("layout", MATRICES)
@pytest.mark.parametrize("dtype", BOOL + INTS + FLOATS + COMPLEX)
def test_mixed_dtypes_over_layouts(dtype: str, layout: str) -> None:
    pool = [0, 1, 2, 3, 5, 100]
    x, a = laid(layout, pool, dtype)
    for other in BOOL + INTS + FLOATS + COMPLEX:
        common = promoted(dtype, other)
        if common is None:
            continue
        for second in MATRICES:
            y, b = laid(second, pool[::-1], other)
            for op in ("multiply", "equal"):
                expected = getattr(np, op)(a.astype(common), b.astype(common))
                assert_same(getattr(strided, op)(x, y), expected, where=(other, second))


# dtype of x, number, dtype of x + number
WEAK = [
    ("bool", True, "bool"), ("bool", 2, "int64"), ("bool", 2.0, "float32"),
    ("bool", 2j, "complex64"), ("int8", True, "int8"), ("int8", 2, "int8"),
    ("int8", 2.0, "float32"), ("int8", 2j, "complex64"),
    ("uint64", 2, "uint64"), ("uint64", 2.5, "float32"), ("int64", 2.5, "float32"),
    ("float16", 2, "float16"), ("float16", 2.5, "float16"), ("bfloat16", 2.5, "bfloat16"),
    ("float32", 2.5, "float32"), ("float64", 2.5, "float64"), ("float64", 2j, "complex128"),
    ("complex64", 2.5, "complex64"), ("complex64", 2j, "complex64"),
    ("complex128", True, "complex128"),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "number", "expected"), WEAK)
def test_numbers_are_weak(dtype: str, number: Any, expected: str) -> None:
    x = strided.ones(3, dtype=dtype_of(dtype))
    assert (x + number).dtype is dtype_of(expected)
    assert (number + x).dtype is dtype_of(expected)
    assert strided.result_type(x, number) is dtype_of(expected)
    assert (x * number).tolist() == (number * x).tolist() == [1 * number] * 3


def test_comparison_with_numbers_that_do_not_fit() -> None:
    x = strided.tensor([0, 200, 255], dtype=strided.uint8)
    assert (x < 300).tolist() == [True] * 3
    assert (x > -1).tolist() == [True] * 3
    assert (x == 300).tolist() == [False] * 3
    assert (x != -1).tolist() == [True] * 3
    with pytest.raises(OverflowError):
        x + 2**70


OPERATORS = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv, "remainder": operator.mod, "pow": operator.pow,
    "bitwise_and": operator.and_, "bitwise_or": operator.or_, "bitwise_xor": operator.xor,
    "bitwise_left_shift": operator.lshift, "bitwise_right_shift": operator.rshift,
    "equal": operator.eq, "not_equal": operator.ne, "less": operator.lt, "less_equal": operator.le,
    "greater": operator.gt, "greater_equal": operator.ge,
}  # fmt: skip
IN_PLACE = {
    "add": operator.iadd, "subtract": operator.isub, "multiply": operator.imul,
    "floor_divide": operator.ifloordiv, "remainder": operator.imod, "pow": operator.ipow,
    "bitwise_and": operator.iand, "bitwise_or": operator.ior, "bitwise_xor": operator.ixor,
    "bitwise_left_shift": operator.ilshift, "bitwise_right_shift": operator.irshift,
    "divide": operator.itruediv,
}  # fmt: skip


@pytest.mark.parametrize("op", OPERATORS)
def test_operators(op: str) -> None:
    x, y = strided.tensor([7, 2, 5]), strided.tensor([[2], [3]])
    assert_same(OPERATORS[op](x, y), as_numpy(getattr(strided, op)(x, y)))
    assert_same(OPERATORS[op](x, 3), as_numpy(getattr(strided, op)(x, strided.tensor(3))))
    assert_same(OPERATORS[op](2, x), as_numpy(getattr(strided, op)(strided.tensor(2), x)))
    assert_same(
        OPERATORS[op](x, np.array([1, 2, 3])),
        as_numpy(getattr(strided, op)(x, strided.tensor([1, 2, 3]))),
    )
    if op in IN_PLACE:
        kept = (x / 1 if op == "divide" else x).clone()
        expected = as_numpy(getattr(strided, op)(kept, 3))
        changed = IN_PLACE[op](kept, 3)
        assert changed is kept
        assert_same(kept, expected)


def test_unary_operators() -> None:
    x = strided.tensor([3, -4])
    for operation, op in ((operator.neg, "negative"), (operator.pos, "positive"), (abs, "absolute"),
                          (operator.invert, "bitwise_not")):  # fmt: skip
        assert_same(operation(x), as_numpy(getattr(strided, op)(x)))


def test_aliases_are_functions_and_methods() -> None:
    for row in ELEMENTWISE:
        for alias in (row.name, *row.aliases):
            assert callable(getattr(strided, alias))
            assert callable(getattr(strided.Tensor, alias))
    assert {name for one in ELEMENTWISE for name in one.functions} == {
        name for one in ELEMENTWISE for name in (one.name, *one.aliases)
    }


# ---- out= and in place ----


@pytest.mark.parametrize("layout", WRITABLE)
@pytest.mark.parametrize(
    "op", ["exp", "negative", "add", "multiply", "less", "where", "clip", "lerp"]
)
def test_out_over_layouts(op: str, layout: str) -> None:
    """Results land in any layout, and nothing between its elements changes."""
    function = getattr(strided, op)
    out, before = laid(layout, OTHER["f"], "float64")
    x, _ = laid(layout, PLAIN["f"], "float64")
    operands = {"where": (x > 0, x, 7.0), "clip": (x, -1, 1), "lerp": (x, x.flip(), 0.25)}.get(
        op, (x,) if op in UNARY_ROWS else (x, x.flip())
    )
    plain = function(*operands)
    assert function(*operands, out=out) is out
    assert_same(out, as_numpy(plain.to(strided.float64)))
    before[...] = as_numpy(out)
    assert np.array_equal(
        out.storage().tensor().numpy(), before.base if before.base is not None else before
    )


def op_of(name: str) -> str:
    """Return the op of a name, which may be an alias."""
    return next(row.name for row in ELEMENTWISE if name in (row.name, *row.aliases))


@pytest.mark.parametrize("layout", ["sliced with gaps", "flipped"])
@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        (name, dtype)
        for name in sorted({n[:-1] for one in ELEMENTWISE for n in one.methods if n.endswith("_")})
        for dtype in accepted(op_of(name), ("float32", "int32", "bool"))
    ],
)
def test_in_place_methods(name: str, dtype: str, layout: str) -> None:
    """x.op_(y) is x.op(y) written into x, or refused where x cannot hold the result."""
    x, _ = laid(layout, PLAIN[kind_of(dtype)], dtype)
    y, _ = laid(layout, OTHER[kind_of(dtype)], dtype)
    others = () if op_of(name) in UNARY_ROWS else (y,)
    expected = getattr(x, name)(*others)
    before = x.storage().tensor().clone()
    version = x._version
    if PROMOTED_KINDS[expected.dtype.kind] > PROMOTED_KINDS[x.dtype.kind]:
        with pytest.raises(strided.DTypeMismatch):
            getattr(x, name + "_")(*others)
        assert x._version == version
    else:
        assert getattr(x, name + "_")(*others) is x
        assert x._version > version
        assert_same(x, as_numpy(expected.to(x.dtype)))
        x.copy_(before.as_strided(x.shape, x.stride(), x.storage_offset()))
    assert x.storage().tensor().numpy().tobytes() == before.numpy().tobytes()


def test_in_place_through_a_view_changes_the_base() -> None:
    x = strided.zeros(3, 4)
    x.T[1:3].add_(1)
    x[0, ::2] *= 5
    x[2].clamp_(max=0.5).sub_(2)
    x.diagonal().fill_(9)
    assert x.tolist() == [[9, 1, 5, 0], [0, 9, 1, 0], [-2, -1.5, 9, -2]]


def test_out_is_checked() -> None:
    x = strided.ones(2, 3)
    with pytest.raises(strided.ShapeMismatch):
        strided.add(x, x, out=strided.empty(3, 2))
    with pytest.raises(strided.DTypeMismatch):
        strided.add(x, x, out=strided.empty(2, 3, dtype=strided.int64))
    with pytest.raises(strided.WriteThroughOverlap):
        strided.add(x, x, out=strided.empty(3).expand(2, 3))
    with pytest.raises(strided.ReadOnlyTensor):
        strided.add(x, x, out=strided.frombuffer(b"\0" * 24).view(2, 3))
    assert (
        strided.add(x, x, out=strided.empty(2, 3, dtype=strided.complex64)).tolist()
        == [[2] * 3] * 2
    )
    assert strided.add(x[0], 1, out=strided.empty(2, 3)).tolist() == [[2] * 3] * 2
    with pytest.raises(TypeError):
        strided.add(x, x, out=np.empty((2, 3), np.float32))


def test_integers_have_no_negative_powers() -> None:
    with pytest.raises(strided.InvalidArgument) as caught:
        strided.arange(3) ** -1
    assert (caught.value.argument, caught.value.got) == ("exponent", "-1")
    assert (strided.tensor([2.0]) ** -1).tolist() == [0.5]
