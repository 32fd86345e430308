"""Where a tensor stands in a graph: what ``Tensor._track`` holds for a tensor that is not plain.

A leaf that requires a gradient has no node; every other tracked tensor is result ``index`` of its
node. A track never refers to its own tensor, so a graph has no cycles of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strided._native import TrackFields, next_order

if TYPE_CHECKING:
    from strided.autograd.node import Node


class Track(TrackFields):
    """The place of one tensor in a graph.

    Fields: node, index, requires_grad, grad, retains_grad; of a leaf also hooks, post_hooks and
    order (hooks of other tensors belong to their node); of a view root, root_epoch and is_piece
    (one of several views that one call made). In-place writes rewrite the history of the owner of
    the memory and count it in its epoch; a view that remembers another number takes its history
    anew from the owner.
    """

    __slots__ = ()

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
