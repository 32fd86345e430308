"""Exchange with other libraries: NumPy's arrays and DLPack, over the same memory."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import UnsupportedOperation

if TYPE_CHECKING:
    import numpy


def numpy_(self: Tensor, *, force: bool = False) -> numpy.ndarray[Any, Any]:
    """Return a NumPy array over the same memory, strides kept. A view, never a copy.

    A tensor that requires a gradient is refused unless ``force`` is true: what NumPy writes is not
    recorded.

    >>> import strided
    >>> x = strided.zeros(2, 3)
    >>> x.T.numpy()[0, 1] = 5
    >>> x[1, 0].item()
    5.0
    """
    import numpy as np

    if force:
        self = self.detach()
    plain = self.dtype is not _native.bfloat16
    try:
        array = np.asarray(memoryview(self) if plain else memoryview(self.view(_native.uint16)))
    except ValueError as error:  # a huge axis beside an empty one
        raise UnsupportedOperation(
            operation="x.numpy()", reason=f"NumPy says: {error}", hint="index the huge axis first"
        ) from None
    return array if plain else array.view(np.dtype(self.dtype.dtype))


def __array__(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Any:
    """Return a NumPy array: over the same memory unless a dtype or ``copy=True`` asks otherwise.

    >>> import numpy, strided
    >>> numpy.asarray(strided.arange(3))
    array([0, 1, 2])
    """
    import numpy as np

    array = numpy_(self)
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise ValueError(f"{self.dtype} cannot become {dtype} without a copy")
        _native.log_copy("export", self, _known_dtype(dtype) or self.dtype)
        return array.astype(dtype)
    if copy:
        _native.log_copy("export", self, self.dtype)
    return np.array(array) if copy else array


def _known_dtype(dtype: Any) -> DType | None:
    try:
        return _native.as_dtype(dtype)
    except (TypeError, ValueError):  # one that only NumPy has
        return None


def __dlpack__(
    self: Tensor,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """Return a DLPack capsule over the same memory, strides kept (or of a copy when asked).

    >>> import numpy, strided
    >>> numpy.from_dlpack(strided.arange(3))
    array([0, 1, 2])
    """
    if dl_device is not None and tuple(dl_device) != (1, 0):
        raise BufferError("strided tensors live on the CPU: dl_device must be (1, 0)")
    versioned = max_version is not None and max_version[0] >= 1
    x = self._convert(None, True, None, "export") if copy else self
    if any(stride < 0 for stride in x.stride()) and _asked_by_torch():
        # PyTorch ends the process when it meets them, also where nobody steps along the axis.
        if runs_backwards(x):
            raise BufferError(
                f"PyTorch cannot hold negative strides, and these are {x.stride()}: "
                "use x.contiguous(), which copies, or numpy.from_dlpack(x), which does not"
            )
        x = x.as_strided(x.shape, tuple(map(abs, x.stride())), x.storage_offset())
    return _native._to_dlpack(x, versioned, bool(copy))


def runs_backwards(x: Tensor) -> bool:
    """Whether an axis that is stepped along has a negative stride."""
    steps = zip(x.shape, x.stride(), strict=True)
    return x.size > 0 and any(stride < 0 and length > 1 for length, stride in steps)


def _asked_by_torch() -> bool:
    caller = str(sys._getframe(2).f_globals.get("__name__"))
    return caller == "torch" or caller.startswith("torch.")


def __dlpack_device__(self: Tensor) -> tuple[int, int]:
    """Return DLPack's name for the CPU.

    >>> import strided
    >>> strided.zeros(1).__dlpack_device__()
    (1, 0)
    """
    return (1, 0)


METHODS: dict[str, Any] = {
    "numpy": numpy_,
    "__array__": __array__,
    "__dlpack__": __dlpack__,
    "__dlpack_device__": __dlpack_device__,
}
