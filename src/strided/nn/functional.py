"""Layers and losses as functions, by the names of ``torch.nn.functional``."""

from strided.nn.activation import (
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
    tanh,
)
from strided.nn.attention import scaled_dot_product_attention
from strided.nn.batch_norm import batch_norm
from strided.nn.conv import conv1d, conv2d, conv_transpose1d, conv_transpose2d
from strided.nn.cross_entropy import cross_entropy, nll_loss
from strided.nn.dropout import dropout, dropout2d
from strided.nn.embedding import embedding, one_hot
from strided.nn.interpolate import interpolate
from strided.nn.layer_norm import cosine_similarity, group_norm, layer_norm, normalize, rms_norm
from strided.nn.linear import linear
from strided.nn.loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    huber_loss,
    kl_div,
    l1_loss,
    mse_loss,
    smooth_l1_loss,
)
from strided.nn.padding import pad
from strided.nn.pooling import adaptive_avg_pool2d, avg_pool1d, avg_pool2d, max_pool1d, max_pool2d

__all__ = [
    "adaptive_avg_pool2d",
    "avg_pool1d",
    "avg_pool2d",
    "batch_norm",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "conv1d",
    "conv2d",
    "conv_transpose1d",
    "conv_transpose2d",
    "cosine_similarity",
    "cross_entropy",
    "dropout",
    "dropout2d",
    "elu",
    "embedding",
    "gelu",
    "group_norm",
    "hardtanh",
    "huber_loss",
    "interpolate",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "linear",
    "log_softmax",
    "max_pool1d",
    "max_pool2d",
    "mse_loss",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "relu",
    "rms_norm",
    "scaled_dot_product_attention",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "softmax",
    "softplus",
    "tanh",
]
