"""Every public function and method either passes gradients, shown by a case, or says why not."""

from __future__ import annotations

from support.gradient_cases import all_cases, arguments_of

import strided as st
from strided.ops.elementwise import definitions

# Names that gradients do not pass, by the reason.
NOT_DIFFERENTIABLE: dict[str, str] = {
    "results are positions, counts or truth values": """
        all any allclose argmax argmin argsort argwhere array_equal bincount bucketize count_nonzero
        flatnonzero histogram isclose isin may_share_memory nonzero searchsorted shares_memory
        unique_inverse
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
        Tensor.flat Tensor.item Tensor.numpy Tensor.to_numpy Tensor.to_torch Tensor.tobytes
        Tensor.tolist
    """,
    "gives float32 and less, for which differences say nothing; they are Tensor.to": """
        Tensor.bfloat16 Tensor.float Tensor.half
    """,
    "is what gradients are made with": """
        grad is_grad_enabled value_and_grad
        Tensor.backward Tensor.data Tensor.detach Tensor.detach_ Tensor.grad Tensor.grad_fn
        Tensor.is_leaf Tensor.output_nr Tensor.register_hook
        Tensor.register_post_accumulate_grad_hook Tensor.requires_grad Tensor.requires_grad_
        Tensor.retain_grad Tensor.retains_grad
    """,
}
_WITHOUT = {
    prefix + name
    for row in (*definitions(1), *definitions(2))
    if row.gradients is None
    for prefix in ("", "Tensor.")
    for alias in (row.name, *row.aliases)
    for name in (alias, alias + "_")
}


def _public() -> set[str]:
    functions = {
        name
        for name in dir(st)
        if not name.startswith("_")
        and callable(getattr(st, name))
        and not isinstance(getattr(st, name), type)
    }
    return functions | {f"Tensor.{name}" for name in dir(st.Tensor) if not name.startswith("_")}


def test_every_public_name_has_a_case_or_a_reason() -> None:
    shown = {name for name, _ in all_cases()}
    excused = {name for names in NOT_DIFFERENTIABLE.values() for name in names.split()}
    assert sorted(_public() - shown - excused - _WITHOUT) == []
    assert sorted(excused & shown) == [], "what has a case needs no excuse"


def test_every_rule_is_used_by_a_case() -> None:
    """A rule that no case uses is not shown to be right. Those of layers have their own tests."""
    from strided.ops.gradients import RULES

    used: set[str] = set()
    before = {
        name: rule
        for name, rule in RULES.items()
        if rule.prepare.__module__.startswith(("strided.autograd.", "strided.ops."))
    }
    for name, rule in before.items():

        def prepare(
            *args: object, _name: str = name, _rule: object = rule, **named: object
        ) -> object:
            used.add(_name)
            return _rule.prepare(*args, **named)  # type: ignore[attr-defined]

        RULES[name] = rule._replace(prepare=prepare)
    try:
        for _, call in all_cases():
            call(*(st.tensor(a).requires_grad_() for a in arguments_of(call)))
    finally:
        RULES.update(before)
    assert sorted(set(before) - used) == []
