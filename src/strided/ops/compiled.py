"""An elementwise function of several tensors, compiled once and run as one pass each time.

``strided.fuse`` builds its graph at every call; here the graph is kept, because it depends neither
on shapes nor on the numbers (rates, corrections) that change from step to step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from strided import _native
from strided._native import Tensor, zeros
from strided.ops.deferred import _NUMBER, Deferred, _listed, _ordered


class Compiled:
    """A function ``(tensors, numbers) -> values``, which go into ``out``; that may be operands.

    >>> import strided
    >>> from strided.ops.compiled import Compiled
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
