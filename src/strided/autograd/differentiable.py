"""Marks functions that have a gradient rule of their own.

A call scans its arguments natively and runs the function as it is unless one of them is tracked.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from strided._native import Differentiable
from strided.autograd.in_place import record_write_call
from strided.autograd.record import record_call

F = TypeVar("F", bound=Callable[..., Any])


def differentiable(function: F) -> F:
    """Record calls with tracked tensors by the rule of the function's name."""
    return _wrapped(function, record_call)


def differentiable_in_place(function: F) -> F:
    """Record calls that overwrite their first argument, by the rule of the name without ``_``."""
    return _wrapped(function, record_write_call)


def _wrapped(function: F, record: Callable[..., Any]) -> F:
    made = Differentiable(function, function.__name__.lstrip("_"), record)
    return cast(F, functools.update_wrapper(made, function))
