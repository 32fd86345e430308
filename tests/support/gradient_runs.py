"""Runs the programs of gradient_programs.py on a library and returns what they saw."""

from __future__ import annotations

from typing import Any

import numpy as np

from .gradient_answers import described, scope, tensor_of, weighted
from .torch_answers import errors_of

_VALUES = (0.5, 1.25, 2.0, -0.75, 1.5, -2.5, 0.375, 2.25, -1.75, 1.0625, -0.3125)


def expected_error(program: str) -> str | None:
    """Return the error that strided must raise, None for a program that runs."""
    return program[1:].partition(";")[0].strip() if program.startswith("#") else None


def _told(thing: Any) -> Any:
    if hasattr(thing, "dtype"):
        return described(thing)
    return list(thing) if isinstance(thing, tuple) else thing


def run(lib: Any, program: str) -> dict[str, Any]:
    """Run a program; return what it saw and the gradients of its leaves, or its errors."""
    seen: list[Any] = []
    leaves: list[Any] = []

    def values(shape: tuple[Any, ...], start: int) -> Any:
        shape = () if shape == ((),) else shape
        count = int(np.prod(shape, dtype=np.int64))
        flat = [_VALUES[(start + k) % len(_VALUES)] for k in range(count)]
        return tensor_of(lib, np.array(flat, np.float64).reshape(shape))

    def leaf(*shape: Any) -> Any:
        leaves.append(values(shape, 3 * len(leaves)).requires_grad_())
        return leaves[-1]

    def back(*tensors: Any, **options: Any) -> None:
        seen.extend(_told(x) for x in tensors)
        weighted(lib, list(tensors)).backward(**options)

    def see(*things: Any) -> None:
        seen.extend(_told(thing) for thing in things)

    names = scope(lib) | {"leaf": leaf, "back": back, "see": see, "grad": lib.autograd.grad}
    names["const"] = lambda *shape: values(shape, 5)
    text = program.partition(";")[2].strip() if program.startswith("#") else program
    enabled = lib.is_grad_enabled()
    try:
        exec(text, names)
    except Exception as error:
        return {"error": errors_of(error), "class": type(error).__name__, "text": str(error)}
    finally:
        lib.set_grad_enabled(enabled)
    seen.extend(None if x.grad is None else described(x.grad) for x in leaves)
    return {"seen": seen}
