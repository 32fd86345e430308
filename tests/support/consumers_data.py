"""Libraries that take arrays and give arrays: pandas, pyarrow, Pillow, matplotlib, networkx."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from support.consumers import cube, row, same

import strided

# ---- pandas ----


@row("pandas", "Series, DataFrame of a tensor and of columns, assignment, arithmetic, groupby")
def frames() -> None:
    import pandas

    x, a = cube()[0], cube()[0].numpy()
    frame = pandas.DataFrame(x, columns=list("pqrs"))
    assert frame.equals(pandas.DataFrame(a, columns=list("pqrs")))
    assert frame.dtypes["p"] == np.float64
    frame["new"] = x[:, 0]
    assert frame.groupby("new").sum().shape == (3, 4)
    columns = pandas.DataFrame({"u": x[:, 0], "v": x[:, 1]})
    assert columns["v"].tolist() == a[:, 1].tolist()
    series = pandas.Series(x[0])
    assert (series + x[1]).tolist() == (x[0] + series + x[1] - x[0]).tolist()
    same(strided.asarray(frame[["p", "q"]].to_numpy()), a[:, :2])


# ---- pyarrow ----


@row("pyarrow", "array of a contiguous tensor; py_buffer; Tensor", "the same memory")
def arrow_shares() -> None:
    import pyarrow

    x = cube().view(-1)
    array = pyarrow.array(x)
    assert array.buffers()[1].address == x.data_ptr()
    assert pyarrow.py_buffer(x).address == x.data_ptr()
    made = pyarrow.Tensor.from_numpy(cube().permute(2, 0, 1).numpy())
    assert made.strides == (8, 96, 32)
    for back in (strided.asarray(array), strided.from_dlpack(array)):
        assert back.data_ptr() == x.data_ptr()
        same(back, x.numpy())


@row("pyarrow", "array of a stepped view; Table; Parquet there and back")
def arrow_tables() -> None:
    import pyarrow
    import pyarrow.parquet

    x = cube()
    table = pyarrow.table({"step": x[0, :, 1], "type": pyarrow.array(x[0, :, 2], "float32")})
    assert table["step"].to_pylist() == x[0, :, 1].tolist()
    file = io.BytesIO()
    pyarrow.parquet.write_table(table, file)
    # Threads of pyarrow 26 abort now and then when Python ends, without a tensor as well.
    back = pyarrow.parquet.read_table(io.BytesIO(file.getvalue()), use_threads=False)
    same(strided.asarray(back["step"].combine_chunks()), x[0, :, 1].numpy())


# ---- Pillow ----


@row("pillow", "Image.fromarray of contiguous, flipped and transposed tensors; asarray of an image")
def images() -> None:
    from PIL import Image

    pixels = strided.arange(60, dtype=strided.uint8).reshape(4, 5, 3)
    for view in (pixels, pixels.flip(1), pixels.permute(1, 0, 2), pixels[::2, 1:]):
        image = Image.fromarray(view)
        assert image.size == (view.shape[1], view.shape[0])
        assert np.array_equal(np.asarray(image), view.numpy())
        assert strided.array_equal(strided.asarray(image), view)
    grey = Image.fromarray(pixels[:, :, 0])
    assert strided.asarray(grey.rotate(180)).tolist() == pixels[:, :, 0].flip(0, 1).tolist()


# ---- matplotlib ----


@row(
    "matplotlib",
    "plot, scatter, bar, hist, errorbar, fill_between, imshow, contourf, boxplot",
    "the same pixels",
)
def figures() -> None:
    ours, theirs = drawn(cube()), drawn(cube().numpy())
    assert ours == theirs
    assert len(ours) > 10_000


def drawn(x: Any) -> bytes:
    """Return the picture of an array as PNG."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(3, 3)
    across, up, size = x[0, 0], x[0, 1], x[0, 2]
    axes[0, 0].plot(across, up, label="line")
    axes[0, 1].scatter(across, up, c=size, s=size)
    axes[0, 2].bar(across, up)
    axes[1, 0].hist(x[0])
    axes[1, 1].errorbar(across, up, yerr=size)
    axes[1, 2].fill_between(across, up, size)
    axes[2, 0].imshow(x[1])
    axes[2, 1].contourf(x[1])
    axes[2, 2].boxplot(x[0])
    file = io.BytesIO()
    figure.savefig(file, format="png")
    plt.close(figure)
    return file.getvalue()


# ---- networkx ----


@row("networkx", "from_numpy_array(x.numpy()), shortest paths, adjacency back")
def graphs() -> None:
    import networkx

    links = strided.tensor([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    graph = networkx.from_numpy_array(links.numpy())
    assert networkx.shortest_path_length(graph, 0, 2, weight="weight") == 3.0
    same(strided.asarray(networkx.to_numpy_array(graph)), links.numpy())
