"""How the way back is computed: by kernels, or by operations that are recorded themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided.functions.fuse import fuse


def recording() -> bool:
    """Return whether the way back is recorded (create_graph=True): then kernels will not do."""
    return _native.grad_mode()


def in_one_pass(formula: Callable[..., Any]) -> Callable[..., Any]:
    """Return a formula as one pass over memory, or as it is where it is recorded."""
    return formula if recording() else fuse(formula)
