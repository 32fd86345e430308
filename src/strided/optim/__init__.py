"""Optimizers and learning-rate schedulers, with the results of PyTorch.

A step is one pass over each parameter, or one over all of them after
``strided.nn.flat_parameters``.
"""

import importlib
from typing import TYPE_CHECKING, Any

from strided.nn.flat_parameters import clip_grad_norm_, clip_grad_value_
from strided.nn.left_out_of_nn import missing
from strided.optim import lr_scheduler
from strided.optim.algorithms import SGD, Adagrad, Adam, AdamW, RMSprop
from strided.optim.optimizer import Optimizer

if TYPE_CHECKING:
    from strided.optim import swa_utils
    from strided.optim.adaptive import ASGD, Adadelta, Adamax, NAdam, RAdam, Rprop
    from strided.optim.whole_problem import LBFGS, Adafactor, Muon

# What most programs do without is loaded when it is first named.
_LATER = {
    **dict.fromkeys(("ASGD", "Adadelta", "Adamax", "NAdam", "RAdam", "Rprop"), "adaptive"),
    **dict.fromkeys(("Adafactor", "LBFGS", "Muon"), "whole_problem"),
}

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "clip_grad_norm_",
    "clip_grad_value_",
    "lr_scheduler",
    "swa_utils",
]


def __getattr__(name: str) -> Any:
    if name == "swa_utils":
        return importlib.import_module("strided.optim.swa_utils")
    if name not in _LATER:
        return missing("optim", name)
    value = getattr(importlib.import_module(f"strided.optim.{_LATER[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
