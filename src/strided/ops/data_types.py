"""Data types and devices: questions about them, and the change of a tensor from one to another."""

from __future__ import annotations

from typing import Any, NamedTuple

from strided import _native
from strided._native import DType, Tensor
from strided.errors import DTypeMismatch, InvalidArgument
from strided.memory_layout import MemoryLayout
from strided.ops.define import DTypeLike, operation

# ---- questions ----


class FloatLimits(NamedTuple):
    """The limits of a floating-point dtype."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IntegerLimits(NamedTuple):
    """The limits of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: DType


@operation(method=None, kind="value", operands=0)
def promote_types(a: Any, b: Any) -> DType:
    """Return the dtype that two dtypes meet in.

    >>> import strided
    >>> strided.promote_types(strided.uint8, strided.int8)
    strided.int16
    """
    return _native.promote_types(a, b)


@operation(method=None, kind="value", operands=0)
def result_type(*arrays_and_dtypes: Any) -> DType:
    """Return the dtype that tensors, dtypes and Python numbers meet in; numbers are weak.

    >>> import strided
    >>> strided.result_type(strided.zeros(2), 1), strided.result_type(strided.arange(2), 1.5)
    (strided.float32, strided.float32)
    """
    if not arrays_and_dtypes:
        raise InvalidArgument(argument="arrays_and_dtypes", got="none", requirement="must be some")
    numbers = [a for a in arrays_and_dtypes if isinstance(a, (bool, int, float, complex))]
    dtypes = [
        a.dtype if isinstance(a, Tensor) else _native.as_dtype(a)
        for a in arrays_and_dtypes
        if not isinstance(a, (bool, int, float, complex))
    ]
    if not dtypes:
        dtypes = [_native._from_nested(numbers.pop(), None).dtype]
    result = dtypes[0]
    for dtype in dtypes[1:]:
        result = _native.promote_types(result, dtype)
    for number in numbers:
        result = _native.promote_number(result, number)
    return result


@operation(method=None, kind="value", operands=0)
def can_cast(from_: Any, to: Any, /) -> bool:
    """Return whether a dtype (or a tensor's dtype) promotes to another without losing its kind.

    >>> import strided
    >>> strided.can_cast(strided.int8, strided.int16)
    True
    >>> strided.can_cast(strided.float32, strided.int8)
    False
    """
    source = from_.dtype if isinstance(from_, Tensor) else _native.as_dtype(from_)
    target = _native.as_dtype(to)
    try:
        return _native.promote_types(source, target) is target
    except TypeError:  # no common dtype
        return False


