"""Which arguments of a write take part: what is written to, and what is written."""

from __future__ import annotations

from typing import Any

from strided.ops.rule import Call, Gradient, Gradients


class Written:
    """The target and the source of a write, wherever keywords put them among the arguments."""

    def __init__(self, call: Call, source: Any) -> None:
        places = [i for i, tensor in enumerate(call.tensors) if tensor is source]
        self._count = len(call.tensors)
        # The target stands first. It may be the source too, which then stands last.
        self._place = places[-1] if places else 0
        self.x = call.needs(0)
        self.source = bool(places) and call.needs(self._place)

    def gradients(self, of_x: Gradient, of_source: Gradient) -> Gradients:
        """Return one gradient per tensor argument: positions and masks have none."""
        made: list[Gradient] = [None] * self._count
        made[0] = of_x
        if self._place:
            made[self._place] = of_source
        return made
