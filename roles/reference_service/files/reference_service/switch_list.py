# SPDX-License-Identifier: GPL-3.0-or-later
"""What `python -m reference_service switches` prints: the name, the values, and the meaning of each switch."""

from __future__ import annotations

from textwrap import fill
from typing import get_args

from pydantic.fields import FieldInfo

from .switches import Switches

_INDENT = " " * 4


def text() -> str:
    return "".join(f"{name}: {_values(field)}\n{_meaning(field)}\n" for name, field in Switches.model_fields.items())


def _values(field: FieldInfo) -> str:
    """Return the accepted values, the default first, as `--switch` accepts them."""
    if field.annotation is int:
        limits = {
            name: getattr(limit, name) for limit in field.metadata for name in ("ge", "le") if hasattr(limit, name)
        }
        return f"{field.default} (from {limits['ge']} to {limits['le']})"
    values = (False, True) if field.annotation is bool else get_args(field.annotation)
    return ", ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)


def _meaning(field: FieldInfo) -> str:
    return fill(field.description or "", 100, initial_indent=_INDENT, subsequent_indent=_INDENT)
