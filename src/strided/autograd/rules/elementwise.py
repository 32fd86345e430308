"""The rules of elementwise ops, made from the gradient column of ``ops/table.py``.

An expression is compiled when it is first needed, together with those of the op's other operands,
and what none of them names is not kept. Large gradients are computed in one pass over memory, sums
over broadcast axes included; while a graph of the gradients themselves is wanted, op by op.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from strided import _native
from strided._native import DType, Tensor, grad_mode, operand_key
from strided.ops.axes import MANY
from strided.ops.deferred import Deferred, graph_of
from strided.ops.derivatives import namespace
from strided.ops.rule import (
    Backward,
    Call,
    Gradient,
    Gradients,
    ReadsSelf,
    gradient_of,
)
from strided.ops.table import BINARY, TERNARY_GRADIENTS, UNARY

_GRADIENTS: dict[str, tuple[str, ...]] = {
    **{row.name: row.gradient for row in (*UNARY, *BINARY) if row.gradient is not None},
    **TERNARY_GRADIENTS,
}
_SUM, _REDUCE = 0, 4  # as the native library numbers them
_RESULT = -1  # stands for the result where operands are numbered


# ---- from the column to functions ----


class _Part(NamedTuple):
    """How the gradient of one operand is computed."""

    slot: int  # the operand's place among the tensor arguments
    operand: int
    evaluate: Callable[..., Any] | None  # of g, the tensors and the numbers kept; None: zero
    cost: int


class _Plan(NamedTuple):
    """How the gradients of some operands of an op are computed."""

    kept: tuple[int, ...]  # the tensors that are named: operands, or the result
    numbers: tuple[int, ...]  # the operands that are named and are Python numbers
    parts: tuple[_Part, ...]
    slots: int  # how many tensor arguments there are
    real: bool


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


# The series of trigamma holds more numbers than one pass takes.
_CALL_COSTS = {"conj": 0, "base_gradient": 2, "exponent_gradient": 2, "trigamma": -100}


def _cost(tree: ast.expr) -> int:
    """Return how many operations an expression takes, at least."""
    cost = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            cost += _CALL_COSTS.get(node.func.id, 1)
        elif isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare)):
            cost += 1
    return cost


@functools.cache
def _plan(op: str, tensors: int, wanted: int, real: bool) -> _Plan:
    """Return the plan for an op; ``tensors`` and ``wanted`` have a bit for each such operand."""
    names = _operand_names(op)
    places = [i for i in range(len(names)) if tensors >> i & 1]
    trees = {i: _gradient(_GRADIENTS[op][i], real) for i in places if wanted >> i & 1}
    used: set[str] = set().union(*(_mentioned(tree) for tree in trees.values() if tree))
    kept = [(name, i) for i, name in enumerate(names) if name in used and i in places]
    if "y" in used:
        kept.append(("y", _RESULT))
    numbers = [(name, i) for i, name in enumerate(names) if name in used and i not in places]
    parameters = ", ".join(["g", *(name for name, _ in (*kept, *numbers))])
    parts = []
    for i, tree in trees.items():
        slot = places.index(i)
        if tree is None:
            parts.append(_Part(slot, i, None, 0))
        else:
            evaluate = eval(f"lambda {parameters}: {ast.unparse(tree)}", namespace())
            parts.append(_Part(slot, i, evaluate, _cost(tree)))
    kept_places, number_places = (tuple(i for _, i in some) for some in (kept, numbers))
    return _Plan(kept_places, number_places, tuple(parts), len(places), real)


# ---- one pass over memory ----


@functools.lru_cache(maxsize=1024)
def _fused(
    part: _Part, dtypes: tuple[DType, ...], numbers: tuple[Any, ...], summed: int
) -> tuple[list[tuple[Any, ...]], list[int], list[int]]:
    """Return a part as the native library takes it: nodes, inputs by their places, the result.

    ``summed`` has a bit for each axis to sum over.
    """
    given = [_native.empty((), dtype=dtype) for dtype in dtypes]
    assert part.evaluate is not None
    made = part.evaluate(*(Deferred.of(tensor) for tensor in given), *numbers)
    nodes, inputs, results = graph_of([Deferred.of(made)])
    if summed:
        nodes.append((_REDUCE, _SUM, results[0], summed, 0.0))
        results = [len(nodes) - 1]
    places = {id(tensor): place for place, tensor in enumerate(given)}
    return nodes, [places[id(tensor)] for tensor in inputs], results


def _summed_axes(shape: tuple[int, ...], wide: tuple[int, ...]) -> int:
    """Return a bit for each axis of a wide shape along which one that fits it was repeated.

    Only if those are the last axes, else none: sums over others are faster on their own.
    """
    rank = len(wide)
    padded = (1,) * (rank - len(shape)) + shape
    repeated = [axis for axis in range(rank) if padded[axis] != wide[axis]]
    if not repeated or repeated[0] + len(repeated) != rank:
        return 0
    return sum(1 << axis for axis in repeated)


def _in_one_pass(
    part: _Part, tensors: tuple[Tensor, ...], numbers: tuple[Any, ...], summed: int
) -> Tensor:
    """Return a part's gradient, of g and the tensors kept, summed over some of its axes."""
    dtypes = tuple([one.dtype for one in tensors])
    nodes, order, results = _fused(part, dtypes, numbers, summed)
    inputs = [tensors[i] for i in order]
    return _native.run_fused(nodes, inputs, results, tensors[0].shape, [])[0]


