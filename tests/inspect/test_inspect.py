"""strided.inspect says the same of strided, NumPy and PyTorch arrays with the same layout, and that
what it says is true by brute force.
"""

from __future__ import annotations

import array
import io
import json
import mmap
from contextlib import redirect_stdout
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.layouts import LAYOUTS, Placed, fill, placed

import strided
from strided.inspect import LayoutFacts

PACKETS = np.zeros(4, dtype=[("flag", "u1"), ("value", "f8"), ("code", "i2")])


def arrays_of(name: str) -> tuple[Any, np.ndarray, Placed]:
    at = LAYOUTS[name]
    return (*placed(at, fill([1, 2, 3], at.room, "float32")), at)


def bytes_reached(at: Placed, item: int) -> list[int]:
    """Return the byte positions of all elements, repeated ones as often as they are reached."""
    found = []
    for index in np.ndindex(*at.shape):
        first = at.offset + sum(i * s for i, s in zip(index, at.strides, strict=True))
        found += range(first * item, (first + 1) * item)
    return found


# ---- layout classes ----


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("side", ["strided", "numpy"])
def test_facts_of_every_layout_class(name: str, side: str) -> None:
    x, a, at = arrays_of(name)
    facts = strided.inspect(x if side == "strided" else a)
    assert facts.library == side
    assert facts.shape == at.shape
    assert facts.strides == at.strides
    assert facts.byte_strides == tuple(4 * s for s in at.strides)
    assert (facts.offset, facts.byte_offset) == (at.offset, 4 * at.offset)
    assert (facts.dtype, facts.itemsize, facts.size) == ("float32", 4, x.size)
    assert (facts.nbytes, facts.storage_size) == (4 * x.size, at.room)
    assert facts.storage_nbytes == facts.bytes_kept_alive == 4 * at.room
    assert facts.data_ptr == (x.data_ptr() if side == "strided" else a.ctypes.data)
    assert facts.layout == strided.Layout(at.shape, at.strides, at.offset)
    assert facts.contiguous == (x.is_contiguous() if x.size else True)
    assert facts.why_not_contiguous == x.layout.why_not_contiguous()
    reached = bytes_reached(at, 4)
    assert facts.bytes_used == len(set(reached))
    assert facts.overlaps_itself == (len(set(reached)) < len(reached))
    low, high = facts.byte_range
    assert high - low == (max(reached) - min(reached) + 1 if reached else 0)
    assert facts.writable


ORDERS = {
    "contiguous": "row-major",
    "transposed": "column-major",
    "sliced with gaps": "row-major with gaps",
    "flipped": "row-major, axis 0 reversed, axis 1 reversed",
    "flipped and stepped": "column-major with gaps, axis 1 reversed",
    "expanded": "with repeated elements",
    "windows": "with repeated elements",
    "length-1 axes": "row-major",
    "empty": "row-major",
    "rank 0": "row-major",
}


@pytest.mark.parametrize("name", ORDERS)
def test_order_in_words(name: str) -> None:
    x, a, _ = arrays_of(name)
    assert strided.inspect(x).order == strided.inspect(a).order == ORDERS[name]


def test_packed_orders_and_channels_last() -> None:
    x = strided.zeros(2, 3, 4, 5)
    assert strided.inspect(x.permute(1, 0, 3, 2)).order == "packed in order (1, 0, 3, 2)"
    nhwc = x.contiguous(memory_format=strided.channels_last)
    assert strided.inspect(nhwc).order == "packed in order (0, 2, 3, 1), channels last"
    assert (
        strided.inspect(x.permute(1, 0, 3, 2)[:, :, ::2]).order == "in order (1, 0, 3, 2) with gaps"
    )


def test_a_random_self_overlap_is_counted_exactly() -> None:
    rng = np.random.default_rng(0)
    around = strided.zeros(400, dtype=strided.int16)
    for _ in range(200):
        shape = tuple(int(n) for n in rng.integers(1, 5, size=rng.integers(1, 4)))
        strides = tuple(int(s) for s in rng.integers(-9, 10, size=len(shape)))
        at = Placed(shape, strides, 200)
        facts = strided.inspect(around.as_strided(shape, strides, 200))
        reached = bytes_reached(at, 2)
        assert facts.bytes_used == len(set(reached)), at
        assert facts.overlaps_itself == (len(set(reached)) < len(reached)), at


