# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses that are not a success: quotes them with all secrets masked, such as the error page of a proxy, and turns
them into errors with advice (section 7 of the API reference).
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any
from urllib.parse import urlsplit

from .. import _errors as errors
from .._model.masking import Masks
from .._values.escapes import visible
from .._values.json_strings import container
from .._values.option_error import dictionary_of
from .retries import TOO_MANY_REQUESTS, is_passing, may_resend, retry_after

_REDIRECTS = range(300, 400)
_NOT_FOUND = 404
_KINDS = {_NOT_FOUND: errors.NotFound, 405: errors.UnsupportedRequest, 501: errors.UnsupportedRequest}
_ADVICE = {
    206: "This is only a part of the response.",
    401: "Check `api_key`.",
    403: "Check `api_key` and the permissions of its account.",
    407: "Check the proxy in the environment, such as in HTTP_PROXY.",
    429: "To let the task wait longer, increase `retry_max_wait`, or `retries` if it is 0.",
    511: "A network between here and the service requires you to log in to it.",
}
"""What to do about a rejection, by its status."""

_LISTS = ("/tunnels", "/edges/https")
"""The lists that need no ID, so only `base_url` can be wrong about their paths (section 4 of the API reference)."""

_VERSION = re.compile(r"(?<![a-z])api[ _-]?version|[a-z]-version\b", re.IGNORECASE)
"""Matches what a service says that does not accept the version of the API, or its header."""

_LONGEST_PAUSE = 1e7
"""In seconds. A service that asks for a longer one does not mean it."""

_LONGEST = 120
_LONGEST_MESSAGE = 2000
_MOST_LOOKED_AT = 2**13
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_TITLE = re.compile(r"<title\b[^>]*>(.*?)</title\s*>", re.IGNORECASE | re.DOTALL)
_WANTS_TLS = re.compile(r"\b(?:https|ssl|tls)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    content: bytes


def appearance(response: Response, masks: Masks) -> str:
    """Return a description of a response that is not the service's own, empty if there is nothing to say.

    It is an HTML page with its title, a line of plain text, or a type.
    """
    text = beginning(response, masks)
    kind = masks.text(response.headers.get("Content-Type", "")).partition(";")[0].strip().lower()
    found = "" if "json" in kind else kind
    if kind in ("text/html", "application/xhtml+xml") or _HTML.match(text):
        title = _TITLE.search(text)
        words = one_line(html.unescape(title[1])) if title else ""
        found = f'an HTML page with the title "{words}"' if words else "an HTML page"
    elif kind == "text/plain" and (words := one_line(text)):
        found = f'the text "{words}"'
    return masks.text(found)


def beginning(response: Response, masks: Masks) -> str:
    """Return the beginning of the content, which is masked before it is cut."""
    length = min(len(response.content), _MOST_LOOKED_AT)
    return masks.beginning(response.content[: 2 * _MOST_LOOKED_AT].decode("utf-8", "replace"), length)


def field(body: Mapping[str, Any], name: str, masks: Masks) -> str | None:
    text = masks.beginning(str(body[name]), _LONGEST_MESSAGE) if body.get(name) else ""
    return one_line(text, _LONGEST_MESSAGE) or None


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Return the beginning of a string on one line, with escape sequences for unprintable characters."""
    words = " ".join(text.split())
    shown = visible(words)
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}\N{HORIZONTAL ELLIPSIS}"


def rejected(request: errors.Request, response: Response, masks: Masks, unproven_url: str) -> errors.RequestError:
    """Return the error for a response whose status is not 2xx.

    `unproven_url` is the base URL as long as nothing there has returned JSON, and empty afterwards.
    """
    if response.status in _REDIRECTS:
        return _redirected(request, response, masks)
    body = dictionary_of(container(response.content.decode(json.detect_encoding(response.content), "replace")))
    details = body.get("details")
    described = replace(
        request,
        status=response.status,
        error_code=field(body, "error_code", masks),
        msg=field(body, "msg", masks),
        operation_id=field(details, "operation_id", masks) if isinstance(details, dict) else None,
        retry_after=retry_after(response.headers.get("Retry-After"), datetime.now(timezone.utc)),
    )
    looks = appearance(response, masks) if not body and response.content.strip() else ""
    # A request that was rejected because there were too many has not been processed.
    may_be_done = is_passing(response.status) and response.status != TOO_MANY_REQUESTS
    kind = _KINDS.get(response.status, errors.OutcomeUnknown if may_be_done else errors.RequestRejected)
    kind = errors.PageNotFound if looks and kind is errors.NotFound else kind
    parts = (
        f"the service returned {described.status}",
        f" with {looks}" if looks else "",
        f" {described.error_code}" if described.error_code else "",
        f": {described.msg}" if described.msg else "",
    )
    error = kind("".join(parts), described)
    advice = _advice(error, response, masks, unproven_url)
    return error.with_note(advice) if advice else error


def _advice(error: errors.RequestError, response: Response, masks: Masks, unproven_url: str) -> str:
    request = error.request
    is_plain_rejection = response.status == 400 and not request.is_explained  # noqa: PLR2004
    if is_plain_rejection and _WANTS_TLS.search(beginning(response, masks)):
        return "This port expects TLS; use https instead of http in `base_url`."
    is_unknown_list = response.status in _KINDS and request.path in _LISTS and request.method == "GET"
    if unproven_url and (is_unknown_list or (response.status == _NOT_FOUND and not request.is_explained)):
        return f"Check `base_url`: nothing at {unproven_url} has responded like the service so far."
    if isinstance(error, errors.RequestRejected) and _VERSION.search(f"{request.error_code} {request.msg}"):
        return "Check `version_header` and `api_version`."
    # Whoever repeats other requests should check the outcome first.
    is_repeatable = isinstance(error, errors.OutcomeUnknown) and may_resend(error, after_reading=False)
    if response.status == TOO_MANY_REQUESTS and 1 <= (request.retry_after or 0) < _LONGEST_PAUSE:
        return f"It asks for a pause of {request.retry_after:,.0f} s. {_ADVICE[TOO_MANY_REQUESTS]}"
    return _ADVICE.get(response.status, "This may be temporary; run the task again later." if is_repeatable else "")


def _redirected(request: errors.Request, response: Response, masks: Masks) -> errors.UnexpectedResponse:
    leading = ""
    with suppress(ValueError):
        parts = urlsplit(masks.text(response.headers.get("Location", "")))
        # The user information and the query may be secret.
        host = parts.netloc.rpartition("@")[2]
        target = one_line(f"{parts.scheme}://{host}{parts.path}" if host else parts.path)
        leading = f" to {target}" if target else ""
    return errors.UnexpectedResponse(
        masks.library_text(
            f"the service returned a redirect ({response.status}){leading}. Redirects are not followed, to protect "
            "the API key. Check `base_url`."
        ),
        replace(request, status=response.status),
    )
