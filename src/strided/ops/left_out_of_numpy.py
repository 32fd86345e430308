"""Names of NumPy that there are on purpose not, each with what to write instead."""

from __future__ import annotations

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
