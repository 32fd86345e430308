"""Calls of NumPy's own functions: tensors as arrays over the same memory, results as tensors.

What NumPy returns becomes a tensor wherever a tensor can hold it: a view of an argument becomes a
view of that tensor, in its storage. Dtypes that only NumPy has stay arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import DTypeMismatch, ReadOnlyTensor, StridedError
from strided.interop.exchange import numpy_
from strided.ops.arrays import asarray


class LentArrays:
    """The tensors that are lent to one call of NumPy, by the arrays that stand for them."""

    def __init__(self, given: list[Any]) -> None:
        self._lent: dict[int, tuple[Any, Tensor]] = {}
        self._given = given  # what is filled is handed back as it was given

    def arrays(self, value: Any) -> Any:
        """Return a value with arrays in the place of its tensors. Views."""
        if isinstance(value, Tensor):
            array = numpy_(value)
            self._lent[id(array)] = (array, value)
            return array
        if type(value) in (list, tuple):
            return type(value)(self.arrays(one) for one in value)
        if type(value) is dict:
            return {key: self.arrays(one) for key, one in value.items()}
        return value

    def tensors(self, value: Any) -> Any:
        """Return a result with tensors in the place of its arrays and scalars. Views."""
        import numpy as np

        if id(value) in self._lent:
            return self._lent[id(value)][1]
        if any(value is one for one in self._given):
            return value
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*(self.tensors(one) for one in value))
        if isinstance(value, (list, tuple)):
            return type(value)(self.tensors(one) for one in value)
        if type(value) is not np.ndarray and not isinstance(value, np.generic):
            return value
        try:
            view = self._view(value)
            return asarray(value) if view is None else view
        except (StridedError, TypeError):  # a dtype or a place that no tensor has
            return value

    def _view(self, array: Any) -> Tensor | None:
        """Return the part of a lent tensor that an array is of."""
        import numpy as np

        if not isinstance(array, np.ndarray) or array.base is None or not array.size:
            return None
        for lent, x in self._lent.values():
            if lent.dtype != array.dtype or not np.may_share_memory(lent, array):
                continue
            distance = array.ctypes.data - _native.storage_pointer(x)
            steps = (distance, *array.strides)
            if any(step % x.itemsize for step in steps):
                return None
            offset, *strides = (step // x.itemsize for step in steps)
            return x.as_strided(array.shape, strides, offset)
        return None


def numpys_dtype(given: Any) -> DType | None:
    """Return the dtype that NumPy means by an argument: ``float`` is float64, ``"f4"`` float32."""
    if given is None or isinstance(given, DType):
        return given
    import numpy as np

    try:
        return _native.as_dtype(np.dtype(given))
    except TypeError as error:
        raise DTypeMismatch(
            operation="a dtype argument",
            got=str(given),
            reason="strided has no such dtype",
            hint="name one of strided's",
        ) from error


def by_numpy(
    function: Callable[..., Any],
    args: Iterable[Any],
    options: dict[str, Any],
    written: Iterable[Any] = (),
) -> Any:
    """Call a NumPy function on arrays over the memory of tensors, some of which it fills."""
    given = list(written)
    filled = [one for one in given if isinstance(one, Tensor)]
    for one in filled:
        if not one.writable:  # ufunc.at does not ask
            raise ReadOnlyTensor(operation=f"numpy.{function.__name__}")
    lent = LentArrays(given)
    arrays = [lent.arrays(one) for one in args]
    result = function(*arrays, **{name: lent.arrays(one) for name, one in options.items()})
    for one in filled:
        _native._written(one)
    return lent.tensors(result)
