"""PyTorch's two kinds of mode, as functions that are called for everything it does.

The classes can only be made when torch is imported, which this library never does by itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

# function, args, kwargs -> result; the second kind is also given its mode, to enter it again
Call = Callable[[Any, Any, Any], Any]
Operation = Callable[[Any, Any, Any, Any], Any]


def make_modes(call: Call, operation: Operation) -> list[Any]:
    """Return a mode that passes on each call of the program, and one for each operation."""
    return [kind(act) for kind, act in zip(_mode_types(), (call, operation), strict=True)]


def close_mode(mode: Any) -> None:
    """Leave a mode, unless the program has entered one on top that it never left."""
    from torch.overrides import _get_current_function_mode
    from torch.utils._python_dispatch import _get_current_dispatch_mode

    if mode in (_get_current_function_mode(), _get_current_dispatch_mode()):
        mode.__exit__(None, None, None)


def composite_key() -> Any:
    """Return the key of kernels that are made of other operations."""
    import torch

    return torch._C.DispatchKey.CompositeImplicitAutograd


@functools.cache
def _mode_types() -> tuple[type[Any], type[Any]]:
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    class FunctionMode(TorchFunctionMode):  # type: ignore[misc]  # Any, without torch
        def __init__(self, call: Call) -> None:
            super().__init__()
            self._call = call

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return self._call(func, args, kwargs or {})

    class DispatchMode(TorchDispatchMode):  # type: ignore[misc]
        def __init__(self, operation: Operation) -> None:
            super().__init__()
            self._operation = operation

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return self._operation(self, func, args, kwargs or {})

    return FunctionMode, DispatchMode
