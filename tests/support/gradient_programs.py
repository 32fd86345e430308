"""Programs about graphs that strided and PyTorch must agree on: in-place writes, hooks, modes, what
is freed, what is refused. They run on either library.

``leaf(*shape)`` makes a leaf of float64, ``const(*shape)`` a plain tensor, ``back(*tensors, ...)``
runs backward from weighted sums, ``see(...)`` notes tensors and facts; the gradients of all leaves
are noted at the end. A program that PyTorch refuses begins with the error that strided raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Written to a region of a non-leaf ``y`` (3, 3): each statement is run on each view below.
_WRITES = """
v += b; v -= b; v *= b; v /= b + 3; v += 1; v *= 2; v.add_(b, alpha=2); v.mul_(b); v.copy_(b)
v.zero_(); v.fill_(2.0); v[...] = b; v[...] = 1.5; v.sin_(); v.exp_(); v.square_(); v.relu_()
v.clamp_(min=0.25); v.sigmoid_(); v.tanh_(); v.neg_(); v.abs_(); v.pow_(2); v.sub_(v * 2)
v.masked_fill_(v > 0, 3.0); v.lerp_(b, 0.25); v.addcmul_(b, b); v.maximum(b); v.reciprocal_()
"""
_VIEWS = """
y; y[0]; y[1:]; y[:, 1]; y[:, ::2]; y.T; y.T[1:]; y.view(-1)[2:7]; y.diagonal(); y[1, 2]
y.unsqueeze(0); y.view(9); y[1:][:, 1:]; y.permute(1, 0)[0]
"""
# Which views are asked of all writes, and which writes of all views.
_WIDE_VIEWS = ("y", "y[:, 1]", "y.T[1:]")
_WIDE_WRITES = ("v += b", "v *= b", "v.copy_(b)", "v.exp_()")

PROGRAMS: dict[str, str] = {
    "several uses": """
        a = leaf(3); b = a * 2; back(b * a + b.sin(), a)
        a = leaf(3); back(a); back(a); back(a * a)
        a = leaf(3); y = a.exp(); z = y * y; w = z + y; back(w, z, y)
        a = leaf(2, 3); b = leaf(3); y = a * b; z = y.sum(0) * b; back(z, y)
        a = leaf(3); y = a; [y := y * 1.1 for _ in range(20)]; back(y)
        a = leaf(3); y = a.sin(); [y := y + y for _ in range(12)]; back(y)
        a = leaf(2, 2); y = a @ a @ a; back(y)
        a = leaf(4); p, q = a[:2], a[2:]; back(p * q, a, p)
        a = leaf(2, 3); rows = list(a); back(rows[0] * rows[1], a.T[0])
        a = leaf(2, 3); x, y = a.unbind(); back(x, x * y)
        a = leaf(6); parts = a.split(2); back(parts[0] * parts[2], a[1])
        a = leaf(6); p, q, r = a.chunk(3); back(q + r * p)
        a = leaf(3); b = leaf(3); c = const(3); back(a * c, b + c); see(c.grad, c.requires_grad)
    """,
    "facts": """
        a = leaf(3); see(a.is_leaf, a.requires_grad, a.grad, a.grad_fn)
        a = leaf(3); y = a * 2; see(y.is_leaf, y.requires_grad, y.grad_fn is None)
        a = const(3); see(a.is_leaf, a.requires_grad, a.grad_fn, (a * 2).is_leaf)
        a = leaf(3); y = a.detach(); see(y.is_leaf, y.requires_grad, y.grad_fn); back(y * a)
        a = leaf(3); see(a.clone().requires_grad, a.clone().is_leaf); back(a.clone())
        a = leaf(3); see((a > 0).requires_grad, a.argmax().requires_grad, a.long().requires_grad)
        a = leaf(3); see(a.sort().indices.requires_grad, a.sort().values.requires_grad)
        a = leaf(3); b = const(3).requires_grad_(); see(b.requires_grad); back(a * b)
        a = const(3); a.requires_grad = True; see(a.is_leaf); back(a * 2); see(a.grad)
        a = leaf(3); a.requires_grad_(False); see(a.requires_grad, (a * 2).requires_grad)
        a = leaf(3); y = a * 2; y.requires_grad_(); see(y.requires_grad); back(y)
        a = lib.zeros(3, requires_grad=True); back(a * 2); see(a.grad, a.requires_grad)
        a = lib.ones(3, dtype=lib.float64, requires_grad=True); back(a * 2); see(a.grad)
        a = lib.tensor([1.0, 2.0], requires_grad=True); back(a * a); see(a.grad)
        a = lib.full((2,), 1.5, requires_grad=True); see(a.requires_grad, a.is_leaf)
        a = lib.arange(3.0, requires_grad=True); back(a * a); see(a.grad)
        a = lib.linspace(0, 1, 3, requires_grad=True); back(a * a); see(a.grad)
        a = leaf(3); see(lib.zeros_like(a).requires_grad, lib.ones_like(a,\
            requires_grad=True).requires_grad)
        a = lib.eye(2, requires_grad=True); see(a.requires_grad); \
            b = lib.randn(2, requires_grad=True); see(b.requires_grad)
        a = leaf(3); y = a * 2; see(y.output_nr, a.output_nr)
        a = leaf(4); p, q = a.split(2); see(p.output_nr, q.output_nr, q.requires_grad)
        a = leaf(3); a.grad = const(3); back(a * 2)
        a = leaf(3); back(a); a.grad = None; back(a * 3)
        a = leaf(3); back(a); a.grad.zero_(); back(a * 3)
        a = leaf(3); back(a); g = a.grad; back(a); see(g)
        a = leaf(3); y = (a * 2).detach_(); see(y.requires_grad, y.is_leaf); \
            y.requires_grad_(); back(y); see(y.grad)
        a = leaf(3); d = a.data; d += 1; see(a, d.requires_grad); back(a * a)
        a = leaf(3); back(a.detach() * a)
        a = leaf(3); y = a.detach().requires_grad_(); back(y * a); see(y.grad)
        a = leaf(()); a.backward()
        a = leaf(3); a.sum().backward(); a.prod().backward()
        a = leaf(2, 3); a.expand(4, 2, 3).sum().backward(); see(a.grad.stride())
        a = leaf(2, 3); a.sum().backward(); see(a.grad.is_contiguous()); a.grad += 1
        a = leaf(2, 3); back(a.T); see(a.grad.shape)
        a = leaf(0, 3); back(a * 2); see(a.grad.shape)
        a = leaf(3).clone(); see(a.requires_grad, a.is_leaf); back(a); see(a.requires_grad)
    """,
    "gradients given": """
        a = leaf(3); (a * 2).backward(const(3))
        a = leaf(3); (a * 2).backward(gradient=lib.ones(3, dtype=lib.float64) * 0.5)
        a = leaf(2, 3); (a * a).backward(const(3, 2).T)
        a = leaf(2, 3); (a * a).backward(const(3).expand(2, 3))
        a = leaf(()); (a * 2).backward(lib.tensor(3.0, dtype=lib.float64))
        a = leaf(3); g = const(3); a.backward(g); g += 1
        a = leaf(3); g = const(3); (a + 0).backward(g); g += 1
        a = leaf(3); g = const(3); y = a * 1; y.backward(g, retain_graph=True); y.backward(g)
        a = leaf(3); b = leaf(3); (a * b).sum().backward(inputs=[a])
        a = leaf(3); b = leaf(3); (a * b).sum().backward(inputs=a)
        a = leaf(3); y = a * 2; y.retain_grad(); (y * a).sum().backward(inputs=[y]); see(y.grad)
        a = leaf(3); y = a * 2; (y * a).sum().backward(inputs=[y, a]); see(y.grad)
        a = leaf(3); b = leaf(3); lib.autograd.backward([(a * b).sum(), (a + b).sum()])
        a = leaf(3); b = leaf(3); lib.autograd.backward([a * b, (a + b).sum()], [const(3), None])
        a = leaf(3); lib.autograd.backward((a * 2).sum(), inputs=[a])
        a = leaf(3); lib.autograd.backward((a * 2,), (const(3),))
        # GradientNotPossible; a = leaf(3); (a * 2).backward()
        # GradientNotPossible; a = leaf(3); b = (a * 2).detach(); b.sum().backward()
        # GradientNotPossible; const(3).sum().backward()
        # ShapeMismatch; a = leaf(3); (a * 2).backward(const(2))
        # ShapeMismatch; a = leaf(2, 3); (a * 2).backward(const(3))
        # GradientNotPossible; a = leaf(3); lib.autograd.backward([a * 2, a.sum()])
        # GradientNotPossible; a = leaf(3); b = leaf(3); (a.sum() + b.sum()).backward(inputs=[])
        # GradientNotPossible; a = leaf(3); b = const(3); (a * b).sum().backward(inputs=[b])
    """,
    "autograd.grad": """
        a = leaf(3); b = leaf(3); see(*grad((a * b).sum(), [a, b]))
        a = leaf(3); b = leaf(3); see(*grad((a * b).sum(), (b,)))
        a = leaf(3); see(*grad(a * a, a, const(3)))
        a = leaf(3); see(*grad(a * a, a, grad_outputs=const(3)))
        a = leaf(3); see(*grad([a.sum(), (a * a).sum()], [a]))
        a = leaf(3); see(*grad([a * 2, (a * a).sum()], [a], [const(3), None]))
        a = leaf(3); b = leaf(3); see(*grad(a.sum(), [a, b], allow_unused=True))
        a = leaf(3); b = leaf(3); see(*grad(a.sum(), [a, b], materialize_grads=True))
        a = leaf(3); y = a * 2; z = y * a; see(*grad(z.sum(), [y, a]))
        a = leaf(3); y = a * 2; z = y * a; see(*grad(z.sum(), [y], retain_graph=True)); back(z)
        a = leaf(3); y = a * 2; see(*grad(y.sum(), y))
        a = leaf(2, 3); v = a[0]; see(*grad((a * a).sum() + (v * 3).sum(), [v]))
        a = leaf(3); g, = grad((a ** 3).sum(), a, create_graph=True); see(g.requires_grad); \
            back(g)
        a = leaf(3); g, = grad((a ** 3).sum(), a, create_graph=True); \
            h, = grad(g.sum(), a, create_graph=True); back(h)
        a = leaf(3); b = leaf(3); g, h = grad((a * a * b).sum(), [a, b], create_graph=True); \
            back(g * h)
        a = leaf(3); g, = grad((a * 2).sum(), a, create_graph=True); see(g.requires_grad)
        a = leaf(3); g, = grad((a * a).sum(), a); see(g.requires_grad)
        a = leaf(3); y = a.exp(); g, = grad(y.sum(), a, create_graph=True); back(g * y)
        a = leaf(3); w = const(3).requires_grad_(); \
            g, = grad(a * a, a, w, create_graph=True); back(g); see(w.grad)
        a = leaf(3); (a ** 3).sum().backward(create_graph=True); g = a.grad; a.grad = None; \
            back(g)
        a = leaf(3); g, = grad(a.sum(), a); see(g.shape); see(*grad(a.prod(), a))
        a = leaf(2, 2); g, = grad((a @ a).sum(), a, create_graph=True); back(g.pow(2))
        a = leaf(4); g, = grad((a[:2] * a[2:]).sum(), a, create_graph=True); back(g * g)
        a = leaf(2, 3); g, = grad((a.T.reshape(6) ** 2)[1:].sum(), a, create_graph=True); \
            back(g * a)
        a = leaf(2, 3); y = a * 1; y[0] *= 2; \
            g, = grad((y ** 3).sum(), a, create_graph=True); back(g)
        a = leaf(2, 3); y = a * a; v = y[:, 1]; v.exp_(); \
            g, = grad(y.sum() + v.sum(), a, create_graph=True); back(g)
        a = leaf(3); b = leaf(3); p, = grad((a / b).sum(), a, create_graph=True); \
            back((p - 1) ** 2)
        # GradientNotPossible; a = leaf(3); b = leaf(3); grad(a.sum(), [a, b])
        # GradientNotPossible; a = leaf(3); b = const(3); grad(a.sum(), [b], allow_unused=True)
        # GradientNotPossible; a = leaf(3); grad(a * 2, a)
        # GradientNotPossible; a = leaf(3); y = (a * a).sum(); grad(y, a); grad(y, a)
        # GradientNotPossible; a = leaf(3); g, = grad((a * a).sum(), a); grad(g.sum(), a)
        # ShapeMismatch; a = leaf(3); grad(a * 2, a, const(4))
        # GradientNotPossible; a = const(3); grad(a.sum(), a)
    """,
    "what is freed": """
        a = leaf(3); y = (a * a).sum(); y.backward(retain_graph=True); y.backward()
        a = leaf(3); y = a.exp(); back(y, retain_graph=True); back(y, retain_graph=True); back(y)
        a = leaf(3); y = a.sum(); y.backward(); y.backward()
        a = leaf(3); y = a.exp(); z = y.sum(); w = y.prod(); z.backward(retain_graph=True); \
            w.backward()
        a = leaf(2, 3); y = a.T[1:]; back(y); back(y)
        a = leaf(3); y = a + 1; back(y); back(y)
        # GradientNotPossible; a = leaf(3); y = (a * a).sum(); y.backward(); y.backward()
        # GradientNotPossible; a = leaf(3); y = a.exp(); back(y); back(y)
        # GradientNotPossible; a = leaf(3); y = a.exp(); back(y * 2); back(y * 3)
        # GradientNotPossible; a = leaf(2, 2); y = a @ a; back(y); back(y)
    """,
    "retain_grad": """
        a = leaf(3); y = a * 2; y.retain_grad(); back(y * y); see(y.grad, y.retains_grad)
        a = leaf(3); y = a * 2; see(y.retains_grad); y.retain_grad(); y.retain_grad(); \
            back(y); see(y.grad)
        a = leaf(3); y = a * 2; y.retain_grad(); back(y * a, retain_graph=True); back(y); \
            see(y.grad)
        a = leaf(3); a.retain_grad(); see(a.retains_grad); back(a)
        a = leaf(2, 3); v = a[0]; v.retain_grad(); back(v * 2, a); see(v.grad)
        a = leaf(3); y = a * 2; y.retain_grad(); z = y * 3; z.retain_grad(); back(z); \
            see(y.grad, z.grad)
        a = leaf(3); y = a * 2; y.retain_grad(); y += 1; back(y * y); see(y.grad)
        # GradientNotPossible; const(3).retain_grad()
    """,
    "hooks": """
        a = leaf(3); a.register_hook(lambda g: g * 2); back(a * 3)
        a = leaf(3); y = a * 2; y.register_hook(lambda g: g * 10); back(y * a)
        a = leaf(3); y = a * 2; h = y.register_hook(lambda g: g * 10); h.remove(); back(y)
        a = leaf(3); y = a * 2; y.register_hook(lambda g: see(g)); back(y * 3)
        a = leaf(3); y = a * 2; y.register_hook(lambda g: g + 1); \
            y.register_hook(lambda g: g * 2); back(y)
        a = leaf(3); a.register_hook(lambda g: g + 1); a.register_hook(lambda g: g * 2); \
            back(a, a * 2)
        a = leaf(3); y = a * 2; y.retain_grad(); y.register_hook(lambda g: g * 10); back(y); \
            see(y.grad)
        a = leaf(3); y = a * 2; y.register_hook(lambda g: g * 10); y.retain_grad(); back(y); \
            see(y.grad)
        a = leaf(3); y = a * 2; y.register_hook(lambda g: g * 10); see(*grad(y.sum(), y))
        a = leaf(3); a.register_hook(lambda g: g * 10); see(*grad(a.sum(), a))
        a = leaf(3); y = a * 2; n = y.grad_fn; n.register_hook(lambda i, o: see(i[0], *o)); \
            back(y * 3)
        a = leaf(3); y = a * 2; \
            y.grad_fn.register_prehook(lambda o: tuple(g * 5 for g in o)); back(y)
        a = leaf(3); y = a * 2; \
            y.grad_fn.register_hook(lambda i, o: tuple(g if g is None else g * 5 for g in i)); \
            back(y)
        a = leaf(3); a.register_hook(lambda g: g * a); \
            see(*grad((a * a).sum(), a, create_graph=True))
        a = leaf(3); y = a * 2; y.register_hook(lambda g: g * 3); y += 1; back(y)
        a = leaf(3); y = a * 2; y += 1; y.register_hook(lambda g: g * 3); back(y)
        # GradientNotPossible; const(3).register_hook(lambda g: g)
        # ShapeMismatch; a = leaf(3); a.register_hook(lambda g: g[:2]); back(a * 2)
    """,
    "detached": """
        a = leaf(3); y = a * 2; d = y.detach(); d += 1; back(y); see(y, d)
        a = leaf(3); y = a * 2; d = y.detach(); see(d.requires_grad, (d * 2).requires_grad); \
            back(y * d)
        a = leaf(3); b = leaf(3); y = a * 2; d = y.detach(); y += b; see(d.requires_grad, d); \
            back(y * 3)
        a = leaf(2, 3); y = a * 2; d = y.detach()[0]; y *= 2; see(d, d.requires_grad); back(y)
        a = leaf(2, 3); y = a * 2; d = y[0].detach(); e = d * 2; y[0] = 1.0; \
            see(d, e.requires_grad); back(y)
        a = leaf(3); x = const(3); d = x.detach(); x += a; \
            see(d.requires_grad, x.requires_grad, d); back(x)
        a = leaf(3); d = a.detach(); d.zero_(); see(a); back(a * 2)
        a = leaf(3); y = a.clone(); y.detach_(); y += 1; see(y, y.requires_grad, a)
        a = leaf(3); c = a.detach().clone(); c += 1; see(a, c)
        # StaleGradient; a = leaf(3); y = a.exp(); d = y.detach(); d += 1; back(y)
        # StaleGradient; a = leaf(3); y = a * a; d = a.detach(); d += 1; back(y)
        # GradientNotPossible; a = leaf(2, 3); v = (a * 1)[0]; v.detach_()
    """,
    "in place on plain tensors": """
        a = leaf(3); x = const(3); x += a; see(x.requires_grad, x.is_leaf); back(x * x)
        a = leaf(3); x = const(2, 3); v = x[0]; v += a; \
            see(x.requires_grad, v.requires_grad); back(x * 2, v)
        a = leaf(3); x = const(2, 3); v = x[0]; w = x[:, 1]; v *= a; see(w.requires_grad); \
            back(w * w)
        a = leaf(3); x = const(2, 3); x[0] = a; see(x.requires_grad); back(x * x)
        a = leaf(3); x = const(2, 3); x[:, 1:][1] = a[1:]; back(x.T * 2)
        a = leaf(()); x = const(2, 3); x[1, 2] = a; back(x * x)
        a = leaf(2); x = const(2, 3); x[:, i(0, 2)] = a[:, None]; back(x * x)
        a = leaf(3); x = const(2, 3); x[mask] = lib.cat([a, a[:1]]); back(x * x)
        a = leaf(2, 3); x = lib.zeros(2, 3, dtype=lib.float64); x.copy_(a); back(x * x)
        a = leaf(3); x = lib.zeros(2, 3, dtype=lib.float64); x.copy_(a); back(x)
        a = leaf(3); x = const(3); v = x.view(3, 1); x.mul_(a); see(v.requires_grad); back(v * v)
        a = leaf(3); x = const(2, 3); v = x[0]; w = v[1:]; x *= a; see(w.requires_grad); back(w)
        a = leaf(3); x = const(3); y = x * 2; x += a; see(y.requires_grad); back(x)
        a = leaf(3); x = const(3); y = x * a; back(y)
        a = leaf(3); x = const(2, 3); [x.select(0, j).add_(a * j) for j in range(2)]; back(x * x)
        a = leaf(2, 3); x = const(3, 2); x.T.copy_(a); back(x * x)
        a = leaf(3); x = lib.zeros(3); x.copy_(a); see(x.dtype == lib.float32); back(x)
        # StaleGradient; a = leaf(3); x = lib.zeros(3, dtype=lib.float64); x[0] = a[1] * 2; \
            x[1] = x[0] * a[2]; x[2] = x[1] + x[0]; back(x)
        # StaleGradient; a = leaf(3); x = const(3); y = x * a; x += 1; back(y)
        # StaleGradient; a = leaf(3); x = const(2, 3); y = x[0] * a; x[1] += 1; back(y)
    """,
    "in place on non-leaves": """
        # StaleGradient; a = leaf(3); y = a * 1; y += 1; y *= y; back(y)
        # StaleGradient; a = leaf(3); y = a * 1; y.mul_(y); back(y)
        a = leaf(3); y = a.sin(); z = y * 2; y += 1; back(y, z)
        a = leaf(3); y = a.clone(); y[0] = 5.0; back(y * y)
        # StaleGradient; a = leaf(3); y = a.clone(); y[0] = y[1] * y[2]; back(y * y)
        a = leaf(3); y = a.clone(); y[1:] = y[:-1] * 2; back(y * y)
        a = leaf(3); y = a.clone(); y[1:] += y[:-1].clone(); back(y * y)
        a = leaf(3, 3); y = a.clone(); y.diagonal().add_(1); y.T.mul_(2); back(y * y)
        a = leaf(3, 3); y = a.clone(); y[:, 0] = y[:, 1]; y[0] *= 2; back(y * y, y[1])
        a = leaf(3, 3); b = leaf(3); y = a.clone(); v = y[0]; w = v[1:]; w *= b[1:]; back(y, v, w)
        a = leaf(3, 3); b = leaf(3); y = a.clone(); v = y[0]; w = y.T; v += b; w[0] *= 2; \
            back(v, w, y)
        a = leaf(3, 3); y = a.clone(); v = y[1]; y *= 2; v *= 3; y += v.clone(); back(y, v)
        a = leaf(3, 3); y = a.clone(); v = y[1]; v *= 3; z = y.sum(); v *= 2; back(z, v, y)
        a = leaf(2, 3); y = a * 1; y.transpose_(0, 1); see(y.shape); back(y * y)
        a = leaf(2, 3); y = a * 1; y.unsqueeze_(0); y.squeeze_(0); y.t_(); back(y * y)
        a = leaf(3, 3); y = a.clone(); y[i(0, 2)] = 1.0; back(y * y)
        a = leaf(3, 3); b = leaf(2, 3); y = a.clone(); y[i(0, 2)] = b; back(y * y)
        a = leaf(3, 3); b = leaf(2, 3); y = a.clone(); y[i(0, 2)] += b; back(y * y)
        a = leaf(3, 3); y = a.clone(); y[y > 0] = 2.0; back(y * y)
        a = leaf(3, 3); b = leaf(()); y = a.clone(); y[y > 0] = b; back(y * y)
        a = leaf(3, 3); b = leaf(()); y = a.clone(); y.masked_fill_(y > 0, b); back(y * y)
        a = leaf(3, 3); b = leaf(2, 3); y = a.clone(); y.index_add_(0, i(2, 2), b); back(y * y)
        a = leaf(3, 3); b = leaf(2, 3); y = a.clone(); y.index_copy_(0, i(2, 0), b); back(y * y)
        a = leaf(3, 3); y = a.clone(); y.index_fill_(1, i(0), 2.0); back(y * y)
        a = leaf(3, 3); b = leaf(3, 1); y = a.clone(); y.scatter_(1, i([1], [0], [2]), b); \
            back(y * y)
        a = leaf(3, 3); b = leaf(3, 1); y = a.clone(); \
            y.scatter_add_(1, i([1], [0], [2]), b); back(y * y)
        a = leaf(3, 3); b = leaf(2); y = a.clone(); y.put_(i(0, 4), b); back(y * y)
        a = leaf(3, 3); b = leaf(9); y = a.clone(); y.masked_scatter_(y > 0, b); back(y * y)
        a = leaf(3, 3); b = leaf(3, 3); y = a.clone(); y.addmm_(b, b); back(y * y)
        a = leaf(3, 3); b = leaf(2, 3); y = a.clone(); y[1:].index_add_(1, i(0, 0, 1), b); \
            back(y * y)
        a = leaf(3, 3); y = a.clone(); v = y[0]; v.masked_fill_(v > 0, 2.0); back(y * y, v)
        a = leaf(3); y = a.clone(); y.copy_(y.flip(0)); back(y * y)
        a = leaf(3); y = a.clone(); y.zero_(); see(y.requires_grad); back(y)
        a = leaf(3); b = leaf(3); y = a * b; y.add_(a).mul_(b); back(y)
        # StaleGradient; a = leaf(3); y = a.relu(); y.add_(1); back(y)
        a = leaf(3); y = (a * 2).relu_(); back(y)
        # StaleGradient; a = leaf(3); y = (a * 2).exp_().sin_(); back(y)
        a = leaf(2, 3); b = leaf(3); y = a * 1; y.add_(b); back(y * y)
        a = leaf(3); y = a.clone(); y /= y.sum(); back(y)
        a = leaf(3); b = lib.tensor([1.0, 2.0, 3.0], requires_grad=True); y = a * 1; y += b; \
            back(y); see(b.grad)
        a = leaf(6); y = a.clone(); y.view(2, 3)[0].add_(y.view(2, 3)[1].clone()); back(y * y)
        a = leaf(6); y = a.clone(); y.as_strided((2, 2), (3, 1), 1).mul_(2); back(y * y)
        a = leaf(6); back(a.as_strided((2, 3), (1, 1), 1) ** 2)
        a = leaf(6); back(a.as_strided((3,), (0,), 2) * const(3))
        a = leaf(2, 3); y = a.T.as_strided((2, 2), (1, 2)); back(y * y)
        a = leaf(3, 4); y = a[1:, 1:].as_strided((2, 2), (4, 1)); back(y * y)
        a = leaf(6); y = a.clone(); v = y[::2]; y.as_strided((3,), (1,), 1).exp_(); back(v, y)
    """,
    "stale": """
        # StaleGradient; a = leaf(3); y = a.exp(); z = y * 2; y += 1; back(z)
        # StaleGradient; a = leaf(3); y = a.sigmoid(); y *= 2; back(y)
        # StaleGradient; a = leaf(3); y = a.tanh(); y.zero_(); back(y)
        # StaleGradient; a = leaf(3); y = a * 1; z = y * y; y += 1; back(z)
        # StaleGradient; a = leaf(3); b = leaf(3); y = a * 1; z = y * b; y += 1; back(z)
        # StaleGradient; a = leaf(3); y = a * 1; z = y.sin(); y += 1; back(z)
        # StaleGradient; a = leaf(3); y = a * 1; z = y ** 2; y[0] = 1.0; back(z)
        # StaleGradient; a = leaf(3, 3); y = a * 1; z = y @ y; y.T[0].mul_(2); back(z)
        # StaleGradient; a = leaf(3, 3); y = a * 1; v = y[0]; z = v * v; y[1] += 1; back(z)
        # StaleGradient; a = leaf(3); y = a * 1; z = y.prod(); y += 1; back(z)
        # StaleGradient; a = leaf(3); y = a * 1; z = y.log(); y += 1; back(z)
        # StaleGradient; a = leaf(3); y = a * 1; z = y.norm(); y += 1; back(z)
        # StaleGradient; a = leaf(3); y = a.sqrt(); y += 1; back(y)
        # StaleGradient; a = leaf(3); y = a.reciprocal(); y += 1; back(y)
        # StaleGradient; a = leaf(3); y = a.relu(); y.mul_(2); y.zero_(); back(y)
        # StaleGradient; a = leaf(3); y = F.softmax(a, dim=0); y += 1; back(y)
        # StaleGradient; a = leaf(3); m = a > 0; y = lib.where(m, a, 0.0); m.fill_(True); back(y)
        # StaleGradient; a = leaf(3); j = i(0, 2); y = a[j]; j += 0; back(y)
        # StaleGradient; a = leaf(3); j = i(0, 2); y = a.index_select(0, j); j.zero_(); back(y)
        # StaleGradient; a = leaf(3); b = leaf(3); y = a * 1; z = y / b; b.detach().mul_(2); \
            back(z)
        a = leaf(3); y = a * 1; z = y + 2; y += 1; back(z)
        a = leaf(3); y = a * 1; z = y * 2; y += 1; back(z)
        a = leaf(3); y = a * 1; z = y.sum(); y += 1; back(z)
        a = leaf(3); y = a.sin(); y += 1; back(y)
        a = leaf(3); c = const(3); y = a + c; c += 1; back(y)
        a = leaf(3); y = a * 1; z = y.mean(); y.zero_(); back(z)
        a = leaf(3); c = const(3); y = a * c.clone(); c += 1; back(y)
    """,
    "leaves refuse": """
        # GradientNotPossible; a = leaf(3); a += 1
        # GradientNotPossible; a = leaf(3); a.mul_(2)
        # GradientNotPossible; a = leaf(3); a.zero_()
        # GradientNotPossible; a = leaf(3); a[0] = 1.0
        # GradientNotPossible; a = leaf(3); a[:2] += 1
        # GradientNotPossible; a = leaf(2, 3); v = a[0]; v += 1
        # GradientNotPossible; a = leaf(2, 3); a.T.copy_(const(3, 2))
        # GradientNotPossible; a = leaf(3); a.copy_(const(3))
        # GradientNotPossible; a = leaf(3); a[i(0, 1)] = 1.0
        # GradientNotPossible; a = leaf(3); a[a > 0] = 1.0
        # GradientNotPossible; a = leaf(3); a.masked_fill_(a > 0, 1.0)
        # GradientNotPossible; a = leaf(3); a.fill_(2.0)
        # GradientNotPossible; a = leaf(3); a.exp_()
        # GradientNotPossible; a = leaf(2, 3); a.view(6)[2:4].zero_()
        # GradientNotPossible; a = leaf(2, 3); a.transpose_(0, 1)
        # GradientNotPossible; a = leaf(2, 3); a.index_add_(0, i(0), const(1, 3))
        # GradientNotPossible; a = leaf(3); (a * 2).requires_grad = False
        # GradientNotPossible; a = leaf(3); (a * 2).requires_grad_(False)
        # GradientNotPossible; lib.arange(3).requires_grad_()
        # GradientNotPossible; lib.tensor([1, 2], requires_grad=True)
        # GradientNotPossible; lib.zeros(3, dtype=lib.int64, requires_grad=True)
        # GradientNotPossible; lib.zeros(3, dtype=lib.bool).requires_grad = True
        # GradientNotPossible; a = leaf(3); a.numpy()
        # GradientNotPossible; a = leaf(3); (a * 2).numpy()
        # GradientNotPossible; a = leaf(3); lib.exp(a, out=const(3))
        # GradientNotPossible; a = leaf(3); lib.add(const(3), const(3), out=a)
        # GradientNotPossible; a = leaf(3); lib.add(const(3), a, out=const(3))
        # GradientNotPossible; a = leaf(3); lib.matmul(a, a, out=lib.zeros((), dtype=lib.float64))
        # GradientNotPossible; a = leaf(3); a.__dlpack__()
        a = leaf(3); see(a.detach().numpy().tolist(), a.tolist())
        a = leaf(()); see(a.item(), float(a))
    """,
    "several views at once": """
        # GradientNotPossible; a = leaf(2, 3); p, q = (a * 1).unbind(); p += 1
        # GradientNotPossible; a = leaf(4); p, q = (a * 1).split(2); p += 1
        # GradientNotPossible; a = leaf(4); p, q = (a * 1).chunk(2); p.mul_(2)
        a = leaf(4); y = a * 1; p, q = y.tensor_split(2); p.mul_(2); back(y * y, q)
        a = leaf(4); y = a * 1; p, q = y.hsplit(2); p.zero_(); back(y * y, q)
        a = leaf(2, 3); y = a * 1; p, q = y.vsplit(2); p[0, 0] = 1.0; back(y * y, q)
        # GradientNotPossible; a = leaf(4); p, q = (a * 1).split((1, 3)); q.exp_()
        # GradientNotPossible; a = leaf(2, 3); p, q = a * 1; p += 1
        # GradientNotPossible; a = leaf(2, 3); p, q = (a * 1).unbind(); p[1:].mul_(2)
        # GradientNotPossible; a = leaf(3); p, q = const(2, 3).unbind(); p += a
        a = leaf(2, 3); y = a * 1; p, q = y.unbind(); y += 1; back(y * y)
        a = leaf(2, 3); p, q = (a * 1).unbind(); r = p + 1; r *= 2; back(r, q)
        a = leaf(2, 3); y = a * 1; p = y.unbind()[0].clone(); p += 1; back(p, y)
        a = leaf(3); p, q = const(2, 3).unbind(); p += 1; see(p); back(a * p)
        a = leaf(2, 3); y = a * 1; y.select(0, 0).add_(1); y.narrow(1, 0, 2).mul_(2); back(y * y)
    """,
}

# Programs of several lines, apart by empty lines.
BLOCKS: dict[str, str] = {
    "modes": """
