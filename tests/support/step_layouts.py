"""The layouts of parameters, gradients and states that a step of an optimiser is tested over."""

from __future__ import annotations

from collections.abc import Callable

import strided

# How each lies in memory of twice the size, as (6, 40).
LAYOUTS: dict[str, Callable[[strided.Tensor], strided.Tensor]] = {
    "packed": lambda x: x[:240].view(6, 40),
    "transposed": lambda x: x[:240].view(40, 6).t(),
    "stepped": lambda x: x.view(6, 80)[:, ::2],
    "backwards": lambda x: x[:240].view(6, 40).flip(1),
    "rows apart": lambda x: x.view(6, 80)[:, 7:47],
}
