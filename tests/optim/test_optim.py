"""What optimisers keep, load and refuse; parameters that lie together are updated together."""

from __future__ import annotations

from typing import Any

import pytest

import strided
from strided import nn, optim


def network() -> nn.Sequential:
    strided.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))


def train(net: nn.Module, optimizer: optim.Optimizer, steps: int) -> float:
    x = strided.linspace(-1, 1, 12).reshape(4, 3)
    y = x.sum(1, keepdim=True).sin()
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    return float(loss.item())


MAKERS: list[Any] = [
    lambda ps: optim.SGD(ps, lr=0.05, momentum=0.9),
    lambda ps: optim.Adam(ps, lr=0.02, amsgrad=True),
    lambda ps: optim.AdamW(ps, lr=0.02),
    lambda ps: optim.RMSprop(ps, momentum=0.5, centered=True),
    lambda ps: optim.Adagrad(ps, lr=0.1),
]


@pytest.mark.parametrize("make", MAKERS)
def test_flat_parameters_train_the_same(make: Any) -> None:
    plain, flat = network(), network()
    home = nn.flat_parameters(flat)
    one, other = make(plain.parameters()), make(flat.parameters())
    assert train(plain, one, 20) == pytest.approx(train(flat, other, 20), rel=1e-5)
    for a, b in zip(plain.parameters(), flat.parameters(), strict=True):
        assert strided.allclose(a, b, atol=1e-6)
        assert b.shares_storage(home.data)
        assert b.grad is not None
        assert b.grad.shares_storage(home.grad)
    assert len(other._made[0]) == 1


@pytest.mark.parametrize("flat", [False, True], ids=["apart", "flat"])
@pytest.mark.parametrize("make", MAKERS)
def test_a_loaded_state_goes_on_the_same(make: Any, flat: bool) -> None:
    net, twin = network(), network()
    if flat:
        nn.flat_parameters(net)
    optimizer = make(net.parameters())
    train(net, optimizer, 5)
    again = make(twin.parameters())
    twin.load_state_dict(net.state_dict())
    again.load_state_dict(optimizer.state_dict())
    assert train(net, optimizer, 5) == pytest.approx(train(twin, again, 5), rel=1e-5)


def test_flat_parameters_heal() -> None:
    """Whoever takes a gradient away or puts another one there does no harm."""
    net = network()
    flat = nn.flat_parameters(net)
    net[0].weight.grad = None
    net[0].bias.grad = strided.ones(4)
    flat.gather()
    assert net[0].weight.grad.tolist() == strided.zeros(4, 3).tolist()
    assert flat.grad[12:16].tolist() == [1.0] * 4
    net.zero_grad()
    assert flat.grad.abs().sum().item() == 0
    assert net[0].bias.grad.shares_storage(flat.grad)


def test_flat_parameters_keep_ties_and_refuse_mixtures() -> None:
    net = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False))
    net[1].weight = net[0].weight
    assert nn.flat_parameters(net).data.numel() == 4
    assert net[0].weight is net[1].weight
    with pytest.raises(strided.InvalidArgument):
        nn.flat_parameters(nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2).double()))
    with pytest.raises(strided.InvalidArgument):
        nn.flat_parameters(nn.ReLU())


def test_flat_parameters_in_several_groups() -> None:
    net = network()
    nn.flat_parameters(net)
    weights = [p for p in net.parameters() if p.ndim > 1]
    biases = [p for p in net.parameters() if p.ndim == 1]
    optimizer = optim.AdamW([{"params": weights}, {"params": biases, "weight_decay": 0.0}])
    reference = network()
    parts = list(reference.parameters())
    other = optim.AdamW(
        [{"params": parts[::2]}, {"params": parts[1::2], "weight_decay": 0.0}],
    )
    assert train(net, optimizer, 10) == pytest.approx(train(reference, other, 10), rel=1e-5)


def test_flat_parameters_of_two_optimisers_are_forgotten_apart() -> None:
    net = network()
    flat = nn.flat_parameters(net)
    first, second = optim.SGD(net[0].parameters(), 0.1), optim.SGD(net[2].parameters(), 0.1)
    flat.grad.fill_(1.0)
    first.zero_grad()
    assert flat.grad.tolist() == [0.0] * 16 + [1.0] * 5
    assert nn.clip_grad_norm_(net[2].parameters(), 10.0).item() == pytest.approx(5**0.5)
    second.step()
    assert net[2].bias.grad.shares_storage(flat.grad)


