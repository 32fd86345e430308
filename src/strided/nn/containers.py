"""Container modules (Sequential, ModuleList, ModuleDict), and identity, flatten, unflatten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from strided._native import Tensor
from strided.errors import IndexOutOfBounds
from strided.nn.module import Module

if TYPE_CHECKING:
    from typing_extensions import Self


class ModuleList(Module):
    """List of modules that are registered as submodules.

    >>> import strided
    >>> layers = strided.nn.ModuleList(strided.nn.Linear(2, 2) for _ in range(3))
    >>> len(layers), len(list(layers.parameters())), len(layers[1:])
    (3, 6, 2)
    """

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        self.extend(modules)

    def _name_at(self, position: Any) -> str:
        number, length = index(position), len(self)
        if not -length <= number < length:
            raise IndexOutOfBounds(index=number, length=length, axis=0)
        return str(number % length)

    def __len__(self) -> int:
        return len(self._kinds)

    def __iter__(self) -> Iterator[Module]:
        return (module for _, module in self._own("module"))

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            return type(self)._of(list(self)[position])
        return self.__dict__[self._name_at(position)]

    @classmethod
    def _of(cls, modules: list[Module]) -> Self:
        return cls(modules)

    def __setitem__(self, position: int, module: Module) -> None:
        setattr(self, self._name_at(position), module)

    def __delitem__(self, position: int) -> None:
        kept = list(self)
        del kept[int(self._name_at(position))]
        for name in list(self._kinds):
            delattr(self, name)
        self.extend(kept)

    def __add__(self, other: Iterable[Module]) -> Self:
        return self._of([*self, *other])

    def append(self, module: Module) -> Self:
        """Add a module at the end, and return the list itself.

        >>> import strided
        >>> strided.nn.ModuleList().append(strided.nn.ReLU())
        ModuleList(
          (0): ReLU()
        )
        """
        self.register_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Self:
        """Add modules at the end, and return the list itself.

        >>> import strided
        >>> len(strided.nn.ModuleList().extend([strided.nn.ReLU(), strided.nn.Tanh()]))
        2
        """
        for module in modules:
            self.append(module)
        return self

    def insert(self, position: int, module: Module) -> None:
        """Insert a module before a position.

        >>> import strided
        >>> layers = strided.nn.ModuleList([strided.nn.ReLU()])
        >>> layers.insert(0, strided.nn.Tanh())
        >>> list(layers)
        [Tanh(), ReLU()]
        """
        kept = list(self)
        kept.insert(position, module)
        for name in list(self._kinds):
            delattr(self, name)
        self.extend(kept)


class Sequential(ModuleList):
    """Chain of modules: each is called with the result of the one before.

    >>> import strided
    >>> net = strided.nn.Sequential(strided.nn.Linear(4, 3), strided.nn.ReLU())
    >>> net(strided.ones(2, 4)).shape
    (2, 3)
    >>> net[1]
    ReLU()
    """

    def __init__(self, *modules: Module | Mapping[str, Module]) -> None:
        if len(modules) == 1 and isinstance(modules[0], Mapping):
            for name, module in modules[0].items():
                self.register_module(name, module)
        else:
            self.extend(modules)  # type: ignore[arg-type]

    @classmethod
    def _of(cls, modules: list[Module]) -> Self:
        return cls(*modules)

    def _name_at(self, position: Any) -> str:
        return list(self._kinds)[int(super()._name_at(position))]

    def forward(self, x: Any) -> Any:
        for module in self:
            x = module(x)
        return x


class ModuleDict(Module):
    """Dictionary of modules that are registered as submodules.

    >>> import strided
    >>> heads = strided.nn.ModuleDict({"a": strided.nn.Linear(2, 1), "b": strided.nn.ReLU()})
    >>> list(heads), heads["b"], "c" in heads
    (['a', 'b'], ReLU(), False)
    """

    def __init__(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] = ()) -> None:
        self.update(modules)

    def __len__(self) -> int:
        return len(self._kinds)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._kinds))

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def __getitem__(self, name: str) -> Any:
        if name not in self._kinds:
            raise KeyError(name)
        return self.__dict__[name]

    def __setitem__(self, name: str, module: Module) -> None:
        self.register_module(name, module)

    def __delitem__(self, name: str) -> None:
        if name not in self._kinds:
            raise KeyError(name)
        delattr(self, name)

    def keys(self) -> list[str]:
        """Return the names.

        >>> import strided
        >>> strided.nn.ModuleDict({"a": strided.nn.ReLU()}).keys()
        ['a']
        """
        return list(self._kinds)

    def values(self) -> list[Module]:
        """Return the modules.

        >>> import strided
        >>> strided.nn.ModuleDict({"a": strided.nn.ReLU()}).values()
        [ReLU()]
        """
        return [module for _, module in self._own("module")]

    def items(self) -> list[tuple[str, Module]]:
        """Return names and modules.

        >>> import strided
        >>> strided.nn.ModuleDict({"a": strided.nn.ReLU()}).items()
        [('a', ReLU())]
        """
        return list(self._own("module"))

    def update(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]]) -> None:
        """Add modules, or replace those of the same names.

        >>> import strided
        >>> heads = strided.nn.ModuleDict({"a": strided.nn.ReLU()})
        >>> heads.update({"a": strided.nn.Tanh()})
        >>> heads["a"]
        Tanh()
        """
        named: Any = modules.items() if isinstance(modules, Mapping) else modules
        for name, module in named:
            self.register_module(name, module)


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
