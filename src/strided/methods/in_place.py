"""Methods that change this tensor: its layout (``squeeze_``) or its elements (``clamp_``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided._native import Tensor
from strided.autograd.in_place import take_layout
from strided.autograd.record import differentiable_in_place
from strided.ops.elementwise import where
from strided.ops.operands import as_mask


def squeeze_(self: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """Drop axes of length 1 from this tensor in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(1, 3).squeeze_().shape
    (3,)
    """
    return take_layout("squeeze_", self, self.squeeze() if dim is None else self.squeeze(dim))


def unsqueeze_(self: Tensor, dim: int) -> Tensor:
    """Insert an axis of length 1 into this tensor in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(3).unsqueeze_(0).shape
    (1, 3)
    """
    return take_layout("unsqueeze_", self, self.unsqueeze(dim))


def transpose_(self: Tensor, dim0: int, dim1: int) -> Tensor:
    """Swap two axes of this tensor in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(2, 3).transpose_(0, 1).shape
    (3, 2)
    """
    return take_layout("transpose_", self, self.transpose(dim0, dim1))


def t_(self: Tensor) -> Tensor:
    """Transpose this tensor of rank 0 to 2 in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(2, 3).t_().shape
    (3, 2)
    """
    return take_layout("t_", self, self.t())


def as_strided_(
    self: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor:
    """Give this tensor any layout that stays inside its storage, in place. Moves nothing.

    >>> import strided
    >>> strided.arange(6).as_strided_((2, 2), (1, 2)).tolist()
    [[0, 2], [1, 3]]
    """
    return take_layout("as_strided_", self, self.as_strided(size, stride, storage_offset))


@differentiable_in_place
def masked_fill_(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    """Write a value where the mask is true, in place. The mask broadcasts; nothing is gathered.

    >>> import strided
    >>> x = strided.zeros(3)
    >>> x.masked_fill_(strided.tensor([True, False, True]), 7).tolist()
    [7.0, 0.0, 7.0]
    """
    return where(as_mask(mask), value, self, out=self)


METHODS: dict[str, Any] = {
    "squeeze_": squeeze_,
    "unsqueeze_": unsqueeze_,
    "transpose_": transpose_,
    "swapaxes_": transpose_,
    "t_": t_,
    "as_strided_": as_strided_,
    "masked_fill_": masked_fill_,
}
