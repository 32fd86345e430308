"""Layers of neural networks that read and write views with any strides.

They compute in float32 (in float64 where an input has it), copy no operand, and those with ``out=``
write straight into it, rounding once. An ``out`` may share memory with an input.
"""

from strided.nn import gradients as _gradients  # noqa: F401
from strided.nn import norm_gradients as _norm_gradients  # noqa: F401
from strided.nn.activations import (
    elu,
    gelu,
    hardtanh,
    leaky_relu,
    log_softmax,
    relu,
    sigmoid,
    silu,
    softmax,
    softplus,
    swiglu,
    tanh,
)
from strided.nn.attention import ATTENTION_BLOCK, attention, scaled_dot_product_attention
from strided.nn.classes import cross_entropy, nll_loss
from strided.nn.conv import conv1d, conv2d, conv_transpose1d, conv_transpose2d
from strided.nn.linear import activation_dtype, embedding, linear
from strided.nn.norms import batch_norm, group_norm, layer_norm, rms_norm
from strided.nn.pooling import (
    adaptive_avg_pool2d,
    avg_pool1d,
    avg_pool2d,
    max_pool1d,
    max_pool2d,
)
from strided.nn.rotary import rope

__all__ = [
    "ATTENTION_BLOCK",
    "activation_dtype",
    "adaptive_avg_pool2d",
    "attention",
    "avg_pool1d",
    "avg_pool2d",
    "batch_norm",
    "conv1d",
    "conv2d",
    "conv_transpose1d",
    "conv_transpose2d",
    "cross_entropy",
    "elu",
    "embedding",
    "gelu",
    "group_norm",
    "hardtanh",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log_softmax",
    "max_pool1d",
    "max_pool2d",
    "nll_loss",
    "relu",
    "rms_norm",
    "rope",
    "scaled_dot_product_attention",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "swiglu",
    "tanh",
]
