"""What strided and PyTorch must agree on, as expressions that run on either.

``VIEWS``: shape, strides, storage offset, sharing and elements of every view operation that both
have, or the refusal. ``VALUES``: what copies in one of them (flip), and arithmetic: shape, dtype,
elements. An expression sees ``x`` (its base), ``lib`` (the library) and the few names that differ.
"""

# base: (how it is made, expressions)
VIEWS: dict[str, tuple[str, str]] = {
    "rank 0": (
        "lib.arange(4)[2]",
        """
        x.reshape(1); x.reshape(()); x.view(1, 1); x.view(()); x.view(-1); x.reshape(1, -1, 1)
        x.flatten(); x.ravel(); x.squeeze(); x.squeeze(0); x.squeeze(-1); x.squeeze(1)
        x.unsqueeze(0); x.unsqueeze(-1); x.unsqueeze(1); x.unsqueeze(-2); x.expand(3)
        x.expand(2, 3); x.expand(()); x.expand(-1); x.permute(()); x.permute(0)
        x.transpose(0, 0); x.transpose(0, -1); x.transpose(0, 1); x.t(); x.movedim(0, 0); x[...]
        x[None]; x[None, ..., None]; x[()]; x[0]; x[:]; x[..., 0]; x.unfold(0, 1, 1)
        x.unfold(0, 2, 1); x.unfold(0, 0, 1); x.select(0, 0); x.narrow(0, 0, 1); x.unbind()
        x.split(1); x.chunk(1); x.diagonal(); x.contiguous(); x.clone(); x.detach()
        x.as_strided((2, 2), (1, 1), 0); x.as_strided((), ()); x.as_strided((2,), (1,))
        x.as_strided((3,), (1,)); x.unflatten(0, (1, 1)); x.view_as(lib.zeros(1))
        lib.zeros_like(x)
        """,
    ),
    "vector": (
        "lib.arange(8)",
        """
        x[3]; x[-8]; x[8]; x[-9]; x[2:6]; x[::3]; x[5:2]; x[-3:]; x[:100]; x[7::2]; x[::100]
        x[8:]; x[None]; x[:, None]; x[None, :, None]; x[..., None]; x[2, None]; x[1:7:2][1:]
        x[0, 0]; x.view(2, 4); x.view(4, -1); x.view(-1, 1); x.view(2, 2, 2); x.view(3, 3)
        x.view(-1, -1); x.view(0, -1); x.view(-1, 3); x.view(8, 1, 1); x.view(1, 8)
        x.view(1, 2, 1, 4, 1); x.reshape(2, -1); x.reshape((4, 2)); x.reshape(9)
        x[::2].view(2, 2); x[::2].reshape(4, 1); x[1::2].reshape(2, 2); x.view(lib.int32)
        x.view(lib.int64); x.view(lib.float64); x.view(lib.uint8); x.view(lib.int16)[2:6]
        x[1:3].view(lib.int32); x[::2].view(lib.int32); x.view(lib.complex64)
        x.view(lib.complex128); x.unflatten(0, (2, 4)); x.unflatten(0, (2, -1))
        x.unflatten(-1, (2, 2, 2)); x.unflatten(0, (3, 3)); x.unflatten(1, (1,))
        x[::2].unflatten(0, (2, 2)); x.expand(3, 8); x.expand(3, -1); x.expand(1, 8)
        x.expand(2, 1, 8); x.expand(8, 3); x.expand(0, 8); x.expand(-1, 8); x[:1].expand(5)
        x[:1].expand(0); x[3:4].expand(2, 5); x.unsqueeze(0); x.unsqueeze(1); x.unsqueeze(-1)
        x.unsqueeze(-2); x.unsqueeze(2); x[::2].unsqueeze(0); x[::2].unsqueeze(1)
        x.unsqueeze(0).unsqueeze(0).unsqueeze(-1); x.unfold(0, 3, 1); x.unfold(0, 3, 2)
        x.unfold(-1, 8, 1); x.unfold(0, 0, 1); x.unfold(0, 9, 1); x.unfold(0, 3, 0)
        x.unfold(1, 2, 1); x[::2].unfold(0, 2, 1); x.unfold(0, 2, 2).unfold(0, 2, 1)
        x.unfold(0, 3, 1)[1:, ::2]; x.unfold(0, 1, 9); x.narrow(0, 2, 3); x.narrow(0, -3, 2)
        x.narrow(0, 8, 0); x.narrow(0, 0, 9); x.narrow(0, 9, 0); x.narrow(0, 7, 2)
        x.narrow(1, 0, 1); x.narrow(0, 3, 0); x.select(0, 3); x.select(-1, -1); x.select(0, 8)
        x.select(1, 0); x.split(3); x.split(8); x.split(9); x.split((2, 6)); x.split([1, 0, 7])
        x.split((3, 3)); x.split(0); x.split(2, 1); x.chunk(3); x.chunk(8); x.chunk(20)
        x.chunk(0); x.tensor_split(3); x.tensor_split((2, 5)); x.tensor_split((5, 2))
        x.tensor_split(10); x.tensor_split((3, 20)); x.tensor_split(0); x.tensor_split((-3,))
        x.tensor_split(()); x.hsplit(2); x.hsplit((3,)); x.hsplit(3); x.vsplit(2); x.dsplit(2)
        x.unbind(); x.unbind(-1); x.as_strided((2, 3), (1, 2)); x.as_strided((2, 3), (1, 2), 2)
        x.as_strided((3, 3), (0, 1)); x.as_strided((0,), (1,), 7); x.as_strided((), (), 5)
        x[2:].as_strided((2,), (3,)); x[2:].as_strided((2,), (3,), 0)
        x.as_strided((2, 2), (1,)); x.as_strided((2,), (9,)); x.as_strided((3, 0), (1, 1))
        x.as_strided((-1,), (1,)); x.as_strided((8,), (1,), -1); x.squeeze(); x.squeeze(0)
        x.squeeze(-2); x[:1].squeeze(); x[2:3].squeeze(0); x.transpose(0, 0); x.transpose(0, 1)
        x.t(); x.permute(0); x.permute(-1); x.permute(0, 0); x.movedim(0, 0); x.movedim(0, 1)
        x.swapaxes(0, -1); x.swapdims(0, 0); x.flatten(); x[::2].flatten(); x.ravel()
        x[::2].ravel(); x.diagonal(); x.mT; x.detach(); x.contiguous(); x[::2].contiguous()
        x[::2].clone(); x[3:].clone(); x[2:].contiguous(); x.broadcast_to((2, 8))
        x.broadcast_to((8,)); x.broadcast_to((2, 4)); lib.broadcast_to(x, (3, 8))
        x.expand_as(lib.zeros(2, 8)); x.view_as(lib.zeros(4, 2)); x.reshape_as(lib.zeros(2, 4))
        lib.broadcast_tensors(x, lib.zeros(3, 1)); lib.broadcast_tensors(x, lib.zeros(3))
        lib.unbind(x); lib.split(x, 3); lib.chunk(x, 3); lib.as_strided(x, (2,), (4,), 1)
        lib.reshape(x, (2, 4)); lib.unsqueeze(x, 0); lib.flatten(x)
        lib.meshgrid(x[:2], x[:3], indexing="ij"); lib.meshgrid(x[:2], x[:3], indexing="xy")
        x.unsqueeze_(0); x.unsqueeze_(-1); x.transpose_(0, 0); x.t_()
        x.as_strided_((2, 2), (2, 3), 1); x.squeeze_(); x[1:2].squeeze_(0)
        """,
    ),
    "matrix": (
        "lib.arange(12).reshape(3, 4)",
        """
        x.T; x.t(); x.mT; x.H; x.T.T; x.transpose(0, 1); x.transpose(-1, -2); x.transpose(1, 1)
        x.transpose(0, 2); x.permute(1, 0); x.permute(-1, -2); x.permute(0); x.permute(0, 0)
        x.permute(0, 1, 2); x.permute((1, 0)); x.swapaxes(0, 1); x.swapdims(1, 0)
        x.movedim(0, 1); x.movedim((0, 1), (1, 0)); x.moveaxis(-1, 0); x.movedim((0,), (0, 1))
        x.movedim((0, 0), (0, 1)); x.T.contiguous(); x.T.clone(); x[:, ::2].clone()
        x.T[::2].clone(); x[1]; x[-1]; x[:, 1]; x[1, 2]; x[1:, 1:]; x[1:2, 1:4]; x[::2, ::3]
        x[2:1]; x[..., 0]; x[..., 1:3]; x[None, 1]; x[1, None]; x[:, None, 1:]; x[..., None]
        x[None, ..., None]; x[3]; x[0, 4]; x[0, 0, 0]; x[..., ...]; x[()]; x[1:][:, 2]; x[3:, 2]
        x[:, 4:]; x.view(12); x.view(-1); x.view(4, 3); x.view(2, 6); x.view(3, 2, 2)
        x.view(1, 3, 4); x.view(3, 1, 4); x.T.view(12); x.T.view(4, 3, 1); x.T.view(2, 2, 3)
        x.T.view(4, 1, 3); x.T.view(2, 6); x.T.reshape(12); x.T.reshape(2, 2, 3)
        x.T.reshape(6, 2); x[:, :2].view(6); x[:, :2].view(3, 2, 1); x[:, ::2].view(6)
        x[::2].view(2, 2, 2); x[::2].reshape(8); x[1:].view(8); x[1:, 1:].reshape(6)
        x[:, :1].view(3); x[:, 1:2].view(3, 1, 1); x[1:2].view(4); x[1:2, 1:].view(3)
        x[:1, ::2].view(2); x[3:].view(0); x[3:].view(5, 0); x.view(5, -1); x.view(-1, 5)
        x[3:].view(0, -1); x[3:].view(-1, 4); x[3:].reshape(-1); x.flatten(); x.flatten(0, 0)
        x.flatten(1); x.flatten(1, 0); x.T.flatten(); x.flatten(0, 2); x.unflatten(1, (2, 2))
        x.unflatten(0, (3, 1)); x.unflatten(-2, (1, -1)); x.T.unflatten(0, (2, 2))
        x.unflatten(1, (-1, -1)); x.ravel(); x.T.ravel(); x.expand(2, 3, 4); x.expand(2, -1, -1)
        x[:, :1].expand(3, 5); x[:, :1].expand(-1, 5); x[:1].expand(5, -1)
        x[:1, :1].expand(2, 3); x.expand(3, 5); x.expand(4); x.T.expand(2, 4, 3)
        x.expand(0, 3, 4); x[:, :1].expand(3, 0); x.unsqueeze(1).expand(3, 2, 4)
        x[:, 1:1].expand(3, 0); x.unsqueeze(0); x.unsqueeze(1); x.unsqueeze(2); x.unsqueeze(-1)
        x.unsqueeze(-3); x.unsqueeze(3); x.T.unsqueeze(0); x.T.unsqueeze(1); x.T.unsqueeze(2)
        x[:, ::2].unsqueeze(1); x[3:].unsqueeze(0); x[3:].unsqueeze(1); x[:1].squeeze()
        x[:1].squeeze(0); x[:1].squeeze(1); x[:1, :1].squeeze(); x[:1, :1].squeeze((0, 1))
        x[:1].squeeze((0, 1)); x.squeeze((0, 0)); x.squeeze(2); x.squeeze((-3,))
        x[:1].squeeze(()); x.diagonal(); x.diagonal(1); x.diagonal(-1); x.diagonal(3)
        x.diagonal(4); x.diagonal(-3); x.diagonal(9); x.diagonal(0, 1, 0); x.diagonal(1, 1, 0)
        x.diagonal(0, 0, 0); x.T.diagonal(); x.diagonal(0, 0, 2); x[::2, 1:].diagonal(1)
        x.diagonal(-9); x.diagonal(-2, -1, -2); x.unfold(0, 2, 1); x.unfold(1, 2, 1)
        x.unfold(-1, 2, 2); x.T.unfold(0, 3, 1); x.unfold(0, 2, 1).unfold(1, 2, 1)
        x.unfold(1, 5, 1); x[:, ::2].unfold(1, 2, 1); x.narrow(0, 1, 2); x.narrow(1, -2, 2)
        x.narrow(-1, 1, 0); x.select(1, 2); x.select(-2, 0); x.split(2); x.split(3, 1)
        x.split((1, 3), -1); x.chunk(2); x.chunk(3, 1); x.chunk(2, -1); x.tensor_split(2)
        x.tensor_split(3, 1); x.tensor_split((1,), dim=-1); x.tensor_split(2, 2); x.hsplit(2)
        x.hsplit((1, 3)); x.vsplit(3); x.vsplit((1,)); x.hsplit(3); x.dsplit(2); x.unbind()
        x.unbind(1); x.T.unbind(); x.unbind(2); x.as_strided((2, 2), (1, 4))
        x.as_strided((3, 3), (4, 1), 1); x.as_strided((3, 4), (4, 1), 1)
        x.T.as_strided((2,), (1,)); x[1:].as_strided((2, 2), (1, 2))
        x.as_strided((2, 3, 2), (4, 1, 1)); x.view(lib.int32); x.view(lib.float64)
        x.T.view(lib.int32); x.T.view(lib.float64); x[:, :2].view(lib.int32)
        x[:, 1:3].view(lib.complex128); x[:, :2].view(lib.complex128); x.view(lib.complex128)
        x[:, 1:].view(lib.complex128); x[:, :1].view(lib.int16)
        x.contiguous(memory_format=channels_last); x.clone(memory_format=row_major)
        x.T.clone(memory_format=row_major); x.T.contiguous(memory_format=row_major)
        x.T.clone(memory_format=preserve); lib.zeros_like(x.T); lib.zeros_like(x[:, ::2])
        lib.zeros_like(x[:1].expand(3, 4)); lib.ones_like(x.T, dtype=lib.float32)
        x[:1].expand(3, 4).clone(); x.expand(2, 3, 4).clone(); x.T.expand(2, 4, 3).clone()
        x[:, :1].expand(3, 4).clone(); x[:, :1].expand(3, 4).contiguous()
        x.unfold(0, 2, 1).clone(); x.T.unfold(0, 2, 1).clone(); x.T.to(lib.float32)
        x[:, ::2].to(lib.float32); x.T[:, None].to(lib.float32)
        x.expand(2, 3, 4).to(lib.float32); x.T.to(lib.int64); x.squeeze_(0); x.transpose_(0, 1)
        x.t_(); x.unsqueeze_(1); x.as_strided_((2, 2), (1, 4), 3); x.swapaxes_(0, 1)
        lib.permute(x, (1, 0)); lib.transpose(x, 0, 1); lib.moveaxis(x, 0, 1)
        lib.squeeze(x[:1]); lib.diagonal(x, 1); lib.reshape(x.T, (-1,))
        lib.broadcast_to(x, (2, 3, 4)); lib.unbind(x, 1)
        """,
    ),
    "cube": (
        "lib.arange(24).reshape(2, 3, 4)",
        """
        x.mT; x.permute(2, 0, 1); x.permute(0, 2, 1); x.permute(-1, 0, -2); x.permute(2, 1, 0)
        x.transpose(0, 2); x.transpose(-1, 0); x.movedim(0, 2); x.movedim(-1, 0)
        x.movedim(1, -1); x.movedim((0, 1), (2, 0)); x.movedim((0, 1), (-1, -2))
        x.movedim([2, 0], [0, 1]); x.movedim((), ()); x.movedim((0, 1, 2), (1, 2, 0))
        x.movedim(0, 3); x.movedim((0, 1), (2, 2)); x[1]; x[1, 2]; x[1, 2, 3]; x[:, 1]
        x[..., 1]; x[0, ..., 1]; x[:, None, 0]; x[None, :, 0, None]; x[:, 1:, ::2]; x[1, :, 3]
        x[:, :, 3:]; x[-1, -1, -1]; x[1, ...]; x[..., 1, :]; x[:, 2:0]; x[:, 3:]; x[2]
        x[None, None]; x[..., None, 2]; x[1, None, 2]; x.view(6, 4); x.view(2, 12); x.view(24)
        x.view(4, 3, 2); x.view(2, 3, 2, 2); x.view(1, 6, 1, 4); x.transpose(0, 1).view(3, 8)
        x.transpose(0, 1).reshape(3, 8); x.transpose(1, 2).view(2, 12)
        x.permute(2, 0, 1).view(4, 6); x.permute(2, 0, 1).view(2, 2, 6)
        x.permute(2, 0, 1).view(24); x.permute(2, 0, 1).reshape(24); x[:, 1:].view(2, 8)
        x[:, 1:].view(4, 4); x[:, 1:].reshape(4, 4); x[:, :, 1:3].view(6, 2)
        x[:, :, :2].view(12); x[:, :1].view(2, 4); x[:, :, :1].view(6); x[1:, :, 1:].view(3, 3)
        x[:, ::2].view(2, 2, 2, 2); x[:, 1].view(8); x[:, 1].view(2, 2, 2)
        x.expand(2, 2, 3, 4).view(2, 2, 12); x.expand(2, 2, 3, 4).view(4, 3, 4)
        x.expand(2, 2, 3, 4).reshape(4, 3, 4); x[:, :1].expand(2, 3, 4).reshape(6, 4)
        x[:, :, :1].expand(2, 3, 4).view(6, 4); x[:, :, :1].expand(2, 3, 4).view(2, 3, 2, 2)
        x.flatten(0, 1); x.flatten(1, 2); x.flatten(1); x.flatten(-2, -1); x.flatten()
        x.transpose(0, 1).flatten(1); x.permute(2, 0, 1).flatten(1); x[:, 1:].flatten(1)
        x.permute(0, 2, 1).flatten(1); x.unflatten(2, (2, 2)); x.unflatten(1, (3, 1))
        x.unflatten(0, (1, 2, 1)); x.mT.unflatten(1, (2, -1)); x.diagonal(); x.diagonal(0, 1, 2)
        x.diagonal(1, 0, 2); x.diagonal(-1, -1, 0); x.diagonal(5, 0, 1); x.diagonal(0, 2, 1)
        x.permute(2, 0, 1).diagonal(); x.unfold(0, 2, 1); x.unfold(1, 2, 1); x.unfold(2, 3, 1)
        x.unfold(-2, 3, 3); x.unfold(1, 2, 1).unfold(2, 2, 2); x.split(1, 1); x.split((1, 2), 1)
        x.chunk(2, 2); x.tensor_split(3, 2); x.hsplit(3); x.vsplit(2); x.dsplit(2)
        x.dsplit((1,)); x.hsplit(2); x.unbind(1); x.unbind(-1); x.select(1, -1)
        x.narrow(2, 1, 2); x.as_strided((2, 2), (12, 5), 1); x.unsqueeze(0); x.unsqueeze(1)
        x.unsqueeze(2); x.unsqueeze(3); x.permute(2, 0, 1).unsqueeze(1)
        x.permute(2, 0, 1).clone(); x.permute(1, 0, 2).clone(); x[:, ::2].clone()
        x.mT.contiguous(); x.permute(2, 0, 1)[:, :1].clone(); x[:, 1:2].permute(2, 1, 0).clone()
        x[:, :, ::2].permute(2, 0, 1).clone(); x[:, :1].expand(2, 3, 4).clone()
        x.permute(2, 0, 1).to(lib.float32); x.t(); x.contiguous()
        lib.zeros_like(x.permute(2, 0, 1)); lib.zeros_like(x.mT[:, ::2])
        lib.zeros_like(x[:, :0].mT); lib.empty_like(x.permute(1, 2, 0)).stride()
        lib.empty_like(x[..., ::2]).stride(); x.stride(); x.stride(1); x.stride(-1); x.stride(3)
        x.permute(2, 0, 1).stride(0); x.is_contiguous(); x.mT.is_contiguous()
        x[:, :1].is_contiguous(); x[:1].is_contiguous(); x[:, :, :1].is_contiguous()
        x[:, :0].mT.is_contiguous(); x[0].expand(1, 3, 4).is_contiguous(); x.numel(); x.dim()
        x.element_size(); x[0].storage_offset(); x[1].storage_offset()
        """,
    ),
    "images": (
        "lib.arange(120).reshape(2, 3, 4, 5)",
        """
        x.contiguous(memory_format=channels_last).stride()
        x.clone(memory_format=channels_last).stride()
        x.is_contiguous(memory_format=channels_last); x.permute(0, 2, 3, 1).stride()
        x.contiguous(memory_format=channels_last).is_contiguous(memory_format=channels_last)
        x.contiguous(memory_format=channels_last).is_contiguous()
        x.contiguous(memory_format=channels_last)[1:].stride()
        x.contiguous(memory_format=channels_last).clone().stride()
        x.contiguous(memory_format=channels_last).contiguous().stride()
        x.contiguous(memory_format=channels_last)[:, :, ::2].clone().stride()
        x[:, :1].contiguous(memory_format=channels_last)
        x[:, :1, :1].is_contiguous(memory_format=channels_last)
        x.permute(0, 2, 3, 1).contiguous(memory_format=channels_last).stride()
        x.permute(0, 3, 1, 2).contiguous(memory_format=channels_last).stride()
        x.permute(0, 3, 1, 2).is_contiguous(memory_format=channels_last)
        lib.empty_like(x, memory_format=channels_last).stride()
        lib.empty_like(x.permute(3, 0, 2, 1)).stride()
        lib.empty_like(x.permute(3, 0, 2, 1), memory_format=row_major).stride()
        lib.empty((2, 3, 4, 5), memory_format=channels_last).stride()
        x.to(lib.float32, memory_format=channels_last).stride()
        x.to(memory_format=channels_last).stride(); x.permute(3, 0, 2, 1).clone().stride()
        x.permute(3, 0, 2, 1)[::2].clone().stride(); x.flatten(1, 2).stride()
        x.permute(0, 2, 3, 1).flatten(1, 2).stride(); x.view(2, 3, 20).stride()
        x.permute(0, 2, 3, 1).reshape(2, 20, 3).stride(); x.permute(0, 2, 3, 1).view(40, 3)
        x.unfold(2, 2, 2).unfold(3, 2, 2).shape; x.unfold(2, 2, 2).unfold(3, 2, 2).stride()
        x.unfold(2, 3, 1).unfold(3, 3, 1).stride(); x.diagonal(1, 2, 3).stride(); x.mT.stride()
        x.movedim((0, 3), (1, 2)).stride(); x[:, 1, ..., 2].stride()
        x[..., 1:3, None, ::2].stride(); x[0, :, None, :, 1].storage_offset()
        x[:, 2:, 1::2, 3].stride(); x.squeeze((0, 1)).shape
        """,
    ),
    "ones": (
        "lib.arange(6).reshape(1, 2, 1, 3, 1)",
        """
        x.squeeze(); x.squeeze(0); x.squeeze(2); x.squeeze(-1); x.squeeze(1); x.squeeze((0, 2))
        x.squeeze((0, 1, 2)); x.squeeze((-1, -3)); x.squeeze(5); x.squeeze((0, -5)); x.view(6)
        x.view(2, 3); x.view(1, 6, 1); x.permute(4, 3, 2, 1, 0)
        x.permute(4, 3, 2, 1, 0).view(6); x.permute(4, 3, 2, 1, 0).view(3, 2)
        x.permute(2, 1, 0, 4, 3).view(6); x.transpose(0, 2); x.transpose(1, 3).reshape(6)
        x.expand(4, 2, 5, 3, 2).stride(); x.expand(-1, -1, 2, -1, -1)
        x.expand(4, 2, 5, 3, 2).squeeze().shape; x.is_contiguous()
        x.transpose(0, 4).is_contiguous(); x.transpose(1, 2).is_contiguous()
        x.transpose(1, 3).is_contiguous(); x[0, :, 0, :, 0]; x[:, 1:]
        x[:, 1:, :, ::2].squeeze(); x[..., 0]; x.flatten(); x.flatten(1, 2); x.flatten(2, 3)
        x.transpose(0, 1).flatten(0, 2); x.diagonal(); x.diagonal(0, 1, 3); x.diagonal(0, 0, 4)
        x.unfold(3, 2, 1); x.unfold(0, 1, 1); x.unbind(0); x.unbind(3); x.contiguous()
        x.clone(); x.transpose(1, 3).clone(); x.transpose(1, 3).contiguous(); x.squeeze_()
        x.squeeze_(0); x.squeeze_((0, 2)); x.unsqueeze(0); x.unsqueeze(3); x.unsqueeze(-1)
        x.movedim(0, -1); x.movedim(3, 0); x.view(lib.int32); x.squeeze().view(lib.float64)
        x.transpose(3, 4).view(lib.int32); x[:, :1].expand(1, 4, 1, 3, 1).clone()
        x.as_strided((2, 1), (3, 7)); x.as_strided((1, 1), (99, 99))
        """,
    ),
    "empty": (
        "lib.arange(0).reshape(2, 0, 3)",
        """
        x.view(0); x.view(0, 5); x.view(6, 0); x.view(-1); x.view(2, 0, 3); x.view(3, 0, 2)
        x.view(1); x.reshape(0, 7); x.reshape(2, -1, 3); x.reshape(2, 3, -1); x.reshape(-1, 0)
        x.flatten(); x.flatten(1); x.permute(2, 0, 1); x.transpose(0, 1); x.squeeze()
        x.unsqueeze(1); x.unsqueeze(-1); x.expand(2, 0, 3); x.expand(4, 2, 0, 3)
        x.expand(2, 5, 3); x[0]; x[:, 0]; x[1, :, 2]; x[..., 1:]; x[:, :5]; x[:, None]
        x.diagonal(); x.diagonal(0, 0, 2); x.diagonal(3, 1, 2); x.unfold(1, 0, 1)
        x.unfold(0, 2, 1); x.unfold(1, 1, 1); x.split(2, 1); x.split(0, 1); x.split((0, 0), 1)
        x.split(1); x.chunk(3, 1); x.chunk(2); x.tensor_split(2, 1); x.tensor_split(2)
        x.unbind(); x.unbind(1); x.narrow(1, 0, 0); x.narrow(2, 1, 1); x.select(1, 0)
        x.select(0, 1); x.contiguous(); x.clone(); x.transpose(0, 2).clone(); x.is_contiguous()
        x.permute(2, 0, 1).is_contiguous(); x.movedim(0, 2); x.unflatten(1, (0, 4))
        x.unflatten(1, (4, -1)); x.unflatten(2, (3, 1)); x.numel(); x.stride()
        lib.zeros_like(x.permute(1, 2, 0)); x.as_strided((2, 0), (1, 1))
        x.as_strided((1,), (1,)); lib.zeros(0).view(0, 0); lib.zeros(0).expand(3, 0)
        lib.zeros(0, 1).expand(0, 4); lib.zeros(3, 0).T; lib.zeros(3, 0).flatten()
        lib.zeros(3, 0).sum(1); lib.zeros(0, 3).T.stride()
        """,
    ),
    "complex": (
        "lib.arange(6).to(lib.complex64).reshape(2, 3) * (1 + 2j)",
        """
        view_as_real(x); view_as_real(x.T); view_as_real(x[:, 1]); view_as_real(x[1, 2])
        view_as_real(x[:, ::2]); x.real; x.imag; x.T.real; x[:, 1:].imag; x[1].real[1:]
        x[1, 1].imag; lib.real(x); lib.imag(x); x.view(lib.float32); x.view(lib.float64)
        x.view(lib.complex128); x[:, :2].view(lib.complex128); view_as_complex(view_as_real(x))
        view_as_complex(view_as_real(x).transpose(0, 1)); view_as_complex(x)
        view_as_complex(view_as_real(x)[:, 1:]); view_as_complex(view_as_real(x)[..., :1])
        view_as_real(lib.zeros(2)); x.T; x.mT; x.t(); x[1:, ::2]; x.expand(2, 2, 3)
        x.permute(1, 0); x.diagonal(); lib.zeros(2).imag; lib.zeros(2).real
        x.real.T.contiguous(); x.imag.clone(); x.real[:, ::2].clone()
        """,
    ),
    "bytes": (
        "lib.arange(16).to(lib.uint8).reshape(4, 4)",
        """
        x.view(lib.int32); x.view(lib.int16); x.view(lib.int64); x.view(lib.int8)
        x.T.view(lib.int8); x.T.view(lib.int16); x[:, :2].view(lib.int16)
        x[:, 2:].view(lib.int16); x[:, 1:3].view(lib.int16); x[:, ::2].view(lib.int16)
        x[::2].view(lib.int32); x[1:3].view(lib.int16); x.view(16).view(lib.int64)
        x.view(16)[8:].view(lib.int64); x.view(16)[4:].view(lib.int32)
        x.view(16)[4:12].view(lib.int64); x.view(16)[:3].view(lib.int16)
        x[0, 0].view(lib.int16); x[0, 0].view(lib.int8); x[:, :0].view(lib.int16)
        x.view(2, 8).view(lib.int64).view(lib.uint8); x.view(lib.int16).view(lib.uint8)
        x.view(lib.int16).T
        """,
    ),
    "halves": (
        "lib.arange(8).to(lib.float16).reshape(2, 4)",
        """
        x.view(lib.bfloat16).view(lib.int16); x.view(lib.int16)
        x.view(lib.float32).view(lib.int32); x.T; x[:, ::2]; x.to(lib.bfloat16).view(lib.int16)
        x.to(lib.float32); x.T.to(lib.bfloat16).float(); x.expand(2, 2, 4)
        """,
    ),
}

