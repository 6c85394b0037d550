# SPDX-License-Identifier: GPL-3.0-or-later
"""One exchange of a request and its answer, bounded in size and time. Knows nothing of what an answer means.

Sections 5 and 9 of the description. What fails is told apart by whether the request can have arrived, which its
`Delivery` proves.
"""

from __future__ import annotations

import functools
import os
import ssl
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .connection import Connection
from .delivery import Delivery, deliver_here, record_deliveries
from .errors import InvalidInput, OutcomeUnknown, RequestError, UnexpectedAnswer, Unreachable, Untrusted
from .masking import Masks, credentials_in

try:
    import requests
except ImportError:
    REQUESTS_MISSING: str | None = traceback.format_exc()
else:
    REQUESTS_MISSING = None

USER_AGENT = "edgeops.ingress"

LARGEST_ANSWER = 32 * 2**20
"""In bytes. A page of 100 edges with 400 routes each is as large as that."""

_PIECE = 2**16
# Requests' own timeouts tell more than that time is over, so they may be noticed first.
_GRACE = 0.25


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes


class Line:
    """The line to a service, over which requests go. Several threads may use it at a time."""

    def __init__(self, connection: Connection, masks: Masks) -> None:
        self._connection = connection
        self._session, self._settings = _session_for(connection)
        self._masks = masks
        masks.add(lambda: [each for proxy in self._settings["proxies"].values() for each in credentials_in(str(proxy))])

    def exchange(self, method: str, path: str, address: str, data: bytes | None) -> Answer:
        """The answer to a request; `path` is what errors call it by.

        Raises Unreachable or Untrusted where the request has surely not arrived, OutcomeUnknown where it may have, and
        UnexpectedAnswer for what is too large to be read.
        """
        headers = {} if data is None else {"Content-Type": "application/json"}
        request = requests.Request(method, address, data=data, headers=headers)
        attempt = _Attempt(self._session, request, {**self._settings, "timeout": self._connection.timeout})
        attempt.start()
        attempt.join(self._connection.timeout + _GRACE)
        if attempt.is_alive():
            attempt.given_up = True
            raise self._too_late(method, path, was_sent=attempt.delivery.forbid())
        if attempt.answer is None:
            failed = self._error_after_sending if attempt.delivery.may_have_begun() else self._error_before_sending
            raise failed(method, path, attempt.failure) from None
        return attempt.answer

    def scrubbed(self, text: str) -> str:
        """Without any secret of the task, or of the way to the service."""
        return self._masks.library_text(text)

    def _too_late(self, method: str, path: str, was_sent: bool) -> RequestError:
        kind, what = (OutcomeUnknown, "whole answer") if was_sent else (Unreachable, "connection")
        seconds = "1 second" if self._connection.timeout == 1 else f"{self._connection.timeout:g} seconds"
        return kind(f"{method} {path}: no {what} within {seconds}.", method, path)

    def _error_before_sending(self, method: str, path: str, exc: BaseException | None) -> Exception:
        """What kept a request from being sent."""
        if isinstance(exc, requests.exceptions.Timeout):
            return self._too_late(method, path, was_sent=False)
        if isinstance(exc, requests.exceptions.RequestException):
            kind = Untrusted if _is_about_trust(exc) else Unreachable
            is_about_tls = kind is Untrusted or isinstance(exc, requests.exceptions.SSLError)
            advice = "see ca_path" if is_about_tls else "check base_url, and the way there"
            return kind(self.scrubbed(f"{method} {path}: {_innermost(exc)} ({advice})"), method, path)
        raise exc or AssertionError("an attempt ends with an answer or with a failure")

    def _error_after_sending(self, method: str, path: str, exc: BaseException | None) -> Exception:
        """What kept the answer to a request from being read, which may have taken effect whatever that was.

        A request that failed before any connection is here, too: nothing was seen that proves more.
        """
        if isinstance(exc, requests.exceptions.Timeout):
            return self._too_late(method, path, was_sent=True)
        if isinstance(exc, _TooLarge):
            # Of a write, it is not even sure that the service itself has answered.
            kind: type[RequestError] = UnexpectedAnswer if method == "GET" else OutcomeUnknown
            limit = f"{LARGEST_ANSWER // 2**20} MiB"
            return kind(f"{method} {path}: the answer is larger than {limit}, and was not read.", method, path)
        if isinstance(exc, OSError) and not isinstance(exc, requests.exceptions.RequestException):
            # Requests looks for the file of ca_path itself, before it connects, and says so in its own way.
            return InvalidInput([f"ca_path: {exc}"])
        if isinstance(exc, Exception):
            return OutcomeUnknown(self.scrubbed(f"{method} {path}: {_innermost(exc)}"), method, path)
        raise exc or AssertionError("an attempt ends with an answer or with a failure")