# ---- strides that are no whole number of elements ----


@pytest.mark.parametrize(
    ("field", "strides", "offset", "why"),
    [
        ("flag", (11,), 0, "axis 0 steps 11, row-major needs 1"),
        ("value", None, None, "axis 0 steps 11, row-major needs 8 bytes"),
        ("code", None, None, "axis 0 steps 11, row-major needs 2 bytes"),
    ],
)
def test_structured_fields(field: str, strides: Any, offset: Any, why: str) -> None:
    facts = strided.inspect(PACKETS[field])
    assert (facts.strides, facts.byte_strides) == (strides, (11,))
    assert facts.byte_offset == PACKETS.dtype.fields[field][1]
    assert (facts.layout is None) == (strides is None)
    assert facts.why_not_contiguous == why
    assert facts.order == "row-major with gaps"
    assert facts.bytes_used == 4 * PACKETS[field].itemsize
    assert facts.bytes_kept_alive == 44
    assert "bytes" in str(facts)
    if strides is None:
        assert "no whole number" in str(facts)


def test_a_view_at_an_odd_byte() -> None:
    raw = np.zeros(17, dtype=np.uint8)
    facts = strided.inspect(raw[1:].view(np.float64))
    assert (facts.strides, facts.offset, facts.byte_offset) == ((1,), None, 1)
    assert facts.contiguous
    assert facts.storage_ptr == raw.ctypes.data


def test_elements_that_share_bytes() -> None:
    """NumPy can step by less than an element: no element repeats, yet bytes do."""
    raw = np.zeros(16, dtype=np.uint8)
    half = np.ndarray((6,), np.int32, raw, 0, (2,))
    facts = strided.inspect(half)
    assert facts.overlaps_itself
    assert (facts.bytes_used, facts.order) == (14, "with repeated elements")


def test_subclasses_are_numpy_arrays() -> None:
    class Own(np.ndarray):
        pass

    assert strided.inspect(np.zeros(3).view(Own)).library == "numpy"


def test_dtypes_without_bytes() -> None:
    facts = strided.inspect(np.zeros(3, dtype="V0"))
    assert (facts.itemsize, facts.nbytes, facts.bytes_used) == (0, 0, 0)
    assert "3 of 0 bytes" in str(facts)


# ---- whose memory ----


def owner(x: Any) -> str:
    return strided.inspect(x).owner


def test_owners_of_strided_tensors(tmp_path: Any) -> None:
    x = strided.zeros(3, 4)
    assert owner(x) == "own heap block"
    assert owner(x.T[0]) == "view of strided.Tensor (3, 4) float32"
    a = np.zeros(6)
    assert owner(strided.from_numpy(a)) == "borrowed from numpy.ndarray (6,) float64"
    lent = strided.from_numpy(a[2:4])
    assert strided.inspect(lent).storage_nbytes == 16
    assert strided.inspect(lent).bytes_kept_alive == 48
    assert strided.inspect(lent).block_ptr == a.ctypes.data
    assert (
        owner(lent)
        == "borrowed from numpy.ndarray (2,) float64, view of numpy.ndarray (6,) float64"
    )
    assert owner(strided.asarray(bytearray(8))) == "borrowed from bytearray of 8"
    assert owner(strided.frombuffer(bytearray(8))).endswith(", borrowed from bytearray of 8")
    assert not strided.inspect(strided.frombuffer(bytes(8))).writable
    assert owner(strided.from_dlpack(a)) == "borrowed from numpy"
    path = tmp_path / "x.bin"
    path.write_bytes(bytes(16))
    assert owner(strided.memory_map(path)) == f"memory map of {path}"
    assert owner(strided.memory_map(path)[1:]).endswith(f", memory map of {path}")


