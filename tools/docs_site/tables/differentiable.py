"""Why gradients do not pass a public name, and whether they pass an operation."""

from __future__ import annotations

from strided.ops.define import Definition

# Names that gradients do not pass, by the reason. ``tests/autograd/test_coverage.py`` compares the
# table with the operations that have a case.
NOT_DIFFERENTIABLE: dict[str, str] = {
    "results are positions, counts or truth values": """
        isreal histc multinomial Tensor.allclose Tensor.histc Tensor.histogram Tensor.isreal
        Tensor.multinomial Tensor.byte Tensor.char Tensor.short
        all any allclose argmax argmin argsort argwhere array_equal bincount bucketize count_nonzero
        flatnonzero histogram isclose isin may_share_memory nonzero searchsorted shares_memory
        unique_inverse linalg.matrix_rank nn.one_hot array_equiv argpartition bitwise_count
        diag_indices diag_indices_from digitize histogram2d histogram_bin_edges histogramdd in1d
        iscomplex isreal lexsort mask_indices nanargmax nanargmin packbits ravel_multi_index
        tril_indices tril_indices_from triu_indices triu_indices_from unpackbits unravel_index
        Tensor.argpartition
        Tensor.all Tensor.any Tensor.argmax Tensor.argmin Tensor.argsort Tensor.argwhere
        Tensor.bincount Tensor.bool Tensor.count_nonzero Tensor.int Tensor.isclose Tensor.long
        Tensor.nonzero Tensor.searchsorted Tensor.shares_storage
    """,
    "distinct values are not a function that can be differentiated, as in PyTorch": """
        unique unique_all unique_consecutive unique_counts unique_values Tensor.unique
        Tensor.unique_consecutive intersect1d setdiff1d setxor1d union1d
    """,
    "makes tensors of numbers, or takes values from outside": """
        as_tensor bartlett_window bernoulli binomial blackman_window empty_permuted empty_strided
        hamming_window hann_window kaiser_window poisson randint_like scalar_tensor
        Tensor.bernoulli Tensor.bernoulli_ Tensor.cauchy_ Tensor.exponential_ Tensor.geometric_
        Tensor.log_normal_ Tensor.new_empty Tensor.new_empty_strided Tensor.new_full Tensor.new_ones
        Tensor.new_tensor Tensor.new_zeros Tensor.normal_ Tensor.random_ Tensor.uniform_
        arange asarray empty empty_like eye from_dlpack from_numpy from_torch frombuffer full
        full_like linspace load memory_map ones ones_like open_gguf open_npy open_npz
        open_safetensors rand rand_like randint randn randn_like randperm tensor zeros zeros_like
        fft.fftfreq fft.rfftfreq bartlett blackman fromfile fromfunction fromiter fromstring
        genfromtxt geomspace hamming hanning identity indices ix_ kaiser loadtxt logspace tri
    """,
    "weights in blocks of few bits have no gradients": "exact_quantized quantize random_blocks",
    "NumPy computes it": """
        Tensor.partition partition poly polyadd polyder polydiv polyfit polyint polymul
        polysub roots sort_complex spacing
    """,
    "facts about a tensor, or the library": """
        array2string array_repr array_str base_repr binary_repr common_type dtype
        format_float_positional format_float_scientific get_printoptions iscomplexobj isfortran
        isrealobj isscalar issubdtype iterable min_scalar_type ndenumerate ndim printoptions
        set_printoptions shape size Tensor.flags
        are_deterministic_algorithms_enabled device get_default_device get_default_dtype
        get_float32_matmul_precision get_rng_state initial_seed is_complex is_conj
        is_floating_point is_inference is_inference_mode_enabled is_neg is_nonzero is_same_size
        is_signed is_storage is_tensor numel seed set_default_device set_default_dtype
        get_printoptions set_float32_matmul_precision set_printoptions set_rng_state
        use_deterministic_algorithms
        Tensor.dim_order Tensor.get_device Tensor.is_complex Tensor.is_conj Tensor.is_cpu
        Tensor.is_cuda Tensor.is_floating_point Tensor.is_inference Tensor.is_meta
        Tensor.is_mkldnn Tensor.is_mps Tensor.is_neg Tensor.is_nested Tensor.is_nonzero
        Tensor.is_pinned Tensor.is_quantized Tensor.is_same_size Tensor.is_set_to Tensor.is_signed
        Tensor.is_sparse Tensor.is_sparse_csr Tensor.is_xpu Tensor.ndimension Tensor.nelement
        broadcast_shapes can_cast copy_everything copy_totals draw enable finfo get_num_threads
        iinfo inspect isdtype manual_seed no_copies plan print_layout promote_types relate
        result_type set_num_threads trace_copies will_copy
        Tensor.base Tensor.byte_offset Tensor.byte_strides Tensor.bytes_kept_alive Tensor.data_ptr
        Tensor.debug Tensor.device Tensor.dim Tensor.draw Tensor.dtype Tensor.element_size
        Tensor.explain_reshape Tensor.is_contiguous Tensor.is_view Tensor.itemsize Tensor.layout
        Tensor.nbytes Tensor.ndim Tensor.numel Tensor.shape Tensor.size Tensor.storage
        Tensor.storage_offset Tensor.stride Tensor.strides Tensor.writable
    """,
    "hands values to Python, to a file or to another library": """
        save save_npy save_npz save_safetensors savetxt savez savez_compressed Tensor.tofile
        Tensor.item Tensor.numpy Tensor.to_numpy Tensor.to_torch Tensor.tobytes
        Tensor.tolist
    """,
    "is what gradients are made with": """
        grad is_grad_enabled value_and_grad vmap
        detach Tensor.backward Tensor.data Tensor.detach Tensor.detach_ Tensor.grad Tensor.grad_fn
        Tensor.is_leaf Tensor.output_nr Tensor.register_hook
        Tensor.register_post_accumulate_grad_hook Tensor.requires_grad Tensor.requires_grad_
        Tensor.retain_grad Tensor.retains_grad
    """,
}
_REASONS = {name: reason for reason, names in NOT_DIFFERENTIABLE.items() for name in names.split()}


def reason(*names: str) -> str | None:
    """Return why gradients do not pass what has these public names; None where they may.

    >>> reason("strided.argmax")
    'results are positions, counts or truth values'
    """
    for name in names:
        if found := _REASONS.get(name.removeprefix("strided.")):
            return found
    return None


def gradient(definition: Definition, names: list[str]) -> tuple[bool, str]:
    """Return whether gradients pass an operation with these public names, and how or why not.

    >>> from strided.ops.define import DEFINITIONS
    >>> gradient(DEFINITIONS["sum"], ["strided.sum"])
    (True, 'a rule of its own')
    >>> gradient(DEFINITIONS["T"], ["strided.Tensor.T"])
    (True, 'the adjoint of a view')
    """
    if why := reason(*names):
        return False, why
    if definition.op is not None and definition.gradients is None:
        return False, "no derivative is of use: results are integers, truth values or steps"
    if definition.kind == "value":
        return False, "the result is no tensor"
    if definition.gradient is not None or definition.op is not None:
        return True, "a rule of its own"
    if definition.kind == "view":
        return True, "the adjoint of a view"
    if definition.kind == "in place":
        return True, "the change is recorded"
    if definition.is_primitive:
        return True, "the adjoint of a copy"
    return True, "through the operations that it is made of"