# ---- the rules ----


def _widened(value: Tensor, dtype: DType) -> Tensor:
    """Return an operand in the dtype in which its op computed; masks as they are."""
    if value.dtype.kind == "b":
        return value
    wide = _native.promote_types(value.dtype, dtype)
    return value if wide is value.dtype else value.to(wide)


_KEY_BITS = 3  # operands at most, as operand_key counts them


def _plan_of(op: str, key: int, is_complex: bool) -> _Plan:
    return _plan(op, key & (1 << _KEY_BITS) - 1, key >> _KEY_BITS, not is_complex)


def _reads_self(op: str) -> ReadsSelf:
    def reads(target: Tensor, operands: Sequence[Any], needs: Sequence[bool]) -> bool:
        plan = _plan_of(op, operand_key(tuple(operands), tuple(needs)), target.dtype.is_complex)
        return any(i != _RESULT and operands[i] is target for i in plan.kept)

    return reads


def _unary_rule(op: str) -> Callable[..., Backward]:
    plans: dict[bool, _Plan] = {}

    def prepare(call: Call, x: Tensor) -> Backward:
        is_complex = x.dtype.is_complex
        plan = plans.get(is_complex)
        if plan is None:
            plan = plans[is_complex] = _plan(op, 1, 1, not is_complex)
        kept = plan.kept
        saved = call.save(*[call.output if i else x for i in kept]) if kept else tuple
        part = plan.parts[0]
        evaluate = part.evaluate
        fuses = part.cost > 1 and plan.real

        def backward(g: Tensor) -> Gradients:
            if evaluate is None:
                return (_native.zeros((), dtype=g.dtype).expand(g.shape),)
            if fuses and g.size >= MANY and not grad_mode():
                return (_in_one_pass(part, (g, *saved()), (), 0),)
            return (evaluate(g, *saved()),)

        return backward

    return prepare


def _rule(op: str) -> Callable[..., Backward]:
    plans: dict[int, _Plan] = {}

    def prepare(call: Call, *operands: Any) -> Backward:
        y = call.output
        dtype = y.dtype
        key = operand_key(operands, call.edges)
        if dtype.is_complex:
            key = ~key
        plan = plans.get(key)
        if plan is None:
            plan = plans[key] = _plan_of(op, max(key, ~key), key < 0)
        _, numbered, parts, slots, real = plan
        kept = [y if i == _RESULT else operands[i] for i in plan.kept]
        saved = call.save(*kept) if kept else tuple
        numbers = tuple([operands[i] for i in numbered]) if numbered else ()
        shapes = [operands[part.operand].shape for part in parts]

        def backward(g: Tensor) -> Gradients:
            kept = [one if one.dtype is dtype else _widened(one, dtype) for one in saved()]
            in_passes = real and g.size >= MANY and not grad_mode()
            made: list[Gradient] = [None] * slots
            for part, shape in zip(parts, shapes, strict=True):
                slot, _, evaluate, cost = part
                if evaluate is None:
                    made[slot] = _native.zeros((), dtype=dtype).expand(shape)
                    continue
                summed = _summed_axes(shape, g.shape) if in_passes and shape != g.shape else 0
                if in_passes and cost + (summed != 0) > 1:
                    made[slot] = _in_one_pass(part, (g, *kept), numbers, summed)
                else:
                    made[slot] = evaluate(g, *kept, *numbers)
            return made

        return backward

    return prepare


for _op, _gradients in _GRADIENTS.items():
    _made = _unary_rule(_op) if len(_gradients) == 1 else _rule(_op)
    gradient_of(_op, reads_self=_reads_self(_op))(_made)
