"""Document 000: from copies to shared storage with strides. In the document's order."""

from __future__ import annotations

import gc
import itertools
import sys
import weakref

import numpy as np
import pytest

import strided as st


@pytest.fixture
def letters() -> st.Tensor:
    """A (3, 4) tensor of the letters a to l."""
    return st.frombuffer(bytearray(b"abcdefghijkl"), dtype=st.uint8).view(3, 4)


@pytest.fixture
def numbers() -> st.Tensor:
    return st.arange(12).reshape(3, 4)


# ---- overview: shape, shared storage, offset, strides ----


def test_reshape_makes_metadata_only(nothing_moves):
    big = st.zeros(1000, 64)
    with nothing_moves():
        other = big.reshape(10, 100, 64)
    assert other.storage() == big.storage()
    assert (other.shape, other.stride(), other.storage_offset()) == (
        (10, 100, 64),
        (6400, 64, 1),
        0,
    )


# ---- the problem with copying: Q, K and V in 36 layers ----


def test_heads_of_36_layers_are_views(nothing_moves):
    batch, seq, heads, dim = 1, 8, 32, 128
    projected = [st.zeros(batch, seq, heads * dim) for _ in "qkv"]
    reshapes = transposes = 0
    with nothing_moves():
        for _ in range(36):
            for x in projected:
                split = x.reshape(batch, seq, heads, dim)
                reshapes += split.storage() == x.storage()
                transposed = split.transpose(1, 2)
                transposes += transposed.storage() == x.storage()
                assert transposed.shape == (batch, heads, seq, dim)
    assert (reshapes, transposes) == (108, 108)


# ---- understanding strides ----


def test_strides_of_3_by_4(letters):
    assert letters.stride() == (4, 1)
    assert bytes(letters.storage().tolist()) == b"abcdefghijkl"


@pytest.mark.parametrize(
    ("i", "j", "position", "letter"), [(0, 0, 0, "a"), (1, 2, 6, "g"), (2, 3, 11, "l")]
)
def test_element_stands_at_sum_of_index_times_stride(letters, i, j, position, letter):
    rows, columns = letters.stride()
    assert i * rows + j * columns == position
    assert letters.layout.offset_of((i, j)) == position
    assert letters.storage()[position] == letters[i, j].item() == ord(letter)


def test_transpose_swaps_shape_and_strides(letters):
    transposed = letters.T
    assert (transposed.shape, transposed.stride()) == ((4, 3), (1, 4))
    assert transposed.storage() == letters.storage()


def test_transposed_element_is_the_same_memory(letters):
    transposed = letters.T
    assert letters.layout.offset_of((1, 2)) == transposed.layout.offset_of((2, 1)) == 6
    assert letters[1, 2].data_ptr() == transposed[2, 1].data_ptr()


def test_reading_order_of_contiguous_and_transposed(numbers):
    def order(x: st.Tensor) -> list[int]:
        return [x.layout.offset_of(i) for i in np.ndindex(*x.shape)]

    assert order(numbers) == list(range(12))
    assert order(numbers.T) == [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]
    assert numbers.T.flatten().tolist() == order(numbers.T)
    assert numbers.is_contiguous()
    assert not numbers.T.is_contiguous()


# ---- shared ownership ----


def test_storage_lives_as_long_as_its_last_view():
    gc.collect()
    before = st.memory.heap_facts().live_bytes
    a = st.zeros(64, 64)
    watch = weakref.ref(a)
    references = sys.getrefcount(a)
    b = a.T
    assert sys.getrefcount(a) == references + 1  # the view holds on to its base
    del a
    gc.collect()
    assert b.bytes_kept_alive == 64 * 64 * 4
    assert b.base is watch()
    assert st.memory.heap_facts().live_bytes == before + 64 * 64 * 4
    del b
    gc.collect()
    assert watch() is None
    assert st.memory.heap_facts().live_bytes == before


def test_small_view_says_what_it_keeps_alive():
    corner = st.zeros(100, 100)[:2, :2]
    assert (corner.nbytes, corner.bytes_kept_alive) == (16, 40_000)
    assert corner.clone().bytes_kept_alive == 16


