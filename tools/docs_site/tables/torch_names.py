"""Names that PyTorch 2.13.0 has too, written by ``tools/record_torch_names.py``."""

TORCH_NAMES: dict[str, str] = {
    "torch": """
        Generator ModuleDict Storage Tensor abs abs_ absolute acos acos_ acosh acosh_ add addcdiv
        addcmul addmm addmv all allclose amax amin aminmax angle any arange arccos arccos_ arccosh
        arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan_ arctanh arctanh_ argmax
        argmin argsort argwhere as_strided as_strided_ asarray asin asin_ asinh asinh_ atan atan2
        atan_ atanh atanh_ autograd avg_pool1d baddbmm batch_norm bfloat16
        binary_cross_entropy_with_logits bincount bitwise_and bitwise_left_shift bitwise_not
        bitwise_or bitwise_right_shift bitwise_xor bmm bool broadcast_shapes broadcast_tensors
        broadcast_to bucketize can_cast cat ceil ceil_ channels_last cholesky chunk clamp clamp_
        clip clip_ clone complex128 complex64 concat conj contiguous_format conv1d conv2d
        conv_transpose1d conv_transpose2d copysign cos cos_ cosh cosh_ cosine_similarity
        count_nonzero cpu cross cummax cummin cumprod cumsum deg2rad deg2rad_ det detach detach_
        device diagonal diff digamma div divide dot double dropout dsplit dtype e eig einsum
        embedding empty empty_like enable_grad eq equal erf erf_ erfc erfc_ exp exp2 exp2_ exp_
        expm1 expm1_ eye fft fill_ finfo fix fix_ flatten flip fliplr flipud float float16 float32
        float64 float_power floor floor_ floor_divide fmax fmin fmod frac frac_ from_dlpack
        from_numpy frombuffer full full_like functional gather gcd gcd_ ge get_num_threads greater
        greater_equal group_norm gt half heaviside histogram hsplit hypot iinfo imag index_add
        index_copy index_fill index_put index_put_ index_reduce index_select inf inference_mode
        inner inspect int int16 int32 int64 int8 is_grad_enabled isclose isfinite isin isinf isnan
        isneginf isposinf kl_div kron kthvalue layer_norm layout lcm lcm_ ldexp ldexp_ le lerp
        less less_equal lgamma linalg linspace load log log10 log10_ log1p log1p_ log2 log2_ log_
        log_softmax logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logit
        logit_ logsumexp long lt manual_seed masked_fill masked_scatter masked_select math matmul
        matrix_power matrix_rank max max_pool1d max_pool2d maximum mean median meshgrid min
        minimum mm moveaxis movedim msort mul multiply mv nan nan_to_num nan_to_num_ nanmean
        nansum narrow ne neg neg_ negative negative_ newaxis nextafter nn no_grad nonzero norm
        not_equal numel ones ones_like optim outer permute pi positive pow preserve_format prod
        promote_types put qr rad2deg rad2deg_ rand rand_like randint randn randn_like randperm
        ravel real reciprocal reciprocal_ relu relu_ remainder reshape result_type rms_norm roll
        rot90 round round_ rsqrt rsqrt_ save scatter scatter_add scatter_reduce searchsorted
        select set_grad_enabled set_num_threads sgn sigmoid sigmoid_ sign signbit sin sin_ sinc
        sinc_ sinh sinh_ slogdet softmax solve sort split sqrt sqrt_ square square_ squeeze stack
        std storage sub subtract sum svd swapaxes swapdims t take take_along_dim tan tan_ tanh
        tanh_ tensor tensor_split tensordot tile topk trace transpose tril triu true_divide trunc
        trunc_ uint16 uint32 uint64 uint8 unbind unflatten unique unique_consecutive unsqueeze var
        vdot view_as_complex view_as_real vsplit where xlogy xlogy_ zero_ zeros zeros_like
    """,
    "torch.Tensor": """
        H T abs abs_ absolute absolute_ acos acos_ acosh acosh_ add add_ addcdiv addcdiv_ addcmul
        addcmul_ addmm addmm_ addmv all allclose amax amin aminmax angle any arccos arccos_
        arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ arctan_ arctanh
        arctanh_ argmax argmin argsort argwhere as_strided as_strided_ asin asin_ asinh asinh_
        atan atan2 atan2_ atan_ atanh atanh_ backward baddbmm baddbmm_ bfloat16 bincount
        bitwise_and bitwise_and_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_
        bitwise_or bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_
        bmm bool broadcast_to ceil ceil_ cholesky chunk clamp clamp_ clip clip_ clone conj
        contiguous copy_ copysign copysign_ cos cos_ cosh cosh_ count_nonzero cpu cross cummax
        cummin cumprod cumsum data data_ptr deg2rad deg2rad_ det detach detach_ device diagonal
        diff digamma digamma_ dim div div_ divide divide_ dot double dsplit dtype eig element_size
        eq eq_ equal erf erf_ erfc erfc_ exp exp2 exp2_ exp_ expand expand_as expm1 expm1_ fill_
        fix fix_ flatten flip fliplr flipud float float_power float_power_ floor floor_
        floor_divide floor_divide_ fmax fmin fmod fmod_ frac frac_ gather gcd gcd_ ge ge_ grad
        grad_fn greater greater_ greater_equal greater_equal_ gt gt_ half heaviside heaviside_
        histogram hsplit hypot hypot_ imag index_add index_add_ index_copy index_copy_ index_fill
        index_fill_ index_put index_put_ index_reduce index_reduce_ index_select inner int
        is_contiguous is_leaf isclose isfinite isinf isnan isneginf isposinf item itemsize kron
        kthvalue layout lcm lcm_ ldexp ldexp_ le le_ lerp lerp_ less less_ less_equal less_equal_
        lgamma lgamma_ log log10 log10_ log1p log1p_ log2 log2_ log_ log_softmax logaddexp
        logaddexp2 logical_and logical_and_ logical_not logical_not_ logical_or logical_or_
        logical_xor logical_xor_ logit logit_ logsumexp long lt lt_ mT masked_fill masked_fill_
        masked_scatter masked_scatter_ masked_select matmul matrix_power max maximum mean median
        min minimum mm moveaxis movedim msort mul mul_ multiply multiply_ mv nan_to_num
        nan_to_num_ nanmean nansum narrow nbytes ndim ne ne_ neg neg_ negative negative_ nextafter
        nextafter_ nonzero norm normal_ not_equal not_equal_ numel numpy outer output_nr permute
        positive pow pow_ prod put put_ qr rad2deg rad2deg_ ravel real reciprocal reciprocal_
        register_hook register_post_accumulate_grad_hook relu relu_ remainder remainder_ repeat
        requires_grad requires_grad_ reshape reshape_as retain_grad retains_grad roll rot90 round
        round_ rsqrt rsqrt_ scatter scatter_ scatter_add scatter_add_ scatter_reduce
        scatter_reduce_ select sgn sgn_ shape sigmoid sigmoid_ sign sign_ signbit sin sin_ sinc
        sinc_ sinh sinh_ size slogdet softmax solve sort split sqrt sqrt_ square square_ squeeze
        squeeze_ std storage storage_offset stride sub sub_ subtract subtract_ sum svd swapaxes
        swapaxes_ swapdims t t_ take take_along_dim tan tan_ tanh tanh_ tensor_split tile to
        tolist topk trace transpose transpose_ tril triu true_divide true_divide_ trunc trunc_
        type_as unbind unflatten unfold uniform_ unique unique_consecutive unsqueeze unsqueeze_
        var vdot view view_as vsplit where xlogy xlogy_ zero_
    """,
    "torch.nn": """
        AdaptiveAvgPool2d AvgPool2d BCELoss BCEWithLogitsLoss BatchNorm1d BatchNorm2d Conv1d
        Conv2d CrossEntropyLoss Dropout Dropout2d ELU Embedding Flatten GELU GroupNorm HuberLoss
        Identity KLDivLoss L1Loss LayerNorm LeakyReLU Linear LogSoftmax MSELoss MaxPool2d Module
        ModuleDict ModuleList MultiheadAttention NLLLoss Parameter RMSNorm ReLU Sequential SiLU
        Sigmoid SmoothL1Loss Softmax Softplus Tanh Unflatten Upsample attention functional grad
        init
    """,
    "torch.nn.functional": """
        Callable DType Tensor adaptive_avg_pool2d avg_pool1d avg_pool2d batch_norm
        binary_cross_entropy binary_cross_entropy_with_logits conv1d conv2d conv_transpose1d
        conv_transpose2d cosine_similarity cross_entropy dropout dropout2d elu elu_ embedding gelu
        grad group_norm hardsigmoid hardtanh hardtanh_ huber_loss interpolate kl_div l1_loss
        layer_norm leaky_relu leaky_relu_ linear log_softmax math max_pool1d max_pool2d mse_loss
        nll_loss normalize one_hot pad relu relu_ rms_norm scaled_dot_product_attention sigmoid
        silu smooth_l1_loss softmax softplus tanh unfold
    """,
    "torch.nn.init": """
        Callable Tensor calculate_gain constant_ eye eye_ kaiming_normal_ kaiming_uniform_ math
        normal_ ones_ orthogonal_ trunc_normal_ uniform_ xavier_normal_ xavier_uniform_ zeros_
    """,
    "torch.nn.utils": """
        clip_grad_norm_ clip_grad_value_ init
    """,
    "torch.linalg": """
        cholesky cross det diagonal eig eigh eigvals eigvalsh inv matmul matrix_norm matrix_power
        matrix_rank norm pinv qr slogdet solve svd svdvals vecdot vector_norm
    """,
    "torch.fft": """
        Tensor fft fftfreq fftn fftshift hfft ifft ifftn ifftshift ihfft irfft irfftn rfft
        rfftfreq rfftn
    """,
    "torch.optim": """
        Adagrad Adam AdamW Optimizer RMSprop SGD lr_scheduler
    """,
    "torch.optim.lr_scheduler": """
        Any ConstantLR CosineAnnealingLR ExponentialLR LRScheduler LambdaLR LinearLR MultiStepLR
        OneCycleLR Optimizer ReduceLROnPlateau SequentialLR StepLR Tensor annotations bisect_right
        inf math
    """,
    "torch.autograd": """
        Function Mapping Sequence backward detect_anomaly enable_grad functional grad gradcheck
        gradgradcheck inference_mode no_grad set_detect_anomaly set_grad_enabled
    """,
    "torch.autograd.functional": """
        hessian hvp jacobian jvp vjp
    """,
    "torch.autograd.function": """
        Any Callable Function inspect once_differentiable
    """,
}
