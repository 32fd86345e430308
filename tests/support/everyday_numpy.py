"""Everyday lines of NumPy code, in our own words, on the topics of its public tutorials.

A line is run twice, with ``np`` being NumPy and being strided. What its last expression gives must
have equal values. ``SETUP`` makes what the lines use, in either library.
"""

from __future__ import annotations

SETUP = """
a = np.arange(12).reshape(3, 4)
f = np.linspace(-2, 3, 12).reshape(3, 4)
v = np.array([3, 1, 4, 1, 5, 9, 2, 6])
w = np.array([0.5, 1.5, -2.0, 4.0])
m = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]])
t = np.arange(24).reshape(2, 3, 4)
z = np.array([1 + 2j, 3 - 1j, -2j])
b = np.array([True, False, True, True])
n = np.array([1.0, np.nan, 3.0, np.nan, 5.0])
"""

TOPICS: dict[str, str] = {
    "arrays from nothing": """
np.zeros(5)
np.zeros((2, 3))
np.zeros((2, 3), dtype=int)
np.zeros((2, 2), float)
np.ones(4)
np.ones((2, 3), dtype=np.int32)
np.ones(3, np.float64)
np.empty((2, 3)).shape
np.full((2, 2), 7)
np.full((2, 3), 0.5)
np.full(3, np.inf)
np.eye(3)
np.eye(3, k=1)
np.eye(2, 3, dtype=int)
np.identity(4)
np.arange(10)
np.arange(2, 10)
np.arange(2, 10, 3)
np.arange(0, 1, 0.25)
np.arange(5, dtype=float)
np.arange(10, 0, -2)
np.linspace(0, 1, 5)
np.linspace(0, 10, num=4, endpoint=False)
np.linspace(0, 1, 5, retstep=True)[1]
np.logspace(0, 3, 4)
np.geomspace(1, 1000, 4)
np.zeros_like(a)
np.ones_like(f)
np.full_like(a, 9)
np.empty_like(a).shape
np.diag([1, 2, 3])
np.diag(m)
np.diag(np.arange(3), k=1)
np.diagflat([1, 2])
np.tri(3, 4, k=-1)
np.tril(m)
np.triu(m, 1)
np.vander([1, 2, 3], 3)
np.meshgrid([1, 2, 3], [4, 5])[0]
np.mgrid[0:2, 0:3]
np.ogrid[0:2, 0:3][1]
np.mgrid[0:1:5j]
np.indices((2, 3))
np.fromfunction(lambda i, j: i * 10 + j, (2, 3))
np.fromiter((i * i for i in range(4)), dtype=float)
np.r_[1:4, 0, 4]
np.c_[np.array([1, 2]), np.array([3, 4])]
np.array([1, 2, 3])
np.array([[1, 2], [3, 4]], dtype=float)
np.array([1.5, 2.5], dtype=np.float32)
np.array((1, 2, 3), ndmin=2)
np.array(range(4))
np.array([a, a]).shape
np.asarray([1, 2, 3])
np.asarray([1, 2], dtype=float)
np.asarray([1, 2], float)
np.copy(a)
np.tile([1, 2], 3)
np.tile(np.array([[1, 2]]), (2, 2))
np.repeat([1, 2], 2)
np.repeat(a, [1, 0, 2], axis=0)
""",
    "what an array is": """
a.shape
a.ndim
a.size
a.dtype == np.int64
len(a)
a.nbytes
a.itemsize
np.shape([[1, 2], [3, 4]])
np.ndim([[1, 2]])
np.size(a)
np.size(a, 1)
isinstance(a, np.ndarray)
np.isscalar(3.0)
np.iscomplexobj(z)
np.isrealobj(a)
a.dtype.kind
a.dtype.itemsize
a.dtype.name
np.dtype("float32") == np.float32
np.issubdtype(f.dtype, np.floating)
np.finfo(np.float32).eps
np.iinfo(np.int32).max
np.result_type(np.int32, np.float64) == np.float64
np.can_cast(np.int32, np.int64)
np.promote_types(np.int8, np.int16) == np.int16
a.tolist()
f.astype(int)
a.astype(np.float32)
a.astype("int32")
a.astype(float, copy=False)
v.astype(bool)
np.float32(3.5)
np.int64(7)
np.float64(1) / 3
a.flags.writeable
a.T.base is not None
np.shares_memory(a, a[1:])
np.may_share_memory(a, a.copy())
""",
    "indices and slices": """
a[1, 2]
a[-1]
a[0, :]
a[:, 1]
a[1:, 1:3]
a[::-1]
a[:, ::-1]
a[..., 0]
a[:, np.newaxis].shape
a[None].shape
v[[0, 2, 4]]
v[v > 3]
v[(v > 1) & (v < 6)]
a[a % 2 == 0]
a[[0, 2], [1, 3]]
a[np.array([0, 2])]
a[np.ix_([0, 2], [1, 3])]
a[:, [0, 2]]
a[a.sum(axis=1) > 10]
t[1, :, 2]
t[..., -1]
t[:, 1]
v[np.argmax(v)]
v[np.argsort(v)]
x = v.copy(); x[0] = 100; x
x = a.copy(); x[:, 0] = -1; x
x = v.copy(); x[x > 4] = 0; x
x = v.copy(); x[[0, 1]] = [7, 8]; x
x = a.copy(); x[1] = [9, 8, 7, 6]; x
x = a.copy(); x += 1; x
x = f.copy(); x *= 2; x
x = v.copy(); x[::2] += 10; x
x = np.zeros(4); np.add.at(x, [0, 0, 2], 1); x
x = a.copy(); y = x[0]; y[0] = 99; x[0, 0]
np.take(v, [0, 3])
np.take(a, [0, 2], axis=1)
a.take([0, 5])
np.take_along_axis(a, np.argsort(-a, axis=1), axis=1)
x = np.zeros((2, 3)); np.put_along_axis(x, np.array([[1], [2]]), 5, axis=1); x
x = v.copy(); np.put(x, [0, 1], [70, 80]); x
x = v.copy(); np.place(x, x > 4, [0]); x
x = v.copy(); np.putmask(x, x > 4, x * 10); x
x = np.zeros(3); np.copyto(x, [1, 2, 3]); x
np.choose([1, 0, 1], [[1, 2, 3], [10, 20, 30]])
np.select([v < 3, v > 5], [v, v * 10], default=-1)
np.where(v > 3, v, 0)
np.where(v > 3)
np.where(v > 3)[0]
np.nonzero(v > 4)
np.argwhere(a > 8)
np.flatnonzero(v == 1)
np.extract(v > 3, v)
np.compress([True, False, True], a, axis=0)
np.searchsorted([1, 3, 5], 4)
np.searchsorted([1, 3, 5], [0, 3, 9], side="right")
np.unravel_index(7, (3, 4))
np.ravel_multi_index((1, 2), (3, 4))
[int(x) for x in v if x > 2]
[row.sum() for row in a]
list(np.ndindex(2, 2))
[(i, float(x)) for i, x in np.ndenumerate(w)]
[float(x) for x in w.flat]
a.flat[5]
next(iter(a))
3 in v
v.item(2)
a.item((1, 2))
x = m.copy(); np.fill_diagonal(x, 0); x
m[np.diag_indices(3)]
m[np.tril_indices(3)]
m[np.triu_indices(3, k=1)]
""",
    "shapes": """
a.reshape(4, 3)
a.reshape((2, 6))
a.reshape(2, -1)
np.reshape(a, (6, 2))
a.ravel()
a.flatten()
np.ravel(a)
a.T
a.transpose()
np.transpose(a)
t.transpose(1, 0, 2).shape
np.transpose(t, (2, 0, 1)).shape
t.swapaxes(0, 2).shape
np.swapaxes(t, 1, 2).shape
np.moveaxis(t, 0, -1).shape
np.rollaxis(t, 2).shape
np.expand_dims(v, 0).shape
np.expand_dims(v, axis=(0, 2)).shape
np.squeeze(np.zeros((1, 3, 1))).shape
np.zeros((1, 3)).squeeze().shape
v[:, None].shape
np.atleast_1d(3)
np.atleast_2d(v).shape
np.atleast_3d(v).shape
np.broadcast_to(w, (3, 4))
np.broadcast_shapes((3, 1), (1, 4))
np.broadcast_arrays(np.arange(3)[:, None], np.arange(2))[0]
np.resize(v, (2, 3))
np.lib.stride_tricks.sliding_window_view(v, 3)
np.lib.stride_tricks.as_strided(v, shape=(3, 2), strides=(8, 8))
np.flip(a)
np.flip(a, axis=1)
np.fliplr(a)
np.flipud(a)
np.rot90(a)
np.roll(v, 2)
np.roll(a, 1, axis=0)
a.squeeze().shape
t.T.shape
""",
    "joined and split": """
np.concatenate([v, v])
np.concatenate((a, a), axis=1).shape
np.stack([v, v])
np.stack([v, v], axis=1).shape
np.vstack([w, w])
np.hstack([w, w])
np.hstack((a, a)).shape
np.dstack([w, w]).shape
np.column_stack([w, w])
np.vstack((a, np.ones((1, 4)))).shape
np.block([[np.eye(2), np.zeros((2, 1))], [np.ones((1, 3))]])
np.append(v, [7, 8])
np.append(a, [[1, 2, 3, 4]], axis=0).shape
np.insert(v, 1, 99)
np.insert(a, 1, 0, axis=1).shape
np.delete(v, [0, 2])
np.delete(a, 1, axis=0)
np.split(v, 4)[1]
np.split(v, [2, 5])[2]
np.array_split(v, 3)[0]
np.hsplit(a, 2)[1]
np.vsplit(a, 3)[0]
np.pad(w, 1)
np.pad(w, (1, 2), constant_values=9)
np.pad(w, 2, mode="edge")
np.pad(a, ((1, 0), (0, 1)), "reflect")
np.pad(w, 2, mode="wrap")
np.pad(w, 2, "linear_ramp", end_values=0)
np.trim_zeros([0, 0, 1, 2, 0])
np.unique([3, 1, 3, 2])
""",
    "arithmetic": """
a + 1
a * 2 - 3
f / 2
a ** 2
a // 3
a % 3
-f
a @ a.T
m @ w[:3]
1 / (1 + np.exp(-f))
w + np.arange(3)[:, None]
f - f.mean(axis=0)
(f - f.mean()) / f.std()
abs(f)
np.add(a, a)
np.subtract(a, 1)
np.multiply(w, w)
np.divide(w, 2)
np.power(w, 2)
np.mod(v, 3)
np.negative(w)
np.sqrt(np.abs(f))
np.cbrt(np.array([8.0, -27.0]))
np.square(w)
np.exp(w)
np.log(np.arange(1, 5))
np.log2([1, 2, 4])
np.log10([1, 10, 100])
np.log1p(np.abs(w))
np.expm1(w)
np.sin(f)
np.cos(np.pi * w)
np.tan(w)
np.arctan2(w, 2)
np.arcsin([0.0, 0.5])
np.sinh(w)
np.tanh(f)
np.hypot(3, 4)
np.deg2rad([0, 90, 180])
np.degrees(np.pi)
np.floor(f)
np.ceil(f)
np.round(f, 1)
np.around(w)
f.round(2)
np.trunc(f)
np.rint(f)
np.sign(w)
np.clip(f, -1, 1)
f.clip(0, 2)
f.clip(min=0)
np.maximum(f, 0)
np.minimum(w, 1)
np.fmax(n, 0)
np.gcd(12, 18)
np.lcm(4, 6)
np.divmod(7, 3)
np.modf(np.array([1.5, -2.25]))
np.reciprocal(np.array([2.0, 4.0]))
np.heaviside(w, 0.5)
np.sinc(w)
np.nan_to_num(n)
np.isclose(0.1 + 0.2, 0.3)
np.allclose(f, f + 1e-9)
np.array_equal(a, a.copy())
np.add.reduce(v)
np.multiply.outer([1, 2], [3, 4])
np.maximum.accumulate(v)
""",
    "sums and statistics": """
a.sum()
a.sum(axis=0)
np.sum(a, axis=1)
np.sum(a, 1)
a.sum(axis=1, keepdims=True)
np.sum([1, 2, 3])
a.mean()
np.mean(f, axis=0)
a.max()
a.min(axis=1)
np.max(f, axis=0)
np.amin(f, 1)
a.max(axis=0)
f.argmax()
f.argmin(axis=1)
np.argmax(v)
np.ptp(v)
v.prod()
np.prod([1, 2, 3, 4])
np.cumsum(v)
a.cumsum(axis=1)
np.cumprod([1, 2, 3, 4])
np.diff(v)
np.diff(a, axis=0)
np.diff(v, n=2)
np.std(f)
np.std(f, axis=0)
np.var(w)
np.var(w, ddof=1)
f.std(ddof=1)
np.median(v)
np.median(f, axis=1)
np.percentile(v, 50)
np.percentile(v, [25, 50, 75])
np.quantile(f, 0.9, axis=0)
np.average(w)
np.average(w, weights=[1, 2, 3, 4])
np.cov(f)
np.corrcoef(v, v[::-1])
np.nanmean(n)
np.nansum(n)
np.nanmax(n)
np.nanstd(n)
np.nanmedian(n)
np.nanpercentile(n, 50)
np.isnan(n)
np.isnan(n).sum()
n[~np.isnan(n)]
np.any(v > 8)
np.all(v > 0)
(a > 5).any(axis=0)
(a > 5).sum()
np.count_nonzero(v == 1)
np.bincount(v)
np.bincount([0, 1, 1], weights=[0.5, 1, 2])
np.histogram(v, bins=4)
np.histogram(v, bins=[0, 2, 5, 10])[0]
np.histogram2d(v, v, bins=3)[0]
np.digitize(v, [2, 4, 6])
np.trapezoid(w)
np.gradient(np.array([1.0, 4.0, 9.0, 16.0]))
np.interp(2.5, [1, 2, 3], [10, 20, 30])
np.interp([0, 1.5], [1, 2, 3], [10, 20, 30])
np.convolve([1, 2, 3], [0, 1, 0.5])
np.convolve(w, np.ones(2) / 2, mode="valid")
np.correlate([1, 2, 3], [0, 1, 0.5])
np.apply_along_axis(lambda r: r.max() - r.min(), 1, f)
np.vectorize(lambda x: x + 1 if x > 2 else 0)(v)
np.unwrap([0.0, 3.5, 7.0])
np.cross([1, 0, 0], [0, 1, 0])
np.logaddexp(1.0, 2.0)
np.ediff1d(v)
""",
    "order and sets": """
np.sort(v)
np.sort(f, axis=0)
np.sort(v)[::-1]
np.argsort(v, kind="stable")
v.argsort(kind="stable")[:3]
x = v.copy(); x.sort(); x
np.lexsort(([1, 0, 1], [2, 2, 1]))
np.partition(v, 3)[3]
np.argpartition(w, 0)[0]
np.unique(v)
np.unique(v, return_counts=True)
np.unique([3, 1, 3], return_index=True)
np.unique([3, 1, 3], return_inverse=True)
np.unique(np.array([[1, 2], [1, 2], [0, 1]]), axis=0)
np.union1d([1, 2], [2, 3])
np.intersect1d([1, 2, 3], [2, 3, 4])
np.setdiff1d([1, 2, 3], [2])
np.setxor1d([1, 2], [2, 3])
np.isin(v, [1, 9])
""",
    "linear algebra": """
np.dot(w, w)
np.dot(a, a.T)
a.dot(a.T)
np.matmul(m, m)
np.vdot(w, w)
np.inner(w, w)
np.outer([1, 2], [3, 4])
np.kron(np.eye(2), [[1, 2]])
np.trace(m)
m.trace()
m.diagonal()
np.einsum("ij,jk->ik", m, m)
np.einsum("ii", m)
np.tensordot(m, m, axes=1)
np.linalg.inv(m)
np.linalg.det(m)
np.linalg.solve(m, w[:3])
np.linalg.norm(w)
np.linalg.norm(m)
np.linalg.norm(m, axis=1)
np.linalg.norm(w, 1)
np.linalg.norm(w, np.inf)
np.linalg.matrix_rank(m)
np.linalg.eigvalsh(m)
np.linalg.eigh(m)[0]
np.linalg.svd(m)[1]
np.linalg.svd(m, compute_uv=False)
np.abs(np.linalg.qr(m)[1])
np.linalg.cholesky(m)
np.linalg.pinv(m)
np.linalg.matrix_power(m, 3)
np.linalg.lstsq(m, w[:3], rcond=None)[0]
np.linalg.cond(m)
np.linalg.multi_dot([m, m, w[:3]])
np.linalg.slogdet(m)
np.linalg.inv(np.array([[1, 2], [3, 4]]))
np.linalg.det([[1, 2], [3, 4]])
np.linalg.solve([[3, 1], [1, 2]], [9, 8])
np.linalg.eigvals(np.diag([1, 2, 3]))
np.polyfit([0.0, 1.0, 2.0, 3.0], [1.0, 3.0, 5.0, 7.0], 1)
np.polyval([1, 2, 3], 2.0)
np.sort(np.roots([1, -3, 2]))
np.poly([1, 2])
""",
    "complex numbers and transforms": """
z.real
z.imag
np.conj(z)
np.abs(z)
np.angle(z)
z * 1j
np.real(z)
np.fft.fft([1.0, 2.0, 3.0, 4.0])
np.fft.ifft(np.fft.fft(w))
np.fft.rfft(w)
np.fft.irfft(np.fft.rfft(w))
np.fft.fftfreq(4)
np.fft.fftshift([0, 1, 2, 3])
np.fft.fft2(m)
np.hanning(5)
np.exp(1j * np.pi * w)
""",
    "random numbers": """
np.random.default_rng(0).random(3)
np.random.default_rng(0).random((2, 2))
np.random.default_rng(0).integers(0, 10, size=4)
np.random.default_rng(0).integers(5)
np.random.default_rng(0).normal(5, 2, size=3)
np.random.default_rng(0).standard_normal((2, 2))
np.random.default_rng(0).uniform(-1, 1, 3)
np.random.default_rng(0).choice([10, 20, 30], size=5)
np.random.default_rng(0).choice(5, 3, replace=False)
np.random.default_rng(0).choice([1, 2], p=[0.1, 0.9], size=4)
np.random.default_rng(0).permutation(5)
rng = np.random.default_rng(0); x = np.arange(5); rng.shuffle(x); x
np.random.default_rng(1).exponential(2.0, 3)
np.random.default_rng(1).poisson(4, 3)
np.random.default_rng(1).binomial(10, 0.5, 3)
np.random.default_rng(1).gamma(2.0, size=2)
np.random.default_rng(1).beta(1, 2, size=2)
np.random.default_rng(1).multivariate_normal([0, 0], [[1, 0], [0, 1]]).shape
np.random.seed(0); np.random.rand(3)
np.random.seed(0); np.random.randn(2, 2)
np.random.seed(0); np.random.randint(0, 10, 5)
np.random.seed(1); np.random.normal(0, 1, 3)
np.random.seed(1); np.random.choice([1, 2, 3], 2)
np.random.seed(1); np.random.uniform(size=2)
np.random.RandomState(3).rand(2)
""",
    "files and text": """
np.save("x.npy", a); np.load("x.npy")
np.savez("x.npz", one=a, two=w); np.load("x.npz")["two"]
np.savez_compressed("y.npz", a); np.load("y.npz")["arr_0"]
np.savetxt("x.txt", w); np.loadtxt("x.txt")
np.savetxt("x.csv", a, delimiter=",", fmt="%d"); np.loadtxt("x.csv", delimiter=",", dtype=int)
np.savetxt("h.csv", a, delimiter=",", header="one"); np.genfromtxt("h.csv", delimiter=",")
w.tofile("x.bin"); np.fromfile("x.bin", dtype=w.dtype)
a.tobytes() == np.frombuffer(a.tobytes(), dtype=np.int64).tobytes()
np.array2string(np.array([1, 2, 3]))
np.array2string(np.array([0.5, 1.5]), precision=1, separator=", ")
np.binary_repr(6)
np.set_printoptions(precision=4)
np.fromstring("1 2 3", dtype=int, sep=" ")
""",
    "small programs": """
x = np.zeros(10); x[4] = 1; x
x = np.ones((5, 5)); x[1:-1, 1:-1] = 0; x
x = np.zeros((4, 4), dtype=int); x[::2, 1::2] = 1; x[1::2, ::2] = 1; x
np.sqrt(((w[:, None] - w[None, :]) ** 2))
x = f - f.max(axis=1, keepdims=True); e = np.exp(x); e / e.sum(axis=1, keepdims=True)
np.eye(4)[np.array([0, 2, 1])]
(f - f.min()) / (f.max() - f.min())
x, y = np.meshgrid(np.linspace(-1, 1, 3), np.linspace(-1, 1, 3)); np.sqrt(x ** 2 + y ** 2)
v[np.abs(v - 4.2).argmin()]
np.cumsum(np.insert(w, 0, 0))[2:] - np.cumsum(np.insert(w, 0, 0))[:-2]
np.array([np.mean(part) for part in np.array_split(v, 4)])
np.linalg.norm(f[:, None, :] - f[None, :, :], axis=-1)
A = np.vstack([w, np.ones(len(w))]).T; np.linalg.lstsq(A, 2 * w + 1, rcond=None)[0]
values, counts = np.unique(v, return_counts=True); values[counts.argmax()]
x = np.arange(1, 11); x[(x % 2 == 0) | (x > 8)]
sum(float(row.sum()) for row in f)
g = np.array([[0, 1], [1, 1]]); np.linalg.matrix_power(g, 10)[0, 1]
sum(x ** 2 for x in w)
max(v)
sorted(v.tolist())
float(np.mean(w)) + 1
int(v[0]) * 2
"{:.2f}".format(float(np.pi))
f"{w.mean():.3f}"
np.pi, np.e, np.inf
bool((a == a).all())
x = np.array([1, 2, 3]); x.fill(7); x
w.copy().tolist()
(w > 0).astype(int)
np.logical_and(w > 0, w < 2)
np.logical_not(b)
~b
b & np.array([True, True, False, False])
b.sum()
np.bitwise_and(6, 3)
6 & np.array([3, 5])
np.left_shift(1, 4)
np.isfinite(np.array([1.0, np.inf, np.nan]))
np.signbit(w)
np.array([[1, 2], [3, 4]]) * np.array([10, 100])
np.piecewise(w, [w < 0, w >= 0], [-1, 1])
np.apply_over_axes(np.sum, t, [0, 2]).shape
np.errstate(divide="ignore").__enter__(); np.array([1.0]) / 0
with np.printoptions(precision=2): str(np.array(1.0))
""",
}


def lines() -> list[str]:
    """Return all lines."""
    return [line for text in TOPICS.values() for line in text.strip().splitlines()]
