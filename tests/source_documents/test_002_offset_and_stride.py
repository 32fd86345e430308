"""Document 002: offset and stride decouple what is seen from what is stored. In its order."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import strided as st

Array = st.Tensor | np.ndarray


def described(x: Array) -> str:
    """Return what the document's printer shows below the values, the same for both libraries."""
    if isinstance(x, st.Tensor):
        stride, offset = x.stride(), x.storage_offset()
    else:
        stride = tuple(s // x.itemsize for s in x.strides)
        first = x.base if x.base is not None else x
        byte_offset = x.__array_interface__["data"][0] - first.__array_interface__["data"][0]
        offset = byte_offset // x.itemsize
    return f"shape {x.shape} offset {offset} stride {stride} dtype {np.dtype(str(x.dtype.name))}"


def show(*arrays: Array) -> None:
    for x in arrays:
        print(f"{x}\n  {described(x)}")


@pytest.fixture
def x() -> st.Tensor:
    return st.arange(12).reshape(3, -1)


@pytest.fixture
def twin() -> np.ndarray:
    return np.arange(12).reshape(3, -1)


# ---- what is seen, what is stored ----


def test_batch_of_images_is_one_flat_array():
    n, c, h, w = 2, 3, 4, 5
    images = st.zeros(n, c, h, w)
    assert images.stride() == (c * h * w, h * w, w, 1)
    assert images.storage_offset() == 0
    assert len(images.storage()) == n * c * h * w


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.T,
        lambda x: x.broadcast_to((5, 3, 4)),
        lambda x: x[1:, ::2],
        lambda x: x.flip(0, 1),
    ],
    ids=["transpose", "broadcast", "slice", "flip"],
)
def test_zero_copy_operations(view: Callable[[st.Tensor], st.Tensor], nothing_moves):
    big = st.zeros(3, 4000)[:, 500:504]
    with nothing_moves():
        assert view(big).storage() == big.storage()


# ---- offset and stride ----


def test_raw_index_is_stride_dot_index_plus_offset():
    base = st.arange(120).reshape(4, 5, 6)
    view = base[1:, ::2, ::-1].permute(2, 0, 1)
    underlying, stride, offset = view.storage(), np.array(view.stride()), view.storage_offset()
    for index in np.ndindex(*view.shape):
        raw = int(stride @ np.array(index)) + offset
        assert view.layout.offset_of(index) == raw
        assert view[index].item() == underlying[raw]


def test_offset_leads_to_the_first_element(x):
    view = x[1:, 2:]
    assert view.storage()[view.storage_offset()] == view[0, 0].item() == 6


# ---- stride of a row-major tensor ----


def test_stride_is_suffix_product_of_shape():
    ones = st.ones(3, 4, 5, 6)
    computed = [1] * ones.ndim
    for i in reversed(range(ones.ndim - 1)):
        computed[i] = computed[i + 1] * ones.shape[i + 1]
    assert ones.shape == (3, 4, 5, 6)
    assert tuple(computed) == ones.stride() == (120, 30, 6, 1)
    assert ones.stride() == tuple(math.prod(ones.shape[i + 1 :]) for i in range(4))


# ---- slicing ----


def test_slice_changes_offset_only(x, twin):
    part = x[1:2, 1:4]
    assert part.tolist() == [[5, 6, 7]]
    assert (part.shape, part.storage_offset(), part.stride()) == ((1, 3), 5, (4, 1))
    assert part.storage().data_ptr() == x.storage().data_ptr()
    assert described(x) == described(twin)
    assert described(part) == described(twin[1:2, 1:4])


# ---- broadcasting ----


def test_broadcast_visits_the_same_elements_by_stride_0():
    target = st.arange(24).reshape(2, 3, 4)
    row = st.arange(4)
    wide = row.expand_as(target)
    assert (row.stride(), row.storage_offset()) == ((1,), 0)
    assert (wide.shape, wide.stride(), wide.storage_offset()) == ((2, 3, 4), (0, 0, 1), 0)
    assert wide.storage().data_ptr() == row.storage().data_ptr()
    assert wide.tolist() == [[[0, 1, 2, 3]] * 3] * 2


