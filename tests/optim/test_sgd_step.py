"""The kernel of SGD against its formulas: dtypes, layouts, threads, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.step_layouts import LAYOUTS

import strided
from strided import _native, nn, optim
from strided.errors import DTypeMismatch, InvalidArgument, ShapeMismatch

# rate, decay, kept, share, nesterov, maximize
NUMBERS: list[tuple[Any, ...]] = [
    (-0.1, 0.0, 0.9, 1.0, False, False),
    (-0.1, 0.3, 0.9, 0.5, False, True),
    (-0.5, 0.0, 0.8, 1.0, True, False),
    (-0.5, 0.2, 0.8, 1.0, True, True),
]


def expected(
    values: list[np.ndarray],
    rate: float,
    decay: float,
    kept: float,
    share: float,
    nesterov: bool,
    maximize: bool,
) -> list[np.ndarray]:
    p, g, *velocity = values
    g = (-g if maximize else g) + decay * p
    if not velocity:
        return [p + rate * g]
    v = share * g + kept * velocity[0]
    return [p + rate * (g + kept * v if nesterov else v), v]


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize(
    ("dtype", "near"), [(strided.float32, 2e-6), (strided.float64, 1e-14)], ids=str
)
def test_the_formulas_in_every_layout(numbers: tuple[Any, ...], dtype: Any, near: float) -> None:
    rng, names = np.random.default_rng(0), list(LAYOUTS)
    for i in range(len(names)):
        for j in range(len(names)):
            for moving in (True, False):
                given = []
                for one in [names[i], names[j], names[(i + 1) % 5]][: 3 if moving else 2]:
                    given.append(LAYOUTS[one](strided.zeros(480, dtype=dtype)))
                    given[-1].copy_(strided.tensor(rng.normal(size=(6, 40)), dtype=dtype))
                wanted = expected([x.to(strided.float64).numpy().copy() for x in given], *numbers)
                before = given[1].clone()
                _native.sgd_step(*given[:2], given[2] if moving else None, *numbers)
                for x, want in zip([given[0], *given[2:]], wanted, strict=True):
                    np.testing.assert_allclose(x.numpy(), want, near, near)
                assert bool((given[1] == before).all())


def test_threads_do_not_change_a_bit() -> None:
    start = strided.randn(3, 300_007, generator=strided.Generator(0))
    threads, results = strided.get_num_threads(), []
    try:
        for count in (1, 2, 3):
            strided.set_num_threads(count)
            x = start.clone()
            _native.sgd_step(*x.unbind(0), *NUMBERS[1])
            results.append(x)
    finally:
        strided.set_num_threads(threads)
    assert all(bool((x == results[0]).all()) for x in results)
    assert not bool((results[0] == start).all())


def test_the_optimiser_uses_it_and_agrees_with_the_fused_function(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings: list[dict[str, Any]] = [
        {},
        {"weight_decay": 0.1},
        {"momentum": 0.9, "dampening": 0.5},
        {"momentum": 0.9, "nesterov": True, "maximize": True, "weight_decay": 0.1},
    ]
    for given in settings:
        made = []
        for native in (True, False):
            with monkeypatch.context() as patch:
                if not native:
                    patch.setattr("strided.optim.algorithms._NATIVE", ())
                weight = nn.Parameter(strided.arange(1.0, 8.0))
                optimizer = optim.SGD([weight], lr=0.1, **given)
                for _ in range(3):
                    weight.grad = (weight * 0.25).detach()
                    optimizer.step()
            made.append(weight.detach())
        assert bool((made[0] == made[1]).all())
    half = nn.Parameter(strided.ones(3, dtype=strided.bfloat16))
    half.grad = strided.ones(3, dtype=strided.bfloat16)
    optim.SGD([half], lr=0.5, momentum=0.9).step()
    assert half.tolist() == [0.5] * 3


def test_a_gradient_that_shares_elements() -> None:
    p, velocity = strided.arange(1.0, 9.0), strided.zeros(8)
    values = [x.numpy().copy() for x in (p, p.flip(0), velocity)]
    _native.sgd_step(p, p.flip(0), velocity, *NUMBERS[1])
    for x, want in zip((p, velocity), expected(values, *NUMBERS[1]), strict=True):
        np.testing.assert_allclose(x.numpy(), want, 1e-6)


def test_refusals() -> None:
    x = [strided.ones(4) for _ in range(3)]
    cases: list[tuple[type[Exception], int, strided.Tensor]] = [
        (DTypeMismatch, 1, strided.ones(4, dtype=strided.float64)),
        (ShapeMismatch, 2, strided.ones(5)),
        (InvalidArgument, 2, x[0]),
    ]
    for error, place, wrong in cases:
        given = [*x]
        given[place] = wrong
        with pytest.raises(error):
            _native.sgd_step(*given, *NUMBERS[0])
    half = [strided.ones(4, dtype=strided.float16) for _ in range(3)]
    with pytest.raises(DTypeMismatch):
        _native.sgd_step(*half, *NUMBERS[0])
    assert all(bool((one == 1).all()) for one in x)
