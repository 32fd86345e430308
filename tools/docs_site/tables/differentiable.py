"""Why gradients do not pass a public name, and whether they pass an operation."""

from __future__ import annotations

from strided.ops.define import Definition

# Names that gradients do not pass, by the reason. ``tests/autograd/test_coverage.py`` compares the
# table with the operations that have a case.
NOT_DIFFERENTIABLE: dict[str, str] = {
    "results are positions, counts or truth values": """
        all any allclose argmax argmin argsort argwhere array_equal bincount bucketize count_nonzero
        flatnonzero histogram isclose isin may_share_memory nonzero searchsorted shares_memory
        unique_inverse linalg.matrix_rank nn.one_hot
        Tensor.all Tensor.any Tensor.argmax Tensor.argmin Tensor.argsort Tensor.argwhere
        Tensor.bincount Tensor.bool Tensor.count_nonzero Tensor.int Tensor.isclose Tensor.long
        Tensor.nonzero Tensor.searchsorted Tensor.shares_storage
    """,
    "distinct values are not a function that can be differentiated, as in PyTorch": """
        unique_all unique_counts unique_values Tensor.unique Tensor.unique_consecutive
    """,
    "makes tensors of numbers, or takes values from outside": """
        arange asarray empty empty_like eye from_dlpack from_numpy from_torch frombuffer full
        full_like linspace load memory_map ones ones_like open_gguf open_npy open_npz
        open_safetensors rand rand_like randint randn randn_like randperm tensor zeros zeros_like
        fft.fftfreq fft.rfftfreq
    """,
    "weights in blocks of few bits have no gradients": "exact_quantized quantize random_blocks",
    "facts about a tensor, or the library": """
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
        save save_npy save_npz save_safetensors
        Tensor.item Tensor.numpy Tensor.to_numpy Tensor.to_torch Tensor.tobytes
        Tensor.tolist
    """,
    "is what gradients are made with": """
        grad is_grad_enabled value_and_grad vmap
        Tensor.backward Tensor.data Tensor.detach Tensor.detach_ Tensor.grad Tensor.grad_fn
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
