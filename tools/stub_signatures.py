"""Typed signatures of native functions that only ``src/strided`` itself calls.

What the public sees has its signature beside its docstring, in ``strided/native_members.py``.
"""

from __future__ import annotations

INTERNAL: dict[str, str] = {
    # ops
    "apply": "(op: int, /, *operands: Tensor | complex) -> Tensor",
    "apply_into": "(op: int, out: Tensor, /, *operands: Tensor | complex) -> Tensor",
    "op_table": "() -> dict[str, tuple[int, int]]",
    "loop_names": "() -> list[tuple[str, str, str, str]]",
    # products
    "matmul": "(a: Tensor, b: Tensor, /) -> Tensor",
    "matmul_into": "(out: Tensor, a: Tensor, b: Tensor, /) -> Tensor",
    "contract": "(a: Tensor, b: Tensor, batch: int, summed: int, /) -> Tensor",
    # stacks of small matrices
    "is_small_square": "(a: Tensor, /) -> bool",
    "solve_small": "(a: Tensor, b: Tensor | None, /) -> Tensor | None",
    "special_values": "(name: str, a: Tensor, b: Tensor | None, /) -> Tensor",
    "small_determinants": "(a: Tensor, /) -> Tensor",
    "small_log_determinants": "(a: Tensor, /) -> tuple[Tensor, Tensor]",
    # neural networks
    "linear": "(x: Tensor, weight: Tensor, bias: Tensor | None, out: Tensor | None,"
    " rows: Tensor | None, dtype: DTypeLike | None, /) -> Tensor",
    "rms_norm": "(x: Tensor, weight: Tensor | None, eps: float, out: Tensor | None,"
    " dtype: DTypeLike | None, /) -> Tensor",
    "rope": "(x: Tensor, cos: Tensor, sin: Tensor, interleaved: bool, out: Tensor | None,"
    " rows: Tensor | None, /) -> Tensor",
    "swiglu": "(gate: Tensor, up: Tensor, out: Tensor | None, dtype: DTypeLike | None, /)"
    " -> Tensor",
    "softmax": "(x: Tensor, dim: int, logarithm: bool, out: Tensor | None,"
    " dtype: DTypeLike | None, /) -> Tensor",
    "embedding": "(tokens: Tensor, weight: Tensor, out: Tensor | None, dtype: DTypeLike | None, /)"
    " -> Tensor",
    "attention": "(query: Tensor,"
    " sequences: Sequence[tuple[int, Sequence[tuple[Tensor, Tensor]]]], scale: float | None,"
    " window: int | None, out: Tensor | None, dtype: DTypeLike | None, /) -> Tensor",
    "attention_gradients": "(g: Tensor, query: Tensor, key: Tensor, value: Tensor,"
    " mask: Tensor | None, causal: bool, scale: float | None, /)"
    " -> tuple[Tensor, Tensor, Tensor]",
    "channel_norm": "(x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float, /)"
    " -> tuple[Tensor, Tensor, Tensor]",
    "channel_norm_gradients": "(g: Tensor, x: Tensor, weight: Tensor | None, mean: Tensor,"
    " variance: Tensor, eps: float, wants_x: bool, /) -> tuple[Tensor | None, Tensor, Tensor]",
    "softmax_gradient": "(g: Tensor, y: Tensor, dim: int, logarithm: bool, /) -> Tensor",
    "cross_entropy": "(x: Tensor, target: Tensor, ignored: int, smoothing: float,"
    " over: int, /) -> tuple[Tensor, Tensor]",
    "cross_entropy_gradient": "(g: Tensor, x: Tensor, target: Tensor, logs: Tensor,"
    " ignored: int, smoothing: float, over: int, /) -> Tensor",
    "row_norm": "(x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float,"
    " out: Tensor | None, dtype: DTypeLike | None, /) -> Tensor",
    "max_pool": "(x: Tensor, /, *numbers: int) -> tuple[Tensor, Tensor]",
    "max_pool_gradient": "(g: Tensor, places: Tensor, rows: int, columns: int, /) -> Tensor",
    "norm_gradients": "(g: Tensor, x: Tensor, weight: Tensor | None, eps: float,"
    " centred: bool, wants_x: bool, wants_weights: bool, /)"
    " -> tuple[Tensor | None, Tensor | None]",
    "adam_step": "(p: Tensor, g: Tensor, mean: Tensor, square: Tensor, rate: float, eps: float,"
    " share1: float, share2: float, shrink: float, decay: float, maximize: bool, /) -> None",
    "sgd_step": "(p: Tensor, g: Tensor, velocity: Tensor | None, rate: float, decay: float,"
    " kept: float, share: float, nesterov: bool, maximize: bool, /) -> None",
    "dot_product_attention": "(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None,"
    " causal: bool, scale: float | None, grouped: bool, /) -> Tensor",
    "activation_dtype": "(dtype: DTypeLike, rows: int, /) -> DType",
    "run_fused": "(nodes: Sequence[tuple[Any, ...]], inputs: Sequence[Tensor],"
    " wanted: Sequence[int], shape: Sequence[int], out: Sequence[Tensor], /) -> list[Tensor]",
    "record_plans": "(function: Callable[[], Any]) -> list[tuple[Any, ...]]",
    "fused_dtype": "(nodes: Sequence[tuple[Any, ...]], inputs: Sequence[Tensor], /) -> DType",
    "normal_axis": "(axis: int, rank: int, /) -> int",
    # indexing by arrays
    "gather_into": "(out: Tensor, x: Tensor, indices: Sequence[Tensor], /) -> None",
    "scatter_into": "(out: Tensor, x: Tensor, indices: Sequence[Tensor], accumulate: bool, /)"
    " -> None",
    "count_nonzero": "(x: Tensor, /) -> int",
    "take": "(x: Tensor, index: Tensor, dim: int, /) -> Tensor",
    "take_flat": "(x: Tensor, index: Tensor, /) -> Tensor",
    "gather": "(x: Tensor, dim: int, index: Tensor, /) -> Tensor",
    "masked_select": "(x: Tensor, mask: Tensor, /) -> Tensor",
    "scatter_along": "(out: Tensor, dim: int, index: Tensor, source: Tensor, how: str,"
    " operation: str, /) -> None",
    "put_flat": "(out: Tensor, index: Tensor, source: Tensor, accumulate: bool, /) -> None",
    "masked_put": "(out: Tensor, mask: Tensor, source: Tensor, longer: bool, /) -> None",
    # dtypes and shapes
    "as_dtype": "(dtype: DTypeLike, /) -> DType",
    "promote_types": "(a: DTypeLike, b: DTypeLike, /) -> DType",
    "promote_number": "(dtype: DTypeLike, number: complex, /) -> DType",
    "broadcast_shape": "(a: Sequence[int], b: Sequence[int], /) -> tuple[int, ...]",
    # copies
    "join_into": "(out: Tensor, x: Tensor, /) -> None",
    "copy_into": "(out: Tensor, x: Tensor, reason: str, /) -> None",
    "log_copy": "(reason: str, x: Tensor, dtype: DTypeLike, /) -> None",
    "watch_copies": "(function: Callable[[int, int, Layout, str, Layout, str], None] | None, /)"
    " -> None",
    "watch_views": "(function: Callable[[Any, Any], Any] | None, /) -> None",
    # memory
    "shares_memory": "(a: Tensor, b: Tensor, /) -> bool",
    "may_share_memory": "(a: Tensor, b: Tensor, /) -> bool",
    "storage_view": "(x: Tensor, /) -> Tensor",
    "storage_pointer": "(x: Tensor, /) -> int",
    "storage_origin": "(x: Tensor, /) -> tuple[str, Any]",
    "layout_of": "(x: Tensor, /) -> Layout",
    "map_file": "(path: str, dtype: DTypeLike, mode: str, offset: int, count: int, /) -> Tensor",
    "heap_facts": "() -> dict[str, int]",
    "copy_totals": "() -> list[tuple[str, bool, str, str, int, int]]",
    # quantised blocks
    "quantized_product": "(out: Tensor, x: Tensor, blocks: Tensor, kind: int, rows: Tensor | None,"
    " bias: Tensor | None, exact: int, /) -> Tensor",
    "block_formats": "() -> dict[str, tuple[int, int, int]]",
    "check_blocks": "(blocks: Tensor, kind: int, /) -> None",
    "dequantize": "(blocks: Tensor, kind: int, dtype: DTypeLike, /) -> Tensor",
    "dequantize_rows": "(blocks: Tensor, kind: int, index: Tensor, dtype: DTypeLike, /) -> Tensor",
    "quantize": "(x: Tensor, kind: int, /) -> Tensor",
    "random_blocks": "(kind: int, rows: int, columns: int, scale: float, seed: int, /) -> Tensor",
    # other libraries, lists, ranges
    "_from_buffer": "(obj: Any, /) -> Tensor",
    "_from_dlpack": "(capsule: Any, producer: str = '', immutable: bool = False, /) -> Tensor",
    "_to_dlpack": "(x: Tensor, versioned: bool, copied: bool, /) -> Any",
    "_rebind": "(x: Tensor, view: Tensor, /) -> Tensor",
    "_written": "(x: Tensor, /) -> None",
    "_from_nested": "(data: Any, dtype: DTypeLike | None, /) -> Any",
    "_fill_range": "(out: Tensor, start: float, step: float, /) -> Tensor",
    # gradients
    "grad_mode": "() -> bool",
    "next_order": "() -> int",
    "edge_of": "(x: Tensor, /) -> tuple[Any, int, tuple[int, ...], DType] | None",
    "track_of": "(x: Tensor, /) -> Track | None",
    "node_of": "(operation: str, edges: tuple[Any, ...], backward: Callable[..., Any],"
    " keeps: bool, outputs: int = 1, /) -> Node",
    "rule_of": "(name: str, /) -> Rule | None",
    "refuse_out": "(name: str, /) -> NoReturn",
    "visit_node": "(node: Node | None, /) -> Node | None",
    "visited_node": "() -> Node | None",
    "watch_lines": "(user_line: Callable[[], str] | None, /) -> None",
    "tensors_and_edges": "(args: tuple[Any, ...], kwargs: dict[str, Any], /)"
    " -> tuple[list[Tensor], tuple[Any, ...]]",
    "operand_key": "(operands: tuple[Any, ...], takes_part: tuple[Any, ...], /) -> int",
    "set_grad_mode": "(on: bool, /) -> bool",
    "alias": "(x: Tensor, /) -> Tensor",
    "is_sole": "(gradients: Sequence[Any], place: int, /) -> bool",
    "any_tracked": "(objects: Sequence[Any], /) -> bool",
    # what Python gives to the native type
    "register_services": "(services: tuple[Any, ...], /) -> None",
    "as_tensor": "(x: Any, /) -> Tensor",
    "set_doc": "(obj: Any, doc: str, /) -> None",
}

