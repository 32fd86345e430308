"""Tensors in other libraries: a neighbour a module.

Importing strided changes no other library. Where a neighbour looks for others by itself
(``__array_function__``, DLPack, entry points) tensors are found; where it does not, ``enable`` adds
them by name.
"""

from __future__ import annotations

import importlib

from strided.errors import InvalidArgument, MissingExtra

# neighbour: the module that adds tensors to it, by a function enable()
_MODULES = {
    "dask": "strided.interop.dask",
    "einops": "strided.interop.einops",
    "xarray": "strided.interop.xarray",
}


def enable(neighbour: str) -> None:
    """Let a library that has no entry point take tensors, in this process: einops or xarray.

    ``"dask"`` is there for programs that only receive tensors from workers: everything else makes
    tensors known to dask by itself. The library is imported; doing it twice is doing it once.

    >>> import strided
    >>> try:
    ...     strided.enable("einops")
    ... except strided.MissingExtra as error:
    ...     assert error.package == "einops"
    """
    module = _MODULES.get(neighbour)
    if module is None:
        raise InvalidArgument(
            argument="neighbour",
            got=repr(neighbour),
            requirement=f"must be one of {', '.join(_MODULES)}; others need no switch",
        )
    try:
        importlib.import_module(neighbour)
    except ImportError as error:
        raise MissingExtra(
            operation=f"enable({neighbour!r})", package=neighbour, extra=neighbour
        ) from error
    importlib.import_module(module).enable()
