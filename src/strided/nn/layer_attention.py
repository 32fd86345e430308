"""Attention with its own projections."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor, empty
from strided.errors import InvalidArgument
from strided.functions.create import ones, tril
from strided.nn import functional as F
from strided.nn import init
from strided.nn.layer_linear import Linear
from strided.nn.module import Module
from strided.nn.parameter import Parameter
from strided.ops.elementwise import where


class MultiheadAttention(Module):
    """Several heads of attention, with the parameters of PyTorch's layer of this name.

    Returns the output and the weights averaged over the heads; ``need_weights=False`` leaves them
    out (None), and lets one kernel do it all. A bool mask tells what is *not* seen, as there.

    >>> import strided
    >>> layer = strided.nn.MultiheadAttention(8, 2, batch_first=True)
    >>> x = strided.rand(1, 5, 8)
    >>> output, weights = layer(x, x, x)
    >>> output.shape, weights.shape
    ((1, 5, 8), (1, 5, 5))
    """

    _shown = ("embed_dim", "num_heads", "batch_first")
    in_proj_bias: Parameter | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        batch_first: bool = False,
        dtype: Any = None,
    ) -> None:
        if embed_dim % num_heads:
            raise InvalidArgument(
                argument="num_heads",
                got=str(num_heads),
                requirement=f"must divide embed_dim = {embed_dim}",
            )
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.dropout, self.batch_first = dropout, batch_first
        self.in_proj_weight = Parameter(empty(3 * embed_dim, embed_dim, dtype=dtype))
        init.xavier_uniform_(self.in_proj_weight)
        own = Parameter(_native.zeros(3 * embed_dim, dtype=dtype)) if bias else None
        self.register_parameter("in_proj_bias", own)
        self.out_proj = Linear(embed_dim, embed_dim, bias, dtype)
        if self.out_proj.bias is not None:
            init.zeros_(self.out_proj.bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        given = [query, key, value]
        single = query.ndim == 2
        if single:
            given = [x.unsqueeze(0) for x in given]
        elif not self.batch_first:
            given = [x.transpose(0, 1) for x in given]
        q, k, v = (self._heads(x, place) for place, x in enumerate(given))
        mask = _mask(attn_mask, key_padding_mask, self.num_heads)
        causal, weights = is_causal and mask is None, None
        if need_weights or (self.dropout and self.training):
            output, weights = self._step_by_step(q, k, v, mask, causal)
        else:
            output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
        output = self.out_proj(output.transpose(1, 2).flatten(2))
        shown = weights.mean(1) if need_weights and weights is not None else None
        if single:
            return output.squeeze(0), None if shown is None else shown.squeeze(0)
        return output if self.batch_first else output.transpose(0, 1), shown

    def _heads(self, x: Tensor, place: int) -> Tensor:
        """Return x (batch, length, width) projected and cut into (batch, heads, length, d)."""
        part = slice(place * self.embed_dim, (place + 1) * self.embed_dim)
        bias = None if self.in_proj_bias is None else self.in_proj_bias[part]
        projected = F.linear(x, self.in_proj_weight[part], bias)
        return projected.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def _step_by_step(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, is_causal: bool
    ) -> tuple[Tensor, Tensor]:
        scores = (query * query.shape[-1] ** -0.5) @ key.mT
        if is_causal:
            mask = tril(ones(scores.shape[-2:], dtype=_native.bool))
        if mask is not None and mask.dtype is _native.bool:
            scores = where(mask, scores, float("-inf"))
        elif mask is not None:
            scores = scores + mask
        weights = F.dropout(F.softmax(scores, -1), self.dropout, self.training)
        return weights @ value, weights


def _mask(attn_mask: Tensor | None, padding: Tensor | None, heads: int) -> Tensor | None:
    """Return one mask for (batch, heads, L, S): numbers to add, or bool, True where it is seen."""
    if attn_mask is not None and attn_mask.ndim == 3:
        attn_mask = attn_mask.unflatten(0, (-1, heads))
    found: Tensor | None = None
    for mask in (attn_mask, None if padding is None else padding[:, None, None, :]):
        if mask is None:
            continue
        seen = mask.logical_not() if mask.dtype is _native.bool else mask
        if found is None:
            found = seen
        elif found.dtype is _native.bool and seen.dtype is _native.bool:
            found = found.logical_and(seen)
        else:
            found = _numbers(found) + _numbers(seen)
    return found


def _numbers(mask: Tensor) -> Tensor:
    return where(mask, 0.0, float("-inf")) if mask.dtype is _native.bool else mask
