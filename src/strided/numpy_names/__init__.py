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
    "stacking": """
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
    "pad_modes": "pad",
    "polynomials": "poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots",
    "printing": """
        array2string array_repr array_str base_repr binary_repr format_float_positional
        format_float_scientific printoptions
    """,
    "quantiles": "nanmedian nanpercentile percentile",
    "set_functions": """
        argpartition in1d intersect1d lexsort partition setdiff1d setxor1d sort_complex union1d
    """,
    "sequences": """
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
