"""Checkpoints give the gradients of what they wrap, and compute it twice."""

from __future__ import annotations

import pytest

import strided
from strided import nn
from strided.utils.checkpoint import checkpoint, checkpoint_sequential


def network() -> nn.Sequential:
    strided.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2), nn.Sigmoid())


def test_gradients_are_the_same() -> None:
    plain, wrapped = network(), network()
    x = strided.rand(5, 3)
    a, b = x.clone().requires_grad_(), x.clone().requires_grad_()
    plain(a).square().sum().backward()
    checkpoint(wrapped, b).square().sum().backward()
    assert strided.allclose(a.grad, b.grad)
    for p, q in zip(plain.parameters(), wrapped.parameters(), strict=True):
        assert strided.allclose(p.grad, q.grad)


@pytest.mark.parametrize("segments", [1, 2, 3, 4])
def test_segments(segments: int) -> None:
    plain, wrapped = network(), network()
    x = strided.rand(5, 3)
    plain(x).sum().backward()
    checkpoint_sequential(wrapped, segments, x).sum().backward()
    for p, q in zip(plain.parameters(), wrapped.parameters(), strict=True):
        assert strided.allclose(p.grad, q.grad)
    with pytest.raises(strided.InvalidArgument):
        checkpoint_sequential(wrapped, 9, x)


def test_random_numbers_are_the_same_both_times() -> None:
    x = strided.ones(100, requires_grad=True)
    seen = []

    def run(x: strided.Tensor) -> strided.Tensor:
        seen.append(nn.dropout(x, 0.5))
        return seen[-1]

    checkpoint(run, x).sum().backward()
    assert len(seen) == 2
    assert strided.array_equal(seen[0].detach(), seen[1].detach())
    assert strided.array_equal(x.grad, seen[0].detach())


def test_several_results_and_settings() -> None:
    x = strided.tensor([2.0], requires_grad=True)
    y, z = checkpoint(lambda x, by, shift=0.0: (x * by, x * x + shift), x, 3.0, shift=1.0)
    (y + z).backward()
    assert x.grad.tolist() == [7.0]
    with strided.no_grad():
        assert not checkpoint(lambda x: x * 2, x).requires_grad
