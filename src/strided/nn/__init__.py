"""Layers of neural networks that read and write views with any strides.

They compute in float32 (in float64 where an input has it), copy no operand, and write straight into
``out=``, rounding once. An ``out`` may share memory with an input.
"""

from strided.nn.activations import log_softmax, softmax, swiglu
from strided.nn.attention import ATTENTION_BLOCK, attention, scaled_dot_product_attention
from strided.nn.linear import activation_dtype, embedding, linear
from strided.nn.norms import rms_norm
from strided.nn.rotary import rope

__all__ = [
    "ATTENTION_BLOCK",
    "activation_dtype",
    "attention",
    "embedding",
    "linear",
    "log_softmax",
    "rms_norm",
    "rope",
    "scaled_dot_product_attention",
    "softmax",
    "swiglu",
]
