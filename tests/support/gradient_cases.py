"""One or more calls of every public function and method that gradients pass, by its name.

A call is a function whose parameters name the tensors it takes (``INPUTS``). The tests compare each
with finite differences, and demand that no public name is left out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import strided as st
from strided.ops.define import DEFINITIONS
from strided.ops.elementwise import definitions

from .array_gradient_cases import ARRAY_CASES
from .op_reference import REFUSED

Call = Callable[..., Any]
_RANDOM = np.random.default_rng(5)


def _numbers(*shape: int) -> Any:
    return _RANDOM.standard_normal(shape)


_a = _numbers(3, 4)
INPUTS: dict[str, Any] = {
    "a": _a,
    "b": _numbers(3, 4),
    "c": _numbers(4, 2),
    "k": _numbers(2, 3, 4),
    "m": _numbers(2, 4, 3),
    "p": np.abs(_numbers(3, 4)) + 0.5,
    "q": np.abs(_numbers(3, 4)) + 0.5,
    "u": np.tanh(_numbers(3, 4)) * 0.4 + 0.5,  # inside (0, 1)
    "w": np.abs(_numbers(3, 4)) + 1.1,
    "v": _numbers(4),
    "r": _numbers(3),
    "s": _numbers(),
    "o": _numbers(3, 0),
    "f": np.where(_RANDOM.random((3, 4)) < 0.3, 0.0, _a),  # zeros among them
    "n": np.where(_RANDOM.random((3, 4)) < 0.3, np.nan, _a),
    "z": _numbers(2, 3) + 1j * _numbers(2, 3),
    "x": _numbers(3, 2) + 1j * _numbers(3, 2),
}


def _index(*positions: int) -> st.Tensor:
    return st.tensor(list(positions))


_MASK = st.tensor(_RANDOM.random((3, 4)) < 0.5)
_ROWS = st.tensor([[0, 2, 1, 0], [2, 2, 0, 1]])  # of (3, 4), along axis 0
_ONCE = st.tensor([[0, 2, 1, 0], [2, 1, 0, 1]])  # the same, no place twice
_FIXED = st.full((3, 4), 2.5, dtype=st.float64)
_UNIT = st.eye(3, dtype=st.float64) * 3
_KEY = (st.tensor([0, 2, 2]), slice(1, None))

# ---- elementwise ops ----

_DOMAIN = {
    **dict.fromkeys(("acosh", "arccosh"), "w"),
    **dict.fromkeys(("asin", "acos", "atanh", "logit"), "u"),
    **dict.fromkeys(("sqrt", "rsqrt", "log", "log2", "log10", "log1p", "lgamma", "digamma"), "p"),
}
_BINARY_DOMAIN = {**dict.fromkeys(("pow", "float_power", "xlogy", "fmod", "remainder"), ("p", "q"))}


def _taking(names: tuple[str, ...], function: Call) -> Call:
    """Return a function with parameters of these names."""
    listed = ", ".join(names)
    made: Call = eval(f"lambda {listed}: function({listed})", {"function": function})
    return made


def _elementwise() -> Iterator[tuple[str, Call]]:
    for row in (*definitions(1), *definitions(2)):
        if row.gradients is None:
            continue
        if len(row.gradients) == 1:
            names: tuple[str, ...] = (_DOMAIN.get(row.name, "a"),)
        else:
            names = _BINARY_DOMAIN.get(row.name, ("a", "b"))
        for name in (row.name, *row.aliases):
            function, method = getattr(st, name), getattr(st.Tensor, name)
            yield name, _taking(names, function)
            yield f"Tensor.{name}", _taking(names, method)
            if hasattr(st.Tensor, name + "_"):
                yield f"Tensor.{name}_", _taking(names, _on_a_clone(name + "_"))
        if len(row.gradients) == 1 and row.name not in REFUSED["c"].split():
            yield row.name, _taking(("z",), getattr(st, row.name))


def _on_a_clone(name: str) -> Call:
    return lambda x, *rest, **named: getattr(x.clone(), name)(*rest, **named)


# ---- reductions and scans, from their definitions ----


def _with(function: Call, options: dict[str, Any]) -> Call:
    return lambda x: function(x, **options)


def _along_axes() -> Iterator[tuple[str, Call]]:
    """Yield each function and method that takes axes: over all, one and several of them."""
    chapters = ("strided.ops.statistics", "strided.ops.extremes", "strided.ops.scans")
    for definition in DEFINITIONS.values():
        is_body = definition.python.__module__ in chapters and definition.passes_gradients
        if not is_body or definition.python.__annotations__["return"] != "Tensor":
            continue
        names = ("n",) if definition.name.startswith("nan") else ("a",)
        given: list[dict[str, Any]] = [{"axis": 1}]
        if "keepdims" in definition.parameters:
            given += [{}, {"axis": -2, "keepdims": True}, {"axis": (0, 1)}]
        for prefix, made in (("", definition.functions), ("Tensor.", definition.methods)):
            for name, call in made.items():
                for options in given:
                    yield prefix + name, _taking(names, _with(call, options))


# ---- everything else ----


def _set(x: st.Tensor, key: Any, value: Any) -> st.Tensor:
    made = x.clone()
    made[key] = value
    return made


def _put_along(x: st.Tensor, values: st.Tensor) -> st.Tensor:
    made = x.clone()
    st.put_along_axis(made, st.tensor([[1], [0], [3]]), values, axis=1)
    return made


def _complex(x: st.Tensor) -> st.Tensor:
    return x.reshape(3, 2, 2).view_as_complex()


_OTHERS: dict[str, list[Call]] = {
    # three operands, parameters with defaults
    "where": [lambda a, b: st.where(_MASK, a, b), lambda a: st.where(_MASK, a, 1.5)],
    "clip": [
        lambda a: st.clip(a, -0.5, 0.5),
        lambda a, b, v: st.clip(a, b, v),
        lambda a, v: st.clip(a, min=v),
        lambda a, v: st.clip(a, max=v),
    ],
    "clamp": [lambda a: st.clamp(a, min=0.1)],
    "Tensor.clamp": [lambda a: a.clamp(max=0.1), lambda a, b, v: a.clamp(b, v)],
    "Tensor.clip": [lambda a: a.clip(-0.2, 0.3)],
    "Tensor.clamp_": [lambda a: a.clone().clamp_(-0.2, 0.3), lambda a: a.clone().clamp_(min=0.1)],
    "Tensor.clip_": [lambda a: a.clone().clip_(-0.2, 0.3)],
    "lerp": [lambda a, b, p: st.lerp(a, b, p), lambda a, b: st.lerp(a, b, 0.25)],
    "Tensor.lerp": [lambda a, v: a.lerp(v, 0.25)],
    "Tensor.lerp_": [lambda a, b, p: a.clone().lerp_(b, p)],
    "elu": [lambda a: st.elu(a, 0.5)],
    "leaky_relu": [lambda a: st.leaky_relu(a)],
    "hardtanh": [lambda a: st.hardtanh(a), lambda a: st.hardtanh(a, -0.3, 0.2)],
    "Tensor.hardtanh": [lambda a: a.hardtanh(-0.3, 0.2)],
    "Tensor.hardtanh_": [lambda a: a.clone().hardtanh_()],
    "gelu": [lambda a: st.gelu(a, "tanh")],
    "softplus": [lambda a: st.softplus(a, 2.0)],
    "Tensor.softplus_": [lambda a: a.clone().softplus_(2.0)],
    "logit": [lambda u: st.logit(u, 0.3)],
    "Tensor.logit_": [lambda u: u.clone().logit_(0.3)],
    "addcmul": [lambda a, b, v: st.addcmul(a, b, v), lambda a, b, v: st.addcmul(a, b, v, value=2)],
    "Tensor.addcmul": [lambda a, b, v: a.addcmul(b, v)],
    "Tensor.addcmul_": [lambda a, b, v: a.clone().addcmul_(b, v, value=3)],
    "addcdiv": [lambda a, b, p: st.addcdiv(a, b, p), lambda z, x: st.addcdiv(z, z, x.T)],
    "Tensor.addcdiv": [lambda a, b, p: a.addcdiv(b, p, value=2)],
    "Tensor.addcdiv_": [lambda a, b, p: a.clone().addcdiv_(b, p)],
    "nan_to_num": [
        lambda n: st.nan_to_num(n),
        lambda n: st.nan_to_num(n, 2.0),
        lambda z: st.nan_to_num(z),
    ],
    "Tensor.nan_to_num": [lambda n: n.nan_to_num(1.0)],
    "Tensor.nan_to_num_": [lambda n: n.clone().nan_to_num_(), lambda n: n.clone().nan_to_num_(2.0)],
    "add": [lambda a, b: a.add(b, alpha=3), lambda a: a + 1, lambda a: 1 - a, lambda z, a: z + 2j],
    "multiply": [lambda a: a * a, lambda a, v: a * v, lambda a, s: s * a, lambda z, x: z * x.T],
    "divide": [lambda z, x: z / x.T, lambda p: 2 / p],
    "pow": [
        lambda a: a**2,
        lambda a: a**3,
        lambda f: f**0,
        lambda p: p**-1.5,
        lambda a: 2.5**a,
        lambda z: (-2.5) ** z,
        lambda z: (1 + 2j) ** z,
        lambda z: z**2.5,
        lambda z, x: z**x.T,
    ],
    "Tensor.__divmod__": [lambda p: divmod(p, 0.7)[1]],
    "Tensor.__rdivmod__": [lambda p: divmod(3.0, p)[1]],
    # reductions: what their definitions do not say
    "sum": [lambda z: st.sum(z)],
    "Tensor.sum": [lambda k: k.sum((0, -1)), lambda s: s.sum(), lambda o: o.sum(1)],
    "prod": [lambda f: st.prod(f, axis=1), lambda z: st.prod(z, axis=0)],
    "Tensor.prod": [
        lambda f: f.prod(),
        lambda k: k.prod((0, 2), keepdim=True),
        lambda f: f.prod((0, 1)),
        lambda s: s.prod(),
        lambda o: o.prod(1),
    ],
    "mean": [lambda z: st.mean(z)],
    "Tensor.min": [lambda a: a.min(), lambda a: a.min(1)[0], lambda a, b: a.min(b)],
    "Tensor.max": [
        lambda a: a.max(),
        lambda a: a.max(1)[0],
        lambda a: a.max(0, keepdim=True).values,
        lambda a: a.max(axis=0),
        lambda a, b: a.max(b),
    ],
    "Tensor.aminmax": [lambda a: a.aminmax(1)[0] * a.aminmax(1)[1], lambda a: a.aminmax()[1]],
    "var": [lambda z: st.var(z)],
    "Tensor.var": [lambda k: k.var((0, 2)), lambda a: a.var(1, ddof=0, keepdim=True)],
    "Tensor.std": [lambda k: k.std((0, 2), correction=0), lambda z: z.std()],
    "vector_norm": [lambda z: st.vector_norm(z)],
    "Tensor.norm": [
        lambda a: a.norm(1, 0),
        lambda a: a.norm(3, 1, keepdim=True),
        lambda a: a.norm(1.5),
        lambda a: a.norm(0.5, (0, 1)),
        lambda a: a.norm(float("inf"), 0),
        lambda a: a.norm(-float("inf")),
        lambda a: a.norm(0),
        lambda z: z.norm(3),
    ],
    "Tensor.logsumexp": [lambda k: k.logsumexp((0, 1))],
    "cumulative_sum": [
        lambda a: st.cumulative_sum(a, axis=1, include_initial=True),
        lambda v: st.cumulative_sum(v),
    ],
    "cumulative_prod": [
        lambda f: st.cumulative_prod(f, axis=0),
        lambda a: st.cumulative_prod(a, axis=1, include_initial=True),
    ],
    "Tensor.cumsum": [lambda k: k.cumsum(-2), lambda z: z.cumsum(0)],
    "Tensor.cumprod": [lambda f: f.cumprod(0), lambda f: f.cumprod(1)],
    # order
    "sort": [lambda a: st.sort(a, axis=0), lambda a: st.sort(a, axis=None, descending=True)],
    "Tensor.sort": [lambda a: a.sort(1, descending=True).values],
    "msort": [lambda a: st.msort(a)],
    "Tensor.msort": [lambda a: a.msort()],
    "topk": [lambda a: st.topk(a, 2, 0).values],
    "Tensor.topk": [lambda a: a.topk(2).values, lambda a: a.topk(3, 1, largest=False)[0]],
    "kthvalue": [lambda a: st.kthvalue(a, 2).values],
    "Tensor.kthvalue": [lambda a: a.kthvalue(2, 0, keepdim=True).values],
    "median": [lambda a: st.median(a, axis=1), lambda a: st.median(a), lambda r: st.median(r)],
    "Tensor.median": [lambda a: a.median(), lambda a: a.median(1).values],
    "Tensor.cummax": [lambda a: a.cummax(1).values],
    "Tensor.cummin": [lambda a: a.cummin(0).values],
    # products
    "matmul": [
        lambda a, c: st.matmul(a, c),
        lambda v: v @ v,
        lambda a, v: a @ v,
        lambda r, a: r @ a,
        lambda k, c: k @ c,
        lambda a, m: a @ m,
        lambda k, m: k @ m,
        lambda k, v: k @ v,
        lambda r, k: r @ k,
        lambda k, m: k.unsqueeze(0) @ m.unsqueeze(1),
        lambda z, x: z @ x,
        lambda o: o.T @ o,
        lambda o: o @ o.T,
    ],
    "Tensor.matmul": [lambda a, c: a.matmul(c)],
    "mm": [lambda a, c: st.mm(a, c)],
    "Tensor.mm": [lambda a, c: a.mm(c)],
    "mv": [lambda a, v: st.mv(a, v)],
    "Tensor.mv": [lambda a, v: a.mv(v)],
    "bmm": [lambda k, m: st.bmm(k, m)],
    "Tensor.bmm": [lambda k, m: k.bmm(m)],
    "dot": [lambda v: st.dot(v, v), lambda a, m: st.dot(a, m), lambda s, a: st.dot(s, a)],
    "Tensor.dot": [lambda v: v.dot(v * 2)],
    "vdot": [lambda z, x: st.vdot(z, x.T)],
    "Tensor.vdot": [lambda z: z[0].vdot(z[1])],
    "vecdot": [lambda a, v: st.vecdot(a, v), lambda z: st.vecdot(z, z)],
    "inner": [lambda a, v: st.inner(a, v), lambda a, b: st.inner(a, b)],
    "Tensor.inner": [lambda k, a: k.inner(a)],
    "outer": [lambda a, v: st.outer(a, v)],
    "Tensor.outer": [lambda r, v: r.outer(v)],
    "kron": [lambda a, c: st.kron(a, c), lambda r, c: st.kron(r, c.T)],
    "tensordot": [
        lambda k, m: st.tensordot(k, m, axes=([0, 2], [0, 1])),
        lambda r, v: st.tensordot(r, v, axes=0),
    ],
    "einsum": [
        lambda a, c: st.einsum("ij,jk->ik", a, c),
        lambda k, m: st.einsum("bij,bjk->bik", k, m),
        lambda k, a, v: st.einsum("bij,ij,j->b", k, a, v),
        lambda k: st.einsum("bij->ji", k),
        lambda m: st.einsum("bii->bi", m[:, :3]),
        lambda r, v: st.einsum("i,j->ij", r, v),
        lambda a, v: st.einsum("...j,j", a, v),
        lambda z, x: st.einsum("ij,ji->i", z, x),
    ],
    "addmm": [lambda v, a, m: st.addmm(v[:3], a, m[0], beta=2, alpha=3)],
    "Tensor.addmm": [
        lambda s, a, c: s.addmm(a, c),
        lambda s, a, c: s.addmm(mat2=c, mat1=a, alpha=2),
        lambda m: m[0, :3].addmm(m[0, :3], m[1, :3]),
    ],
    "Tensor.addmm_": [lambda m, a: (m[0] * 1)[:3].addmm_(a, m[1], alpha=2)],
    "addmv": [lambda r, a, v: st.addmv(r, a, v)],
    "Tensor.addmv": [lambda r, a, v: r.addmv(a, v, beta=0.5)],
    "baddbmm": [lambda s, k, m: st.baddbmm(s, k, m)],
    "Tensor.baddbmm": [lambda r, k, m: r.baddbmm(k, m, alpha=2)],
    "Tensor.baddbmm_": [lambda k, m: (k[:, :, :3] * 1).baddbmm_(k, m, beta=2)],
    # picking
    "gather": [lambda a: st.gather(a, 0, _ROWS)],
    "Tensor.gather": [lambda a: a.gather(1, st.tensor([[0], [3], [3]]))],
    "take": [lambda a: st.take(a, _ROWS, axis=0), lambda v: st.take(v, _index(0, 3, 3))],
    "Tensor.take": [lambda a: a.take(_index(5, 5, 0)), lambda a: a.take(_index(1, 1), 1)],
    "take_along_axis": [lambda a: st.take_along_axis(a, _ROWS, axis=0)],
    "Tensor.take_along_dim": [
        lambda a: a.take_along_dim(st.tensor([[0, 2, 2]]), 1),
        lambda a: a.take_along_dim(_index(3, 3)),
    ],
    "index_select": [lambda a: st.index_select(a, 1, _index(0, 3, 3))],
    "Tensor.index_select": [lambda a: a.index_select(0, _index(2, 0))],
    "masked_select": [lambda a: st.masked_select(a, _MASK)],
    "Tensor.masked_select": [lambda v: v.masked_select(_MASK)],
    "Tensor.__getitem__": [
        lambda a: a[_index(0, 2, 2)],
        lambda a: a[_KEY],
        lambda a: a[_MASK],
        lambda a: a[:, [0, 1, 1]],
        lambda k: k[:, _index(0, 2), _index(1, 1)],
        lambda k: k[_index(1, 1), :, _index(0, 3)],
        lambda a: a[1:, ::2],
        lambda a: a[None, 1, ...],
        lambda a: a[_MASK[:, 0]],
    ],
    "Tensor.__setitem__": [
        lambda a, b: _set(a, (slice(1, None), slice(None, None, 2)), b[1:, ::2]),
        lambda a, v: _set(a, _index(0, 2), v),
        lambda a, s: _set(a, _MASK, s),
        lambda a, b: _set(a, _MASK, b[_MASK]),
        lambda k, r: _set(k, (slice(None), slice(None), _index(1, 3)), r.unsqueeze(1)),
        lambda a: _set(a, _index(1), 5.0),
        lambda a: _set(a, 1, 5.0),
    ],
    "diff": [lambda a: st.diff(a, axis=0), lambda a, r: st.diff(a, prepend=r.unsqueeze(1))],
    "Tensor.diff": [lambda a: a.diff(2), lambda v, r: v.diff(prepend=r, append=r)],
    # writing
    "put_along_axis": [lambda a, r: _put_along(a, r.unsqueeze(1))],
    "Tensor.scatter": [
        lambda a, b: a.scatter(0, _ONCE, b[:2]),
        lambda a, b: a.scatter(0, _ROWS, b[:2], reduce="add"),
        lambda a, b: a.scatter(0, _ROWS, b[:2], reduce="multiply"),
        lambda a: a.scatter(0, _ONCE, 2.5),
        lambda a, k: a.scatter(0, _ONCE, k[0]),
    ],
    "Tensor.scatter_": [lambda a, b: a.clone().scatter_(0, _ONCE, b[:2])],
    "Tensor.scatter_add": [lambda a, b: a.scatter_add(0, _ROWS, b[:2])],
    "Tensor.scatter_add_": [lambda a, b: a.clone().scatter_add_(0, _ROWS, b[:2])],
    "Tensor.scatter_reduce": [
        lambda a, b, how=how, own=own: a.scatter_reduce(0, _ROWS, b[:2], how, include_self=own)
        for how in ("sum", "prod", "mean", "amax", "amin")
        for own in (True, False)
    ],
    "Tensor.scatter_reduce_": [lambda a, f: a.clone().scatter_reduce_(0, _ROWS, f[:2], "prod")],
    "Tensor.index_add": [
        lambda a, b: a.index_add(0, _index(1, 1), b[:2], alpha=2),
        lambda a, b: a.index_add(source=b[:2], index=_index(1, 1), dim=0),
    ],
    "Tensor.index_add_": [lambda a, b: a.clone().index_add_(0, _index(1, 1), b[:2])],
    "Tensor.index_copy": [lambda a, b: a.index_copy(1, _index(3, 0), b[:, :2])],
    "Tensor.index_copy_": [lambda a, b: a.clone().index_copy_(1, _index(3, 0), b[:, :2])],
    "Tensor.index_fill": [
        lambda a: a.index_fill(1, _index(3, 0), 2.0),
        lambda a, s: a.index_fill(0, _index(1), s),
    ],
    "Tensor.index_fill_": [lambda a, s: a.clone().index_fill_(1, _index(3, 0), s)],
    "Tensor.index_put": [
        lambda a, r: a.index_put((_index(0, 0, 1), _index(1, 1, 2)), r, accumulate=True),
        lambda a, v: a.index_put((_index(0, 2),), v),
        lambda a, v: a.index_put(values=v, indices=_index(0, 2)),
        lambda a: a.index_put((_index(1),), a[:1]),
    ],
    "Tensor.index_put_": [lambda a, v: a.clone().index_put_((_index(0, 2),), v)],
    "Tensor.index_reduce": [lambda a, b: a.index_reduce(0, _index(1, 1), b[:2], "prod")],
    "Tensor.index_reduce_": [lambda a, b: a.clone().index_reduce_(0, _index(1, 1), b[:2], "amax")],
    "Tensor.put": [
        lambda a, r: a.put(_index(0, 5, 7), r),
        lambda a, r: a.put(_index(0, 5, 5), r, accumulate=True),
    ],
    "Tensor.put_": [lambda a, r: a.clone().put_(_index(0, 5, 7), r)],
    "Tensor.masked_fill": [lambda a, s: a.masked_fill(_MASK, s), lambda a: a.masked_fill(_MASK, 1)],
    "Tensor.masked_fill_": [
        lambda a, s: a.clone().masked_fill_(_MASK, s),
        lambda a: a.clone().masked_fill_(_MASK[:1], -1.0),
    ],
    "Tensor.masked_scatter": [lambda a, b: a.masked_scatter(_MASK, b)],
    "Tensor.masked_scatter_": [lambda a, b: a.clone().masked_scatter_(_MASK, b)],
    "Tensor.copy_": [lambda a, v: a.clone().copy_(v), lambda a, v: _set(a, 0, v)],
    "Tensor.fill_": [lambda a: a.clone().fill_(2.0)],
    "Tensor.zero_": [lambda a: (a * 1).zero_()],
    # putting together
    "cat": [lambda a, b: st.cat([a, b], 1), lambda a, k: st.cat([a, k[0], a])],
    "concat": [lambda a, v: st.concat([a, v], axis=None), lambda a, b: st.concat((a, b), axis=-1)],
    "stack": [lambda a, b: st.stack([a, b], axis=1), lambda s: st.stack([s, s])],
    "tile": [lambda a: st.tile(a, (2, 1, 3)), lambda k: st.tile(k, (2,))],
    "repeat": [
        lambda a: st.repeat(a, 3, axis=0),
        lambda a: st.repeat(a, 2),
        lambda a: st.repeat(a, _index(2, 0, 3, 1), axis=1),
        lambda a: st.repeat(a, st.arange(12) % 3),
        lambda a: st.repeat(a, _index(2), axis=-1),
    ],
    "roll": [lambda a: st.roll(a, (1, -2), axis=(0, 1)), lambda a: st.roll(a, 5)],
    "tril": [lambda k: st.tril(k), lambda a: st.tril(a, k=1)],
    "triu": [lambda k: st.triu(k, k=-1)],
    "meshgrid": [lambda r, v: st.meshgrid(r, v)[0] * st.meshgrid(r, v)[1]],
    "broadcast_arrays": [lambda a, v: st.broadcast_arrays(a, v)[1]],
    "broadcast_tensors": [lambda a, v: st.broadcast_tensors(a, v)[1]],
    "fuse": [lambda a, b: st.fuse(lambda x, y: x * y + x.exp())(a, b)],
    # copies
    "Tensor.clone": [lambda a: a.clone()],
    "Tensor.copy": [lambda a: a.T.copy()],
    "Tensor.contiguous": [lambda a: a.T.contiguous()],
    "Tensor.to": [lambda a: a.to(st.float64, copy=True)],
    "astype": [lambda a: st.astype(a, st.float64), lambda a: st.astype(a, st.complex128)],
    "Tensor.astype": [lambda a: a.astype(st.float64)],
    "Tensor.type_as": [lambda a, b: a.type_as(b)],
    "Tensor.double": [lambda a: a.double()],
    "Tensor.cpu": [lambda a: a.cpu()],
    "Tensor.to_device": [lambda a: a.to_device("cpu")],
    "Tensor.__copy__": [lambda a: a.__copy__() * 2],
    # views
    "as_strided": [lambda a: st.as_strided(a, (2, 2), (1, 2), 1)],
    "Tensor.as_strided": [lambda a: a.as_strided((3, 3), (1, 1), 0)],
    "broadcast_to": [lambda v: st.broadcast_to(v, (2, 4))],
    "Tensor.broadcast_to": [lambda v: v.broadcast_to(2, 4)],
    "chunk": [lambda a: st.chunk(a, 2)[1]],
    "Tensor.chunk": [lambda a: a.chunk(2, 1)[0]],
    "diagonal": [lambda a: st.diagonal(a)],
    "Tensor.diagonal": [lambda k: k.diagonal(1, 1, 2)],
    "expand_dims": [lambda a: st.expand_dims(a, axis=1)],
    "Tensor.expand_dims": [lambda a: a.expand_dims(0)],
    "Tensor.expand": [lambda v: v.expand(3, -1)],
    "Tensor.expand_as": [lambda v, a: v.expand_as(a)],
    "flatten": [lambda k: st.flatten(k)],
    "Tensor.flatten": [lambda k: k.permute(2, 0, 1).flatten(0, 1)],
    "flip": [lambda a: st.flip(a)],
    "Tensor.flip": [lambda a: a.flip(1)],
    "Tensor.fliplr": [lambda a: a.fliplr()],
    "Tensor.flipud": [lambda a: a.flipud()],
    "imag": [lambda z: st.imag(z)],
    "real": [lambda z: st.real(z)],
    "Tensor.imag": [lambda z: z.imag],
    "Tensor.real": [lambda z: z.real, lambda a: a.real],
    "Tensor.H": [lambda z: z.H],
    "Tensor.T": [lambda a: a.T],
    "Tensor.mT": [lambda k: k.mT],
    "matrix_transpose": [lambda k: st.matrix_transpose(k)],
    "moveaxis": [lambda k: st.moveaxis(k, 0, -1)],
    "Tensor.moveaxis": [lambda k: k.moveaxis(0, -1)],
    "Tensor.movedim": [lambda k: k.movedim(2, 0)],
    "Tensor.narrow": [lambda a: a.narrow(1, 1, 2)],
    "permute": [lambda k: st.permute(k, (2, 0, 1))],
    "permute_dims": [lambda k: st.permute_dims(k, (2, 0, 1))],
    "Tensor.permute": [lambda k: k.permute(1, 2, 0)],
    "Tensor.ravel": [lambda a: a.T.ravel()],
    "reshape": [lambda a: st.reshape(a, (2, 6))],
    "Tensor.reshape": [lambda a: a.T.reshape(6, 2)],
    "Tensor.reshape_as": [lambda a, c: a[:2].reshape_as(c)],
    "rot90": [lambda a: st.rot90(a)],
    "Tensor.rot90": [lambda a: a.rot90(3)],
    "Tensor.select": [lambda a: a.select(1, -1)],
    "Tensor.slice": [lambda a: a.slice(1, 3)],
    "Tensor.slice_dim": [lambda a: a.slice_dim(1, 0, 2)],
    "Tensor.sliding_window_view": [lambda a: a.sliding_window_view((2, 2))],
    "split": [lambda a: st.split(a, 2)[0]],
    "Tensor.split": [lambda a: a.split([1, 3], 1)[1]],
    "Tensor.tensor_split": [lambda a: a.tensor_split(2, 1)[1]],
    "Tensor.hsplit": [lambda a: a.hsplit(2)[0]],
    "Tensor.vsplit": [lambda a: a.vsplit(3)[2]],
    "Tensor.dsplit": [lambda k: k.dsplit(2)[1]],
    "squeeze": [lambda a: st.squeeze(a[:1], 0)],
    "Tensor.squeeze": [lambda a: a[:, :1].squeeze()],
    "Tensor.swapaxes": [lambda a: a.swapaxes(0, 1)],
    "Tensor.swapdims": [lambda a: a.swapdims(0, 1)],
    "Tensor.t": [lambda a: a.t()],
    "transpose": [lambda a: st.transpose(a, 0, 1)],
    "Tensor.transpose": [lambda a: a.transpose(0, 1)],
    "unbind": [lambda a: st.unbind(a)[1]],
    "Tensor.unbind": [lambda a: a.unbind(1)[0] * a.unbind(1)[2]],
    "unstack": [lambda a: st.unstack(a)[1]],
    "Tensor.unflatten": [lambda a: a.unflatten(1, (2, 2))],
    "Tensor.unfold": [lambda a: a.unfold(1, 2, 1), lambda v: v.unfold(0, 3, 1)],
    "unsqueeze": [lambda a: st.unsqueeze(a, 1)],
    "Tensor.unsqueeze": [lambda a: a.unsqueeze(-1)],
    "Tensor.view": [lambda a: a.view(4, 3)],
    "Tensor.view_as": [lambda a, c: a[:2].view_as(c)],
    "Tensor.view_as_complex": [lambda a: _complex(a)],
    "Tensor.view_as_real": [lambda z: z.view_as_real()],
    "Tensor.squeeze_": [lambda a: (a[:1] * 2).squeeze_()],
    "Tensor.unsqueeze_": [lambda a: (a * 2).unsqueeze_(0)],
    "Tensor.transpose_": [lambda a: (a * 2).transpose_(0, 1)],
    "Tensor.swapaxes_": [lambda a: (a * 2).swapaxes_(0, 1)],
    "Tensor.t_": [lambda a: (a * 2).t_()],
    "Tensor.as_strided_": [lambda a: (a * 2).as_strided_((2, 2), (1, 2))],
    # methods that are functions too, and the other way round
    "Tensor.roll": [lambda a: a.roll(1, 0)],
    "Tensor.tile": [lambda a: a.tile((2, 1))],
    "Tensor.tril": [lambda a: a.tril(-1)],
    "Tensor.tril_": [lambda a: (a * 1).tril_(1)],
    "Tensor.triu": [lambda a: a.triu(1)],
    "Tensor.triu_": [lambda a: (a * 1).triu_()],
    "Tensor.where": [lambda a, b: a.where(_MASK, b), lambda a: a.where(_MASK, 2.0)],
    "aminmax": [lambda a: st.aminmax(a, dim=1)[0]],
    "concatenate": [lambda a, b: st.concatenate([a, b], 1)],
    "cummax": [lambda a: st.cummax(a, 1).values],
    "cummin": [lambda a: st.cummin(a, 0).values],
    "max": [lambda a: st.max(a, dim=1)[0]],
    "min": [lambda a: st.min(a, axis=0)],
    "dsplit": [lambda k: st.dsplit(k, 2)[1]],
    "hsplit": [lambda a: st.hsplit(a, 2)[0]],
    "vsplit": [lambda a: st.vsplit(a, 3)[2]],
    "fliplr": [lambda a: st.fliplr(a)],
    "flipud": [lambda a: st.flipud(a)],
    "index_add": [lambda a, b: st.index_add(a, 0, _index(1, 1), b[:2], alpha=2)],
    "index_copy": [lambda a, b: st.index_copy(a, 1, _index(3, 0), b[:, :2])],
    "index_fill": [lambda a: st.index_fill(a, 1, _index(3, 0), 2.0)],
    "index_put": [lambda a, v: st.index_put(a, (_index(0, 2),), v)],
    "index_reduce": [lambda a, b: st.index_reduce(a, 0, _index(1, 1), b[:2], "prod")],
    "masked_fill": [lambda a, s: st.masked_fill(a, _MASK, s)],
    "masked_scatter": [lambda a, b: st.masked_scatter(a, _MASK, b)],
    "movedim": [lambda k: st.movedim(k, 2, 0)],
    "narrow": [lambda a: st.narrow(a, 1, 1, 2)],
    "ravel": [lambda a: st.ravel(a.T)],
    "scatter": [lambda a, b: st.scatter(a, 0, _ONCE, b[:2])],
    "scatter_add": [lambda a, b: st.scatter_add(a, 0, _ROWS, b[:2])],
    "scatter_reduce": [lambda a, b: st.scatter_reduce(a, 0, _ROWS, b[:2], "sum")],
    "sliding_window_view": [lambda a: st.sliding_window_view(a, (2, 2))],
    "swapaxes": [lambda a: st.swapaxes(a, 0, 1)],
    "swapdims": [lambda a: st.swapdims(a, 0, 1)],
    "t": [lambda a: st.t(a)],
    "tensor_split": [lambda a: st.tensor_split(a, 2, 1)[1]],
    "unflatten": [lambda a: st.unflatten(a, 1, (2, 2))],
    "view_as_complex": [lambda a: st.view_as_complex(a.contiguous().reshape(3, 2, 2))],
    "view_as_real": [lambda z: st.view_as_real(z)],
    "Tensor.__iter__": [lambda a: next(iter(a))],
    "Tensor.__reversed__": [lambda a: next(reversed(a))],
    # PyTorch's names
    "addbmm": [lambda a, k: st.addbmm(a[:, :3] @ a[:, :3].mT, k, k.mT)],
    "Tensor.addbmm": [lambda s, k, m: s.addbmm(k, m, beta=2, alpha=0.5)],
    "Tensor.addbmm_": [lambda k, m: (k[0, :, :3] * 1).addbmm_(k, m)],
    "addr": [lambda a, r, v: st.addr(a, r, v, alpha=2)],
    "Tensor.addr": [lambda a, r, v: a.addr(r, v, beta=0.5)],
    "Tensor.addr_": [lambda a, r, v: (a * 1).addr_(r, v)],
    "Tensor.addmv_": [lambda r, a, v: (r * 1).addmv_(a, v)],
    "chain_matmul": [lambda a, c: st.chain_matmul(a, c, c.T)],
    "Tensor.kron": [lambda r, c: r.kron(c)],
    "cross": [lambda a: st.cross(a[:, :2], a[:, 2:])],
    "Tensor.cross": [lambda a, b: a.cross(b, 0)],
    "rsub": [lambda a, b: st.rsub(a, b, alpha=2)],
    "clamp_min": [lambda a: st.clamp_min(a, 0.1)],
    "clamp_max": [lambda a: st.clamp_max(a, 0.1)],
    "Tensor.clamp_min": [lambda a, v: a.clamp_min(v)],
    "Tensor.clamp_max": [lambda a, v: a.clamp_max(v)],
    "Tensor.clamp_min_": [lambda a: (a * 1).clamp_min_(0.1)],
    "Tensor.clamp_max_": [lambda a: (a * 1).clamp_max_(0.1)],
    "hardshrink": [lambda a: st.hardshrink(a)],
    "Tensor.hardshrink": [lambda a: a.hardshrink(0.3)],
    "prelu": [lambda a, v: st.prelu(a, v)],
    "Tensor.prelu": [lambda a, s: a.prelu(s)],
    "adjoint": [lambda z: st.adjoint(z)],
    "Tensor.adjoint": [lambda z: z.adjoint()],
    "Tensor.mH": [lambda z: z.mH],
    "clone": [lambda a: st.clone(a)],
    "select": [lambda a: st.select(a, 1, 0)],
    "diag": [lambda v: st.diag(v), lambda a: st.diag(a, 1)],
    "Tensor.diag": [lambda a: a.diag(-1)],
    "diag_embed": [lambda a: st.diag_embed(a, 1, 0, 2)],
    "Tensor.diag_embed": [lambda a: a.diag_embed()],
    "diagflat": [lambda a: st.diagflat(a)],
    "Tensor.diagflat": [lambda a: a.T.diagflat(1)],
    "trace": [lambda a: st.trace(a)],
    "Tensor.trace": [lambda k: k.trace(0, 1, 2)],
    "Tensor.fill_diagonal_": [lambda a: (a * 1).fill_diagonal_(2.0)],
    "diagonal_scatter": [lambda a, r: st.diagonal_scatter(a, r)],
    "Tensor.diagonal_scatter": [lambda a, r: a.diagonal_scatter(r, 1)],
    "select_scatter": [lambda a, v: st.select_scatter(a, v, 0, 1)],
    "Tensor.select_scatter": [lambda a, r: a.select_scatter(r, 1, -1)],
    "slice_scatter": [lambda a, b: st.slice_scatter(a, b[:2], 0, 1)],
    "Tensor.slice_scatter": [lambda a, b: a.slice_scatter(b[:, ::2], 1, 0, None, 2)],
    "as_strided_scatter": [lambda a, r: st.as_strided_scatter(a, r[:2], (2,), (4,), 1)],
    "Tensor.as_strided_scatter": [lambda a, r: a.as_strided_scatter(r[:2], (2,), (4,))],
    "block_diag": [lambda a, c: st.block_diag(a, c)],
    "cartesian_prod": [lambda r, v: st.cartesian_prod(r, v)],
    "combinations": [lambda v: st.combinations(v)],
    "Tensor.repeat": [lambda a: a.repeat(2, 1, 2)],
    "repeat_interleave": [lambda a: st.repeat_interleave(a, 2, 1)],
    "Tensor.repeat_interleave": [lambda a: a.repeat_interleave(_index(1, 0, 2), dim=0)],
    "narrow_copy": [lambda a: st.narrow_copy(a, 1, 1, 2)],
    "Tensor.narrow_copy": [lambda a: a.narrow_copy(0, 0, 2)],
    "split_with_sizes": [lambda a: st.split_with_sizes(a, [1, 2])[1]],
    "Tensor.split_with_sizes": [lambda a: a.split_with_sizes([1, 3], 1)[1]],
    "unsafe_split_with_sizes": [lambda a: st.unsafe_split_with_sizes(a, [1, 2])[1]],
    "Tensor.unsafe_split_with_sizes": [lambda a: a.unsafe_split_with_sizes([1, 2])[0]],
    "unsafe_split": [lambda a: st.unsafe_split(a, 2)[0]],
    "Tensor.unsafe_split": [lambda a: a.unsafe_split(2, 1)[1]],
    "unsafe_chunk": [lambda a: st.unsafe_chunk(a, 2)[1]],
    "Tensor.unsafe_chunk": [lambda a: a.unsafe_chunk(2, 1)[0]],
    "Tensor.sum_to_size": [lambda k: k.sum_to_size(3, 1)],
    "Tensor.resize_": [lambda a: (a * 2).resize_(2, 3)],
    "Tensor.resize_as_": [lambda a, r: (a * 2).resize_as_(r.detach())],
    "take_along_dim": [lambda a: st.take_along_dim(a, _ROWS, 0)],
    "Tensor.swapdims_": [lambda a: (a * 2).swapdims_(0, 1)],
    "Tensor.cumsum_": [lambda a: (a * 1).cumsum_(1)],
    "Tensor.cumprod_": [lambda a: (a * 1).cumprod_(0)],
    **{
        f"{prefix}{name}": [
            lambda a, name=name, owner=owner: getattr(owner, name)(a)
        ]
        for name in ("resolve_conj", "resolve_neg")
        for prefix, owner in (("", st), ("Tensor.", st.Tensor))
    },
    "Tensor.pin_memory": [lambda a: a.pin_memory()],
    "Tensor.to_dense": [lambda a: a.to_dense()],
    "Tensor.type": [lambda a: a.type(st.float64)],
    "Tensor.cdouble": [lambda a: a.cdouble()],
    "norm": [lambda a: st.norm(a), lambda a: st.norm(a, 1, dim=1), lambda a: st.norm(a, "nuc")],
    "dist": [lambda a, b: st.dist(a, b)],
    "Tensor.dist": [lambda a, b: a.dist(b, 3)],
    "cdist": [lambda a, b: st.cdist(a, b), lambda a, b: st.cdist(a, b, 1)],
    "pdist": [lambda a: st.pdist(a)],
    "renorm": [lambda a: st.renorm(a, 2, 0, 1.0)],
    "Tensor.renorm": [lambda k: k.renorm(1, 1, 2.0)],
    "Tensor.renorm_": [lambda a: (a * 1).renorm_(2, 0, 1.0)],
    "var_mean": [lambda a: st.var_mean(a, 1)[0], lambda a: st.var_mean(a)[1]],
    "std_mean": [lambda a: st.std_mean(a, dim=0, unbiased=False)[0]],
    "cov": [lambda a: st.cov(a), lambda a, v: st.cov(a, aweights=st.tensor([1.0, 2, 1, 3]))],
    "Tensor.cov": [lambda a: a.cov(correction=0)],
    "corrcoef": [lambda a: st.corrcoef(a)],
    "Tensor.corrcoef": [lambda a: a.corrcoef()],
    "quantile": [lambda a: st.quantile(a, 0.3), lambda a: st.quantile(a, 0.6, 1)],
    "Tensor.quantile": [lambda a: a.quantile(st.tensor([0.1, 0.8], dtype=st.float64), 0)],
    "nanquantile": [lambda n: st.nanquantile(n, 0.4)],
    "Tensor.nanquantile": [lambda n: n.nanquantile(0.7, 1)],
    "nanmedian": [lambda n: st.nanmedian(n)],
    "Tensor.nanmedian": [lambda n: n.nanmedian(1).values],
    "mode": [lambda a: st.mode(a).values],
    "Tensor.mode": [lambda a: a.mode(0)[0]],
    "logcumsumexp": [lambda a: st.logcumsumexp(a, 1)],
    "Tensor.logcumsumexp": [lambda a: a.logcumsumexp(0)],
    "trapezoid": [lambda a: st.trapezoid(a), lambda a, v: st.trapezoid(a, v)],
    "trapz": [lambda a: st.trapz(a, dx=0.5, dim=0)],
    "cumulative_trapezoid": [lambda a, v: st.cumulative_trapezoid(a, v)],
    "complex": [lambda a, b: st.complex(a, b)],
    "polar": [lambda p, b: st.polar(p, b)],
    "normal": [lambda a: st.normal(a, 0.0)],
    "frexp": [lambda a: st.frexp(a)[0]],
    "Tensor.frexp": [lambda a: a.frexp()[0]],
    "stft": [lambda v: st.stft(v, 4, return_complex=True)],
    "Tensor.stft": [lambda v: v.stft(2, 1, center=False, return_complex=True)],
    "istft": [lambda z: st.istft(z, 2, 1)],
    "Tensor.istft": [lambda z: z.istft(2, 1)],
    "Tensor.softmax": [lambda a: a.softmax(1)],
    "Tensor.log_softmax": [lambda a: a.log_softmax(0)],
    "i0": [lambda a: st.i0(a)],
    "Tensor.i0": [lambda a: a.i0()],
    "Tensor.i0_": [lambda a: (a * 1).i0_()],
    "erfinv": [lambda u: st.erfinv(u)],
    "Tensor.erfinv": [lambda u: u.erfinv()],
    "Tensor.erfinv_": [lambda u: (u * 1).erfinv_()],
    "igamma": [lambda p: st.igamma(2.5, p)],
    "igammac": [lambda p: st.igammac(2.5, p)],
    "Tensor.igamma": [lambda p: _FIXED.igamma(p)],
    "Tensor.igammac": [lambda p: _FIXED.igammac(p)],
    "Tensor.igamma_": [lambda p: _FIXED.clone().igamma_(p)],
    "Tensor.igammac_": [lambda p: _FIXED.clone().igammac_(p)],
    "polygamma": [lambda p: st.polygamma(1, p)],
    "Tensor.polygamma": [lambda p: p.polygamma(2)],
    "Tensor.polygamma_": [lambda p: (p * 1).polygamma_(1)],
    "mvlgamma": [lambda w: st.mvlgamma(w, 2)],
    "Tensor.mvlgamma": [lambda w: w.mvlgamma(2)],
    "Tensor.mvlgamma_": [lambda w: (w * 1).mvlgamma_(2)],
    "Tensor.det": [lambda a: (a[:, :3] + _UNIT).det()],
    "Tensor.slogdet": [lambda a: (a[:, :3] + _UNIT).slogdet()[1]],
    "Tensor.logdet": [lambda a: (a @ a.T + _UNIT).logdet()],
    "Tensor.inverse": [lambda a: (a[:, :3] + _UNIT).inverse()],
    "Tensor.pinverse": [lambda a: a.pinverse()],
    "Tensor.matrix_power": [lambda a: a[:, :3].matrix_power(3)],
    "Tensor.matrix_exp": [lambda a: a[:, :3].matrix_exp()],
    "Tensor.cholesky_inverse": [lambda p: p[:, :3].tril().cholesky_inverse()],
    "Tensor.cholesky_solve": [lambda r, p: r.unsqueeze(1).cholesky_solve(p[:, :3])],
}  # fmt: skip


def all_cases() -> list[tuple[str, Call]]:
    """Return every call with the public name that it stands for."""
    others = ((name, call) for name, calls in (_OTHERS | ARRAY_CASES).items() for call in calls)
    return [*_elementwise(), *_along_axes(), *others]


def arguments_of(call: Call) -> list[Any]:
    """Return the arrays that the parameters of a call name."""
    parameters = inspect.signature(call).parameters.values()
    return [INPUTS[one.name] for one in parameters if one.default is inspect.Parameter.empty]
