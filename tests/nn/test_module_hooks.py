"""Hooks of modules that see gradients or settings, conversions, parametrizations; as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import strided
from strided import nn
from strided.nn.utils import parametrize


def seen_by_hooks(lib: Any) -> list[Any]:
    """Return what hooks of gradients are given, and gradients of what they return."""
    layer = lib.nn.Linear(2, 2, bias=False).double()
    layer.weight.data.copy_(lib.asarray(np.array([[1.0, 2.0], [3.0, 4.0]])))
    found: list[Any] = []

    def listed(grads: Any) -> list[Any]:
        return [None if g is None else g.tolist() for g in grads]

    def full(module: Any, to: Any, come: Any) -> Any:
        found.append(("full", listed(to), listed(come)))
        return None if to[0] is None else (to[0] * 10,)

    def first(module: Any, come: Any) -> Any:
        found.append(("first", listed(come)))
        return (come[0] * 2,)

    handles = [layer.register_full_backward_hook(full)]
    handles.append(layer.register_full_backward_pre_hook(first))
    x = lib.asarray(np.array([[1.0, -1.0]])).requires_grad_()
    layer(x).sum().backward()
    found.append(x.grad.tolist())
    found.append(layer.weight.grad.tolist())
    layer(x.detach()).sum().backward()
    for handle in handles:
        handle.remove()
    layer(x).sum().backward()
    return found


def test_hooks_of_gradients() -> None:
    found = seen_by_hooks(strided)
    assert found[0] == ("first", [[[1.0, 1.0]]])
    assert found[1] == ("full", [[[8.0, 12.0]]], [[[2.0, 2.0]]])
    assert found[2] == [[80.0, 120.0]]
    assert found[4:] == [("first", [[[1.0, 1.0]]]), ("full", [None], [[[2.0, 2.0]]])]


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore:Full backward hook")
def test_hooks_of_gradients_as_in_pytorch() -> None:
    assert seen_by_hooks(strided) == seen_by_hooks(pytest.importorskip("torch"))


def test_hooks_with_settings() -> None:
    class Scaled(nn.Module):
        def forward(self, x: Any, by: float = 1.0) -> Any:
            if by == 0:
                raise ValueError("zero")
            return x * by

    layer, order = Scaled(), []
    layer.register_forward_pre_hook(lambda m, args: order.append("second"))
    layer.register_forward_pre_hook(
        lambda m, args, kwargs: order.append("first") or (args, {"by": kwargs["by"] + 1}),
        with_kwargs=True,
        prepend=True,
    )
    handle = layer.register_forward_hook(
        lambda m, args, kwargs, output: order.append((kwargs["by"], output is None)),
        with_kwargs=True,
        always_call=True,
    )
    assert layer(strided.ones(1), by=2.0).tolist() == [3.0]
    assert order == ["first", "second", (3.0, False)]
    with pytest.raises(ValueError, match="zero"):
        layer(strided.ones(1), by=-1.0)
    assert order[-1] == (0.0, True)
    handle.remove()


def test_conversions() -> None:
    layer = nn.Linear(2, 3)
    for call, name in (
        (layer.half, "float16"),
        (layer.bfloat16, "bfloat16"),
        (layer.double, "float64"),
        (lambda: layer.to(strided.float32), "float32"),
        (lambda: layer.to("cpu", strided.float64), "float64"),
        (lambda: layer.to(device="cpu", dtype=strided.float32), "float32"),
        (lambda: layer.to(strided.zeros(1, dtype="float64")), "float64"),
        (lambda: layer.type("float32"), "float32"),
        (lambda: layer.to("cpu").cpu(), "float32"),
    ):
        assert call() is layer
        assert layer.weight.dtype.name == name
    for refused in ("cuda", "cuda:0"):
        with pytest.raises(strided.InvalidArgument, match="cpu"):
            layer.to(refused)
        with pytest.raises(strided.InvalidArgument, match="cpu"):
            nn.Linear(2, 3, device=refused)


def test_members_by_path() -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    assert net.get_parameter("0.weight") is net[0].weight
    assert net.get_buffer("1.running_mean") is net[1].running_mean
    net.set_submodule("0", nn.Identity())
    assert isinstance(net[0], nn.Identity)
    for call in (
        lambda: net.get_parameter("1.running_mean"),
        lambda: net.get_buffer("1.weight"),
        lambda: net.set_submodule("7", nn.ReLU(), strict=True),
    ):
        with pytest.raises(AttributeError):
            call()


def test_weight_norm_keeps_the_weight_and_trains() -> None:
    layer = nn.Linear(3, 2)
    before = layer.weight.detach().clone()
    nn.utils.weight_norm(layer)
    assert strided.allclose(layer.weight, before, atol=1e-6)
    names = [name for name, _ in layer.named_parameters()]
    base = "parametrizations.weight.original"
    assert names == ["bias", f"{base}0", f"{base}1"]
    layer(strided.ones(1, 3)).sum().backward()
    assert all(p.grad is not None for p in layer.parameters())
    layer.weight = before * 2
    assert strided.allclose(layer.weight, before * 2, atol=1e-6)
    state = layer.state_dict()
    other = nn.utils.weight_norm(nn.Linear(3, 2))
    other.load_state_dict(state)
    assert strided.allclose(other.weight, layer.weight, atol=1e-6)
    assert type(nn.utils.remove_weight_norm(layer)) is nn.Linear
    assert not parametrize.is_parametrized(layer)
    assert strided.allclose(layer.weight, before * 2, atol=1e-6)


def test_spectral_norm_divides_by_the_largest_singular_value() -> None:
    layer = nn.utils.spectral_norm(nn.Conv2d(3, 4, 2), n_power_iterations=50)
    weight = layer.weight.detach().flatten(1)
    assert strided.linalg.svdvals(weight)[0].item() == pytest.approx(1, rel=1e-3)
    layer(strided.ones(1, 3, 4, 4)).sum().backward()
    assert layer.parametrizations["weight"].original.grad is not None


def test_an_initializer_that_refuses_writes_nothing() -> None:
    x = strided.ones(2, 2, 2)
    for refused in (
        nn.init.eye_,
        lambda x: nn.init.dirac_(x[0]),
        lambda x: nn.init.sparse_(x, 0.5),
    ):
        with pytest.raises(strided.InvalidArgument):
            refused(x)
        assert (x == 1).all().item()


def test_max_norm_scales_rows_that_are_read() -> None:
    weight = strided.tensor([[3.0, 4.0], [6.0, 8.0], [0.3, 0.4]])
    nn.embedding(strided.tensor([0, 2]), weight, max_norm=1.0)
    assert strided.allclose(weight, strided.tensor([[0.6, 0.8], [6.0, 8.0], [0.3, 0.4]]), atol=1e-5)


def test_lists_of_modules_add_up() -> None:
    both = nn.ModuleList([nn.ReLU()]) + [nn.Tanh()]  # noqa: RUF005
    assert [type(module) for module in both] == [nn.ReLU, nn.Tanh]
    chain = nn.Sequential(nn.ReLU()) + nn.Sequential(nn.Tanh())
    assert isinstance(chain, nn.Sequential)
    assert len(chain) == 2
