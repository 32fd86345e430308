"""One function as a stub has it: annotations rewritten, lines broken as ruff breaks them."""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import types
from collections.abc import Callable
from typing import Any

WIDTH = 100
# Aliases of the stub itself; what is not public begins with an underscore.
PRIVATE = {"DTypeLike": "_DTypeLike", "MemoryFormat": "_MemoryFormat"}
# == compares elements, and only ** has the third argument of pow().
NOTES = {
    **dict.fromkeys(("__eq__", "__ne__"), "  # type: ignore[override]"),
    "__ipow__": "  # type: ignore[misc]",
}


# ---- names in annotations ----


class Names(ast.NodeTransformer):
    """Rewrites annotations for a stub: qualifies shadowed builtins, expands aliases."""

    def __init__(self, shadowed: set[str], scope: dict[str, Any] | None = None) -> None:
        self.shadowed = shadowed
        self.scope = scope or {}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.shadowed and hasattr(builtins, node.id):
            return ast.Attribute(ast.Name("builtins"), node.id)
        if isinstance(self.scope.get(node.id), (types.UnionType, types.GenericAlias)):
            expanded = ast.parse(repr(self.scope[node.id]), mode="eval").body
            return self.visit(expanded)  # type: ignore[no-any-return]
        return ast.Name(PRIVATE.get(node.id, node.id))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        text = ast.unparse(node)
        if text.startswith("numpy."):
            return ast.parse("np" + text[len("numpy") :], mode="eval").body
        if text.startswith(("collections.abc.", "strided.")):
            return ast.Name(node.attr)
        return node


# ---- one function ----


def written(name: str, signature: str, shadowed: set[str], indent: str, scope: Any = None) -> str:
    """Return ``def name(...) -> ...: ...``, broken into lines as ruff does."""
    function = ast.parse(f"def {name}{signature}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    rewrite = Names(shadowed, scope)
    for arg in ast.walk(function.args):
        if isinstance(arg, ast.arg) and arg.annotation is not None:
            arg.annotation = rewrite.visit(arg.annotation)
    assert function.returns is not None, f"{name} has no return type"
    returns = ast.unparse(rewrite.visit(function.returns))
    arguments = parameters(function.args)
    note = NOTES.get(name, "") if indent else ""
    line = f"{indent}def {name}({', '.join(arguments)}) -> {returns}: ...{note}"
    if len(line) <= WIDTH:
        return line
    inner = f"{indent}    {', '.join(arguments)}"
    if len(inner) > WIDTH or len(arguments) == 1:
        inner = "\n".join(f"{indent}    {argument}," for argument in arguments)
    return f"{indent}def {name}(\n{inner}\n{indent}) -> {returns}: ...{note}"


def parameters(args: ast.arguments) -> list[str]:
    """Return the parameters one by one, with their types and defaults."""

    def one(arg: ast.arg, default: ast.expr | None, star: str = "") -> str:
        text = star + arg.arg
        text += f": {ast.unparse(arg.annotation)}" if arg.annotation else ""
        if default is None:
            return text
        value = ast.unparse(default)
        if isinstance(default, ast.Constant) and isinstance(default.value, str):
            value = json.dumps(default.value)  # in double quotes, as ruff has them
        return f"{text}{' = ' if arg.annotation else '='}{value}"

    places = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(places) - len(args.defaults)) + list(args.defaults)
    texts = [one(arg, default) for arg, default in zip(places, defaults, strict=True)]
    if args.posonlyargs:
        texts.insert(len(args.posonlyargs), "/")
    if args.vararg:
        texts.append(one(args.vararg, None, "*"))
    elif args.kwonlyargs:
        texts.append("*")
    texts += [one(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    if args.kwarg:
        texts.append(one(args.kwarg, None, "**"))
    return texts


def signature_of(function: Callable[..., Any], is_method: bool) -> str:
    """Return the annotated signature of a Python function as text."""
    described = inspect.signature(function)
    made = []
    for i, parameter in enumerate(described.parameters.values()):
        annotation = "" if is_method and i == 0 else str(parameter.annotation)
        default = parameter.default
        if default is not parameter.empty and not isinstance(
            default, (bool, int, float, str, tuple, types.NoneType)
        ):
            default = ...
        name = "self" if is_method and i == 0 else parameter.name
        made.append(
            inspect.Parameter(name, parameter.kind, default=default, annotation=Text(annotation))
            if annotation
            else inspect.Parameter(name, parameter.kind)
        )
    text = str(inspect.Signature(made)).replace("Ellipsis", "...")
    return f"{text} -> {described.return_annotation}"


class Text:
    """An annotation that prints as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text
