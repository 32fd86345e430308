"""The backward traversal: hooks, threads, grad mode, memory, long graphs."""

from __future__ import annotations

import threading
import tracemalloc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

import strided
from strided import Tensor


def leaf(*numbers: float) -> Tensor:
    return strided.tensor(list(numbers), dtype=strided.float64, requires_grad=True)


# ---- hooks ----


def test_hooks_of_tensors() -> None:
    x = leaf(1.0, 2.0)
    y = x * 3
    seen: list[str] = []
    first = y.register_hook(lambda g: seen.append("y") or g * 10)
    x.register_hook(lambda g: seen.append("x") or g + 1)
    y.sum().backward()
    assert seen == ["y", "x"]
    assert x.grad is not None
    assert x.grad.tolist() == [31.0, 31.0]
    first.remove()
    first.remove()
    (y * 1).sum().backward()
    assert x.grad.tolist() == [35.0, 35.0]


def test_a_leaf_is_told_of_its_whole_gradient_once() -> None:
    x = leaf(1.0)
    seen: list[list[float]] = []
    x.register_hook(lambda g: seen.append(g.tolist()))
    (x * 2 + x * 3 + x).sum().backward()
    assert seen == [[6.0]]


def test_hooks_of_nodes() -> None:
    x = leaf(1.0, 2.0)
    y = x[:1] * 2
    assert y.grad_fn is not None
    seen: list[Any] = []
    y.grad_fn.register_prehook(lambda takes: (takes[0] * 5,))
    y.grad_fn.next_functions[0][0].register_hook(
        lambda gives, takes: seen.append((gives[0].tolist(), takes[0].tolist()))
    )
    y.sum().backward()
    assert seen == [([10.0, 0.0], [10.0])]


def test_post_accumulate_hooks() -> None:
    x = leaf(1.0)
    seen: list[Any] = []
    handle = x.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.tolist()))
    (x * 2).sum().backward()
    with handle:
        (x * 2).sum().backward()
    (x * 2).sum().backward()
    assert seen == [[2.0], [4.0]]


def test_hooks_may_start_walks_of_their_own() -> None:
    x, other = leaf(1.0), leaf(2.0)
    y = x * 3

    def walk(g: Tensor) -> None:
        with strided.enable_grad():
            (other * other).sum().backward()

    y.register_hook(walk)
    y.sum().backward()
    assert x.grad is not None
    assert other.grad is not None
    assert (x.grad.item(), other.grad.item()) == (3.0, 4.0)


def test_a_walk_that_fails_leaves_grad_mode_alone() -> None:
    x = leaf(1.0)
    y = x * 3

    def fail(g: Tensor) -> None:
        raise KeyError("hook")

    y.register_hook(fail)
    with pytest.raises(KeyError):
        y.sum().backward()
    assert strided.is_grad_enabled()


# ---- grad mode ----


def test_grad_mode_as_decorator() -> None:
    x = leaf(1.0)

    @strided.no_grad()
    def plain(y: Tensor) -> Tensor:
        return y * 2

    @strided.no_grad
    def also(y: Tensor) -> Tensor:
        return strided.enable_grad()(lambda: y * 2)()

    @strided.inference_mode()
    def inferred(y: Tensor) -> Tensor:
        return y * 2

    assert [f(x).requires_grad for f in (plain, also, inferred)] == [False, True, False]
    assert plain.__name__ == "plain"
    assert strided.is_grad_enabled()


def test_grad_mode_of_generators() -> None:
    @strided.no_grad()
    def steps() -> Iterator[bool]:
        try:
            while True:
                yield strided.is_grad_enabled()
        finally:
            ends.append(strided.is_grad_enabled())

    ends: list[bool] = []
    generator = steps()
    assert [next(generator), strided.is_grad_enabled(), next(generator)] == [False, True, False]
    generator.close()
    assert ends == [False]
    assert strided.is_grad_enabled()


def test_grad_mode_nests_and_survives_errors() -> None:
    mode = strided.no_grad()
    with mode, strided.enable_grad(), mode:
        assert not strided.is_grad_enabled()
    with pytest.raises(KeyError), strided.no_grad():
        raise KeyError
    assert strided.is_grad_enabled()
    strided.set_grad_enabled(False)
    assert not strided.is_grad_enabled()
    with strided.set_grad_enabled(True):
        assert strided.is_grad_enabled()
    assert not strided.is_grad_enabled()
    strided.set_grad_enabled(True)


