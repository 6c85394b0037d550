# SPDX-License-Identifier: GPL-3.0-or-later
"""Which texts Ansible takes for templates."""

from __future__ import annotations

import re
from typing import Any

from ansible import template
from ansible.utils.unsafe_proxy import wrap_var

TRUST_IS_TAGGED = hasattr(template, "trust_as_template")
"""Whether a text without tags is never taken for a template. Before 2.19 it is the other way round."""

_BRACE = re.compile("[{}]")


def untrusted(value: Any) -> Any:
    """The value with texts that are never taken for templates, at any depth; before 2.19 these have to be marked."""
    if TRUST_IS_TAGGED:
        return value
    if isinstance(value, dict):
        return {untrusted(key): untrusted(member) for key, member in value.items()}
    if isinstance(value, list):
        return [untrusted(member) for member in value]
    # There is no template without braces, and a text with a mark is not one that people like to read in an inventory.
    return wrap_var(value) if isinstance(value, str) and _BRACE.search(value) else value
