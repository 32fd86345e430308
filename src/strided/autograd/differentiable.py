"""Marks functions that have a gradient rule of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def differentiable(function: F) -> F:
    """Record calls with tracked tensors by the rule of the function's name."""
    return function


def differentiable_in_place(function: F) -> F:
    """Record calls that overwrite their first argument, by the rule of the name without ``_``."""
    return function
