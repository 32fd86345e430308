# Written by tools/make_stubs.py (make stubs).
import builtins
from collections.abc import Sequence
from typing import Any

from strided import (
    memory as memory,
)
from strided._native import (
    DType as DType,
    Layout as Layout,
    Tensor as Tensor,
    bfloat16 as bfloat16,
    bool as bool,
    complex128 as complex128,
    complex64 as complex64,
    empty as empty,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    int8 as int8,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
    uint8 as uint8,
    zeros as zeros,
)
from strided.copies import (
    CopyTotal as CopyTotal,
    copy_totals as copy_totals,
)
from strided.errors import (
    DTypeMismatch as DTypeMismatch,
    DuplicateAxis as DuplicateAxis,
    FileUnusable as FileUnusable,
    IndexOutOfBounds as IndexOutOfBounds,
    InvalidArgument as InvalidArgument,
    InvalidDimension as InvalidDimension,
    OutOfMemory as OutOfMemory,
    OutOfStorageBounds as OutOfStorageBounds,
    OverlapTooHard as OverlapTooHard,
    ReadOnlyTensor as ReadOnlyTensor,
    ShapeMismatch as ShapeMismatch,
    StridedError as StridedError,
    UnsupportedOperation as UnsupportedOperation,
    ViewNotPossible as ViewNotPossible,
    WriteThroughOverlap as WriteThroughOverlap,
)
from strided.functions.arrays import (
    asarray as asarray,
    from_dlpack as from_dlpack,
    from_numpy as from_numpy,
    frombuffer as frombuffer,
    memory_map as memory_map,
    tensor as tensor,
)
from strided.functions.combine import (
    cat as cat,
    concat as concat,
    repeat as repeat,
    roll as roll,
    stack as stack,
    tile as tile,
)
from strided.functions.create import (
    arange as arange,
    empty_like as empty_like,
    eye as eye,
    full as full,
    full_like as full_like,
    linspace as linspace,
    meshgrid as meshgrid,
    ones as ones,
    ones_like as ones_like,
    tril as tril,
    triu as triu,
    zeros_like as zeros_like,
)
from strided.functions.dtypes import (
    can_cast as can_cast,
    finfo as finfo,
    iinfo as iinfo,
    isdtype as isdtype,
    promote_types as promote_types,
    result_type as result_type,
)
from strided.functions.linalg import (
    matmul as matmul,
)
from strided.functions.random import (
    Generator as Generator,
    manual_seed as manual_seed,
    rand as rand,
    rand_like as rand_like,
    randint as randint,
    randn as randn,
    randn_like as randn_like,
    randperm as randperm,
)
from strided.functions.reduce import (
    argmax as argmax,
    argmin as argmin,
    count_nonzero as count_nonzero,
    cumulative_prod as cumulative_prod,
    cumulative_sum as cumulative_sum,
    mean as mean,
    std as std,
    var as var,
)
from strided.functions.search import (
    allclose as allclose,
    array_equal as array_equal,
    may_share_memory as may_share_memory,
    nonzero as nonzero,
    shares_memory as shares_memory,
)
from strided.functions.views import (
    as_strided as as_strided,
    broadcast_shapes as broadcast_shapes,
    broadcast_tensors as broadcast_tensors,
    broadcast_to as broadcast_to,
    chunk as chunk,
    diagonal as diagonal,
    expand_dims as expand_dims,
    flatten as flatten,
    flip as flip,
    imag as imag,
    matrix_transpose as matrix_transpose,
    moveaxis as moveaxis,
    permute as permute,
    permute_dims as permute_dims,
    real as real,
    reshape as reshape,
    rot90 as rot90,
    split as split,
    squeeze as squeeze,
    transpose as transpose,
    unbind as unbind,
    unstack as unstack,
)
from strided.memory_layout import (
    MemoryLayout as MemoryLayout,
    channels_last as channels_last,
    column_major as column_major,
    contiguous_format as contiguous_format,
    preserve_format as preserve_format,
    row_major as row_major,
)
from strided.ops.elementwise import (
    clip as clip,
    lerp as lerp,
    where as where,
)
from strided.storage import (
    Storage as Storage,
)
from strided.strides import (
    Strides as Strides,
)

