"""What happens when an operation on tracked tensors ran: it becomes a node of the graph.

The native type calls ``record`` with a result, and ``record_view`` with a view; both run with grad
mode off. ``record_call`` runs a whole Python function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import Tensor, alias, attach, call_of, set_grad_mode
from strided.autograd.anomaly import lines_wanted, user_line
from strided.autograd.history import edge_of
from strided.autograd.node import Edge, Node
from strided.autograd.track import Track
from strided.autograd.view_rules import OF_SEVERAL, adjoint_of
from strided.errors import GradientNotPossible
from strided.ops.results import refuse_out
from strided.ops.rule import RULES, Rule

_ELEMENTWISE = frozenset(_native.op_table())
_WITH_GRADIENTS = "fc"
_DETACHED = 1  # Apart of bindings/tensor_object.hpp


def rule_of(name: str) -> Rule | None:
    """Return the rule of an operation; None for an op of the table that has no gradient."""
    rule = RULES.get(name)
    if rule is None and name not in _ELEMENTWISE:
        raise GradientNotPossible(
            operation=f"a gradient of {name}",
            reason="there is no rule for its gradient",
            hint="call it under strided.no_grad(), or on .detach()",
        )
    return rule


def record(name: str, output: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> None:
    """Make a result part of the graph of what it was computed from."""
    rule = RULES.get(name)
    if rule is None:
        rule = rule_of(name)
        if rule is None:
            return
    call = call_of(output, args, kwargs)
    if call is None:
        return
    backward = rule.prepare(call, *args, **kwargs) if kwargs else rule.prepare(call, *args)
    if isinstance(output, Tensor):
        node = attach(output, name, call.edges, backward, call.keeps)
        if lines_wanted():
            node.line = user_line()
        return
    results = _differentiable(output)
    node = node_of(name, call.edges, backward, call.keeps, len(results))
    for index, result in enumerate(results):
        result._track = Track(node, index)


def node_of(
    name: str,
    edges: tuple[Edge | None, ...],
    backward: Callable[..., Any],
    keeps: bool,
    outputs: int = 1,
) -> Node:
    """Return a new node; in anomaly mode it knows the line of the program that made it."""
    node = Node(name, edges, backward, outputs, keeps)
    if lines_wanted():
        node.line = user_line()
    return node


def _differentiable(output: Any) -> list[Tensor]:
    """Return the results that have gradients: positions and masks have none."""
    return [one for one in output if isinstance(one, Tensor) and one.dtype.kind in _WITH_GRADIENTS]


def record_call(
    name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run a function on plain values and record it by its rule."""
    if kwargs.get("out") is not None:
        refuse_out(name)
    before = set_grad_mode(False)
    try:
        output = function(*args, **kwargs)
        if isinstance(output, Tensor):
            if output.dtype.kind not in _WITH_GRADIENTS or any(output is one for one in args):
                return output
            if output._root._track is None:
                output = alias(output)  # what it is a view of was made inside, and is nobody's
        elif not isinstance(output, (tuple, list)):
            return output
        record(name, output, args, kwargs)
        return output
    finally:
        set_grad_mode(before)


def record_view(x: Tensor, view: Tensor, strides: tuple[int, ...], offset: int, kind: int) -> None:
    """Make a view part of the graph of its tensor."""
    edge = edge_of(x)
    if edge is None:
        return
    backward = adjoint_of(x, view, strides, offset, kind)
    if backward is None:
        view._apart = _DETACHED  # bits have no gradient
        return
    root, above = x._root, x._track
    track = Track(node_of("view", (edge,), backward, False), 0, root._track)
    track.is_piece = kind == OF_SEVERAL or (above is not None and above.is_piece)
    view._track = track
