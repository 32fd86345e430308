"""The graph of gradients as Python sees it: nodes, leaves, and views that take their history anew.

Nodes, tracks, edges, saved tensors and epochs are native (``bindings/graph.hpp``).
``Tensor._track`` is a tensor's place in a graph, None for a plain tensor: a leaf that requires a
gradient has no node; every other tracked tensor is result ``index`` of its node. In-place writes
rewrite the history of the owner of the memory and count it in its epoch; a view that remembers
another number takes its history anew from the owner.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, TypeAlias, Union

from strided._native import DType, NodeFields, Tensor, Track, next_order
from strided.autograd.view_rules import StorageView, shows_numbers_of

# Where the gradient of one argument goes (the node that made it and which of its results, or the
# track of a leaf), and what that argument was like: its shape and dtype.
Edge: TypeAlias = tuple[Union["Node", Track], int, tuple[int, ...], DType]
Hook: TypeAlias = Callable[..., Any]


class Node(NodeFields):
    """One recorded operation, ``Tensor.grad_fn`` of its results.

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> (x * 2).sum().grad_fn.name()
    'SumBackward'
    """

    __slots__ = ()

    def name(self) -> str:
        """Return what the operation is called in a graph.

        >>> import strided
        >>> strided.ones(2, requires_grad=True).exp().grad_fn.name()
        'ExpBackward'
        """
        words = self.operation.strip("_").split("_")
        return "".join(word[:1].upper() + word[1:] for word in words) + "Backward"

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes that made the arguments, each with the number of its result.

        >>> import strided
        >>> x = strided.ones(2, requires_grad=True)
        >>> [(node.name(), index) for node, index in (x * 2).exp().grad_fn.next_functions]
        [('MultiplyBackward', 0)]
        """
        found: list[tuple[Any, int]] = []
        for edge in self.edges:
            if edge is None:
                found.append((None, 0))
            else:
                target = edge[0]
                found.append(
                    (AccumulateGrad(target) if isinstance(target, Track) else target, edge[1])
                )
        return tuple(found)

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dictionary for whatever a program wants to remember of this node.

        >>> import strided
        >>> node = strided.ones(2, requires_grad=True).exp().grad_fn
        >>> node.metadata["seen"] = True
        >>> node.metadata
        {'seen': True}
        """
        if self.user_data is None:
            self.user_data = {}
        return self.user_data

    def register_hook(self, hook: Hook) -> Handle:
        """Call ``hook(grad_inputs, grad_outputs)`` after this node; it may return new grad_inputs.

        >>> import strided
        >>> x = strided.ones(2, requires_grad=True)
        >>> y = x * 3
        >>> handle = y.grad_fn.register_hook(lambda gives, takes: print(len(gives), len(takes)))
        >>> y.sum().backward()
        1 1
        """
        if self.hooks is None:
            self.hooks = {}
        return Handle(self.hooks, hook)

    def register_prehook(self, hook: Hook) -> Handle:
        """Call ``hook(grad_outputs)`` before this node; it may return new grad_outputs.

        >>> import strided
        >>> x = strided.ones(2, requires_grad=True)
        >>> y = x * 3
        >>> handle = y.grad_fn.register_prehook(lambda takes: (takes[0] * 2,))
        >>> y.sum().backward()
        >>> x.grad.tolist()
        [6.0, 6.0]
        """
        if self.prehooks is None:
            self.prehooks = {}
        return Handle(self.prehooks, hook)

    def hooks_of(self, index: int) -> ResultHooks:
        """Return what sees the gradient of one result."""
        if self.result_hooks is None:
            self.result_hooks = {}
        found: ResultHooks = self.result_hooks.setdefault(index, ResultHooks())
        return found

    def __repr__(self) -> str:
        return f"<{self.name()}>"


class ResultHooks:
    """Who looks at the gradient of one result of a node on its way."""

    __slots__ = ("hooks", "retained")

    def __init__(self) -> None:
        self.hooks: dict[int, Hook] = {}
        self.retained: weakref.ref[Track] | None = None

    def retain(self, track: Track) -> None:
        """Keep the gradient in the tensor's track, as long as there is the tensor."""
        self.retained = weakref.ref(track)


class AccumulateGrad:
    """The end of a graph: a leaf, whose gradient is added up in ``grad``."""

    __slots__ = ("_track",)

    def __init__(self, track: Track) -> None:
        self._track = track

    def name(self) -> str:
        """Return what it is called in a graph."""
        return "AccumulateGrad"

    next_functions: tuple[()] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AccumulateGrad) and other._track is self._track

    def __hash__(self) -> int:
        return hash(self._track)

    def __repr__(self) -> str:
        return "<AccumulateGrad>"


class Handle:
    """What registering a hook returns: ``remove()`` takes the hook away again."""

    __slots__ = ("_hooks", "id")

    def __init__(self, hooks: dict[int, Hook], hook: Hook) -> None:
        self._hooks = hooks
        self.id = next_order()
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook away; more than once does nothing."""
        self._hooks.pop(self.id, None)

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


# ---- tracks ----


def leaf() -> Track:
    """Return the track of a new leaf that requires a gradient."""
    made = Track(None)
    made.requires_grad = True
    made.order = next_order()
    return made


def rebase(track: Track, node: Node) -> None:
    """Let a tensor be the result of another node; who retains its gradient follows."""
    if track.retains_grad:
        if track.node is not None:
            track.node.hooks_of(track.index).retained = None
        node.hooks_of(0).retain(track)
    track.node, track.index, track.requires_grad = node, 0, True


def renewed_track(x: Tensor) -> Track | None:
    """Return the track of a view whose memory has a new history, None when it has no part in it."""
    root = x._root
    track: Track | None = x._track
    above: Track | None = root._track
    if track is None:
        # A leaf came to require a gradient after the view was made: the view is no part of that.
        if root is x or above is None or above.node is None or not shows_numbers_of(x, root):
            return None
        track = Track(None, 0, above)
    assert above is not None
    assert above.node is not None
    edge = (above.node, above.index, root.shape, root.dtype)
    rebase(track, Node("view", (edge,), StorageView(root, x)))
    track.root, track.root_epoch = above, above.epoch
    x._track = track
    return track
