"""A part of a network: its parameters, buffers and inner modules, found by assigning them.

An attribute is kept where attributes are always kept; the module only notes which names are
parameters, buffers or modules. So reading one costs what reading any attribute costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.nn.parameter import Parameter
from strided.nn.state import LoadedKeys, load_into

if TYPE_CHECKING:
    from typing_extensions import Self

Hook = Callable[..., Any]


class HookHandle:
    """Takes a hook away again.

    >>> import strided
    >>> layer = strided.nn.ReLU()
    >>> handle = layer.register_forward_hook(lambda module, args, output: output + 1)
    >>> layer(strided.zeros(1)).tolist()
    [1.0]
    >>> handle.remove()
    >>> layer(strided.zeros(1)).tolist()
    [0.0]
    """

    def __init__(self, hooks: dict[int, Hook], hook: Hook) -> None:
        self._hooks = hooks
        self._key = max(hooks, default=-1) + 1
        hooks[self._key] = hook

    def remove(self) -> None:
        """Take the hook away; a second call does nothing.

        >>> import strided
        >>> handle = strided.nn.ReLU().register_forward_pre_hook(print)
        >>> handle.remove()
        """
        self._hooks.pop(self._key, None)


class Module:
    """A part of a network that knows its parameters; a subclass writes ``forward``.

    >>> import strided
    >>> class Scale(strided.nn.Module):
    ...     def __init__(self, size):
    ...         self.gain = strided.nn.Parameter(strided.ones(size))
    ...     def forward(self, x):
    ...         return x * self.gain
    >>> layer = Scale(2)
    >>> layer(strided.tensor([3.0, 4.0])).tolist(), [name for name, _ in layer.named_parameters()]
    ([3.0, 4.0], ['gain'])
    """

    training: bool
    _shown: tuple[str, ...] = ()  # attributes that repr shows
    _kinds: dict[str, str]  # names of parameters, buffers and modules
    _transient: set[str]  # buffers that a state leaves out
    _before: dict[int, Hook]
    _after: dict[int, Hook]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        # Here, so that a subclass may assign parameters without calling __init__ of this class.
        self = super().__new__(cls)
        self.__dict__.update(_kinds={}, _transient=set(), _before={}, _after={}, training=True)
        return self

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the result; a subclass says how.

        >>> import strided
        >>> strided.nn.ReLU().forward(strided.tensor([-1.0, 1.0])).tolist()
        [0.0, 1.0]
        """
        raise NotImplementedError(f"{type(self).__name__} has no forward")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not (self._before or self._after):
            return self.forward(*args, **kwargs)
        for hook in list(self._before.values()):
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        output = self.forward(*args, **kwargs)
        for hook in list(self._after.values()):
            changed = hook(self, args, output)
            if changed is not None:
                output = changed
        return output

    # ---- attributes ----

    def __setattr__(self, name: str, value: Any) -> None:
        known = self._kinds.get(name)
        if isinstance(value, Parameter):
            kind: str | None = "parameter"
        elif isinstance(value, Module):
            kind = "module"
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
        """Add a parameter under a name; None keeps the name for one.

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
        """Add a tensor that is part of the state and not trained; it is kept, not copied.

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
        """Add an inner module under a name.

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

    # ---- what is inside ----

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Yield the modules directly inside, with their names.

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
        """Yield the modules directly inside.

        >>> import strided
        >>> list(strided.nn.Sequential(strided.nn.ReLU()).children())
        [ReLU()]
        """
        return (module for _, module in self.named_children())

    def named_modules(
        self, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """Yield this module and all inside it, with dotted names.

        >>> import strided
        >>> net = strided.nn.Sequential(strided.nn.Sequential(strided.nn.ReLU()))
        >>> [name for name, _ in net.named_modules()]
        ['', '0', '0.0']
        """
        seen: set[int] = set()
        waiting: list[tuple[str, Module]] = [(prefix, self)]
        while waiting:
            name, module = waiting.pop()
            if remove_duplicate and id(module) in seen:
                continue
            seen.add(id(module))
            yield name, module
            inside = [(_joined(name, own), inner) for own, inner in module._own("module")]
            waiting += reversed(inside)

    def modules(self) -> Iterator[Module]:
        """Yield this module and all inside it.

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
        """Return the inner module that a dotted name leads to.

        >>> import strided
        >>> strided.nn.Sequential(strided.nn.ReLU()).get_submodule("0")
        ReLU()
        """
        module = self
        for name in target.split(".") if target else ():
            if module._kinds.get(name) != "module":
                raise AttributeError(f"{type(module).__name__} has no module {name!r}")
            module = module.__dict__[name]
        return module

    # ---- modes ----

    def train(self, mode: bool = True) -> Self:
        """Switch layers that differ in training (dropout, batch norm) and return the module itself.

        >>> import strided
        >>> strided.nn.Dropout(0.5).train(False).training
        False
        """
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Self:
        """Switch to how the module is used after training, and return the module itself.

        >>> import strided
        >>> strided.nn.Dropout(0.5).eval()(strided.ones(2)).tolist()
        [1.0, 1.0]
        """
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Let all parameters take part in gradients or not, and return the module itself.

        >>> import strided
        >>> frozen = strided.nn.Linear(2, 3).requires_grad_(False)
        >>> any(p.requires_grad for p in frozen.parameters())
        False
        """
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget gradients; those of ``flat_parameters`` are set to zero in place.

        >>> import strided
        >>> layer = strided.nn.Linear(2, 1)
        >>> layer(strided.ones(2)).sum().backward()
        >>> layer.zero_grad()
        >>> layer.weight.grad is None
        True
        """
        from strided.nn.flat import forget_gradients

        forget_gradients(self.parameters(), set_to_none)

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call a function with every module inside, then this one; returns the module itself.

        >>> import strided
        >>> _ = strided.nn.Sequential(strided.nn.ReLU()).apply(lambda m: print(type(m).__name__))
        ReLU
        Sequential
        """
        for module in reversed(list(self.modules())):
            fn(module)
        return self

    def to(self, dtype: Any) -> Self:
        """Convert parameters and buffers of floats in place, and return the module itself.

        ``"cpu"``, the only device, changes nothing.

        >>> import strided
        >>> strided.nn.Linear(2, 3).to(strided.float64).weight.dtype
        strided.float64
        """
        from strided.nn.convert import convert

        if dtype != "cpu":
            convert(self, dtype)
        return self

    def float(self) -> Self:
        """Convert parameters and buffers to float32 in place, and return the module itself.

        >>> import strided
        >>> strided.nn.Linear(2, 3).double().float().weight.dtype
        strided.float32
        """
        return self.to("float32")

    def double(self) -> Self:
        """Convert parameters and buffers to float64 in place, and return the module itself.

        >>> import strided
        >>> strided.nn.Linear(2, 3).double().weight.dtype
        strided.float64
        """
        return self.to("float64")

    # ---- state ----

    def state_dict(self, *, prefix: str = "") -> dict[str, Tensor]:
        """Return parameters and buffers by dotted name: detached views, so they follow training.

        >>> import strided
        >>> state = strided.nn.Linear(2, 3).state_dict()
        >>> {name: tuple(tensor.shape) for name, tensor in state.items()}
        {'weight': (3, 2), 'bias': (3,)}
        """
        return {prefix + name: value.detach() for name, value in self._state()}

    def _state(self) -> Iterator[tuple[str, Tensor]]:
        for path, module in self.named_modules(remove_duplicate=False):
            for kind in ("parameter", "buffer"):
                for name, value in module._own(kind):
                    if name not in module._transient:
                        yield _joined(path, name), value

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> LoadedKeys:
        """Copy a state into parameters and buffers in place; nothing is written if it does not fit.

        With ``strict=False`` names that only one side has are passed over and returned.

        >>> import strided
        >>> a, b = strided.nn.Linear(2, 3), strided.nn.Linear(2, 3)
        >>> b.load_state_dict(a.state_dict())
        LoadedKeys(missing_keys=[], unexpected_keys=[])
        >>> strided.array_equal(a.weight, b.weight)
        True
        """
        return load_into(dict(self._state()), state_dict, strict, type(self).__name__)

    # ---- hooks and text ----

    def register_forward_pre_hook(self, hook: Hook) -> HookHandle:
        """Call ``hook(module, args)`` before ``forward``; what it returns replaces the arguments.

        >>> import strided
        >>> layer = strided.nn.ReLU()
        >>> _ = layer.register_forward_pre_hook(lambda module, args: -args[0])
        >>> layer(strided.tensor([-2.0])).tolist()
        [2.0]
        """
        return HookHandle(self._before, hook)

    def register_forward_hook(self, hook: Hook) -> HookHandle:
        """Call ``hook(module, args, output)`` after ``forward``; its result replaces the output.

        >>> import strided
        >>> layer = strided.nn.ReLU()
        >>> handle = layer.register_forward_hook(lambda module, args, output: print(output.shape))
        >>> _ = layer(strided.zeros(2, 3))
        (2, 3)
        """
        return HookHandle(self._after, hook)

    def extra_repr(self) -> str:
        """Return what repr shows between the brackets.

        >>> import strided
        >>> strided.nn.Linear(2, 3).extra_repr()
        'in_features=2, out_features=3, bias=True'
        """
        return ", ".join(f"{name}={_text(getattr(self, name))}" for name in self._shown)

    def __repr__(self) -> str:
        lines = [f"({name}): {module!r}" for name, module in self._own("module")]
        own = self.extra_repr()
        if not lines:
            return f"{type(self).__name__}({own})"
        body = "\n".join([own, *lines] if own else lines).replace("\n", "\n  ")
        return f"{type(self).__name__}(\n  {body}\n)"


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _text(value: Any) -> str:
    """Return a setting as repr shows it; of a tensor only whether there is one."""
    return str(value is not None) if value is None or isinstance(value, Tensor) else repr(value)
