"""What arrays are: their shape and kind, and arrays of other libraries as tensors."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import InvalidArgument
from strided.memory_layout import column_major
from strided.numpy_names.calls import common_dtype, tensors
from strided.ops.arguments import as_operand
from strided.ops.arrays import asarray
from strided.ops.creation import zeros_like
from strided.ops.data_types import isdtype

# ---- shapes ----


def shape(a: Any) -> tuple[int, ...]:
    """Return the lengths of the axes of a tensor or list. Nothing is copied.

    >>> import strided
    >>> strided.shape([[1, 2, 3]])
    (1, 3)
    """
    return tuple(as_operand(a).shape)


def ndim(a: Any) -> int:
    """Return the number of axes of a tensor or list. Nothing is copied.

    >>> import strided
    >>> strided.ndim([[1, 2, 3]])
    2
    """
    return as_operand(a).ndim


def size(a: Any, axis: int | None = None) -> int:
    """Return the number of elements of a tensor or list, or of an axis. Nothing is copied.

    >>> import strided
    >>> strided.size([[1, 2, 3]]), strided.size([[1, 2, 3]], 0)
    (3, 1)
    """
    x = as_operand(a)
    if axis is None:
        return int(x.size)  # ours can be called
    return x.shape[_native.normal_axis(axis, x.ndim)]


def isscalar(element: Any) -> bool:
    """Return whether something is one number or text, and no array. Nothing is copied.

    >>> import strided
    >>> strided.isscalar(3.5), strided.isscalar(strided.tensor(3.5))
    (True, False)
    """
    import numpy as np

    return bool(np.isscalar(element))


def iterable(y: Any) -> bool:
    """Return whether something can be iterated over. Nothing is copied.

    >>> import strided
    >>> strided.iterable(strided.zeros(2)), strided.iterable(2)
    (True, False)
    """
    try:
        iter(y)
    except TypeError:
        return False
    return True


# ---- kinds ----


def iscomplexobj(x: Any) -> bool:
    """Return whether something has a complex dtype. Nothing is copied.

    >>> import strided
    >>> strided.iscomplexobj(strided.zeros(1, dtype=strided.complex64))
    True
    """
    return as_operand(x).dtype.is_complex


def isrealobj(x: Any) -> bool:
    """Return whether something has no complex dtype. Nothing is copied.

    >>> import strided
    >>> strided.isrealobj(strided.zeros(1))
    True
    """
    return not iscomplexobj(x)


def iscomplex(x: Any) -> Tensor:
    """Return which elements have an imaginary part. A new tensor of bool.

    >>> import strided
    >>> strided.iscomplex(strided.tensor([1j, 2])).tolist()
    [True, False]
    """
    values = as_operand(x)
    if not values.dtype.is_complex:
        return zeros_like(values, dtype=_native.bool)
    return values.detach().imag != 0


def real_if_close(a: Any, tol: float = 100) -> Tensor:
    """Return the real parts, a view, if all imaginary parts are next to nothing.

    >>> import strided
    >>> strided.real_if_close(strided.tensor([1 + 0j])).dtype
    strided.float32
    """
    x = as_operand(a)
    if not x.dtype.is_complex:
        return x
    import numpy as np

    limit = tol * np.finfo(x.dtype.name).eps if tol > 1 else tol
    return x.real if bool((x.detach().imag.abs() < limit).all()) else x


def isfortran(a: Tensor) -> bool:
    """Return whether elements lie in column-major order, and not in row-major. Nothing is copied.

    >>> import strided
    >>> strided.isfortran(strided.zeros(2, 3).T)
    True
    """
    return (
        a.T.is_contiguous() and not a.is_contiguous()
        if a.ndim == 2
        else (
            a.ndim > 2
            and a.permute(tuple(reversed(range(a.ndim)))).is_contiguous()
            and not a.is_contiguous()
        )
    )


def array_equiv(a1: Any, a2: Any) -> bool:
    """Return whether two tensors broadcast to each other and are equal. Nothing is kept: no copy.

    >>> import strided
    >>> strided.array_equiv([1, 2], [[1, 2], [1, 2]])
    True
    """
    x, y = as_operand(a1), as_operand(a2)
    try:
        return bool((x == y).all())
    except ValueError:
        return False


# ---- dtypes ----

_KINDS: dict[str, Any] = {
    "bool_": "bool",
    "integer": "integral",
    "signedinteger": "signed integer",
    "unsignedinteger": "unsigned integer",
    "floating": "real floating",
    "complexfloating": "complex floating",
    "inexact": ("real floating", "complex floating"),
    "number": "numeric",
    "generic": ("bool", "numeric"),
}


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Return whether a dtype is of a kind (NumPy's ``np.floating``) or equal to another. No copy.

    >>> import numpy, strided
    >>> strided.issubdtype(strided.float32, numpy.floating)
    True
    """
    kind = _KINDS.get(getattr(arg2, "__name__", ""))
    if isinstance(arg2, str) and arg2 in _KINDS:
        kind = _KINDS[arg2]
    dtype = _native.as_dtype(arg1)
    if kind is not None:
        return isdtype(dtype, kind)
    return dtype is _native.as_dtype(arg2)


