"""In-place operations: gradients against finite differences of the same program, and refusals.

A program runs on tensors that require gradients, and again on plain ones whose elements are moved a
little: writes mean the same in both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

import strided
from strided import Tensor

Program = Callable[[Tensor, Tensor], Any]
PROGRAMS: dict[str, Program] = {}
REFUSED: dict[str, Program] = {}
STALE: dict[str, tuple[Program, str, str]] = {}


def program(function: Program) -> Program:
    PROGRAMS[function.__name__.replace("_", " ").strip()] = function
    return function


def refused(function: Program) -> Program:
    REFUSED[function.__name__.replace("_", " ").strip()] = function
    return function


def values() -> tuple[Tensor, Tensor]:
    x = strided.linspace(0.5, 2.0, 12, dtype=strided.float64).reshape(3, 4).clone()
    w = (x.flip(0) * 0.7 + 0.1).contiguous()
    return x, w


def total(program: Program, x: Tensor, w: Tensor) -> Tensor:
    outputs = program(x, w)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    result = strided.zeros((), dtype=strided.float64)
    for output in outputs:
        if output.dtype.is_complex:
            output = output.view_as_real()
        weights = strided.arange(1, output.numel() + 1, dtype=strided.float64)
        result = result + (output * weights.reshape(output.shape)).sum()
    return result


def differences(program: Program, which: int) -> list[float]:
    """Central differences by each element of x or w."""
    found, step = [], 1e-6
    for place in range(12):
        ends = []
        for sign in (1, -1):
            given = values()
            given[which].flat(place).add_(sign * step)
            ends.append(total(program, *given).item())
        found.append((ends[0] - ends[1]) / (2 * step))
    return found


# ---- programs ----


@program
def whole(x: Tensor, w: Tensor) -> Any:
    y = x * 2
    y.mul_(w)
    return y


@program
def a_row_and_other_views(x: Tensor, w: Tensor) -> Any:
    y = x * 2
    row, column = y[1], y[:, 1]
    row.mul_(w[0])
    return y, row, column


@program
def a_transposed_part(x: Tensor, w: Tensor) -> Any:
    y = x * 2
    v = y.T
    v[1:3].add_(w.T[1:3])
    return y, v


@program
def views_of_views(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    a = y[1:]
    b = a[:, 1:]
    c = b[0]
    c *= w[0, 1:]
    b += w[1:, 1:]
    return y, a, b, c


@program
def the_base_after_its_view(x: Tensor, w: Tensor) -> Any:
    y = x * 2
    v = y[1]
    y.mul_(w)
    return v, y


@program
def parts_of_a_plain_tensor(x: Tensor, w: Tensor) -> Any:
    z = strided.zeros(3, 4, dtype=strided.float64)
    v, u = z[1], z[:, 2]
    v.copy_(x[0])
    z[2] = w[1] * x[1]
    return z, u, v


@program
def backwards(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    v = y[::-1, ::-2]
    v.mul_(w[:, :2])
    return y, v, y.flip(1)


@program
def index_assignment(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    y[0] = w[1]
    y[:, 1] = 3.0
    y[1:, 2:] = y[1:, :2].clone() * w[1:, :2]
    y[0, 0] = w[2, 2]
    y[2] = w[0, 1]
    y[1:2] = w[None, 2:3]
    return y


@program
def augmented_index_assignment(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    y *= w
    y[1] *= w[0]
    y[:, 2] += x[:, 0]
    return y


@program
def filled(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    y[1].fill_(2.0)
    y[0].zero_()
    return y * w


@program
def reading_what_is_overwritten(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    row = y[0]
    row.mul_(row)
    y.square_()
    y[1:].pow_(w[1:])
    return y


@program
def reshaped_parts(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    v, u = y.view(2, 6), y.T
    v[1] *= w.reshape(2, 6)[0]
    y.view(12)[3:7] *= w.reshape(12)[3:7]
    return u, v, y


@program
def a_diagonal(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    d = y.diagonal()
    d.mul_(w.diagonal())
    return y, d


@program
def a_column_major_base(x: Tensor, w: Tensor) -> Any:
    y = (x * 1).contiguous(memory_format=strided.column_major)
    v, u = y[1], y.T[2]
    v.mul_(w[0])
    return y, v, u


@program
def a_detached_root(x: Tensor, w: Tensor) -> Any:
    """What is written through a detached tensor belongs to it and its views alone."""
    z = strided.ones(3, 4, dtype=strided.float64)
    d = z.detach()[1:]
    e = d.detach()
    v = e[:, 1]
    e.mul_(w[1:])
    return e, v


@program
def broadcast_and_converted(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    y[:2].copy_(w[0])
    z = (x * 1).to(strided.complex128)
    z[0].copy_(w[0])
    return y, z


@program
def layouts_in_place(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    v = y[0:2]
    y.t_()
    y.mul_(w.T)
    v.t_()
    v.add_(w[:2].T)
    z = (x.reshape(1, 3, 4) * 1).squeeze_(0).unsqueeze_(1)
    z.mul_(w.unsqueeze(1))
    return y, v, z


@program
def parts_of_complex_numbers(x: Tensor, w: Tensor) -> Any:
    z = x * 1 + 1j * w
    v, r = z[1], z.real
    z.imag[0].mul_(w[0])
    r[2].mul_(x[0])
    z.mul_(2.0)
    return z, v, r


@program
def an_expanded_view_that_is_read(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    e = y[0].expand(5, 4)
    y[0] *= w[0]
    return e, y


@program
def masked(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    y.masked_fill_(w > 1, 0.5)
    y[x > 1.5] = 0.25
    y.clamp_(0.3, 1.9)
    return y * w


@program
def many_parts_of_one_tensor(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    for i in range(3):
        for j in range(4):
            y[i, j] *= w[j % 3, i]
    return y


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    x, w = (value.requires_grad_() for value in values())
    total(PROGRAMS[name], x, w).backward()
    for which, leaf in enumerate((x, w)):
        found = [0.0] * 12 if leaf.grad is None else leaf.grad.reshape(-1).tolist()
        assert found == pytest.approx(differences(PROGRAMS[name], which), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_of_gradients(name: str) -> None:
    """create_graph gives the same first gradients, and a graph of them."""
    x, w = (value.requires_grad_() for value in values())
    result = total(PROGRAMS[name], x, w)
    plain = strided.autograd.grad(result, (x, w), retain_graph=True, materialize_grads=True)
    again = strided.autograd.grad(result, (x, w), create_graph=True, materialize_grads=True)
    for first, second in zip(plain, again, strict=True):
        assert first is not None
        assert second is not None
        assert second.reshape(-1).tolist() == pytest.approx(first.reshape(-1).tolist(), rel=1e-12)


def test_second_order_through_parts() -> None:
    """What an in-place operation saved of its result is a part of the whole."""
    x, w = (value.requires_grad_() for value in values())
    found = []
    for in_place in (True, False):
        if in_place:
            y = x * 1
            y[:, 2].mul_(w[:, 0])
            y[1].exp_()
        else:
            z = strided.cat([x[:, :2], (x[:, 2] * w[:, 0]).unsqueeze(1), x[:, 3:]], 1)
            y = strided.stack([z[0], z[1].exp(), z[2]])
        result = (y * y * y).sum()
        (first,) = strided.autograd.grad(result, x, create_graph=True)
        assert first is not None
        second = strided.autograd.grad((first * first).sum(), (x, w))
        found.append([g.reshape(-1).tolist() for g in (first, *second) if g is not None])
    for in_place, plain in zip(*found, strict=True):
        assert in_place == pytest.approx(plain, rel=1e-10)


def test_integers_take_values_without_gradients() -> None:
    x, _ = (value.requires_grad_() for value in values())
    target = strided.zeros(3, 4, dtype=strided.int64)
    bits = strided.ones(3, 4, dtype=strided.float64)
    seen = bits.view(strided.int64)
    target.copy_(x * 2)
    bits.mul_(x)
    assert not target.requires_grad
    assert bits.requires_grad
    assert not seen.requires_grad
    assert not (seen + 1).requires_grad


# ---- refusals ----


@refused
def _leaf(x: Tensor, w: Tensor) -> Any:
    x.mul_(2.0)


@refused
def _view_of_a_leaf(x: Tensor, w: Tensor) -> Any:
    x[1].mul_(2.0)


@refused
def _index_of_a_leaf(x: Tensor, w: Tensor) -> Any:
    x[1] = 2.0


@refused
def _layout_of_a_leaf(x: Tensor, w: Tensor) -> Any:
    x.t_()


@refused
def _unbound(x: Tensor, w: Tensor) -> Any:
    (x * 1).unbind()[0].mul_(2.0)


@refused
def _split(x: Tensor, w: Tensor) -> Any:
    (x * 1).split(2)[0].mul_(w[:2])


@refused
def _chunk(x: Tensor, w: Tensor) -> Any:
    (x * 1).chunk(2)[1].mul_(w[:1])


@refused
def _iterated(x: Tensor, w: Tensor) -> Any:
    for row in x * 1:
        row.mul_(2.0)


@refused
def _made_without_grad(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    with strided.no_grad():
        v = y[0]
    v.mul_(w[0])


@refused
def _view_of_one_made_without_grad(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    with strided.no_grad():
        v = y[0]
    v[1:].mul_(w[0, 1:])


@refused
def _detached_in_place(x: Tensor, w: Tensor) -> Any:
    (x * 1)[0].detach_()


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    x, w = (value.requires_grad_() for value in values())
    before = x.tolist()
    with pytest.raises(strided.GradientNotPossible):
        REFUSED[name](x, w)
    assert x.tolist() == before


def test_writes_that_are_not_recorded() -> None:
    x, w = (value.requires_grad_() for value in values())
    with strided.no_grad():
        x.mul_(2.0)
        x[0] = 5.0
        x.add_(w)
    assert x.is_leaf
    x.data.zero_()
    assert x.tolist() == [[0.0] * 4] * 3
    # Pieces by position are views like others, as in PyTorch.
    (x * 1).tensor_split(2)[0].mul_(w[:2])


# ---- versions ----


def stale(saved_by: str, changed_by: str) -> Callable[[Program], Program]:
    def enter(function: Program) -> Program:
        STALE[function.__name__.replace("_", " ").strip()] = (function, saved_by, changed_by)
        return function

    return enter


@stale("multiply", "add")
def _operand(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    z = y * y
    y.add_(1.0)
    return z


@stale("exp", "sqrt")
def _result(x: Tensor, w: Tensor) -> Any:
    y = x.exp()
    z = y * 1
    y.sqrt_()
    return z


@stale("multiply", "fill_")
def _another_part(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    z = y[0] * y[0]
    y[1] = 0.0
    return z


@stale("multiply", "multiply")
def _detached(x: Tensor, w: Tensor) -> Any:
    y = x * 1
    z = y * y
    y.detach().mul_(2.0)
    return z


@stale("multiply", "copy_")
def _unrecorded(x: Tensor, w: Tensor) -> Any:
    z = x * w
    with strided.no_grad():
        w.copy_(x)
    return z


@pytest.mark.parametrize("name", STALE)
def test_stale_gradients(name: str) -> None:
    function, saved_by, changed_by = STALE[name]
    x, w = (value.requires_grad_() for value in values())
    with pytest.raises(strided.StaleGradient) as caught:
        function(x, w).sum().backward()
    error = caught.value
    assert (error.saved_by, error.changed_by) == (saved_by, changed_by)
    assert error.versions[0] < error.versions[1]
    assert (error.saved_at, error.changed_at) == (None, None)


def test_lines_in_anomaly_mode() -> None:
    x, w = (value.requires_grad_() for value in values())
    with strided.autograd.detect_anomaly():
        z = x * w  # saved here
        with strided.no_grad():
            w.add_(1.0)  # changed here
        with pytest.raises(strided.StaleGradient) as caught:
            z.sum().backward()
    lines = [_line(where) for where in (caught.value.saved_at, caught.value.changed_at)]
    assert lines == ["z = x * w  # saved here", "w.add_(1.0)  # changed here"]


def _line(where: str | None) -> str:
    assert where is not None
    number = int(where.split(":")[1].split()[0])
    with open(__file__) as file:
        return file.read().splitlines()[number - 1].strip()


def test_retained_gradients_follow_a_write() -> None:
    x, w = (value.requires_grad_() for value in values())
    y = x * 2
    y.retain_grad()
    seen: list[Sequence[Any]] = []
    y.register_hook(lambda g: seen.append(g.tolist()))
    y.mul_(w)
    (y * y).sum().backward()
    assert y.grad is not None
    assert y.grad.tolist() == (y * 2).tolist()  # of what y is now
    assert seen == [(y * 2 * w).tolist()]  # of what y was when the hook came


def test_parts_written_one_by_one_share_one_buffer() -> None:
    x = strided.ones(1 << 16, requires_grad=True)
    y = x * 1
    seen: list[Tensor] = []
    y.register_hook(seen.append)
    for i in range(64):
        y[i * 1024 : (i + 1) * 1024].mul_(float(i))
    result = y.sum()
    strided.memory.reset_peak()
    before = strided.memory.heap_facts().live_bytes
    result.backward()
    assert strided.memory.heap_facts().peak_bytes - before < 4 * x.nbytes
    assert x.grad is not None
    assert x.grad[::1024].tolist() == [float(i) for i in range(64)]
    assert seen[0].tolist() == x.grad.tolist()