def test_views_outside_their_storage_cannot_be_made(numbers):
    with pytest.raises(st.OutOfStorageBounds) as caught:
        numbers.as_strided((3, 4), (4, 2))
    assert (caught.value.lowest, caught.value.highest, caught.value.storage_size) == (0, 14, 12)
    with pytest.raises(st.OutOfStorageBounds):
        numbers.as_strided((2,), (-1,))
    with pytest.raises(TypeError):
        st.Tensor(numbers.storage(), 0, (3, 4), (4, 1))


def test_contiguous_strides_of_2_3_4():
    expected, step = [], 1
    for length in (4, 3, 2):
        expected.insert(0, step)
        step *= length
    assert step == 24
    assert st.zeros(2, 3, 4).stride() == tuple(expected) == (12, 4, 1)


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (5,), ()])
def test_contiguous_means_strides_computed_from_the_shape(shape):
    x = st.zeros(shape)
    assert x.stride() == st.Strides.from_shape(shape)
    assert x.is_contiguous()


def test_other_strides_are_not_contiguous(numbers):
    for view in (numbers.T, numbers[:, ::2], numbers[:, :3], numbers.flip(0)):
        assert view.stride() != st.Strides.from_shape(view.shape)
        assert not view.is_contiguous()


# ---- migration steps ----


def test_new_tensors_own_storage_at_offset_zero():
    for x in (st.empty(3, 4), st.zeros(3, 4), st.full((3, 4), 7.0)):
        assert (x.storage_offset(), x.stride(), len(x.storage())) == (0, (4, 1), 12)
        assert not x.is_view
        assert x.base is None
    assert x.storage().tolist() == [7.0] * 12


def test_element_access_counts_from_the_offset(numbers):
    part = numbers[1:, 1:]
    assert part.storage_offset() == 5
    for i, j in np.ndindex(2, 3):
        assert part[i, j].item() == part.storage()[5 + 4 * i + j]


def test_data_pointer_accounts_for_the_offset(numbers):
    part = numbers[1:, 1:]
    assert part.data_ptr() == part.storage().data_ptr() + 5 * part.itemsize


def test_reshape_needs_the_same_element_count(numbers):
    with pytest.raises(st.ShapeMismatch) as caught:
        numbers.reshape(5, 2)
    assert (caught.value.expected, caught.value.got) == ((3, 4), (5, 2))


def test_plain_transpose_is_for_matrices():
    with pytest.raises(st.UnsupportedOperation) as caught:
        _ = st.zeros(2, 3, 4).T
    assert caught.value.operation == ".T"


def test_permute_reorders_lengths_and_strides():
    x = st.zeros(2, 3, 4)
    assert (x.permute(2, 0, 1).shape, x.permute(2, 0, 1).stride()) == ((4, 2, 3), (1, 12, 4))
    assert x.permute(2, 0, 1).storage() == x.storage()


def test_slice_moves_the_offset_and_keeps_strides(numbers):
    part = numbers.slice(1, 1, 3)
    assert (part.shape, part.stride(), part.storage_offset()) == ((3, 2), (4, 1), 1)
    assert part.storage() == numbers.storage()


def test_contiguous_returns_itself_or_copies_by_strides(numbers, one_copy):
    assert numbers.contiguous() is numbers
    with one_copy("contiguous", 96):
        packed = numbers.T.contiguous()
    assert packed.is_contiguous()
    assert packed.storage() != numbers.storage()
    assert packed.storage().tolist() == [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]


@pytest.mark.parametrize("operation", ["neg", "square", "sqrt", "exp", "sum", "cumsum", "mean"])
def test_operations_take_any_strides(operation):
    x = st.arange(24, dtype=st.float64).reshape(4, 6)
    for view in (x, x.T, x[::2, 1:5], x.flip(1)):
        direct, packed = getattr(view, operation)(), getattr(view.contiguous(), operation)()
        assert direct.shape == packed.shape
        assert st.allclose(direct, packed, rtol=1e-14)


