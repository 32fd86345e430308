"""``__array_function__``: ``np.concatenate([x, x])``, ``np.mean(x)``, ``np.where`` on tensors.

A function that has a row runs as ours. A call with arguments that the row does not have, and every
function without a row, runs as NumPy's on arrays over the same memory. Both return tensors.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any

from strided._native import Tensor, any_tracked
from strided.errors import DTypeMismatch, LinearAlgebraError, UnsupportedOperation
from strided.interop.numpy_rows import ROWS, rows_of_definitions
from strided.interop.numpy_ufuncs import by_numpy
from strided.ops import later

_EITHER = inspect.Parameter.POSITIONAL_OR_KEYWORD


class Row:
    """A row, and which calls it takes.

    Looked up, not bound: ``Signature.bind`` takes longer than a small chunk of a dask array does.
    """

    def __init__(self, run: Callable[..., Any], only_recorded: bool = False) -> None:
        self.run = run
        self.only_recorded = only_recorded  # NumPy's runs unless gradients pass
        self.only_floats = False  # NumPy's runs on integers: it computes in double then
        parameters = list(inspect.signature(run).parameters.values())
        self._any = any(one.kind is one.VAR_POSITIONAL for one in parameters)
        self._any_name = any(one.kind is one.VAR_KEYWORD for one in parameters)
        parameters = [one for one in parameters if one.kind is not one.VAR_KEYWORD]
        placed = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, _EITHER)]
        self._by_place = [one.name for one in placed]
        # How many come by their place: the names that may be given, those that must.
        self._may: list[set[str]] = []
        self._must: list[set[str]] = []
        for count in range(len(placed) + 1):
            rest = [one for one in parameters if one not in placed[:count]]
            self._may.append({one.name for one in rest if one.kind in (_EITHER, one.KEYWORD_ONLY)})
            needed = (one for one in rest if one.default is one.empty)
            self._must.append({one.name for one in needed if one.kind is not one.VAR_POSITIONAL})

    def takes(self, args: tuple[Any, ...], options: dict[str, Any]) -> bool:
        """Whether every argument has a parameter and every parameter what it needs."""
        count = len(args)
        if count >= len(self._may):
            return self._any and not options
        names = options.keys()
        known = self._any_name or names <= self._may[count]
        return known and self._must[count] <= names

    def out(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return what is to be filled, however it was given."""
        if "out" in options or "out" not in self._by_place[: len(args)]:
            return options.get("out")
        return args[self._by_place.index("out")]


# These fill their first argument and return nothing.
_WRITERS = {"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"}


@cache
def _rows() -> dict[Any, Row]:
    import numpy as np

    named = ROWS | rows_of_definitions()
    found = ((_named_in(np, name), row) for name, row in named.items())
    return {function: Row(row) for function, row in found if function}


def _named_in_numpy(name: str) -> Any:
    import numpy as np

    return _named_in(np, name)


def _named_in(module: Any, name: str) -> Any:
    """Return what NumPy has under a name, ``linalg.det`` in a module of its own; None without."""
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


# Modules of ``numpy_names``, and what of them runs in the place of NumPy's where gradients pass.
_RECORDED = {
    "stacking": """
        append array_split atleast_1d atleast_2d atleast_3d block column_stack delete dstack insert
        resize rollaxis trim_zeros
    """,
    "averages": "average nancumprod nancumsum nanprod nanstd nanvar ptp",
    "choosing": "compress extract select",
    "sequences": "ediff1d gradient interp unwrap",
    "quantiles": "nanmedian nanpercentile percentile",
    "pad_modes": "pad",
    "matrices": "vander",
}
_PLACES = {name: module for module, names in _RECORDED.items() for name in names.split()}


@cache
def _row(function: Any) -> Row | None:
    """Return the row of a function of NumPy; those of ``numpy_names`` load their module."""
    row = _rows().get(function)
    if row is not None and function.__module__ in ("numpy.linalg", "numpy.fft"):
        row.only_floats = True
    name = getattr(function, "__name__", "")
    if row is None and name in _PLACES and _named_in_numpy(name) is function:
        module = import_module(f"strided.numpy_names.{_PLACES[name]}")
        return Row(getattr(module, name), only_recorded=True)
    if row is None and later.function(name) is not None:  # its chapter is loaded now
        named = rows_of_definitions().items()
        made = next((row for key, row in named if _named_in_numpy(key) is function), None)
        return made and Row(made, only_recorded=True)
    return row


def _flat(args: Iterable[Any]) -> list[Any]:
    """Return arguments, those in lists too."""
    made: list[Any] = []
    for one in args:
        made += _flat(one) if isinstance(one, (list, tuple)) else [one]
    return made


def _is_of_integers(x: Any) -> bool:
    return isinstance(x, Tensor) and x.dtype.kind in "biu"


def _as_ours(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Return what our own function gives, NotImplemented where there is none for this call."""
    row = _row(function)
    if row is None or not row.takes(args, options):
        return NotImplemented
    if row.only_recorded and not any_tracked(_flat(args)):
        return NotImplemented
    if row.only_floats and _is_of_integers(args[0]):
        return NotImplemented
    try:
        result = row.run(*args, **options)
    except (DTypeMismatch, UnsupportedOperation):  # NumPy may know how, or has its own refusal
        return NotImplemented
    except LinearAlgebraError as error:
        import numpy as np

        raise np.linalg.LinAlgError(str(error)) from error
    out = row.out(args, options)
    return result if out is None else out


@cache
def _is_known(kind: type) -> bool:
    import numpy as np

    return issubclass(kind, (Tensor, np.ndarray))


def __array_function__(
    self: Tensor, func: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run a function of NumPy: a view where ours is one, otherwise a new tensor, or ``out``.

    Ours where there is one, on any strides; otherwise NumPy's on an array over the same memory.

    >>> import numpy, strided
    >>> x = strided.arange(6.0).reshape(2, 3)
    >>> numpy.mean(x, axis=0)
    tensor([1.5000, 2.5000, 3.5000], shape=(3,), dtype=float32)
    >>> numpy.transpose(x).shares_storage(x)
    True
    """
    for kind in types:
        if not _is_known(kind):
            return NotImplemented
    result = _as_ours(func, args, kwargs)
    if result is not NotImplemented:
        return result
    written = args[:1] if func.__name__ in _WRITERS else (kwargs.get("out"),)
    return by_numpy(func, args, kwargs, written)


METHODS: dict[str, Any] = {"__array_function__": __array_function__}
