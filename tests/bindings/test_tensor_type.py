"""The Python type: subclasses, weak references, comparison, pickles, text, argument forms."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.compare import ALL_DTYPES, as_numpy, dtype_of
from support.layouts import LAYOUTS, fill, placed

import strided

X = strided.arange(24).reshape(2, 3, 4)

# ---- subclasses ----


class Named(strided.Tensor):
    """A tensor with a name."""

    def __init__(self, data: Any, name: str = "", *, unit: str = "m") -> None:
        self.name, self.unit = name, unit

    def twice(self) -> strided.Tensor:
        return self * 2


class Slotted(strided.Tensor):
    __slots__ = ("note",)


def test_subclass_attributes_and_views() -> None:
    base = strided.arange(3)
    x = Named(base, "length", unit="km")
    assert (x.name, x.unit, type(x), x.base) == ("length", "km", Named, base)
    assert isinstance(x, strided.Tensor)
    assert x.shares_storage(base)
    x[0] = 7
    assert base[0].item() == 7
    assert x.twice().tolist() == [14, 2, 4]
    assert strided.asarray(x) is x
    assert {type(y) for y in (x[0], x.view(), x + 1, x.clone())} == {strided.Tensor}
    x += 1
    assert (type(x), x.tolist()) == (Named, [8, 2, 3])
    assert Named([1, 2], name="b").tolist() == [1, 2]
    assert Named(np.arange(2)).unit == "m"
    s = Slotted(base)
    s.note = 5
    assert s.note == 5
    with pytest.raises(AttributeError):
        s.other = 1
    with pytest.raises(AttributeError):
        base.other = 1


@pytest.mark.parametrize("arguments", [(), (object(),), ("text",), ([[1], 2],)])
def test_subclass_refusals(arguments: tuple[Any, ...]) -> None:
    for cls in (Named, strided.Tensor):
        before = sys.getrefcount(cls)
        with pytest.raises((TypeError, strided.ShapeMismatch)):
            cls(*arguments)
        assert sys.getrefcount(cls) == before


def test_tensor_takes_one_argument() -> None:
    assert strided.Tensor(X).shares_storage(X)
    assert strided.Tensor([1, 2]).tolist() == [1, 2]
    with pytest.raises(TypeError):
        strided.Tensor([1], [2])
    with pytest.raises(TypeError):
        strided.Tensor([1], dtype=strided.int8)


def test_subclasses_and_cycles_are_collected() -> None:
    class Local(strided.Tensor):
        pass

    x = Local(X)
    x.me, x.views = x, [x[0], x.T if x.ndim == 2 else x.mT]
    ends = [weakref.ref(x), weakref.ref(Local)]
    x.views.clear()
    del x
    gc.collect()
    assert ends[0]() is None
    del Local
    gc.collect()
    assert ends[1]() is None  # the last instance let go of its class


def test_a_cycle_through_a_view_is_as_long_as_numpys() -> None:
    x = Named(X, "x")
    view = x[0]
    end = weakref.ref(x)
    del x
    # A view names the first owner, not the subclass in between.
    assert (end(), view.base) == (None, X.base)


# ---- identity, weak references, containers ----


def test_weak_references() -> None:
    died: list[str] = []
    x = strided.zeros(3)
    reference = weakref.ref(x, lambda _: died.append("x"))
    view = x.view()
    assert reference() is x
    del x
    assert reference() is view.base
    del view
    assert (reference(), died) == (None, ["x"])
    again = [strided.zeros(3) for _ in range(3)]  # reuse the object, not its references
    assert (reference(), [weakref.getweakrefcount(y) for y in again]) == (None, [0, 0, 0])
    table = weakref.WeakValueDictionary({"a": again[0]})
    again.clear()
    assert "a" not in table


def test_hash_is_identity_and_comparison_is_elementwise() -> None:
    x, y = strided.arange(3), strided.arange(3)
    assert (hash(x), len({x, y, x})) == (hash(x), 2)
    assert (x == y).tolist() == [True] * 3
    assert (x == None) is False  # noqa: E711
    assert (x != None) is True  # noqa: E711
    assert x in [x]
    for compare in (lambda: x < None, lambda: x >= "a", lambda: sorted([x, "a"])):
        with pytest.raises(TypeError):
            compare()


def test_powers_have_no_modulus() -> None:
    with pytest.raises(TypeError):
        pow(strided.arange(3), 2, 3)


def test_iteration_and_length() -> None:
    assert [row.tolist() for row in X[0]] == X[0].tolist()
    assert [row.base is X.base for row in X] == [True, True]
    assert (len(X), len(X[:0]), list(X[:0])) == (2, 0, [])
    first, *rest = X.unbind()
    assert (first.shape, len(rest)) == ((3, 4), 1)
    for call in (len, iter, list):
        with pytest.raises(TypeError):
            call(strided.tensor(1))
    with pytest.raises(TypeError):
        del X[0]
    changing = strided.zeros(2, 1, 3)
    iterator = iter(changing)
    next(iterator)
    changing.squeeze_()
    assert next(iterator).shape == (3,)


# ---- copies and pickles ----


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_pickles(dtype: str) -> None:
    for at in LAYOUTS.values():
        x = placed(at, fill([0, 1, 3], at.room, "float32"))[0].to(dtype_of(dtype))
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            y = pickle.loads(pickle.dumps(x, protocol))
            assert (y.shape, y.dtype, y.writable) == (x.shape, x.dtype, True)
            assert np.array_equal(as_numpy(y), as_numpy(x))
    assert len(pickle.dumps(strided.zeros(100_000)[:2])) < 500


def test_copy_and_deepcopy() -> None:
    x = X[:, 1:].mT
    shallow, deep = copy.copy(x), copy.deepcopy(x)
    assert (shallow.data_ptr(), shallow.stride()) == (x.data_ptr(), x.stride())
    assert not deep.shares_storage(x)
    assert deep.tolist() == shallow.tolist() == x.tolist()
    pair = copy.deepcopy([x, x])
    assert pair[0] is pair[1]


def test_copies_of_subclasses() -> None:
    x = Named([1, 2], "n", unit="s")
    x.more = [x.name]
    for y in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert (type(y), y.name, y.unit, y.more, y.tolist()) == (Named, "n", "s", ["n"], [1, 2])
    assert copy.copy(x).more is x.more
    assert copy.deepcopy(x).more is not x.more
    assert copy.copy(x).shares_storage(x)
    assert type(copy.copy(Slotted(X))) is type(pickle.loads(pickle.dumps(Slotted(X)))) is Slotted


# ---- text ----

TEXTS = [
    (strided.tensor(1.5), "tensor(1.5, shape=(), dtype=float32)"),
    (strided.tensor(True), "tensor(True, shape=(), dtype=bool)"),
    (strided.tensor(1 - 2j), "tensor(1.-2.j, shape=(), dtype=complex64)"),
    (strided.tensor(1.5).bfloat16(), "tensor(1.5, shape=(), dtype=bfloat16)"),
    (strided.zeros(0, 3), "tensor([], shape=(0, 3), dtype=float32)"),
    (strided.arange(3).flip(), "tensor([2, 1, 0], shape=(3,), dtype=int64)"),
    (X[0, :2, :2].T, "tensor([[0, 4],\n        [1, 5]], shape=(2, 2), dtype=int64)"),
    (
        X[:, :1, :2],
        "tensor([[[ 0,  1]],\n\n        [[12, 13]]], shape=(2, 1, 2), dtype=int64)",
    ),
    (
        strided.arange(2000),
        "tensor([   0,    1,    2, ..., 1997, 1998, 1999], shape=(2000,), dtype=int64)",
    ),
    (
        strided.tensor([float("nan"), float("-inf"), 1e-30]).bfloat16(),
        "tensor([      nan,      -inf, 9.984e-31], shape=(3,), dtype=bfloat16)",
    ),
]


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_repr_and_str(number: int) -> None:
    x, text = TEXTS[number]
    assert repr(x) == text
    usual = x.dtype in (strided.float32, strided.int64, strided.bool, strided.complex64)
    shape = f", shape={x.shape}" if 0 in x.shape else ""
    dtype = "" if usual else f", dtype={x.dtype.name}"
    assert str(x) == text[: text.rindex(", shape=")] + shape + dtype + ")"
    assert f"{x}" == (format(x.item()) if x.ndim == 0 else str(x))


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_text_copies_nothing(dtype: str) -> None:
    made = [placed(at, np.zeros(at.room, dtype_of(dtype).dtype))[0] for at in LAYOUTS.values()]
    made.append(strided.ones(3000, 1000, dtype=dtype_of(dtype)).T)
    before = strided.copy_totals()
    for x in made:
        assert f"shape={x.shape}" in repr(x)
        assert len(repr(x)) < 4000
    assert strided.copy_totals() == before


def test_format() -> None:
    assert f"{strided.tensor(2.25):.1f}|{strided.tensor(7):03d}" == "2.2|007"
    assert f"{strided.arange(2):>20}" == "      tensor([0, 1])"
    with pytest.raises(ValueError):
        format(strided.arange(2), ".2f")


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (X.mT, ["(2, 4, 3):(12, 1, 4)+0", "int64", "24 (192 bytes)", "no", "shared"]),
        (strided.tensor(1.5), ["():()+0", "float32", "1 (4 bytes)", "yes", "writable, own"]),
        (strided.frombuffer(b"abcd"), ["(1,):(1,)+0", "float32", "4 bytes", "yes", "read-only"]),
        (strided.zeros(3).expand(2, 3), ["(2, 3):(0, 1)+0", "12 bytes", "no", "axis 0 steps 0"]),
        (strided.zeros(0, 3), ["(0, 3):(3, 1)+0", "0 (0 bytes)", "yes", "own"]),
    ],
)
def test_debug(x: Any, expected: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert x.debug() is None
    text = capsys.readouterr().out
    assert all(part in text for part in expected)
    assert len(text.splitlines()) == 5


# ---- argument forms ----

ALIASES: list[tuple[Callable[..., Any], list[dict[str, Any]]]] = [
    (X.select, [{"dim": 1, "index": 2}, {"axis": 1, "index": 2}]),
    (X.unbind, [{"dim": 1}, {"axis": 1}]),
    (X.split, [{"split_size": 2, "dim": 2}, {"split_size": 2, "axis": 2}]),
    (X.chunk, [{"chunks": 2, "dim": 2}, {"chunks": 2, "axis": 2}]),
    (X.tensor_split, [{"indices_or_sections": 2, "dim": 2}, {"indices_or_sections": 2, "axis": 2}]),
    (X.squeeze, [{"dim": 0}, {"axis": 0}]),
    (X.unsqueeze, [{"dim": -1}, {"axis": -1}]),
    (X.flip, [{"dims": (0, 2)}, {"axis": (0, 2)}, {"axes": (0, 2)}]),
    (X.permute, [{"dims": (2, 0, 1)}, {"axes": (2, 0, 1)}]),
    (X.swapaxes, [{"dim0": 0, "dim1": 2}, {"axis0": 0, "axis1": 2}]),
    (X.diagonal, [{"dim1": 1, "dim2": 2}, {"axis1": 1, "axis2": 2}]),
    (X.unfold, [{"dim": 2, "size": 2, "step": 2}, {"axis": 2, "size": 2, "step": 2}]),
    (X.sliding_window_view, [{"window_shape": 2, "dim": 2}, {"window_shape": 2, "axis": 2}]),
    (X.reshape, [{"shape": (4, 6)}, {"size": (4, 6)}, {"newshape": (4, 6)}]),
    (X.view, [{"shape": (4, 6)}, {"size": (4, 6)}]),
    (X.expand, [{"size": (5, 2, 3, 4)}, {"shape": (5, 2, 3, 4)}]),
    (X.contiguous, [{"memory_format": "column_major"}, {"order": "column_major"}]),
    (X.stride, [{"dim": 1}, {"axis": 1}]),
    *(
        (getattr(X.double(), name), [{"dim": 1, "keepdim": True}, {"axis": 1, "keepdims": True}])
        for name in ("sum", "prod", "any", "all", "mean", "var", "std", "argmax", "argmin", "amax")
    ),
    (X.cumsum, [{"dim": 1}, {"axis": 1}]),
]


def plain(result: Any) -> Any:
    """Return values and strides of a result of any kind, for comparison."""
    if isinstance(result, strided.Tensor):
        return (result.tolist(), result.stride())
    return [plain(part) for part in result] if isinstance(result, tuple) else result


@pytest.mark.parametrize("number", range(len(ALIASES)))
def test_keywords_of_both_worlds(number: int) -> None:
    call, (first, *others) = ALIASES[number]
    for other in others:
        assert plain(call(**other)) == plain(call(**first))


WRONG = {
    "missing": lambda: X.narrow(0, 1),
    "missing first": lambda: X.select(index=0),
    "too many": lambda: X.select(0, 0, 0),
    "too many for none": lambda: X.detach(1),
    "unknown keyword": lambda: X.unsqueeze(0, places=1),
    "twice": lambda: X.select(0, 0, dim=1),
    "by both names": lambda: X.select(dim=0, axis=0, index=0),
    "reduction twice": lambda: X.sum(0, dim=0),
    "reduction by both names": lambda: X.sum(dim=0, axis=0),
    "shape and dtype": lambda: X.view(dtype=strided.int32, size=(4, 6)),
    "shape twice": lambda: X.reshape(4, 6, shape=(4, 6)),
    "float for int": lambda: X.narrow(0, 0.0, 1),
    "text for shape": lambda: X.reshape("ab"),
    "None for int": lambda: X.select(None, 0),
    "number for tensor": lambda: X.view_as(5),
    "operand": lambda: strided.add(X, "text"),
    "operands": lambda: strided.add(X),
    "out": lambda: strided.add(X, 1, out=[0]),
    "index": lambda: X["a"],
    "dtype": lambda: X.to(dtype=5),
    "device": lambda: X.reshape(24, copy=True, device="cpu"),
    "generator": lambda: strided.rand(2, generator=5),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments(name: str) -> None:
    with pytest.raises(
        (TypeError, AttributeError) if name in ("number for tensor", "generator") else TypeError
    ):
        WRONG[name]()


def test_reversed_walks_from_the_end() -> None:
    x = strided.arange(6).reshape(3, 2)
    assert [row.tolist() for row in reversed(x)] == [[4, 5], [2, 3], [0, 1]]
    assert all(row.shares_storage(x) for row in reversed(x))