VALUES: dict[str, tuple[str, str]] = {
    "flips": (
        "lib.arange(24).reshape(2, 3, 4)",
        """
        x.flip(0); x.flip(0, 2); x.flip((1, -1)); x.flip(()); x.flip(3); x.flip(0, 0)
        x[0].flipud(); x[0].fliplr(); x[0, 0].flipud(); x[0, 0].fliplr(); x[0, 0, 0].flipud()
        x.rot90(); x.rot90(2); x.rot90(-1); x.rot90(3, (1, 2)); x.rot90(1, (2, 0))
        x.rot90(4, (0, 1)); x.rot90(1, (1, 1)); x.rot90(5, (-1, -2)); x[:, :0].flip(1)
        x[0, 0, 0].flip(0); lib.rot90(x, 1, (0, 2))
        lib.flip(x, axis=(0, 1)) if lib_is_strided else lib.flip(x, (0, 1))
        """,
    ),
    "ints": (
        "(lib.arange(24) * 7 % 11 - 5).reshape(2, 3, 4)",
        """
        x + x; x.mT + 1; x[:, ::2] * 2; x - x[:1]; x // 3; x % 3; x / 4; -x; abs(x); x ** 2
        x // -3; x % -3; x.mT.contiguous().mT + x; x.flip(0) + x.flip(2); x[0, 0] + x; x.sum(0)
        x.sum((0, 2)); x.sum(); x.mT.sum(1); x.sum(1, keepdim=True); x.prod(2); x.amax(1)
        x.amin((0, 1)); x.argmax(1); x.argmin(2); x.argmax(); x.mT.argmax(1); x.max(1).values
        x.max(1).indices; x.min(0).indices; x.max(); x.min(); x.any(1); x.all(2); (x > 0).sum(1)
        x.cumsum(1); x.mT.cumprod(2); x.cumsum(0); x.float().mean(1); x.float().var(0)
        x.float().std((0, 1)); x.float().var(1, correction=0); x[x > 2]; x[x[:, 0, 0] > -9]
        x[[1, 0]]; x[:, [2, 0, 0]]; x[..., [1, 3]]; x[[0, 1], [1, 2]]; x[[0, 1], :, [1, 2]]
        x[:, [0, 1], [1, 2]]; x[lib.tensor([[0], [1]]), lib.tensor([0, 2])]; x[[1], 1:, [0]]
        x.expand(2, 2, 3, 4).sum(0); x == x.flip(1); x < 0; x & 3; x | 8; x ^ 5; ~x; x << 2
        x >> 1; lib.where(x > 0, x, 0); x.clamp(-2, 2); x.clamp(min=0); x.masked_fill_(x < 0, 9)
        x.unfold(2, 2, 1).sum(-1); x.count_nonzero(1); x.diagonal(0, 1, 2).sum(1)
        lib.stack([x[0], x[1]], dim=2); lib.cat([x, x], dim=1); lib.cat([x.mT, x.mT], dim=-1)
        lib.tril(x[0]); lib.triu(x[0]); x.float().norm(); x.float().logsumexp(1); x[0] @ x[1].T
        x.float() @ x.mT.float(); x.cumsum(1)[:, -1] == x.sum(1); lib.roll(x[0, 0], 1)
        """,
    ),
    "floats": (
        "((lib.arange(24) * 5 % 17).to(lib.float32) / 8 - 1).reshape(4, 6)",
        """
        x + x; x.T * 2; x[::2] - 1; x / x.flip(0).clamp(min=0.5); x ** 2; x ** 0.5; x // 0.3
        x % 0.3; x.exp(); x.T.exp(); x[:, ::2].tanh(); x.sigmoid(); x.relu(); x.sqrt()
        x.rsqrt(); x.log(); x.log1p(); x.log2(); x.log10(); x.expm1(); x.exp2(); x.sin()
        x.cos(); x.tan(); x.asin(); x.acos(); x.atan(); x.sinh(); x.cosh(); x.asinh(); x.acosh()
        x.atanh(); x.erf(); x.erfc(); x.lgamma(); x.floor(); x.ceil(); x.trunc(); x.round()
        x.frac(); x.sign(); x.reciprocal(); x.square(); x.abs(); x.isnan(); x.isinf()
        x.signbit(); x.deg2rad(); x.rad2deg(); x.atan2(x.flip(1)); x.hypot(x.flip(1))
        x.logaddexp(x.flip(1)); x.copysign(-x); x.nextafter(x + 1); x.fmod(x.flip(0) + 0.3)
        x.minimum(x.flip(0)); x.maximum(x.flip(0)); x.fmin(x.flip(0)); x.fmax(x.flip(0))
        lib.lerp(x, x.flip(0), 0.25); x.sum(); x.T.sum(0); x.mean(); x.mean(1, keepdim=True)
        x.var(); x.std(0); x.var((0, 1)); x.norm(); x.norm(1); x.norm(3, 1)
        x.norm(float("inf"), 0); x.logsumexp(1); x.logsumexp((0, 1)); x.cumsum(0)
        x.T.cumprod(1); x.argmax(1); x.max(0).values; x.to(lib.float16) + 1
        x.to(lib.bfloat16) * 3; x.to(lib.float16).sum(1); x.to(lib.bfloat16).mean(0)
        x.to(lib.float16).exp(); x.to(lib.float64).exp(); x.to(lib.int32); x.to(lib.bool)
        """,
    ),
    "order": (
        "(lib.arange(24) * 7 % 11).reshape(4, 6)",
        """
        x.sort(stable=True); x.sort(dim=0, stable=True)
        x.sort(descending=True, stable=True).indices
        x.T.sort(dim=1, stable=True); x.sort(dim=0, descending=True, stable=True).values
        x.argsort(dim=1, stable=True); x.argsort(dim=0, descending=True, stable=True); x.msort()
        x.sort(2)
        x.topk(2).values; x.topk(3, 0).values; x.topk(2, 1, False).values; x.topk(7); x.topk(0)
        x.float().topk(6, sorted=True).values; x.kthvalue(2).values; x.kthvalue(1, 0).values
        x.kthvalue(3, 1, True).values; x.kthvalue(0); x.kthvalue(7); x.median(); x.median(1).values
        x.float().median(0, keepdim=True).values; x.unique(); x.unique(return_counts=True)
        x.cummax(1); x.T.cummax(1); x.cummin(0); (x % 2).cummax(0); x.float().log().cummin(-1)
        lib.tensor([1.0, float("nan"), 3.0, float("nan")]).cummax(0).indices
        lib.tensor([1.0, float("nan"), 3.0, -2.0]).cummin(0).indices; lib.tensor(3).cummax(0)
        x.unique(return_inverse=True); x.unique(True, True, True); x.unique(dim=0)
        x.unique(dim=1, return_inverse=True, return_counts=True); (x % 2).unique(dim=0)
        (x % 2).unique_consecutive(); (x % 2).unique_consecutive(return_inverse=True)
        (x % 2).unique_consecutive(True, True); (x // 5).unique_consecutive(dim=1)
        x.reshape(-1).bincount(); x[0].bincount(minlength=20); x.bincount(); (x[0] - 1).bincount()
        x[0].bincount(x[1]); x[0].bincount(x[1].float()); x.diff(); x.diff(dim=0); x.diff(n=2)
        x.diff(n=9); x.diff(0); x.diff(dim=0, prepend=x[:1]); x.diff(append=x[:, :2])
        lib.searchsorted(x.msort().T.contiguous(), x.T.contiguous()); lib.bucketize(x, x[0, :2])
        lib.bucketize(x, lib.arange(9), right=True); lib.searchsorted(lib.arange(5), x)
        lib.isin(x, lib.tensor([3, 4])); lib.isin(x, x[0]); (x > 4).sort(dim=1, stable=True)
        x.to(lib.uint8).sort(dim=1, stable=True); x.to(lib.bfloat16).sort(dim=0, stable=True)
        x.to(lib.complex64).sort(); lib.tensor(3).sort(); lib.tensor(3).topk(1)
        lib.tensor([0.0, -0.0, 1.0, -1.0]).sort(stable=True).indices
        lib.tensor([2.0, float("nan"), -1.0, float("nan")]).sort(stable=True)
        lib.tensor([2.0, float("nan"), -1.0, float("nan")]).sort(descending=True, stable=True)
        lib.tensor([2.0, float("nan"), -1.0]).topk(2); lib.tensor([2.0, float("nan")]).median()
        lib.tensor([2.0, float("nan"), -1.0]).kthvalue(2); lib.tensor([2.0, float("nan")]).unique()
        lib.searchsorted(lib.tensor([1.0, 2.0]), lib.tensor([float("nan"), 1.5]))
        lib.zeros(0).sort(); lib.zeros(2, 0).sort(0); lib.zeros(0).unique(); lib.zeros(0).median()
        lib.zeros(0).kthvalue(1); lib.zeros(2, 0).topk(0); lib.zeros(3, 0).cummax(1)
        """,
    ),
    "picked": (
        "(lib.arange(12) * 5 % 13).reshape(3, 4).float()",
        """
        x.gather(0, lib.tensor([[2, 0, 1, 1]])); x.gather(1, lib.tensor([[3], [0], [2]]))
        x.T.gather(1, lib.tensor([[2, 0]])); x.gather(-1, lib.tensor([[0, 1], [1, 0]]))
        x.gather(0, lib.tensor([0])); x.gather(2, lib.tensor([[0]]))
        x.take_along_dim(x.argsort(1), 1); x.take_along_dim(lib.tensor([[1]]), 0)
        x.take_along_dim(lib.tensor([3, 5])); x.take(lib.tensor([[0, 11], [-1, 5]]))
        x.T.take(lib.tensor([1, 7])); x.take(lib.tensor([12]))
        x.index_select(0, lib.tensor([2, 0, 2]))
        x.index_select(-1, lib.tensor([1])); x.index_select(1, lib.tensor(3))
        x.index_select(0, lib.tensor([[0]])); x.index_select(0, lib.tensor([5]))
        x.masked_select(x > 4); x.T.masked_select(x.T > 4); x.masked_select(x[0] > 4)
        x.masked_fill(x > 4, -1); x.T.masked_fill(x[:, 0] > 4, 0.5)
        x.masked_scatter(x > 4, lib.arange(12).float()); x.masked_scatter_(x > 9, x[:1])
        x.masked_select(x); x.masked_fill(x, 1); x.masked_scatter(x, x)
        lib.tensor(3.0).gather(0, lib.tensor([0, 0]))
        lib.tensor(3.0).index_fill(0, lib.tensor(0), 1)
        lib.tensor(3.0).scatter(0, lib.tensor([0]), 7); lib.tensor(3.0).take(lib.tensor([[0]]))
        lib.zeros(0).take(lib.tensor([0])); lib.zeros(0).nonzero()
        lib.zeros(0, 3).index_select(1, lib.tensor([2]))
        lib.zeros(2, 0).gather(1, lib.zeros(2, 0).long()); x.index_select(0, lib.zeros(0).long())
        x.scatter_add(0, lib.zeros(0, 4).long(), x)
        x.index_add(0, lib.zeros(0).long(), lib.zeros(0, 4))
        x.nonzero()
        x.argwhere(); x.nonzero(as_tuple=True); (x[0] > 1).nonzero(); lib.tensor(3).nonzero()
        x.scatter(0, lib.tensor([[0, 1, 2, 0]]), 7); x.scatter(1, lib.tensor([[0], [2], [1]]), x)
        x.scatter_(1, lib.tensor([[3, 0]]), lib.ones(1, 2))
        x.scatter(0, lib.tensor([[0]]), x.int())
        x.scatter_add(0, lib.tensor([[0, 0, 2, 1], [0, 1, 2, 2]]), x)
        x.scatter_add_(1, lib.tensor([[1], [1], [0]]), lib.ones(3, 1))
        x.scatter_reduce(1, lib.tensor([[0, 0, 1, 1]]), x, "sum")
        x.scatter_reduce(1, lib.tensor([[0, 0, 1, 1]]), x, "prod", include_self=False)
        x.scatter_reduce(1, lib.tensor([[0, 0, 1, 1]]), x, "mean")
        x.scatter_reduce(0, lib.tensor([[0, 0, 1, 1]] * 3), x, "amax")
        x.scatter_reduce(0, lib.tensor([[0, 0, 1, 1]] * 3), x, "amin", include_self=False)
        x.index_add(0, lib.tensor([0, 0, 2]), x); x.index_add(1, lib.tensor([1]), x[:, :1], alpha=3)
        x.index_add_(0, lib.tensor([2]), lib.ones(1, 4)); x.index_add(0, lib.tensor([0]), x)
        x.index_reduce(0, lib.tensor([2, 0, 2]), x, "amax")
        x.index_reduce(1, lib.tensor([2, 2]), x[:, :2], "prod", include_self=False)
        x.T.index_reduce(0, lib.tensor([1, 1, 3, 1]), x.T, "mean")
        x.index_reduce_(0, lib.tensor([2]), x[:1] + 1, "amin", include_self=False)
        x.index_copy(0, lib.tensor([2, 0]), x[:2])
        x.index_copy_(1, lib.tensor([3]), lib.ones(3, 1))
        x.index_fill(1, lib.tensor([0, 2]), -1); x.T.index_fill(0, lib.tensor([1]), 9)
        x.index_fill_(0, lib.tensor([1, 1]), 0.5)
        x.put(lib.tensor([0, 11]), lib.tensor([7.0, 8.0]))
        x.put_(lib.tensor([1, 1]), lib.tensor([1.0, 2.0]), accumulate=True)
        x.put(lib.tensor([12]), lib.ones(1))
        x[x > 4]; x[lib.tensor([2, 0])]; x[:, lib.tensor([[1, 0]])]
        x[..., lib.tensor([3])]; x.count_nonzero(); x.count_nonzero(0); x.count_nonzero((0, 1))
        """,
    ),
    "complexes": (
        "(lib.arange(6).to(lib.complex64) * (1 + 0.5j) - 1).reshape(2, 3)",
        """
        x + x; x * x.flip(0); x / (x + 1); x ** 2; x.T.conj() + 0; x.H + 0; abs(x); x.angle()
        x.exp(); x.log(); x.sqrt(); x.sin(); x.tanh(); x.sum(0); x.prod(1); x.mean(); x == x
        x.reciprocal(); x.square(); x.cumsum(1); x + 1; x * 2.5; x - 1j; -x; x.T @ x
        x.isfinite(); x.sgn(); x.norm()
        """,
    ),
}

