"""Parametrizations: parameters computed from others each time they are read.

A parametrized module has a class of its own, on which the name is a property. The tensors that are
trained stand in ``module.parametrizations``, so names of a state are those of PyTorch.
"""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.autograd.grad_mode import no_grad
from strided.errors import InvalidArgument
from strided.nn.containers import ModuleDict, ModuleList
from strided.nn.members import Parameter
from strided.nn.module import Module

__all__ = [
    "ParametrizationList",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
]


class ParametrizationList(ModuleList):
    """The parametrizations of one name, and the tensors that they are computed from.

    >>> import strided
    >>> from strided.nn.utils import parametrize
    >>> layer = parametrize.register_parametrization(
    ...     strided.nn.Linear(1, 1), "weight", strided.nn.ReLU()
    ... )
    >>> [name for name, _ in layer.named_parameters()]
    ['bias', 'parametrizations.weight.original']
    """

    def __init__(self, modules: list[Module], original: Any) -> None:
        super().__init__(modules)
        values = self._inverted(original)
        self.is_tensor = isinstance(values, Tensor)
        names = ["original"] if self.is_tensor else [f"original{i}" for i in range(len(values))]
        self.names = names
        for name, value in zip(names, [values] if self.is_tensor else values, strict=True):
            self.register_parameter(name, None)
            setattr(self, name, _like(value, original))

    def __len__(self) -> int:
        return sum(kind == "module" for kind in self._kinds.values())

    def _inverted(self, value: Any) -> Any:
        with no_grad():
            for module in reversed(list(self)):
                inverse: Any = getattr(module, "right_inverse", None)
                value = value if inverse is None else inverse(value)
        return value

    def forward(self) -> Tensor:
        parts = [getattr(self, name) for name in self.names]
        modules = list(self)
        made: Tensor = modules[0](*parts)
        for module in modules[1:]:
            made = module(made)
        return made

    def assign(self, value: Any) -> None:
        """Set the originals so that the result becomes a value, in place.

        >>> import strided
        >>> from strided.nn.utils import parametrize
        >>> layer = strided.nn.Linear(1, 1)
        >>> _ = parametrize.register_parametrization(layer, "weight", strided.nn.ReLU())
        >>> layer.parametrizations["weight"].assign(strided.full((1, 1), 3.0))
        >>> layer.weight.item()
        3.0
        """
        made = self._inverted(value)
        with no_grad():
            for name, one in zip(self.names, [made] if self.is_tensor else made, strict=True):
                getattr(self, name).copy_(one)


def _like(value: Tensor, original: Any) -> Any:
    if isinstance(original, Parameter):
        is_float = value.dtype.kind in "fc"
        return Parameter(value.detach().clone(), original.requires_grad and is_float)
    return value


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Return whether a module has parametrizations (of a name).

    >>> import strided
    >>> strided.nn.utils.parametrize.is_parametrized(strided.nn.Linear(1, 1))
    False
    """
    known = module.__dict__.get("parametrizations")
    if not isinstance(known, ModuleDict):
        return False
    return len(known) > 0 if tensor_name is None else tensor_name in known


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Compute a parameter or buffer of a module by another module from now on; returns the module.

    >>> import strided
    >>> layer = strided.nn.Linear(2, 2)
    >>> _ = strided.nn.utils.parametrize.register_parametrization(
    ...     layer, "weight", strided.nn.ReLU()
    ... )
    >>> bool((layer.weight >= 0).all())
    True
    """
    if is_parametrized(module, tensor_name):
        known = module.__dict__["parametrizations"][tensor_name]
        known.append(parametrization)
        return module
    original = module.__dict__.get(tensor_name)
    if module._kinds.get(tensor_name) not in ("parameter", "buffer") or original is None:
        raise InvalidArgument(
            argument="tensor_name",
            got=repr(tensor_name),
            requirement=f"must name a parameter or a buffer of {type(module).__name__}",
        )
    kept = ParametrizationList([parametrization], original)
    delattr(module, tensor_name)
    if not isinstance(module.__dict__.get("parametrizations"), ModuleDict):
        module.register_module("parametrizations", ModuleDict())
        module.__class__ = type(
            f"Parametrized{type(module).__name__}", (type(module),), {"_plain": type(module)}
        )
    known = module.__dict__["parametrizations"]
    known[tensor_name] = kept

    def read(self: Module) -> Any:
        return self.__dict__["parametrizations"][tensor_name]()

    def write(self: Module, value: Any) -> None:
        self.__dict__["parametrizations"][tensor_name].assign(value)

    setattr(type(module), tensor_name, property(read, write))
    return module


def remove_parametrizations(
    module: Module, tensor_name: str, leave_parametrized: bool = True
) -> Module:
    """Make a parametrized name a parameter again, with its value or the original; returns module.

    >>> import strided
    >>> from strided.nn.utils import parametrize
    >>> layer = strided.nn.Linear(1, 1)
    >>> _ = parametrize.register_parametrization(layer, "weight", strided.nn.ReLU())
    >>> _ = parametrize.remove_parametrizations(layer, "weight")
    >>> [name for name, _ in layer.named_parameters()]
    ['bias', 'weight']
    """
    if not is_parametrized(module, tensor_name):
        raise InvalidArgument(
            argument="tensor_name", got=repr(tensor_name), requirement="must be parametrized"
        )
    known: Any = module.__dict__["parametrizations"]
    kept = known[tensor_name]
    if not leave_parametrized and not kept.is_tensor:
        raise InvalidArgument(
            argument="leave_parametrized",
            got="False",
            requirement="must be True where a parametrization has several originals",
        )
    first = getattr(kept, kept.names[0])
    value: Any = first
    if leave_parametrized:
        with no_grad():
            value = kept().detach().clone()
        if isinstance(first, Parameter):
            value = Parameter(value, first.requires_grad)
    delattr(type(module), tensor_name)
    del known[tensor_name]
    if not len(known):
        module.__class__ = type(module)._plain  # type: ignore[attr-defined]
        delattr(module, "parametrizations")
    if isinstance(value, Parameter):
        module.register_parameter(tensor_name, value)
    else:
        module.register_buffer(tensor_name, value)
    return module
