"""Queries that look for what fits them among keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd.differentiable import differentiable
from strided.errors import InvalidArgument
from strided.functions.views import broadcast_shapes
from strided.nn.attention_gradients import dropped_attention

# Segments may be cut at multiples of it without changing a bit of the result: keys are taken in
# blocks that divide it, and blocks begin where segments do.
ATTENTION_BLOCK = 384


@differentiable
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


@differentiable
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
