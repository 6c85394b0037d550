# SPDX-License-Identifier: GPL-3.0-or-later
"""The state in one SQLite file: all objects in the format of their requests, and the log of all requests to the API, in
the order of arrival, with the status of each response.

WAL with synchronous=NORMAL passes each commit to the operating system, so it survives `kill -9` of the process. All
calls come from the thread of the event loop, and no write transaction contains an await, so writes happen in sequence.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from .private_files import make_private
from .values.formats import ascii_form
from .values.ids import now
from .values.rejection_codes import Code
from .values.rejections import invalid

Document = dict[str, Any]

_NEXT_TO = ("-wal", "-shm", "-journal")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS objects (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    parent TEXT,
    created_at TEXT NOT NULL,
    document BLOB
);
CREATE INDEX IF NOT EXISTS objects_by_kind ON objects (kind, number);
CREATE INDEX IF NOT EXISTS objects_by_parent ON objects (parent, number);
CREATE TABLE IF NOT EXISTS hostports (hostport TEXT PRIMARY KEY, edge_id TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS hostports_by_edge ON hostports (edge_id);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS journal (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    query TEXT NOT NULL,
    headers BLOB NOT NULL,
    body BLOB NOT NULL,
    status INTEGER
);
"""

_LOGGED = ("number", "at", "method", "path", "query", "headers", "body", "status")


@dataclass(frozen=True)
class Stored:
    """A stored object. `document` has the format of requests, and `parent` is the edge of a route."""

    kind: str
    id: str
    parent: str | None
    created_at: str
    document: Document


