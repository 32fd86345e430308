"""Questions about tensors that PyTorch asks: kinds of dtype, places, what there is not."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import InvalidArgument, UnsupportedOperation
from strided.memory_layout import memory_order
from strided.ops.data_types import check_device
from strided.ops.define import operation


@operation(kind="value")
def is_floating_point(x: Tensor, /) -> bool:
    """Return whether elements are real floating-point numbers.

    >>> import strided
    >>> strided.is_floating_point(strided.zeros(1)), strided.arange(1).is_floating_point()
    (True, False)
    """
    return x.dtype.is_floating_point


@operation(kind="value")
def is_complex(x: Tensor, /) -> bool:
    """Return whether elements are complex numbers.

    >>> import strided
    >>> strided.is_complex(strided.tensor([1j]))
    True
    """
    return x.dtype.is_complex


@operation(kind="value")
def is_signed(x: Tensor, /) -> bool:
    """Return whether elements may be negative.

    >>> import strided
    >>> strided.is_signed(strided.zeros(1, dtype=strided.uint8))
    False
    """
    return x.dtype.is_signed


@operation(kind="value")
def is_nonzero(x: Tensor, /) -> bool:
    """Return whether the one element of a tensor is not zero.

    >>> import strided
    >>> strided.is_nonzero(strided.tensor([2.0]))
    True
    """
    return bool(x.item())


@operation(kind="value")
def is_same_size(x: Tensor, other: Tensor, /) -> bool:
    """Return whether two tensors have the same shape.

    >>> import strided
    >>> strided.is_same_size(strided.zeros(2), strided.ones(2))
    True
    """
    return x.shape == other.shape


@operation(kind="value", function=None)
def is_set_to(x: Tensor, tensor: Tensor, /) -> bool:
    """Return whether two tensors are the same view of the same storage.

    >>> import strided
    >>> x = strided.zeros(2)
    >>> x.is_set_to(x.view(2)), x.is_set_to(x[:1])
    (True, False)
    """
    return x.data_ptr() == tensor.data_ptr() and x.layout == tensor.layout


@operation()
def isreal(x: Tensor, /) -> Tensor:
    """Return where imaginary parts are zero: everywhere for real dtypes. A new tensor of bool.

    >>> import strided
    >>> strided.isreal(strided.tensor([1 + 0j, 1j])).tolist()
    [True, False]
    """
    if x.dtype.is_complex:
        return x.imag == 0
    return _native.empty(x.shape, dtype=_native.bool).fill_(True)


@operation(kind="value", method=None, operands=0)
def is_tensor(obj: Any, /) -> bool:
    """Return whether something is a tensor of this library.

    >>> import strided
    >>> strided.is_tensor(strided.zeros(1)), strided.is_tensor([1])
    (True, False)
    """
    return isinstance(obj, Tensor)


@operation(kind="value", method=None, operands=0)
def is_storage(obj: Any, /) -> bool:
    """Return whether something is a storage.

    >>> import strided
    >>> strided.is_storage(strided.zeros(1).storage())
    True
    """
    from strided.memory import Storage

    return isinstance(obj, Storage)


@operation(name="numel of a tensor", function="numel", method="nelement", kind="value")
def nelement(x: Tensor, /) -> int:
    """Return the number of elements.

    >>> import strided
    >>> strided.numel(strided.zeros(2, 3)), strided.zeros(2).nelement()
    (6, 2)
    """
    return x.numel()


@operation(function=None, kind="value")
def ndimension(x: Tensor, /) -> int:
    """Return the number of axes.

    >>> import strided
    >>> strided.zeros(2, 3).ndimension()
    2
    """
    return x.ndim


@operation(function=None, kind="value")
def dim_order(x: Tensor, /) -> tuple[int, ...]:
    """Return the axes from the slowest in memory to the fastest.

    >>> import strided
    >>> strided.zeros(2, 3).T.dim_order()
    (1, 0)
    """
    return tuple(int(axis) for axis in memory_order(x, "preserve"))


@operation(function=None, kind="value")
def get_device(x: Tensor, /) -> int:
    """Return -1, as PyTorch does of tensors on the CPU.

    >>> import strided
    >>> strided.zeros(1).get_device()
    -1
    """
    return -1


_TYPES = {
    "Float": _native.float32,
    "Double": _native.float64,
    "Half": _native.float16,
    "BFloat16": _native.bfloat16,
    "Long": _native.int64,
    "Int": _native.int32,
    "Short": _native.int16,
    "Char": _native.int8,
    "Byte": _native.uint8,
    "Bool": _native.bool,
    "ComplexFloat": _native.complex64,
    "ComplexDouble": _native.complex128,
}


@operation(
    function=None,
    name="type of elements",
    method="type",
    kind="either",
    forecast=lambda of: (
        lambda x, dtype=None, *_: of.itself(x) if dtype is None else of.converted(x, dtype)
    ),
)
def type_of(x: Tensor, /, dtype: Any = None, non_blocking: bool = False) -> Any:
    """Return the name of PyTorch's class of this dtype; with a dtype, the tensor in it.

    >>> import strided
    >>> strided.zeros(1).type(), strided.zeros(1).type(strided.int8).dtype
    ('strided.FloatTensor', strided.int8)
    """
    if dtype is None:
        names = {one: name for name, one in _TYPES.items()}
        return f"strided.{names.get(x.dtype, x.dtype.name)}Tensor"
    if isinstance(dtype, str) and dtype.endswith("Tensor"):
        name = dtype.rpartition(".")[2].removesuffix("Tensor")
        if name not in _TYPES:
            raise InvalidArgument(
                argument="dtype", got=repr(dtype), requirement="must name a dtype of this library"
            )
        dtype = _TYPES[name]
    return x._convert(dtype)


def _always(name: str, value: bool, says: str) -> None:
    def fact(x: Tensor, /) -> bool:
        return value

    fact.__doc__ = (
        f"Whether {says}: always {value}.\n\n    >>> import strided\n"
        f"    >>> strided.zeros(1).{name}\n    {value}\n    "
    )
    operation(name=name, function=None, kind="value", attribute=True)(fact)


_always("is_cpu", True, "elements lie in the memory of the CPU")
_always("is_cuda", False, "elements lie on a CUDA device")
_always("is_mps", False, "elements lie on an Apple device")
_always("is_xpu", False, "elements lie on an Intel device")
_always("is_meta", False, "it is a shape without elements")
_always("is_sparse", False, "only some elements are kept")
_always("is_sparse_csr", False, "it is a sparse matrix in rows")
_always("is_quantized", False, "elements are PyTorch's quantised numbers")
_always("is_nested", False, "it is a list of tensors of several shapes")
_always("is_mkldnn", False, "it has a layout of oneDNN")


def _never(name: str, says: str, function: bool) -> None:
    def fact(x: Tensor, /) -> bool:
        return False

    fact.__doc__ = (
        f"Return whether {says}: never, it is computed at once.\n\n    >>> import strided\n"
        f"    >>> strided.zeros(1).{name}()\n    False\n    "
    )
    operation(name=name, function="" if function else None, kind="value")(fact)


_never("is_conj", "a conjugate is still to be computed", True)
_never("is_neg", "a change of sign is still to be computed", True)


def _itself(name: str, says: str, function: bool) -> None:
    def same(x: Tensor, /) -> Tensor:
        return x

    same.__doc__ = (
        f"Return this tensor itself: {says}.\n\n    >>> import strided\n"
        f"    >>> x = strided.zeros(1)\n    >>> x.{name}() is x\n    True\n    "
    )
    operation(
        name=name, function="" if function else None, kind="either",
        forecast=lambda of: of.itself,
    )(same)  # fmt: skip


_itself("resolve_conj", "no conjugate is still to be computed", True)
_itself("resolve_neg", "no change of sign is still to be computed", True)
_itself("pin_memory", "memory of the CPU needs no pinning without a device", False)
_itself("to_dense", "all elements are there", False)


@operation(function=None, kind="value")
def is_pinned(x: Tensor, /) -> bool:
    """Return whether the memory is pinned for a device: never, there is none.

    >>> import strided
    >>> strided.zeros(1).is_pinned()
    False
    """
    return False


@operation(kind="value")
def is_inference(x: Tensor, /) -> bool:
    """Return whether a tensor can never take part in a graph: no, every tensor may.

    >>> import strided
    >>> strided.zeros(1).is_inference()
    False
    """
    return False


# ---- defaults of the library, which do not change ----


@operation(kind="value", method=None, operands=0)
def get_default_dtype() -> DType:
    """Return the dtype of new tensors of floats: float32.

    >>> import strided
    >>> strided.get_default_dtype()
    strided.float32
    """
    return _native.float32


@operation(kind="value", method=None, operands=0)
def set_default_dtype(d: Any, /) -> None:
    """Accept float32, the default dtype; it does not change.

    >>> import strided
    >>> strided.set_default_dtype(strided.float32)
    """
    if _native.as_dtype(d) is not _native.float32:
        raise UnsupportedOperation(
            operation="set_default_dtype",
            reason="the default is float32: what a line computes does not depend on a setting",
            hint=f"say it where tensors are made: strided.zeros(3, dtype=strided.{d})",
        )


@operation(kind="value", method=None, operands=0)
def get_default_device() -> str:
    """Return where new tensors lie: on the CPU.

    >>> import strided
    >>> strided.get_default_device()
    'cpu'
    """
    return "cpu"


@operation(kind="value", method=None, operands=0)
def set_default_device(device: Any, /) -> None:
    """Accept the CPU, the only device.

    >>> import strided
    >>> strided.set_default_device("cpu")
    """
    check_device(device)


@operation(kind="value", method=None, operands=0)
def device(type: Any, index: int | None = None, /) -> str:
    """Return the name of a device, which is what tensors take and have; there is only the CPU.

    >>> import strided
    >>> strided.device("cpu") == strided.zeros(1).device
    True
    """
    check_device(type)
    return "cpu"


@operation(kind="value", method=None, operands=0)
def get_float32_matmul_precision() -> str:
    """Return how products of float32 are computed: always in full.

    >>> import strided
    >>> strided.get_float32_matmul_precision()
    'highest'
    """
    return "highest"


@operation(kind="value", method=None, operands=0)
def set_float32_matmul_precision(precision: str, /) -> None:
    """Accept a precision as PyTorch does: products are never less precise than asked.

    >>> import strided
    >>> strided.set_float32_matmul_precision("high")
    """
    if precision not in ("highest", "high", "medium"):
        raise InvalidArgument(
            argument="precision",
            got=repr(precision),
            requirement="must be 'highest', 'high' or 'medium'",
        )


@operation(kind="value", method=None, operands=0)
def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Accept either: every operation gives the same bits in each run.

    >>> import strided
    >>> strided.use_deterministic_algorithms(True)
    """
    del mode, warn_only  # there is nothing to switch


@operation(kind="value", method=None, operands=0)
def are_deterministic_algorithms_enabled() -> bool:
    """Return whether every operation gives the same bits in each run: yes.

    >>> import strided
    >>> strided.are_deterministic_algorithms_enabled()
    True
    """
    return True


@operation(kind="value", method=None, operands=0)
def is_inference_mode_enabled() -> bool:
    """Return whether nothing is recorded for gradients.

    >>> import strided
    >>> with strided.inference_mode():
    ...     strided.is_inference_mode_enabled()
    True
    """
    return not _native.grad_mode()
