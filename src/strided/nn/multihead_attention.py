"""Multi-head attention: projections around the attention of heads."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor, empty
from strided.errors import InvalidArgument
from strided.nn import init
from strided.nn.activation import softmax
from strided.nn.attention import scaled_dot_product_attention
from strided.nn.dropout import dropout
from strided.nn.linear import Linear, linear
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.ops.creation import ones, tril
from strided.ops.data_types import check_device
from strided.ops.elementwise import where
from strided.ops.joining import cat


class MultiheadAttention(Module):
    """Multi-head attention, with the parameters of PyTorch's layer of this name.

    Returns the output and the weights averaged over the heads; ``need_weights=False`` leaves them
    out (None) and computes with one kernel. A bool mask marks what is *not* seen, as in PyTorch.

    >>> import strided
    >>> layer = strided.nn.MultiheadAttention(8, 2, batch_first=True)
    >>> x = strided.rand(1, 5, 8)
    >>> output, weights = layer(x, x, x)
    >>> output.shape, weights.shape
    ((1, 5, 8), (1, 5, 5))
    """

    _shown = ("embed_dim", "num_heads", "batch_first")
    in_proj_weight: Parameter | None
    in_proj_bias: Parameter | None
    bias_k: Parameter | None
    bias_v: Parameter | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        check_device(device)
        if embed_dim % num_heads:
            raise InvalidArgument(
                argument="num_heads",
                got=str(num_heads),
                requirement=f"must divide embed_dim = {embed_dim}",
            )
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.head_dim = embed_dim // num_heads
        self.dropout, self.batch_first = dropout, batch_first
        self.add_zero_attn = add_zero_attn
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        if self.kdim == self.vdim == embed_dim:
            self.in_proj_weight = Parameter(empty(3 * embed_dim, embed_dim, dtype=dtype))
        else:
            for name, width in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
                weight = Parameter(empty(embed_dim, width, dtype=dtype))
                setattr(self, f"{name}_proj_weight", weight)
            self.register_parameter("in_proj_weight", None)
        own = Parameter(empty(3 * embed_dim, dtype=dtype)) if bias else None
        self.register_parameter("in_proj_bias", own)
        self.out_proj = Linear(embed_dim, embed_dim, bias, dtype=dtype)
        for name in ("bias_k", "bias_v"):
            row = Parameter(empty(1, 1, embed_dim, dtype=dtype)) if add_bias_kv else None
            self.register_parameter(name, row)
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for weight in self._projections():
            init.xavier_uniform_(weight)
        for bias in (self.in_proj_bias, self.out_proj.bias):
            if bias is not None:
                init.zeros_(bias)
        for row in (self.bias_k, self.bias_v):
            if row is not None:
                init.xavier_normal_(row)

    def _projections(self) -> list[Tensor]:
        """Return the weight of all projections, or one for queries, keys and values each."""
        if self.in_proj_weight is not None:
            return [self.in_proj_weight]
        return [getattr(self, f"{name}_proj_weight") for name in "qkv"]

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        given = [query, key, value]
        single = query.ndim == 2
        if single:
            given = [x.unsqueeze(0) for x in given]
            if key_padding_mask is not None and key_padding_mask.ndim == 1:
                key_padding_mask = key_padding_mask.unsqueeze(0)
        elif not self.batch_first:
            given = [x.transpose(0, 1) for x in given]
        weights = self._projections()
        if len(weights) == 1:
            weights = list(weights[0].chunk(3, 0))
        biases = [None] * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3, 0)
        q, k, v = (
            linear(x, weight, bias) for x, weight, bias in zip(given, weights, biases, strict=True)
        )
        mask = _mask(attn_mask, key_padding_mask, self.num_heads)
        if self.bias_k is not None and self.bias_v is not None:
            k, v = (
                cat([x, row.expand(len(x), 1, self.embed_dim)], axis=1)
                for x, row in ((k, self.bias_k), (v, self.bias_v))
            )
            mask = _seen_too(mask)
        if self.add_zero_attn:
            k, v = (cat([x, x[:, :1].detach() * 0.0], axis=1) for x in (k, v))
            mask = _seen_too(mask)
        q, k, v = (x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for x in (q, k, v))
        causal, shown = is_causal and mask is None, None
        if need_weights or (self.dropout and self.training):
            output, shown = self._with_weights(q, k, v, mask, causal)
        else:
            output = scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
        output = self.out_proj(output.transpose(1, 2).flatten(2))
        if not need_weights:
            shown = None
        if shown is not None and average_attn_weights:
            shown = shown.mean(1)
        if single:
            return output.squeeze(0), None if shown is None else shown.squeeze(0)
        return output if self.batch_first else output.transpose(0, 1), shown

    def _with_weights(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, is_causal: bool
    ) -> tuple[Tensor, Tensor]:
        scores = (query * query.shape[-1] ** -0.5) @ key.mT
        if is_causal:
            mask = tril(ones(scores.shape[-2:], dtype=_native.bool))
        if mask is not None and mask.dtype is _native.bool:
            scores = where(mask, scores, float("-inf"))
        elif mask is not None:
            scores = scores + mask
        weights = dropout(softmax(scores, -1), self.dropout, self.training)
        return weights @ value, weights


def _seen_too(mask: Tensor | None) -> Tensor | None:
    """Return a mask with a key more, which every query sees."""
    if mask is None:
        return None
    shape = (*mask.shape[:-1], 1)
    is_bool = mask.dtype is _native.bool
    more = ones(shape, dtype=mask.dtype) if is_bool else _native.zeros(shape, dtype=mask.dtype)
    return cat([mask, more], axis=-1)


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