@operation(method=None, kind="value", operands=0)
def isdtype(dtype: DType, kind: DType | str | tuple[DType | str, ...]) -> bool:
    """Return whether a dtype is of a kind such as ``"integral"`` or ``"real floating"``.

    >>> import strided
    >>> strided.isdtype(strided.float32, "real floating")
    True
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, DType):
        return dtype is kind
    letters = {
        "bool": "b",
        "signed integer": "i",
        "unsigned integer": "u",
        "integral": "iu",
        "real floating": "f",
        "complex floating": "c",
        "numeric": "iufc",
    }
    if kind not in letters:
        raise InvalidArgument(
            argument="kind", got=repr(kind), requirement=f"must be one of {', '.join(letters)}"
        )
    return dtype.kind in letters[kind]


def _float_limits(dtype: DType, precision: int, exponent: int) -> FloatLimits:
    """Return the limits that bits of precision and the largest exponent give."""
    eps = 2.0 ** (1 - precision)
    largest = (2.0 - eps) * 2.0**exponent
    return FloatLimits(8 * dtype.itemsize, eps, largest, -largest, 2.0 ** (1 - exponent), dtype)


FLOAT_LIMITS = {
    _native.float16: _float_limits(_native.float16, 11, 15),
    _native.bfloat16: _float_limits(_native.bfloat16, 8, 127),
    _native.float32: _float_limits(_native.float32, 24, 127),
    _native.float64: _float_limits(_native.float64, 53, 1023),
}


@operation(method=None, kind="value", operands=0)
def finfo(type: Any, /) -> FloatLimits:
    """Return the limits of a floating-point dtype (of its parts for complex ones).

    >>> import strided
    >>> strided.finfo(strided.float32).bits
    32
    """
    dtype = type.dtype if isinstance(type, Tensor) else _native.as_dtype(type)
    if dtype.is_complex:
        dtype = _native.float32 if dtype is _native.complex64 else _native.float64
    if dtype not in FLOAT_LIMITS:
        raise TypeError(f"finfo takes floating-point dtypes, got {dtype}; use iinfo")
    return FLOAT_LIMITS[dtype]


@operation(method=None, kind="value", operands=0)
def iinfo(type: Any, /) -> IntegerLimits:
    """Return the limits of an integer dtype.

    >>> import strided
    >>> strided.iinfo(strided.int8).max
    127
    """
    dtype = type.dtype if isinstance(type, Tensor) else _native.as_dtype(type)
    bits = 8 * dtype.itemsize
    if dtype.kind == "i":
        return IntegerLimits(bits, 2 ** (bits - 1) - 1, -(2 ** (bits - 1)), dtype)
    if dtype.kind == "u":
        return IntegerLimits(bits, 2**bits - 1, 0, dtype)
    raise TypeError(f"iinfo takes integer dtypes, got {dtype}; use finfo")


# ---- devices: there is one, the CPU ----


def check_device(device: Any) -> None:
    """Refuse every device but the CPU, the only one there is."""
    if device is not None and str(device) != "cpu":
        raise InvalidArgument(
            argument="device", got=repr(device), requirement="must be 'cpu': there is no other"
        )


@operation(function=None, kind="either", forecast=lambda of: of.itself)
def cpu(x: Tensor, /) -> Tensor:
    """Return this tensor itself: it is on the CPU already.

    >>> import strided
    >>> strided.zeros(1).cpu().device
    'cpu'
    """
    return x


@operation(function=None, kind="either", forecast=lambda of: of.itself)
def to_device(x: Tensor, /, device: Any, *, stream: Any = None) -> Tensor:
    """Return this tensor itself on a device; only ``"cpu"`` exists.

    >>> import strided
    >>> strided.zeros(1).to_device("cpu").device
    'cpu'
    """
    check_device(device)
    return x


# ---- conversion ----


@operation(function=None, kind="either", fuse="body", forecast=lambda of: of.converted)
def to(
    x: Tensor,
    /,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    copy: bool = False,
    memory_format: Any = None,
    non_blocking: bool = False,
) -> Tensor:
    """Return this tensor in another dtype or memory order: itself if nothing changes, else a copy.

    >>> import strided
    >>> x = strided.arange(3)
    >>> x.to(strided.float32).dtype, x.to(strided.int64) is x
    (strided.float32, True)
    """
    for arg in args:
        if isinstance(arg, DType):
            dtype = arg
        elif isinstance(arg, Tensor):
            dtype = arg.dtype
        elif isinstance(arg, str) and arg.partition(":")[0] in (
            "cpu",
            "cuda",
            "mps",
            "xpu",
            "meta",
        ):
            device = arg
        elif isinstance(arg, MemoryLayout):
            memory_format = arg
        else:
            dtype = arg
    check_device(device)
    return x._convert(dtype, copy, memory_format)


@operation(
    name="Tensor.astype",
    function=None,
    method="astype",
    kind="either",
    fuse="body",
    forecast=lambda of: of.astype,
)
def converted(x: Tensor, /, dtype: DTypeLike, *, copy: bool = True) -> Tensor:
    """Return a copy in another dtype; with ``copy=False`` itself when the dtype is the same.

    >>> import strided
    >>> strided.tensor([1.7, -1.7]).astype(strided.int64).tolist()
    [1, -1]
    """
    return x._convert(dtype, copy)


@operation(method=None, kind="either", operands=1, fuse="body")
def astype(x: Tensor, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Tensor:
    """Return a copy in another dtype; with ``copy=False`` itself when the dtype is the same.

    Complex elements do not become real ones here: say ``real``, ``imag`` or ``abs`` first.

    >>> import strided
    >>> strided.astype(strided.tensor([1.7, -1.7]), strided.int64).tolist()
    [1, -1]
    """
    check_device(device)
    wanted = _native.as_dtype(dtype)
    if x.dtype.kind == "c" and wanted.kind not in "cb":
        raise DTypeMismatch(
            operation="astype",
            got=x.dtype.name,
            reason=f"{wanted.name} has no imaginary part",
            hint="take strided.real(x), strided.imag(x) or strided.abs(x) first",
        )
    made: Tensor = x.astype(wanted, copy=copy)  # xarray hands NumPy's scalars, which have it too
    return made


@operation(function=None, kind="either", fuse="body", forecast=lambda of: of.type_as)
def type_as(x: Tensor, /, other: Tensor) -> Tensor:
    """Return this tensor in the dtype of another: itself when it is the same, else a copy.

    >>> import strided
    >>> strided.arange(3).type_as(strided.zeros(1)).dtype
    strided.float32
    """
    return x._convert(other.dtype)


def _cast(name: str, dtype: DType) -> None:
    def cast(x: Tensor, /) -> Tensor:
        return x._convert(dtype)

    cast.__doc__ = (
        f"Return this tensor as {dtype.name}: itself when it is already, else a copy.\n\n"
        f"    >>> import strided\n    >>> strided.ones(2).{name}().dtype\n"
        f"    strided.{dtype.name}\n    "
    )
    operation(
        name=name,
        function=None,
        kind="either",
        fuse="body",
        forecast=lambda of: lambda x: of.converted(x, dtype),
    )(cast)


_cast("float", _native.float32)
_cast("double", _native.float64)
_cast("half", _native.float16)
_cast("bfloat16", _native.bfloat16)
_cast("int", _native.int32)
_cast("long", _native.int64)
_cast("short", _native.int16)
_cast("char", _native.int8)
_cast("byte", _native.uint8)
_cast("bool", _native.bool)
_cast("cfloat", _native.complex64)
_cast("cdouble", _native.complex128)


# ---- what the namespace can do: capabilities, devices and dtypes, asked as the array API says ----

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
        """Return which optional parts of the standard there are (all), and the most axes.

        >>> import strided
        >>> strided.__array_namespace_info__().capabilities()["boolean indexing"]
        True
        """
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": _native.MAX_RANK,
        }

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
