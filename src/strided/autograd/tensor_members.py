"""Tensors as parts of a graph of gradients."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from strided._native import DETACHED, Tensor, Track, next_order, track_of
from strided.autograd.backward import backward as backward_of
from strided.autograd.graph import Handle, Node, leaf
from strided.errors import DTypeMismatch, GradientNotPossible, ShapeMismatch

# ---- attributes ----


def _requires_grad(self: Tensor) -> bool:
    """Whether gradients of this tensor are computed; set to True, it is itself a leaf of a graph.

    >>> import strided
    >>> x = strided.ones(2)
    >>> x.requires_grad = True
    >>> x.requires_grad, (x * 2).requires_grad, x.detach().requires_grad
    (True, True, False)
    """
    track = track_of(self)
    return track is not None and track.requires_grad


def _set_requires_grad(self: Tensor, on: bool) -> None:
    track: Track | None = track_of(self)
    if track is not None and track.node is not None:
        if on:
            return
        raise GradientNotPossible(
            operation="requires_grad = False of a computed tensor",
            reason="only leaves can be switched off",
            hint="use .detach() for a tensor that takes no part",
        )
    if not on:
        if track is not None:
            track.requires_grad = False
            if track.grad is None:
                self._track = None
        return
    if self.dtype.kind not in "fc":
        raise GradientNotPossible(
            operation=f"requires_grad of {self.dtype.name}",
            reason="only floating-point and complex tensors have gradients",
            hint="convert it first: .to(strided.float32)",
        )
    self._apart = DETACHED  # a view that is a leaf has a history of its own
    if track is None:
        self._track = leaf()
    elif not track.requires_grad:
        track.requires_grad, track.order = True, next_order()


def _grad(self: Tensor) -> Tensor | None:
    """The gradient that ``backward()`` added up for this leaf, None before. Not a copy.

    >>> import strided
    >>> x = strided.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad.tolist()
    [2.0, 4.0]
    """
    track: Track | None = track_of(self)
    return None if track is None else track.grad


def _set_grad(self: Tensor, gradient: Tensor | None) -> None:
    track: Track | None = track_of(self)
    if gradient is None:
        if track is not None:
            track.grad = None
        return
    if gradient.shape != self.shape:
        raise ShapeMismatch(
            operation="grad =",
            expected=self.shape,
            got=gradient.shape,
            hint="a gradient has the shape of its tensor",
        )
    if gradient.dtype is not self.dtype:
        raise DTypeMismatch(
            operation="grad =",
            got=gradient.dtype.name,
            reason=f"the tensor is {self.dtype.name}",
            hint=f"convert it first: .to(strided.{self.dtype.name})",
        )
    if track is None:
        track = self._track = Track(None)
        self._apart = DETACHED
    track.grad = gradient


def _grad_fn(self: Tensor) -> Node | None:
    """The operation that computed this tensor, as a node of the graph; None for leaves. No copy.

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> x.grad_fn, (x * 2).grad_fn
    (None, <MultiplyBackward>)
    """
    track: Track | None = track_of(self)
    return None if track is None else track.node


def _is_leaf(self: Tensor) -> bool:
    """Whether no recorded operation computed this tensor itself: backward stops here.

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> x.is_leaf, (x * 2).is_leaf, strided.ones(2).is_leaf
    (True, False, True)
    """
    return _grad_fn(self) is None


def _retains_grad(self: Tensor) -> bool:
    """Whether a computed tensor keeps its gradient in ``grad`` itself, after ``retain_grad()``.

    >>> import strided
    >>> y = strided.ones(2, requires_grad=True) * 2
    >>> y.retain_grad()
    >>> y.retains_grad
    True
    """
    track: Track | None = track_of(self)
    return track is not None and track.retains_grad


def _output_nr(self: Tensor) -> int:
    """Which result of its operation this tensor itself is, 0 for the first.

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> (x * 2).output_nr
    0
    """
    track: Track | None = track_of(self)
    return 0 if track is None else track.index


def _data(self: Tensor) -> Tensor:
    """This tensor outside every graph. A view: writing to it changes this tensor.

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> x.data.mul_(3).requires_grad, x.tolist()
    (False, [3.0, 3.0])
    """
    return self.detach()


def _set_data(self: Tensor, value: Tensor) -> None:
    if not isinstance(value, Tensor):
        raise TypeError(f"data must be a strided.Tensor, got {type(value).__name__}")
    self._take_data(value.detach())


# ---- methods ----


def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Make this tensor a leaf whose gradient is computed, or no longer, and return it itself.

    >>> import strided
    >>> x = strided.ones(2).requires_grad_()
    >>> x.sum().backward()
    >>> x.grad.tolist()
    [1.0, 1.0]
    """
    _set_requires_grad(self, requires_grad)
    return self


def backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensor | Sequence[Tensor] | None = None,
) -> None:
    """Add the gradient of this tensor to ``grad`` of the leaves it comes from, in place.

    >>> import strided
    >>> x = strided.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * 3).backward(strided.tensor([1.0, 10.0]))
    >>> x.grad.tolist()
    [3.0, 30.0]
    """
    backward_of(self, gradient, retain_graph, create_graph, inputs)


def retain_grad(self: Tensor) -> None:
    """Let this computed tensor keep its gradient in ``grad`` itself; leaves do anyway.

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> y = x * 2
    >>> y.retain_grad()
    >>> (y * y).sum().backward()
    >>> y.grad.tolist()
    [4.0, 4.0]
    """
    track = _tracked(self, "retain_grad()")
    if track.node is not None and not track.retains_grad:
        track.retains_grad = True
        track.node.hooks_of(track.index).retain(track)


def register_hook(self: Tensor, hook: Callable[[Tensor], Any]) -> Handle:
    """Call ``hook(gradient)`` when the gradient of this tensor itself is known; it may change it.

    What the hook returns (unless None) takes the gradient's place. The handle removes the hook.

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> handle = x.register_hook(lambda g: g * 10)
    >>> x.sum().backward()
    >>> x.grad.tolist()
    [10.0, 10.0]
    """
    track = _tracked(self, "register_hook()")
    if track.node is not None:
        return Handle(track.node.hooks_of(track.index).hooks, hook)
    if track.hooks is None:
        track.hooks = {}
    return Handle(track.hooks, hook)


def register_post_accumulate_grad_hook(self: Tensor, hook: Callable[[Tensor], Any]) -> Handle:
    """Call ``hook(x)`` with this leaf itself each time a gradient was added to its ``grad``.

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> handle = x.register_post_accumulate_grad_hook(lambda leaf: print(leaf.grad.tolist()))
    >>> x.sum().backward()
    [1.0, 1.0]
    """
    track = _tracked(self, "register_post_accumulate_grad_hook()")
    if track.node is not None:
        raise GradientNotPossible(
            operation="register_post_accumulate_grad_hook() of a computed tensor",
            reason="gradients are added up in leaves",
            hint="use register_hook()",
        )
    if track.post_hooks is None:
        track.post_hooks = {}
    seen = weakref.ref(self)

    def call() -> None:
        leaf = seen()
        if leaf is not None:
            hook(leaf)

    return Handle(track.post_hooks, call)


def detach_(self: Tensor) -> Tensor:
    """Take this tensor itself out of its graph; it is a leaf then that requires no gradient.

    >>> import strided
    >>> y = strided.ones(2, requires_grad=True) * 2
    >>> y.detach_().requires_grad, y.is_leaf
    (False, True)
    """
    track: Track | None = track_of(self)
    if track is not None and track.root is not None:
        raise GradientNotPossible(
            operation="detach_() of a view",
            reason="it shares the history of the tensor it is a view of",
            hint="use .detach(), which makes a new view",
        )
    if track is not None:  # views know it by this track
        track.node, track.requires_grad, track.retains_grad = None, False, False
    return self


def _tracked(self: Tensor, call: str) -> Track:
    track = track_of(self)
    if track is None or not track.requires_grad:
        raise GradientNotPossible(
            operation=call,
            reason="this tensor does not require a gradient",
            hint="call .requires_grad_() on it first",
        )
    return track


METHODS: dict[str, Any] = {
    "requires_grad": property(_requires_grad, _set_requires_grad),
    "grad": property(_grad, _set_grad),
    "grad_fn": property(_grad_fn),
    "is_leaf": property(_is_leaf),
    "retains_grad": property(_retains_grad),
    "output_nr": property(_output_nr),
    "data": property(_data, _set_data),
    "requires_grad_": requires_grad_,
    "backward": backward,
    "retain_grad": retain_grad,
    "register_hook": register_hook,
    "register_post_accumulate_grad_hook": register_post_accumulate_grad_hook,
    "detach_": detach_,
}
