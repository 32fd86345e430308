"""Tables for the page without a server: everything that its engine needs to know of strided."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import strided
from strided import copy_totals
from strided.explorer import exercises, expression, operations
from strided.explorer.steps import CAUSES, EXAMPLES, GAP, MAX_CELLS


def page_tables() -> dict[str, Any]:
    """Return operations, limits, texts and exercises as dictionaries, lists, numbers and text.

    >>> page_tables()["steps"]["T"]["use"], page_tables()["limits"]["rank"]
    ('.T', 8)
    """
    listed = exercises.listing()
    questions = [one for one in listed["questions"] if one["chapter"] != "performance"]
    chapters = [one for one in listed["chapters"] if one["id"] != "performance"]
    return {
        "version": strided.__version__,
        "makers": {name: asdict(row) for name, row in operations.MAKERS.items()},
        "steps": {name: asdict(row) for name, row in operations.STEPS.items()},
        "index": asdict(operations.INDEX),
        "libraries": operations.LIBRARIES,
        "doubles": operations.DOUBLES,
        "makerAliases": operations.MAKER_ALIASES,
        "keywordAliases": operations.KEYWORD_ALIASES,
        "dtypes": {name: {"itemsize": t.itemsize} for name, t in operations.DTYPES.items()},
        "limits": {
            "length": expression.MAX_LENGTH,
            "steps": expression.MAX_STEPS,
            "depth": expression.MAX_DEPTH,
            "list": expression.MAX_LIST,
            "number": expression.MAX_NUMBER,
            "elements": operations.MAX_ELEMENTS,
            "rank": operations.MAX_RANK,
            "cells": MAX_CELLS,
            "gap": GAP,
        },
        "hints": {name: total.hint for name, total in copy_totals().items()},
        "causes": CAUSES,
        "examples": [{"title": title, "expression": chain} for title, chain in EXAMPLES],
        "chapters": chapters,
        "questions": questions,
        "practice": {
            "groups": exercises.PRACTICE_GROUPS,
            "without": exercises.PRACTICE_WITHOUT,
            "question": asdict(exercises.practice_question()),
        },
    }
