"""Language models on public names of strided: text in, tokens through the model, text out."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from strided.llm.chat_template import chat_prompt
    from strided.llm.config import PRESETS, Config
    from strided.llm.engine import Engine, Stats
    from strided.llm.job import Job, Piece, TextStream
    from strided.llm.kv_cache import Cache, Past, Step
    from strided.llm.model import Model, load
    from strided.llm.sample import Options, Sampler
    from strided.llm.tokenizer import Tokenizer
    from strided.llm.vocabulary import TokenizerWarning
    from strided.llm.weight_files import open_weights
    from strided.llm.weights import Layer, Weights, random_weights

# Name: the module it is loaded from when it is first used. Fetching a model needs no engine.
_HOMES = {
    "chat_prompt": "chat_template",
    **dict.fromkeys(("PRESETS", "Config"), "config"),
    **dict.fromkeys(("Engine", "Stats"), "engine"),
    **dict.fromkeys(("Job", "Piece", "TextStream"), "job"),
    **dict.fromkeys(("Cache", "Past", "Step"), "kv_cache"),
    **dict.fromkeys(("Model", "load"), "model"),
    **dict.fromkeys(("Options", "Sampler"), "sample"),
    "Tokenizer": "tokenizer",
    "TokenizerWarning": "vocabulary",
    "open_weights": "weight_files",
    **dict.fromkeys(("Layer", "Weights", "random_weights"), "weights"),
}
__all__ = [
    "PRESETS",
    "Cache",
    "Config",
    "Engine",
    "Job",
    "Layer",
    "Model",
    "Options",
    "Past",
    "Piece",
    "Sampler",
    "Stats",
    "Step",
    "TextStream",
    "Tokenizer",
    "TokenizerWarning",
    "Weights",
    "chat_prompt",
    "load",
    "open_weights",
    "random_weights",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'strided.llm' has no attribute {name!r}")
    home = importlib.import_module(f"strided.llm.{_HOMES[name]}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
