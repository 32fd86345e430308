"""Calls of NumPy's names that gradients pass, as in ``gradient_cases``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import strided as st

Call = Callable[..., Any]
_CHOICE = st.tensor([[0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]])


def _cloned(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that gives what another one writes into a copy."""

    def run(a: Any) -> Any:  # the name says which tensor it takes
        made = a.clone()
        function(made)
        return made

    return run


ARRAY_CASES: dict[str, list[Call]] = {
    # joined, cut, padded
    "append": [lambda a, b: st.append(a, b, axis=0), lambda a, v: st.append(a, v)],
    "array": [lambda a: st.array(a * 1, copy=None, order="F")],
    "asanyarray": [lambda a: st.asanyarray(a * 2)],
    "asarray_chkfinite": [lambda a: st.asarray_chkfinite(a * 2)],
    "ascontiguousarray": [lambda a: st.ascontiguousarray(a.T)],
    "asfortranarray": [lambda a: st.asfortranarray(a)],
    "require": [lambda a: st.require(a.T, requirements=["C"])],
    "copy": [lambda a: st.copy(a)],
    "array_split": [lambda a: st.array_split(a, 2, axis=1)[1]],
    "atleast_1d": [lambda s: st.atleast_1d(s)],
    "atleast_2d": [lambda v: st.atleast_2d(v)],
    "atleast_3d": [lambda v: st.atleast_3d(v)],
    "hstack": [lambda a, r: st.hstack([a, r.unsqueeze(1)])],
    "vstack": [lambda a, v: st.vstack([a, v])],
    "row_stack": [lambda a, v: st.row_stack([a, v])],
    "dstack": [lambda a, b: st.dstack([a, b])],
    "column_stack": [lambda r: st.column_stack([r, r * 2])],
    "block": [lambda a, r: st.block([[a, r.unsqueeze(1)]])],
    "delete": [lambda a: st.delete(a, 1, axis=1), lambda a: st.delete(a, [0, 5])],
    "insert": [lambda a, r: st.insert(a, 1, r, axis=1), lambda v, r: st.insert(v, [0, 1, 4], r)],
    "resize": [lambda r: st.resize(r, (2, 4))],
    "trim_zeros": [lambda p: st.trim_zeros(p[0])],
    "rollaxis": [lambda k: st.rollaxis(k, 2)],
    "pad": [
        lambda a: st.pad(a, 1),
        lambda a: st.pad(a, ((1, 2), (0, 1)), "reflect"),
        lambda a: st.pad(a, 2, "edge"),
        lambda a: st.pad(a, 5, "wrap"),
        lambda a: st.pad(a, 4, "symmetric"),
    ],
    # matrices
    "diag": [lambda v: st.diag(v, 1), lambda a: st.diag(a, -1)],
    "diagflat": [lambda a: st.diagflat(a)],
    "fill_diagonal": [_cloned(lambda a: st.fill_diagonal(a, 2.0))],
    "trace": [lambda a: st.trace(a, 1)],
    "vander": [lambda r: st.vander(r, 3)],
    # statistics
    "average": [
        lambda a: st.average(a, axis=1),
        lambda a, p: st.average(a, weights=p),
        lambda a, w: st.average(a, axis=1, weights=w[0]),
    ],
    "ptp": [lambda a: st.ptp(a, axis=1)],
    "Tensor.ptp": [lambda a: a.ptp(0)],
    "cov": [
        lambda a: st.cov(a),
        lambda a: st.cov(a, rowvar=False, ddof=0),
        lambda a, p: st.cov(a, aweights=p[0]),
        lambda z: st.cov(z),
    ],
    "corrcoef": [lambda a: st.corrcoef(a)],
    "quantile": [
        lambda a: st.quantile(a, 0.3),
        lambda a: st.quantile(a, [0.1, 0.8], axis=1, keepdims=True),
        lambda a: st.quantile(a, 0.4, axis=0, method="lower"),
        lambda a: st.quantile(a, 0.4, axis=0, method="midpoint"),
    ],
    "percentile": [lambda a: st.percentile(a, 30, axis=(0, 1))],
    "nanquantile": [lambda n: st.nanquantile(n, 0.3)],
    "nanpercentile": [lambda n: st.nanpercentile(n, [30, 60])],
    "nanmedian": [lambda n: st.nanmedian(n)],
    "nanprod": [lambda n: st.nanprod(n, axis=0)],
    "nancumsum": [lambda n: st.nancumsum(n, axis=1)],
    "nancumprod": [lambda n: st.nancumprod(n, axis=1)],
    "nanvar": [lambda n: st.nanvar(n, ddof=1)],
    "nanstd": [lambda n: st.nanstd(n)],
    # samples in a row
    "convolve": [
        lambda v, r: st.convolve(v, r),
        lambda v, r: st.convolve(r, v, "same"),
        lambda v, r: st.convolve(v, r, "valid"),
    ],
    "correlate": [
        lambda v, r: st.correlate(v, r, "full"),
        lambda v, r: st.correlate(r, v),
        lambda v, r: st.correlate(v, r, "same"),
    ],
    "cross": [lambda a, k: st.cross(a[:, :3], k[1, :, :3]), lambda a, b: st.cross(a, b, axis=0)],
    "ediff1d": [lambda a, s: st.ediff1d(a, to_end=s)],
    "gradient": [
        lambda a: st.gradient(a, 0.5, axis=1),
        lambda a: st.gradient(a, axis=0, edge_order=2),
        lambda v, w: st.gradient(v, w[0].cumsum(0)),
    ],
    "trapezoid": [lambda a: st.trapezoid(a, dx=0.5), lambda a, w: st.trapezoid(a, w.cumsum(1))],
    "interp": [
        lambda u, v: st.interp(u, [0.0, 0.3, 0.6, 1.0], v),
        lambda u, v: st.interp(u * 5, [0.0, 0.3, 0.6, 1.0], v, left=0.0, period=1.1),
    ],
    "unwrap": [lambda v: st.unwrap(v * 4)],
    "polyval": [lambda r, v: st.polyval(r, v)],
    # chosen and written
    "select": [lambda a, b: st.select([a > b, a > 0], [a, b * 2], default=1.0)],
    "choose": [lambda a, b: st.choose(_CHOICE, [a, b])],
    "Tensor.choose": [lambda a, b: _CHOICE.choose([a, b])],
    "compress": [lambda a: st.compress([True, False, True], a, axis=0)],
    "Tensor.compress": [lambda a: a.compress([True, False, True], 0)],
    "extract": [lambda a: st.extract(_CHOICE, a)],
    "piecewise": [lambda a: st.piecewise(a, [a < 0], [lambda x: x * x, lambda x: 3 * x])],
    "place": [_cloned(lambda a: st.place(a, _CHOICE, [1.0]))],
    "put": [_cloned(lambda a: st.put(a, [0, 5], [1.0, 2.0]))],
    "putmask": [lambda a, b: _cloned(lambda x: st.putmask(x, _CHOICE, b))(a)],
    "copyto": [
        lambda a, v: _cloned(lambda x: st.copyto(x, v))(a),
        lambda a, v: _cloned(lambda x: st.copyto(x, v, where=_CHOICE))(a),
    ],
    "Tensor.fill": [_cloned(lambda a: a.fill(2.0))],
    "apply_along_axis": [lambda a: st.apply_along_axis(lambda row: row * row.sum(), 1, a)],
    "apply_over_axes": [lambda k: st.apply_over_axes(st.sum, k, (0, 2))],
    # elements
    "cbrt": [lambda p: st.cbrt(p), lambda a: st.cbrt(a)],
    "fabs": [lambda a: st.fabs(a)],
    "rint": [lambda a: st.rint(a)],
    "ldexp": [lambda a: st.ldexp(a, [1, 2, 3, 4])],
    "modf": [lambda a: st.modf(a)[0]],
    "divmod": [lambda p: st.divmod(p, 0.7)[1]],
    "real_if_close": [lambda a: st.real_if_close(a)],
    "round": [lambda a: st.round(a), lambda a: st.round(a * 10, 1) * 0],
    "around": [lambda a: st.around(a)],
    "Tensor.round": [lambda a: a.round()],
    "Tensor.around": [lambda a: a.around()],
    "Tensor.round_": [lambda a: a.clone().round_()],
    "Tensor.around_": [lambda a: a.clone().around_()],
}
