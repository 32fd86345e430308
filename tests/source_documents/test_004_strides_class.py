"""Document 004: a Strides value type, grown from 4-D to any rank and memory order. In its order.

Its 4-slot padding of lower ranks is not kept: strides have as many numbers as the shape.
"""

from __future__ import annotations

import copy
import itertools
import pickle

import numpy as np
import pytest

import strided as st

NCHW = (2, 3, 4, 5)


@pytest.fixture
def strides() -> st.Strides:
    return st.Strides.from_shape(NCHW)


# ---- concepts ----


def test_stride_is_the_product_of_the_lengths_to_the_right(strides):
    _, c, h, w = NCHW
    assert strides == st.Strides(c * h * w, h * w, w, 1)
    assert strides.w == 1
    assert strides.h == w
    assert strides.c == h * w
    assert strides.n == c * h * w


def test_contiguous_storage_is_row_major(strides):
    order = [strides.get_offset(*index) for index in np.ndindex(*NCHW)]
    assert order == list(range(120))


# ---- creation ----


def test_strides_from_a_shape(strides):
    assert strides == st.Strides(60, 20, 5, 1)
    assert st.zeros(NCHW).strides == strides
    assert isinstance(st.zeros(NCHW).strides, st.Strides)


def test_strides_from_numbers():
    custom = st.Strides(120, 40, 10, 2)
    assert (custom.n, custom.c, custom.h, custom.w) == (120, 40, 10, 2)
    assert custom == st.Strides((120, 40, 10, 2)) == st.Strides(np.array([120, 40, 10, 2]))
    with pytest.raises(TypeError):
        st.Strides(4, 1.5)


def test_default_strides_are_four_zeros():
    assert st.Strides() == st.Strides(0, 0, 0, 0)
    assert st.Strides().get_offset(1, 2, 3, 4) == 0


# ---- access ----


def test_strides_by_number_and_by_name(strides):
    assert [strides.stride(dim) for dim in range(4)] == [60, 20, 5, 1]
    assert [strides.stride(dim) for dim in (-4, -3, -2, -1)] == [60, 20, 5, 1]
    assert (strides.n, strides.c, strides.h, strides.w) == (60, 20, 5, 1)


def test_strides_are_a_plain_sequence(strides):
    assert tuple(strides) == (60, 20, 5, 1)
    assert (len(strides), strides[0], list(strides[1:])) == (4, 60, [20, 5, 1])


def test_names_are_for_rank_4():
    with pytest.raises(st.UnsupportedOperation) as caught:
        _ = st.Strides(3, 1).c
    assert caught.value.operation == "Strides.c"


# ---- offsets ----


def test_offset_is_the_sum_of_index_times_stride(strides):
    by_hand = 1 * strides.n + 2 * strides.c + 3 * strides.h + 4 * strides.w
    assert strides.get_offset(1, 2, 3, 4) == by_hand == 119
    assert st.Layout(NCHW).offset_of((1, 2, 3, 4)) == 119
    x = st.arange(120).view(NCHW)
    assert x[1, 2, 3, 4].item() == 119


def test_offset_needs_one_index_per_stride(strides):
    with pytest.raises(st.ShapeMismatch) as caught:
        strides.get_offset(1, 2)
    assert (caught.value.expected, caught.value.got) == ((4,), (2,))


# ---- comparison and printing ----


def test_equality_is_by_value(strides):
    assert strides == st.Strides(60, 20, 5, 1)
    assert strides != st.Strides(120, 40, 10, 2)
    assert strides == (60, 20, 5, 1)
    assert hash(strides) == hash(st.Strides(60, 20, 5, 1))
    assert pickle.loads(pickle.dumps(strides)) == copy.deepcopy(strides) == strides


@pytest.mark.parametrize("numbers", [(60, 20, 5, 1), (12, 4, 1), (-4, 1), (7,), ()])
def test_text_reads_back(numbers):
    strides = st.Strides(numbers)
    assert eval(repr(strides), {"Strides": st.Strides}) == strides
    assert str(strides) == repr(strides)
    assert str(st.Strides(12, 4, 1)) == "Strides(12, 4, 1)"


# ---- contiguity ----


def test_contiguity_against_a_shape(strides):
    assert strides.is_contiguous(NCHW)
    assert not st.Strides(120, 1, 30, 5).is_contiguous(NCHW)
    assert not st.Strides(120, 40, 10, 2).is_contiguous(NCHW)
    assert not strides.is_contiguous((2, 3, 20))


def test_contiguity_ignores_axes_of_length_1_and_empty_shapes():
    assert st.Strides(99, 3, 1).is_contiguous((1, 2, 3))
    assert st.Strides(7, 7, 7).is_contiguous((2, 0, 3))


# ---- in view operations ----


def test_view_computes_new_strides():
    original = st.zeros(2, 3, 4)
    view = original.view(6, 4)
    assert str(original.strides) == "Strides(12, 4, 1)"
    assert str(view.strides) == "Strides(4, 1)"
    assert view.storage() == original.storage()
    assert view.strides.is_contiguous(view.shape)


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (lambda x: x.transpose(0, 2), (1, 4, 12)),
        (lambda x: x[:, 1:, ::2], (12, 4, 2)),
        (lambda x: x.flip(1), (12, -4, 1)),
        (lambda x: x.expand(5, 2, 3, 4), (0, 12, 4, 1)),
    ],
)
def test_views_are_described_by_their_strides(view, expected):
    x = view(st.arange(24).view(2, 3, 4))
    assert x.strides == st.Strides(expected)
    assert not x.strides.is_contiguous(x.shape)
    for index in np.ndindex(*x.shape):
        assert x.storage()[x.storage_offset() + x.strides.get_offset(*index)] == x[index].item()


