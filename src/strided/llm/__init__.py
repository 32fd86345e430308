"""Language models on public names of strided: text in, tokens through the model, text out."""

from __future__ import annotations

from strided.llm.chat_template import chat_prompt
from strided.llm.options import Options
from strided.llm.sample import Sampler
from strided.llm.text_stream import TextStream
from strided.llm.tokenizer import Tokenizer
from strided.llm.vocabulary import TokenizerWarning

__all__ = [
    "Options",
    "Sampler",
    "TextStream",
    "Tokenizer",
    "TokenizerWarning",
    "chat_prompt",
]


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
