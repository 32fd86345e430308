"""Everyday lines of PyTorch: each runs under PyTorch and under strided, and gives the same.

``t`` is the library, ``F`` its functional namespace; ``x`` (3, 4), ``y`` (3, 4), ``p`` (3, 4), all
positive, ``v`` (4,), ``r`` (3,), ``m`` (4, 4), invertible, ``k`` (2, 3, 4), ``n`` whole numbers
(3, 4), ``b`` truth values (3, 4), ``i`` positions (2,), ``z`` complex (2, 3). A line is an
expression, or statements whose last one is an expression.
"""

from __future__ import annotations

LINES: tuple[str, ...] = tuple(
    line.strip()
    for line in """
    t.tensor([1, 2, 3])
    t.tensor([[1., 2.], [3., 4.]])
    t.tensor(3.5)
    t.tensor([True, False])
    t.tensor([1, 2], dtype=t.float64)
    t.tensor([1.5, 2.5], dtype=t.long)
    t.as_tensor([1., 2.])
    t.zeros(2, 3)
    t.zeros((2, 3))
    t.ones(2, 3, dtype=t.int)
    t.full((2, 2), 7.)
    t.full((2, 2), 7)
    t.eye(3)
    t.eye(2, 3)
    t.arange(5)
    t.arange(1, 10, 2)
    t.arange(0., 1., 0.25)
    t.linspace(0, 1, 5)
    t.linspace(0, 1, steps=5)
    t.zeros_like(x)
    t.ones_like(x, dtype=t.long)
    t.full_like(x, 2.5)
    t.empty(2, 3).shape
    t.empty_like(x).shape
    t.rand(2, 3).shape
    t.randn(2, 3).shape
    t.randint(0, 10, (2, 3)).shape
    t.randperm(5).sort().values
    t.complex(x, y)
    t.polar(p, x)
    t.scalar_tensor(2)
    x.shape
    tuple(x.size())
    x.size(0)
    x.size(-1)
    x.dim()
    x.ndim
    x.numel()
    t.numel(x)
    x.nelement()
    x.stride()
    x.stride(0)
    x.is_contiguous()
    x.T.is_contiguous()
    x.storage_offset()
    x.element_size()
    x.requires_grad
    x.is_floating_point()
    t.is_tensor(x)
    t.is_floating_point(n)
    t.is_complex(z)
    x.reshape(4, 3)
    x.reshape(-1)
    x.reshape((2, -1))
    x.view(2, 6)
    x.view(-1)
    x.flatten()
    k.flatten(1)
    k.flatten(start_dim=0, end_dim=1)
    x.ravel()
    x.unsqueeze(0).shape
    x.unsqueeze(-1).shape
    x[:1].squeeze(0)
    t.unsqueeze(x, 1)
    t.squeeze(x[:1])
    x.t()
    x.T
    k.mT
    z.mH
    z.H
    t.transpose(k, 0, 2)
    k.transpose(1, 2)
    k.permute(2, 0, 1)
    t.permute(k, (1, 0, 2))
    t.movedim(k, 0, -1)
    k.swapaxes(0, 1)
    v.expand(3, 4)
    v.expand(3, -1)
    v.expand_as(x)
    t.broadcast_to(v, (3, 4))
    x.repeat(2, 1)
    x.repeat(1, 2, 2)
    v.repeat(3)
    v.repeat_interleave(2)
    t.repeat_interleave(x, 2, dim=0)
    t.repeat_interleave(x, t.tensor([1, 0, 2]), dim=0)
    t.tile(v, (2, 2))
    t.cat([x, y])
    t.cat((x, y), dim=1)
    t.cat([x, y], 1)
    t.concat([x, y], dim=0)
    t.stack([x, y])
    t.stack([x, y], dim=1)
    t.stack((x, y), -1)
    [a.shape for a in x.split(2)]
    x.split([1, 2])[1]
    t.split(x, 2, dim=1)[0]
    x.chunk(2)[0]
    t.chunk(x, 2, dim=1)[1]
    x.unbind(0)[1]
    t.unbind(x, dim=1)[2]
    t.tensor_split(x, 2, dim=1)[0]
    x.narrow(1, 1, 2)
    t.narrow(x, 0, 0, 2)
    x.select(0, 1)
    x.flip(0)
    t.flip(x, [0, 1])
    t.fliplr(x)
    t.rot90(x)
    t.roll(x, 1)
    t.roll(x, 1, 0)
    x.roll(shifts=(1, 2), dims=(0, 1))
    t.tril(m)
    t.triu(m, 1)
    m.tril(-1)
    m.triu(diagonal=1)
    t.diag(v)
    t.diag(m)
    t.diag(v, 1)
    m.diag()
    t.diagonal(m)
    m.diagonal(offset=1)
    t.diag_embed(x)
    t.diagflat(r)
    t.trace(m)
    m.trace()
    m.clone().fill_diagonal_(0)
    t.block_diag(x, m)
    t.meshgrid(r, v, indexing='ij')[0]
    t.cartesian_prod(r, v)
    t.combinations(v)
    x.unfold(1, 2, 1)
    x[0]
    x[-1]
    x[:, 1]
    x[1:, ::2]
    x[..., 0]
    x[None].shape
    x[:, None].shape
    x[x > 0]
    x[b]
    x[i]
    x[:, i]
    x[[0, 2]]
    x[i, i]
    x[0, 1].item()
    x.tolist()
    x[1, 2] = 5.; x
    x[0] = 0; x
    x[x < 0] = 0; x
    x[:, 1] = v[:3]; x
    x[i] = y[i]; x
    t.where(x > 0, x, y)
    t.where(x > 0, x, 0.)
    t.where(x > 0)[0]
    x.where(x > 0, y)
    x.masked_fill(b, 0.)
    x.masked_fill_(b, -1.)
    x.masked_select(b)
    t.masked_select(x, x > 0)
    x.index_select(1, i)
    t.index_select(x, 0, i)
    t.gather(x, 1, n[:, :2] % 4)
    x.gather(dim=1, index=n[:, :2] % 4)
    x.take(t.tensor([0, 5]))
    t.take_along_dim(x, x.argsort(dim=1), dim=1)
    t.zeros(3, 4).scatter_(1, n[:, :1] % 4, 1.)
    t.zeros(3, 4).scatter_add_(1, n % 4, x)
    t.zeros(3, 4).index_add_(0, i, x[:2])
    x.index_fill(1, i, 9.)
    x.index_copy(0, i, y[:2])
    x.index_put_((i, i), v[:2])
    x.nonzero()
    t.nonzero(x > 0)
    t.argwhere(x > 0)
    t.select_scatter(x, v, 0, 1)
    t.slice_scatter(x, y[:2], 0, 1)
    x + y
    x - 1
    2 * x
    x / y
    x // 2
    x % 2
    x ** 2
    -x
    abs(x)
    x @ m
    x > y
    x == x
    (x > 0) & (y > 0)
    ~(x > 0)
    n << 1
    n & 3
    t.add(x, y, alpha=2)
    x.add(1)
    x.sub(y)
    x.mul(y).div(2)
    t.div(x, y, rounding_mode='floor')
    t.remainder(n, 3)
    t.fmod(x, 2)
    t.pow(p, 2)
    p.pow(0.5)
    t.sqrt(p)
    p.rsqrt()
    x.exp()
    t.log(p)
    p.log2()
    p.log10()
    t.log1p(p)
    t.expm1(x)
    x.sin() + x.cos()
    t.tan(x)
    t.tanh(x)
    t.sigmoid(x)
    t.relu(x)
    x.relu_()
    t.abs(x)
    x.neg()
    t.sign(x)
    t.ceil(x)
    t.floor(x)
    t.round(x)
    t.trunc(x)
    t.frac(x)
    t.clamp(x, -0.5, 0.5)
    t.clamp(x, min=0)
    x.clamp(max=0.2)
    x.clamp_(0, 1)
    x.clamp_min(0.)
    t.clip(x, 0, 1)
    t.maximum(x, y)
    t.minimum(x, y)
    t.lerp(x, y, 0.5)
    t.addcmul(x, y, p, value=2)
    t.addcdiv(x, y, p)
    t.atan2(x, y)
    t.hypot(x, y)
    t.reciprocal(p)
    t.square(x)
    t.erf(x)
    t.erfinv(t.tanh(x))
    t.lgamma(p)
    t.digamma(p)
    t.polygamma(1, p)
    t.logit(t.sigmoid(x))
    t.logaddexp(x, y)
    t.special.expit(x)
    t.special.i0e(x)
    t.special.xlog1py(p, p)
    t.isnan(x)
    t.isinf(x)
    t.isfinite(x)
    t.nan_to_num(t.tensor([float('nan'), 1.]))
    t.isclose(x, x)
    t.allclose(x, x)
    t.equal(x, x).__class__
    x.eq(y)
    x.ne(y)
    x.gt(0)
    x.le(y)
    t.logical_and(b, x > 0)
    t.logical_not(b)
    x.add_(1)
    x.mul_(2).sub_(1)
    x.zero_()
    x.fill_(3)
    x.copy_(y)
    x.sum()
    x.sum(0)
    x.sum(dim=1, keepdim=True)
    t.sum(x, 1)
    t.sum(k, dim=(0, 2))
    x.mean()
    t.mean(x, 0)
    x.mean(dim=(0, 1))
    x.prod()
    x.prod(1)
    x.std()
    x.std(dim=0)
    x.std(unbiased=False)
    x.var(0)
    x.var(dim=1, correction=0)
    t.var(x, dim=1, unbiased=False)
    t.std(x, 0, correction=1)
    t.var_mean(x, dim=1)
    t.std_mean(x)
    x.max()
    x.min()
    x.max(1)
    x.max(dim=1).values
    t.max(x, dim=0)
    t.max(x, 1)[1]
    t.min(x, dim=1, keepdim=True)
    t.max(x, y)
    x.argmax()
    x.argmax(1)
    t.argmax(x, dim=1)
    t.argmin(x, dim=0)
    x.amax(1)
    t.amax(x, dim=(0, 1))
    t.amin(x, 0)
    t.aminmax(x)
    x.median()
    x.median(1)
    t.mode(n, 1).values
    x.quantile(0.5)
    t.quantile(x, t.tensor([0.25, 0.75]), dim=1)
    x.norm()
    x.norm(p=1, dim=1)
    t.norm(x)
    t.norm(x, dim=1)
    t.dist(x, y)
    t.cdist(x, y)
    x.all()
    (x > 0).any(1)
    t.any(b)
    t.all(b, dim=1)
    x.count_nonzero()
    t.logsumexp(x, 1)
    x.logsumexp(dim=0)
    x.softmax(1)
    x.softmax(dim=-1)
    t.softmax(x, dim=1)
    x.log_softmax(1)
    t.log_softmax(x, dim=0)
    t.cumsum(x, 0)
    x.cumsum(dim=1)
    x.cumprod(1)
    t.cumprod(x, dim=0)
    x.cummax(1)
    t.logcumsumexp(x, 1)
    t.diff(x)
    t.nansum(t.tensor([1., float('nan')]))
    t.bincount(n.flatten())
    t.histc(x, bins=4, min=-1, max=1)
    t.bucketize(x, t.tensor([-1., 0., 1.]))
    t.searchsorted(v.sort().values, r)
    t.unique(n)
    n.unique(return_counts=True)
    t.unique_consecutive(n.flatten())
    x.sort()
    t.sort(x, dim=0)
    x.sort(descending=True)
    x.argsort(dim=1)
    t.argsort(x, dim=1, descending=True)
    x.topk(2)
    t.topk(x, 2, dim=0)
    t.kthvalue(x, 2)
    t.msort(x)
    t.cov(x)
    t.corrcoef(x)
    t.trapezoid(x)
    t.cumulative_trapezoid(x)
    t.renorm(x, 2, 0, 1.)
    t.matmul(x, m)
    t.mm(x, m)
    t.mv(m, v)
    t.dot(v, v)
    t.bmm(k, k.mT)
    t.outer(r, v)
    t.einsum('ij,jk->ik', x, m)
    t.einsum('bij->bji', k)
    t.tensordot(x, m, dims=1)
    t.addmm(x, x, m)
    t.baddbmm(t.zeros(2, 3, 3), k, k.mT)
    t.kron(x, m)
    t.cross(x[:, :3], y[:, :3], dim=1)
    t.det(m)
    m.det()
    t.inverse(m)
    m.inverse()
    t.logdet(m @ m.T)
    t.linalg.inv(m)
    t.linalg.det(m)
    t.linalg.norm(x)
    t.linalg.norm(x, dim=1)
    t.linalg.norm(x, ord=1)
    t.linalg.solve(m, v)
    t.linalg.lstsq(m, v.unsqueeze(1)).solution
    t.linalg.cond(m)
    t.linalg.matrix_rank(m)
    t.linalg.pinv(x)
    t.linalg.eigvalsh(m + m.T)
    t.linalg.svdvals(x)
    t.linalg.svd(x, full_matrices=False).S
    t.linalg.cholesky(m @ m.T)
    t.linalg.matrix_power(m, 3)
    t.linalg.matrix_exp(m)
    t.linalg.slogdet(m)
    t.linalg.solve_triangular(m.triu(), x.T, upper=True)
    t.linalg.multi_dot([x, m, x.T])
    t.linalg.vector_norm(x, ord=3)
    t.linalg.matrix_norm(x, ord='nuc')
    t.linalg.vander(v)
    t.linalg.lu(m).U
    t.linalg.qr(m).R.abs()
    t.fft.fft(v)
    t.fft.rfft(x, dim=1)
    t.fft.irfft(t.fft.rfft(v))
    t.fft.fft2(x)
    t.fft.fftshift(v)
    t.fft.fftfreq(5, d=0.5)
    t.view_as_real(z)
    z.real
    z.imag
    z.conj()
    z.abs()
    z.angle()
    x.float().dtype == t.float32
    x.double()
    x.long()
    x.int()
    x.half().float()
    x.bool()
    x.to(t.float64)
    x.to(t.int32)
    x.to('cpu')
    x.type(t.float64)
    n.type_as(x)
    x.detach()
    x.clone()
    x.data
    x.contiguous()
    x.cpu()
    x.numpy().shape
    t.from_numpy(x.numpy())
    x.new_zeros(2, 2)
    x.new_tensor([1, 2])
    x.new_full((2,), 3.)
    x.new_ones(2).dtype == x.dtype
    t.finfo(t.float32).eps
    t.iinfo(t.int8).max
    t.promote_types(t.int8, t.float32) == t.float32
    t.result_type(x, 1) == x.dtype
    t.hann_window(6)
    t.hamming_window(6, periodic=False)
    t.stft(t.arange(32.), 8, window=t.hann_window(8), return_complex=True)
    t.empty(3).uniform_(0, 1).shape
    t.empty(3).normal_(0, 1).shape
    t.bernoulli(t.ones(3))
    t.multinomial(t.tensor([0., 1., 0.]), 1)
    t.normal(0., 1., (2, 2)).shape
    w = x.clone().requires_grad_(); (w * w).sum().backward(); w.grad
    w = x.clone().requires_grad_(); w.softmax(1)[:, 0].sum().backward(); w.grad
    w = v.clone().requires_grad_(); t.autograd.grad((w ** 3).sum(), w)[0]
    with_grad = x.clone().requires_grad_(); with_grad.detach().requires_grad
    F.relu(x)
    F.softmax(x, dim=1)
    F.log_softmax(x, dim=-1)
    F.gelu(x)
    F.mse_loss(x, y)
    F.cross_entropy(x, t.tensor([0, 1, 2]))
    F.one_hot(t.tensor([0, 2]), 3)
    F.normalize(x, dim=1)
    F.linear(x, m)
    F.pad(x, (1, 1))
    F.cosine_similarity(x, y)
    F.layer_norm(x, (4,))
    x.sum_to_size(1, 4)
    x.type(t.long).bincount if False else x.shape
    t.clone(x)
    t.tensor([1, 2, 3]).float().mean()
    t.tensor([1., 2.]).dtype == t.float
    (x - x.mean(0)) / x.std(0)
    x.view(3, 2, 2).sum(-1)
    x.masked_fill(x < 0, float('-inf')).softmax(-1)
    t.cat([t.zeros(1, 4), x]).shape
    t.arange(6).view(2, 3).float() @ t.ones(3)
    x.transpose(0, 1).contiguous().view(-1)
    """.strip().splitlines()
)

# Lines that give something else here, as docs/from-pytorch.md says, and why.
DIFFERENT: dict[str, str] = {
    "t.equal(x, x).__class__": "compares elements, as the standard",
    "t.nonzero(x > 0)": "the function gives a tensor per axis",
}
