"""Heap statistics and settings: what is in use, what waits for reuse.

Freed blocks of 1 MiB and more wait for reuse, because the first touch of fresh pages costs more
than most functions. They are at most an eighth of the memory of the machine, or of the container
where that has less (cgroup v1 and v2); what has waited for more than 10 seconds goes back to the
system when the next such block is freed. ``set_keep_limit(0)`` or ``STRIDED_KEEP_BYTES=0`` turn
this off.
"""

from __future__ import annotations

from typing import NamedTuple

from strided import _native

__all__ = [
    "HeapFacts",
    "heap_facts",
    "release_kept_blocks",
    "reset_peak",
    "set_keep_limit",
    "set_keep_seconds",
]


class HeapFacts(NamedTuple):
    """Bytes in fresh storages (those above 4 KiB are counted)."""

    live_bytes: int
    peak_bytes: int
    kept_bytes: int
    keep_limit: int
    keep_seconds: int


def heap_facts() -> HeapFacts:
    """Return how much memory fresh tensors use and how much waits for reuse.

    >>> import strided
    >>> before = strided.memory.heap_facts().live_bytes
    >>> x = strided.empty(1 << 20)
    >>> strided.memory.heap_facts().live_bytes - before
    4194304
    """
    return HeapFacts(**_native.heap_facts())


def reset_peak() -> None:
    """Start measuring ``peak_bytes`` from what is in use now.

    >>> import strided
    >>> strided.memory.reset_peak()
    """
    _native.reset_peak()


def set_keep_limit(nbytes: int) -> None:
    """Keep at most so many bytes of freed blocks for reuse; 0 keeps none.

    The variable ``STRIDED_KEEP_BYTES`` does the same for a whole program.

    >>> import strided
    >>> strided.memory.set_keep_limit(strided.memory.heap_facts().keep_limit)
    """
    _native.set_keep_limit(nbytes)


def set_keep_seconds(seconds: int) -> None:
    """Keep freed blocks for so many seconds, unless they are used again before.

    There is no thread that looks after an idle program: blocks go back when the next one is freed.
    The variable ``STRIDED_KEEP_SECONDS`` does the same for a whole program.

    >>> import strided
    >>> strided.memory.set_keep_seconds(strided.memory.heap_facts().keep_seconds)
    """
    _native.set_keep_seconds(seconds)


def release_kept_blocks() -> None:
    """Give the blocks that wait for reuse back to the system.

    >>> import strided
    >>> strided.memory.release_kept_blocks()
    >>> strided.memory.heap_facts().kept_bytes
    0
    """
    _native.release_kept_blocks()


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
