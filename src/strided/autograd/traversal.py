"""The traversal of a graph, from results back to leaves.

Nodes are numbered as they are made, so what was computed from a node has a higher number. A heap
that gives the highest number first therefore reaches a node only after all that used its results;
there is no recursion and no counting. Gradients wait in ``pending`` until their node is reached,
and are added up there; those of leaves go straight into ``grad``, unless somebody wants to see
their sum first. A sum goes in place only into memory that nobody else can see.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any, TypeAlias

from strided import _native
from strided._native import Tensor, Track, is_sole, set_grad_mode, visit_node, visited_node
from strided.autograd.grad_mode import numbers_wanted
from strided.autograd.graph import Edge, Hook, Node
from strided.autograd.in_place import Replacement
from strided.errors import GradientNotPossible, ShapeMismatch
from strided.ops.gradients import AddInto

End: TypeAlias = Node | Track
# A node or leaf, the number of its result, and the gradient of that.
Root: TypeAlias = tuple[End, int, Tensor]


def traverse(
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
    outer = visit_node(None)
    try:
        needed = None if wanted is None else _leading_to(roots, wanted)
        _Traversal(keep_graph, create_graph, wanted, needed, accumulate).run(roots)
    finally:
        visit_node(outer)
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


class _Traversal:
    """One traversal: what is on its way, and what to do with it."""

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
        self.checks_numbers = numbers_wanted()
        self.pending: dict[End, list[Tensor | None]] = {}
        self.heap: list[tuple[int, End]] = []

    def run(self, roots: Sequence[Root]) -> None:
        for end, index, gradient in roots:
            self._add((end, index, gradient.shape, gradient.dtype), gradient)
        del roots
        heap, take = self.heap, self.pending.pop
        while heap:
            end = heappop(heap)[1]
            if type(end) is Track:
                self._reach_leaf(end, take(end))
            else:
                self._pass(end, take(end))

    # ---- nodes ----

    def _pass(self, node: Node, gradients: list[Tensor | None]) -> None:
        if node.result_hooks is not None:
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
        visit_node(node)
        results: Sequence[Any]
        if type(backward) is Replacement and self._may_rewrite(node, gradients):
            results = backward.in_place(gradients)
        else:
            results = backward(*gradients)
        if node.keeps and not self.keep_graph:
            node.backward = None
        del backward
        if node.hooks:
            results = _hooked(node, results, gradients)
        if self.checks_numbers:
            _check_numbers(node, results)
        del gradients
        edges, needed, seen = node.edges, self.needed, self.wanted is not None
        if (type(results) is not tuple and type(results) is not list) or len(results) != len(edges):
            _expect_one_each(node, results)
        for place, edge in enumerate(edges):
            if edge is None or results[place] is None:
                continue
            end = edge[0]
            if needed is not None and end not in needed:
                continue
            # A part of a leaf's gradient need not wait for the others, unless somebody wants to see
            # their sum, or few of many elements are added up in one buffer first.
            if (
                type(end) is Track
                and not seen
                and not end.hooks
                and not end.post_hooks
                and isinstance(results[place], Tensor)
            ):
                self._accumulate(end, edge, results, place)
            else:
                self._add(edge, results[place])

    def _may_rewrite(self, node: Node, gradients: list[Tensor | None]) -> bool:
        """Return whether nobody will miss the gradient that a node is given."""
        return not self.create_graph and not node.hooks and is_sole(gradients, 0)

    def _capture(self, end: End, gradients: list[Tensor | None]) -> bool:
        """Take what is wanted; return whether the traversal ends here."""
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
        if type(gradient) is not Tensor:
            if isinstance(gradient, AddInto):
                self._add_into(waiting, index, gradient, edge)
                return
            _expect_tensor(gradient)
        if gradient.dtype is not dtype or gradient.shape != shape:
            gradient = fitted(gradient, edge)
        if waiting[index] is None:
            waiting[index] = gradient
        elif not self.create_graph and is_sole(waiting, index):
            waiting[index] += gradient
        else:
            waiting[index] = waiting[index] + gradient

    def _add_into(self, waiting: list[Any], index: int, gradient: AddInto, edge: Edge) -> None:
        _, _, shape, dtype = edge
        if waiting[index] is None:
            waiting[index] = _native.zeros(shape, dtype=dtype)
        elif self.create_graph:
            buffer = _native.zeros(shape, dtype=dtype)
            gradient.add(buffer)
            waiting[index] = waiting[index] + buffer
            return
        elif not (is_sole(waiting, index) and waiting[index].is_contiguous()):
            waiting[index] = waiting[index]._convert(None, True, "row_major")
        gradient.add(waiting[index])

    # ---- leaves ----

    def _accumulate(self, track: Track, edge: Edge, gradients: Sequence[Any], place: int) -> None:
        """Add one of some gradients to that of a leaf; the first is taken over if nobody has it."""
        have = track.grad
        if have is not None:
            given = gradients[place]
            if given.dtype is not edge[3] or given.shape != edge[2]:
                given = fitted(given, edge)
            if self.create_graph:
                track.grad = have + given
            else:
                have += given
            return
        if gradients[place].dtype is not edge[3] or gradients[place].shape != edge[2]:
            gradients, place = [fitted(gradients[place], edge)], 0
        takes = self.create_graph or is_sole(gradients, place)
        track.grad = gradients[place] if takes else gradients[place]._convert(None, True)

    def _reach_leaf(self, track: Track, gradients: list[Tensor | None]) -> None:
        if track.hooks:
            for hook in list(track.hooks.values()):
                gradients[0] = _changed(hook, gradients[0])
        if self.wanted is not None:
            self._capture(track, gradients)
            if not self.accumulate:
                return
        gradient = gradients[0]
        assert gradient is not None
        edge = (track, 0, gradient.shape, gradient.dtype)
        del gradient
        self._accumulate(track, edge, gradients, 0)
        if track.post_hooks:
            for seen in list(track.post_hooks.values()):
                seen()


def fitted(gradient: Tensor, edge: Edge) -> Tensor:
    """Return a gradient in the shape and dtype of its argument: broadcast axes are summed."""
    _, _, shape, dtype = edge
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


def _changed(hook: Hook, gradient: Any) -> Any:
    """Return what a hook makes of a gradient: another one of its shape, or the gradient itself."""
    changed = hook(gradient)
    if changed is None:
        return gradient
    _expect_tensor(changed)
    if changed.shape != gradient.shape:
        raise ShapeMismatch(
            operation="a hook of a gradient",
            expected=gradient.shape,
            got=changed.shape,
            hint="return a gradient of the same shape, or None to leave it as it is",
        )
    return changed


def _look(node: Node, gradients: list[Tensor | None]) -> None:
    assert node.result_hooks is not None
    for index, seen in node.result_hooks.items():
        gradient = gradients[index]
        if gradient is None:
            continue
        for hook in list(seen.hooks.values()):
            gradient = _changed(hook, gradient)
        gradients[index] = gradient
        track = None if seen.retained is None else seen.retained()
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
                hint="look at the values that reach it",
            )


# ---- refusals ----


def _used_up(node: Node) -> GradientNotPossible:
    return GradientNotPossible(
        operation=f"backward through {node.name()} a second time",
        reason="the tensors that it saved were freed by the first",
        hint="give retain_graph=True the first time",
    )


def _expect_one_each(node: Node, results: Any) -> None:
    count = len(node.edges)
    if isinstance(results, Sequence) and len(results) == count:
        return
    got = f"{len(results)} gradients" if isinstance(results, Sequence) else type(results).__name__
    raise GradientNotPossible(
        operation=f"backward of {node.operation}",
        reason=f"it returned {got} for {count} tensor arguments",
        hint="return a tuple with one gradient per tensor argument, None for those without",
    )


def _expect_tensor(gradient: Any) -> None:
    if isinstance(gradient, Tensor):
        return
    node = visited_node()
    raise GradientNotPossible(
        operation="backward" if node is None else f"backward of {node.operation}",
        reason=f"a gradient is a tensor or None, got {type(gradient).__name__}",
        hint="return tensors from rules, functions and hooks of gradients",
    )
