"""The functions of networks by the names of ``torch.nn.functional``."""

from strided._native import Tensor
from strided.nn.activations import log_softmax, softmax
from strided.nn.attention import scaled_dot_product_attention
from strided.nn.dropout import dropout, dropout2d
from strided.nn.interpolate import interpolate
from strided.nn.linear import embedding, linear
from strided.nn.losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    huber_loss,
    kl_div,
    l1_loss,
    mse_loss,
    smooth_l1_loss,
)
from strided.nn.norms import rms_norm
from strided.nn.pad import pad
from strided.nn.similarity import cosine_similarity, normalize, one_hot
from strided.ops.with_parameters import elu, gelu, hardtanh, leaky_relu, softplus

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cosine_similarity",
    "dropout",
    "dropout2d",
    "elu",
    "embedding",
    "gelu",
    "hardtanh",
    "huber_loss",
    "interpolate",
    "kl_div",
    "l1_loss",
    "leaky_relu",
    "linear",
    "log_softmax",
    "mse_loss",
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


def relu(input: Tensor) -> Tensor:
    """Return the larger of x and 0. A new tensor.

    >>> import strided
    >>> strided.nn.functional.relu(strided.tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """
    return input.relu()


def sigmoid(input: Tensor) -> Tensor:
    """Return ``1 / (1 + exp(-x))``. A new tensor.

    >>> import strided
    >>> strided.nn.functional.sigmoid(strided.tensor([0.0])).tolist()
    [0.5]
    """
    return input.sigmoid()


def silu(input: Tensor) -> Tensor:
    """Return x times its sigmoid. A new tensor.

    >>> import strided
    >>> strided.nn.functional.silu(strided.tensor([0.0])).tolist()
    [0.0]
    """
    return input.silu()


def tanh(input: Tensor) -> Tensor:
    """Return the hyperbolic tangent. A new tensor.

    >>> import strided
    >>> strided.nn.functional.tanh(strided.tensor([0.0])).tolist()
    [0.0]
    """
    return input.tanh()
