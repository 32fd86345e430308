"""Document 001: a tensor view with byte strides, typed errors and a cost table. In its order.

Where it refuses to reshape a non-contiguous or offset view, PyTorch's rule holds instead: ``view``
is a view or an error, ``reshape`` may copy, and an offset is no obstacle.
"""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

import strided as st


@pytest.fixture
def rows() -> st.Tensor:
    """[[1, 2], [3, 4], [5, 6]] in float32: byte strides (8, 4)."""
    return st.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).view(3, 2)


def at_byte(x: st.Tensor, position: int) -> float:
    """Read the float32 that starts at a byte of the storage."""
    (value,) = struct.unpack_from("<f", x.storage().tensor().numpy().tobytes(), position)
    return value


# ---- structure ----


def test_fields_of_a_view(rows):
    view = rows.view()
    assert view.storage() == rows.storage()
    assert (view.shape, view.byte_strides, view.byte_offset) == ((3, 2), (8, 4), 0)
    assert (view.dtype, view.itemsize, view.device) == (st.float32, 4, "cpu")


def test_byte_strides_are_item_size_times_lengths_to_the_right(rows):
    assert rows.byte_strides == (4 * 2, 4)
    assert rows.byte_strides == rows.numpy().strides
    x = st.zeros(2, 3, 4, 5, dtype=st.float64)
    assert x.byte_strides == tuple(8 * math.prod(x.shape[i + 1 :]) for i in range(4))


def test_shape_of_a_view_is_its_own(rows):
    assert rows[1:].shape == (2, 2)
    assert rows.shape == (3, 2)


def test_slice_from_2_starts_two_strides_later():
    x = st.zeros(6, 10)
    part = x.slice(2, 5)
    assert part.byte_offset == 2 * x.byte_strides[0] == 80
    assert part.storage().data_ptr() == x.storage().data_ptr()


# ---- the strided formula ----


@pytest.mark.parametrize(("index", "byte", "value"), [((1, 1), 12, 4.0), ((2, 0), 16, 5.0)])
def test_byte_position_is_offset_plus_index_times_stride(rows, index, byte, value):
    found = rows.byte_offset + sum(i * s for i, s in zip(index, rows.byte_strides, strict=True))
    assert found == byte
    assert at_byte(rows, byte) == rows[index].item() == value
    assert rows[index].data_ptr() == rows.storage().data_ptr() + byte


# ---- row-major strides ----


def test_byte_strides_of_2_3_4():
    x = st.zeros(2, 3, 4)
    assert x.byte_strides == (48, 16, 4)
    assert x.stride() == (12, 4, 1)
    steps = [x[1].byte_offset, x[:, 1:].byte_offset, x[:, :, 1:].byte_offset]
    assert steps == [48, 16, 4]


# ---- view operations ----


def test_whole_view_shares_and_allocates_nothing(nothing_moves):
    x = st.zeros(100, 100)
    with nothing_moves():
        view = x.view()
    assert view is not x
    assert view.base is x
    assert view.layout == x.layout


def test_slice_of_rows_skips_bytes(rows):
    part = rows.view().slice(1, 3)
    assert (part.byte_offset, part.shape) == (8, (2, 2))
    assert part.tolist() == [[3.0, 4.0], [5.0, 6.0]]


@pytest.mark.parametrize(("start", "end", "index"), [(2, 2, 2), (2, 1, 2), (1, 4, 4), (5, 6, 5)])
def test_slice_outside_its_axis(rows, start, end, index):
    with pytest.raises(st.IndexOutOfBounds) as caught:
        rows.slice(start, end)
    assert (caught.value.index, caught.value.length, caught.value.axis) == (index, 3, 0)
    assert isinstance(caught.value, IndexError)


def test_slice_dim_takes_any_axis(rows):
    part = rows.slice_dim(1, 1, 2)
    assert (part.shape, part.byte_strides, part.byte_offset) == ((3, 1), (8, 4), 4)
    assert part.tolist() == [[2.0], [4.0], [6.0]]
    with pytest.raises(st.InvalidDimension) as caught:
        rows.slice_dim(2, 0, 1)
    assert (caught.value.dim, caught.value.rank) == (2, 2)
    with pytest.raises(st.IndexOutOfBounds) as caught:
        rows.slice_dim(1, 0, 3)
    assert (caught.value.index, caught.value.length, caught.value.axis) == (3, 2, 1)


