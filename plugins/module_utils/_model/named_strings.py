# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings that are secret, which services return, mask, empty, or omit, and headers and metadata with such. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any, ClassVar

from .._errors import UNSET_VARIABLE, SecretNeeded, UnexpectedType
from .._values.escapes import visible_part
from .._values.json_strings import compact, meaning
from .._values.kinds import MASK, Body, Given, Kind, Mark, Normal, Text, Wire
from .._values.option_error import OptionError, OptionErrors, join
from .._values.option_types import by_name, text_errors
from .._values.option_wording import IN_QUOTES, kind_of, quoted
from .named_secrets import changed_paths, is_blank, is_secret_name, masked, secret_errors, to_send, unmasked


class PartlyMaskedText(str):
    """A secret that the service returns with stars in it: a partial mask, or a secret that is spelled like one."""

    def may_be(self, secret: str) -> bool:
        """Return whether the service might return this for `secret`: the readable parts must be at its ends."""
        head, tail = re.split("[*•]+", self)
        is_long_enough = len(secret) >= len(head) + len(tail)
        return secret == self or (is_long_enough and secret.startswith(head) and secret.endswith(tail))


_WITH_STARS = re.compile(r"[^*•]*(\*{3,}|•{3,})[^*•]*")


def _is_hidden(value: Any) -> bool:
    return value is Mark.UNKNOWN or isinstance(value, PartlyMaskedText)


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
        if not _WITH_STARS.fullmatch(text):
            return text or Mark.UNKNOWN
        return PartlyMaskedText(text) if text.strip("*•") else Mark.UNKNOWN

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


class Headers(Kind):
    """A dictionary of HTTP headers. Letter case of the names is ignored. What is named like a secret is one."""

    empty: ClassVar[dict[str, str]] = {}
    clears_when_omitted = True
    option: ClassVar[Mapping[str, Any]] = {"type": "dict"}

    def option_errors(self, given: Given, path: str) -> OptionErrors:
        spelled: dict[str, str] = {}
        for name, value in by_name(given) if isinstance(given, dict) else ():
            yield from text_errors(value, f"{path}.{name}")
            yield from _header_errors(str(name), value, path)
            other = spelled.setdefault(str(name).lower(), str(name))
            if other != str(name):
                yield OptionError(path, f"{other} and {name} are the same header; keep one of them")
        yield from secret_errors(given, path, is_wrong=is_blank)

    def normal(self, given: Given) -> Normal:
        found = ((str(name).lower(), str(value)) for name, value in sorted((given or {}).items(), key=str))
        return {name: _kind_of(name).normal(value) for name, value in found}

    def read(self, wire: Wire, path: str) -> Normal:
        if isinstance(wire, dict):
            # Null hides a secret, and any other header with it does not exist.
            given = {name: value for name, value in wire.items() if value is not None or is_secret_name(name)}
            wire = {name: "" if value is None else value for name, value in given.items()}
        headers = string_map_in(wire, path)
        # Keep headers that differ only in letter case. They cannot be declared together, so they differ from every
        # declaration and are replaced by it. Ignoring one of them would hide the other.
        spellings = Counter(map(str.lower, headers))
        names = {name: name if spellings[name.lower()] > 1 else name.lower() for name in sorted(headers)}
        return {spelled: _kind_of(name).read(headers[name], path) for name, spelled in names.items()}

    def body(self, given: Given, current: Normal, path: str) -> Body:
        known, sent = current or {}, {str(name): str(value) for name, value in given.items()}
        return {name: _kind_of(name).body(one, known.get(name.lower()), join(path, name)) for name, one in sent.items()}

    def resend(self, current: Normal, path: str) -> Body:
        return {name: _kind_of(name).resend(value, join(path, name)) or "" for name, value in current.items()} or None

    def differs(self, current: Normal, desired: Normal, path: str, resend_secrets: bool) -> list[str]:
        secret = {name for name in current.keys() & desired.keys() if is_secret_name(name)}
        plain, declared = ({name: headers[name] for name in headers.keys() - secret} for headers in (current, desired))
        compared = sorted(name for name in secret if desired[name] is not Mark.KEEP)
        changed = (_SECRET.differs(current[name], desired[name], join(path, name), resend_secrets) for name in compared)
        return [*([] if plain == declared else [path]), *chain.from_iterable(changed)]

    def same(self, current: Normal, desired: Normal) -> bool:
        return not self.differs(current, desired, "", resend_secrets=False)

    def predict(self, current: Normal, desired: Normal) -> Normal:
        predicted = super().predict(current, desired)
        # The mask stands for a current value. A declaration that is only judged may have one without it.
        return {name: current.get(name, Mark.UNKNOWN) if one is Mark.KEEP else one for name, one in predicted.items()}

    def shown(self, value: Normal) -> Given:
        return {name: _kind_of(name).shown(one) for name, one in value.items()}


_PLAIN, _SECRET = Text(), Secret()


def _kind_of(name: str) -> Text:
    return _SECRET if is_secret_name(name) else _PLAIN


def in_spelling_of(declared: Mapping[str, Any], wire: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the headers in a response with their declared names, whose letter case services may change."""
    names = {name.lower(): name for name in declared if name not in wire}
    return {names.get(name.lower(), name): value for name, value in wire.items()}


_NO_HEADER_NAME = re.compile(r"[\s:\x01-\x1f\x7f]")


def _header_errors(name: str, value: Any, path: str) -> OptionErrors:
    if not name or _NO_HEADER_NAME.search(name):
        rule = "expected a name without spaces, colons, or control characters"
        yield OptionError(path, f"{quoted(name)} is not a valid HTTP header name; {rule}")
    elif isinstance(value, str) and ("\r" in value or "\n" in value):
        yield OptionError(f"{path}.{name}", "contains a line break; remove it")


def string_map_in(wire: Wire, path: str) -> dict[str, str]:
    if wire is None:
        return {}
    if not isinstance(wire, dict) or not all(isinstance(value, str) for value in wire.values()):
        raise UnexpectedType(path, "a map of strings", wire)
    return wire


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
        return bool(current == desired) or meaning(current) == meaning(unmasked(desired, current))

    def predict(self, current: Normal, desired: Normal) -> Normal:
        return super().predict(current, unmasked(desired, current))

    def shown(self, value: Normal) -> Given:
        return masked(value)
