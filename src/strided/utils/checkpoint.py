"""Checkpoints: parts of a graph that are computed again in the backward pass, not kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from strided._native import Tensor
from strided.autograd.backward import backward
from strided.autograd.function import Function, once_differentiable
from strided.autograd.grad_mode import enable_grad, is_grad_enabled
from strided.errors import InvalidArgument
from strided.ops import random_tensors as random
from strided.ops.creation import zeros

__all__ = ["checkpoint", "checkpoint_sequential"]


def _bits() -> Any:
    return random._default.numpy.bit_generator


class _Again(Function):
    """Computes without a graph, and again with one when gradients come.

    The first argument of ``apply`` is the call, the second a tensor that requires a gradient: a
    function may read parameters that are no arguments. Their gradients are added up in ``grad``.
    """

    @staticmethod
    def forward(ctx: Any, call: Callable[..., Any], anchor: Tensor, *args: Any) -> Any:
        ctx.call, ctx.state = call, _bits().state
        ctx.values = [None if isinstance(x, Tensor) else x for x in args]
        ctx.places = [place for place, x in enumerate(args) if isinstance(x, Tensor)]
        ctx.save_for_backward(*(x for x in args if isinstance(x, Tensor)))
        return call(*args)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Any) -> Any:
        values = list(ctx.values)
        needs = ctx.needs_input_grad[2:]
        for place, x in zip(ctx.places, ctx.saved_tensors, strict=True):
            values[place] = x.detach().requires_grad_(needs[place])
        now, _bits().state = _bits().state, ctx.state
        try:
            with enable_grad():
                made = ctx.call(*values)
        finally:
            _bits().state = now
        results = list(made) if isinstance(made, (tuple, list)) else [made]
        several = zip(results, grads, strict=True)
        pairs = [(y, g) for y, g in several if isinstance(y, Tensor) and y.requires_grad]
        if pairs:
            backward([y for y, _ in pairs], [g for _, g in pairs])
        return None, None, *(v.grad if isinstance(v, Tensor) else None for v in values)


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Return what a function gives, which is computed again in the backward pass.

    The tensors inside are not kept in between. Random numbers are the same both times. Gradients of
    parameters that a function reads without taking them as arguments are added to their ``grad``.

    >>> import strided
    >>> from strided.utils.checkpoint import checkpoint
    >>> x = strided.tensor([2.0], requires_grad=True)
    >>> checkpoint(lambda x: x.exp().log() * x, x).sum().backward()
    >>> round(x.grad.item(), 4)
    4.0
    """
    if not is_grad_enabled():
        return function(*args, **kwargs)
    anchor = zeros(0).requires_grad_()
    return _Again.apply(lambda *given: function(*given, **kwargs), anchor, *args)


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Return what a chain of modules gives, with a checkpoint for each of some segments.

    >>> import strided
    >>> from strided.utils.checkpoint import checkpoint_sequential
    >>> net = strided.nn.Sequential(strided.nn.Linear(2, 3), strided.nn.ReLU())
    >>> checkpoint_sequential(net, 2, strided.ones(1, 2)).shape
    (1, 3)
    """
    chain: Sequence[Callable[[Any], Any]] = list(functions)
    if not 1 <= segments <= len(chain):
        raise InvalidArgument(
            argument="segments", got=str(segments), requirement=f"must be 1 to {len(chain)}"
        )
    size = len(chain) // segments
    for number in range(segments):
        last = number == segments - 1
        part = chain[number * size :] if last else chain[number * size : (number + 1) * size]
        input = checkpoint(_chained(part), input, **kwargs)
    return input


def _chained(part: Sequence[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        for function in part:
            x = function(x)
        return x

    return run
