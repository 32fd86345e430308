"""Neural networks: layers as functions and as modules, losses, initialization.

Functions read and write views with any strides. They compute in float32 (in float64 where an input
has it), copy no operand, and those with ``out=`` write straight into it, rounding once; an ``out``
may share memory with an input.

Where backward itself is recorded (``create_graph=True``, in a rule ``grad_mode()``), gradients are
computed by operations, otherwise by kernels, which are not recorded.
"""

import importlib
from typing import TYPE_CHECKING, Any

from strided.nn import functional, init
from strided.nn.activation import GELU, LogSoftmax, Sigmoid, Softmax, Tanh, swiglu
from strided.nn.attention import ATTENTION_BLOCK, attention, rope
from strided.nn.batch_norm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from strided.nn.containers import Flatten, Identity, ModuleDict, ModuleList, Sequential, Unflatten
from strided.nn.cross_entropy import CrossEntropyLoss, NLLLoss
from strided.nn.dropout import (
    AlphaDropout,
    Dropout,
    Dropout1d,
    Dropout2d,
    Dropout3d,
    FeatureAlphaDropout,
)
from strided.nn.embedding import Embedding
from strided.nn.flat_parameters import (
    FlatParameters,
    clip_grad_norm_,
    clip_grad_value_,
    flat_parameters,
)
from strided.nn.interpolate import Upsample, UpsamplingBilinear2d, UpsamplingNearest2d
from strided.nn.layer_norm import GroupNorm, LayerNorm, RMSNorm
from strided.nn.left_out_of_nn import missing
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

if TYPE_CHECKING:
    from strided.nn import utils
    from strided.nn.adaptive_softmax import AdaptiveLogSoftmaxWithLoss, ASMoutput
    from strided.nn.bags import EmbeddingBag
    from strided.nn.bilinear_layer import Bilinear
    from strided.nn.conv_layers import (
        Conv1d,
        Conv2d,
        Conv3d,
        ConvTranspose1d,
        ConvTranspose2d,
        ConvTranspose3d,
    )
    from strided.nn.ctc import CTCLoss
    from strided.nn.distances import CosineSimilarity, PairwiseDistance
    from strided.nn.folding import Fold, Unfold
    from strided.nn.functional import *  # noqa: F403
    from strided.nn.gates import (
        CELU,
        ELU,
        GLU,
        SELU,
        LogSigmoid,
        Mish,
        SiLU,
        Softmax2d,
        Softmin,
        Softplus,
        Softsign,
        Tanhshrink,
    )
    from strided.nn.likelihood_losses import GaussianNLLLoss, PoissonNLLLoss
    from strided.nn.margin_losses import (
        CosineEmbeddingLoss,
        HingeEmbeddingLoss,
        MarginRankingLoss,
        MultiLabelMarginLoss,
        MultiLabelSoftMarginLoss,
        MultiMarginLoss,
        SoftMarginLoss,
        TripletMarginLoss,
        TripletMarginWithDistanceLoss,
    )
    from strided.nn.multihead_attention import MultiheadAttention
    from strided.nn.padding_layers import (
        CircularPad1d,
        CircularPad2d,
        CircularPad3d,
        ConstantPad1d,
        ConstantPad2d,
        ConstantPad3d,
        ReflectionPad1d,
        ReflectionPad2d,
        ReflectionPad3d,
        ReplicationPad1d,
        ReplicationPad2d,
        ReplicationPad3d,
        ZeroPad1d,
        ZeroPad2d,
        ZeroPad3d,
    )
    from strided.nn.parameter_containers import ParameterDict, ParameterList
    from strided.nn.pixels import ChannelShuffle, PixelShuffle, PixelUnshuffle
    from strided.nn.pooling_layers import (
        AdaptiveAvgPool1d,
        AdaptiveAvgPool2d,
        AdaptiveAvgPool3d,
        AdaptiveMaxPool1d,
        AdaptiveMaxPool2d,
        AdaptiveMaxPool3d,
        AvgPool1d,
        AvgPool2d,
        AvgPool3d,
        FractionalMaxPool2d,
        FractionalMaxPool3d,
        LPPool1d,
        LPPool2d,
        LPPool3d,
        MaxPool1d,
        MaxPool2d,
        MaxPool3d,
        MaxUnpool1d,
        MaxUnpool2d,
        MaxUnpool3d,
    )
    from strided.nn.rectifiers import (
        Hardshrink,
        Hardsigmoid,
        Hardswish,
        Hardtanh,
        LeakyReLU,
        PReLU,
        ReLU,
        ReLU6,
        RReLU,
        Softshrink,
        Threshold,
    )
    from strided.nn.recurrent import GRU, LSTM, RNN, RNNBase
    from strided.nn.recurrent_cells import GRUCell, LSTMCell, RNNCell, RNNCellBase
    from strided.nn.sample_norms import (
        InstanceNorm1d,
        InstanceNorm2d,
        InstanceNorm3d,
        LocalResponseNorm,
    )
    from strided.nn.transformer import (
        Transformer,
        TransformerDecoder,
        TransformerDecoderLayer,
        TransformerEncoder,
        TransformerEncoderLayer,
    )

