"""By which angles positions are turned: rotary embeddings and the ways to stretch them.

Su et al., RoFormer (2021). Llama 3 stretches slow turns only (its published configuration:
factor, low and high frequency factors, original length); "linear" stretches all of them.
"""

from __future__ import annotations

import math
from typing import Any

import strided
from strided import Tensor
from strided.llm.config import Config


class Rotation:
    """The angles of one model, by position; ``factors`` divide how fast each pair turns."""

    def __init__(self, config: Config, factors: Tensor | None = None) -> None:
        half = config.head_dim // 2
        turns = [config.rope_theta ** (-i / half) for i in range(half)]
        stretched = [_stretched(turn, config.rope_scaling or {}) for turn in turns]
        self._turns = strided.tensor(stretched, dtype=strided.float32)
        if factors is not None:
            self._turns /= factors

    def at(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Return cosines and sines, (tokens, head_dim / 2) each."""
        angles = positions.unsqueeze(1) * self._turns
        return angles.cos(), angles.sin()


def _stretched(turn: float, scaling: dict[str, Any]) -> float:
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind == "default":
        return turn
    factor = float(scaling["factor"])
    if kind == "linear":
        return turn / factor
    if kind == "llama3":
        length = float(scaling["original_max_position_embeddings"])
        low, high = float(scaling["low_freq_factor"]), float(scaling["high_freq_factor"])
        turned = length * turn / (2 * math.pi)  # how often it turns in the original length
        if turned > high:
            return turn
        if turned < low:
            return turn / factor
        smooth = (turned - low) / (high - low)
        return (1 - smooth) * turn / factor + smooth * turn
    raise strided.UnsupportedOperation(
        operation=f"rope_scaling {kind!r}",
        reason="this way of stretching positions is not known",
        hint="use a model with default, linear or llama3 scaling",
    )
