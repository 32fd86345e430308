"""What can the namespace do? Answered as the array API asks: capabilities, devices, dtypes."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import DType
from strided.ops.data_types import check_device, isdtype

# bfloat16 and float16 exist too; the standard does not know them.
_STANDARD = """
bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128
"""


class NamespaceInfo:
    """What ``strided`` can do, asked as the array API says.

    >>> import strided
    >>> info = strided.__array_namespace_info__()
    >>> info.default_device(), info.default_dtypes()["real floating"]
    ('cpu', strided.float32)
    """

    def capabilities(self) -> dict[str, bool | int]:
        """Return which optional parts of the standard there are: all, with up to 64 axes.

        >>> import strided
        >>> strided.__array_namespace_info__().capabilities()["boolean indexing"]
        True
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """Return where tensors are made unless said.

        >>> import strided
        >>> strided.__array_namespace_info__().default_device()
        'cpu'
        """
        return "cpu"

    def devices(self) -> tuple[str, ...]:
        """Return where tensors can be made.

        >>> import strided
        >>> strided.__array_namespace_info__().devices()
        ('cpu',)
        """
        return ("cpu",)

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        """Return the dtypes that new tensors get unless said.

        >>> import strided
        >>> strided.__array_namespace_info__().default_dtypes()["integral"]
        strided.int64
        """
        check_device(device)
        return {
            "real floating": _native.float32,
            "complex floating": _native.complex64,
            "integral": _native.int64,
            "indexing": _native.int64,
        }

    def dtypes(
        self, *, device: Any = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, DType]:
        """Return the standard's dtypes by name, all or those of a kind.

        >>> import strided
        >>> strided.__array_namespace_info__().dtypes(kind="real floating")
        {'float32': strided.float32, 'float64': strided.float64}
        """
        check_device(device)
        all_dtypes: dict[str, DType] = {name: getattr(_native, name) for name in _STANDARD.split()}
        if kind is None:
            return all_dtypes
        return {name: dtype for name, dtype in all_dtypes.items() if isdtype(dtype, kind)}


def __array_namespace_info__() -> NamespaceInfo:
    """Return what the namespace can do, as the array API asks for it.

    >>> import strided
    >>> strided.__array_namespace_info__().devices()
    ('cpu',)
    """
    return NamespaceInfo()
