"""Expression parser: the chain of operations that a line of text stands for.

A chain is ``arange(24).reshape(2, 3, 4)[:, ::2].T``: one function that makes a tensor, then
methods, properties and indices. The text is read by hand into data; nothing in it is ever run as
Python, and every name in it is checked against ``operations``. Length, depth and numbers are
bounded.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NoReturn

from strided import StridedError
from strided.explorer.operations import MAKERS, STEPS, Operation, nearest

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<number>\d[\d_]*)|(?P<sign>\.\.\.|[-.()\[\],:=]))", re.ASCII
)


@dataclass(frozen=True)
class Token:
    """A piece of text; ``kind`` is name, number, sign or end, columns count from 0."""

    kind: str
    text: str
    column: int

    @property
    def end(self) -> int:
        """The column after the last character.

        >>> Token("name", "arange", 4).end
        10
        """
        return self.column + len(self.text)


def cut(text: str) -> tuple[list[Token], int | None]:
    """Return the tokens of a text, and the column of a character that begins none.

    >>> tokens, bad = cut("arange(2)")
    >>> [token.text for token in tokens], bad
    (['arange', '(', '2', ')', ''], None)
    >>> cut("a + 1")[1]
    2
    """
    tokens: list[Token] = []
    at, stop = 0, len(text.rstrip())
    while at < stop:
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            return tokens, stop - len(text[at:stop].lstrip())
        kind = match.lastgroup
        tokens.append(Token(kind, match[kind], match.start(kind)))
        at = match.end()
    return [*tokens, Token("end", "", stop)], None


MAX_LENGTH = 500  # characters of an expression
MAX_STEPS = 24  # links of a chain
MAX_DEPTH = 4  # brackets inside brackets
MAX_LIST = 64  # items of one list or of the arguments of one call
MAX_NUMBER = 10**9

# An integer, slice, None, Ellipsis, tuple or list; nothing else can be written.
Value = Any


class ExpressionError(StridedError, ValueError):
    """A text that is no chain of known operations. Fields: expression, column, problem, hint.

    >>> try:
    ...     parse("arange(6).reshap(2, 3)")
    ... except ExpressionError as error:
    ...     print(error)
    'arange(6).reshap(2, 3)' cannot be explored
      at column 11: there is no operation 'reshap'
      did you mean reshape(*size)?
    """

    expression: str
    column: int
    problem: str
    hint: str

    def _lines(self) -> tuple[str, ...]:
        shown = self.expression if len(self.expression) <= 60 else self.expression[:57] + "..."
        return (
            f"{shown!r} cannot be explored",
            f"at column {self.column + 1}: {self.problem}",
            self.hint or "",
        )


@dataclass(frozen=True)
class Link:
    """One link of a chain: an operation with its arguments, and where it stands in the text.

    ``kind`` is make, name, method, property or index; columns count from 0.
    """

    kind: str
    name: str
    args: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]
    source: str
    column: int
    end: int


def parse(expression: str, names: Collection[str] = ()) -> list[Link]:
    """Return the links of a chain; it may also begin with one of the given names.

    >>> [(link.name, link.args) for link in parse("zeros(2, 3).T[:, ::-1].view(6)")]
    [('zeros', (2, 3)), ('T', ()), ('[]', (slice(None, None, None), slice(None, None, -1))), ('view', (6,))]
    """  # noqa: E501
    return _Reader(expression, names).chain()


class _Reader:
    def __init__(self, expression: str, names: Collection[str]) -> None:
        self._text = expression
        self._names = names
        self._place = 0
        self._depth = 0
        if len(expression) > MAX_LENGTH:
            self._fail(MAX_LENGTH, "the text is too long", f"use at most {MAX_LENGTH} characters")
        self._tokens, at = cut(expression)
        if at is not None:
            self._fail(
                at,
                f"{expression[at]!r} has no meaning here",
                "use names, whole numbers, brackets, commas, colons and dots",
            )

    def _fail(self, column: int, problem: str, hint: str = "") -> NoReturn:
        raise ExpressionError(
            expression=self._text, column=column, problem=problem, hint=hint
        ) from None

    # ---- tokens ----

    @property
    def _now(self) -> Token:
        return self._tokens[self._place]

    def _next(self) -> Token:
        token = self._now
        self._place += token.kind != "end"
        return token

    def _at(self, text: str) -> bool:
        return self._now.kind == "sign" and self._now.text == text

    def _skip(self, text: str) -> bool:
        found = self._at(text)
        self._place += found
        return found

    def _need(self, text: str, hint: str) -> None:
        if not self._skip(text):
            self._fail(self._now.column, f"expected {text!r}, found {self._found()}", hint)

    def _found(self) -> str:
        return "the end of the text" if self._now.kind == "end" else repr(self._now.text)

    # ---- the chain ----

    def chain(self) -> list[Link]:
        links = [self._start()]
        while self._now.kind != "end":
            if len(links) >= MAX_STEPS:
                hint = f"use at most {MAX_STEPS} steps"
                self._fail(self._now.column, "the chain is too long", hint)
            if self._at("["):
                links.append(self._index())
            elif self._skip("."):
                links.append(self._dotted(self._tokens[self._place - 1]))
            else:
                self._fail(
                    self._now.column,
                    f"expected a next step, found {self._found()}",
                    "go on with .operation(...) or [index]",
                )
        return links

    def _start(self) -> Link:
        example = "begin with a new tensor, such as arange(24)"
        names = self._names
        if self._now.text in ("st", "strided") and self._tokens[self._place + 1].text == ".":
            self._place += 2
            names = ()
        first = self._next()
        if first.kind != "name":
            found = repr(first.text) if first.text else "nothing"
            self._fail(first.column, f"expected a tensor, found {found}", example)
        if first.text in names:
            return self._link("name", first.text, (), (), first.column)
        row = MAKERS.get(first.text)
        if row is None:
            known = ", ".join([*sorted(names), *MAKERS])
            self._fail(
                first.column, f"{first.text!r} makes no tensor", f"begin with one of {known}"
            )
        return self._call("make", row, first, first.column)

    def _dotted(self, dot: Token) -> Link:
        name = self._next()
        row = STEPS.get(name.text)
        if name.kind != "name" or row is None:
            problem = f"there is no operation {name.text!r}" if name.text else "a name is missing"
            self._fail(name.column, problem, nearest(name.text))
        if row.is_property:
            if self._at("("):
                self._fail(self._now.column, f".{row.name} takes no brackets", f"use .{row.name}")
            return self._link("property", row.name, (), (), dot.column)
        return self._call("method", row, name, dot.column)

    def _call(self, kind: str, row: Operation, name: Token, column: int) -> Link:
        use = f"use {row.use}"
        self._need("(", use)
        args: list[Value] = []
        keywords: dict[str, Value] = {}
        while not self._skip(")"):
            token = self._now
            if token.kind == "name" and self._tokens[self._place + 1].text == "=":
                if token.text not in row.keywords or token.text in keywords:
                    problem = f"{row.name} does not take {token.text}= here"
                    self._fail(token.column, problem, use)
                self._place += 2
                keywords[token.text] = self._value()
            elif keywords:
                self._fail(token.column, "a plain argument follows a named one", use)
            else:
                args.append(self._value())
            if not self._skip(","):
                self._need(")", use)
                break
        if not row.least <= len(args) + len(keywords) <= min(row.most, MAX_LIST):
            given = len(args) + len(keywords)
            self._fail(name.column, f"{row.name} does not take {given} arguments", use)
        return self._link(kind, row.name, tuple(args), tuple(keywords.items()), column)

    def _link(
        self,
        kind: str,
        name: str,
        args: tuple[Value, ...],
        keywords: tuple[tuple[str, Value], ...],
        column: int,
    ) -> Link:
        end = self._tokens[self._place - 1].end
        return Link(kind, name, args, keywords, self._text[column:end], column, end)

    # ---- values ----

    def _number(self) -> int:
        negative = False
        while self._skip("-"):
            negative = not negative
        token = self._next()
        if token.kind != "number":
            found = repr(token.text) if token.text else "the end of the text"
            self._fail(token.column, f"expected a whole number, found {found}", "such as 2 or -1")
        digits = token.text.replace("_", "")
        if len(digits) > 20 or int(digits) > MAX_NUMBER:
            self._fail(token.column, "the number is too large", f"use at most {MAX_NUMBER}")
        if self._at(".") and self._tokens[self._place + 1].kind == "number":
            self._fail(self._now.column, "the number has a fraction", "use whole numbers")
        return -int(digits) if negative else int(digits)

    def _value(self) -> Value:
        if self._at("("):
            items = self._items(")")
            # As in Python, it is the comma that makes a tuple.
            plain = len(items) == 1 and self._tokens[self._place - 2].text != ","
            return items[0] if plain else tuple(items)
        if self._at("["):
            return self._items("]")
        return self._number()

    def _items(self, closing: str) -> list[Value]:
        opening = self._next()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            hint = f"use at most {MAX_DEPTH} levels"
            self._fail(opening.column, "the brackets are nested too deeply", hint)
        items: list[Value] = []
        while not self._skip(closing):
            items.append(self._value())
            if len(items) > MAX_LIST:
                self._fail(opening.column, "the list is too long", f"use at most {MAX_LIST} items")
            if not self._skip(","):
                self._need(closing, "separate items by commas")
                break
        self._depth -= 1
        return items

    def _index(self) -> Link:
        opening = self._next()
        items: list[Value] = []
        hint = "use integers, slices such as 1:, ::2 or ::-1, ..., None, or lists of integers"
        if self._at("]"):
            self._fail(self._now.column, "the index is empty", hint)
        while not self._skip("]"):
            items.append(self._index_item())
            if not self._skip(","):
                self._need("]", hint)
                break
        return self._link("index", "[]", tuple(items), (), opening.column)

    def _index_item(self) -> Value:
        if self._skip("..."):
            return Ellipsis
        if self._now.text in ("None", "newaxis"):
            self._next()
            return None
        if self._at("["):
            return self._items("]")
        parts: list[int | None] = [None]
        if not self._at(":"):
            parts = [self._number()]
        if not self._at(":"):
            return parts[0]
        while self._skip(":"):
            if len(parts) == 3:
                self._fail(
                    self._now.column - 1, "a slice has at most two colons", "start:stop:step"
                )
            bare = self._at(":") or self._at(",") or self._at("]")
            parts.append(None if bare else self._number())
        return slice(*(*parts, None)[:3])
