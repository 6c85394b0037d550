# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends one request and reads its response, within limits of size and time. Does not interpret the response.

Sections 5 and 9 of the API reference. Errors are distinguished by whether the request may have arrived, which its
`Delivery` proves.
"""

from __future__ import annotations

import functools
import math
import os
import traceback
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from .._errors import Misdirected, OutcomeUnknown, Request, RequestError, UnexpectedResponse, Unreachable
from .._model.masking import Masks
from .._values.option_error import InvalidOptions, OptionError
from .addresses import names_loopback
from .connection import Connection
from .delivery import Delivery, NotThisMachine, record_deliveries
from .diagnosis import Diagnosis, diagnosed, innermost, rejected_by_tls, speaks_tls
from .machine_settings import credentials_in, problem_with_authorities, problem_with_proxy
from .responses import Response, one_line
from .retries import REPEATABLE_METHODS

try:
    import requests
except ImportError:
    REQUESTS_MISSING: str | None = traceback.format_exc()
else:
    REQUESTS_MISSING = None

LARGEST_RESPONSE = 32 * 2**20
"""In bytes. A page of 100 edges with 400 routes each is as large as that."""

_LONGEST_QUOTE = 500
_MOST_SESSIONS = 8
_LONGEST_IDLE = 1.0
# Let the timeouts of the requests library expire first, because they are about a single step.
_GRACE = 0.25


class Transport:
    """The HTTP connections to a service. Several threads may use it at a time."""

    def __init__(self, connection: Connection, masks: Masks) -> None:
        self._connection = connection
        self._session, self._settings, self._problem = _session_for(os.getpid(), connection)
        if self._problem:
            # The file or the variable that the error is about may have changed by the next task.
            _session_for.cache_clear()
        parts = urlsplit(connection.base_url)
        self._is_plain = parts.scheme == "http"
        self._authority = parts.netloc
        self._has_proxy = bool(requests.utils.select_proxy(connection.base_url, self._settings["proxies"]))
        self._has_worked = self._breaks_kept_connections = False
        proxies = self._settings["proxies"].values()
        self.masks = masks.with_more(lambda: [each for proxy in proxies for each in credentials_in(str(proxy))])

    def exchange(self, request: Request, url: str, data: bytes | None) -> Response:
        """Send a request with the body `data` to `url`, and return the response.

        Raises Unreachable or Misdirected if the request certainly did not arrive, OutcomeUnknown if it may
        have, and UnexpectedResponse for a response that is too large.
        """
        if self._problem:
            raise InvalidOptions([self._problem])
        headers = {} if data is None else {"Content-Type": "application/json"}
        prepared = requests.Request(request.method, url, data=data, headers=headers)
        delivery = Delivery(
            seconds=self._connection.timeout + _GRACE,
            stays_here=self._is_plain and not self._connection.allow_http,
            longest_idle=self._longest_idle(request.method),
        )
        try:
            response = self._read(prepared)
        except Exception as exc:
            self._breaks_kept_connections |= delivery.has_begun and not delivery.has_connected
            kinds = requests.exceptions
            # Without a valid URL, such as that of a proxy, no connection is made.
            has_address = not isinstance(exc, (kinds.InvalidURL, kinds.InvalidSchema, kinds.MissingSchema))
            was_sent = delivery.may_have_begun() and has_address
            if delivery.is_over() or isinstance(exc, kinds.Timeout):
                raise self._too_late(request, was_sent) from None
            failed = self._error_after_sending if was_sent else self._error_before_sending
            raise failed(request, exc) from None
        self._has_worked = True
        return response

    def _read(self, request: requests.Request) -> Response:
        prepared = self._session.prepare_request(request)
        with self._session.send(prepared, allow_redirects=False, **self._settings) as response:
            content = bytearray()
            for piece in response.iter_content(2**16):
                content += piece
                if len(content) > LARGEST_RESPONSE:
                    raise _TooLarge
            expected = response.headers.get("Content-Length", "")
            if expected.isdigit() and "Content-Encoding" not in response.headers and len(content) < int(expected):
                # Older versions of urllib3 do not report truncated responses.
                raise requests.exceptions.ConnectionError(f"the response ended after {len(content)} bytes")
            return Response(response.status_code, response.headers, bytes(content))

    def _longest_idle(self, method: str) -> float:
        """Return for how many seconds a connection may have been idle if a request is to use it.

        If the service closes a connection while a request is sent, the outcome of the request is unknown. For a
        creation, reading may not reveal it either, so each creation gets its own connection.
        """
        if method in REPEATABLE_METHODS:
            return math.inf
        return 0.0 if method == "POST" or self._breaks_kept_connections else _LONGEST_IDLE

    def _too_late(self, request: Request, was_sent: bool) -> RequestError:
        kind, what = (OutcomeUnknown, "complete response") if was_sent else (Unreachable, "connection")
        seconds = "1 second" if self._connection.timeout == 1 else f"{self._connection.timeout:g} seconds"
        return kind(f"no {what} within {seconds}. If the service is slow, increase `timeout`.", request)

    def _error_before_sending(self, request: Request, exc: Exception) -> Exception:
        if isinstance(exc, NotThisMachine):
            return Misdirected(
                f"`base_url` leads to {exc}, which is not this machine, so the API key was not sent there "
                "unencrypted. Use https, or set `allow_http: true` if you trust the network.",
                request,
            )
        if not isinstance(exc, requests.exceptions.RequestException):
            return exc
        found = diagnosed(exc, self._authority, self._has_proxy)
        # The options are right if a request of this task succeeded before, and a retry may succeed.
        is_final = found.distrusts or (found.is_final and not self._has_worked)
        return (Misdirected if is_final else Unreachable)(self._described(found, exc), request)

    def _described(self, found: Diagnosis, exc: BaseException) -> str:
        finding = found.finding or self._quoted(innermost(exc)).rstrip(".")
        detail = f" ({self._quoted(found.cause)})" if found.finding else ""
        return self.masks.library_text(f"{finding}; {found.advice}{detail}")

    def _quoted(self, text: str) -> str:
        """Return the message of a library on one line. It may quote what the server has sent."""
        return one_line(self.masks.library_text(text), _LONGEST_QUOTE)

    def _error_after_sending(self, request: Request, exc: Exception) -> Exception:
        """Return the error for a request whose response could not be read, and which may have taken effect.

        Nothing proves that a request was not sent that failed before any connection was seen.
        """
        if isinstance(exc, _TooLarge):
            # A proxy may have sent this response, so the outcome of a write is unknown.
            kind: type[RequestError] = UnexpectedResponse if request.method == "GET" else OutcomeUnknown
            return kind(f"the response is larger than {LARGEST_RESPONSE // 2**20} MiB and was not read.", request)
        if isinstance(exc, OSError) and not isinstance(exc, requests.exceptions.RequestException):
            # The requests library checks the file of ca_path itself before it connects, and raises errors of its own.
            return InvalidOptions([OptionError("ca_path", str(exc))])
        may_expect_tls = self._is_plain and not self._has_worked and not self._has_proxy
        if may_expect_tls and speaks_tls(self._connection.base_url, self._connection.timeout):
            # Reading shows whether a write had no effect there.
            kind = Misdirected if request.method == "GET" else OutcomeUnknown
            finding = f"{self._authority} expects TLS"
            expects_tls = Diagnosis("use https instead of http in `base_url`", finding, cause=innermost(exc))
            return kind(self._described(expects_tls, exc), request)
        if rejection := rejected_by_tls(exc, self._authority):
            kind = Misdirected if request.method == "GET" and not self._has_worked else OutcomeUnknown
            return kind(self._described(rejection, exc), request)
        return OutcomeUnknown(self._quoted(innermost(exc)), request)


class _TooLarge(Exception):
    """A response that is larger than any response of the service."""


@functools.lru_cache(maxsize=_MOST_SESSIONS)
def _session_for(_process: int, connection: Connection) -> tuple[Any, Mapping[str, Any], OptionError | None]:
    """Return a session, the settings of its requests from the environment, and an option error.

    The session is kept for later tasks, but not across forks: processes that share a socket get each other's responses.
    With an option error, no request can be sent.
    """
    session = requests.Session()
    adapter = _RecordingAdapter()
    for scheme in ("https://", "http://"):
        session.mount(scheme, adapter)
    session.headers.update({"Accept": "application/json", "User-Agent": "edgeops.ingress"})
    session.headers[connection.version_header] = connection.api_version
    # As an authentication callable, the key cannot be replaced by an entry of a .netrc file.
    session.auth = functools.partial(_authenticate, connection.api_key)
    if not connection.validate_certs:
        # The option's documentation explains the risk, so do not warn about each request.
        requests.packages.urllib3.disable_warnings()  # type: ignore[attr-defined]
    verify = connection.validate_certs and (connection.ca_path or True)
    # Read once, because this takes longer than everything else that the requests library does for a request.
    settings: Any = session.merge_environment_settings(connection.base_url, {}, True, verify, None)
    settings["timeout"] = connection.timeout
    if names_loopback(connection.base_url):
        # A request that is allowed without TLS because it stays on this machine must not go to a proxy.
        settings["proxies"] = {}
    problem = problem_with_authorities(connection.base_url, settings["verify"], bool(connection.ca_path))
    proxy = requests.utils.select_proxy(connection.base_url, settings["proxies"])
    if proxy and not problem:
        problem = problem_with_proxy(proxy, urlsplit(connection.base_url).scheme, os.environ)
    return session, settings, problem


def _authenticate(api_key: str, request: requests.PreparedRequest) -> requests.PreparedRequest:
    request.headers["Authorization"] = f"Bearer {api_key}"
    return request


if REQUESTS_MISSING is None:

    class _RecordingAdapter(requests.adapters.HTTPAdapter):
        """An adapter whose connections record whether anything was sent over them."""

        def init_poolmanager(self, *args: Any, **settings: Any) -> None:
            super().init_poolmanager(*args, **settings)
            record_deliveries(self.poolmanager)

        def proxy_manager_for(self, *args: Any, **settings: Any) -> Any:
            return record_deliveries(super().proxy_manager_for(*args, **settings))

    # Makes all classes of connections before Ansible forks its workers, each of which runs a single task.
    _RecordingAdapter()
