"""Memory: the storage of a tensor; heap statistics and settings.

Freed blocks of 1 MiB and more wait for reuse, because the first touch of fresh pages costs more
than most functions. They are at most an eighth of the memory of the machine, or of the container
where that has less (cgroup v1 and v2); what has waited for more than 10 seconds goes back to the
system when the next such block is freed. ``set_keep_limit(0)`` or ``STRIDED_KEEP_BYTES=0`` turn
this off.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from strided import _native
from strided._native import DType, Tensor

__all__ = [
    "HeapFacts",
    "heap_facts",
    "release_kept_blocks",
    "reset_peak",
    "set_keep_limit",
    "set_keep_seconds",
]


class Storage:
    """The whole storage of a tensor, as elements of its dtype. Shares memory, copies nothing.

    >>> import strided
    >>> x = strided.tensor([[1, 2, 3], [4, 5, 6]])
    >>> x.T.storage().tolist(), len(x[0].storage())
    ([1, 2, 3, 4, 5, 6], 6)
    """

    __slots__ = ("_elements",)

    def __init__(self, tensor: Tensor) -> None:
        self._elements = _native.storage_view(tensor)

    @property
    def dtype(self) -> DType:
        """The dtype the elements are read as.

        >>> import strided
        >>> strided.zeros(2).storage().dtype
        strided.float32
        """
        return self._elements.dtype

    @property
    def nbytes(self) -> int:
        """The size in bytes.

        >>> import strided
        >>> strided.zeros(4)[:1].storage().nbytes
        16
        """
        return self._elements.bytes_kept_alive

    @property
    def writable(self) -> bool:
        """Whether elements may be changed.

        >>> import strided
        >>> strided.frombuffer(b"abcd").storage().writable
        False
        """
        return self._elements.writable

    def data_ptr(self) -> int:
        """Return the address of the first element.

        >>> import strided
        >>> x = strided.zeros(4)
        >>> x[2:].data_ptr() - x[2:].storage().data_ptr()
        8
        """
        return _native.storage_pointer(self._elements)

    def tensor(self) -> Tensor:
        """Return the elements as a rank-1 tensor. A view.

        >>> import strided
        >>> strided.zeros(2, 3)[0].storage().tensor().shape
        (6,)
        """
        return self._elements

    def tolist(self) -> list[Any]:
        """Return the elements as a list.

        >>> import strided
        >>> strided.arange(4)[::2].storage().tolist()
        [0, 1, 2, 3]
        """
        elements: list[Any] = self._elements.tolist()
        return elements

    def __len__(self) -> int:
        return self._elements.size

    def __getitem__(self, index: Any) -> Any:
        """Return one element as a Python number, or a slice of them as a list."""
        picked = self._elements[index]
        return picked.item() if picked.ndim == 0 else picked.tolist()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._elements[index] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __eq__(self, other: object) -> bool:
        """Two storages are equal when they are the same memory."""
        if not isinstance(other, Storage):
            return NotImplemented
        return self.data_ptr() == other.data_ptr() and self.nbytes == other.nbytes

    def __hash__(self) -> int:
        return hash((self.data_ptr(), self.nbytes))

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self._elements[:8].tolist()))
        more = ", ..." if len(self) > 8 else ""
        return f"Storage([{shown}{more}], dtype={self.dtype.name}, nbytes={self.nbytes})"


# ---- the heap ----


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
