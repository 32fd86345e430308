"""Names of PyTorch that there are on purpose not, each with what to use instead.

Asking for one raises AttributeError with the hint, so that ``hasattr`` says no. The tables are by
hint: what to do, and the names that it is for. ``tests/torch_names/test_torch_surface.py`` compares
them with the names that PyTorch has.
"""

from __future__ import annotations

from strided.ops import left_out_of_numpy

_SPARSE = "tensors are dense: keep values and positions in two tensors, and scatter them"
_CUDA = "there is only the CPU: leave out what names another device"
_QUANTISED = "strided.quantize makes weights of few bits; numbers of 8 bits are dtypes of integers"
_OWN = "it is a part of PyTorch's own machinery, for which there is nothing here to do"
_SYMBOLS = "shapes are plain integers"
_COPIES = "call .clone() on the view"
_LEGACY = "say the dtype: strided.tensor(data, dtype=strided.float32), strided.empty(2, 3)"
_JIT = "there is no compiler of programs: strided.fuse makes one function of elementwise operations"
_BUILD = "it says how PyTorch was built; strided.__version__, and `strided doctor`, say it of this"
_MKL = "it is the name of one kernel of PyTorch: use the function without the prefix"
_AMP = "precision is what the dtypes say: convert with .bfloat16() where it is wanted"
_RNN = "use the layers of strided.nn"
_DEPRECATED_LINALG = "PyTorch has deprecated it: use the functions of strided.linalg"
_NO_FLAGS = "it is set by the environment or by a parameter: see strided.set_num_threads"

TENSOR: dict[str, str] = {
    _SPARSE: """
        ccol_indices col_indices crow_indices row_indices indices values coalesce is_coalesced
        dense_dim sparse_dim sparse_mask sparse_resize_ sparse_resize_and_clear_ resize_as_sparse_
        smm sspaddmm to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr
        to_padded_tensor
    """,
    _CUDA: """
        cuda xpu ipu mtia is_ipu is_maia is_mtia is_vulkan is_xla record_stream to_mkldnn
        is_distributed
    """,
    _QUANTISED: """
        dequantize int_repr q_per_channel_axis q_per_channel_scales q_per_channel_zero_points
        q_scale q_zero_point qscheme
    """,
    _DEPRECATED_LINALG: """
        cholesky eig symeig lstsq lu lu_solve qr solve svd triangular_solve ger geqrf orgqr ormqr
    """,
    "name the axes in a comment, or use xarray over tensors": "name",
    "use strided.memory.Storage: x.storage()": "storage_type untyped_storage set_ const_data_ptr",
    "map over the elements with an operation, or over x.tolist()": "apply_ map_ map2_",
    "use x.new_empty(...)": "new",
    "use resize_, which works in place": "resize resize_as",
    "strided.interop shares memory between processes: see the page on sharing": "share_memory_"
    " is_shared",
    "a random number has no gradient here: use the logarithm of its probability": "reinforce",
    "use x[index]": "index slice_inverse",
    "complex numbers of half precision do not exist: use cfloat": "chalf",
    "it is what torch.func and torch.nn call": "as_subclass module_load grad_dtype hash_tensor",
    "use x.requires_grad and strided.no_grad()": "volatile",
    "use x.nonzero()": "nonzero_static",
}

