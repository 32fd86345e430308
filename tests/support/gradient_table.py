"""What strided and PyTorch must agree on about gradients, as expressions that run on either.

An expression sees leaves of float64 by letter: ``x``, ``y`` (2, 3), ``m`` (3, 2), ``r`` (3,),
``q`` (2,), ``c`` (2, 1), ``s`` (), ``u`` (2, 2, 3), ``v`` (2, 3, 2); constants ``k`` (2, 3) and
``mask``; ``i(...)`` makes an index, ``F`` holds activations and layers. Every expression is asked
over all layout classes of its leaves, for values, gradients and second derivatives.
"""

SHAPES: dict[str, tuple[int, ...]] = {
    "x": (2, 3),
    "y": (2, 3),
    "m": (3, 2),
    "r": (3,),
    "q": (2,),
    "c": (2, 1),
    "s": (),
    "u": (2, 2, 3),
    "v": (2, 3, 2),
}
# Values of the leaves go round through these; letters start at different places.
POOLS: dict[str, tuple[complex, ...]] = {
    "real": (0.5, -1.25, 2.0, -0.75, 1.5, -2.5, 0.375, 2.25, -1.75, 1.0625, -0.3125),
    "positive": (0.5, 1.25, 2.0, 0.75, 1.5, 2.5, 0.375, 2.25, 1.75, 1.0625, 0.3125),
    "fractions": (0.5, -0.25, 0.75, -0.625, 0.3125, -0.875, 0.125, 0.5625, -0.4375),
    "above 1": (1.5, 2.25, 3.0, 1.125, 1.875, 2.5, 4.0, 1.0625),
    "distinct": (0.5, -1.25, 2.0, -0.75, 1.5, -2.5, 0.375, 2.25, -1.75, 1.0625, -0.3125, 3.5, 4.25),
    "border": (0.0, 1.0, -1.0, 0.0, 2.0, 1.0, -0.0, 0.5, 0.0),
    "complex": (
        0.5 + 1j,
        -1.25 + 0.5j,
        2 - 1j,
        -0.75 - 0.5j,
        1.5 + 0.25j,
        -0.5 - 1.75j,
        1.125 + 2j,
    ),
    "real part": (0.5, -1.25, 2.0, -0.75, 1.5, -2.5, 0.375),
}

