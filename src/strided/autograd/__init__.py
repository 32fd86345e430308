"""Gradients: what is recorded while tensors are computed, and the walk back through it."""

from strided.autograd import copy_rules as _copy_rules
from strided.autograd import rules as _rules
from strided.autograd.anomaly import detect_anomaly, set_detect_anomaly
from strided.autograd.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)
from strided.autograd.start import backward, grad

__all__ = [
    "backward",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "inference_mode",
    "is_grad_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]
