"""What is called before and after a module, and how it is taken away again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
