"""One definition per operation: everything else that is known of it is made from this.

A definition is a typed Python function under ``@operation``. Its signature is that of the array
API; a body of ``...`` says that a native primitive of the same name computes it, any other body is
what computes it. ``docs/design/operations.md`` says what is made from a definition, and where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from inspect import CO_VARARGS
from types import FunctionType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, cast

from strided import _native
from strided._native import Operation, Tensor
from strided.ops.arguments import Form, into
from strided.ops.gradients import (
    OP_GRADIENTS,
    RULES,
    Backward,
    OpGradients,
    ReadsSelf,
    Rule,
    same_for_complex,
)
from strided.ops.spelling import Spelling, signature_of

if TYPE_CHECKING:
    from inspect import Signature

    from strided.copies.forecast import CopyForecast


F = TypeVar("F", bound=Callable[..., Any])
# A DType, its name, a NumPy dtype, or Python's bool, int, float or complex.
DTypeLike: TypeAlias = Any
# What an operation returns: new tensors, views, either as the case may be, what it overwrites, or
# no tensor at all.
Kind = Literal["new", "view", "either", "in place", "value"]
# What a view does to the strides: two axes are swapped, all are put in order, and so on.
Effect = Literal[
    "swap", "order", "rotate", "part", "reverse", "one", "repeat", "merge", "split", "diagonal",
    "window", "free", "same", "pack",
]  # fmt: skip


# Picks one of the functions of ``copies/forecast.py``, which is loaded when somebody asks.
Forecast: TypeAlias = "Callable[[Any], Callable[..., CopyForecast]]"

# Whether the last argument that comes by its place takes those that are left.
_NEVER, _SEVERAL, _ALWAYS = _native.SPREAD_NEVER, _native.SPREAD_SEVERAL, _native.SPREAD_ALWAYS


def _primitive() -> None:
    """A function without a body, as definitions of native operations are."""
    ...


class Definition:
    """What is known of one operation."""

    __slots__ = (
        "aliases",
        "also",
        "attribute",
        "by_name",
        "converts",
        "effect",
        "forecast",
        "functions",
        "fuse",
        "gradient",
        "kind",
        "methods",
        "name",
        "namespace",
        "native",
        "native_function",
        "numpy",
        "op",
        "operands",
        "operation",
        "overloads",
        "parameters",
        "place",
        "placed",
        "python",
        "spread",
        "takes_lists",
        "ufunc",
    )

    def __init__(
        self,
        name: str,
        python: Any,
        kind: Kind,
        namespace: str = "",
        converts: bool = False,
        spread: bool = False,
    ) -> None:
        self.name = name
        self.namespace = namespace  # of the function below `strided`: "fft"; that itself: ""
        self.converts = converts  # operands that are no tensors, as asarray does
        self.by_name = ""  # why the function takes all but its operands by name
        self.takes_lists = False  # the function does, though methods do not
        self.also: dict[str, str] = {}  # more names of a parameter, in words
        self.python = python  # what carries the signature, the docstring and perhaps the body
        self.kind = kind
        code = python.__code__
        self.place: tuple[str, int] = (code.co_filename, code.co_firstlineno)  # of the definition
        self.placed = code.co_argcount  # so many parameters may come by their place
        names, end = code.co_varnames, code.co_argcount + code.co_kwonlyargcount
        self.spread = _SEVERAL if spread else _NEVER
        if code.co_flags & CO_VARARGS:
            names = (*names[: self.placed], names[end], *names[self.placed : end])
            self.placed, end, self.spread = self.placed + 1, end + 1, _ALWAYS
        self.parameters = names[:end]
        self.operands = code.co_posonlyargcount  # so many of the first may be tensors
        self.operation: Any = None  # with the spelling of the definition itself
        self.functions: dict[str, Any] = {}  # of the namespace, aliases included
        self.methods: dict[str, Any] = {}  # of Tensor, aliases and in-place forms included
        self.aliases: tuple[str, ...] = ()
        self.gradient: Rule | None = None
        self.numpy: str | None = None
        self.ufunc = ""
        self.fuse: str | None = None
        self.native: tuple[str, ...] = ()  # methods that the native type has itself
        self.attribute = False  # it is no method but an attribute
        self.forecast: Forecast | None = None
        self.effect: Effect | None = None  # of a view, on the strides
        self.native_function = False  # it is a function of the extension
        self.op: str | None = None  # the elementwise op that computes it
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
    def gives_views(self) -> bool:
        """Whether a result may be a view of an operand."""
        return self.kind in ("view", "either")

    @property
    def is_primitive(self) -> bool:
        """Whether a native primitive, or elementwise op, of its name does all of it."""
        code = self.python.__code__
        same = code.co_code == _primitive.__code__.co_code
        return bool(same and code.co_consts[1:] == (None,))  # not: return True

    @property
    def gradients(self) -> OpGradients | None:
        """The gradients of its op for real numbers; None where there are none."""
        found = OP_GRADIENTS.get(self.op or "")
        return found and found[0]

    @property
    def passes_gradients(self) -> bool:
        """Whether results take part in graphs, by a rule or by what the body is made of."""
        if self.op is not None and self.gradients is None:
            return False
        return self.gradient is not None or self.op is not None or not self.is_primitive

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
        return signature_of(self, operation)


DEFINITIONS: dict[str, Definition] = {}
# In place in NumPy and on a copy in PyTorch: there is no function of the name.
NUMPY_WRITES = {"put"}


def operation(
    *,
    name: str | None = None,
    function: str | None = "",
    method: str | None = "",
    aliases: tuple[str, ...] = (),
    gradient: Callable[..., Backward] | None = None,
    reads_self: ReadsSelf = False,
    op: str | None = None,
    gradients: OpGradients | None = None,
    numpy: str | None = None,
    numpy_ufunc: str = "",
    fuse: str | None = None,
    kind: Kind = "new",
    in_place: bool | Literal["several"] = False,
    operands: int | None = None,
    defaults: dict[str, Any] | None = None,
    function_by_name: str | None = None,
    result: type | None = None,
    copies_out: bool = False,
    on_a_copy: bool = False,
    forms: dict[str, Form] | None = None,
    native: tuple[str, ...] = (),
    native_function: bool = False,
    attribute: bool = False,
    settable: bool = False,
    overloads: tuple[str, ...] = (),
    namespace: str = "",
    converts: bool = False,
    spread: bool = False,
    also: dict[str, str] | None = None,
    forecast: Forecast | None = None,
    effect: Effect | None = None,
) -> Callable[[F], F]:
    """Define an operation by a function that has its signature, docstring and perhaps its body.

    ``function`` and ``method`` are its public names, the function's own unless said; None: it is
    none; ``aliases`` are more of them. ``in_place``: there is also a method ``name_``; "several":
    the body consists of several operations, so that gradients need a copy of what it overwrites.

    ``gradient`` is its rule, called with the arguments in the order of the definition; without one
    a primitive's results take no part in graphs, and a body passes gradients by what it is made of.
    ``reads_self``: the rule needs what an in-place form overwrites. ``op`` is the elementwise op
    that computes it unless parameters that are no operands have other values than their defaults,
    for which there is the body; ``gradients`` are those of the op (``ops/elementwise.py``).

    ``numpy`` names NumPy's function and its parameters (as described in ``interop/numpy_rows.py``),
    ``numpy_ufunc`` NumPy's ufunc, ``fuse`` what it is inside a fused function ("body": its body
    takes values that are computed later as well).

    ``on_a_copy``: of an operation ``name_``, in place, there is also a method ``name`` that does it
    on a copy. ``forms`` say what arguments are made into before body and rule are called
    with them (a list of positions: a tensor).

    ``native`` names the methods of the native type that are this operation: it parses their
    arguments itself, in less time than an Operation, and ``overloads`` are their signatures.
    ``native_function``: the function of its name is one of the extension, for the same reason.
    ``attribute``: it is no method but an attribute (a native one with ``native``).

    ``settable``: what is assigned to the attribute is copied into the view that it is.

    ``operands`` is how many of the first arguments may be tensors: those in front of the ``/``
    unless said. ``defaults`` are those of the method where they differ. ``function_by_name``: the
    function takes all but its operands by name only, and the text says why. ``namespace``: the
    function belongs to ``strided.fft``, say, and there is no method unless it is named.
    ``converts``: operands that are no tensors (but lists, NumPy's arrays) are made into tensors
    before anything else; without it functions do so of lists and arrays, and methods do not.
    ``result`` is the named tuple of several results of a primitive. ``copies_out``: the body knows
    nothing of ``out``, the result is copied there. ``spread``: the last argument that comes by its
    place may also come item by item (``zeros(2, 3)``). ``also`` are more names of parameters,
    beside those of ``ALIASES``: ``{"axis": "dims"}``. ``forecast`` picks the function of
    ``copies/forecast.py`` that says whether it will copy: ``will_copy`` asks it. ``effect`` is
    what a view does to the strides, in a word: what has one may be a step in the explorer, which
    explains it.
    """

    def define(python: F) -> F:
        assert isinstance(python, FunctionType)
        made = Definition(name or python.__name__, python, kind, namespace, converts, spread)
        key = f"{namespace}.{made.name}" if namespace else made.name
        assert key not in DEFINITIONS, f"{key} is defined twice"
        DEFINITIONS[key] = made
        made.numpy, made.ufunc, made.fuse = numpy, numpy_ufunc, fuse
        made.overloads, made.aliases, made.op = overloads, aliases, op
        made.attribute, made.forecast, made.effect = attribute, forecast, effect
        made.native, made.native_function = native, native_function
        made.also = also or {}
        if gradient is not None:
            rule_name = made.rule_name
            assert rule_name not in RULES, rule_name
            made.gradient = RULES[rule_name] = Rule(rule_name, gradient, reads_self)
        elif kind == "in place":
            made.gradient = RULES.get(made.rule_name)  # that of the form that makes a new tensor
        if gradients is not None:
            assert op is not None
            OP_GRADIENTS[op] = same_for_complex(*gradients)
        if operands is not None:
            made.operands = operands
        shown = python.__annotations__
        first = shown[made.parameters[0]] if made.operands else ""
        is_public = function is not None and kind != "in place"
        made.takes_lists = is_public and first in ("Tensor", "Operand")
        spelled = Spelling(made, result, into if copies_out else None, forms)
        placed = made.operands if function_by_name else None
        made.by_name = function_by_name or ""
        made.operation = spelled.operation(made.name)
        for one in () if function is None or native_function else (function or made.name, *aliases):
            same = one == made.name and placed is None
            made.functions[one] = made.operation if same else spelled.operation(one, placed=placed)
        if native_function:
            made.functions[made.name] = vars(_native)[made.name]
        for one in native:
            made.methods[one] = vars(Tensor)[one]
        if attribute and not native:
            getter = spelled.operation(made.name, True)
            setter = _writer(made.name) if settable else None
            made.methods[made.name] = property(getter, setter)
        is_method = bool(method) or (method == "" and not namespace)
        is_method = is_method and not native and not attribute
        for one in (method or made.name, *aliases) if is_method else ():
            made.methods[one] = spelled.operation(one, True, defaults or {})
            if on_a_copy:
                short = one.removesuffix("_")
                made.methods[short] = spelled.on_a_copy(one, True)
                if short not in NUMPY_WRITES:
                    made.functions[short] = spelled.on_a_copy(one, False)
            if in_place:
                made.methods[one + "_"] = spelled.in_place(one, in_place == "several")
        return cast(F, made.functions.get(function or made.name, made.operation))

    return define


def _writer(name: str) -> Callable[[Tensor, Any], None]:
    def write(x: Tensor, value: Any) -> None:
        view = getattr(x, name)
        view.copy_(value) if isinstance(value, Tensor) else view.fill_(value)

    return write


def functions() -> dict[str, Any]:
    """Return the functions of ``strided`` itself by name."""
    return _once(one.functions for one in DEFINITIONS.values() if not one.namespace)


def methods() -> dict[str, Any]:
    """Return the methods of Tensor by name."""
    return _once(definition.methods for definition in DEFINITIONS.values())


def _once(tables: Iterable[dict[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for table in tables:
        twice = made.keys() & table.keys()
        assert not twice, f"{sorted(twice)}: two definitions have this name"
        made.update(table)
    return made
