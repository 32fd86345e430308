"""The files of the product in which the name of an operation stands by hand.

That is where it is defined, exported, listed or spelled as text: what has to be edited to add,
rename or remove the operation. Calls of it do not count, nor do docstrings, comments and stubs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path


def places(root: Path, name: str) -> list[str]:
    """Return the files of a tree, sorted."""
    return sorted(
        str(path.relative_to(root))
        for folder, suffixes in (("src", {".py"}), ("core", _CPP), ("bindings", _CPP))
        for path in (root / folder).rglob("*")
        if path.suffix in suffixes and _stands_in(path, name)
    )


_CPP = {".cpp", ".hpp"}


def _stands_in(path: Path, name: str) -> bool:
    text = path.read_text(encoding="utf-8")
    if name not in text:
        return False
    return _in_cpp(text, name) if path.suffix in _CPP else name in _named(ast.parse(text))


def _in_cpp(text: str, name: str) -> bool:
    """A literal that is the name, or begins with it; or a function of the name at the margin."""
    literal = rf'"{name}\b[^"\n]*"'
    function = rf"^(?!using)\w[\w:<>*&, ]* (\w+::)*{name}_?\("
    return re.search(rf"{literal}|{function}", text, re.M) is not None


def _named(tree: ast.Module) -> Iterator[str]:
    """Yield what a module defines, imports and spells as text."""
    said = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
            yield node.name.strip("_")
        elif isinstance(node, ast.ImportFrom):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.Constant) and id(node) not in said:
            yield from str(node.value).split()
