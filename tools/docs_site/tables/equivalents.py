"""What NumPy and PyTorch call an operation.

NumPy's names come from the definitions (``numpy=``), and from ``NUMPY`` where a definition has
none. PyTorch's are the same as ours, by ``torch_names``, unless ``TORCH`` says otherwise.
"""

from __future__ import annotations

from docs_site.tables.torch_names import TORCH_NAMES
from strided.ops.define import Definition

# By the key of the definition. What stands in no table has no equivalent.
NUMPY: dict[str, str] = {
    # creation
    "from_dlpack": "np.from_dlpack",
    "frombuffer": "np.frombuffer",
    "memory_map": "np.memmap",
    "asarray": "np.asarray",
    "tensor": "np.array",
    "arange": "np.arange",
    "linspace": "np.linspace",
    "meshgrid": "np.meshgrid",
    "empty": "np.empty",
    "zeros": "np.zeros",
    "full": "np.full",
    "ones": "np.ones",
    "empty_like": "np.empty_like",
    "zeros_like": "np.zeros_like",
    "ones_like": "np.ones_like",
    "full_like": "np.full_like",
    "eye": "np.eye",
    "rand": "np.random.Generator.random",
    "randn": "np.random.Generator.standard_normal",
    "randint": "np.random.Generator.integers",
    "randperm": "np.random.Generator.permutation",
    # dtypes
    "promote_types": "np.promote_types",
    "result_type": "np.result_type",
    "can_cast": "np.can_cast",
    "isdtype": "np.isdtype",
    "finfo": "np.finfo",
    "iinfo": "np.iinfo",
    "to": "np.ndarray.astype",
    "Tensor.astype": "np.ndarray.astype",
    "astype": "np.astype",
    "to_device": "np.ndarray.to_device",
    # shapes
    "permute": "np.transpose",
    "permute_dims": "np.permute_dims",
    "transpose": "np.transpose, np.swapaxes",
    "T": "np.ndarray.T",
    "mT": "np.ndarray.mT",
    "flipud": "np.flipud",
    "fliplr": "np.fliplr",
    "expand": "np.broadcast_to",
    "broadcast_to": "np.broadcast_to",
    "broadcast_shapes": "np.broadcast_shapes",
    "broadcast_tensors": "np.broadcast_arrays",
    "ravel": "np.ravel",
    "flatten": "np.ravel",
    "as_strided": "np.lib.stride_tricks.as_strided",
    "sliding_window_view": "np.lib.stride_tricks.sliding_window_view",
    "unfold": "np.lib.stride_tricks.sliding_window_view",
    "view_as_real": "np.ndarray.view",
    "view_as_complex": "np.ndarray.view",
    "cat": "np.concatenate",
    "tile": "np.tile",
    "tensor_split": "np.array_split",
    "chunk": "np.array_split",
    "hsplit": "np.hsplit",
    "vsplit": "np.vsplit",
    "dsplit": "np.dsplit",
    "unbind": "np.unstack",
    "unstack": "np.unstack",
    # elementwise
    "where": "np.where",
    "clip": "np.clip",
    "nan_to_num": "np.nan_to_num",
    "isclose": "np.isclose",
    "ldexp": "np.ldexp",
    # copies
    "clone": "np.copy",
    "copy": "np.ndarray.copy",
    "contiguous": "np.ascontiguousarray",
    "copy_": "np.copyto",
    "fill_": "np.ndarray.fill",
    "shares_memory": "np.shares_memory",
    "may_share_memory": "np.may_share_memory",
    # indexing
    "argwhere": "np.argwhere",
    "nonzero": "np.nonzero",
    "nonzero as rows": "np.argwhere",
    "flatnonzero": "np.flatnonzero",
    "take": "np.take",
    "index_select": "np.take",
    "masked_select": "np.extract",
    "put_": "np.put",
    "put_along_axis": "np.put_along_axis",
    "masked_fill_": "np.putmask",
    "masked_scatter_": "np.place",
    # searching, sorting, sets, statistics
    "bucketize": "np.digitize",
    "bincount": "np.bincount",
    "bincount in the dtype of weights": "np.bincount",
    "histogram": "np.histogram",
    "nansum": "np.nansum",
    "nanmean": "np.nanmean",
    "nanmin": "np.nanmin",
    "nanmax": "np.nanmax",
    "min": "np.min",
    "max": "np.max",
    "median": "np.median",
    "sort with positions": "np.sort, np.argsort",
    "cumulative_sum": "np.cumulative_sum",
    "cumulative_prod": "np.cumulative_prod",
    "cummax": "np.maximum.accumulate",
    "cummin": "np.minimum.accumulate",
    "logsumexp": "np.logaddexp.reduce",
    "unique_values": "np.unique_values",
    "unique_counts": "np.unique_counts",
    "unique_inverse": "np.unique_inverse",
    "unique_all": "np.unique_all",
    "unique": "np.unique",
    "isin": "np.isin",
    "vector_norm": "np.linalg.vector_norm",
    # products
    "einsum": "np.einsum",
    "mm": "np.matmul",
    "mv": "np.matmul",
    "bmm": "np.matmul",
    "dot_of_vectors": "np.dot",
    "vdot_of_vectors": "np.vdot",
    "outer_of_vectors": "np.outer",
    "fft.fftfreq": "np.fft.fftfreq",
    "fft.rfftfreq": "np.fft.rfftfreq",
    "linalg.svd": "np.linalg.svd",
    "linalg.matrix_rank": "np.linalg.matrix_rank",
    "linalg.pinv": "np.linalg.pinv",
    "linalg.qr": "np.linalg.qr",
    "linalg.eig": "np.linalg.eig",
    "linalg.eigvals": "np.linalg.eigvals",
    "linalg.matrix_norm": "np.linalg.matrix_norm",
    "linalg.cross": "np.linalg.cross",
    "linalg.diagonal": "np.linalg.diagonal",
    "linalg.trace": "np.linalg.trace",
    "nn.pad": "np.pad",
}

