"""LayoutFacts of any array: one function per library, chosen without importing the library.

Whose memory an array uses is followed through views and loans up to the block that is kept alive.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from strided import _native
from strided._native import Layout, Tensor
from strided.errors import NotAnArray, OutOfStorageBounds
from strided.inspect.facts import LayoutFacts
from strided.inspect.reach import reached_range

if TYPE_CHECKING:
    import numpy

_TORCH = "a torch storage"


class Block(NamedTuple):
    """Memory that lives as long as somebody looks at it, and whose it is."""

    ptr: int
    nbytes: int
    owner: str


def facts_of(x: Any, /, operation: str = "inspect") -> LayoutFacts:
    """Return where the elements of an array lie. Reads no element, copies nothing.

    >>> import numpy
    >>> from strided.inspect.array_facts import facts_of
    >>> facts_of(numpy.zeros((3, 4))[:, ::2]).heading
    'numpy (3, 2):(4, 2)+0 float64'
    """
    if isinstance(x, LayoutFacts):
        return x
    if isinstance(x, Tensor):
        return _strided_facts(x)
    if isinstance(x, Layout):
        return _bare_facts(x)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        return _torch_facts(x, operation)
    return _array_facts(x, operation)


# ---- strided ----


def _strided_facts(x: Tensor) -> LayoutFacts:
    block = _tensor_block(x)
    return LayoutFacts(
        library="strided",
        shape=x.shape,
        byte_strides=x.byte_strides,
        byte_offset=x.byte_offset,
        dtype=x.dtype.name,
        itemsize=x.itemsize,
        storage_ptr=_native.storage_pointer(x),
        storage_nbytes=x.bytes_kept_alive,
        block_ptr=block.ptr,
        bytes_kept_alive=block.nbytes,
        writable=x.writable,
        owner=_seen_from(x.base, block),
    )


def _tensor_block(x: Tensor) -> Block:
    how, whose = _native.storage_origin(x)
    own = Block(_native.storage_pointer(x), x.bytes_kept_alive, "own heap block")
    if how == "file":
        return own._replace(owner=f"memory map of {whose}")
    if how == "dlpack":
        return own._replace(owner=f"borrowed from {whose or 'a DLPack capsule'}")
    if how == "buffer":
        return _lent(own, whose)
    return own


def _bare_facts(x: Layout) -> LayoutFacts:
    low, high = reached_range(x)
    if low < 0:
        raise OutOfStorageBounds(
            shape=x.shape,
            strides=x.strides,
            offset=x.offset,
            lowest=low,
            highest=high - 1,
            storage_size=high,
        )
    return LayoutFacts(
        library="layout",
        shape=x.shape,
        byte_strides=x.strides,
        byte_offset=x.offset,
        dtype="",
        itemsize=1,
        storage_ptr=0,
        storage_nbytes=high,
        block_ptr=0,
        bytes_kept_alive=high,
        writable=False,
        owner="nobody: a layout without memory",
        device="nowhere",
    )


# ---- PyTorch ----


def _torch_facts(x: Any, operation: str) -> LayoutFacts:
    if str(x.layout) != "torch.strided":
        raise NotAnArray(
            operation=operation, got="torch.Tensor", reason=f"it has no strides: {x.layout}"
        )
    block, item = _torch_block(x), x.element_size()
    return LayoutFacts(
        library="torch",
        shape=tuple(x.shape),
        byte_strides=tuple(step * item for step in x.stride()),
        byte_offset=x.storage_offset() * item,
        dtype=str(x.dtype).removeprefix("torch."),
        itemsize=item,
        storage_ptr=block.ptr,
        storage_nbytes=block.nbytes,
        block_ptr=block.ptr,
        bytes_kept_alive=block.nbytes,
        writable=True,
        owner=_seen_from(x._base, block),
        device=str(x.device),
    )


def _torch_block(x: Any) -> Block:
    storage = x.untyped_storage()
    file = getattr(storage, "filename", None)
    # PyTorch does not tell borrowed memory from its own.
    owner = _TORCH if file is None else f"memory map of {file}"
    return Block(0 if x.is_meta else storage.data_ptr(), storage.nbytes(), owner)


# ---- NumPy, and whatever shows its memory ----


def _array_facts(x: Any, operation: str) -> LayoutFacts:
    array = _as_numpy(x)
    if array is None:
        reason = "it shows no memory: no __array_interface__, no __dlpack__, no buffer"
        raise NotAnArray(operation=operation, got=_type_name(x), reason=reason)
    block = _array_block(array)
    return LayoutFacts(
        library=_library(x, array),
        shape=array.shape,
        byte_strides=array.strides,
        byte_offset=array.ctypes.data - block.ptr,
        dtype=str(array.dtype),
        itemsize=array.itemsize,
        storage_ptr=block.ptr,
        storage_nbytes=block.nbytes,
        block_ptr=block.ptr,
        bytes_kept_alive=block.nbytes,
        writable=array.flags.writeable,
        owner=block.owner,
    )


def _library(x: Any, array: numpy.ndarray[Any, Any]) -> str:
    home = "numpy" if x is array else type(x).__module__.partition(".")[0]
    return "python" if home == "builtins" else home


def _as_numpy(x: Any) -> numpy.ndarray[Any, Any] | None:
    """Return a NumPy array over the memory of an object, None when it shows none."""
    import numpy as np

    if isinstance(x, np.ndarray):
        return x
    if isinstance(x, np.generic):  # a number, though it has an array interface
        return None
    try:
        if hasattr(x, "__array_interface__"):
            return np.asarray(x)
        if hasattr(x, "__dlpack__"):
            return np.from_dlpack(x)
        return np.asarray(memoryview(x))
    except (TypeError, ValueError, BufferError, RuntimeError):
        return None


def _array_block(array: numpy.ndarray[Any, Any]) -> Block:
    """Follow the bases of an array up to the memory that all of them look at."""
    import numpy as np

    last: Any = array
    file = getattr(last, "filename", None)
    while True:
        base = last.base
        if not isinstance(base, np.ndarray):
            # as_strided and sliding_window_view put an object in between.
            base = getattr(base, "base", None)
        if not isinstance(base, np.ndarray):
            break
        last = base
        file = file or getattr(last, "filename", None)
    low, high = _bounds(last)
    own = Block(low, high - low, "own heap block")
    if last.base is None:
        if last.flags.owndata:
            return own if last is array else own._replace(owner=f"view of {_name(last)}")
        return own._replace(owner="memory that NumPy does not own")
    lent = _lent(own, last.base)
    return lent if file is None else lent._replace(owner=f"memory map of {file}")


def _bounds(array: numpy.ndarray[Any, Any]) -> tuple[int, int]:
    reach = Layout((*array.shape, array.itemsize), (*array.strides, 1), array.ctypes.data)
    return reached_range(reach)


# ---- who lends ----


def _block_of(lender: Any) -> Block | None:
    """Return the block of an object that lends memory, None when it does not show it."""
    import numpy as np

    if isinstance(lender, Tensor):
        return _tensor_block(lender)
    if isinstance(lender, np.ndarray):
        return _array_block(lender)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(lender, torch.Tensor):
        return _torch_block(lender)
    try:
        flat = np.frombuffer(lender, dtype=np.uint8)
    except (TypeError, ValueError, BufferError):
        return None
    return Block(flat.ctypes.data, flat.nbytes, "")


def _lent(part: Block, whose: Any) -> Block:
    """Return the block that a part was borrowed from: a slice keeps the whole array alive."""
    if isinstance(whose, memoryview):
        whose = whose.obj
    block = _block_of(whose)
    if block is None or not (
        block.ptr <= part.ptr and part.ptr + part.nbytes <= block.ptr + block.nbytes
    ):
        return part._replace(owner=f"borrowed from {_name(whose)}")
    return block._replace(owner=f"borrowed from {_name(whose)}{_more(block)}")


def _seen_from(base: Any, block: Block) -> str:
    return block.owner if base is None else f"view of {_name(base)}{_more(block)}"


def _more(block: Block) -> str:
    """Return whose a block is where that is not said by naming who shows it."""
    return "" if block.owner in ("", "own heap block", _TORCH) else f", {block.owner}"


def _type_name(x: Any) -> str:
    kind = type(x)
    home = kind.__module__.partition(".")[0]
    return kind.__name__ if home == "builtins" else f"{home}.{kind.__name__}"


def _name(x: Any) -> str:
    """Return a type, and shape and dtype where there are such: numpy.ndarray (3, 4) int64."""
    shape = getattr(x, "shape", None)
    if isinstance(x, memoryview) or shape is None:
        return f"{_type_name(x)} of {len(x)}" if hasattr(x, "__len__") else _type_name(x)
    dtype = str(getattr(x, "dtype", "")).rpartition("torch.")[2].removeprefix("strided.")
    name = "strided.Tensor" if isinstance(x, Tensor) else _type_name(x)
    return f"{name} {tuple(shape)} {dtype}".rstrip()


# ---- printed ----
# The lines are those of the printer in "torch internal: decoupling view from underlying storage":
# PyTorch's end with the address of the storage, NumPy's with the dtype. Tensors of this library,
# which have storages too, are printed as PyTorch's are.


def print_layout(*arrays: Any, file: Any = None) -> None:
    """Print the values of arrays, and shape, offset and stride (in elements) below each.

    >>> import numpy, strided
    >>> x = numpy.arange(12).reshape(3, 4)
    >>> strided.print_layout(x, numpy.flip(x, axis=0))
    [[ 0  1  2  3]
     [ 4  5  6  7]
     [ 8  9 10 11]]
      shape (3, 4) offset 0 stride: [4, 1], dtype: int64
    [[ 8  9 10 11]
     [ 4  5  6  7]
     [ 0  1  2  3]]
      shape (3, 4) offset 8 stride: [-4, 1], dtype: int64
    >>> strided.print_layout(strided.arange(4)[::2])  # doctest: +ELLIPSIS
    tensor([0, 2])
      shape (2,) offset 0 stride: (2,), data_ptr=...
    """
    for x in arrays:
        print(f"{x}\n{_line(x, facts_of(x, operation='print_layout'))}", file=file)


def _line(x: Any, facts: LayoutFacts) -> str:
    layout = facts.layout
    unit = "" if layout is not None else " bytes"
    offset = facts.byte_offset if layout is None else layout.offset
    strides = facts.byte_strides if layout is None else layout.strides
    shape = x.shape if facts.library == "torch" else facts.shape
    if facts.library in ("strided", "torch"):
        end = f"{strides}{unit}, data_ptr={facts.storage_ptr}"
    else:
        end = f"{list(strides)}{unit}, dtype: {facts.dtype}"
    return f"  shape {shape} offset {offset}{unit} stride: {end}"