NAMESPACE: dict[str, str] = {
    _SPARSE: """
        sparse sparse_bsc sparse_bsc_tensor sparse_bsr sparse_bsr_tensor sparse_compressed_tensor
        sparse_coo sparse_coo_tensor sparse_csc sparse_csc_tensor sparse_csr sparse_csr_tensor smm
        spmm sspaddmm dsmm hsmm hspmm saddmm resize_as_sparse_ jagged nested masked segment_reduce
    """,
    _CUDA: """
        cuda xpu mps mtia accelerator Event Stream get_device get_device_module DeviceObjType
        StreamObjType AcceleratorError is_vulkan_available has_mkl has_lapack has_openmp
        has_spectral cudnn_is_acceptable
    """,
    _QUANTISED: """
        quantization quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic
        dequantize int_repr q_per_channel_axis q_per_channel_scales q_per_channel_zero_points
        q_scale q_zero_point qscheme qint32 qint8 quint2x4 quint4x2 quint8 per_channel_affine
        per_channel_affine_float_qparams per_channel_symmetric per_tensor_affine
        per_tensor_symmetric empty_quantized quantized_batch_norm quantized_gru quantized_gru_cell
        quantized_lstm quantized_lstm_cell quantized_max_pool1d quantized_max_pool2d
        quantized_max_pool3d quantized_rnn_relu_cell quantized_rnn_tanh_cell
        fake_quantize_per_channel_affine fake_quantize_per_tensor_affine
        fused_moving_avg_obs_fake_quant choose_qparams_optimized ao QInt32Storage QInt8Storage
        QUInt2x4Storage QUInt4x2Storage QUInt8Storage fbgemm_linear_fp16_weight
        fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight
        fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight
        fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix
    """,
    "dtypes are those of the array API with float16 and bfloat16": """
        bit bits16 bits1x8 bits2x4 bits4x2 bits8 chalf complex32 float4_e2m1fn_x2 float8_e4m3fn
        float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int1 int2 int3 int4 int5 int6
        int7 uint1 uint2 uint3 uint4 uint5 uint6 uint7
    """,
    _LEGACY: """
        FloatTensor DoubleTensor HalfTensor BFloat16Tensor LongTensor IntTensor ShortTensor
        CharTensor ByteTensor BoolTensor set_default_tensor_type BFloat16Storage BoolStorage
        ByteStorage CharStorage ComplexDoubleStorage ComplexFloatStorage DoubleStorage FloatStorage
        HalfStorage IntStorage LongStorage ShortStorage TypedStorage UntypedStorage StorageBase
        storage typename
    """,
    _JIT: """
        jit compile compiler compiled_with_cxx11_abi export fx package library classes
        CompilationUnit ScriptModule ScriptFunction ScriptMethod ScriptObject ScriptDict ScriptList
        ScriptClass ScriptClassFunction ScriptDictIterator ScriptDictKeyIterator
        ScriptModuleSerializer ScriptObjectProperty LiteScriptModule StaticModule Graph
        GraphExecutorState Gradient Block Node Value Use Code Argument ArgumentSpec
        CompleteArgumentSpec AliasDb FunctionSchema OperatorInfo parse_ir parse_schema
        parse_type_comment merge_type_from_type_comment unify_type_list import_ir_module
        import_ir_module_from_buffer TracingState CallStack Capsule FileCheck JITException
        ErrorReport IODescriptor ConcreteModuleType ConcreteModuleTypeBuilder DeepCopyMemoTable
        DeserializationStorageContext SerializationStorageContext PyTorchFileReader
        PyTorchFileWriter AnyType InferredType ScriptListIterator AwaitType BoolType
        ClassType ComplexType DictType
        EnumType FloatType FutureType IntType InterfaceType ListType NoneType NumberType
        OptionalType PyObjectType RRefType StringType SymBoolType SymIntType TensorType TupleType
        Type UnionType AggregationType AVG SUM fork wait Future futures while_loop cond
        init_num_threads Tag classproperty
    """,
    _SYMBOLS: """
        SymBool SymFloat SymInt sym_constrain_range sym_constrain_range_for_size sym_float
        sym_fresh_size sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum
    """,
    _COPIES: """
        alias_copy as_strided_copy ccol_indices_copy col_indices_copy crow_indices_copy detach_copy
        diagonal_copy expand_copy indices_copy permute_copy row_indices_copy select_copy slice_copy
        split_copy split_with_sizes_copy squeeze_copy t_copy transpose_copy unbind_copy unfold_copy
        unsqueeze_copy values_copy view_as_complex_copy view_as_real_copy view_copy
    """,
    _AMP: """
        amp autocast GradScaler autocast_decrement_nesting autocast_increment_nesting
        clear_autocast_cache get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype
        get_autocast_ipu_dtype get_autocast_xla_dtype is_autocast_cache_enabled
        is_autocast_cpu_enabled is_autocast_enabled is_autocast_ipu_enabled
        is_autocast_xla_enabled set_autocast_cache_enabled set_autocast_cpu_dtype
        set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype
        set_autocast_ipu_dtype set_autocast_ipu_enabled set_autocast_xla_dtype
        set_autocast_xla_enabled
    """,
    _MKL: """
        batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt
        batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats
        batch_norm_update_stats cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution
        cudnn_convolution_add_relu cudnn_convolution_relu cudnn_convolution_transpose
        cudnn_grid_sampler miopen_batch_norm miopen_convolution miopen_convolution_add_relu
        miopen_convolution_relu miopen_convolution_transpose miopen_ctc_loss
        miopen_depthwise_convolution miopen_rnn mkldnn_adaptive_avg_pool2d mkldnn_convolution
        mkldnn_linear_backward_weights mkldnn_max_pool2d mkldnn_max_pool3d mkldnn_rnn_layer
        native_batch_norm native_channel_shuffle native_dropout native_group_norm
        native_layer_norm native_norm affine_grid_generator grid_sampler grid_sampler_2d
        grid_sampler_3d convolution conv_tbc constant_pad_nd max_pool1d_with_indices
        embedding_renorm_ norm_except_dim hash_tensor nonzero_static
        slice_inverse fill fill_ index_put_ resize_as_ as_strided_ detach_ zero_
        threshold_ dropout_ alpha_dropout_ feature_dropout feature_dropout_ feature_alpha_dropout
        feature_alpha_dropout_ rrelu_ selu_ celu_ binomial_ frobenius_norm nuclear_norm
        resize_as_sparse cudnn_rnn
    """,
    "call the method: x.exp_()": """
        abs_ acos_ acosh_ addmv_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ asin_ asinh_
        atan_ atanh_ ceil_ clamp_ clamp_max_ clamp_min_ clip_ conj_physical_ cos_ cosh_ deg2rad_
        erf_ erfc_ exp2_ exp_ expm1_ fix_ floor_ frac_ gcd_ i0_ lcm_ ldexp_ log10_ log1p_ log2_
        log_ logit_ nan_to_num_ neg_ negative_ rad2deg_ reciprocal_ relu_ round_ rsqrt_ sigmoid_
        sin_ sinc_ sinh_ sqrt_ square_ tan_ tanh_ trunc_ xlogy_
    """,
    _RNN: "gru gru_cell lstm lstm_cell rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell",
    _DEPRECATED_LINALG: """
        cholesky eig symeig lstsq qr solve svd triangular_solve ger geqrf orgqr ormqr lu lobpcg
        pca_lowrank svd_lowrank cholesky_inverse cholesky_solve
    """,
    _NO_FLAGS: """
        get_num_interop_threads set_num_interop_threads get_deterministic_debug_mode
        set_deterministic_debug_mode is_deterministic_algorithms_warn_only_enabled
        set_flush_denormal is_warn_always_enabled set_warn_always is_anomaly_enabled
        is_anomaly_check_nan_enabled set_anomaly_enabled backends
    """,
    _OWN: """
        ExcludeDispatchKeyGuard ExecutionPlan BenchmarkConfig BenchmarkExecutionStats
        BufferDict ModuleDict ParameterDict
        DisableTorchFunction DisableTorchFunctionSubclass DispatchKey DispatchKeySet FatalError
        LockingLogger LoggerBase NoopLogger OutOfMemoryError PRIVATE_OPS TYPE_CHECKING
        ThroughputBenchmark USE_GLOBAL_DEPS USE_RTLD_GLOBAL_WITH_LIBTORCH builtins cpp ctypes
        functools glob importlib os platform sys textwrap threading types warnings
        torch torch_version version overrides functional hub math monitor
        multiprocessing prepare_multiprocessing_environment profiler
        profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 quasirandom return_types
        serialization signal testing thread_safe_generator windows get_file_path
        from_file distributed distributions is_distributed layout memory_format
        legacy_contiguous_format channels_last_3d cpu
    """,
    "shapes are tuples: tuple(...)": "Size",
    "use arange, which leaves out the end, or linspace, which has it": "range",
    "use tensors' memory through DLPack: strided.from_dlpack(x)": "to_dlpack",
    "import strided as torch: the library is the module itself": "strided",
}

