"""Spellings: the functions and methods of a definition, and what ``inspect.signature`` shows."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from inspect import Parameter, Signature
from keyword import iskeyword
from types import CodeType
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import SPREAD_ALWAYS, Operation, Tensor, any_tracked
from strided.ops.arguments import Form
from strided.ops.gradients import IDS

if TYPE_CHECKING:
    from strided.ops.define import Definition


# What the array API calls an argument, what PyTorch calls it, and whatever else it goes by. Methods
# show PyTorch's name. Every spelling takes all of them.
ALIASES: dict[str, tuple[str, ...]] = {
    "x": ("input", "a"),
    "x1": ("input",),
    "arrays": ("tensors",),
    "axis": ("dim",),
    "keepdims": ("keepdim",),
    "correction": ("correction", "ddof", "unbiased"),
    "ord": ("p",),
    "x2": ("other",),
}


class Spelling:
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
        if definition.spread == SPREAD_ALWAYS:
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
        known = {n: (*ALIASES.get(n, ()), *self.definition.also.get(n, "").split()) for n in names}
        made = [
            tuple(sys.intern(n) for n in (name, *known[name]) if n == name or n not in names)
            for name in names[: self.unnamed]
        ]
        star = self.definition.placed - 1 if self.definition.spread == SPREAD_ALWAYS else None
        for place, name in enumerate(names[self.unnamed :], self.unnamed):
            if place == star:
                made.append(())
                continue
            others = [n for n in known[name] if n not in names or n == name]
            first = others[:1] if is_method and name not in ("dim", "dims") else [name]
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

    def on_a_copy(self, in_its_place: str, is_method: bool) -> Operation:
        """Return what does on a copy what a method does in place."""
        definition, name = self.definition, in_its_place.removesuffix("_")
        in_place = self.operation(in_its_place, True, placed=len(definition.parameters))

        def body(x: Tensor, *values: Any) -> Any:
            return in_place(x.clone(), *values)

        made = Operation(
            definition,
            name,
            self._keywords(is_method),
            tuple(self.defaults.values()),
            self.positional,
            definition.operands,
            is_method,
            False,
            False,
            body,
            None,
            None,
        )
        says, _, rest = (definition.python.__doc__ or "").partition(", in place")
        text = f"{says}, in a copy{rest.replace(f'.{in_its_place}(', f'.{name}(')}"
        return self._described(made, name, is_method, text)

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
        definition, positional = self.definition, self.positional
        python = definition.python

        def body(*values: Any) -> Any:
            x, *rest = values[:positional]
            named = dict(zip(names[positional:], values[positional:], strict=True))
            if several and any_tracked([one for one in (x, *rest) if isinstance(one, Tensor)]):
                # Ops in between read what this one overwrites. What has a rule is recorded by it.
                whole = python if definition.gradient is None else definition.operation
                return x.copy_(whole(x.clone(), *rest, **named))
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


# ---- signatures ----


def signature_of(definition: Definition, operation: Operation) -> Signature:
    """Return the signature of one spelling; the other names of an argument come last.

    An argument that must be given shows one name: several would look like several to give.
    """
    python: Any = operation.__wrapped__
    code, hints = python.__code__, python.__annotations__
    has_star = bool(code.co_flags & inspect.CO_VARARGS)
    is_spread = bool(definition.spread) and not has_star
    names = [*definition.parameters]
    if len(operation.keywords) < len(names):
        names.remove("out")  # an in-place form has none
    shown: list[Parameter] = []
    others: list[Parameter] = []
    for place, (name, keywords, default) in enumerate(
        zip(names, operation.keywords, operation.defaults, strict=True)
    ):
        first, *rest = keywords or (name,)
        if name == "x2":  # PyTorch's name is one of the method only, as far as is shown
            first = "other" if operation.is_method else name
        hint, value = hints.get(name, ""), Parameter.empty if default is ... else default
        if place < definition.operands and definition.converts:
            hint = "Any"
        by_name = name == "x2" and operation.is_method
        if has_star and place == definition.placed - 1:
            one = Parameter(name, Parameter.VAR_POSITIONAL, annotation=hint)
        elif place < code.co_posonlyargcount and not by_name:
            one = Parameter(first, Parameter.POSITIONAL_ONLY, default=value, annotation=hint)
        elif place < operation.positional:
            one = Parameter(first, Parameter.POSITIONAL_OR_KEYWORD, default=value, annotation=hint)
        else:
            one = Parameter(first, Parameter.KEYWORD_ONLY, default=value, annotation=hint)
        shown.append(one)
        if is_spread and place == definition.placed - 1:
            shown.append(Parameter("more", Parameter.VAR_POSITIONAL, annotation="int"))
        others += [
            Parameter(other, Parameter.KEYWORD_ONLY, default=value, annotation=hint)
            for other in (() if default is ... else rest)
            if not iskeyword(other)  # normal_(**{"from": 1})
        ]
    if operation.is_method:
        shown[0] = shown[0].replace(name="self", annotation=Parameter.empty)
    return Signature([*shown, *others], return_annotation=hints["return"])