a = leaf(3)
see(lib.is_grad_enabled())
with lib.no_grad():
    y = a * 2
    see(y.requires_grad, lib.is_grad_enabled())

a = leaf(3)
with lib.no_grad():
    with lib.enable_grad():
        y = a * 2
back(y)

a = leaf(3)
with lib.no_grad():
    y = a * 2
back(y * a)

a = leaf(3)
with lib.set_grad_enabled(False):
    y = a * 2
see(y.requires_grad)
back(y * a)

a = leaf(3)
lib.set_grad_enabled(False)
y = a * 2
lib.set_grad_enabled(True)
see(y.requires_grad)

a = leaf(3)
f = lib.no_grad()(lambda t: t * 2)
see(f(a).requires_grad, (a * 2).requires_grad)

a = leaf(3)
f = lib.enable_grad()(lambda t: t * 2)
with lib.no_grad():
    y = f(a)
back(y)

@lib.no_grad()
def steps():
    yield lib.is_grad_enabled()
    yield lib.is_grad_enabled()
for inside in steps():
    see(inside, lib.is_grad_enabled())

a = leaf(3)
with lib.inference_mode():
    y = a * 2
    see(y.requires_grad, lib.is_grad_enabled())

with lib.no_grad():
    b = const(3).requires_grad_()
    see(b.requires_grad, (b * 2).requires_grad)

