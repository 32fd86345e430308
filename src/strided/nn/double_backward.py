"""Double backward: gradients by kernels, or by operations that are recorded themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided.ops.fused import fuse


def recording() -> bool:
    """Return whether backward is recorded (create_graph=True), which kernels do not support."""
    return _native.grad_mode()


def in_one_pass(formula: Callable[..., Any]) -> Callable[..., Any]:
    """Return a formula fused into one pass over memory, unfused where backward is recorded."""
    return formula if recording() else fuse(formula)