# group: (pool of values, expressions)
TABLE: dict[str, tuple[str, str]] = {
    "unary": (
        "real",
        """
        x.abs(); abs(x); -x; x.neg(); x.positive(); x.sign(); x.sgn(); x.square(); x.reciprocal()
        x.exp(); x.exp2(); x.expm1(); x.sin(); x.cos(); x.tan(); x.atan(); x.sinh(); x.cosh()
        x.tanh(); x.asinh(); x.sinc(); x.sigmoid(); x.relu(); F.silu(x); F.gelu(x)
        F.gelu(x, approximate="tanh"); F.hardsigmoid(x); x.erf(); x.erfc(); x.lgamma()
        x.digamma(); F.softplus(x); F.softplus(x, beta=2.0); x.floor(); x.ceil(); x.trunc()
        x.round(); x.frac(); x.deg2rad(); x.rad2deg(); x.conj() * 1; x.angle(); x.clamp(-1, 1)
        x.clamp(min=0.25); x.clamp(max=0.25); x.clip(-0.5, 2); F.hardtanh(x)
        F.hardtanh(x, -0.5, 2.0); F.elu(x); F.elu(x, 0.5); F.leaky_relu(x); F.leaky_relu(x, 0.25)
        x.nan_to_num(); x.isnan(); x > 0; x == 0.5; x.logical_not(); x.signbit(); lib.exp(x)
        lib.sin(x) + lib.cos(x); x.fix(); x.arctan(); x.arcsinh(); x.absolute(); x.negative()
        lib.relu(x) * x; x.log1p().isnan()
        """,
    ),
    "unary, positive": (
        "positive",
        """
        x.sqrt(); x.rsqrt(); x.log(); x.log2(); x.log10(); x.log1p(); x ** 0.5; x ** -1.5
        2.5 ** x; x.lgamma(); x.digamma(); x.pow(3); x.pow(x); x.logit(eps=0.1); x.xlogy(y)
        x.logsumexp(1); x.float_power(1.5); lib.pow(2, x); lib.sqrt(x) * lib.log(y); 1 / x
        x.norm(); x.norm(3); x.norm(1, 1); x.norm(0.5, 0); x.prod(); x.cumprod(1); x.log().sum(0)
        """,
    ),
    "unary, fractions": (
        "fractions",
        """
        x.asin(); x.acos(); x.atanh(); (x.abs()).logit(); x.arcsin(); x.arccos(); x.arctanh()
        (x * 0.5 + 0.5).logit(eps=0.05)
        """,
    ),
    "unary, above 1": ("above 1", "x.acosh(); x.arccosh(); x.log().log(); (x - 1).sqrt()"),
    "binary": (
        "real",
        """
        x + y; x - y; x * y; x / y; x.add(y, alpha=2); x.sub(y, alpha=-0.5); x.mul(y); x.div(y)
        x % y; x.fmod(y); x // y; x.remainder(y); x.minimum(y); x.maximum(y); x.fmin(y); x.fmax(y)
        x.atan2(y); x.hypot(y); x.logaddexp(y); x.logaddexp2(y); x.copysign(y); x.heaviside(k)
        x ** 2; x ** 3; x ** 1; x ** 0; x.abs() ** y; x.square() * y; x.ldexp(i(2, 1, 0)); x + 1.5
        1.5 + x; x - 2; 2 - x; x * 3; 3 * x; x / 4; 4 / x; x % 0.75; x.fmod(0.75); x // 0.75
        0.75 % x; x.true_divide(y); x.subtract(y); x.multiply(y); x.divide(y); x.lerp(y, 0.25)
        x.lerp(y, k); lib.lerp(x, y, 0.75); x.lerp(k, y); x.addcmul(y, k)
        x.addcmul(y, x, value=2); x.addcdiv(y, k + 5); x.addcdiv(k, y, value=-1.5)
        lib.where(mask, x, y); lib.where(mask, x, 0.0); lib.where(mask, 1.5, y)
        lib.where(x > y, x * 2, y * 3); x.masked_fill(mask, 2.0); x.masked_fill(mask, s)
        x.clamp(y - 1, y + 1); x.clamp(min=y); x.clamp(max=y); x < y; x >= y; x.eq(y)
        x.logical_and(y); x.minimum(y) + x.maximum(y); x.abs().xlogy(y.abs()); x.xlogy(3.0)
        lib.add(x, y); lib.multiply(x, y); lib.maximum(x, y)
        divmod(x, y)[1] if lib_is_strided else x % y; x.abs().pow(y); (x * x + 1) ** (y * 0.5)
        """,
    ),
    "broadcasting": (
        "real",
        """
        x + r; x * r; r * x; x * c; c * r; r + c; x * s; s * x; s + s; x - s; u * x; u + r; u * c
        u * s; x / (c * c + 1); x.maximum(r); x.minimum(c); x.atan2(r); x.hypot(c)
        x ** (c * 0 + 2); lib.where(mask, r, c); lib.where(mask[0], x, s); x.lerp(r, c)
        x.addcmul(r, c); s.exp() * r; x.clamp(c - 1, r + 1); r.expand(2, 3) * x
        c.expand(2, 3) * x; c.expand(-1, 4); s.expand(2, 3); s.expand(3) * r; r.expand(4, 2, 3)
        lib.broadcast_to(r, (2, 3)) * y; lib.broadcast_tensors(r, c); r[None] * q[:, None]; x * x
        x * x * x; x + x + x; x - x; x * x.sum(); x / x.abs().sum(1, keepdim=True)
        (x - x.mean(0)) / (x.std(0) + 1); x.masked_fill(mask[0], s); x.logaddexp(r)
        x.xlogy(r * r); (x + r) * (x - c) * s
        """,
    ),
    "reductions": (
        "real",
        """
        x.sum(); x.sum(0); x.sum(1); x.sum(-1, keepdim=True); x.sum((0, 1)); u.sum((0, 2))
        u.sum(1); u.sum((0, 2), keepdim=True); x.mean(); x.mean(0); x.mean(1, keepdim=True)
        u.mean((1, 2)); x.prod(); x.prod(0); x.prod(1); u.prod(2, keepdim=True); x.var(); x.var(0)
        x.var(1); x.var(1, correction=0); u.var((0, 2)); u.var((0, 1), correction=0, keepdim=True)
        x.std(); x.std(1); x.std(1, correction=0); u.std((0, 2)); x.norm(); x.norm(2, 1)
        x.norm(1); x.norm(1, 0); x.norm(3, 1); x.norm(3, 0); x.norm(2, (0, 1), keepdim=True)
        x.norm(float("inf"), 1); x.norm(-float("inf"), 1); x.norm(float("inf")); x.norm(0, 1)
        x.logsumexp(0); x.logsumexp(1); u.logsumexp((0, 2)); x.logsumexp(1, keepdim=True)
        x.cumsum(0); x.cumsum(1); u.cumsum(1); u.cumsum(-1); x.cumprod(0); x.cumprod(1)
        u.cumprod(2); x.nansum(); x.nansum(1); x.nanmean(); x.nanmean(0); x.count_nonzero()
        x.any(1); x.all(0); x.argmax(1); x.argmin(0); lib.sum(x); lib.mean(x)
        lib.logsumexp(x, 1) if not lib_is_strided else lib.logsumexp(x, axis=1); s.sum(); s.mean()
        s.prod(); x.sum(0).sum(0); x.sum(1).prod(); x.sum(dtype=lib.float64); x.diff()
        x.diff(dim=0); x.diff(n=2); x.diff(prepend=c); x.T.sum(0); x.T.mean(1); x.mT.cumsum(1)
        x[:, :0].sum(); x[:, :0].sum(1); x[:0].prod(0)
        """,
    ),
    "order": (
        "distinct",
        """
        x.amax(); x.amax(1); x.amin(0); u.amax((0, 2)); u.amin((1, 2), keepdim=True); x.max()
        x.min(); x.max(1).values; x.min(0).values; x.max(1, keepdim=True).values; x.max(0).indices
        x.aminmax(dim=1).min; x.aminmax(dim=1).max; x.median(); x.median(1).values
        u.median(2).values; x.kthvalue(2).values; x.kthvalue(1, 0).values
        u.kthvalue(2, 2, True).values; x.sort().values; x.sort(0).values
        x.sort(1, descending=True).values; u.sort(1).values; x.sort().indices; x.argsort(1)
        x.msort(); x.topk(2).values; x.topk(2, 1, False).values; x.topk(1, 0).values
        x.cummax(1).values; x.cummax(0).values; x.cummin(1).values; u.cummin(2).values; x.unique()
        lib.sort(x).values if not lib_is_strided else lib.sort(x); x.sort().values * x
        x.max() - x.min(); x.sort(1).values.cumsum(1); x.topk(3).values[:, 1]
        lib.topk(x, 2).values if not lib_is_strided else x.topk(2).values
        x.max(1).values * x.min(1).values
        """,
    ),
    "border": (
        "border",
        """
        x.abs(); x.sqrt(); x.rsqrt(); x.relu(); x.clamp(0, 1); x.clamp(min=0); x.clamp(max=1)
        x.sign(); x ** 2; x ** 3; x ** 0; x ** 0.5; x ** 1.5; x.pow(y); x.prod(); x.prod(1)
        x.prod(0); x.cumprod(1); x.cumprod(0); u.cumprod(2); u.prod(1); x.norm(); x[:, :1].norm()
        (x * 0).norm(); (x * 0).norm(2, 1); (x * 0).norm(1); (x * 0).norm(3, 1); x.hypot(y)
        x.atan2(y); x.minimum(y); x.maximum(y); x.fmin(y); x.fmax(y); x.amax(1); x.amax(0)
        x.amax(); x.amin(); x.amin(1); x.max(); x.min(); x.norm(float("inf"), 1)
        x.norm(float("inf")); x.norm(0.5); x.xlogy(y); x.log(); x.log1p(); x.reciprocal(); x / y
        x.sinc(); x.acosh(); x.asin(); x.acos(); x.atanh(); x.lgamma(); x.digamma(); F.silu(x)
        F.elu(x); F.leaky_relu(x); F.hardtanh(x, 0.0, 1.0); F.gelu(x); F.hardsigmoid(x * 3)
        F.softplus(x * 60); x.sigmoid(); x.sgn(); x.angle(); x.copysign(y); x.var(1)
        x.heaviside(k); x.logaddexp(y); x.std((0, 1)); (x * 0).std(1); (x * 0).var(1)
        lib.where(mask, x, y); x.clamp(y, y + 1); x.clamp(0.0, 0.0); x.remainder(y + 3)
        x.fmod(y + 3); x.frac(); x.round(); (x / x).nan_to_num(); (1 / x).nan_to_num()
        (x / x).nansum(); (x / x).nanmean(); 0 ** x; (x / x).nansum(1)
        (x * float("inf")).logsumexp(1); (x - float("inf")).logsumexp(1); x.tan(); x.expm1()
        x.ldexp(y); x.float_power(y); x.float_power(2); (x * 700).exp() * 0; x.logit(eps=0.25)
        x.logit(); x.erf(); x.cummax(1).values; x.cummin(0).values; x.square()
        """,
    ),
    "views": (
        "real",
        """
        x.T; x.t(); x.mT; u.permute(2, 0, 1); u.transpose(0, 2); u.movedim(0, 2)
        u.moveaxis(-1, 0); u.swapaxes(0, 1); u.swapdims(1, 2); x[0]; x[-1]; x[:, 1]; x[0, 1]
        x[:, 1:]; x[:, ::2]; x[1:, :2]; x[...]; x[None]; x[..., None]; x[:, None, 1:]
        u[:, 1, ::2]; u[..., 0]; u[1, :, 2]; x[:0]; x.view(6); x.view(3, 2); x.view(-1, 1)
        x.reshape(3, 2); x.reshape(-1); x.T.reshape(6); x.flatten(); u.flatten(1); u.flatten(0, 1)
        x.ravel(); x.unflatten(1, (3, 1)); x.view_as(m); x.reshape_as(m); x.squeeze(); c.squeeze()
        c.squeeze(1); x.unsqueeze(0); x.unsqueeze(-1); x.expand(2, 2, 3); r.expand(2, 3)
        c.expand(2, 3); x.expand_as(u); x.broadcast_to((2, 2, 3)); x.diagonal(); x.diagonal(1)
        x.diagonal(-1); u.diagonal(0, 1, 2); u.diagonal(1, 0, 2); x.unfold(1, 2, 1)
        x.unfold(0, 2, 1); x.unfold(1, 2, 2); u.unfold(2, 2, 1); r.unfold(0, 3, 1)
        x.unfold(1, 2, 1) * x[:, :2, None]; u.unfold(1, 2, 1).unfold(2, 2, 1)
        r.unfold(0, 2, 1).sum(1); x.narrow(1, 1, 2); x.select(1, 2); x.split(2, 1)[0]
        x.split(2, 1)[1]; x.split((1, 2), 1)[1]; x.chunk(2, 1)[0]; x.tensor_split(2, 1)[1]
        x.hsplit(3)[1]; x.vsplit(2)[0]; u.dsplit(3)[2]; x.unbind(); x.unbind(1); list(x)
        x.unbind(1)[0] * x.unbind(1)[2]; u.unbind(1)[1]; x.flip(0); x.flip(1); x.flip(0, 1)
        u.flip((0, 2)); x.fliplr(); x.flipud(); x.rot90(); x.rot90(2); u.rot90(3, (1, 2))
        x.flip(1)[:, ::2]; x.flip(0).T[1:]; x.flip(1).diagonal(); x[:, 1:].T[::2]
        x.T[1:].reshape(-1); u.permute(2, 0, 1)[1:, :, 0]; u[:, :, 1:].permute(1, 2, 0)[0]
        u.transpose(0, 2)[::2].flatten(); x.T.view(3, 2)[1] * x[:, 1]; x[:, 0] * x[:, 1] + x[:, 2]
        x[0] * x[1]; x[0] + x[0]; x[:, :2] * x[:, 1:]; x.view(6)[1:5].view(2, 2)
        x[:, 1:2].expand(2, 3) * x; x.unsqueeze(1) * x.unsqueeze(2); x[0].expand(2, 3) * x
        x.clone(); x.contiguous(); x.T.contiguous(); x.T.clone(); x.to(lib.float64); x.double()
        x.T.contiguous().view(6); x.type_as(y); x.detach() * x; lib.permute(u, (1, 2, 0))
        lib.transpose(x, 0, 1); lib.reshape(x, (6,)); lib.squeeze(c); lib.unsqueeze(x, 1)
        lib.flatten(x); lib.diagonal(x); lib.moveaxis(u, 0, 1); lib.rot90(u, 1, (0, 2))
        lib.unbind(x); lib.chunk(x, 3, 1) if not lib_is_strided else x.chunk(3, 1); lib.rot90(x)
        x.view(2, 1, 3); x.view(lib.float64); u.view(4, 3)[1:3].T
        u.view(2, 6).view(12).view(3, 4)[1]
        """,
    ),
    "picking": (
        "distinct",
        """
        x[i(1, 0)]; x[i(1, 1, 0)]; x[:, i(2, 0)]; x[:, i(2, 2, 2)]; x[i(0, 1), i(2, 2)]; x[mask]
        x[[1, 0, 0]]; x[i(0, 0), i(1, 1)]; u[:, i(1, 0)]; u[i(1), :, i(0, 2)]; u[..., i(0, 0)]
        x[mask[:, 0], 1:]; x.gather(1, i([0, 2], [1, 1])); x.gather(0, i([1, 1, 0]))
        u.gather(2, i([[0], [2]], [[1], [1]])); x.take(i(0, 5, 5))
        x.take_along_dim(i([2, 0], [1, 0]), 1); x.index_select(1, i(2, 0, 2))
        x.index_select(0, i(1)); x.masked_select(mask); x.scatter(1, i([0, 2], [1, 0]), y[:, :2])
        x.scatter(1, i([0], [2]), 1.5); x.scatter_add(1, i([0, 0], [1, 2]), y[:, 1:])
        x.scatter_add(0, i([1, 1, 0]), y[:1])
        x.scatter_reduce(1, i([0, 0], [1, 2]), y[:, 1:], "sum")
        x.scatter_reduce(1, i([0, 0], [1, 2]), y[:, 1:], "mean")
        x.scatter_reduce(1, i([0, 0], [1, 2]), y[:, 1:], "amax")
        x.scatter_reduce(1, i([0, 0], [1, 2]), y[:, 1:], "prod")
        x.scatter_reduce(1, i([0, 0], [1, 2]), y[:, 1:], "amin", include_self=False)
        x.scatter_reduce(1, i([0, 0], [1, 2]), y[:, 1:], "sum", include_self=False)
        x.index_add(1, i(2, 2), y[:, :2]); x.index_add(0, i(1), y[:1], alpha=2)
        x.index_copy(1, i(2, 0), y[:, :2]); x.index_fill(1, i(0, 2), 1.5)
        x.index_fill(0, i(1), s); x.put(i(0, 4), q); x.put(i(1, 1), q, accumulate=True)
        x.masked_scatter(mask, y)
        x.masked_scatter(mask, r.repeat(2) if not lib_is_strided else lib.tile(r, (2,)))
        x.index_reduce(1, i(2, 2), y[:, :2], "amax"); x.index_reduce(1, i(2, 0), y[:, :2], "prod")
        x.index_reduce(1, i(2, 2), y[:, :2], "mean"); lib.gather(x, 1, i([0, 2], [1, 1]))
        lib.index_select(x, 1, i(0, 0)); lib.masked_select(x, mask); lib.cat([x, y])
        lib.cat([x, y, x], 1); lib.cat([x[:, :1], y[:, 1:]], 1); lib.stack([x, y])
        lib.stack([x, y], dim=2); lib.stack([x[0], y[1], x[0]]); lib.concat([x, y])
        lib.roll(x, 1, 1) if not lib_is_strided else lib.roll(x, 1, axis=1); lib.tile(x, (2, 1))
        lib.tril(x); lib.triu(x); lib.tril(u)
        lib.triu(x, diagonal=1) if not lib_is_strided else lib.triu(x, k=1)
        lib.meshgrid(r, q, indexing="ij")
        x.repeat_interleave(2, 1) if not lib_is_strided else lib.repeat(x, 2, axis=1)
        lib.cat([x.flip(1), y.T.reshape(2, 3)], 1); lib.stack(list(x.unbind(1)), dim=0)
        lib.where(x > 0, x, y); lib.cat([x, x * 2, k]); x[i(0, 1)][:, i(1, 2)]; x[mask] * 2
        x[x > 0]; x.sort(1).values[:, i(0, 2)]
        """,
    ),
    "products": (
        "real",
        """
        x @ m; x @ r; q @ x; r @ r; u @ v; x @ v; u @ m; x.matmul(m); x.mm(m); x.mv(r); r.dot(r)
        r.dot(x[0]); u.bmm(v); r.outer(q); r.inner(x[0]); x.inner(y); r.vdot(r); lib.matmul(x, m)
        lib.outer(q, r); lib.addmm(x @ x.T, x, m); lib.addmm(c, x, m, beta=0.5, alpha=2)
        lib.addmv(q, x, r); x.T @ x; lib.addmv(q, x, r, beta=2, alpha=-1)
        lib.baddbmm(u[:, :, :2], u, v); x @ x.T; m.T @ x.T
        lib.baddbmm(u[:, :, :2], u, v, beta=0.5, alpha=2); lib.einsum("ij,jk->ik", x, m)
        lib.einsum("ij,ij->", x, y); lib.einsum("ij,ij->i", x, y); lib.einsum("ij->ji", x)
        lib.einsum("ij->", x); lib.einsum("i,j->ij", q, r); lib.einsum("bij,bjk->bik", u, v)
        lib.einsum("bij,bjk->ik", u, v); lib.einsum("bij,jk,kl->bil", u, m, x)
        lib.einsum("ii->i", x[:, :2]); lib.einsum("ii", x[:, 1:]); lib.einsum("...j,j->...", u, r)
        lib.einsum("ij,kj->ik", x, x)
        lib.tensordot(x, m, dims=1) if not lib_is_strided else lib.tensordot(x, m, axes=1)
        lib.kron(q, r); lib.kron(x, m); (x @ m) @ (m.T @ x.T); (x @ m).T @ q; x.flip(1) @ m
        u[:, 0] @ m; x[:, ::2] @ m[::2]; x.expand(2, 2, 3) @ v; (x @ m).sum(); x.T @ y @ m
        r[None] @ m; x @ r[:, None]
        """,
    ),
    "layers": (
        "real",
        """
        F.softmax(x, dim=1); F.softmax(x, dim=0); F.log_softmax(x, dim=1); F.log_softmax(u, dim=1)
        F.softmax(u, dim=-1) * u; F.linear(x, y); F.linear(u, x); F.linear(r, x)
        F.linear(x, y, q); F.embedding(i(2, 0, 2), m); F.embedding(i([0, 1], [1, 1]), x)
        rms(x, r, 1e-5); rms(u, r, 1e-3); attend(u, u * 2, u + 1); attend(u, u.flip(1), u * r)
        attend(u, u * 2, u + 1, causal=True); attend(u, u * 2, u + 1, mask=causal_mask)
        F.softmax(x, dim=1).log(); F.log_softmax(x, dim=1).exp(); F.softmax(x * 1e3, dim=1)
        F.layer_norm(x, (3,)); F.layer_norm(x, (3,), r, r * 2, 1e-3); F.layer_norm(u, (2, 3))
        F.group_norm(u, 2, q, q * 2); F.group_norm(u, 1, q, q); F.group_norm(u[None, 0], 2)
        F.batch_norm(u, None, None, q, q * 2, True); F.batch_norm(x, None, None, training=True)
        F.batch_norm(u, q.detach() * 0, q.detach() ** 2, q); F.cross_entropy(x, i(2, 0))
        F.cross_entropy(x, i(2, -100)); F.cross_entropy(x, i(1, 0), k[0], reduction="sum")
        F.cross_entropy(x, i(1, 0), label_smoothing=0.25); F.nll_loss(x, i(1, 2))
        F.cross_entropy(v, i([0, 2], [1, 1]), reduction="none")
        F.nll_loss(x, i(1, 2), k[0], reduction="none"); F.conv1d(u, u[:, :, :2])
        F.conv1d(u, u[:, :, :2], q, padding=1); F.conv1d(u, u[:, :1, :2], groups=2)
        F.conv1d(u, u[:, :, :2], stride=2, dilation=2); F.conv2d(u[None], u[:, :, None, :2], q)
        F.conv2d(v[:, None], v[:, None, :2], padding=1, stride=2); F.conv1d(u, u, padding="same")
        F.conv_transpose1d(u, u[:, :, :2], q)
        F.conv_transpose2d(u[None], v[:, :2, None], stride=2); F.avg_pool1d(u, 2, 1)
        F.avg_pool1d(u, 2, 1, 1); F.avg_pool2d(u[None], (1, 2), 1); F.max_pool1d(u, 2, 1)
        F.max_pool2d(u[None], (2, 1)); F.max_pool1d(u, 3, 1, 1)
        F.adaptive_avg_pool2d(u[None], (1, 2)); F.adaptive_avg_pool2d(v[None], 2)
        """,
    ),
    "complex": (
        "complex",
        """
        x.abs(); abs(x); -x; x.conj() * 1; x.conj() * x; x.sgn(); x.angle(); x.square(); x.sqrt()
        x.rsqrt(); x.reciprocal(); x.exp(); x.expm1(); x.log(); x.log2(); x.log10(); x.log1p()
        x.sin(); x.cos(); x.tan(); x.asin(); x.acos(); x.atan(); x.sinh(); x.cosh(); x.tanh()
        x.asinh(); x.acosh(); x.atanh(); x.positive(); x + y; x - y; x * y; x / y; x * s; x + r
        x * c; x ** 2; x ** 3; x ** 0.5; x.pow(y); 2.0 ** x; x ** (1 + 1j); x * 2j; x / (1 + 2j)
        1j / x; x.real; x.imag; x.real * x.imag; x.T; x.H; x.mT; x.H * 2; x[:, ::2]; x.flip(1)
        x.sum(); x.sum(1); x.mean(0); x.prod(); x.prod(1); x.cumsum(1); x.cumprod(1); x.var(1)
        x.std(0); x.norm(); x.norm(2, 1); x.norm(1); x.norm(3, 1); x @ m; x.H @ y; x @ r; r.dot(r)
        r.vdot(x[0]); x @ x.H; lib.einsum("ij,jk", x, m); u @ v; lib.outer(q, r)
        lib.where(mask, x, y); x.masked_fill(mask, 1j); lib.cat([x, y]); x[i(1, 0)]; x[mask]
        x.gather(1, i([0, 2], [1, 1])); x.lerp(y, 0.25); x.addcmul(y, k); x.addcdiv(y, k + 5)
        x.clone(); x.T.reshape(6); x.unfold(1, 2, 1); r.expand(2, 3) * x; x.diagonal()
        view_as_real(x); view_as_real(x) * 2; x.scatter_add(1, i([0, 0]), y[:1, :2])
        (x * x.conj()).real; x.abs() ** 2; x.exp().abs(); (x - x.mean()).abs().sum()
        x.index_add(1, i(2, 2), y[:, :2])
        """,
    ),
    "complex from real": (
        "real part",
        """
        x * 1j; x + 1j; x.to(lib.complex128); x.to(lib.complex128).exp(); (x * 1j).exp().real
        x * lib.exp(k * 1j); (x + y * 1j).abs(); (x + 1j * y).angle()
        x.to(lib.complex128) @ m.to(lib.complex128); (x * 1j).imag
        view_as_complex(u[..., :2].contiguous()); view_as_complex((m * 1).contiguous()) ** 2
        x.to(lib.complex128).real; (x * 1j).sum(); x.real; (x * (1 + 2j)).conj() * 1; x.conj() * 1
        x.sum() * 1j; (x * 1j) * (y - 2j)
        """,
    ),
    "dtypes": (
        "real part",
        """
        x.float(); x.float() * 2; x.float() + y; x.float() * y.float(); x.float().double()
        x + i(1, 2, 3); x * i(1, 2, 3); x * True; x / i(1, 2, 4); x.to(lib.float32) * 0.5
        x.float().sum(); x.sum(dtype=lib.float32); x.float().T; x.float()[0]; x.half() * 2
        x.to(lib.bfloat16); lib.where(mask, x.float(), y); lib.cat([x.float(), y])
        x.float().add(y.float(), alpha=2); x.to(lib.int32); x.bool(); x.long() + 1
        x.float() @ m.float(); i(1, 2, 3) - x; x.float().type_as(y); x.half().float()
        """,
    ),
}

