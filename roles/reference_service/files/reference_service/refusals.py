# SPDX-License-Identifier: GPL-3.0-or-later
"""Every answer that is not a success, in the one shape that errors have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from fastapi.exceptions import RequestValidationError
from starlette.responses import Response

from .ids import new_id


class Refusal(Exception):
    """A request that is not carried out. `code` is left out of the answer where it is None."""

    def __init__(self, status: int, code: str | None, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers

    def response(self, quotation: str = "") -> Response:
        """`quotation` is what the message says of the request, at its end."""
        body: dict[str, Any] = {"status_code": self.status}
        if self.code is not None:
            body["error_code"] = self.code
        body["msg"] = self.message + quotation
        body["details"] = {"operation_id": new_id("operation")}
        return Response(orjson.dumps(body), self.status, self.headers, "application/json")


def not_found(what: str, identifier: str) -> Refusal:
    return Refusal(404, "ERR_NOT_FOUND", f"There is no {what} with the id {identifier!r}.")


def invalid(message: str, code: str = "ERR_INVALID_REQUEST") -> Refusal:
    return Refusal(400, code, message)


def no_such_operation(status: int = 404) -> Refusal:
    return Refusal(status, None, "This service has no such operation.")


def from_faults(faults: RequestValidationError) -> Refusal:
    """All faults of one request in one message that names each field by its path."""
    lines: list[str] = []
    for fault in faults.errors():
        where, *path = fault["loc"]
        real = _real_path(path, faults.body) if where == "body" else [str(part) for part in path]
        line = f"{'.'.join(real) or 'the body'}: {_words(fault)}"
        if line not in lines:
            lines.append(line)
    return invalid("; ".join(lines))


def _words(fault: Mapping[str, Any]) -> str:
    if fault["type"] == "json_invalid":
        return f"is not JSON that can be taken: {fault['ctx']['error']}"
    return "is not a known field" if fault["type"] == "extra_forbidden" else str(fault["msg"])


def _real_path(path: list[Any], body: Any) -> list[str]:
    """Pydantic puts the names of union members into a path; only the parts that the body has are of use to a reader."""
    real: list[str] = []
    for position, part in enumerate(path):
        inside = (isinstance(body, dict) and part in body) or (isinstance(body, list) and isinstance(part, int))
        if inside:
            body = body[part] if isinstance(body, dict) or part < len(body) else None
        if inside or (position == len(path) - 1 and isinstance(body, dict)):
            real.append(str(part))
    return real