# NumPy's come with hints of their own; what both have said is PyTorch's.
for _table, _more in (
    (NAMESPACE, left_out_of_numpy.LEFT_OUT),
    (TENSOR, left_out_of_numpy.LEFT_OUT_OF_TENSOR),
):
    _known = {_name for _names in _table.values() for _name in _names.split()}
    for _name, _hint in _more.items():
        if _name not in _known:
            _table[_hint] = f"{_table.get(_hint, '')} {_name}"

# Functions that other packages have under the same name, or the one after it.
ELSEWHERE: dict[str, str] = {
    name: place
    for place, names in {
        "linalg.factors": """
            logdet lu_unpack
        """,
        "linalg": """
            det slogdet inverse pinverse matrix_power matrix_exp matrix_rank lu_solve
        """,
        "nn.functional": """
            adaptive_avg_pool1d adaptive_max_pool1d alpha_dropout avg_pool1d batch_norm bilinear
            binary_cross_entropy_with_logits celu channel_shuffle conv1d conv2d conv3d
            conv_transpose1d conv_transpose2d conv_transpose3d cosine_embedding_loss
            cosine_similarity ctc_loss dropout embedding embedding_bag group_norm
            hinge_embedding_loss instance_norm kl_div layer_norm log_softmax margin_ranking_loss
            max_pool1d max_pool2d max_pool3d pairwise_distance pixel_shuffle pixel_unshuffle
            poisson_nll_loss prelu rms_norm rrelu selu softmax threshold triplet_margin_loss
        """,
    }.items()
    for name in names.split()
}
LINALG: dict[str, str] = {
    "use solve, or eigh of a symmetric matrix": "ldl_factor ldl_factor_ex ldl_solve",
}

NAMES_ELSEWHERE = {"inverse": "inv", "pinverse": "pinv"}


def refusal(owner: str, name: str, table: dict[str, str]) -> AttributeError:
    """Return the error for a name that there is not; with a hint where one is known.

    >>> str(refusal("module 'strided'", "sparse_coo_tensor", NAMESPACE)).count("dense")
    1
    """
    says = f"{owner} has no attribute {name!r}"
    for hint, names in table.items():
        if name in names.split():
            return AttributeError(f"{says}: {hint}", name=name)
    return AttributeError(says, name=name)
