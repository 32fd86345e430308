"""Transformer layers (Vaswani et al. 2017, arXiv:1706.03762): encoder, decoder, both."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeAlias, cast

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.nn import init
from strided.nn.containers import ModuleList
from strided.nn.dropout import Dropout
from strided.nn.layer_norm import LayerNorm
from strided.nn.linear import Linear
from strided.nn.module import Module
from strided.nn.multihead_attention import MultiheadAttention
from strided.ops.creation import full

Activation: TypeAlias = "str | Callable[[Tensor], Tensor]"


def _function(activation: Any) -> Callable[[Tensor], Tensor]:
    if callable(activation):
        return cast("Callable[[Tensor], Tensor]", activation)
    if activation not in ("relu", "gelu"):
        raise InvalidArgument(
            argument="activation",
            got=repr(activation),
            requirement="must be 'relu', 'gelu' or a function",
        )
    return Tensor.relu if activation == "relu" else Tensor.gelu


class _Layer(Module):
    """What both layers have: attention, a network of two linear layers, norms and dropout."""

    self_attn: MultiheadAttention
    multihead_attn: MultiheadAttention

    def _prepare(
        self,
        sizes: tuple[int, int, int],
        dropout: float,
        activation: Any,
        eps: float,
        batch_first: bool,
        norm_first: bool,
        bias: bool,
        made_as: dict[str, Any],
        parts: int,
    ) -> None:
        width, heads, inner = sizes
        names = ("self_attn", "multihead_attn")[: parts - 1]
        for name in names:
            setattr(
                self,
                name,
                MultiheadAttention(width, heads, dropout, bias, batch_first=batch_first, **made_as),
            )
        self.linear1 = Linear(width, inner, bias, **made_as)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(inner, width, bias, **made_as)
        self.norm_first = norm_first
        for number in range(1, parts + 1):
            setattr(self, f"norm{number}", LayerNorm(width, eps, bias=bias, **made_as))
        for number in range(1, parts + 1):
            setattr(self, f"dropout{number}", Dropout(dropout))
        self.activation = _function(activation)

    def _network(self, x: Tensor) -> Tensor:
        made: Tensor = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return made

    def _through(self, x: Tensor, number: int, part: Callable[[Tensor], Tensor]) -> Tensor:
        """Add what a part makes of x, with a norm in front of it or behind the sum."""
        norm, drop = getattr(self, f"norm{number}"), getattr(self, f"dropout{number}")
        made: Tensor = x + drop(part(norm(x))) if self.norm_first else norm(x + drop(part(x)))
        return made


class TransformerEncoderLayer(_Layer):
    """Encoder layer: self-attention, then a network of two linear layers.

    >>> import strided
    >>> layer = strided.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    >>> layer(strided.ones(1, 5, 8)).shape
    (1, 5, 8)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        sizes, made_as = (d_model, nhead, dim_feedforward), {"device": device, "dtype": dtype}
        more = layer_norm_eps, batch_first, norm_first, bias
        self._prepare(sizes, dropout, activation, *more, made_as, 2)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        def attend(x: Tensor) -> Tensor:
            made: Tensor
            made, _ = self.self_attn(
                x, x, x, src_key_padding_mask, False, src_mask, is_causal=is_causal
            )
            return made

        return self._through(self._through(src, 1, attend), 2, self._network)


class TransformerDecoderLayer(_Layer):
    """Decoder layer: self-attention, attention to the memory, then two linear layers.

    >>> import strided
    >>> layer = strided.nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
    >>> layer(strided.ones(1, 3, 8), strided.ones(1, 5, 8)).shape
    (1, 3, 8)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        sizes, made_as = (d_model, nhead, dim_feedforward), {"device": device, "dtype": dtype}
        more = layer_norm_eps, batch_first, norm_first, bias
        self._prepare(sizes, dropout, activation, *more, made_as, 3)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        def attend(x: Tensor) -> Tensor:
            made: Tensor
            made, _ = self.self_attn(
                x, x, x, tgt_key_padding_mask, False, tgt_mask, is_causal=tgt_is_causal
            )
            return made

        def look(x: Tensor) -> Tensor:
            made: Tensor
            made, _ = self.multihead_attn(
                x,
                memory,
                memory,
                memory_key_padding_mask,
                False,
                memory_mask,
                is_causal=memory_is_causal,
            )
            return made

        x = self._through(self._through(tgt, 1, attend), 2, look)
        return self._through(x, 3, self._network)


class TransformerEncoder(Module):
    """Stack of encoder layers, copies of one.

    >>> import strided
    >>> layer = strided.nn.TransformerEncoderLayer(8, 2, 16)
    >>> strided.nn.TransformerEncoder(layer, 2)(strided.ones(5, 1, 8)).shape
    (5, 1, 8)
    """

    def __init__(
        self,
        encoder_layer: Module,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        self.layers = ModuleList(deepcopy(encoder_layer) for _ in range(num_layers))
        self.num_layers = num_layers
        self.norm: Any = norm

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask, bool(is_causal))
        made: Tensor = src if self.norm is None else self.norm(src)
        return made


class TransformerDecoder(Module):
    """Stack of decoder layers, copies of one.

    >>> import strided
    >>> layer = strided.nn.TransformerDecoderLayer(8, 2, 16)
    >>> strided.nn.TransformerDecoder(layer, 2)(strided.ones(3, 1, 8), strided.ones(5, 1, 8)).shape
    (3, 1, 8)
    """

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        self.layers = ModuleList(deepcopy(decoder_layer) for _ in range(num_layers))
        self.num_layers = num_layers
        self.norm: Any = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask,
                memory_mask,
                tgt_key_padding_mask,
                memory_key_padding_mask,
                bool(tgt_is_causal),
                memory_is_causal,
            )
        made: Tensor = tgt if self.norm is None else self.norm(tgt)
        return made


class Transformer(Module):
    """Encoder and decoder of transformer layers.

    >>> import strided
    >>> net = strided.nn.Transformer(8, 2, 1, 1, 16)
    >>> net(strided.ones(5, 1, 8), strided.ones(3, 1, 8)).shape
    (3, 1, 8)
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = "relu",
        custom_encoder: Module | None = None,
        custom_decoder: Module | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        sizes: Any = (d_model, nhead, dim_feedforward)
        more: Any = (
            dropout,
            activation,
            layer_norm_eps,
            batch_first,
            norm_first,
            bias,
            device,
            dtype,
        )
        self.encoder: Any = custom_encoder
        if custom_encoder is None:
            norm = LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype)
            layer = TransformerEncoderLayer(*sizes, *more)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        self.decoder: Any = custom_decoder
        if custom_decoder is None:
            norm = LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype)
            own = TransformerDecoderLayer(*sizes, *more)
            self.decoder = TransformerDecoder(own, num_decoder_layers, norm)
        for parameter in self.parameters():
            if parameter.ndim > 1:
                init.xavier_uniform_(parameter)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        made: Tensor = self.decoder(
            tgt,
            memory,
            tgt_mask,
            memory_mask,
            tgt_key_padding_mask,
            memory_key_padding_mask,
            tgt_is_causal,
            memory_is_causal,
        )
        return made

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """Return the mask of a causal decoder: 0 up to the diagonal, -inf above it. A new tensor.

        >>> import strided
        >>> strided.nn.Transformer.generate_square_subsequent_mask(2).tolist()
        [[0.0, -inf], [0.0, 0.0]]
        """
        made = full((sz, sz), float("-inf"), dtype=dtype or _native.float32)
        return made.triu(1)
