"""Every public name has a sentence, a word on views and copies, and an example that runs."""

from __future__ import annotations

import builtins
import dataclasses
import doctest
import inspect
import io
import re
import types
from typing import Any

import pytest

import strided
import strided.llm
from strided import native_members
from strided.ops import later
from strided.ops.define import DEFINITIONS
from strided.optim import lr_scheduler as schedules

# Plain fields; their class explains them.
FIELDS = {
    *(f"CopyTotal.{field}" for field in strided.CopyTotal._fields),
    *(f"memory.HeapFacts.{field}" for field in strided.memory.HeapFacts._fields),
    *("CopyEvent.library", "CopyForecast.nbytes", "CopyForecast.alternatives"),
    "CopyForecast.allowed",
    "MemoryLayout.name",
    "LayoutFacts.device",
    "Relation.work_limit",
    *(f"inspect.Limits.{field}" for field in ("cells", "rows", "columns", "panels")),
    "inspect.LayoutFacts.device",
    "inspect.Relation.work_limit",
    "inspect.TensorEntry.packing",
    *(
        f"llm.{value.__name__}.{field.name}"
        for value in (getattr(strided.llm, name) for name in strided.llm.__all__)
        if dataclasses.is_dataclass(value)
        for field in dataclasses.fields(value)
    ),
    *(f"nn.LoadedKeys.{field}" for field in strided.nn.LoadedKeys._fields),
    "nn.utils.parametrize.ParametrizationList.forward",
    *(f"nn.utils.rnn.PackedSequence.{f}" for f in strided.nn.utils.rnn.PackedSequence._fields),
    *(f"nn.ASMoutput.{field}" for field in strided.nn.ASMoutput._fields),
    # What a layer or a schedule computes is said and shown by its class.
    *(
        f"{module}.{name}.{method}"
        for module, owner, base, method in (
            ("nn", strided.nn, strided.nn.Module, "forward"),
            ("optim.lr_scheduler", schedules, schedules.LRScheduler, "rate"),
        )
        for name, value in ((name, getattr(owner, name)) for name in dir(owner))
        if isinstance(value, type) and issubclass(value, base) and value is not base
    ),
}
# Their functions and Strides itself have the example.
NO_EXAMPLE = {"CopyTotal", "memory.HeapFacts", *(f"Strides.{letter}" for letter in "nchw")}
# No word on memory: the result has none of its own.
NO_MEMORY = {"Tensor.base"}
MEMORY = re.compile(r"\b(views?|cop(y|ies)|new tensors?|in place|itself|shares|overwrites)\b", re.I)


def public(names: Any) -> list[str]:
    return sorted(name for name in names if not name.startswith("_"))


_OWNERS = (
    (strided, ""),
    (strided.memory, "memory."),
    (strided.inspect, "inspect."),
    (strided.nn, "nn."),
    (strided.autograd, "autograd."),
    (strided.nn.functional, "nn.functional."),
    (strided.nn.init, "nn.init."),
    (strided.optim, "optim."),
    (schedules, "optim.lr_scheduler."),
    (strided.random, "random."),
    (strided.lib.stride_tricks, "lib.stride_tricks."),
    (strided.linalg, "linalg."),
    (strided.fft, "fft."),
    (strided.chunked, "chunked."),
    (strided.func, "func."),
    (strided.utils.data, "utils.data."),
    (strided.utils.checkpoint, "utils.checkpoint."),
    (strided.nn.utils, "nn.utils."),
    (strided.nn.utils.rnn, "nn.utils.rnn."),
    (strided.nn.utils.parametrize, "nn.utils.parametrize."),
    (strided.nn.utils.parametrizations, "nn.utils.parametrizations."),
    (strided.llm, "llm."),
)


def walk() -> dict[str, Any]:
    """Return every documented object by its name below ``strided``."""
    found: dict[str, Any] = {}
    for owner, prefix in _OWNERS:
        names = owner.__all__ if prefix else dir(owner)
        for name in public(names):
            value = getattr(owner, name)
            if value is strided.Tensor and name != "Tensor":
                continue  # NumPy's name of the class
            if isinstance(value, strided.DType) or getattr(value, "__module__", "") == "numpy":
                continue  # NumPy's kinds of dtypes, and dtypes, which are called to convert
            if isinstance(value, type) or callable(value):
                found[prefix + name] = value
            if isinstance(value, type):
                # A base that has no public name is a part of the class.
                inner = [
                    base
                    for base in value.__bases__
                    if base.__module__.startswith("strided.")
                    and not any(hasattr(place, base.__name__) for place in (owner, strided))
                ]
                for owned in (*inner, value):
                    for part in public(vars(owned)):
                        # What is left out on purpose is in the class to say so.
                        if not isinstance(vars(owned)[part], later.LeftOutMember):
                            found[f"{prefix}{name}.{part}"] = vars(owned)[part]
    return {name: value for name, value in found.items() if name not in FIELDS}


