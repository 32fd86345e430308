"""Optimizers that see matrices or the whole problem, and averages of weights; as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import strided
from strided import nn, optim
from strided.optim import swa_utils

SETTINGS: list[dict[str, Any]] = [
    {},
    {"lr": 0.3, "max_iter": 7},
    {"line_search_fn": "strong_wolfe"},
    {"line_search_fn": "strong_wolfe", "history_size": 2, "max_iter": 4},
]


def minimised(lib: Any, settings: dict[str, Any]) -> list[Any]:
    """Return losses and parameters of Rosenbrock's function in the course of some steps."""
    x = lib.nn.Parameter(lib.asarray(np.array([-1.2, 1.0])))
    y = lib.nn.Parameter(lib.asarray(np.array([[0.5]])))
    optimizer = lib.optim.LBFGS([x, y], **settings)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2 + ((y - 3) ** 4).sum()
        loss.backward()
        return loss

    found = []
    for _ in range(4):
        loss = optimizer.step(closure)
        found.append([float(loss.detach()), *x.tolist(), y.item()])
    return found


def test_lbfgs_finds_the_minimum() -> None:
    last = minimised(strided, {"line_search_fn": "strong_wolfe", "max_iter": 40})[-1]
    assert last == pytest.approx([0, 1, 1, 3], abs=2e-2)


@pytest.mark.peers
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_lbfgs_as_in_pytorch(settings: dict[str, Any]) -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = minimised(strided, settings), minimised(torch, settings)
    # A short history lets rounding grow a thousandfold from step to step.
    steps = 3 if "history_size" in settings else 4
    np.testing.assert_allclose(ours[:steps], theirs[:steps], rtol=1e-5, atol=1e-8)


def test_lbfgs_needs_a_closure_and_one_group() -> None:
    x = nn.Parameter(strided.ones(1))
    with pytest.raises(strided.InvalidArgument, match="several times"):
        optim.LBFGS([x]).step()
    with pytest.raises(strided.InvalidArgument, match="one group"):
        optim.LBFGS([{"params": [x]}, {"params": [nn.Parameter(strided.ones(1))]}])


@pytest.mark.peers
@pytest.mark.parametrize("shape", [(4, 6), (6, 4)])
@pytest.mark.parametrize("adjust", [None, "match_rms_adamw"])
def test_muon_as_in_pytorch(shape: tuple[int, int], adjust: str | None) -> None:
    """PyTorch multiplies in bfloat16."""
    torch = pytest.importorskip("torch")
    found = []
    for lib in (strided, torch):
        values = np.random.default_rng(0).standard_normal(shape).astype("float32")
        p = lib.nn.Parameter(lib.asarray(values))
        made = lib.optim.Muon([p], lr=0.1, adjust_lr_fn=adjust)
        for step in range(3):
            drawn = np.random.default_rng(step).standard_normal(shape).astype("float32")
            p.grad = lib.asarray(drawn)
            made.step()
        found.append(p.detach().numpy())
    np.testing.assert_allclose(*found, atol=0.02)


def test_muon_takes_matrices_only() -> None:
    with pytest.raises(strided.InvalidArgument, match="matrices"):
        optim.Muon([nn.Parameter(strided.ones(3))])


def test_averages_of_weights() -> None:
    layer = nn.Linear(1, 1, bias=False)
    averaged = swa_utils.AveragedModel(layer)
    for value in (1.0, 2.0, 6.0):
        layer.weight.detach().fill_(value)
        averaged.update_parameters(layer)
    assert averaged(strided.ones(1)).item() == pytest.approx(3.0)
    moving = swa_utils.AveragedModel(layer, avg_fn=swa_utils.get_ema_avg_fn(0.9))
    moving.update_parameters(layer)
    layer.weight.detach().fill_(16.0)
    moving.update_parameters(layer)
    assert moving.module.weight.item() == pytest.approx(7.0)


def test_one_cycle_takes_all_of_its_steps() -> None:
    optimizer = optim.SGD([nn.Parameter(strided.ones(1))], lr=0.1, momentum=0.9)
    schedule = optim.lr_scheduler.OneCycleLR(optimizer, 0.5, total_steps=5)
    for _ in range(5):
        optimizer.step()
        schedule.step()
    with pytest.raises(strided.InvalidArgument, match="total_steps"):
        schedule.step()


def test_ways_of_computing_are_taken_and_have_no_meaning() -> None:
    found = []
    for ways in ({}, {"foreach": True, "fused": None, "capturable": False}):
        for kind in (optim.SGD, optim.Adam, optim.AdamW, optim.RMSprop, optim.NAdam, optim.Rprop):
            p = nn.Parameter(strided.ones(2))
            made = kind([p], lr=0.1, **ways)
            p.grad = strided.tensor([1.0, -2.0])
            made.step()
            found.append(p.tolist())
    assert found[:6] == found[6:]
    p = nn.Parameter(strided.ones(2))
    with pytest.raises(strided.InvalidArgument, match="differentiable"):
        optim.Adam([p], differentiable=True)
    with pytest.raises(TypeError, match="unexpected keyword argument 'speed'"):
        optim.Adam([p], speed=1)


def test_adam_with_decoupled_decay_is_adamw() -> None:
    found = []
    for kind, settings in ((optim.Adam, {"decoupled_weight_decay": True}), (optim.AdamW, {})):
        p = nn.Parameter(strided.ones(2))
        made = kind([p], lr=0.1, weight_decay=0.3, **settings)
        p.grad = strided.tensor([1.0, -2.0])
        made.step()
        found.append(p.tolist())
    assert found[0] == found[1]


def test_parameters_may_come_with_their_names() -> None:
    layer = nn.Linear(2, 1)
    made = optim.SGD(layer.named_parameters(), lr=0.1)
    pairs = zip(made.param_groups[0]["params"], layer.parameters(), strict=True)
    assert all(p is q for p, q in pairs)
