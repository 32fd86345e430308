"""In-place operations on tensors that gradients pass.

After a write a tensor has a new history: the operation, then what the tensor was. For a view it is
the memory's owner (its *root*) that gets one, "the root with this part replaced"; the view, and all
other views of the root, take their history from there when they are next used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from strided import _native
from strided._native import (
    MADE_WITHOUT_GRAD,
    Operation,
    RecordedCall,
    Tensor,
    Track,
    apply_into,
    edge_of,
    grad_mode,
    node_of,
    rule_of,
    set_grad_mode,
    tensors_and_edges,
    track_of,
    visit_node,
    visited_node,
)
from strided.autograd.graph import Edge, Node, rebase
from strided.autograd.view_rules import StorageView
from strided.errors import GradientNotPossible
from strided.ops.copying import nothing
from strided.ops.define import operation
from strided.ops.gradients import AddInto


def record_write(
    name: str,
    function: Operation | int | Callable[..., Any] | None,
    target: Tensor,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
) -> Tensor:
    """Do an in-place call and record it.

    What runs is an operation, an op by its number, a Python function, or (None) the native method
    of the name.
    """
    if isinstance(function, Operation):
        return write(name, function.compute, target, args, {})
    if isinstance(function, int):

        def run(*operands: Any) -> Tensor:
            return apply_into(function, target, *operands)

        return write(name, run, target, args, {})
    return write(name, function or getattr(Tensor, name), target, args, kwargs or {})


def write(
    name: str,
    run: Callable[..., Any],
    target: Tensor,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Tensor:
    """Overwrite a tensor, with other values whose history it then has."""
    tensors, edges = tensors_and_edges(args, kwargs)
    own = [x is target for x in tensors]
    before = set_grad_mode(False)
    try:
        if not any(edges) or target.dtype.kind not in "fc":  # integers take values, no gradients
            _check_made_with_grad(name, target)
            run(*args, **kwargs)
            return target
        check(name, target)
        rule = rule_of(name)
        if rule is None:
            run(*args, **kwargs)
            rewrite(name, target, edges, own, lambda g: (nothing,) * len(edges), False)
            return target
        given = args
        if rule.reads(target, args, [edge is not None for edge in edges]):
            old = target._convert(None, True)
            given = tuple(old if arg is target else arg for arg in args)
            tensors = [old if x is target else x for x in tensors]
        run(*args, **kwargs)
        call = RecordedCall(target, tensors, edges)
        backward = rule.prepare(call, *given, **kwargs)
        rewrite(name, target, edges, own, backward, call.keeps)
        return target
    finally:
        set_grad_mode(before)


def check(name: str, target: Tensor) -> None:
    """Refuse what PyTorch refuses: leaves, views of leaves, pieces, views made without grad."""
    track: Track | None = track_of(target)
    root = target._root
    above: Track | None = root._track
    if above is not None and above.node is None and above.requires_grad:
        what = "a leaf" if root is target else "a view of a leaf"
        raise GradientNotPossible(
            operation=f"{name} in place",
            reason=f"it would overwrite {what} that requires a gradient",
            hint="write under strided.no_grad(), or into a .clone()",
        )
    if track is not None and track.is_piece:
        raise GradientNotPossible(
            operation=f"{name} in place",
            reason="it would overwrite one of several views that one call made (split, unbind)",
            hint="take the view by indexing, x[i], and write into that",
        )
    _check_made_with_grad(name, target)


def _check_made_with_grad(name: str, target: Tensor) -> None:
    if target._root._apart == MADE_WITHOUT_GRAD:
        raise GradientNotPossible(
            operation=f"{name} in place",
            reason="it would overwrite a view that was made under no_grad()",
            hint="make the view where gradients are recorded, or write under strided.no_grad()",
        )


def rewrite(
    name: str,
    target: Tensor,
    edges: tuple[Edge | None, ...],
    own: list[bool],
    backward: Callable[..., Any],
    keeps: bool,
) -> None:
    """Give the root of a tensor the history of a write; some arguments are the tensor itself."""
    root = target._root
    if root is target:
        track: Track | None = root._track
        node = node_of(name, edges, backward, keeps)
        if track is None:
            track = root._track = Track(None)
        rebase(track, node)
        track.epoch += 1
        return
    geometry = StorageView(root, target)
    above: Track | None = root._track
    root_edge = edge_of(root)
    replaced = Replacement(root, geometry, backward, own)
    node = node_of(name, (root_edge, *edges), replaced, keeps)
    if above is None:
        above = root._track = Track(None)
    rebase(above, node)
    above.epoch += 1
    track = target._track
    if track is None:
        track = target._track = Track(None)
    track.root, track.root_epoch = above, -1  # not the number of any write
    track_of(target)


def take_layout(name: str, target: Tensor, view: Tensor) -> Tensor:
    """Give a tensor the layout of a view of itself, and with it the view's place in the graph."""
    made: Track | None = view._track
    if made is None or made.node is None:
        return target._adopt(view)
    check(name, target)
    track = track_of(target)
    assert track is not None
    target._adopt(view)
    # No element changed, so that other views of the memory need not be taken anew.
    rebase(track, made.node)
    return target


