# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTP client for the service: requests, paging, retries, and typed errors. Independent of resources and of Ansible.

Sections 4, 5, and 7 of the API reference. All errors are of the types in `_errors`, and none contains the API key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from .._errors import MAY_HAVE_EFFECT, NotFound, OutcomeUnknown, Request, RequestError, UnexpectedResponse, json_type
from .._model.masking import Masks
from .._model.named_secrets import secrets_in
from .._values.json_strings import parsed
from .addresses import is_same_page, next_page
from .connection import Connection
from .exchange import Transport
from .progress import Patience, Progress, RequestsPerMinute
from .responses import appearance, rejected
from .retries import may_resend

_OK, _PARTIAL = range(200, 300), 206
NO_CONTENT = 204
_MOST_PAGES, _MOST_PAGES_OF_NOTHING_NEW = 10_000, 100


class Client:
    """One task's connection to the service. Several threads may use it at a time."""

    def __init__(self, connection: Connection, progress: Progress | None = None, masks: Masks | None = None) -> None:
        self._connection = connection
        self.account: Hashable = connection  # what distinguishes it from others in this process
        self.progress = progress or Progress()
        self._transport = Transport(connection, masks or Masks(lambda: [connection.api_key]))
        self.masks = self._transport.masks
        self.patience = Patience(connection, self.progress, self.masks)
        self._limit = RequestsPerMinute(connection, self.progress) if connection.requests_per_minute else None
        self._has_responded = False
        self._paged: set[str] = set()

    def call(
        self, method: str, path: str, body: Any = None, *, may_be_empty: bool = False, url: str = ""
    ) -> tuple[int, Any]:
        """Send a request and return the status and the JSON of the response (None without content).

        `path` is relative to the base URL; the `url` of a later page may differ from it. A response without content is
        an error if its status is not 204, unless it `may_be_empty`: a server in between may have returned it.
        """
        url = url or self._connection.base_url + path
        retry, is_lost = 0, False
        while True:
            try:
                with self._limit.slot() if self._limit else nullcontext():
                    self.patience.wait_for_rate_limit()
                    return self._send(Request(method, path, retry), url, body, may_be_empty)
            except RequestError as failure:
                error = failure
                if isinstance(failure, OutcomeUnknown):
                    is_lost = method != "GET"
                elif is_lost:
                    error = failure.with_note(MAY_HAVE_EFFECT)
                if not may_resend(error, after_reading=False):
                    raise error from None
                self.patience.wait(error, retry)
                retry += 1

    def get_object(self, path: str, in_doubt: Callable[[], object] | None = None) -> dict[str, Any] | None:
        """Read the object at `path`. Returns None if the service returns 404.

        A 404 without an error code may be about the path. Then, `in_doubt` is called, and raises if it finds out that.
        """
        try:
            found = self.call("GET", path)[1]
        except NotFound as error:
            if in_doubt is not None and not error.request.error_code:
                in_doubt()
            return None
        if not isinstance(found, dict):
            raise _unexpected(path, f"expected an object, got {json_type(found)}.")
        return found

    def list_all(
        self, path: str, key: str, next_key: str = "next_page_uri", *, identity: str = "id", checked: bool = True
    ) -> list[Any]:
        """Read all pages of a list and return its members, each of them once; `identity` is the key of their ID.

        If the list changes while it is read, a member can be on two pages, of which the later one contains its current
        state. Members without a usable ID are left to the caller, and, unless they are `checked`, also those that are
        not objects. If `key` is empty, the members are in the only list of the response.
        """
        members: dict[Hashable, Any] = {}
        url = self._connection.base_url + path
        seen: set[str] = set()
        nothing_new = 0
        while url:
            if url in seen or len(seen) == _MOST_PAGES or nothing_new == _MOST_PAGES_OF_NOTHING_NEW:
                raise _unexpected(
                    path,
                    f"the list of {key or 'objects'} does not end: its pages form a loop, or there are more than "
                    f"{_MOST_PAGES:,}, or {_MOST_PAGES_OF_NOTHING_NEW} in sequence without a new object. Report this "
                    "to the operator of the service.",
                )
            seen.add(url)
            page = self.call("GET", path, url=url)[1]
            found = {_identity_of(member, identity): member for member in _members_of(page, path, key, checked)}
            nothing_new = 0 if found.keys() - members.keys() else nothing_new + 1
            members.update(found)
            url = self._following(page, path, url, next_key)
        return list(members.values())

    def has_pages(self, path: str) -> bool:
        """Return whether a list that was read had several pages, so that it may have changed in the meantime."""
        return path in self._paged

    def _following(self, page: dict[str, Any], path: str, url: str, next_key: str) -> str:
        """Return the URL of the next page, which has the origin of the service. It is empty after the last page."""
        link = "" if page.get(next_key) is None else page[next_key]
        if not isinstance(link, str):
            raise _unexpected(path, f"expected a string or null in {next_key}, got {json_type(link)}.")
        # A page with its own URL as `uri` is the last one.
        if not link or (next_key == "uri" and is_same_page(url, link, self._connection.base_url)):
            return ""
        self._paged.add(path)
        following = next_page(url, link, self._connection.base_url)
        if following is None:
            raise _unexpected(
                path,
                "the link to the next page is not followed, because it leads to another origin or is not a valid "
                "URL; expected printable ASCII, with anything else percent-encoded.",
            )
        return following

    def _send(self, request: Request, url: str, body: Any, may_be_empty: bool) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        response = self._transport.exchange(request, url, data)
        # Of a write, a part of the response shows no less than none.
        if response.status not in _OK or (response.status == _PARTIAL and request.method == "GET"):
            known_url = "" if self._has_responded else self._connection.base_url
            raise rejected(request, response, self._masks_with(body), known_url)
        if response.status == NO_CONTENT or (may_be_empty and not response.content):
            return response.status, None
        try:
            found = parsed(response.content)
        except ValueError:
            looks = appearance(response, self._masks_with(body)) or "invalid JSON"
            got = looks if response.content else "an empty response"
            message = (
                f"expected JSON, got {got} (status {response.status}). Check that `base_url` points to the API of the "
                "service."
            )
            # A proxy may have sent this response, so the outcome of a write is unknown.
            kind = UnexpectedResponse if request.method == "GET" else OutcomeUnknown
            raise kind(message, replace(request, status=response.status)) from None
        self._has_responded = True
        return response.status, found

    def _masks_with(self, body: Any) -> Masks:
        # The request may contain live secrets that the task does not declare.
        return self.masks.with_more(lambda: secrets_in(body)) if body else self.masks


