"""The rows of NumPy's functions that definitions name (``numpy=`` in ``ops/define.py``).

"std: a axis dtype out ddof keepdims * correction": NumPy's names of the function, then those of its
parameters in its order; those after the star come by name only. ``norm?``: NumPy's None is our
default. ``indices=index``: NumPy's name and ours. ``arrays[]`` is a list of operands.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

from strided._native import Tensor
from strided.interop.numpy.lent_arrays import numpys_dtype
from strided.ops.arguments import as_operand
from strided.ops.arrays import asarray
from strided.ops.define import DEFINITIONS, Definition


def _row(definition: Definition, names: list[str]) -> Callable[..., Any]:
    optional = [name[:-1] for name in names if name.endswith("?")]
    is_list = names[0].endswith("[]")
    ours = dict(name.split("=") for name in names if "=" in name)
    names = [name.removesuffix("?").removesuffix("[]").partition("=")[0] for name in names]
    placed = names[: names.index("*")] if "*" in names else names
    function = definition.operation
    unnamed = definition.python.__code__.co_posonlyargcount or 1
    operands = definition.operands or 1

    special = {"dtype", "out", *optional}
    by_place = unnamed  # so many come by their place in the definition too
    while (
        by_place < min(len(placed), definition.placed)
        and placed[by_place] not in special
        and ours.get(placed[by_place], placed[by_place]) == definition.parameters[by_place]
    ):
        by_place += 1
    rest = placed[by_place:]
    is_plain = not ours and not special.intersection(names)

    def row(*args: Any, **options: Any) -> Any:
        first = args[:by_place]
        if len(args) > by_place:
            options = dict(zip(rest, args[by_place:], strict=False)) | options
        elif len(args) < unnamed:
            first += tuple(options.pop(name) for name in placed[len(args) : unnamed])
        if is_list:
            first = ([as_operand(one) for one in first[0]], *first[1:])
        elif operands > 1 or not isinstance(first[0], Tensor):
            first = (*map(as_operand, first[:operands]), *first[operands:])
        if options and not is_plain:
            prepare(options)
        return function(*first, **options)

    def prepare(given: dict[str, Any]) -> None:
        for name in optional:
            if name in given and given[name] is None:
                del given[name]
        if "dtype" in given:
            given["dtype"] = numpys_dtype(given["dtype"])
        if given.get("out") is not None:
            given["out"] = asarray(given["out"], copy=False)
        for name in ours.keys() & given.keys():
            given[ours[name]] = given.pop(name)

    # The table asks it which calls the row takes.
    kinds = {True: Parameter.POSITIONAL_OR_KEYWORD, False: Parameter.KEYWORD_ONLY}
    listed = [name for name in names if name != "*"]
    parameters = [
        Parameter(name, kinds[name in placed], default=Parameter.empty if place < unnamed else None)
        for place, name in enumerate(listed)
    ]
    row.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return row


def rows() -> dict[str, Callable[..., Any]]:
    """Return a row for each name that NumPy has for an operation with a definition."""
    from strided import fft, linalg  # noqa: F401  (they fill the registry)

    made: dict[str, Callable[..., Any]] = {}
    for definition in DEFINITIONS.values():
        if definition.numpy is not None:
            names, parameters = definition.numpy.split(":")
            row = _row(definition, parameters.split())
            made.update(dict.fromkeys(names.split(), row))
    return made
