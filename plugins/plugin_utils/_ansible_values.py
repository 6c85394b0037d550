# SPDX-License-Identifier: GPL-3.0-or-later
"""Ansible's own types as plain Python values, and strings that Ansible evaluates as templates, or does not."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from ansible import template
from ansible.utils.unsafe_proxy import wrap_var

TRUST_IS_TAGGED = hasattr(template, "trust_as_template")
"""Whether strings without tags are never evaluated as templates. Before 2.19, strings without a mark are."""

_SUSPICIOUS = re.compile("[{}]|#jinja2:")


def untrusted(value: Any) -> Any:
    """Return the value with strings that are never evaluated as templates, at any depth.

    Before 2.19, such strings must be marked. All strings are marked, not only those that look like templates, because a
    filter can decode a template from any string. Filters drop the mark, so the value of an expression must be marked
    again.
    """
    return value if TRUST_IS_TAGGED else wrap_var(value)


def could_be_template(text: str) -> bool:
    """Return whether the string, or a part of it, could be a template, which needs braces or its own delimiters."""
    return _SUSPICIOUS.search(text) is not None


def plain(value: Any) -> Any:
    """Return the value as a module receives it through JSON, without tags, encrypted values, or lazy containers."""
    if value is None or isinstance(value, bool):
        return value
    for kind in (str, int, float):
        if isinstance(value, kind):
            return kind.__str__(value) if kind is str else kind(value)
    if isinstance(value, Mapping):
        return {_plain_key(key): plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(member) for member in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return value.isoformat() if isinstance(value, date) else str(value)


def _plain_key(key: Any) -> str:
    return json.dumps(key) if key is None or isinstance(key, bool) else str(plain(key))
