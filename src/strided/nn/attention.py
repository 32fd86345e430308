"""Attention (scaled dot-product), rotary position embedding, and their gradients.

The gradient of attention is a kernel that keeps no weights, or recorded operations (second
derivatives, masks that require gradients).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor, grad_mode
from strided.errors import GradientNotPossible, InvalidArgument
from strided.nn.activation import softmax
from strided.ops.creation import arange
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.manipulation import broadcast_shapes
from strided.ops.random_tensors import rand


def _rope_gradient(
    call: Call,
    x: Tensor,
    cos: Tensor,
    sin: Tensor,
    interleaved: bool,
    out: None,
    rows: None,
) -> Backward:
    """Rotate by the negative angle: the transpose of a rotation is its inverse."""
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


@operation(gradient=_rope_gradient, operands=3, namespace="nn")
def rope(
    x: Tensor,
    cos: Tensor,
    sin: Tensor,
    *,
    interleaved: bool = False,
    out: Tensor | None = None,
    rows: Tensor | None = None,
) -> Tensor:
    """Return the rotary position embedding of x (T, heads, d). A new tensor, or ``out`` (also x).

    It rotates pairs of elements: (i, i + h), or (2 i, 2 i + 1) if ``interleaved``. ``cos`` and
    ``sin`` are (T, h), or broadcast to (T, heads, h), with 2 h <= d; the rest passes through. With
    ``rows``, integers (T,) that are all different, position t is written to row ``rows[t]`` of
    ``out``.

    >>> import strided
    >>> x = strided.tensor([[[1.0, 2.0, 5.0]]])
    >>> quarter_turn = strided.zeros(1, 1), strided.ones(1, 1)
    >>> strided.nn.rope(x, *quarter_turn, out=x).tolist()
    [[[-2.0, 1.0, 5.0]]]
    """
    return _native.rope(x, cos, sin, interleaved, out, rows)


# Segments may be cut at multiples of it without changing a bit of the result: kernels take keys in
# tiles that divide it, and a tile begins where a segment does.
ATTENTION_BLOCK = _native.ATTENTION_BLOCK


def _attention_gradient(call: Call, *_: Any) -> Backward:
    raise GradientNotPossible(
        operation="a gradient of attention",
        reason="there is no rule for its gradient",
        hint="call it under strided.no_grad(), or on .detach()",
    )


@operation(gradient=_attention_gradient, operands=1, namespace="nn")
def attention(
    query: Tensor,
    sequences: Sequence[tuple[int, Sequence[tuple[Tensor, Tensor]]]],
    *,
    scale: float | None = None,
    window: int | None = None,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return the attention of queries (T, heads, d) of several sequences. A new tensor, or ``out``.

    A sequence is ``(count, [(key, value), ...])``: its queries are the next ``count``, and its past
    lies in segments (n, key_heads, d), oldest first, including those of the queries themselves.
    Query i of ``count`` sees the first n - count + i + 1 of n keys (with ``window``, the last so
    many of them). Query head j reads key head ``j // (heads // key_heads)``.

    >>> import strided
    >>> values = strided.tensor([[[1.0]], [[3.0]]])
    >>> past = strided.zeros(2, 1, 1), values
    >>> strided.nn.attention(strided.zeros(2, 1, 1), [(2, [past])]).tolist()
    [[[1.0]], [[2.0]]]
    """
    return _native.attention(query, sequences, scale, window, out, dtype)


