# SPDX-License-Identifier: GPL-3.0-or-later
"""One exchange of a request and its answer, bounded in size and time. Knows nothing of what an answer means.

Sections 5 and 9 of the description. What fails is told apart by whether the request can have arrived, which its
`Delivery` proves.
"""

from __future__ import annotations

import functools
import math
import os
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from .._errors import InvalidInput, Misdirected, OutcomeUnknown, RequestError, UnexpectedAnswer, Unreachable, Untrusted
from .._model.masking import Masks
from .addresses import names_loopback
from .answers import one_line
from .connection import Connection
from .delivery import Delivery, NotThisMachine, deliver_here, record_deliveries
from .diagnosis import Diagnosis, Place, diagnosed, innermost, refused_by_tls
from .proxies import credentials_in, problem_with_proxy
from .retries import REPEATABLE_METHODS
from .tls import problem_with_authorities, speaks_tls

try:
    import requests
except ImportError:
    REQUESTS_MISSING: str | None = traceback.format_exc()
else:
    REQUESTS_MISSING = None

USER_AGENT = "edgeops.ingress"

LARGEST_ANSWER = 32 * 2**20
"""In bytes. A page of 100 edges with 400 routes each is as large as that."""

_LONGEST_QUOTE = 500
_PIECE = 2**16
_LONGEST_IDLE = 1.0
# Requests' own timeouts tell more than that time is over, so they may be noticed first.
_GRACE = 0.25


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes


class Transport:
    """The line to a service, over which requests go. Several threads may use it at a time."""

    def __init__(self, connection: Connection, masks: Masks) -> None:
        self._connection = connection
        self._session, self._settings, self._problem = _session_for(connection)
        parts = urlsplit(connection.base_url)
        self._is_plain = parts.scheme == "http"
        proxy = requests.utils.select_proxy(connection.base_url, self._settings["proxies"])
        self._place = Place(parts.netloc, proxy=bool(proxy))
        self._has_worked = self._breaks_kept_connections = False
        self._masks = masks
        masks.add(lambda: [each for proxy in self._settings["proxies"].values() for each in credentials_in(str(proxy))])

    def exchange(self, method: str, path: str, address: str, data: bytes | None) -> Answer:
        """The answer to a request; `path` is what errors call it by.

        Raises Unreachable, Untrusted or Misdirected where the request has surely not arrived, OutcomeUnknown where it
        may have, and UnexpectedAnswer for what is too large to be read.
        """
        if self._problem:
            raise InvalidInput([self._problem])
        headers = {} if data is None else {"Content-Type": "application/json"}
        request = requests.Request(method, address, data=data, headers=headers)
        delivery = Delivery(
            stays_here=self._is_plain and not self._connection.allow_http, longest_idle=self._longest_idle(method)
        )
        attempt = _Attempt(self._session, request, {**self._settings, "timeout": self._connection.timeout}, delivery)
        attempt.start()
        attempt.join(self._connection.timeout + _GRACE)
        if attempt.is_alive():
            attempt.given_up = True
            raise self._too_late(method, path, was_sent=attempt.delivery.forbid())
        if attempt.answer is None:
            self._breaks_kept_connections = self._breaks_kept_connections or delivery.was_on_kept_connection()
            was_sent = attempt.delivery.may_have_begun() and not _has_no_address(attempt)
            failed = self._error_after_sending if was_sent else self._error_before_sending
            raise failed(method, path, attempt.failure) from None
        self._has_worked = True
        return attempt.answer

    def _longest_idle(self, method: str) -> float:
        """How long a connection may have been idle for a request.

        If the service closes a connection while a request leaves, nobody knows whether that has taken effect. Of a
        creation, not even a look may tell, so that it gets a connection of its own.
        """
        if method in REPEATABLE_METHODS:
            return math.inf
        return 0.0 if method == "POST" or self._breaks_kept_connections else _LONGEST_IDLE

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
        if isinstance(exc, NotThisMachine):
            return Misdirected(
                f"{method} {path}: base_url leads to {exc.address}, which is not this machine, so the key was not sent "
                "there unencrypted. Use https, or set allow_http: true if the way there is safe.",
                method,
                path,
            )
        if isinstance(exc, requests.exceptions.RequestException):
            return self._no_connection(method, path, exc)
        raise exc or AssertionError("an attempt ends with an answer or with a failure")

    def _no_connection(self, method: str, path: str, exc: requests.exceptions.RequestException) -> RequestError:
        found = diagnosed(exc, self._place)
        kind: type[RequestError] = Unreachable
        if found.distrusts:
            kind = Untrusted
        elif found.is_final and not self._has_worked:
            # What has worked in this task is no mistake in its options, and may work again.
            kind = Misdirected
        return kind(self.scrubbed(f"{method} {path}: {self._described(found, exc)}"), method, path)

    def _described(self, found: Diagnosis, exc: BaseException) -> str:
        if found.finding:
            return f"{found.finding}; {found.advice} ({self._quoted(found.cause)})"
        return f"{self._quoted(innermost(exc))} ({found.advice})"

    def _quoted(self, text: str) -> str:
        """What a library says, on one line. It may quote whatever the other side has sent."""
        return one_line(self.scrubbed(text), _LONGEST_QUOTE)

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
        if isinstance(exc, Exception) and self._should_be_https():
            # Whether a write has come to nothing there is for whoever looks afterwards to see.
            kind = Misdirected if method == "GET" else OutcomeUnknown
            message = f"{self._place.authority} speaks TLS; use https instead of http in base_url"
            return kind(self.scrubbed(f"{method} {path}: {message} ({self._quoted(innermost(exc))})"), method, path)
        if isinstance(exc, Exception) and (refusal := refused_by_tls(exc, self._place)):
            kind = Misdirected if method == "GET" and not self._has_worked else OutcomeUnknown
            return kind(self.scrubbed(f"{method} {path}: {self._described(refusal, exc)}"), method, path)
        if isinstance(exc, Exception):
            return OutcomeUnknown(self.scrubbed(f"{method} {path}: {self._quoted(innermost(exc))}"), method, path)
        raise exc or AssertionError("an attempt ends with an answer or with a failure")

    def _should_be_https(self) -> bool:
        """Whether a service that did not answer a request without TLS would answer one with it."""
        if not self._is_plain or self._has_worked or self._place.proxy:
            return False
        return speaks_tls(self._connection.base_url, self._connection.timeout)


