# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of a service as they can be part of events: limited in size, visible, and never a template. Pure.

Rulebooks and playbooks are not careful with the strings of an event: ansible-rulebook evaluates the result of a
template as a Python literal, and passes events to playbooks as extra variables, in which Ansible evaluates templates.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
from collections.abc import Mapping
from typing import Any

from ...module_utils._values.escapes import visible

_MOST_CHARACTERS = 48 * 1024
"""In the JSON of one value."""

_LIMITS = ((4096, 500), (512, 100), (128, 20), (32, 5))
"""The longest string, and the most members of a list or dictionary. The next pair applies if the value is too big."""

_MOST_LEVELS = 12
_LONGEST_KEY = 200
_BIGGEST_NUMBER = 2**63

# The result of evaluating Python literals, in whole or within other text, and however often, consists of pieces of the
# text. A piece begins after a quote or an escape sequence, and ends before a quote or a backslash. So no opening of a
# template appears if, in the text,
# - none begins at the end of a piece: neither a brace nor the marks of Ansible
# - none ends at the beginning of a piece, because the other text can end with a brace, or with the first character of a
#   mark, as in `#{{ event.after.labels.team }}`; in any letter case, which a filter can change
# - and escape sequences result in control characters and invisible characters only. This is also true of the result,
#   and of a list that contains the text and becomes text itself, because no backslash comes before another one, before
#   a quote, or before the end of a line, which would disappear with it.
_TO_SEPARATE = re.compile(
    r"""(?P<code>\\u[0-9a-f]{4}|\\U[0-9a-f]{8})|\A(?=[{%#]|__ansible_)"""
    r"""|\\(?=[\\xuUN0-7\n'"]|\Z)"""
    r"""|\{(?=[{%#'"\\]|\Z)"""
    r"""|['"](?=[{%#$])"""
    r"""|\#(?=(?i:jinja2:))|(?<![^\s'"{])\#(?=(?i:j[jina2]*)(?:['"\\]|\Z))"""
    r"""|(?i:ja2)(?=:|['"\\]|\Z)|(?<![^'"])(?i:j)(?=(?i:inj(?:a2?)?)(?:['"\\]|\Z))"""
    r"""|\$(?=(?i:ANSIBLE_VAULT))|\$(?=(?i:A[ANSIBLE_VUT]*)(?:['"\\]|\Z))"""
    r"""|(?i:E)(?=(?i:_VAULT))|(?<![^'"])(?i:AN)(?=(?i:SIBLE[_VAUL]*)(?:['"\\]|\Z))"""
)


def harmless(value: Any) -> Any:
    """Return the value for an event. Whatever is omitted is replaced by its digest, so that a change is still seen."""
    for longest, most in _LIMITS:
        shown = _limited(value, longest, most, 0)
        if len(json.dumps(shown)) <= _MOST_CHARACTERS:
            return shown
    return _omitted("", "too large", value)


def harmless_text(text: str, longest: int = 300) -> str:
    return _inert(text if len(text) <= longest else _omitted(text[:longest], f"{len(text):,} characters", text))


def _limited(value: Any, longest: int, most: int, level: int) -> Any:
    if isinstance(value, str):
        return harmless_text(value, longest)
    if not isinstance(value, (Mapping, list, tuple)):
        return _number(value) if isinstance(value, (int, float)) else value
    if level > _MOST_LEVELS:
        return _omitted("", "too many levels", value)
    rest = [_omitted("", f"{len(value):,} members", value)] if len(value) > most else []
    if not isinstance(value, Mapping):
        return [*(_limited(member, longest, most, level + 1) for member in value[:most]), *rest]
    # Services return the members in any order, which must not decide what is cut.
    members = sorted(value.items())[:most] if rest else value.items()
    shown = {harmless_text(str(name), _LONGEST_KEY): _limited(one, longest, most, level + 1) for name, one in members}
    return {**shown, "…": rest[0]} if rest else shown


def _number(value: float) -> Any:
    """Return a number that every program can read in JSON, or a string for any other."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if abs(value) < _BIGGEST_NUMBER else hex(value)[:_LONGEST_KEY]


def _omitted(beginning: str, what: str, value: Any) -> str:
    try:
        text = json.dumps(value, sort_keys=True, default=str)
    except RecursionError:
        text = what
    return f"{beginning}… ({what}, sha256 {hashlib.sha256(text.encode()).hexdigest()[:16]})"


def _inert(text: str) -> str:
    return _TO_SEPARATE.sub(_separated, re.sub("[^\n\t]+", lambda found: visible(found[0]), text))


def _separated(found: re.Match[str]) -> str:
    """Return what was found with a blank, unless it is the escape sequence of an invisible character."""
    code = found["code"]
    if code is None:
        return f"{found[0]} "
    number = int(code.lstrip("\\uU"), 16)
    is_invisible = number <= sys.maxunicode and not chr(number).isprintable()
    return code if is_invisible else f"\\ {code[1:]}"