class _Attempt(threading.Thread):
    """A request on its way, in a thread that can be left to itself.

    Requests counts its timeout anew with every piece that arrives, so that an answer that drips never ends.
    """

    def __init__(self, session: requests.Session, request: requests.Request, settings: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self._session, self._request, self._settings = session, request, settings
        self.delivery = Delivery()
        self.answer: Answer | None = None
        self.failure: BaseException | None = None
        self.given_up = False

    def run(self) -> None:
        deliver_here(self.delivery)
        try:
            self.answer = self._answer()
        except BaseException as exc:  # whoever waits for it raises it
            self.failure = exc

    def _answer(self) -> Answer:
        request = self._session.prepare_request(self._request)
        with self._session.send(request, stream=True, allow_redirects=False, **self._settings) as response:
            content = bytearray()
            for piece in response.iter_content(_PIECE):
                content += piece
                if len(content) > LARGEST_ANSWER or self.given_up:
                    raise _TooLarge
            expected = response.headers.get("Content-Length", "")
            if expected.isdigit() and "Content-Encoding" not in response.headers and len(content) < int(expected):
                # Older versions of urllib3 take what was cut off for the whole.
                raise requests.exceptions.ConnectionError(f"the answer broke off after {len(content)} bytes")
            return Answer(response.status_code, response.headers, bytes(content))


class _TooLarge(Exception):
    """An answer of more bytes than anything that the service has to say."""


_sessions: dict[tuple[int, Connection], tuple[requests.Session, Mapping[str, Any]]] = {}


def _session_for(connection: Connection) -> tuple[requests.Session, Mapping[str, Any]]:
    """The session of this process, kept for the tasks to come, and the settings that its requests have from outside.

    Of this process alone: two that share a socket after a fork get each other's answers.
    """
    key = (os.getpid(), connection)
    if key not in _sessions:
        _sessions.clear()
        session = requests.Session()
        for scheme in ("https://", "http://"):
            session.mount(scheme, _recording_adapter())
        session.headers.update(
            {"Accept": "application/json", "User-Agent": USER_AGENT, connection.version_header: connection.api_version}
        )
        # As an authentication callable, the key can't be replaced by an entry of a .netrc file.
        session.auth = functools.partial(_authenticate, connection.api_key)
        if not connection.validate_certs:
            # Whoever asks for that has read what it means, and needs no line about it for each request.
            requests.packages.urllib3.disable_warnings()  # type: ignore[attr-defined]
        verify = connection.validate_certs and (connection.ca_path or True)
        # Looked at once, and not for each request: that takes longer than all else that requests does for it.
        settings = session.merge_environment_settings(connection.base_url, {}, None, verify, None)
        _sessions[key] = session, {name: settings[name] for name in ("proxies", "verify", "cert")}
    return _sessions[key]


def _authenticate(api_key: str, request: requests.PreparedRequest) -> requests.PreparedRequest:
    request.headers["Authorization"] = f"Bearer {api_key}"
    return request


def _recording_adapter() -> requests.adapters.HTTPAdapter:
    """Where sessions get connections from that record whether anything was sent over them."""

    class Adapter(requests.adapters.HTTPAdapter):
        def init_poolmanager(self, *args: Any, **settings: Any) -> None:
            super().init_poolmanager(*args, **settings)
            record_deliveries(self.poolmanager)

        def proxy_manager_for(self, *args: Any, **settings: Any) -> Any:
            return record_deliveries(super().proxy_manager_for(*args, **settings))

    return Adapter()


def _is_about_trust(exc: requests.exceptions.RequestException) -> bool:
    """Whether a certificate does not check. It stays as it is, while a broken handshake may succeed the next time."""
    layers: list[BaseException] = [exc]
    for each in layers:
        # urllib3 1.26 compares the names of hosts itself, and raises a CertificateError of its own.
        if isinstance(each, ssl.SSLCertVerificationError) or type(each).__name__ == "CertificateError":
            return True
        inner = (*each.args, getattr(each, "reason", None))
        layers += [one for one in inner if isinstance(one, BaseException)]
    return False


def _innermost(exc: BaseException) -> str:
    """What went wrong, without the layers that libraries wrap around it."""
    inner = exc.args[0] if exc.args else None
    reason = getattr(inner, "reason", None) or inner
    return str(reason if isinstance(reason, BaseException) else exc)
