"""Names that PyTorch 2.13.0 has too, written by ``tools/record_torch_names.py``."""

TORCH_NAMES: dict[str, str] = {
    "torch": """
        Generator ModuleDict ParameterDict Storage Tensor abs abs_ absolute acos acos_ acosh
        acosh_ adaptive_avg_pool1d adaptive_max_pool1d add addbmm addcdiv addcmul addmm addmv
        addmv_ addr adjoint all allclose alpha_dropout amax amin aminmax angle any arange arccos
        arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan_ arctanh
        arctanh_ are_deterministic_algorithms_enabled argmax argmin argsort argwhere as_strided
        as_strided_ as_strided_scatter as_tensor asarray asin asin_ asinh asinh_ atan atan2 atan_
        atanh atanh_ atleast_1d atleast_2d atleast_3d autograd avg_pool1d baddbmm bartlett_window
        batch_norm bernoulli bfloat16 bilinear binary_cross_entropy_with_logits bincount binomial
        bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor
        blackman_window block_diag bmm bool broadcast_shapes broadcast_tensors broadcast_to
        bucketize can_cast cartesian_prod cat cdist cdouble ceil ceil_ celu celu_ cfloat
        chain_matmul channel_shuffle channels_last cholesky cholesky_inverse cholesky_solve chunk
        clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ clone column_stack
        combinations complex complex128 complex64 concat concatenate cond conj conj_physical
        conj_physical_ contiguous_format conv1d conv2d conv3d conv_transpose1d conv_transpose2d
        conv_transpose3d copysign corrcoef cos cos_ cosh cosh_ cosine_embedding_loss
        cosine_similarity count_nonzero cov cpu cross ctc_loss cummax cummin cumprod cumsum
        cumulative_trapezoid default_generator deg2rad deg2rad_ det detach detach_ device diag
        diag_embed diagflat diagonal diagonal_scatter diff digamma dist div divide dot double
        dropout dsplit dstack dtype e eig einsum embedding embedding_bag empty empty_like
        empty_permuted empty_strided enable_grad eq equal erf erf_ erfc erfc_ erfinv exp exp2
        exp2_ exp_ expm1 expm1_ eye feature_alpha_dropout fft fill fill_ finfo fix fix_ flatten
        flip fliplr flipud float float16 float32 float64 float_power floor floor_ floor_divide
        fmax fmin fmod frac frac_ frexp from_dlpack from_numpy frombuffer full full_like func
        functional gather gcd gcd_ ge get_default_device get_default_dtype get_device
        get_float32_matmul_precision get_num_threads get_rng_state gradient greater greater_equal
        group_norm gt half hamming_window hann_window hardshrink heaviside hinge_embedding_loss
        histc histogram histogramdd hsplit hstack hypot i0 i0_ igamma igammac iinfo imag index_add
        index_copy index_fill index_put index_put_ index_reduce index_select inf inference_mode
        initial_seed inner inspect instance_norm int int16 int32 int64 int8 inverse is_complex
        is_conj is_floating_point is_grad_enabled is_inference is_inference_mode_enabled is_neg
        is_nonzero is_same_size is_signed is_storage is_tensor isclose isfinite isin isinf isnan
        isneginf isposinf isreal istft kaiser_window kl_div kron kthvalue layer_norm layout lcm
        lcm_ ldexp ldexp_ le lerp less less_equal lgamma linalg linspace load log log10 log10_
        log1p log1p_ log2 log2_ log_ log_softmax logaddexp logaddexp2 logcumsumexp logdet
        logical_and logical_not logical_or logical_xor logit logit_ logspace logsumexp long lstsq
        lt lu lu_solve manual_seed margin_ranking_loss masked_fill masked_scatter masked_select
        math matmul matrix_exp matrix_power matrix_rank max max_pool1d max_pool2d max_pool3d
        maximum mean median meshgrid min minimum mm mode moveaxis movedim msort mul multinomial
        multiply mv mvlgamma nan nan_to_num nan_to_num_ nanmean nanmedian nanquantile nansum
        narrow narrow_copy ne neg neg_ negative negative_ newaxis nextafter nn no_grad nonzero
        norm normal not_equal numel ones ones_like optim outer pairwise_distance pdist permute pi
        pinverse pixel_shuffle pixel_unshuffle poisson poisson_nll_loss polar polygamma positive
        pow prelu preserve_format prod promote_types put qr quantile rad2deg rad2deg_ rand
        rand_like randint randint_like randn randn_like random randperm ravel real reciprocal
        reciprocal_ relu relu_ remainder renorm repeat_interleave reshape resize_as_ resolve_conj
        resolve_neg result_type rms_norm roll rot90 round round_ row_stack rrelu rrelu_ rsqrt
        rsqrt_ rsub save scalar_tensor scatter scatter_add scatter_reduce searchsorted seed select
        select_scatter selu selu_ set_default_device set_default_dtype
        set_float32_matmul_precision set_grad_enabled set_num_threads set_printoptions
        set_rng_state sgn short sigmoid sigmoid_ sign signbit sin sin_ sinc sinc_ sinh sinh_
        slice_scatter slogdet softmax solve sort special split split_with_sizes sqrt sqrt_ square
        square_ squeeze stack std std_mean stft storage sub subtract sum svd swapaxes swapdims t
        take take_along_dim tan tan_ tanh tanh_ tensor tensor_split tensordot threshold threshold_
        tile topk trace transpose trapezoid trapz tril tril_indices triplet_margin_loss triu
        triu_indices true_divide trunc trunc_ uint16 uint32 uint64 uint8 unbind unflatten unique
        unique_consecutive unravel_index unsafe_chunk unsafe_split unsafe_split_with_sizes
        unsqueeze use_deterministic_algorithms utils vander var var_mean vdot view_as_complex
        view_as_real vmap vsplit vstack where xlogy xlogy_ zero_ zeros zeros_like
    """,
    "torch.Tensor": """
        H T abs abs_ absolute absolute_ acos acos_ acosh acosh_ add add_ addbmm addbmm_ addcdiv
        addcdiv_ addcmul addcmul_ addmm addmm_ addmv addmv_ addr addr_ adjoint all allclose amax
        amin aminmax angle any arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_
        arctan arctan2 arctan2_ arctan_ arctanh arctanh_ argmax argmin argsort argwhere as_strided
        as_strided_ as_strided_scatter asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh
        atanh_ backward baddbmm baddbmm_ bernoulli bernoulli_ bfloat16 bincount bitwise_and
        bitwise_and_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or
        bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ bmm bool
        broadcast_to byte cauchy_ cdouble ceil ceil_ cfloat char cholesky cholesky_inverse
        cholesky_solve chunk clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_
        clone conj conj_physical conj_physical_ contiguous copy_ copysign copysign_ corrcoef cos
        cos_ cosh cosh_ count_nonzero cov cpu cross cummax cummin cumprod cumprod_ cumsum cumsum_
        data data_ptr deg2rad deg2rad_ det detach detach_ device diag diag_embed diagflat diagonal
        diagonal_scatter diff digamma digamma_ dim dim_order dist div div_ divide divide_ dot
        double dsplit dtype eig element_size eq eq_ equal erf erf_ erfc erfc_ erfinv erfinv_ exp
        exp2 exp2_ exp_ expand expand_as expm1 expm1_ exponential_ fill_ fill_diagonal_ fix fix_
        flatten flip fliplr flipud float float_power float_power_ floor floor_ floor_divide
        floor_divide_ fmax fmin fmod fmod_ frac frac_ frexp gather gcd gcd_ ge ge_ geometric_
        get_device grad grad_fn greater greater_ greater_equal greater_equal_ gt gt_ half
        hardshrink heaviside heaviside_ histc histogram hsplit hypot hypot_ i0 i0_ igamma igamma_
        igammac igammac_ imag index_add index_add_ index_copy index_copy_ index_fill index_fill_
        index_put index_put_ index_reduce index_reduce_ index_select indices inner int inverse
        is_complex is_conj is_contiguous is_cpu is_cuda is_floating_point is_inference is_leaf
        is_meta is_mkldnn is_mps is_neg is_nested is_nonzero is_pinned is_quantized is_same_size
        is_set_to is_signed is_sparse is_sparse_csr is_xpu isclose isfinite isinf isnan isneginf
        isposinf isreal istft item itemsize kron kthvalue layout lcm lcm_ ldexp ldexp_ le le_ lerp
        lerp_ less less_ less_equal less_equal_ lgamma lgamma_ log log10 log10_ log1p log1p_ log2
        log2_ log_ log_normal_ log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and
        logical_and_ logical_not logical_not_ logical_or logical_or_ logical_xor logical_xor_
        logit logit_ logsumexp long lstsq lt lt_ lu lu_solve mH mT masked_fill masked_fill_
        masked_scatter masked_scatter_ masked_select matmul matrix_exp matrix_power max maximum
        mean median min minimum mm mode moveaxis movedim msort mul mul_ multinomial multiply
        multiply_ mv mvlgamma mvlgamma_ nan_to_num nan_to_num_ nanmean nanmedian nanquantile
        nansum narrow narrow_copy nbytes ndim ndimension ne ne_ neg neg_ negative negative_
        nelement new_empty new_empty_strided new_full new_ones new_tensor new_zeros nextafter
        nextafter_ nonzero norm normal_ not_equal not_equal_ numel numpy outer output_nr permute
        pin_memory pinverse polygamma polygamma_ positive pow pow_ prelu prod put put_ qr quantile
        rad2deg rad2deg_ random_ ravel real reciprocal reciprocal_ register_hook
        register_post_accumulate_grad_hook relu relu_ remainder remainder_ renorm renorm_ repeat
        repeat_interleave requires_grad requires_grad_ reshape reshape_as resize resize_
        resize_as_ resolve_conj resolve_neg retain_grad retains_grad roll rot90 round round_ rsqrt
        rsqrt_ scatter scatter_ scatter_add scatter_add_ scatter_reduce scatter_reduce_ select
        select_scatter sgn sgn_ shape short sigmoid sigmoid_ sign sign_ signbit sin sin_ sinc
        sinc_ sinh sinh_ size slice_scatter slogdet softmax solve sort split split_with_sizes sqrt
        sqrt_ square square_ squeeze squeeze_ std stft storage storage_offset stride sub sub_
        subtract subtract_ sum sum_to_size svd swapaxes swapaxes_ swapdims swapdims_ t t_ take
        take_along_dim tan tan_ tanh tanh_ tensor_split tile to to_dense tolist topk trace
        transpose transpose_ tril tril_ triu triu_ true_divide true_divide_ trunc trunc_ type
        type_as unbind unflatten unfold uniform_ unique unique_consecutive unsafe_chunk
        unsafe_split unsafe_split_with_sizes unsqueeze unsqueeze_ var vdot view view_as vsplit
        where xlogy xlogy_ zero_
    """,
    "torch.nn": """
        AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss
        AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d AlphaDropout AvgPool1d AvgPool2d
        AvgPool3d BCELoss BCEWithLogitsLoss BatchNorm1d BatchNorm2d BatchNorm3d Bilinear CELU
        CTCLoss ChannelShuffle CircularPad1d CircularPad2d CircularPad3d ConstantPad1d
        ConstantPad2d ConstantPad3d Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d
        ConvTranspose3d CosineEmbeddingLoss CosineSimilarity CrossEntropyLoss Dropout Dropout1d
        Dropout2d Dropout3d ELU Embedding EmbeddingBag FeatureAlphaDropout Flatten Fold
        FractionalMaxPool2d FractionalMaxPool3d GELU GLU GRU GRUCell GaussianNLLLoss GroupNorm
        Hardshrink Hardsigmoid Hardswish Hardtanh HingeEmbeddingLoss HuberLoss Identity
        InstanceNorm1d InstanceNorm2d InstanceNorm3d KLDivLoss L1Loss LPPool1d LPPool2d LPPool3d
        LSTM LSTMCell LayerNorm LeakyReLU Linear LocalResponseNorm LogSigmoid LogSoftmax MSELoss
        MarginRankingLoss MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d Mish
        Module ModuleDict ModuleList MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss
        MultiheadAttention NLLLoss PReLU PairwiseDistance Parameter ParameterDict ParameterList
        PixelShuffle PixelUnshuffle PoissonNLLLoss RMSNorm RNN RNNBase RNNCell RNNCellBase RReLU
        ReLU ReLU6 ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d
        ReplicationPad2d ReplicationPad3d SELU Sequential SiLU Sigmoid SmoothL1Loss SoftMarginLoss
        Softmax Softmax2d Softmin Softplus Softshrink Softsign Tanh Tanhshrink Threshold
        Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder
        TransformerEncoderLayer TripletMarginLoss TripletMarginWithDistanceLoss Unflatten Unfold
        Upsample UpsamplingBilinear2d UpsamplingNearest2d ZeroPad1d ZeroPad2d ZeroPad3d attention
        functional grad init utils
    """,
    "torch.nn.functional": """
        DType Tensor adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d
        adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d affine_grid alpha_dropout
        avg_pool1d avg_pool2d avg_pool3d batch_norm bilinear binary_cross_entropy
        binary_cross_entropy_with_logits celu celu_ channel_shuffle conv1d conv2d conv3d
        conv_transpose1d conv_transpose2d conv_transpose3d cosine_embedding_loss cosine_similarity
        cross_entropy ctc_loss dropout dropout1d dropout2d dropout3d elu elu_ embedding
        embedding_bag feature_alpha_dropout fold fractional_max_pool2d fractional_max_pool3d
        gaussian_nll_loss gelu glu grad grid_sample group_norm gumbel_softmax hardshrink
        hardsigmoid hardswish hardtanh hardtanh_ hinge_embedding_loss huber_loss instance_norm
        interpolate kl_div l1_loss layer_norm leaky_relu leaky_relu_ linear local_response_norm
        log_softmax logsigmoid lp_pool1d lp_pool2d lp_pool3d margin_ranking_loss math max_pool1d
        max_pool2d max_pool3d max_unpool1d max_unpool2d max_unpool3d mish mse_loss
        multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss nll_loss normalize
        one_hot pad pairwise_distance pdist pixel_shuffle pixel_unshuffle poisson_nll_loss prelu
        relu relu6 relu_ rms_norm rrelu rrelu_ scaled_dot_product_attention selu selu_ sigmoid
        silu smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign tanh
        tanhshrink threshold threshold_ triplet_margin_loss triplet_margin_with_distance_loss
        unfold
    """,
    "torch.nn.init": """
        Tensor calculate_gain constant_ dirac_ eye eye_ kaiming_normal_ kaiming_uniform_ math
        normal normal_ ones_ orthogonal_ sparse_ trunc_normal_ uniform_ xavier_normal_
        xavier_uniform_ zeros_
    """,
    "torch.nn.utils": """
        clip_grad_norm_ clip_grad_value_ init
    """,
    "torch.linalg": """
        LinAlgError cholesky cholesky_ex cond cross det diagonal eig eigh eigvals eigvalsh
        householder_product inv inv_ex lstsq lu lu_factor lu_factor_ex lu_solve matmul matrix_exp
        matrix_norm matrix_power matrix_rank multi_dot norm pinv qr slogdet solve solve_ex
        solve_triangular svd svdvals tensorinv tensorsolve vander vecdot vector_norm
    """,
    "torch.fft": """
        Tensor fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft
        ihfft2 ihfftn irfft irfft2 irfftn rfft rfft2 rfftfreq rfftn
    """,
    "torch.special": """
        Tensor airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 chebyshev_polynomial_t
        chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w digamma entr erf erfc
        erfcx erfinv exp2 expit expm1 gammainc gammaincc gammaln hermite_polynomial_h
        hermite_polynomial_he i0 i0e i1 i1e laguerre_polynomial_l legendre_polynomial_p log1p
        log_ndtr log_softmax logit logsumexp modified_bessel_i0 modified_bessel_i1
        modified_bessel_k0 modified_bessel_k1 multigammaln ndtr ndtri polygamma psi round
        scaled_modified_bessel_k0 scaled_modified_bessel_k1 shifted_chebyshev_polynomial_t
        shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v
        shifted_chebyshev_polynomial_w sinc softmax spherical_bessel_j0 xlog1py xlogy zeta
    """,
    "torch.optim": """
        ASGD Adadelta Adafactor Adagrad Adam AdamW Adamax LBFGS Muon NAdam Optimizer RAdam RMSprop
        Rprop SGD lr_scheduler swa_utils
    """,
    "torch.optim.lr_scheduler": """
        Any ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR
        ExponentialLR LRScheduler LambdaLR LinearLR MultiStepLR MultiplicativeLR OneCycleLR
        Optimizer PolynomialLR ReduceLROnPlateau SequentialLR StepLR Tensor annotations inf math
    """,
    "torch.autograd": """
        Function backward detect_anomaly enable_grad functional grad gradcheck gradgradcheck
        inference_mode no_grad set_detect_anomaly set_grad_enabled
    """,
    "torch.autograd.functional": """
        hessian hvp jacobian jvp vjp
    """,
    "torch.autograd.function": """
        Any Function inspect once_differentiable
    """,
}
