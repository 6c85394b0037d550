# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets, which services return, mask, empty, or omit. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .._errors import UNSET_VARIABLE, SecretNeeded
from .._values.escapes import visible_part
from .._values.kinds import MASK, Body, Given, Mark, Normal, Text, Wire
from .._values.option_error import OptionError, OptionErrors


class PartlyMaskedText(str):
    """A secret that the service returns with stars in it: a partial mask, or a secret that is spelled like one."""

    def may_be(self, secret: str) -> bool:
        """Return whether the service might return this for `secret`: the readable parts must be at its ends."""
        head, _stars, tail = _split_at_stars(self)
        return secret == self or (
            len(secret) >= len(head) + len(tail) and secret.startswith(head) and secret.endswith(tail)
        )


_STARS = re.compile(r"([^*•]*)(\*{3,}|•{3,})([^*•]*)", re.DOTALL)


def _split_at_stars(text: str) -> tuple[str, ...]:
    """Return what is before the stars, the stars, and what is after them; nothing if it does not look like a mask."""
    found = _STARS.fullmatch(text)
    return found.groups() if found else ()


def _is_hidden(value: Any) -> bool:
    return value is Mark.UNKNOWN or isinstance(value, PartlyMaskedText)


@dataclass(frozen=True)
class Secret(Text):
    """A secret, which services return, mask, empty, or omit (see Mark.UNKNOWN).

    Only stars and bullets count as a mask. A word such as "hidden" may be a secret, and a secret that is mistaken for a
    mask would never be replaced.
    """

    option: ClassVar[Mapping[str, Any]] = {"type": "str", "no_log": True}

    def normal(self, given: Given) -> Normal:
        return Mark.KEEP if given == MASK else super().normal(given)

    def option_errors(self, given: Given, path: str) -> OptionErrors:
        if not visible_part(str(given)):
            yield OptionError(path, f"must not be empty; {UNSET_VARIABLE}")

    def read(self, wire: Wire, path: str) -> Normal:
        text = super().read(wire, path)
        parts = _split_at_stars(text)
        if parts and (parts[0] or parts[2]):
            return PartlyMaskedText(text)
        return Mark.UNKNOWN if not text or parts else text

    def body(self, given: Given, current: Normal, path: str) -> Body:
        if given != MASK:
            return given
        if not current:
            raise SecretNeeded(path, MASK)
        return self.resend(current, path)

    def resend(self, current: Normal, path: str) -> Body:
        if _is_hidden(current):
            raise SecretNeeded(path, MASK)
        return super().resend(current, path)

    def differs(self, current: Normal, desired: Normal, path: str, resend_secrets: bool) -> list[str]:
        if _is_hidden(current) and resend_secrets and desired:
            return [path]
        return super().differs(current, desired, path, resend_secrets)

    def same(self, current: Normal, desired: Normal) -> bool:
        if Mark.UNKNOWN in (current, desired):
            return True
        return current.may_be(str(desired)) if isinstance(current, PartlyMaskedText) else super().same(current, desired)

    def predict(self, current: Normal, desired: Normal) -> Normal:
        return current if desired is Mark.KEEP else desired

    def reconcile(self, response: Normal, predicted: Normal) -> Normal:
        return predicted if _is_hidden(response) and self.same(response, predicted) else response

    def shown(self, value: Normal) -> Given:
        return MASK if value else ""
