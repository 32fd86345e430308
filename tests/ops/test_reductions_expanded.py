"""Reductions over repeated elements (stride 0), against the same elements laid out one by one."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.compare import as_numpy

import strided
from strided import Tensor

# Along these axes a tensor of this shape is repeated.
REPEATED = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
SHAPE = (5, 70, 3)

EXACT: dict[str, Callable[[Tensor, Any], Any]] = {
    "amin": lambda x, axes: x.amin(axes),
    "amax": lambda x, axes: x.amax(axes),
    "aminmax": lambda x, axes: x.aminmax() if axes is None else x.aminmax(dim=axes[0]),
    "any": lambda x, axes: x.any(axes),
    "all": lambda x, axes: x.all(axes),
    "count_nonzero": lambda x, axes: x.count_nonzero(axes),
    "argmin": lambda x, axes: x.argmin(axes if axes is None else axes[0]),
    "argmax": lambda x, axes: x.argmax(axes if axes is None else axes[0]),
}
ROUNDED: dict[str, Callable[[Tensor, Any], Any]] = {
    "sum": lambda x, axes: x.sum(axes),
    "mean": lambda x, axes: x.mean(axes),
    "prod": lambda x, axes: x.prod(axes),
    "var": lambda x, axes: x.var(axes),
    "std": lambda x, axes: x.std(axes),
    "norm": lambda x, axes: x.norm(2, axes),
    "norm of inf": lambda x, axes: x.norm(float("inf"), axes),
    "logsumexp": lambda x, axes: x.logsumexp((0, 1, 2) if axes is None else axes),
    "nansum": lambda x, axes: x.nansum(axes),
}
AXES = [None, *(a for n in (1, 2) for a in itertools.combinations(range(3), n))]


def expanded(dtype: str, repeated: tuple[int, ...], *, gaps: bool) -> Tensor:
    """Return a tensor of SHAPE with stride 0 along some axes, and with gaps along the others."""
    shape = [1 if axis in repeated else length for axis, length in enumerate(SHAPE)]
    values = np.random.default_rng(7).integers(-3, 4, shape)
    x = strided.tensor(values.tolist()).to(getattr(strided, dtype))
    if gaps:
        wide = strided.zeros(*(40 * length for length in shape), dtype=x.dtype)
        wide[::40, ::40, ::40].copy_(x)
        x = wide[::40, ::40, ::40]
    return x.expand(*SHAPE)


def results_of(function: Callable[[Tensor, Any], Any], x: Tensor, axes: Any) -> list[Any]:
    got = function(x, axes)
    return [as_numpy(one) for one in (got if isinstance(got, tuple) else (got,))]


@pytest.mark.parametrize("gaps", [False, True], ids=["dense", "gaps"])
@pytest.mark.parametrize("repeated", REPEATED, ids=str)
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float16", "float32", "float64"])
def test_the_same_as_one_by_one(dtype: str, repeated: tuple[int, ...], gaps: bool) -> None:
    x = expanded(dtype, repeated, gaps=gaps)
    apart = x.contiguous()
    assert apart.stride() != x.stride()
    floats = dtype.startswith("float")
    for axes in AXES:
        for name, function in EXACT.items():
            got, wanted = results_of(function, x, axes), results_of(function, apart, axes)
            for one, other in zip(got, wanted, strict=True):
                np.testing.assert_array_equal(one, other, err_msg=f"{name} {axes}")
        for name, function in ROUNDED.items():
            if not floats and name not in ("sum", "prod"):
                continue
            (got,), (wanted,) = results_of(function, x, axes), results_of(function, apart, axes)
            assert got.dtype == wanted.dtype
            assert got.shape == wanted.shape
            rtol = {"float16": 1e-3, "float32": 1e-6, "float64": 1e-13}.get(dtype, 0)
            np.testing.assert_allclose(got, wanted, rtol=rtol, err_msg=f"{name} {axes}")


def test_integers_wrap_around_as_one_by_one() -> None:
    x = strided.tensor([[2**62 + 1], [3]], dtype=strided.int64).expand(2, 37)
    assert x.sum().item() == x.contiguous().sum().item()
    assert x.sum(1).tolist() == x.contiguous().sum(1).tolist()


def test_the_first_of_repeated_elements_is_found() -> None:
    x = strided.tensor([[1.0], [5.0], [5.0]]).expand(3, 4)
    assert x.argmax().item() == 4
    assert x.argmax(0).tolist() == [1, 1, 1, 1]
    assert x.argmax(1).tolist() == [0, 0, 0]
    assert x.T.argmax().item() == 1
    values, positions = x.max(0)
    assert (values.tolist(), positions.tolist()) == ([5.0] * 4, [1] * 4)


def test_results_that_repeat_go_to_any_strides() -> None:
    x = strided.tensor([[1.0], [2.0], [4.0]])[:, :, None].expand(3, 4, 5)
    out = strided.zeros(10, 12)[::2, ::-3].T
    out.zero_()
    x.sum(0, out=out)
    assert out.tolist() == [[7.0] * 5] * 4


def test_variances_and_means_that_are_found_together() -> None:
    x = strided.tensor([[1.0], [2.0], [4.0]])[:, :, None].expand(3, 4, 5)
    both = strided.fuse(lambda x: x.var(0, keepdim=True) + 10 * x.mean(0, keepdim=True))
    np.testing.assert_allclose(as_numpy(both(x)), np.full((1, 4, 5), 7 / 3 + 70 / 3), rtol=1e-6)


def test_the_same_bits_for_any_number_of_threads() -> None:
    x = strided.rand(2048, 2048)[:, :1].expand(2048, 2048)
    before = strided.get_num_threads()
    try:
        got = []
        for threads in (1, 2, 5):
            strided.set_num_threads(threads)
            got.append(
                [x.sum().item(), x.var().item(), x.sum(1).sum().item(), x.logsumexp(0).tolist()]
            )
    finally:
        strided.set_num_threads(before)
    assert got[0] == got[1] == got[2]


def test_elements_are_visited_once_where_that_is_enough() -> None:
    x = strided.rand(2048, 2048)[:, :1].expand(2048, 2048)
    axes = {
        name: [(axis.length, axis.role) for axis in strided.plan(function).passes[0].axes]
        for name, function in {
            "max": lambda: x.amax(),
            "argmax": lambda: x.argmax(),
            "count": lambda: x.count_nonzero(),
            "sum of results": lambda: x.sum(0),
            "sum": lambda: x.sum(),
        }.items()
    }
    assert axes.pop("sum") == [(2048, "fold"), (2048, "fold")]  # rounded element by element
    assert all(found == [(2048, "fold")] for found in axes.values()), axes
