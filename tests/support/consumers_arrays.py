"""Libraries that rearrange, contract and label arrays: those of the array API, einops, xarray."""

from __future__ import annotations

from typing import Any

import numpy as np
from support.consumers import cube, is_view, row, same

import strided

# ---- array-api-compat, array-api-extra ----


@row("array-api-compat", "array_namespace, device, size, is_array_api_obj, to_device", "strided")
def compat() -> None:
    import array_api_compat as compat

    x = cube()
    assert compat.array_namespace(x, x) is strided
    assert compat.is_array_api_obj(x)
    assert (compat.device(x), compat.size(x), compat.to_device(x, "cpu")) == ("cpu", 24, x)


@row("array-api-extra", "atleast_nd, cov, kron, sinc, setdiff1d, pad, apply_where, nunique")
def extra() -> None:
    import array_api_extra as xpx

    x, a = cube()[0], cube()[0].numpy()
    same(xpx.atleast_nd(x, ndim=3), a[None])
    same(xpx.cov(x), np.cov(a))
    same(xpx.kron(x, x), np.kron(a, a))
    same(xpx.sinc(x), np.sinc(a))
    same(xpx.setdiff1d(x, x[:, 1]), np.setdiff1d(a, a[:, 1]))
    same(xpx.pad(x, 1), np.pad(a, 1))
    same(xpx.apply_where(x > 3, x, lambda v: v * 2, fill_value=0.0), np.where(a > 3, a * 2, 0))
    assert int(xpx.nunique(x)) == 12


@row("array-api-extra", "at(x, index).set, .add, .multiply")
def extra_at() -> None:
    import array_api_extra as xpx

    x, a = cube(), cube().numpy().copy()
    y = xpx.at(x, (0, slice(1, 3))).set(5.0, copy=True)
    y = xpx.at(y, 1).add(2.0)
    y = xpx.at(y, (1, 2)).multiply(3.0)
    a[0, 1:3] = 5.0
    a[1] += 2.0
    a[1, 2] *= 3.0
    same(y, a)
    assert x[0, 1, 0].item() == 4.0


# ---- einops ----


@row("einops", "rearrange: 'a b c -> c a b', 'a b c -> c (a b)', 'a b (c d) -> d a b c'", "views")
def rearranged() -> None:
    from einops import rearrange

    strided.enable("einops")
    x, a = cube(), cube().numpy()
    with strided.no_copies(implicit_only=False):
        for pattern, lengths in (
            ("a b c -> c a b", {}),
            ("a b c -> c (a b)", {}),
            ("a b (c d) -> d a b c", {"d": 2}),
            ("a b c -> a 1 b c", {}),
        ):
            is_view(rearrange(x, pattern, **lengths), rearrange(a, pattern, **lengths), x)


@row("einops", "repeat: 'a b c -> a k b c'", "a view")
def repeated() -> None:
    from einops import repeat

    strided.enable("einops")
    x = cube()
    is_view(repeat(x, "a b c -> a k b c", k=5), repeat(x.numpy(), "a b c -> a k b c", k=5), x)


@row("einops", "rearrange: 'a b c -> (c a) b', which no strides describe", "one copy, logged")
def rearranged_by_copy() -> None:
    from einops import rearrange

    strided.enable("einops")
    x = cube()
    with strided.trace_copies() as report:
        same(rearrange(x, "a b c -> (c a) b"), rearrange(x.numpy(), "a b c -> (c a) b"))
    assert [event.reason for event in report.events] == ["reshape"]


@row("einops", "reduce by mean, sum, min, max, prod; einsum; pack, unpack; a list of tensors")
def reduced() -> None:
    from einops import einsum, pack, rearrange, reduce, unpack

    strided.enable("einops")
    x, a = cube(), cube().numpy()
    for how in ("mean", "sum", "min", "max", "prod"):
        same(reduce(x, "a b (c d) -> d a", how, d=2), reduce(a, "a b (c d) -> d a", how, d=2))
    same(einsum(x, x, "a b c, a b d -> c d"), np.einsum("abc,abd->cd", a, a))
    same(rearrange([x, x], "n a b c -> a b c n"), np.stack([a, a], -1))
    packed, shapes = pack([x, x[:, :, 0]], "a *")
    same(unpack(packed, shapes, "a *")[0], a)


