"""Special values as the array API's text (2025.12) gives them, also where NumPy's habit differs.

A row reads ``real imaginary -> real imaginary``. Words stand for several values; ``~`` in front of
a result leaves its sign open.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from support.compare import COMPLEX, FLOATS, dtype_of

import strided

INF, NAN = math.inf, math.nan
WORDS: dict[str, tuple[float, ...]] = {
    "0": (0.0,),
    "-0": (-0.0,),
    "zero": (0.0, -0.0),
    "1": (1.0,),
    "-1": (-1.0,),
    "inf": (INF,),
    "-inf": (-INF,),
    "infinite": (INF, -INF),
    "nan": (NAN,),
    "positive": (0.25, 2.0, 1e30),
    "nonzero": (-2.5, 1.5, 3.0),
    "finite": (-2.5, -0.0, 0.0, 1.5),
    "number": (-INF, -2.5, 1.5, INF),
}
RESULTS = {
    **{name: values[0] for name, values in WORDS.items() if len(values) == 1},
    "pi": math.pi,
    "pi/2": math.pi / 2,
    "pi/4": math.pi / 4,
    "3pi/4": 3 * math.pi / 4,
}

TABLE = {
    "acos": """
        zero 0 -> pi/2 -0 | zero nan -> pi/2 nan | finite inf -> pi/2 -inf | nonzero nan -> nan nan
        -inf positive -> pi -inf | inf positive -> 0 -inf | -inf inf -> 3pi/4 -inf
        inf inf -> pi/4 -inf | infinite nan -> nan ~inf | nan finite -> nan nan
        nan inf -> nan -inf | nan nan -> nan nan""",
    "acosh": """
        zero 0 -> 0 pi/2 | finite inf -> inf pi/2 | nonzero nan -> nan nan | 0 nan -> nan ~pi/2
        -inf positive -> inf pi | inf positive -> inf 0 | -inf inf -> inf 3pi/4
        inf inf -> inf pi/4 | infinite nan -> inf nan | nan finite -> nan nan
        nan inf -> inf nan | nan nan -> nan nan""",
    "asinh": """
        0 0 -> 0 0 | positive inf -> inf pi/2 | finite nan -> nan nan | inf positive -> inf 0
        inf inf -> inf pi/4 | nan 0 -> nan 0 | nan nonzero -> nan nan | nan inf -> ~inf nan
        nan nan -> nan nan""",
    "atanh": """
        0 0 -> 0 0 | 0 nan -> 0 nan | 1 0 -> inf 0 | positive inf -> 0 pi/2 | nonzero nan -> nan nan
        inf positive -> 0 pi/2 | inf inf -> 0 pi/2 | inf nan -> 0 nan | nan finite -> nan nan
        nan inf -> ~0 pi/2 | nan nan -> nan nan""",
    "cosh": """
        0 0 -> 1 0 | 0 inf -> nan ~0 | 0 nan -> nan ~0 | nonzero inf -> nan nan
        nonzero nan -> nan nan | inf 0 -> inf 0 | inf inf -> ~inf nan | inf nan -> inf nan
        nan zero -> nan ~0 | nan nonzero -> nan nan | nan nan -> nan nan""",
    "sinh": """
        0 0 -> 0 0 | 0 inf -> ~0 nan | 0 nan -> ~0 nan | positive inf -> nan nan
        positive nan -> nan nan | inf 0 -> inf 0 | inf inf -> ~inf nan | inf nan -> ~inf nan
        nan 0 -> nan 0 | nan nonzero -> nan nan | nan nan -> nan nan""",
    "tanh": """
        0 0 -> 0 0 | nonzero inf -> nan nan | 0 inf -> 0 nan | nonzero nan -> nan nan
        0 nan -> 0 nan | inf positive -> 1 0 | inf inf -> 1 ~0 | inf nan -> 1 ~0 | nan 0 -> nan 0
        nan number -> nan nan | nan nan -> nan nan""",
    "exp": """
        zero 0 -> 1 0 | finite inf -> nan nan | finite nan -> nan nan | inf 0 -> inf 0
        -inf inf -> ~0 ~0 | inf inf -> ~inf nan | -inf nan -> ~0 ~0 | inf nan -> ~inf nan
        nan 0 -> nan 0 | nan number -> nan nan | nan nan -> nan nan""",
    "expm1": """
        zero 0 -> 0 0 | finite inf -> nan nan | finite nan -> nan nan | inf 0 -> inf 0
        -inf inf -> -1 ~0 | inf inf -> ~inf nan | -inf nan -> -1 ~0 | inf nan -> ~inf nan
        nan 0 -> nan 0 | nan number -> nan nan | nan nan -> nan nan""",
    "log": """
        -0 0 -> -inf pi | 0 0 -> -inf 0 | finite inf -> inf pi/2 | finite nan -> nan nan
        -inf positive -> inf pi | inf positive -> inf 0 | -inf inf -> inf 3pi/4
        inf inf -> inf pi/4 | infinite nan -> inf nan | nan finite -> nan nan | nan inf -> inf nan
        nan nan -> nan nan""",
    "log1p": """
        -1 0 -> -inf 0 | finite inf -> inf pi/2 | finite nan -> nan nan | -inf positive -> inf pi
        inf positive -> inf 0 | -inf inf -> inf 3pi/4 | inf inf -> inf pi/4
        infinite nan -> inf nan | nan finite -> nan nan | nan inf -> inf nan
        nan nan -> nan nan""",
    "sqrt": """
        zero 0 -> 0 0 | finite inf -> inf inf | infinite inf -> inf inf | nan inf -> inf inf
        finite nan -> nan nan | -inf positive -> 0 inf | inf positive -> inf 0
        -inf nan -> nan ~inf | inf nan -> inf nan | nan finite -> nan nan | nan nan -> nan nan""",
    "sign": """
        zero zero -> ~0 ~0 | nan finite -> nan nan | finite nan -> nan nan | nan nan -> nan nan""",
}
ODD = {"asinh", "atanh", "sinh", "tanh"}


def rows(name: str) -> list[tuple[str, complex, list[str]]]:
    """Return each row with every input its words stand for."""
    made = []
    for row in TABLE[name].replace("\n", "|").split("|"):
        if not row.strip():
            continue
        given, wanted = (part.split() for part in row.split("->"))
        for a, b in itertools.product(WORDS[given[0]], WORDS[given[1]]):
            made.append((row.strip(), complex(a, b), wanted))
    return made


def matches(got: float, word: str, flip: float = 1.0) -> bool:
    """Return whether a part is what a word says, with its sign changed when ``flip`` is -1."""
    wanted = RESULTS[word.lstrip("~")]
    if math.isnan(wanted):
        return math.isnan(got)
    if word.startswith("~"):
        return math.isclose(abs(got), abs(wanted), rel_tol=1e-6)
    wanted *= flip
    same_sign = math.copysign(1, got) == math.copysign(1, wanted)
    return same_sign and (got == wanted or math.isclose(got, wanted, rel_tol=1e-6))


def at(name: str, z: complex, dtype: str) -> complex:
    x = strided.tensor(np.array([z, z, z]), dtype=dtype_of(dtype))
    found = getattr(strided, name)(x).tolist()
    assert len({repr(value) for value in found}) == 1
    return complex(found[0])


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", TABLE)
def test_complex_functions(name: str, dtype: str) -> None:
    for row, z, (real, imaginary) in rows(name):
        got = at(name, z, dtype)
        assert matches(got.real, real), (row, z, got)
        assert matches(got.imag, imaginary), (row, z, got)
        mirrored = at(name, complex(z.real, -z.imag), dtype)
        assert matches(mirrored.real, real), (row, z.conjugate(), mirrored)
        assert matches(mirrored.imag, imaginary, -1.0), (row, z.conjugate(), mirrored)
        if name in ODD:
            rotated = at(name, -z, dtype)
            assert matches(rotated.real, real, -1.0), (row, -z, rotated)
            assert matches(rotated.imag, imaginary, -1.0), (row, -z, rotated)


# f(z) = factor * g(iz)
TURNED = [("sin", "sinh"), ("tan", "tanh"), ("asin", "asinh"), ("atan", "atanh")]
EDGES = [-INF, -1.5, -0.0, 0.0, 0.75, INF, NAN]


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize(("name", "hyperbolic"), TURNED)
def test_rotated_functions(name: str, hyperbolic: str, dtype: str) -> None:
    for a, b in itertools.product(EDGES, EDGES):
        other = at(hyperbolic, complex(-b, a), dtype)
        got = at(name, complex(a, b), dtype)
        for mine, theirs in ((got.real, other.imag), (got.imag, -other.real)):
            assert_part(mine, theirs, (name, a, b, got))


@pytest.mark.parametrize("dtype", COMPLEX)
def test_cosine(dtype: str) -> None:
    for a, b in itertools.product(EDGES, EDGES):
        other = at("cosh", complex(-b, a), dtype)
        got = at("cos", complex(a, b), dtype)
        assert_part(got.real, other.real, (a, b, got))
        if 0 not in (a, b):  # the sign of a zero is open where the other part is NaN
            assert_part(got.imag, other.imag, (a, b, got))


def assert_part(mine: float, theirs: float, where: object) -> None:
    if math.isnan(theirs):
        assert math.isnan(mine), where
    else:
        assert abs(mine) == abs(theirs) or math.isclose(mine, theirs, rel_tol=1e-5), where


@pytest.mark.parametrize("dtype", COMPLEX)
def test_infinite_times_a_direction(dtype: str) -> None:
    """``inf * cis(b)`` and ``0 * cis(b)``: the signs are those of cosine and sine."""
    for b in (0.5, 2.0, -2.0, 4.0, 6.0):
        cosine, sine = math.cos(b), math.sin(b)
        for name in ("exp", "cosh", "sinh", "expm1"):
            got = at(name, complex(INF, b), dtype)
            wanted = [math.copysign(INF, cosine), math.copysign(INF, sine)]
            assert [got.real, got.imag] == wanted, (name, b)
        got = at("exp", complex(-INF, b), dtype)
        assert abs(got) == 0
        assert np.signbit([got.real, got.imag]).tolist() == [cosine < 0, sine < 0]
        got = at("expm1", complex(-INF, b), dtype)
        assert (got.real, abs(got.imag), bool(np.signbit(got.imag))) == (-1.0, 0.0, sine < 0)


# ---- two real operands ----

DIVISIONS: dict[str, list[tuple[tuple[float, ...], tuple[float, ...], Any]]] = {
    "floor_divide": [
        ((INF, -INF), (INF, -INF), NAN),
        ((0.0, -0.0), (0.0, -0.0), NAN),
        ((0.0,), (2.0, INF), 0.0),
        ((-0.0,), (2.0, INF), -0.0),
        ((0.0,), (-2.0,), -0.0),
        ((-0.0,), (-2.0,), 0.0),
        ((3.0, INF), (0.0,), INF),
        ((3.0, INF), (-0.0,), -INF),
        ((-3.0, -INF), (0.0,), -INF),
        ((-3.0, -INF), (-0.0,), INF),
        ((INF,), (2.0, 1e30), INF),
        ((INF,), (-2.0,), -INF),
        ((-INF,), (2.0,), -INF),
        ((-INF,), (-2.0,), INF),
        ((3.0, 1e-30), (INF,), 0.0),
        ((-3.0,), (-INF,), 0.0),
        ((7.0,), (2.0,), 3.0),
        ((-7.0,), (2.0,), -4.0),
    ],
    "remainder": [
        ((INF, -INF), (INF, 2.0, -2.0), NAN),
        ((0.0, -0.0, 3.0, -3.0), (0.0, -0.0), NAN),
        ((0.0, -0.0), (2.0,), 0.0),
        ((0.0, -0.0), (-2.0,), -0.0),
        ((3.0,), (INF,), 3.0),
        ((3.0,), (-INF,), -INF),
        ((-3.0,), (INF,), INF),
        ((-3.0,), (-INF,), -3.0),
        ((-7.0,), (3.0,), 2.0),
        ((7.0,), (-3.0,), -2.0),
    ],
    "pow": [
        ((NAN, 2.0, INF), (0.0, -0.0), 1.0),
        ((1.0,), (INF, -INF, 0.0, 2.5), 1.0),
        ((2.0, -0.5, NAN), (NAN,), NAN),
        ((-1.0,), (INF, -INF), 1.0),
        ((2.0, -2.0), (INF,), INF),
        ((2.0, -2.0), (-INF,), 0.0),
        ((0.5, -0.5), (INF,), 0.0),
        ((0.5, -0.5), (-INF,), INF),
        ((-INF,), (3.0,), -INF),
        ((-INF,), (2.0, 2.5), INF),
        ((-INF,), (-3.0,), -0.0),
        ((-INF,), (-2.0, -2.5), 0.0),
        ((-0.0,), (3.0,), -0.0),
        ((-0.0,), (-3.0,), -INF),
        ((-0.0,), (-2.0,), INF),
        ((-2.0,), (0.5,), NAN),
    ],
    "copysign": [((3.0, -3.0, INF), (-0.0, -1.0), "-abs"), ((-3.0, 3.0), (0.0, 1.0), "abs")],
    "hypot": [((INF, -INF), (NAN, 1.0, INF), INF), ((0.0, -0.0), (-3.0, 3.0), 3.0)],
    "maximum": [((NAN, 1.0), (NAN,), NAN)],
    "minimum": [((NAN, 1.0), (NAN,), NAN)],
    "nextafter": [((0.0,), (-0.0,), -0.0), ((-0.0,), (0.0,), 0.0), ((NAN,), (1.0,), NAN)],
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", DIVISIONS)
def test_two_numbers(name: str, dtype: str) -> None:
    for lefts, rights, wanted in DIVISIONS[name]:
        for a, b in itertools.product(lefts, rights):
            # Long enough for vectors and what is left over.
            x, y = (strided.full((19,), value, dtype=dtype_of(dtype)) for value in (a, b))
            expected = {"abs": abs(a), "-abs": -abs(a)}.get(wanted, wanted)
            for got in getattr(strided, name)(x, y).tolist():
                same = got == expected and np.signbit(got) == np.signbit(expected)
                assert same or (math.isnan(got) and math.isnan(expected)), (name, a, b, got)


def test_clip_keeps_nan() -> None:
    nan, one = strided.tensor([NAN]), strided.tensor([1.0])
    for operands in ((nan, one, one), (one, nan, one), (one, one, nan), (one, nan), (nan, one)):
        assert math.isnan(strided.clip(*operands).item())
