"""Products by name: operators, methods, functions, what they are added to, what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.compare import COMPLEX, FLOATS, HALVES, assert_same, dtype_of
from support.layouts import Placed
from support.matrices import made, numbers

import strided
from strided import _native

# ---- operators, methods, functions ----


def test_operators_take_arrays() -> None:
    a = np.arange(6.0).reshape(2, 3)
    x = strided.tensor(a)
    assert (x @ a.T).tolist() == (a @ a.T).tolist()
    assert strided.matmul(a, [[1.0], [2.0], [3.0]]).tolist() == [[8.0], [26.0]]
    x @= x.T
    assert x.tolist() == (a @ a.T).tolist()
    for other in ([1, 2], "a", None, object()):
        with pytest.raises(TypeError):
            x @ other
    for number in (2, 2.0, True):
        with pytest.raises(strided.DTypeMismatch):
            x @ number


def test_named_products() -> None:
    m, a = made(Placed((3, 4), (1, 3)), "float64", 1)
    n, b = made(Placed((4, 5), (7, 1), 2), "float64", 2)
    v, c = made(Placed((4,), (-2,), 6), "float64", 3)
    s, d = made(Placed((6, 3, 4), (12, 1, 3)), "float64", 4)
    t, e = made(Placed((6, 4, 5), (0, 5, 1)), "float64", 5)
    z, f = made(Placed((4,), (3,)), "complex128", 6)
    table: list[tuple[str, Callable[[Any], Any], tuple[Any, ...], Any]] = [
        ("mm", np.matmul, (m, n), a @ b),
        ("mv", np.matmul, (m, v), a @ c),
        ("bmm", np.matmul, (s, t), d @ e),
        ("dot", np.dot, (v, v), c @ c),
        ("vdot", np.vdot, (z, z), np.vdot(f, f)),
        ("outer", np.outer, (v, v), np.outer(c, c)),
        ("inner", np.inner, (s, m), np.inner(d, a)),
        ("inner", np.inner, (s, v), np.inner(d, c)),
        ("matmul", np.matmul, (s, t), d @ e),
    ]
    for name, _, operands, expected in table:
        first, *rest = operands
        assert_same(getattr(strided, name)(*operands), expected, 1e-14, where=name)
        assert_same(getattr(first, name)(*rest), expected, 1e-14, where=name)
        out = strided.empty(np.shape(expected), dtype=np.asarray(expected).dtype)
        assert getattr(first, name)(*rest, out=out) is out
        assert_same(out, expected, 1e-14, where=name)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((4,), (4,)),
        ((3, 4), (4,)),
        ((3, 4), (4, 5)),
        ((2, 3, 4), (4,)),
        ((2, 3, 4), (5, 4, 6)),
        ((3, 4), (5, 4, 6)),
        ((4,), (5, 4, 6)),
        ((), (3, 4)),
        ((3,), ()),
    ],
)
def test_dot_is_numpys(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    a = numbers(int(np.prod(left)), "float64", 1).reshape(left)
    b = numbers(int(np.prod(right)), "float64", 2).reshape(right)
    expected = np.dot(a, b)
    assert_same(strided.dot(a, b), expected, 1e-14)
    out = strided.empty(expected.shape, dtype=strided.float64)
    assert_same(strided.dot(a, b, out=out), expected, 1e-14)


def test_vecdot() -> None:
    for dtype in FLOATS + COMPLEX + ("int32",):
        a = numbers(24, dtype, 1).reshape(2, 3, 4)
        b = numbers(24, dtype, 2).reshape(2, 3, 4)
        for axis in (-1, -2, -3):
            expected = np.sum(np.conj(a) * b, axis=axis, dtype=dtype)
            assert_same(strided.vecdot(a, b, axis=axis), expected, 1e-5, where=(dtype, axis))
        assert_same(strided.vecdot(a, b[1, 2]), np.sum(np.conj(a) * b[1, 2], -1, dtype=dtype), 1e-5)
    with pytest.raises(strided.InvalidDimension):
        strided.vecdot(strided.ones(3), strided.ones(3), axis=1)
    with pytest.raises(strided.ShapeMismatch):
        strided.vecdot(strided.ones(3), strided.ones(4))


def test_kron() -> None:
    for left, right in [
        ((2,), (3,)),
        ((2, 3), (4, 1)),
        ((2,), (3, 2)),
        ((2, 1, 3), (2, 2)),
        ((), (2,)),
    ]:
        a = numbers(int(np.prod(left)), "int64", 1).reshape(left) % 9
        b = numbers(int(np.prod(right)), "float64", 2).reshape(right)
        x, y = strided.from_numpy(a), strided.from_numpy(b)
        assert_same(strided.kron(x, y), np.kron(a, b), 1e-15)
        if left:
            assert_same(strided.kron(x.flip(0), y), np.kron(a[::-1], b), 1e-15)


def test_products_that_are_added() -> None:
    a, b = numbers(12, "float64", 1).reshape(3, 4), numbers(20, "float64", 2).reshape(4, 5)
    c, v = numbers(15, "float64", 3).reshape(3, 5), numbers(4, "float64", 4)
    x, y, z, w = (strided.from_numpy(array) for array in (a, b, c, v))
    assert_same(strided.addmm(z, x, y), c + a @ b, 1e-14)
    assert_same(z.addmm(x, y, beta=2, alpha=-0.5), 2 * c - 0.5 * (a @ b), 1e-14)
    assert_same(z[0].addmm(x, y), c[0] + a @ b, 1e-14)
    assert_same(strided.addmv(z[:, 0], x, w, alpha=3), c[:, 0] + 3 * (a @ v), 1e-14)
    stack = strided.stack([x, 2 * x])
    expected = np.stack([c + a @ b, c + 2 * a @ b])
    assert_same(z.baddbmm(stack, y.expand(2, 4, 5)), expected, 1e-14)
    assert_same(strided.baddbmm(z, stack, y.expand(2, 4, 5)), expected, 1e-14)
    # beta = 0 means that what was there does not count, not even NaN.
    nothing = strided.full((3, 5), float("nan"), dtype=strided.float64)
    assert_same(nothing.addmm(x, y, beta=0), a @ b, 1e-14)
    out = strided.empty(5, 3, dtype=strided.float64).T
    assert strided.addmm(z, x, y, out=out) is out
    assert_same(out, c + a @ b, 1e-14)
    # In place, and out of its own operands.
    own = z.clone()
    assert own.addmm_(x, y) is own
    assert_same(own, c + a @ b, 1e-14)
    square = strided.from_numpy(a[:, :3].copy())
    square.addmm_(square, square.T)
    assert_same(square, a[:, :3] + a[:, :3] @ a[:, :3].T, 1e-14)
    three = strided.zeros(2, 3, 5, dtype=strided.float64)
    assert three.baddbmm_(stack, y.expand(2, 4, 5), beta=1) is three
    for dtype in HALVES:
        # Rounded once: 1 + 2^-12 of the product is not lost before 1 is taken away.
        one = strided.ones(1, 1, dtype=dtype_of(dtype))
        small = strided.full((1, 2), 2.0**-6, dtype=dtype_of(dtype))
        small[0, 1] = 1
        got = (-one).addmm(small, small.T)
        assert got.dtype is one.dtype
        assert got.item() == 2.0**-12


# ---- refusals ----

o = strided.ones
ERRORS: dict[str, tuple[Callable[[], Any], type[Exception], dict[str, Any]]] = {
    "inner lengths": (
        lambda: o(2, 3) @ o(4, 5),
        strided.ShapeMismatch,
        {"operation": "matmul", "expected": (2, 3), "got": (4, 5)},
    ),
    "vectors": (lambda: o(3) @ o(4), strided.ShapeMismatch, {"expected": (3,), "got": (4,)}),
    "transposed would fit": (
        lambda: o(2, 3) @ o(2, 3),
        strided.ShapeMismatch,
        {"hint": "the second operand fits transposed: a @ b.mT"},
    ),
    "rank 0 left": (lambda: o(()) @ o(3), strided.ShapeMismatch, {"expected": (), "got": (3,)}),
    "rank 0 right": (lambda: o(3) @ o(()), strided.ShapeMismatch, {"got": ()}),
    "batches": (lambda: o(2, 3, 4) @ o(5, 4, 3), strided.ShapeMismatch, {}),
    "out of another shape": (
        lambda: strided.matmul(o(2, 3), o(3, 4), out=o(4, 2)),
        strided.ShapeMismatch,
        {"expected": (2, 4), "got": (4, 2)},
    ),
    "out is not broadcast": (
        lambda: strided.matmul(o(2, 3), o(3, 4), out=o(5, 2, 4)),
        strided.ShapeMismatch,
        {},
    ),
    "out of a lower kind": (
        lambda: strided.matmul(o(2, 2), o(2, 2), out=o(2, 2, dtype=strided.int64)),
        strided.DTypeMismatch,
        {"operation": "matmul"},
    ),
    "out that overlaps itself": (
        lambda: strided.matmul(o(2, 2), o(2, 2), out=o(2).expand(2, 2)),
        strided.WriteThroughOverlap,
        {"strides": (0, 1)},
    ),
    "read-only out": (
        lambda: strided.matmul(
            o(1, 1), o(1, 1), out=strided.frombuffer(b"abcd", dtype=strided.float32).view(1, 1)
        ),
        strided.ReadOnlyTensor,
        {"operation": "matmul"},
    ),
    "mm of a stack": (
        lambda: strided.mm(o(2, 2, 2), o(2, 2)),
        strided.ShapeMismatch,
        {"operation": "mm", "got": (2, 2, 2)},
    ),
    "mv of a matrix": (lambda: o(2, 2).mv(o(2, 2)), strided.ShapeMismatch, {"operation": "mv"}),
    "bmm broadcasts not": (
        lambda: o(2, 3, 4).bmm(o(1, 4, 5)),
        strided.ShapeMismatch,
        {"operation": "bmm", "expected": (2,), "got": (1,)},
    ),
    "dot of a matrix": (
        lambda: o(2, 2).dot(o(2, 3, 4)),
        strided.ShapeMismatch,
        {"operation": "dot"},
    ),
    "dot": (lambda: strided.dot(o(2, 3), o(5, 2, 3)), strided.ShapeMismatch, {"operation": "dot"}),
    "inner": (lambda: o(2, 3).inner(o(2)), strided.ShapeMismatch, {"operation": "inner"}),
    "addmm": (
        lambda: o(7).addmm(o(2, 3), o(3, 4)),
        strided.ShapeMismatch,
        {},
    ),
    "addmm that would grow": (
        lambda: o(5, 1, 1).addmm(o(2, 3), o(3, 4)),
        strided.ShapeMismatch,
        {"operation": "addmm"},
    ),
    "native": (lambda: _native.contract(o(2, 3), o(3), 0, 2), strided.ShapeMismatch, {}),
    "native batch": (lambda: _native.contract(o(2, 3), o(3), -1, 1), strided.ShapeMismatch, {}),
    "not a tensor": (lambda: _native.matmul(o(2), [1.0, 2.0]), TypeError, {}),
    "too few": (lambda: _native.matmul(o(2)), TypeError, {}),
    "out is no tensor": (lambda: strided.matmul(o(2), o(2), out=np.zeros(())), TypeError, {}),
}


@pytest.mark.parametrize("name", ERRORS)
def test_refusals(name: str) -> None:
    call, error, fields = ERRORS[name]
    with pytest.raises(error) as caught:
        call()
    for field, value in fields.items():
        assert getattr(caught.value, field) == value
    if isinstance(caught.value, strided.ShapeMismatch):
        assert str(caught.value.got) in str(caught.value)
