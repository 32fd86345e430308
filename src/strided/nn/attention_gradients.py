"""The way back through attention: by a kernel that keeps no weights, or by recorded operations."""

from __future__ import annotations

import math

from strided import _native
from strided._native import Tensor
from strided.autograd.rule import Backward, Call, Gradients, gradient_of
from strided.functions.create import arange
from strided.functions.random import rand
from strided.nn.activations import softmax
from strided.nn.graphs import recording
from strided.ops.elementwise import where


@gradient_of("attended")
def _attended(
    call: Call,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    causal: bool,
    scale: float | None,
    grouped: bool,
) -> Backward:
    saved = call.save(query, key, value, mask)
    wants_mask = mask is not None and call.needs(3)

    def backward(g: Tensor) -> Gradients:
        query, key, value, mask = saved()
        if wants_mask or recording():
            made = _formula(g, query, key, value, mask, causal, scale)
            return made if mask is not None else made[:3]
        back = _native.attention_gradients(g, query, key, value, mask, causal, scale)
        return back if mask is None else (*back, None)

    return backward


def _grouped(x: Tensor, groups: int) -> Tensor:
    """Return (..., heads, n, d) with heads as (groups, heads of a group). A view."""
    return x.unflatten(-3, (groups, -1))


def _weights(query: Tensor, key: Tensor, mask: Tensor | None, causal: bool, scale: float) -> Tensor:
    """Return how much each query (..., groups, heads, L, d) takes of each key."""
    scores = query @ key.mT * scale
    if mask is not None and mask.ndim > 2:
        groups = key.shape[-4]
        mask = mask.unsqueeze(-3) if mask.shape[-3] == 1 else _grouped(mask, groups)
    length, keys = scores.shape[-2:]
    seen = arange(length).unsqueeze(1) >= arange(keys) if causal else None
    if mask is not None and mask.dtype is _native.bool:
        seen = mask
    elif mask is not None:
        scores = scores + mask
    if seen is None:
        return softmax(scores)
    # A query that sees nothing takes nothing, where softmax would be NaN.
    return where(seen, softmax(where(seen, scores, -math.inf)), 0.0)


def _scale_of(scale: float | None, query: Tensor) -> float:
    return 1 / math.sqrt(query.shape[-1]) if scale is None else scale


def _formula(
    g: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    causal: bool,
    scale: float | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    groups, factor = key.shape[-3], _scale_of(scale, query)
    q, back = _grouped(query, groups), _grouped(g, groups)
    k, v = _grouped(key, groups), _grouped(value, groups)
    weights = _weights(q, k, mask, causal, factor)
    slopes = back @ v.mT
    to_scores = weights * (slopes - (weights * slopes).sum(-1, keepdim=True))
    return (
        (to_scores @ k * factor).flatten(-4, -3),
        (to_scores.mT @ q * factor).sum(-3),
        (weights.mT @ back).sum(-3),
        to_scores.flatten(-4, -3),
    )


def dropped_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    dropout_p: float,
    causal: bool,
    scale: float | None,
) -> Tensor:
    """Return attention in which each weight is left out with a probability. A new tensor."""
    groups = key.shape[-3]
    q = _grouped(query, groups)
    weights = _weights(q, _grouped(key, groups), mask, causal, _scale_of(scale, query))
    kept = rand(*weights.shape, dtype=weights.dtype) >= dropout_p
    weights = weights * kept * (0.0 if dropout_p == 1 else 1 / (1 - dropout_p))
    return (weights @ _grouped(value, groups)).flatten(-4, -3)
