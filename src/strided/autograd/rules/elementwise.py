"""The rules of elementwise ops, made from the gradient column of ``ops/table.py``.

An expression is compiled when it is first needed, together with those of the op's other operands,
and what none of them names is not kept. Large gradients are computed in one pass over memory, sums
over broadcast axes included; while a graph of the gradients themselves is wanted, op by op.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from strided import _native
from strided._native import DType, Tensor
from strided.autograd.rule import Backward, Call, Gradient, Gradients, gradient_of
from strided.autograd.rules.derivatives import namespace
from strided.ops.deferred import Deferred, graph_of
from strided.ops.table import BINARY, TERNARY_GRADIENTS, UNARY

_GRADIENTS: dict[str, tuple[str, ...]] = {
    **{row.name: row.gradient for row in (*UNARY, *BINARY) if row.gradient is not None},
    **TERNARY_GRADIENTS,
}
_MANY = 1 << 13  # elements from which one pass over memory repays its preparation
_SUM, _REDUCE = 0, 4  # as the native library numbers them
_RESULT = -1  # stands for the result where operands are numbered


# ---- from the column to functions ----


class _Plan(NamedTuple):
    """How the gradients of some operands of an op are computed."""

    kept: tuple[int, ...]  # the operands that evaluate takes, or the result
    evaluate: Callable[..., tuple[Any, ...]]  # of g and what was kept
    made: tuple[int, ...]  # the operands whose gradients evaluate returns
    zero: tuple[int, ...]  # the operands whose gradients are zero
    fuses: bool  # more than one operation


def _operand_names(op: str) -> str:
    count = len(_GRADIENTS[op])
    return "x" if count == 1 else "abc"[:count]


def _mentioned(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _gradient(expression: str, real: bool) -> ast.expr | None:
    """Return the parsed gradient, None for zero. Of ``this if real else that`` what applies."""
    tree = ast.parse(expression, mode="eval").body
    if isinstance(tree, ast.IfExp) and _mentioned(tree.test) == {"real"}:
        tree = tree.body if real else tree.orelse
    if isinstance(tree, ast.Constant) and tree.value == 0:
        return None
    if "g" in _mentioned(tree):
        return tree
    return ast.parse(f"g * conj({ast.unparse(tree)})", mode="eval").body


def _cost(tree: ast.expr) -> int:
    """Return how many operations an expression takes, at least."""
    cost = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            cost += {"conj": 0, "base_gradient": 2, "exponent_gradient": 2}.get(node.func.id, 1)
        elif isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare)):
            cost += 1
    return cost


@functools.cache
def _plan(op: str, wanted: tuple[int, ...], real: bool) -> _Plan:
    trees = {operand: _gradient(_GRADIENTS[op][operand], real) for operand in wanted}
    live = {operand: tree for operand, tree in trees.items() if tree is not None}
    zero = tuple(operand for operand in wanted if operand not in live)
    used: set[str] = set().union(*map(_mentioned, live.values()))
    named = [*enumerate(_operand_names(op)), (_RESULT, "y")]
    kept = [(place, name) for place, name in named if name in used]
    parameters = ", ".join(["g", *(name for _, name in kept)])
    results = "".join(f"{ast.unparse(tree)}, " for tree in live.values())
    evaluate = eval(f"lambda {parameters}: ({results})", namespace())
    # The series of trigamma holds more numbers than one pass takes.
    fuses = sum(map(_cost, live.values())) > 1 and "trigamma" not in used
    return _Plan(tuple(place for place, _ in kept), evaluate, tuple(live), zero, fuses)


def reads_first(op: str) -> bool:
    """Return whether a gradient of an op names its first operand."""
    name = _operand_names(op)[0]
    return any(name in _mentioned(ast.parse(text)) for text in _GRADIENTS[op])


# ---- one pass over memory ----


@functools.lru_cache(maxsize=1024)
def _fused(
    plan: _Plan, numbers: tuple[Any, ...], dtypes: tuple[DType, ...], summed: tuple[int, ...]
) -> tuple[list[tuple[Any, ...]], list[Any], list[int]]:
    """Return a plan as the native library takes it: nodes, inputs by their places, results.

    ``numbers`` has None in the places of tensors, ``summed`` a bit for each axis to sum over.
    """
    given = [_native.empty((), dtype=dtype) for dtype in dtypes]
    values = iter([Deferred.of(tensor) for tensor in given])
    g = next(values)
    made = plan.evaluate(g, *(next(values) if number is None else number for number in numbers))
    nodes, inputs, results = graph_of([Deferred.of(one) for one in made])
    for i, bits in enumerate(summed):
        if bits:
            nodes.append((_REDUCE, _SUM, results[i], bits, 0.0))
            results[i] = len(nodes) - 1
    places = {id(tensor): place for place, tensor in enumerate(given)}
    return nodes, [places[id(tensor)] for tensor in inputs], results


def _broadcast_axes(shape: tuple[int, ...], wide: tuple[int, ...]) -> int:
    """Return a bit for each axis of a wide shape along which one that fits it was repeated."""
    lead = len(wide) - len(shape)
    bits = (1 << lead) - 1
    for axis, length in enumerate(shape, lead):
        if length != wide[axis]:
            bits |= 1 << axis
    return bits


def _in_one_pass(
    plan: _Plan, g: Tensor, values: list[Any], shapes: list[tuple[int, ...]]
) -> list[Tensor]:
    tensors = [g, *(value for value in values if isinstance(value, Tensor))]
    numbers = tuple(None if isinstance(value, Tensor) else value for value in values)
    summed = tuple(_broadcast_axes(shape, g.shape) for shape in shapes)
    nodes, order, results = _fused(plan, numbers, tuple(one.dtype for one in tensors), summed)
    inputs = [tensors[place] for place in order]
    made = _native.run_fused(nodes, inputs, results, g.shape, [])
    return [one.reshape(shape) for one, shape in zip(made, shapes, strict=True)]


# ---- the rules ----


def _widened(value: Any, dtype: DType) -> Any:
    """Return an operand in the dtype in which its op computed; masks and numbers as they are."""
    if not isinstance(value, Tensor) or value.dtype is dtype or value.dtype.kind == "b":
        return value
    wide = _native.promote_types(value.dtype, dtype)
    return value if wide is value.dtype else value.to(wide)


def _rule(op: str) -> Callable[..., Backward]:
    def prepare(call: Call, *operands: Any) -> Backward:
        y = call.output
        places = [i for i, operand in enumerate(operands) if isinstance(operand, Tensor)]
        wanted = tuple(i for k, i in enumerate(places) if call.needs(k))
        real = not (y.dtype.is_complex or any(operands[i].dtype.is_complex for i in wanted))
        plan = _plan(op, wanted, real)
        values = [y if place == _RESULT else operands[place] for place in plan.kept]
        numbers = [None if isinstance(value, Tensor) else value for value in values]
        saved = call.save(*(value if isinstance(value, Tensor) else None for value in values))
        shapes = [operands[i].shape for i in plan.made]
        zeros = {i: operands[i].shape for i in plan.zero}
        dtype = y.dtype

        def backward(g: Tensor) -> Gradients:
            given = [
                number if tensor is None else _widened(tensor, dtype)
                for tensor, number in zip(saved(), numbers, strict=True)
            ]
            if plan.fuses and real and g.size >= _MANY and not recording():
                made: Any = _in_one_pass(plan, g, given, shapes)
            else:
                made = plan.evaluate(g, *given)
            found: dict[int, Gradient] = dict(zip(plan.made, made, strict=True))
            for i, shape in zeros.items():
                found[i] = _native.zeros((), dtype=dtype).expand(shape)
            return [found.get(i) for i in places]

        return backward

    return prepare


def recording() -> bool:
    """Return whether operations on tracked tensors are recorded now."""
    return bool(getattr(_native, "is_grad_enabled", bool)())


for _op in _GRADIENTS:
    gradient_of(_op, reads_self=reads_first(_op))(_rule(_op))
