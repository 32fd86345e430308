"""How the work of an operation grows: by what it returns, unless a table says otherwise.

n is the number of elements that are read or written, whichever is more.
"""

from __future__ import annotations

from strided.ops.define import Definition

VIEW = "O(1): a new layout; no element is read"
EITHER = "O(1) where it is a view, O(n) where it copies"
ELEMENTS = "O(n)"
FACT = "O(1)"
_SORT = "O(n log n) at most; keys of few digits are counted in O(n)"
_MATRIX = "O(k³) for each matrix of k rows"

_BY_MODULE: dict[str, str] = {
    "strided.linalg.decompositions": _MATRIX,
    "strided.linalg.solving": _MATRIX,
    "strided.fft.transforms": "O(n log n)",
    "strided.autograd.in_place": VIEW,
    "strided.nn.conv": "O(n · w) for n results and windows of w elements",
    "strided.nn.pooling": "O(n · w) for n results and windows of w elements",
}

# By the key of a definition.
_OWN: dict[str, str] = {
    **dict.fromkeys(("empty", "empty_like"), "O(1): memory is taken, no element is written"),
    **dict.fromkeys(("sort", "sort with positions", "argsort", "msort"), _SORT),
    **dict.fromkeys(
        ("unique", "unique_values", "unique_counts", "unique_inverse", "unique_all"), _SORT
    ),
    **dict.fromkeys(
        ("topk", "kthvalue", "median", "lower median"), "O(n): what is not asked for is not sorted"
    ),
    **dict.fromkeys(
        ("searchsorted", "bucketize", "histogram"),
        "O(n log m) for n values in m sorted ones",
    ),
    "isin": "O((n + m) log m) for n elements among m",
    **dict.fromkeys(
        ("matmul", "mm", "bmm", "addmm", "addmm_", "baddbmm", "baddbmm_", "dot", "inner"),
        "O(m · k · n) for matrices m × k and k × n",
    ),
    **dict.fromkeys(("mv", "addmv"), "O(m · n) for a matrix m × n"),
    **dict.fromkeys(("outer", "outer_of_vectors", "kron"), "O(m · n) for m and n elements"),
    **dict.fromkeys(
        ("einsum", "tensordot"), "O(the product of the lengths of all labels) for each product"
    ),
    "shares_memory": "O(1) for most layouts; exact answers may take up to a fixed amount of work",
    "may_share_memory": FACT,
    **dict.fromkeys(("array_equal", "allclose"), ELEMENTS),
    "__contains__": ELEMENTS,
    "linalg.svdvals": _MATRIX,
    "linalg.matrix_rank": _MATRIX,
    "linalg.pinv": _MATRIX,
    "linalg.matrix_norm": 'O(n); O(k³) for `"nuc"`, 2 and -2',
    "linalg.matrix_power": "O(k³ log n) for each matrix of k rows",
    "linalg.cross": ELEMENTS,
    "nn.linear": "O(T · k · n) for T rows and a weight n × k",
    "nn.attention": "O(T · S · d) for T queries and S keys, for each head",
    "nn.scaled_dot_product_attention": "O(L · S · d) for L queries and S keys, for each head",
    "nn.adaptive_avg_pool2d": ELEMENTS,
    "nn.dropout": ELEMENTS,
}

_BY_KIND: dict[str, str] = {
    "view": VIEW,
    "either": EITHER,
    "new": ELEMENTS,
    "in place": ELEMENTS,
    "value": FACT,
}


def cost(key: str, definition: Definition) -> str:
    """Return how the work of an operation grows.

    >>> from strided.ops.define import DEFINITIONS
    >>> cost("permute", DEFINITIONS["permute"]), cost("sum", DEFINITIONS["sum"])
    ('O(1): a new layout; no element is read', 'O(n)')
    """
    if key in _OWN:
        return _OWN[key]
    by_kind = _BY_KIND[definition.kind]
    if definition.kind in ("new", "in place"):
        return _BY_MODULE.get(definition.python.__module__, by_kind)
    return by_kind
