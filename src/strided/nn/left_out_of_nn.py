"""Names of PyTorch's modules for networks that are left out on purpose, and what to do instead."""

from __future__ import annotations

from typing import NoReturn

_QUANTISED = "quantised layers are made of strided.quantize and nn.linear"
_DISTRIBUTED = "there is one process and one device: use BatchNorm1d, BatchNorm2d or BatchNorm3d"
_LAZY = "give the number of inputs to the layer without Lazy in its name"
_DEPRECATED = "it is deprecated in PyTorch"
_CUDA = "it is for CUDA"
_SPARSE = "sparse tensors are not supported"
_LAZY_LAYERS = (
    *(f"LazyBatchNorm{n}d" for n in (1, 2, 3)),
    *(f"LazyConv{n}d" for n in (1, 2, 3)),
    *(f"LazyConvTranspose{n}d" for n in (1, 2, 3)),
    *(f"LazyInstanceNorm{n}d" for n in (1, 2, 3)),
    *("LazyLinear", "UninitializedBuffer", "UninitializedParameter"),
)

# By namespace: the name, and why it is not there or what to use.
LEFT_OUT: dict[str, dict[str, str]] = {
    "nn": {
        "SyncBatchNorm": _DISTRIBUTED,
        "DataParallel": _DISTRIBUTED,
        "parallel": _DISTRIBUTED,
        "quantized": _QUANTISED,
        "quantizable": _QUANTISED,
        "qat": _QUANTISED,
        "intrinsic": _QUANTISED,
        "NLLLoss2d": _DEPRECATED + ": use NLLLoss",
        "Container": _DEPRECATED + ": use Sequential, ModuleList or ModuleDict",
        "LinearCrossEntropyLoss": "call CrossEntropyLoss on the result of Linear",
        "LinearCrossEntropyOptions": "call CrossEntropyLoss on the result of Linear",
        "CrossMapLRN2d": _DEPRECATED + ": use LocalResponseNorm",
        "grad": "gradients of convolutions come from autograd.grad",
        "parameter": "Parameter stands in strided.nn itself",
        "modules": "layers stand in strided.nn itself",
        "factory_kwargs": "pass device= and dtype= to the layer",
        "Buffer": "call module.register_buffer(name, tensor)",
        **dict.fromkeys(_LAZY_LAYERS, _LAZY),
    },
    "nn.functional": {
        **dict.fromkeys(
            ("upsample", "upsample_bilinear", "upsample_nearest"), _DEPRECATED + ": use interpolate"
        ),
        **dict.fromkeys(
            (
                "max_pool1d_with_indices",
                "max_pool2d_with_indices",
                "max_pool3d_with_indices",
                "adaptive_max_pool1d_with_indices",
                "adaptive_max_pool2d_with_indices",
                "adaptive_max_pool3d_with_indices",
                "fractional_max_pool2d_with_indices",
                "fractional_max_pool3d_with_indices",
            ),
            "give return_indices=True to the function without _with_indices",
        ),
        "multi_head_attention_forward": "call nn.MultiheadAttention, which holds its weights",
        "linear_cross_entropy": "call cross_entropy(linear(input, weight), target)",
        "native_channel_shuffle": "call channel_shuffle",
        "conv_tbc": "call conv1d(x.permute(1, 2, 0), weight.permute(2, 1, 0)).permute(2, 0, 1)",
        **dict.fromkeys(("grouped_mm", "scaled_grouped_mm", "scaled_mm"), _CUDA),
        **dict.fromkeys(("ScalingType", "SwizzleType"), _CUDA),
    },
    "nn.init": {
        name: _DEPRECATED + f": call {name}_"
        for name in (
            *("constant", "dirac", "eye", "kaiming_normal", "kaiming_uniform", "normal"),
            *("orthogonal", "sparse", "uniform", "xavier_normal", "xavier_uniform"),
        )
    },
    "nn.utils": {
        "clip_grad_norm": _DEPRECATED + ": use clip_grad_norm_",
        "convert_conv2d_weight_memory_format": "call weight.contiguous(memory_format=...)",
        "convert_conv3d_weight_memory_format": "call weight.contiguous(memory_format=...)",
        "fuse_conv_bn_eval": "call batch norm after the convolution: weights are not rewritten",
        "fuse_conv_bn_weights": "call batch norm after the convolution: weights are not rewritten",
        "fuse_linear_bn_eval": "call batch norm after the layer: weights are not rewritten",
        "fuse_linear_bn_weights": "call batch norm after the layer: weights are not rewritten",
        "skip_init": "layers initialize what they make: load a state into it",
    },
    "optim": {"SparseAdam": _SPARSE},
    "optim.lr_scheduler": {},
}


def missing(namespace: str, name: str) -> NoReturn:
    """Raise AttributeError for a name, with a hint where it is left out on purpose."""
    hint = LEFT_OUT[namespace].get(name)
    text = f"module 'strided.{namespace}' has no attribute {name!r}"
    raise AttributeError(text if hint is None else f"{text}\n  {hint}")
