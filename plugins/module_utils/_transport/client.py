# SPDX-License-Identifier: GPL-3.0-or-later
"""The way to the service: calls, lists, retries, and what its refusals mean. Knows no resource, and nothing of Ansible.

Sections 4, 5 and 7 of the description. All that fails is raised as a type of `errors`, and never holds the key.
"""

from __future__ import annotations

import itertools
import json
import random
import threading
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from typing import Any

from .._errors import NotThere, OutcomeUnknown, Refused, RequestError, UnexpectedAnswer, Unreachable, json_kind
from .._model.masking import Masks
from .addresses import is_same_page, next_page
from .answers import appearance, asks_for_tls, target_of_redirect
from .connection import Connection
from .exchange import Answer, Transport
from .progress import Progress
from .retries import MISSING_OPERATION, REPEATABLE_METHODS, TOO_MANY_REQUESTS, backoff, is_passing, retry_after

_OK = range(200, 300)
_REDIRECTS = range(300, 400)
NO_CONTENT = 204
_LONGEST_MESSAGE = 2000
_MOST_PAGES = 10_000
_MOST_LOOKED_AT = 2**13
_ADVICE = {
    401: "check api_key",
    403: "if that is not expected, check api_key and what its account may do",
    407: "check the proxy that the environment names, such as in HTTP_PROXY",
    429: "the task may wait longer with retry_max_wait",
}
"""What to do about refusals by their status, beside what the service says itself."""