class Store:
    def __init__(self, path: str) -> None:
        is_file = path != ":memory:"
        if is_file and not Path(path).exists():
            make_private(Path(path))
        self.database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=5000;")
        self.database.executescript(_SCHEMA)  # fails for a file that is not a database, whose mode stays as it is
        for each in (path, *(f"{path}{suffix}" for suffix in _NEXT_TO)):
            if is_file and Path(each).exists():
                make_private(Path(each))
        self._released: dict[str, tuple[str, int]] = {}

    def close(self) -> None:
        self.database.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run a transaction. Values that are read inside of it do not change until it is committed."""
        self.database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.database.execute("ROLLBACK")
            raise
        self.database.execute("COMMIT")

    def _value(self, query: str, *values: str) -> Any:
        """Return the only value that a query finds, or None."""
        row = self.database.execute(query, values).fetchone()
        return row and row[0]

    def _objects(self, condition: str, *values: Any) -> list[Stored]:
        """Return the objects that are not deleted and meet a condition, which can be followed by an order."""
        columns = "kind, id, parent, created_at, document"
        rows = self.database.execute(
            f"SELECT {columns} FROM objects WHERE document IS NOT NULL AND {condition}", values
        )
        return [Stored(kind, own, parent, at, orjson.loads(held)) for kind, own, parent, at, held in rows]

    def add(self, kind: str, document: Document, identifier: str, parent: str | None = None) -> Stored:
        stored = Stored(kind, identifier, parent, now(), document)
        try:
            self.database.execute(
                "INSERT INTO objects (kind, id, parent, created_at, document) VALUES (?, ?, ?, ?, ?)",
                (kind, identifier, parent, stored.created_at, orjson.dumps(document)),
            )
        except sqlite3.IntegrityError:
            raise invalid(f"The ID {identifier!r} is taken.", Code.ID_TAKEN) from None
        return stored

    def get(self, kind: str, identifier: str) -> Stored | None:
        return next(iter(self._objects("id = ? AND kind = ?", identifier, kind)), None)

    def replace(self, identifier: str, document: Document) -> None:
        self.database.execute("UPDATE objects SET document = ? WHERE id = ?", (orjson.dumps(document), identifier))

    def remove(self, identifier: str) -> None:
        """Delete an object. Its row stays without a document, so that a page can still start at its ID."""
        self.database.execute("UPDATE objects SET document = NULL WHERE id = ?1 OR parent = ?1", (identifier,))
        self.claim_hostports(identifier, [])

    def number_of(self, kind: str, identifier: str) -> int | None:
        """Return the position of an object, even if it is deleted, in the order of creation."""
        number: int | None = self._value("SELECT number FROM objects WHERE id = ? AND kind = ?", identifier, kind)
        return number

    def newest_first(self, kind: str, before: int | None = None, count: int = -1) -> list[Stored]:
        condition = "kind = ? AND (?2 IS NULL OR number < ?2) ORDER BY number DESC LIMIT ?"
        return self._objects(condition, kind, before, count)

    def children(self, parents: Iterable[str]) -> dict[str, list[Stored]]:
        """Return the routes of each edge, oldest first."""
        found: dict[str, list[Stored]] = {parent: [] for parent in parents}
        marks = ", ".join("?" * len(found))
        for child in self._objects(f"parent IN ({marks}) ORDER BY parent, number", *found):
            found[str(child.parent)].append(child)
        return found

    def has(self, identifier: str) -> bool:
        return bool(self._objects("id = ?", identifier))

    def containing(self, text: str) -> list[Stored]:
        """Return the objects whose documents contain this string as a value, oldest first."""
        return self._objects("instr(document, ?) > 0 ORDER BY number", orjson.dumps(text))

    def claim_hostports(self, edge_id: str, hostports: Iterable[str], slow_releases: int = 0) -> str | None:
        """Replace the hostports of an edge. Return None, or which of them belongs to which other edge.

        A hostport that another edge has given up counts as its own for as many claims as `slow_releases` says.
        """
        forms = {ascii_form(hostport): hostport for hostport in hostports}
        held = self.database.execute("SELECT hostport FROM hostports WHERE edge_id = ?", (edge_id,)).fetchall()
        self.database.execute("DELETE FROM hostports WHERE edge_id = ?", (edge_id,))
        for form, hostport in forms.items():
            owner, claims = self._released.get(form, (edge_id, 0))
            if owner != edge_id and claims < slow_releases:
                self._released[form] = owner, claims + 1
                return _taken(hostport, owner)
            try:
                self.database.execute("INSERT INTO hostports VALUES (?, ?)", (form, edge_id))
            except sqlite3.IntegrityError:
                return _taken(hostport, self._value("SELECT edge_id FROM hostports WHERE hostport = ?", form))
        self._released.update({form: (edge_id, 0) for (form,) in held if form not in forms})
        return None

    def log(self, method: str, path: str, query: str, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> int:
        """Record a request before it is processed, and return its number."""
        row = self.database.execute(
            "INSERT INTO journal (at, method, path, query, headers, body) VALUES (?, ?, ?, ?, ?, ?)",
            (now(), method, path, query, orjson.dumps(_joined(headers)), body),
        )
        return int(row.lastrowid or 0)

    def log_status(self, number: int, status: int) -> None:
        """Record the status of the response to a request."""
        self.database.execute("UPDATE journal SET status = ? WHERE number = ?", (status, number))

    def logged_after(self, number: int) -> list[dict[str, Any]]:
        """Return the requests with a higher number. `status` is null while a request is processed."""
        rows = self.database.execute(
            f"SELECT {', '.join(_LOGGED)} FROM journal WHERE number > ? ORDER BY number", (number,)
        )
        entries = [dict(zip(_LOGGED, row, strict=True)) for row in rows]
        return [{**each, "headers": orjson.loads(each["headers"]), "body": _readable(each["body"])} for each in entries]

    def clear_log(self) -> None:
        self.database.execute("DELETE FROM journal")

    def is_empty(self) -> bool:
        return self._value("SELECT 1 FROM objects LIMIT 1") is None

    def setting(self, name: str) -> Any:
        value = self._value("SELECT value FROM settings WHERE name = ?", name)
        return value and orjson.loads(value)

    def set_setting(self, name: str, value: Any) -> None:
        self.database.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, orjson.dumps(value)))

    def clear(self) -> None:
        """Delete everything except the counters, so that no number is used again."""
        with self.writing():
            for table in ("objects", "hostports", "settings", "journal"):
                self.database.execute(f"DELETE FROM {table}")
        self._released.clear()


def _taken(hostport: str, owner: str) -> str:
    return f"hostports: {hostport!r} belongs to another edge, {owner}"


def _joined(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
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
