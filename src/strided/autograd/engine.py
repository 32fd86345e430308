"""The walk back through a graph.

Nodes are numbered as they are made, so what was computed from a node has a higher number. A heap
that gives the highest number first therefore reaches a node only after all that used its results;
there is no recursion and no counting. Gradients wait in ``pending`` until their node is reached,
and are added up there; a sum goes in place only into memory that nobody else can see.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from sys import getrefcount
from typing import Any, TypeAlias

from strided import _native
from strided._native import DType, Tensor, is_unshared, set_grad_mode
from strided.autograd import anomaly
from strided.autograd.node import Edge, Node
from strided.autograd.rule import AddInto
from strided.autograd.saved import walking
from strided.autograd.track import Track
from strided.errors import GradientNotPossible

End: TypeAlias = Node | Track
# A node or leaf, the number of its result, and the gradient of that.
Root: TypeAlias = tuple[End, int, Tensor]


def walk(
    roots: Sequence[Root],
    *,
    keep_graph: bool,
    create_graph: bool,
    wanted: dict[tuple[End, int], Tensor | None] | None = None,
    accumulate: bool = True,
) -> None:
    """Carry gradients back from the roots: into ``grad`` of leaves, and into ``wanted``.

    With ``wanted`` only what leads to its keys is visited; with ``accumulate`` false leaves keep
    their ``grad``.
    """
    before = set_grad_mode(create_graph)
    outer = walking.node
    try:
        needed = None if wanted is None else _leading_to(roots, wanted)
        _Walk(keep_graph, create_graph, wanted, needed, accumulate).run(roots)
    finally:
        walking.node = outer
        set_grad_mode(before)


def _leading_to(roots: Sequence[Root], wanted: dict[tuple[End, int], Any]) -> set[End]:
    """Return all nodes between the roots and what is wanted."""
    ends = {end for end, _ in wanted}
    seen: dict[End, bool] = {}
    order: list[End] = []
    stack = [root[0] for root in roots]
    while stack:
        end = stack.pop()
        if end in seen:
            continue
        seen[end] = end in ends
        order.append(end)
        if isinstance(end, Node):
            stack.extend(edge[0] for edge in end.edges if edge is not None)
    # Lower numbers first: whatever a node leads to is decided before the node itself.
    for end in sorted(order, key=lambda end: end.order):
        if isinstance(end, Node) and not seen[end]:
            seen[end] = any(edge is not None and seen[edge[0]] for edge in end.edges)
    return {end for end, leads in seen.items() if leads}


class _Walk:
    """One walk: what is on its way, and what to do with it."""

    def __init__(
        self,
        keep_graph: bool,
        create_graph: bool,
        wanted: dict[tuple[End, int], Tensor | None] | None,
        needed: set[End] | None,
        accumulate: bool,
    ) -> None:
        self.keep_graph = keep_graph
        self.create_graph = create_graph
        self.wanted = wanted
        self.needed = needed
        self.accumulate = accumulate
        self.pending: dict[End, list[Tensor | None]] = {}
        self.heap: list[tuple[int, End]] = []

    def run(self, roots: Sequence[Root]) -> None:
        for end, index, gradient in roots:
            self._add((end, index, gradient.shape, gradient.dtype), gradient)
        del roots
        heap, take = self.heap, self.pending.pop
        while heap:
            end = heappop(heap)[1]
            if isinstance(end, Track):
                self._reach_leaf(end, take(end))
            else:
                self._pass(end, take(end))

    # ---- nodes ----

    def _pass(self, node: Node, gradients: list[Tensor | None]) -> None:
        if node.taps is not None:
            _look(node, gradients)
        if self.wanted is not None and self._capture(node, gradients):
            return
        if node.prehooks:
            for hook in list(node.prehooks.values()):
                changed = hook(tuple(gradients))
                if changed is not None:
                    gradients = list(changed)
        backward = node.backward
        if backward is None:
            raise _used_up(node)
        walking.node = node
        results: Sequence[Any] = backward(*gradients)
        if node.keeps and not self.keep_graph:
            node.backward = None
        del backward
        if node.hooks:
            results = _hooked(node, results, gradients)
        if anomaly.numbers_wanted():
            _check_numbers(node, results)
        del gradients
        needed, add = self.needed, self._add
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None and (needed is None or edge[0] in needed):
                add(edge, result)

    def _capture(self, end: End, gradients: list[Tensor | None]) -> bool:
        """Take what is wanted; return whether the walk ends here."""
        assert self.wanted is not None
        assert self.needed is not None
        for index, gradient in enumerate(gradients):
            if (end, index) in self.wanted:
                self.wanted[end, index] = gradient
        if isinstance(end, Track):
            return True
        return not any(edge is not None and edge[0] in self.needed for edge in end.edges)

    # ---- sums ----

    def _add(self, edge: Edge, gradient: Any) -> None:
        """Let a gradient wait at its end, added to what waits there already."""
        end, index, shape, dtype = edge
        waiting = self.pending.get(end)
        if waiting is None:
            waiting = self.pending[end] = [None] * (end.outputs if isinstance(end, Node) else 1)
            heappush(self.heap, (-end.order, end))
            have = None
        else:
            have, waiting[index] = waiting[index], None
        if isinstance(gradient, AddInto):
            waiting[index] = self._added_into(have, gradient, shape, dtype)
            return
        if gradient.dtype is not dtype or gradient.shape != shape:
            gradient = fitted(gradient, shape, dtype)
        if have is None:
            waiting[index] = gradient
            return
        # Only this name holds it, and the question.
        if not self.create_graph and getrefcount(have) == 2 and is_unshared(have):
            have += gradient
            waiting[index] = have
        else:
            waiting[index] = have + gradient

    def _added_into(
        self, have: Tensor | None, gradient: AddInto, shape: tuple[int, ...], dtype: DType
    ) -> Tensor:
        if self.create_graph:
            buffer = _native.zeros(shape, dtype=dtype)
            gradient.add(buffer)
            return buffer if have is None else have + buffer
        if have is None:
            buffer = _native.zeros(shape, dtype=dtype)
        elif getrefcount(have) == 3 and is_unshared(have) and have.is_contiguous():
            buffer = have
        else:
            buffer = have._convert(None, True, "row_major")
        gradient.add(buffer)
        return buffer

    # ---- leaves ----

    def _reach_leaf(self, track: Track, gradients: list[Tensor | None]) -> None:
        gradient = gradients.pop()
        assert gradient is not None
        if track.hooks:
            for hook in list(track.hooks.values()):
                changed = hook(gradient)
                if changed is not None:
                    gradient = changed
        if self.wanted is not None:
            self._capture(track, [gradient])
            if not self.accumulate:
                return
        self._accumulate(track, gradient)
        if track.post_hooks:
            for seen in list(track.post_hooks.values()):
                seen()

    def _accumulate(self, track: Track, gradient: Tensor) -> None:
        have = track.grad
        if have is None:
            # The caller's name holds it too, and the question.
            if self.create_graph or (getrefcount(gradient) <= 3 and is_unshared(gradient)):
                track.grad = gradient
            else:
                track.grad = gradient._convert(None, True)
        elif self.create_graph:
            track.grad = have + gradient
        else:
            have.add_(gradient)


def fitted(gradient: Tensor, shape: tuple[int, ...], dtype: DType) -> Tensor:
    """Return a gradient in the shape and dtype of its argument: broadcast axes are summed."""
    if gradient.shape != shape:
        lead = gradient.ndim - len(shape)
        if lead < 0:
            gradient = gradient.expand(shape)
        else:
            axes = [
                axis
                for axis in range(gradient.ndim)
                if axis < lead or (shape[axis - lead] == 1 and gradient.shape[axis] != 1)
            ]
            if axes:
                gradient = gradient.sum(axes, keepdim=True)
            gradient = gradient.reshape(shape) if lead else gradient.expand(shape)
    if gradient.dtype is not dtype:
        if gradient.dtype.is_complex and not dtype.is_complex:
            gradient = gradient.real
        gradient = gradient._convert(dtype, reason="promote")
    return gradient


# ---- who looks on ----


def _look(node: Node, gradients: list[Tensor | None]) -> None:
    assert node.taps is not None
    for index, tap in node.taps.items():
        gradient = gradients[index]
        if gradient is None:
            continue
        for hook in list(tap.hooks.values()):
            changed = hook(gradient)
            if changed is not None:
                gradient = changed
        gradients[index] = gradient
        track = None if tap.retained is None else tap.retained()
        if track is not None:
            track.grad = gradient if track.grad is None else track.grad + gradient


def _hooked(node: Node, results: Sequence[Any], gradients: list[Tensor | None]) -> Sequence[Any]:
    """Show a node's hooks what it made; sparse gradients are written out for them."""
    made: list[Any] = []
    for edge, result in zip(node.edges, results, strict=True):
        if isinstance(result, AddInto) and edge is not None:
            buffer = _native.zeros(edge[2], dtype=edge[3])
            result.add(buffer)
            result = buffer
        made.append(result)
    assert node.hooks is not None
    for hook in list(node.hooks.values()):
        changed = hook(tuple(made), tuple(gradients))
        if changed is not None:
            made = list(changed) if isinstance(changed, (tuple, list)) else [changed]
    return made


def _check_numbers(node: Node, results: Sequence[Any]) -> None:
    for place, result in enumerate(results):
        if isinstance(result, Tensor) and bool(result.isnan().any()):
            raise GradientNotPossible(
                operation=f"backward of {node.operation}",
                reason=f"the gradient of its argument {place} has NaN"
                + (f"; it was recorded at {node.line}" if node.line else ""),
                cure="look at the values that reach it",
            )


def _used_up(node: Node) -> GradientNotPossible:
    return GradientNotPossible(
        operation=f"backward through {node.name()} a second time",
        reason="the tensors that it saved were freed by the first",
        cure="give retain_graph=True the first time",
    )