class Client:
    """One task's connection to the service. Counts its retries and the seconds that the task waited for them.

    It may be used by several threads at a time.
    """

    def __init__(self, connection: Connection, progress: Progress | None = None, masks: Masks | None = None) -> None:
        self._connection = connection
        self.progress = progress or Progress()
        self._masks = masks or Masks(lambda: [connection.api_key])
        self._transport = Transport(connection, self._masks)
        self._lock = threading.Lock()
        self._waiting_until = self._quiet_until = 0.0
        self._has_answered = False
        self.retries = 0
        self.waited = 0.0
        self.last_failure = ""

    def call(self, method: str, path: str, body: Any = None, *, may_be_empty: bool = False) -> tuple[int, Any]:
        """The status and the JSON of a call (None without content). `path` is below the base address.

        An answer without content that does not say so (204) is none, unless it `may_be_empty`: something on the way
        may have given it in the service's place.
        """
        return self._call_address(method, path, self._connection.base_url + path, body, may_be_empty)

    def object_at(self, path: str) -> dict[str, Any] | None:
        """The object at `path`, or None where the service knows nothing by that path."""
        try:
            found = self.call("GET", path)[1]
        except NotThere as refusal:
            if refusal.status != 404:  # noqa: PLR2004
                raise
            return None
        if not isinstance(found, dict):
            raise UnexpectedAnswer(f"GET {path} brought {json_kind(found)}, where an object belongs.", "GET", path)
        return found

    def listed(
        self,
        path: str,
        key: str,
        next_key: str = "next_page_uri",
        or_own_address: bool = False,
        *,
        identity: str = "id",
    ) -> list[dict[str, Any]]:
        """All members of a list, each of them once; `identity` names the key that tells them apart.

        A list that moves while its pages are read can show a member on two of them. What the later page shows was read
        later, so that is what the member is now. Members without a usable identity are left to the caller to judge.
        """
        members: dict[Any, dict[str, Any]] = {}
        for member in self._pages(path, key, next_key, or_own_address):
            name = member.get(identity)
            members[name if isinstance(name, str) and name else object()] = member
        return list(members.values())

    def _pages(self, path: str, key: str, next_key: str, or_own_address: bool) -> Iterator[dict[str, Any]]:
        """The members of a list, page by page; each page is requested once, and only at the service's own origin.

        Where `next_key` may hold the list's own address, a page that names itself is the last one.
        """
        address = self._connection.base_url + path
        seen: set[str] = set()
        while True:
            if address in seen or len(seen) == _MOST_PAGES:
                raise UnexpectedAnswer(
                    f"GET {path}: the pages of {key} have no end; they link back or on and on.", "GET", path
                )
            seen.add(address)
            page = self._call_address("GET", path, address, None)[1]
            members = _members(page, key, next_key)
            if not isinstance(members, list) or not all(isinstance(member, dict) for member in members):
                raise UnexpectedAnswer(f"GET {path} brought no list of {key}.", "GET", path)
            yield from members
            link = page.get(next_key)
            if link is None or link == "":
                return
            if not isinstance(link, str):
                raise UnexpectedAnswer(
                    f"GET {path}: expected a string or null in {next_key}, got {json_kind(link)}.", "GET", path
                )
            if or_own_address and is_same_page(address, link, self._connection.base_url):
                return
            following = next_page(address, link, self._connection.base_url)
            if following is None:
                raise UnexpectedAnswer(
                    f"GET {path}: the link to the next page is not followed: it leads to another origin, or is no "
                    "valid address; expected printable ASCII, with anything else percent-encoded.",
                    "GET",
                    path,
                )
            address = following

    def pause(self, error: RequestError, retry: int) -> None:
        """Wait before a request is tried again, for the `retry`-th time from 0.

        Raises `error` where the tries of a request, or the time that the task may wait in all, are used up. A service
        that has too many requests is there, and takes them later: it is tried as long as the task may wait.
        """
        error.retries = retry
        said = self._transport.scrubbed(str(error))
        wait = max(backoff(retry, random.random()), error.retry_after or 0.0)
        allowed = self._connection.retries
        with self._lock:
            now = self.progress.clock()
            # Threads that wait at the same time make the task wait once.
            longer = max(0.0, now + wait - max(now, self._waiting_until))
            is_used_up = retry >= allowed and (error.status != TOO_MANY_REQUESTS or not allowed)
            if is_used_up or self.waited + longer > self._connection.retry_max_wait:
                raise error
            self._waiting_until = max(self._waiting_until, now + wait)
            if error.retry_after is not None:
                self._quiet_until = max(self._quiet_until, now + error.retry_after)
            self.waited += longer
            self.retries += 1
            self.last_failure = said
        self.progress.waits(wait, said)

    def _keep_quiet(self) -> None:
        """Wait as long as the service has asked another thread to."""
        rest = self._quiet_until - self.progress.clock()
        if rest > 0:
            self.progress.waits(rest, self.last_failure)

    def _call_address(
        self, method: str, path: str, address: str, body: Any, may_be_empty: bool = False
    ) -> tuple[int, Any]:
        for retry in itertools.count():
            self._keep_quiet()
            try:
                return self._send(method, path, address, body, may_be_empty)
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

    def _send(self, method: str, path: str, address: str, body: Any, may_be_empty: bool) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        answer = self._transport.exchange(method, path, address, data)
        if answer.status not in _OK:
            raise self._failure(method, path, answer)
        if answer.status == NO_CONTENT or (may_be_empty and not answer.content):
            return answer.status, None
        try:
            found = json.loads(answer.content)
        except (ValueError, RecursionError):
            # Of a write, it is not even sure that the service itself has answered.
            error = UnexpectedAnswer if method == "GET" else OutcomeUnknown
            looks = self._appearance(answer)
            what = f"is not JSON{looks and f' but {looks}'}" if answer.content else "has no content"
            message = f"{method} {path}: the answer {answer.status} {what}. Does base_url lead to the service itself?"
            raise error(self._transport.scrubbed(message), method, path, answer.status) from None
        self._has_answered = True
        return answer.status, found

    def _appearance(self, answer: Answer) -> str:
        """What an answer looks like that is not the service's own."""
        return self._masks.text(appearance(answer.headers, self._beginning(answer)))

    def _beginning(self, answer: Answer) -> str:
        """The beginning of an answer of any kind, masked before anything else is done to it."""
        length = min(len(answer.content), _MOST_LOOKED_AT)
        return self._masks.beginning(answer.content[: 2 * _MOST_LOOKED_AT].decode("utf-8", "replace"), length)

    def _failure(self, method: str, path: str, answer: Answer) -> RequestError:
        status = answer.status
        if status in _REDIRECTS:
            return self._redirected(method, path, answer)
        kind: type[RequestError] = Refused
        if status in MISSING_OPERATION:
            kind = NotThere
        elif is_passing(status) and status != TOO_MANY_REQUESTS:
            kind = OutcomeUnknown
        # The others are not to be sent again before somebody has looked what came of the first.
        may_be_repeated = kind is OutcomeUnknown and method in REPEATABLE_METHODS
        said = _error_body(answer)
        details = said.get("details")
        code, text = self._quoted_field(said, "error_code"), self._quoted_field(said, "msg")
        looks = self._appearance(answer) if not said and answer.content.strip() else ""
        advice = self._advice(answer, bool(code or text)) or (
            "this may pass: try again later" if may_be_repeated else ""
        )
        parts = (
            f"{method} {path}: the service answered {status}",
            f" with {looks}" if looks else "",
            f" {code}" if code else "",
            f": {text}" if text else "",
            f" ({advice})" if advice else "",
        )
        error = kind("".join(parts), method, path, status)
        error.error_code, error.msg = code, text
        error.operation_id = self._quoted_field(details, "operation_id") if isinstance(details, dict) else None
        error.retry_after = retry_after(answer.headers.get("Retry-After"), datetime.now(timezone.utc))
        return error

    def _advice(self, answer: Answer, in_the_services_words: bool) -> str:
        """What to do about a refusal, as far as that is known."""
        if not in_the_services_words and asks_for_tls(answer.status, self._beginning(answer)):
            return "this port speaks TLS; use https instead of http in base_url"
        if answer.status == 404 and not (in_the_services_words or self._has_answered):  # noqa: PLR2004
            return f"check base_url: nothing at {self._connection.base_url} has answered like the service so far"
        return _ADVICE.get(answer.status, "")

    def _redirected(self, method: str, path: str, answer: Answer) -> UnexpectedAnswer:
        target = target_of_redirect(answer.headers.get("Location", ""))
        leading = f" to {target}" if target else ""
        message = (
            f"{method} {path}: the service answered with a redirect ({answer.status}){leading}, which is not followed, "
            "so that the key goes nowhere else. Check base_url."
        )
        return UnexpectedAnswer(self._transport.scrubbed(message), method, path, answer.status)

    def _quoted_field(self, said: Mapping[str, Any], name: str) -> str | None:
        return self._masks.beginning(str(said[name]), _LONGEST_MESSAGE) if said.get(name) else None


def _members(page: Any, key: str, next_key: str) -> Any:
    """The list that a page shows. Services leave out an empty one, but what shows no sign of a list is none."""
    if not isinstance(page, dict):
        return None
    if key in page:
        return [] if page[key] is None else page[key]
    is_another = "id" in page or any(isinstance(member, list) for member in page.values())
    return None if is_another or not {"uri", next_key} & page.keys() else []


def _error_body(answer: Answer) -> dict[str, Any]:
    try:
        said = json.loads(answer.content)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
