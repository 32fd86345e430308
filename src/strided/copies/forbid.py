"""Which code may not copy: the ban is asked at the door, before an element is touched."""

from __future__ import annotations

from strided.copies import door
from strided.copies.scope import Scope
from strided.errors import InvalidArgument


def no_copies(implicit_only: bool = True) -> Scope:
    """Raise CopyForbidden at the first copy in a ``with`` block or decorated function.

    Only copies that nobody asked for are refused; with ``implicit_only=False`` all are, clones and
    assignments too. The refused operation has done nothing: its target is as it was. The ban holds
    for this thread (this task of asyncio), and nothing inside can lift it.

    >>> import strided
    >>> x = strided.arange(6).reshape(2, 3)
    >>> try:
    ...     with strided.no_copies():
    ...         y = x.T.clone()
    ...         x.T.reshape(6)
    ... except strided.CopyForbidden as error:
    ...     error.what
    'reshape would copy 48 bytes: (3, 2):(1, 3)+0 int64 to (3, 2):(2, 1)+0 int64'
    >>> @strided.no_copies(implicit_only=False)
    ... def total(x):
    ...     return x.T.sum().item()
    >>> total(x)
    15
    """
    if not isinstance(implicit_only, bool):
        raise InvalidArgument(
            argument="implicit_only",
            got=repr(implicit_only),
            requirement="is True or False; as a decorator write @no_copies()",
        )
    level = door.NO_IMPLICIT if implicit_only else door.NONE_AT_ALL
    return Scope("no_copies", door.forbidden, level, door.watch, door.unwatch)
