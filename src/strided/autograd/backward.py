"""``backward`` and ``grad``: where gradients start and where they end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from strided import _native
from strided._native import Tensor, edge_of
from strided.autograd.traversal import End, Root, traverse
from strided.errors import GradientNotPossible, ShapeMismatch

Tensors: TypeAlias = Tensor | Sequence[Tensor]
Given: TypeAlias = Tensor | Sequence[Tensor | None] | None


def backward(
    tensors: Tensors,
    grad_tensors: Given = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensors | None = None,
) -> None:
    """Add the gradients of tensors to ``grad`` of the leaves (or ``inputs``) they come from.

    The first gradient of a leaf becomes its ``grad`` itself where nobody else sees it, else a copy.

    >>> import strided
    >>> x = strided.tensor([1.0, 2.0], requires_grad=True)
    >>> strided.autograd.backward([(x * x).sum(), x.sum()])
    >>> x.grad.tolist()
    [3.0, 5.0]
    """
    roots = _roots("backward()", _listed(tensors), _given(grad_tensors, tensors))
    keep = create_graph if retain_graph is None else retain_graph
    if inputs is None:
        traverse(roots, keep_graph=keep, create_graph=create_graph)
        return
    listed = _listed(inputs)
    if not listed:
        raise GradientNotPossible(
            operation="backward(inputs=[])",
            reason="no tensor is named",
            hint="leave inputs away to reach all leaves",
        )
    found = _gradients(listed, roots, keep, create_graph)
    for x, gradient in zip(listed, found, strict=True):
        # A retained gradient was added on the way.
        if gradient is not None and not x.retains_grad:
            _add_to_grad(x, gradient, create_graph)


def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Given = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """Return the gradients of outputs by inputs, as new tensors; no ``grad`` changes.

    >>> import strided
    >>> x = strided.tensor([1.0, 2.0], requires_grad=True)
    >>> strided.autograd.grad((x * x).sum(), x)[0].tolist()
    [2.0, 4.0]
    """
    listed = _listed(inputs)
    roots = _roots("grad()", _listed(outputs), _given(grad_outputs, outputs))
    keep = create_graph if retain_graph is None else retain_graph
    found = _gradients(listed, roots, keep, create_graph)
    for place, (x, gradient) in enumerate(zip(listed, found, strict=True)):
        if gradient is not None:
            continue
        if materialize_grads:
            found[place] = _native.zeros(x.shape, dtype=x.dtype)
        elif not allow_unused:
            raise GradientNotPossible(
                operation=f"input {place} of grad()",
                reason="the outputs do not depend on it",
                hint="give allow_unused=True, or materialize_grads=True for zeros",
            )
    return tuple(found)


def _gradients(
    inputs: Sequence[Tensor], roots: Sequence[Root], keep_graph: bool, create_graph: bool
) -> list[Tensor | None]:
    keys: list[tuple[End, int]] = []
    for place, x in enumerate(inputs):
        edge = edge_of(x)
        if edge is None:
            raise GradientNotPossible(
                operation=f"input {place}",
                reason="it does not require a gradient",
                hint="call .requires_grad_() on it before it is used",
            )
        keys.append((edge[0], edge[1]))
    wanted: dict[tuple[End, int], Tensor | None] = dict.fromkeys(keys)
    traverse(
        roots, keep_graph=keep_graph, create_graph=create_graph, wanted=wanted, accumulate=False
    )
    return [wanted[key] for key in keys]


def _add_to_grad(x: Tensor, gradient: Tensor, create_graph: bool) -> None:
    track = x._track
    if track.grad is None:
        track.grad = gradient if create_graph else gradient._convert(None, True)
    else:
        track.grad = track.grad + gradient


def _listed(tensors: Tensors) -> Sequence[Tensor]:
    return (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)


def _given(gradients: Given, tensors: Tensors) -> Sequence[Tensor | None]:
    if isinstance(gradients, Tensor):
        return (gradients,)
    if gradients is None:
        return (None,) * len(_listed(tensors))
    return tuple(gradients)


def _roots(
    call: str, tensors: Sequence[Tensor], gradients: Sequence[Tensor | None]
) -> Sequence[Root]:
    if len(gradients) != len(tensors):
        raise ShapeMismatch(
            operation=call,
            expected=(len(tensors),),
            got=(len(gradients),),
            hint="give one gradient for each tensor",
        )
    return [_root(call, x, g) for x, g in zip(tensors, gradients, strict=True)]


def _root(call: str, x: Tensor, gradient: Tensor | None) -> Root:
    edge = edge_of(x)
    if edge is None:
        raise GradientNotPossible(
            operation=f"{call} of a tensor of shape {x.shape}",
            reason="nothing that it was computed from requires a gradient",
            hint="call .requires_grad_() on what you want gradients of, before it is used",
        )
    if gradient is None:
        if x.numel() != 1:
            raise GradientNotPossible(
                operation=f"{call} of a tensor of shape {x.shape}",
                reason="only of a single number it is clear where to start",
                hint="give its gradient: y.backward(gradient), or reduce it first: "
                "y.sum().backward()",
            )
        if x.dtype.is_complex:
            raise GradientNotPossible(
                operation=f"{call} of a complex number",
                reason="only of a real number it is clear where to start",
                hint="give its gradient: y.backward(gradient)",
            )
        gradient = _native.empty(x.shape, dtype=x.dtype).fill_(1)
    elif gradient.shape != x.shape:
        raise ShapeMismatch(
            operation=call,
            expected=x.shape,
            got=gradient.shape,
            hint="a gradient has the shape of its tensor",
        )
    if gradient.dtype is not x.dtype:
        gradient = gradient._convert(x.dtype, reason="promote")
    return (edge[0], edge[1], gradient)
