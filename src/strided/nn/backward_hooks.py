"""Hooks of modules that see gradients: identities around a call, each a node of the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from strided._native import Tensor
from strided.autograd.function import Function

if TYPE_CHECKING:
    from strided.nn.module import Module

Gradients: TypeAlias = tuple[Any, ...]


class _Watch:
    """One call of a module whose gradients hooks want to see."""

    def __init__(self, module: Module, hooks: list[Any], before: list[Any]) -> None:
        self.module, self.hooks, self.before = module, hooks, before
        self.seen: Gradients = ()  # gradients of the results
        self.inputs = 0  # how many tensors the call took
        self.waits = False  # for the gradients of those tensors

    def on_results(self, grads: Gradients) -> Gradients:
        for hook in self.before:
            grads = _replaced(hook(self.module, grads), grads)
        self.seen = grads
        if not self.waits:
            self.on_inputs((None,) * self.inputs)
        return grads

    def on_inputs(self, grads: Gradients) -> Gradients:
        for hook in self.hooks:
            grads = _replaced(hook(self.module, grads, self.seen), grads)
        return grads


def _replaced(made: Any, grads: Gradients) -> Gradients:
    if made is None:
        return grads
    return tuple(made) if isinstance(made, (tuple, list)) else (made,)


class _Identity(Function):
    """Passes tensors on as they are; gradients go through a function."""

    @staticmethod
    def forward(ctx: Any, tell: Callable[[Gradients], Gradients], *tensors: Tensor) -> Any:
        ctx.tell = tell
        ctx.set_materialize_grads(False)
        return tensors

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return None, *ctx.tell(grads)


def _through(tell: Callable[[Gradients], Gradients], values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return values with their tensors passed through an identity."""
    tensors = [x for x in values if isinstance(x, Tensor)]
    made = iter(_Identity.apply(tell, *tensors) if tensors else ())
    return tuple(next(made) if isinstance(x, Tensor) else x for x in values)


def watched(
    module: Module,
    hooks: list[Any],
    before: list[Any],
    call: Callable[[tuple[Any, ...]], Any],
    args: tuple[Any, ...],
) -> Any:
    """Return what a call gives, with hooks that see the gradients of results and arguments."""
    watch = _Watch(module, hooks, before)
    tensors = [x for x in args if isinstance(x, Tensor)]
    watch.inputs = len(tensors)
    watch.waits = any(x.requires_grad for x in tensors)
    made = call(_through(watch.on_inputs, args) if watch.waits else args)
    if isinstance(made, Tensor):
        return _through(watch.on_results, (made,))[0]
    if type(made) in (tuple, list):
        return type(made)(_through(watch.on_results, tuple(made)))
    return made