def test_transpose_swaps_byte_strides_and_moves_no_data():
    x = st.tensor([1.0, 2.0, 3.0, 4.0]).view(2, 2)
    transposed = x.transpose(0, 1)
    assert (x.byte_strides, transposed.byte_strides) == ((8, 4), (4, 8))
    assert x[0, 1].byte_offset == 4
    assert x[0, 1].item() == at_byte(x, 4) == 2.0
    assert transposed[0, 1].byte_offset == 8
    assert transposed[0, 1].item() == at_byte(x, 8) == 3.0
    assert transposed.storage() == x.storage()


def test_transpose_of_a_missing_axis(rows):
    with pytest.raises(st.InvalidDimension) as caught:
        rows.transpose(0, 2)
    assert (caught.value.dim, caught.value.rank) == (2, 2)


def test_permute_reorders_byte_strides():
    transposed = st.zeros(2, 3, 4).permute(2, 0, 1)
    assert (transposed.shape, transposed.byte_strides) == ((4, 2, 3), (4, 48, 16))


def test_permute_needs_each_axis_once():
    x = st.zeros(2, 3, 4)
    with pytest.raises(st.ShapeMismatch) as caught:
        x.permute(0, 1)
    assert caught.value.operation == "permute"
    with pytest.raises(st.InvalidDimension) as caught:
        x.permute(0, 1, 3)
    assert (caught.value.dim, caught.value.rank) == (3, 3)
    with pytest.raises(st.DuplicateAxis) as caught:
        x.permute(0, 1, 1)
    assert (caught.value.axis, caught.value.axes) == (1, (0, 1, 1))


def test_squeeze_drops_axes_of_length_1():
    x = st.zeros(1, 3, 1, 2)
    assert (x.squeeze().shape, x.squeeze().byte_strides) == ((3, 2), (8, 4))
    assert x.squeeze().storage() == x.storage()
    assert x.squeeze(0).shape == (3, 1, 2)


def test_unsqueeze_inserts_an_axis_of_length_1(rows):
    assert rows.unsqueeze(0).shape == (1, 3, 2)
    assert rows.unsqueeze(2).shape == (3, 2, 1)
    # Document 003 decides the stride of the new axis: length x stride of its right neighbour.
    assert rows.unsqueeze(0).byte_strides == (24, 8, 4)
    assert rows.unsqueeze(2).byte_strides == (8, 4, 4)
    with pytest.raises(st.InvalidDimension) as caught:
        rows.unsqueeze(3)
    assert (caught.value.dim, caught.value.rank) == (3, 3)


# ---- contiguity ----


def test_contiguous_until_transposed():
    x = st.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).view(2, 3)
    assert (x.byte_strides, x.is_contiguous()) == ((12, 4), True)
    assert (x.T.shape, x.T.byte_strides, x.T.is_contiguous()) == ((3, 2), (4, 12), False)
    assert x.T.storage() == x.storage()


def test_contiguity_names_the_axis_at_fault():
    assert st.Layout((2, 3, 4)).why_not_contiguous() is None
    reason = st.Layout((2, 3, 4)).sliced(1, 0, 2).why_not_contiguous()
    assert reason == "axis 0 steps 12, row-major needs 8"


def test_empty_tensors_are_contiguous():
    assert st.zeros(2, 0, 3).is_contiguous()
    assert st.zeros(2, 0, 3).transpose(0, 2).is_contiguous()


def test_non_contiguous_views_can_be_sliced_computed_and_transposed(rows):
    transposed = rows.T
    assert transposed[:, 1:].tolist() == [[3.0, 5.0], [4.0, 6.0]]
    assert (transposed * 2).tolist() == [[2.0, 6.0, 10.0], [4.0, 8.0, 12.0]]
    assert transposed.T.is_contiguous()


# ---- reshape ----


def test_reshape_needs_the_element_count(rows):
    with pytest.raises(st.ShapeMismatch) as caught:
        rows.reshape(4, 2)
    assert (caught.value.expected, caught.value.got) == ((3, 2), (4, 2))


def test_reshape_of_contiguous_shares_with_new_strides(rows):
    wide = rows.reshape(2, 3)
    assert wide.byte_strides == (12, 4)
    assert wide.storage() == rows.storage()


@pytest.mark.parametrize("refuse", [lambda x: x.view(6), lambda x: x.reshape(6, copy=False)])
def test_strict_reshape_of_non_contiguous_says_why_not(rows, refuse):
    with pytest.raises(st.ViewNotPossible) as caught:
        refuse(rows.T)
    error = caught.value
    assert (error.shape, error.strides, error.new_shape) == ((2, 3), (1, 2), (6,))
    assert (error.axis, error.step, error.needed, error.nbytes) == (0, 1, 6, 24)
    assert isinstance(error, RuntimeError)


