"""Parameter: a tensor that a module registers and training changes."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.interop.pickling import deep_copied


class Parameter(Tensor):
    """A leaf that requires gradients and that modules find among their attributes.

    It shares the memory of the tensor it is made from. Operations on it give plain tensors.

    >>> import strided
    >>> weight = strided.nn.Parameter(strided.ones(2, 3))
    >>> weight.requires_grad, weight.is_leaf, type(weight.sum()).__name__
    (True, True, 'Tensor')
    """

    # _flat: its FlatParameters, if any. Copies and pickles have none.
    __slots__ = ("__dict__", "_flat")
    _flat: Any

    def __new__(cls, data: Any, requires_grad: bool = True) -> Parameter:
        made: Parameter = super().__new__(cls, data.detach() if isinstance(data, Tensor) else data)
        return made

    def __init__(self, data: Any, requires_grad: bool = True) -> None:
        self.requires_grad_(requires_grad)

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"

    def __deepcopy__(self, memo: dict[Any, Any]) -> Parameter:
        made: Parameter = deep_copied(self, memo)  # without its gradient, as PyTorch's
        return made
