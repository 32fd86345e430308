"""Operations with a gradient of their own: ``class MyOp(strided.autograd.Function)``.

``apply`` runs ``forward`` outside the graph and makes one node of the whole call, whose backward
pass is ``backward``. The node keeps aliases of what was saved and facts of the arguments, never a
result itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from strided._native import Saved, Tensor, Track, alias, edge_of, grad_mode, node_of, set_grad_mode
from strided.autograd import in_place
from strided.autograd.graph import Edge, Node
from strided.errors import GradientNotPossible, InvalidArgument, ShapeMismatch
from strided.ops.creation import zeros


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
                made = _recorded(cls, ctx, args, tensors, edges, made)
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


# ---- one call as one node ----


class FunctionContext:
    """What ``forward`` leaves for ``backward``; attributes may be set freely."""

    def __init__(self, needs_input_grad: tuple[bool, ...]) -> None:
        self.needs_input_grad = needs_input_grad
        self._to_save: tuple[Tensor | None, ...] = ()
        self._saved: Saved | None = None
        self._dirty: tuple[Tensor, ...] = ()
        self._plain: tuple[Tensor, ...] = ()
        self._materialize = True

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep inputs, results or other tensors; a later write to one raises StaleGradient."""
        for x in tensors:
            if x is not None and not isinstance(x, Tensor):
                raise InvalidArgument(
                    operation="save_for_backward",
                    argument="tensors",
                    got=type(x).__name__,
                    requirement="tensors or None; set other values as attributes of ctx",
                )
        self._to_save = tensors

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors that were kept, checked to be unchanged, in their place in the graph."""
        return self._to_save if self._saved is None else self._saved()

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs ``forward`` wrote to; it must return them."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which results have no gradient."""
        self._plain = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether gradients of unused results come as zeros (the default) or as None."""
        self._materialize = value


def _recorded(
    cls: Any,
    ctx: FunctionContext,
    args: tuple[Any, ...],
    tensors: list[Tensor],
    edges: tuple[Edge | None, ...],
    made: Any,
) -> Any:
    """Make the results of a call part of the graph of its tensor arguments."""
    results = list(made) if isinstance(made, (tuple, list)) else [made]
    dirty = ctx._dirty
    for x in dirty:
        _expect_returned(cls, x, results)
        in_place.check(cls.__name__, x)
    slots: list[int | None] = []  # which output of the node a result is
    count = 0
    for place, y in enumerate(results):
        tracked = isinstance(y, Tensor) and y.dtype.kind in "fc" and not _among(y, ctx._plain)
        slots.append(count if tracked else None)
        count += tracked
        seen = tracked and (y._track is not None or any(y.shares_storage(x) for x in tensors))
        if seen and not _among(y, dirty):
            # The result has a history of its own, and leaves that of what it shows alone.
            results[place] = alias(y)
            ctx._to_save = tuple([results[place] if x is y else x for x in ctx._to_save])
    likes = [(y.shape, y.dtype) if isinstance(y, Tensor) else None for y in results]
    saved = _kept(ctx, tensors, edges, results, slots)
    backward = _backward_of(cls, ctx, args, slots, likes)
    written = [y for y in dirty if y._root is not y]
    if written:
        if count > 1:
            raise GradientNotPossible(
                operation=f"{cls.__name__}.apply",
                reason="forward wrote to a view and returned several results",
                hint="write to a whole tensor, or return the view alone",
            )
        own = [x is written[0] for x in tensors]
        in_place.rewrite(cls.__name__, written[0], edges, own, backward, saved)
    else:
        node = node_of(cls.__name__, edges, backward, saved, count)
        for y, slot in zip(results, slots, strict=True):
            if slot is not None:
                _join(y, node, slot)
    if isinstance(made, tuple):
        return type(made)(*results) if hasattr(made, "_fields") else tuple(results)
    return results if isinstance(made, list) else results[0]


def _join(y: Tensor, node: Node, slot: int) -> None:
    """Give a result its history, in the place of the one it may have."""
    track: Track | None = y._track
    if track is None:
        y._track = Track(node, slot)
        return
    if track.retains_grad and track.node is not None:
        track.node.hooks_of(track.index).retained = None
        node.hooks_of(slot).retain(track)
    track.node, track.index, track.requires_grad = node, slot, True
    track.epoch += 1


def _among(x: Any, tensors: Sequence[Any]) -> bool:
    return any(x is one for one in tensors)


def _expect_returned(cls: Any, x: Tensor, results: list[Any]) -> None:
    if not _among(x, results):
        raise GradientNotPossible(
            operation=f"{cls.__name__}.apply",
            reason="forward wrote to an input that it does not return",
            hint="return every tensor that ctx.mark_dirty names",
        )


def _kept(
    ctx: FunctionContext,
    tensors: list[Tensor],
    edges: tuple[Edge | None, ...],
    results: list[Any],
    slots: list[int | None],
) -> bool:
    """Turn what was saved into what a node keeps; return whether that is anything."""
    kept: list[tuple[Tensor, Edge | int | None] | None] = []
    for x in ctx._to_save:
        if x is None:
            kept.append(None)
            continue
        inputs = [edge for one, edge in zip(tensors, edges, strict=True) if one is x]
        outputs = [slot for one, slot in zip(results, slots, strict=True) if one is x]
        place = outputs[0] if outputs else inputs[0] if inputs else None
        kept.append((x, place))
    ctx._saved = Saved(kept)
    keeps = any(one is not None for one in kept)
    ctx._to_save = ctx._dirty = ctx._plain = ()  # no graph refers to its own results
    return keeps


def _backward_of(
    cls: Any,
    ctx: FunctionContext,
    args: tuple[Any, ...],
    slots: list[int | None],
    likes: list[Any],
) -> Callable[..., list[Tensor | None]]:
    """Return the backward pass of a call: gradients of its tensor arguments."""
    shapes = [tuple(x.shape) if isinstance(x, Tensor) else None for x in args]

    def backward(*grads: Tensor | None) -> list[Tensor | None]:
        given: list[Tensor | None] = []
        for slot, like in zip(slots, likes, strict=True):
            g = None if slot is None else grads[slot]
            if g is None and like is not None and ctx._materialize:
                g = zeros(like[0], dtype=like[1])
            given.append(g)
        found = cls.backward(ctx, *given)
        found = tuple(found) if isinstance(found, (tuple, list)) else (found,)
        while len(found) > len(shapes) and found[-1] is None:
            found = found[:-1]
        if len(found) != len(shapes):
            raise GradientNotPossible(
                operation=f"{cls.__name__}.backward",
                reason=f"it returned {len(found)} gradients, forward took {len(shapes)} arguments",
                hint="return one gradient per argument, None for those without",
            )
        return [
            _fitting(cls, g, shape)
            for g, shape in zip(found, shapes, strict=True)
            if shape is not None
        ]

    return backward


def _fitting(cls: Any, g: Any, shape: tuple[int, ...]) -> Tensor | None:
    """Return a gradient whose shape is the argument's, or one that it broadcasts to."""
    if g is None:
        return None
    got = tuple(g.shape) if isinstance(g, Tensor) else None
    if got is not None and len(got) >= len(shape):
        pairs = zip(reversed(got), reversed(shape), strict=False)
        if all(n in (m, 1) for m, n in pairs):
            return g  # type: ignore[no-any-return]
    raise ShapeMismatch(
        operation=f"{cls.__name__}.backward",
        expected=shape,
        got=got if got is not None else type(g).__name__,
        hint="the gradient of an argument has its shape",
    )
