"""Custom functions: what forward and backward are given, and what they may do."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import strided
from strided.autograd import Function, gradcheck, gradgradcheck, once_differentiable

DOUBLE = strided.float64


def leaf(*values: float) -> Any:
    return strided.tensor(list(values), dtype=DOUBLE, requires_grad=True)


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x * x * g


class Exp(Function):
    @staticmethod
    def forward(x):
        return x.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]


class SinCos(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, g, h):
        (x,) = ctx.saved_tensors
        return g * x.cos() - h * x.sin()


class Scale(Function):
    @staticmethod
    def forward(ctx, x, factor, offset=None):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor, None, None


@pytest.mark.parametrize("function", [Cube, Exp, SinCos])
def test_derivatives_are_right_to_second_order(function):
    x = leaf(0.5, -1.25, 2.0)
    assert gradcheck(function.apply, (x,))
    assert gradgradcheck(function.apply, (x,))


def test_graph_names_the_class():
    y = Cube.apply(leaf(2.0))
    assert y.grad_fn.name() == "CubeBackward"
    assert not y.is_leaf
    y.sum().backward()


def test_third_derivative():
    x = leaf(2.0)
    g = Exp.apply(x)
    for _ in range(3):
        (g,) = strided.autograd.grad(g.sum(), x, create_graph=True)
    assert np.allclose(g.tolist(), np.exp(2.0))


def test_arguments_that_are_no_tensors():
    x = leaf(1.0, 2.0)
    Scale.apply(x, 3, "unused").sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_needs_input_grad():
    seen = []

    class See(Function):
        @staticmethod
        def forward(ctx, x, k, y):
            seen.append((ctx.needs_input_grad, strided.is_grad_enabled()))
            return x * y

        @staticmethod
        def backward(ctx, g):
            seen.append(strided.is_grad_enabled())
            return g, None, None

    x, y = leaf(1.0), strided.ones(1, dtype=DOUBLE)
    See.apply(x, 2, y).sum().backward()
    assert seen == [((True, False, False), False), False]
    with strided.no_grad():
        assert not See.apply(x, 2, y).requires_grad
    assert seen[-1] == ((False, False, False), False)
    assert not See.apply(y, 2, y).requires_grad


def test_unused_results_come_as_zeros_or_none():
    seen = []

    class Both(Function):
        @staticmethod
        def forward(ctx, x, materialize):
            ctx.set_materialize_grads(materialize)
            return x * 1, x * 2

        @staticmethod
        def backward(ctx, g, h):
            seen.append(None if h is None else h.tolist())
            return g, None

    x = leaf(1.0, 2.0)
    for materialize in (True, False):
        Both.apply(x, materialize)[0].sum().backward()
    assert seen == [[0.0, 0.0], None]


def test_results_without_gradient():
    class Sorted(Function):
        @staticmethod
        def forward(ctx, x):
            values, order = x.sort()
            rounded = values.round()
            ctx.mark_non_differentiable(order, rounded)
            ctx.save_for_backward(order)
            return values, order, rounded

        @staticmethod
        def backward(ctx, g, unused, also_unused):
            found = strided.zeros_like(g)
            found[ctx.saved_tensors[0]] = g
            return found

    x = leaf(2.0, 0.5, 1.0)
    values, order, rounded = Sorted.apply(x)
    assert (values.requires_grad, order.requires_grad, rounded.requires_grad) == (
        True,
        False,
        False,
    )
    (values * strided.arange(3.0, dtype=DOUBLE)).sum().backward()
    assert x.grad.tolist() == [2, 0, 1]


class DoubleInPlace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x *= 2
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


def test_writing_to_an_input():
    a = leaf(1.0, 2.0)
    y = a * 3
    v = y[:1]
    z = DoubleInPlace.apply(y)
    assert z is y
    ((y * y).sum() + v.sum()).backward()
    assert a.grad.tolist() == [2 * 6 * 6 + 6, 2 * 12 * 6]


def test_a_written_input_retains_its_new_gradient():
    y = leaf(1.0, 2.0) * 3
    y.retain_grad()
    DoubleInPlace.apply(y)
    (y * y).sum().backward()
    assert y.grad.tolist() == [12, 24]


def test_writing_to_a_view():
    a = leaf(1.0, 2.0)
    y = a * 3
    v = y[:1]
    assert DoubleInPlace.apply(v) is v
    (y * y).sum().backward()
    assert a.grad.tolist() == [2 * 6 * 6, 2 * 6 * 3]


def test_writing_to_a_leaf_is_refused():
    with pytest.raises(strided.GradientNotPossible):
        DoubleInPlace.apply(leaf(1.0))


def test_a_written_input_must_be_returned():
    class Lost(DoubleInPlace):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            x *= 2
            return x + 1

    with pytest.raises(strided.GradientNotPossible):
        Lost.apply(leaf(1.0) * 1)


def test_an_input_that_is_returned():
    class Same(Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 10

    a = leaf(1.0, 2.0)
    y = Same.apply(a)
    assert y is not a
    assert strided.shares_memory(y, a)
    assert a.is_leaf
    (y + a).sum().backward()
    assert a.grad.tolist() == [11, 11]


def test_a_captured_tensor_that_is_returned_keeps_its_history():
    b = leaf(1.0, 2.0)
    captured = b * 3

    class Captured(Function):
        @staticmethod
        def forward(ctx, x):
            return captured

        @staticmethod
        def backward(ctx, g):
            return g * 10

    a = leaf(1.0, 2.0)
    (Captured.apply(a) + captured).sum().backward()
    assert (a.grad.tolist(), b.grad.tolist()) == ([10, 10], [3, 3])


def test_a_view_that_is_returned():
    class Row(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.shape = x.shape
            return x[0]

        @staticmethod
        def backward(ctx, g):
            found = strided.zeros(ctx.shape, dtype=g.dtype)
            found[0] = g * 10
            return found

    a = strided.ones(2, 2, dtype=DOUBLE, requires_grad=True)
    Row.apply(a).sum().backward()
    assert a.grad.tolist() == [[10, 10], [0, 0]]


def test_saved_tensors_may_not_change():
    a = leaf(1.0, 2.0)
    y = a * 1
    z = Cube.apply(y)
    y += 1
    with pytest.raises(strided.StaleGradient) as caught:
        z.sum().backward()
    assert (caught.value.saved_by, caught.value.changed_by) == ("Cube", "add")


def test_a_second_walk_needs_retain_graph():
    x = leaf(2.0)
    y = Cube.apply(x).sum()
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(strided.GradientNotPossible):
        y.backward()
    assert x.grad.tolist() == [24.0]


def test_once_differentiable():
    class Once(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once_differentiable
        def backward(ctx, g):
            assert not strided.is_grad_enabled()
            return 2 * ctx.saved_tensors[0] * g

    x = leaf(3.0)
    (g,) = strided.autograd.grad((Once.apply(x) * x).sum(), x, create_graph=True)
    assert g.tolist() == [27.0]
    with pytest.raises(strided.GradientNotPossible):
        g.sum().backward()


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (lambda g: (g, g), strided.GradientNotPossible),
        (lambda g: g[:1], strided.ShapeMismatch),
        (lambda g: 1.0, strided.ShapeMismatch),
    ],
    ids=["too many", "too small", "no tensor"],
)
def test_wrong_gradients_are_refused(given, error):
    class Wrong(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return given(g)

    with pytest.raises(error):
        Wrong.apply(leaf(1.0, 2.0)).sum().backward()


def test_broadcast_gradients_are_summed():
    class Add(Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, g):
            return g, g

    x, y = strided.ones(2, 3, dtype=DOUBLE, requires_grad=True), leaf(1.0, 2.0, 3.0)
    Add.apply(x, y).sum().backward()
    assert y.grad.tolist() == [2, 2, 2]


def test_only_tensors_are_saved():
    class Bad(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(3)
            return x * 1

    with pytest.raises(strided.InvalidArgument):
        Bad.apply(leaf(1.0))


def test_a_class_without_methods():
    class Empty(Function):
        pass

    with pytest.raises(strided.GradientNotPossible):
        Empty.apply(leaf(1.0))


def test_gradients_are_those_of_subclasses_of_tuple():
    x = leaf(1.0)
    found = SinCos.apply(x)
    assert isinstance(found, tuple)
    assert [y.output_nr for y in found] == [0, 1]
    assert found[0].grad_fn is found[1].grad_fn


def test_results_are_freed_without_collection():
    gc.collect()
    start = strided.memory.heap_facts().live_bytes
    x = strided.ones(1 << 18, requires_grad=True)
    y = Exp.apply(Cube.apply(x))
    y.sum().backward()
    del x, y
    assert strided.memory.heap_facts().live_bytes == start


def test_a_walk_inside_a_walk():
    """Checkpointing: the graph of a block is made anew in the backward pass."""

    class Checkpoint(Function):
        @staticmethod
        def forward(ctx, block, x):
            ctx.block = block
            ctx.save_for_backward(x)
            return block(x)

        @staticmethod
        def backward(ctx, g):
            with strided.enable_grad():
                x = ctx.saved_tensors[0].detach().requires_grad_()
                y = ctx.block(x)
            strided.autograd.backward(y, g)
            return None, x.grad

    w = leaf(0.5, 2.0)
    x = leaf(1.0, -1.0)
    y = x * 2
    for _ in range(3):
        y = Checkpoint.apply(lambda t: (t * w).sin(), y)
    y.sum().backward()
    found = x.grad.tolist(), w.grad.tolist()
    x.grad = w.grad = None
    y = x * 2
    for _ in range(3):
        y = (y * w).sin()
    y.sum().backward()
    assert np.allclose(found[0], x.grad.tolist())
    assert np.allclose(found[1], w.grad.tolist())
