"""Every name of PyTorch's modules for networks is here, or left out with a hint."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

import strided
from strided.nn.left_out_of_nn import LEFT_OUT

# What stands in a namespace and is none of its names: imports, type helpers, texts of pages.
_NOT_NAMES = {
    "nn": "factory_kwargs",
    "nn.functional": "GRID_SAMPLE_INTERPOLATION_MODES GRID_SAMPLE_PADDING_MODES DType Tensor"
    " BroadcastingList1 BroadcastingList2 BroadcastingList3 boolean_dispatch grad"
    " has_torch_function has_torch_function_unary has_torch_function_variadic"
    " handle_torch_function assert_int_or_pair reproducibility_notes sparse_support_notes"
    " tf32_notes",
    "nn.utils": "",
    "optim": "swap_in_optimizer_params_and_state",
    "optim.lr_scheduler": "",
    "nn.init": "",
    "func": "",
    "utils.data": "",
}


def _ours(namespace: str) -> Any:
    return importlib.import_module(f"strided.{namespace}")


def _names(torch: Any, namespace: str) -> list[str]:
    module = importlib.import_module(f"torch.{namespace}")
    listed = getattr(module, "__all__", None)
    if listed is not None and namespace != "nn.functional":
        return sorted(listed)
    return sorted(
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (callable(value) or inspect.ismodule(value))
        and not (inspect.ismodule(value) and not value.__name__.startswith(f"torch.{namespace}."))
        and str(getattr(value, "__module__", "torch")).startswith("torch")
    )


# Names of submodules that PyTorch sorts its files into, and of what belongs elsewhere.
_FILES = {
    "nn": "attention backends common_types cpp modules parameter",
    "nn.functional": "",
    "nn.utils": "clip_grad convert_parameters fusion init memory_format stateless",
    "optim": "",
    "nn.init": "",
    "optim.lr_scheduler": "",
}


@pytest.mark.peers
@pytest.mark.parametrize("namespace", list(LEFT_OUT))
def test_nothing_is_missing(namespace: str) -> None:
    torch = pytest.importorskip("torch")
    ours = _ours(namespace)
    beside = {*_NOT_NAMES[namespace].split(), *_FILES[namespace].split()}
    names = [name for name in _names(torch, namespace) if name not in beside]
    missing = [n for n in names if n not in LEFT_OUT[namespace] and not hasattr(ours, n)]
    assert not missing
    assert len(names) > 9


@pytest.mark.parametrize("namespace", list(LEFT_OUT))
def test_what_is_left_out_says_why(namespace: str) -> None:
    ours = _ours(namespace)
    for name, hint in LEFT_OUT[namespace].items():
        with pytest.raises(AttributeError) as caught:
            getattr(ours, name)
        assert hint in str(caught.value), name
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        getattr(ours, "".join(["no", "thing"]))


def test_names_are_what_they_say() -> None:
    """A file of a layer, once imported, must not take the place of the function of its name."""
    for name in strided.nn.__all__:
        value = getattr(strided.nn, name)
        assert not inspect.ismodule(value) or name in ("functional", "init", "utils"), name
    for name in strided.nn.functional.__all__:
        assert callable(getattr(strided.nn.functional, name)), name