def common_type(*arrays: Any) -> DType:
    """Return the float or complex dtype that tensors have in common. Nothing is copied.

    >>> import strided
    >>> strided.common_type(strided.zeros(1), strided.arange(1))
    strided.float32
    """
    dtype = common_dtype(*tensors(arrays))
    return dtype if dtype.kind in "fc" else _native.float32


def min_scalar_type(a: Any) -> DType:
    """Return the smallest dtype that holds a number; that of a tensor. Nothing is copied.

    >>> import strided
    >>> strided.min_scalar_type(300)
    strided.uint16
    """
    import numpy as np

    if isinstance(a, Tensor) and a.ndim:
        return a.dtype
    return _native.as_dtype(np.min_scalar_type(a.item() if isinstance(a, Tensor) else a))


# ---- arrays as tensors ----


def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: bool | None = True,
    order: str = "K",
    ndmin: int = 0,
) -> Tensor:
    """Return a tensor of lists, numbers or arrays; floats of Python are float32. A copy.

    ``copy=None`` copies only where it must, ``copy=False`` never.

    >>> import strided
    >>> strided.array([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    plain = object.detach() if isinstance(object, Tensor) and copy else object
    made = _ordered(asarray(plain, dtype=dtype, copy=copy), order)
    return made.reshape((1,) * (ndmin - made.ndim) + made.shape) if made.ndim < ndmin else made


def _ordered(x: Tensor, order: str | None) -> Tensor:
    if order not in ("K", "A", "C", "F", None):
        raise InvalidArgument(
            argument="order", got=repr(order), requirement='must be "K", "A", "C" or "F"'
        )
    if order == "F":
        return x.contiguous(memory_format=column_major)
    return x.contiguous() if order == "C" else x


def asanyarray(a: Any, dtype: Any = None, order: str | None = None) -> Tensor:
    """Return a tensor of what holds numbers. A view wherever memory can be shared.

    >>> import strided
    >>> strided.asanyarray([1, 2]).tolist()
    [1, 2]
    """
    return _ordered(asarray(a, dtype=dtype), order)


def asarray_chkfinite(a: Any, dtype: Any = None, order: str | None = None) -> Tensor:
    """Return a tensor of what holds finite numbers only. A view wherever memory can be shared.

    >>> import strided
    >>> strided.asarray_chkfinite([1.0]).tolist()
    [1.0]
    """
    x = asanyarray(a, dtype, order)
    if not bool(x.detach().isfinite().all()):
        raise InvalidArgument(argument="a", got="NaN or infinity", requirement="must be finite")
    return x


def ascontiguousarray(a: Any, dtype: Any = None) -> Tensor:
    """Return a tensor whose elements lie in row-major order. Itself, or a copy.

    >>> import strided
    >>> strided.ascontiguousarray(strided.zeros(2, 3).T).stride()
    (2, 1)
    """
    x = asarray(a, dtype=dtype).contiguous()
    return x if x.ndim else x.reshape(1)


def asfortranarray(a: Any, dtype: Any = None) -> Tensor:
    """Return a tensor whose elements lie in column-major order. Itself, or a copy.

    >>> import strided
    >>> strided.asfortranarray(strided.zeros(2, 3)).stride()
    (1, 2)
    """
    return _ordered(asarray(a, dtype=dtype), "F")


def require(a: Any, dtype: Any = None, requirements: Any = None) -> Tensor:
    """Return a tensor that is as required: "C" and "F" order, "W" writable, "O" its own. Or a copy.

    >>> import strided
    >>> strided.require(strided.zeros(2, 3).T, requirements=["C"]).is_contiguous()
    True
    """
    wanted = {str(one)[0].upper() for one in requirements or ()}
    x = asarray(a, dtype=dtype)
    x = _ordered(x, "F" if "F" in wanted else "C" if "C" in wanted else None)
    owned = "O" not in wanted or x.base is None
    return x if owned and ("W" not in wanted or x.writable) else x.clone()


def copy(a: Any, order: str = "K") -> Tensor:
    """Return a copy of the elements. A new tensor.

    >>> import strided
    >>> strided.copy([1, 2]).tolist()
    [1, 2]
    """
    return _ordered(as_operand(a).clone(), order)
