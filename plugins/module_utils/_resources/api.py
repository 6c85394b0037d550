# SPDX-License-Identifier: GPL-3.0-or-later
"""A single request, for anything that no other module can do, with the safety and the masks of the client."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .._definition import Client, Options, Outcome, PluginDefinition
from .._errors import OutcomeUnknown
from .._model.named_secrets import SecretFields, is_blank, masked, secret_errors, secret_fields, secrets_in
from .._model.schema import EDGE_PREFIX, ROUTE_PREFIX
from .._objects.common_options import REVEAL, reveal_errors
from .._transport.addresses import secrets_in_address
from .._transport.retries import REPEATABLE_METHODS
from .._values.identifiers import UNKNOWN_PREFIX, placeholder
from .._values.option_error import OptionError, OptionErrors

_WITHOUT_BODY = ("GET", "DELETE")

_CREATED = {re.compile(r"/edges/https/?"): EDGE_PREFIX, re.compile(r"/edges/https/[^/]+/routes/?"): ROUTE_PREFIX}
"""The prefixes of the IDs of what a POST to these paths creates (sections 4.3 and 4.4)."""

_PATH = re.compile(r"/(?!/)[\x21-\x7e]*")


def _option_errors(options: Options, check_mode: bool) -> OptionErrors:
    path = options.get("path")
    if isinstance(path, str):
        if not _PATH.fullmatch(path) or "#" in path or "\\" in path:
            expected = "expected one leading slash and printable ASCII characters without spaces, backslashes, or #"
            yield OptionError("path", f"{path!r} is not a path below `base_url`; {expected}")
        elif {".", ".."} & set(re.split(r"[/?]|%2[fF]", path.replace("%2e", ".").replace("%2E", "."))):
            text = f"{path!r} contains the segment . or .., which could lead out of `base_url`; remove it"
            yield OptionError("path", text)
    body = options.get("body")
    if body is not None and not isinstance(body, (dict, list)):
        yield OptionError("body", "expected a dictionary or a list, which is sent as JSON")
    if body is not None and options.get("method") in _WITHOUT_BODY:
        yield OptionError("body", f"not allowed with `method: {options['method']}`; remove it", premises=("method",))
    # A service may return null for a secret, and a later request send that again.
    yield from secret_errors(body, "body", _secret_fields(options), is_blank)
    yield from reveal_errors(options)


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    method, path = options["method"], options["path"]
    is_write, status = method != "GET", None
    try:
        if is_write and check_mode:
            response = _predicted(options)
        else:
            status, response = client.call(method, path, options["body"], may_be_empty=True)
    except OutcomeUnknown as error:
        if method not in REPEATABLE_METHODS:
            raise error.with_note("The request may have taken effect. Check before you run the task again.") from None
        raise
    return Outcome(
        changed=is_write,
        objects={"status": status, "json": masked(response, _secret_fields(options), options["reveal"])},
        operations=[{"method": method, "path": path, "reason": "requested by the task"}] if is_write else [],
    )


def _predicted(options: Options) -> Any:
    """Return what later tasks get instead of a response in check mode: the body, with an ID if it creates something."""
    body = options["body"]
    if options["method"] != "POST" or not isinstance(body, dict):
        return body
    path = options["path"].partition("?")[0]
    prefix = next((prefix for pattern, prefix in _CREATED.items() if pattern.fullmatch(path)), UNKNOWN_PREFIX)
    return {"id": placeholder(prefix, path, masked(body, _secret_fields(options))), **body}


def _secret_fields(options: Options) -> SecretFields:
    return secret_fields(re.split(r"\W", str(options.get("path")).lstrip("/"))[0])


def _secrets(options: Options) -> Iterator[str]:
    secret = _secret_fields(options)
    yield from secrets_in(options.get("body"), secret)
    # Somebody may have written a URL instead of a path. The error quotes it, as do those of requests.
    yield from secrets_in_address(str(options.get("path")), secret)


DEFINITION = PluginDefinition(
    options={
        "method": {"type": "str", "choices": ["GET", "POST", "PUT", "PATCH", "DELETE"], "default": "GET"},
        "path": {"type": "str", "required": True},
        "body": {"type": "raw"},
        "reveal": REVEAL,
    },
    option_errors=_option_errors,
    perform=_perform,
    secrets=_secrets,
)
