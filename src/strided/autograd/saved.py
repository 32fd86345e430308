"""Tensors that a rule keeps for the way back.

What is kept is another object over the same elements, outside every graph, so that nothing refers
to its own past. It is given back only if its storage was not written to since; while a graph of the
gradients is wanted, it is given back in its place in the graph.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from strided._native import Tensor, alias, grad_mode, last_writer, storage_pointer
from strided.autograd.anomaly import line_of_write
from strided.autograd.track import Track
from strided.errors import StaleGradient

if TYPE_CHECKING:
    from strided.autograd.node import Edge, Node


class _Walking(threading.local):
    """The node at work in this thread: saved results belong to it."""

    node: Node | None = None


walking = _Walking()


class Saved:
    """Kept tensors; a call gives them back."""

    __slots__ = ("_kept",)

    def __init__(self, kept: Sequence[tuple[Tensor, int, Edge | int | None] | None] = ()) -> None:
        """Take aliases, each with its version and place in the graph (``RecordedCall.save``)."""
        self._kept = kept

    def keep(self, x: Tensor | None, edge: Edge | int | None) -> None:
        """Add a tensor, with its place in the graph: an edge, or which result of its node it is."""
        one = None if x is None else (alias(x), x._version, edge)
        self._kept = (*self._kept, one)

    def __call__(self) -> tuple[Any, ...]:
        """Return the tensors, None where none was needed; raise StaleGradient if one changed."""
        given: list[Tensor | None] = []
        attached = grad_mode()
        for kept in self._kept:
            if kept is None:
                given.append(None)
                continue
            x, version, edge = kept
            if x._version != version:
                raise _stale(x, version)
            given.append(_attached(x, edge) if attached and edge is not None else x)
        return tuple(given)


def _attached(x: Tensor, edge: Edge | int) -> Tensor:
    made = alias(x)
    if isinstance(edge, int):
        made._track = Track(walking.node, edge)
    else:
        target = edge[0]
        made._track = target if isinstance(target, Track) else Track(target, edge[1])
    return made


def _stale(x: Tensor, version: int) -> StaleGradient:
    node = walking.node
    return StaleGradient(
        saved_by=node.operation if node is not None else "",
        changed_by=last_writer(x),
        shape=x.shape,
        versions=(version, x._version),
        saved_at=node.line if node is not None else None,
        changed_at=line_of_write(storage_pointer(x)),
    )