@pytest.mark.parametrize("when", ["before", "after"])
def test_frozen_parameters_stay(when: str) -> None:
    net = network()
    if when == "before":
        net[0].requires_grad_(False)
    nn.flat_parameters(net)
    optimizer = optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.5)
    if when == "after":
        train(net, optimizer, 1)
        net[0].requires_grad_(False)
    kept = [p.detach().clone() for p in net.parameters()]
    train(net, optimizer, 2)
    same = [strided.array_equal(a, b) for a, b in zip(kept, net.parameters(), strict=True)]
    assert same == [True, True, False, False]


def test_empty_parameters_do_no_harm() -> None:
    net = nn.Sequential(nn.Linear(3, 0), nn.Linear(3, 2))
    nn.flat_parameters(net)
    optimizer = optim.Adam(net.parameters(), lr=0.5)
    before = [p.detach().clone() for p in net.parameters()]
    net[1](strided.ones(3)).sum().backward()
    optimizer.step()
    # The first step of Adam is the rate against the sign of the gradient, which is 1 here.
    moved = [b - p.detach() for b, p in zip(before, net.parameters(), strict=True)]
    assert [m.shape for m in moved] == [(0, 3), (0,), (2, 3), (2,)]
    assert moved[2].flatten().tolist() == pytest.approx([0.5] * 6)
    assert moved[3].tolist() == pytest.approx([0.5] * 2)


def test_an_empty_parameter_on_its_own_keeps_state() -> None:
    apart = nn.Parameter(strided.ones(0))
    apart.grad = strided.ones(0)
    optimizer = optim.SGD([apart], 0.1, momentum=0.5)
    optimizer.step()
    assert apart.shape == (0,)
    state = optimizer.state_dict()["state"][0]
    assert (state["step"], state["momentum_buffer"].shape) == (1, (0,))


def test_parameters_without_gradients_stay() -> None:
    a, b = (nn.Parameter(strided.ones(2)) for _ in range(2))
    optimizer = optim.AdamW([a, b], lr=0.1)
    a.grad = strided.ones(2)
    optimizer.step()
    assert a.tolist() != [1.0, 1.0]
    assert b.tolist() == [1.0, 1.0]
    assert list(optimizer.state_dict()["state"]) == [0]


def test_a_closure_is_called_with_gradients_on() -> None:
    weight = nn.Parameter(strided.ones(1))
    optimizer = optim.SGD([weight], lr=0.5)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (weight * 2).sum()
        loss.backward()
        return loss

    with strided.no_grad():
        assert optimizer.step(closure).item() == 2.0
    assert weight.item() == 0.0


def test_steps_write_in_place_whatever_the_layout() -> None:
    data = strided.zeros(3, 2)
    weight = nn.Parameter(data.T)
    weight.grad = strided.arange(6.0).reshape(2, 3)
    optim.SGD([weight], lr=1.0).step()
    assert data.tolist() == [[0.0, -3.0], [-1.0, -4.0], [-2.0, -5.0]]


@pytest.mark.parametrize(
    ("make", "argument"),
    [
        (lambda: optim.SGD([], lr=0.1), "params"),
        (lambda: optim.SGD(nn.Parameter(strided.ones(1)), lr=0.1), "params"),
        (lambda: optim.SGD([nn.Parameter(strided.ones(1))], lr=-1.0), "lr"),
        (lambda: optim.SGD([nn.Parameter(strided.ones(1))], lr=float("nan")), "lr"),
        (lambda: optim.SGD([nn.Parameter(strided.ones(1))], nesterov=True), "nesterov"),
        (lambda: optim.Adam([nn.Parameter(strided.ones(1))], betas=(0.9, 1.0)), "betas"),
        (lambda: optim.Adam([nn.Parameter(strided.ones(1))], eps=-1.0), "eps"),
        (lambda: optim.SGD([nn.Parameter(strided.ones(1)) * 2], lr=0.1), "params"),
        (lambda: optim.SGD([strided.ones(1, dtype=strided.int64)], lr=0.1), "params"),
        (lambda: optim.SGD([nn.Parameter(strided.ones(1))] * 2, lr=0.1), "params"),
    ],
)
def test_refusals(make: Any, argument: str) -> None:
    if argument == "params":
        weight = nn.Parameter(strided.ones(1))
        with pytest.raises(TypeError):
            optim.SGD(["weight", weight], lr=0.1)
    with pytest.raises(strided.InvalidArgument) as caught:
        make()
    assert caught.value.argument == argument


