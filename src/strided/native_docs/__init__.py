"""Docstrings and typed signatures of the native names, as data: where they can be read and run.

An entry is ``(*signatures, text)``: signatures with types for the stubs (``tools/make_stubs.py``),
the first of them also what ``inspect.signature`` shows; an attribute has its type instead.
"""

from __future__ import annotations

from strided import _native
from strided.native_docs.attributes import ATTRIBUTES, QUESTIONS, TENSOR
from strided.native_docs.dtypes import DTYPE, DTYPE_ATTRIBUTES
from strided.native_docs.elements import COPIES, VALUES

METHODS: dict[str, tuple[str, ...]] = {
    **QUESTIONS,
    **COPIES,
    **VALUES,
}


def text_signature(name: str, signature: str, self: str = "") -> str:
    """Return a signature without types, as CPython reads it from the head of a docstring.

    >>> from strided.native_docs import text_signature
    >>> text_signature("flat", "(index: int, /) -> Tensor", "$self")
    'flat($self, index, /)'
    """
    parts = [self] if self else []
    depth, start = 0, 1
    for place, letter in enumerate(signature):
        depth += (letter in "([") - (letter in ")]")
        if depth == (letter == ",") and letter in ",)":
            parts.append(_without_type(signature[start:place].strip()))
            start = place + 1
            if letter == ")":
                break
    return f"{name}({', '.join(part for part in parts if part)})"


def _without_type(parameter: str) -> str:
    name, colon, rest = parameter.partition(":")
    if not colon:
        return parameter
    _, equals, default = rest.rpartition(" = ")
    return f"{name}={default}" if equals else name


def describe(owner: object, entries: dict[str, tuple[str, ...]], self: str) -> None:
    """Give native functions or methods their docstrings and signatures."""
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
    describe(_native.Tensor, METHODS, "$self")
