"""State of a module: loading values, converting dtypes.

Everything is compared before the first element is copied: a state that does not fit changes
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from strided import _native
from strided._native import DType, Tensor
from strided.autograd import no_grad
from strided.errors import DTypeMismatch, StateMismatch
from strided.nn.parameter import Parameter
from strided.ops.arrays import asarray

if TYPE_CHECKING:
    from strided.nn.module import Module


class LoadedKeys(NamedTuple):
    """Missing and unexpected names of a state.

    >>> import strided
    >>> layer = strided.nn.Linear(1, 1)
    >>> layer.load_state_dict({"weight": [[2.0]]}, strict=False)
    LoadedKeys(missing_keys=['bias'], unexpected_keys=[])
    """

    missing_keys: list[str]
    unexpected_keys: list[str]


def load_into(
    targets: Mapping[str, Tensor], state: Mapping[str, Any], strict: bool, owner: str
) -> LoadedKeys:
    """Copy the values of a state into tensors of the same names."""
    found = LoadedKeys(
        [name for name in targets if name not in state],
        [name for name in state if name not in targets],
    )
    values = {name: asarray(state[name]) for name in targets if name in state}
    shapes = {
        name: (tuple(targets[name].shape), tuple(value.shape))
        for name, value in values.items()
        if targets[name].shape != value.shape
    }
    if shapes or (strict and (found.missing_keys or found.unexpected_keys)):
        raise StateMismatch(
            owner=owner,
            missing=found.missing_keys if strict else [],
            unexpected=found.unexpected_keys if strict else [],
            shapes=shapes,
        )
    with no_grad():
        for name, value in values.items():
            targets[name].copy_(value)
    return found


def replace_tensors(module: Module, made: Mapping[int, Tensor]) -> None:
    """Assign ``made[id(t)]`` wherever a module has tensor t; shared tensors stay shared."""
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
    replace_tensors(module, made)
