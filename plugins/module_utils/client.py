# SPDX-License-Identifier: GPL-3.0-or-later
"""The way to the service: session, authentication, paging, retries. Knows no resource, and nothing of Ansible.

Sections 4, 5, 7 and 9 of the description. All that fails is raised as a type of `errors`, and never holds the key.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import random
import threading
import traceback
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from typing import Any

from .addresses import next_page
from .connection import Connection
from .errors import (
    InvalidInput,
    NotThere,
    OutcomeUnknown,
    Refused,
    RequestError,
    UnexpectedAnswer,
    Unreachable,
    Untrusted,
)
from .fields import MASK
from .progress import Progress
from .retries import MISSING_OPERATION, REPEATABLE_METHODS, TOO_MANY_REQUESTS, backoff, is_passing, retry_after

try:
    import requests
except ImportError:
    REQUESTS_MISSING: str | None = traceback.format_exc()
else:
    REQUESTS_MISSING = None

USER_AGENT = "edgeops.ingress"
_OK = range(200, 300)
_REDIRECTS = range(300, 400)
_NO_CONTENT = 204
_UNAUTHENTICATED = 401
_LONGEST_MESSAGE = 2000


class Client:
    """One task's connection to the service. Counts its retries and the seconds that the task waited for them.

    It may be used by several threads at a time.
    """

    def __init__(self, connection: Connection, progress: Progress | None = None) -> None:
        self._connection = connection
        self.progress = progress or Progress()
        self._session, self._settings = _session_for(connection)
        self._lock = threading.Lock()
        self._waiting_until = 0.0
        self.retries = 0
        self.waited = 0.0

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the JSON of a call (None without content). `path` is below the base address."""
        return self._call_address(method, path, self._connection.base_url + path, body)

    def get(self, path: str) -> Any:
        return self.call("GET", path)[1]

    def get_or_none(self, path: str) -> Any:
        """The JSON at `path`, or None where the service knows nothing by that path."""
        try:
            return self.get(path)
        except NotThere as refusal:
            if refusal.status != 404:  # noqa: PLR2004
                raise
            return None

    def listed(self, path: str, key: str, next_key: str = "next_page_uri") -> Iterator[dict[str, Any]]:
        """All members of a list, page by page; each page is asked for once, and only at the service's own origin."""
        address = self._connection.base_url + path
        seen = set()
        while address not in seen:
            seen.add(address)
            page = self._call_address("GET", path, address, None)[1]
            members = (page.get(key) or []) if isinstance(page, dict) else None
            if not isinstance(members, list) or not all(isinstance(member, dict) for member in members):
                raise UnexpectedAnswer(f"GET {path} brought no list of {key}.", "GET", path)
            yield from members
            link = page.get(next_key)
            if not isinstance(link, str) or not link:
                return
            following = next_page(address, link, self._connection.base_url)
            if following is None:
                raise UnexpectedAnswer(
                    f"GET {path}: the link to the next page leads to another origin and is not followed.", "GET", path
                )
            address = following

    def pause(self, error: RequestError, retry: int) -> None:
        """Wait before a request is tried again, for the `retry`-th time from 0.

        Raises `error` where the tries of a request, or the time that the task may wait in all, are used up.
        """
        error.retries = retry
        wait = max(backoff(retry, random.random()), error.retry_after or 0.0)
        with self._lock:
            now = self.progress.clock()
            # Threads that wait at the same time make the task wait once.
            longer = max(0.0, now + wait - max(now, self._waiting_until))
            if retry >= self._connection.retries or self.waited + longer > self._connection.retry_max_wait:
                raise error
            self._waiting_until = max(self._waiting_until, now + wait)
            self.waited += longer
            self.retries += 1
        self.progress.waits(wait, str(error))

    def _call_address(self, method: str, path: str, address: str, body: Any) -> tuple[int, Any]:
        for retry in itertools.count():
            try:
                return self._send(method, path, address, body)
            except Unreachable as error:
                self.pause(error, retry)
            except OutcomeUnknown as error:
                error.retries = retry
                if method not in REPEATABLE_METHODS:
                    raise
                self.pause(error, retry)
            except Refused as error:
                error.retries = retry
                if error.status != TOO_MANY_REQUESTS:
                    raise
                self.pause(error, retry)
        raise AssertionError("this loop ends by returning or raising only")

    def _send(self, method: str, path: str, address: str, body: Any) -> tuple[int, Any]:
        connection = self._connection
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        try:
            request = self._session.prepare_request(
                requests.Request(
                    method, address, data=data, headers={"Content-Type": "application/json"} if data is not None else {}
                )
            )
            response = self._session.send(request, timeout=connection.timeout, allow_redirects=False, **self._settings)
        except requests.exceptions.ConnectTimeout:
            raise Unreachable(
                f"{method} {path}: no connection within {connection.timeout:g} seconds.", method, path
            ) from None
        except requests.exceptions.Timeout:
            raise OutcomeUnknown(
                f"{method} {path}: no answer within {connection.timeout:g} seconds.", method, path
            ) from None
        except requests.exceptions.SSLError as exc:
            raise _tls_error(exc)(f"{method} {path}: {_innermost(exc)} (see ca_path)", method, path) from None
        except requests.exceptions.RequestException as exc:
            kind = Unreachable if _never_connected(exc) else OutcomeUnknown
            raise kind(self._scrubbed(f"{method} {path}: {_innermost(exc)}"), method, path) from None
        except OSError as exc:
            # Requests looks for the file of ca_path itself, and says so in its own way.
            raise InvalidInput([f"ca_path: {exc}"]) from None
        return self._read(method, path, response)

    def _read(self, method: str, path: str, response: requests.Response) -> tuple[int, Any]:
        status = response.status_code
        if status not in _OK:
            raise self._failure(method, path, response)
        if status == _NO_CONTENT or not response.content:
            return status, None
        try:
            return status, json.loads(response.content)
        except (ValueError, RecursionError):
            # Of a write, it is not even sure that the service itself has answered.
            error = UnexpectedAnswer if method == "GET" else OutcomeUnknown
            kind = response.headers.get("Content-Type", "no content type")
            raise error(
                self._scrubbed(f"{method} {path}: the answer ({status}, {kind}) is no JSON."), method, path
            ) from None

    def _failure(self, method: str, path: str, response: requests.Response) -> RequestError:
        status = response.status_code
        if status in _REDIRECTS:
            return UnexpectedAnswer(
                f"{method} {path}: the service answered with a redirect ({status}), which is not followed, so that the "
                "key goes nowhere else. Check base_url.",
                method,
                path,
            )
        said = _error_body(response)
        details = said.get("details")
        code, text = self._told(said, "error_code"), self._told(said, "msg")
        parts = (
            f"{method} {path}: the service answered {status}",
            f" {code}" if code else "",
            f": {text}" if text else "",
        )
        message = "".join(parts)
        if status == _UNAUTHENTICATED:
            message += " (check api_key)"
        error: RequestError
        if is_passing(status) and status != TOO_MANY_REQUESTS:
            error = OutcomeUnknown(message, method, path, status)
        else:
            kind = NotThere if status in MISSING_OPERATION else Refused
            operation_id = self._told(details, "operation_id") if isinstance(details, dict) else None
            error = kind(message, method, path, status, code, text, operation_id)
        error.retry_after = retry_after(response.headers.get("Retry-After"), datetime.now(timezone.utc))
        return error

    def _told(self, said: Mapping[str, Any], name: str) -> str | None:
        return self._scrubbed(str(said[name]))[:_LONGEST_MESSAGE] if said.get(name) else None

    def _scrubbed(self, text: str) -> str:
        """Without the key: some services quote the key that they refuse."""
        return text.replace(self._connection.api_key, MASK)


