"""Questions about training that strided and PyTorch are both asked: functions, optimisers, rates.

A row is text that runs with either library's names; numbers come from sines, so that no generator
has to agree. Answers are nested lists of floats.
"""

from __future__ import annotations

import math
from typing import Any

# name: shape, and what is done to sin(1.7 i + 0.3 + seed). All are float64.
OPERANDS: dict[str, tuple[tuple[int, ...], str]] = {
    "x": ((3, 4), "v"),
    "y": ((3, 4), "v"),
    "p": ((3, 4), "0.5 + 0.45 * v"),
    "t": ((3, 4), "0.5 + 0.5 * v"),
    "w": ((4,), "1.5 + v"),
    "c": ((2, 2, 5), "v"),
    "d": ((1, 2, 4, 3), "v"),
    "e": ((1, 1, 2, 3, 2), "v"),
    "g": ((1, 1, 4, 6), "v"),
    "h": ((2, 4, 2, 3), "v"),
    "k": ((1, 3, 5, 2), "v"),
    "m": ((1, 2, 2, 2, 3), "v"),
    "q": ((1, 2, 4, 3, 5), "v"),
    "r": ((3, 2, 2, 2, 2), "v"),
    "v": ((6, 3, 4), "v"),
    "a": ((2, 2, 3), "v"),
}
# Integers, by name.
INTEGERS: dict[str, list[Any]] = {
    "classes": [1, 3, 0],
    "labels": [[1, 3, -1, 0], [2, -1, 0, 0], [0, 1, 2, 3]],
    "tokens": [[1, 0, 1], [2, 1, 0]],
    "offsets": [0, 2, 2, 5],
    "ends": [0, 2, 2, 6],
    "symbols": [[1, 2, 2], [2, 1, 1], [1, 1, 2]],
}

_PADS = [
    "(1, 2)", "(-1, 1)", "(2, 1)", "(-1, -1)",
]  # fmt: skip