class _Attempt(threading.Thread):
    """A request on its way, in a thread that can be left to itself.

    Requests counts its timeout anew with every piece that arrives, so that an answer that drips never ends.
    """

    def __init__(
        self, session: requests.Session, request: requests.Request, settings: dict[str, Any], delivery: Delivery
    ) -> None:
        super().__init__(daemon=True)
        self._session, self._request, self._settings = session, request, settings
        self.delivery = delivery
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


def _has_no_address(attempt: _Attempt) -> bool:
    """Whether it failed because an address, such as that of a proxy, is none, so that nothing was connected to."""
    exceptions = requests.exceptions
    kinds = (exceptions.InvalidURL, exceptions.InvalidSchema, exceptions.MissingSchema)
    return isinstance(attempt.failure, kinds) and not attempt.delivery.has_connected()


_sessions: dict[tuple[int, Connection], tuple[requests.Session, Mapping[str, Any], str]] = {}


def _session_for(connection: Connection) -> tuple[requests.Session, Mapping[str, Any], str]:
    """The session of this process, kept for the tasks to come, and the settings that its requests have from outside.

    The third is what keeps any request from being sent, if there is something.

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
        used: dict[str, Any] = {name: settings[name] for name in ("proxies", "verify", "cert")}
        if names_loopback(connection.base_url):
            # What may be sent without TLS because it stays on this machine has to stay there.
            used["proxies"] = {}
        proxy = requests.utils.select_proxy(connection.base_url, used["proxies"])
        scheme = urlsplit(connection.base_url).scheme
        option_error = problem_with_authorities(connection.base_url, settings["verify"], bool(connection.ca_path))
        if option_error := option_error or (problem_with_proxy(proxy, scheme, os.environ) if proxy else ""):
            return (
                session,
                used,
                option_error,
            )  # not kept: the file may be another one the next time, and so may the variable
        _sessions[key] = session, used, ""
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
