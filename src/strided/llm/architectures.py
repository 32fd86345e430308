"""Which families of models there are, and in what their files differ from what they say."""

from __future__ import annotations

from typing import NamedTuple

import strided


class Architecture(NamedTuple):
    """What the name of a family settles.

    ``q_k_norm``: heads of q and k are normalised before they are rotated. ``bias``: which of
    q, k, v and o have biases: "none"; "all" if the configuration says so; "q k v", though it says
    nothing. ``gguf_interleaved``: converters to .gguf permute the rows of q and k, so that rotated
    pairs lie side by side.
    """

    q_k_norm: bool = False
    bias: str = "none"
    gguf_interleaved: bool = False


ARCHITECTURES = {
    "llama": Architecture(bias="all", gguf_interleaved=True),
    "mistral": Architecture(gguf_interleaved=True),
    "phi3": Architecture(),
    "qwen2": Architecture(bias="q k v"),
    "qwen3": Architecture(q_k_norm=True, bias="all"),
}


def architecture_of(name: str) -> Architecture:
    """Return what a family is like, or refuse one that is not known.

    >>> architecture_of("qwen3").q_k_norm
    True
    """
    if name not in ARCHITECTURES:
        raise strided.UnsupportedOperation(
            operation=f"running the architecture {name[:60]!r}",
            reason=f"the known ones are {', '.join(ARCHITECTURES)}",
            hint="take a model of one of them",
        )
    return ARCHITECTURES[name]