FUNCTIONS = [
    *(f"F.{name}(x, y)" for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")),
    *(f"F.mse_loss(x, y, reduction='{how}')" for how in ("sum", "none")),
    "F.smooth_l1_loss(3 * x, y, beta=0.5, reduction='none')",
    "F.smooth_l1_loss(x, y, beta=0.0)",
    "F.huber_loss(3 * x, y, delta=0.7, reduction='sum')",
    "F.binary_cross_entropy(p, t)",
    "F.binary_cross_entropy(p, t, weight=w, reduction='sum')",
    "F.binary_cross_entropy_with_logits(x, t)",
    "F.binary_cross_entropy_with_logits(30 * x, t, weight=w, reduction='none')",
    "F.binary_cross_entropy_with_logits(x, t, pos_weight=w, reduction='sum')",
    "F.binary_cross_entropy_with_logits(0 * x, t, reduction='none')",
    "F.kl_div(x, t, reduction='batchmean')",
    "F.kl_div(x, y, reduction='sum', log_target=True)",
    "F.normalize(x)",
    "F.normalize(x, p=1.0, dim=0)",
    "F.cosine_similarity(x, y)",
    "F.cosine_similarity(c, c.flip(-1), dim=-1)",
    *(f"F.pad(c, {pads})" for pads in _PADS),
    "F.pad(c, (1, 0, -1, 2), value=2.5)",
    *(f"F.pad(c, {pads}, mode='{mode}')" for mode in ("reflect", "replicate", "circular")
      for pads in _PADS[:3]),
    "F.pad(d, (1, 2, 3, 1), mode='reflect')",
    *(f"F.interpolate(c, {size})" for size in ("8", "3", "scale_factor=1.7", "size=(7,)")),
    "F.interpolate(d, (3, 7))",
    "F.interpolate(d, scale_factor=2.0)",
    "F.interpolate(d, scale_factor=(0.6, 2.3), mode='nearest-exact')",
    "F.interpolate(e, scale_factor=2.0)",
    *(f"F.interpolate(c, {size}, mode='linear', align_corners={corners})"
      for size in ("9", "3", "scale_factor=1.7") for corners in (False, True)),
    *(f"F.interpolate(d, {size}, mode='bilinear', align_corners={corners})"
      for size in ("(6, 5)", "(2, 1)", "scale_factor=2.5") for corners in (False, True)),
    "F.interpolate(d, scale_factor=1.3, mode='bilinear', recompute_scale_factor=True)",
    "F.interpolate(e, (3, 4, 5), mode='trilinear')",
    *(f"F.{name}(3 * x)" for name in (
        "relu6", "hardswish", "hardshrink", "softshrink", "celu", "selu", "mish",
        "softsign", "tanhshrink", "logsigmoid", "hardtanh", "softplus", "glu", "elu", "silu",
    )),
    "F.softmin(x, dim=1)",
    "F.threshold(x, 0.2, -3.0)",
    "F.celu(3 * x, alpha=0.5)",
    "F.softplus(9 * x, beta=2.0, threshold=3.0)",
    "F.softshrink(x, 0.1)",
    "F.hardtanh(x, -0.2, 0.7)",
    "F.prelu(c, 0.5 * x[0, :2])",
    "F.rrelu(x, 0.1, 0.4)",
    "F.mse_loss(x, y, weight=t)",
    "F.l1_loss(x, y, reduction='sum', weight=t)",
    "F.huber_loss(x, y, reduction='none', weight=t)",
    "F.poisson_nll_loss(x, t)",
    "F.poisson_nll_loss(p, 5 * t, log_input=False, full=True)",
    "F.gaussian_nll_loss(x, y, p)",
    "F.gaussian_nll_loss(x, y, p[:, 0], full=True, reduction='none')",
    "F.margin_ranking_loss(x, y, y.sign(), margin=0.3)",
    "F.hinge_embedding_loss(x, y.detach().sign(), margin=0.5)",
    "F.soft_margin_loss(x, y.detach().sign(), reduction='sum')",
    "F.cosine_embedding_loss(x, y, x.detach()[:, 0].sign(), margin=0.1)",
    "F.cosine_embedding_loss(x, y, -x.detach()[:, 0].sign(), reduction='none')",
    "F.multi_margin_loss(x, classes)",
    "F.multi_margin_loss(x, classes, p=2, margin=0.5, weight=w, reduction='sum')",
    "F.multilabel_margin_loss(x, labels)",
    "F.multilabel_margin_loss(x, labels, reduction='none')",
    "F.multilabel_soft_margin_loss(x, t)",
    "F.multilabel_soft_margin_loss(x, t, weight=w, reduction='none')",
    "F.triplet_margin_loss(x, y, p)",
    "F.triplet_margin_loss(x, y, p, margin=2.0, p=1.0, swap=True, reduction='none')",
    "F.triplet_margin_with_distance_loss(x, y, p, swap=True)",
    "F.pairwise_distance(x, y)",
    "F.pairwise_distance(x, y, p=1.0, keepdim=True)",
    "F.pdist(x)",
    "F.ctc_loss(F.log_softmax(v, 2), symbols, (6, 5, 6), (3, 2, 0))",
    "F.ctc_loss(F.log_softmax(v, 2), symbols, (6, 5, 6), (3, 2, 0), reduction='none', blank=3)",
    "F.ctc_loss(F.log_softmax(v, 2), symbols, (2, 5, 6), (3, 2, 1), zero_infinity=True)",
    "F.pixel_shuffle(h, 2)", "F.pixel_unshuffle(g, 2)", "F.channel_shuffle(h, 2)",
    "F.unfold(g, 2)",
    "F.unfold(g, (3, 2), dilation=(1, 2), padding=(1, 0), stride=2)",
    "F.fold(F.unfold(g, 3), (4, 6), 3)",
    "F.fold(F.unfold(g, (2, 3), padding=1, stride=(1, 2)), (4, 6), (2, 3), padding=1,"
    " stride=(1, 2))",
    *(f"F.grid_sample(g, 1.3 * {at}, mode='{mode}', padding_mode='{padding}',"
      f" align_corners={corners})"
      for mode, at in (("bilinear", "k"), ("nearest", "k.detach()"), ("bicubic", "k"))
      for padding in ("zeros", "border", "reflection")
      for corners in (False, True)),
    "F.grid_sample(e, 1.2 * m, align_corners=False)",
    "F.grid_sample(e, 1.2 * m.detach(), mode='nearest', padding_mode='border', align_corners=True)",
    "F.affine_grid(a, (2, 1, 3, 4), align_corners=False)",
    "F.affine_grid(a, (2, 1, 3, 4), align_corners=True)",
    *(f"F.interpolate(d, {size}, mode='bicubic', align_corners={corners})"
      for size in ("(6, 5)", "(2, 2)", "scale_factor=1.5") for corners in (False, True)),
    *(f"F.interpolate(g, (3, 4), mode='{mode}', antialias=True)"
      for mode in ("bilinear", "bicubic")),
    "F.interpolate(g, (8, 3), mode='bilinear', antialias=True)",
    "F.interpolate(c, 3, mode='area')", "F.interpolate(d, (2, 2), mode='area')",
    "F.interpolate(e, scale_factor=1.5, mode='area')",
    "F.max_pool1d(c, 2)", "F.max_pool3d(e, (1, 2, 2))",
    "F.max_pool3d(q, 2, stride=1, padding=1, dilation=(1, 2, 1), ceil_mode=True)",
    "F.max_pool3d(q, 2, return_indices=True)[1] * 1.0",
    "F.avg_pool1d(c, 3, stride=2, padding=1, ceil_mode=True)",
    "F.avg_pool3d(q, 2, stride=1, padding=1, count_include_pad=False)",
    "F.avg_pool3d(q, (2, 1, 2), divisor_override=3)",
    "F.adaptive_avg_pool1d(c, 3)", "F.adaptive_avg_pool3d(q, (2, None, 1))",
    "F.adaptive_max_pool1d(c, 3)", "F.adaptive_max_pool2d(g, (3, 4))",
    "F.adaptive_max_pool2d(g, (3, 4), return_indices=True)[1] * 1.0",
    "F.adaptive_max_pool3d(q, (2, 3, 1))",
    "F.lp_pool1d(c, 2.0, 2)", "F.lp_pool2d(g, 3.0, 2, stride=1)", "F.lp_pool3d(q, 2.0, 2)",
    "F.max_unpool2d(*F.max_pool2d(g, 2, return_indices=True), 2)",
    "F.max_unpool1d(*F.max_pool1d(c, 2, return_indices=True), 2, output_size=(5,))",
    "F.max_unpool3d(*F.max_pool3d(q, 2, return_indices=True), 2, output_size=q.shape)",
    "F.fractional_max_pool2d(g, 2, output_size=(2, 3), _random_samples=p.detach()[None, :1, :2])",
    "F.fractional_max_pool3d(q, 2, output_ratio=0.6, _random_samples=p.detach()[None, :2, :3])",
    "F.conv3d(q, 0.3 * r)", "F.conv3d(q, r, stride=2, padding=1, dilation=(1, 1, 2))",
    "F.conv_transpose1d(c, x[:2].unsqueeze(1), stride=2, padding=1, output_padding=1, groups=2)",
    "F.conv_transpose2d(d, h[:, :2, :2, :2], stride=(2, 1), dilation=2)",
    "F.conv_transpose2d(d, h[:, :2, :2, :2], dilation=3, stride=1, output_padding=2)",
    "F.conv_transpose1d(c, x[:2].unsqueeze(1), stride=2, dilation=4, output_padding=3, groups=2)",
    "F.conv_transpose3d(q, r.transpose(0, 1), stride=2, padding=1, output_padding=1)",
    "F.instance_norm(c)", "F.instance_norm(g, weight=p[0, :1], bias=x[0, :1], eps=0.1)",
    "F.local_response_norm(h, 3)", "F.local_response_norm(h, 2, alpha=0.5, beta=0.6, k=2.0)",
    "F.rms_norm(x, (3, 4), eps=0.1)", "F.rms_norm(x, (4,), w)", "F.rms_norm(c, (2, 5), 2 * c[0])",
    "F.bilinear(x, y, g[0, :, :, :4])",
    "F.embedding(tokens, y)", "F.embedding(tokens, y, padding_idx=1, scale_grad_by_freq=True)",
    "F.embedding(tokens, y.detach() * 1.0, max_norm=0.5)",
    *(f"F.embedding_bag(tokens, y, mode='{mode}')" for mode in ("sum", "mean", "max")),
    *(f"F.embedding_bag(tokens.flatten(), y, offsets, mode='{mode}', padding_idx=0)"
      for mode in ("sum", "mean", "max")),
    "F.embedding_bag(tokens, y, per_sample_weights=x[:2, :3], mode='sum')",
    "F.embedding_bag(tokens.flatten(), y, ends, include_last_offset=True, mode='mean')",
    "F.dropout2d(x, 0.5, training=False)", "F.alpha_dropout(x)",
    "F.dropout(x, 0.5, training=False)",
    "F.dropout(x, 1.0)",
]  # fmt: skip

OPTIMIZERS = [
    "SGD(ps, lr=0.1)",
    "SGD(ps, lr=0.1, momentum=0.9)",
    "SGD(ps, lr=0.1, momentum=0.9, dampening=0.3, weight_decay=0.1)",
    "SGD(ps, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)",
    "SGD(ps, lr=0.1, weight_decay=0.1, maximize=True)",
    "Adam(ps, lr=0.1)",
    "Adam(ps, lr=0.1, amsgrad=True, betas=(0.5, 0.9), eps=1e-3)",
    "Adam(ps, lr=0.1, weight_decay=0.1, maximize=True)",
    "AdamW(ps, lr=0.1)",
    "AdamW(ps, lr=0.1, weight_decay=0.3, amsgrad=True)",
    "AdamW([{'params': ps[:1], 'lr': 0.01}, {'params': ps[1:], 'weight_decay': 0.0}], lr=0.1)",
    "RMSprop(ps, lr=0.1)",
    "RMSprop(ps, lr=0.1, centered=True, alpha=0.9)",
    "RMSprop(ps, lr=0.1, momentum=0.9, weight_decay=0.1)",
    "RMSprop(ps, lr=0.1, momentum=0.5, centered=True, maximize=True)",
    "Adagrad(ps, lr=0.1)",
    "Adagrad(ps, lr=0.1, lr_decay=0.1, initial_accumulator_value=0.3, weight_decay=0.1)",
    "Adadelta(ps)",
    "Adadelta(ps, lr=0.5, rho=0.8, weight_decay=0.1, maximize=True)",
    "Adamax(ps, lr=0.1)",
    "Adamax(ps, lr=0.1, betas=(0.5, 0.9), weight_decay=0.1, maximize=True)",
    "NAdam(ps, lr=0.1)",
    "NAdam(ps, lr=0.1, weight_decay=0.1, momentum_decay=0.1)",
    "NAdam(ps, lr=0.1, weight_decay=0.1, decoupled_weight_decay=True, maximize=True)",
    "RAdam(ps, lr=0.1)",
    "RAdam(ps, lr=0.1, betas=(0.8, 0.9), weight_decay=0.1)",
    "RAdam(ps, lr=0.1, weight_decay=0.1, decoupled_weight_decay=True, maximize=True)",
    "ASGD(ps, lr=0.1)",
    "ASGD(ps, lr=0.1, lambd=0.1, alpha=0.5, t0=5.0, weight_decay=0.1)",
    "Rprop(ps, lr=0.1)",
    "Rprop(ps, lr=0.1, etas=(0.3, 1.5), step_sizes=(0.01, 0.5), maximize=True)",
    "Adafactor(ps, lr=0.1)",
    "Adafactor(ps, lr=0.1, beta2_decay=-0.5, d=2.0, weight_decay=0.1, maximize=True)",
]
STEPS = 40

SCHEDULES = [
    "S.LambdaLR(o, lambda step: 0.9 ** step)",
    "S.StepLR(o, 7, gamma=0.3)",
    "S.MultiStepLR(o, [3, 5, 5, 20], gamma=0.5)",
    "S.ExponentialLR(o, 0.8)",
    "S.LinearLR(o)",
    "S.LinearLR(o, 0.1, 0.7, total_iters=12)",
    "S.ConstantLR(o, 0.5, total_iters=4)",
    "S.CosineAnnealingLR(o, 10, eta_min=0.01)",
    "S.CosineAnnealingLR(o, 40)",
    "S.OneCycleLR(o, 0.5, total_steps=40)",
    "S.OneCycleLR(o, 0.5, total_steps=41, pct_start=0.4, three_phase=True)",
    "S.OneCycleLR(o, 0.5, total_steps=50, anneal_strategy='linear', cycle_momentum=False)",
    "S.SequentialLR(o, [S.LinearLR(o, 0.1, total_iters=6), S.CosineAnnealingLR(o, 30)], [6])",
    "S.OneCycleLR(o, 0.5, epochs=3, steps_per_epoch=13)",
    "S.MultiplicativeLR(o, lambda step: 0.9 + 0.01 * (step % 3))",
    "S.PolynomialLR(o, 15, power=1.7)",
    "S.ChainedScheduler([S.ConstantLR(o, 0.3, total_iters=5), S.ExponentialLR(o, 0.9)])",
    "S.CosineAnnealingWarmRestarts(o, 5)",
    "S.CosineAnnealingWarmRestarts(o, 3, T_mult=2, eta_min=0.01)",
    "S.CyclicLR(o, 0.01, 0.3, step_size_up=6)",
    "S.CyclicLR(o, 0.01, 0.3, step_size_up=6, step_size_down=3, mode='triangular2')",
    "S.CyclicLR(o, 0.01, 0.3, 5, mode='exp_range', gamma=0.9, cycle_momentum=False)",
    "S.CyclicLR(o, 0.01, 0.3, 5, scale_fn=lambda x: 0.5 ** x, scale_mode='cycle')",
    "S.ReduceLROnPlateau(o, patience=2)",
    "S.ReduceLROnPlateau(o, mode='max', factor=0.5, patience=1, threshold_mode='abs', cooldown=3)",
]

CLIPS = [
    "clip_grad_norm_(ps, 0.5)",
    "clip_grad_norm_(ps, 100.0)",
    "clip_grad_norm_(ps, 0.5, norm_type=1.0)",
    "clip_grad_norm_(ps, 0.5, norm_type=math.inf)",
    "clip_grad_value_(ps, 0.3)",
]

# Modules that must have the same state and, with the same state, the same results.
MODULES = [
    ("Linear(4, 3)", "x"),
    ("Linear(4, 3, bias=False)", "x"),
    ("LayerNorm(4)", "x"),
    ("LayerNorm((3, 4), eps=0.1, bias=False)", "x"),
    ("LayerNorm(4, elementwise_affine=False)", "x"),
    ("RMSNorm(4)", "x"),
    ("GroupNorm(2, 4)", "x"),
    ("GroupNorm(1, 2, affine=False)", "d"),
    ("AdaptiveAvgPool2d((2, 1))", "d"),
    ("BatchNorm1d(4)", "x"),
    ("BatchNorm1d(2, momentum=None, affine=False)", "c"),
    ("BatchNorm1d(4, track_running_stats=False)", "x"),
    ("BatchNorm2d(2)", "d"),
    ("BatchNorm2d(2).eval()", "d"),
    ("Conv1d(2, 4, 3, padding=1, groups=2)", "c"),
    ("Conv1d(2, 3, 2, stride=2, dilation=2, bias=False)", "c"),
    ("Conv2d(2, 3, 3, padding=1)", "d"),
    ("Conv2d(2, 4, (2, 3), stride=(1, 2), padding='valid')", "d"),
    ("Conv2d(2, 4, 3, padding='same')", "d"),
    ("MaxPool2d(2)", "d"),
    ("MaxPool2d(3, stride=1, padding=1)", "d"),
    ("AvgPool2d(2)", "d"),
    ("AvgPool2d(2, stride=1)", "d"),
    ("Sequential(Linear(4, 5), Tanh(), Linear(5, 2))", "x"),
    ("ReLU()", "x"), ("LeakyReLU(0.2)", "x"), ("ELU(0.7)", "x"), ("GELU()", "x"),
    ("GELU('tanh')", "x"), ("SiLU()", "x"), ("Tanh()", "x"), ("Sigmoid()", "x"),
    ("Softplus(beta=2.0)", "x"), ("Softmax(dim=0)", "x"), ("LogSoftmax(dim=-1)", "x"),
    ("Flatten()", "d"), ("Unflatten(1, (2, 2))", "x"), ("Upsample(scale_factor=2)", "d"),
    ("Identity()", "x"), ("Dropout(0.3).eval()", "x"),
    ("MultiheadAttention(4, 2, batch_first=True)", "c[:, :, :4]"),
    ("MultiheadAttention(4, 2, bias=False, add_bias_kv=True, add_zero_attn=True)", "c[:, :, :4]"),
    ("MultiheadAttention(4, 2, kdim=4, vdim=4)", "c[:, :, :4]"),
    ("RMSNorm((3, 4), eps=0.1)", "x"),
    ("BatchNorm3d(2)", "q"),
    ("InstanceNorm1d(2)", "c"),
    ("InstanceNorm2d(2, affine=True, track_running_stats=True)", "d"),
    ("InstanceNorm3d(2, track_running_stats=True).eval()", "q"),
    ("LocalResponseNorm(2)", "c"),
    ("Conv3d(2, 4, (2, 3, 2), padding=1, stride=(1, 2, 1), groups=2)", "q"),
    ("Conv2d(2, 3, 3, padding=1, padding_mode='circular')", "d"),
    ("Conv1d(2, 3, 3, padding='same', padding_mode='reflect')", "c"),
    ("ConvTranspose1d(2, 4, 3, stride=2, padding=1, output_padding=1, groups=2)", "c"),
    ("ConvTranspose2d(2, 3, (2, 3), stride=(1, 2), bias=False)", "d"),
    ("ConvTranspose3d(2, 3, 2, stride=2)", "q"),
    ("Bilinear(4, 4, 3)", "x"),
    ("PReLU()", "x"), ("PReLU(2)", "c"), ("Mish()", "x"), ("GLU()", "x"), ("SELU()", "x"),
    ("Hardswish()", "x"), ("ReLU6()", "x"), ("Threshold(0.1, 0.7)", "x"), ("Softmax2d()", "d"),
    ("ZeroPad2d(1)", "d"), ("ReflectionPad1d((1, 2))", "c"), ("ReplicationPad3d(1)", "q"),
    ("CircularPad2d((1, 0, 2, 1))", "d"), ("ConstantPad1d(2, 0.3)", "c"),
    ("MaxPool1d(2)", "c"), ("MaxPool3d(2)", "q"), ("AvgPool3d(2, stride=1, padding=1)", "q"),
    ("AdaptiveMaxPool2d((2, 1))", "d"), ("LPPool2d(2, 2)", "d"), ("PixelShuffle(2)", "h"),
    ("Unfold(2)", "g"), ("ChannelShuffle(2)", "h"), ("UpsamplingBilinear2d(scale_factor=2)", "d"),
    ("RNN(5, 3)", "c"), ("RNN(5, 3, 2, nonlinearity='relu', bidirectional=True)", "c"),
    ("LSTM(5, 3, num_layers=2, batch_first=True)", "c"),
    ("LSTM(5, 3, bidirectional=True, proj_size=2)", "c"),
    ("LSTM(5, 3)", "c[0]"),
    ("GRU(5, 3, 2, bias=False, bidirectional=True)", "c"),
    ("RNNCell(4, 3)", "x"), ("LSTMCell(4, 3)", "x"), ("GRUCell(4, 3)", "x"),
    ("TransformerEncoderLayer(4, 2, 6, dropout=0.0)", "c[:, :, :4]"),
    ("TransformerEncoderLayer(4, 2, 6, 0.0, 'gelu', batch_first=True, norm_first=True)",
     "c[:, :, :4]"),
    ("TransformerDecoderLayer(4, 2, 6, dropout=0.0)", "c[:, :, :4]"),
    ("TransformerEncoder(TransformerEncoderLayer(4, 2, 6, 0.0), 2, LayerNorm(4))", "c[:, :, :4]"),
    ("Transformer(4, 2, 1, 1, 6, 0.0)", "c[:, :, :4]"),
]  # fmt: skip


def wave(count: int, seed: float) -> list[float]:
    """Return numbers between -1 and 1."""
    return [math.sin(1.7 * i + 0.3 + seed) for i in range(count)]


def operand(name: str) -> tuple[tuple[int, ...], list[float]]:
    """Return the shape and the elements of an operand."""
    shape, made = OPERANDS[name]
    seed = 2.9 * list(OPERANDS).index(name)
    formula = compile(made, name, "eval")
    return shape, [eval(formula, {"v": v}) for v in wave(math.prod(shape), seed)]


class Library:
    """strided or PyTorch, as far as the questions need them."""

    def __init__(self, lib: Any) -> None:
        self.lib = lib
        self.ours = lib.__name__ == "strided"
        self.nn, self.optim = lib.nn, lib.optim
        self.clip = lib.nn if self.ours else lib.nn.utils

    def tensor(self, shape: tuple[int, ...], values: list[float]) -> Any:
        """Return a float64 tensor."""
        return self.lib.tensor(values, dtype=self.lib.float64).reshape(shape)

    def parameter(self, shape: tuple[int, ...], seed: float) -> Any:
        """Return a parameter of made-up numbers."""
        return self.nn.Parameter(self.tensor(shape, wave(math.prod(shape), seed)))


def names_of(module: Any) -> dict[str, Any]:
    """Return the public names of a module, those that are loaded when they are named included."""
    return {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}


def function(lib: Library, text: str) -> dict[str, Any]:
    """Return the result of a function, and the gradients of its operands under uneven weights."""
    code = compile(text, "a row", "eval")
    names = [name for name in OPERANDS if name in code.co_names]
    operands = {
        name: lib.tensor(*operand(name)).requires_grad_(name != "w")  # weights have no gradient
        for name in names
    }
    for name in INTEGERS:
        operands[name] = lib.lib.tensor(INTEGERS[name])
    result = eval(code, {"F": lib.nn.functional, **operands})
    weights = lib.tensor(tuple(result.shape), wave(result.numel(), 7.0))
    if result.requires_grad:
        result.backward(weights)
    grads = {
        name: _listed(operands[name].grad) for name in names if operands[name].grad is not None
    }
    return {"value": _listed(result), "grads": grads}


def _listed(tensor: Any) -> Any:
    return tensor.detach().tolist()


def parameters(lib: Library) -> list[Any]:
    """Return some parameters."""
    return [lib.parameter(shape, seed) for seed, shape in enumerate([(2, 3), (3,), ()])]


def set_gradients(lib: Library, ps: list[Any], step: int) -> None:
    """Give parameters made-up gradients."""
    for seed, p in enumerate(ps):
        values = wave(p.numel(), 10.0 * seed + 0.37 * step)
        p.grad = lib.tensor(tuple(p.shape), values)


def optimizer(lib: Library, text: str, ps: list[Any] | None = None) -> Any:
    """Return where parameters are after many steps."""
    ps = parameters(lib) if ps is None else ps
    made = eval(text, {**names_of(lib.optim), "ps": ps})
    for step in range(STEPS):
        set_gradients(lib, ps, step)
        made.step()
    return [_listed(p) for p in ps]


def schedule(lib: Library, text: str) -> list[Any]:
    """Return rate and momentum from step to step."""
    o = lib.optim.SGD(parameters(lib), lr=0.2, momentum=0.6)
    made = eval(text, {"S": lib.optim.lr_scheduler, "o": o})
    found = []
    for step in range(STEPS - 1):
        group = o.param_groups[0]
        found.append([group["lr"], group["momentum"]])
        o.step()
        if "Plateau" in text:
            made.step(math.sin(step / 4) - step / 10)
        else:
            made.step()
    return found


def clip(lib: Library, text: str) -> list[Any]:
    """Return what clipping returns, and the gradients after it."""
    ps = parameters(lib)
    set_gradients(lib, ps, 3)
    functions = {name: getattr(lib.clip, name) for name in ("clip_grad_norm_", "clip_grad_value_")}
    result = eval(text, {**functions, "ps": ps, "math": math})
    return [None if result is None else _listed(result), *(_listed(p.grad) for p in ps)]


_PAIRS = ("Bilinear", "TransformerDecoderLayer", "Transformer(")


def module(lib: Library, text: str, given: str) -> dict[str, Any]:
    """Return names and shapes of the state; results and gradients with a made-up state."""
    made = eval(text, names_of(lib.nn)).double()
    state = made.state_dict()
    fresh = {
        name: lib.tensor(tuple(value.shape), wave(value.numel(), float(seed)))
        for seed, (name, value) in enumerate(state.items())
        if "running" not in name and "num_batches" not in name
    }
    made.load_state_dict({**state, **fresh})
    name = given[0]
    x = lib.tensor(*operand(name)).requires_grad_()
    taken = eval(given, {name: x})
    inputs = 3 if "Attention" in text else 2 if text.startswith(_PAIRS) else 1
    result = made(*[taken] * inputs)
    result = result[0] if isinstance(result, tuple) else result
    result.backward(lib.tensor(tuple(result.shape), wave(result.numel(), 7.0)))
    return {
        "state": {name: list(value.shape) for name, value in state.items()},
        "value": _listed(result),
        "grads": {
            "input": _listed(x.grad),
            **{name: _listed(p.grad) for name, p in made.named_parameters()},
        },
        "buffers": {name: _listed(value) for name, value in made.named_buffers()},
    }


def answers(lib: Any) -> dict[str, dict[str, Any]]:
    """Return PyTorch's answers to all questions."""
    library = Library(lib)
    # PyTorch keeps numbers of ASGD and NAdam in the default dtype.
    before = lib.get_default_dtype()
    lib.set_default_dtype(lib.float64)
    try:
        return _all_answers(library)
    finally:
        lib.set_default_dtype(before)


def _all_answers(library: Library) -> dict[str, dict[str, Any]]:
    return {
        "functions": {text: function(library, text) for text in FUNCTIONS},
        "optimizers": {text: optimizer(library, text) for text in OPTIMIZERS},
        "schedules": {text: schedule(library, text) for text in SCHEDULES},
        "clips": {text: clip(library, text) for text in CLIPS},
        "modules": {text: module(library, text, given) for text, given in MODULES},
    }
