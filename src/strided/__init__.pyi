# Written by tools/make_stubs.py (make stubs).
import builtins
from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from strided import (
    autograd,
    chunked,
    fft,
    func,
    linalg,
    memory,
    nn,
    optim,
    utils,
)
from strided._native import (
    DType,
    Layout,
    Tensor,
    bfloat16,
    complex64,
    complex128,
    empty,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    zeros,
)
from strided._native import bool as bool
from strided.autograd.functional import (
    grad,
    value_and_grad,
)
from strided.autograd.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)
from strided.copies.contexts import (
    copy_everything,
    no_copies,
    trace_copies,
)
from strided.copies.copy_log import (
    CopyTotal,
    copy_totals,
)
from strided.copies.forecast import (
    Alternative,
    CopyForecast,
)
from strided.copies.report import (
    CopyEvent,
    CopyGroup,
    CopyReport,
)
from strided.errors import (
    CopyForbidden,
    DownloadFailed,
    DTypeMismatch,
    DuplicateAxis,
    FileMalformed,
    FileUnusable,
    GradientMismatch,
    GradientNotPossible,
    IndexOutOfBounds,
    InvalidArgument,
    InvalidDimension,
    LinearAlgebraError,
    MaskMismatch,
    MissingExtra,
    NotAnArray,
    NotPositiveDefinite,
    OutOfMemory,
    OutOfStorageBounds,
    OverlapTooHard,
    ReadOnlyTensor,
    ShapeMismatch,
    SingularMatrix,
    StaleGradient,
    StateMismatch,
    StridedError,
    UnsupportedOperation,
    ViewNotPossible,
    WriteThroughOverlap,
)
from strided.formats.gguf import (
    GGUFFile,
    open_gguf,
)
from strided.formats.npy import (
    open_npy,
    open_npz,
    save_npy,
    save_npz,
)
from strided.formats.safetensors import (
    SafetensorsFile,
    open_safetensors,
    save_safetensors,
)
from strided.formats.save import (
    load,
    save,
)
from strided.func import (
    vmap,
)
from strided.inspect import InspectModule
from strided.inspect.array_facts import (
    print_layout,
)
from strided.inspect.drawing import (
    Drawing,
    draw,
)
from strided.inspect.facts import (
    LayoutFacts,
)
from strided.inspect.passes import (
    Plan,
    plan,
)
from strided.inspect.relation import (
    Relation,
    relate,
)
from strided.interop import (
    enable,
)
from strided.interop.torch import (
    from_torch,
)
from strided.memory import (
    Storage,
)
from strided.memory_layout import (
    MemoryLayout,
    Strides,
    channels_last,
    column_major,
    contiguous_format,
    preserve_format,
    row_major,
)
from strided.ops.copying import (
    will_copy,
)
from strided.ops.data_types import FloatLimits, IntegerLimits, NamespaceInfo
from strided.ops.extremes import Extreme, Extremes
from strided.ops.fused import (
    fuse,
)
from strided.ops.random import (
    Generator,
    manual_seed,
)
from strided.ops.sets import UniqueAllResult, UniqueCountsResult, UniqueInverseResult
from strided.ops.sorting import Ordered
from strided.quantized.matrix import (
    QuantizedMatrix,
    exact_quantized,
    quantize,
    random_blocks,
)
from strided.threads import (
    get_num_threads,
    set_num_threads,
)

