# Written by tools/make_stubs.py (make stubs).
import builtins
from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from strided import (
    autograd,
    chunked,
    fft,
    linalg,
    memory,
    nn,
    optim,
    special,
)
from strided._native import (
    DType,
    Layout,
    Tensor,
    bfloat16,
    cdouble,
    cfloat,
    complex64,
    complex128,
    double,
    empty,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    long,
    short,
    uint8,
    uint16,
    uint32,
    uint64,
    zeros,
)
from strided._native import bool as bool
from strided._native import float as float
from strided._native import int as int
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
    IndexShapeMismatch,
    IndexTypeMismatch,
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
from strided.ops.distributions import Found, Moments
from strided.ops.extremes import Extreme, Extremes
from strided.ops.fused import (
    fuse,
)
from strided.ops.random import (
    Generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from strided.ops.sets import UniqueAllResult, UniqueCountsResult, UniqueInverseResult
from strided.ops.sorting import Ordered
from strided.quantized.matrix import (
    QuantizedMatrix,
    exact_quantized,
    quantize,
    random_blocks,
)
from strided.text import (
    get_printoptions,
    set_printoptions,
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
    "IndexShapeMismatch",
    "IndexTypeMismatch",
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
    "addbmm",
    "addcdiv",
    "addcmul",
    "addmm",
    "addmv",
    "addr",
    "adjoint",
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
    "are_deterministic_algorithms_enabled",
    "argmax",
    "argmin",
    "argsort",
    "argwhere",
    "array_equal",
    "as_strided",
    "as_strided_scatter",
    "as_tensor",
    "asarray",
    "asin",
    "asinh",
    "astype",
    "atan",
    "atan2",
    "atanh",
    "autograd",
    "baddbmm",
    "bartlett_window",
    "bernoulli",
    "bfloat16",
    "bincount",
    "binomial",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "blackman_window",
    "block_diag",
    "bmm",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_tensors",
    "broadcast_to",
    "bucketize",
    "can_cast",
    "cartesian_prod",
    "cat",
    "cdist",
    "cdouble",
    "ceil",
    "cfloat",
    "chain_matmul",
    "channels_last",
    "chunk",
    "chunked",
    "clamp",
    "clamp_max",
    "clamp_min",
    "clip",
    "clone",
    "column_major",
    "combinations",
    "complex64",
    "complex128",
    "concat",
    "concatenate",
    "conj",
    "conj_physical",
    "conjugate",
    "contiguous_format",
    "copy_everything",
    "copy_totals",
    "copysign",
    "corrcoef",
    "cos",
    "cosh",
    "count_nonzero",
    "cov",
    "cross",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "cumulative_trapezoid",
    "default_generator",
    "deg2rad",
    "degrees",
    "detach",
    "device",
    "diag",
    "diag_embed",
    "diagflat",
    "diagonal",
    "diagonal_scatter",
    "diff",
    "digamma",
    "dist",
    "div",
    "divide",
    "dot",
    "double",
    "draw",
    "dsplit",
    "e",
    "einsum",
    "elu",
    "empty",
    "empty_like",
    "empty_permuted",
    "empty_strided",
    "enable",
    "enable_grad",
    "eq",
    "equal",
    "erf",
    "erfc",
    "erfinv",
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
    "frexp",
    "from_dlpack",
    "from_numpy",
    "from_torch",
    "frombuffer",
    "full",
    "full_like",
    "fuse",
    "gather",
    "gcd",
    "ge",
    "gelu",
    "gelu_tanh",
    "get_default_device",
    "get_default_dtype",
    "get_float32_matmul_precision",
    "get_num_threads",
    "get_printoptions",
    "get_rng_state",
    "grad",
    "greater",
    "greater_equal",
    "gt",
    "half",
    "hamming_window",
    "hann_window",
    "hardshrink",
    "hardsigmoid",
    "hardtanh",
    "heaviside",
    "histc",
    "histogram",
    "hsplit",
    "hypot",
    "i0",
    "igamma",
    "igammac",
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
    "initial_seed",
    "inner",
    "inspect",
    "int8",
    "int16",
    "int32",
    "int64",
    "invert",
    "is_complex",
    "is_conj",
    "is_floating_point",
    "is_grad_enabled",
    "is_inference",
    "is_inference_mode_enabled",
    "is_neg",
    "is_nonzero",
    "is_same_size",
    "is_signed",
    "is_storage",
    "is_tensor",
    "isclose",
    "isdtype",
    "isfinite",
    "isin",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "isreal",
    "istft",
    "kaiser_window",
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
    "logcumsumexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logit",
    "logsumexp",
    "long",
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
    "mode",
    "moveaxis",
    "movedim",
    "msort",
    "mul",
    "multinomial",
    "multiply",
    "mv",
    "mvlgamma",
    "nan",
    "nan_to_num",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanquantile",
    "nansum",
    "narrow",
    "narrow_copy",
    "ne",
    "neg",
    "negative",
    "newaxis",
    "nextafter",
    "nn",
    "no_copies",
    "no_grad",
    "nonzero",
    "norm",
    "normal",
    "not_equal",
    "numel",
    "ones",
    "ones_like",
    "open_gguf",
    "open_npy",
    "open_npz",
    "open_safetensors",
    "optim",
    "outer",
    "pdist",
    "permute",
    "permute_dims",
    "pi",
    "plan",
    "poisson",
    "polar",
    "polygamma",
    "positive",
    "power",
    "prelu",
    "preserve_format",
    "print_layout",
    "prod",
    "promote_types",
    "put_along_axis",
    "quantile",
    "quantize",
    "rad2deg",
    "radians",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
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
    "renorm",
    "repeat",
    "repeat_interleave",
    "reshape",
    "resolve_conj",
    "resolve_neg",
    "result_type",
    "right_shift",
    "roll",
    "rot90",
    "row_major",
    "rsqrt",
    "rsub",
    "save",
    "save_npy",
    "save_npz",
    "save_safetensors",
    "scalar_tensor",
    "scatter",
    "scatter_add",
    "scatter_reduce",
    "searchsorted",
    "seed",
    "select",
    "select_scatter",
    "set_default_device",
    "set_default_dtype",
    "set_float32_matmul_precision",
    "set_grad_enabled",
    "set_num_threads",
    "set_printoptions",
    "set_rng_state",
    "sgn",
    "shares_memory",
    "short",
    "sigmoid",
    "sign",
    "signbit",
    "silu",
    "sin",
    "sinc",
    "sinh",
    "slice_scatter",
    "sliding_window_view",
    "softplus",
    "sort",
    "special",
    "split",
    "split_with_sizes",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "std_mean",
    "stft",
    "sub",
    "subtract",
    "swapaxes",
    "swapdims",
    "t",
    "take",
    "take_along_axis",
    "take_along_dim",
    "tan",
    "tanh",
    "tensor",
    "tensor_split",
    "tensordot",
    "tile",
    "topk",
    "trace",
    "trace_copies",
    "transpose",
    "trapezoid",
    "trapz",
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
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
    "unsqueeze",
    "unstack",
    "use_deterministic_algorithms",
    "value_and_grad",
    "var",
    "var_mean",
    "vdot",
    "vecdot",
    "vector_norm",
    "view_as_complex",
    "view_as_real",
    "vsplit",
    "where",
    "will_copy",
    "xlogy",
    "zeros",
    "zeros_like",
]

__array_api_version__: str
__version__: str
default_generator: Generator
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
def conj_physical(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def conjugate(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def copysign(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def div(
    x1: Tensor | complex,
    x2: Tensor | complex,
    /,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def divide(
    x1: Tensor | complex,
    x2: Tensor | complex,
    /,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
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
    x1: Tensor | complex,
    x2: Tensor | complex,
    /,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def trunc(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...

# ---- ops/arrays.py ----
def as_tensor(
    obj: Any, /, *, dtype: Any = None, device: Any = None, copy: builtins.bool | None = None
) -> Tensor: ...
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
def clone(x: Tensor, /, memory_format: Any = None) -> Tensor: ...
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

# ---- ops/diagonals.py ----
def as_strided_scatter(
    x: Tensor,
    /,
    src: Tensor,
    size: Sequence[int],
    stride: Sequence[int],
    storage_offset: int | None = None,
) -> Tensor: ...
def block_diag(*tensors: Tensor) -> Tensor: ...
def cartesian_prod(*tensors: Tensor) -> Tensor: ...
def combinations(x: Tensor, /, r: int = 2, with_replacement: builtins.bool = False) -> Tensor: ...
def diag(x: Tensor, /, diagonal: int = 0, *, k: int = 0) -> Tensor: ...
def diag_embed(x: Tensor, /, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor: ...
def diagflat(x: Tensor, /, offset: int = 0, *, k: int = 0) -> Tensor: ...
def diagonal_scatter(
    x: Tensor, /, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor: ...
def select_scatter(x: Tensor, /, src: Tensor, dim: int, index: int) -> Tensor: ...
def slice_scatter(
    x: Tensor,
    /,
    src: Tensor,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor: ...
def trace(
    x: Tensor,
    /,
    offset: int = 0,
    dim1: int = 0,
    dim2: int = 1,
    dtype: Any = None,
    *,
    axis1: int = 0,
    axis2: int = 1,
) -> Tensor: ...

# ---- ops/distributions.py ----
def corrcoef(x: Tensor, /) -> Tensor: ...
def cov(
    x: Tensor,
    /,
    *,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
    ddof: int = 1,
    unbiased: int = 1,
) -> Tensor: ...
def cumulative_trapezoid(
    y: Tensor,
    x: Tensor | None = None,
    /,
    *,
    dx: float = 1.0,
    axis: int = -1,
    input: Tensor | None = None,
    a: Tensor | None = None,
    dim: int = -1,
) -> Tensor: ...
def histc(
    x: Tensor, /, bins: int = 100, min: float = 0, max: float = 0, *, out: Tensor | None = None
) -> Tensor: ...
def logcumsumexp(x: Tensor, /, axis: int, *, out: Tensor | None = None) -> Tensor: ...
def mode(
    x: Tensor,
    /,
    axis: int = -1,
    keepdims: builtins.bool = False,
    *,
    dim: int = -1,
    keepdim: builtins.bool = False,
) -> Found: ...
def nanmedian(
    x: Tensor,
    /,
    axis: int | None = None,
    keepdims: builtins.bool = False,
    *,
    dim: int | None = None,
    keepdim: builtins.bool = False,
) -> Any: ...
def nanquantile(
    x: Tensor,
    /,
    q: Any,
    axis: int | None = None,
    keepdims: builtins.bool = False,
    *,
    interpolation: str = "linear",
    out: Tensor | None = None,
    dim: int | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def quantile(
    x: Tensor,
    /,
    q: Any,
    axis: int | None = None,
    keepdims: builtins.bool = False,
    *,
    interpolation: str = "linear",
    out: Tensor | None = None,
    dim: int | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def std_mean(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    *,
    correction: Any = 1,
    keepdims: builtins.bool = False,
    dim: int | Sequence[int] | None = None,
    ddof: Any = 1,
    unbiased: Any = 1,
    keepdim: builtins.bool = False,
) -> Moments: ...
def trapezoid(
    y: Tensor,
    x: Tensor | None = None,
    /,
    *,
    dx: float = 1.0,
    axis: int = -1,
    input: Tensor | None = None,
    a: Tensor | None = None,
    dim: int = -1,
) -> Tensor: ...
def trapz(
    y: Tensor,
    x: Tensor | None = None,
    /,
    *,
    dx: float = 1.0,
    axis: int = -1,
    input: Tensor | None = None,
    a: Tensor | None = None,
    dim: int = -1,
) -> Tensor: ...
def var_mean(
    x: Tensor,
    /,
    axis: int | Sequence[int] | None = None,
    *,
    correction: Any = 1,
    keepdims: builtins.bool = False,
    dim: int | Sequence[int] | None = None,
    ddof: Any = 1,
    unbiased: Any = 1,
    keepdim: builtins.bool = False,
) -> Moments: ...

# ---- ops/einsum.py ----
def einsum(*operands: Any, out: Tensor | None = None) -> Tensor: ...
def tensordot(
    x1: Any,
    x2: Any,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
    dims: int | tuple[Sequence[int], Sequence[int]] = 2,
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

# ---- ops/filling.py ----
def bernoulli(x: Tensor, /, p: Any = None, *, generator: Generator | None = None) -> Tensor: ...
def binomial(count: Tensor, prob: Tensor, /, generator: Generator | None = None) -> Tensor: ...
def complex(real: Tensor, imag: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...
def empty_permuted(
    size: Sequence[int], physical_layout: Sequence[int], *, dtype: Any = None
) -> Tensor: ...
def empty_strided(
    size: Sequence[int],
    stride: Sequence[int],
    *,
    dtype: Any = None,
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def multinomial(
    x: Tensor,
    /,
    num_samples: int,
    replacement: builtins.bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor: ...
def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: int | Sequence[int] | None = None,
    *,
    generator: Generator | None = None,
    dtype: Any = None,
) -> Tensor: ...
def poisson(x: Tensor, /, generator: Generator | None = None) -> Tensor: ...
def polar(abs: Tensor, angle: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...
def randint_like(
    x: Tensor,
    /,
    low: int = 0,
    high: int | None = None,
    *,
    dtype: Any = None,
    generator: Generator | None = None,
) -> Tensor: ...
def scalar_tensor(s: Any, *, dtype: Any = None, requires_grad: builtins.bool = False) -> Tensor: ...

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

# ---- ops/questions.py ----
def are_deterministic_algorithms_enabled() -> builtins.bool: ...
def device(type: Any, index: int | None = None, /) -> str: ...
def get_default_device() -> str: ...
def get_default_dtype() -> DType: ...
def get_float32_matmul_precision() -> str: ...
def is_complex(x: Tensor, /) -> builtins.bool: ...
def is_conj(x: Tensor, /) -> builtins.bool: ...
def is_floating_point(x: Tensor, /) -> builtins.bool: ...
def is_inference(x: Tensor, /) -> builtins.bool: ...
def is_inference_mode_enabled() -> builtins.bool: ...
def is_neg(x: Tensor, /) -> builtins.bool: ...
def is_nonzero(x: Tensor, /) -> builtins.bool: ...
def is_same_size(x: Tensor, other: Tensor, /) -> builtins.bool: ...
def is_signed(x: Tensor, /) -> builtins.bool: ...
def is_storage(obj: Any, /) -> builtins.bool: ...
def is_tensor(obj: Any, /) -> builtins.bool: ...
def isreal(x: Tensor, /) -> Tensor: ...
def numel(x: Tensor, /) -> int: ...
def resolve_conj(x: Tensor, /) -> Tensor: ...
def resolve_neg(x: Tensor, /) -> Tensor: ...
def set_default_device(device: Any, /) -> None: ...
def set_default_dtype(d: Any, /) -> None: ...
def set_float32_matmul_precision(precision: str, /) -> None: ...
def use_deterministic_algorithms(
    mode: builtins.bool, *, warn_only: builtins.bool = False
) -> None: ...

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

# ---- ops/repeating.py ----
def adjoint(x: Tensor, /) -> Tensor: ...
def narrow_copy(x: Tensor, /, dim: int, start: int, length: int) -> Tensor: ...
def repeat_interleave(
    x: Tensor,
    /,
    repeats: Any = None,
    axis: int | None = None,
    *,
    output_size: int | None = None,
    dim: int | None = None,
) -> Tensor: ...
def split_with_sizes(
    x: Tensor, /, split_sizes: Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]: ...
def take_along_dim(x: Tensor, indices: Tensor, /, dim: int | None = None) -> Tensor: ...
def unsafe_split(
    x: Tensor, /, split_size: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]: ...
def unsafe_split_with_sizes(
    x: Tensor, /, split_sizes: Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]: ...

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
def select(x: Tensor, dim: int, index: int, /) -> Tensor: ...
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
def unsafe_chunk(
    x: Tensor, /, chunks: int, dim: int = 0, *, axis: int | None = None
) -> tuple[Tensor, ...]: ...
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
    unbiased: float = 0,
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
    unbiased: float = 0,
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

# ---- special/functions.py ----
def erfinv(x: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...
def i0(x: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...
def igamma(x: Any, other: Any, /, *, out: Tensor | None = None) -> Tensor: ...
def igammac(x: Any, other: Any, /, *, out: Tensor | None = None) -> Tensor: ...
def mvlgamma(x: Tensor, /, p: int, *, out: Tensor | None = None) -> Tensor: ...
def polygamma(n: int, x: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...

# ---- torch_names/distances.py ----
def cdist(x1: Tensor, x2: Tensor, /, p: float = 2.0, compute_mode: str | None = None) -> Tensor: ...
def dist(x: Tensor, other: Tensor, /, p: float = 2) -> Tensor: ...
def norm(
    x: Tensor,
    /,
    p: Any = "fro",
    axis: int | Sequence[int] | None = None,
    keepdims: builtins.bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
    *,
    dim: int | Sequence[int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def pdist(x: Tensor, /, p: float = 2.0) -> Tensor: ...
def renorm(
    x: Tensor, /, p: float, axis: int, maxnorm: float, *, out: Tensor | None = None
) -> Tensor: ...

# ---- torch_names/products.py ----
def addbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, /, *, beta: Any = 1, alpha: Any = 1
) -> Tensor: ...
def addr(
    input: Tensor, vec1: Tensor, vec2: Tensor, /, *, beta: Any = 1, alpha: Any = 1
) -> Tensor: ...
def chain_matmul(*matrices: Tensor) -> Tensor: ...
def clamp_max(x: Tensor, /, bound: Any, *, out: Tensor | None = None) -> Tensor: ...
def clamp_min(x: Tensor, /, bound: Any, *, out: Tensor | None = None) -> Tensor: ...
def cross(
    x: Tensor, other: Tensor, /, axis: int | None = None, *, dim: int | None = None
) -> Tensor: ...
def frexp(x: Tensor, /) -> Any: ...
def hardshrink(x: Tensor, /, lambd: float = 0.5) -> Tensor: ...
def prelu(x: Tensor, weight: Tensor, /) -> Tensor: ...
def rsub(x: Any, other: Any, /, *, alpha: Any = 1) -> Tensor: ...

# ---- torch_names/signals.py ----
def bartlett_window(
    window_length: int, periodic: builtins.bool = True, *, dtype: Any = None
) -> Tensor: ...
def blackman_window(
    window_length: int, periodic: builtins.bool = True, *, dtype: Any = None
) -> Tensor: ...
def hamming_window(
    window_length: int,
    periodic: builtins.bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: Any = None,
) -> Tensor: ...
def hann_window(
    window_length: int, periodic: builtins.bool = True, *, dtype: Any = None
) -> Tensor: ...
def istft(
    x: Tensor,
    /,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: builtins.bool = True,
    normalized: builtins.bool = False,
    onesided: builtins.bool | None = None,
    length: int | None = None,
    return_complex: builtins.bool = False,
) -> Tensor: ...
def kaiser_window(
    window_length: int, periodic: builtins.bool = True, beta: float = 12.0, *, dtype: Any = None
) -> Tensor: ...
def stft(
    x: Tensor,
    /,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: builtins.bool = True,
    pad_mode: str = "reflect",
    normalized: builtins.bool = False,
    onesided: builtins.bool | None = None,
    return_complex: builtins.bool | None = None,
) -> Tensor: ...
