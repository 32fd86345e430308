"""Language models on the public names of strided: configurations, weights, files of them."""

from __future__ import annotations

from strided.llm.config import Config
from strided.llm.presets import PRESETS
from strided.llm.weights import Layer, Weights, open_weights, random_weights

__all__ = [
    "PRESETS",
    "Config",
    "Layer",
    "Weights",
    "open_weights",
    "random_weights",
]


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
