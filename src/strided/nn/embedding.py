"""Embedding (rows of a table by index), its gradient and module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor, empty, zeros
from strided.errors import DTypeMismatch, IndexOutOfBounds, InvalidArgument
from strided.nn import init
from strided.nn.linear import expect_quantized
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.ops.arguments import into
from strided.ops.arrays import tensor
from strided.ops.define import operation
from strided.ops.gradients import AddInto, Backward, Call, Gradients


@operation(namespace="nn")
def embedding(
    tokens: Tensor | Sequence[int],
    weight: Any,
    padding_idx: int | None = None,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return the embedding of tokens, rows of a weight (vocabulary, n): a logged copy, or ``out``.

    One token of a tensor is no copy: its row is a view (1, n), unless another dtype is wanted. The
    row ``padding_idx`` gets no gradient.

    >>> import strided
    >>> weight = strided.arange(6.0).reshape(3, 2)
    >>> strided.nn.embedding([2, 0], weight).tolist()
    [[4.0, 5.0], [0.0, 1.0]]
    >>> strided.nn.embedding([1], weight).storage() == weight.storage()
    True
    """
    index = tokens if isinstance(tokens, Tensor) else tensor(tokens, dtype=_native.int64)
    if not isinstance(weight, Tensor):
        expect_quantized(weight)
        rows: Tensor = weight.rows(index, _native.float32 if dtype is None else dtype)
        return into(out, rows, "embedding")
    if (
        out is None
        and padding_idx is None
        and index.shape == (1,)
        and (dtype is None or _native.as_dtype(dtype) is weight.dtype)
    ):
        token = index.item()
        if not -weight.shape[0] <= token < weight.shape[0]:
            raise IndexOutOfBounds(index=token, length=weight.shape[0], axis=0)
        return weight.narrow(0, token, 1)
    return rows_of(index, weight, padding_idx, out=out, dtype=dtype)


def _rows_of_gradient(
    call: Call, index: Tensor, weight: Tensor, padding_idx: int | None, out: None, dtype: Any
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


@operation(gradient=_rows_of_gradient, function=None, operands=2, namespace="nn")
def rows_of(
    index: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return rows of a weight (vocabulary, n) by index: a logged copy, or ``out``."""
    return _native.embedding(index, weight, out, dtype)


class Embedding(Module):
    """Embedding: rows of a table, by index.

    >>> import strided
    >>> table = strided.nn.Embedding(10, 4)
    >>> table(strided.tensor([[1, 2, 2]])).shape
    (1, 3, 4)
    """

    _shown = ("num_embeddings", "embedding_dim")

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        dtype: Any = None,
    ) -> None:
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise InvalidArgument(
                argument="padding_idx",
                got=str(padding_idx),
                requirement=f"must name one of {num_embeddings} rows",
            )
        self.padding_idx = padding_idx
        self.weight = Parameter(empty(num_embeddings, embedding_dim, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize parameters in place; the row of ``padding_idx`` is zero.

        >>> import strided
        >>> strided.nn.Embedding(3, 2, padding_idx=0).weight[0].tolist()
        [0.0, 0.0]
        """
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight.detach()[self.padding_idx].zero_()

    def forward(self, tokens: Tensor) -> Tensor:
        return embedding(tokens, self.weight, self.padding_idx)


@operation(namespace="nn")
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Return the one-hot encoding of classes, in int64. A new tensor.

    >>> import strided
    >>> strided.nn.one_hot(strided.tensor([2, 0])).tolist()
    [[0, 0, 1], [1, 0, 0]]
    """
    if tensor.dtype.kind not in "iu":
        raise DTypeMismatch(
            operation="one_hot",
            got=tensor.dtype.name,
            reason="a class is a whole number",
            hint="use .long()",
        )
    lowest, highest = (0, -1)
    if tensor.numel():
        lowest, highest = tensor.min().item(), tensor.max().item()
    classes = highest + 1 if num_classes == -1 else num_classes
    if lowest < 0 or highest >= classes or classes <= 0:
        raise InvalidArgument(
            argument="tensor",
            got=f"with classes {lowest} to {highest}",
            requirement=f"must lie in 0 to {classes - 1}: give num_classes",
        )
    out = zeros(*tensor.shape, classes, dtype=_native.int64)
    return out.scatter_(-1, tensor.to(_native.int64).unsqueeze(-1), 1)
