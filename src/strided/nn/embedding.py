"""Embedding (rows of a table by index), its gradient and module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor, empty, zeros
from strided.autograd.grad_mode import no_grad
from strided.errors import DTypeMismatch, IndexOutOfBounds, InvalidArgument
from strided.nn import init
from strided.nn.linear import expect_quantized
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.ops.arguments import into
from strided.ops.arrays import tensor
from strided.ops.data_types import check_device
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.gradients import AddInto, Backward, Call, Gradients
from strided.ops.sets import unique_values


@operation(namespace="nn", also={"tokens": "input"})
def embedding(
    tokens: Tensor | Sequence[int],
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return the embedding of tokens, rows of a weight (vocabulary, n): a logged copy, or ``out``.

    One token of a tensor is no copy: its row is a view (1, n), unless another dtype is wanted. The
    row ``padding_idx`` gets no gradient. With ``max_norm``, rows that are read are scaled down to
    this norm first, in place.

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
    check_dense(sparse)
    if max_norm is not None:
        renormalize(weight, index, max_norm, norm_type)
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
    return rows_of(index, weight, padding_idx, scale_grad_by_freq, out=out, dtype=dtype)


def check_dense(sparse: bool) -> None:
    """Refuse gradients that are sparse tensors."""
    if sparse:
        raise InvalidArgument(
            argument="sparse",
            got="True",
            requirement="must be False: gradients are dense tensors, sparse ones are not supported",
        )


def renormalize(weight: Tensor, index: Tensor, max_norm: float, norm_type: float) -> None:
    """Scale the rows that are read down to a norm, in place."""
    rows = unique_values(index.flatten().to(_native.int64))
    with no_grad():
        read = weight.detach().index_select(0, rows)
        norms = read.norm(norm_type, 1, keepdim=True)
        scale = where(norms > max_norm, max_norm / (norms + 1e-7), 1.0)
        weight.index_copy_(0, rows, read * scale)


_HALVES = (_native.float16, _native.bfloat16)


def add_rows(buffer: Tensor, index: Tensor, rows: Tensor) -> Tensor:
    """Add rows to those of a buffer, in place; of half precision by sums in float32."""
    if buffer.dtype not in _HALVES:
        return buffer.index_add_(0, index, rows.to(buffer.dtype))
    wide = zeros(buffer.shape, dtype=_native.float32)
    return buffer.add_(wide.index_add_(0, index, rows.to(_native.float32)))


def _rows_of_gradient(
    call: Call,
    index: Tensor,
    weight: Tensor,
    padding_idx: int | None,
    by_frequency: bool,
    out: None,
    dtype: Any,
) -> Backward:
    saved, count = call.save(index), len(weight)

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        flat, rows = index.flatten(), g.flatten(0, -2)
        if padding_idx is not None:
            left_out = padding_idx if padding_idx >= 0 else padding_idx + count
            rows = rows * ((flat != left_out) & (flat != left_out - count)).unsqueeze(1)
        if by_frequency:
            often = flat.to(_native.int64).bincount(minlength=count)
            rows = rows / often.index_select(0, flat).unsqueeze(1).to(rows.dtype)
        return None, AddInto(lambda buffer: add_rows(buffer, flat, rows))

    return backward


@operation(gradient=_rows_of_gradient, function=None, operands=2, namespace="nn")
def rows_of(
    index: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    by_frequency: bool = False,
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
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        check_device(device)
        check_dense(sparse)
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
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

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Embedding:
        """Return an embedding whose table shares the memory of a tensor (rows, n).

        >>> import strided
        >>> table = strided.nn.Embedding.from_pretrained(strided.eye(2))
        >>> table(strided.tensor([1])).tolist(), table.weight.requires_grad
        ([[0.0, 1.0]], False)
        """
        check_dense(sparse)
        made = cls.__new__(cls)
        made.num_embeddings, made.embedding_dim = embeddings.shape
        made.padding_idx, made.max_norm, made.norm_type = padding_idx, max_norm, norm_type
        made.scale_grad_by_freq, made.sparse = scale_grad_by_freq, sparse
        made.weight = Parameter(embeddings, not freeze)
        return made

    def forward(self, input: Tensor) -> Tensor:
        more = self.max_norm, self.norm_type, self.scale_grad_by_freq
        return embedding(input, self.weight, self.padding_idx, *more)


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
