"""Which block formats there are, and what their blocks measure. The table itself is native."""

from __future__ import annotations

from typing import NamedTuple

from strided import _native
from strided.errors import InvalidArgument


class BlockFormat(NamedTuple):
    """A block format: its native number, the numbers of a block and its bytes."""

    number: int
    numbers: int
    nbytes: int


FORMATS = {name: BlockFormat(*row) for name, row in _native.block_formats().items()}


def format_of(kind: str) -> BlockFormat:
    """Return the format of that name, or raise InvalidArgument naming those there are."""
    known = FORMATS.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise InvalidArgument(
            argument="kind", got=repr(kind), requirement=f"must be one of {', '.join(FORMATS)}"
        )
    return known
