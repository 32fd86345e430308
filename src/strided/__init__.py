"""strided: tensors in which a view is always a view.

>>> import strided
>>> x = strided.arange(12).reshape(3, 4)
>>> y = x.T[::2, 1:]
>>> y.shape, y.stride(), y.storage_offset(), y.storage() == x.storage()
((2, 2), (2, 4), 4, True)
"""

# ruff: noqa: F401  (the public names are gathered at the end)
import builtins as _builtins
import importlib as _importlib
import math as _math
import sys as _sys
from types import ModuleType as _ModuleType
from typing import Any as _Any

from strided import _native, autograd, memory
from strided._native import (
    DType,
    Layout,
    Tensor,
    bfloat16,
    bool,
    complex64,
    complex128,
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
)
from strided.autograd.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)
from strided.copies.contexts import copy_everything, no_copies, trace_copies
from strided.copies.copy_log import CopyTotal, copy_totals
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
from strided.interop import enable
from strided.interop.protocols import ARRAY_API as __array_api_version__
from strided.interop.torch import from_torch
from strided.memory import Storage
from strided.memory_layout import (
    MemoryLayout,
    Strides,
    channels_last,
    column_major,
    contiguous_format,
    preserve_format,
    row_major,
)
from strided.native_members import document as _document
from strided.numpy_names import LATER as _NUMPYS
from strided.ops import define as _define
from strided.ops import later as _later
from strided.ops import random_tensors as _random
from strided.ops.copying import will_copy
from strided.ops.data_types import __array_namespace_info__
from strided.ops.fused import fuse
from strided.ops.random_tensors import (
    Generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from strided.services import SERVICES as _SERVICES
from strided.tensor_class import attach as _attach
from strided.text import get_printoptions, set_printoptions
from strided.threads import get_num_threads, set_num_threads

__version__ = "0.1.0"

e = _math.e
pi = _math.pi
inf = _math.inf
nan = _math.nan
newaxis = None
default_generator = _random._default

globals().update(_define.functions())

# PyTorch's other names of dtypes.
half, double = float16, float64
short, long = int16, int64
cfloat, cdouble = complex64, complex128
globals().update(float=float32, int=int32)

_native.register_services(_SERVICES)
_attach()
_document()
# dask first: a worker that receives its first tensor imports this package for it.
if "dask" in _sys.modules:
    _importlib.import_module("strided.interop.dask").register()

# Names that most programs do without: the modules they are loaded from when they are first used.
_LATER = {
    **dict.fromkeys(("grad", "value_and_grad"), "autograd.functional"),
    "vmap": "func",
    **dict.fromkeys(("Alternative", "CopyForecast"), "copies.forecast"),
    **dict.fromkeys(("CopyEvent", "CopyGroup", "CopyReport"), "copies.report"),
    **dict.fromkeys(("GGUFFile", "open_gguf"), "formats.gguf"),
    **dict.fromkeys(("open_npy", "open_npz", "save_npy", "save_npz"), "formats.npy"),
    **dict.fromkeys(
        ("SafetensorsFile", "open_safetensors", "save_safetensors"), "formats.safetensors"
    ),
    **dict.fromkeys(("load", "save"), "formats.save"),
    **dict.fromkeys(("Plan", "plan"), "inspect.passes"),
    **dict.fromkeys(("Drawing", "draw"), "inspect.drawing"),
    "LayoutFacts": "inspect.facts",
    **dict.fromkeys(("Relation", "relate"), "inspect.relation"),
    "print_layout": "inspect.array_facts",
    **dict.fromkeys(
        ("QuantizedMatrix", "exact_quantized", "quantize", "random_blocks"), "quantized"
    ),
    **_NUMPYS,
}
# Packages are names of this module, but only these are meant to be used by name.
_LATER_MODULES = (
    *("chunked", "fft", "func", "inspect", "lib", "linalg", "nn", "optim", "random", "special"),
    "utils",
)
_PUBLIC_MODULES = ("autograd", "memory")
_PUBLIC = sorted(
    {
        name
        for name, value in globals().items()
        if not name.startswith("_")
        and (name in _PUBLIC_MODULES or not isinstance(value, _ModuleType))
    }.union(_LATER_MODULES, _LATER, _later.function_names())
)
# A star import leaves Python's own abs, bool, sum and their like alone.
__all__ = [  # pyright: ignore[reportUnsupportedDunderAll]
    name for name in _PUBLIC if not hasattr(_builtins, name)
]


def __getattr__(name: str) -> _Any:
    if name in _LATER_MODULES:
        return _importlib.import_module(f"strided.{name}")
    if name in _LATER:
        value = getattr(_importlib.import_module(f"strided.{_LATER[name]}"), name)
        globals()[name] = value
        return value
    if name.startswith("__"):
        raise AttributeError(f"module 'strided' has no attribute {name!r}")
    value = _later.function(name)
    if value is None:
        left_out = _importlib.import_module("strided.ops.left_out")
        if name in left_out.ELSEWHERE:
            place = _importlib.import_module(f"strided.{left_out.ELSEWHERE[name]}")
            value = getattr(place, left_out.NAMES_ELSEWHERE.get(name, name))
        else:
            raise left_out.refusal("module 'strided'", name, left_out.NAMESPACE)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*_PUBLIC, *(name for name in globals() if name.startswith("__"))]
