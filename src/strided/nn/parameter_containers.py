"""Containers of parameters: ParameterList and ParameterDict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import index
from typing import TYPE_CHECKING, Any

from strided._native import Tensor
from strided.errors import IndexOutOfBounds
from strided.nn.members import Parameter
from strided.nn.module import Module

if TYPE_CHECKING:
    from typing_extensions import Self


def _parameter(value: Any) -> Any:
    """Return a tensor as a parameter; anything else is kept as it is."""
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        return Parameter(value)
    return value


class _Values(Module):
    """Base of both: values by name, of which tensors are parameters."""

    _names: list[str]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        self = super().__new__(cls)
        self.__dict__["_names"] = []
        return self

    def _put(self, name: str, value: Any) -> None:
        if name not in self._names:
            self._names.append(name)
        setattr(self, name, _parameter(value))

    def _drop(self, name: str) -> Any:
        value = self.__dict__[name]
        self._names.remove(name)
        delattr(self, name)
        return value

    def __len__(self) -> int:
        return len(self._names)

    def extra_repr(self) -> str:
        """Return what repr shows between the brackets: names and shapes.

        >>> import strided
        >>> strided.nn.ParameterList([strided.ones(2)]).extra_repr()
        '(0): Parameter (2,)'
        """
        lines = []
        for name in self._names:
            value = self.__dict__[name]
            text = f"{tuple(value.shape)}" if isinstance(value, Tensor) else repr(value)
            lines.append(f"({name}): {type(value).__name__} {text}")
        return "\n".join(lines)


class ParameterList(_Values):
    """List of parameters; tensors that are put into it become parameters.

    >>> import strided
    >>> own = strided.nn.ParameterList([strided.ones(2), strided.zeros(3)])
    >>> len(own), [tuple(p.shape) for p in own], len(list(own.parameters()))
    (2, [(2,), (3,)], 2)
    """

    def __init__(self, values: Iterable[Any] = ()) -> None:
        self.extend(values)

    def _name_at(self, position: Any) -> str:
        number, length = index(position), len(self)
        if not -length <= number < length:
            raise IndexOutOfBounds(index=number, length=length, axis=0)
        return str(number % length)

    def __iter__(self) -> Iterator[Any]:
        return (self.__dict__[name] for name in list(self._names))

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            return type(self)(list(self)[position])
        return self.__dict__[self._name_at(position)]

    def __setitem__(self, position: int, value: Any) -> None:
        self._put(self._name_at(position), value)

    def append(self, value: Any) -> Self:
        """Add a value at the end, and return the list itself.

        >>> import strided
        >>> len(strided.nn.ParameterList().append(strided.ones(2)))
        1
        """
        self._put(str(len(self)), value)
        return self

    def extend(self, values: Iterable[Any]) -> Self:
        """Add values at the end, and return the list itself.

        >>> import strided
        >>> len(strided.nn.ParameterList().extend([strided.ones(2), strided.ones(3)]))
        2
        """
        for value in values:
            self.append(value)
        return self


class ParameterDict(_Values):
    """Dictionary of parameters; tensors that are put into it become parameters.

    >>> import strided
    >>> own = strided.nn.ParameterDict({"a": strided.ones(2)})
    >>> own["a"].requires_grad, "b" in own, list(own)
    (True, False, ['a'])
    """

    def __init__(self, parameters: Mapping[str, Any] | Iterable[tuple[str, Any]] = ()) -> None:
        self.update(parameters)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._names))

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        return self.__dict__[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._put(name, value)

    def __delitem__(self, name: str) -> None:
        if name not in self._names:
            raise KeyError(name)
        self._drop(name)

    def keys(self) -> list[str]:
        """Return the names.

        >>> import strided
        >>> strided.nn.ParameterDict({"a": strided.ones(2)}).keys()
        ['a']
        """
        return list(self._names)

    def values(self) -> list[Any]:
        """Return the values.

        >>> import strided
        >>> len(strided.nn.ParameterDict({"a": strided.ones(2)}).values())
        1
        """
        return [self.__dict__[name] for name in self._names]

    def items(self) -> list[tuple[str, Any]]:
        """Return names and values.

        >>> import strided
        >>> [name for name, _ in strided.nn.ParameterDict({"a": strided.ones(2)}).items()]
        ['a']
        """
        return [(name, self.__dict__[name]) for name in self._names]

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a name, or a default.

        >>> import strided
        >>> strided.nn.ParameterDict().get("a", 1)
        1
        """
        return self.__dict__[key] if key in self._names else default

    def pop(self, key: str) -> Any:
        """Remove a name and return its value.

        >>> import strided
        >>> own = strided.nn.ParameterDict({"a": strided.ones(2)})
        >>> own.pop("a").tolist(), len(own)
        ([1.0, 1.0], 0)
        """
        if key not in self._names:
            raise KeyError(key)
        return self._drop(key)

    def update(self, parameters: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Add values, or replace those of the same names.

        >>> import strided
        >>> own = strided.nn.ParameterDict()
        >>> own.update({"a": strided.ones(2)})
        >>> len(own)
        1
        """
        named: Any = parameters.items() if isinstance(parameters, Mapping) else parameters
        for name, value in named:
            self._put(name, value)
