"""Random tensors: seeds, generators, ranges, dtypes, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.compare import FLOATS, HALVES, INTS, as_numpy

import strided

DRAWS: dict[str, Callable[..., Any]] = {
    "rand": lambda **options: strided.rand(3, 4, **options),
    "randn": lambda **options: strided.randn(3, 4, **options),
    "randint": lambda **options: strided.randint(0, 1000, (3, 4), **options),
    "randperm": lambda **options: strided.randperm(50, **options),
    "rand_like": lambda **options: strided.rand_like(strided.zeros(3, 4), **options),
    "randn_like": lambda **options: strided.randn_like(strided.zeros(3, 4), **options),
}


@pytest.mark.parametrize("name", DRAWS)
def test_seeds_repeat_and_generators_are_apart(name: str) -> None:
    draw = DRAWS[name]
    generator = strided.Generator(5)
    first, second = draw(generator=generator), draw(generator=generator)
    assert not strided.array_equal(first, second)
    assert strided.array_equal(first, draw(generator=strided.Generator(5)))
    assert strided.array_equal(first, draw(generator=generator.manual_seed(5)))
    assert not strided.array_equal(first, draw(generator=strided.Generator(6)))
    assert not strided.array_equal(draw(generator=strided.Generator()), first)
    strided.manual_seed(9)
    mine = draw()
    draw(generator=generator)  # leaves the default alone
    after = draw()
    strided.manual_seed(9)
    assert strided.array_equal(mine, draw())
    assert strided.array_equal(after, draw())


@pytest.mark.parametrize("dtype", [*FLOATS, *HALVES])
def test_distributions(dtype: str) -> None:
    generator = strided.Generator(1)
    u = as_numpy(strided.rand(200, 500, dtype=dtype, generator=generator)).astype("float64")
    assert (u.min() >= 0, u.max() < 1) == (True, True)
    assert abs(u.mean() - 0.5) < 0.01
    assert abs(u.var() - 1 / 12) < 0.01
    n = as_numpy(strided.randn(200, 500, dtype=dtype, generator=generator)).astype("float64")
    assert abs(n.mean()) < 0.02
    assert abs(n.var() - 1) < 0.03


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_distributions(dtype: str) -> None:
    generator = strided.Generator(1)
    u = strided.rand(10_000, dtype=dtype, generator=generator).numpy()
    n = strided.randn(10_000, dtype=dtype, generator=generator).numpy()
    for part in (u.real, u.imag):
        assert (part.min() >= 0, part.max() < 1, abs(part.mean() - 0.5) < 0.02) == (True,) * 3
    for part in (n.real, n.imag):
        assert abs(part.var() - 0.5) < 0.05


@pytest.mark.parametrize("dtype", [*INTS, *FLOATS, "float16", "bool"])
def test_integers(dtype: str) -> None:
    low, high = (0, 2) if dtype == "bool" else (3, 9)
    x = strided.randint(low, high, (40, 25), dtype=dtype)
    assert (x.shape, x.dtype.name) == ((40, 25), dtype)
    assert sorted(set(x.reshape(-1).tolist())) == list(range(low, high))
    if dtype in INTS:
        ends = np.iinfo(dtype)
        top = strided.randint(int(ends.max), int(ends.max) + 1, (3,), dtype=dtype)
        bottom = strided.randint(int(ends.min), int(ends.min) + 1, (3,), dtype=dtype)
        assert (top.tolist(), bottom.tolist()) == ([ends.max] * 3, [ends.min] * 3)


def test_shapes() -> None:
    for make in (strided.rand, strided.randn):
        assert make().shape == ()
        assert make(3).shape == make((3,)).shape == make(np.int64(3)).shape == (3,)
        assert make(2, 3).shape == make([2, 3]).shape == (2, 3)
        assert make(0, 3).shape == (0, 3)
        assert make(2).dtype is strided.float32
    assert strided.randint(5).shape == strided.randint(2, 5).shape == ()
    assert strided.randint(5, (2, 3)).shape == (2, 3)  # (high, size)
    assert int(strided.randint(5, (1000,)).max()) == 4
    assert strided.randint(2, 5, 4).shape == strided.randint(2, 5, size=(4,)).shape == (4,)
    assert strided.randint(2, 5, (0, 2)).shape == (0, 2)
    assert strided.randint(np.int8(2), np.int16(5), (2,)).dtype is strided.int64
    assert sorted(strided.randperm(9).tolist()) == list(range(9))
    assert (strided.randperm(0).shape, strided.randperm(3).dtype) == ((0,), strided.int64)
    like = strided.randn_like(strided.zeros(2, 3, dtype=strided.float64))
    assert (like.shape, like.dtype) == ((2, 3), strided.float64)


@pytest.mark.parametrize(
    ("draw", "error"),
    [
        (lambda: strided.rand(2, dtype=strided.int64), strided.DTypeMismatch),
        (lambda: strided.randn(2, dtype=strided.bool), strided.DTypeMismatch),
        (lambda: strided.rand_like(strided.arange(2)), strided.DTypeMismatch),
        (lambda: strided.rand(-1), strided.InvalidArgument),
        (lambda: strided.rand(2.5), TypeError),
        (lambda: strided.randint(5, 5), strided.InvalidArgument),
        (lambda: strided.randint(0), strided.InvalidArgument),
        (lambda: strided.randint(0, 300, (2,), dtype=strided.uint8), strided.InvalidArgument),
        (lambda: strided.randint(-1, 3, (2,), dtype=strided.uint64), strided.InvalidArgument),
        (lambda: strided.randint(0, 2.5), TypeError),
        (lambda: strided.randint(0, 5, 2.5), TypeError),
        (lambda: strided.randperm(-1), strided.InvalidArgument),
        (lambda: strided.randperm(2**62), strided.OutOfMemory),
        (lambda: strided.randint(-1, 2**64, dtype=strided.float64), strided.InvalidArgument),
    ],
)
def test_refusals(draw: Callable[[], Any], error: Any) -> None:
    with pytest.raises(error):
        draw()
