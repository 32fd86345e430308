"""Other tensors in the place of a module's own: another dtype, another home."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import DTypeMismatch
from strided.nn.parameter import Parameter

if TYPE_CHECKING:
    from strided.nn.module import Module


def put_in_place(module: Module, made: Mapping[int, Tensor]) -> None:
    """Assign ``made[id(t)]`` wherever a module has tensor t; what was shared stays shared."""
    for part in module.modules():
        for kind in ("parameter", "buffer"):
            for name, value in part._own(kind):
                if id(value) in made:
                    setattr(part, name, made[id(value)])


def _converted(value: Tensor, dtype: DType) -> Tensor:
    made = value.detach().to(dtype)
    if not isinstance(value, Parameter):
        return made
    parameter = type(value)(made, value.requires_grad)
    if value.grad is not None:
        parameter.grad = value.grad.detach().to(dtype)
    return parameter


def convert(module: Module, dtype: Any) -> None:
    """Convert parameters and buffers of floats; integers stay as they are."""
    wanted = _native.as_dtype(dtype)
    if wanted.kind != "f":
        raise DTypeMismatch(
            operation="Module.to",
            got=wanted.name,
            reason="parameters need numbers with fractions",
            hint="give a floating-point dtype",
        )
    own = [*module.parameters(), *module.buffers()]
    made = {
        id(value): _converted(value, wanted)
        for value in own
        if value.dtype.kind == "f" and value.dtype is not wanted
    }
    put_in_place(module, made)
