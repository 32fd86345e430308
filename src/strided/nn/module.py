"""Module: base class of layers, with hooks, modes and state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from strided._native import Tensor
from strided.nn.flat_parameters import clear_gradients
from strided.nn.members import LoadedKeys, Members, convert, load_into

if TYPE_CHECKING:
    from typing_extensions import Self


Hook = Callable[..., Any]


class HookHandle:
    """Handle that removes a hook.

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
        """Remove the hook; a second call does nothing.

        >>> import strided
        >>> handle = strided.nn.ReLU().register_forward_pre_hook(print)
        >>> handle.remove()
        """
        self._hooks.pop(self._key, None)


class Module(Members):
    """Base class of layers and networks; a subclass defines ``forward``.

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
    _shown: tuple[str, ...] = ()  # attributes in repr
    _before: dict[int, Hook]
    _after: dict[int, Hook]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        self = super().__new__(cls)
        self.__dict__.update(_before={}, _after={}, training=True)
        return self

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output; a subclass defines it.

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

    # ---- modes ----

    def train(self, mode: bool = True) -> Self:
        """Set training mode (of dropout, batch norm) and return the module itself.

        >>> import strided
        >>> strided.nn.Dropout(0.5).train(False).training
        False
        """
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Self:
        """Set evaluation mode and return the module itself.

        >>> import strided
        >>> strided.nn.Dropout(0.5).eval()(strided.ones(2)).tolist()
        [1.0, 1.0]
        """
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set whether parameters require gradients, and return the module itself.

        >>> import strided
        >>> frozen = strided.nn.Linear(2, 3).requires_grad_(False)
        >>> any(p.requires_grad for p in frozen.parameters())
        False
        """
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Remove gradients, or set them to zero in place.

        >>> import strided
        >>> layer = strided.nn.Linear(2, 1)
        >>> layer(strided.ones(2)).sum().backward()
        >>> layer.zero_grad()
        >>> layer.weight.grad is None
        True
        """
        clear_gradients(self.parameters(), set_to_none)

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call a function with every submodule, then this module; returns the module itself.

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


def _text(value: Any) -> str:
    """Return a setting as repr shows it; of a tensor only whether there is one."""
    return str(value is not None) if value is None or isinstance(value, Tensor) else repr(value)
