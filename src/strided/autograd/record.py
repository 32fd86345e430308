"""Marks functions that have a gradient rule of their own.

A call scans its arguments natively and runs the function as it is unless one of them is tracked;
then the result joins the graph by the rule of the function's name (``bindings/recording.cpp``).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from strided._native import Differentiable

F = TypeVar("F", bound=Callable[..., Any])


def differentiable(function: F) -> F:
    """Record calls with tracked tensors by the rule of the function's name."""
    return _wrapped(function, False)


def differentiable_in_place(function: F) -> F:
    """Record calls that overwrite their first argument, by the rule of the name without ``_``."""
    return _wrapped(function, True)


def _wrapped(function: F, in_place: bool) -> F:
    name = function.__name__.lstrip("_")
    made = Differentiable(function, name.removesuffix("_") if in_place else name, in_place)
    return cast(F, functools.update_wrapper(made, function))
