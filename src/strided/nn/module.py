"""Module: base class of layers, with hooks, modes and state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import DType, Tensor
from strided.nn.flat_parameters import clear_gradients
from strided.nn.members import LoadedKeys, Members, convert, load_into
from strided.ops.data_types import check_device

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

    def __init__(self, hooks: dict[int, Hook], hook: Hook, first: bool = False) -> None:
        self._hooks = hooks
        self._key = max(hooks, default=-1) + 1
        later = dict(hooks) if first else {}
        if first:
            hooks.clear()
        hooks[self._key] = hook
        hooks.update(later)

    def remove(self) -> None:
        """Remove the hook; a second call does nothing.

        >>> import strided
        >>> handle = strided.nn.ReLU().register_forward_pre_hook(print)
        >>> handle.remove()
        """
        self._hooks.pop(self._key, None)


class _Settled:
    """A hook with settings: takes arguments by name too, or is called after an error as well."""

    __slots__ = ("always_call", "hook", "with_kwargs")

    def __init__(self, hook: Hook, with_kwargs: bool, always_call: bool = False) -> None:
        self.hook, self.with_kwargs, self.always_call = hook, with_kwargs, always_call

    def __call__(self, *args: Any) -> Any:
        return self.hook(*args)


def _settled(hook: Hook, with_kwargs: bool, always_call: bool = False) -> Hook:
    return _Settled(hook, with_kwargs, always_call) if with_kwargs or always_call else hook


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
    _watching: dict[int, Hook]  # of gradients of arguments and results
    _watching_first: dict[int, Hook]  # of gradients of results

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        self = super().__new__(cls)
        self.__dict__.update(_before={}, _after={}, _watching={}, _watching_first={}, training=True)
        return self

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output; a subclass defines it.

        >>> import strided
        >>> strided.nn.ReLU().forward(strided.tensor([-1.0, 1.0])).tolist()
        [0.0, 1.0]
        """
        raise NotImplementedError(f"{type(self).__name__} has no forward")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not (self._before or self._after or self._watching or self._watching_first):
            return self.forward(*args, **kwargs)
        for hook in list(self._before.values()):
            if isinstance(hook, _Settled) and hook.with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is not None:
                    args, kwargs = changed
                continue
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        try:
            output = self._forward_watched(args, kwargs)
        except Exception:
            for hook in list(self._after.values()):
                if isinstance(hook, _Settled) and hook.always_call:
                    hook(self, args, *([kwargs] if hook.with_kwargs else ()), None)
            raise
        for hook in list(self._after.values()):
            if isinstance(hook, _Settled) and hook.with_kwargs:
                changed = hook(self, args, kwargs, output)
            else:
                changed = hook(self, args, output)
            if changed is not None:
                output = changed
        return output

    def _forward_watched(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not (self._watching or self._watching_first):
            return self.forward(*args, **kwargs)
        from strided.nn.backward_hooks import watched

        hooks, before = list(self._watching.values()), list(self._watching_first.values())
        return watched(self, hooks, before, lambda given: self.forward(*given, **kwargs), args)

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

    def to(self, *args: Any, device: Any = None, dtype: Any = None, **settings: Any) -> Self:
        """Convert parameters and buffers of floats in place, and return the module itself.

        Takes a dtype, a device (``"cpu"``, the only one, changes nothing) or a tensor, whose dtype
        is taken. Other settings of PyTorch (``non_blocking``) have no meaning here.

        >>> import strided
        >>> strided.nn.Linear(2, 3).to(strided.float64).weight.dtype
        strided.float64
        """
        for one in args:
            if isinstance(one, Tensor):
                dtype = one.dtype
            elif isinstance(one, DType) or names_dtype(one):
                dtype = one
            elif not isinstance(one, bool):  # non_blocking
                device = one if one is not None else device
        check_device(device)
        if dtype is not None:
            convert(self, dtype)
        return self

    def cpu(self) -> Self:
        """Return the module itself: it is on the CPU already.

        >>> import strided
        >>> strided.nn.ReLU().cpu()
        ReLU()
        """
        return self

    def type(self, dst_type: Any) -> Self:
        """Convert parameters and buffers of floats to a dtype in place; returns the module itself.

        >>> import strided
        >>> strided.nn.Linear(2, 3).type(strided.float64).weight.dtype
        strided.float64
        """
        return self.to(dtype=dst_type)

    def half(self) -> Self:
        """Convert parameters and buffers to float16 in place, and return the module itself.

        >>> import strided
        >>> strided.nn.Linear(2, 3).half().weight.dtype
        strided.float16
        """
        return self.to(dtype="float16")

    def bfloat16(self) -> Self:
        """Convert parameters and buffers to bfloat16 in place, and return the module itself.

        >>> import strided
        >>> strided.nn.Linear(2, 3).bfloat16().weight.dtype
        strided.bfloat16
        """
        return self.to(dtype="bfloat16")

    def float(self) -> Self:
        """Convert parameters and buffers to float32 in place, and return the module itself.

        >>> import strided
        >>> strided.nn.Linear(2, 3).double().float().weight.dtype
        strided.float32
        """
        return self.to(dtype="float32")

    def double(self) -> Self:
        """Convert parameters and buffers to float64 in place, and return the module itself.

        >>> import strided
        >>> strided.nn.Linear(2, 3).double().weight.dtype
        strided.float64
        """
        return self.to(dtype="float64")

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

    def register_forward_pre_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False
    ) -> HookHandle:
        """Call ``hook(module, args)`` before ``forward``; what it returns replaces the arguments.

        With ``with_kwargs`` it is ``hook(module, args, kwargs)``, and returns both.

        >>> import strided
        >>> layer = strided.nn.ReLU()
        >>> _ = layer.register_forward_pre_hook(lambda module, args: -args[0])
        >>> layer(strided.tensor([-2.0])).tolist()
        [2.0]
        """
        return HookHandle(self._before, _settled(hook, with_kwargs), prepend)

    def register_forward_hook(
        self,
        hook: Hook,
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> HookHandle:
        """Call ``hook(module, args, output)`` after ``forward``; its result replaces the output.

        With ``with_kwargs`` it is ``hook(module, args, kwargs, output)``; with ``always_call`` it
        is called after an error too, with None as output.

        >>> import strided
        >>> layer = strided.nn.ReLU()
        >>> handle = layer.register_forward_hook(lambda module, args, output: print(output.shape))
        >>> _ = layer(strided.zeros(2, 3))
        (2, 3)
        """
        return HookHandle(self._after, _settled(hook, with_kwargs, always_call), prepend)

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> HookHandle:
        """Call ``hook(module, grad_input, grad_output)`` once gradients of the arguments are known.

        Both are tuples; what it returns replaces the first.

        >>> import strided
        >>> layer = strided.nn.ReLU()
        >>> handle = layer.register_full_backward_hook(lambda m, to, come: print(come[0].tolist()))
        >>> layer(strided.ones(2, requires_grad=True)).sum().backward()
        [1.0, 1.0]
        """
        return HookHandle(self._watching, hook, prepend)

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> HookHandle:
        """Call ``hook(module, grad_output)`` once gradients of the results are known.

        What it returns replaces them.

        >>> import strided
        >>> layer = strided.nn.ReLU()
        >>> handle = layer.register_full_backward_pre_hook(lambda module, grads: (grads[0] * 3,))
        >>> x = strided.ones(2, requires_grad=True)
        >>> layer(x).sum().backward()
        >>> x.grad.tolist()
        [3.0, 3.0]
        """
        return HookHandle(self._watching_first, hook, prepend)

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


def names_dtype(value: Any) -> bool:
    """Return whether something names a dtype: a string, or a type of Python or NumPy."""
    if value is None or isinstance(value, bool):
        return False
    try:
        _native.as_dtype(value)
    except (TypeError, ValueError):
        return False
    return True


def _text(value: Any) -> str:
    """Return a setting as repr shows it; of a tensor only whether there is one."""
    return str(value is not None) if value is None or isinstance(value, Tensor) else repr(value)