def _identity_of(member: Any, identity: str) -> Hashable:
    """Return the ID of a member, or something unique if it has no usable one."""
    name = member.get(identity) if isinstance(member, dict) else None
    return name if isinstance(name, str) and name else object()


def _unexpected(path: str, problem: str) -> UnexpectedResponse:
    return UnexpectedResponse(problem, Request("GET", path))


def _members_of(page: Any, path: str, key: str, checked: bool) -> list[Any]:
    """Return the list that a page contains. Without one, it is unknown what the list contains, so this is an error."""
    name = key or _only_list(page, path)
    members = page.get(name, "") if isinstance(page, dict) and not page.get("error_code") else ""
    members = [] if members is None else members
    if not name or not isinstance(members, list):
        raise _unexpected(path, f"expected a list of {key or 'objects'} in the response.")
    for number, member in enumerate(members if checked else ()):
        if not isinstance(member, dict):
            raise _unexpected(path, f"{name}[{number}]: expected an object, got {json_type(member)}.")
    return members


def _only_list(page: Any, path: str) -> str:
    """Return the key of the list in a page. If there are several, it is the one that is named after the path.

    An object with an ID is not a page: lists in it are not the members of a collection. A null can be an empty list if
    it has the name of the collection, such as `tls_edges` of `edges/tls`. A service can return other nulls.
    """
    if not isinstance(page, dict) or "id" in page:
        return ""
    lists = [name for name, member in page.items() if isinstance(member, list)]
    named = [name for name in lists if name in path.split("/")]
    empty = [name for name in page if page[name] is None and name.rpartition("_")[2] in re.split("[/_]", path)]
    return next((names[0] for names in (lists, named, empty) if len(names) == 1), "")
