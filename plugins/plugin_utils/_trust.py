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
    """The value with texts that are never taken for templates, at any depth; before 2.19 these have to be marked.

    All texts are marked, and not only those that look like templates, because a filter can decode a template from any
    text. Filters drop the mark, so what an expression makes of such a value has to be marked as well.
    """
    return value if TRUST_IS_TAGGED else wrap_var(value)


def could_be_template(text: str) -> bool:
    """Whether the text, or a piece of it, could be a template: those need braces, or a line that names other signs."""
    return _SUSPICIOUS.search(text) is not None
