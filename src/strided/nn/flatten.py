"""Identity, flatten and unflatten modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided._native import Tensor
from strided.nn.module import Module


class Identity(Module):
    """Identity: returns its argument; constructor arguments are ignored.

    >>> import strided
    >>> x = strided.ones(2)
    >>> strided.nn.Identity()(x) is x
    True
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def forward(self, x: Any) -> Any:
        return x


class Flatten(Module):
    """Flatten axes into one: a view where strides allow it.

    >>> import strided
    >>> strided.nn.Flatten()(strided.zeros(2, 3, 4)).shape
    (2, 12)
    """

    _shown = ("start_dim", "end_dim")

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, x: Tensor) -> Tensor:
        return x.flatten(self.start_dim, self.end_dim)


class Unflatten(Module):
    """Split one axis into several: a view.

    >>> import strided
    >>> strided.nn.Unflatten(1, (3, 4))(strided.zeros(2, 12)).shape
    (2, 3, 4)
    """

    _shown = ("dim", "unflattened_size")

    def __init__(self, dim: int, unflattened_size: Sequence[int]) -> None:
        self.dim, self.unflattened_size = dim, tuple(unflattened_size)

    def forward(self, x: Tensor) -> Tensor:
        return x.unflatten(self.dim, self.unflattened_size)
