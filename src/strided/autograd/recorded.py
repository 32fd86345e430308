"""Native functions that have a gradient rule of their own, as methods and functions call them.

What is made of these, of views and of elementwise ops needs no rule.
"""

from __future__ import annotations

from strided import _native
from strided.autograd.record import differentiable

gather = differentiable(_native.gather)
take = differentiable(_native.take)
take_flat = differentiable(_native.take_flat)
masked_select = differentiable(_native.masked_select)
