"""Derivatives of functions: grad, value_and_grad, Jacobians, and products with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import strided
from strided.autograd import hessian, hvp, jacobian, jvp, vjp

DOUBLE = strided.float64


def doubles(*values: Any) -> strided.Tensor:
    return strided.tensor(list(values), dtype=DOUBLE)


def close(x: Any, expected: Any) -> bool:
    return np.allclose(np.array(x.tolist()), expected, rtol=1e-12, atol=1e-12)


X = doubles(0.5, -1.25, 2.0)
Y = doubles(1.5, 0.25, -0.5)


# ---- gradients ----


def test_gradient_of_one_argument():
    assert close(strided.grad(lambda x: (x**3).sum())(X), [0.75, 4.6875, 12.0])
    assert not X.requires_grad
    assert X.grad is None


@pytest.mark.parametrize("argnums", [1, -1])
def test_argument_is_named_by_its_position(argnums):
    assert close(strided.grad(lambda x, y: (x * y).sum(), argnums)(X, Y), X.tolist())


def test_several_arguments_give_a_tuple():
    found = strided.grad(lambda x, y: (x * x * y).sum(), (0, 1))(X, Y)
    assert isinstance(found, tuple)
    assert close(found[0], (2 * X * Y).tolist())
    assert close(found[1], (X * X).tolist())


def test_keywords_and_numbers_pass_through():
    assert close(strided.grad(lambda x, k, *, scale: (x * k).sum() * scale)(X, 2, scale=3), [6] * 3)


def test_trees_of_parameters():
    parameters = {"layers": [(X, Y), (Y, X)], "scale": doubles(2.0)[0]}

    def loss(p):
        return sum(((a * b).sum() for a, b in p["layers"]), 0.0) * p["scale"]

    value, found = strided.value_and_grad(loss)(parameters)
    assert isinstance(found["layers"][0], tuple)
    assert close(found["layers"][0][0], (2 * Y).tolist())
    assert close(found["scale"], value.item() / 2)


def test_value_and_aux():
    def f(x):
        y = x.exp()
        return y.sum(), {"y": y, "name": "exp"}

    (value, more), found = strided.value_and_grad(f, has_aux=True)(X)
    assert close(value, np.exp(X.tolist()).sum())
    assert more["name"] == "exp"
    assert not more["y"].requires_grad
    assert not value.requires_grad
    gradient, again = strided.grad(f, has_aux=True)(X)
    assert close(gradient, found.tolist())
    assert again.keys() == more.keys()


def test_unused_argument_has_zero_gradient():
    assert strided.grad(lambda x, y: x.sum(), 1)(X, Y).tolist() == [0, 0, 0]
    assert strided.grad(lambda x: doubles(1.0).sum())(X).tolist() == [0, 0, 0]


def test_it_nests():
    f = strided.grad(strided.grad(strided.grad(lambda x: x**4)))
    assert f(doubles(3.0)[0]).item() == pytest.approx(72.0)


def test_an_inner_gradient_depends_on_captured_tensors():
    def outer(w):
        return strided.grad(lambda x: (w * x * x).sum())(X).sum()

    assert close(strided.grad(outer)(Y), (2 * X).tolist())


def test_an_inner_gradient_under_no_grad_is_a_constant():
    def outer(x):
        with strided.no_grad():
            slope = strided.grad(lambda x: (x * x).sum())(x)
        return (slope * x).sum()

    assert close(strided.grad(outer)(X), (2 * X).tolist())


def test_tracked_arguments_stay_in_the_graph():
    x = X.clone().requires_grad_()
    found = strided.grad(lambda x: (x**3).sum())(x)
    found.sum().backward()
    assert close(x.grad, (6 * X).tolist())


def test_records_even_under_no_grad():
    with strided.no_grad():
        assert close(strided.grad(lambda x: (x * x).sum())(X), (2 * X).tolist())
        assert not strided.is_grad_enabled()
        x = X.clone().requires_grad_()
        assert not strided.grad(lambda x: (x * x).sum())(x).requires_grad


def test_arguments_in_any_layout():
    x = strided.arange(6.0, dtype=DOUBLE).reshape(2, 3)
    for view in (x.T, x.flip(0), x[:, ::2], x[:1].expand(4, 3), x.unfold(1, 2, 1)):
        found = strided.grad(lambda v: (v * v).sum())(view)
        assert found.shape == view.shape
        assert close(found, (2 * view).tolist())


@pytest.mark.parametrize("result", [lambda x: x, lambda x: 1.0, lambda x: (x.sum(), x)])
def test_only_of_one_number(result):
    with pytest.raises(strided.GradientNotPossible):
        strided.grad(result)(X)


def test_refuses_arguments_without_gradients():
    with pytest.raises(strided.GradientNotPossible):
        strided.grad(lambda x: x.sum())(strided.arange(3))
    with pytest.raises(strided.InvalidArgument):
        strided.grad(lambda x: x)(2.0)
    with pytest.raises(strided.InvalidArgument):
        strided.grad(lambda x: x.sum(), 1)(X)


def test_a_leaf_is_not_overwritten():
    def f(x):
        x += 1
        return x.sum()

    with pytest.raises(strided.GradientNotPossible):
        strided.grad(f)(X)
    assert X.tolist() == [0.5, -1.25, 2.0]


def test_names_of_the_function_are_kept():
    def loss(x):
        """Say what is lost."""
        return x.sum()

    made = strided.grad(loss)
    assert (made.__name__, made.__doc__) == ("loss", "Say what is lost.")


# ---- Jacobians ----

A = np.array([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]])


def test_jacobian_of_a_linear_map():
    a = strided.from_numpy(A)
    assert close(jacobian(lambda x: a @ x, X), A)


def test_jacobian_shapes():
    x = strided.ones(2, 3, dtype=DOUBLE)
    assert jacobian(lambda x: x.sum(), x).shape == (2, 3)
    assert jacobian(lambda x: x.T, x).shape == (3, 2, 2, 3)
    assert jacobian(lambda x: x[:0], x).shape == (0, 3, 2, 3)
    both = jacobian(lambda x, y: (x.sum(), y * 2), (x, X))
    assert [[j.shape for j in row] for row in both] == [[(2, 3), (3,)], [(3, 2, 3), (3, 3)]]
    assert close(both[1][1], 2 * np.eye(3))
    assert not np.any(both[0][1].numpy())


def test_jacobian_of_a_permutation_is_a_permutation():
    x = strided.ones(2, 3, dtype=DOUBLE)
    found = jacobian(lambda x: x.flip(1).T, x).numpy()
    assert np.array_equal(found.reshape(6, 6) @ found.reshape(6, 6).T, np.eye(6))


def test_jacobian_can_be_differentiated():
    x = X.clone().requires_grad_()
    found = jacobian(lambda x: x**3, x, create_graph=True)
    found.sum().backward()
    assert close(x.grad, (6 * X).tolist())
    assert not jacobian(lambda x: x**3, x).requires_grad


def test_strict_wants_every_dependence():
    assert jacobian(lambda x, y: x * 1, (X, Y))[1].numpy().any() == np.False_
    with pytest.raises(strided.GradientNotPossible):
        jacobian(lambda x, y: x * 1, (X, Y), strict=True)


def test_hessian():
    f = lambda x: (x[0] ** 2 * x[1] + x[1] * x[2].exp()).sum()  # noqa: E731
    x0, x1, x2 = X.tolist()
    e = np.exp(x2)
    assert close(hessian(f, X), [[2 * x1, 2 * x0, 0], [2 * x0, 0, e], [0, e, x1 * e]])


def test_hessian_of_several_inputs():
    found = hessian(lambda x, y: (x * x * y).sum(), (X, Y))
    assert close(found[0][0], np.diag((2 * Y).tolist()))
    assert close(found[0][1], np.diag((2 * X).tolist()))
    assert close(found[1][0], np.diag((2 * X).tolist()))
    assert close(found[1][1], np.zeros((3, 3)))


def f_of(x: strided.Tensor) -> strided.Tensor:
    return (x * x.flip(0)).cumsum(0).sin()


def test_products_are_products_with_the_jacobian():
    full = jacobian(f_of, X).numpy()
    results, pulled = vjp(f_of, X, Y)
    assert close(results, f_of(X).tolist())
    assert close(pulled, np.array(Y.tolist()) @ full)
    results, pushed = jvp(f_of, X, Y)
    assert close(results, f_of(X).tolist())
    assert close(pushed, full @ np.array(Y.tolist()))
    assert not pushed.requires_grad


def test_products_with_several_tensors():
    def f(x, y):
        return x * y, (x + y).sum()

    out, pulled = vjp(f, (X, Y), (Y, doubles(2.0)[0]))
    assert len(out) == 2
    assert close(pulled[0], (Y * Y + 2).tolist())
    out, pushed = jvp(f, (X, Y), (Y, X))
    assert close(pushed[0], (Y * Y + X * X).tolist())
    assert close(pushed[1], (X + Y).sum().item())


def test_product_with_the_hessian():
    f = lambda x: (x.sin() * x.flip(0) ** 2).sum()  # noqa: E731
    value, found = hvp(f, X, Y)
    assert close(value, f(X).item())
    assert close(found, hessian(f, X).numpy() @ np.array(Y.tolist()))


def test_products_can_be_differentiated():
    x = X.clone().requires_grad_()
    jvp(lambda x: x**3, x, Y, create_graph=True)[1].sum().backward()
    assert close(x.grad, (6 * X * Y).tolist())


def test_weights_must_fit():
    with pytest.raises(strided.ShapeMismatch):
        vjp(f_of, X, doubles(1.0))
    with pytest.raises(strided.GradientNotPossible):
        vjp(f_of, X)
    assert close(vjp(lambda x: x.sum(), X)[1], [1.0, 1.0, 1.0])


@pytest.mark.peers
@pytest.mark.parametrize("name", ["jacobian", "hessian", "vjp", "jvp", "hvp"])
def test_same_as_torch(name: str) -> None:
    torch = pytest.importorskip("torch")

    def f(x: Any, y: Any) -> Any:
        z = (x[::2] * y).sin() @ x.T[:, :1].reshape(-1, 1)
        return z.sum() if name in ("hessian", "hvp") else z * 2

    def answers(lib: Any, where: Any) -> list[Any]:
        x = lib.arange(6.0, dtype=lib.float64).reshape(2, 3) / 4
        y = lib.arange(3.0, dtype=lib.float64) - 1
        v: tuple[Any, ...] = ()
        if name in ("jvp", "hvp"):
            v = ((x + 1, y - 0.5),)
        elif name == "vjp":
            v = (lib.ones(1, 1, dtype=lib.float64) * 3,)
        flat: list[Any] = []

        def open_(tree: Any) -> None:
            if isinstance(tree, (tuple, list)):
                for one in tree:
                    open_(one)
            else:
                flat.append(tree.tolist())

        open_(getattr(where, name)(f, (x, y), *v))
        return flat

    mine = answers(strided, strided.autograd)
    theirs = answers(torch, torch.autograd.functional)
    assert len(mine) == len(theirs)
    for a, b in zip(mine, theirs, strict=True):
        assert np.allclose(a, b, rtol=1e-12, atol=1e-12)