@pytest.mark.parametrize(
    "broadcast",
    [
        lambda row, to: row.expand(to.shape),
        lambda row, to: row.broadcast_to(to.shape),
        lambda row, to: st.broadcast_to(row, to.shape),
        lambda row, to: st.broadcast_tensors(row, to)[0],
    ],
)
def test_every_way_to_broadcast_gives_the_same_layout(broadcast):
    wide = broadcast(st.arange(4), st.zeros(2, 3, 4))
    expected = np.broadcast_to(np.arange(4), (2, 3, 4))
    assert wide.byte_strides == expected.strides
    assert np.array_equal(wide.numpy(), expected)


def test_broadcast_view_is_for_reading():
    with pytest.raises(st.WriteThroughOverlap) as caught:
        st.arange(4).expand(2, 4).fill_(0)
    assert (caught.value.shape, caught.value.strides) == ((2, 4), (0, 1))


# ---- permuting ----


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)])
def test_permute_is_as_strided_with_shuffled_numbers(order):
    x = st.arange(48).reshape(4, 3, 4)[1:3]
    shape = tuple(x.shape[axis] for axis in order)
    stride = tuple(x.stride(axis) for axis in order)
    by_hand = x.as_strided(shape, stride, x.storage_offset())
    assert x.permute(order).layout == by_hand.layout
    assert st.array_equal(x.permute(order), by_hand)
    assert np.array_equal(by_hand.numpy(), x.numpy().transpose(order))


def test_permuted_index_reaches_the_same_place():
    x, order = st.arange(24).reshape(2, 3, 4), (2, 0, 1)
    permuted = x.permute(order)
    for index in np.ndindex(*x.shape):
        moved = tuple(index[axis] for axis in order)
        assert permuted.layout.offset_of(moved) == x.layout.offset_of(index)


# ---- flipping ----


@pytest.mark.parametrize(
    ("axis", "offset", "stride"), [(0, 8, (-4, 1)), (1, 3, (4, -1)), ((0, 1), 11, (-4, -1))]
)
def test_flip_is_a_negative_stride_from_the_other_end(x, twin, axis, offset, stride):
    flipped, expected = x.flip(axis), np.flip(twin, axis=axis)
    assert (flipped.storage_offset(), flipped.stride()) == (offset, stride)
    assert flipped.storage() == x.storage()
    assert flipped.tolist() == expected.tolist()
    assert described(flipped) == described(expected)


def test_negative_strides_cross_to_numpy_and_back(x, twin):
    assert x.flip(0).numpy().strides == np.flip(twin, 0).strides == (-32, 8)
    assert st.from_numpy(np.flip(twin, 1)).stride() == (4, -1)


def test_writing_to_a_flip_reaches_the_original(x):
    x.flip(0)[0, 0] = 99
    assert x[2, 0].item() == 99


# ---- the printer ----


def test_printer_shows_both_libraries_alike(x, twin, capsys):
    show(x, x[1:2, 1:4], x.flip(0))
    ours = capsys.readouterr().out
    show(twin, twin[1:2, 1:4], np.flip(twin, 0))
    theirs = capsys.readouterr().out
    metadata = [line for line in ours.splitlines() if line.startswith("  shape")]
    assert metadata == [line for line in theirs.splitlines() if line.startswith("  shape")]
    assert metadata == [
        "  shape (3, 4) offset 0 stride (4, 1) dtype int64",
        "  shape (1, 3) offset 5 stride (4, 1) dtype int64",
        "  shape (3, 4) offset 8 stride (-4, 1) dtype int64",
    ]
    assert "tensor([[ 0,  1,  2,  3]," in ours
    assert "tensor([[5, 6, 7]])" in ours