__all__ = [
    "Alternative",
    "CopyEvent",
    "CopyForbidden",
    "CopyForecast",
    "CopyGroup",
    "CopyReport",
    "CopyTotal",
    "DType",
    "DTypeMismatch",
    "DownloadFailed",
    "Drawing",
    "DuplicateAxis",
    "FileMalformed",
    "FileUnusable",
    "GGUFFile",
    "Generator",
    "GradientMismatch",
    "GradientNotPossible",
    "IndexOutOfBounds",
    "InvalidArgument",
    "InvalidDimension",
    "Layout",
    "LayoutFacts",
    "LinearAlgebraError",
    "MaskMismatch",
    "MemoryLayout",
    "MissingExtra",
    "NotAnArray",
    "NotPositiveDefinite",
    "OutOfMemory",
    "OutOfStorageBounds",
    "OverlapTooHard",
    "Plan",
    "QuantizedMatrix",
    "ReadOnlyTensor",
    "Relation",
    "SafetensorsFile",
    "ShapeMismatch",
    "SingularMatrix",
    "StaleGradient",
    "StateMismatch",
    "Storage",
    "StridedError",
    "Strides",
    "Tensor",
    "UnsupportedOperation",
    "ViewNotPossible",
    "WriteThroughOverlap",
    "absolute",
    "acos",
    "acosh",
    "add",
    "addcdiv",
    "addcmul",
    "addmm",
    "addmv",
    "allclose",
    "amax",
    "amin",
    "aminmax",
    "angle",
    "arange",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "argmax",
    "argmin",
    "argsort",
    "argwhere",
    "array_equal",
    "as_strided",
    "asarray",
    "asin",
    "asinh",
    "astype",
    "atan",
    "atan2",
    "atanh",
    "autograd",
    "baddbmm",
    "bfloat16",
    "bincount",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "bmm",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_tensors",
    "broadcast_to",
    "bucketize",
    "can_cast",
    "cat",
    "ceil",
    "channels_last",
    "chunk",
    "chunked",
    "clamp",
    "clip",
    "column_major",
    "complex64",
    "complex128",
    "concat",
    "concatenate",
    "conj",
    "conjugate",
    "contiguous_format",
    "copy_everything",
    "copy_totals",
    "copysign",
    "cos",
    "cosh",
    "count_nonzero",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "deg2rad",
    "degrees",
    "detach",
    "diagonal",
    "diff",
    "digamma",
    "div",
    "divide",
    "dot",
    "draw",
    "dsplit",
    "e",
    "einsum",
    "elu",
    "empty",
    "empty_like",
    "enable",
    "enable_grad",
    "eq",
    "equal",
    "erf",
    "erfc",
    "exact_quantized",
    "exp",
    "exp2",
    "expand_dims",
    "expm1",
    "eye",
    "fft",
    "finfo",
    "fix",
    "flatnonzero",
    "flatten",
    "flip",
    "fliplr",
    "flipud",
    "float16",
    "float32",
    "float64",
    "float_power",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frac",
    "from_dlpack",
    "from_numpy",
    "from_torch",
    "frombuffer",
    "full",
    "full_like",
    "func",
    "fuse",
    "gather",
    "gcd",
    "ge",
    "gelu",
    "gelu_tanh",
    "get_num_threads",
    "grad",
    "greater",
    "greater_equal",
    "gt",
    "hardsigmoid",
    "hardtanh",
    "heaviside",
    "histogram",
    "hsplit",
    "hypot",
    "iinfo",
    "imag",
    "index_add",
    "index_copy",
    "index_fill",
    "index_put",
    "index_reduce",
    "index_select",
    "inf",
    "inference_mode",
    "inner",
    "inspect",
    "int8",
    "int16",
    "int32",
    "int64",
    "invert",
    "is_grad_enabled",
    "isclose",
    "isdtype",
    "isfinite",
    "isin",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "kron",
    "kthvalue",
    "lcm",
    "ldexp",
    "le",
    "leaky_relu",
    "left_shift",
    "lerp",
    "less",
    "less_equal",
    "lgamma",
    "linalg",
    "linspace",
    "load",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logit",
    "logsumexp",
    "lt",
    "manual_seed",
    "masked_fill",
    "masked_scatter",
    "masked_select",
    "matmul",
    "matrix_transpose",
    "maximum",
    "may_share_memory",
    "mean",
    "median",
    "memory",
    "memory_map",
    "meshgrid",
    "minimum",
    "mm",
    "mod",
    "moveaxis",
    "movedim",
    "msort",
    "mul",
    "multiply",
    "mv",
    "nan",
    "nan_to_num",
    "nanmax",
    "nanmean",
    "nanmin",
    "nansum",
    "narrow",
    "ne",
    "neg",
    "negative",
    "newaxis",
    "nextafter",
    "nn",
    "no_copies",
    "no_grad",
    "nonzero",
    "not_equal",
    "ones",
    "ones_like",
    "open_gguf",
    "open_npy",
    "open_npz",
    "open_safetensors",
    "optim",
    "outer",
    "permute",
    "permute_dims",
    "pi",
    "plan",
    "positive",
    "power",
    "preserve_format",
    "print_layout",
    "prod",
    "promote_types",
    "put_along_axis",
    "quantize",
    "rad2deg",
    "radians",
    "rand",
    "rand_like",
    "randint",
    "randn",
    "randn_like",
    "random_blocks",
    "randperm",
    "ravel",
    "real",
    "reciprocal",
    "relate",
    "relu",
    "remainder",
    "repeat",
    "reshape",
    "result_type",
    "right_shift",
    "roll",
    "rot90",
    "row_major",
    "rsqrt",
    "save",
    "save_npy",
    "save_npz",
    "save_safetensors",
    "scatter",
    "scatter_add",
    "scatter_reduce",
    "searchsorted",
    "set_grad_enabled",
    "set_num_threads",
    "sgn",
    "shares_memory",
    "sigmoid",
    "sign",
    "signbit",
    "silu",
    "sin",
    "sinc",
    "sinh",
    "sliding_window_view",
    "softplus",
    "sort",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "sub",
    "subtract",
    "swapaxes",
    "swapdims",
    "t",
    "take",
    "take_along_axis",
    "tan",
    "tanh",
    "tensor",
    "tensor_split",
    "tensordot",
    "tile",
    "topk",
    "trace_copies",
    "transpose",
    "tril",
    "triu",
    "true_divide",
    "trunc",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unbind",
    "unflatten",
    "unique",
    "unique_all",
    "unique_consecutive",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "unsqueeze",
    "unstack",
    "utils",
    "value_and_grad",
    "var",
    "vdot",
    "vecdot",
    "vector_norm",
    "view_as_complex",
    "view_as_real",
    "vmap",
    "vsplit",
    "where",
    "will_copy",
    "xlogy",
    "zeros",
    "zeros_like",
]

