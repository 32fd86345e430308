"""Fused functions: several elementwise operations as one pass over memory."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from strided._native import Tensor, any_tracked, refuse_out
from strided.ops.deferred import Deferred, evaluate


def fuse(function: Callable[..., Any], /) -> Callable[..., Any]:
    """Make a function of tensors run in one pass over memory. Its results are new tensors.

    The function may use elementwise operators, methods and functions, ``where``, ``clip``, views of
    its arguments, and reductions: at its end over any axes, inside over the last axes with
    ``keepdim=True``. It is called anew each time, with values that know their shape and dtype but
    are not computed yet, so it may branch on shapes and not on elements. What would be temporaries
    stays in the cache, block by block. Elementwise results are those of the plain function, bit for
    bit. The fused function also takes ``out=``, a tensor or a tuple of them. Arguments that require
    a gradient are computed with by the plain function, so that gradients pass.

    >>> import strided
    >>> @strided.fuse
    ... def normalise(x):
    ...     return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)
    >>> normalise(strided.tensor([[1.0, 2.0, 3.0], [5.0, 5.0, 8.0]])).tolist()[0]
    [-1.0, 0.0, 1.0]
    >>> strided.fuse(lambda x, y: (x * y).sum())(strided.arange(4), 2).item()
    12
    """

    @functools.wraps(function)
    def fused(*args: Any, out: Tensor | tuple[Tensor, ...] | None = None, **kwargs: Any) -> Any:
        if any_tracked((*args, *kwargs.values())):
            # Gradients pass the operations one by one.
            if out is not None:
                refuse_out("a fused function")
            return function(*args, **kwargs)
        given = [_deferred(arg) for arg in args]
        named = {name: _deferred(arg) for name, arg in kwargs.items()}
        made = function(*given, **named)
        targets = () if out is None else out if isinstance(out, tuple) else (out,)
        return _computed(made, targets)

    return fused


def _deferred(value: Any) -> Any:
    return Deferred.of(value) if isinstance(value, Tensor) else value


def _computed(made: Any, out: tuple[Tensor, ...]) -> Any:
    if isinstance(made, Deferred):
        return evaluate([made], out)[0]
    if isinstance(made, dict):
        return dict(zip(made, _computed(tuple(made.values()), out), strict=True))
    if not isinstance(made, (tuple, list)):
        return made
    values = [value for value in made if isinstance(value, Deferred)]
    results = iter(evaluate(values, out) if values else [])
    return type(made)([next(results) if isinstance(value, Deferred) else value for value in made])
