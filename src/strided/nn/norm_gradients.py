"""Gradient rules of the norms of rows: by one kernel, or by operations that are recorded."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd.rule import Backward, Call, Gradients, gradient_of
from strided.nn.graphs import recording


@gradient_of("row_norm")
def _row_norm(
    call: Call,
    x: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Backward:
    return _back(call, x, weight, bias, eps, True)


@gradient_of("rms_norm")
def _rms_norm(
    call: Call, x: Tensor, weight: Tensor | None = None, eps: float = 1e-6, **_options: Any
) -> Backward:
    return _back(call, x, weight, None, eps, False)


def _back(
    call: Call, x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float, centred: bool
) -> Backward:
    given = [one is not None for one in (weight, bias)]
    saved = call.save(x, weight)
    wants_weights = any(call.needs(1 + i) for i in range(sum(given)))
    wants_x = call.needs(0)

    def backward(g: Tensor) -> Gradients:
        x, weight = saved()
        to_x: Tensor | None
        weights: list[Tensor | None]
        if recording():
            to_x, *weights = _formula(g, x, weight, eps, centred)
        else:
            to_x, rows = _native.norm_gradients(g, x, weight, eps, centred, wants_x, wants_weights)
            weights = [None, None] if rows is None else list(rows.unbind())
        return to_x, *(one for one, wanted in zip(weights, given, strict=False) if wanted)

    return backward


def _formula(
    g: Tensor, x: Tensor, weight: Tensor | None, eps: float, centred: bool
) -> tuple[Tensor, Tensor, Tensor]:
    lead = tuple(range(x.ndim - 1))
    middle = x - x.mean(-1, keepdim=True) if centred else x
    factor = ((middle * middle).mean(-1, keepdim=True) + eps).rsqrt()
    z = middle * factor
    h = g if weight is None else g * weight
    slope = h - z * (h * z).mean(-1, keepdim=True)
    if centred:
        slope = slope - h.mean(-1, keepdim=True)
    along = g * z
    return slope * factor, along.sum(lead) if lead else along, g.sum(lead) if lead else g
