"""Gradients: what is recorded while tensors are computed, and the walk back through it."""

from strided.autograd import copy_rules, rules  # noqa: F401  (they fill the table of rules)
from strided.autograd.anomaly import detect_anomaly, set_detect_anomaly
from strided.autograd.check import gradcheck, gradgradcheck
from strided.autograd.function import Function, once_differentiable
from strided.autograd.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)
from strided.autograd.jacobians import hessian, hvp, jacobian, jvp, vjp
from strided.autograd.start import backward, grad

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
