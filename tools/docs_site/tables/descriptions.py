"""The description of every argument of every public function, by its name.

A name that means the same everywhere stands once, in the table of its namespace or in the general
one. Where it means something else it has an entry of its own, ``"histogram.range"``.
"""

from __future__ import annotations

from docs_site.tables import (
    array_arguments,
    data_arguments,
    layer_arguments,
    model_arguments,
    operation_arguments,
    record_arguments,
    torch_arguments,
    training_arguments,
)

OWN: dict[str, str] = {
    **operation_arguments.OWN,
    **array_arguments.OWN,
    **torch_arguments.OWN,
    **record_arguments.OWN,
    **layer_arguments.OWN,
    **training_arguments.OWN,
    **data_arguments.OWN,
    **model_arguments.OWN,
}
# By namespace, and "" for those that hold wherever nothing else is said.
SHARED: dict[str, dict[str, str]] = {
    "": operation_arguments.SHARED,
    "random": array_arguments.RANDOM,
    "lib.stride_tricks": array_arguments.STRIDE_TRICKS,
    "linalg": operation_arguments.LINALG,
    "fft": operation_arguments.FFT,
    "nn": layer_arguments.SHARED,
    "nn.init": layer_arguments.INIT,
    "optim": training_arguments.OPTIM,
    "optim.lr_scheduler": training_arguments.SCHEDULES,
    "autograd": training_arguments.AUTOGRAD,
    "memory": record_arguments.MEMORY,
    "inspect": record_arguments.INSPECT,
    "func": data_arguments.FUNC,
    "utils": data_arguments.UTILS,
    "nn.utils": data_arguments.NN_UTILS,
    "nn.utils.rnn": data_arguments.SEQUENCES,
    "chunked": record_arguments.CHUNKED,
    "llm": model_arguments.SHARED,
}


def description(owner: str, name: str) -> str | None:
    """Return what an argument is; None where no table knows it.

    ``owner`` is the key of a definition (``"sum"``, ``"fft.fft"``) or the name of what has the
    argument below ``strided`` (``"nn.Conv2d"``, ``"CopyReport.show"``).

    >>> description("histogram", "range")
    'The lowest and the highest edge; the extremes of the elements by default.'
    >>> description("cumsum", "keepdims") == description("sum", "keepdims")
    True
    """
    place = owner
    while place:
        if found := OWN.get(f"{place}.{name}") or SHARED.get(place, {}).get(name):
            return found
        place = place.rpartition(".")[0]
    return SHARED[""].get(name)
