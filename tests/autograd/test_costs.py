"""What gradients cost: memory held and moved, counted; no recursion; nothing left behind."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
from support.gradient_answers import Layers

import strided
from strided import _native

MIB = 1 << 20


def live() -> int:
    return strided.memory.heap_facts().live_bytes


def peak_during(function: Any) -> int:
    """Return how far the memory of fresh tensors rose while a function ran."""
    before = live()
    strided.memory.reset_peak()
    function()
    return strided.memory.heap_facts().peak_bytes - before


@pytest.fixture
def counted_zeros(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes of each buffer of zeros that is made."""
    found: list[int] = []
    plain = _native.zeros

    def zeros(*args: Any, **kwargs: Any) -> Any:
        made = plain(*args, **kwargs)
        found.append(made.nbytes)
        return made

    monkeypatch.setattr(_native, "zeros", zeros)
    return found


# ---- depth ----


def test_a_chain_of_100_000_operations_walks_back() -> None:
    x = strided.ones(1, dtype=strided.float64, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y + 1.0
    y.sum().backward()
    assert x.grad.tolist() == [1.0]
    del y


def test_a_graph_of_100_000_operations_is_dropped_without_a_walk() -> None:
    x = strided.ones(1, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y * 1.0
    del y
    assert x.grad is None


def test_a_wide_graph_of_100_000_operations() -> None:
    x = strided.ones(1, dtype=strided.float64, requires_grad=True)
    total = x * 0.0
    for k in range(50_000):
        total = total + x * k
    total.sum().backward()
    assert x.grad.tolist() == [sum(range(50_000))]


def test_views_in_views_walk_back() -> None:
    x = strided.ones(4, 5, dtype=strided.float64, requires_grad=True)
    y = x
    for _ in range(10_000):
        y = y.T
    y.sum().backward()
    assert x.grad.tolist() == np.ones((4, 5)).tolist()


# ---- memory ----


def test_saved_tensors_are_freed_as_the_walk_goes() -> None:
    x = strided.ones(MIB // 4, requires_grad=True)
    start = live()
    y, seen = x, []
    for step in range(16):
        y = y.exp()
        if step == 7:
            y.register_hook(lambda g: seen.append(live()))
    loss = y.sum()
    del y
    held = live() - start
    assert 15 * MIB <= held <= 17 * MIB
    rise = peak_during(loss.backward)
    # Half of the graph is gone when its middle is reached; a few gradients are on their way.
    assert seen[0] - start <= 8 * MIB + 3 * MIB
    assert rise <= 3 * MIB
    del loss
    assert live() - start == x.grad.nbytes


def test_nothing_is_left_after_a_step() -> None:
    gc.collect()
    start = live()
    x = strided.ones(MIB // 4, requires_grad=True)
    for _ in range(3):
        y = (x * 2).sin()
        z = y[1:] * y[:-1]
        z.sum().backward()
        x.grad = None
    del x, y, z
    assert live() == start  # without a collection: graphs have no cycles


def test_a_graph_that_is_not_walked_is_freed() -> None:
    start = live()
    x = strided.ones(MIB // 4, requires_grad=True)
    y = (x * 2).exp() * x
    y[0] = 1.0
    del x, y
    assert live() == start


def test_linear_operations_save_nothing() -> None:
    x = strided.ones(MIB // 4, requires_grad=True)
    start = live()
    y = ((x + 1) * 3 - x).flip(0).reshape(2, -1).T.sum(1)
    assert live() - start == y.nbytes


def test_a_gradient_that_fits_is_taken_over() -> None:
    x = strided.ones(MIB // 4, requires_grad=True)
    y = (x * 2).sum()
    assert peak_during(y.backward) <= 2 * MIB
    pointer = x.grad.data_ptr()
    (x * 3).sum().backward()
    assert x.grad.data_ptr() == pointer  # later ones are added in place


# ---- views ----


@pytest.mark.parametrize("count", [10, 1000])
def test_slices_share_one_buffer(count: int, counted_zeros: list[int]) -> None:
    n = 100_000
    x = strided.ones(n, dtype=strided.float64, requires_grad=True)
    width = n // count
    total = None
    for k in range(count):
        part = x[k * width : (k + 1) * width].sum()
        total = part if total is None else total + part
    counted_zeros.clear()
    rise = peak_during(total.backward)
    assert x.grad.tolist() == [1.0] * n
    large = [nbytes for nbytes in counted_zeros if nbytes >= x.nbytes]
    assert large == [x.nbytes]
    assert sum(counted_zeros) <= 2 * x.nbytes
    assert rise <= 2.5 * x.nbytes


def test_rows_of_a_loop_share_one_buffer(counted_zeros: list[int]) -> None:
    x = strided.ones(500, 64, dtype=strided.float64, requires_grad=True)
    total = strided.zeros(64, dtype=strided.float64)
    for row in x:
        total = total + row.sin()
    counted_zeros.clear()
    total.sum().backward()
    assert len([nbytes for nbytes in counted_zeros if nbytes >= x.nbytes]) == 1
    assert np.allclose(np.array(x.grad.tolist()), np.cos(1.0))


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.T,
        lambda x: x.flip(0),
        lambda x: x.reshape(-1),
        lambda x: x.unsqueeze(1),
        lambda x: x.T.flip(1).unsqueeze(0),
    ],
    ids=["transpose", "flip", "reshape", "unsqueeze", "several"],
)
def test_the_adjoint_of_a_whole_view_moves_nothing(view: Any) -> None:
    x = strided.ones(512, 256, requires_grad=True)
    y = view(x)
    g = strided.ones(y.shape)
    before = strided.copy_totals()
    with strided.no_copies():
        (found,) = strided.autograd.grad(y, x, g)
    assert strided.shares_memory(found, g)
    assert strided.copy_totals() == before


def test_negative_strides_go_back_without_copies() -> None:
    x = strided.ones(1000, requires_grad=True)
    y = x[::-1]
    assert y.stride() == (-1,)
    g = strided.arange(1000.0)
    (found,) = strided.autograd.grad(y, x, g)
    assert (found.stride(), found.data_ptr()) == ((-1,), g[-1:].data_ptr())


# ---- beside PyTorch ----


def _torch_peak(torch: Any, step: Any) -> int:
    """Return how far PyTorch's memory rose during a step, by its own record of allocations."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as found:
        step()
    now = peak = 0
    events = found.profiler.kineto_results.events()
    for event in sorted(events, key=lambda event: event.start_ns()):
        if event.name() == "[memory]":
            now += event.nbytes()
            peak = max(peak, now)
    return peak


def _ramp(lib: Any, *shape: int) -> Any:
    count = int(np.prod(shape))
    return (lib.arange(count, dtype=lib.float32) % 17 - 8).reshape(shape) / 64


def _perceptron(lib: Any, F: Any, p: list[Any]) -> Any:
    y = _ramp(lib, 1024, 64)
    for k in range(0, len(p), 2):
        y = y @ p[k] + p[k + 1]
        if k < len(p) - 2:
            y = y.relu() if k % 4 else y.tanh()
    return (y - y.logsumexp(1, keepdim=True)).square().mean()


def _images(lib: Any, F: Any, p: list[Any]) -> Any:
    y = F.conv2d(_ramp(lib, 32, 1, 16, 16), p[0], p[1], padding=1)
    y = F.max_pool2d(F.relu(y), 2)
    y = F.max_pool2d(F.relu(F.conv2d(y, p[2], p[3], padding=1)), 2)
    y = F.linear(y.flatten(1), p[4], p[5])
    return F.cross_entropy(y, lib.arange(32) % 10)


def _text(lib: Any, F: Any, p: list[Any]) -> Any:
    tokens = (lib.arange(8 * 32) * 7 % 50).reshape(8, 32)
    x = F.embedding(tokens, p[0])
    y = F.linear(F.layer_norm(x, (64,), p[1], p[2]), p[3]).reshape(8, 32, 3, 4, 16)
    q, k, v = y.permute(2, 0, 3, 1, 4).unbind()
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    x = x + F.linear(y.transpose(1, 2).reshape(8, 32, 64), p[4])
    x = x + F.linear(F.gelu(F.linear(F.layer_norm(x, (64,), p[1], p[2]), p[5])), p[6])
    return F.cross_entropy(F.linear(x, p[0]).reshape(-1, 50), tokens.reshape(-1))


# What computes a loss, and the shapes of its parameters.
NETWORKS: dict[str, tuple[Any, list[tuple[int, ...]]]] = {
    "perceptron": (
        _perceptron,
        [(64, 512), (512,), (512, 512), (512,), (512, 256), (256,), (256, 10), (10,)],
    ),
    "images": (_images, [(16, 1, 3, 3), (16,), (32, 16, 3, 3), (32,), (10, 512), (10,)]),
    "text": (_text, [(50, 64), (64,), (64,), (192, 64), (64, 64), (256, 64), (64, 256)]),
}


def _training(lib: Any, name: str) -> tuple[list[Any], Any]:
    """Return the parameters of a network and one training step, the same in both libraries."""
    loss_of, shapes = NETWORKS[name]
    parameters = [_ramp(lib, *shape).clone().requires_grad_() for shape in shapes]
    layers = Layers(lib)

    def step() -> None:
        loss_of(lib, layers, parameters).backward()
        with lib.no_grad():
            for p in parameters:
                p -= 0.01 * p.grad
                p.grad = None

    return parameters, step


@pytest.mark.peers
@pytest.mark.parametrize("name", NETWORKS)
def test_a_training_step_needs_no_more_memory_than_torch(name: str) -> None:
    torch = pytest.importorskip("torch")
    parameters, step = _training(strided, name)
    twins, twin_step = _training(torch, name)
    step()
    twin_step()
    mine, theirs = peak_during(step), _torch_peak(torch, twin_step)
    for p, q in zip(parameters, twins, strict=True):
        assert np.allclose(p.detach().numpy(), q.detach().numpy(), rtol=1e-4, atol=1e-6)
    assert mine <= 1.1 * theirs, f"{mine / MIB:.2f} MiB, PyTorch {theirs / MIB:.2f} MiB"
