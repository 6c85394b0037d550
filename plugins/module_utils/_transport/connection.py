# SPDX-License-Identifier: GPL-3.0-or-later
"""The connection options, the same on every plugin: their spec, their checks, and what they come to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .addresses import base_url_errors

_TYPES: dict[str, dict[str, Any]] = {
    "base_url": {"type": "str", "required": True},
    "api_key": {"type": "str", "required": True, "no_log": True},
    "version_header": {"type": "str", "default": "Svc-Version"},
    "api_version": {"type": "str", "default": "2"},
    "timeout": {"type": "float", "default": 30.0},
    "retries": {"type": "int", "default": 5},
    "retry_max_wait": {"type": "float", "default": 600.0},
    "validate_certs": {"type": "bool", "default": True},
    "ca_path": {"type": "path"},
    "allow_http": {"type": "bool", "default": False},
}

_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
# Requests quotes a header value that it refuses, so a key that can't be one has to be caught before.
_HEADER_VALUE = re.compile(r"[\x21-\x7e]+")
LONGEST_TIMEOUT = 3600


@dataclass(frozen=True)
class Connection:
    """Where and how to reach the service (sections 5 and 9). Times are in seconds."""

    base_url: str
    api_key: str = field(repr=False)
    version_header: str = _TYPES["version_header"]["default"]
    api_version: str = _TYPES["api_version"]["default"]
    timeout: float = _TYPES["timeout"]["default"]
    retries: int = _TYPES["retries"]["default"]
    retry_max_wait: float = _TYPES["retry_max_wait"]["default"]
    validate_certs: bool = _TYPES["validate_certs"]["default"]
    ca_path: str | None = None
    allow_http: bool = _TYPES["allow_http"]["default"]

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Connection:
        values = {name: options[name] for name in _TYPES if options.get(name) is not None}
        return cls(**{**values, "base_url": options["base_url"].rstrip("/")})


def environment_variable(option: str) -> str:
    return f"INGRESS_{option.upper()}"


def connection_options() -> dict[str, dict[str, Any]]:
    """The argument spec, without the environment fallbacks, which only Ansible's own code can carry."""
    return {name: dict(spec) for name, spec in _TYPES.items()}


def connection_errors(options: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(options.get("base_url"), str):
        yield from base_url_errors(options["base_url"], bool(options.get("allow_http")))
    if isinstance(options.get("api_key"), str) and not _HEADER_VALUE.fullmatch(options["api_key"]):
        yield "api_key: a key is one word of printable ASCII characters; this one is empty or holds others"
    if isinstance(options.get("version_header"), str) and not _HEADER_NAME.fullmatch(options["version_header"]):
        yield "version_header: this is no name of an HTTP header"
    if isinstance(options.get("api_version"), str) and not _HEADER_VALUE.fullmatch(options["api_version"]):
        yield "api_version: this is no value of an HTTP header"
    timeout, retries, wait = (options.get(name) for name in ("timeout", "retries", "retry_max_wait"))
    if isinstance(timeout, (int, float)) and not 0 < timeout <= LONGEST_TIMEOUT:
        yield f"timeout: {timeout} is out of range; allowed is more than 0 and at most {LONGEST_TIMEOUT} seconds"
    if isinstance(retries, int) and retries < 0:
        yield f"retries: {retries} is out of range; allowed is 0 or more"
    if isinstance(wait, (int, float)) and not wait >= 0:
        yield f"retry_max_wait: {wait} is out of range; allowed is 0 seconds or more"
