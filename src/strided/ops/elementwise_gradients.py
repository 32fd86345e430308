"""Rules of elementwise ops, made from the gradients of their definitions.

A gradient is a function whose parameters say what it needs: what none of an op's gradients names is
not kept. Large gradients are computed in one pass over memory, sums over broadcast axes included;
while a graph of the gradients themselves is wanted, op by op.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from strided import _native
from strided._native import (
    FUSED_COMPUTE,
    FUSED_FOLDS,
    FUSED_REDUCE,
    OPERAND_KEY_BITS,
    DType,
    Tensor,
    grad_mode,
    operand_key,
)
from strided.ops.deferred import Deferred, graph_of
from strided.ops.fused import MANY
from strided.ops.gradients import (
    OP_GRADIENTS,
    Backward,
    Call,
    Gradient,
    Gradients,
    OpGradient,
    ReadsSelf,
    gradient_of,
)

_RESULT = -1  # stands for the result where operands are numbered


# ---- from gradients to plans ----


class _Part(NamedTuple):
    """How the gradient of one operand is computed."""

    slot: int  # the operand's place among the tensor arguments
    operand: int
    evaluate: Callable[..., Any] | None  # of g, the tensors and the numbers kept; None: zero


class _Plan(NamedTuple):
    """How the gradients of some operands of an op are computed."""

    kept: tuple[int, ...]  # the tensors that are named: operands, or the result
    numbers: tuple[int, ...]  # the operands that are named and are Python numbers
    parts: tuple[_Part, ...]
    slots: int  # how many tensor arguments there are
    real: bool


def _operand_names(count: int) -> str:
    return "x" if count == 1 else "abc"[:count]


def _names(gradient: OpGradient) -> tuple[str, ...]:
    if gradient == 0:
        return ()
    code = gradient.__code__
    found: tuple[str, ...] = code.co_varnames[: code.co_argcount]
    return found


def _picking(gradient: Callable[..., Any], places: list[int], given: int) -> Callable[..., Any]:
    """Return a function of all that is kept which calls one with what it names."""
    if places == list(range(given)):
        return gradient
    return lambda *all_kept: gradient(*[all_kept[place] for place in places])


@functools.cache
def _plan(op: str, tensors: int, wanted: int, real: bool) -> _Plan:
    """Return the plan for an op; ``tensors`` and ``wanted`` have a bit for each such operand."""
    gradients = OP_GRADIENTS[op][0 if real else 1]
    names = _operand_names(len(gradients))
    places = [i for i in range(len(names)) if tensors >> i & 1]
    needed = {i: gradients[i] for i in places if wanted >> i & 1}
    used = {name for gradient in needed.values() for name in _names(gradient)}
    kept = [(name, i) for i, name in enumerate(names) if name in used and i in places]
    if "y" in used:
        kept.append(("y", _RESULT))
    numbers = [(name, i) for i, name in enumerate(names) if name in used and i not in places]
    given = ["g", *(name for name, _ in (*kept, *numbers))]
    parts = []
    for i, gradient in needed.items():
        evaluate = None
        if gradient != 0:
            picked = [given.index(name) for name in _names(gradient)]
            evaluate = _picking(gradient, picked, len(given))
        parts.append(_Part(places.index(i), i, evaluate))
    kept_places, number_places = (tuple(i for _, i in some) for some in (kept, numbers))
    return _Plan(kept_places, number_places, tuple(parts), len(places), real)


# ---- one pass over memory ----


_MOST_OPS = 48  # in one pass; the series of trigamma holds more numbers than one pass takes


@functools.lru_cache(maxsize=1024)
def _repays(part: _Part, dtypes: tuple[DType, ...], numbers: tuple[Any, ...], summed: bool) -> bool:
    """Return whether a part takes several operations, so that one pass over memory repays."""
    nodes, _, _ = _fused(part, dtypes, numbers, 0)
    count = sum(node[0] == FUSED_COMPUTE for node in nodes)
    return bool(1 < count + summed <= _MOST_OPS)


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
        nodes.append((FUSED_REDUCE, FUSED_FOLDS["sum"], results[0], summed, 0.0))
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


def _plan_of(op: str, key: int, is_complex: bool) -> _Plan:
    return _plan(op, key & (1 << OPERAND_KEY_BITS) - 1, key >> OPERAND_KEY_BITS, not is_complex)


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
        real = plan.real

        def backward(g: Tensor) -> Gradients:
            if evaluate is None:
                return (_native.zeros((), dtype=g.dtype).expand(g.shape),)
            if real and g.size >= MANY and not grad_mode():
                tensors = (g, *saved())
                if _repays(part, tuple([one.dtype for one in tensors]), (), False):
                    return (_in_one_pass(part, tensors, (), 0),)
                return (evaluate(*tensors),)
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
                slot, _, evaluate = part
                if evaluate is None:
                    made[slot] = _native.zeros((), dtype=dtype).expand(shape)
                    continue
                summed = _summed_axes(shape, g.shape) if in_passes and shape != g.shape else 0
                if in_passes and _repays(
                    part, tuple([one.dtype for one in (g, *kept)]), numbers, summed != 0
                ):
                    made[slot] = _in_one_pass(part, (g, *kept), numbers, summed)
                else:
                    made[slot] = evaluate(g, *kept, *numbers)
            return made

        return backward

    return prepare


def enter_rules() -> None:
    """Enter the rule of each op that has gradients into the table."""
    for op, (gradients, _) in OP_GRADIENTS.items():
        made = _unary_rule(op) if len(gradients) == 1 else _rule(op)
        gradient_of(op, reads_self=_reads_self(op))(made)
