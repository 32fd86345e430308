"""Members of a module: parameters, buffers and submodules, registered by assignment; its state.

An attribute is a plain attribute; the module only records which names are parameters, buffers or
modules. So reading one costs what reading any attribute costs. A state is compared before its first
element is copied: one that does not fit changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from strided import _native
from strided._native import DType, Tensor
from strided.autograd import no_grad
from strided.errors import DTypeMismatch, InvalidArgument, StateMismatch
from strided.interop.pickling import deep_copied
from strided.ops.arrays import asarray

if TYPE_CHECKING:
    from typing_extensions import Self

    from strided.nn.module import Module


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


class Members:
    """Base of Module: registers parameters, buffers and submodules."""

    _kinds: dict[str, str]  # names of parameters, buffers and modules
    _transient: set[str]  # buffers that a state leaves out

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        # Here, so that a subclass may assign parameters without calling __init__ of this class.
        self = super().__new__(cls)
        self.__dict__.update(_kinds={}, _transient=set())
        return self

    # ---- attributes ----

    def __setattr__(self, name: str, value: Any) -> None:
        known = self._kinds.get(name)
        if isinstance(value, Parameter):
            kind: str | None = "parameter"
        elif isinstance(value, Members):
            kind = "module"
            if any(inner is self for inner in value.modules()):
                raise InvalidArgument(
                    argument=name,
                    got="a module that holds this one",
                    requirement="must not hold this module itself: a traversal would not end",
                )
        else:
            kind = known
            if known is not None and value is not None:
                self._expect(name, known, value)
        if kind != known and kind is not None:
            self._kinds[name] = kind
            self._transient.discard(name)
        object.__setattr__(self, name, value)

    def _expect(self, name: str, kind: str, value: Any) -> None:
        if not (kind == "buffer" and isinstance(value, Tensor)):
            raise TypeError(
                f"{type(value).__name__} cannot be assigned to {name!r}\n"
                f"  {name!r} is a {kind} of {type(self).__name__}\n"
                "  assign one of its kind or None, or delete the attribute first"
            )

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)
        self._kinds.pop(name, None)
        self._transient.discard(name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register a parameter; None reserves the name for one.

        >>> import strided
        >>> module = strided.nn.Module()
        >>> module.register_parameter("bias", None)
        >>> module.bias = strided.nn.Parameter(strided.zeros(1))
        >>> len(list(module.parameters()))
        1
        """
        self._name_new(name, "parameter")
        setattr(self, name, param)

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register a tensor that is part of the state and not trained; it is kept, not copied.

        >>> import strided
        >>> module = strided.nn.Module()
        >>> module.register_buffer("mean", strided.zeros(2))
        >>> list(module.state_dict()), list(module.parameters())
        (['mean'], [])
        """
        self._name_new(name, "buffer")
        if not persistent:
            self._transient.add(name)
        setattr(self, name, tensor)

    def register_module(self, name: str, module: Module | None) -> None:
        """Register a submodule.

        >>> import strided
        >>> outer = strided.nn.Module()
        >>> outer.register_module("act", strided.nn.ReLU())
        >>> [name for name, _ in outer.named_children()]
        ['act']
        """
        self._name_new(name, "module")
        setattr(self, name, module)

    add_module = register_module

    def _name_new(self, name: str, kind: str) -> None:
        if not name or "." in name or (name not in self._kinds and hasattr(self, name)):
            raise InvalidArgument(
                argument="name",
                got=repr(name),
                requirement="must not be empty, hold a dot, or name another attribute",
            )
        self._kinds[name] = kind

    def _own(self, kind: str) -> Iterator[tuple[str, Any]]:
        """Yield members of one kind that are not None."""
        for name, known in list(self._kinds.items()):
            if known == kind and self.__dict__.get(name) is not None:
                yield name, self.__dict__[name]

    # ---- traversal ----

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Yield direct submodules with their names.

        >>> import strided
        >>> net = strided.nn.Sequential(strided.nn.ReLU(), strided.nn.Tanh())
        >>> list(net.named_children())
        [('0', ReLU()), ('1', Tanh())]
        """
        seen: set[int] = set()
        for name, module in self._own("module"):
            if id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def children(self) -> Iterator[Module]:
        """Yield direct submodules.

        >>> import strided
        >>> list(strided.nn.Sequential(strided.nn.ReLU()).children())
        [ReLU()]
        """
        return (module for _, module in self.named_children())

    def named_modules(
        self, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """Yield this module and all submodules with dotted names.

        >>> import strided
        >>> net = strided.nn.Sequential(strided.nn.Sequential(strided.nn.ReLU()))
        >>> [name for name, _ in net.named_modules()]
        ['', '0', '0.0']
        """
        seen: set[int] = set()
        waiting: list[tuple[str, Any]] = [(prefix, self)]
        while waiting:
            name, module = waiting.pop()
            if remove_duplicate and id(module) in seen:
                continue
            seen.add(id(module))
            yield name, module
            inside = [(_joined(name, own), inner) for own, inner in module._own("module")]
            waiting += reversed(inside)

    def modules(self) -> Iterator[Module]:
        """Yield this module and all submodules.

        >>> import strided
        >>> len(list(strided.nn.Sequential(strided.nn.ReLU()).modules()))
        2
        """
        return (module for _, module in self.named_modules())

    def _named(
        self, kind: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        every = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
        for path, module in every:
            for name, value in module._own(kind):
                if remove_duplicate and id(value) in seen:
                    continue
                seen.add(id(value))
                yield _joined(path, name), value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Yield parameters with dotted names, each once; they are themselves, not copies.

        >>> import strided
        >>> [name for name, _ in strided.nn.Linear(2, 3).named_parameters()]
        ['weight', 'bias']
        """
        return self._named("parameter", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Yield parameters, each once; they are themselves, not copies.

        >>> import strided
        >>> [tuple(p.shape) for p in strided.nn.Linear(2, 3).parameters()]
        [(3, 2), (3,)]
        """
        return (value for _, value in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield buffers with dotted names, each once; they are themselves, not copies.

        >>> import strided
        >>> [name for name, _ in strided.nn.BatchNorm1d(2).named_buffers()]
        ['running_mean', 'running_var', 'num_batches_tracked']
        """
        return self._named("buffer", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield buffers, each once; they are themselves, not copies.

        >>> import strided
        >>> len(list(strided.nn.BatchNorm1d(2).buffers()))
        3
        """
        return (value for _, value in self.named_buffers(recurse=recurse))

    def get_submodule(self, target: str) -> Module:
        """Return the submodule of a dotted name.

        >>> import strided
        >>> strided.nn.Sequential(strided.nn.ReLU()).get_submodule("0")
        ReLU()
        """
        found: Any = self
        for name in target.split(".") if target else ():
            if found._kinds.get(name) != "module":
                raise AttributeError(f"{type(found).__name__} has no module {name!r}")
            found = found.__dict__[name]
        module: Module = found
        return module

    def get_parameter(self, target: str) -> Parameter:
        """Return the parameter of a dotted name: itself, not a copy.

        >>> import strided
        >>> strided.nn.Sequential(strided.nn.Linear(2, 3)).get_parameter("0.bias").shape
        (3,)
        """
        made: Parameter = self._member("parameter", target)
        return made

    def get_buffer(self, target: str) -> Tensor:
        """Return the buffer of a dotted name: itself, not a copy.

        >>> import strided
        >>> strided.nn.BatchNorm1d(2).get_buffer("running_mean").tolist()
        [0.0, 0.0]
        """
        made: Tensor = self._member("buffer", target)
        return made

    def _member(self, kind: str, target: str) -> Any:
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if owner._kinds.get(name) != kind:
            raise AttributeError(f"{type(owner).__name__} has no {kind} {name!r}")
        return owner.__dict__[name]

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module in the place of the submodule of a dotted name.

        With ``strict`` there must be one already.

        >>> import strided
        >>> net = strided.nn.Sequential(strided.nn.ReLU())
        >>> net.set_submodule("0", strided.nn.Tanh())
        >>> net[0]
        Tanh()
        """
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if not name or (strict and owner._kinds.get(name) != "module"):
            raise AttributeError(f"{type(owner).__name__} has no module {name!r}")
        setattr(owner, name, module)

    def _state(self) -> Iterator[tuple[str, Tensor]]:
        for path, module in self.named_modules(remove_duplicate=False):
            for kind in ("parameter", "buffer"):
                for name, value in module._own(kind):
                    if name not in module._transient:
                        yield _joined(path, name), value


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


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