# Where PyTorch's name is another one, or the same name means something else; "": it has none.
TORCH: dict[str, str] = {
    "memory_map": "torch.from_file",
    "astype": "torch.Tensor.to",
    "Tensor.astype": "torch.Tensor.to",
    "to_device": "torch.Tensor.to",
    "isdtype": "",
    "permute_dims": "torch.permute",
    "matrix_transpose": "torch.Tensor.mT",
    "expand_dims": "torch.unsqueeze, torch.Tensor.unsqueeze",
    "squeeze": "torch.squeeze, torch.Tensor.squeeze",
    "concat": "torch.cat",
    "repeat": "torch.repeat_interleave",
    "tile": "torch.tile",
    "unstack": "torch.unbind",
    "slice_dim": "torch.narrow",
    "slice": "torch.narrow",
    "sliding_window_view": "torch.Tensor.unfold",
    "nonzero": "torch.nonzero(as_tuple=True)",
    "nonzero as rows": "torch.nonzero, torch.Tensor.nonzero",
    "flatnonzero": "torch.nonzero",
    "histogram": "torch.histogram",
    "amin": "torch.amin, torch.Tensor.amin",
    "amax": "torch.amax, torch.Tensor.amax",
    "min": "torch.min, torch.Tensor.min",
    "max": "torch.max, torch.Tensor.max",
    "median": "torch.quantile(q=0.5)",
    "lower median": "torch.median, torch.Tensor.median",
    "sort": "torch.sort",
    "sort with positions": "torch.sort, torch.Tensor.sort",
    "cumulative_sum": "torch.cumsum",
    "cumulative_prod": "torch.cumprod",
    "unique_values": "torch.unique",
    "unique_counts": "torch.unique(return_counts=True)",
    "unique_inverse": "torch.unique(return_inverse=True)",
    "unique_all": "",
    "take": "torch.index_select",
    "take of the flattened tensor": "torch.take, torch.Tensor.take",
    "take_along_axis": "torch.take_along_dim, torch.Tensor.take_along_dim",
    "put_along_axis": "torch.Tensor.scatter_",
    "array_equal": "torch.equal",
    "shares_memory": "",
    "may_share_memory": "",
    "shares_storage": "torch.Tensor.untyped_storage",
    "bitwise_not": "torch.bitwise_not, torch.Tensor.bitwise_not",
    "equal": "torch.eq, torch.Tensor.eq",
    "pow": "torch.pow, torch.Tensor.pow",
    "vector_norm": "torch.linalg.vector_norm, torch.Tensor.norm",
    "vecdot": "torch.linalg.vecdot",
    "dot": "torch.tensordot(dims=1)",
    "dot_of_vectors": "torch.dot, torch.Tensor.dot",
    "vdot": "torch.vdot",
    "vdot_of_vectors": "torch.vdot, torch.Tensor.vdot",
    "outer_of_vectors": "torch.outer, torch.Tensor.outer",
    "gelu": "torch.nn.functional.gelu",
    "gelu_tanh": 'torch.nn.functional.gelu(approximate="tanh")',
    "elu": "torch.nn.functional.elu",
    "leaky_relu": "torch.nn.functional.leaky_relu",
    "hardtanh": "torch.nn.functional.hardtanh",
    "hardsigmoid": "torch.nn.functional.hardsigmoid",
    "softplus": "torch.nn.functional.softplus",
    "silu": "torch.nn.functional.silu",
    "linalg.trace": "torch.trace",
    "cpu": "torch.Tensor.cpu",
    "from_dlpack": "torch.from_dlpack",
    "nn.swiglu": "",
    "nn.attention": "",
    "nn.rope": "",
    "to": "torch.Tensor.to",
}

