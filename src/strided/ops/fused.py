"""Fused functions: several elementwise operations as one pass over memory.

``fuse`` builds its graph at every call. ``Compiled`` keeps it, because it depends neither on shapes
nor on the numbers (rates, corrections) that change from step to step. ``in_one_pass`` decides by
the number of elements.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from strided import _native
from strided._native import Tensor, any_tracked, grad_mode, refuse_out, zeros
from strided.ops.deferred import _NUMBER, Deferred, _listed, _ordered, evaluate


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


# ---- where a library function may run in one pass ----
# Elements from which a kernel lets other threads run, and one pass over memory repays its
# preparation.
MANY = _native.WORTHWHILE


def in_one_pass(function: Callable[..., Any], *tensors: Tensor) -> Any:
    """Return an elementwise function of tensors, without temporaries where that pays."""
    few = max(one.size for one in tensors) < MANY
    if few or grad_mode() or any(one.dtype.is_complex for one in tensors):
        return function(*tensors)
    return evaluate([function(*map(Deferred.of, tensors))])[0]


# ---- compiled once ----


class Compiled:
    """A function ``(tensors, numbers) -> values``, which go into ``out``; that may be operands.

    >>> import strided
    >>> from strided.ops.fused import Compiled
    >>> step = Compiled(lambda t, n: (t[0] - n[0] * t[1],), 2, 1)
    >>> p, g = strided.ones(2), strided.ones(2)
    >>> step((p, g), (0.25,), (p,))
    >>> p.tolist()
    [0.75, 0.75]
    """

    def __init__(
        self,
        function: Callable[[Sequence[Any], Sequence[Any]], Sequence[Any]],
        tensors: int,
        numbers: int,
    ) -> None:
        given = [Deferred.of(zeros(1)) for _ in range(tensors)]
        wanted = [Deferred.of(0.0) for _ in range(numbers)]
        made = function(given, wanted)
        # All operands stand first, in the order in which calls pass them.
        ordered = _ordered([*given, *wanted, *made])
        self._nodes, _, self._wanted = _listed(made, ordered)
        self._numbers = range(tensors, tensors + numbers)

    def __call__(
        self, tensors: Sequence[Tensor], numbers: Sequence[float], out: Sequence[Tensor]
    ) -> None:
        nodes = self._nodes
        for place, number in zip(self._numbers, numbers, strict=True):
            nodes[place] = (_NUMBER, float(number))
        _native.run_fused(nodes, tensors, self._wanted, out[0].shape, out)