@row("einops", "the same by einops.array_api", "views")
def by_array_api() -> None:
    from einops.array_api import rearrange, reduce

    x, a = cube(), cube().numpy()
    is_view(rearrange(x, "a b c -> c a b"), a.transpose(2, 0, 1), x)
    same(reduce(x, "a b c -> b", "mean"), a.mean((0, 2)))


# ---- opt_einsum ----


@row("opt_einsum", "contract of three operands; contract_expression; a view of one operand")
def contracted() -> None:
    import opt_einsum

    x, a = cube(), cube().numpy()
    w = np.linspace(0, 1, 20).reshape(4, 5)
    wanted = np.einsum("abc,abd,de->ce", a, a, w)
    same(opt_einsum.contract("abc,abd,de->ce", x, x, strided.from_numpy(w)), wanted)
    plan = opt_einsum.contract_expression("abc,abd,de->ce", a.shape, a.shape, w.shape)
    same(plan(x, x, strided.from_numpy(w)), wanted)
    same(opt_einsum.contract("abc->cab", x), a.transpose(2, 0, 1))


# ---- xarray ----


def labelled(data: Any) -> Any:
    import xarray

    return xarray.DataArray(data, dims=("a", "b", "c"), coords={"c": [0, 10, 20, 30]})


@row("xarray", "DataArray: transpose, isel, sel, slices", "views")
def xarray_views() -> None:
    x, a = cube(), cube().numpy()
    array = labelled(x)
    assert array.data is x
    is_view(array.transpose("c", "a", "b").data, a.transpose(2, 0, 1), x)
    is_view(array.isel(a=1, b=slice(None, None, 2)).data, a[1, ::2], x)
    is_view(array.sel(c=10).data, a[:, :, 1], x)


@row("xarray", "arithmetic, np.sin, mean, std, max, cumsum, where, concat, groupby, stack, Dataset")
def xarray_arithmetic() -> None:
    import xarray

    ours, theirs = labelled(cube()), labelled(cube().numpy())
    for program in (
        lambda d: d * d.isel(a=0) + 1,
        lambda d: np.sin(d),
        lambda d: d.mean("a"),
        lambda d: d.std(),
        lambda d: d.max("b"),
        lambda d: d.cumsum("c"),
        lambda d: d.where(d > 3, 0.0),
        lambda d: xarray.concat([d, d], "a"),
        lambda d: d.groupby("c").sum(),
        lambda d: d.stack(z=("a", "b")),
        lambda d: d.coarsen(c=2).mean(),
        lambda d: d.dot(d.isel(a=1)),
        lambda d: xarray.Dataset({"v": d}).sum("b")["v"],
    ):
        same(program(ours).data, program(theirs).data)
    assert "strided" in repr(type(ours.copy(deep=True).data))


@row("xarray", "where, fillna, dropna, shift, pad, reindex, unstack: with missing values; rolling")
def xarray_missing() -> None:
    strided.enable("xarray")
    ours, theirs = labelled(cube()), labelled(cube().numpy())
    for program in (
        lambda d: d.where(d > 5),
        lambda d: d.astype("int64").where(d > 5),
        lambda d: d.where(d > 20, drop=True),
        lambda d: d.where(d > 5).mean("c"),
        lambda d: d.where(d > 5).fillna(0.0),
        lambda d: d.where(d > 5).dropna("a"),
        lambda d: d.shift(c=1),
        lambda d: d.pad(b=1),
        lambda d: d.reindex(c=[0, 5]),
        lambda d: d.stack(z=("a", "b")).unstack("z"),
        lambda d: d.rolling(c=2).mean(),
        lambda d: d.rolling(c=3, center=True, min_periods=1).max(),
        lambda d: d.rolling(a=2, c=2).sum(),
    ):
        same(program(ours).data, program(theirs).data)
