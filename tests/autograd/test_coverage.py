"""Every public function and method either passes gradients, shown by a case, or says why not."""

from __future__ import annotations

from support.gradient_cases import all_cases, arguments_of
from support.site_pages import differentiable

import strided as st
from strided.ops.elementwise import definitions

# They pass gradients, and have no case: what they are made of has one.
_NEEDS_NO_CASE = {
    # They give float32 and less, for which differences say nothing; they are Tensor.to.
    *("Tensor.bfloat16", "Tensor.float", "Tensor.half", "Tensor.cfloat"),
    "Tensor.flat",  # a view of one element, as indexing gives
}
_WITHOUT = {
    prefix + name
    for row in (*definitions(1), *definitions(2))
    if row.gradients is None
    for prefix in ("", "Tensor.")
    for alias in (row.name, *row.aliases)
    for name in (alias, alias + "_")
}


def _public() -> set[str]:
    functions = {
        name
        for name in dir(st)
        if not name.startswith("_")
        and callable(getattr(st, name))
        and not isinstance(getattr(st, name), (type, st.DType))
    }
    # What is left out on purpose is in the class to say so.
    there = (name for name in dir(st.Tensor) if hasattr(st.Tensor, name))
    return functions | {f"Tensor.{name}" for name in there if not name.startswith("_")}


def test_every_public_name_has_a_case_or_a_reason() -> None:
    shown = {name for name, _ in all_cases()}
    excused = {
        name for names in differentiable.NOT_DIFFERENTIABLE.values() for name in names.split()
    }
    assert sorted(_public() - shown - excused - _WITHOUT - _NEEDS_NO_CASE) == []
    assert sorted(excused & shown) == [], "what has a case needs no excuse"


def test_every_rule_is_used_by_a_case() -> None:
    """A rule that no case uses is not shown to be right. Those of layers have their own tests."""
    from strided.ops.gradients import RULES

    used: set[str] = set()
    before = {
        name: rule
        for name, rule in RULES.items()
        if rule.prepare.__module__.startswith(("strided.autograd.", "strided.ops."))
    }
    for name, rule in before.items():

        def prepare(
            *args: object, _name: str = name, _rule: object = rule, **named: object
        ) -> object:
            used.add(_name)
            return _rule.prepare(*args, **named)  # type: ignore[attr-defined]

        RULES[name] = rule._replace(prepare=prepare)
    try:
        for _, call in all_cases():
            call(*(st.tensor(a).requires_grad_() for a in arguments_of(call)))
    finally:
        RULES.update(before)
    assert sorted(set(before) - used) == []
