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
    lib,
    linalg,
    memory,
    nn,
    optim,
    random,
    special,
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
from strided.numpy_names.asking import (
    array,
    array_equiv,
    asanyarray,
    asarray_chkfinite,
    ascontiguousarray,
    asfortranarray,
    common_type,
    copy,
    iscomplex,
    iscomplexobj,
    isfortran,
    isrealobj,
    isscalar,
    issubdtype,
    iterable,
    min_scalar_type,
    ndim,
    real_if_close,
    require,
    shape,
    size,
)
from strided.numpy_names.averages import (
    average,
    nanargmax,
    nanargmin,
    nancumprod,
    nancumsum,
    nanprod,
    nanstd,
    nanvar,
    ptp,
)
from strided.numpy_names.choosing import (
    apply_along_axis,
    apply_over_axes,
    choose,
    compress,
    copyto,
    extract,
    piecewise,
    place,
    put,
    putmask,
    select,
    vectorize,
)
from strided.numpy_names.elements import (
    bitwise_count,
    cbrt,
    fabs,
    modf,
    packbits,
    rint,
    spacing,
    unpackbits,
)
from strided.numpy_names.elements import divmod as divmod
from strided.numpy_names.grids import (
    c_,
    fromfunction,
    fromiter,
    geomspace,
    index_exp,
    indices,
    ix_,
    logspace,
    mgrid,
    ndenumerate,
    ndindex,
    ogrid,
    r_,
    ravel_multi_index,
    s_,
    unravel_index,
)
from strided.numpy_names.histograms import (
    digitize,
    histogram2d,
    histogram_bin_edges,
    histogramdd,
)
from strided.numpy_names.kinds import (
    dtype,
)
from strided.numpy_names.matrices import (
    diag_indices,
    diag_indices_from,
    fill_diagonal,
    identity,
    mask_indices,
    tri,
    tril_indices,
    tril_indices_from,
    triu_indices,
    triu_indices_from,
    vander,
)
from strided.numpy_names.pad_modes import (
    pad,
)
from strided.numpy_names.polynomials import (
    poly,
    polyadd,
    polyder,
    polydiv,
    polyfit,
    polyint,
    polymul,
    polysub,
    polyval,
    roots,
)
from strided.numpy_names.printing import (
    array2string,
    array_repr,
    array_str,
    base_repr,
    binary_repr,
    format_float_positional,
    format_float_scientific,
    printoptions,
)
from strided.numpy_names.quantiles import (
    nanmedian,
    nanpercentile,
    percentile,
)
from strided.numpy_names.sequences import (
    bartlett,
    blackman,
    convolve,
    correlate,
    ediff1d,
    gradient,
    hamming,
    hanning,
    interp,
    kaiser,
    unwrap,
)
from strided.numpy_names.set_functions import (
    argpartition,
    in1d,
    intersect1d,
    lexsort,
    partition,
    setdiff1d,
    setxor1d,
    sort_complex,
    union1d,
)
from strided.numpy_names.stacking import (
    append,
    array_split,
    atleast_1d,
    atleast_2d,
    atleast_3d,
    block,
    column_stack,
    delete,
    dstack,
    hstack,
    insert,
    resize,
    rollaxis,
    trim_zeros,
    vstack,
)
from strided.numpy_names.text_files import (
    fromfile,
    fromstring,
    genfromtxt,
    loadtxt,
    savetxt,
    savez,
    savez_compressed,
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
from strided.ops.random_tensors import (
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
    "False_",
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
    "True_",
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
    "append",
    "apply_along_axis",
    "apply_over_axes",
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
    "argpartition",
    "argsort",
    "argwhere",
    "around",
    "array",
    "array2string",
    "array_equal",
    "array_equiv",
    "array_repr",
    "array_split",
    "array_str",
    "as_strided",
    "as_strided_scatter",
    "as_tensor",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "asin",
    "asinh",
    "astype",
    "atan",
    "atan2",
    "atanh",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "autograd",
    "average",
    "baddbmm",
    "bartlett",
    "bartlett_window",
    "base_repr",
    "bernoulli",
    "bfloat16",
    "binary_repr",
    "bincount",
    "binomial",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "blackman",
    "blackman_window",
    "block",
    "block_diag",
    "bmm",
    "bool_",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_tensors",
    "broadcast_to",
    "bucketize",
    "byte",
    "c_",
    "can_cast",
    "cartesian_prod",
    "cat",
    "cbrt",
    "cdist",
    "cdouble",
    "ceil",
    "cfloat",
    "chain_matmul",
    "channels_last",
    "choose",
    "chunk",
    "chunked",
    "clamp",
    "clamp_max",
    "clamp_min",
    "clip",
    "clone",
    "column_major",
    "column_stack",
    "combinations",
    "common_type",
    "complex64",
    "complex128",
    "complexfloating",
    "compress",
    "concat",
    "concatenate",
    "conj",
    "conj_physical",
    "conjugate",
    "contiguous_format",
    "convolve",
    "copy",
    "copy_everything",
    "copy_totals",
    "copysign",
    "copyto",
    "corrcoef",
    "correlate",
    "cos",
    "cosh",
    "count_nonzero",
    "cov",
    "cross",
    "csingle",
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
    "delete",
    "detach",
    "device",
    "diag",
    "diag_embed",
    "diag_indices",
    "diag_indices_from",
    "diagflat",
    "diagonal",
    "diagonal_scatter",
    "diff",
    "digamma",
    "digitize",
    "dist",
    "div",
    "divide",
    "dot",
    "double",
    "draw",
    "dsplit",
    "dstack",
    "dtype",
    "e",
    "ediff1d",
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
    "euler_gamma",
    "exact_quantized",
    "exp",
    "exp2",
    "expand_dims",
    "expm1",
    "extract",
    "eye",
    "fabs",
    "fft",
    "fill_diagonal",
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
    "floating",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "format_float_positional",
    "format_float_scientific",
    "frac",
    "frexp",
    "from_dlpack",
    "from_numpy",
    "from_torch",
    "frombuffer",
    "fromfile",
    "fromfunction",
    "fromiter",
    "fromstring",
    "full",
    "full_like",
    "func",
    "fuse",
    "gather",
    "gcd",
    "ge",
    "gelu",
    "gelu_tanh",
    "generic",
    "genfromtxt",
    "geomspace",
    "get_default_device",
    "get_default_dtype",
    "get_float32_matmul_precision",
    "get_num_threads",
    "get_printoptions",
    "get_rng_state",
    "grad",
    "gradient",
    "greater",
    "greater_equal",
    "gt",
    "half",
    "hamming",
    "hamming_window",
    "hann_window",
    "hanning",
    "hardshrink",
    "hardsigmoid",
    "hardtanh",
    "heaviside",
    "histc",
    "histogram",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "hsplit",
    "hstack",
    "hypot",
    "i0",
    "identity",
    "igamma",
    "igammac",
    "iinfo",
    "imag",
    "in1d",
    "index_add",
    "index_copy",
    "index_exp",
    "index_fill",
    "index_put",
    "index_reduce",
    "index_select",
    "indices",
    "inexact",
    "inf",
    "inference_mode",
    "initial_seed",
    "inner",
    "insert",
    "inspect",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "integer",
    "interp",
    "intersect1d",
    "intp",
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
    "iscomplex",
    "iscomplexobj",
    "isdtype",
    "isfinite",
    "isfortran",
    "isin",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "isscalar",
    "issubdtype",
    "istft",
    "iterable",
    "ix_",
    "kaiser",
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
    "lexsort",
    "lgamma",
    "lib",
    "linalg",
    "linspace",
    "load",
    "loadtxt",
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
    "logspace",
    "logsumexp",
    "long",
    "longlong",
    "lt",
    "manual_seed",
    "mask_indices",
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
    "mgrid",
    "min_scalar_type",
    "minimum",
    "mm",
    "mod",
    "mode",
    "modf",
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
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanpercentile",
    "nanprod",
    "nanquantile",
    "nanstd",
    "nansum",
    "nanvar",
    "narrow",
    "narrow_copy",
    "ndarray",
    "ndenumerate",
    "ndim",
    "ndindex",
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
    "number",
    "numel",
    "ogrid",
    "ones",
    "ones_like",
    "open_gguf",
    "open_npy",
    "open_npz",
    "open_safetensors",
    "optim",
    "outer",
    "packbits",
    "pad",
    "partition",
    "pdist",
    "percentile",
    "permute",
    "permute_dims",
    "pi",
    "piecewise",
    "place",
    "plan",
    "poisson",
    "polar",
    "poly",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polygamma",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "positive",
    "power",
    "prelu",
    "preserve_format",
    "print_layout",
    "printoptions",
    "prod",
    "promote_types",
    "ptp",
    "put",
    "put_along_axis",
    "putmask",
    "quantile",
    "quantize",
    "r_",
    "rad2deg",
    "radians",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "random",
    "random_blocks",
    "randperm",
    "ravel",
    "ravel_multi_index",
    "real",
    "real_if_close",
    "reciprocal",
    "relate",
    "relu",
    "remainder",
    "renorm",
    "repeat",
    "repeat_interleave",
    "require",
    "reshape",
    "resize",
    "resolve_conj",
    "resolve_neg",
    "result_type",
    "right_shift",
    "rint",
    "roll",
    "rollaxis",
    "roots",
    "rot90",
    "row_major",
    "row_stack",
    "rsqrt",
    "rsub",
    "s_",
    "save",
    "save_npy",
    "save_npz",
    "save_safetensors",
    "savetxt",
    "savez",
    "savez_compressed",
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
    "setdiff1d",
    "setxor1d",
    "sgn",
    "shape",
    "shares_memory",
    "short",
    "sigmoid",
    "sign",
    "signbit",
    "signedinteger",
    "silu",
    "sin",
    "sinc",
    "single",
    "sinh",
    "size",
    "slice_scatter",
    "sliding_window_view",
    "softplus",
    "sort",
    "sort_complex",
    "spacing",
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
    "tri",
    "tril",
    "tril_indices",
    "tril_indices_from",
    "trim_zeros",
    "triu",
    "triu_indices",
    "triu_indices_from",
    "true_divide",
    "trunc",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "unbind",
    "unflatten",
    "union1d",
    "unique",
    "unique_all",
    "unique_consecutive",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "unpackbits",
    "unravel_index",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
    "unsignedinteger",
    "unsqueeze",
    "unstack",
    "unwrap",
    "use_deterministic_algorithms",
    "ushort",
    "utils",
    "value_and_grad",
    "vander",
    "var",
    "var_mean",
    "vdot",
    "vecdot",
    "vector_norm",
    "vectorize",
    "view_as_complex",
    "view_as_real",
    "vmap",
    "vsplit",
    "vstack",
    "where",
    "will_copy",
    "xlogy",
    "zeros",
    "zeros_like",
]

__array_api_version__: str
__version__: str
False_: builtins.bool
True_: builtins.bool
bool_: DType
byte: DType
cdouble: DType
cfloat: DType
complexfloating = np.complexfloating
csingle: DType
default_generator: Generator
double: DType
e: builtins.float
euler_gamma: builtins.float
float: DType
floating = np.floating
generic = np.generic
half: DType
inexact = np.inexact
inf: builtins.float
inspect: InspectModule
int: DType
int_: DType
intc: DType
integer = np.integer
intp: DType
long: DType
longlong: DType
nan: builtins.float
ndarray = Tensor
newaxis: None
number = np.number
pi: builtins.float
short: DType
signedinteger = np.signedinteger
single: DType
ubyte: DType
uint: DType
uintc: DType
uintp: DType
ulong: DType
ulonglong: DType
unsignedinteger = np.unsignedinteger
ushort: DType

def __dir__() -> list[str]: ...

# ---- namespace_info.py ----
def __array_namespace_info__() -> NamespaceInfo: ...

# ---- numpy_names/quantiles.py ----
def nanquantile(
    x: Tensor,
    /,
    q: Any,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    interpolation: str = "linear",
    method: str | None = None,
    overwrite_input: builtins.bool = False,
    weights: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def quantile(
    x: Tensor,
    /,
    q: Any,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    interpolation: str = "linear",
    method: str | None = None,
    overwrite_input: builtins.bool = False,
    weights: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...

# ---- numpy_names/stacking.py ----
def row_stack(tup: Sequence[Any], *, dtype: Any = None) -> Tensor: ...

# ---- ops/activations.py ----
def elu(
    x: Tensor | builtins.complex,
    /,
    alpha: Tensor | builtins.complex = 1.0,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def gelu(
    x: Tensor | builtins.complex, /, approximate: str = "none", *, out: Tensor | None = None
) -> Tensor: ...
def gelu_tanh(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def hardsigmoid(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def hardtanh(
    x: Tensor | builtins.complex,
    /,
    min_val: Tensor | builtins.complex = -1.0,
    max_val: Tensor | builtins.complex = 1.0,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def leaky_relu(
    x: Tensor | builtins.complex,
    /,
    negative_slope: Tensor | builtins.complex = 0.01,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def logit(
    x: Tensor | builtins.complex, /, eps: builtins.float | None = None, *, out: Tensor | None = None
) -> Tensor: ...
def relu(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sigmoid(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def silu(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def softplus(
    x: Tensor | builtins.complex, /, beta: builtins.float = 1.0, *, out: Tensor | None = None
) -> Tensor: ...

# ---- ops/arithmetic.py ----
def abs(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def absolute(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def add(
    x1: Tensor | builtins.complex,
    x2: Tensor | builtins.complex,
    /,
    *,
    alpha: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
def addcdiv(
    x: Tensor | builtins.complex,
    a: Tensor | builtins.complex,
    b: Tensor | builtins.complex,
    /,
    *,
    value: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
def addcmul(
    x: Tensor | builtins.complex,
    a: Tensor | builtins.complex,
    b: Tensor | builtins.complex,
    /,
    *,
    value: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
def angle(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def around(
    x: Tensor | builtins.complex, /, decimals: builtins.int = 0, *, out: Tensor | None = None
) -> Tensor: ...
def ceil(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def conj(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def conj_physical(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def conjugate(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def copysign(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def div(
    x1: Tensor | builtins.complex,
    x2: Tensor | builtins.complex,
    /,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def divide(
    x1: Tensor | builtins.complex,
    x2: Tensor | builtins.complex,
    /,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def fix(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def floor(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def floor_divide(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def fmod(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def frac(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def gcd(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def heaviside(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def lcm(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def lerp(
    x: Tensor | builtins.complex,
    end: Tensor | builtins.complex,
    weight: Tensor | builtins.complex,
    /,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def mod(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def mul(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def multiply(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def nan_to_num(
    x: Tensor,
    /,
    nan: builtins.float = 0.0,
    posinf: builtins.float | None = None,
    neginf: builtins.float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def neg(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def negative(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def nextafter(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def positive(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def reciprocal(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def remainder(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def round(
    x: Tensor | builtins.complex, /, decimals: builtins.int = 0, *, out: Tensor | None = None
) -> Tensor: ...
def sgn(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sign(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def square(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sub(
    x1: Tensor | builtins.complex,
    x2: Tensor | builtins.complex,
    /,
    *,
    alpha: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
def subtract(
    x1: Tensor | builtins.complex,
    x2: Tensor | builtins.complex,
    /,
    *,
    alpha: builtins.complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
def true_divide(
    x1: Tensor | builtins.complex,
    x2: Tensor | builtins.complex,
    /,
    *,
    rounding_mode: str | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def trunc(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...

# ---- ops/arrays.py ----
def as_tensor(
    obj: Any, /, dtype: Any = None, *, device: Any = None, copy: builtins.bool | None = None
) -> Tensor: ...
def asarray(
    obj: Any, /, dtype: Any = None, *, device: Any = None, copy: builtins.bool | None = None
) -> Tensor: ...
def from_dlpack(x: Any, /, *, device: Any = None, copy: builtins.bool | None = None) -> Tensor: ...
def from_numpy(array: np.ndarray[Any, Any]) -> Tensor: ...
def frombuffer(
    buffer: Any, *, dtype: Any = ..., count: builtins.int = -1, offset: builtins.int = 0
) -> Tensor: ...
def memory_map(
    path: Any, *, dtype: Any = ..., shape: Any = None, mode: str = "r", offset: builtins.int = 0
) -> Tensor: ...
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: builtins.bool = False
) -> Tensor: ...

# ---- ops/comparison.py ----
def allclose(
    a: Any,
    b: Any,
    /,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool = False,
) -> builtins.bool: ...
def array_equal(a: Any, b: Any, /) -> builtins.bool: ...
def bitwise_and(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def bitwise_invert(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def bitwise_left_shift(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def bitwise_not(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def bitwise_or(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def bitwise_right_shift(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def bitwise_xor(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def clamp(
    x: Tensor | builtins.complex,
    /,
    min: Tensor | builtins.complex | None = None,
    max: Tensor | builtins.complex | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def clip(
    x: Tensor | builtins.complex,
    /,
    min: Tensor | builtins.complex | None = None,
    max: Tensor | builtins.complex | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def eq(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def equal(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def fmax(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def fmin(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def ge(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def greater(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def greater_equal(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def gt(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def invert(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isclose(
    x: Tensor | builtins.complex,
    other: Tensor | builtins.complex,
    /,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool = False,
) -> Tensor: ...
def isfinite(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isinf(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isnan(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isneginf(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isposinf(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def le(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def left_shift(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def less(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def less_equal(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def logical_and(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def logical_not(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def logical_or(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def logical_xor(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def lt(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def maximum(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def minimum(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def ne(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def not_equal(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def right_shift(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def signbit(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...

# ---- ops/copying.py ----
def clone(x: Tensor, /, memory_format: Any = None) -> Tensor: ...
def may_share_memory(a: Tensor, b: Tensor, /) -> builtins.bool: ...
def shares_memory(a: Tensor, b: Tensor, /) -> builtins.bool: ...

# ---- ops/creation.py ----
def arange(
    start: builtins.float | None = None,
    stop: builtins.float | None = None,
    step: builtins.float = 1,
    dtype: Any = None,
    *,
    device: Any = None,
    requires_grad: builtins.bool = False,
    end: builtins.float | None = None,
) -> Tensor: ...
def empty_like(
    x: Tensor,
    /,
    dtype: Any = None,
    *,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def eye(
    n_rows: builtins.int,
    n_cols: builtins.int | None = None,
    /,
    k: builtins.int = 0,
    *,
    dtype: Any = ...,
    device: Any = None,
    requires_grad: builtins.bool = False,
    M: builtins.int | None = None,
    m: builtins.int | None = None,
) -> Tensor: ...
def full(
    shape: builtins.int | Sequence[builtins.int],
    fill_value: Any,
    dtype: Any = None,
    *,
    device: Any = None,
    memory_format: Any = None,
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def full_like(
    x: Tensor,
    /,
    fill_value: Any,
    dtype: Any = None,
    *,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: builtins.bool = False,
) -> Tensor: ...
@overload
def linspace(
    start: Any,
    stop: Any,
    num: builtins.int = 50,
    endpoint: builtins.bool = True,
    retstep: Literal[False] = False,
    dtype: Any = None,
    *,
    device: str | None = None,
    requires_grad: builtins.bool = False,
    end: Any = ...,
    steps: builtins.int = 50,
) -> Tensor: ...
@overload
def linspace(
    start: Any,
    stop: Any,
    num: builtins.int = 50,
    endpoint: builtins.bool = True,
    *,
    retstep: Literal[True],
    dtype: Any = None,
    device: str | None = None,
) -> tuple[Tensor, builtins.float]: ...
def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple[Tensor, ...]: ...
def ones(
    shape: builtins.int | Sequence[builtins.int] = (),
    *more: builtins.int,
    dtype: Any = ...,
    device: Any = None,
    memory_format: Any = None,
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def ones_like(
    x: Tensor,
    /,
    dtype: Any = None,
    *,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def tril(
    x: Tensor, /, k: builtins.int = 0, *, out: Tensor | None = None, diagonal: builtins.int = 0
) -> Tensor: ...
def triu(
    x: Tensor, /, k: builtins.int = 0, *, out: Tensor | None = None, diagonal: builtins.int = 0
) -> Tensor: ...
def zeros_like(
    x: Tensor,
    /,
    dtype: Any = None,
    *,
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
    size: Sequence[builtins.int],
    stride: Sequence[builtins.int],
    storage_offset: builtins.int | None = None,
) -> Tensor: ...
def block_diag(*tensors: Tensor) -> Tensor: ...
def cartesian_prod(*tensors: Tensor) -> Tensor: ...
def combinations(
    x: Tensor, /, r: builtins.int = 2, with_replacement: builtins.bool = False
) -> Tensor: ...
def diag(x: Tensor, /, diagonal: builtins.int = 0, *, k: builtins.int = 0) -> Tensor: ...
def diag_embed(
    x: Tensor, /, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1
) -> Tensor: ...
def diagflat(x: Tensor, /, offset: builtins.int = 0, *, k: builtins.int = 0) -> Tensor: ...
def diagonal_scatter(
    x: Tensor,
    /,
    src: Tensor,
    offset: builtins.int = 0,
    dim1: builtins.int = 0,
    dim2: builtins.int = 1,
) -> Tensor: ...
def select_scatter(x: Tensor, /, src: Tensor, dim: builtins.int, index: builtins.int) -> Tensor: ...
def slice_scatter(
    x: Tensor,
    /,
    src: Tensor,
    dim: builtins.int = 0,
    start: builtins.int | None = None,
    end: builtins.int | None = None,
    step: builtins.int = 1,
) -> Tensor: ...
def trace(
    x: Tensor,
    /,
    offset: builtins.int = 0,
    dim1: builtins.int = 0,
    dim2: builtins.int = 1,
    dtype: Any = None,
    *,
    axis1: builtins.int = 0,
    axis2: builtins.int = 1,
) -> Tensor: ...

# ---- ops/distributions.py ----
def corrcoef(
    x: Tensor, /, y: Any = None, rowvar: builtins.bool = True, *, dtype: Any = None
) -> Tensor: ...
def cov(
    x: Tensor,
    /,
    y: Any = None,
    rowvar: builtins.bool = True,
    bias: builtins.bool = False,
    correction: builtins.float | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
    ddof: builtins.float | None = None,
    unbiased: builtins.float | None = None,
) -> Tensor: ...
def cumulative_trapezoid(
    y: Tensor,
    x: Tensor | None = None,
    /,
    *,
    dx: builtins.float = 1.0,
    axis: builtins.int = -1,
    input: Tensor | None = None,
    a: Tensor | None = None,
    dim: builtins.int = -1,
) -> Tensor: ...
def histc(
    x: Tensor,
    /,
    bins: builtins.int = 100,
    min: builtins.float = 0,
    max: builtins.float = 0,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def logcumsumexp(x: Tensor, /, axis: builtins.int, *, out: Tensor | None = None) -> Tensor: ...
def mode(
    x: Tensor,
    /,
    axis: builtins.int = -1,
    keepdims: builtins.bool = False,
    *,
    dim: builtins.int = -1,
    keepdim: builtins.bool = False,
) -> Found: ...
def std_mean(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    correction: Any = 1,
    keepdims: builtins.bool = False,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    ddof: Any = 1,
    unbiased: Any = 1,
    keepdim: builtins.bool = False,
) -> Moments: ...
def trapezoid(
    y: Tensor,
    x: Tensor | None = None,
    /,
    *,
    dx: builtins.float = 1.0,
    axis: builtins.int = -1,
    input: Tensor | None = None,
    a: Tensor | None = None,
    dim: builtins.int = -1,
) -> Tensor: ...
def trapz(
    y: Tensor,
    x: Tensor | None = None,
    /,
    *,
    dx: builtins.float = 1.0,
    axis: builtins.int = -1,
    input: Tensor | None = None,
    a: Tensor | None = None,
    dim: builtins.int = -1,
) -> Tensor: ...
def var_mean(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    correction: Any = 1,
    keepdims: builtins.bool = False,
    dim: builtins.int | Sequence[builtins.int] | None = None,
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
    axes: builtins.int | tuple[Sequence[builtins.int], Sequence[builtins.int]] = 2,
    dims: builtins.int | tuple[Sequence[builtins.int], Sequence[builtins.int]] = 2,
) -> Tensor: ...

# ---- ops/elementwise.py ----
@overload
def where(
    condition: Tensor | builtins.complex,
    x1: Tensor | builtins.complex,
    x2: Tensor | builtins.complex,
    /,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def where(condition: Tensor | builtins.complex, /) -> tuple[Tensor, ...]: ...

# ---- ops/extremes.py ----
def amax(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def amin(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def aminmax(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Extremes: ...
def argmax(
    x: Tensor,
    /,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
    *,
    out: Tensor | None = None,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def argmin(
    x: Tensor,
    /,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
    *,
    out: Tensor | None = None,
    dim: builtins.int | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
@overload
def max(
    x: Tensor,
    /,
    dim: None = None,
    keepdim: builtins.bool = False,
    *,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def max(
    x: Tensor,
    /,
    dim: builtins.int,
    keepdim: builtins.bool = False,
    *,
    keepdims: builtins.bool = False,
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
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def min(
    x: Tensor,
    /,
    dim: builtins.int,
    keepdim: builtins.bool = False,
    *,
    keepdims: builtins.bool = False,
) -> Extreme: ...
@overload
def min(x: Tensor, /, dim: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def nanmax(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def nanmin(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...

# ---- ops/filling.py ----
def bernoulli(x: Tensor, /, p: Any = None, *, generator: Generator | None = None) -> Tensor: ...
def binomial(count: Tensor, prob: Tensor, /, generator: Generator | None = None) -> Tensor: ...
def complex(real: Tensor, imag: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...
def empty_permuted(
    size: Sequence[builtins.int], physical_layout: Sequence[builtins.int], *, dtype: Any = None
) -> Tensor: ...
def empty_strided(
    size: Sequence[builtins.int],
    stride: Sequence[builtins.int],
    *,
    dtype: Any = None,
    requires_grad: builtins.bool = False,
) -> Tensor: ...
def multinomial(
    x: Tensor,
    /,
    num_samples: builtins.int,
    replacement: builtins.bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor: ...
def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: builtins.int | Sequence[builtins.int] | None = None,
    *,
    generator: Generator | None = None,
    dtype: Any = None,
) -> Tensor: ...
def poisson(x: Tensor, /, generator: Generator | None = None) -> Tensor: ...
def polar(abs: Tensor, angle: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...
def randint_like(
    x: Tensor,
    /,
    low: builtins.int = 0,
    high: builtins.int | None = None,
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
def gather(x: Any, /, axis: builtins.int, index: Any, *, out: Tensor | None = None) -> Tensor: ...
def index_select(
    x: Any, /, axis: builtins.int, index: Any, *, out: Tensor | None = None
) -> Tensor: ...
def masked_select(x: Any, /, mask: Any) -> Tensor: ...
def take(
    x: Any,
    /,
    indices: Any,
    axis: builtins.int | None = None,
    *,
    out: Tensor | None = None,
    dim: builtins.int | None = None,
) -> Tensor: ...
def take_along_axis(
    x: Any,
    /,
    indices: Any,
    axis: builtins.int | None = -1,
    *,
    out: Tensor | None = None,
    dim: builtins.int | None = -1,
) -> Tensor: ...

# ---- ops/indexing_rows.py ----
def index_add(
    x: Tensor, /, axis: builtins.int, index: Any, source: Tensor, *, alpha: Any = 1
) -> Tensor: ...
def index_copy(x: Tensor, /, axis: builtins.int, index: Any, tensor: Tensor) -> Tensor: ...
def index_fill(x: Tensor, /, axis: builtins.int, index: Any, value: Any) -> Tensor: ...
def index_reduce(
    x: Tensor,
    /,
    axis: builtins.int,
    index: Any,
    source: Tensor,
    reduce: str,
    *,
    include_self: builtins.bool = True,
) -> Tensor: ...

# ---- ops/indexing_writing.py ----
def masked_fill(x: Tensor, /, mask: Any, value: Any) -> Tensor: ...
def masked_scatter(x: Tensor, /, mask: Any, source: Tensor) -> Tensor: ...
def put_along_axis(x: Tensor, /, indices: Any, values: Any, axis: builtins.int | None) -> None: ...
def scatter(
    x: Tensor, /, axis: builtins.int, index: Any, src: Any, *, reduce: str | None = None
) -> Tensor: ...
def scatter_add(x: Tensor, /, axis: builtins.int, index: Any, src: Tensor) -> Tensor: ...
def scatter_reduce(
    x: Tensor,
    /,
    axis: builtins.int,
    index: Any,
    src: Tensor,
    reduce: str,
    *,
    include_self: builtins.bool = True,
) -> Tensor: ...

# ---- ops/joining.py ----
def cat(tensors: Sequence[Any], axis: builtins.int = 0, *, dim: builtins.int = 0) -> Tensor: ...
def concat(
    arrays: Sequence[Any], /, axis: builtins.int | None = 0, *, dim: builtins.int | None = 0
) -> Tensor: ...
def concatenate(
    arrays: Sequence[Any], /, axis: builtins.int | None = 0, *, dim: builtins.int | None = 0
) -> Tensor: ...
def repeat(
    x: Tensor,
    /,
    repeats: builtins.int | Tensor,
    axis: builtins.int | None = None,
    *,
    dim: builtins.int | None = None,
) -> Tensor: ...
def roll(
    x: Tensor,
    /,
    shift: builtins.int | Sequence[builtins.int],
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    dims: builtins.int | Sequence[builtins.int] | None = None,
) -> Tensor: ...
def stack(arrays: Sequence[Any], /, axis: builtins.int = 0, *, dim: builtins.int = 0) -> Tensor: ...
def tile(
    x: Tensor, /, repetitions: builtins.int | Sequence[builtins.int], *more: builtins.int
) -> Tensor: ...

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
def vecdot(x1: Any, x2: Any, /, *, axis: builtins.int = -1, dim: builtins.int = -1) -> Tensor: ...

# ---- ops/manipulation.py ----
def broadcast_arrays(*tensors: Tensor) -> tuple[Tensor, ...]: ...
def broadcast_shapes(
    *shapes: builtins.int | Sequence[builtins.int],
) -> tuple[builtins.int, ...]: ...
def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]: ...
def broadcast_to(x: Tensor, /, shape: Sequence[builtins.int]) -> Tensor: ...
def expand_dims(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] = 0,
    *,
    dim: builtins.int | Sequence[builtins.int] = 0,
) -> Tensor: ...
def flip(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    dims: builtins.int | Sequence[builtins.int] | None = None,
) -> Tensor: ...
def fliplr(x: Tensor, /) -> Tensor: ...
def flipud(x: Tensor, /) -> Tensor: ...
def matrix_transpose(x: Tensor, /) -> Tensor: ...
def moveaxis(
    x: Tensor,
    /,
    source: builtins.int | Sequence[builtins.int],
    destination: builtins.int | Sequence[builtins.int],
) -> Tensor: ...
def movedim(
    x: Tensor,
    /,
    source: builtins.int | Sequence[builtins.int],
    destination: builtins.int | Sequence[builtins.int],
) -> Tensor: ...
def permute(x: Tensor, /, dims: Sequence[builtins.int]) -> Tensor: ...
def permute_dims(x: Tensor, /, axes: Sequence[builtins.int]) -> Tensor: ...
def rot90(
    x: Tensor,
    /,
    k: builtins.int = 1,
    dims: Sequence[builtins.int] = (0, 1),
    *,
    axes: Sequence[builtins.int] = (0, 1),
) -> Tensor: ...
def squeeze(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    dim: builtins.int | Sequence[builtins.int] | None = None,
) -> Tensor: ...
def swapaxes(x: Tensor, /, dim0: builtins.int, dim1: builtins.int) -> Tensor: ...
def swapdims(x: Tensor, /, dim0: builtins.int, dim1: builtins.int) -> Tensor: ...
def t(x: Tensor, /) -> Tensor: ...
def transpose(x: Tensor, /, *axes: Any) -> Tensor: ...
def unsqueeze(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] = 0,
    *,
    dim: builtins.int | Sequence[builtins.int] = 0,
) -> Tensor: ...

# ---- ops/questions.py ----
def are_deterministic_algorithms_enabled() -> builtins.bool: ...
def device(type: Any, index: builtins.int | None = None, /) -> str: ...
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
def numel(x: Tensor, /) -> builtins.int: ...
def resolve_conj(x: Tensor, /) -> Tensor: ...
def resolve_neg(x: Tensor, /) -> Tensor: ...
def set_default_device(device: Any, /) -> None: ...
def set_default_dtype(d: Any, /) -> None: ...
def set_float32_matmul_precision(precision: str, /) -> None: ...
def use_deterministic_algorithms(
    mode: builtins.bool, *, warn_only: builtins.bool = False
) -> None: ...

# ---- ops/random_tensors.py ----
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
    low: builtins.int,
    high: builtins.int | Sequence[builtins.int] | None = None,
    size: builtins.int | Sequence[builtins.int] | None = None,
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
def randperm(n: builtins.int, *, generator: Generator | None = None) -> Tensor: ...

# ---- ops/repeating.py ----
def adjoint(x: Tensor, /) -> Tensor: ...
def narrow_copy(
    x: Tensor, /, dim: builtins.int, start: builtins.int, length: builtins.int
) -> Tensor: ...
def repeat_interleave(
    x: Tensor,
    /,
    repeats: Any = None,
    axis: builtins.int | None = None,
    *,
    output_size: builtins.int | None = None,
    dim: builtins.int | None = None,
) -> Tensor: ...
def split_with_sizes(
    x: Tensor, /, split_sizes: Sequence[builtins.int], dim: builtins.int = 0
) -> tuple[Tensor, ...]: ...
def take_along_dim(x: Tensor, indices: Tensor, /, dim: builtins.int | None = None) -> Tensor: ...
def unsafe_split(
    x: Tensor, /, split_size: builtins.int | Sequence[builtins.int], dim: builtins.int = 0
) -> tuple[Tensor, ...]: ...
def unsafe_split_with_sizes(
    x: Tensor, /, split_sizes: Sequence[builtins.int], dim: builtins.int = 0
) -> tuple[Tensor, ...]: ...

# ---- ops/scans.py ----
def cummax(
    x: Tensor,
    /,
    axis: builtins.int = -1,
    *,
    out: tuple[Tensor, Tensor] | None = None,
    dim: builtins.int = -1,
) -> Ordered: ...
def cummin(
    x: Tensor,
    /,
    axis: builtins.int = -1,
    *,
    out: tuple[Tensor, Tensor] | None = None,
    dim: builtins.int = -1,
) -> Ordered: ...
def cumprod(
    x: Tensor,
    /,
    axis: builtins.int | None = None,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | None = None,
) -> Tensor: ...
def cumsum(
    x: Tensor,
    /,
    axis: builtins.int | None = None,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | None = None,
) -> Tensor: ...
def cumulative_prod(
    x: Tensor,
    /,
    *,
    axis: builtins.int | None = None,
    dtype: Any = None,
    include_initial: builtins.bool = False,
    dim: builtins.int | None = None,
) -> Tensor: ...
def cumulative_sum(
    x: Tensor,
    /,
    *,
    axis: builtins.int | None = None,
    dtype: Any = None,
    include_initial: builtins.bool = False,
    dim: builtins.int | None = None,
) -> Tensor: ...
def diff(
    x: Any,
    /,
    n: builtins.int = 1,
    axis: builtins.int = -1,
    prepend: Any = None,
    append: Any = None,
    *,
    dim: builtins.int = -1,
) -> Tensor: ...
def prod(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...

# ---- ops/searching.py ----
def argwhere(x: Any, /) -> Tensor: ...
def bincount(x: Any, /, weights: Any = None, minlength: builtins.int = 0) -> Tensor: ...
def bucketize(
    x: Any, boundaries: Any, /, *, right: builtins.bool = False, out: Tensor | None = None
) -> Tensor: ...
def flatnonzero(x: Any, /) -> Tensor: ...
def histogram(
    x: Any,
    /,
    bins: builtins.int | Sequence[builtins.float] | Tensor = 10,
    range: tuple[builtins.float, builtins.float] | None = None,
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
    dim: builtins.int | None = None,
) -> Tensor: ...
@overload
def unique(
    x: Tensor,
    /,
    sorted: builtins.bool = True,
    *,
    return_inverse: Literal[True],
    return_counts: builtins.bool = False,
    dim: builtins.int | None = None,
    return_index: builtins.bool = False,
) -> tuple[Tensor, ...]: ...
@overload
def unique(
    x: Tensor,
    /,
    sorted: builtins.bool = True,
    return_inverse: builtins.bool = False,
    *,
    return_counts: Literal[True],
    dim: builtins.int | None = None,
    return_index: builtins.bool = False,
) -> tuple[Tensor, ...]: ...
@overload
def unique(
    x: Tensor,
    /,
    sorted: builtins.bool = True,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    dim: builtins.int | None = None,
    *,
    return_index: builtins.bool = False,
) -> Tensor | tuple[Tensor, ...]: ...
def unique_all(x: Any, /) -> UniqueAllResult: ...
@overload
def unique_consecutive(
    x: Tensor,
    /,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: builtins.int | None = None,
) -> Tensor: ...
@overload
def unique_consecutive(
    x: Tensor,
    /,
    *,
    return_inverse: Literal[True],
    return_counts: builtins.bool = False,
    dim: builtins.int | None = None,
) -> tuple[Tensor, ...]: ...
@overload
def unique_consecutive(
    x: Tensor,
    /,
    return_inverse: builtins.bool = False,
    *,
    return_counts: Literal[True],
    dim: builtins.int | None = None,
) -> tuple[Tensor, ...]: ...
@overload
def unique_consecutive(
    x: Tensor,
    /,
    return_inverse: builtins.bool = False,
    return_counts: builtins.bool = False,
    dim: builtins.int | None = None,
) -> Tensor | tuple[Tensor, ...]: ...
def unique_counts(x: Any, /) -> UniqueCountsResult: ...
def unique_inverse(x: Any, /) -> UniqueInverseResult: ...
def unique_values(x: Any, /) -> Tensor: ...

# ---- ops/shapes.py ----
def as_strided(
    x: Tensor,
    /,
    size: Sequence[builtins.int],
    stride: Sequence[builtins.int],
    storage_offset: builtins.int | None = None,
) -> Tensor: ...
def detach(x: Tensor, /) -> Tensor: ...
def flatten(x: Tensor, /, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor: ...
def imag(x: Tensor, /) -> Tensor: ...
def ravel(x: Tensor, /) -> Tensor: ...
def real(x: Tensor, /) -> Tensor: ...
def reshape(
    x: Tensor, /, shape: builtins.int | Sequence[builtins.int], *, copy: builtins.bool | None = None
) -> Tensor: ...
def unflatten(x: Tensor, /, dim: builtins.int, sizes: Sequence[builtins.int]) -> Tensor: ...
def view_as_complex(x: Tensor, /) -> Tensor: ...
def view_as_real(x: Tensor, /) -> Tensor: ...

# ---- ops/sorting.py ----
def argsort(
    x: Any,
    /,
    axis: builtins.int | None = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
    *,
    kind: str | None = None,
    out: Tensor | None = None,
    dim: builtins.int | None = -1,
) -> Tensor: ...
def kthvalue(
    x: Any,
    /,
    k: builtins.int,
    axis: builtins.int = -1,
    keepdims: builtins.bool = False,
    *,
    out: tuple[Tensor, Tensor] | None = None,
    dim: builtins.int = -1,
    keepdim: builtins.bool = False,
) -> Ordered: ...
@overload
def median(
    x: Any,
    /,
    *,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
) -> Tensor: ...
@overload
def median(x: Any, /, *, dim: builtins.int, keepdim: builtins.bool = False) -> Ordered: ...
def msort(x: Any, /) -> Tensor: ...
@overload
def sort(
    x: Any,
    /,
    *,
    axis: builtins.int | None = -1,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
    kind: str | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def sort(
    x: Any,
    /,
    *,
    dim: builtins.int,
    descending: builtins.bool = False,
    stable: builtins.bool = True,
    out: tuple[Tensor, Tensor] | None = None,
) -> Ordered: ...
def topk(
    x: Any,
    /,
    k: builtins.int,
    axis: builtins.int = -1,
    largest: builtins.bool = True,
    sorted: builtins.bool = True,
    *,
    out: tuple[Tensor, Tensor] | None = None,
    dim: builtins.int = -1,
) -> Ordered: ...

# ---- ops/splitting.py ----
def chunk(
    x: Tensor, /, chunks: builtins.int, dim: builtins.int = 0, *, axis: builtins.int | None = None
) -> tuple[Tensor, ...]: ...
def diagonal(
    x: Tensor,
    /,
    offset: builtins.int = 0,
    dim1: builtins.int = 0,
    dim2: builtins.int = 1,
    *,
    axis1: builtins.int = 0,
    axis2: builtins.int = 1,
) -> Tensor: ...
def dsplit(x: Tensor, /, sections: builtins.int | Sequence[builtins.int]) -> tuple[Tensor, ...]: ...
def hsplit(x: Tensor, /, sections: builtins.int | Sequence[builtins.int]) -> tuple[Tensor, ...]: ...
def narrow(
    x: Tensor, /, dim: builtins.int, start: builtins.int, length: builtins.int
) -> Tensor: ...
def sliding_window_view(
    x: Tensor,
    /,
    window_shape: builtins.int | Sequence[builtins.int],
    dim: builtins.int | Sequence[builtins.int] | None = None,
    *,
    axis: builtins.int | Sequence[builtins.int] | None = None,
) -> Tensor: ...
def split(
    x: Tensor,
    /,
    split_size: builtins.int | Sequence[builtins.int],
    dim: builtins.int = 0,
    *,
    axis: builtins.int = 0,
) -> tuple[Tensor, ...]: ...
def tensor_split(
    x: Tensor,
    /,
    indices_or_sections: builtins.int | Sequence[builtins.int],
    dim: builtins.int = 0,
    *,
    axis: builtins.int | None = None,
) -> tuple[Tensor, ...]: ...
def unbind(
    x: Tensor, /, dim: builtins.int = 0, *, axis: builtins.int = 0
) -> tuple[Tensor, ...]: ...
def unsafe_chunk(
    x: Tensor, /, chunks: builtins.int, dim: builtins.int = 0, *, axis: builtins.int | None = None
) -> tuple[Tensor, ...]: ...
def unstack(
    x: Tensor, /, axis: builtins.int = 0, *, dim: builtins.int = 0
) -> tuple[Tensor, ...]: ...
def vsplit(x: Tensor, /, sections: builtins.int | Sequence[builtins.int]) -> tuple[Tensor, ...]: ...

# ---- ops/statistics.py ----
def all(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def any(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def count_nonzero(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def logsumexp(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def mean(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def nanmean(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def nansum(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def std(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    correction: builtins.float = 0,
    keepdims: builtins.bool = False,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    ddof: builtins.float = 0,
    unbiased: builtins.float = 0,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def sum(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def var(
    x: Tensor,
    /,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    correction: builtins.float = 0,
    keepdims: builtins.bool = False,
    dtype: Any = None,
    out: Tensor | None = None,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    ddof: builtins.float = 0,
    unbiased: builtins.float = 0,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def vector_norm(
    x: Tensor,
    /,
    ord: builtins.float = 2,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    dtype: Any = None,
    out: Tensor | None = None,
    p: builtins.float = 2,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...

# ---- ops/transcendental.py ----
def acos(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def acosh(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arccos(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arccosh(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arcsin(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arcsinh(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arctan(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def arctan2(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def arctanh(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def asin(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def asinh(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def atan(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def atan2(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def atanh(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def cos(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def cosh(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def deg2rad(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def degrees(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def digamma(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def erf(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def erfc(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def exp(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def exp2(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def expm1(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def float_power(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def hypot(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def ldexp(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def lgamma(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def log(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def log10(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def log1p(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def log2(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def logaddexp(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def logaddexp2(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def pow(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def power(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def rad2deg(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def radians(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def rsqrt(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sin(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sinc(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sinh(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sqrt(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def tan(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def tanh(x: Tensor | builtins.complex, /, *, out: Tensor | None = None) -> Tensor: ...
def xlogy(
    x1: Tensor | builtins.complex, x2: Tensor | builtins.complex, /, *, out: Tensor | None = None
) -> Tensor: ...

# ---- special/functions.py ----
def erfinv(x: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...
def i0(x: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...
def igamma(x: Any, other: Any, /, *, out: Tensor | None = None) -> Tensor: ...
def igammac(x: Any, other: Any, /, *, out: Tensor | None = None) -> Tensor: ...
def mvlgamma(x: Tensor, /, p: builtins.int, *, out: Tensor | None = None) -> Tensor: ...
def polygamma(n: builtins.int, x: Tensor, /, *, out: Tensor | None = None) -> Tensor: ...

# ---- torch_names/pair_distances.py ----
def cdist(
    x1: Tensor, x2: Tensor, /, p: builtins.float = 2.0, compute_mode: str | None = None
) -> Tensor: ...
def dist(x: Tensor, other: Tensor, /, p: builtins.float = 2) -> Tensor: ...
def norm(
    x: Tensor,
    /,
    p: Any = "fro",
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
    *,
    dim: builtins.int | Sequence[builtins.int] | None = None,
    keepdim: builtins.bool = False,
) -> Tensor: ...
def pdist(x: Tensor, /, p: builtins.float = 2.0) -> Tensor: ...
def renorm(
    x: Tensor,
    /,
    p: builtins.float,
    axis: builtins.int,
    maxnorm: builtins.float,
    *,
    out: Tensor | None = None,
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
    x: Tensor,
    other: Tensor,
    /,
    axis: builtins.int | None = None,
    *,
    dim: builtins.int | None = None,
) -> Tensor: ...
def frexp(x: Tensor, /) -> Any: ...
def hardshrink(x: Tensor, /, lambd: builtins.float = 0.5) -> Tensor: ...
def prelu(x: Tensor, weight: Tensor, /) -> Tensor: ...
def rsub(x: Any, other: Any, /, *, alpha: Any = 1) -> Tensor: ...

# ---- torch_names/spectra.py ----
def bartlett_window(
    window_length: builtins.int, periodic: builtins.bool = True, *, dtype: Any = None
) -> Tensor: ...
def blackman_window(
    window_length: builtins.int, periodic: builtins.bool = True, *, dtype: Any = None
) -> Tensor: ...
def hamming_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    alpha: builtins.float = 0.54,
    beta: builtins.float = 0.46,
    *,
    dtype: Any = None,
) -> Tensor: ...
def hann_window(
    window_length: builtins.int, periodic: builtins.bool = True, *, dtype: Any = None
) -> Tensor: ...
def istft(
    x: Tensor,
    /,
    n_fft: builtins.int,
    hop_length: builtins.int | None = None,
    win_length: builtins.int | None = None,
    window: Tensor | None = None,
    center: builtins.bool = True,
    normalized: builtins.bool = False,
    onesided: builtins.bool | None = None,
    length: builtins.int | None = None,
    return_complex: builtins.bool = False,
) -> Tensor: ...
def kaiser_window(
    window_length: builtins.int,
    periodic: builtins.bool = True,
    beta: builtins.float = 12.0,
    *,
    dtype: Any = None,
) -> Tensor: ...
def stft(
    x: Tensor,
    /,
    n_fft: builtins.int,
    hop_length: builtins.int | None = None,
    win_length: builtins.int | None = None,
    window: Tensor | None = None,
    center: builtins.bool = True,
    pad_mode: str = "reflect",
    normalized: builtins.bool = False,
    onesided: builtins.bool | None = None,
    return_complex: builtins.bool | None = None,
) -> Tensor: ...
