"""Values of a function that is being fused: known by shape, not yet computed.

``strided.fuse`` calls the user's function with these in place of tensors. Operators, elementwise
functions and reductions on them build a graph; ``evaluate`` runs it in one pass over memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import DuplicateAxis, GradientNotPossible, UnsupportedOperation
from strided.ops.arguments import as_integers
from strided.ops.define import Definition
from strided.ops.elementwise import op_id

# Kinds of nodes, and what a reduction does.
_INPUT, _NUMBER, _COMPUTE = _native.FUSED_INPUT, _native.FUSED_NUMBER, _native.FUSED_COMPUTE
_CONVERT, _REDUCE, _FOLDS = _native.FUSED_CONVERT, _native.FUSED_REDUCE, _native.FUSED_FOLDS
# A reduction inside a function is recomputed from the cache; what it goes over must fit there.
_MOST_REDUCED = 1 << 18
# Members that make views, entered by their definitions.
_VIEWS: set[str] = set()


def _refuse(what: str) -> UnsupportedOperation:
    return UnsupportedOperation(
        operation=f"{what} inside a fused function",
        reason="a value that is not computed yet has no memory to look at",
        hint="take views of the arguments, or do this outside of the function",
    )


class Deferred:
    """A value inside a fused function: an argument, a number, or something computed from them."""

    __slots__ = ("_args", "_dropped", "_what", "shape", "tensor")
    __array_ufunc__ = None

    def __init__(
        self,
        what: tuple[Any, ...],
        args: tuple[Deferred, ...],
        shape: tuple[int, ...],
        tensor: Tensor | None = None,
    ) -> None:
        self._what = what
        self._args = args
        self._dropped: tuple[int, ...] = ()  # axes that the result of a reduction does not keep
        self.shape = shape
        self.tensor = tensor

    @staticmethod
    def of(value: Any) -> Deferred:
        """Return a tensor or number as a value."""
        if isinstance(value, Deferred):
            if value._dropped:
                raise UnsupportedOperation(
                    operation="using a reduction inside a fused function",
                    reason=f"axis {value._dropped[0]} is gone, so it does not line up with others",
                    hint="reduce with keepdim=True",
                )
            return value
        if isinstance(value, Tensor):
            return Deferred((_INPUT,), (), tuple(value.shape), value)
        if isinstance(value, (bool, int, float, complex)):
            return Deferred((_NUMBER, value), (), ())
        raise TypeError(f"a fused function takes tensors and numbers, not {type(value).__name__}")

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def dtype(self) -> DType:
        """The dtype that the value will have."""
        return _native.fused_dtype(*_listed([self], _ordered([self]))[:2])

    def size(self, dim: int | None = None) -> Any:
        """Return the shape, or the length of one axis, as ``Tensor.size`` does."""
        return self.shape if dim is None else self.shape[dim]

    def __getattr__(self, name: str) -> Any:
        if name not in _VIEWS:
            raise AttributeError(f"a value inside a fused function has no attribute {name!r}")
        if self.tensor is None:
            raise _refuse(f".{name}")
        member = getattr(self.tensor, name)
        return _view_method(member) if callable(member) else Deferred.of(member)

    def __getitem__(self, key: Any) -> Deferred:
        if self.tensor is None:
            raise _refuse("indexing")
        return Deferred.of(self.tensor[key])

    def __bool__(self) -> bool:
        raise _refuse("asking whether a value is true")

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"Deferred(shape={self.shape}, dtype={self.dtype})"

    # ---- dtypes ----

    def _convert(
        self, dtype: Any, copy: bool | None = False, memory_format: Any = None
    ) -> Deferred:
        """Return the value in another dtype."""
        if memory_format is not None:
            raise _refuse("memory_format=")
        if dtype is None:
            return self
        return Deferred((_CONVERT, _native.as_dtype(dtype)), (Deferred.of(self),), self.shape)

    # ---- reductions ----

    def _deferred(self, operation: Any, *values: Any) -> Deferred:
        """Return the value of an operation that was called on this one."""
        definition = operation.definition
        if definition.gives_views and not definition.is_primitive:
            return definition.run_body(values)  # type: ignore[no-any-return]
        if definition.fuse is None:
            return self.__getattr__(operation.__name__)  # type: ignore[no-any-return]
        if definition.fuse == "body":
            return definition.run_body(values)  # type: ignore[no-any-return]
        given = dict(zip(definition.parameters, values, strict=True))
        if given.get("out") is not None:
            raise _refuse("out=")
        axes = given["axis"] if given.get("dim") is None else given["dim"]
        correction = given.get("correction", 0)
        return self._fold(definition.fuse, axes, given["keepdims"], given.get("dtype"), correction)

    def _deferred_op(self, op: int, *operands: Any) -> Deferred:
        """Return the value of an elementwise op that was called with this one among others."""
        return compute_by_id(op, *operands)

    def _fold(
        self, name: str, dim: Any, keepdim: bool, dtype: Any = None, correction: float = 0.0
    ) -> Deferred:
        source = Deferred.of(self) if dtype is None else self._convert(dtype)
        rank = len(source.shape)
        dims = tuple(range(rank)) if dim is None else as_integers(dim)
        axes = sorted(_native.normal_axis(axis, rank) for axis in dims)
        for axis, following in itertools.pairwise(axes):
            if axis == following:
                raise DuplicateAxis(axis=axis, axes=dims)
        bits = sum(1 << axis for axis in axes)
        shape = tuple(1 if bits >> i & 1 else n for i, n in enumerate(source.shape))
        folded = Deferred((_REDUCE, _FOLDS[name], bits, float(correction)), (source,), shape)
        if dtype is not None and folded.dtype != _native.as_dtype(dtype):
            folded = folded._convert(dtype)  # small integers are added up in larger ones
        if not keepdim:
            folded._dropped = tuple(axes)
        return folded


def _view_method(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        made = method(*args, **kwargs)
        if isinstance(made, tuple):
            return tuple(Deferred.of(one) for one in made)
        return Deferred.of(made)

    return call


def take_methods(definitions: Iterable[Definition]) -> None:
    """Give values the methods that they know how to compute later."""
    for definition in definitions:
        if definition.gives_views and definition.fuse is None:
            _VIEWS.update(definition.methods)
            continue
        if definition.fuse is None and definition.op is None:
            continue
        for name, method in definition.methods.items():
            if not name.endswith("_"):
                setattr(Deferred, name, method)


def compute(name: str, *operands: Any) -> Any:
    """Return the value of an elementwise op: a Deferred, whose operators types do not know."""
    return compute_by_id(op_id(name), *operands)


def compute_by_id(op: int, *operands: Any) -> Deferred:
    """Return the value of the op with this number."""
    args = tuple(Deferred.of(operand) for operand in operands)
    shape: tuple[int, ...] = ()
    for arg in args:
        shape = tuple(_native.broadcast_shape(shape, arg.shape))
    return Deferred((_COMPUTE, op), args, shape)


def _method(op: int, reflected: bool = False) -> Callable[..., Deferred]:
    if reflected:
        return lambda self, other: compute_by_id(op, other, self)
    return lambda self, *others: compute_by_id(op, self, *others)


def _attach() -> None:
    operators = {
        "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide",
        "floordiv": "floor_divide", "mod": "remainder", "pow": "pow", "and": "bitwise_and",
        "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "bitwise_left_shift",
        "rshift": "bitwise_right_shift",
    }  # fmt: skip
    for operator, name in operators.items():
        setattr(Deferred, f"__{operator}__", _method(op_id(name)))
        setattr(Deferred, f"__r{operator}__", _method(op_id(name), reflected=True))
    comparisons = {
        "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal",
        "ne": "not_equal", "neg": "negative", "pos": "positive", "abs": "absolute",
        "invert": "bitwise_not",
    }  # fmt: skip
    for operator, name in comparisons.items():
        setattr(Deferred, f"__{operator}__", _method(op_id(name)))
    Deferred.__hash__ = object.__hash__  # type: ignore[method-assign]


_attach()


# ---- running the graph ----


def _ordered(results: Sequence[Deferred]) -> list[Deferred]:
    """Return all values that the results need, arguments before what uses them. No recursion."""
    order: list[Deferred] = []
    done: set[int] = set()
    stack = list(reversed(results))
    while stack:
        value = stack[-1]
        waits_for = [arg for arg in value._args if id(arg) not in done]
        if waits_for and id(value) not in done:
            stack += reversed(waits_for)
            continue
        stack.pop()
        if id(value) not in done:
            done.add(id(value))
            order.append(value)
    return order


def _listed(
    results: Sequence[Deferred], ordered: Sequence[Deferred]
) -> tuple[list[tuple[Any, ...]], list[Tensor], list[int]]:
    """Return the graph as the native library takes it: nodes, input tensors, wanted nodes."""
    nodes: list[tuple[Any, ...]] = []
    inputs: list[Tensor] = []
    place: dict[int, int] = {}
    for value in ordered:
        place[id(value)] = len(nodes)
        args = [place[id(arg)] for arg in value._args]
        kind, *rest = value._what
        if kind == _INPUT:
            assert value.tensor is not None
            nodes.append((_INPUT, len(inputs)))
            inputs.append(value.tensor)
        elif kind == _REDUCE:
            fold, bits, correction = rest
            nodes.append((_REDUCE, fold, args[0], bits, correction))
        else:
            nodes.append((kind, *rest, *args))
    return nodes, inputs, [place[id(value)] for value in results]


def _common_shape(result: Deferred) -> tuple[int, ...]:
    return result._args[0].shape if result._what[0] == _REDUCE else result.shape


def _fits_inside(value: Deferred, shape: tuple[int, ...]) -> bool:
    """Say whether an inner reduction can be computed block by block, together with the results."""
    if value._args[0].shape != shape:
        return False
    bits = value._what[2]
    first = (bits & -bits).bit_length() - 1
    count = 1
    for length in shape[first:]:
        count *= length
    return bool(bits) and bits >> first == (1 << len(shape) - first) - 1 and count <= _MOST_REDUCED


def _settled(
    results: Sequence[Deferred], shape: tuple[int, ...], settle: Callable[[Deferred], Tensor]
) -> list[Deferred]:
    """Return what the results need, in order.

    Inner reductions that cannot run together with the results are settled first; they keep their
    values.
    """
    ordered = _ordered(results)
    reductions = [value for value in ordered if value._what[0] == _REDUCE]
    if not reductions:
        return ordered
    wanted = {id(result) for result in results}
    used = {id(arg) for value in ordered for arg in value._args}
    for value in reductions:
        if value.tensor is not None or id(value) not in used:
            continue
        if not _fits_inside(value, shape) or id(value) in wanted:
            value.tensor = settle(value)
            value._what, value._args = (_INPUT,), ()
    return _ordered(results)


def _passes(results: Sequence[Deferred]) -> list[list[int]]:
    """Return the numbers of the results that are computed together: those of one shape, or each."""
    together = len({_common_shape(result) for result in results}) == 1
    numbers = list(range(len(results)))
    return [numbers] if together else [[number] for number in numbers]


def evaluate(results: Sequence[Deferred], out: Sequence[Tensor] = ()) -> list[Tensor]:
    """Return the tensors that values stand for, written to ``out`` where it is given."""
    made: list[Tensor] = []
    for numbers in _passes(results):
        made += _run([results[i] for i in numbers], [out[i] for i in numbers] if out else [])
    return made


def _run(results: Sequence[Deferred], out: Sequence[Tensor]) -> list[Tensor]:
    shape = _common_shape(results[0])
    ordered = _settled(results, shape, lambda value: evaluate([value])[0])
    kept = [
        target.reshape(result.shape) if result._dropped else target
        for result, target in zip(results, out, strict=bool(out))
    ]
    nodes, inputs, wanted = _listed(results, ordered)
    if _native.any_tracked(inputs) and any(result.dtype.kind in "fc" for result in results):
        raise GradientNotPossible(
            operation="a gradient of a fused function",
            reason="it uses a tensor that requires one and that it did not get as an argument",
            hint="give the tensor as an argument, or call it under strided.no_grad()",
        )
    made = _native.run_fused(nodes, inputs, wanted, shape, kept)
    if out:
        return list(out)
    return [
        tensor.squeeze(result._dropped) if result._dropped else tensor
        for tensor, result in zip(made, results, strict=True)
    ]


def graph_of(
    results: Sequence[Deferred],
) -> tuple[list[tuple[Any, ...]], list[Tensor], list[int]]:
    """Return the graph behind values as ``run_fused`` takes it: nodes, inputs, wanted nodes."""
    return _listed(results, _ordered(results))
