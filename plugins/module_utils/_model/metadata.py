# SPDX-License-Identifier: GPL-3.0-or-later
"""Metadata: strings that are often JSON, in which what is named like a secret is one. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .json_strings import compact, meaning
from .kinds import Body, Given, Normal, Text
from .named_secrets import changed_paths, masked, secret_errors, to_send, unmasked
from .option_error import OptionError, OptionErrors
from .option_wording import IN_QUOTES, kind_of


@dataclass(frozen=True)
class Metadata(Text):
    """A string that is often JSON. A dictionary or a list is written as compact JSON with sorted keys.

    Services trim such strings, or write their JSON in another way, so they are compared by their meaning.
    """

    option: ClassVar[Mapping[str, Any]] = {"type": "raw"}

    def option_errors(self, given: Given, path: str) -> OptionErrors:
        if isinstance(given, bool):
            yield OptionError(path, f"expected a string, dictionary, or list, got {kind_of(given)}; {IN_QUOTES}")
        else:
            yield from super().option_errors(given, path)
            yield from secret_errors(given, path)

    def normal(self, given: Given) -> Normal:
        if isinstance(given, (dict, list)) and given:
            return compact(given)
        return super().normal(given if given not in ({}, []) else None)

    def body(self, given: Given, current: Normal, path: str) -> Body:
        return to_send(self.normal(given), current, path)

    def differs(self, current: Normal, desired: Normal, path: str, resend_secrets: bool) -> list[str]:
        known = unmasked(desired, current)
        return [] if self.same(current, known) else changed_paths(current, known, path)

    def same(self, current: Normal, desired: Normal) -> bool:
        return bool(current == desired) or self.key(current) == self.key(unmasked(desired, current))

    def predict(self, current: Normal, desired: Normal) -> Normal:
        return super().predict(current, unmasked(desired, current))

    def key(self, value: Normal) -> Any:
        return meaning(value)

    def shown(self, value: Normal) -> Given:
        return masked(value)
