# SPDX-License-Identifier: GPL-3.0-or-later
"""The connection options, which all plugins share: argument spec, validation, and the resulting connection."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .._errors import UNSET_VARIABLE
from .._values.option_error import OptionError, OptionErrors
from .._values.option_wording import Spec
from .addresses import base_url_problems

CONNECTION_OPTIONS: Spec = {
    "base_url": {"type": "str", "required": True},
    "api_key": {"type": "str", "required": True, "no_log": True},
    "version_header": {"type": "str", "default": "Svc-Version"},
    "api_version": {"type": "str", "default": "2"},
    "timeout": {"type": "float", "default": 30.0},
    "retries": {"type": "int", "default": 5},
    "retry_max_wait": {"type": "float", "default": 600.0},
    "requests_per_minute": {"type": "int"},
    "validate_certs": {"type": "bool", "default": True},
    "ca_path": {"type": "path"},
    "allow_http": {"type": "bool", "default": False},
}
"""The argument spec without the environment fallbacks, which require Ansible's own code."""

_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_OTHER_HEADERS = re.compile(
    r"(accept|content|proxy|transfer)(-\w+)?|authorization|connection|cookie|expect|host|te|upgrade|user-agent",
    re.IGNORECASE,
)
"""Headers that requests have anyway, or that would change what they mean."""

# The requests library quotes invalid header values in its errors. Reject an invalid key here, so that it is not
# displayed.
_HEADER_VALUE = re.compile(r"[\x21-\x7e]+")
LONGEST_TIMEOUT = 3600
MOST_REQUESTS_PER_MINUTE = 100_000
_RANGES: tuple[tuple[str, Any, Callable[[Any], bool], str], ...] = (
    ("timeout", (int, float), lambda seconds: 0 < seconds <= LONGEST_TIMEOUT, "more than 0 and at most 3600 seconds"),
    ("retries", int, lambda number: number >= 0, "0 or more"),
    ("retry_max_wait", (int, float), lambda seconds: seconds >= 0, "0 seconds or more"),
    ("requests_per_minute", int, lambda number: 1 <= number <= MOST_REQUESTS_PER_MINUTE, "1 to 100,000"),
)


@dataclass(frozen=True)
class Connection:
    """The connection to a service (sections 5 and 9 of the API reference). Times are in seconds."""

    base_url: str
    api_key: str = field(repr=False)
    version_header: str = CONNECTION_OPTIONS["version_header"]["default"]
    api_version: str = CONNECTION_OPTIONS["api_version"]["default"]
    timeout: float = CONNECTION_OPTIONS["timeout"]["default"]
    retries: int = CONNECTION_OPTIONS["retries"]["default"]
    retry_max_wait: float = CONNECTION_OPTIONS["retry_max_wait"]["default"]
    requests_per_minute: int | None = None
    validate_certs: bool = CONNECTION_OPTIONS["validate_certs"]["default"]
    ca_path: str | None = None
    allow_http: bool = CONNECTION_OPTIONS["allow_http"]["default"]

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Connection:
        values = {name: options[name] for name in CONNECTION_OPTIONS if options.get(name) is not None}
        return cls(**{**values, "base_url": options["base_url"].rstrip("/")})

    @property
    def account_digest(self) -> str:
        """What distinguishes accounts in caches. It does not reveal the API key."""
        account = [self.base_url, self.version_header, self.api_version, self.api_key]
        return hashlib.sha256(json.dumps(account).encode()).hexdigest()[:16]


def environment_variable(option: str) -> str:
    return f"INGRESS_{option.upper()}"


def connection_errors(options: Mapping[str, Any]) -> OptionErrors:
    if isinstance(options.get("base_url"), str):
        problems = base_url_problems(options["base_url"], bool(options.get("allow_http")))
        yield from (OptionError("base_url", problem) for problem in problems)
    if isinstance(options.get("api_key"), str) and not _HEADER_VALUE.fullmatch(options["api_key"]):
        problem = "contains spaces or non-ASCII characters; expected printable ASCII characters without spaces"
        yield OptionError("api_key", problem if options["api_key"] else f"is empty; {UNSET_VARIABLE}")
    if isinstance(options.get("version_header"), str) and not _HEADER_NAME.fullmatch(options["version_header"]):
        problem = "not a valid HTTP header name"  # Do not quote it: it may be a header with a secret value.
        yield OptionError("version_header", f"{problem}; expected a name such as Svc-Version")
    elif _OTHER_HEADERS.fullmatch(str(options.get("version_header"))):
        problem = f"{options['version_header']} already has another meaning in HTTP"
        yield OptionError("version_header", f"{problem}; expected a name such as Svc-Version")
    if isinstance(options.get("api_version"), str) and not _HEADER_VALUE.fullmatch(options["api_version"]):
        problem = "not a valid HTTP header value"
        yield OptionError("api_version", f"{problem}; expected printable ASCII characters without spaces")
    for name, kind, is_in_range, expected in _RANGES:
        if isinstance(options.get(name), kind) and not is_in_range(options[name]):
            yield OptionError(name, f"{options[name]} is out of range; expected {expected}")