# Where a name of a namespace of ours stands in PyTorch: functions, then classes.
_PLACES = {
    "": ("torch",),
    "nn": ("torch.nn.functional", "torch.nn.utils", "torch.nn"),
    "nn.init": ("torch.nn.init",),
    "linalg": ("torch.linalg",),
    "fft": ("torch.fft",),
    "special": ("torch.special",),
    "optim": ("torch.optim", "torch.nn.utils"),
    "optim.lr_scheduler": ("torch.optim.lr_scheduler",),
    "autograd": ("torch.autograd", "torch.autograd.functional", "torch.autograd.function"),
    "Tensor": ("torch.Tensor",),
}


def numpy_names(key: str, definition: Definition) -> list[str]:
    """Return NumPy's names of an operation, best first.

    >>> from strided.ops.define import DEFINITIONS
    >>> numpy_names("asin", DEFINITIONS["asin"])
    ['np.arcsin']
    """
    if definition.ufunc:
        return [f"np.{definition.ufunc}"]
    if definition.numpy:
        return [f"np.{name}" for name in definition.numpy.partition(":")[0].split()]
    return [name for name in NUMPY.get(key, "").split(", ") if name]


def torch_names(key: str, definition: Definition) -> list[str]:
    """Return PyTorch's names of an operation.

    >>> from strided.ops.define import DEFINITIONS
    >>> torch_names("concat", DEFINITIONS["concat"])
    ['torch.cat']
    """
    if key in TORCH:
        return [name for name in TORCH[key].split(", ") if name]
    functions = [torch_name(definition.namespace, name) for name in definition.functions]
    methods = [torch_name("Tensor", name) for name in definition.methods]
    return [name for name in dict.fromkeys([*functions, *methods]) if name]


def torch_name(namespace: str, name: str) -> str:
    """Return the full name of what PyTorch calls by a name of ours; "" where there is none.

    >>> torch_name("optim", "Adam"), torch_name("", "no_such_name")
    ('torch.optim.Adam', '')
    """
    for place in _PLACES.get(namespace, ()):
        if name in TORCH_NAMES.get(place, "").split():
            return f"{place}.{name}"
    return ""
