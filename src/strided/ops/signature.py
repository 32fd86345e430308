"""What ``inspect.signature`` shows of an operation, and stubs say of it."""

from __future__ import annotations

import inspect
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from strided._native import Operation

if TYPE_CHECKING:
    from strided.ops.define import Definition


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
        ]
    if operation.is_method:
        shown[0] = shown[0].replace(name="self", annotation=Parameter.empty)
    return Signature([*shown, *others], return_annotation=hints["return"])
