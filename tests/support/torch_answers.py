"""Asks a library the questions of torch_table.py and returns answers that can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from .torch_table import BINARY, DTYPES, NUMBERS, REDUCTIONS, UNARY, VALUES, VIEWS


class Row(NamedTuple):
    """One expression: the group and base it belongs to, and what is compared."""

    kind: str
    base: str
    expression: str

    @property
    def name(self) -> str:
        return f"{self.base}: {self.expression}"


def rows() -> Iterator[Row]:
    """Every row of both tables."""
    for kind, table in (("view", VIEWS), ("value", VALUES)):
        for base, (_, text) in table.items():
            for expression in text.replace("\n", ";").split(";"):
                if expression.strip():
                    yield Row(kind, base, expression.strip())


def dtype_questions() -> Iterator[tuple[str, str]]:
    """Names and expressions of all dtype questions; the answer is the dtype's name."""
    for a in DTYPES:
        made = f"lib.ones(2, dtype=lib.{a})"
        for op in UNARY:
            yield f"{op}({a})", f"lib.{op}({made})"
        for name in REDUCTIONS:
            yield f"{name}({a})", f"{made}.{name}(0)"
        for number in NUMBERS:
            for sign in "+*/":
                yield f"{a} {sign} {number}", f"{made} {sign} {number}"
        for b in DTYPES:
            other = f"lib.ones(2, dtype=lib.{b})"
            yield f"{a} {b}", f"lib.promote_types(lib.{a}, lib.{b})"
            for op in BINARY:
                front = "lib.ones(2, dtype=lib.bool), " if op == "where" else ""
                yield f"{op}({a}, {b})", f"lib.{op}({front}{made}, {other})"


def operation_of(name: str) -> str:
    """Return the operation of a dtype question: ``add(int8, bool)`` is of ``add``."""
    if "(" in name:
        return name.partition("(")[0]
    words = name.split()
    return "promote_types" if len(words) == 2 else f"a number {words[1]}"


def names_of(lib: Any) -> dict[str, Any]:
    """What an expression sees, for either library."""
    is_strided = lib.__name__ == "strided"
    names: dict[str, Any] = {"lib": lib, "lib_is_strided": is_strided}
    names["channels_last"] = lib.channels_last
    names["preserve"] = lib.preserve_format
    names["row_major"] = lib.contiguous_format
    if is_strided:
        names["view_as_real"] = lambda x: x.view_as_real()
        names["view_as_complex"] = lambda x: x.view_as_complex()
    else:
        names["view_as_real"], names["view_as_complex"] = lib.view_as_real, lib.view_as_complex
    return names


def _elements(x: Any) -> list[Any]:
    flat = x.reshape(-1).tolist()
    if x.dtype.is_complex:
        flat = [part for z in flat for part in (z.real, z.imag)]
    return [float(f"{v:.7g}") if isinstance(v, float) else v for v in flat]


def _storage(x: Any) -> int:
    return (x.storage() if hasattr(x, "byte_strides") else x.untyped_storage()).data_ptr()


def _facts(result: Any, x: Any, kind: str) -> Any:
    if isinstance(result, int):
        return result
    if not hasattr(result, "dtype"):
        return [_facts(part, x, kind) for part in result]
    facts: dict[str, Any] = {"shape": list(result.shape), "dtype": str(result.dtype).split(".")[-1]}
    if kind == "view":
        facts["stride"], facts["offset"] = list(result.stride()), result.storage_offset()
        if result.numel() and _storage(result) != _storage(x):
            facts["copied"] = True
    if result.numel() <= 64:
        facts["values"] = _elements(result)
    return facts


def errors_of(error: Exception) -> list[str]:
    """Return the builtins that would catch an error."""
    return [cls.__name__ for cls in type(error).__mro__[:-2] if cls.__module__ == "builtins"][:-1]


def answer(lib: Any, row: Row) -> Any:
    """Run one row; return what can be compared, or the errors that would catch its refusal."""
    made = (VIEWS if row.kind == "view" else VALUES)[row.base][0]
    names = names_of(lib)
    x = names["x"] = eval(made, names)
    try:
        return _facts(eval(row.expression, names), x, row.kind)
    except Exception as error:
        return {"error": errors_of(error)}


def dtype_answer(lib: Any, expression: str) -> str | None:
    """Return the dtype of an expression's result, None when it is refused."""
    try:
        result = eval(expression, names_of(lib))
    except (RuntimeError, TypeError, ValueError):
        return None
    return str(getattr(result, "dtype", result)).split(".")[-1]