a = leaf(3)
with lib.no_grad():
    a += 1
    a.mul_(2)
    a[0] = 5.0
back(a * a)

a = leaf(3)
with lib.no_grad():
    a.copy_(const(3))
back(a * a)
see(a)

a = leaf(3)
y = a * 2
with lib.no_grad():
    y += 1
see(y.requires_grad)
back(y + a)

a = leaf(3)
for _ in range(3):
    (a * a).sum().backward()
    with lib.no_grad():
        a -= 0.1 * a.grad
    a.grad = None
see(a)

a = leaf(3)
g, = grad((a * a).sum(), a)
with lib.no_grad():
    a.sub_(g, alpha=0.5)
see(a)
back(a * a)

a = leaf(2, 3)
y = a * 1
with lib.no_grad():
    v = y[0]
see(v)
back(y)

a = leaf(2, 3)
y = a * 1
with lib.no_grad():
    v = y[0]
    v += 1
back(y)
see(v)

a = leaf(3)
x = const(3)
with lib.no_grad():
    v = x[:2]
x.mul_(a)
see(v.requires_grad, x.requires_grad)
back(x)

try:
    with lib.no_grad():
        raise KeyError
except KeyError:
    see(lib.is_grad_enabled())

a = leaf(3)
x = lib.zeros(4, 3, dtype=lib.float64)
for j in range(4):
    x[j] = a * j
