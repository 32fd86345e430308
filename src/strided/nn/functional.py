"""Layers and losses as functions, by the names of ``torch.nn.functional``."""

import importlib
from typing import TYPE_CHECKING, Any

from strided.nn.activation import log_softmax, softmax
from strided.nn.attention import scaled_dot_product_attention
from strided.nn.batch_norm import batch_norm
from strided.nn.cross_entropy import cross_entropy, nll_loss
from strided.nn.dropout import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from strided.nn.embedding import embedding, one_hot
from strided.nn.interpolate import interpolate
from strided.nn.layer_norm import cosine_similarity, group_norm, layer_norm, normalize, rms_norm
from strided.nn.left_out_of_nn import missing
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
from strided.ops.activations import gelu, sigmoid
from strided.ops.transcendental import tanh

if TYPE_CHECKING:
    from strided.nn.adaptive_pooling import (
        adaptive_avg_pool1d,
        adaptive_avg_pool2d,
        adaptive_avg_pool3d,
        adaptive_max_pool1d,
        adaptive_max_pool2d,
        adaptive_max_pool3d,
    )
    from strided.nn.bags import embedding_bag
    from strided.nn.bilinear_layer import bilinear
    from strided.nn.conv import (
        conv1d,
        conv2d,
        conv3d,
        conv_transpose1d,
        conv_transpose2d,
        conv_transpose3d,
    )
    from strided.nn.ctc import ctc_loss
    from strided.nn.distances import pairwise_distance, pdist
    from strided.nn.folding import fold, unfold
    from strided.nn.gates import (
        celu,
        celu_,
        elu,
        elu_,
        glu,
        gumbel_softmax,
        logsigmoid,
        mish,
        selu,
        selu_,
        silu,
        softmin,
        softplus,
        softsign,
        tanhshrink,
    )
    from strided.nn.likelihood_losses import gaussian_nll_loss, poisson_nll_loss
    from strided.nn.margin_losses import (
        cosine_embedding_loss,
        hinge_embedding_loss,
        margin_ranking_loss,
        multi_margin_loss,
        multilabel_margin_loss,
        multilabel_soft_margin_loss,
        soft_margin_loss,
        triplet_margin_loss,
        triplet_margin_with_distance_loss,
    )
    from strided.nn.padding import pad
    from strided.nn.pixels import channel_shuffle, pixel_shuffle, pixel_unshuffle
    from strided.nn.pooling import (
        avg_pool1d,
        avg_pool2d,
        avg_pool3d,
        max_pool1d,
        max_pool2d,
        max_pool3d,
    )
    from strided.nn.rectifiers import (
        hardshrink,
        hardsigmoid,
        hardswish,
        hardtanh,
        hardtanh_,
        leaky_relu,
        leaky_relu_,
        prelu,
        relu,
        relu6,
        relu_,
        rrelu,
        rrelu_,
        softshrink,
        threshold,
        threshold_,
    )
    from strided.nn.sample_norms import instance_norm, local_response_norm
    from strided.nn.sampling import affine_grid, grid_sample
    from strided.nn.unusual_pooling import (
        fractional_max_pool2d,
        fractional_max_pool3d,
        lp_pool1d,
        lp_pool2d,
        lp_pool3d,
        max_unpool1d,
        max_unpool2d,
        max_unpool3d,
    )

