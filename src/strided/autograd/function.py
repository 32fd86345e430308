"""Operations with a gradient of their own: ``class MyOp(strided.autograd.Function)``.

``apply`` runs ``forward`` outside the graph and makes one node of the whole call, whose walk back
is ``backward``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from strided._native import Tensor, alias, grad_mode, set_grad_mode
from strided.autograd.function_call import FunctionContext, recorded
from strided.autograd.history import edge_of
from strided.autograd.node import Edge
from strided.autograd.record import node_of
from strided.autograd.track import Track
from strided.errors import GradientNotPossible


class Function:
    """An operation with a backward of its own; results of ``apply`` are what ``forward`` returns.

    ``forward(ctx, *args)`` computes on plain tensors, ``backward(ctx, *grads)`` takes one gradient
    per result and returns one per argument, None for what has none. Or ``forward(*args)`` with
    ``setup_context(ctx, inputs, output)``.

    >>> import strided
    >>> class Square(strided.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         (x,) = ctx.saved_tensors
    ...         return 2 * x * g
    >>> x = strided.tensor([1.0, 3.0], requires_grad=True)
    >>> Square.apply(x).sum().backward()
    >>> x.grad.tolist()
    [2.0, 6.0]
    """

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the results; overridden by every function.

        >>> import strided
        >>> class Half(strided.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x / 2
        >>> Half.apply(strided.ones(2)).tolist()
        [0.5, 0.5]
        """
        raise GradientNotPossible(
            operation="Function.apply",
            reason="the class has no forward",
            hint="define a static method forward(ctx, *args)",
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Keep what backward needs, where ``forward`` does not take ``ctx``.

        >>> import strided
        >>> class Exp(strided.autograd.Function):
        ...     @staticmethod
        ...     def forward(x):
        ...         return x.exp()
        ...     @staticmethod
        ...     def setup_context(ctx, inputs, output):
        ...         ctx.save_for_backward(output)
        ...     @staticmethod
        ...     def backward(ctx, g):
        ...         return g * ctx.saved_tensors[0]
        >>> x = strided.zeros(2, requires_grad=True)
        >>> Exp.apply(x).sum().backward()
        >>> x.grad.tolist()
        [1.0, 1.0]
        """

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Turn gradients of the results into gradients of the arguments; see the class.

        >>> import strided
        >>> class Stop(strided.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x * 1
        ...     @staticmethod
        ...     def backward(ctx, g):
        ...         return None
        >>> x = strided.ones(2, requires_grad=True)
        >>> (x + Stop.apply(x)).sum().backward()
        >>> x.grad.tolist()
        [1.0, 1.0]
        """
        raise GradientNotPossible(
            operation="Function.apply",
            reason="the class has no backward",
            hint="define a static method backward(ctx, *grads)",
        )

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run the function and record it as one operation. Returns what ``forward`` returns.

        An input that ``forward`` returns as it is comes back as another view of the same elements.

        >>> import strided
        >>> class Same(strided.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x
        ...     @staticmethod
        ...     def backward(ctx, g):
        ...         return -g
        >>> x = strided.ones(2, requires_grad=True)
        >>> Same.apply(x).sum().backward()
        >>> x.grad.tolist()
        [-1.0, -1.0]
        """
        tensors = [x for x in args if isinstance(x, Tensor)]
        recording = grad_mode()
        edges = tuple([edge_of(x) if recording else None for x in tensors])
        wanted = iter(edges)
        ctx = FunctionContext(
            tuple([isinstance(x, Tensor) and next(wanted) is not None for x in args])
        )
        before = set_grad_mode(False)
        try:
            if cls.setup_context is Function.setup_context:
                made = cls.forward(ctx, *args)
            else:
                made = cls.forward(*args)
                cls.setup_context(ctx, args, made)
            if any(edges):
                made = recorded(cls, ctx, args, tensors, edges, made)
        finally:
            set_grad_mode(before)
        return made


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Say that a backward is no differentiable function of its gradients; second ones then raise.

    >>> import strided
    >>> class Twice(strided.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     @strided.autograd.once_differentiable
    ...     def backward(ctx, g):
    ...         return g * 2
    >>> x = strided.ones(2, requires_grad=True)
    >>> Twice.apply(x).sum().backward()
    >>> x.grad.tolist()
    [2.0, 2.0]
    """

    @functools.wraps(backward)
    def once(ctx: Any, *grads: Any) -> Any:
        recording = set_grad_mode(False)
        try:
            found = backward(ctx, *grads)
        finally:
            set_grad_mode(recording)
        edges = tuple([edge_of(g) for g in grads if isinstance(g, Tensor)])
        if not recording or not any(edges):
            return found
        several = isinstance(found, (tuple, list))
        made = [
            _refusing(g, edges, backward.__qualname__) if isinstance(g, Tensor) else g
            for g in (found if several else [found])
        ]
        return tuple(made) if several else made[0]

    return once


def _refusing(g: Tensor, edges: tuple[Edge | None, ...], name: str) -> Tensor:
    """Return a gradient that cannot be differentiated again."""

    def refuse(*grads: Any) -> Any:
        raise GradientNotPossible(
            operation=name,
            reason="it is marked as once differentiable",
            hint="leave the mark away if it uses differentiable operations only",
        )

    made = alias(g)
    made._track = Track(node_of("once_differentiable", edges, refuse, False))
    return made