back(x * x)

# StaleGradient;
a = leaf(3)
y = a.exp()
with lib.no_grad():
    y += 1
back(y)

# StaleGradient;
a = leaf(3)
y = a * a
with lib.no_grad():
    a += 1
back(y)

# GradientNotPossible;
a = leaf(2, 3)
y = a * 1
with lib.no_grad():
    v = y[0]
v += 1

# GradientNotPossible;
a = leaf(2, 3)
y = a * 1
with lib.no_grad():
    v = y[0]
v.copy_(const(3))
""",
}


def _plain(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.strip():  # a long program goes on behind a backslash, further in
            yield re.sub(" {8,}", " ", line.strip()).replace("  ", " ")


def _written() -> Iterator[str]:
    """Yield writes to regions of a non-leaf, with everything that sees them read afterwards."""
    writes = [w.strip() for w in _WRITES.replace("\n", ";").split(";") if w.strip()]
    views = [v.strip() for v in _VIEWS.replace("\n", ";").split(";") if v.strip()]
    for write in writes:
        for view in views:
            if view in _WIDE_VIEWS or write in _WIDE_WRITES:
                yield (
                    f"a = leaf(3, 3); y = a * 1; o = y[1:, :2]; p = y.T[2]; v = {view};"
                    f" b = leaf(3, 3).reshape(-1)[:v.numel()].reshape(v.shape);"
                    f" {write}; back(y, v, o, p * 2)"
                )


def programs() -> Iterator[tuple[str, str]]:
    """Every program with the group it belongs to."""
    for group, text in PROGRAMS.items():
        for program in _plain(text):
            yield group, program
    for group, text in BLOCKS.items():
        for program in text.strip().split("\n\n"):
            yield group, program
    for program in _written():
        yield "in place on views", program
