"""Storage: the flat, one-dimensional array of elements behind a tensor and all its views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from strided import _native
from strided._native import DType, Tensor


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