@operation(namespace="nn")
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Return the attention of queries (..., heads, L, d) as PyTorch does. A new tensor.

    A mask broadcasts to (..., heads, L, S): bool (True takes part), or numbers that are added to
    the scores. With ``is_causal`` query i sees keys 0 to i. With ``enable_gqa`` several heads of
    queries share a head of keys. The axes of the result lie in memory as those of the query.

    >>> import strided
    >>> x = strided.ones(1, 2, 3, 4)
    >>> strided.nn.scaled_dot_product_attention(x, x, x, is_causal=True).shape
    (1, 2, 3, 4)
    """
    if is_causal and attn_mask is not None:
        raise InvalidArgument(
            argument="attn_mask",
            got="a mask beside is_causal=True",
            requirement="must be left out then, or say both itself: give mask.tril()",
        )
    if not 0 <= dropout_p <= 1:
        raise InvalidArgument(
            argument="dropout_p", got=str(dropout_p), requirement="must lie between 0 and 1"
        )
    if dropout_p > 0:
        return dropped_attention(query, key, value, attn_mask, dropout_p, is_causal, scale)
    one_batch = query.shape[:-3] == key.shape[:-3] == value.shape[:-3]
    if not one_batch or min(query.ndim, key.ndim, value.ndim) < 3:
        return _in_one_batch(query, key, value, attn_mask, is_causal, scale, enable_gqa)
    return attended(query, key, value, attn_mask, is_causal, scale, enable_gqa)


def _attended_gradient(
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
        if wants_mask or grad_mode():
            made = _formula(g, query, key, value, mask, causal, scale)
            return made if mask is not None else made[:3]
        back = _native.attention_gradients(g, query, key, value, mask, causal, scale)
        return back if mask is None else (*back, None)

    return backward


@operation(gradient=_attended_gradient, function=None, operands=4, namespace="nn")
def attended(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    causal: bool,
    scale: float | None,
    grouped: bool,
) -> Tensor:
    """Return the attention of queries whose keys and values have the same axes before the heads."""
    return _native.dot_product_attention(query, key, value, mask, causal, scale, grouped)


def _in_one_batch(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    causal: bool,
    scale: float | None,
    grouped: bool,
) -> Tensor:
    """Return the attention of operands that are broadcast, or have no axis of heads."""
    given = (query, key, value)
    if min(x.ndim for x in given) < 2:
        return attended(query, key, value, mask, causal, scale, grouped)  # raises
    heads = [x if x.ndim > 2 else x.unsqueeze(0) for x in given]
    batch = broadcast_shapes(*(x.shape[:-3] for x in heads))
    q, k, v = (x.expand(*batch, *x.shape[-3:]) for x in heads)
    made = attended(q, k, v, mask, causal, scale, grouped)
    return made if max(x.ndim for x in given) > 2 else made.squeeze(0)


def _grouped(x: Tensor, groups: int) -> Tensor:
    """Return (..., heads, n, d) with heads as (groups, heads of a group). A view."""
    return x.unflatten(-3, (groups, -1))


def _weights(query: Tensor, key: Tensor, mask: Tensor | None, causal: bool, scale: float) -> Tensor:
    """Return the attention weights of queries (..., groups, heads, L, d)."""
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
    # A query that sees no key gets zeros, where softmax would be NaN.
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
    to_weights = back @ v.mT
    to_scores = weights * (to_weights - (weights * to_weights).sum(-1, keepdim=True))
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
    """Return attention with dropout of its weights. A new tensor."""
    ranks = query.ndim, key.ndim, value.ndim
    if min(ranks) < 2:
        return attended(query, key, value, mask, causal, scale, True)  # raises
    if min(ranks) == 2:
        q, k, v = (x if x.ndim > 2 else x.unsqueeze(0) for x in (query, key, value))
        made = dropped_attention(q, k, v, mask, dropout_p, causal, scale)
        return made if max(ranks) > 2 else made.squeeze(0)
    groups = key.shape[-3]
    q = _grouped(query, groups)
    weights = _weights(q, _grouped(key, groups), mask, causal, _scale_of(scale, query))
    kept = rand(*weights.shape, dtype=weights.dtype) >= dropout_p
    weights = weights * kept * (0.0 if dropout_p == 1 else 1 / (1 - dropout_p))
    return (weights @ _grouped(value, groups)).flatten(-4, -3)
