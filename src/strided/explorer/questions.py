"""What can the page ask of the server? A fixed list; each question takes and gives plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

import strided
from strided.explorer import exercises
from strided.explorer.steps import EXAMPLES, evaluate


class Refused(Exception):
    """A request that is answered with an HTTP error.

    >>> Refused(HTTPStatus.NOT_FOUND, "no such page").status.value
    404
    """

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


def _text(given: dict[str, Any], name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise Refused(HTTPStatus.BAD_REQUEST, f"{name} must be text")
    return value


def _evaluate(given: dict[str, Any]) -> Any:
    return evaluate(_text(given, "expression")).to_dict()


def _start(given: dict[str, Any]) -> Any:
    examples = [{"title": title, "expression": chain} for title, chain in EXAMPLES]
    return {"version": strided.__version__, "examples": examples, **exercises.listing()}


def _exercise(given: dict[str, Any]) -> Any:
    return asdict(exercises.question_of(_text(given, "id")))


def _answer(given: dict[str, Any]) -> Any:
    answer = given.get("answer")
    if not isinstance(answer, dict):
        raise Refused(HTTPStatus.BAD_REQUEST, "answer must be an object")
    return asdict(exercises.check(_text(given, "id"), answer))


QUESTIONS: dict[tuple[str, str], Callable[[dict[str, Any]], Any]] = {
    ("GET", "evaluate"): _evaluate,
    ("POST", "evaluate"): _evaluate,
    ("GET", "start"): _start,
    ("GET", "exercise"): _exercise,
    ("POST", "answer"): _answer,
}