__array_api_version__: str
__version__: str
e: float
inf: float
inspect: InspectModule
nan: float
newaxis: None
pi: float

def __dir__() -> list[str]: ...

# ---- namespace_info.py ----
def __array_namespace_info__() -> NamespaceInfo: ...

# ---- ops/activations.py ----
def elu(
    x: Tensor | complex, /, alpha: Tensor | complex = 1.0, *, out: Tensor | None = None
) -> Tensor: ...
def gelu(
    x: Tensor | complex, /, approximate: str = "none", *, out: Tensor | None = None
) -> Tensor: ...
def gelu_tanh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def hardsigmoid(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def hardtanh(
    x: Tensor | complex,
    /,
    min_val: Tensor | complex = -1.0,
    max_val: Tensor | complex = 1.0,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def leaky_relu(
    x: Tensor | complex, /, negative_slope: Tensor | complex = 0.01, *, out: Tensor | None = None
) -> Tensor: ...
def logit(
    x: Tensor | complex, /, eps: float | None = None, *, out: Tensor | None = None
) -> Tensor: ...
def relu(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sigmoid(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def silu(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def softplus(x: Tensor | complex, /, beta: float = 1.0, *, out: Tensor | None = None) -> Tensor: ...

# ---- ops/arithmetic.py ----
def abs(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def absolute(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def add(
    x1: Tensor | complex, x2: Tensor | complex, /, *, alpha: complex = 1, out: Tensor | None = None
) -> Tensor: ...
def addcdiv(
    x: Tensor | complex,
    a: Tensor | complex,
    b: Tensor | complex,
    /,
    *,
    value: complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
def addcmul(
    x: Tensor | complex,
    a: Tensor | complex,
    b: Tensor | complex,
    /,
    *,
    value: complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
def angle(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def ceil(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def conj(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def conjugate(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def copysign(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def div(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def divide(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def fix(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def floor(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def floor_divide(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def fmod(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def frac(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def gcd(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def heaviside(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def lcm(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def lerp(
    x: Tensor | complex,
    end: Tensor | complex,
    weight: Tensor | complex,
    /,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def mod(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def mul(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def multiply(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def nan_to_num(
    x: Tensor,
    /,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def neg(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def negative(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def nextafter(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def positive(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def reciprocal(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def remainder(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def round(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sgn(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sign(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def square(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sub(
    x1: Tensor | complex, x2: Tensor | complex, /, *, alpha: complex = 1, out: Tensor | None = None
) -> Tensor: ...
def subtract(
    x1: Tensor | complex, x2: Tensor | complex, /, *, alpha: complex = 1, out: Tensor | None = None
) -> Tensor: ...
def true_divide(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def trunc(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...

# ---- ops/arrays.py ----
def asarray(
    obj: Any, /, *, dtype: Any = None, device: Any = None, copy: builtins.bool | None = None
) -> Tensor: ...
def from_dlpack(x: Any, /, *, device: Any = None, copy: builtins.bool | None = None) -> Tensor: ...
def from_numpy(array: np.ndarray[Any, Any]) -> Tensor: ...
def frombuffer(buffer: Any, *, dtype: Any = ..., count: int = -1, offset: int = 0) -> Tensor: ...
def memory_map(
    path: Any, *, dtype: Any = ..., shape: Any = None, mode: str = "r", offset: int = 0
) -> Tensor: ...
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: builtins.bool = False
) -> Tensor: ...

# ---- ops/comparison.py ----
def allclose(
    a: Any, b: Any, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: builtins.bool = False
) -> builtins.bool: ...
def array_equal(a: Any, b: Any, /) -> builtins.bool: ...
def bitwise_and(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def bitwise_invert(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def bitwise_left_shift(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def bitwise_not(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def bitwise_or(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def bitwise_right_shift(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def bitwise_xor(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def clamp(
    x: Tensor | complex,
    /,
    min: Tensor | complex | None = None,
    max: Tensor | complex | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def clip(
    x: Tensor | complex,
    /,
    min: Tensor | complex | None = None,
    max: Tensor | complex | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def eq(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def equal(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def fmax(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def fmin(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def ge(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def greater(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def greater_equal(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def gt(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def invert(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isclose(
    x: Tensor | complex,
    other: Tensor | complex,
    /,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: builtins.bool = False,
) -> Tensor: ...
def isfinite(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isinf(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isnan(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isneginf(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isposinf(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def le(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def left_shift(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def less(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def less_equal(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def logical_and(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def logical_not(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def logical_or(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def logical_xor(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def lt(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def maximum(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def minimum(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def ne(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def not_equal(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def right_shift(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def signbit(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...

# ---- ops/copying.py ----
def may_share_memory(a: Tensor, b: Tensor, /) -> builtins.bool: ...
def shares_memory(a: Tensor, b: Tensor, /) -> builtins.bool: ...

# ---- ops/creation.py ----
def arange(
    start: float | None = None,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: builtins.bool = False,
    end: float | None = None,
) -> Tensor: ...
def empty_like(
    x: Tensor,
    /,
    *,
    dtype: Any = None,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    k: int = 0,
    *,
    dtype: Any = ...,
    device: Any = None,
    requires_grad: builtins.bool = False,
    M: int | None = None,
    m: int | None = None,
) -> Tensor: ...
def full(
    shape: int | Sequence[int],
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    memory_format: Any = None,
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def full_like(
    x: Tensor,
    /,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: builtins.bool = True,
    requires_grad: builtins.bool = False,
    steps: int = 50,
) -> Tensor: ...
def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple[Tensor, ...]: ...
def ones(
    shape: int | Sequence[int] = (),
    *more: int,
    dtype: Any = ...,
    device: Any = None,
    memory_format: Any = None,
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def ones_like(
    x: Tensor,
    /,
    *,
    dtype: Any = None,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def tril(x: Tensor, /, k: int = 0, *, out: Tensor | None = None, diagonal: int = 0) -> Tensor: ...
def triu(x: Tensor, /, k: int = 0, *, out: Tensor | None = None, diagonal: int = 0) -> Tensor: ...
def zeros_like(
    x: Tensor,
    /,
    *,
    dtype: Any = None,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: builtins.bool = False,
) -> Tensor: ...

# ---- ops/data_types.py ----
def astype(
    x: Tensor, dtype: Any, /, *, copy: builtins.bool = True, device: Any = None
) -> Tensor: ...
def can_cast(from_: Any, to: Any, /) -> builtins.bool: ...
def finfo(type: Any, /) -> FloatLimits: ...
def iinfo(type: Any, /) -> IntegerLimits: ...
def isdtype(dtype: DType, kind: DType | str | tuple[DType | str, ...]) -> builtins.bool: ...
def promote_types(a: Any, b: Any) -> DType: ...
def result_type(*arrays_and_dtypes: Any) -> DType: ...

# ---- ops/einsum.py ----
def einsum(*operands: Any, out: Tensor | None = None) -> Tensor: ...
def tensordot(
    x1: Any, x2: Any, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2
) -> Tensor: ...

# ---- ops/elementwise.py ----
@overload
def where(
    condition: Tensor | complex,
    x1: Tensor | complex,
    x2: Tensor | complex,
    /,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def where(condition: Tensor | complex, /) -> tuple[Tensor, ...]: ...

# ---- ops/extremes.py ----
def amax(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def amin(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def aminmax(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Extremes: ...
def argmax(
    x: Tensor,
    /,
    axis: int | None = None,
    keepdims: builtins.bool = False,
    *,
    out: Tensor | None = None,
    dim: int | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def argmin(
    x: Tensor,
    /,
    axis: int | None = None,
    keepdims: builtins.bool = False,
    *,
    out: Tensor | None = None,
    dim: int | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
@overload
def max(
    x: Tensor,
    /,
    dim: None = None,
    keepdim: builtins.bool = False,
    *,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def max(
    x: Tensor, /, dim: int, keepdim: builtins.bool = False, *, keepdims: builtins.bool = False
) -> Extreme: ...
@overload
def max(x: Tensor, /, dim: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def min(
    x: Tensor,
    /,
    dim: None = None,
    keepdim: builtins.bool = False,
    *,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def min(
    x: Tensor, /, dim: int, keepdim: builtins.bool = False, *, keepdims: builtins.bool = False
) -> Extreme: ...
@overload
def min(x: Tensor, /, dim: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def nanmax(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def nanmin(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...

# ---- ops/indexing.py ----
def index_put(
    x: Tensor, /, indices: Any, values: Any, accumulate: builtins.bool = False
) -> Tensor: ...

# ---- ops/indexing_reading.py ----
def gather(x: Any, /, axis: int, index: Any, *, out: Tensor | None = None) -> Tensor: ...
def index_select(x: Any, /, axis: int, index: Any, *, out: Tensor | None = None) -> Tensor: ...
def masked_select(x: Any, /, mask: Any) -> Tensor: ...
def take(
    x: Any,
    /,
    indices: Any,
    axis: int | None = None,
    *,
    out: Tensor | None = None,
    dim: int | None = None,
) -> Tensor: ...
def take_along_axis(
    x: Any,
    /,
    indices: Any,
    axis: int | None = -1,
    *,
    out: Tensor | None = None,
    dim: int | None = -1,
) -> Tensor: ...

# ---- ops/indexing_rows.py ----
def index_add(x: Tensor, /, axis: int, index: Any, source: Tensor, *, alpha: Any = 1) -> Tensor: ...
def index_copy(x: Tensor, /, axis: int, index: Any, tensor: Tensor) -> Tensor: ...
def index_fill(x: Tensor, /, axis: int, index: Any, value: Any) -> Tensor: ...
def index_reduce(
    x: Tensor,
    /,
    axis: int,
    index: Any,
    source: Tensor,
    reduce: str,
    *,
    include_self: builtins.bool = True,
) -> Tensor: ...

# ---- ops/indexing_writing.py ----
def masked_fill(x: Tensor, /, mask: Any, value: Any) -> Tensor: ...
def masked_scatter(x: Tensor, /, mask: Any, source: Tensor) -> Tensor: ...
def put_along_axis(x: Tensor, /, indices: Any, values: Any, axis: int | None) -> None: ...
def scatter(
    x: Tensor, /, axis: int, index: Any, src: Any, *, reduce: str | None = None
) -> Tensor: ...
def scatter_add(x: Tensor, /, axis: int, index: Any, src: Tensor) -> Tensor: ...
def scatter_reduce(
    x: Tensor,
    /,
    axis: int,
    index: Any,
    src: Tensor,
    reduce: str,
    *,
    include_self: builtins.bool = True,
) -> Tensor: ...

# ---- ops/joining.py ----
def cat(tensors: Sequence[Any], axis: int = 0, *, dim: int = 0) -> Tensor: ...
def concat(arrays: Sequence[Any], /, axis: int | None = 0, *, dim: int | None = 0) -> Tensor: ...
def concatenate(
    arrays: Sequence[Any], /, axis: int | None = 0, *, dim: int | None = 0
) -> Tensor: ...
def repeat(
    x: Tensor, /, repeats: int | Tensor, axis: int | None = None, *, dim: int | None = None
) -> Tensor: ...
def roll(
    x: Tensor,
    /,
    shift: int | Sequence[int],
    axis: int | Sequence[int] | None = None,
    *,
    dim: int | Sequence[int] | None = None,
    dims: int | Sequence[int] | None = None,
) -> Tensor: ...
def stack(arrays: Sequence[Any], /, axis: int = 0, *, dim: int = 0) -> Tensor: ...
def tile(x: Tensor, /, repetitions: int | Sequence[int], *more: int) -> Tensor: ...

# ---- ops/linear_algebra.py ----
def addmm(
    input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1, out: Tensor | None = None
) -> Tensor: ...
def addmv(
    input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1, out: Tensor | None = None
) -> Tensor: ...
def baddbmm(
    input: Any,
    batch1: Any,
    batch2: Any,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Tensor | None = None,
) -> Tensor: ...
def bmm(input: Any, mat2: Any, *, out: Tensor | None = None) -> Tensor: ...
def dot(x1: Any, x2: Any, /, *, out: Tensor | None = None) -> Tensor: ...
def inner(x1: Any, x2: Any, /, *, out: Tensor | None = None) -> Tensor: ...
def kron(x1: Any, x2: Any, /) -> Tensor: ...
def matmul(x1: Any, x2: Any, /, *, out: Tensor | None = None) -> Tensor: ...
def mm(input: Any, mat2: Any, *, out: Tensor | None = None) -> Tensor: ...
def mv(input: Any, vec: Any, *, out: Tensor | None = None) -> Tensor: ...
def outer(x1: Any, x2: Any, /, *, out: Tensor | None = None) -> Tensor: ...
def vdot(x1: Any, x2: Any, /) -> Tensor: ...
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1, dim: int = -1) -> Tensor: ...

# ---- ops/manipulation.py ----
def broadcast_arrays(*tensors: Tensor) -> tuple[Tensor, ...]: ...
def broadcast_shapes(*shapes: int | Sequence[int]) -> tuple[int, ...]: ...
def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]: ...
def broadcast_to(x: Tensor, /, shape: Sequence[int]) -> Tensor: ...
def expand_dims(
    x: Tensor, /, axis: int | Sequence[int] = 0, *, dim: int | Sequence[int] = 0
) -> Tensor: ...
def flip(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    *,
    dim: int | Sequence[int] | None = None,
    dims: int | Sequence[int] | None = None,
) -> Tensor: ...
def fliplr(x: Tensor, /) -> Tensor: ...
def flipud(x: Tensor, /) -> Tensor: ...
def matrix_transpose(x: Tensor, /) -> Tensor: ...
def moveaxis(
    x: Tensor, /, source: int | Sequence[int], destination: int | Sequence[int]
) -> Tensor: ...
def movedim(
    x: Tensor, /, source: int | Sequence[int], destination: int | Sequence[int]
) -> Tensor: ...
def permute(x: Tensor, /, dims: Sequence[int]) -> Tensor: ...
def permute_dims(x: Tensor, /, axes: Sequence[int]) -> Tensor: ...
def rot90(
    x: Tensor, /, k: int = 1, dims: Sequence[int] = (0, 1), *, axes: Sequence[int] = (0, 1)
) -> Tensor: ...
def squeeze(
    x: Tensor, /, axis: int | Sequence[int] | None = None, *, dim: int | Sequence[int] | None = None
) -> Tensor: ...
def swapaxes(x: Tensor, /, dim0: int, dim1: int) -> Tensor: ...
def swapdims(x: Tensor, /, dim0: int, dim1: int) -> Tensor: ...
def t(x: Tensor, /) -> Tensor: ...
def transpose(x: Tensor, /, *axes: Any) -> Tensor: ...
def unsqueeze(
    x: Tensor, /, axis: int | Sequence[int] = 0, *, dim: int | Sequence[int] = 0
) -> Tensor: ...

# ---- ops/random.py ----
def rand(
    *size: Any,
    dtype: Any = ...,
    generator: Generator | None = None,
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def rand_like(
    x: Tensor, /, *, generator: Generator | None = None, requires_grad: builtins.bool = False
) -> Tensor: ...
def randint(
    low: int,
    high: int | Sequence[int] | None = None,
    size: int | Sequence[int] | None = None,
    *,
    dtype: Any = ...,
    generator: Generator | None = None,
) -> Tensor: ...
def randn(
    *size: Any,
    dtype: Any = ...,
    generator: Generator | None = None,
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def randn_like(
    x: Tensor, /, *, generator: Generator | None = None, requires_grad: builtins.bool = False
) -> Tensor: ...
def randperm(n: int, *, generator: Generator | None = None) -> Tensor: ...

# ---- ops/scans.py ----
def cummax(
    x: Tensor, /, axis: int = -1, *, out: tuple[Tensor, Tensor] | None = None, dim: int = -1
) -> Ordered: ...
def cummin(
    x: Tensor, /, axis: int = -1, *, out: tuple[Tensor, Tensor] | None = None, dim: int = -1
) -> Ordered: ...
def cumprod(
    x: Tensor,
    /,
    axis: int | None = None,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | None = None,
) -> Tensor: ...
def cumsum(
    x: Tensor,
    /,
    axis: int | None = None,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | None = None,
) -> Tensor: ...
def cumulative_prod(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: builtins.bool = False,
    dim: int | None = None,
) -> Tensor: ...
def cumulative_sum(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: builtins.bool = False,
    dim: int | None = None,
) -> Tensor: ...
def diff(
    x: Any, /, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None, *, dim: int = -1
) -> Tensor: ...
def prod(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...

# ---- ops/searching.py ----
def argwhere(x: Any, /) -> Tensor: ...
def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Tensor: ...
def bucketize(
    x: Any, boundaries: Any, /, *, right: builtins.bool = False, out: Tensor | None = None
) -> Tensor: ...
def flatnonzero(x: Any, /) -> Tensor: ...
def histogram(
    x: Any,
    /,
    bins: int | Sequence[float] | Tensor = 10,
    range: tuple[float, float] | None = None,
    density: builtins.bool = False,
    weights: Any = None,
) -> tuple[Tensor, Tensor]: ...
def nonzero(x: Tensor, /) -> tuple[Tensor, ...]: ...
def searchsorted(
    x1: Any, x2: Any, /, side: str = "left", sorter: Any = None, *, out: Tensor | None = None
) -> Tensor: ...

# ---- ops/sets.py ----
def isin(
    element: Any,
    test_elements: Any,
    /,
    *,
    assume_unique: builtins.bool = False,
    invert: builtins.bool = False,
) -> Tensor: ...
@overload
def unique(
    x: Tensor,
    /,
    sorted: builtins.bool = True,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: int | None = None,
) -> Tensor: ...
@overload
def unique(
    x: Tensor,
    /,
    sorted: builtins.bool = True,
    *,
    return_inverse: Literal[True],
    return_counts: builtins.bool = False,
    dim: int | None = None,
) -> tuple[Tensor, ...]: ...
@overload
def unique(
    x: Tensor,
    /,
    sorted: builtins.bool = True,
    return_inverse: builtins.bool = False,
    *,
    return_counts: Literal[True],
    dim: int | None = None,
) -> tuple[Tensor, ...]: ...
@overload
def unique(
    x: Tensor,
    /,
    sorted: builtins.bool = True,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    dim: int | None = None,
) -> Tensor | tuple[Tensor, ...]: ...
def unique_all(x: Any, /) -> UniqueAllResult: ...
@overload
def unique_consecutive(
    x: Tensor,
    /,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: int | None = None,
) -> Tensor: ...
@overload
def unique_consecutive(
    x: Tensor,
    /,
    *,
    return_inverse: Literal[True],
    return_counts: builtins.bool = False,
    dim: int | None = None,
) -> tuple[Tensor, ...]: ...
@overload
def unique_consecutive(
    x: Tensor,
    /,
    return_inverse: builtins.bool = False,
    *,
    return_counts: Literal[True],
    dim: int | None = None,
) -> tuple[Tensor, ...]: ...
@overload
def unique_consecutive(
    x: Tensor,
    /,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    dim: int | None = None,
) -> Tensor | tuple[Tensor, ...]: ...
def unique_counts(x: Any, /) -> UniqueCountsResult: ...
def unique_inverse(x: Any, /) -> UniqueInverseResult: ...
def unique_values(x: Any, /) -> Tensor: ...

# ---- ops/shapes.py ----
def as_strided(
    x: Tensor, /, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor: ...
def detach(x: Tensor, /) -> Tensor: ...
def flatten(x: Tensor, /, start_dim: int = 0, end_dim: int = -1) -> Tensor: ...
def imag(x: Tensor, /) -> Tensor: ...
def ravel(x: Tensor, /) -> Tensor: ...
def real(x: Tensor, /) -> Tensor: ...
def reshape(
    x: Tensor, /, shape: int | Sequence[int], *, copy: builtins.bool | None = None
) -> Tensor: ...
def unflatten(x: Tensor, /, dim: int, sizes: Sequence[int]) -> Tensor: ...
def view_as_complex(x: Tensor, /) -> Tensor: ...
def view_as_real(x: Tensor, /) -> Tensor: ...

# ---- ops/sorting.py ----
def argsort(
    x: Any,
    /,
    axis: int | None = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
    *,
    out: Tensor | None = None,
    dim: int | None = -1,
) -> Tensor: ...
def kthvalue(
    x: Any,
    /,
    k: int,
    axis: int = -1,
    keepdims: builtins.bool = False,
    *,
    out: tuple[Tensor, Tensor] | None = None,
    dim: int = -1,
    keepdim: builtins.bool = False,
) -> Ordered: ...
@overload
def median(
    x: Any, /, *, axis: int | Sequence[int] | None = None, keepdims: builtins.bool = False
) -> Tensor: ...
@overload
def median(x: Any, /, *, dim: int, keepdim: builtins.bool = False) -> Ordered: ...
def msort(x: Any, /) -> Tensor: ...
@overload
def sort(
    x: Any,
    /,
    *,
    axis: int | None = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def sort(
    x: Any,
    /,
    *,
    dim: int,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
    out: tuple[Tensor, Tensor] | None = None,
) -> Ordered: ...
def topk(
    x: Any,
    /,
    k: int,
    axis: int = -1,
    largest: builtins.bool = True,
    sorted: builtins.bool = True,
    *,
    out: tuple[Tensor, Tensor] | None = None,
    dim: int = -1,
) -> Ordered: ...

# ---- ops/splitting.py ----
def chunk(
    x: Tensor, /, chunks: int, dim: int = 0, *, axis: int | None = None
) -> tuple[Tensor, ...]: ...
def diagonal(
    x: Tensor, /, offset: int = 0, dim1: int = 0, dim2: int = 1, *, axis1: int = 0, axis2: int = 1
) -> Tensor: ...
def dsplit(x: Tensor, /, sections: int | Sequence[int]) -> tuple[Tensor, ...]: ...
def hsplit(x: Tensor, /, sections: int | Sequence[int]) -> tuple[Tensor, ...]: ...
def narrow(x: Tensor, /, dim: int, start: int, length: int) -> Tensor: ...
def sliding_window_view(
    x: Tensor,
    /,
    window_shape: int | Sequence[int],
    dim: int | Sequence[int] | None = None,
    *,
    axis: int | Sequence[int] | None = None,
) -> Tensor: ...
def split(
    x: Tensor, /, split_size: int | Sequence[int], dim: int = 0, *, axis: int = 0
) -> tuple[Tensor, ...]: ...
def tensor_split(
    x: Tensor, /, indices_or_sections: int | Sequence[int], dim: int = 0, *, axis: int | None = None
) -> tuple[Tensor, ...]: ...
def unbind(x: Tensor, /, dim: int = 0, *, axis: int = 0) -> tuple[Tensor, ...]: ...
def unstack(x: Tensor, /, axis: int = 0, *, dim: int = 0) -> tuple[Tensor, ...]: ...
def vsplit(x: Tensor, /, sections: int | Sequence[int]) -> tuple[Tensor, ...]: ...

# ---- ops/statistics.py ----
def all(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def any(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def count_nonzero(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def logsumexp(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    out: Tensor | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def mean(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def nanmean(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def nansum(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def std(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    *,
    correction: float = 0,
    keepdims: builtins.bool = False,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | Sequence[int] | None = None,
    ddof: float = 0,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def sum(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def var(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    *,
    correction: float = 0,
    keepdims: builtins.bool = False,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: int | Sequence[int] | None = None,
    ddof: float = 0,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def vector_norm(
    x: Tensor,
    /,
    ord: float = 2,
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    p: float = 2,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...

# ---- ops/transcendental.py ----
def acos(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def acosh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arccos(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arccosh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arcsin(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arcsinh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arctan(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arctan2(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def arctanh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def asin(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def asinh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def atan(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def atan2(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def atanh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def cos(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def cosh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def deg2rad(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def degrees(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def digamma(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def erf(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def erfc(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def exp(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def exp2(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def expm1(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def float_power(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def hypot(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def ldexp(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def lgamma(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def log(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def log10(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def log1p(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def log2(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def logaddexp(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def logaddexp2(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def pow(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def power(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def rad2deg(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def radians(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def rsqrt(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sin(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sinc(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sinh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sqrt(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def tan(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def tanh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def xlogy(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
