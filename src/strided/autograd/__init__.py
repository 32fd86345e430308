"""Gradients: what is recorded while tensors are computed, and the backward pass through it."""

import importlib
from typing import TYPE_CHECKING, Any

from strided.autograd.backward import backward, grad
from strided.autograd.grad_mode import (
    detect_anomaly,
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
)

if TYPE_CHECKING:
    from strided.autograd.function import Function, once_differentiable
    from strided.autograd.functional import hessian, hvp, jacobian, jvp, vjp
    from strided.autograd.gradcheck import gradcheck, gradgradcheck

__all__ = [
    "Function",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "hessian",
    "hvp",
    "inference_mode",
    "is_grad_enabled",
    "jacobian",
    "jvp",
    "no_grad",
    "once_differentiable",
    "set_detect_anomaly",
    "set_grad_enabled",
    "vjp",
]


def __dir__() -> list[str]:
    return __all__


# What most programs do without is loaded when it is first named.
_LATER = {
    **dict.fromkeys(("Function", "once_differentiable"), "function"),
    **dict.fromkeys(("gradcheck", "gradgradcheck"), "gradcheck"),
    **dict.fromkeys(("hessian", "hvp", "jacobian", "jvp", "vjp"), "functional"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'strided.autograd' has no attribute {name!r}")
    module = importlib.import_module(f"strided.autograd.{_LATER[name]}")
    # All names of the module: one of them may be that of the module itself.
    globals().update(
        {one: getattr(module, one) for one, of in _LATER.items() if of == _LATER[name]}
    )
    return globals()[name]
