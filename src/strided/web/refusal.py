"""HTTP refusals: a status, a message, and which field or rule it is about."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus


class Refused(Exception):
    """A request that is not answered, and what its sender is told.

    >>> refused = Refused(HTTPStatus.NOT_FOUND, "no such thing", code="not_found")
    >>> refused.status.value, str(refused), refused.code
    (404, 'no such thing', 'not_found')
    """

    def __init__(
        self,
        status: HTTPStatus,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.param = param
        self.code = code
        self.headers = dict(headers or {})


def bad_request(message: str, param: str | None = None, code: str | None = None) -> Refused:
    """Return the refusal of something that the sender can put right."""
    return Refused(HTTPStatus.BAD_REQUEST, message, param=param, code=code)


def failure() -> Refused:
    """Return the answer to those whose text was lost to a fault of ours; it tells no details."""
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    return Refused(status, "The server had an error while answering.", code="internal_error")


def shutting_down() -> Refused:
    """Return the answer to those who come, or are still there, when the server ends."""
    status = HTTPStatus.SERVICE_UNAVAILABLE
    return Refused(status, "The server is shutting down.", code="shutting_down")