class Replacement:
    """The gradient of a root, part of which an operation replaced."""

    __slots__ = ("backward", "dtype", "geometry", "own", "shape")

    def __init__(
        self,
        root: Tensor,
        geometry: StorageView,
        backward: Callable[..., Any],
        own: list[bool],  # which arguments of the operation are the part as it was
    ) -> None:
        self.shape, self.dtype = root.shape, root.dtype
        self.geometry, self.backward, self.own = geometry, backward, own

    def __call__(self, g: Tensor) -> tuple[Any, ...]:
        plain = self.geometry.place is not None
        buffer = g._convert(None, True, "row_major") if plain else self.geometry.spread(g)
        return self._replaced(buffer, plain)

    def in_place(self, gradients: list[Any]) -> tuple[Any, ...]:
        """Rewrite the gradient itself: k parts of one tensor do not cost k times the whole."""
        if self.geometry.place is None or not gradients[0].is_contiguous():
            return self(*gradients)
        return self._replaced(gradients[0], True)

    def _replaced(self, buffer: Tensor, plain: bool) -> tuple[Any, ...]:
        part = self.geometry.part_of(buffer)
        results = list(self._results(part.clone()))
        part.zero_()
        for place, own in enumerate(self.own):
            if not own:
                continue
            result, results[place] = results[place], None
            if isinstance(result, AddInto):
                made = _native.zeros(part.shape, dtype=part.dtype)
                result.add(made)
                result = made
            if result is not None:
                part.add_(result)
        return (buffer if plain else self.geometry.whole_of(buffer), *results)

    def _results(self, g: Tensor) -> Sequence[Any]:
        if not grad_mode():
            return self.backward(g)  # type: ignore[no-any-return]
        # What the operation saved of its result is the part of the root, not the root itself.
        node = visited_node()
        assert node is not None
        edge = (node, 0, self.shape, self.dtype)
        visit_node(Node(node.operation, (edge,), self.geometry))
        try:
            return self.backward(g)  # type: ignore[no-any-return]
        finally:
            visit_node(node)


# ---- another layout for a tensor itself: that of a view of it, and its place in the graph ----


@operation(function=None, kind="in place")
def squeeze_(x: Tensor, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """Drop axes of length 1 from this tensor in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(1, 3).squeeze_().shape
    (3,)
    """
    return take_layout("squeeze_", x, x.squeeze() if axis is None else x.squeeze(axis))


@operation(function=None, kind="in place")
def unsqueeze_(x: Tensor, /, axis: int) -> Tensor:
    """Insert an axis of length 1 into this tensor in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(3).unsqueeze_(0).shape
    (1, 3)
    """
    return take_layout("unsqueeze_", x, x.unsqueeze(axis))


@operation(function=None, aliases=("swapaxes_", "swapdims_"), kind="in place")
def transpose_(x: Tensor, /, dim0: int, dim1: int) -> Tensor:
    """Swap two axes of this tensor in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(2, 3).transpose_(0, 1).shape
    (3, 2)
    """
    return take_layout("transpose_", x, x.transpose(dim0, dim1))


@operation(function=None, kind="in place")
def t_(x: Tensor, /) -> Tensor:
    """Transpose this tensor of rank 0 to 2 in place. Changes its layout, moves nothing.

    >>> import strided
    >>> strided.zeros(2, 3).t_().shape
    (3, 2)
    """
    return take_layout("t_", x, x.t())


@operation(function=None, kind="in place")
def as_strided_(
    x: Tensor, /, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor:
    """Give this tensor any layout that stays inside its storage, in place. Moves nothing.

    >>> import strided
    >>> strided.arange(6).as_strided_((2, 2), (1, 2)).tolist()
    [[0, 2], [1, 3]]
    """
    return take_layout("as_strided_", x, x.as_strided(size, stride, storage_offset))