# ---- before and after ----


def test_transpose_by_strides_equals_transpose_by_copy(numbers):
    copied = st.empty(4, 3, dtype=st.int64)
    for i, j in np.ndindex(3, 4):
        copied[j, i] = numbers[i, j]
    assert st.array_equal(copied, numbers.T)
    assert copied.is_contiguous()
    assert not numbers.T.is_contiguous()


def test_odometer_visits_indices_in_row_major_order():
    layout = st.Layout((2, 3))
    visited = [layout.index_of(position) for position in range(6)]
    assert visited == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert visited == list(itertools.product(range(2), range(3)))


# ---- gotchas ----


def test_flat_index_is_right_for_any_strides(numbers):
    pair = st.arange(6).reshape(2, 3)
    assert [pair.flat(i).item() for i in range(6)] == list(range(6))
    assert pair.flat(1).storage_offset() == 1  # not 1 * stride[0]
    for view in (numbers.T, numbers[:, ::-2], numbers[1:, 1:], numbers.expand(2, 3, 4)):
        expected = view.numpy().ravel().tolist()
        assert [view.flat(i).item() for i in range(view.size)] == expected


def test_flat_index_is_checked_and_writes_through(numbers):
    numbers.T.flat(1)[...] = 99
    assert numbers[1, 0].item() == 99
    with pytest.raises(st.IndexOutOfBounds) as caught:
        numbers.flat(12)
    assert (caught.value.index, caught.value.length) == (12, 12)


def test_assignment_and_views_share_clone_does_not():
    a = st.full((2, 2), 1.0)
    name, view, copy = a, a.view(), a.clone()
    view[0, 0] = 999.0
    assert a[0, 0].item() == name[0, 0].item() == 999.0
    assert copy[0, 0].item() == 1.0
    assert not st.shares_memory(a, copy)


def test_rotary_embedding_needs_no_contiguous_input():
    def rotated(x: st.Tensor) -> st.Tensor:
        angle = st.arange(6, dtype=st.float64).unsqueeze(1) * st.tensor(
            [1.0, 0.1], dtype=st.float64
        )
        low, high = x[..., :2], x[..., 2:]
        cos, sin = angle.cos(), angle.sin()
        return st.concat([low * cos - high * sin, high * cos + low * sin], axis=-1)

    heads_last = st.randn(6, 3, 4, dtype=st.float64, generator=st.Generator(0))
    view = heads_last.transpose(0, 1)
    assert not view.is_contiguous()
    assert st.allclose(rotated(view), rotated(view.contiguous()), rtol=1e-14)


def test_reshape_of_transposed_copies_once_and_is_logged(numbers, one_copy):
    with pytest.raises(st.ViewNotPossible):
        numbers.T.view(12)
    with one_copy("reshape", 96):
        flat = numbers.T.reshape(12)
    assert flat.storage() != numbers.storage()
    assert flat.tolist() == [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]
    assert not st.copy_totals()["reshape"].asked_for


def test_in_place_through_a_view_changes_the_original():
    original = st.zeros(3, 4)
    view = original.slice(0, 0, 2)
    view += 1.0
    assert view.storage() == original.storage()
    assert original.tolist() == [[1.0] * 4, [1.0] * 4, [0.0] * 4]


def test_view_outlives_the_function_that_made_its_base():
    def make_view() -> st.Tensor:
        return st.arange(12).reshape(3, 4).T

    view = make_view()
    gc.collect()
    assert view.tolist() == [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]
    assert view.bytes_kept_alive == 96


# ---- results: a forward pass's reshapes, transposes and cache slices copy nothing ----


def test_cache_slices_move_only_the_offset(nothing_moves):
    cache = st.zeros(8, 256, 64)
    with nothing_moves():
        for position in range(256):
            new, past = cache.narrow(1, position, 1), cache.slice(1, 0, position + 1)
            assert new.storage_offset() == position * 64
            assert past.storage_offset() == 0
            assert new.storage() == past.storage() == cache.storage()