TENSOR_INTERNAL: dict[str, str] = {
    "_convert": "(dtype: DTypeLike | None = None, copy: bool = False,"
    " memory_format: MemoryFormat | None = None, reason: str | None = None) -> Tensor",
    "_adopt": "(view: Tensor, /) -> Tensor",
    "_flat_element": "(index: int, /) -> Tensor",
    "_take_data": "(value: Tensor, /) -> Tensor",
}

_ARITHMETIC = "add sub mul truediv floordiv mod and or xor lshift rshift"


def operators() -> dict[str, str]:
    """Return the signatures of Tensor's special methods."""
    made = {
        "__new__": "(cls, data: Any) -> Self",
        "__hash__": "() -> int",
        "__len__": "() -> int",
        "__iter__": "() -> Iterator[Tensor]",
        "__getitem__": "(key: Any, /) -> Tensor",
        "__setitem__": "(key: Any, value: Any, /) -> None",
        "__bool__": "() -> bool",
        "__int__": "() -> int",
        "__float__": "() -> float",
        "__complex__": "() -> complex",
        "__index__": "() -> int",
        "__buffer__": "(flags: int, /) -> memoryview",
    }
    for name in ("neg", "pos", "abs", "invert"):
        made[f"__{name}__"] = "() -> Tensor"
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        made[f"__{name}__"] = "(value: Tensor | complex, /) -> Tensor"
    for name in _ARITHMETIC.split():
        made[f"__{name}__"] = made[f"__r{name}__"] = "(value: Tensor | complex, /) -> Tensor"
        made[f"__i{name}__"] = "(value: Tensor | complex, /) -> Self"
    for name in ("pow", "rpow"):
        made[f"__{name}__"] = "(value: Tensor | complex, mod: None = None, /) -> Tensor"
    made["__ipow__"] = "(value: Tensor | complex, /) -> Self"
    for name in ("matmul", "rmatmul"):
        made[f"__{name}__"] = "(value: Tensor, /) -> Tensor"
    return made