def test_owners_of_numpy_arrays(tmp_path: Any) -> None:
    a = np.zeros((3, 4))
    assert owner(a) == "own heap block"
    assert owner(a[1:][0]) == "view of numpy.ndarray (3, 4) float64"
    windows = np.lib.stride_tricks.sliding_window_view(a[1:], 2, axis=1)
    for view in (windows, np.broadcast_to(a, (2, 3, 4)), np.lib.stride_tricks.as_strided(a[1:])):
        assert owner(view) == "view of numpy.ndarray (3, 4) float64"
        assert strided.inspect(view).storage_ptr == a.ctypes.data
    x = strided.zeros(6)
    borrowed = strided.inspect(x[2:].numpy())
    assert borrowed.owner == "borrowed from strided.Tensor (4,) float32"
    assert (borrowed.storage_ptr, borrowed.offset) == (x.data_ptr(), 2)
    assert borrowed.bytes_kept_alive == 24
    path = tmp_path / "x.bin"
    mapped = np.memmap(path, dtype="f4", mode="w+", shape=(4,))
    assert owner(mapped) == owner(mapped[1:]) == f"memory map of {path}"
    assert strided.inspect(mapped[1:]).offset == 1
    assert owner(np.frombuffer(b"abcd", "u1")) == "borrowed from bytes of 4"
    with mmap.mmap(-1, 4096) as anonymous:
        assert owner(np.frombuffer(anonymous, "u1")) == "borrowed from mmap.mmap of 4096"


def test_a_loan_through_three_libraries() -> None:
    x = strided.zeros(8)
    back = strided.from_numpy(x.numpy()[4:])
    facts = strided.inspect(back)
    assert facts.owner.startswith("borrowed from numpy.ndarray (4,) float32, borrowed from strided")
    assert (facts.block_ptr, facts.bytes_kept_alive) == (x.data_ptr(), 32)


# ---- other objects ----


class Exporter:
    """Has DLPack and nothing else."""

    def __init__(self, data: np.ndarray) -> None:
        self.data = data

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self.data.__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


@pytest.mark.parametrize(
    ("make", "library", "dtype"),
    [
        (lambda: bytearray(6), "python", "uint8"),
        (lambda: b"abcdef", "python", "uint8"),
        (lambda: memoryview(bytes(12))[::2], "python", "uint8"),
        (lambda: array.array("i", range(6)), "array", "int32"),
        (lambda: Exporter(np.zeros(6)), __name__.partition(".")[0], "float64"),
        (
            lambda: SimpleNamespace(__array_interface__=np.zeros(6, "i2").__array_interface__),
            "types",
            "int16",
        ),
    ],
)
def test_whatever_shows_its_memory(make: Any, library: str, dtype: str) -> None:
    facts = strided.inspect(make())
    assert (facts.library, facts.dtype, facts.shape) == (library, dtype, (6,))


@pytest.mark.parametrize("x", [1, 1.5, None, [1, 2], "text", object(), np.float64(3), {}])
@pytest.mark.parametrize(
    "ask",
    [strided.inspect, strided.draw, strided.print_layout, lambda x: strided.relate(x, x)],
)
def test_what_has_no_memory_is_refused(ask: Any, x: Any) -> None:
    with pytest.raises(strided.NotAnArray) as caught:
        ask(x)
    assert caught.value.got in (type(x).__name__, f"numpy.{type(x).__name__}")


def test_a_layout_without_memory() -> None:
    facts = strided.inspect(strided.Layout((2, 3), (1, 4), 1))
    assert (facts.strides, facts.offset, facts.storage_size, facts.device) == (
        (1, 4),
        1,
        11,
        "nowhere",
    )
    with pytest.raises(strided.OutOfStorageBounds):
        strided.inspect(strided.Layout((3,), (-1,)))


# ---- how facts are shown ----


def test_the_block_of_text() -> None:
    lines = str(strided.inspect(strided.zeros(3, 4)[:, 1:3])).splitlines()
    assert lines[0] == "strided (3, 2):(4, 1)+1 float32"
    said = dict(line.strip().split(maxsplit=1) for line in lines[1:])
    assert said["contiguous"] == "no: axis 0 steps 4, row-major needs 2"
    assert said["strides"] == "(4, 1) elements, (16, 4) bytes"
    assert said["memory"] == "uses 24 of 48 bytes kept alive"
    assert said["storage"].startswith("12 elements, 48 bytes at 0x")


def test_facts_as_data_and_html() -> None:
    facts = strided.inspect(np.zeros((2, 2), dtype=[("<b>", "i4")])["<b>"].T)
    said = json.loads(json.dumps(facts.to_dict()))
    assert said["strides"] == [1, 2]
    assert said["why_not_contiguous"] == "axis 1 steps 2, row-major needs 1"
    html = strided.inspect(np.zeros(2, dtype=[("<b>", "i4")]))._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>&" not in html
    assert strided.inspect(facts) is facts
    assert isinstance(facts, LayoutFacts)
    with pytest.raises(AttributeError):
        facts.shape = ()  # type: ignore[misc]


