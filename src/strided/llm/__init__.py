"""Language models on public names of strided: text in, tokens through the model, text out."""

from __future__ import annotations

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


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
