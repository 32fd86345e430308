"""The kernel of Adam against its formulas: dtypes, layouts, threads, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.step_layouts import LAYOUTS

import strided
from strided import _native, nn, optim
from strided.errors import (
    DTypeMismatch,
    InvalidArgument,
    ReadOnlyTensor,
    ShapeMismatch,
    WriteThroughOverlap,
)


def expected(
    values: list[np.ndarray],
    rate: float,
    eps: float,
    share1: float,
    share2: float,
    shrink: float,
    decay: float,
    maximize: bool,
) -> list[np.ndarray]:
    p, g, mean, square = values
    g = (-g if maximize else g) + decay * p
    mean = (1 - share1) * mean + share1 * g
    square = (1 - share2) * square + share2 * g * g
    return [shrink * p + rate * mean / (np.sqrt(square) + eps), mean, square]


NUMBERS: list[tuple[Any, ...]] = [
    (-1e-2, 1e-8, 0.1, 0.001, 1.0, 0.0, False),
    (-1e-2, 1e-3, 0.1, 0.001, 0.99, 0.0, True),
    (-1e-1, 1e-8, 0.6, 0.5, 1.0, 0.3, False),
    (-1e-1, 1e-8, 1.0, 1.0, 1.0, 0.3, True),
]


def operands(dtype: Any, layouts: list[str]) -> list[strided.Tensor]:
    rng = np.random.default_rng(0)
    made = [LAYOUTS[one](strided.zeros(480, dtype=dtype)) for one in layouts]
    for i, x in enumerate(made):
        x.copy_(strided.tensor(rng.normal(size=(6, 40)) ** (2 if i == 3 else 1), dtype=dtype))
    return made


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize(
    ("dtype", "near"), [(strided.float32, 2e-6), (strided.float64, 1e-14)], ids=str
)
def test_the_formulas_in_every_layout(numbers: tuple[Any, ...], dtype: Any, near: float) -> None:
    names = list(LAYOUTS)
    for i in range(len(names)):
        for j in range(len(names)):
            layouts = [names[i], names[j], names[(i + 1) % 5], names[(j + 2) % 5]]
            p, g, mean, square = given = operands(dtype, layouts)
            wanted = expected([x.to(strided.float64).numpy().copy() for x in given], *numbers)
            before = g.clone()
            _native.adam_step(*given, *numbers)
            for name, x, want in zip("pmv", (p, mean, square), wanted, strict=True):
                np.testing.assert_allclose(x.numpy(), want, near, near, err_msg=f"{name} {layouts}")
            assert bool((g == before).all())


@pytest.mark.parametrize("dtype", [strided.float32, strided.float64], ids=str)
def test_threads_do_not_change_a_bit(dtype: Any) -> None:
    generator = strided.Generator(0)
    start = strided.randn(4, 300_007, dtype=dtype, generator=generator).abs()
    threads = strided.get_num_threads()
    results = []
    try:
        for count in (1, 2, 3):
            strided.set_num_threads(count)
            x = start.clone()
            _native.adam_step(*x.unbind(0), -1e-2, 1e-8, 0.1, 0.001, 0.9, 0.0, False)
            results.append(x)
    finally:
        strided.set_num_threads(threads)
    assert all(bool((x == results[0]).all()) for x in results)
    assert not bool((results[0] == start).all())


def test_the_optimiser_uses_it_where_dtypes_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    native, calls = _native.adam_step, []

    def counted(*args: Any) -> None:
        calls.append(args[0].dtype)
        native(*args)

    monkeypatch.setattr(_native, "adam_step", counted)
    for dtype in (strided.float32, strided.float64, strided.bfloat16):
        for amsgrad in (False, True):
            weight = nn.Parameter(strided.ones(3, dtype=dtype))
            optimizer = optim.AdamW([weight], lr=0.1, amsgrad=amsgrad)
            weight.grad = strided.ones(3, dtype=dtype)
            before = weight._version
            optimizer.step()
            assert weight._version > before
            assert weight[0].item() == pytest.approx(0.899, abs=1e-2)
    assert calls == [strided.float32, strided.float64]


def test_versions_are_raised_and_stale_gradients_seen() -> None:
    weight = nn.Parameter(strided.ones(3))
    loss = (weight * weight).sum()
    weight.grad = strided.ones(3)
    optim.Adam([weight]).step()
    with pytest.raises(strided.errors.StaleGradient, match="adam_step"):
        loss.backward()


def test_a_gradient_that_shares_elements() -> None:
    numbers = NUMBERS[0]
    for view in (lambda p: p, lambda p: p.flip(0)):
        p, mean, square = strided.arange(1.0, 9.0), strided.zeros(8), strided.zeros(8)
        values = [x.numpy().copy() for x in (p, view(p), mean, square)]
        _native.adam_step(p, view(p), mean, square, *numbers)
        for x, want in zip((p, mean, square), expected(values, *numbers), strict=True):
            np.testing.assert_allclose(x.numpy(), want, 1e-6)


def test_refusals() -> None:
    x = [strided.ones(4) for _ in range(4)]
    locked = np.ones(4, np.float32)
    locked.flags.writeable = False
    cases: list[tuple[type[Exception], int, strided.Tensor]] = [
        (DTypeMismatch, 1, strided.ones(4, dtype=strided.float64)),
        (ShapeMismatch, 2, strided.ones(5)),
        (WriteThroughOverlap, 0, strided.ones(1).expand(4)),
        (InvalidArgument, 3, x[0]),
        (ReadOnlyTensor, 2, strided.from_numpy(locked)),
    ]
    for error, place, wrong in cases:
        given = [*x]
        given[place] = wrong
        with pytest.raises(error):
            _native.adam_step(*given, *NUMBERS[0])
    half = [strided.ones(4, dtype=strided.float16) for _ in range(4)]
    with pytest.raises(DTypeMismatch):
        _native.adam_step(*half, *NUMBERS[0])
    assert all(bool((one == 1).all()) for one in x)