# What most networks do without is loaded when it is first named.
_LATER = {
    **dict.fromkeys(
        ("Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"),
        "conv_layers",
    ),
    **dict.fromkeys(
        (
            "Hardshrink",
            "Hardsigmoid",
            "Hardswish",
            "Hardtanh",
            "LeakyReLU",
            "PReLU",
            "ReLU",
            "ReLU6",
            "RReLU",
            "Softshrink",
            "Threshold",
        ),
        "rectifiers",
    ),
    **dict.fromkeys(
        (
            "CELU",
            "ELU",
            "GLU",
            "SELU",
            "LogSigmoid",
            "Mish",
            "SiLU",
            "Softmax2d",
            "Softmin",
            "Softplus",
            "Softsign",
            "Tanhshrink",
        ),
        "gates",
    ),
    **dict.fromkeys(("ASMoutput", "AdaptiveLogSoftmaxWithLoss"), "adaptive_softmax"),
    **dict.fromkeys(("Bilinear",), "bilinear_layer"),
    **dict.fromkeys(("CTCLoss",), "ctc"),
    **dict.fromkeys(("CosineSimilarity", "PairwiseDistance"), "distances"),
    **dict.fromkeys(("EmbeddingBag",), "bags"),
    **dict.fromkeys(("Fold", "Unfold"), "folding"),
    **dict.fromkeys(
        ("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LocalResponseNorm"), "sample_norms"
    ),
    **dict.fromkeys(("GaussianNLLLoss", "PoissonNLLLoss"), "likelihood_losses"),
    **dict.fromkeys(
        (
            "CosineEmbeddingLoss",
            "HingeEmbeddingLoss",
            "MarginRankingLoss",
            "MultiLabelMarginLoss",
            "MultiLabelSoftMarginLoss",
            "MultiMarginLoss",
            "SoftMarginLoss",
            "TripletMarginLoss",
            "TripletMarginWithDistanceLoss",
        ),
        "margin_losses",
    ),
    **dict.fromkeys(("MultiheadAttention",), "multihead_attention"),
    **dict.fromkeys(
        (
            "CircularPad1d",
            "CircularPad2d",
            "CircularPad3d",
            "ConstantPad1d",
            "ConstantPad2d",
            "ConstantPad3d",
            "ReflectionPad1d",
            "ReflectionPad2d",
            "ReflectionPad3d",
            "ReplicationPad1d",
            "ReplicationPad2d",
            "ReplicationPad3d",
            "ZeroPad1d",
            "ZeroPad2d",
            "ZeroPad3d",
        ),
        "padding_layers",
    ),
    **dict.fromkeys(("ParameterDict", "ParameterList"), "parameter_containers"),
    **dict.fromkeys(("ChannelShuffle", "PixelShuffle", "PixelUnshuffle"), "pixels"),
    **dict.fromkeys(
        (
            "AdaptiveAvgPool1d",
            "AdaptiveAvgPool2d",
            "AdaptiveAvgPool3d",
            "AdaptiveMaxPool1d",
            "AdaptiveMaxPool2d",
            "AdaptiveMaxPool3d",
            "AvgPool1d",
            "AvgPool2d",
            "AvgPool3d",
            "FractionalMaxPool2d",
            "FractionalMaxPool3d",
            "LPPool1d",
            "LPPool2d",
            "LPPool3d",
            "MaxPool1d",
            "MaxPool2d",
            "MaxPool3d",
            "MaxUnpool1d",
            "MaxUnpool2d",
            "MaxUnpool3d",
        ),
        "pooling_layers",
    ),
    **dict.fromkeys(("GRU", "LSTM", "RNN", "RNNBase"), "recurrent"),
    **dict.fromkeys(("GRUCell", "LSTMCell", "RNNCell", "RNNCellBase"), "recurrent_cells"),
    **dict.fromkeys(
        (
            "Transformer",
            "TransformerDecoder",
            "TransformerDecoderLayer",
            "TransformerEncoder",
            "TransformerEncoderLayer",
        ),
        "transformer",
    ),
}
globals().update(
    {name: vars(functional)[name] for name in functional.__all__ if name in vars(functional)}
)

