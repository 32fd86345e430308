"""Which weights a model has, and in which shape: by its configuration alone."""

from __future__ import annotations

from strided.llm.architectures import architecture_of
from strided.llm.config import Config

Shapes = dict[str, tuple[int, ...]]


def model_shapes(config: Config) -> Shapes:
    """Return the shapes of what is outside the layers; tied embeddings have no head of their own.

    >>> model_shapes(Config.preset("qwen3-0.6b"))
    {'embed': (151936, 1024), 'norm': (1024,)}
    """
    shapes: Shapes = {"embed": (config.vocab, config.hidden), "norm": (config.hidden,)}
    if not config.tied_embeddings:
        shapes["head"] = (config.vocab, config.hidden)
    return shapes


def layer_shapes(config: Config) -> Shapes:
    """Return the shapes of one layer's weights. Matrices are (outputs, inputs).

    >>> layer_shapes(Config.preset("qwen3-0.6b"))["k"]
    (1024, 1024)
    """
    hidden, inner, d = config.hidden, config.intermediate, config.head_dim
    queries, keys = config.heads * d, config.kv_heads * d
    shapes: Shapes = {
        "attn_norm": (hidden,),
        "q": (queries, hidden),
        "k": (keys, hidden),
        "v": (keys, hidden),
        "o": (hidden, queries),
        "mlp_norm": (hidden,),
        "gate": (inner, hidden),
        "up": (inner, hidden),
        "down": (hidden, inner),
    }
    if config.attention_bias:
        shapes.update(q_bias=(queries,), k_bias=(keys,), v_bias=(keys,))
        if architecture_of(config.architecture).bias == "all":
            shapes["o_bias"] = (hidden,)
    if config.q_k_norm:
        shapes.update(q_norm=(d,), k_norm=(d,))
    return shapes