def test_states_that_do_not_fit() -> None:
    optimizer = optim.Adam([nn.Parameter(strided.ones(2))])
    other = optim.Adam([nn.Parameter(strided.ones(2)), nn.Parameter(strided.ones(2))])
    with pytest.raises(strided.StateMismatch):
        optimizer.load_state_dict(other.state_dict())
    state = optimizer.state_dict()
    state["state"] = {0: {"step": 1, "exp_avg": strided.zeros(3)}}
    with pytest.raises(strided.StateMismatch):
        optimizer.load_state_dict(state)


def test_schedules_are_kept_and_refused() -> None:
    optimizer = optim.SGD([nn.Parameter(strided.ones(1))], lr=1.0)
    schedule = optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    for _ in range(3):
        schedule.step()
    other = optim.SGD([nn.Parameter(strided.ones(1))], lr=1.0)
    again = optim.lr_scheduler.CosineAnnealingLR(other, 10)
    again.load_state_dict(schedule.state_dict())
    assert other.param_groups[0]["lr"] == optimizer.param_groups[0]["lr"]
    cycle = optim.lr_scheduler.OneCycleLR(other, 0.1, total_steps=2)
    cycle.step()
    cycle.step()  # PyTorch counts the step after the last
    with pytest.raises(strided.InvalidArgument):
        cycle.step()
    with pytest.raises(strided.InvalidArgument):
        optim.lr_scheduler.SequentialLR(other, [cycle], [3])
    with pytest.raises(strided.InvalidArgument):
        optim.lr_scheduler.ReduceLROnPlateau(other, mode="most")


def test_clipping_flat_gradients_reads_them_as_one() -> None:
    net = network()
    flat = nn.flat_parameters(net)
    flat.grad.fill_(3.0)
    assert nn.clip_grad_norm_(net.parameters(), 1.0).item() == pytest.approx(3.0 * 21**0.5)
    assert flat.grad.norm().item() == pytest.approx(1.0, rel=1e-5)
    flat.grad[0] = float("nan")
    with pytest.raises(strided.UnsupportedOperation):
        nn.clip_grad_norm_(net.parameters(), 1.0, error_if_nonfinite=True)
    assert nn.clip_grad_norm_([], 1.0).item() == 0.0


@pytest.mark.peers
@pytest.mark.parametrize("name", ["SGD", "Adam", "RMSprop", "Adagrad"])
@pytest.mark.parametrize("flat", [False, True], ids=["apart", "flat"])
def test_training_begun_in_pytorch_goes_on_here(name: str, flat: bool) -> None:
    torch = pytest.importorskip("torch")

    def network_of(lib: Any) -> Any:
        layers = lib.nn.Linear(3, 4), lib.nn.BatchNorm1d(4), lib.nn.Tanh(), lib.nn.Linear(4, 1)
        return lib.nn.Sequential(*layers).double()

    def steps(lib: Any, net: Any, optimizer: Any, count: int) -> float:
        x = lib.linspace(-1, 1, 12, dtype=lib.float64).reshape(4, 3)
        for _ in range(count):
            optimizer.zero_grad()
            loss = lib.nn.functional.mse_loss(net(x), x.sum(1, keepdim=True).sin())
            loss.backward()
            optimizer.step()
        return float(loss.item())

    settings = {"momentum": 0.9} if name in ("SGD", "RMSprop") else {}
    theirs, ours = network_of(torch), network_of(strided)
    before = getattr(torch.optim, name)(theirs.parameters(), lr=0.01, **settings)
    steps(torch, theirs, before, 5)
    ours.load_state_dict(theirs.state_dict())
    if flat:
        nn.flat_parameters(ours)
    after = getattr(optim, name)(ours.parameters())
    after.load_state_dict(before.state_dict())
    expected = steps(torch, theirs, before, 20)
    assert steps(strided, ours, after, 20) == pytest.approx(expected, rel=1e-10)
