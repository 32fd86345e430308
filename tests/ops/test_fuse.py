"""Fused functions: the same values as the plain function, from one pass over memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.layouts import LAYOUTS, fill, placed

import strided

CHAINS: dict[str, Callable[..., Any]] = {
    "one op": lambda x, y: x + y,
    "an argument itself": lambda x, y: x,
    "five ops": lambda x, y: (x * 2 + y - 0.5).abs() / 3,
    "numbers on the left": lambda x, y: 1 - 2 / (3 + x.abs()),
    "a value used often": lambda x, y: (lambda z: z * z + z - z / (z + 1))(x * x),
    "functions": lambda x, y: strided.exp(strided.minimum(x, 1)) + strided.tanh(y),
    "where and compare": lambda x, y: strided.where((x > y) & (x != 0), x, -y),
    "clip": lambda x, y: strided.clip(x, -1, 1) + strided.clip(y, min=0),
    "dtypes": lambda x, y: x.to(strided.float64) * 2 + y.to(strided.int32),
    "mixed numbers": lambda x, y: (x > 0) * 3 + y,
}
ROWS: dict[str, Callable[..., Any]] = {
    "normalise": lambda x: (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1),
    "softmax": lambda x: (lambda e: e / e.sum(-1, keepdim=True))(
        strided.exp(x - x.amax(-1, keepdim=True))
    ),
    "two levels": lambda x: x - (x * x).mean(-1, keepdim=True).sqrt() * x.amin(-1, keepdim=True),
    "over columns": lambda x: x - x.mean(0, keepdim=True),
    "over all": lambda x: x / x.square().sum(keepdim=True),
    "last two axes": lambda x: x - x.amax((-2, -1), keepdim=True),
    "spread alone": lambda x: x / x.std(-1, keepdim=True, correction=0),
    "functions": lambda x: x - strided.sum(x, axis=-1, keepdims=True, dtype=strided.float64) / 3,
}
ENDS: dict[str, Callable[..., Any]] = {
    name: (lambda x, axis, name=name: getattr(x * 2 + 1, name)(axis))
    for name in ("sum", "mean", "amax", "amin", "any", "all", "var", "std", "prod")
} | {
    f"function {name}": (
        lambda x, axis, name=name: getattr(strided, name)(x * 2 + 1, axis=axis, keepdims=True)
    )
    for name in ("sum", "mean", "max", "min", "any", "all", "var", "std", "prod")
}


def same(fused: Any, plain: Any) -> None:
    assert fused.dtype is plain.dtype
    assert fused.shape == plain.shape
    np.testing.assert_array_equal(fused.numpy(), plain.numpy())


def close(fused: Any, plain: Any) -> None:
    assert fused.dtype is plain.dtype
    assert fused.shape == plain.shape
    np.testing.assert_allclose(fused.numpy(), plain.numpy(), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", CHAINS)
def test_layouts(name: str, layout: str) -> None:
    at = LAYOUTS[layout]
    x, _ = placed(at, fill([0.5, -1.25, 3.0, 0.0, 2.5], at.room, "f4"))
    y, _ = placed(at, fill([1.5, 0.25, -2.0], at.room, "f4"))
    same(strided.fuse(CHAINS[name])(x, y), CHAINS[name](x, y))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64", "int32", "uint8", "bool"])
def test_dtypes(dtype: str) -> None:
    x = strided.tensor([[0, 1, 2], [5, 4, 1]]).to(dtype)
    y = strided.tensor([1, 0, 3]).to(dtype)
    for name in ("one op", "a value used often", "where and compare", "mixed numbers"):
        if dtype == "bool" and name != "one op":
            continue
        if name == "where and compare" and dtype == "uint8":
            continue
        try:
            plain = CHAINS[name](x, y)
        except strided.StridedError as refused:
            with pytest.raises(type(refused)):
                strided.fuse(CHAINS[name])(x, y)
            continue
        fused = strided.fuse(CHAINS[name])(x, y)
        same(fused.to(strided.float64), plain.to(strided.float64))
        assert fused.dtype is plain.dtype


@pytest.mark.parametrize("name", CHAINS)
def test_large_and_threaded(name: str, threads: int) -> None:
    x = strided.randn(700, 900)
    y = strided.randn(900, 700).T
    same(strided.fuse(CHAINS[name])(x, y), CHAINS[name](x, y))


@pytest.mark.parametrize("view", ["plain", "transposed", "stepped", "expanded"])
@pytest.mark.parametrize("name", ROWS)
def test_reductions_inside(name: str, view: str, threads: int) -> None:
    x = strided.randn(300, 520)
    x = {"plain": x, "transposed": x.T, "stepped": x[::2, ::-3], "expanded": x[:1].expand(40, 520)}[
        view
    ]
    close(strided.fuse(ROWS[name])(x), ROWS[name](x))


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1), (1, 2), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("name", ENDS)
def test_reductions_at_the_end(name: str, axis: Any, threads: int) -> None:
    x = strided.rand(40, 50, 60) * 0.01
    close(strided.fuse(ENDS[name])(x, axis), ENDS[name](x, axis))
    transposed = x.permute(2, 0, 1)
    close(strided.fuse(ENDS[name])(transposed, axis), ENDS[name](transposed, axis))


def test_a_row_too_long_for_the_cache() -> None:
    x = strided.randn(3, 300_000)
    close(strided.fuse(ROWS["softmax"])(x), ROWS["softmax"](x))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_sums_do_not_overflow(dtype: str) -> None:
    x = strided.ones(400, 400).to(dtype)
    mean = strided.fuse(lambda x: (x * 2).mean())(x)
    assert mean.item() == 2.0
    assert mean.dtype is x.dtype


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8", "float16"])
@pytest.mark.parametrize("own", ["float32", "int32", "uint8"])
def test_reductions_of_a_dtype(own: str, dtype: str) -> None:
    x = (strided.arange(3000).remainder(7) * 1.75).reshape(60, 50).to(own)
    for axis in (None, 0, 1):
        for function in (
            lambda x: strided.sum(x, axis=axis, dtype=dtype),  # noqa: B023
            lambda x: x.sum(axis, True, dtype=dtype),  # noqa: B023
        ):
            same(strided.fuse(function)(x), function(x))


@pytest.mark.parametrize("axis", [0, 1, (0, 1), None])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", "uint8", "complex64"])
def test_mean_and_spread_together(dtype: str, axis: Any) -> None:
    """They are found in one pass, whichever of them stands first."""
    x = (strided.arange(1200).remainder(37) * 3.25).reshape(30, 40).to(dtype)
    for function in (
        lambda x: (x.mean(axis), x.std(axis), x.mean(axis, keepdim=True)),
        lambda x: (x.var(axis, correction=0), x.mean(axis), x.sum(axis)),
    ):
        for fused, plain in zip(strided.fuse(function)(x), function(x), strict=True):
            close(fused.to(strided.complex128), plain.to(strided.complex128))
            assert fused.dtype is plain.dtype


def test_mean_and_spread_of_what_is_not_finite() -> None:
    inf, nan = float("inf"), float("nan")
    x = strided.tensor([[1.0, inf, 2.0], [nan, 1.0, 2.0], [inf, -inf, 1.0], [1.0, 2.0, 4.0]])
    function = lambda x: (x.mean(-1), x.std(-1))  # noqa: E731
    for fused, plain in zip(strided.fuse(function)(x), function(x), strict=True):
        close(fused, plain)
    assert strided.fuse(function)(x)[0].tolist()[0] == inf
    empty = strided.fuse(function)(strided.ones(2, 0))
    assert [one.isnan().all().item() for one in empty] == [True, True]


@pytest.mark.parametrize("in_place", [False, True])
def test_large_results_that_exist(in_place: bool, threads: int) -> None:
    """Such are written past the caches, unless they are read too."""
    x = strided.randn(2100, 1024)
    expected = ROWS["normalise"](x)
    target = x if in_place else strided.empty(2100, 1024)
    assert strided.fuse(ROWS["normalise"])(x, out=target) is target
    close(target, expected)


def test_broadcasting() -> None:
    x, row, column = strided.randn(6, 5), strided.randn(5), strided.randn(6, 1)
    function = lambda x, row, column: (x + row) * column - 2  # noqa: E731
    same(strided.fuse(function)(x, row, column), function(x, row, column))
    same(strided.fuse(function)(row, row, column), function(row, row, column))


def test_views_of_arguments() -> None:
    x = strided.randn(6, 8)
    function = lambda x: x[:, :4].T * 2 + x[:, 4:].transpose(0, 1) + x[0, ::2].unsqueeze(1)[:, :1]  # noqa: E731
    same(strided.fuse(function)(x), function(x))


def test_several_results() -> None:
    x = strided.randn(5, 7)
    a, b, c = strided.fuse(lambda x: (x + 1, x.sum(-1), 7))(x)
    same(a, x + 1)
    same(b, x.sum(-1))
    assert c == 7
    named = strided.fuse(lambda x, *, scale: {"y": x * scale, "m": x[0] - 1})(x, scale=3.0)
    same(named["y"], x * 3.0)
    same(named["m"], x[0] - 1)


def test_no_tensor_at_all() -> None:
    assert strided.fuse(lambda a, b: a + b)(1, 2) == 3


def test_out() -> None:
    x = strided.randn(5, 7)
    target = strided.zeros(7, 5).T
    assert strided.fuse(lambda x: x * 2 + 1)(x, out=target) is target
    same(target.contiguous(), x * 2 + 1)
    means = strided.empty(5)
    assert strided.fuse(lambda x: x.mean(-1))(x, out=means) is means
    same(means, x.mean(-1))


@pytest.mark.parametrize("shift", [0, 1, -1])
def test_out_may_overlap(shift: int) -> None:
    base = strided.randn(50)
    x = base[5:45]
    target = base[5 + shift : 45 + shift]
    expected = (x * 2 + 1).numpy().copy()
    strided.fuse(lambda x: x * 2 + 1)(x, out=target)
    np.testing.assert_array_equal(target.numpy(), expected)


def test_two_results_in_place() -> None:
    x, y = strided.randn(300), strided.randn(300)
    expected = (x + y).numpy().copy(), (x - y).numpy().copy()
    strided.fuse(lambda x, y: (x + y, x - y))(x, y, out=(x, y))
    np.testing.assert_array_equal(x.numpy(), expected[0])
    np.testing.assert_array_equal(y.numpy(), expected[1])


def test_results_keep_the_memory_order() -> None:
    x = strided.randn(6, 5).T
    assert strided.fuse(lambda x: x * 2 + 1)(x).stride() == (x * 2 + 1).stride()


def test_shapes_and_dtypes_are_known_inside() -> None:
    seen = []

    def function(x: Any) -> Any:
        seen.append(((x + 1).shape, (x > 0).dtype, (x * 1.5).dtype, x.ndim, x.size(0)))
        return x + 1

    strided.fuse(function)(strided.arange(6).reshape(2, 3))
    assert seen == [((2, 3), strided.bool, strided.float32, 2, 2)]


def test_nothing_is_kept_between_blocks() -> None:
    x = strided.randn(1 << 22)
    strided.memory.reset_peak()
    before = strided.memory.heap_facts().live_bytes
    y = strided.fuse(lambda x: ((x * 2 + 1).abs() - 3) / 7)(x)
    peak = strided.memory.heap_facts().peak_bytes - before
    assert peak <= y.nbytes + (16 << 20)


def test_copies_nothing() -> None:
    x = strided.randn(300, 400)
    before = strided.copy_totals()
    strided.fuse(ROWS["softmax"])(x.T)
    assert strided.copy_totals() == before


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (lambda x: (x + 1).T, strided.UnsupportedOperation),
        (lambda x: (x + 1)[0], strided.UnsupportedOperation),
        (lambda x: x + 1 if x.sum() > 0 else x, strided.UnsupportedOperation),
        (lambda x: x - x.mean(-1), strided.UnsupportedOperation),
        (lambda x: x - x.std(-1), strided.UnsupportedOperation),
        (lambda x: x + strided.ones(4), strided.ShapeMismatch),
        (lambda x: x.sum(5), strided.InvalidDimension),
        (lambda x: x.sum((0, -2)), strided.DuplicateAxis),
        (lambda x: strided.bitwise_and(x, 1), strided.DTypeMismatch),
        (lambda x: x + "1", TypeError),
        (lambda x: (x + 1).item(), AttributeError),
    ],
)
def test_refusals(function: Callable[..., Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        strided.fuse(function)(strided.ones(2, 3))


def test_many_values_at_once() -> None:
    """So many temporaries that a block has only a few elements, and more than there is room for."""

    def wide(x: Any, count: int) -> Any:
        parts = [(x * i).exp().to(strided.complex128) for i in range(1, count)]
        return sum((part * part for part in parts), parts[0])

    x = strided.rand(1000)
    same(strided.fuse(lambda x: wide(x, 20))(x), wide(x, 20))


def test_too_many_operands() -> None:
    many = [strided.ones(3) for _ in range(30)]
    with pytest.raises(strided.InvalidArgument, match="split"):
        strided.fuse(lambda *xs: sum(xs[1:], xs[0]))(*many)


def test_out_must_fit() -> None:
    with pytest.raises(strided.ShapeMismatch):
        strided.fuse(lambda x: x + 1)(strided.ones(3), out=strided.ones(4))
    with pytest.raises(strided.DTypeMismatch):
        strided.fuse(lambda x: x + 1)(strided.ones(3), out=strided.arange(3))
    with pytest.raises(strided.WriteThroughOverlap):
        strided.fuse(lambda x: x + 1)(strided.ones(3), out=strided.ones(1).expand(3))


def test_empty_and_rank_0() -> None:
    assert strided.fuse(lambda x: x * 2)(strided.ones(0, 3)).shape == (0, 3)
    assert strided.fuse(lambda x: (x * 2).sum(0))(strided.ones(0, 3)).tolist() == [0.0] * 3
    assert strided.fuse(lambda x: (x * 2).sum())(strided.tensor(4.0)).item() == 8.0


# ---- plans ----


def test_a_plan_tells_the_passes_and_keeps_nothing() -> None:
    x = strided.randn(64, 64)
    before = strided.memory.heap_facts().live_bytes
    plan = strided.plan(lambda a, b: a + b.T, x, x)
    assert len(plan.passes) == 1
    add = plan.passes[0]
    assert add.operation == "add"
    assert "operand 2 transposed" in add.tiles
    assert [(axis.length, axis.role) for axis in add.axes] == [(64, "map"), (64, "map")]
    assert "(256, 4) (256, 4) (4, 256)" in str(add)
    assert strided.memory.heap_facts().live_bytes == before


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: x.permute(2, 1, 0), "no pass: views only"),
        (lambda x: x.clone(), "1 run of 24576"),
        (lambda x: x.permute(2, 1, 0).contiguous(), "tiles: rows of"),
        (lambda x: x[..., :2].contiguous(), "elements of 8 bytes"),
        (lambda x: x[..., :40].contiguous(), "512 runs of 40, steps 4 to 4 bytes"),
        (lambda x: x.view(-1, 3).T.contiguous(), "3 planes out of groups"),
        (lambda x: x.view(4, -1).T.contiguous(), "4 planes into groups"),
        (lambda x: x.to(strided.float64), "cast (24576,) bytes to step: (8,) (4,)"),
        (strided.fuse(lambda x: (x * 2).amax((1, 2))), "axes (1, 2) are folded after 1 step"),
        (strided.fuse(lambda x: x * 2 + 1), "pass 1: fused (24576,)"),
        (lambda x: x.fill_(3), "fill"),
    ],
)
def test_plans(function: Callable[..., Any], words: str) -> None:
    assert words in str(strided.plan(function, strided.randn(16, 32, 48)))


def test_a_plan_of_several_passes() -> None:
    plan = strided.plan(lambda x: (x * 2).exp() + x, strided.ones(5, 6))
    assert [each.operation for each in plan.passes] == ["multiply", "exp", "add"]


def test_a_plan_of_what_raises_is_given_up() -> None:
    with pytest.raises(ZeroDivisionError):
        strided.plan(lambda: 1 / 0)
    assert len(strided.plan(lambda x: x + 1, strided.ones(3)).passes) == 1
