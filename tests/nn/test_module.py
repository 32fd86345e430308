"""Modules find their parts, keep and load their state, and say clearly what does not fit."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import strided
from strided import nn


class Pair(nn.Module):
    """Two layers that share a weight, a buffer, and one that states leave out."""

    def __init__(self) -> None:
        self.first = nn.Linear(2, 2)
        self.second = nn.Linear(2, 2)
        self.second.weight = self.first.weight
        self.register_buffer("count", strided.zeros(1))
        self.register_buffer("scratch", strided.zeros(1), persistent=False)
        self.plain = strided.ones(3)

    def forward(self, x: Any) -> Any:
        return self.second(self.first(x))


# ---- members ----


def test_members_are_found_once_and_in_order() -> None:
    pair = Pair()
    names = [name for name, _ in pair.named_parameters()]
    assert names == ["first.weight", "first.bias", "second.bias"]
    every = [name for name, _ in pair.named_parameters(remove_duplicate=False)]
    assert every == ["first.weight", "first.bias", "second.weight", "second.bias"]
    assert [name for name, _ in pair.named_buffers()] == ["count", "scratch"]
    assert [name for name, _ in pair.named_modules()] == ["", "first", "second"]
    assert list(pair.parameters(recurse=False)) == []
    assert list(pair.children()) == [pair.first, pair.second]
    assert pair.get_submodule("first") is pair.first
    with pytest.raises(AttributeError):
        pair.get_submodule("third")


def test_assigning_changes_kinds_only_as_it_should() -> None:
    pair = Pair()
    with pytest.raises(TypeError, match="parameter"):
        pair.first.weight = strided.ones(2, 2)
    with pytest.raises(TypeError, match="module"):
        pair.first = 3
    with pytest.raises(TypeError, match="buffer"):
        pair.count = 3
    pair.count = strided.ones(1)
    assert next(pair.buffers()).item() == 1
    pair.first.bias = None
    assert "first.bias" not in pair.state_dict()
    del pair.second
    assert not hasattr(pair, "second")
    assert len(list(pair.modules())) == 2
    pair.plain = nn.Parameter(pair.plain)
    assert "plain" in dict(pair.named_parameters())


@pytest.mark.parametrize("name", ["", "a.b", "forward", "plain"])
def test_names_that_cannot_be_registered(name: str) -> None:
    with pytest.raises(strided.InvalidArgument):
        Pair().register_buffer(name, strided.zeros(1))


def test_modules_do_not_hold_themselves() -> None:
    outer = nn.Sequential(nn.ReLU())
    with pytest.raises(strided.InvalidArgument):
        outer.again = outer
    with pytest.raises(strided.InvalidArgument):
        outer[0].outer = nn.Sequential(outer)
    assert len(list(outer.modules())) == 2


def test_modules_without_their_own_init_or_forward() -> None:
    assert list(nn.Module().parameters()) == []
    with pytest.raises(NotImplementedError):
        nn.Module()(1)


def test_parameters_share_memory_and_give_plain_tensors() -> None:
    data = strided.zeros(2, 3)
    weight = nn.Parameter(data)
    assert weight.shares_storage(data)
    assert weight.requires_grad
    assert weight.is_leaf
    for result in (weight + 1, weight.T, weight[0], weight.sum(), weight.detach(), weight.clone()):
        assert type(result) is strided.Tensor
    assert not nn.Parameter(data, requires_grad=False).requires_grad
    tracked = (weight * 2).sum()
    assert nn.Parameter(tracked).is_leaf


@pytest.mark.parametrize("again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_are_independent(again: Any) -> None:
    pair = Pair()
    twin = again(pair)
    assert twin.first.weight is twin.second.weight
    assert not twin.first.weight.shares_storage(pair.first.weight)
    assert strided.array_equal(twin.first.weight, pair.first.weight)
    assert isinstance(twin.first.weight, nn.Parameter)
    assert twin.first.weight.requires_grad
    assert twin(strided.ones(2)).shape == (2,)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_parameters_over_one_memory_stay_so(again: Any) -> None:
    whole = nn.Parameter(strided.arange(6.0).reshape(2, 3).T)
    whole.note = ["kept"]
    whole.grad = strided.ones(3, 2)
    row = nn.Parameter(whole.detach()[0], requires_grad=False)
    whole, row, again_whole = again([whole, row, whole])
    assert again_whole is whole
    assert (type(row), row.requires_grad, whole.requires_grad) == (nn.Parameter, False, True)
    assert (whole.note, whole.stride(), whole.grad) == (["kept"], (1, 3), None)
    row.fill_(7)
    assert whole.tolist() == [[7.0, 7.0], [1.0, 4.0], [2.0, 5.0]]
    (whole * whole).sum().backward()
    assert strided.array_equal(whole.grad, 2 * whole)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_of_flat_parameters_are_parts_of_nothing(again: Any) -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    flat = nn.flat_parameters(net)
    twin = again(net)
    flat.data.zero_()
    assert float(twin[0].weight.detach().abs().sum()) > 0
    twin(strided.ones(2)).sum().backward()
    assert float(flat.grad.abs().sum()) == 0
    assert nn.flat_parameters(twin).data.shape == flat.data.shape


def test_training_goes_on_from_a_file(tmp_path: Path) -> None:
    net, path = Pair(), tmp_path / "state"
    optimiser = strided.optim.Adam(net.parameters(), lr=0.1)

    def step(net: Any, optimiser: Any) -> None:
        optimiser.zero_grad()
        (net(strided.ones(2)) ** 2).sum().backward()
        optimiser.step()

    step(net, optimiser)
    strided.save({"net": net.state_dict(), "optimiser": optimiser.state_dict()}, path)
    state, twin = strided.load(path), Pair()
    assert state["net"]["first.weight"].shares_storage(state["net"]["second.weight"])
    twin.load_state_dict(state["net"])
    other = strided.optim.Adam(twin.parameters(), lr=9.0)
    other.load_state_dict(state["optimiser"])
    step(net, optimiser)
    step(twin, other)
    assert strided.array_equal(twin.first.weight, net.first.weight)
    assert not any(one.requires_grad for one in state["net"].values())


# ---- modes, dtypes, gradients ----


def test_modes_reach_everything_inside() -> None:
    net = nn.Sequential(nn.Dropout(), nn.Sequential(nn.Dropout()))
    assert not any(module.training for module in net.eval().modules())
    assert all(module.training for module in net.train().modules())
    assert net.requires_grad_(False) is net


def test_dtypes() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    net[0].weight.grad = strided.ones(2, 2)
    net.to(strided.float64)
    assert {p.dtype for p in net.parameters()} == {strided.float64}
    assert net[0].weight.grad.dtype == strided.float64
    assert net[1].running_mean.dtype == strided.float64
    assert net[1].num_batches_tracked.dtype == strided.int64
    weight = net[0].weight
    assert net.double()[0].weight is weight
    with pytest.raises(strided.DTypeMismatch):
        net.to(strided.int64)
    pair = Pair().double()
    assert pair.first.weight is pair.second.weight


def test_zero_grad() -> None:
    net = nn.Linear(2, 1)
    net(strided.ones(2)).sum().backward()
    kept = net.weight.grad
    net.zero_grad(set_to_none=False)
    assert net.weight.grad.tolist() == [[0.0, 0.0]]
    assert net.weight.grad.shares_storage(kept)
    net.zero_grad()
    assert net.weight.grad is None


# ---- state ----


def test_state_follows_and_loads() -> None:
    pair, other = Pair(), Pair()
    state = pair.state_dict()
    assert list(state) == ["count", "first.weight", "first.bias", "second.weight", "second.bias"]
    assert not any(tensor.requires_grad for tensor in state.values())
    assert state["first.weight"].shares_storage(pair.first.weight)
    assert other.load_state_dict(state) == ([], [])
    assert strided.array_equal(other.first.weight, pair.first.weight)
    assert other.first.weight.requires_grad
    assert next(iter(pair.state_dict(prefix="net."))) == "net.count"


def test_a_state_that_does_not_fit_changes_nothing() -> None:
    net = nn.Linear(2, 1)
    before = net.weight.detach().clone()
    given = {"weight": strided.zeros(1, 2), "bias": strided.zeros(3), "extra": strided.zeros(1)}
    with pytest.raises(strided.StateMismatch) as caught:
        net.load_state_dict(given)
    error = caught.value
    assert (error.owner, error.missing, error.unexpected) == ("Linear", [], ["extra"])
    assert error.shapes == {"bias": ((1,), (3,))}
    assert strided.array_equal(net.weight, before)
    del given["bias"]
    found = net.load_state_dict(given, strict=False)
    assert found == (["bias"], ["extra"])
    assert net.weight.tolist() == [[0.0, 0.0]]


def test_states_are_files(tmp_path: Path) -> None:
    net, other = Pair(), Pair()
    path = tmp_path / "net.safetensors"
    strided.save_safetensors(net.state_dict(), path)
    other.load_state_dict(strided.open_safetensors(path))
    assert strided.array_equal(net.first.bias, other.first.bias)


# ---- hooks and text ----


def test_hooks() -> None:
    layer, seen = nn.ReLU(), []
    before = layer.register_forward_pre_hook(lambda module, args: seen.append(args[0].item()))
    double = layer.register_forward_hook(lambda module, args, output: output * 2)
    assert layer(strided.tensor([3.0])).item() == 6.0
    double.remove()
    double.remove()
    assert layer(strided.tensor([4.0])).item() == 4.0
    before.remove()
    layer(strided.tensor([5.0]))
    assert seen == [3.0, 4.0]


def test_text() -> None:
    net = nn.Sequential(nn.Linear(2, 3, bias=False), nn.Sequential(nn.ReLU()))
    assert repr(net) == (
        "Sequential(\n"
        "  (0): Linear(in_features=2, out_features=3, bias=False)\n"
        "  (1): Sequential(\n"
        "    (0): ReLU()\n"
        "  )\n"
        ")"
    )
    assert repr(nn.Parameter(strided.ones(1))).startswith("Parameter containing:\ntensor(")


# ---- containers ----


def test_lists() -> None:
    layers = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.SiLU()])
    assert repr(layers[-1]) == "SiLU()"
    assert [type(m).__name__ for m in layers[::2]] == ["ReLU", "SiLU"]
    layers[0] = nn.GELU()
    del layers[1]
    layers.insert(0, nn.Sigmoid())
    assert [type(m).__name__ for m in layers] == ["Sigmoid", "GELU", "SiLU"]
    assert [name for name, _ in layers.named_children()] == ["0", "1", "2"]
    with pytest.raises(strided.IndexOutOfBounds):
        layers[3]
    with pytest.raises(NotImplementedError):
        layers(1)


def test_sequences_with_names() -> None:
    net = nn.Sequential({"a": nn.Linear(2, 3), "b": nn.ReLU()})
    assert net.a is net[0]
    assert list(net.state_dict()) == ["a.weight", "a.bias"]
    assert len(net[:1]) == 1


def test_dicts() -> None:
    heads = nn.ModuleDict({"a": nn.ReLU()})
    heads["b"] = nn.Tanh()
    del heads["a"]
    assert (heads.keys(), len(heads), "a" in heads) == (["b"], 1, False)
    for missing in ("a", "training"):
        with pytest.raises(KeyError):
            heads[missing]


# ---- first values ----


@pytest.mark.parametrize(
    ("fill", "bound", "deviation"),
    [
        ("kaiming_uniform_", (6 / 100) ** 0.5, (2 / 100) ** 0.5),
        ("kaiming_normal_", None, (2 / 100) ** 0.5),
        ("xavier_uniform_", (6 / 400) ** 0.5, (2 / 400) ** 0.5),
        ("xavier_normal_", None, (2 / 400) ** 0.5),
        ("normal_", None, 1.0),
        ("uniform_", 1.0, 12**-0.5),
        ("trunc_normal_", 2.0, 0.8796),
    ],
)
def test_first_values(fill: str, bound: float | None, deviation: float) -> None:
    x = strided.empty(300, 100)
    getattr(nn.init, fill)(x, generator=strided.Generator(0))
    assert x.std().item() == pytest.approx(deviation, rel=0.02)
    if bound is not None:
        assert x.abs().max().item() <= bound
        assert x.abs().max().item() == pytest.approx(bound, rel=0.01)


def test_first_values_of_filters_count_the_field() -> None:
    x = nn.init.kaiming_uniform_(strided.empty(64, 4, 5, 5), nonlinearity="relu")
    assert x.abs().max().item() == pytest.approx((6 / 100) ** 0.5, rel=0.01)
    with pytest.raises(strided.InvalidArgument):
        nn.init.xavier_normal_(strided.empty(3))
    with pytest.raises(strided.InvalidArgument):
        nn.init.calculate_gain("none")


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 2, 3)])
def test_orthogonal(shape: tuple[int, ...]) -> None:
    x = nn.init.orthogonal_(strided.empty(shape), gain=2.0).reshape(shape[0], -1)
    if x.shape[0] > x.shape[1]:
        x = x.T
    assert strided.allclose(x @ x.T, 4 * strided.eye(x.shape[0]), atol=1e-5)


def test_first_values_of_layers_are_pytorchs() -> None:
    strided.manual_seed(0)
    layer = nn.Linear(100, 300)
    for p in layer.parameters():
        assert p.detach().abs().max().item() == pytest.approx(0.1, rel=0.02)
    assert nn.Embedding(300, 100).weight.detach().std().item() == pytest.approx(1, rel=0.02)
    conv = nn.Conv2d(4, 64, 5)
    assert conv.weight.detach().abs().max().item() == pytest.approx(0.1, rel=0.02)