# ---- memory layout tables ----


def test_table_of_a_2_by_3_matrix():
    strides = st.Strides.from_shape((1, 1, 2, 3))
    assert (strides.n, strides.c, strides.h, strides.w) == (6, 6, 3, 1)
    table = {(0, 0, h, w): strides.get_offset(0, 0, h, w) for h in range(2) for w in range(3)}
    assert table == {
        (0, 0, 0, 0): 0,
        (0, 0, 0, 1): 1,
        (0, 0, 0, 2): 2,
        (0, 0, 1, 0): 3,
        (0, 0, 1, 1): 4,
        (0, 0, 1, 2): 5,
    }


def test_table_of_a_2_3_4_5_tensor(strides):
    assert (strides.n, strides.c, strides.h, strides.w) == (60, 20, 5, 1)
    x = st.arange(120).view(NCHW)
    for index in itertools.product((0, 1), (0, 2), (0, 3), (0, 4)):
        assert strides.get_offset(*index) == x[index].item()


# ---- a small value ----


def test_strides_are_an_immutable_value(strides, nothing_moves):
    with nothing_moves():
        st.Strides.from_shape((1000, 1000)).get_offset(999, 999)
    with pytest.raises(TypeError):
        strides[0] = 1
    with pytest.raises(AttributeError):
        strides.n = 1


# ---- errors and edges ----


@pytest.mark.parametrize("dim", [4, 5, -5])
def test_missing_dimension_is_a_typed_error(strides, dim):
    with pytest.raises(IndexError) as caught:
        strides.stride(dim)
    assert isinstance(caught.value, st.InvalidDimension)
    assert (caught.value.dim, caught.value.rank) == (dim, 4)
    with pytest.raises(st.InvalidDimension):
        st.zeros(NCHW).stride(dim)


def test_scalar_shape_has_no_strides_and_offset_0():
    scalar = st.Strides.from_shape(())
    assert len(scalar) == 0
    assert scalar.get_offset() == 0
    assert scalar.is_contiguous(())
    assert st.tensor(5).strides == scalar


def test_empty_tensor_has_strides_and_is_contiguous():
    empty = st.zeros(2, 0, 3)
    assert empty.strides == st.Strides.from_shape((2, 0, 3)) == st.Strides(3, 3, 1)
    assert empty.strides.is_contiguous(empty.shape)
    assert (empty.size, empty.nbytes) == (0, 0)


# ---- comparison with others ----


@pytest.mark.parametrize("shape", [(7,), (2, 3), (2, 3, 4), NCHW, (2,) * 12])
def test_strides_agree_with_numpy_in_any_rank(shape):
    for order, letter in (("row_major", "C"), ("column_major", "F")):
        peer = np.empty(shape, np.int8, order=letter)
        assert st.Strides.from_shape(shape, order) == peer.strides


# ---- best practice ----


def test_computed_strides_equal_the_manual_formula():
    n, c, h, w = 7, 3, 16, 9
    assert st.Strides.from_shape((n, c, h, w)) == st.Strides(c * h * w, h * w, w, 1)


def test_check_then_make_contiguous():
    x = st.arange(24).view(2, 3, 4).transpose(1, 2)
    assert not x.strides.is_contiguous(x.shape)
    packed = x.contiguous()
    assert packed.strides.is_contiguous(packed.shape)
    assert packed.is_contiguous()
    assert st.array_equal(packed, x)


# ---- growth ----


def test_any_number_of_dimensions():
    shape = (2,) * 32
    strides = st.Strides.from_shape(shape)
    assert tuple(strides) == tuple(2**k for k in reversed(range(32)))
    assert strides.get_offset(*(1,) * 32) == 2**32 - 1
    assert st.zeros((1,) * 64).strides == st.Strides((1,) * 64)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("row_major", (60, 20, 5, 1)),
        ("column_major", (1, 2, 6, 24)),
        ("channels_last", (60, 1, 15, 3)),
        ((1, 0, 3, 2), (20, 40, 1, 4)),
    ],
)
def test_memory_layouts(order, expected):
    layout = st.MemoryLayout(order)
    assert st.Strides.from_shape(NCHW, order) == st.Strides.from_shape(NCHW, layout) == expected
    x = st.empty(NCHW, memory_format=layout)
    assert x.strides == expected
    assert x.is_contiguous(memory_format=layout)
    assert x.is_contiguous() == (order == "row_major")


def test_unknown_memory_layout_is_refused():
    with pytest.raises(st.InvalidArgument) as caught:
        st.Strides.from_shape((2, 3), "diagonal_major")
    assert caught.value.argument == "memory_format"


def test_converting_between_memory_layouts_keeps_the_elements():
    x = st.arange(120).view(NCHW)
    for layout in (st.column_major, st.channels_last, st.MemoryLayout((3, 1, 0, 2))):
        other = x.contiguous(memory_format=layout)
        assert other.strides == st.Strides.from_shape(NCHW, layout)
        assert other.tolist() == x.tolist()
