"""Document 003: storage, strides, views and copies as PyTorch documents them. In its order."""

from __future__ import annotations

import numpy as np
import pytest

import strided as st


@pytest.fixture
def x() -> st.Tensor:
    return st.tensor([[1, 2, 3], [4, 5, 6]])


def same_storage(a: st.Tensor, b: st.Tensor) -> bool:
    return a.storage().data_ptr() == b.storage().data_ptr()


# ---- storage ----


def test_storage_is_flat_and_typed(x):
    storage = x.storage()
    assert list(storage) == storage.tolist() == [1, 2, 3, 4, 5, 6]
    assert len(storage) == 6
    assert isinstance(storage, st.Storage)
    assert (storage.dtype, storage.nbytes) == (st.int64, 48)
    assert storage.data_ptr() == x.data_ptr()


def test_a_row_shares_the_storage_of_its_matrix():
    t = st.arange(6).reshape(2, 3)
    assert same_storage(t, t[0])
    assert len(t[0].storage()) == 6


# ---- strides ----


def test_stride_tells_how_far_the_next_row_and_column_are(x):
    assert x.stride() == (3, 1)
    assert (x.stride(0), x.stride(1), x.stride(-1)) == (3, 1, 1)


def test_storage_index_formula(x):
    assert x.storage_offset() + 1 * x.stride(0) + 2 * x.stride(1) == 5
    assert x.storage()[5] == x[1, 2].item() == 6
    t = st.arange(12).reshape(3, 4)
    assert (t.shape, t.stride()) == ((3, 4), (4, 1))
    assert t[1, 2].item() == t.storage()[1 * 4 + 2 * 1] == 6


def test_storage_index_formula_in_n_dimensions():
    view = st.arange(360).reshape(3, 4, 5, 6)[1:, :, 2:, ::2].permute(3, 1, 0, 2)
    for index in np.ndindex(*view.shape):
        step = sum(i * s for i, s in zip(index, view.stride(), strict=True))
        assert view.storage()[view.storage_offset() + step] == view[index].item()


# ---- row-major and column-major ----


def test_row_major_keeps_rows_together(x):
    assert x.storage()[0:3] == x[0].tolist()
    assert x.storage()[3:6] == x[1].tolist()
    assert x.stride(0) > x.stride(1)
    assert st.arange(12).reshape(3, 4).stride() == (4, 1)


def test_column_major_array_keeps_its_layout():
    array = np.array([[1, 2, 3], [4, 5, 6]], order="F")
    assert array.ravel(order="K").tolist() == [1, 4, 2, 5, 3, 6]
    t = st.from_numpy(array)
    assert t.stride() == (1, 2)
    assert t.storage().tolist() == [1, 4, 2, 5, 3, 6]
    assert t.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert t.data_ptr() == array.ctypes.data
    assert t.is_contiguous(memory_format="column_major")


# ---- contiguity ----


def test_transpose_is_not_contiguous():
    t = st.randn(3, 4)
    assert t.is_contiguous()
    assert t.t().stride() == (1, 4)
    assert not t.t().is_contiguous()
    assert same_storage(t, t.t())


# ---- views share memory ----


def test_reshape_shares_and_writes_are_seen():
    original = st.arange(12).reshape(3, 4)
    reshaped = original.reshape(4, 3)
    assert same_storage(original, reshaped)
    original[0, 0] = 99
    assert reshaped[0, 0].item() == 99


def test_transposed_view_has_swapped_strides():
    mat = st.arange(6).reshape(2, 3)
    assert (mat.stride(), mat.is_contiguous()) == ((3, 1), True)
    assert (mat.T.stride(), mat.T.is_contiguous()) == ((1, 3), False)
    assert mat.T.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert mat.T.storage().tolist() == [0, 1, 2, 3, 4, 5]


def test_places_in_storage_before_and_after_transpose():
    t = st.frombuffer(b"abcdef", dtype=st.uint8).view(2, 3)
    places = {(i, j): t.layout.offset_of((i, j)) for i in range(2) for j in range(3)}
    assert list(places.values()) == [0, 1, 2, 3, 4, 5]
    transposed = t.t()
    assert transposed.shape == (3, 2)
    assert transposed.storage() == t.storage()
    assert [transposed.layout.offset_of(i) for i in np.ndindex(3, 2)] == [0, 3, 1, 4, 2, 5]


# ---- how operations affect strides ----


def test_slice_keeps_strides_and_storage():
    t = st.arange(24).reshape(4, 6)
    assert t[1:3, 2:5].stride() == t.stride() == (6, 1)
    assert same_storage(t, t[1:3, 2:5])
    assert same_storage(t, t.reshape(2, 12))


def test_transpose_reverses_and_permute_reorders_strides():
    t = st.arange(12).reshape(3, 4)
    assert (t.stride(), t.t().shape, t.t().stride()) == ((4, 1), (4, 3), (1, 4))
    y = st.randn(2, 3, 4)
    assert (y.stride(), y.permute(2, 0, 1).stride()) == ((12, 4, 1), (1, 12, 4))


