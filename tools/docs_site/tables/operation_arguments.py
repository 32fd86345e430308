"""Arguments of operations, of ``strided.linalg`` and of ``strided.fft``."""

from __future__ import annotations

from docs_site.tables.repeated import for_each

SHARED: dict[str, str] = {
    # operands
    "x": "The tensor.",
    "x1": "The first operand: a tensor or a number.",
    "x2": "The second operand: a tensor or a number. It broadcasts against the first.",
    "a": "The first tensor.",
    "b": "The second tensor.",
    "other": "The other operand. It broadcasts against the tensor.",
    "input": "The tensor.",
    "tensors": "The tensors, in order.",
    "arrays": "The tensors, in order; lists and arrays of other libraries too.",
    "weights": "A weight for each element; 1 by default.",
    # axes and shapes
    "axis": "The axis; negative ones count from the end.",
    "axes": "The axes; negative ones count from the end.",
    "dim": "The axis; negative ones count from the end.",
    "dims": "The axes; negative ones count from the end.",
    "dim0": "The first of the two axes.",
    "dim1": "The first of the two axes.",
    "dim2": "The second of the two axes.",
    "keepdims": "Whether reduced axes stay, with length 1.",
    "shape": "The shape: one tuple, or length by length.",
    "size": "The shape: one tuple, or length by length.",
    "sizes": "The lengths; one of them may be -1.",
    "stride": "The stride of each axis, in elements; negative and zero are allowed.",
    "storage_offset": "Where the first element lies in the storage, in elements; by default where"
    " that of the tensor lies.",
    "start": "The first place.",
    "stop": "The end, which is not included.",
    "length": "How many places.",
    "index": "The positions: integers. Negative ones count from the end.",
    "indices": "The positions: integers. Negative ones count from the end.",
    "mask": "A tensor of bool that broadcasts against the tensor.",
    "offset": "Which diagonal: 0 is the main one, 1 the one above, -1 the one below.",
    "k": "Which diagonal: 0 is the main one, 1 the one above, -1 the one below.",
    # results
    "out": "A tensor that the result is written into, and that is returned. It has the shape of the"
    " result, any strides, and may overlap the operands.",
    "dtype": "The dtype of the result: a `DType`, its name, a NumPy dtype, or Python's `bool`,"
    " `int`, `float` or `complex`.",
    "device": 'Where the result lies; only `"cpu"` exists.',
    "copy": "`True` always copies, `False` raises where a copy would be needed, `None` copies only"
    " where it must.",
    "memory_format": "The order of axes in memory: a `MemoryLayout` such as"
    " `strided.channels_last`, or its name.",
    "requires_grad": "Whether operations on the result are recorded for gradients.",
    "generator": "Where random numbers come from; by default what `manual_seed` seeds.",
    # values
    "value": "The value that is written.",
    "values": "What is written. It broadcasts to the places.",
    "fill_value": "The value of all elements.",
    "source": "What is read: a tensor or an array.",
    "src": "The elements that are written.",
    "alpha": "A factor.",
    "beta": "A factor of `input`.",
    "rtol": "The relative tolerance.",
    "atol": "The absolute tolerance.",
    "equal_nan": "Whether a NaN equals a NaN.",
    "correction": "What is subtracted from the number of elements before dividing. NumPy calls it"
    " `ddof`.",
    "accumulate": "Whether values are added to those that are there.",
    "reduce": 'How elements that meet are reduced: `"sum"`, `"prod"`, `"mean"`, `"amax"` or'
    ' `"amin"`.',
    "include_self": "Whether what was there before counts.",
    "descending": "Whether the largest elements come first.",
    "stable": "Whether equal elements keep their order: they always do.",
    "sorted": "Whether the results are in order: they always are.",
    "return_inverse": "Whether to return also which distinct element each element is.",
    "return_counts": "Whether to return also how often each distinct element occurs.",
    "include_initial": "Whether the result begins with the neutral element (0 or 1).",
    "minlength": "How long the result is at least.",
    # matrices
    "mat": "The matrix.",
    "mat1": "The left matrix.",
    "mat2": "The right matrix.",
    "vec": "The vector.",
    "vec2": "The second vector.",
    "batch1": "The stack of left matrices.",
    "batch2": "The stack of right matrices.",
    # memory and other libraries
    "path": "The file.",
    "mode": '`"r"`: read-only. `"c"`: copy on write, changes stay in memory. `"r+"`: changes go to'
    " the file.",
}

