"""Neural networks: layers as functions and as modules, losses, initialization.

Functions read and write views with any strides. They compute in float32 (in float64 where an input
has it), copy no operand, and those with ``out=`` write straight into it, rounding once; an ``out``
may share memory with an input.

Where backward itself is recorded (``create_graph=True``, in a rule ``grad_mode()``), gradients are
computed by operations, otherwise by kernels, which are not recorded.
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
    swiglu,
)
from strided.nn.attention import ATTENTION_BLOCK, MultiheadAttention, attention, rope
from strided.nn.batch_norm import BatchNorm1d, BatchNorm2d
from strided.nn.containers import Flatten, Identity, ModuleDict, ModuleList, Sequential, Unflatten
from strided.nn.conv_layers import Conv1d, Conv2d
from strided.nn.cross_entropy import CrossEntropyLoss, NLLLoss
from strided.nn.dropout import Dropout, Dropout2d
from strided.nn.embedding import Embedding
from strided.nn.flat_parameters import (
    FlatParameters,
    clip_grad_norm_,
    clip_grad_value_,
    flat_parameters,
)
from strided.nn.functional import *  # noqa: F403
from strided.nn.interpolate import Upsample
from strided.nn.layer_norm import GroupNorm, LayerNorm, RMSNorm
from strided.nn.linear import FEW_ROWS, MANY_ROWS, Linear, activation_dtype
from strided.nn.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    MSELoss,
    SmoothL1Loss,
)
from strided.nn.members import LoadedKeys, Parameter
from strided.nn.module import HookHandle, Module
from strided.nn.pooling import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d

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
    "attention",
    "clip_grad_norm_",
    "clip_grad_value_",
    "flat_parameters",
    "functional",
    "init",
    "rope",
    "swiglu",
]
__all__ += functional.__all__
