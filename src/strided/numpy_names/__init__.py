"""Names of NumPy's main namespace that most programs do without: each module loads when needed.

They are made of this library's operations, so that gradients pass them, or call NumPy over the
memory of the tensors where NumPy computes integers, text or files. Results are tensors.
"""

from __future__ import annotations

_NAMES = {
    "asking": """
        array array_equiv asanyarray asarray_chkfinite ascontiguousarray asfortranarray common_type
        copy iscomplex iscomplexobj isfortran isrealobj isscalar issubdtype iterable
        min_scalar_type ndim real_if_close require shape size
    """,
    "averages": """
        average nanargmax nanargmin nancumprod nancumsum nanprod nanstd nanvar ptp
    """,
    "choosing": """
        apply_along_axis apply_over_axes choose compress copyto extract piecewise place put putmask
        select vectorize
    """,
    "elements": """
        bitwise_count cbrt divmod fabs modf packbits rint spacing unpackbits
    """,
    "grids": """
        c_ euler_gamma fromfunction fromiter geomspace index_exp indices ix_ logspace mgrid
        ndenumerate ndindex ogrid r_ ravel_multi_index s_ unravel_index
    """,
    "histograms": "digitize histogram2d histogram_bin_edges histogramdd",
    "joining": """
        append array_split atleast_1d atleast_2d atleast_3d block column_stack delete dstack hstack
        insert resize rollaxis row_stack trim_zeros vstack
    """,
    "kinds": """
        False_ True_ bool_ byte complexfloating csingle dtype floating generic inexact int_ intc
        integer intp longlong ndarray number signedinteger single
        ubyte uint uintc uintp ulong ulonglong unsignedinteger ushort
    """,
    "matrices": """
        diag_indices diag_indices_from fill_diagonal identity mask_indices tri
        tril_indices tril_indices_from triu_indices triu_indices_from vander
    """,
    "padding": "pad",
    "polynomials": "poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots",
    "printing": """
        array2string array_repr array_str base_repr binary_repr format_float_positional
        format_float_scientific get_printoptions printoptions set_printoptions
    """,
    "quantiles": "nanmedian nanpercentile percentile",
    "sets": """
        argpartition in1d intersect1d lexsort partition setdiff1d setxor1d sort_complex union1d
    """,
    "signals": """
        bartlett blackman convolve correlate ediff1d gradient hamming hanning interp kaiser
        unwrap
    """,
    "text_files": """
        fromfile fromstring genfromtxt loadtxt savetxt savez savez_compressed
    """,
}
# The module below `strided` that has each name.
LATER = {
    name: f"numpy_names.{module}" for module, names in _NAMES.items() for name in names.split()
}
# NumPy's functions that run as ours when they are given tensors: gradients pass these.
_DISPATCHED = """
    append array_split atleast_1d atleast_2d atleast_3d average block column_stack compress
    delete dstack ediff1d extract gradient insert interp
    nancumprod nancumsum nanmedian nanpercentile nanprod nanstd nanvar pad percentile ptp
    resize rollaxis select trim_zeros unwrap vander
"""
DISPATCHED = frozenset(_DISPATCHED.split())
# What there is on purpose not, and the way instead.
LEFT_OUT = {
    **dict.fromkeys(
        ("matrix", "asmatrix", "bmat"), "matrices are tensors of rank 2: strided.block, x @ y"
    ),
    **dict.fromkeys(
        ("recarray", "record", "rec", "void", "flexible"),
        "there are no records: keep a tensor for each field",
    ),
    **dict.fromkeys(
        ("object_", "str_", "bytes_", "character", "strings", "char"),
        "tensors hold numbers: text and objects stay in lists",
    ),
    **dict.fromkeys(
        (
            *("datetime64", "timedelta64", "busday_count", "busday_offset", "busdaycalendar"),
            *("datetime_as_string", "datetime_data", "is_busday", "isnat"),
        ),
        "tensors hold numbers: keep seconds in an int64",
    ),
    **dict.fromkeys(
        ("longdouble", "clongdouble", "float128", "complex256"), "float64 is the widest float"
    ),
    **dict.fromkeys(
        ("errstate", "seterr", "geterr", "seterrcall", "geterrcall", "getbufsize", "setbufsize"),
        "operations give inf and NaN without a warning: ask strided.isfinite(x)",
    ),
    "ma": "there are no masked arrays: keep a mask beside them, strided.where(mask, x, 0)",
    "memmap": "strided.memory_map(path, shape=..., dtype=...) maps a file",
    **dict.fromkeys(
        ("nditer", "nested_iters", "flatiter", "broadcast"),
        "iterate over x.flat or strided.ndenumerate(x); strided.broadcast_tensors(x, y)",
    ),
    **dict.fromkeys(
        ("ufunc", "frompyfunc"), "strided.vectorize(function), or an autograd.Function"
    ),
    "einsum_path": "strided.einsum finds the order of products itself",
    "poly1d": "strided.polyval(coefficients, x), and polyadd, polymul, polyder on coefficients",
    "polynomial": "numpy.polynomial takes tensors: x.numpy()",
    "emath": "give complex numbers: strided.sqrt(x.to(strided.complex64))",
    **dict.fromkeys(("matvec", "vecmat"), "x @ y, or strided.einsum"),
    "fromregex": "numpy.fromregex reads it: strided.asarray(numpy.fromregex(...)['name'])",
    **dict.fromkeys(
        ("mintypecode", "typename", "typecodes", "sctypeDict", "ScalarType"),
        "dtypes have names, not letters: x.dtype.name, x.dtype.kind",
    ),
    "dtypes": "dtypes are strided.float32 and their like",
    "little_endian": "sys.byteorder says it",
    **dict.fromkeys(
        (
            *("core", "ctypeslib", "exceptions", "f2py", "get_include", "info", "show_config"),
            *("show_runtime", "test", "testing", "typing"),
        ),
        "it is about NumPy itself: import numpy",
    ),
}
# Members of ndarray that there are on purpose not.
LEFT_OUT_OF_TENSOR = {
    "byteswap": "files say their byte order; in memory there is one",
    "newbyteorder": "files say their byte order; in memory there is one",
    "itemset": "x[index] = value",
    "ctypes": "x.data_ptr() is the address",
    "dump": "strided.save(path, x)",
    "dumps": "pickle.dumps(x)",
    "getfield": "x.view(dtype) has the same bytes",
    "setfield": "x.view(dtype)[...] = value",
    "setflags": "x.writable says whether its memory may be written",
    "tostring": "x.tobytes()",
    "resize": "strided.resize(x, shape), a new tensor",
}
