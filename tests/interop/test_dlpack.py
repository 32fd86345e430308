"""DLPack capsules: their fields, who frees them and when, and those a stranger might hand in."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from support.compare import ALL_DTYPES, dtype_of
from support.layouts import LAYOUTS, Placed, placed

import strided

take = strided._native._from_dlpack

# ---- the structures of dlpack.h ----

Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Array(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class Legacy(ctypes.Structure):
    _fields_ = (("array", Array), ("context", ctypes.c_void_p), ("deleter", Deleter))


class Versioned(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_uint32 * 2),
        ("context", ctypes.c_void_p),
        ("deleter", Deleter),
        ("flags", ctypes.c_uint64),
        ("array", Array),
    )


READ_ONLY, IS_COPIED = 1, 2
INT, UINT, FLOAT, OPAQUE, BFLOAT, COMPLEX, BOOL = range(7)

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_get = ctypes.pythonapi.PyCapsule_GetPointer
_get.restype, _get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
_name = ctypes.pythonapi.PyCapsule_GetName
_name.restype, _name.argtypes = ctypes.c_char_p, (ctypes.py_object,)
NAMES = {Legacy: b"dltensor", Versioned: b"dltensor_versioned"}


def opened(capsule: Any, kind: type) -> Any:
    """Return the structure in a capsule that nobody has taken."""
    return kind.from_address(_get(capsule, NAMES[kind]))


class Stranger:
    """A capsule over six float32, with fields changed at will; counts calls of its deleter."""

    def __init__(self, kind: type = Versioned, **changes: Any) -> None:
        self.freed = 0
        self.values = np.arange(6, dtype="float32")
        self.made = kind()
        self.made.deleter = self.deleter = Deleter(self._free)
        array = self.made.array
        array.data, array.device = self.values.ctypes.data, (1, 0)
        array.code, array.bits, array.lanes = FLOAT, 32, 1
        self._dims("shape", changes.pop("shape", (2, 3)))
        self._dims("strides", changes.pop("strides", None))
        if kind is Versioned:
            self.made.version = (1, 0)
        for name, value in changes.items():
            setattr(self.made if hasattr(self.made, name) else array, name, value)
        self.capsule = _new(ctypes.addressof(self.made), NAMES[kind], None)

    def _free(self, _: int) -> None:
        self.freed += 1

    def _dims(self, name: str, dims: tuple[int, ...] | None) -> None:
        if dims is None:
            return
        setattr(self, name, (ctypes.c_int64 * len(dims))(*dims))
        setattr(self.made.array, name, getattr(self, name))
        self.made.array.ndim = len(dims)


# ---- out ----


@pytest.mark.parametrize("kind", [Legacy, Versioned])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_fields(dtype: str, kind: type) -> None:
    x = strided.zeros(4, 6, dtype=dtype_of(dtype))[1:, ::-2].T
    version = None if kind is Legacy else (1, 0)
    capsule = x.__dlpack__(max_version=version)
    made = opened(capsule, kind)
    array = made.array
    assert array.data + array.byte_offset == x.data_ptr()
    assert tuple(array.device) == x.__dlpack_device__() == (1, 0)
    assert tuple(array.shape[: array.ndim]) == x.shape
    assert tuple(array.strides[: array.ndim]) == x.stride()
    code = {"b": BOOL, "i": INT, "u": UINT, "f": FLOAT, "c": COMPLEX}[x.dtype.kind]
    code = BFLOAT if dtype == "bfloat16" else code
    assert (array.code, array.bits, array.lanes) == (code, 8 * x.itemsize, 1)
    if kind is Versioned:
        assert (made.version[0], made.flags) == (1, 0)


@pytest.mark.parametrize("name", LAYOUTS)
def test_there_and_back(name: str) -> None:
    at: Placed = LAYOUTS[name]
    x, _ = placed(at, np.arange(at.room))
    for version in (None, (1, 0)):
        y = take(x.__dlpack__(max_version=version))
        assert (y.shape, y.stride(), y.tolist()) == (x.shape, x.stride(), x.tolist())
        assert x.size == 0 or y.data_ptr() == x.data_ptr()


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        (None, Legacy),
        ((0, 8), Legacy),
        ((1, 0), Versioned),
        ((1, 9), Versioned),
        ((2, 0), Versioned),
    ],
)
def test_the_newest_version_both_know(asked: Any, kind: type) -> None:
    capsule = strided.zeros(2).__dlpack__(max_version=asked)
    assert _name(capsule) == NAMES[kind]


def test_flags_and_options() -> None:
    frozen = strided.frombuffer(b"abcdabcd")
    assert opened(frozen.__dlpack__(max_version=(1, 0)), Versioned).flags == READ_ONLY
    with pytest.raises(BufferError):
        frozen.__dlpack__()  # an old consumer could not be told
    x = strided.arange(3)
    copied = opened(capsule := x.__dlpack__(max_version=(1, 0), copy=True), Versioned)
    assert (copied.flags, copied.array.data == x.data_ptr()) == (IS_COPIED, False)
    assert not take(capsule).shares_storage(x)
    assert take(x.__dlpack__(copy=False)).shares_storage(x)
    assert take(x.__dlpack__(dl_device=(1, 0), stream=None)).shares_storage(x)
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))


# ---- in ----

ACCEPTED: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "no strides": ({}, [[0, 1, 2], [3, 4, 5]]),
    "strides": ({"shape": (3, 2), "strides": (1, 3)}, [[0, 3], [1, 4], [2, 5]]),
    "byte offset": ({"byte_offset": 4, "shape": (2, 2), "strides": (2, 1)}, [[1, 2], [3, 4]]),
    "downwards": ({"byte_offset": 20, "shape": (6,), "strides": (-1,)}, [5, 4, 3, 2, 1, 0]),
    "repeated": ({"shape": (2, 2), "strides": (0, 0)}, [[0, 0], [0, 0]]),
    "rank 0": ({"shape": ()}, 0),
    "empty without data": ({"shape": (0, 3), "data": None}, []),
    "no deleter": ({"deleter": Deleter()}, [[0, 1, 2], [3, 4, 5]]),
}


@pytest.mark.parametrize("kind", [Legacy, Versioned])
@pytest.mark.parametrize("case", ACCEPTED)
def test_accepted(case: str, kind: type) -> None:
    changes, expected = ACCEPTED[case]
    stranger = Stranger(kind, **changes)
    x = take(stranger.capsule)
    assert _name(stranger.capsule) == b"used_" + NAMES[kind]
    with pytest.raises(strided.UnsupportedOperation):
        take(stranger.capsule)
    view = x.view()
    assert (x.tolist(), x.writable, stranger.freed) == (expected, True, 0)
    del x
    assert stranger.freed == 0
    del view
    assert stranger.freed == (case != "no deleter")


def test_read_only() -> None:
    stranger = Stranger(flags=READ_ONLY)
    with pytest.raises(strided.ReadOnlyTensor):
        take(stranger.capsule).fill_(1)
    assert stranger.freed == 1  # while the error was on its way, and without harm to it
    stranger = Stranger(flags=IS_COPIED)
    assert take(stranger.capsule).writable


FAR = (-(1 << 62), (1 << 62))
REFUSED: dict[str, tuple[dict[str, Any], type[Exception]]] = {
    "four bits": ({"bits": 4}, strided.DTypeMismatch),
    "two lanes": ({"lanes": 2}, strided.DTypeMismatch),
    "opaque": ({"code": OPAQUE}, strided.DTypeMismatch),
    "another device": ({"device": (2, 0)}, strided.UnsupportedOperation),
    "a later version": ({"version": (2, 0)}, strided.UnsupportedOperation),
    "misaligned": ({"byte_offset": 2, "shape": (2,)}, strided.UnsupportedOperation),
    "negative length": ({"shape": (2, -3)}, strided.InvalidArgument),
    "too many elements": ({"shape": (1 << 40, 1 << 40)}, strided.InvalidArgument),
    "unreachable": ({"strides": (1 << 62, 1 << 62)}, strided.OutOfStorageBounds),
    "wider than memory": ({"strides": (1 << 61, 1)}, strided.UnsupportedOperation),
    "both ends too far": ({"shape": (2, 2), "strides": FAR}, strided.UnsupportedOperation),
    "negative rank": ({"ndim": -1}, strided.InvalidArgument),
    "rank 65": ({"shape": (1,) * 65}, strided.InvalidArgument),
    "rank 65 with strides": ({"shape": (1,) * 65, "strides": (1,) * 65}, strided.InvalidArgument),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_capsules_stay_whole(case: str) -> None:
    changes, error = REFUSED[case]
    stranger = Stranger(**changes)
    with pytest.raises(error):
        take(stranger.capsule)
    assert _name(stranger.capsule) == NAMES[Versioned]
    assert stranger.freed == 0


def test_things_that_are_no_capsules() -> None:
    unnamed = _new(ctypes.addressof(ctypes.c_int()), None, None)
    other = _new(ctypes.addressof(ctypes.c_int()), b"other", None)
    for thing in (unnamed, other, None, 5, np.zeros(2)):
        with pytest.raises(strided.UnsupportedOperation):
            take(thing)


class OldProducer:
    """One from before DLPack 1.0: it takes no max_version."""

    def __init__(self, stranger: Stranger) -> None:
        self.stranger = stranger

    def __dlpack__(self, stream: Any = None) -> Any:
        return self.stranger.capsule


class NewProducer(OldProducer):
    def __dlpack__(self, *, max_version: tuple[int, int], **options: Any) -> Any:  # type: ignore[override]
        assert max_version[0] == 1
        return self.stranger.capsule


@pytest.mark.parametrize(("producer", "kind"), [(OldProducer, Legacy), (NewProducer, Versioned)])
def test_producers_of_either_age(producer: type[OldProducer], kind: type) -> None:
    for make in (strided.from_dlpack, strided.asarray):
        stranger = Stranger(kind)
        x = make(producer(stranger))
        x[0, 0] = 7
        assert (stranger.values[0], stranger.freed) == (7, 0)
        del x
        assert stranger.freed == 1
    with pytest.raises(strided.UnsupportedOperation) as caught:
        strided.tensor(producer(Stranger(kind, device=(2, 0))))
    assert caught.value.operation == "from_dlpack"
    stranger = Stranger(kind)
    copied = strided.from_dlpack(producer(stranger), copy=True)
    assert stranger.freed == 1
    assert copied.tolist() == [[0, 1, 2], [3, 4, 5]]
