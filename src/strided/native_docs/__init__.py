"""Docstrings and typed signatures of the native names, as data: where they can be read and run.

An entry is ``(*signatures, text)``: signatures with types for the stubs (``tools/make_stubs.py``),
the first of them also what ``inspect.signature`` shows; an attribute has its type instead.
"""

from __future__ import annotations

import ast

from strided import _native
from strided.native_docs.attributes import ATTRIBUTES, QUESTIONS, TENSOR
from strided.native_docs.dtypes import DTYPE, DTYPE_ATTRIBUTES
from strided.native_docs.elements import COPIES, FUNCTIONS, VALUES
from strided.native_docs.views import SHAPES, VIEWS

METHODS: dict[str, tuple[str, ...]] = {
    **QUESTIONS,
    **VIEWS,
    **SHAPES,
    **COPIES,
    **VALUES,
}


def text_signature(name: str, signature: str, self: str = "") -> str:
    """Return a signature without types, as CPython reads it from the head of a docstring.

    >>> from strided.native_docs import text_signature
    >>> text_signature("flat", "(index: int, /) -> Tensor", "$self")
    'flat($self, index, /)'
    """
    function = ast.parse(f"def f{signature}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    for node in ast.walk(function.args):
        if isinstance(node, ast.arg):
            node.annotation = None
    parts = [part for part in (self, ast.unparse(function.args)) if part]
    return f"{name}({', '.join(parts)})"


def _describe(owner: object, entries: dict[str, tuple[str, ...]], self: str) -> None:
    for name, (signature, *_, text) in entries.items():
        head = f"{text_signature(name, signature, self)}\n--\n\n"
        _native.set_doc(vars(owner)[name], head + text)


def document() -> None:
    """Give every native name its docstring."""
    _native.Tensor.__doc__ = TENSOR
    _native.DType.__doc__ = DTYPE
    for owner, entries in ((_native.Tensor, ATTRIBUTES), (_native.DType, DTYPE_ATTRIBUTES)):
        for name, (_, text) in entries.items():
            _native.set_doc(vars(owner)[name], text)
    _describe(_native.Tensor, METHODS, "$self")
    _describe(_native, FUNCTIONS, "")
