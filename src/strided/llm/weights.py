"""Where weights come from: a directory of Hugging Face, a .safetensors file, a .gguf file."""

from __future__ import annotations

import os

import strided
from strided.llm.names_gguf import gguf_weights
from strided.llm.names_hugging_face import PICKLES, hugging_face_weights, refuse_pickle
from strided.llm.random_weights import random_weights
from strided.llm.weight_parts import Layer, Weights

__all__ = ["Layer", "Weights", "open_weights", "random_weights"]


def open_weights(path: str | os.PathLike[str]) -> Weights:
    """Return the weights of a model in files. Views of the files: nothing is read until used.

    A directory with config.json and model.safetensors (or its index and shards), one .safetensors
    file with a config.json beside it, or a .gguf file. Every shape is compared with the
    configuration.

    >>> import strided, strided.llm
    >>> try:
    ...     strided.llm.open_weights("pytorch_model.bin")
    ... except strided.FileUnusable as error:
    ...     error.reason[:19]
    'pickled checkpoints'
    """
    name = os.fsdecode(path)
    ending = os.path.splitext(name)[1].lower()
    if ending in PICKLES:
        refuse_pickle(name)
    if os.path.isdir(name) or ending == ".safetensors":
        return hugging_face_weights(name)
    if ending == ".gguf":
        return gguf_weights(name)
    if not os.path.exists(name):
        raise strided.FileUnusable(path=name, reason="there is no such file or directory")
    raise strided.InvalidArgument(
        argument="path",
        got=name,
        requirement="must be a directory with config.json, or a .safetensors or .gguf file",
    )
