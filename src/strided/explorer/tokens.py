"""Where does each word, number and sign of an expression begin?"""

from __future__ import annotations

import re
from dataclasses import dataclass

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
