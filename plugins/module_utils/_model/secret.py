# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets, which services return, mask, empty, or omit. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .._errors import SecretNeeded
from .kinds import MASK, Body, Given, Mark, Normal, Text, Wire


class PartlyHidden(str):
    """A secret that is shown with stars in it: a mask that leaves some of it readable, or a secret of that spelling."""

    def may_be(self, secret: str) -> bool:
        """Whether this might be what the service returns for `secret`: the readable parts must be at its ends."""
        head, _stars, tail = _split_at_stars(self)
        return secret == self or (
            len(secret) >= len(head) + len(tail) and secret.startswith(head) and secret.endswith(tail)
        )


_STARS = re.compile(r"([^*•]*)(\*{3,}|•{3,})([^*•]*)", re.DOTALL)


def _split_at_stars(text: str) -> tuple[str, ...]:
    """What is before the stars, the stars, and what is after them; nothing if it does not look like a mask."""
    found = _STARS.fullmatch(text)
    return found.groups() if found else ()


def _is_hidden(value: Any) -> bool:
    return value is Mark.UNKNOWN or isinstance(value, PartlyHidden)


@dataclass(frozen=True)
class Secret(Text):
    """Text that services echo, redact, empty or leave out (see Mark.UNKNOWN).

    Only stars and bullets count as a redaction. Words such as "hidden" are somebody's secret, too, and one that was
    taken for a mask would never be replaced.
    """

    option: ClassVar[Mapping[str, Any]] = {"type": "str", "no_log": True}

    def normal(self, given: Given) -> Normal:
        return Mark.KEEP if given == MASK else super().normal(given)

    def option_errors(self, given: Given, path: str) -> Iterator[str]:
        return iter(())

    def read(self, wire: Wire, path: str) -> Normal:
        text = super().read(wire, path)
        parts = _split_at_stars(text)
        if parts and (parts[0] or parts[2]):
            return PartlyHidden(text)
        return Mark.UNKNOWN if not text or parts else text

    def body(self, given: Given, have: Normal, path: str) -> Body:
        if given != MASK:
            return given
        if not have:
            raise SecretNeeded(path, MASK)
        return self.resend(have, path)

    def resend(self, have: Normal, path: str) -> Body:
        if _is_hidden(have):
            raise SecretNeeded(path, MASK)
        return super().resend(have, path)

    def differs(self, have: Normal, want: Normal, path: str, resend_secrets: bool) -> list[str]:
        if _is_hidden(have) and resend_secrets and want:
            return [path]
        return super().differs(have, want, path, resend_secrets)

    def same(self, have: Normal, want: Normal) -> bool:
        if Mark.UNKNOWN in (have, want):
            return True
        return have.may_be(want) if isinstance(have, PartlyHidden) else super().same(have, want)

    def predict(self, have: Normal, want: Normal) -> Normal:
        return have if want is Mark.KEEP else want

    def reconcile(self, answer: Normal, predicted: Normal) -> Normal:
        return predicted if _is_hidden(answer) and self.same(answer, predicted) else answer

    def shown(self, value: Normal) -> Given:
        return MASK if value else ""