def test_grad_mode_belongs_to_a_thread() -> None:
    seen: list[bool] = []
    with strided.no_grad():
        thread = threading.Thread(target=lambda: seen.append(strided.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


# ---- threads ----


def test_concurrent_walks() -> None:
    """Graphs of their own in each thread, and one that all of them share."""
    shared = leaf(*range(1, 9))
    joint = (shared * shared).exp().log()
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for _ in range(20):
                x = leaf(*range(1, 5))
                y = x * number
                for _ in range(10):
                    y = y[::-1] + x
                y.sum().backward()
                assert x.grad is not None
                assert x.grad.tolist() == [number + 10.0] * 4
                (gradient,) = strided.autograd.grad(joint.sum(), shared, retain_graph=True)
                assert gradient is not None
                assert gradient.tolist() == pytest.approx([2.0 * v for v in range(1, 9)])
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


# ---- memory ----


def test_saved_tensors_are_freed_as_the_walk_goes() -> None:
    x = strided.ones(1 << 16, requires_grad=True)
    y = x
    for _ in range(40):
        y = (y * y).exp() * 0.1
    strided.memory.reset_peak()
    before = strided.memory.heap_facts().live_bytes
    y.sum().backward()
    assert strided.memory.heap_facts().peak_bytes - before < 8 * x.nbytes


def test_slices_share_one_buffer() -> None:
    x = strided.ones(1 << 16, requires_grad=True)
    pieces = [x[i * 64 : (i + 1) * 64] * i for i in range(1024)]
    y = strided.cat(pieces).sum()
    strided.memory.reset_peak()
    before = strided.memory.heap_facts().live_bytes
    y.backward()
    assert strided.memory.heap_facts().peak_bytes - before < 4 * x.nbytes
    assert x.grad is not None
    assert x.grad.reshape(1024, 64)[:, 3].tolist() == [float(i) for i in range(1024)]


def test_graphs_of_views_are_freed_without_recursion() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(50_000):
        y = y[:] * y[:]
    node = weakref.ref(y.grad_fn)
    del y
    assert node() is None


def test_branches_meet_before_they_are_passed() -> None:
    """A node is reached once, after all that used it: else this would take 2**60 steps."""
    x = leaf(1.0)
    y = x
    for _ in range(60):
        y = (y + y) * 0.5
    y.sum().backward()
    assert x.grad is not None
    assert x.grad.item() == 1.0


def test_no_memory_is_lost() -> None:
    def step() -> None:
        x = strided.ones(64, requires_grad=True)
        y = (x[1:] * x[:-1]).exp() + 1
        y[3:5] *= x[:2]
        y.sum().backward(create_graph=False)
        with strided.no_grad():
            x -= 0.1 * x.grad

    for _ in range(5):
        step()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(50):
        step()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 20_000


# ---- other corners ----


def test_numbers_are_checked_in_anomaly_mode() -> None:
    x = leaf(0.0)
    with strided.autograd.detect_anomaly():
        y = x.sqrt() * 0
        with pytest.raises(strided.GradientNotPossible, match="NaN"):
            y.sum().backward()
    with strided.autograd.detect_anomaly(check_nan=False):
        (x.sqrt() * 0).sum().backward()


def test_subclasses_of_tensors_take_part() -> None:
    class Named(Tensor):
        """A tensor with an attribute."""

    x = Named(strided.ones(2))
    x.requires_grad_()
    (x * 3)[1:].sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [0.0, 3.0]
    view = Named((leaf(1.0, 2.0) * 2)[1:])
    assert view.requires_grad


def test_copy_everything_keeps_gradients() -> None:
    x = leaf(1.0, 2.0, 3.0)
    with strided.copy_everything():
        y = x[1:] * x[:-1]
        y.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2.0, 4.0, 2.0]


def test_requires_grad_can_be_switched() -> None:
    x = strided.ones(2)
    view = x[1:]
    x.requires_grad_()
    assert not (view * 2).requires_grad  # made before
    assert (x[1:] * 2).requires_grad
    x.requires_grad_(False)
    assert not (x * 2).requires_grad
    x.add_(1)
    part = strided.ones(3)[1:].requires_grad_()
    (part[1:] * 2).sum().backward()
    assert part.grad is not None
    assert part.grad.tolist() == [0.0, 2.0]


def test_fused_functions_pass_gradients() -> None:
    x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
    fused = strided.fuse(lambda a, b: (a * b).exp().log())
    fused(x, w).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == pytest.approx([3.0, 4.0])
    with pytest.raises(strided.GradientNotPossible, match="argument"):
        strided.fuse(lambda a: a * w)(x.detach())
    with pytest.raises(strided.GradientNotPossible, match="out"):
        fused(x, w, out=strided.zeros(2, dtype=strided.float64))
