"""Optimizers and learning-rate schedulers, with the results of PyTorch.

A step is one pass over each parameter, or one over all of them after
``strided.nn.flat_parameters``.
"""

from strided.nn.flat_parameters import clip_grad_norm_, clip_grad_value_
from strided.optim import lr_scheduler
from strided.optim.algorithms import SGD, Adagrad, Adam, AdamW, RMSprop
from strided.optim.optimizer import Optimizer

__all__ = [
    "SGD",
    "Adagrad",
    "Adam",
    "AdamW",
    "Optimizer",
    "RMSprop",
    "clip_grad_norm_",
    "clip_grad_value_",
    "lr_scheduler",
]
