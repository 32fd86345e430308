"""What the native library itself gives to the public: signatures and docstrings.

The C++ tables hold pointers to the docstrings, which ``document`` sets. What is an operation has
its docstring in its definition, and what Python adds has it where it is written.
"""

from __future__ import annotations

from inspect import CO_VARARGS
from types import FunctionType
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import DType, Tensor

if TYPE_CHECKING:
    import numpy as np

    from strided.memory_layout import Size, Strides

    DTypeLike = Any
    MemoryFormat = Any


class TensorMembers:
    """Elements of one dtype in a storage that views share: a Layout over bytes.

    Made by ``strided.tensor``, ``zeros``, ``from_numpy`` and other functions; ``Tensor(x)`` is a
    view of x. Indexing with integers, slices, None and Ellipsis gives views, with masks and integer
    arrays a new tensor. Operators broadcast and give new tensors; ``+=`` and its like write in
    place. Most methods take NumPy's ``axis``, ``axes`` and ``keepdims`` for PyTorch's ``dim``,
    ``dims`` and ``keepdim``.

    >>> import strided
    >>> x = strided.zeros(2, 3)
    >>> x[:, 1] += 7
    >>> x.T
    tensor([[0., 0.],
            [7., 7.],
            [0., 0.]], shape=(3, 2), dtype=float32)
    """

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis.

        >>> import strided
        >>> strided.zeros(2, 3).shape
        (2, 3)
        """
        ...

    @property
    def ndim(self) -> int:
        """The number of axes.

        >>> import strided
        >>> strided.zeros(2, 3).ndim
        2
        """
        ...

    @property
    def size(self) -> Size:
        """The number of elements; ``x.size()`` is the shape, ``x.size(0)`` the length of an axis.

        >>> import strided
        >>> strided.zeros(2, 3).size, strided.zeros(2, 3).size(0)
        (6, 2)
        """
        ...

    @property
    def dtype(self) -> DType:
        """The type of the elements.

        >>> import strided
        >>> strided.zeros(2).dtype, strided.arange(2).dtype
        (strided.float32, strided.int64)
        """
        ...

    @property
    def itemsize(self) -> int:
        """Bytes per element.

        >>> import strided
        >>> strided.zeros(2).itemsize
        4
        """
        ...

    @property
    def nbytes(self) -> int:
        """Bytes of all elements: size times itemsize, also where views repeat or skip some.

        >>> import strided
        >>> strided.zeros(3).expand(2, 3).nbytes
        24
        """
        ...

    @property
    def device(self) -> str:
        """Where the elements are: always the CPU.

        >>> import strided
        >>> strided.zeros(1).device
        'cpu'
        """
        ...

    @property
    def strides(self) -> Strides:
        """The distance between neighbours along each axis, in elements.

        >>> import strided
        >>> strided.zeros(2, 3).T.strides
        Strides(1, 3)
        """
        ...

    @property
    def byte_strides(self) -> tuple[int, ...]:
        """The distance between neighbours along each axis, in bytes, as NumPy has it.

        >>> import strided
        >>> strided.zeros(2, 3).byte_strides
        (12, 4)
        """
        ...

    @property
    def byte_offset(self) -> int:
        """The distance of the first element from the start of the storage, in bytes.

        >>> import strided
        >>> strided.zeros(2, 3)[1].byte_offset
        12
        """
        ...

    @property
    def is_view(self) -> bool:
        """Whether this tensor was made as a view of another one.

        >>> import strided
        >>> x = strided.zeros(2, 3)
        >>> x.is_view, x[0].is_view
        (False, True)
        """
        ...

    @property
    def base(self) -> Tensor | None:
        """The tensor that this view shares its storage with; None when it is no view.

        >>> import strided
        >>> x = strided.zeros(2, 3)
        >>> x.base, x.T[0].base is x
        (None, True)
        """
        ...

    @property
    def bytes_kept_alive(self) -> int:
        """The size of the whole storage, which lives as long as any view of it.

        >>> import strided
        >>> strided.zeros(1000)[:1].bytes_kept_alive
        4000
        """
        ...

    @property
    def writable(self) -> bool:
        """Whether elements may be changed.

        >>> import strided
        >>> strided.zeros(1).writable, strided.frombuffer(b"abcd").writable
        (True, False)
        """
        ...

    def stride(self, dim: int | None = None) -> Any:
        """Return the stride of one axis in elements, or of all of them.

        >>> import strided
        >>> x = strided.zeros(2, 3)
        >>> x.stride(), x.stride(0), x.flip(1).stride(-1)
        ((3, 1), 3, -1)
        """
        ...

    def storage_offset(self) -> int:
        """Return the position of the first element in the storage, in elements.

        >>> import strided
        >>> strided.zeros(3, 4)[1, 2:].storage_offset()
        6
        """
        ...

    def data_ptr(self) -> int:
        """Return the address of the first element.

        >>> import strided
        >>> x = strided.zeros(3, 4)
        >>> x[1].data_ptr() - x.data_ptr()
        16
        """
        ...

    def numel(self) -> int:
        """Return the number of elements (PyTorch's name for ``size``).

        >>> import strided
        >>> strided.zeros(2, 3).numel()
        6
        """
        ...

    def dim(self) -> int:
        """Return the number of axes (PyTorch's name for ``ndim``).

        >>> import strided
        >>> strided.zeros(2, 3).dim()
        2
        """
        ...

    def element_size(self) -> int:
        """Return the bytes per element (PyTorch's name for ``itemsize``).

        >>> import strided
        >>> strided.zeros(2).element_size()
        4
        """
        ...

    def is_contiguous(self, memory_format: MemoryFormat | None = None) -> bool:
        """Return whether the elements lie without gaps, in row-major or the given order.

        >>> import strided
        >>> x = strided.zeros(2, 3).T
        >>> x.is_contiguous(), x.is_contiguous(strided.column_major)
        (False, True)
        """
        ...

    def item(self, *index: Any) -> Any:
        """Return the only element, or the one at an index, as a Python number.

        >>> import strided
        >>> x = strided.arange(6).reshape(2, 3)
        >>> x[0, 1].item(), x.item(1, -1)
        (1, 5)
        """
        ...

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python numbers; a rank-0 tensor as one number.

        >>> import strided
        >>> strided.zeros(2, 1).tolist(), strided.tensor(7).tolist()
        ([[0.0], [0.0]], 7)
        """
        ...


class DTypeMembers:
    """The type of a tensor's elements; one object per dtype, compare with ``is`` or ``==``.

    Names, NumPy's dtypes and types, and Python's ``bool`` are equal to the dtype they stand for.

    >>> import strided
    >>> strided.zeros(2).dtype is strided.float32, strided.float32 == "float32"
    (True, True)
    """

    @property
    def name(self) -> str:
        """The name, as in NumPy.

        >>> import strided
        >>> strided.float32.name
        'float32'
        """
        ...

    @property
    def itemsize(self) -> int:
        """Bytes per element.

        >>> import strided
        >>> strided.float32.itemsize
        4
        """
        ...

    @property
    def kind(self) -> str:
        """One letter, as in NumPy: b, i, u, f or c.

        >>> import strided
        >>> strided.bool.kind, strided.uint8.kind
        ('b', 'u')
        """
        ...

    @property
    def is_floating_point(self) -> bool:
        """True for real floating-point dtypes.

        >>> import strided
        >>> strided.bfloat16.is_floating_point, strided.complex64.is_floating_point
        (True, False)
        """
        ...

    @property
    def is_complex(self) -> bool:
        """True for complex64 and complex128.

        >>> import strided
        >>> strided.complex64.is_complex
        True
        """
        ...

    @property
    def is_signed(self) -> bool:
        """True when negative values exist.

        >>> import strided
        >>> strided.int8.is_signed, strided.uint8.is_signed
        (True, False)
        """
        ...

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype; bfloat16 needs the package ml_dtypes.

        >>> import strided
        >>> strided.float32.dtype
        dtype('float32')
        """
        ...

    @property
    def hasobject(self) -> bool:
        """False: elements are never Python objects. Who moves bytes of arrays asks a dtype for it.

        >>> import strided
        >>> strided.float32.hasobject
        False
        """
        ...

    @property
    def type(self) -> type[np.generic]:
        """NumPy's type of one element; bfloat16 needs the package ml_dtypes.

        >>> import strided
        >>> strided.float32.type.__name__
        'float32'
        """
        ...


# ---- setting them ----

# Signatures for stubs where the result depends on the arguments.
OVERLOADS = {
    "stride": ("(self, dim: None = None) -> tuple[int, ...]", "(self, dim: int) -> int"),
    "item": ("(self, *index: int) -> Any", "(self, index: Sequence[int], /) -> Any"),
}


def text_signature(name: str, signature: str) -> str:
    """Return a signature without types, as CPython reads it from the head of a docstring.

    >>> from strided.native_members import text_signature
    >>> text_signature("flat", "(self, index: int, /) -> Tensor")
    'flat($self, index, /)'
    """
    parts: list[str] = []
    depth, start = 0, 1
    for place, letter in enumerate(signature):
        depth += (letter in "([") - (letter in ")]")
        if depth == (letter == ",") and letter in ",)":
            parts.append(_without_type(signature[start:place].strip()))
            start = place + 1
            if letter == ")":
                break
    return f"{name}({', '.join(part for part in parts if part)})".replace("(self", "($self", 1)


def _without_type(parameter: str) -> str:
    name, colon, rest = parameter.partition(":")
    if not colon:
        return parameter
    _, equals, default = rest.rpartition(" = ")
    return f"{name}={default}" if equals else name


def _declared(name: str, function: FunctionType) -> str:
    """Return the signature of a declaration of this module, as CPython reads it."""
    code, defaults = function.__code__, function.__defaults__ or ()
    names, placed = code.co_varnames, code.co_argcount
    first = placed - len(defaults)
    parts = [*names[:first]]
    optional = zip(names[first:placed], defaults, strict=True)
    parts += [f"{one}={value}" for one, value in optional]
    named = function.__kwdefaults__ or {}
    if code.co_flags & CO_VARARGS:
        parts.append(f"*{names[placed + len(named)]}")
    parts += [f"{one}={value}" for one, value in named.items()]
    return f"{name}({', '.join(parts)})".replace("(self", "($self", 1)


def describe(owner: object, name: str, signature: str, text: str) -> None:
    """Give a native function or method its signature and docstring."""
    _native.set_doc(vars(owner)[name], f"{signature}\n--\n\n{text}")


def document() -> None:
    """Give every native name of this module its docstring."""
    for owner, declared in ((Tensor, TensorMembers), (DType, DTypeMembers)):
        owner.__doc__ = declared.__doc__
        for name, member in vars(declared).items():
            if isinstance(member, property):
                _native.set_doc(vars(owner)[name], member.__doc__ or "")
            elif isinstance(member, FunctionType):
                describe(owner, name, _declared(name, member), member.__doc__ or "")