def test_slice_offset_is_the_place_of_its_first_element():
    t = st.arange(20).reshape(4, 5)
    y = t[1:3, 2:4]
    assert (y.storage_offset(), y.stride(), y.shape) == (7, (5, 1), (2, 2))
    assert t[1, 2].item() == y.storage()[7] == 7


def test_unsqueeze_adjusts_strides():
    t = st.randn(3, 4)
    assert (t.unsqueeze(0).shape, t.unsqueeze(0).stride()) == ((1, 3, 4), (12, 4, 1))
    assert (t.unsqueeze(1).shape, t.unsqueeze(1).stride()) == ((3, 1, 4), (4, 4, 1))
    assert same_storage(t, t.unsqueeze(0))


def test_expand_repeats_by_stride_0():
    t = st.tensor([1, 2, 3])
    y = t.expand(4, 3)
    assert t.stride() == (1,)
    assert (y.shape, y.stride()) == ((4, 3), (0, 1))
    assert y[0].data_ptr() == y[1].data_ptr() == t.data_ptr()
    assert y.bytes_kept_alive == t.nbytes


# ---- view and reshape ----


def test_view_refuses_what_reshape_copies(one_copy):
    t = st.arange(6).reshape(2, 3)
    with pytest.raises(RuntimeError) as caught:
        t.T.view(-1)
    assert isinstance(caught.value, st.ViewNotPossible)
    assert (caught.value.shape, caught.value.strides) == ((3, 2), (1, 3))
    with one_copy("reshape", 48):
        flat = t.T.reshape(-1)
    assert flat.tolist() == [0, 3, 1, 4, 2, 5]
    assert not same_storage(t, flat)


def test_view_works_after_contiguous():
    packed = st.arange(6).reshape(2, 3).T.contiguous()
    assert packed.is_contiguous()
    assert packed.view(-1).tolist() == [0, 3, 1, 4, 2, 5]
    assert same_storage(packed, packed.view(-1))
    assert packed.contiguous() is packed


# ---- clone and detach ----


def test_clone_copies_detach_shares():
    original = st.tensor([1.0, 2.0, 3.0])
    cloned, detached = original.clone(), original.detach()
    assert not same_storage(original, cloned)
    assert same_storage(original, detached)
    detached[0] = 9.0
    assert (original[0].item(), cloned[0].item()) == (9.0, 1.0)


def test_detach_then_clone_is_independent():
    original = st.tensor([1.0, 2.0, 3.0])
    independent = original.detach().clone()
    independent.zero_()
    assert original.tolist() == [1.0, 2.0, 3.0]
    assert not independent.is_view


def test_clone_keeps_tracking():
    original = st.tensor([1.0, 2.0, 3.0], requires_grad=True)
    cloned = original.clone()
    assert not same_storage(original, cloned)
    assert (cloned.requires_grad, cloned.is_leaf, original.is_leaf) == (True, False, True)
    (cloned * cloned).sum().backward()
    assert original.grad.tolist() == [2.0, 4.0, 6.0]


def test_detach_leaves_the_graph_and_keeps_the_memory():
    original = st.tensor([1.0, 2.0, 3.0], requires_grad=True)
    detached = original.detach()
    assert same_storage(original, detached)
    assert (detached.requires_grad, detached.grad_fn, detached.is_leaf) == (False, None, True)
    assert not (detached * 2).requires_grad
    (original * detached).sum().backward()
    assert original.grad.tolist() == [1.0, 2.0, 3.0]


def test_detach_then_clone_has_neither_graph_nor_memory():
    original = st.tensor([1.0, 2.0, 3.0], requires_grad=True)
    independent = original.detach().clone()
    assert not independent.requires_grad
    independent += 10
    assert original.tolist() == [1.0, 2.0, 3.0]


# ---- in place ----


def test_in_place_breaks_a_gradient_that_needs_the_old_values():
    x = st.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    z = y * y
    y.add_(10)
    with pytest.raises(RuntimeError) as caught:
        z.sum().backward()
    assert isinstance(caught.value, st.StaleGradient)
    assert (caught.value.saved_by, caught.value.changed_by) == ("multiply", "add")
    assert caught.value.shape == (3,)


def test_in_place_is_fine_where_no_gradient_needs_the_old_values():
    x = st.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    y.add_(10)
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0, 2.0]


def test_in_place_on_a_leaf_is_refused():
    t = st.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with pytest.raises(RuntimeError) as caught:
        t.add_(10)
    assert isinstance(caught.value, st.GradientNotPossible)
    assert t.tolist() == [1.0, 2.0, 3.0]
    with st.no_grad():
        t.add_(10)
    assert t.tolist() == [11.0, 12.0, 13.0]


