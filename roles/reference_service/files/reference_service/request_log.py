# SPDX-License-Identifier: GPL-3.0-or-later
"""The request log: all requests to the API, in the order of arrival, with the status of each response."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from .ids import now
from .store import Store

_COLUMNS = ("number", "at", "method", "path", "query", "headers", "body", "status")


class RequestLog:
    def __init__(self, store: Store) -> None:
        self._database = store.database

    def arrived(self, method: str, path: str, query: str, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> int:
        """Record a request before it is processed, and return its number."""
        row = self._database.execute(
            "INSERT INTO journal (at, method, path, query, headers, body) VALUES (?, ?, ?, ?, ?, ?)",
            (now(), method, path, query, orjson.dumps(_joined(headers)), body),
        )
        return int(row.lastrowid or 0)

    def responded(self, number: int, status: int) -> None:
        """Record the status of the response to a request."""
        self._database.execute("UPDATE journal SET status = ? WHERE number = ?", (status, number))

    def after(self, number: int) -> list[dict[str, Any]]:
        """Return the requests with a higher number. `status` is null while a request is processed."""
        rows = self._database.execute(
            f"SELECT {', '.join(_COLUMNS)} FROM journal WHERE number > ? ORDER BY number", (number,)
        )
        entries = [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
        return [{**each, "headers": orjson.loads(each["headers"]), "body": _readable(each["body"])} for each in entries]

    def clear(self) -> None:
        self._database.execute("DELETE FROM journal")


def _joined(headers: Iterable[tuple[bytes, bytes]]) -> Mapping[str, str]:
    joined: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        joined[name] = f"{joined[name]}, {value}" if name in joined else value
    return joined


def _readable(body: bytes) -> Any:
    if not body:
        return None
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return body.decode(errors="replace")
