"""Gradients where a derivative jumps, does not exist, or would be 0 * inf; what rules keep; and
that large gradients, computed in one pass over memory, are those computed op by op.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import strided as st
from strided._native import RecordedCall
from strided.ops import elementwise_gradients, fused
from strided.ops.gradients import OP_GRADIENTS

inf, nan = st.inf, st.nan

# (name, function, operands, expected gradients of the sum of the results), as PyTorch has them.
BORDERS: list[tuple[str, Callable[..., Any], list[Any], list[Any]]] = [
    ("relu", st.relu, [[-1.0, 0.0, 2.0, nan]], [[0, 0, 1, 1]]),
    ("abs", st.abs, [[-2.0, 0.0, 3.0]], [[-1, 0, 1]]),
    ("sqrt", st.sqrt, [[0.0, 4.0]], [[inf, 0.25]]),
    ("sign", st.sign, [[-2.0, 0.0]], [[0, 0]]),
    ("floor", st.floor, [[1.5, 2.0]], [[0, 0]]),
    ("round", st.round, [[1.5]], [[0]]),
    ("sinc", st.sinc, [[0.0, 1.0]], [[0, -1]]),
    ("logit", st.logit, [[-0.5, 0.0, 0.5, 1.0, 2.0]], [[nan, inf, 4, inf, nan]]),
    ("hardsigmoid", st.hardsigmoid, [[-3.0, 0.0, 3.0]], [[0, 1 / 6, 0]]),
    ("hardtanh", st.hardtanh, [[-1.0, 0.5, 1.0, nan]], [[0, 1, 0, 0]]),
    ("elu", st.elu, [[0.0, 1.0]], [[1, 1]]),
    ("leaky_relu", st.leaky_relu, [[0.0, 1.0]], [[0.01, 1]]),
    ("nan_to_num", st.nan_to_num, [[nan, inf, -inf, 1.0]], [[0, 0, 0, 1]]),
    ("clamp", lambda x: x.clamp(1, 2), [[0.0, 1.0, 2.0, 3.0, nan]], [[0, 1, 1, 0, 0]]),
    ("clamp min", lambda x: x.clamp(min=1), [[0.0, 1.0, 2.0]], [[0, 1, 1]]),
    ("clamp max", lambda x: x.clamp(max=1), [[0.0, 1.0, 2.0]], [[1, 1, 0]]),
    (
        "clamp between tensors",
        lambda x, low, high: x.clamp(low, high),
        [[0.0, 1.0, 3.0, 5.0], [1.0, 1.0, 1.0, 3.0], [2.0, 2.0, 2.0, 1.0]],
        [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1]],
    ),
    ("maximum", st.maximum, [[1.0, 2.0, 3.0], [2.0, 2.0, 2.0]], [[0, 0.5, 1], [1, 0.5, 0]]),
    ("minimum", st.minimum, [[1.0, 2.0, 3.0], [2.0, 2.0, 2.0]], [[1, 0.5, 0], [0, 0.5, 1]]),
    ("fmax", st.fmax, [[2.0, nan, 1.0], [2.0, 1.0, nan]], [[1, 0, 1], [0, 1, 0]]),
    ("fmin", st.fmin, [[2.0, nan, 1.0], [2.0, 1.0, nan]], [[1, 0, 1], [0, 1, 0]]),
    ("atan2", st.atan2, [[0.0, 1.0], [0.0, 0.0]], [[0, 0], [0, -1]]),
    ("xlogy", st.xlogy, [[0.0, 0.0, 2.0], [0.0, 2.0, 1.0]], [[0, np.log(2), 0], [nan, 0, 2]]),
    ("copysign", st.copysign, [[0.0, -2.0], [-1.0, 1.0]], [[0, -1], [0, 0]]),
    ("logaddexp", st.logaddexp, [[inf, 0.0], [-inf, 0.0]], [[1, 0.5], [0, 0.5]]),
    ("heaviside", st.heaviside, [[0.0, 1.0], [0.5, 0.5]], [[0, 0], [1, 0]]),
    ("x ** 0", lambda x: x**0, [[0.0, 2.0]], [[0, 0]]),
    ("x ** 2", lambda x: x**2, [[0.0, 3.0]], [[0, 6]]),
    ("pow", st.pow, [[0.0, 0.0, 2.0], [0.0, 2.0, 3.0]], [[0, 0, 12], [0, 0, 8 * np.log(2)]]),
    ("0 ** x", lambda x: 0.0**x, [[0.0, 1.0]], [[0, 0]]),
    ("amax", lambda x: x.amax(), [[3.0, 1.0, 3.0]], [[0.5, 0, 0.5]]),
    ("amin", lambda x: x.amin(0), [[1.0, 1.0, 3.0, 1.0]], [[1 / 3, 1 / 3, 0, 1 / 3]]),
    ("max", lambda x: x.max(), [[3.0, 1.0, 3.0]], [[0.5, 0, 0.5]]),
    ("max of NaN", lambda x: x.max(), [[3.0, nan, 1.0]], [[0, 1, 0]]),
    ("max along an axis", lambda x: x.max(0).values, [[3.0, 1.0, 3.0]], [[1, 0, 0]]),
    ("median", lambda x: x.median(), [[3.0, 3.0, 1.0]], [[0.5, 0.5, 0]]),
    ("std", lambda x: x.std(), [[2.0, 2.0]], [[0, 0]]),
    ("norm at zero", lambda x: x.norm(), [[0.0, 0.0]], [[0, 0]]),
    ("norm of order 3 at zero", lambda x: x.norm(3), [[0.0, 0.0]], [[0, 0]]),
    ("norm of order inf", lambda x: x.norm(inf), [[-3.0, 3.0, 1.0]], [[-0.5, 0.5, 0]]),
    ("norm of order 1", lambda x: x.norm(1), [[-3.0, 0.0]], [[-1, 0]]),
    ("norm of order 0", lambda x: x.norm(0), [[-3.0, 0.0]], [[0, 0]]),
    ("prod with a zero", lambda x: x.prod(), [[2.0, 0.0, 3.0]], [[0, 6, 0]]),
    ("prod with two zeros", lambda x: x.prod(), [[0.0, 0.0, 3.0]], [[0, 0, 0]]),
    ("cumprod with zeros", lambda x: x.cumprod(0), [[2.0, 0.0, 3.0, 0.0]], [[1, 8, 0, 0]]),
    ("nansum", lambda x: x.nansum(), [[1.0, nan]], [[1, 0]]),
    ("logsumexp", lambda x: x.logsumexp(0), [[-inf, 0.0]], [[0, 1]]),
    (
        "scatter_reduce with a zero",
        lambda x, y: x.scatter_reduce(0, st.tensor([0, 0]), y, "prod"),
        [[2.0, 5.0], [0.0, 3.0]],
        [[0, 1], [6, 0]],
    ),
    (
        "scatter_reduce with ties",
        lambda x, y: x.scatter_reduce(0, st.tensor([0, 0]), y, "amax"),
        [[2.0, 5.0], [2.0, 1.0]],
        [[0.5, 1], [0.5, 0]],
    ),
]


@pytest.mark.parametrize(
    ("function", "operands", "expected"),
    [case[1:] for case in BORDERS],
    ids=[case[0] for case in BORDERS],
)
def test_gradient_at_the_border(
    function: Callable[..., Any], operands: list[Any], expected: list[Any]
) -> None:
    leaves = [st.tensor(one, dtype=st.float64).requires_grad_() for one in operands]
    function(*leaves).sum().backward()
    for leaf, gradient in zip(leaves, expected, strict=True):
        np.testing.assert_allclose(np.array(leaf.grad), gradient, rtol=1e-12)


# ---- what is kept ----

_X, _Y = (4, 5), (5, 6)
KEPT: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]]]] = {
    "sum": (lambda x, y: x.sum(0), []),
    "mean": (lambda x, y: x.mean(), []),
    "x + x": (lambda x, y: x + x, []),
    "x * number": (lambda x, y: x * 2.5, []),
    "x / number": (lambda x, y: x / 2.5, []),
    "x * constant": (lambda x, y: x * st.ones(_X), [_X]),
    "x * x": (lambda x, y: x * x, [_X, _X]),
    "relu": (lambda x, y: st.relu(x), [_X]),
    "exp": (lambda x, y: x.exp(), [_X]),
    "sign": (lambda x, y: x.sign(), []),
    "x @ y": (lambda x, y: x @ y, [_X, _Y]),
    "x @ constant": (lambda x, y: x @ y.detach(), [_Y]),
    "constant @ y": (lambda x, y: x.detach() @ y, [_X]),
    "cat": (lambda x, y: st.cat([x, x]), []),
    "cumsum": (lambda x, y: x.cumsum(0), []),
    "max": (lambda x, y: x.max(0)[0], [(5,)]),
    "sort": (lambda x, y: x.sort(0)[0], [_X]),
    "where": (lambda x, y: st.where(st.ones(_X) > 0, x, 0), [_X]),
    "tril": (lambda x, y: st.tril(x), []),
    "in place by a number": (lambda x, y: (x + 1).mul_(2), []),
    "in place by itself": (lambda x, y: (x + 1).square_(), [_X]),
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_a_rule_keeps_only_what_it_needs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[tuple[int, ...]] = []
    save = RecordedCall.save

    def watched(self: RecordedCall, *tensors: st.Tensor | None) -> Any:
        kept.extend(x.shape for x in tensors if x is not None)
        return save(self, *tensors)

    monkeypatch.setattr(RecordedCall, "save", watched)
    function, expected = KEPT[name]
    function(st.randn(*_X, requires_grad=True), st.randn(*_Y, requires_grad=True))
    assert kept == expected


# ---- one pass over memory ----

_MANY = fused.MANY


def _operands(count: int) -> list[st.Tensor]:
    """Return operands inside the domain of every op; the second is repeated along the last axis."""
    random = np.random.default_rng(2)
    shapes = [(_MANY // 64, 65), (_MANY // 64, 1), (_MANY // 64, 65)]
    return [st.tensor(random.uniform(0.1, 0.9, shape)) for shape in shapes[:count]]


_NAMES = list(OP_GRADIENTS)


@pytest.mark.parametrize("name", _NAMES)
def test_large_gradients_are_those_of_small_ones(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    op, arity = st._native.op_table()[name]
    operands = _operands(arity)
    if name == "where":
        operands[0] = operands[0] > 0.5
    found = []
    for many in (_MANY, 1 << 60):
        monkeypatch.setattr(elementwise_gradients, "MANY", many)
        tensors = [x.clone().requires_grad_() if x.dtype.kind == "f" else x for x in operands]
        y = st._native.apply(op, *tensors)
        y.backward(y.detach() + 0.5)
        found.append([x.grad.clone() for x in tensors if x.grad is not None])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(np.array(one), np.array(other), rtol=1e-12, atol=1e-13)


def test_gradients_come_in_the_dtype_of_their_operand() -> None:
    x = st.tensor([1.0, 2.0], requires_grad=True)  # float32
    y = st.tensor([3, 4])
    (x * y).sum().backward()
    assert x.grad is not None
    assert (x.grad.dtype, x.grad.tolist()) == (st.float32, [3.0, 4.0])
    a = st.tensor([2.0], dtype=st.float64, requires_grad=True)
    # An integer base has its logarithm in the dtype of the result.
    st.pow(st.tensor([3]), a).backward()
    assert a.grad is not None
    assert a.grad.item() == pytest.approx(9 * np.log(3), rel=1e-15)
    z = st.tensor([1.0], dtype=st.float64, requires_grad=True)
    (z * 2j).real.sum().backward()
    assert z.grad is not None
    assert (z.grad.dtype, z.grad.item()) == (st.float64, 0.0)


@pytest.mark.parametrize(
    "call",
    [
        lambda x, out: st.sort(x, out=out),
        lambda x, out: x.gather(0, st.tensor([0, 1]), out=out),
        lambda x, out: st.einsum("i->i", x, out=out),
        lambda x, out: x.take(st.tensor([1, 0]), out=out),
        lambda x, out: st.exp(x, out=out),
        lambda x, out: st.addmv(x, st.ones(2, 2), st.ones(2), out=out),
        lambda x, out: st.fuse(lambda x: x * 2)(x, out=out),
    ],
)
def test_no_result_of_tracked_tensors_goes_into_out(call: Callable[..., Any]) -> None:
    x, out = st.ones(2, requires_grad=True), st.zeros(2)
    with pytest.raises(st.GradientNotPossible):
        call(x, out)
    with st.no_grad():
        call(x, out)
    assert out.tolist() != [0.0, 0.0]


def test_numbers_that_a_range_is_made_of_are_no_part_of_a_graph() -> None:
    end = st.tensor(3.0, requires_grad=True)
    assert not st.linspace(0.0, end, 4).requires_grad
    assert not st.arange(end).requires_grad
