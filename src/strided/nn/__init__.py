"""Neural networks: layers as functions and as modules, losses, initialization.

Functions read and write views with any strides. They compute in float32 (in float64 where an input
has it), copy no operand, and those with ``out=`` write straight into it, rounding once; an ``out``
may share memory with an input.
"""

from strided.nn import functional, init
from strided.nn.activation import (
    ELU,
    GELU,
    LeakyReLU,
    LogSoftmax,
    ReLU,
    Sigmoid,
    SiLU,
    Softmax,
    Softplus,
    Tanh,
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
from strided.nn.attention import (
    ATTENTION_BLOCK,
    MultiheadAttention,
    attention,
    scaled_dot_product_attention,
)
from strided.nn.batch_norm import BatchNorm1d, BatchNorm2d, batch_norm
from strided.nn.clip_grad import clip_grad_norm_, clip_grad_value_
from strided.nn.containers import ModuleDict, ModuleList, Sequential
from strided.nn.conv import Conv1d, Conv2d, conv1d, conv2d, conv_transpose1d, conv_transpose2d
from strided.nn.cross_entropy import CrossEntropyLoss, NLLLoss, cross_entropy, nll_loss
from strided.nn.dropout import Dropout, Dropout2d, dropout, dropout2d
from strided.nn.embedding import Embedding, embedding, one_hot
from strided.nn.flat_parameters import FlatParameters, flat_parameters
from strided.nn.flatten import Flatten, Identity, Unflatten
from strided.nn.interpolate import Upsample, interpolate
from strided.nn.layer_norm import GroupNorm, LayerNorm, RMSNorm, group_norm, layer_norm, rms_norm
from strided.nn.linear import FEW_ROWS, MANY_ROWS, Linear, activation_dtype, linear
from strided.nn.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    MSELoss,
    SmoothL1Loss,
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    huber_loss,
    kl_div,
    l1_loss,
    mse_loss,
    smooth_l1_loss,
)
from strided.nn.module import HookHandle, Module
from strided.nn.pad import pad
from strided.nn.parameter import Parameter
from strided.nn.pooling import (
    AdaptiveAvgPool2d,
    AvgPool2d,
    MaxPool2d,
    adaptive_avg_pool2d,
    avg_pool1d,
    avg_pool2d,
    max_pool1d,
    max_pool2d,
)
from strided.nn.rotary import rope
from strided.nn.similarity import cosine_similarity, normalize
from strided.nn.state import LoadedKeys

__all__ = [
    "ATTENTION_BLOCK",
    "ELU",
    "FEW_ROWS",
    "GELU",
    "MANY_ROWS",
    "AdaptiveAvgPool2d",
    "AvgPool2d",
    "BCELoss",
    "BCEWithLogitsLoss",
    "BatchNorm1d",
    "BatchNorm2d",
    "Conv1d",
    "Conv2d",
    "CrossEntropyLoss",
    "Dropout",
    "Dropout2d",
    "Embedding",
    "FlatParameters",
    "Flatten",
    "GroupNorm",
    "HookHandle",
    "HuberLoss",
    "Identity",
    "KLDivLoss",
    "L1Loss",
    "LayerNorm",
    "LeakyReLU",
    "Linear",
    "LoadedKeys",
    "LogSoftmax",
    "MSELoss",
    "MaxPool2d",
    "Module",
    "ModuleDict",
    "ModuleList",
    "MultiheadAttention",
    "NLLLoss",
    "Parameter",
    "RMSNorm",
    "ReLU",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "SmoothL1Loss",
    "Softmax",
    "Softplus",
    "Tanh",
    "Unflatten",
    "Upsample",
    "activation_dtype",
    "adaptive_avg_pool2d",
    "attention",
    "avg_pool1d",
    "avg_pool2d",
    "batch_norm",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "clip_grad_norm_",
    "clip_grad_value_",
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
    "flat_parameters",
    "functional",
    "gelu",
    "group_norm",
    "hardtanh",
    "huber_loss",
    "init",
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
    "rope",
    "scaled_dot_product_attention",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "softmax",
    "softplus",
    "swiglu",
    "tanh",
]
