"""Arguments of the operations that have PyTorch's names alone, of linalg's rest and of special."""

from __future__ import annotations

from docs_site.tables.repeated import for_each

_UPPER = "Whether the triangle is the upper one."
_LEFT = "Whether the matrix stands on the left of x; else on its right."
_PROBABILITY = "The probability, from 0 to 1: a number or a tensor."
_NORM = "The order of the norm: a number, 0 or infinity."
_PIVOT = "Whether rows are swapped: they must be."
_ERRORS = "Whether a failure is an error after all."

OWN: dict[str, str] = {
    **for_each(
        "linalg.lu linalg.lu_factor linalg.lu_factor_ex",
        pivot=_PIVOT,
    ),
    **for_each(
        "linalg.lu_solve",
        LU="Both triangles in one matrix, as `lu_factor` returns them.",
        pivots="The swaps of rows, as `lu_factor` returns them.",
        B="The right side.",
        left=_LEFT,
        adjoint="Whether the system of the conjugate transpose is solved.",
    ),
    **for_each(
        "linalg.solve_triangular",
        A="The triangle.",
        B="The right side.",
        upper=_UPPER,
        left=_LEFT,
        unitriangular="Whether the diagonal counts as ones.",
    ),
    **for_each(
        "linalg.cholesky_solve linalg.cholesky_inverse",
        B="The right side.",
        L="The Cholesky factor.",
        upper=_UPPER,
    ),
    **for_each(
        "linalg.lstsq",
        A="The matrix.",
        B="The right side: as many rows as the matrix.",
        rcond="Singular values up to `rcond` times the largest count as zero.",
        driver="The name of a routine of LAPACK, as PyTorch takes it; there is one way here.",
    ),
    "linalg.cond.p": "Which norm: 2 by default, or one that `matrix_norm` takes.",
    "linalg.norm.ord": "Which norm: of vectors a number, of matrices one that `matrix_norm` takes.",
    **for_each("linalg.norm linalg.matrix_norm", axis="One axis of vectors, or two of matrices."),
    "linalg.tensorinv.ind": "So many of the first axes are the rows.",
    **for_each("linalg.tensorsolve", A="The tensor.", B="The right side."),
    "linalg.tensorsolve.dims": "Axes that are moved to the end first.",
    "linalg.vander.N": "How many powers; as many as elements by default.",
    **for_each(
        "linalg.householder_product",
        A="The directions of the reflections, below the diagonal of its columns.",
        tau="The factors of the reflections.",
    ),
    **for_each("linalg.inv_ex linalg.cholesky_ex linalg.lu_factor_ex", check_errors=_ERRORS),
    "linalg.cholesky_ex.upper": _UPPER,
    **for_each(
        "linalg.solve_ex", A="The matrix.", B="The right side.", left=_LEFT, check_errors=_ERRORS
    ),
    # products
    **for_each("addr addr_", vec1="The first vector."),
    "chain_matmul.matrices": "The matrices, in order.",
    **for_each("clamp_min clamp_max", bound="The bound: a number or a tensor."),
    "hardshrink.lambd": "The size up to which elements become zero.",
    "prelu.weight": "The slope below zero: one number, or one for each channel.",
    # repeats and parts
    "repeat of a tensor.repeats": "How often along each axis; more numbers than axes add axes.",
    **for_each(
        "repeat_interleave",
        repeats="How often: one number, or one for each position.",
        output_size="The length of the result, as PyTorch takes it; it is counted here.",
    ),
    "split_with_sizes.split_sizes": "The length of each part.",
    "unsafe_split.split_size": "The length of the parts, or that of each.",
    "sum_to_size.size": "The shape to sum to.",
    # questions
    "is_set_to.tensor": "The other tensor.",
    **for_each("is_tensor is_storage", obj="Anything."),
    "type of elements.non_blocking": "Taken as PyTorch does; it changes nothing.",
    "set_default_dtype.d": "The dtype: float32.",
    "device.type": 'The name of the device: `"cpu"`.',
    "set_float32_matmul_precision.precision": '`"highest"`, `"high"` or `"medium"`.',
    "use_deterministic_algorithms.mode": "Taken as PyTorch does; it changes nothing.",
    "use_deterministic_algorithms.warn_only": "Taken as PyTorch does; it changes nothing.",
    # diagonals
    "diag.diagonal": "Which diagonal: 0 is the main one, 1 the one above, -1 the one below.",
    "fill_diagonal_.wrap": "Whether the diagonal of a tall matrix begins again.",
    **for_each("slice_scatter", end="The end, which is not included.", step="The step."),
    **for_each(
        "combinations",
        r="How many elements are chosen.",
        with_replacement="Whether an element may be chosen more than once.",
    ),
    # signals
    **for_each(
        "hann_window hamming_window blackman_window bartlett_window kaiser_window",
        window_length="The number of elements.",
        periodic="Whether the window goes on where it began, as transforms want it; else it is"
        " symmetric.",
    ),
    **for_each("hamming_window", alpha="The mean.", beta="The size of the cosine."),
    "kaiser_window.beta": "How steep the window is.",
    **for_each(
        "stft istft",
        n_fft="The length of a transform.",
        hop_length="The distance of neighbouring pieces; a quarter of `n_fft` by default.",
        win_length="The length of the window; `n_fft` by default.",
        window="The window: a vector; ones by default.",
        center="Whether the first piece has its middle at the first element.",
        pad_mode="How the signal is padded for that.",
        normalized="Whether results are divided by the root of `n_fft`.",
        onesided="Whether there are frequencies from 0 up only; so of real signals by default.",
        return_complex="Whether results are complex; transforms must be.",
        length="The length of the signal.",
    ),
    # draws
    **for_each("uniform_ random_", from_="The lowest number.", to="The end, which is not drawn."),
    **for_each(
        "normal_ log_normal_ normal",
        mean="The mean.",
        std="The standard deviation.",
    ),
    "exponential_.lambd": "The rate: one over the mean.",
    **for_each("cauchy_", median="The median.", sigma="Half the width at half the height."),
    **for_each("geometric_ bernoulli_ bernoulli", p=_PROBABILITY),
    **for_each("binomial", count="The number of trials.", prob=_PROBABILITY),
    **for_each(
        "multinomial",
        num_samples="How many are drawn from each row.",
        replacement="Whether a position may be drawn again.",
    ),
    **for_each(
        "randint_like", low="The lowest number, or the end where it is alone.", high="The end."
    ),
    "new_tensor.data": "Numbers, lists, arrays or a tensor.",
    "empty_permuted.physical_layout": "The axes from the slowest in memory to the fastest.",
    "scalar_tensor.s": "The number.",
    "complex of parts.real": "The real parts.",
    "complex of parts.imag": "The imaginary parts, of the same dtype.",
    **for_each("polar", abs="The absolute values.", angle="The angles, in radians."),
    **for_each("Generator.set_state set_rng_state", state="What `get_state` returned."),
    # norms, moments and quantiles
    "norm.p": 'The order: a number, `"fro"` or `"nuc"`.',
    **for_each("dist cdist pdist renorm", p=_NORM),
    "cdist.compute_mode": "Taken as PyTorch does; distances are always exact.",
    "renorm.maxnorm": "The largest norm that a slice keeps.",
    **for_each("cov", fweights="How often each column counts.", aweights="Weights of columns."),
    **for_each(
        "quantile nanquantile",
        q="The shares, from 0 to 1: a number or a tensor.",
        interpolation='What is between two elements: `"linear"`, `"lower"`, `"higher"`,'
        ' `"nearest"` or `"midpoint"`.',
        axis="The axis; all elements by default.",
    ),
    "nanmedian.axis": "The axis; all elements by default.",
    **for_each("histc", bins="The number of bins.", min="The lowest edge.", max="The highest one."),
    **for_each(
        "trapezoid cumulative_trapezoid", y="The values.", x="Their places.", dx="Their distance."
    ),
    **for_each(
        "set_printoptions",
        precision="The digits behind the point.",
        threshold="How many elements are printed whole.",
        edgeitems="How many elements of an axis a summary shows at each end.",
        linewidth="The characters of a line.",
        profile='Where settings start: `"default"`, `"short"` or `"full"`.',
        sci_mode="Whether floats are printed with exponents; `None`: where that is shorter.",
        suppress="NumPy's word for `sci_mode=False`.",
    ),
    # special
    **for_each("polygamma", n="Which derivative."),
    "polygamma_ of a tensor.n": "Which derivative.",
    "polygamma of a tensor.n": "Which derivative.",
    "special.zeta.n": "What is added to the counting numbers.",
    "mvlgamma.p": "The number of dimensions.",
    **for_each(
        "special.chebyshev_polynomial_t special.chebyshev_polynomial_u"
        " special.chebyshev_polynomial_v special.chebyshev_polynomial_w"
        " special.hermite_polynomial_h special.hermite_polynomial_he"
        " special.laguerre_polynomial_l special.legendre_polynomial_p"
        " special.shifted_chebyshev_polynomial_t special.shifted_chebyshev_polynomial_u"
        " special.shifted_chebyshev_polynomial_v special.shifted_chebyshev_polynomial_w",
        n="The degree: an integer or a tensor of them.",
    ),
}
