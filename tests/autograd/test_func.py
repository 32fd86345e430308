"""Functions of functions: vmap, Jacobians, stateless calls; as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import strided
from strided import func, nn


def answers(lib: Any) -> list[Any]:
    """Return what either library says to the same questions."""
    generator = np.random.default_rng(0)
    x, y, m = (lib.asarray(generator.standard_normal(n)) for n in ((4, 3), (3,), (2, 4, 3)))
    f = lib.func

    def energy(a: Any, b: Any) -> Any:
        return (a.sin() * b).sum()

    found = [
        f.vmap(lambda a: (a * 2).sum())(x),
        f.vmap(energy, in_dims=(0, None))(x, y),
        f.vmap(energy, in_dims=(1, None))(x, x[:, 0]),
        f.vmap(lambda a: a * 2, out_dims=1)(x),
        f.vmap(lambda a, b: (a @ b, a), in_dims=(1, 0), out_dims=(0, 1))(m, m.permute(1, 2, 0)),
        f.vmap(lambda d: d["a"] + d["b"], in_dims=({"a": 0, "b": None},))({"a": x, "b": y}),
        f.vmap(f.vmap(lambda a: a.sin().sum()))(m),
        f.grad(energy)(x, x),
        f.grad(energy, argnums=(0, 1))(x, x),
        f.vmap(f.grad(energy), in_dims=(0, None))(x, y),
        f.grad_and_value(energy)(x, x),
        f.grad(lambda a: ((a * a).sum(), a * 2), has_aux=True)(y),
        f.jacrev(lambda a: a * a.sum())(y),
        f.jacfwd(lambda a: a * a.sum())(y),
        f.jacrev(lambda a, b: a * b.sum(), argnums=1)(y, y),
        f.hessian(lambda a: (a**3).sum() * a[0])(y),
        f.jvp(lambda a: a.exp(), (y,), (y,)),
        f.vjp(lambda a: a.exp(), y)[1](y),
        f.linearize(lambda a: a.exp(), y)[1](y),
    ]
    return [_plain(one) for one in found]


def _plain(tree: Any) -> Any:
    if isinstance(tree, (list, tuple)):
        return [_plain(one) for one in tree]
    return tree.detach().numpy()


def _same(a: Any, b: Any) -> None:
    if isinstance(a, list):
        assert len(a) == len(b)
        for one, two in zip(a, b, strict=True):
            _same(one, two)
    else:
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
def test_answers_are_those_of_pytorch() -> None:
    _same(answers(strided), answers(pytest.importorskip("torch")))


def test_vmap_is_a_loop_over_views() -> None:
    x = strided.arange(6.0).reshape(2, 3)
    seen = []
    made = func.vmap(lambda row: seen.append(row) or row * 2)(x)
    assert strided.array_equal(made, x * 2)
    assert all(row.shares_storage(x) for row in seen)
    x.requires_grad_()
    func.vmap(lambda row: row.square().sum())(x).sum().backward()
    assert strided.array_equal(x.grad, 2 * x.detach())


def test_vmap_refuses_what_does_not_fit() -> None:
    with pytest.raises(strided.ShapeMismatch):
        func.vmap(lambda a, b: a + b)(strided.ones(2), strided.ones(3))
    with pytest.raises(strided.InvalidArgument, match="in_dims"):
        func.vmap(lambda a: a, in_dims=(0, 0))(strided.ones(2))
    with pytest.raises(strided.InvalidArgument, match="must return tensors"):
        func.vmap(lambda a: 1)(strided.ones(2))
    with pytest.raises(strided.InvalidArgument, match="randomness"):
        func.vmap(lambda a: a, randomness="some")


def test_a_module_is_called_with_other_tensors() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    before = {name: value.clone() for name, value in net.state_dict().items()}
    weight = strided.eye(2, requires_grad=True)
    x = strided.rand(4, 2)
    made = func.functional_call(net.eval(), {"0.weight": weight}, x)
    made.sum().backward()
    assert weight.grad is not None
    assert net[0].weight.grad is None
    assert all(strided.array_equal(net.state_dict()[name], value) for name, value in before.items())
    with pytest.raises(strided.InvalidArgument, match="unknown"):
        func.functional_call(net, {"weight": weight}, x)


def test_an_ensemble_of_modules() -> None:
    models = [nn.Linear(3, 2) for _ in range(4)]
    parameters, buffers = func.stack_module_state(models)
    x = strided.rand(5, 3)
    made = func.vmap(
        lambda p, b, x: func.functional_call(models[0], (p, b), (x,)), in_dims=(0, 0, None)
    )(parameters, buffers, x)
    for i, model in enumerate(models):
        assert strided.allclose(made[i], model(x))