later.load_all()
OBJECTS = walk()
# What the native type has itself: declared as members, or the operation of a definition.
NATIVE: dict[str, Any] = {
    **{name: one for name, one in vars(native_members.TensorMembers).items() if name[0] != "_"},
    **{name: one.python for one in DEFINITIONS.values() for name in one.native},
}
NATIVE_METHODS = [name for name in NATIVE if callable(getattr(strided.Tensor, name))]


def text_of(name: str) -> str:
    value = OBJECTS[name]
    if hasattr(value, "__nb_signature__"):  # nanobind puts the signature in front of __doc__
        return inspect.cleandoc(value.__nb_signature__[-1][1] or "")
    return inspect.cleandoc(value.__doc__ or "")


def result_of(name: str) -> str:
    """Return the annotated result of a function, method or property; empty when it has none."""
    value = OBJECTS[name]
    short = name.rpartition(".")[2]
    if name in DEFINITIONS and DEFINITIONS[name].native_function:
        return DEFINITIONS[name].overloads[0].partition("->")[2]
    if name.startswith("Tensor."):
        value = NATIVE.get(short, value)
    if isinstance(value, property):
        value = value.fget
    return str(getattr(value, "__annotations__", {}).get("return", ""))


@pytest.mark.parametrize("name", OBJECTS)
def test_begins_with_a_sentence(name):
    first = text_of(name).partition("\n")[0]
    assert first, "has no docstring"
    assert first.endswith("."), f"{first!r} is no sentence"
    assert len(first) <= 100, f"{first!r} is long for one line"


@pytest.mark.parametrize("name", [name for name in OBJECTS if name not in NO_EXAMPLE])
def test_has_an_example_that_runs(name):
    text = text_of(name)
    assert ">>>" in text, "has no example"
    # Layout's examples name it as its own module would.
    names = {"Layout": strided.Layout}
    example = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    report = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example, out=report.write)
    assert runner.failures == 0, report.getvalue()


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in OBJECTS
        if re.search(r"\b(Tensor|Self)\b", result_of(name)) and name not in NO_MEMORY
    ],
)
def test_says_whether_it_is_a_view_or_a_copy(name):
    said = text_of(name).partition(">>>")[0]
    assert MEMORY.search(said), f"{said!r} says nothing about memory"


def test_package_docstring_runs():
    assert doctest.testmod(strided, verbose=False).failed == 0


# ---- signatures of native methods ----


@pytest.mark.parametrize("name", NATIVE_METHODS)
def test_native_methods_take_the_keywords_they_show(name):
    method = getattr(strided.Tensor, name)
    parameters = list(inspect.signature(method).parameters.values())
    assert parameters[0].name == "self"
    shown = [p.name for p in parameters[1:] if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    for keyword in shown:
        with pytest.raises((TypeError, ValueError)) as caught:
            method(strided.zeros(2, 2), **{keyword: object()})
        assert "unexpected keyword" not in str(caught.value)


def test_every_native_name_is_in_the_table():
    kinds = (types.MethodDescriptorType, types.GetSetDescriptorType)
    native = {n for n in public(vars(strided.Tensor)) if isinstance(vars(strided.Tensor)[n], kinds)}
    assert native == set(NATIVE)


# ---- the namespace ----


def test_dir_lists_only_what_is_meant_to_be_used():
    modules = [n for n in public(dir(strided)) if inspect.ismodule(getattr(strided, n))]
    namespaces = "autograd chunked fft func inspect lib linalg memory nn optim random special utils"
    assert " ".join(modules) == namespaces
    foreign = [
        name
        for name in public(dir(strided))
        if not str(getattr(getattr(strided, name), "__module__", "strided")).startswith("strided")
    ]
    # NumPy's kinds of dtypes are what dtypes are asked about.
    kinds = "complexfloating floating generic inexact integer number signedinteger unsignedinteger"
    assert foreign == kinds.split()
    assert public(dir(strided.memory)) == sorted(strided.memory.__all__)
    assert public(dir(strided.inspect)) == sorted(strided.inspect.__all__)
    assert public(dir(strided.autograd)) == sorted(strided.autograd.__all__)
    assert public(dir(strided.llm)) == sorted(strided.llm.__all__)
    assert public(dir(strided.linalg)) == sorted(strided.linalg.__all__)
    assert public(dir(strided.chunked)) == sorted(strided.chunked.__all__)
    assert public(dir(strided.fft)) == sorted(strided.fft.__all__)


def test_star_import_leaves_builtins_alone():
    names: dict[str, Any] = {}
    exec("from strided import *", names)
    names.pop("__builtins__")
    assert not [name for name in names if hasattr(builtins, name)]
    left_out = set(public(dir(strided))) - set(names)
    assert left_out == {name for name in public(dir(strided)) if hasattr(builtins, name)}
    assert len(strided.__all__) == len(set(strided.__all__))
