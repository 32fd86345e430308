"""Embedding bags: sums, means or maxima of rows of a table, and their module."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor, empty
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn import init
from strided.nn.embedding import check_dense, renormalize, rows_of
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.ops.arrays import tensor
from strided.ops.creation import arange, ones_like
from strided.ops.data_types import check_device
from strided.ops.define import operation
from strided.ops.elementwise import where

_MODES = ("sum", "mean", "max")


@operation(namespace="nn")
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """Return the sum, mean or maximum of the rows of each bag of tokens. A new tensor.

    Bags are the rows of tokens (bags, n), or begin at ``offsets`` of a line of tokens. Tokens
    ``padding_idx`` do not count; an empty bag gives zeros.

    >>> import strided
    >>> weight = strided.arange(6.0).reshape(3, 2)
    >>> strided.nn.embedding_bag(strided.tensor([[0, 2]]), weight).tolist()
    [[2.0, 3.0]]
    >>> tokens, offsets = strided.tensor([0, 2, 1]), strided.tensor([0, 2])
    >>> strided.nn.embedding_bag(tokens, weight, offsets, mode="sum").tolist()
    [[4.0, 6.0], [2.0, 3.0]]
    """
    if mode not in _MODES:
        raise InvalidArgument(
            argument="mode", got=repr(mode), requirement=f"must be one of {', '.join(_MODES)}"
        )
    if per_sample_weights is not None and mode != "sum":
        raise InvalidArgument(
            argument="per_sample_weights", got=f"with mode={mode!r}", requirement="needs mode='sum'"
        )
    check_dense(sparse)
    if max_norm is not None:
        renormalize(weight, input, max_norm, norm_type)
    tokens, factors, bag, count = _bags(input, offsets, per_sample_weights, include_last_offset)
    rows = rows_of(tokens, weight, padding_idx, scale_grad_by_freq)
    padding = None if padding_idx is None else padding_idx % len(weight)
    counts = ones_like(tokens) if padding is None else (tokens % len(weight) != padding)
    here = counts.to(rows.dtype).unsqueeze(1)
    if mode == "max":
        return _largest(rows, here > 0, bag, count)
    rows = rows * here
    if factors is not None:
        rows = rows * factors.unsqueeze(1)
    zeros = _native.zeros((count, weight.shape[1]), dtype=rows.dtype)
    sums = zeros.index_add(0, bag, rows)
    if mode == "sum":
        return sums
    lengths = _native.zeros((count, 1), dtype=rows.dtype).index_add(0, bag, here)
    return sums / lengths.clamp(1)


def _bags(
    input: Tensor, offsets: Tensor | None, factors: Tensor | None, has_end: bool
) -> tuple[Tensor, Tensor | None, Tensor, int]:
    """Return tokens and factors in a line, the bag of each token, and how many bags there are."""
    if factors is not None and factors.shape != input.shape:
        raise ShapeMismatch(
            operation="embedding_bag",
            expected=tuple(input.shape),
            got=tuple(factors.shape),
            hint="per_sample_weights has one number per token",
        )
    if input.ndim == 2:
        if offsets is not None:
            raise InvalidArgument(
                argument="offsets", got="beside rows of tokens", requirement="must be None then"
            )
        count, length = input.shape
        bag = arange(count).unsqueeze(1).expand(count, length).flatten()
        return input.flatten(), None if factors is None else factors.flatten(), bag, count
    if input.ndim != 1 or offsets is None:
        raise ShapeMismatch(
            operation="embedding_bag",
            expected=(-1,),
            got=tuple(input.shape),
            hint="give tokens (bags, n), or a line of tokens and offsets",
        )
    begins = offsets[:-1] if has_end else offsets
    if len(begins) and begins[0].item() != 0:
        raise InvalidArgument(
            argument="offsets", got=f"beginning with {begins[0].item()}", requirement="begin with 0"
        )
    last = offsets[-1].item() if has_end else len(input)
    kept = input[:last]
    place = arange(len(kept))
    bag = begins.searchsorted(place, side="right") - 1
    return kept, None if factors is None else factors[:last], bag.to(_native.int64), len(begins)


def _largest(rows: Tensor, counts: Tensor, bag: Tensor, bags: int) -> Tensor:
    """Return the maximum of the rows of each bag: rows are gathered into as many as the longest."""
    lengths = bag.bincount(minlength=bags)
    longest = lengths.amax().item() if bags and len(bag) else 0
    if longest == 0:
        return _native.zeros((bags, rows.shape[1]), dtype=rows.dtype)
    first = (lengths.cumsum(0) - lengths).unsqueeze(1)
    steps = arange(longest)
    inside = steps < lengths.unsqueeze(1)  # (bags, longest)
    places = where(inside, first + steps, 0)
    low = tensor(float("-inf"), dtype=rows.dtype)
    taken = inside.unsqueeze(2) & counts.index_select(0, places.flatten()).unflatten(
        0, (bags, longest)
    )
    each = rows.index_select(0, places.flatten()).unflatten(0, (bags, longest))
    best, _ = where(taken, each, low).max(dim=1)
    return where(taken.any(1), best, 0.0)


class EmbeddingBag(Module):
    """Sums, means or maxima of rows of a table, by bags of indices.

    >>> import strided
    >>> table = strided.nn.EmbeddingBag(10, 4, mode="sum")
    >>> table(strided.tensor([[1, 2, 2]])).shape
    (1, 4)
    """

    _shown = ("num_embeddings", "embedding_dim", "mode")

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        check_device(device)
        check_dense(sparse)
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.mode = scale_grad_by_freq, mode
        self.include_last_offset, self.padding_idx = include_last_offset, padding_idx
        if _weight is not None:
            self.weight = Parameter(_weight)
            return
        self.weight = Parameter(empty(num_embeddings, embedding_dim, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize parameters in place; the row of ``padding_idx`` is zero.

        >>> import strided
        >>> strided.nn.EmbeddingBag(3, 2, padding_idx=0).weight[0].tolist()
        [0.0, 0.0]
        """
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight.detach()[self.padding_idx].zero_()

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, **settings: Any
    ) -> EmbeddingBag:
        """Return an embedding bag whose table shares the memory of a tensor (rows, n).

        >>> import strided
        >>> table = strided.nn.EmbeddingBag.from_pretrained(strided.eye(2), mode="sum")
        >>> table(strided.tensor([[0, 1]])).tolist()
        [[1.0, 1.0]]
        """
        rows, width = embeddings.shape
        made = cls(rows, width, _weight=embeddings, **settings)
        made.weight.requires_grad_(not freeze)
        return made

    def forward(
        self,
        input: Tensor,
        offsets: Tensor | None = None,
        per_sample_weights: Tensor | None = None,
    ) -> Tensor:
        return embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            False,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )
