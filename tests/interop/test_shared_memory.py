"""Memory shared with NumPy, buffers and DLPack: both ways, with any strides, and for how long."""

from __future__ import annotations

import array
import ctypes
import hashlib
import io
import zlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.compare import ALL_DTYPES, as_numpy, dtype_of

import strided

# ---- every dtype, every layout, every way in and out ----

LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "row-major": lambda a: a,
    "column-major": np.asfortranarray,
    "transposed": lambda a: a.T,
    "offset": lambda a: a[1:, 2:],
    "stepped": lambda a: a[::2, 1::3],
    "flipped": lambda a: a[::-1, ::-1],
    "flipped and stepped": lambda a: a[::-2, ::3],
    "one column": lambda a: a[:, 1:2],
    "repeated": lambda a: np.broadcast_to(a[1], (3, 6)),
    "rank 0": lambda a: a[2:3, 4:5].reshape(()),
    "rank 5": lambda a: a.reshape(2, 1, 2, 3, 2).transpose(4, 2, 1, 0, 3),
    "empty": lambda a: a[:, 3:3],
}
INTO: dict[str, Callable[[np.ndarray], Any]] = {
    "from_numpy": strided.from_numpy,
    "asarray": strided.asarray,
    "from_dlpack": strided.from_dlpack,
    "memoryview": lambda a: strided.asarray(memoryview(a)),
}
OUT_OF: dict[str, Callable[[Any], np.ndarray]] = {
    "numpy": lambda x: x.numpy(),
    "asarray": lambda x: np.asarray(x),
    "asarray without copy": lambda x: np.asarray(x, copy=False),
    "from_dlpack": np.from_dlpack,
    "memoryview": lambda x: np.asarray(memoryview(x)),
}
# NumPy's own buffers and capsules know no bfloat16.
KNOW_BFLOAT16 = ("from_numpy", "asarray", "numpy", "asarray without copy")


def grid(dtype: str) -> np.ndarray:
    return (np.arange(24) % 23 - 3).astype(dtype_of(dtype).dtype).reshape(4, 6)


def ways(table: dict[str, Any], dtype: str) -> list[str]:
    return [way for way in table if dtype != "bfloat16" or way in KNOW_BFLOAT16]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_in_and_out_share_one_memory(dtype: str, layout: str) -> None:
    a = LAYOUTS[layout](grid(dtype))
    for way in ways(INTO, dtype):
        x = INTO[way](a)
        assert (x.shape, x.dtype.name, x.writable) == (a.shape, dtype, a.flags.writeable), way
        assert x.size == 0 or x.byte_strides == a.strides, way  # NumPy tidies those of nothing
        assert a.size == 0 or x.data_ptr() == a.ctypes.data, way
        assert np.array_equal(as_numpy(x), a.astype("float32") if dtype == "bfloat16" else a), way
        for back in ways(OUT_OF, dtype):
            b = OUT_OF[back](x)
            assert (b.shape, b.dtype, b.strides) == (a.shape, a.dtype, x.byte_strides), (way, back)
            assert b.flags.writeable == a.flags.writeable, (way, back)
            assert a.size == 0 or b.ctypes.data == a.ctypes.data, (way, back)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_writes_are_seen_on_both_sides(dtype: str) -> None:
    a = grid(dtype)
    x = strided.from_numpy(a[::-1, ::2])
    x[0, 1] = 1
    assert a[3, 2] == 1
    a[0, 0] = 0
    assert x[3, 0].item() == 0
    y = strided.zeros(2, 3, dtype=dtype_of(dtype))
    y.T.numpy()[2, 1] = 1
    assert y.tolist() == [[0, 0, 0], [0, 0, 1]]
    y.fill_(1)
    assert (y.numpy() == 1).all()


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_elements_come_out_as_the_numpy_type_of_that_name(dtype: str) -> None:
    made = strided.ones(2, dtype=dtype_of(dtype)).numpy()
    assert type(made[0]) is np.dtype(dtype_of(dtype).dtype).type


def test_array_converts_only_when_asked() -> None:
    x = strided.arange(3)
    assert np.asarray(x, dtype="float32").tolist() == [0, 1, 2]
    assert np.array(x).ctypes.data != x.data_ptr()
    assert x.__array__(copy=True).ctypes.data != x.data_ptr()
    assert x.__array__(np.dtype("int64"), copy=False).ctypes.data == x.data_ptr()
    for convert in (
        lambda: x.__array__("int8", copy=False),
        lambda: np.asarray(x, "i1", copy=False),
    ):
        with pytest.raises(ValueError):
            convert()
    half = strided.tensor([1.5, -2.0], dtype=strided.bfloat16)
    assert np.asarray(half, dtype="float32").tolist() == [1.5, -2.0]


@pytest.mark.parametrize("code", "bBhHiIlLqQfd")
def test_array_module(code: str) -> None:
    a = array.array(code, [1, 2, 3])
    x = strided.asarray(a)
    assert (x.tolist(), x.dtype.name) == ([1, 2, 3], np.dtype(code).name)
    x[1] = 7
    assert a[1] == 7


def test_other_exporters() -> None:
    class Interface:
        def __init__(self, a: np.ndarray) -> None:
            self.__array_interface__ = a.__array_interface__
            self.keep = a

    class Method:
        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
            return np.arange(3.0)

    a = np.arange(4)
    strided.asarray(Interface(a))[0] = 9
    assert a[0] == 9
    assert strided.asarray(Method()).tolist() == [0, 1, 2]
    c = ((ctypes.c_int * 3) * 2)((1, 2, 3), (4, 5, 6))  # exports no strides at all
    assert strided.asarray(c).tolist() == [[1, 2, 3], [4, 5, 6]]
    raw = memoryview(bytearray(range(6)))
    assert strided.asarray(raw.cast("B", (2, 3)))[1].tolist() == [3, 4, 5]
    assert strided.asarray(raw[::-2]).stride() == (-2,)
    assert strided.asarray(raw.cast("c")).dtype is strided.uint8
    assert strided.asarray(b"ab").writable is False


# ---- copy=None, True, False ----

SHARED = {
    "tensor": lambda: strided.arange(3),
    "NumPy": lambda: np.arange(3),
    "bytearray": lambda: bytearray(24),
    "array": lambda: array.array("q", [0, 1, 2]),
    "DLPack only": lambda: OnlyDlpack(np.arange(3)),
}


class OnlyDlpack:
    """A producer from before DLPack 1.0: it knows no max_version."""

    def __init__(self, a: Any) -> None:
        self.a = a

    def __dlpack__(self, stream: Any = None) -> Any:
        return self.a.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


@pytest.mark.parametrize("kind", SHARED)
def test_copy_argument(kind: str) -> None:
    source = SHARED[kind]()
    x = strided.asarray(source)
    at = x.data_ptr()
    assert strided.asarray(source, copy=False).data_ptr() == at
    assert strided.asarray(source, dtype=x.dtype, copy=False).data_ptr() == at
    assert strided.asarray(source, copy=True).data_ptr() != at
    assert strided.tensor(source).data_ptr() != at
    assert strided.tensor(source).writable
    assert strided.asarray(source, dtype="float64").dtype is strided.float64
    with pytest.raises(strided.InvalidArgument) as caught:
        strided.asarray(source, dtype="float64", copy=False)
    assert caught.value.argument == "copy"
    if hasattr(source, "__dlpack__"):
        assert strided.from_dlpack(source).data_ptr() == at
        assert strided.from_dlpack(source, copy=True).data_ptr() != at


def test_lists_have_nothing_to_share() -> None:
    with pytest.raises(strided.InvalidArgument) as caught:
        strided.asarray([1, 2], copy=False)
    assert caught.value.argument == "copy"


# ---- refusals ----

PAIRS = np.zeros(3, dtype=[("a", "i4"), ("b", "i2")])
BYTES = np.arange(25, dtype="uint8")
NO_DTYPE = {
    "byte-swapped": np.zeros(3, np.dtype("i4").newbyteorder()),
    "structured": PAIRS,
    "object": np.zeros(3, object),
    "text": np.zeros(3, "U2"),
    "bytes": np.zeros(3, "S2"),
    "dates": np.zeros(3, "M8[s]"),
    "long double": np.zeros(3, np.longdouble),
}
BAD_PLACE = {"odd stride": PAIRS["a"], "misaligned": BYTES[1:].view("f8").reshape(3, 1)}


@pytest.mark.parametrize("kind", NO_DTYPE)
def test_dtypes_that_do_not_exist_here(kind: str) -> None:
    for make in (strided.from_numpy, strided.asarray, strided.tensor):
        with pytest.raises(strided.DTypeMismatch) as caught:
            make(NO_DTYPE[kind])
        assert "astype" in caught.value.hint
        assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize("kind", BAD_PLACE)
def test_places_no_tensor_can_point_at(kind: str) -> None:
    a = BAD_PLACE[kind]
    for share in (strided.from_numpy, lambda a: strided.asarray(a, copy=False)):
        with pytest.raises(strided.UnsupportedOperation) as caught:
            share(a)
        assert "strided.tensor" in caught.value.hint
    before = strided.copy_totals()["clone"]
    x = strided.tensor(a)  # the hint
    after = strided.copy_totals()["clone"]
    assert (after.count - before.count, after.nbytes - before.nbytes) == (1, a.nbytes)
    assert x.numpy().tobytes() == a.tobytes()
    assert (x.shape, x.dtype.name) == (a.shape, a.dtype.name)


def test_alignment_is_that_of_the_parts() -> None:
    a = np.zeros(5, "float32")[1:].view("complex64")
    assert a.flags.aligned
    assert strided.from_numpy(a).data_ptr() == a.ctypes.data
    misplaced = strided.from_numpy(BYTES[1:17] if BYTES.ctypes.data % 8 == 0 else BYTES[:16])
    with pytest.raises(strided.UnsupportedOperation):
        misplaced.view(strided.float64)


def test_things_that_are_no_arrays() -> None:
    for make in (strided.from_numpy, strided.from_dlpack, strided.frombuffer):
        with pytest.raises(TypeError):
            make([1, 2])
    for make in (strided.asarray, strided.from_dlpack):
        with pytest.raises(strided.InvalidArgument):
            make(np.zeros(2), device="cuda")


# ---- frombuffer ----


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_frombuffer(dtype: str) -> None:
    item = dtype_of(dtype).itemsize
    source = bytearray(5 * item)
    x = strided.frombuffer(source, dtype=dtype, count=3, offset=item)
    assert (x.shape, x.dtype.name, x.writable) == ((3,), dtype, True)
    x.fill_(1)
    assert strided.frombuffer(source, dtype=dtype_of(dtype)).tolist() == [0, 1, 1, 1, 0]
    assert not strided.frombuffer(bytes(source), dtype=dtype).writable
    assert strided.frombuffer(b"", dtype=dtype).shape == (0,)


@pytest.mark.parametrize(
    ("argument", "options"),
    [
        ("offset", {"offset": -1}),
        ("offset", {"offset": 9}),
        ("buffer", {"count": 3}),
        ("buffer", {"offset": 2}),
    ],
)
def test_frombuffer_bounds(argument: str, options: dict[str, int]) -> None:
    with pytest.raises(strided.InvalidArgument) as caught:
        strided.frombuffer(bytearray(8), dtype=strided.float32, **options)
    assert caught.value.argument == argument


def test_frombuffer_elements_are_aligned() -> None:
    source = bytearray(24)
    assert strided.frombuffer(source, dtype=strided.complex128, offset=8).shape == (1,)
    with pytest.raises(strided.UnsupportedOperation):
        strided.frombuffer(source, dtype=strided.int32, offset=2, count=1)
    with pytest.raises(strided.UnsupportedOperation):
        strided.frombuffer(memoryview(source)[1:9], dtype=strided.float64)


# ---- the buffer protocol, out ----

FORMATS = dict(zip(ALL_DTYPES, [*"?bhiqBHIQe-fd", "Zf", "Zd"], strict=True))


@pytest.mark.parametrize("dtype", [d for d in ALL_DTYPES if d != "bfloat16"])
def test_buffer_fields(dtype: str) -> None:
    x = strided.from_numpy(grid(dtype))[1:, ::2].T
    m = memoryview(x)
    wanted = {"q": "ql", "Q": "QL"}.get(FORMATS[dtype], FORMATS[dtype])
    assert m.format == wanted or m.format in wanted
    assert (m.shape, m.strides, m.itemsize) == (x.shape, x.byte_strides, x.itemsize)
    assert (m.nbytes, m.readonly, m.ndim) == (x.nbytes, False, 2)
    assert (m.c_contiguous, m.f_contiguous) == (False, False)
    assert bytes(x) == m.tobytes() == np.asarray(x).tobytes()


def test_bytes_of_an_integer_are_its_own() -> None:
    assert bytes(strided.tensor(3, dtype=strided.int16)) == b"\3\0"
    assert bytes(strided.tensor([1.0], dtype=strided.bfloat16)) == b"\x80\x3f"


def test_who_asks_for_no_shape_sees_one_run_of_bytes() -> None:
    x = strided.arange(6).reshape(2, 3)
    assert hashlib.sha256(x).digest() == hashlib.sha256(bytes(x)).digest()


def test_array_struct_alone() -> None:
    a = np.arange(6.0).reshape(2, 3)[::-1]
    only = SimpleNamespace(__array_struct__=a.__array_struct__)
    x = strided.asarray(only)
    assert (x.tolist(), x.stride()) == (a.tolist(), (-3, 1))
    assert np.shares_memory(x.numpy(), a)


def test_buffer_consumers() -> None:
    x = strided.arange(6, dtype=strided.uint8).reshape(2, 3)
    assert zlib.crc32(x) == zlib.crc32(bytes(range(6)))
    assert io.BytesIO(b"abc").readinto(x[1]) == 3
    assert x[1].tolist() == [97, 98, 99]
    memoryview(x.T)[2, 0] = 5
    assert x[0, 2].item() == 5
    assert memoryview(x.T).f_contiguous
    with pytest.raises(BufferError):
        zlib.crc32(x.T)
    with pytest.raises(BufferError):
        memoryview(strided.zeros(2, dtype=strided.bfloat16))
    frozen = strided.frombuffer(b"abc", dtype=strided.uint8)
    assert memoryview(frozen).readonly
    with pytest.raises((BufferError, TypeError)):
        io.BytesIO(b"abc").readinto(frozen)
    assert memoryview(strided.tensor(2.5)).tolist() == 2.5
    assert memoryview(strided.zeros(0, 3)).shape == (0, 3)