# What most networks do without is loaded when it is first named.
_LATER = {
    **dict.fromkeys(
        ("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
        "conv",
    ),
    **dict.fromkeys(
        ("avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d"),
        "pooling",
    ),
    **dict.fromkeys(("pad",), "padding"),
    **dict.fromkeys(
        (
            "hardshrink",
            "hardsigmoid",
            "hardswish",
            "hardtanh",
            "hardtanh_",
            "leaky_relu",
            "leaky_relu_",
            "prelu",
            "relu",
            "relu6",
            "relu_",
            "rrelu",
            "rrelu_",
            "softshrink",
            "threshold",
            "threshold_",
        ),
        "rectifiers",
    ),
    **dict.fromkeys(
        (
            "celu",
            "celu_",
            "elu",
            "elu_",
            "glu",
            "gumbel_softmax",
            "logsigmoid",
            "mish",
            "selu",
            "selu_",
            "silu",
            "softmin",
            "softplus",
            "softsign",
            "tanhshrink",
        ),
        "gates",
    ),
    **dict.fromkeys(
        (
            "adaptive_avg_pool1d",
            "adaptive_avg_pool2d",
            "adaptive_avg_pool3d",
            "adaptive_max_pool1d",
            "adaptive_max_pool2d",
            "adaptive_max_pool3d",
        ),
        "adaptive_pooling",
    ),
    **dict.fromkeys(("bilinear",), "bilinear_layer"),
    **dict.fromkeys(("ctc_loss",), "ctc"),
    **dict.fromkeys(("pairwise_distance", "pdist"), "distances"),
    **dict.fromkeys(("embedding_bag",), "bags"),
    **dict.fromkeys(("fold", "unfold"), "folding"),
    **dict.fromkeys(("affine_grid", "grid_sample"), "sampling"),
    **dict.fromkeys(("instance_norm", "local_response_norm"), "sample_norms"),
    **dict.fromkeys(("gaussian_nll_loss", "poisson_nll_loss"), "likelihood_losses"),
    **dict.fromkeys(
        (
            "cosine_embedding_loss",
            "hinge_embedding_loss",
            "margin_ranking_loss",
            "multi_margin_loss",
            "multilabel_margin_loss",
            "multilabel_soft_margin_loss",
            "soft_margin_loss",
            "triplet_margin_loss",
            "triplet_margin_with_distance_loss",
        ),
        "margin_losses",
    ),
    **dict.fromkeys(("channel_shuffle", "pixel_shuffle", "pixel_unshuffle"), "pixels"),
    **dict.fromkeys(
        (
            "fractional_max_pool2d",
            "fractional_max_pool3d",
            "lp_pool1d",
            "lp_pool2d",
            "lp_pool3d",
            "max_unpool1d",
            "max_unpool2d",
            "max_unpool3d",
        ),
        "unusual_pooling",
    ),
}

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "affine_grid",
    "alpha_dropout",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm",
    "bilinear",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "celu",
    "celu_",
    "channel_shuffle",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "cosine_embedding_loss",
    "cosine_similarity",
    "cross_entropy",
    "ctc_loss",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "elu",
    "elu_",
    "embedding",
    "embedding_bag",
    "feature_alpha_dropout",
    "fold",
    "fractional_max_pool2d",
    "fractional_max_pool3d",
    "gaussian_nll_loss",
    "gelu",
    "glu",
    "grid_sample",
    "group_norm",
    "gumbel_softmax",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "hardtanh_",
    "hinge_embedding_loss",
    "huber_loss",
    "instance_norm",
    "interpolate",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "leaky_relu_",
    "linear",
    "local_response_norm",
    "log_softmax",
    "logsigmoid",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "margin_ranking_loss",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
    "mish",
    "mse_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "pairwise_distance",
    "pdist",
    "pixel_shuffle",
    "pixel_unshuffle",
    "poisson_nll_loss",
    "prelu",
    "relu",
    "relu6",
    "relu_",
    "rms_norm",
    "rrelu",
    "rrelu_",
    "scaled_dot_product_attention",
    "selu",
    "selu_",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "soft_margin_loss",
    "softmax",
    "softmin",
    "softplus",
    "softshrink",
    "softsign",
    "tanh",
    "tanhshrink",
    "threshold",
    "threshold_",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
    "unfold",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        value = getattr(importlib.import_module(f"strided.nn.{_LATER[name]}"), name)
        globals()[name] = value
        return value
    return missing("nn.functional", name)


def __dir__() -> list[str]:
    return __all__