__all__ = [
    "ATTENTION_BLOCK",
    "CELU",
    "ELU",
    "FEW_ROWS",
    "GELU",
    "GLU",
    "GRU",
    "LSTM",
    "MANY_ROWS",
    "RNN",
    "SELU",
    "ASMoutput",
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveLogSoftmaxWithLoss",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "AlphaDropout",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "BCELoss",
    "BCEWithLogitsLoss",
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "Bilinear",
    "CTCLoss",
    "ChannelShuffle",
    "CircularPad1d",
    "CircularPad2d",
    "CircularPad3d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "CosineEmbeddingLoss",
    "CosineSimilarity",
    "CrossEntropyLoss",
    "Dropout",
    "Dropout1d",
    "Dropout2d",
    "Dropout3d",
    "Embedding",
    "EmbeddingBag",
    "FeatureAlphaDropout",
    "FlatParameters",
    "Flatten",
    "Fold",
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
    "GRUCell",
    "GaussianNLLLoss",
    "GroupNorm",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "HingeEmbeddingLoss",
    "HookHandle",
    "HuberLoss",
    "Identity",
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "KLDivLoss",
    "L1Loss",
    "LPPool1d",
    "LPPool2d",
    "LPPool3d",
    "LSTMCell",
    "LayerNorm",
    "LeakyReLU",
    "Linear",
    "LoadedKeys",
    "LocalResponseNorm",
    "LogSigmoid",
    "LogSoftmax",
    "MSELoss",
    "MarginRankingLoss",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
    "Mish",
    "Module",
    "ModuleDict",
    "ModuleList",
    "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "MultiheadAttention",
    "NLLLoss",
    "PReLU",
    "PairwiseDistance",
    "Parameter",
    "ParameterDict",
    "ParameterList",
    "PixelShuffle",
    "PixelUnshuffle",
    "PoissonNLLLoss",
    "RMSNorm",
    "RNNBase",
    "RNNCell",
    "RNNCellBase",
    "RReLU",
    "ReLU",
    "ReLU6",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softshrink",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
    "Unflatten",
    "Unfold",
    "Upsample",
    "UpsamplingBilinear2d",
    "UpsamplingNearest2d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
    "activation_dtype",
    "attention",
    "clip_grad_norm_",
    "clip_grad_value_",
    "flat_parameters",
    "functional",
    "init",
    "rope",
    "swiglu",
    "utils",
]
__all__ += functional.__all__


def __getattr__(name: str) -> Any:
    if name == "utils":
        return importlib.import_module("strided.nn.utils")
    if name in _LATER:
        value = getattr(importlib.import_module(f"strided.nn.{_LATER[name]}"), name)
    elif name in functional.__all__:
        value = getattr(functional, name)
    else:
        return missing("nn", name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
