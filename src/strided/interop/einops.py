"""A backend of einops: rearranging is a view wherever one exists, repeating always is."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.errors import UnsupportedOperation
from strided.ops.arrays import from_numpy
from strided.ops.creation import arange
from strided.ops.einsum import einsum
from strided.ops.joining import concat, stack

_REDUCTIONS = {"min": "amin", "max": "amax"}
_made: list[type] = []  # einops knows its backends by weak references


def enable() -> None:
    """Let einops take tensors: it asks every subclass of its backend for what it does not know."""
    if _made:
        return
    try:
        from einops._backends import AbstractBackend
    except ImportError as error:
        raise UnsupportedOperation(
            operation="enable('einops')",
            reason="this version of einops keeps its backends elsewhere",
            hint="use einops.array_api, which takes tensors as they are",
        ) from error

    class StridedBackend(AbstractBackend):  # type: ignore[misc]
        framework_name = "strided"

        def is_appropriate_type(self, tensor: Any) -> bool:
            return isinstance(tensor, Tensor)

        def from_numpy(self, x: Any) -> Tensor:
            return from_numpy(x)

        def to_numpy(self, x: Tensor) -> Any:
            return x.numpy()

        def arange(self, start: int, stop: int) -> Tensor:
            return arange(start, stop)

        def reshape(self, x: Tensor, shape: Any) -> Tensor:
            return x.reshape(tuple(shape))

        def transpose(self, x: Tensor, axes: Any) -> Tensor:
            return x.permute(tuple(axes))

        def reduce(self, x: Tensor, operation: str, axes: Any) -> Any:
            return getattr(x, _REDUCTIONS.get(operation, operation))(tuple(sorted(axes)))

        def stack_on_zeroth_dimension(self, tensors: list[Tensor]) -> Tensor:
            return stack(tensors)

        def add_axes(self, x: Tensor, n_axes: int, pos2len: dict[int, int]) -> Tensor:
            for position in sorted(pos2len):
                x = x.unsqueeze(position)
            return x.expand(*(pos2len.get(axis, x.shape[axis]) for axis in range(n_axes)))

        def concat(self, tensors: list[Tensor], axis: int) -> Tensor:
            return concat(tensors, axis=axis)

        def is_float_type(self, x: Tensor) -> bool:
            return x.dtype.is_floating_point

        def einsum(self, pattern: str, *x: Tensor) -> Tensor:
            return einsum(pattern, *x)

    _made.append(StridedBackend)
