"""One definition per operation: everything else that is known of it is made from this.

A definition is a typed Python function under ``@operation``. Its signature is that of the array
API; a body of ``...`` says that a native primitive of the same name computes it, any other body is
what computes it. ``docs/design/operations.md`` says what is made from a definition, and where.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, cast

from strided._native import Operation
from strided.ops.results import into
from strided.ops.rule import RULES, Backward, ReadsSelf, Rule

if TYPE_CHECKING:
    from inspect import Signature

F = TypeVar("F", bound=Callable[..., Any])
# A DType, its name, a NumPy dtype, or Python's bool, int, float or complex.
DTypeLike: TypeAlias = Any
# What an operation returns: new tensors, views, either as the case may be, what it overwrites, or
# no tensor at all.
Kind = Literal["new", "view", "either", "in place", "value"]

# What the array API calls an argument, what PyTorch calls it, and whatever else it goes by. Methods
# show PyTorch's name. Every spelling takes all of them.
ALIASES: dict[str, tuple[str, ...]] = {
    "axis": ("dim",),
    "keepdims": ("keepdim",),
    "correction": ("correction", "ddof"),
    "ord": ("p",),
}


# As in bindings/operation.cpp: what takes the arguments that are left.
_NEVER, _SEVERAL, _ALWAYS = range(3)
_HAS_STAR = 4  # CO_VARARGS


def _primitive() -> None:
    """A function without a body, as definitions of native operations are."""
    ...


class Definition:
    """What is known of one operation."""

    __slots__ = (
        "converts",
        "function",
        "fuse",
        "gradient",
        "kind",
        "method",
        "name",
        "namespace",
        "numpy",
        "operands",
        "operation",
        "overloads",
        "parameters",
        "placed",
        "python",
        "spread",
    )

    def __init__(
        self,
        name: str,
        python: FunctionType,
        kind: Kind,
        namespace: str = "",
        converts: bool = False,
        spread: bool = False,
    ) -> None:
        self.name = name
        self.namespace = namespace  # of the function below `strided`: "fft"; that itself: ""
        self.converts = converts  # operands that are no tensors, as asarray does
        self.python = python  # what carries the signature, the docstring and perhaps the body
        self.kind = kind
        code = python.__code__
        self.placed = code.co_argcount  # so many parameters may come by their place
        names, end = code.co_varnames, code.co_argcount + code.co_kwonlyargcount
        self.spread = _SEVERAL if spread else _NEVER
        if code.co_flags & _HAS_STAR:
            names = (*names[: self.placed], names[end], *names[self.placed : end])
            self.placed, end, self.spread = self.placed + 1, end + 1, _ALWAYS
        self.parameters = names[:end]
        self.operands = code.co_posonlyargcount  # so many of the first may be tensors
        self.operation: Any = None  # with the spelling of the definition itself
        self.function: Any = None  # of the namespace
        self.method: Any = None  # of Tensor
        self.gradient: Rule | None = None
        self.numpy: str | None = None
        self.fuse: str | None = None
        self.overloads: tuple[str, ...] = ()

    @property
    def rule_name(self) -> str:
        """The name by which calls are recorded: ``add_`` passes gradients as ``add`` does."""
        return self.name.removesuffix("_") if self.kind == "in place" else self.name

    @property
    def module(self) -> str:
        """The name of the module that has the function."""
        return f"strided.{self.namespace}" if self.namespace else "strided"

    @property
    def is_primitive(self) -> bool:
        """Whether a native primitive of its name computes it."""
        return self.python.__code__.co_code == _primitive.__code__.co_code

    @property
    def passes_gradients(self) -> bool:
        """Whether results take part in graphs, by a rule or by what the body is made of."""
        return self.gradient is not None or not self.is_primitive

    def run_body(self, values: Sequence[Any]) -> Any:
        """Run the Python body with arguments in the order of the definition."""
        placed, last = self.placed, self.placed - 1
        named = dict(zip(self.parameters[placed:], values[placed:], strict=True))
        if self.spread == _ALWAYS:
            return self.python(*values[:last], *values[last], **named)
        return self.python(*values[:placed], **named)

    def __repr__(self) -> str:
        return f"<definition of {self.name}>"

    def signature_of(self, operation: Operation) -> Signature:
        """Return the signature of one spelling: its shown names, then their other names."""
        from strided.ops.signature import signature_of

        return signature_of(self, operation)


DEFINITIONS: dict[str, Definition] = {}


def operation(
    *,
    name: str | None = None,
    function: str | None = "",
    method: str | None = "",
    gradient: Callable[..., Backward] | None = None,
    reads_self: ReadsSelf = False,
    numpy: str | None = None,
    fuse: str | None = None,
    kind: Kind = "new",
    operands: int | None = None,
    defaults: dict[str, Any] | None = None,
    function_by_name: bool = False,
    result: type | None = None,
    copies_out: bool = False,
    overloads: tuple[str, ...] = (),
    namespace: str = "",
    converts: bool = False,
    spread: bool = False,
) -> Callable[[F], F]:
    """Define an operation by a function that has its signature, docstring and perhaps its body.

    ``function`` and ``method`` are its public names, the function's own unless said; None: it is
    none. ``gradient`` is its rule, called with the arguments in the order of the definition;
    without one a primitive's results take no part in graphs, and a body passes gradients by what
    it is made of. ``reads_self``: the rule needs what an in-place form overwrites. ``numpy`` names
    NumPy's function and its parameters (as described in ``interop/numpy/definition_rows.py``),
    ``fuse`` what it is inside a fused function ("body": its body takes values that are computed
    later as well). ``operands`` is how many of the first arguments
    may be tensors: those in front of the ``/`` unless said. ``defaults`` are those of the method
    where they differ. ``function_by_name``: the function takes all but its operands by name only.
    ``namespace``: the function belongs to ``strided.fft``, say, and there is no method unless it is
    named. ``converts``: operands that are no tensors (but lists, NumPy's arrays) are made into
    tensors before anything else. ``result`` is the named tuple of several results of a primitive.
    ``copies_out``: the body knows nothing of ``out``, the result is copied there.
    ``spread``: the last argument that comes by its place may also come item by item
    (``zeros(2, 3)``).
    """

    def define(python: F) -> F:
        assert isinstance(python, FunctionType)
        made = Definition(name or python.__name__, python, kind, namespace, converts, spread)
        key = f"{namespace}.{made.name}" if namespace else made.name
        assert key not in DEFINITIONS, f"{key} is defined twice"
        DEFINITIONS[key] = made
        made.numpy, made.fuse, made.overloads = numpy, fuse, overloads
        if gradient is not None:
            rule_name = made.rule_name
            assert rule_name not in RULES, rule_name
            made.gradient = RULES[rule_name] = Rule(rule_name, gradient, reads_self)
        if operands is not None:
            made.operands = operands
        spelled = _Spelling(made, result, into if copies_out else None)
        placed = made.operands if function_by_name else None
        made.operation = spelled.operation(made.name)
        if function is not None:
            made.function = spelled.operation(function or made.name, placed=placed)
        if method or (method == "" and not namespace):
            made.method = spelled.operation(method or made.name, True, defaults or {})
        return cast(F, made.function or made.operation)

    return define


class _Spelling:
    """Makes the operations of one definition."""

    def __init__(self, definition: Definition, result: Any, fill: Any) -> None:
        self.definition = definition
        self.result, self.fill = result, fill
        python = definition.python
        code: CodeType = python.__code__
        self.positional = definition.placed
        given = python.__defaults__ or ()
        values: dict[str, Any] = dict.fromkeys(definition.parameters, ...)
        first = code.co_argcount - len(given)
        values.update(zip(definition.parameters[first : code.co_argcount], given, strict=True))
        values.update(python.__kwdefaults__ or {})
        if definition.spread == _ALWAYS:
            values[definition.parameters[definition.placed - 1]] = ()
        self.defaults = values
        self.unnamed = code.co_posonlyargcount
        self.run: Any = definition.name if definition.is_primitive else python
        self.named = definition.parameters[definition.placed :] or None

    def _keywords(self, is_method: bool) -> tuple[tuple[str, ...], ...]:
        names = self.definition.parameters
        made: list[tuple[str, ...]] = [()] * self.unnamed
        star = self.definition.placed - 1 if self.definition.spread == _ALWAYS else None
        for place, name in enumerate(names[self.unnamed :], self.unnamed):
            if place == star:
                made.append(())
                continue
            others = [n for n in ALIASES.get(name, ()) if n not in names or n == name]
            first = others[:1] if is_method else [name]
            made.append(tuple(dict.fromkeys(map(sys.intern, [*first, name, *others]))))
        return tuple(made)

    def operation(
        self,
        name: str,
        is_method: bool = False,
        defaults: dict[str, Any] | None = None,
        placed: int | None = None,
    ) -> Operation:
        """Return the operation under one name."""
        definition = self.definition
        made = Operation(
            definition,
            name,
            self._keywords(is_method),
            tuple((self.defaults | (defaults or {})).values()),
            self.positional if placed is None else placed,
            definition.operands,
            is_method,
            definition.gradient is not None,
            self.run,
            self.named,
            self.result,
            self.fill,
        )
        made.__dict__.update(
            __name__=name,
            __qualname__=f"Tensor.{name}" if is_method else name,
            __module__="strided._native" if is_method else definition.module,
            __doc__=definition.python.__doc__,
            __annotations__=definition.python.__annotations__,
            __wrapped__=definition.python,
        )
        return made


def functions() -> dict[str, Any]:
    """Return the functions of ``strided`` itself by name."""
    made = (one.function for one in DEFINITIONS.values() if not one.namespace)
    return {one.__name__: one for one in made if one is not None}


def methods() -> dict[str, Any]:
    """Return the methods of Tensor by name."""
    made = (definition.method for definition in DEFINITIONS.values())
    return {one.__name__: one for one in made if one is not None}