__all__ = [
    "CopyTotal",
    "DType",
    "DTypeMismatch",
    "DuplicateAxis",
    "FileUnusable",
    "Generator",
    "IndexOutOfBounds",
    "InvalidArgument",
    "InvalidDimension",
    "Layout",
    "MemoryLayout",
    "OutOfMemory",
    "OutOfStorageBounds",
    "OverlapTooHard",
    "ReadOnlyTensor",
    "ShapeMismatch",
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
    "allclose",
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
    "array_equal",
    "as_strided",
    "asarray",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bfloat16",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_tensors",
    "broadcast_to",
    "can_cast",
    "cat",
    "ceil",
    "channels_last",
    "chunk",
    "clamp",
    "clip",
    "column_major",
    "complex128",
    "complex64",
    "concat",
    "conj",
    "contiguous_format",
    "copy_totals",
    "copysign",
    "cos",
    "cosh",
    "count_nonzero",
    "cumulative_prod",
    "cumulative_sum",
    "deg2rad",
    "diagonal",
    "div",
    "divide",
    "e",
    "empty",
    "empty_like",
    "eq",
    "equal",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expand_dims",
    "expm1",
    "eye",
    "finfo",
    "fix",
    "flatten",
    "flip",
    "float16",
    "float32",
    "float64",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frac",
    "from_dlpack",
    "from_numpy",
    "frombuffer",
    "full",
    "full_like",
    "ge",
    "gelu",
    "gelu_tanh",
    "greater",
    "greater_equal",
    "gt",
    "hypot",
    "iinfo",
    "imag",
    "inf",
    "int16",
    "int32",
    "int64",
    "int8",
    "invert",
    "isdtype",
    "isfinite",
    "isinf",
    "isnan",
    "le",
    "lerp",
    "less",
    "less_equal",
    "lgamma",
    "linspace",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "lt",
    "manual_seed",
    "matmul",
    "matrix_transpose",
    "maximum",
    "may_share_memory",
    "mean",
    "memory",
    "memory_map",
    "meshgrid",
    "minimum",
    "mod",
    "moveaxis",
    "mul",
    "multiply",
    "nan",
    "ne",
    "neg",
    "negative",
    "newaxis",
    "nextafter",
    "nonzero",
    "not_equal",
    "ones",
    "ones_like",
    "permute",
    "permute_dims",
    "pi",
    "positive",
    "power",
    "preserve_format",
    "prod",
    "promote_types",
    "rad2deg",
    "rand",
    "rand_like",
    "randint",
    "randn",
    "randn_like",
    "randperm",
    "real",
    "reciprocal",
    "relu",
    "remainder",
    "repeat",
    "reshape",
    "result_type",
    "roll",
    "rot90",
    "row_major",
    "rsqrt",
    "sgn",
    "shares_memory",
    "sigmoid",
    "sign",
    "signbit",
    "silu",
    "sin",
    "sinh",
    "softplus",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "sub",
    "subtract",
    "tan",
    "tanh",
    "tensor",
    "tile",
    "transpose",
    "tril",
    "triu",
    "true_divide",
    "trunc",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "unbind",
    "unsqueeze",
    "unstack",
    "var",
    "where",
    "zeros",
    "zeros_like",
]

__version__: str
def abs(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def absolute(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def acos(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def acosh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def add(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def all(
    x: Tensor, /, *, axis: int | Sequence[int] | None = None, keepdims: builtins.bool = False
) -> Tensor: ...
def angle(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def any(
    x: Tensor, /, *, axis: int | Sequence[int] | None = None, keepdims: builtins.bool = False
) -> Tensor: ...
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
def broadcast_arrays(*tensors: Tensor) -> list[Tensor]: ...
def ceil(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def clamp(
    x: Tensor | complex,
    /,
    min: Tensor | complex | None = None,
    max: Tensor | complex | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def conj(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def copysign(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def cos(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def cosh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def deg2rad(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def div(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def divide(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
e: float
def eq(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def equal(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def erf(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def erfc(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def exp(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def exp2(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def expm1(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def fix(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def floor(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def floor_divide(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def fmax(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def fmin(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def fmod(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def frac(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def ge(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def gelu(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def gelu_tanh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def greater(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def greater_equal(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def gt(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def hypot(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
inf: float
def invert(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isfinite(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isinf(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def isnan(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def le(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def less(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def less_equal(
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
def max(
    x: Tensor, /, *, axis: int | Sequence[int] | None = None, keepdims: builtins.bool = False
) -> Tensor: ...
def maximum(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def min(
    x: Tensor, /, *, axis: int | Sequence[int] | None = None, keepdims: builtins.bool = False
) -> Tensor: ...
def minimum(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def mod(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def mul(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def multiply(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
nan: float
def ne(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def neg(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def negative(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
newaxis: None
def nextafter(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def not_equal(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
pi: float
def positive(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def pow(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def power(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def prod(
    x: Tensor,
    /,
    *,
    axis: int | Sequence[int] | None = None,
    dtype: Any = None,
    keepdims: builtins.bool = False,
) -> Tensor: ...
def rad2deg(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def reciprocal(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def relu(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def remainder(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def round(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def rsqrt(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sgn(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sigmoid(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sign(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def signbit(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def silu(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sin(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sinh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def softplus(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sqrt(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def square(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def sub(x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def subtract(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def sum(
    x: Tensor,
    /,
    *,
    axis: int | Sequence[int] | None = None,
    dtype: Any = None,
    keepdims: builtins.bool = False,
) -> Tensor: ...
def tan(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def tanh(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def true_divide(
    x1: Tensor | complex, x2: Tensor | complex, /, *, out: Tensor | None = None
) -> Tensor: ...
def trunc(x: Tensor | complex, /, *, out: Tensor | None = None) -> Tensor: ...
def unsqueeze(x: Tensor, /, axis: int | Sequence[int] = 0) -> Tensor: ...

def __dir__() -> list[str]: ...
