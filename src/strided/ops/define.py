"""One definition per operation: everything else that is known of it is made from this.

A definition is a typed Python function under ``@operation``. Its signature is that of the array
API; a body of ``...`` says that a native primitive of the same name computes it, any other body is
what computes it. ``docs/design/operations.md`` says what is made from a definition, and where.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar, cast

from strided import _native
from strided._native import Operation, Tensor, any_tracked, op_table
from strided.ops.results import into
from strided.ops.rule import RULES, Backward, ReadsSelf, Rule

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

# What the array API calls an argument, what PyTorch calls it, and whatever else it goes by. Methods
# show PyTorch's name. Every spelling takes all of them.
ALIASES: dict[str, tuple[str, ...]] = {
    "axis": ("dim",),
    "keepdims": ("keepdim",),
    "correction": ("correction", "ddof"),
    "ord": ("p",),
    "x2": ("other",),
}


# Whether the last argument that comes by its place takes those that are left.
_NEVER, _SEVERAL, _ALWAYS = _native.SPREAD_NEVER, _native.SPREAD_SEVERAL, _native.SPREAD_ALWAYS
_HAS_STAR = 4  # CO_VARARGS

# Elementwise ops of the native library: their numbers, and how many operands they have.
IDS: dict[str, tuple[int, int]] = op_table()

# What a gradient of an op is computed by: ``ops/elementwise.py`` says how it is written.
OpGradient: TypeAlias = Callable[..., Any] | Literal[0]
OpGradients: TypeAlias = tuple[OpGradient, ...]
# By the name of the op: one for each operand, for real numbers and for complex ones.
OP_GRADIENTS: dict[str, tuple[OpGradients, OpGradients]] = {}


def same_for_complex(*gradients: OpGradient) -> tuple[OpGradients, OpGradients]:
    """Return an entry of the table of gradients."""
    return gradients, gradients


def _primitive() -> None:
    """A function without a body, as definitions of native operations are."""
    ...


class Form(NamedTuple):
    """What an argument is made into before an operation runs: once, for its body and its rule."""

    make: Callable[[Any], Tensor]
    kinds: str = "biufc"  # a tensor of one of these kinds, and of this rank, has the form already
    rank: int = -1  # -1: any


class Definition:
    """What is known of one operation."""

    __slots__ = (
        "aliases",
        "attribute",
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
        self.python = python  # what carries the signature, the docstring and perhaps the body
        self.kind = kind
        code = python.__code__
        self.place: tuple[str, int] = (code.co_filename, code.co_firstlineno)  # of the definition
        self.placed = code.co_argcount  # so many parameters may come by their place
        names, end = code.co_varnames, code.co_argcount + code.co_kwonlyargcount
        self.spread = _SEVERAL if spread else _NEVER
        if code.co_flags & _HAS_STAR:
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
        self.forecast: Callable[..., CopyForecast] | None = None
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
        return bool(self.python.__code__.co_code == _primitive.__code__.co_code)

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
        from strided.ops.signature import signature_of

        return signature_of(self, operation)


DEFINITIONS: dict[str, Definition] = {}


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
    function_by_name: bool = False,
    result: type | None = None,
    copies_out: bool = False,
    on_a_copy: bool = False,
    forms: dict[str, Form] | None = None,
    native: tuple[str, ...] = (),
    native_function: bool = False,
    attribute: bool = False,
    overloads: tuple[str, ...] = (),
    namespace: str = "",
    converts: bool = False,
    spread: bool = False,
    forecast: Callable[..., CopyForecast] | None = None,
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

    ``operands`` is how many of the first arguments may be tensors: those in front of the ``/``
    unless said. ``defaults`` are those of the method where they differ. ``function_by_name``: the
    function takes all but its operands by name only. ``namespace``: the function belongs to
    ``strided.fft``, say, and there is no method unless it is named. ``converts``: operands that are
    no tensors (but lists, NumPy's arrays) are made into tensors before anything else. ``result`` is
    the named tuple of several results of a primitive. ``copies_out``: the body knows nothing of
    ``out``, the result is copied there. ``spread``: the last argument that comes by its place may
    also come item by item (``zeros(2, 3)``). ``forecast`` says whether a method that may copy will:
    ``will_copy`` asks it. ``effect`` is what a view does to the strides, in a word: what has one
    may be a step in the explorer, which explains it.
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
        spelled = _Spelling(made, result, into if copies_out else None, forms)
        placed = made.operands if function_by_name else None
        made.operation = spelled.operation(made.name)
        for one in () if function is None or native_function else (function or made.name, *aliases):
            same = one == made.name and placed is None
            made.functions[one] = made.operation if same else spelled.operation(one, placed=placed)
        if native_function:
            made.functions[made.name] = vars(_native)[made.name]
        for one in native:
            made.methods[one] = vars(Tensor)[one]
        if attribute and not native:
            made.methods[made.name] = property(spelled.operation(made.name, True))
        is_method = bool(method) or (method == "" and not namespace)
        is_method = is_method and not native and not attribute
        for one in (method or made.name, *aliases) if is_method else ():
            made.methods[one] = spelled.operation(one, True, defaults or {})
            if on_a_copy:
                made.methods[one.removesuffix("_")] = spelled.on_a_copy(one)
            if in_place:
                made.methods[one + "_"] = spelled.in_place(one, in_place == "several")
        return cast(F, next(iter(made.functions.values()), made.operation))

    return define


class _Spelling:
    """Makes the operations of one definition."""

    def __init__(
        self,
        definition: Definition,
        result: Any = None,
        fill: Any = None,
        forms: dict[str, Form] | None = None,
    ) -> None:
        self.definition = definition
        self.result, self.fill = result, fill
        forms = forms or {}
        assert forms.keys() <= set(definition.parameters), forms
        self.forms = tuple(map(forms.get, definition.parameters)) if forms else None
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
        self.op = None if definition.op is None else IDS[definition.op][0]
        self.run: Any = python
        if definition.is_primitive and definition.native:
            member = vars(Tensor)[definition.native[0]]
            self.run = member if callable(member) else member.__get__  # of an attribute
        elif definition.is_primitive and definition.native_function:
            self.run = vars(_native)[definition.name]
        elif definition.is_primitive:
            self.run = definition.name if self.op is None else None
        self.named = definition.parameters[definition.placed :] or None

    def _keywords(self, is_method: bool) -> tuple[tuple[str, ...], ...]:
        names = self.definition.parameters
        made = [ALIASES.get(name, ()) for name in names[: self.unnamed]]
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
            definition.kind == "in place",
            self.run,
            self.named,
            self.op,
            self.result,
            self.fill,
            self.forms,
        )
        return self._described(made, name, is_method, definition.python.__doc__)

    def on_a_copy(self, in_its_place: str) -> Operation:
        """Return the method that does on a copy what another does in place."""
        definition, name = self.definition, in_its_place.removesuffix("_")
        in_place = self.operation(in_its_place, True, placed=len(definition.parameters))

        def body(x: Tensor, *values: Any) -> Any:
            return in_place(x.clone(), *values)

        made = Operation(
            definition,
            name,
            self._keywords(True),
            tuple(self.defaults.values()),
            self.positional,
            definition.operands,
            True,
            False,
            False,
            body,
            None,
            None,
        )
        says, _, rest = (definition.python.__doc__ or "").partition(", in place")
        text = f"{says}, in a copy{rest.replace(f'.{in_its_place}(', f'.{name}(')}"
        return self._described(made, name, True, text)

    def in_place(self, name: str, several: bool) -> Operation:
        """Return the method that writes the result into its first operand."""
        definition = self.definition
        kept = {n: value for n, value in self.defaults.items() if n != "out"}
        keywords = dict(zip(definition.parameters, self._keywords(True), strict=True))
        made = Operation(
            definition,
            name + "_",
            tuple(keywords[n] for n in kept),
            tuple(kept.values()),
            self.positional,
            definition.operands,
            True,
            False,
            True,
            None if self.run is None else self._writing(tuple(kept), several),
            None,
            self.op,
        )
        says, _, example = (definition.python.__doc__ or "").partition("A new tensor, or ``out``.")
        text = (
            f"{says}In place.\n\n    Overwrites this tensor (and whatever shares its storage), and "
            "returns it."
            + example.replace(f"strided.{definition.name}(", f"strided.Tensor.{name}_(")
        )
        return self._described(made, name + "_", True, text)

    def _writing(self, names: tuple[str, ...], several: bool) -> Callable[..., Any]:
        python, positional = self.definition.python, self.positional

        def body(*values: Any) -> Any:
            x, *rest = values[:positional]
            named = dict(zip(names[positional:], values[positional:], strict=True))
            if several and any_tracked((x,)):
                # Ops in between read what this one overwrites.
                return x.copy_(python(x.clone(), *rest, **named))
            return python(x, *rest, out=x, **named)

        return body

    def _described(self, made: Operation, name: str, is_method: bool, doc: str | None) -> Operation:
        made.__dict__.update(
            __name__=name,
            __qualname__=f"Tensor.{name}" if is_method else name,
            __module__="strided._native" if is_method else self.definition.module,
            __doc__=doc,
            __annotations__=self.definition.python.__annotations__,
            __wrapped__=self.definition.python,
        )
        return made


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
