"""Tensors from and to text files, and files that NumPy wrote. NumPy reads and writes."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.interop.numpy_ufuncs import by_numpy
from strided.ops.arguments import as_operand

File = Any  # a path, or an open file


def _numpys_dtype(dtype: Any) -> Any:
    import numpy as np

    if dtype is None:
        return np.dtype(np.float32)
    return (
        np.dtype(dtype.name) if isinstance(dtype, DType) else np.dtype(_native.as_dtype(dtype).name)
    )


def loadtxt(
    fname: File,
    dtype: Any = None,
    comments: Any = "#",
    delimiter: str | None = None,
    converters: Any = None,
    skiprows: int = 0,
    usecols: Any = None,
    unpack: bool = False,
    ndmin: int = 0,
    encoding: str | None = None,
    max_rows: int | None = None,
    *,
    quotechar: str | None = None,
) -> Any:
    """Return the numbers of a text file, float32 unless said. A new tensor.

    >>> import io, strided
    >>> strided.loadtxt(io.StringIO("1 2\\n3 4")).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    import numpy as np

    read: Any = np.loadtxt
    found = read(
        fname,
        _numpys_dtype(dtype),
        comments,
        delimiter,
        converters,
        skiprows,
        usecols,
        False,
        ndmin,
        encoding=encoding,
        max_rows=max_rows,
        quotechar=quotechar,
    )
    made = as_operand(found)
    return made.T.unbind(0) if unpack and made.ndim == 2 else made


def genfromtxt(fname: File, dtype: Any = None, **options: Any) -> Tensor:
    """Return the numbers of a text file in which some are missing: these are NaN. A new tensor.

    Options are those of NumPy (``delimiter``, ``skip_header``, ``usecols``, ``filling_values``).

    >>> import io, strided
    >>> strided.genfromtxt(io.StringIO("1,\\n3,4"), delimiter=",").isnan().tolist()
    [[False, True], [False, False]]
    """
    import numpy as np

    return as_operand(np.genfromtxt(fname, _numpys_dtype(dtype), **options))


def savetxt(
    fname: File,
    X: Any,
    fmt: Any = "%.18e",
    delimiter: str = " ",
    newline: str = "\n",
    header: str = "",
    footer: str = "",
    comments: str = "# ",
    encoding: str | None = None,
) -> None:
    """Write a vector or matrix as text, a row in a line. Nothing is copied but the text.

    >>> import io, strided
    >>> file = io.StringIO()
    >>> strided.savetxt(file, strided.arange(4).reshape(2, 2), fmt="%d")
    >>> file.getvalue()
    '0 1\\n2 3\\n'
    """
    import numpy as np

    by_numpy(
        np.savetxt,
        (fname, X if isinstance(X, Tensor) else as_operand(X), fmt, delimiter, newline),
        {"header": header, "footer": footer, "comments": comments, "encoding": encoding},
    )


def _tensors_of(arrays: dict[str, Any]) -> dict[str, Tensor]:
    return {name: as_operand(one) for name, one in arrays.items()}


def savez(file: File, *args: Any, **arrays: Any) -> None:
    """Write several tensors into one .npz file, by name or as arr_0, arr_1. None is copied.

    >>> import io, strided
    >>> file = io.BytesIO()
    >>> strided.savez(file, x=strided.arange(3))
    >>> file.tell() > 24
    True
    """
    import numpy as np

    by_numpy(np.savez, (file, *map(as_operand, args)), _tensors_of(arrays))


def savez_compressed(file: File, *args: Any, **arrays: Any) -> None:
    """Write several tensors into one compressed .npz file. The file has a copy of the elements.

    >>> import io, strided
    >>> file = io.BytesIO()
    >>> strided.savez_compressed(file, strided.zeros(1000))
    >>> file.tell() < 1000
    True
    """
    import numpy as np

    by_numpy(np.savez_compressed, (file, *map(as_operand, args)), _tensors_of(arrays))


def fromfile(
    file: File, dtype: Any = None, count: int = -1, sep: str = "", offset: int = 0
) -> Tensor:
    """Return the elements of a binary file, or of a text file with a separator. A new tensor.

    float32 unless said; ``memory_map`` reads a file without a copy.

    >>> import pathlib, strided, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "x.bin")
    >>> _ = path.write_bytes(strided.arange(3).tobytes())
    >>> strided.fromfile(path, dtype=strided.int64).tolist()
    [0, 1, 2]
    """
    import numpy as np

    return as_operand(np.fromfile(file, _numpys_dtype(dtype), count, sep, offset))


def fromstring(string: str, dtype: Any = None, count: int = -1, *, sep: str) -> Tensor:
    """Return the numbers of a text with a separator, float32 unless said. A new tensor.

    >>> import strided
    >>> strided.fromstring("1 2 3", dtype=int, sep=" ").tolist()
    [1, 2, 3]
    """
    import numpy as np

    return as_operand(np.fromstring(string, _numpys_dtype(dtype), count, sep=sep))
