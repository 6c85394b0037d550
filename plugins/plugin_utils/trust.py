# SPDX-License-Identifier: GPL-3.0-or-later
"""Which texts Ansible takes for templates."""

from __future__ import annotations

import re
from typing import Any

from ansible import template
from ansible.utils.unsafe_proxy import wrap_var

TRUST_IS_TAGGED = hasattr(template, "trust_as_template")
"""Whether a text without tags is never taken for a template. Before 2.19 it is the other way round."""

_SUSPICIOUS = re.compile("[{}]|#jinja2:")


def untrusted(value: Any) -> Any:
    """The value with texts that are never taken for templates, at any depth; before 2.19 these have to be marked."""
    if TRUST_IS_TAGGED:
        return value
    if isinstance(value, dict):
        return {untrusted(key): untrusted(member) for key, member in value.items()}
    if isinstance(value, list):
        return [untrusted(member) for member in value]
    # A text with a mark is not one that people like to read in an inventory.
    return wrap_var(value) if isinstance(value, str) and could_be_template(value) else value


def could_be_template(text: str) -> bool:
    """Whether the text, or a piece of it, could be a template: those need braces, or a line that names other signs."""
    return _SUSPICIOUS.search(text) is not None
