# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings that Ansible evaluates as templates, and strings that it does not."""

from __future__ import annotations

import re
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
