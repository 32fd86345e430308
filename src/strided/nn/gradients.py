"""Gradient rules of the layers that have kernels of their own, but norms, attention and windows."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd.rule import AddInto, Backward, Call, Gradients, gradient_of
from strided.errors import GradientNotPossible, ViewNotPossible
from strided.functions.einsum import tensordot
from strided.nn.graphs import in_one_pass, recording
from strided.nn.rotary import rope


def _rows(x: Tensor) -> Tensor | None:
    """Return all axes but the last as one: a view, or None where there is none."""
    try:
        return x.view(-1, x.shape[-1])
    except ViewNotPossible:
        return None


@gradient_of("linear")
def _linear(
    call: Call, x: Tensor, weight: Any, bias: Tensor | None = None, **_options: Any
) -> Backward:
    if not isinstance(weight, Tensor):
        raise GradientNotPossible(
            operation="linear",
            reason="the weight is quantised: products with it round their operands",
            hint="multiply with weight.dequantize()",
        )
    saved = call.save(x if call.needs(1) else None, weight if call.needs(0) else None)
    wants_bias = bias is not None and call.needs(2)

    def backward(g: Tensor) -> Gradients:
        x, weight = saved()
        lead = tuple(range(g.ndim - 1))
        to_x = None if weight is None else g @ weight
        to_weight = None
        if x is not None:
            rows, inputs = _rows(g), _rows(x)
            if rows is None or inputs is None:
                to_weight = tensordot(g, x, axes=(lead, lead))
            else:
                to_weight = rows.mT @ inputs
        if bias is None:
            return to_x, to_weight
        return to_x, to_weight, (g.sum(lead) if lead else g) if wants_bias else None

    return backward


@gradient_of("rows_of")
def _rows_of(
    call: Call, index: Tensor, weight: Tensor, padding_idx: int | None = None, **_options: Any
) -> Backward:
    saved, count = call.save(index), len(weight)

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        flat, rows = index.flatten(), g.flatten(0, -2)
        if padding_idx is not None:
            left_out = padding_idx if padding_idx >= 0 else padding_idx + count
            rows = rows * ((flat != left_out) & (flat != left_out - count)).unsqueeze(1)
        return None, AddInto(lambda buffer: buffer.index_add_(0, flat, rows.to(buffer.dtype)))

    return backward


@gradient_of("softmax")
def _softmax(call: Call, x: Tensor, dim: int = -1, **_options: Any) -> Backward:
    saved = call.save(call.output)

    def backward(g: Tensor) -> Gradients:
        (y,) = saved()
        if not recording():
            return (_native.softmax_gradient(g, y, dim, False),)
        return (y * (g - (g * y).sum(dim, keepdim=True)) if y.ndim else g * 0,)

    return backward


@gradient_of("log_softmax")
def _log_softmax(call: Call, x: Tensor, dim: int = -1, **_options: Any) -> Backward:
    saved = call.save(call.output)

    def backward(g: Tensor) -> Gradients:
        (y,) = saved()
        if not recording():
            return (_native.softmax_gradient(g, y, dim, True),)
        return (g - y.exp() * g.sum(dim, keepdim=True) if y.ndim else g * 0,)

    return backward


def _swiglu_slopes(g: Any, gate: Any, up: Any) -> Any:
    opened = gate.sigmoid()
    return g * up * opened * (1 + gate * (1 - opened)), g * gate * opened


@gradient_of("swiglu")
def _swiglu(call: Call, gate: Tensor, up: Tensor, **_options: Any) -> Backward:
    saved = call.save(gate, up)

    def backward(g: Tensor) -> Gradients:
        slopes: Gradients = in_one_pass(_swiglu_slopes)(g, *saved())
        return slopes

    return backward


@gradient_of("rope")
def _rope(
    call: Call,
    x: Tensor,
    cos: Tensor,
    sin: Tensor,
    *,
    interleaved: bool = False,
    **_options: Any,
) -> Backward:
    """Turn back: the transpose of a rotation is its inverse."""
    if call.needs(1) or call.needs(2):
        raise GradientNotPossible(
            operation="rope",
            reason="cosines and sines are constants to it",
            hint="give cos.detach() and sin.detach()",
        )
    saved = call.save(cos, sin)

    def backward(g: Tensor) -> Gradients:
        cos, sin = saved()
        return rope(g, cos, -sin, interleaved=interleaved), None, None

    return backward
