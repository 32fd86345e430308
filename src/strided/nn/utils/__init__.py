"""Helpers of training by the names of ``torch.nn.utils``: clipping, flattening, weight norms."""

import importlib
from typing import TYPE_CHECKING, Any

from strided.nn.flat_parameters import clip_grad_norm_, clip_grad_value_
from strided.nn.left_out_of_nn import missing

if TYPE_CHECKING:
    from strided.nn.utils import parametrizations, parametrize, rnn
    from strided.nn.utils.parameter_vectors import (
        clip_grads_with_norm_,
        get_total_norm,
        parameters_to_vector,
        vector_to_parameters,
    )
    from strided.nn.utils.weight_norms import (
        remove_spectral_norm,
        remove_weight_norm,
        spectral_norm,
        weight_norm,
    )

_MODULES = ("parametrizations", "parametrize", "rnn")
_LATER = {
    **dict.fromkeys(
        (
            "clip_grads_with_norm_",
            "get_total_norm",
            "parameters_to_vector",
            "vector_to_parameters",
        ),
        "parameter_vectors",
    ),
    **dict.fromkeys(
        ("remove_spectral_norm", "remove_weight_norm", "spectral_norm", "weight_norm"),
        "weight_norms",
    ),
}

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "spectral_norm",
    "vector_to_parameters",
    "weight_norm",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"strided.nn.utils.{name}")
    if name not in _LATER:
        return missing("nn.utils", name)
    value = getattr(importlib.import_module(f"strided.nn.utils.{_LATER[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
