"""einsum and tensordot against NumPy: subscripts, layouts, dtypes, views, refusals."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from support.compare import COMPLEX, FLOATS, HALVES, INTS, assert_same, dtype_of
from support.matrices import numbers
from support.ordering import threads

import strided

LENGTHS = {"a": 2, "b": 3, "c": 4, "d": 5, "e": 1, "i": 3, "j": 4, "k": 5, "l": 2, "m": 6}

# Each is computed by views and one kernel, or is a view.
TABLE = [
    # one operand
    "i->i",
    "ij->ji",
    "ij->ij",
    "ij->i",
    "ij->j",
    "ij->",
    "ii->i",
    "ii->",
    "iij->ji",
    "iji->j",
    "iiji->ij",
    "ijk->kij",
    "ijkl->lk",
    "abcd->",
    # two: elementwise, outer, scalar products, matrices
    "i,i->i",
    "i,i->",
    "i,j->ij",
    "i,j->ji",
    "i,j->",
    "ij,ij->ij",
    "ij,ji->ij",
    "ij,ij->",
    "ij,jk->ik",
    "ij,jk->ki",
    "ij,kj->ik",
    "ji,jk->ik",
    "ij,j->i",
    "j,ij->i",
    "ij,jk->ijk",
    "ij,jk->",
    "ij,jk->j",
    "ij,jk->i",
    "ij,kl->",
    "ij,kl->il",
    # batches, several axes on each side
    "bij,bjk->bik",
    "bij,bjk->ikb",
    "bij,jk->bik",
    "bij,bj->bi",
    "bijc,bjkc->bikc",
    "abij,bajk->abik",
    "bqhd,bkhd->bhqk",
    "bhqk,bkhd->bqhd",
    "ijk,jk->i",
    "ijk,kj->i",
    "ijkl,jmk->ilm",
    "ijkl,klm->ijm",
    "ijkl,ljb->ikb",
    "abcd,dcb->a",
    "abcd,efcb->adef",
    "iij,jkk->ik",
    "iji,jj->i",
    # three and more
    "i,i,i->i",
    "ij,jk,kl->il",
    "ij,jk,kl->",
    "ij,i,j->",
    "a,b,c->abc",
    "abc,cd,de->abe",
    "ij,jk,kl,lm->im",
    "bij,bjk,k->bi",
    "i,ij,j,k->k",
    # implicit
    "ij",
    "ji",
    "ii",
    "ij,jk",
    "kj,ji",
    "ba",
    " i j , j k -> i k ",
    # an operand of rank 0
    ",i->i",
    ",->",
]


def lengths_of(term: str) -> tuple[int, ...]:
    return tuple(LENGTHS.get(letter, 3) for letter in term)


def operands_of(subscripts: str, dtype: str, seed: int) -> list[np.ndarray]:
    made = []
    for i, term in enumerate(subscripts.replace(" ", "").partition("->")[0].split(",")):
        shape = lengths_of(term)
        a = numbers(int(np.prod(shape)), dtype, 10 * seed + i)
        made.append((a % 7 if a.dtype.kind in "iu" else a).reshape(shape))
    return made


def relaid(a: np.ndarray, choice: int) -> np.ndarray:
    """Return equal elements in another layout."""
    if a.ndim == 0:
        return a
    if choice == 0:
        return a
    if choice == 1:
        return np.asfortranarray(a)
    if choice == 2:
        return np.repeat(np.repeat(a, 2, 0), 3, -1 if a.ndim > 1 else 0)[
            (
                slice(None, None, 2 if a.ndim > 1 else 6),
                ...,
                *([slice(None, None, 3)] * (a.ndim > 1)),
            )
        ]
    if choice == 3:
        every = tuple(slice(None, None, -1) for _ in a.shape)
        return np.ascontiguousarray(a[every])[every]
    order = random.Random(choice).sample(range(a.ndim), a.ndim)
    return np.ascontiguousarray(a.transpose(order)).transpose(np.argsort(order))


def check(subscripts: str, arrays: list[np.ndarray], dtype: str, rtol: float) -> None:
    wide = {"f": "float64", "c": "complex128"}.get(np.dtype(dtype).kind, dtype)
    expected = np.asarray(np.einsum(subscripts, *(a.astype(wide) for a in arrays))).astype(dtype)
    got = strided.einsum(subscripts, *(strided.from_numpy(a) for a in arrays))
    assert_same(got, expected, rtol, where=(subscripts, [a.strides for a in arrays]))


@pytest.mark.parametrize("subscripts", TABLE)
def test_table_over_layouts(subscripts: str) -> None:
    arrays = operands_of(subscripts, "float64", 1)
    for first in range(6):
        for second in range(6):
            laid = [relaid(a, first if i % 2 == 0 else second) for i, a in enumerate(arrays)]
            check(subscripts, laid, "float64", 1e-13)
            if len(arrays) == 1:
                break


@pytest.mark.parametrize("dtype", INTS + FLOATS + COMPLEX + ("bool",))
def test_dtypes(dtype: str) -> None:
    rtol = 1e-5 if dtype in ("float32", "complex64") else 1e-13
    for subscripts in (
        "ij->ji",
        "ij->i",
        "ii->",
        "ij,jk->ik",
        "i,j->ij",
        "ij,ij->",
        "bij,bkj->bki",
    ):
        check(subscripts, operands_of(subscripts, dtype, 2), dtype, rtol)


@pytest.mark.parametrize("dtype", INTS + FLOATS + COMPLEX + ("bool",))
@pytest.mark.parametrize("subscripts", ["ij,ij->j", "ij,ij->i", "bij,bij->jb", "bij,bij->ib"])
def test_sums_across_results(subscripts: str, dtype: str) -> None:
    """Products that are no matrix products: elements are multiplied, then added up."""
    lengths = {"b": 3, "i": 150, "j": 70}
    shape = [lengths[label] for label in subscripts[: subscripts.index(",")]]
    count = int(np.prod(shape))
    a, b = (numbers(count, dtype, seed).reshape(shape) for seed in (3, 4))
    rtol = 1e-4 if dtype in ("float32", "complex64") else 1e-12
    for first, second in [(0, 0), (1, 1), (2, 4), (3, 5)]:
        check(subscripts, [relaid(a, first), relaid(b, second)], dtype, rtol)


def test_sums_across_results_do_not_depend_on_threads() -> None:
    x = strided.randn(300, 5000)
    answers = []
    for count in (1, 2, 5):
        with threads(count):
            answers.append(strided.einsum("ij,ij->j", x, x))
    assert all(bool((answer == answers[0]).all()) for answer in answers)


def test_plans_of_products() -> None:
    """What is recorded is what ran: axes with roles, and how they are cut."""
    x, w = strided.ones(2, 8, 64), strided.ones(32, 64)
    for run, operation, axes in (
        (lambda: x @ w.T, "matmul", [(16, "row"), (32, "column"), (64, "inner")]),
        (lambda: strided.nn.linear(x, w), "linear", [(16, "row"), (32, "column"), (64, "inner")]),
        (
            lambda: strided.einsum("bik,bjk->bij", x, x),
            "contract",
            [(2, "map"), (8, "row"), (8, "column"), (64, "inner")],
        ),
        (lambda: strided.einsum("bij,bij->j", x, x), "contract", [(64, "map"), (16, "inner")]),
    ):
        (product,) = strided.plan(run).passes
        assert product.operation == operation
        assert [(axis.length, axis.role) for axis in product.axes] == axes
        assert product.tiles


def test_halves_are_added_up_in_float32() -> None:
    for dtype in HALVES:
        x = strided.ones(3, 4000, dtype=dtype_of(dtype))
        got = strided.einsum("ij,kj->ik", x, x)
        assert got.dtype is x.dtype
        assert_same(got.to(strided.float32), np.full((3, 3), 4000, "f"), 2.0**-8)


def test_dtypes_meet() -> None:
    x = strided.ones(2, 3, dtype=strided.int32)
    assert strided.einsum("ij,jk", x, strided.ones(3, 2)).dtype is strided.float32
    assert strided.einsum("ij,ij->ij", x, strided.ones(2, 3, dtype=strided.float64)).dtype is (
        strided.float64
    )


# ---- ellipsis, lists, broadcasting ----


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("...", ((2, 3),)),
        ("...ij->...ji", ((2, 3, 4),)),
        ("i...->...i", ((2, 3, 4),)),
        ("...i->...", ((2, 3, 4),)),
        ("ii...->i...", ((3, 3, 4),)),
        ("...ij,...jk->...ik", ((2, 3, 4), (5, 2, 4, 6))),
        ("...ij,...jk->...ik", ((3, 4), (5, 2, 4, 6))),
        ("...ij,jk->...ik", ((5, 2, 3, 4), (4, 6))),
        ("...ij,...jk", ((5, 1, 3, 4), (2, 4, 6))),
        ("i...,...i->...", ((3, 2, 4), (2, 4, 3))),
        ("...i,...i", ((2, 3), (3,))),
        ("a...,b...->ab...", ((2, 3), (4, 3))),
        ("...,...->...", ((2, 3), (3,))),
        ("...i,...i,...->...", ((2, 3), (2, 3), (2,))),
        # length 1 broadcasts
        ("ij,jk->ik", ((2, 1), (3, 4))),
        ("ij,jk->ik", ((2, 3), (1, 4))),
        ("ij,ij->ij", ((1, 3), (2, 1))),
        ("ij,ij->", ((1, 3), (2, 1))),
        ("bij,bjk->bik", ((1, 2, 3), (5, 3, 4))),
        ("i,i,i->", ((1,), (1,), (5,))),
        ("i,i,i->i", ((1,), (5,), (1,))),
        # empty
        ("ij,jk->ik", ((2, 0), (0, 3))),
        ("ij,jk->ik", ((0, 2), (2, 3))),
        ("ij,ij->", ((0, 2), (0, 2))),
        ("ij->i", ((2, 0),)),
        ("ij,jk->", ((2, 0), (0, 3))),
    ],
)
def test_ellipsis_broadcasting_and_empty_axes(subscripts: str, shapes: Any) -> None:
    arrays = [numbers(int(np.prod(s)), "float64", i).reshape(s) for i, s in enumerate(shapes)]
    check(subscripts, arrays, "float64", 1e-13)


def test_an_ellipsis_that_is_summed_over() -> None:
    assert strided.einsum("...i->i", strided.ones(2, 3, 4)).tolist() == [6.0] * 4
    assert strided.einsum("...->", strided.ones(2, 3)).item() == 6.0


@pytest.mark.parametrize(
    "lists",
    [
        ([0, 1], [1, 2], [0, 2]),
        ([0, 1], [1, 2]),
        ([5, 1], [1, 2]),
        ([0, 1], [2, 1], [2, 0]),
        ([Ellipsis, 1], [1, 2], [Ellipsis, 2]),
        ([0, 1], [1, 0], []),
    ],
)
def test_lists_instead_of_letters(lists: Any) -> None:
    shapes = {0: 2, 1: 3, 2: 4, 5: 2, Ellipsis: 2}
    arrays = [
        numbers(60, "float64", i)[: int(np.prod([shapes[n] for n in term]))].reshape(
            [shapes[n] for n in term]
        )
        for i, term in enumerate(lists[:2])
    ]
    arguments: list[Any] = []
    for a, term in zip(arrays, lists, strict=False):
        arguments += [a, term]
    arguments += list(lists[2:])
    tensors = [strided.from_numpy(x) if isinstance(x, np.ndarray) else x for x in arguments]
    assert_same(strided.einsum(*tensors), np.einsum(*arguments), 1e-14)


LETTERS = "abcdef"


@pytest.mark.parametrize("seed", range(8))
def test_random_subscripts(seed: int) -> None:
    """Up to four operands with any labels, repeated ones too, over any layout."""
    chance = random.Random(seed)
    for _ in range(120):
        size = {letter: chance.randint(1, 4) for letter in LETTERS}
        terms = [
            "".join(chance.choice(LETTERS) for _ in range(chance.randint(0, 4)))
            for _ in range(chance.randint(1, 4))
        ]
        arrays = []
        for term in terms:
            single = [letter for letter in term if term.count(letter) == 1]
            shape = [1 if c in single and chance.random() < 0.1 else size[c] for c in term]
            a = numbers(int(np.prod(shape)), "int64", chance.randint(0, 99)).reshape(shape) % 5
            arrays.append(relaid(a, chance.randint(0, 9)))
        used = sorted(set("".join(terms)))
        subscripts = ",".join(terms)
        if chance.random() < 0.8:
            subscripts += "->" + "".join(chance.sample(used, chance.randint(0, len(used))))
        check(subscripts, arrays, "int64", 0)


# ---- memory ----


@pytest.mark.parametrize(
    ("subscripts", "rank", "layout"),
    [
        ("ij->ji", 2, "(3, 3):(1, 3)+0"),
        ("ij->ij", 2, "(3, 3):(3, 1)+0"),
        ("ii->i", 2, "(3,):(4,)+0"),
        ("iii->i", 3, "(3,):(13,)+0"),
        ("iij->ji", 3, "(3, 3):(1, 12)+0"),
        ("ijk->kji", 3, "(3, 3, 3):(1, 3, 9)+0"),
        ("...ij->...ji", 3, "(3, 3, 3):(9, 1, 3)+0"),
        ("i...->...i", 3, "(3, 3, 3):(3, 1, 9)+0"),
    ],
)
def test_pure_views_share_their_storage(subscripts: str, rank: int, layout: str) -> None:
    x = strided.arange(3**rank).view([3] * rank)
    got = strided.einsum(subscripts, x)
    assert got.shares_storage(x)
    assert str(got.layout) == layout


def test_nothing_is_copied() -> None:
    tensors = {
        subscripts: [
            [strided.from_numpy(relaid(a, choice)) for a in operands_of(subscripts, "float32", 3)]
            for choice in range(8)
        ]
        for subscripts in TABLE
    }
    before = strided.copy_totals()
    for subscripts, cases in tensors.items():
        for operands in cases:
            strided.einsum(subscripts, *operands)
    assert strided.copy_totals() == before


def test_windows_are_multiplied_where_they_lie() -> None:
    """A convolution: six axes over one image, four of them no single stride."""
    image = numbers(2 * 3 * 9 * 10, "float64", 1).reshape(2, 3, 9, 10)
    kernel = numbers(4 * 3 * 3 * 2, "float64", 2).reshape(4, 3, 3, 2)
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 2), (2, 3))
    expected = np.einsum("nchwij,ocij->nohw", windows, kernel)
    x = strided.from_numpy(image).unfold(2, 3, 1).unfold(3, 2, 1)
    before = strided.copy_totals()
    for dtype, rtol in (("float64", 1e-13), ("complex128", 1e-13)):
        y, k = x.to(dtype_of(dtype)), strided.from_numpy(kernel).to(dtype_of(dtype))
        y = y if dtype != "float64" else x
        assert_same(strided.einsum("nchwij,ocij->nohw", y, k), expected.astype(dtype), rtol)
    assert strided.copy_totals()["reshape"] == before["reshape"]


def test_out() -> None:
    a, b = numbers(6, "float64", 1).reshape(2, 3), numbers(12, "float64", 2).reshape(3, 4)
    out = strided.empty(4, 2, dtype=strided.float64).T
    assert strided.einsum("ij,jk->ik", a, b, out=out) is out
    assert_same(out, a @ b, 1e-14)
    with pytest.raises(strided.ShapeMismatch):
        strided.einsum("ij,jk->ik", a, b, out=strided.empty(3, 3, dtype=strided.float64))


# ---- refusals ----

o = strided.ones


@pytest.mark.parametrize(
    ("arguments", "error", "fields"),
    [
        ((), strided.InvalidArgument, {"argument": "subscripts"}),
        (("ij",), strided.InvalidArgument, {}),
        (("ij,jk", o(2, 3)), strided.InvalidArgument, {"got": "'ij,jk'"}),
        (("ij", o(2, 3), o(3)), strided.InvalidArgument, {}),
        (("i1", o(2, 3)), strided.InvalidArgument, {}),
        (("i.j", o(2, 3)), strided.InvalidArgument, {}),
        (("ij->ik", o(2, 3)), strided.InvalidArgument, {}),
        (("ij->ii", o(2, 3)), strided.InvalidArgument, {}),
        (("ij->i->j", o(2, 3)), strided.InvalidArgument, {}),
        (("......", o(2, 3)), strided.InvalidArgument, {}),
        (("ij->......", o(2, 3)), strided.InvalidArgument, {}),
        (("ijk", o(2, 3)), strided.ShapeMismatch, {"expected": (3,), "got": (2,)}),
        (("i", o(2, 3)), strided.ShapeMismatch, {"expected": (1,), "got": (2,)}),
        (("ijk...", o(2, 3)), strided.ShapeMismatch, {}),
        (("ii", o(2, 3)), strided.ShapeMismatch, {"expected": (2,), "got": (3,)}),
        (("ij,jk", o(2, 3), o(4, 5)), strided.ShapeMismatch, {"expected": (3,), "got": (4,)}),
        (("...,...", o(2), o(3)), strided.ShapeMismatch, {}),
        ((o(2, 3), [0, 1], o(4, 5), [1, 2]), strided.ShapeMismatch, {}),
        ((o(2, 3), [0, 1], [2]), strided.InvalidArgument, {}),
    ],
)
def test_refusals(arguments: Any, error: Any, fields: dict[str, Any]) -> None:
    with pytest.raises(error) as caught:
        strided.einsum(*arguments)
    for field, value in fields.items():
        assert getattr(caught.value, field) == value


# ---- tensordot ----


@pytest.mark.parametrize(
    ("left", "right", "axes"),
    [
        ((3,), (3,), 1),
        ((2, 3), (3, 4), 1),
        ((2, 3, 4), (3, 4, 5), 2),
        ((2, 3), (4, 5), 0),
        ((), (2,), 0),
        ((2, 3, 4), (4, 3, 5), ([1, 2], [1, 0])),
        ((2, 3, 4), (4, 3, 5), ([2, 1], [0, 1])),
        ((2, 3, 4), (4, 3, 5), ([-1, -2], [0, 1])),
        ((2, 3, 4), (2, 3, 4), 3),
        ((5, 2, 3, 4), (4, 2, 6), ([1, 3], [1, 0])),
        ((2, 3), (2, 4), (0, 0)),
        ((2, 0), (0, 3), 1),
    ],
)
def test_tensordot(left: Any, right: Any, axes: Any) -> None:
    a = numbers(int(np.prod(left)), "float64", 1).reshape(left)
    b = numbers(int(np.prod(right)), "float64", 2).reshape(right)
    for first in range(6):
        for second in range(6):
            x, y = relaid(a, first), relaid(b, second)
            got = strided.tensordot(strided.from_numpy(x), strided.from_numpy(y), axes=axes)
            assert_same(got, np.tensordot(a, b, axes), 1e-13, where=(first, second))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: strided.tensordot(o(2, 3), o(2, 3), axes=1), strided.ShapeMismatch),
        (lambda: strided.tensordot(o(2, 3), o(2, 3), axes=3), strided.InvalidArgument),
        (lambda: strided.tensordot(o(2, 3), o(2, 3), axes=-1), strided.InvalidArgument),
        (lambda: strided.tensordot(o(2), o(2), axes=([1], [0])), strided.InvalidDimension),
        (lambda: strided.tensordot(o(2), o(2), axes=([0], [])), strided.ShapeMismatch),
        (lambda: strided.tensordot(o(2, 2), o(2, 2), axes=([0, 0], [0, 1])), strided.DuplicateAxis),
    ],
)
def test_tensordot_refuses(call: Any, error: Any) -> None:
    with pytest.raises(error):
        call()
