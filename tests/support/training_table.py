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


def function(lib: Library, text: str) -> dict[str, Any]:
    """Return the result of a function, and the gradients of its operands under uneven weights."""
    code = compile(text, "a row", "eval")
    names = [name for name in OPERANDS if name in code.co_names]
    operands = {
        name: lib.tensor(*operand(name)).requires_grad_(name != "w")  # weights have no gradient
        for name in names
    }
    result = eval(code, {"F": lib.nn.functional, **operands})
    weights = lib.tensor(tuple(result.shape), wave(result.numel(), 7.0))
    if result.requires_grad:
        result.backward(weights)
    grads = {name: _listed(x.grad) for name, x in operands.items() if x.grad is not None}
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
    made = eval(text, {**vars(lib.optim), "ps": ps})
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


def module(lib: Library, text: str, given: str) -> dict[str, Any]:
    """Return names and shapes of the state; results and gradients with a made-up state."""
    made = eval(text, dict(vars(lib.nn))).double()
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
    result = made(taken, taken, taken)[0] if "Attention" in text else made(taken)
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
    """Return the answers of a library to all questions."""
    library = Library(lib)
    return {
        "functions": {text: function(library, text) for text in FUNCTIONS},
        "optimizers": {text: optimizer(library, text) for text in OPTIMIZERS},
        "schedules": {text: schedule(library, text) for text in SCHEDULES},
        "clips": {text: clip(library, text) for text in CLIPS},
        "modules": {text: module(library, text, given) for text, given in MODULES},
    }