LINALG: dict[str, str] = {
    "x": "A matrix, or a stack of matrices in the last two axes.",
    "keepdims": "Whether the axes of the matrices stay, with length 1.",
    "rtol": "Singular values up to `rtol` times the largest count as zero; by default the longer"
    " side times the epsilon of the dtype.",
}

FFT: dict[str, str] = {
    "n": "The length of the axis: it is truncated or padded with zeros.",
    "s": "The lengths of the axes: they are truncated or padded with zeros.",
    "axes": "The axes; all of them by default.",
    "norm": 'Which direction divides: `"backward"` (the inverse, by n), `"forward"` (by n) or'
    ' `"ortho"` (both, by the root of n).',
    "d": "The distance between samples.",
}

_REDUCTIONS = (
    "sum mean nansum nanmean var std logsumexp any all count_nonzero amin amax aminmax nanmin"
    " nanmax median prod vector_norm"
)

OWN: dict[str, str] = {
    **for_each(_REDUCTIONS, axis="The axis or axes to reduce; all of them by default."),
    **for_each(
        "argmin argmax",
        axis="The axis along which positions are counted; without one, those of the flattened"
        " tensor.",
    ),
    **for_each(
        "cumsum cumprod cumulative_sum cumulative_prod",
        axis="The axis along which elements run; without one, the tensor is flattened.",
    ),
    "any.dtype": "The dtype of the result: bool by default.",
    "all.dtype": "The dtype of the result: bool by default.",
    "vector_norm.ord": "The order p of the norm: any number, 0 or infinity.",
    "var.correction": SHARED["correction"]
    + " 0 is the default of the function, 1 that of the method.",
    "std.correction": SHARED["correction"]
    + " 0 is the default of the function, 1 that of the method.",
    "min.dim": "The axis: the result also says where the smallest element stands. Or a tensor: the"
    " smaller element of both.",
    "max.dim": "The axis: the result also says where the largest element stands. Or a tensor: the"
    " larger element of both.",
    "min.axis": "The axis or axes, as NumPy has them: the result is the values alone.",
    "max.axis": "The axis or axes, as NumPy has them: the result is the values alone.",
    "lower median.axis": "The axis: the result also says where the median stands. Without one, the"
    " median of all elements.",
    # creation
    "from_numpy.array": "The array; any strides, any memory that NumPy has.",
    "from_dlpack.x": "What has a method `__dlpack__`: an array of PyTorch, JAX, CuPy and others.",
    "from_dlpack.device": '`"cpu"` asks the other library to copy it to the CPU.',
    "frombuffer.buffer": "What has the buffer protocol: bytes, `bytearray`, `memoryview`, `array`.",
    "frombuffer.count": "How many elements; -1: as many as there are.",
    "frombuffer.offset": "Where the first element begins, in bytes.",
    "memory_map.shape": "The shape; by default one axis of all elements of the file.",
    "memory_map.offset": "Where the first element begins in the file, in bytes.",
    "asarray.obj": "A number, a nested list, an array of any library, a buffer.",
    "asarray.dtype": "The dtype of the result; by default that of the object.",
    "tensor.data": "A number, a nested list, an array of any library, a buffer.",
    "tensor.dtype": "The dtype of the result; by default that of the data. Python's floats become"
    " float32, its integers int64.",
    "arange.start": "The first value; with one argument alone, the end, and 0 is the first.",
    "arange.stop": "The end, which is not included.",
    "arange.step": "The distance between neighbours.",
    "linspace.start": "The first value.",
    "linspace.stop": "The last value.",
    "linspace.num": "How many values.",
    "linspace.endpoint": "Whether the last value is included.",
    "meshgrid.arrays": "The coordinates along each axis: tensors of rank 1.",
    "meshgrid.indexing": '`"xy"`: the first axis of a grid is that of the second tensor, as in'
    ' pictures. `"ij"`: axes are in the order of the tensors.',
    "eye.n_rows": "The number of rows.",
    "eye.n_cols": "The number of columns; that of rows by default.",
    "full.fill_value": "The value of all elements; it decides the dtype unless one is given.",
    "randint.low": "The lowest value; with `high` missing, the end, and 0 is the lowest.",
    "randint.high": "The end, which is not included.",
    "randperm.n": "How many numbers.",
    # dtypes
    "promote_types.a": "A dtype, or what names one.",
    "promote_types.b": "Another one.",
    "result_type.arrays_and_dtypes": "Tensors, dtypes and Python numbers, in any order.",
    "can_cast.from_": "A dtype, or a tensor that has it.",
    "can_cast.to": "The dtype to go to.",
    "isdtype.dtype": "The dtype in question.",
    "isdtype.kind": 'A dtype, `"bool"`, `"signed integer"`, `"unsigned integer"`, `"integral"`,'
    ' `"real floating"`, `"complex floating"`, `"numeric"`, or a tuple of these.',
    "finfo.type": "A floating-point or complex dtype, or a tensor.",
    "iinfo.type": "An integer dtype, or a tensor.",
    "to.args": 'A dtype, `"cpu"`, or a tensor whose dtype is wanted.',
    "to.copy": "Whether to copy where nothing changes.",
    "to.non_blocking": "Accepted for PyTorch's sake: on the CPU nothing is awaited.",
    "astype.copy": "Whether to copy where the dtype is the same already.",
    "Tensor.astype.copy": "Whether to copy where the dtype is the same already.",
    "type_as.other": "The tensor whose dtype is wanted.",
    "to_device.device": 'Only `"cpu"` exists.',
    "to_device.stream": "There are no streams on the CPU: only `None`.",
    # shapes
    "permute.dims": "The axes in their new order, each once.",
    "permute_dims.axes": "The axes in their new order, each once.",
    "transpose.axes": "Two axes to swap, all axes in their new order, or none: they are reversed.",
    "swapaxes.dim1": "The second of the two axes.",
    "transpose_.dim1": "The second of the two axes.",
    "moveaxis.source": "The axis or axes to move.",
    "moveaxis.destination": "Their new places.",
    "flip.axis": "The axis or axes to reverse; the function reverses all by default.",
    "rot90.k": "How often to turn by 90 degrees; negative: the other way round.",
    "rot90.dims": "The plane: from the first axis towards the second.",
    **for_each(
        "squeeze squeeze_",
        axis="The axis or axes of length 1 to drop; all of them by default.",
    ),
    **for_each("expand_dims unsqueeze_", axis="Where the new axis stands in the result."),
    "expand.size": "The new shape; -1 keeps a length, new axes come in front.",
    "broadcast_to.shape": "The new shape.",
    "expand_as.other": "The tensor whose shape is wanted.",
    "reshape_as.other": "The tensor whose shape is wanted.",
    "view_as.other": "The tensor whose shape is wanted.",
    "broadcast_shapes.shapes": "The shapes.",
    "reshape.shape": "The new shape; one length may be -1, which is computed.",
    "view.size": "The new shape, one length of which may be -1; or the dtype that the bytes are"
    " seen as.",
    "flatten.start_dim": "The first of the axes that become one.",
    "flatten.end_dim": "The last of them.",
    "unflatten.sizes": "The lengths that the axis is split into; one may be -1.",
    "roll.shift": "By how many places elements move, for each axis.",
    "roll.axis": "The axis or axes; without one, the flattened tensor rolls.",
    "repeat.repeats": "How often each element occurs: one number, or one for each position.",
    "repeat.axis": "The axis along which elements are repeated; without one, the flattened tensor.",
    "tile.repetitions": "How often the tensor is repeated along each axis.",
    "concat.axis": "The axis along which they are joined; `None` flattens them first.",
    "cat.axis": "The axis along which they are joined.",
    "stack.axis": "Where the new axis stands in the result.",
    "narrow.dim": "The axis.",
    "slice_dim.end": "The end, which is not included.",
    "slice.bounds": "`start, end` of the first axis, or `dim, start, end`.",
    "select.index": "The place; negative ones count from the end.",
    "unfold.size": "The length of a window.",
    "unfold.step": "The distance between neighbouring windows.",
    "sliding_window_view.window_shape": "The length of the windows along each axis.",
    "sliding_window_view.dim": "The axes that windows move along; all of them by default.",
    "sliding_window_view.axis": "NumPy's name for `dim`.",
    "split.split_size": "The length of each part, or the lengths of all parts.",
    "chunk.chunks": "How many parts, at most.",
    "chunk.axis": "NumPy's name for `dim`.",
    "tensor_split.indices_or_sections": "How many parts, or the places to cut at.",
    "tensor_split.axis": "NumPy's name for `dim`.",
    **for_each("hsplit vsplit dsplit", sections="How many parts, or the places to cut at."),
    **for_each(
        "contiguous clone", memory_format=SHARED["memory_format"] + " Row-major by default."
    ),
    "clone.memory_format": SHARED["memory_format"] + " By default that of the tensor.",
    **for_each(
        "empty_like zeros_like ones_like full_like",
        memory_format=SHARED["memory_format"] + " By default that of the tensor.",
        dtype=SHARED["dtype"] + " By default that of the tensor.",
    ),
    "divide.rounding_mode": '`"floor"`: rounded down. `"trunc"`: rounded towards zero.',
    # elementwise
    "where.condition": "Where it holds, elements come from `x1`.",
    "where of a tensor.condition": "Where it holds, elements stay.",
    "where of a tensor.other": "Where the others come from.",
    **for_each("add subtract", alpha="A factor of the second operand."),
    **for_each(
        "addcmul addcdiv",
        x="What the rest is added to.",
        a="The first factor.",
        b="The second factor, or the divisor.",
        value="A factor of the product or quotient.",
    ),
    "lerp.end": "The value for weight 1.",
    "lerp.weight": "The weight: 0 gives `x`, 1 gives `end`.",
    "clip.min": "The lowest value; `None`: no bound.",
    "clip.max": "The highest value; `None`: no bound.",
    "nan_to_num.nan": "What NaN becomes.",
    "nan_to_num.posinf": "What infinity becomes; the largest number of the dtype by default.",
    "nan_to_num.neginf": "What minus infinity becomes; the lowest number of the dtype by default.",
    "isclose.other": "What it is compared with; the relative tolerance is that of this one.",
    "__contains__.value": "The value to look for.",
    "shares_storage.other": "The other tensor.",
    "copy_.source": "The tensor or array whose elements are written. It broadcasts.",
    "elu.alpha": "The limit below zero, with the opposite sign.",
    "leaky_relu.negative_slope": "The factor of negative elements.",
    "hardtanh.min_val": "The lowest value.",
    "hardtanh.max_val": "The highest value.",
    "gelu.approximate": '`"tanh"` takes the approximation by tanh, `"none"` the exact function.',
    "softplus.beta": "How steep it is: the function comes closer to `relu` the larger it is.",
    "logit.eps": "Elements are limited to [eps, 1 - eps] first.",
    # indexing
    "nonzero as rows.as_tuple": "Whether to return one tensor for each axis.",
    "gather.axis": "The axis along which elements are taken.",
    "gather.index": "The positions along the axis, one for each element of the result.",
    "take_along_axis.axis": "The axis; `None`: positions are those of the flattened tensor.",
    "take.axis": "The axis; a tensor of rank 1 needs none.",
    "take of the flattened tensor.axis": "The axis; without one, positions are those of the"
    " flattened tensor.",
    "index_put_.indices": "One tensor of positions for each axis.",
    "index_add_.alpha": "A factor of `source`.",
    **for_each(
        "index_add_ index_copy_ index_reduce_ index_fill_ index_select",
        index="The positions of the rows: a tensor of rank 1.",
        source="The rows that are written.",
        tensor="The rows that are written.",
    ),
    **for_each(
        "scatter_ scatter_add_ scatter_reduce_",
        index="The positions along the axis, one for each element of `src`.",
    ),
    "scatter_.src": "The elements that are written: a tensor or a number.",
    "scatter_.reduce": '`"add"` or `"multiply"`: how they meet what is there.',
    "put_.source": "What is written, one value for each position.",
    "masked_scatter_.source": "The elements that are written, in order.",
    # searching, sorting, sets
    "searchsorted.x1": "The sorted tensor.",
    "searchsorted.x2": "The values to find a place for.",
    "searchsorted.side": '`"left"`: before equal elements, `"right"`: behind them.',
    "searchsorted.sorter": "The positions that put `x1` in order, where it is not.",
    "bucketize.boundaries": "The ends of the buckets, in order.",
    "bucketize.right": "Whether an end belongs to the next bucket.",
    "histogram.bins": "How many of equal width, or all edges in order.",
    "histogram.range": "The lowest and the highest edge; the extremes of the elements by default.",
    "histogram.density": "Whether to return a density, whose integral is 1, in place of counts.",
    **for_each("sort argsort", axis="The axis; `None` flattens the tensor first."),
    "sort with positions.axis": "The axis; `None` flattens the tensor first.",
    "sort with positions.out": "Two tensors for the elements and the positions.",
    **for_each(
        "topk kthvalue cummax cummin", out="Two tensors for the elements and the positions."
    ),
    "topk.k": "How many elements.",
    "topk.largest": "Whether to take the largest ones, or the smallest.",
    "kthvalue.k": "Which one; 1 is the smallest.",
    "diff.n": "How often differences are taken.",
    "diff.prepend": "Elements in front of the first, along the axis.",
    "diff.append": "Elements behind the last, along the axis.",
    **for_each(
        "unique unique_consecutive",
        dim="The axis whose rows are compared; without one, the elements.",
    ),
    "isin.element": "The elements to look at: a tensor or a number.",
    "isin.test_elements": "The elements to look for.",
    "isin.assume_unique": "Accepted for NumPy's sake: nothing is gained by it.",
    "isin.invert": "Whether to answer which do not occur.",
    # products
    "einsum.operands": 'The equation (`"ij,jk->ik"`) and the tensors; or tensors, each followed by'
    " the list of its labels, then the labels of the result.",
    "tensordot.axes": "How many: the last ones of `x1` and the first ones of `x2`. Or two lists of"
    " axes.",
    "dot_of_vectors.tensor": "The other vector.",
    "vdot_of_vectors.other": "The other vector.",
    "mm.input": "The left matrix.",
    "mv.input": "The matrix.",
    **for_each("as_strided as_strided_", size="The length of each axis."),
    "bmm.mat2": "The stack of right matrices.",
    "bmm.input": "The stack of left matrices.",
    **for_each(
        "addmm addmm_ addmv baddbmm baddbmm_",
        input="What the product is added to. It broadcasts.",
        alpha="A factor of the product.",
    ),
    "linalg.svd.full_matrices": "Whether U and Vh are square, or have only the vectors that belong"
    " to a singular value.",
    "linalg.solve.x1": "The matrix, or a stack of them.",
    "linalg.solve.x2": "The right-hand side: a vector if it has one axis, else columns.",
    "linalg.cholesky.upper": "Whether to return the upper factor.",
    "linalg.qr.mode": '`"reduced"`, or `"complete"` for a square Q.',
    "linalg.matrix_norm.ord": '`"fro"`, `"nuc"`, or 1, -1, 2, -2, inf, -inf: the largest (smallest)'
    " sum of a column, singular value, sum of a row.",
    "linalg.matrix_power.n": "The exponent; negative: of the inverse.",
    "linalg.trace.dtype": SHARED["dtype"] + " Small integers sum to int64 by default.",
    "linalg.cross.axis": "The axis of length 3.",
    "fft.fftfreq.n": "The number of samples.",
    "fft.rfftfreq.n": "The number of samples.",
    "fft.irfft.n": "The length of the result; `2 * (m - 1)` for m frequencies by default.",
    "fft.hfft.n": "The length of the result; `2 * (m - 1)` for m elements by default.",
    "fft.irfftn.s": "The lengths of the result; the last is `2 * (m - 1)` by default.",
}