def test_the_module_is_callable_and_keeps_its_names() -> None:
    import strided.inspect as module

    assert module is strided.inspect
    assert module.plan is strided.plan
    assert module.relate is strided.relate
    assert module.draw is strided.draw
    assert module(strided.zeros(2)).shape == (2,)


# ---- the printer of document 002 ----


def printed(*arrays: Any) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        strided.print_layout(*arrays)
    return out.getvalue()


def test_print_layout_of_numpy_is_the_documents() -> None:
    x = np.arange(12).reshape(3, 4)
    assert printed(x, np.flip(x, axis=0), np.flip(x, axis=1)) == (
        "[[ 0  1  2  3]\n [ 4  5  6  7]\n [ 8  9 10 11]]\n"
        "  shape (3, 4) offset 0 stride: [4, 1], dtype: int64\n"
        "[[ 8  9 10 11]\n [ 4  5  6  7]\n [ 0  1  2  3]]\n"
        "  shape (3, 4) offset 8 stride: [-4, 1], dtype: int64\n"
        "[[ 3  2  1  0]\n [ 7  6  5  4]\n [11 10  9  8]]\n"
        "  shape (3, 4) offset 3 stride: [4, -1], dtype: int64\n"
    )


def test_print_layout_of_other_dtypes_and_fields() -> None:
    x = np.zeros((2, 3), dtype=np.float32)
    assert printed(x[1:]).endswith("shape (1, 3) offset 3 stride: [3, 1], dtype: float32\n")
    field = printed(PACKETS["value"])
    assert field.endswith("shape (4,) offset 1 bytes stride: [11] bytes, dtype: float64\n")


def test_print_layout_of_strided() -> None:
    x = strided.arange(12).reshape(3, -1)
    address = x.storage().data_ptr()
    assert printed(x[1:2, 1:4]) == (
        f"tensor([[5, 6, 7]])\n  shape (1, 3) offset 5 stride: (4, 1), data_ptr={address}\n"
    )
    assert "stride: (0, 0, 1)" in printed(strided.arange(4).expand(2, 3, 4))


# ---- PyTorch ----


@pytest.mark.peers
@pytest.mark.parametrize(
    "name", [n for n, at in LAYOUTS.items() if min(at.strides, default=0) >= 0]
)
def test_facts_of_torch(name: str) -> None:
    import torch

    at = LAYOUTS[name]
    flat = torch.zeros(at.room)
    facts = strided.inspect(flat.as_strided(at.shape, at.strides, at.offset))
    mine = strided.inspect(placed(at, np.zeros(at.room, "float32"))[0])
    assert facts.library == "torch"
    different = {"library", "storage_ptr", "data_ptr", "owner"}
    for key, value in mine.to_dict().items():
        assert key in different or facts.to_dict()[key] == value, key
    assert facts.storage_ptr == flat.untyped_storage().data_ptr()
    assert facts.owner == f"view of torch.Tensor ({at.room},) float32"


@pytest.mark.peers
def test_torch_memory_in_other_libraries() -> None:
    import torch

    t = torch.arange(6.0)
    assert owner(t) == "a torch storage"
    assert owner(strided.asarray(t)) == "borrowed from torch"
    assert owner(t.numpy()) == "borrowed from torch.Tensor (6,) float32"
    assert strided.inspect(t.numpy()[2:]).storage_ptr == t.data_ptr()
    assert strided.relate(t[2:], strided.asarray(t)[:3]).shared_bytes == 4
    assert strided.inspect(torch.zeros(2, device="meta")).device == "meta"
    with pytest.raises(strided.NotAnArray):
        strided.inspect(torch.zeros(2, 2).to_sparse())


@pytest.mark.peers
def test_print_layout_of_torch_is_the_documents() -> None:
    import torch

    x = torch.arange(12).reshape(3, -1)
    address = x.untyped_storage().data_ptr()
    assert printed(x[1:2, 1:4]) == (
        "tensor([[5, 6, 7]])\n"
        f"  shape torch.Size([1, 3]) offset 5 stride: (4, 1), data_ptr={address}\n"
    )