_sessions: dict[tuple[int, Connection], tuple[requests.Session, Mapping[str, Any]]] = {}


def _session_for(connection: Connection) -> tuple[requests.Session, Mapping[str, Any]]:
    """The session of this process, kept for the tasks to come, and the settings that its requests have from outside.

    Of this process alone: two that share a socket after a fork get each other's answers.
    """
    key = (os.getpid(), connection)
    if key not in _sessions:
        _sessions.clear()
        session = requests.Session()
        session.headers.update(
            {"Accept": "application/json", "User-Agent": USER_AGENT, connection.version_header: connection.api_version}
        )
        # As an authentication callable, the key can't be replaced by an entry of a .netrc file.
        session.auth = functools.partial(_authenticate, connection.api_key)
        verify = connection.validate_certs and (connection.ca_path or True)
        # Looked at once, and not for each request: that takes longer than all else that requests does for it.
        settings = session.merge_environment_settings(connection.base_url, {}, None, verify, None)
        _sessions[key] = session, {name: value for name, value in settings.items() if name != "stream"}
    return _sessions[key]


def _authenticate(api_key: str, request: requests.PreparedRequest) -> requests.PreparedRequest:
    request.headers["Authorization"] = f"Bearer {api_key}"
    return request


def _error_body(response: requests.Response) -> dict[str, Any]:
    try:
        said = json.loads(response.content)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _tls_error(exc: requests.exceptions.SSLError) -> type[RequestError]:
    """A certificate that does not check stays as it is; a handshake that broke may go through the next time."""
    return Untrusted if "CERTIFICATE_VERIFY_FAILED" in str(exc) else Unreachable


def _never_connected(exc: requests.exceptions.RequestException) -> bool:
    """Whether the request was surely not received, by what urllib3 calls a connection that was never made."""
    if isinstance(exc, requests.exceptions.ProxyError):
        return True
    reason = getattr(exc.args[0] if exc.args else None, "reason", None)
    return type(reason).__name__ in {"NewConnectionError", "NameResolutionError", "ConnectTimeoutError"}


def _innermost(exc: BaseException) -> str:
    """What went wrong, without the layers that libraries wrap around it."""
    inner = exc.args[0] if exc.args else None
    reason = getattr(inner, "reason", None) or inner
    return str(reason if isinstance(reason, BaseException) else exc)
