"""How does a server say no? As OpenAI does: with a message, its type, the field, and a code."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

_KINDS = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
}


class Refused(Exception):
    """A request that is not answered, and what its sender is told.

    >>> Refused(HTTPStatus.NOT_FOUND, "no such thing", code="not_found").body["error"]["type"]
    'invalid_request_error'
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

    @property
    def body(self) -> dict[str, Any]:
        """The object that is sent."""
        usual = "server_error" if self.status >= 500 else "invalid_request_error"
        kind = _KINDS.get(self.status, usual)
        error = {"message": str(self), "type": kind, "param": self.param, "code": self.code}
        return {"error": error}


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
