"""What ``inspect.signature`` shows of an operation, and stubs say of it."""

from __future__ import annotations

import inspect
from inspect import Parameter, Signature
from typing import TYPE_CHECKING

from strided._native import Operation

if TYPE_CHECKING:
    from strided.ops.define import Definition


def signature_of(definition: Definition, operation: Operation) -> Signature:
    """Return the signature of one spelling; the other names of an argument come last."""
    code, hints = definition.python.__code__, definition.python.__annotations__
    has_star = bool(code.co_flags & inspect.CO_VARARGS)
    is_spread = bool(definition.spread) and not has_star
    shown: list[Parameter] = []
    others: list[Parameter] = []
    for place, (name, keywords, default) in enumerate(
        zip(definition.parameters, operation.keywords, operation.defaults, strict=True)
    ):
        first, *rest = keywords or (name,)
        hint, value = hints[name], Parameter.empty if default is ... else default
        if place < definition.operands and definition.converts:
            hint = "Any"
        if has_star and place == definition.placed - 1:
            one = Parameter(name, Parameter.VAR_POSITIONAL, annotation=hint)
        elif place < code.co_posonlyargcount:
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
            for other in rest
        ]
    if operation.is_method:
        shown[0] = shown[0].replace(name="self", annotation=Parameter.empty)
    return Signature([*shown, *others], return_annotation=hints["return"])