def test_offset_does_not_stop_a_reshape(rows):
    flat = rows[1:].view(4)
    assert (flat.byte_offset, flat.tolist()) == (8, [3.0, 4.0, 5.0, 6.0])


# ---- materialisation ----


def test_materialised_transpose_lies_in_row_major_order(one_copy):
    transposed = st.tensor([1.0, 2.0, 3.0, 4.0]).view(2, 2).transpose(0, 1)
    assert (transposed.is_contiguous(), transposed.byte_strides) == (False, (4, 8))
    with one_copy("contiguous", 16):
        packed = transposed.contiguous()
    assert packed.storage().tolist() == [1.0, 3.0, 2.0, 4.0]
    assert (packed.is_contiguous(), packed.byte_strides, packed.byte_offset) == (True, (8, 4), 0)


def test_contiguous_of_contiguous_shares(rows, nothing_moves):
    with nothing_moves():
        assert rows.contiguous() is rows
        assert rows[1:].contiguous().storage() == rows.storage()


def test_materialised_bytes_follow_the_linear_index(rows):
    view = rows.flip(0).T
    expected = b""
    for linear in range(view.size):
        position, rest = view.byte_offset, linear
        for length, stride in zip(reversed(view.shape), reversed(view.byte_strides), strict=True):
            rest, index = divmod(rest, length)
            position += index * stride
        expected += struct.pack("<f", at_byte(rows, position))
    assert view.contiguous().storage().tensor().numpy().tobytes() == expected


def test_flatten_is_reshape_to_one_axis(rows, one_copy):
    assert rows.flatten().shape == (6,)
    assert rows.flatten().storage() == rows.storage()
    with one_copy("reshape", 24):
        assert rows.T.flatten().tolist() == [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]


# ---- cost table ----


def test_cost_is_metadata_only(nothing_moves):
    x = st.zeros(4, 30, 100)
    with nothing_moves():
        results = [
            x.view(),
            x.slice(1, 3),
            x.transpose(0, 2),
            x.permute(2, 0, 1),
            x.squeeze(),
            x.unsqueeze(1),
            x.reshape(40, 300),
            x.contiguous(),
        ]
        assert [result.is_contiguous() for result in results].count(False) == 2
    assert all(result.storage() == x.storage() for result in results)


def test_cost_of_contiguous_is_one_copy_when_needed(one_copy):
    x = st.zeros(4, 30, 100).transpose(0, 2)
    with one_copy("contiguous", x.nbytes):
        assert x.contiguous().bytes_kept_alive == x.nbytes


# ---- patterns ----


def test_pattern_slice_transpose_materialise(nothing_moves, one_copy):
    x = st.arange(10_000, dtype=st.float32).view(100, 100)
    with nothing_moves():
        transposed = x.slice(10, 90).transpose(0, 1)
    with one_copy("contiguous", 80 * 100 * 4):
        packed = transposed.contiguous()
    assert np.array_equal(packed.numpy(), x.numpy()[10:90].T)
    assert packed.is_contiguous()


def test_pattern_images_of_a_batch_are_views(nothing_moves):
    batch = st.empty(32, 3, 224, 224)
    with nothing_moves():
        images = [batch.slice(i, i + 1) for i in range(32)]
    assert {image.shape for image in images} == {(1, 3, 224, 224)}
    assert [image.storage_offset() for image in images] == [i * 3 * 224 * 224 for i in range(32)]
    assert all(image.is_contiguous() and image.base is batch for image in images)


def test_pattern_channels_are_views():
    image = st.zeros(3, 224, 224)
    for channel in range(3):
        plane = image.slice_dim(0, channel, channel + 1)
        assert (plane.shape, plane.storage_offset()) == ((1, 224, 224), channel * 224 * 224)
        plane.fill_(channel)
    assert [image[c, 100, 100].item() for c in range(3)] == [0.0, 1.0, 2.0]


# ---- debugging ----


def test_debug_prints_the_metadata(rows, capsys):
    rows[1:].T.debug()
    printed = capsys.readouterr().out
    for fact in ("(2, 2):(1, 2)+2", "float32", "4 (16 bytes)", "no: axis 1 steps 2", "24 bytes"):
        assert fact in printed
    rows.debug()
    assert "contiguous  yes" in capsys.readouterr().out
