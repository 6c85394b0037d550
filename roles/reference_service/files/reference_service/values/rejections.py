# SPDX-License-Identifier: GPL-3.0-or-later
"""Error responses, which all have the same format."""

from collections.abc import Mapping
from typing import Any

import orjson
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from pydantic_core import PydanticCustomError
from starlette.responses import Response

from .ids import new_id
from .rejection_codes import OF_VALIDATION, Code

_SPELLED = {word: word.upper() for word in ("api", "http", "https", "ip", "ssh", "tcp", "tls")}


class Rejection(Exception):
    """A rejected request. If `code` is None, the response does not contain it."""

    def __init__(self, status: int, code: Code | None, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers

    def response(self, quotation: str = "") -> Response:
        """Return the response. `quotation` is added to the end of the message."""
        body: dict[str, Any] = {"status_code": self.status}
        if self.code is not None:
            body["error_code"] = self.code.value
        body["msg"] = self.message + quotation
        body["details"] = {"operation_id": new_id("op_")}
        return Response(orjson.dumps(body), self.status, self.headers, "application/json")


def invalid_value(code: Code, message: str) -> PydanticCustomError:
    """Return the error of a value, with the message that the client receives."""
    return PydanticCustomError(code.value, "{message}", {"message": message})


def called(kind: str) -> str:
    """Return what messages call an object of this kind."""
    return " ".join(_SPELLED.get(word, word) for word in kind.split("_"))


def not_found(kind: str, identifier: str) -> Rejection:
    return Rejection(404, Code.NOT_FOUND, f"There is no {called(kind)} with the ID {identifier!r}.")


def invalid(message: str, code: Code = Code.INVALID_REQUEST) -> Rejection:
    return Rejection(400, code, message)


def no_such_operation(status: int = 404) -> Rejection:
    return Rejection(status, None, "This service does not support this operation.")


def from_validation(found: RequestValidationError) -> Rejection:
    """Return all errors of one request in one message, which names each field by its path."""
    lines: list[str] = []
    for error in found.errors():
        where, *path = error["loc"]
        real = _real_path(path, found.body) if where == "body" else [str(part) for part in path]
        line = f"{'.'.join(real) or 'the body'}: {_words(error)}"
        if line not in lines:
            lines.append(line)
    first = next(iter(found.errors()))
    return invalid("; ".join(lines), OF_VALIDATION.get(first["type"], Code.INVALID_REQUEST))


def _words(error: Mapping[str, Any]) -> str:
    if error["type"] == "json_invalid":
        return f"is not valid JSON: {error['ctx']['error']}"
    return "is not a known field" if error["type"] == "extra_forbidden" else str(error["msg"])


def _real_path(path: list[Any], body: Any) -> list[str]:
    """Return the parts of a path that exist in the body. Pydantic adds the names of union members to the path."""
    real: list[str] = []
    for position, part in enumerate(path):
        inside = (isinstance(body, dict) and part in body) or (isinstance(body, list) and isinstance(part, int))
        if inside:
            body = body[part] if isinstance(body, dict) or part < len(body) else None
        if inside or (position == len(path) - 1 and isinstance(body, dict)):
            real.append(str(part))
    return real


def without_values(error: ValidationError) -> str:
    """Return what is wrong where. The values can be secrets, and this goes into a log."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, each['loc'])) or 'the file'}: {each['msg']}" for each in found)
