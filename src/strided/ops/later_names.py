"""Names of chapters that load later. Written by tools/make_stubs.py (make stubs)."""

FUNCTIONS: dict[str, str] = {
    "strided.ops.diagonals": """
        as_strided_scatter block_diag cartesian_prod combinations diag diag_embed diagflat
        diagonal_scatter select_scatter slice_scatter trace
    """,
    "strided.ops.distributions": """
        corrcoef cov cumulative_trapezoid histc logcumsumexp mode std_mean trapezoid trapz
        var_mean
    """,
    "strided.ops.filling": """
        bernoulli binomial complex empty_permuted empty_strided multinomial normal poisson polar
        randint_like scalar_tensor
    """,
    "strided.ops.questions": """
        are_deterministic_algorithms_enabled device get_default_device get_default_dtype
        get_float32_matmul_precision is_complex is_conj is_floating_point is_inference
        is_inference_mode_enabled is_neg is_nonzero is_same_size is_signed is_storage is_tensor
        isreal numel resolve_conj resolve_neg set_default_device set_default_dtype
        set_float32_matmul_precision use_deterministic_algorithms
    """,
    "strided.ops.repeating": """
        adjoint narrow_copy repeat_interleave split_with_sizes take_along_dim unsafe_split
        unsafe_split_with_sizes
    """,
    "strided.special.functions": """
        erfinv i0 igamma igammac mvlgamma polygamma
    """,
    "strided.numpy_names.quantiles": """
        nanquantile quantile
    """,
    "strided.torch_names.pair_distances": """
        cdist dist norm pdist renorm
    """,
    "strided.torch_names.products": """
        addbmm addr chain_matmul clamp_max clamp_min cross frexp hardshrink prelu rsub
    """,
    "strided.torch_names.spectra": """
        bartlett_window blackman_window hamming_window hann_window istft kaiser_window stft
    """,
}

METHODS: dict[str, str] = {
    "strided.ops.diagonals": """
        as_strided_scatter diag diag_embed diagflat diagonal_scatter fill_diagonal_ select_scatter
        slice_scatter trace
    """,
    "strided.ops.distributions": """
        corrcoef cov histc logcumsumexp mode nanmedian
    """,
    "strided.ops.filling": """
        bernoulli bernoulli_ cauchy_ exponential_ geometric_ log_normal_ multinomial new_empty
        new_empty_strided new_full new_ones new_tensor new_zeros normal_ random_ uniform_
    """,
    "strided.ops.questions": """
        dim_order get_device is_complex is_conj is_cpu is_cuda is_floating_point is_inference
        is_meta is_mkldnn is_mps is_neg is_nested is_nonzero is_pinned is_quantized is_same_size
        is_set_to is_signed is_sparse is_sparse_csr is_xpu isreal ndimension nelement pin_memory
        resolve_conj resolve_neg to_dense type
    """,
    "strided.ops.repeating": """
        adjoint cumprod_ cumsum_ mH narrow_copy repeat repeat_interleave resize_ resize_as_
        split_with_sizes sum_to_size unsafe_split unsafe_split_with_sizes
    """,
    "strided.special.functions": """
        erfinv erfinv_ i0 i0_ igamma igamma_ igammac igammac_ mvlgamma mvlgamma_ polygamma
        polygamma_
    """,
    "strided.numpy_names.quantiles": """
        nanquantile quantile
    """,
    "strided.torch_names.pair_distances": """
        dist renorm renorm_
    """,
    "strided.torch_names.products": """
        addbmm addbmm_ addmv_ addr addr_ clamp_max clamp_max_ clamp_min clamp_min_ cross frexp
        hardshrink prelu
    """,
    "strided.torch_names.spectra": """
        istft stft
    """,
    "strided.linalg.matrix_functions": """
        det matrix_power pinverse slogdet
    """,
    "strided.linalg.solving": """
        inverse
    """,
    "strided.linalg.factors": """
        cholesky_inverse cholesky_solve logdet matrix_exp
    """,
    "strided.nn.activation": """
        log_softmax softmax
    """,
}
LEFT_OUT_OF_TENSOR = """
        apply_ as_subclass byteswap ccol_indices chalf cholesky coalesce col_indices
        const_data_ptr crow_indices ctypes cuda dense_dim dequantize dump dumps eig geqrf ger
        getfield grad_dtype hash_tensor index indices int_repr ipu is_coalesced is_distributed
        is_ipu is_maia is_mtia is_shared is_vulkan is_xla itemset lstsq lu lu_solve map2_ map_
        module_load mtia name new newbyteorder nonzero_static orgqr ormqr q_per_channel_axis
        q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qr qscheme
        record_stream reinforce resize resize_as resize_as_sparse_ row_indices set_ setfield
        setflags share_memory_ slice_inverse smm solve sparse_dim sparse_mask sparse_resize_
        sparse_resize_and_clear_ sspaddmm storage_type svd symeig to_mkldnn to_padded_tensor
        to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr tostring
        triangular_solve untyped_storage values volatile xpu
"""
