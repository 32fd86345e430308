"""Finds the principal components of a .npy file that no worker could hold, on a local cluster:

    python examples/cluster_pca.py [--file x.npy] [--workers 2] [--memory 512MiB]

Without ``--file`` it writes one of 1 GiB in which a few directions stand out, and looks for them.
Needs dask and distributed (``pip install strided[dask]``). A progress bar is shown meanwhile, and
the address of dask's dashboard, where bokeh is installed.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

import strided
from strided import chunked

STRENGTHS = (8.0, 5.0, 3.0)  # standard deviations of the directions that stand out; of others 1


def write_sample(path: Path, rows: int, columns: int, step: int) -> np.ndarray:
    """Write random rows, some at a time; return the directions that stand out in them."""
    rng = np.random.default_rng(0)
    directions = np.linalg.qr(rng.standard_normal((columns, len(STRENGTHS))))[0].T
    file = np.lib.format.open_memmap(path, "w+", np.dtype("float32"), (rows, columns))
    for begin in range(0, rows, step):
        part = file[begin : begin + step]
        part[:] = rng.standard_normal(part.shape, np.float32) + 10
        part += rng.standard_normal((len(part), len(STRENGTHS))) * STRENGTHS @ directions
    file.flush()
    return directions


def principal_components(path: Path, step: int, show_progress: bool) -> tuple[np.ndarray, ...]:
    """Return the variances along the principal axes, and the axes, largest first.

    Every chunk is read where it is worked on, twice: for the means, then for its own small SVD.
    What travels between workers are means and triangles of columns x columns.
    """
    import dask.array as da
    from distributed import get_client, progress

    x = chunked.from_npy(path, chunks=(step, -1))
    _, values, axes = da.linalg.svd(x - x.mean(axis=0))
    found = get_client().persist([values**2 / (len(x) - 1), axes])
    if show_progress:
        progress(found, notebook=False)
        print()
    return tuple(np.asarray(one.compute()) for one in found)


def main(given: list[str] | None = None) -> float:
    """Run on a cluster of this machine; return the share of variance of the first components."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--file", type=Path, help="a .npy file of two axes, more rows than columns")
    parser.add_argument("--rows", type=int, default=1 << 20, help="of the file that is written")
    parser.add_argument("--columns", type=int, default=256, help="of the file that is written")
    # The QR of a chunk takes six times its memory, and dask keeps several results.
    parser.add_argument("--step", type=int, default=1 << 13, help="rows of a chunk")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="512MiB", help="the limit of a worker")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")
    asked = parser.parse_args(given)

    from distributed import Client, LocalCluster

    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(
            n_workers=asked.workers,
            threads_per_worker=1,
            memory_limit=asked.memory,
            dashboard_address=":0",
            env={"STRIDED_NUM_THREADS": "1"},
        ) as cluster,
        Client(cluster) as client,
    ):
        path, directions = asked.file, None
        if path is None:
            path = Path(folder) / "sample.npy"
            directions = write_sample(path, asked.rows, asked.columns, asked.step)
        nbytes = strided.open_npy(path).nbytes
        print(f"{nbytes / 2**20:.0f} MiB, {asked.workers} workers of {asked.memory}")
        print(f"dashboard: {client.dashboard_link}")
        variances, axes = principal_components(path, asked.step, not asked.quiet)
    share = float(variances[: len(STRENGTHS)].sum() / variances.sum())
    shown = ", ".join(f"{value:.1f}" for value in variances[:5])
    print(f"variances {shown}, ...; the first {len(STRENGTHS)} have {share:.0%} of all")
    if directions is not None:
        agree = abs((axes[: len(STRENGTHS)] * directions).sum(axis=1)).min()
        print(f"the directions that were hidden are found: cosine at least {agree:.4f}")
    return share


if __name__ == "__main__":
    main()
