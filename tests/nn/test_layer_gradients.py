"""Gradients of layers against finite differences: one row per layer and way to call it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy
import pytest

import strided
from strided import Tensor, nn
from strided.errors import GradientNotPossible

Layer = Callable[..., Tensor]
F64 = strided.float64


class Case(NamedTuple):
    """A layer of tensors of these shapes; ``twice``: its gradient has one too."""

    name: str
    layer: Layer
    shapes: tuple[tuple[int, ...], ...]
    twice: bool = True


def _integers(*shape: int, below: int) -> Tensor:
    numbers = numpy.random.default_rng(3).integers(0, below, shape)
    return strided.asarray(numbers)


def _angles(length: int, half: int) -> tuple[Tensor, Tensor]:
    angle = strided.arange(float(length), dtype=F64).unsqueeze(1) * strided.arange(half, dtype=F64)
    return angle.cos(), angle.sin()


def _rope(**options: Any) -> Layer:
    return lambda x: nn.rope(x, *_angles(x.shape[0], 2), **options)


def _attend(**options: Any) -> Layer:
    return lambda q, k, v: nn.scaled_dot_product_attention(q, k, v, **options)


def _classes(*shape: int, **options: Any) -> Layer:
    target = _integers(*shape, below=5)
    target[0] = -100
    return lambda x: nn.cross_entropy(x, target, **options)


SEEN = strided.asarray(numpy.random.default_rng(4).random((6, 7)) > 0.4)
WEIGHT = strided.asarray(numpy.random.default_rng(5).random(5))
SHARES = nn.softmax(strided.asarray(numpy.random.default_rng(6).random((4, 5))))
TOKENS = strided.tensor([[1, 4, 1], [0, 2, 1]])
QKV = ((2, 4, 6, 3), (2, 4, 7, 3), (2, 4, 7, 5))
GROUPED = ((2, 4, 6, 3), (2, 2, 7, 3), (2, 2, 7, 5))
IMAGE = ((2, 4, 6, 7),)

VOLUME = ((1, 2, 4, 3, 4),)
PATHS = strided.tensor([[1, 2, 2], [2, 1, 1]])


def _ctc(x: Tensor) -> Tensor:
    return nn.ctc_loss(nn.log_softmax(x, 2), PATHS, (6, 5), (3, 2))


CASES = [
    Case(
        "conv3d",
        lambda x, w: nn.conv3d(x, w, stride=(2, 1, 1), padding=1),
        (*VOLUME, (4, 2, 2, 3, 2)),
    ),
    Case(
        "conv3d of groups",
        lambda x, w: nn.conv3d(x, w, groups=2, dilation=(2, 1, 1)),
        (*VOLUME, (4, 1, 2, 2, 2)),
    ),
    Case(
        "conv_transpose3d",
        lambda x, w: nn.conv_transpose3d(x, w, stride=2, padding=1),
        (*VOLUME, (2, 3, 2, 3, 2)),
    ),
    Case(
        "conv_transpose1d longer than its windows",
        lambda x, w: nn.conv_transpose1d(x, w, stride=2, dilation=4, output_padding=3),
        ((1, 2, 5), (2, 3, 2)),
    ),
    Case(
        "conv_transpose2d longer than its windows",
        lambda x, w: nn.conv_transpose2d(x, w, stride=1, dilation=3, output_padding=2, padding=1),
        ((1, 2, 3, 4), (2, 3, 2, 2)),
    ),
    Case("max_pool3d", lambda x: nn.max_pool3d(x, 2, stride=1, padding=1), VOLUME),
    Case("avg_pool3d", lambda x: nn.avg_pool3d(x, 2, padding=1, ceil_mode=True), VOLUME),
    Case("adaptive_max_pool2d", lambda x: nn.adaptive_max_pool2d(x, (4, 3)), IMAGE),
    Case("adaptive_avg_pool3d", lambda x: nn.adaptive_avg_pool3d(x, (3, 2, 3)), VOLUME),
    Case("lp_pool2d", lambda x: nn.lp_pool2d(x.abs() + 0.1, 3.0, 2), IMAGE),
    Case("unfold", lambda x: nn.functional.unfold(x, (2, 3), 2, 1, 2), IMAGE),
    Case("fold", lambda x: nn.fold(x, (4, 5), (2, 2), stride=(1, 2), padding=(0, 1)), ((2, 8, 9),)),
    Case("pixel_shuffle", lambda x: nn.pixel_shuffle(x, 2), IMAGE),
    Case(
        "grid_sample",
        lambda x, k: nn.grid_sample(x, 1.2 * k, padding_mode="reflection"),
        ((1, 2, 4, 5), (1, 3, 2, 2)),
    ),
    Case(
        "grid_sample by cubics",
        lambda x, k: nn.grid_sample(x, k, mode="bicubic"),
        ((1, 2, 4, 5), (1, 3, 2, 2)),
    ),
    Case("interpolate by cubics", lambda x: nn.interpolate(x, (5, 9), mode="bicubic"), IMAGE),
    Case(
        "instance_norm",
        lambda x, w, b: nn.instance_norm(x, weight=w, bias=b),
        ((2, 4, 6), (4,), (4,)),
    ),
    Case("local_response_norm", lambda x: nn.local_response_norm(x, 3, 0.5), IMAGE),
    Case("ctc_loss", _ctc, ((6, 2, 4),), False),
    Case("embedding_bag", lambda w: nn.embedding_bag(TOKENS, w), ((5, 3),)),
    Case("embedding_bag of maxima", lambda w: nn.embedding_bag(TOKENS, w, mode="max"), ((5, 3),)),
    Case("bilinear", nn.bilinear, ((5, 3), (5, 2), (4, 3, 2), (4,))),
    Case("celu", lambda x: nn.celu(x, 0.7), ((4, 5),)),
    Case("mish", nn.mish, ((4, 5),)),
    Case("glu", nn.glu, ((4, 6),)),
    Case("logsigmoid", nn.logsigmoid, ((4, 5),)),
    Case("prelu", nn.prelu, ((2, 3, 4), (3,))),
    Case(
        "gaussian_nll_loss",
        lambda x, y, v: nn.gaussian_nll_loss(x, y, v.exp()),
        ((4, 5), (4, 5), (4, 5)),
    ),
    Case(
        "cosine_embedding_loss",
        lambda x, y: nn.cosine_embedding_loss(x, y, strided.tensor([1, -1, 1])),
        ((3, 4), (3, 4)),
    ),
    Case(
        "triplet_margin_loss",
        lambda *x: nn.triplet_margin_loss(*x, margin=3.0, swap=True),
        ((3, 4),) * 3,
    ),
    Case(
        "multilabel_margin_loss",
        lambda x: nn.multilabel_margin_loss(x, strided.tensor([[1, 3, -1, 0], [2, -1, 0, 0]])),
        ((2, 4),),
    ),
    Case("linear", nn.linear, ((5, 3), (4, 3), (4,))),
    Case("linear of a vector", nn.linear, ((3,), (4, 3), (4,))),
    Case("linear of axes", nn.linear, ((2, 5, 3), (4, 3), (4,))),
    Case("linear without bias", nn.linear, ((2, 5, 3), (4, 3))),
    Case("linear of views", lambda x, w: nn.linear(x.mT, w.flip(0).T), ((2, 3, 5), (3, 4))),
    Case("embedding", lambda w: nn.embedding(TOKENS, w), ((5, 3),)),
    Case("embedding of a list", lambda w: nn.embedding([1, 1, 4], w), ((5, 3),)),
    Case("embedding of one token", lambda w: nn.embedding([2], w), ((5, 3),)),
    Case("softmax", nn.softmax, ((3, 5),)),
    Case("softmax across", lambda x: nn.softmax(x, 0), ((3, 5),)),
    Case("log_softmax", nn.log_softmax, ((3, 5),)),
    Case("log_softmax across", lambda x: nn.log_softmax(x, 1), ((3, 5, 2),)),
    Case("softmax of many columns", lambda x: nn.softmax(x, 0), ((4, 21),)),
    Case("softmax of every other column", lambda x: nn.softmax(x[:, ::2], 0), ((4, 42),)),
    Case("log_softmax of many columns", lambda x: nn.log_softmax(x, 1), ((2, 4, 21),)),
    Case("log_softmax of a transpose", lambda x: nn.log_softmax(x.T), ((5, 18),)),
    Case("softmax of one number", lambda x: nn.softmax(x, 0), ((),)),
    Case("swiglu", nn.swiglu, ((3, 5), (3, 5))),
    Case("swiglu broadcast", nn.swiglu, ((3, 5), (5,))),
    Case("rope", _rope(), ((3, 2, 4),)),
    Case("rope of neighbours", _rope(interleaved=True), ((3, 2, 5),)),
    Case("rms_norm", lambda x, w: nn.rms_norm(x, 6, w), ((20, 6), (6,))),
    Case("rms_norm without weight", lambda x: nn.rms_norm(x, 6), ((2, 3, 6),)),
    Case("rms_norm of two axes", lambda x, w: nn.rms_norm(x, (3, 4), w, 0.1), ((2, 3, 4), (3, 4))),
    Case("layer_norm", lambda x, w, b: nn.layer_norm(x, 6, w, b), ((20, 6), (6,), (6,))),
    Case("layer_norm of a view", lambda x: nn.layer_norm(x.T, 6), ((6, 4),)),
    Case(
        "layer_norm of two axes",
        lambda x, w, b: nn.layer_norm(x, (2, 3), w, b),
        ((4, 2, 3), (2, 3), (2, 3)),
    ),
    Case("layer_norm with bias", lambda x, b: nn.layer_norm(x, 6, None, b), ((3, 6), (6,))),
    Case("group_norm", lambda x, w, b: nn.group_norm(x, 2, w, b), ((3, 4, 5), (4,), (4,))),
    Case(
        "batch_norm",
        lambda x, w, b: nn.batch_norm(x, None, None, w, b, training=True),
        ((3, 4, 5, 2), (4,), (4,)),
    ),
    Case("batch_norm of rows", lambda x: nn.batch_norm(x, None, None, training=True), ((5, 4),)),
    Case(
        "batch_norm of channels side by side",
        lambda x, w, b: nn.batch_norm(x.movedim(-1, 1), None, None, w, b, training=True),
        ((3, 2, 4, 9), (9,), (9,)),
    ),
    Case(
        "batch_norm of views",
        lambda x, w: nn.batch_norm(x[:, 1:, ::2].flip(1).mT, None, None, w, training=True),
        ((3, 5, 4, 3), (4,)),
    ),
    Case(
        "batch_norm with bias",
        lambda x, b: nn.batch_norm(x, None, None, None, b, training=True),
        ((140, 8), (8,)),
    ),
    Case(
        "batch_norm of old means",
        lambda x, w: nn.batch_norm(x, WEIGHT[:4], WEIGHT[1:], w),
        ((5, 4), (4,)),
    ),
    Case("attention", _attend(), QKV),
    Case("causal attention", _attend(is_causal=True), QKV),
    Case("masked attention", _attend(attn_mask=SEEN), QKV),
    Case("scaled attention", _attend(scale=0.3), QKV),
    Case("grouped attention", _attend(enable_gqa=True), GROUPED),
    Case("causal grouped attention", _attend(enable_gqa=True, is_causal=True), GROUPED),
    Case("attention of one head", _attend(), ((6, 3), (7, 3), (7, 5))),
    Case("attention to shared keys", _attend(), ((2, 3, 6, 4), (3, 7, 4), (3, 7, 4))),
    Case("attention with a learnt mask", nn.scaled_dot_product_attention, (*QKV, (4, 6, 7))),
    Case("conv1d", nn.conv1d, ((2, 3, 8), (4, 3, 3), (4,))),
    Case("conv2d", nn.conv2d, ((2, 3, 6, 5), (4, 3, 3, 2), (4,))),
    Case("conv2d of large images", nn.conv2d, ((2, 1, 10, 9), (2, 1, 3, 3))),
    Case(
        "conv2d with padding",
        lambda x, w: nn.conv2d(x, w, padding=(1, 2)),
        ((2, 3, 6, 5), (4, 3, 3, 2)),
    ),
    Case(
        "conv2d of the same size",
        lambda x, w: nn.conv2d(x, w, padding="same"),
        ((2, 3, 6, 5), (4, 3, 3, 2)),
    ),
    Case(
        "conv2d with steps",
        lambda x, w: nn.conv2d(x, w, stride=(2, 3), padding=1, dilation=(1, 2), groups=2),
        ((2, 4, 7, 9), (6, 2, 3, 2)),
    ),
    Case(
        "conv2d with wide padding",
        lambda x, w: nn.conv2d(x, w, padding=3),
        ((1, 1, 4, 4), (1, 1, 2, 2)),
    ),
    Case(
        "conv2d with windows beside the image",
        lambda x, w: nn.conv2d(x, w, stride=5, padding=4, dilation=2),
        ((1, 1, 2, 2), (1, 1, 2, 2)),
    ),
    Case("conv2d that skips", lambda x, w: nn.conv2d(x, w, stride=4), ((1, 1, 8, 8), (1, 1, 2, 2))),
    Case(
        "conv_transpose1d",
        lambda x, w, b: nn.conv_transpose1d(x, w, b, stride=2, output_padding=1),
        ((2, 4, 5), (4, 3, 3), (3,)),
    ),
    Case(
        "conv_transpose2d",
        lambda x, w: nn.conv_transpose2d(x, w, stride=2, padding=1, groups=2),
        ((2, 4, 5, 4), (4, 3, 3, 2)),
    ),
    Case("max_pool1d", lambda x: nn.max_pool1d(x, 2), ((2, 3, 7),), False),
    Case("max_pool2d", lambda x: nn.max_pool2d(x, 2), IMAGE, False),
    Case("max_pool2d, overlapping", lambda x: nn.max_pool2d(x, 3, 2, 1), IMAGE, False),
    Case("max_pool2d of a view", lambda x: nn.max_pool2d(x.mT[:, ::2], (2, 3), 1), IMAGE, False),
    Case("avg_pool1d", lambda x: nn.avg_pool1d(x, 2), ((2, 3, 7),)),
    Case("avg_pool2d", lambda x: nn.avg_pool2d(x, 2), IMAGE),
    Case("avg_pool2d of many tiles", lambda x: nn.avg_pool2d(x, (2, 3)), ((8, 8, 8, 18),)),
    Case(
        "avg_pool2d, overlapping",
        lambda x: nn.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False),
        IMAGE,
    ),
    Case("adaptive_avg_pool2d", lambda x: nn.adaptive_avg_pool2d(x, (3, 4)), IMAGE),
    Case("cross_entropy", _classes(4), ((4, 5),)),
    Case("cross_entropy, summed", _classes(4, reduction="sum"), ((4, 5),)),
    Case("cross_entropy, each", _classes(4, reduction="none"), ((4, 5),)),
    Case("cross_entropy, smooth", _classes(4, label_smoothing=0.2), ((4, 5),)),
    Case("cross_entropy, weighted", _classes(4, weight=WEIGHT), ((4, 5),)),
    Case(
        "cross_entropy, weighted and smooth",
        _classes(4, weight=WEIGHT, label_smoothing=0.2),
        ((4, 5),),
    ),
    Case("cross_entropy of images", _classes(4, 3), ((4, 5, 3),)),
    Case("cross_entropy of a transpose", lambda x: _classes(4)(x.T), ((5, 4),)),
    Case("cross_entropy of probabilities", nn.cross_entropy, ((4, 5), (4, 5))),
    Case(
        "cross_entropy of smooth probabilities",
        lambda x: nn.cross_entropy(x, SHARES, WEIGHT, label_smoothing=0.1),
        ((4, 5),),
    ),
    Case("nll_loss", lambda x: nn.nll_loss(x, _integers(4, below=5)), ((4, 5),)),
]


def _inputs(case: Case) -> list[Tensor]:
    random = numpy.random.default_rng(len(case.name))
    return [strided.asarray(random.standard_normal(shape)) for shape in case.shapes]


def _like(x: Tensor, seed: int) -> Tensor:
    return strided.asarray(numpy.random.default_rng(seed).standard_normal(tuple(x.shape)))


def _slope(function: Callable[[Tensor], Tensor], x: Tensor, along: Tensor) -> Tensor:
    """Return the derivative of a function in one direction, by differences of fourth order."""
    step = 1e-3
    near = function(x + along * step) - function(x - along * step)
    far = function(x + along * (2 * step)) - function(x - along * (2 * step))
    return (near * 8 - far) / (12 * step)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_gradients_are_those_of_finite_differences(case: Case) -> None:
    plain = _inputs(case)
    tracked = [x.clone().requires_grad_() for x in plain]
    made = case.layer(*tracked)
    assert made.requires_grad
    with strided.no_grad():
        expected = case.layer(*plain)
    assert (made.detach() - expected).abs().max().item() == 0
    g = _like(expected, 1)
    made.backward(g)
    for i, x in enumerate(plain):
        along = _like(x, 2 + i)
        gradient = tracked[i].grad
        assert gradient is not None
        assert gradient.shape == x.shape
        slope = _slope(lambda moved, i=i: case.layer(*plain[:i], moved, *plain[i + 1 :]), x, along)
        found = (gradient * along).sum().item()
        assert found == pytest.approx((slope * g).sum().item(), rel=1e-7, abs=1e-8)


@pytest.mark.parametrize("case", [case for case in CASES if case.twice], ids=lambda case: case.name)
def test_gradients_have_gradients(case: Case) -> None:
    plain = _inputs(case)
    g = _like(case.layer(*plain), 1)
    weights = [_like(x, 7 + i) for i, x in enumerate(plain)]

    def joined(*inputs: Tensor, graph: bool) -> Tensor:
        """Return all gradients as one number."""
        own = [x if graph else x.clone().requires_grad_() for x in inputs]
        made = strided.autograd.grad(case.layer(*own), own, g, create_graph=graph)
        parts = [(part * by).sum() for part, by in zip(made, weights, strict=True)]
        return strided.stack(parts).sum()

    tracked = [x.clone().requires_grad_() for x in plain]
    total = joined(*tracked, graph=True)
    if total.requires_grad:  # not that of a layer that is linear in its only tensor
        total.backward()
    for i, x in enumerate(plain):
        along = _like(x, 20 + i)
        slope = _slope(
            lambda moved, i=i: joined(*plain[:i], moved, *plain[i + 1 :], graph=False), x, along
        )
        gradient = tracked[i].grad
        found = 0.0 if gradient is None else (gradient * along).sum().item()
        assert found == pytest.approx(slope.item(), rel=1e-6, abs=1e-7)


def test_padding_gets_no_gradient() -> None:
    weight = strided.ones(4, 2, dtype=F64, requires_grad=True)
    nn.embedding(strided.tensor([1, 3, 1, -1]), weight, padding_idx=3).backward(
        strided.ones(4, 2, dtype=F64)
    )
    assert weight.grad is not None
    assert weight.grad.tolist() == [[0.0, 0.0], [2.0, 2.0], [0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_many_gradients_of_one_row_add_up_in_half_precision(dtype: str) -> None:
    weight = strided.ones(2, 1, dtype=dtype, requires_grad=True)
    nn.embedding(strided.zeros(3000, dtype="int64"), weight).sum().backward()
    assert weight.grad is not None
    assert abs(weight.grad[0].item() - 3000) <= 8


def test_ties_go_to_the_first() -> None:
    x = strided.zeros(1, 1, 2, 4, requires_grad=True)
    nn.max_pool2d(x, 2).backward(strided.ones(1, 1, 1, 2))
    assert x.grad is not None
    assert x.grad.tolist() == [[[[1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]]]]


def test_a_query_that_sees_nothing_passes_nothing_on() -> None:
    q = strided.ones(1, 1, 2, 3, requires_grad=True)
    k = strided.ones(1, 1, 2, 3, requires_grad=True)
    seen = strided.tensor([[True, False], [False, False]])
    nn.scaled_dot_product_attention(q, k, k, seen).backward(strided.ones(1, 1, 2, 3))
    assert q.grad is not None
    assert k.grad is not None
    assert q.grad.tolist() == [[[[0.0] * 3] * 2]]
    assert k.grad.tolist() == [[[[1.0] * 3, [0.0] * 3]]]


def test_running_statistics_follow_the_batch() -> None:
    x = strided.tensor([[1.0, 0.0], [3.0, 4.0]], requires_grad=True)
    mean, variance = strided.zeros(2), strided.ones(2)
    nn.batch_norm(x, mean, variance, training=True, momentum=0.5)
    assert mean.tolist() == [1.0, 1.0]
    assert variance.tolist() == [1.5, 4.5]
    assert not mean.requires_grad


def test_attention_keeps_the_order_of_axes() -> None:
    x = strided.zeros(2, 5, 3, 4, requires_grad=True)
    heads = x.transpose(1, 2)
    made = nn.scaled_dot_product_attention(heads, heads, heads)
    assert made.transpose(1, 2).is_contiguous()


@pytest.mark.parametrize(
    "call",
    [
        lambda x: nn.attention(x, [(2, [(x.detach(), x.detach())])]),
        lambda x: nn.rope(x.detach(), *(x[:, 0, :1] for _ in range(2))),
        lambda x: nn.linear(x, strided.quantize(strided.ones(4, 32), "Q8_0")),
    ],
)
def test_what_has_no_gradient_says_so(call: Callable[[Tensor], Tensor]) -> None:
    x = strided.ones(2, 1, 32, requires_grad=True)
    with pytest.raises(GradientNotPossible):
        call(x)


def test_the_gradient_of_max_pool_has_one_too() -> None:
    random = numpy.random.default_rng(0)
    x = strided.asarray(random.standard_normal((1, 2, 5, 6))).requires_grad_()
    assert strided.autograd.gradgradcheck(lambda x: nn.max_pool2d(x, 3, 2, 1).square(), (x,))


def test_gradients_do_not_depend_on_the_number_of_threads() -> None:
    shapes = ((48, 3, 9, 9), (4, 3, 3, 3))
    random = numpy.random.default_rng(0)
    x, weight = (strided.asarray(random.standard_normal(s).astype("f")) for s in shapes)
    rows = strided.asarray(random.standard_normal((300, 70)).astype("f"))
    heads = strided.asarray(random.standard_normal((2, 4, 150, 8)).astype("f"))
    before, found = strided.get_num_threads(), []
    try:
        for threads in (1, 3):
            strided.set_num_threads(threads)
            given = [one.clone().requires_grad_() for one in (x, weight, rows, heads)]
            for made in (
                nn.conv2d(given[0], given[1], padding=1),
                nn.layer_norm(given[2], 70),
                nn.scaled_dot_product_attention(given[3], given[3], given[3], is_causal=True),
                nn.cross_entropy(given[2], strided.arange(300) % 70),
                nn.softmax(given[2]).square() + nn.log_softmax(given[2]).square(),
                nn.softmax(given[2], 0).square() + nn.log_softmax(given[2], 0).square(),
                nn.batch_norm(given[2], None, None, training=True).exp(),
                nn.batch_norm(given[0], None, None, training=True).exp(),
            ):
                made.backward(strided.ones_like(made))
            found.append([one.grad.tolist() for one in given if one.grad is not None])
    finally:
        strided.set_num_threads(before)
    assert len(found[0]) == 4
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "layer",
    [
        lambda x, w: nn.conv2d(x, w),
        lambda x, w: nn.conv2d(x[:, :1], w[:, :1]),
        lambda x, w: nn.layer_norm(x, 5) + 0 * w.sum(),
        lambda x, w: nn.max_pool2d(x, 2) + 0 * w.sum(),
    ],
)
def test_results_may_be_overwritten(layer: Layer) -> None:
    found = []
    for in_place in (False, True):
        x = strided.arange(600.0, dtype=F64).reshape(2, 12, 5, 5).sin().requires_grad_()
        w = strided.arange(432.0, dtype=F64).reshape(4, 12, 3, 3).cos().requires_grad_()
        made = layer(x, w)
        made = made.mul_(2) if in_place else made * 2
        made.backward(strided.ones_like(made))
        assert x.grad is not None
        found.append(x.grad.tolist())
    assert found[0] == found[1]


def test_nothing_in_nothing_out() -> None:
    x = strided.zeros(0, 3, 5, 5, requires_grad=True)
    weight = strided.ones(4, 3, 3, 3, requires_grad=True)
    made = nn.conv2d(x, weight, padding=1)
    assert made.shape == (0, 4, 5, 5)
    made.backward(strided.zeros(0, 4, 5, 5))
    assert weight.grad is not None
    assert weight.grad.abs().sum().item() == 0
    q = strided.ones(1, 2, 3, 4, requires_grad=True)
    nn.scaled_dot_product_attention(q, q, q[..., :0]).backward(strided.zeros(1, 2, 3, 0))
    assert q.grad is not None
    assert q.grad.abs().sum().item() == 0
    rows = strided.zeros(0, 6, requires_grad=True)
    nn.layer_norm(rows, 6).backward(strided.zeros(0, 6))
    assert rows.grad is not None
    assert rows.grad.shape == (0, 6)
