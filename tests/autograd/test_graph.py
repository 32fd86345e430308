"""What is recorded, and what comes back: graphs of elementwise ops, views and copies."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import strided
from strided import Tensor


def leaf(*shape: int) -> Tensor:
    size = 1
    for length in shape:
        size *= length
    return (
        strided.linspace(0.5, 2.5, size, dtype=strided.float64)
        .reshape(shape)
        .clone()
        .requires_grad_()
    )


def weights(shape: tuple[int, ...]) -> Tensor:
    """Different numbers, so that a gradient in a wrong place is seen."""
    size = 1
    for length in shape:
        size *= length
    return strided.arange(1, size + 1, dtype=strided.float64).reshape(shape)


def gradient(function: Callable[[Tensor], Tensor], x: Tensor) -> list[Any]:
    y = function(x)
    y.backward(weights(y.shape))
    assert x.grad is not None
    return x.grad.tolist()  # type: ignore[no-any-return]


def expected(view: Callable[[Tensor], Tensor], shape: tuple[int, ...]) -> list[Any]:
    """The gradient of a view by what it is: weights added up at the positions that it shows."""
    numbers = strided.arange(0, weights(shape).numel()).reshape(shape)
    shown = view(numbers)
    total = [0.0] * numbers.numel()
    for position, weight in zip(
        shown.reshape(-1).tolist(), weights(shown.shape).reshape(-1).tolist(), strict=True
    ):
        total[position] += weight
    return strided.tensor(total, dtype=strided.float64).reshape(shape).tolist()


VIEWS: dict[str, Callable[[Tensor], Tensor]] = {
    "itself": lambda x: x.view(),
    "transposed": lambda x: x.T,
    "permuted": lambda x: x.reshape(3, 2, 2).permute(2, 0, 1),
    "flipped": lambda x: x.flip(0, 1),
    "flipped and transposed": lambda x: x.flip(0).T,
    "sliced": lambda x: x[1:, ::2],
    "backwards": lambda x: x[::-1, 1:3],
    "backwards by two": lambda x: x[:, ::-2],
    "selected": lambda x: x[1],
    "one element": lambda x: x[2, 3],
    "new axes": lambda x: x[None, :, None, 1],
    "diagonal": lambda x: x.diagonal(1),
    "expanded": lambda x: x.expand(2, 3, 4),
    "expanded in the middle": lambda x: x.unsqueeze(1).expand(3, 5, 4)[:, 1:],
    "broadcast row": lambda x: x[:1].expand(3, 4),
    "windows": lambda x: x.unfold(1, 3, 1),
    "windows twice": lambda x: x.unfold(0, 2, 1).unfold(1, 2, 1),
    "windows backwards": lambda x: x.flip(1).unfold(1, 2, 1),
    "reshaped": lambda x: x.reshape(2, 6),
    "reshaped with a copy": lambda x: x.T.reshape(2, 6),
    "flattened": lambda x: x.flatten(),
    "squeezed": lambda x: x[:, 1:2].squeeze(1),
    "as strided": lambda x: x.as_strided((2, 3), (4, 1), 1),
    "as strided with overlap": lambda x: x.as_strided((3, 3), (1, 2), 0),
    "strided of a transpose": lambda x: x.T.as_strided((2, 2), (3, 1), 2),
    "an empty part": lambda x: x[1:1],
    "empty and whole": lambda x: strided.Tensor(x),
    "contiguous": lambda x: x.T.contiguous(),
    "cloned": lambda x: x[:, 1:].clone(),
    "flat": lambda x: x.T.flat(5),
    "moved": lambda x: x.reshape(1, 3, 4).movedim(0, 2),
    "narrowed": lambda x: x.narrow(1, 1, 2),
}


@pytest.mark.parametrize("name", VIEWS)
def test_the_adjoint_of_a_view_is_its_place(name: str) -> None:
    assert gradient(VIEWS[name], leaf(3, 4)) == expected(VIEWS[name], (3, 4))


@pytest.mark.parametrize("name", VIEWS)
def test_views_of_computed_tensors_that_are_views(name: str) -> None:
    """The place is inside the tensor, whatever its own layout is."""
    view = VIEWS[name]
    assert gradient(lambda x: view((x * 1).T), leaf(4, 3)) == expected(lambda x: view(x.T), (4, 3))


def test_pieces() -> None:
    x = leaf(4)
    for weight, piece in enumerate((*x.split(2), *x.unbind(), *x)):
        piece.backward(strided.full(piece.shape, float(weight), dtype=strided.float64))
    assert x.grad is not None
    assert x.grad.tolist() == [0 + 2 + 6.0, 0 + 3 + 7.0, 1 + 4 + 8.0, 1 + 5 + 9.0]


def test_parts_of_complex_numbers() -> None:
    x = strided.tensor([1 + 2j, 3 - 1j], dtype=strided.complex128, requires_grad=True)
    x.real.backward(weights((2,)))
    x.imag.backward(weights((2,)) * 10)
    assert x.grad is not None
    assert x.grad.tolist() == [1 + 10j, 2 + 20j]
    pairs = leaf(2, 2)
    pairs.view_as_complex().backward(strided.tensor([1 + 2j, 3 + 4j], dtype=strided.complex128))
    assert pairs.grad is not None
    assert pairs.grad.tolist() == [[1, 2], [3, 4]]


def test_sums_meet_in_one_place() -> None:
    x = leaf(3)
    y = x * 2
    z = y * y + y + x[1:].expand(2, 2)[0, 0] + y.exp().log()
    z.backward(strided.ones(3, dtype=strided.float64))
    assert x.grad is not None
    first = [4 * 2 * v + 4 for v in x.tolist()]
    first[1] += 3
    assert x.grad.tolist() == pytest.approx(first)


def test_gradients_add_up_in_place() -> None:
    x = leaf(2)
    (x * 2).backward(strided.ones(2, dtype=strided.float64))
    kept = x.grad
    (x * 3).backward(strided.ones(2, dtype=strided.float64))
    assert x.grad is kept
    assert kept is not None
    assert kept.tolist() == [5.0, 5.0]


def test_nobody_sees_a_gradient_change() -> None:
    """Gradients that the caller holds, or that stand in two leaves, are never written to."""
    given = strided.ones(3, dtype=strided.float64)
    a, b = leaf(3), leaf(3)
    (a + b).backward(given)
    (a + b).backward(given)
    assert given.tolist() == [1.0] * 3
    assert a.grad is not None
    assert b.grad is not None
    assert not a.grad.shares_storage(b.grad)
    a.grad.zero_()
    assert b.grad.tolist() == [2.0] * 3
    x = leaf(3)
    x.backward(given)
    assert x.grad is not None
    assert not x.grad.shares_storage(given)
    import numpy as np

    memory = np.ones(3)
    x = leaf(3)
    (x.view() + x.view()).backward(strided.from_numpy(memory))
    assert memory.tolist() == [1.0] * 3


def test_expanded_gradients_get_memory_of_their_own() -> None:
    x = leaf(3)
    x.backward(strided.ones(1, dtype=strided.float64).expand(3))
    assert x.grad is not None
    assert x.grad.stride() == (1,)


def test_leaves_and_nodes() -> None:
    x = leaf(2)
    y = x * 2
    assert (x.is_leaf, y.is_leaf, x.grad_fn) == (True, False, None)
    assert y.grad_fn is not None
    assert [(end.name(), at) for end, at in y.grad_fn.next_functions] == [("AccumulateGrad", 0)]
    assert not (y.detach().requires_grad)
    assert not (y.data.requires_grad)
    assert y.detach().shares_storage(y)
    assert "requires_grad=True" in repr(x)
    assert "grad_fn=<MultiplyBackward>" in repr(y)
    assert (x > 1).requires_grad is False


def test_detached_tensors_let_the_graph_go() -> None:
    x = leaf(2)
    y = x * 2
    node = weakref.ref(y.grad_fn)
    detached, part = y.detach(), y.detach()[1:]
    with strided.no_grad():
        unrecorded = y[1:]
    del y
    assert node() is None
    assert detached.base is not None
    assert part.base is not None
    assert unrecorded.base is not None


def test_graphs_die_without_the_collector() -> None:
    gc.disable()
    try:
        x = leaf(3)
        y = (x[1:] * 2).exp()
        y[:1] *= x[:1]
        node = weakref.ref(y.grad_fn)
        del y
        assert node() is None
    finally:
        gc.enable()


def test_hooks_in_cycles_are_collected() -> None:
    def made() -> weakref.ref[Tensor]:
        y = leaf(2) * 2
        y.register_hook(lambda g: None if y is g else g)
        return weakref.ref(y)

    dead = made()
    gc.collect()
    assert dead() is None


def test_walks_keep_what_they_are_told_to() -> None:
    x = leaf(2)
    y = x * x
    one = strided.ones(2, dtype=strided.float64)
    y.backward(one, retain_graph=True)
    y.backward(one)
    with pytest.raises(strided.GradientNotPossible, match="retain_graph"):
        y.backward(one)
    z = x + 1  # nothing saved, nothing used up
    z.backward(one)
    z.backward(one)


def test_long_graphs() -> None:
    x = leaf(1)
    y = x
    for _ in range(100_000):
        y = y + 1
    y.backward(strided.ones(1, dtype=strided.float64))
    assert x.grad is not None
    assert x.grad.item() == 1.0
    del y


def test_second_order() -> None:
    x = leaf(3)
    one = strided.ones(3, dtype=strided.float64)
    (first,) = strided.autograd.grad(x * x * x, x, one, create_graph=True)
    assert first is not None
    (second,) = strided.autograd.grad(first, x, one)
    assert second is not None
    assert second.tolist() == pytest.approx([6 * v for v in x.tolist()])
    y = x[1:].exp()[::-1]
    (first,) = strided.autograd.grad(y, x, one[1:], create_graph=True)
    assert first is not None
    (second,) = strided.autograd.grad(first, x, one)
    assert second is not None
    assert second.tolist() == pytest.approx([0.0, *x[1:].detach().exp().tolist()])


def test_grad_of_what_stands_between() -> None:
    x = leaf(2)
    y = x * 2
    z = y * y
    one = strided.ones(2, dtype=strided.float64)
    dy, dx = strided.autograd.grad(z, (y, x), one)
    assert dy is not None
    assert dx is not None
    assert (dy.tolist(), dx.tolist()) == ((y * 2).tolist(), (y * 4).tolist())
    assert x.grad is None
    other = leaf(2)
    with pytest.raises(strided.GradientNotPossible, match="do not depend"):
        strided.autograd.grad(x * 2, other, one)
    assert strided.autograd.grad(x * 2, other, one, allow_unused=True) == (None,)


def test_inputs_of_backward() -> None:
    x, other = leaf(2), leaf(2)
    (x * other).backward(strided.ones(2, dtype=strided.float64), inputs=[x])
    assert x.grad is not None
    assert other.grad is None


REFUSED: dict[str, Callable[[Tensor], Any]] = {
    "no scalar": lambda x: (x * 2).backward(),
    "no graph": lambda x: x.detach()[0].backward(),
    "integers": lambda x: strided.arange(3).requires_grad_(),
    "computed switched off": lambda x: (x * 2).requires_grad_(False),
    "numpy": lambda x: x.numpy(),
    "buffer": lambda x: memoryview((x * 2)[1:]),
    "dlpack": lambda x: x.__dlpack__(),
    "out": lambda x: strided.add(x, 1, out=strided.zeros(3, dtype=strided.float64)),
    "tracked out": lambda x: strided.add(x.detach(), 1, out=x),
    "reduction out": lambda x: x.sum(out=strided.zeros((), dtype=strided.float64)),
    "deepcopy of a result": lambda x: copy.deepcopy(x * 2),
    "hook of a plain tensor": lambda x: x.detach().register_hook(print),
    "no inputs": lambda x: (x * 2).backward(x.detach(), inputs=[]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_are_typed(name: str) -> None:
    with pytest.raises(strided.GradientNotPossible) as caught:
        REFUSED[name](leaf(3))
    assert caught.value.operation
    assert caught.value.reason
    assert caught.value.hint


def test_gradients_have_the_shape_of_their_tensor() -> None:
    x = leaf(3)
    with pytest.raises(strided.ShapeMismatch):
        (x * 2).backward(strided.ones(2))
    with pytest.raises(strided.ShapeMismatch):
        x.grad = strided.ones(2, dtype=strided.float64)
    with pytest.raises(strided.DTypeMismatch):
        x.grad = strided.ones(3)


def test_copies_of_leaves() -> None:
    x = leaf(3)
    (x * 2).backward(strided.ones(3, dtype=strided.float64))
    again = copy.deepcopy(x)
    assert (again.requires_grad, again.is_leaf, again.tolist()) == (True, True, x.tolist())
    assert again.grad is not None
    assert x.grad is not None
    assert again.grad.tolist() == x.grad.tolist()
    assert not again.grad.shares_storage(x.grad)
    loaded = pickle.loads(pickle.dumps(x))
    assert (loaded.requires_grad, loaded.tolist()) == (True, x.tolist())
    assert not strided.tensor(x).requires_grad


def test_creation() -> None:
    like = strided.zeros(2)
    for made in (
        strided.zeros(2, requires_grad=True),
        strided.empty((2,), requires_grad=True),
        strided.zeros(2, 2, memory_format=strided.column_major, requires_grad=True),
        strided.ones(2, requires_grad=True),
        strided.full((2,), 1.0, requires_grad=True),
        strided.tensor([1.0], requires_grad=True),
        strided.rand(2, requires_grad=True),
        strided.randn(2, requires_grad=True),
        strided.arange(2.0, requires_grad=True),
        strided.linspace(0, 1, 3, requires_grad=True),
        strided.eye(2, requires_grad=True),
        strided.zeros_like(like, requires_grad=True),
        strided.ones_like(like, requires_grad=True),
        strided.full_like(like, 2, requires_grad=True),
        strided.empty_like(like, requires_grad=True),
        strided.rand_like(like, requires_grad=True),
        strided.randn_like(like, requires_grad=True),
    ):
        assert made.requires_grad
        assert made.is_leaf