DTYPES = [
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "remainder",
    "pow",
    "minimum",
    "eq",
    "less",
    "atan2",
    "logical_and",
    "bitwise_and",
    "where",
]
UNARY = [
    "negative",
    "abs",
    "exp",
    "sqrt",
    "floor",
    "round",
    "sign",
    "isnan",
    "logical_not",
    "bitwise_not",
    "reciprocal",
    "angle",
    "square",
    "relu",
    "sigmoid",
]
REDUCTIONS = ("sum", "prod", "amax", "mean", "any", "argmax", "var", "cumsum")
NUMBERS = ("True", "2", "2.5", "2j")

# Where strided answers otherwise, and why.
_RANK = "a missing axis is an IndexError and a ValueError everywhere"
DIFFERENT = {
    "matrix: x[..., ...]": "one Ellipsis, as in NumPy",
    "complex: lib.zeros(2).imag": "zeros, as in NumPy: libraries ask whether an array has .imag",
    "rank 0: x.narrow(0, 0, 1)": _RANK,
    "rank 0: x.split(1)": _RANK,
    "rank 0: x.chunk(1)": _RANK,
    "rank 0: x.unflatten(0, (1, 1))": _RANK,
    "order: lib.zeros(0).kthvalue(1)": "a k that is not there is an InvalidArgument",
    "picked: x.index_select(0, lib.tensor([[0]]))": "a shape that does not fit is a ShapeMismatch",
    "picked: x.masked_scatter_(x > 9, x[:1])": "written as if the source had been copied first",
    "sign(bool)": "bool is no number in the array API",
    "square(bool)": "bool is no number in the array API",
    "sum(uint8)": "unsigned sums stay unsigned, as the array API asks",
    "prod(uint8)": "unsigned products stay unsigned, as the array API asks",
    "cumsum(uint8)": "unsigned sums stay unsigned, as the array API asks",
    "any(uint8)": "a truth value is a bool",
    "float16 + 2j": "there is no complex dtype of halves",
    "float16 * 2j": "there is no complex dtype of halves",
    "sigmoid(complex64)": "sigmoid is for real numbers",
    "sigmoid(complex128)": "sigmoid is for real numbers",
}