def test_in_place_keeps_the_object():
    t = st.tensor([1.0, 2.0, 3.0])
    before = (id(t), t.data_ptr(), t._version)
    assert t.add_(10) is t
    assert (id(t), t.data_ptr()) == before[:2]
    assert t._version > before[2]
    assert t.tolist() == [11.0, 12.0, 13.0]
    t2 = t.add(10)
    assert t2.tolist() == [21.0, 22.0, 23.0]
    assert t.tolist() == [11.0, 12.0, 13.0]
    assert not same_storage(t, t2)


# ---- performance advice, as facts ----


def test_contiguous_is_needed_for_view_and_not_for_reshape():
    t = st.randn(30, 40)
    assert st.array_equal(t.t().contiguous().view(-1), t.t().reshape(-1))


def test_images_of_one_batch_are_views(nothing_moves):
    batch = st.empty(32, 224, 224)
    with nothing_moves():
        first = batch[0]
    assert same_storage(batch, first)
    assert first.is_contiguous()


def test_normalising_in_place_gives_the_same_without_a_result_tensor():
    data = st.randn(1000, 100, generator=st.Generator(7))
    expected = (data - data.mean(dim=0)) / data.std(dim=0)
    pointer, heap = data.data_ptr(), st.memory.heap_facts().live_bytes
    data.sub_(data.mean(dim=0))
    data.div_(data.std(dim=0))
    assert data.data_ptr() == pointer
    assert st.memory.heap_facts().live_bytes == heap
    assert st.allclose(data, expected, rtol=1e-4, atol=1e-5)
    assert np.allclose(data.numpy().mean(0), 0, atol=1e-5)
    assert np.allclose(data.numpy().std(0, ddof=1), 1, atol=1e-4)


# ---- inspection ----


def facts(t: st.Tensor) -> tuple[object, ...]:
    return (t.shape, t.stride(), t.is_contiguous(), t.storage_offset(), len(t.storage()))


def test_inspection_of_four_tensors_on_one_storage():
    t = st.arange(12).reshape(3, 4)
    assert facts(t) == ((3, 4), (4, 1), True, 0, 12)
    assert facts(t.T) == ((4, 3), (1, 4), False, 0, 12)
    assert facts(t[1:]) == ((2, 4), (4, 1), True, 4, 12)
    assert facts(t[:, ::2]) == ((3, 2), (4, 2), False, 0, 12)
    assert len({v.storage().data_ptr() for v in (t, t.T, t[1:], t[:, ::2])}) == 1


def test_hints_for_common_issues():
    t = st.arange(6).reshape(2, 3)
    assert t.T.contiguous().view(-1).tolist() == t.T.reshape(-1).tolist()
    independent = t.clone()
    t.zero_()
    assert independent.tolist() == [[0, 1, 2], [3, 4, 5]]


# ---- exercises ----


def test_exercise_1_strides_of_2_3_4():
    assert st.Layout((2, 3, 4)).strides == st.zeros(2, 3, 4).stride() == (12, 4, 1)
    assert st.zeros(2, 3, 4).byte_strides == np.zeros((2, 3, 4), np.float32).strides


@pytest.mark.parametrize(
    ("blocked", "shape", "axis", "step", "needed"),
    [
        (lambda t: t.T, (24,), 0, 1, 24),
        (lambda t: t[:, :4], (16,), 0, 6, 4),
        (lambda t: t.flip(0), (24,), 0, -6, 6),
    ],
    ids=["transposed", "cut", "flipped"],
)
def test_exercise_2_view_fails_and_reshape_succeeds(blocked, shape, axis, step, needed):
    t = blocked(st.arange(24).reshape(4, 6))
    with pytest.raises(st.ViewNotPossible) as caught:
        t.view(shape)
    assert (caught.value.axis, caught.value.step, caught.value.needed) == (axis, step, needed)
    assert t.reshape(shape).tolist() == t.numpy().reshape(shape).tolist()


def test_exercise_2_axes_that_step_together_need_no_contiguity():
    t = st.arange(24).reshape(4, 6)[:, ::2]
    assert not t.is_contiguous()
    assert t.view(12).stride() == (2,)
    assert same_storage(t, t.view(12))


def test_exercise_3_different_looks_one_storage():
    a = st.arange(6).reshape(2, 3)
    b = a.flip(1).T
    assert a.tolist() != b.tolist()
    assert st.shares_memory(a, b)
    b[0, 1] = 99
    assert a[1, 2].item() == 99


@pytest.mark.parametrize("size", [1, 7, 64, 300])
def test_exercise_4_same_results_on_contiguous_and_transposed(size):
    t = st.randn(size, size, dtype=st.float64, generator=st.Generator(size))
    assert np.isclose(t.sum().item(), t.t().sum().item())
    assert np.isclose(t.t().sum().item(), t.numpy().sum())
    assert np.allclose((t.t() * 2).numpy(), t.numpy().T * 2)
