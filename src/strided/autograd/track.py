"""Where a tensor stands in a graph: what ``Tensor._track`` holds for a tensor that is not plain.

A leaf that requires a gradient has no node; every other tracked tensor is result ``index`` of its
node. A track never refers to its own tensor, so a graph has no cycles of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

from strided._native import Tensor

if TYPE_CHECKING:
    from strided.autograd.node import Node

# Nodes and leaves are numbered as they come to be: what is computed from them has higher numbers.
next_order: Callable[[], int] = count().__next__


class Track:
    """The place of one tensor in a graph."""

    __slots__ = (
        "__weakref__",
        "epoch",
        "grad",
        "hooks",
        "index",
        "is_piece",
        "node",
        "order",
        "post_hooks",
        "requires_grad",
        "retains_grad",
        "root",
        "root_epoch",
    )

    def __init__(self, node: Node | None, index: int = 0, root: Track | None = None) -> None:
        self.node = node
        self.index = index
        self.requires_grad = node is not None
        self.grad: Tensor | None = None
        self.retains_grad = False
        # Of a leaf; hooks of other tensors belong to their node.
        self.hooks: dict[int, Callable[[Tensor], Any]] | None = None
        self.post_hooks: dict[int, Callable[[], Any]] | None = None
        self.order = -1  # of a leaf, from when it first requires a gradient
        # In-place writes rewrite the history of the owner of the memory, and count it here; a view
        # that remembers another number takes its history anew from the owner.
        self.epoch = 0
        self.root = root
        self.root_epoch = 0 if root is None else root.epoch
        self.is_piece = False  # one of several views that one call made

    def rebase(self, node: Node) -> None:
        """Let the tensor be the result of another node; who retains its gradient follows."""
        if self.retains_grad:
            if self.node is not None:
                self.node.tap(self.index).retained = None
            node.tap(0).retain(self)
        self.node, self.index, self.requires_grad = node, 0, True


def leaf() -> Track:
    """Return the track of a new leaf that requires a gradient."""
    made = Track(None)
    made.requires_grad = True
    made.order = next_order()
    return made