# Where ties or an undefined order make more than one answer right, repeated rows are not asked.
NOT_EXPANDED = {"order"}

# Rows and programs in which strided answers otherwise, and why.
_SIXTH = "PyTorch multiplies by 1/6 in single precision"
_TRIGAMMA = "PyTorch's trigamma has nine digits"
_AT_ZERO = "the second derivative at 0 is taken as 0, like the first"
_PIECE = "every piece is a view with a node of its own"
_RIGHT = "what is overwritten is kept, so the gradient is right"
DIFFERENT: dict[str, str] = {
    "unary: F.hardsigmoid(x)": _SIXTH,
    "border: F.hardsigmoid(x * 3)": _SIXTH,
    "unary: x.digamma()": _TRIGAMMA,
    "unary, positive: x.digamma()": _TRIGAMMA,
    "border: x.digamma()": _TRIGAMMA,
    "reductions: x.norm(0, 1)": "a gradient of zeros, where PyTorch has none",
    "border: x[:, :1].norm()": _AT_ZERO,
    "border: (x * 0).norm()": _AT_ZERO,
    "border: (x * 0).norm(2, 1)": _AT_ZERO,
    "border: x.logit(eps=0.25)": "outside of the limits second derivatives are 0 too",
    "views: x.view(lib.float64)": "a view of the same dtype has a gradient",
    "a = leaf(4); p, q = a.split(2); see(p.output_nr, q.output_nr, q.requires_grad)": _PIECE,
    "# GradientNotPossible; a = leaf(3); p, q = const(2, 3).unbind(); p += a": _PIECE,
    "# GradientNotPossible; a = leaf(3); a.__dlpack__()": "a RuntimeError, like all of its kind",
    "# StaleGradient; a = leaf(3); y = a * 1; y += 1; y *= y; back(y)": _RIGHT,
    "# StaleGradient; a = leaf(3); y = a * 1; y.mul_(y); back(y)": _RIGHT,
}
