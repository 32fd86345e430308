"""Signatures as the reference shows them: the names to write first, other spellings beside them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from strided.ops.define import Definition

# What annotations call by a name of their own.
TYPES = {
    "Axes": "int | Sequence[int] | None",
    "Operand": "Tensor | number",
    "Sizes": "int | Sequence[int]",
    "Kernel": "Tensor",
    "Pair": "tuple[Tensor, Tensor]",
    "DTypeLike": "dtype",
    "Given": "Tensor | Sequence[Tensor] | None",
    "Tensors": "Tensor | Sequence[Tensor]",
    "MemoryFormat": "MemoryLayout | str",
    "Function": "Callable",
    "Hook": "Callable",
}
# By the name of an argument whose annotation says nothing.
NAMED_TYPES = {
    "dtype": "dtype | None",
    "device": "str | None",
    "memory_format": "MemoryLayout | str",
}


@dataclass(frozen=True)
class Argument:
    """One argument: its name in the definition, all names it goes by, what it may be."""

    name: str
    spellings: tuple[str, ...]
    type: str
    default: str  # "" where it must be given
    star: str = ""  # "*" or "**"

    def joined(self, other: Argument) -> Argument:
        """Return it with the names and the default of another spelling."""
        names = tuple(dict.fromkeys((*self.spellings, *other.spellings)))
        default = self.default
        if other.default and other.default != default:
            default = f"{default} or {other.default}" if default else other.default
        return replace(self, spellings=names, default=default)


@dataclass(frozen=True)
class Signature:
    """One way to call: the text to read and the arguments in it."""

    text: str
    arguments: tuple[Argument, ...]


def shown_type(hint: str, name: str = "") -> str:
    """Return an annotation in words that a reader knows.

    >>> shown_type("Axes"), shown_type("DTypeLike | None"), shown_type("Any", "dtype")
    ('int | Sequence[int] | None', 'dtype | None', 'dtype | None')
    """
    hint = re.sub(r"\b(?:collections\.abc|typing|numpy|os|torch)\.(?=[A-Z])", "", hint)
    hint = re.sub(r"strided\._native\.|builtins\.", "", hint).strip("'\"")
    if hint in ("Any", ""):
        return NAMED_TYPES.get(name, "Any")
    hint = re.sub(r"\b\w+\b", lambda word: TYPES.get(word[0], word[0]), hint)
    hint = re.sub(r"Callable\[.*\]", "Callable", hint)
    parts = list(dict.fromkeys(part.strip() for part in _alternatives(hint)))
    return " | ".join(parts)


def _alternatives(hint: str) -> Iterator[str]:
    """Split at the bars outside of brackets."""
    depth, begin = 0, 0
    for place, letter in enumerate(hint):
        depth += (letter in "[(") - (letter in "])")
        if letter == "|" and depth == 0:
            yield hint[begin:place]
            begin = place + 1
    yield hint[begin:]


def shown_default(value: Any) -> str:
    """Return a default as it is written in a call."""
    if value is inspect.Parameter.empty:
        return ""
    if value is ...:
        return "..."
    if isinstance(value, float) and value == 1 / 3:
        return "1/3"
    text = repr(value).replace("'", '"') if isinstance(value, str) else repr(value)
    return "..." if text.startswith("<") else text


# ---- operations ----


def of_operation(called: str, key: str, definition: Definition, one: Any, name: str) -> Signature:
    """Return the signature of one spelling of an operation."""
    if isinstance(one, property) or definition.attribute:
        return Signature(called, ())
    is_method = called.startswith("x.")
    if not hasattr(one, "keywords"):  # a native member or function
        return _native(called, definition, is_method)
    described = definition.signature_of(one)
    others = {extra for names in one.keywords for extra in names[1:]}
    own = [
        n
        for n in definition.parameters
        if n != "out" or len(one.keywords) == len(definition.parameters)
    ]
    shown, arguments = [], []
    place = 0
    for parameter in described.parameters.values():
        if parameter.name == "more" or (parameter.name in others and place >= len(own)):
            continue
        # What is shown by PyTorch's name stands under the definition's.
        canonical = own[place]
        place += 1
        if parameter.name == "self":
            continue
        spellings = (parameter.name, *one.keywords[place - 1], canonical)
        arguments.append(_argument(canonical, parameter, tuple(dict.fromkeys(spellings))))
        shown.append(parameter)
    returns = shown_type(str(described.return_annotation))
    return Signature(_text(called, shown, returns), tuple(arguments))


def _native(called: str, definition: Definition, is_method: bool) -> Signature:
    """Return the signature of what the native type parses itself, by its first overload."""
    if not definition.overloads:
        return Signature(called, ())
    made = _parsed(definition.overloads[0])
    owners = [n for n in definition.parameters if not (is_method and n == definition.parameters[0])]
    arguments = []
    # `*more` is the rest of a shape that comes length by length.
    parameters = [p for p in made.parameters.values() if p.name not in ("self", "more")]
    for place, parameter in enumerate(parameters):
        same = parameter.name in definition.parameters or place >= len(owners)
        canonical = parameter.name if same else owners[place]
        hint = definition.python.__annotations__.get(canonical, "")
        if parameter.annotation in (parameter.empty, "Any"):
            parameter = parameter.replace(annotation=hint)
        arguments.append(
            _argument(canonical, parameter, tuple(dict.fromkeys((parameter.name, canonical))))
        )
    return Signature(
        _text(called, parameters, shown_type(str(made.return_annotation))), tuple(arguments)
    )


def _parsed(text: str) -> inspect.Signature:
    """Return the signature that a text like ``(self, dim: int = 0) -> Tensor`` has."""
    head = f"def f{text}: ..."
    function = ast.parse(head).body[0]
    assert isinstance(function, ast.FunctionDef)
    for argument in ast.walk(function.args):
        if isinstance(argument, ast.arg) and argument.annotation is not None:
            argument.annotation = ast.Constant(ast.unparse(argument.annotation))
    function.returns = ast.Constant(ast.unparse(function.returns)) if function.returns else None
    namespace: dict[str, Any] = {}
    exec(ast.unparse(ast.fix_missing_locations(ast.Module([function], []))), namespace)
    return inspect.signature(namespace["f"])


# ---- functions, methods, classes ----


def of_function(called: str, owner: str, value: Any) -> list[Signature]:
    """Return the signatures of a function, a method, or the constructor of a class."""
    native = value.__init__ if isinstance(value, type) else value
    if hasattr(native, "__nb_signature__"):
        described = [_parsed(_nanobind(*one)) for one in native.__nb_signature__]
        return [_of(called, one, value) for one in described]
    try:
        described = inspect.signature(value)
    except (TypeError, ValueError):
        return []
    # A class without a constructor of its own shows the `__new__` of a base: it takes nothing.
    made_by_base = isinstance(value, type) and "__new__" not in vars(value)
    if made_by_base and value.__init__ is object.__init__:
        return [Signature(f"{called}()", ())]
    return [_of(called, described, value)]


def _nanobind(text: str, doc: str | None, defaults: tuple[Any, ...] = ()) -> str:
    """Return the parameters and the result, with the defaults that stand apart in their places."""
    filled = re.sub(r"\\(\d+)", lambda place: repr(defaults[int(place[1])]), text)
    return filled[filled.index("(") :]


def _of(called: str, described: inspect.Signature, value: Any = None) -> Signature:
    parameters = [one for one in described.parameters.values() if one.name not in ("self", "cls")]
    arguments = tuple(_argument(one.name, one, (one.name,)) for one in parameters)
    returns = "" if isinstance(value, type) else described.return_annotation
    returns = "" if returns is inspect.Signature.empty else shown_type(str(returns))
    return Signature(_text(called, parameters, returns), arguments)


def _argument(name: str, parameter: inspect.Parameter, spellings: tuple[str, ...]) -> Argument:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
    hint = parameter.annotation
    if hint is parameter.empty:
        hint = ""
    elif not isinstance(hint, str):
        hint = getattr(hint, "__forward_arg__", None) or getattr(hint, "__name__", str(hint))
    return Argument(
        name=name,
        spellings=spellings,
        type=shown_type(hint, name),
        default=shown_default(parameter.default),
        star=stars.get(parameter.kind, ""),
    )


def _text(called: str, parameters: list[inspect.Parameter], returns: str) -> str:
    """Return a call with its defaults, broken where a line would be long."""
    parts: list[str] = []
    seen_star = False
    for number, one in enumerate(parameters):
        if one.kind is one.KEYWORD_ONLY and not seen_star:
            parts.append("*")
            seen_star = True
        default = shown_default(one.default)
        text = f"{one.name}={default}" if default else one.name
        if one.kind is one.VAR_POSITIONAL:
            text, seen_star = f"*{one.name}", True
        elif one.kind is one.VAR_KEYWORD:
            text = f"**{one.name}"
        parts.append(text)
        after = parameters[number + 1] if number + 1 < len(parameters) else None
        is_last = after is None or after.kind is not one.POSITIONAL_ONLY
        if one.kind is one.POSITIONAL_ONLY and is_last and called.startswith("strided"):
            parts.append("/")
    arrow = f" -> {returns}" if returns else ""
    line = f"{called}({', '.join(parts)}){arrow}"
    if len(line) <= 88:
        return line
    lines, current = [], "   "
    for part in parts:
        if len(current) + len(part) > 84:
            lines.append(current)
            current = "   "
        current += f" {part},"
    return "\n".join([f"{called}(", *lines, current, f"){arrow}"])
