# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of field that the resources are made of, and how each is written, sent, read back and compared.

A value has three forms. What the user **gave** goes into requests as it is. What the service sent is the **wire** form,
which differs between services. Both have one **normal** form, in which they are compared and shown; it has the shape of
the options, so that what a task returns can be declared again.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar

from .errors import UNSET_VARIABLE, Contradiction, SecretNeeded, WrongShape
from .hostports import hostport_faults
from .identifiers import id_faults
from .option_types import by_name, choice_faults, content_faults, kind_of, quoted

UINT32_MAX = 2**32 - 1

MASK = "********"
"""Stands for a secret in everything that is shown; given as an option, it means the secret that is in place."""


class Mark(Enum):
    """Values that are no values."""

    KEEP = "not declared: whatever the service has is right, and goes along when it has to be sent"
    UNKNOWN = "a secret that the service may hold and does not show"


@dataclass(frozen=True)
class Kind:
    """One kind of value. The methods of this class suit a plain JSON value; the others override what differs."""

    empty: ClassVar[Any] = None
    """The normal form of null, of a missing key and of an empty value, which are all the same."""

    clears_when_omitted: ClassVar[bool] = False
    """Inside something that is declared whole: does leaving the option out mean empty, or the service's choice?"""

    option: ClassVar[Mapping[str, Any]] = {}
    """The option's part of an Ansible argument spec."""

    def argument(self) -> dict[str, Any]:
        return dict(self.option)

    def faults(self, given: Any, path: str) -> Iterator[str]:
        """What is wrong with the value; wrong types are left to Ansible's own check."""
        return iter(())

    def normal(self, given: Any) -> Any:
        return given

    def read(self, wire: Any, path: str) -> Any:
        return self.empty if wire is None else self.normal(wire)

    def body(self, given: Any, have: Any, path: str) -> Any:
        """The request form of what was given; `have` is the normal form of what the service holds."""
        return given

    def carried(self, have: Any, path: str) -> Any:
        """The request form of what the service holds, for sending it again; None where there is nothing to send."""
        return None if have == self.empty else have

    def differs(self, have: Any, want: Any, path: str, resend_secrets: bool) -> list[str]:
        """The paths at which the two normal forms differ."""
        return [] if self.same(have, want) else [path]

    def same(self, have: Any, want: Any) -> bool:
        return bool(have == want)

    def settled(self, have: Any, want: Any) -> Any:
        """The normal form once `want` has been carried out; what is the same stays spelled as the service has it."""
        if want is Mark.KEEP or self.same(have, want):
            return have
        return want

    def confirmed(self, answer: Any, predicted: Any) -> Any:
        """The normal form after a write, of which `answer` is what the service says and `predicted` what was meant."""
        return predicted if predicted != self.empty and self.same(answer, predicted) else answer

    def shown(self, value: Any) -> Any:
        return value


@dataclass(frozen=True)
class Text(Kind):
    """A string. `max_bytes` counts UTF-8."""

    max_bytes: int | None = None
    choices: tuple[str, ...] = ()

    empty = ""
    option: ClassVar[Mapping[str, Any]] = {"type": "str"}

    def argument(self) -> dict[str, Any]:
        return {**self.option, "choices": list(self.choices)} if self.choices else dict(self.option)

    def faults(self, given: Any, path: str) -> Iterator[str]:
        yield from content_faults(given, path)
        if self.choices and given:
            yield from choice_faults(given, self.choices, path)
        text = self.normal(given)
        size = len(text.encode("utf-8", "surrogatepass"))
        if self.max_bytes is not None and size > self.max_bytes:
            yield f"{path}: {size} bytes ({len(text)} characters) are too long; the limit is {self.max_bytes} bytes"

    def normal(self, given: Any) -> Any:
        return "" if given is None else str(given)

    def read(self, wire: Any, path: str) -> Any:
        if wire is not None and not isinstance(wire, str):
            raise WrongShape(path, "a string", wire)
        return wire or ""


@dataclass(frozen=True)
class Metadata(Text):
    """Text that is often JSON. A dictionary or a list may be given and is written as compact JSON with sorted keys."""

    option: ClassVar[Mapping[str, Any]] = {"type": "raw"}

    def faults(self, given: Any, path: str) -> Iterator[str]:
        if isinstance(given, bool):
            got = kind_of(given)
            yield f"{path}: expected a string, dictionary, or list, got {got}; put it in quotes if you mean a string"
        else:
            yield from super().faults(given, path)

    def normal(self, given: Any) -> Any:
        if isinstance(given, (dict, list)) and given:
            return json.dumps(given, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return super().normal(given if given not in ({}, []) else None)

    def body(self, given: Any, have: Any, path: str) -> Any:
        return self.normal(given)


class PartlyHidden(str):
    """A secret that is shown with stars in it: a mask that leaves some of it readable, or a secret of that spelling."""

    def may_be(self, secret: str) -> bool:
        """Whether it may be what the service shows of `secret`: what is readable has to be at its ends."""
        head, _stars, tail = _split_at_stars(self)
        return secret == self or (
            len(secret) >= len(head) + len(tail) and secret.startswith(head) and secret.endswith(tail)
        )


_STARS = re.compile(r"([^*•]*)(\*{3,}|•{3,})([^*•]*)", re.DOTALL)


def _split_at_stars(text: str) -> tuple[str, ...]:
    """What is before the stars, the stars, and what is after them; nothing where it is not spelled like a mask."""
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

    def normal(self, given: Any) -> Any:
        return Mark.KEEP if given == MASK else super().normal(given)

    def faults(self, given: Any, path: str) -> Iterator[str]:
        return iter(())

    def read(self, wire: Any, path: str) -> Any:
        text = super().read(wire, path)
        parts = _split_at_stars(text)
        if parts and (parts[0] or parts[2]):
            return PartlyHidden(text)
        return Mark.UNKNOWN if not text or parts else text

    def body(self, given: Any, have: Any, path: str) -> Any:
        if given != MASK:
            return given
        if not have:
            raise SecretNeeded(path, MASK)
        return self.carried(have, path)

    def carried(self, have: Any, path: str) -> Any:
        if _is_hidden(have):
            raise SecretNeeded(path, MASK)
        return super().carried(have, path)

    def differs(self, have: Any, want: Any, path: str, resend_secrets: bool) -> list[str]:
        if _is_hidden(have) and resend_secrets and want:
            return [path]
        return super().differs(have, want, path, resend_secrets)

    def same(self, have: Any, want: Any) -> bool:
        if Mark.UNKNOWN in (have, want):
            return True
        return have.may_be(want) if isinstance(have, PartlyHidden) else super().same(have, want)

    def settled(self, have: Any, want: Any) -> Any:
        return have if want is Mark.KEEP else want

    def confirmed(self, answer: Any, predicted: Any) -> Any:
        return predicted if _is_hidden(answer) and self.same(answer, predicted) else answer

    def shown(self, value: Any) -> Any:
        return MASK if value else ""


@dataclass(frozen=True)
class Reference(Text):
    """One identifier, of an object `of` this kind. The response has a Ref in its place, whose id it is."""

    of: str = ""

    def faults(self, given: Any, path: str) -> Iterator[str]:
        if given:  # where it must not be empty, its field is required
            yield from id_faults(self.normal(given), self.of, path)

    def read(self, wire: Any, path: str) -> Any:
        ids = _ids(wire, path)
        return ids[0] if ids else ""


@dataclass(frozen=True)
class Flag(Kind):
    """A boolean. One that a service leaves out counts as false."""

    option: ClassVar[Mapping[str, Any]] = {"type": "bool"}

    def read(self, wire: Any, path: str) -> Any:
        if wire is not None and not isinstance(wire, bool):
            raise WrongShape(path, "a boolean", wire)
        return wire

    def same(self, have: Any, want: Any) -> bool:
        return bool(have) == bool(want)


@dataclass(frozen=True)
class Count(Kind):
    """An integer of seconds or of things, as wide as uint32 unless the description says less (section 8)."""

    maximum: float = UINT32_MAX

    option: ClassVar[Mapping[str, Any]] = {"type": "int"}
    remark: ClassVar[str] = ""

    def faults(self, given: Any, path: str) -> Iterator[str]:
        if isinstance(given, (int, float)) and not 0 <= given <= self.maximum:
            yield f"{path}: {given} is out of range; allowed is 0 to {self.maximum}{self.remark}"

    def read(self, wire: Any, path: str) -> Any:
        if wire is not None and (isinstance(wire, bool) or not isinstance(wire, (int, float))):
            raise WrongShape(path, "a number", wire)
        return int(wire) if isinstance(wire, float) and wire.is_integer() else wire

    def same(self, have: Any, want: Any) -> bool:
        # A service that leaves out empty values leaves out zeros, too.
        return bool((have or 0) == (want or 0))


@dataclass(frozen=True)
class Fraction(Count):
    """A share between 0 and 1."""

    maximum: float = 1.0

    option: ClassVar[Mapping[str, Any]] = {"type": "float"}
    remark: ClassVar[str] = " (a fraction, not a percentage up to 100)"


@dataclass(frozen=True)
class Names(Kind):
    """A set of strings: order and duplicates have no meaning, nor has case with `fold`."""

    fold: bool = False

    empty: ClassVar[list[str]] = []
    clears_when_omitted = True
    option: ClassVar[Mapping[str, Any]] = {"type": "list", "elements": "str"}

    def faults(self, given: Any, path: str) -> Iterator[str]:
        for number, name in enumerate(given if isinstance(given, list) else ()):
            yield from self._member_faults(str(name), f"{path}[{number}]")

    def _member_faults(self, name: str, path: str) -> Iterator[str]:
        if not name:
            yield f"{path}: is empty; {UNSET_VARIABLE}"

    def normal(self, given: Any) -> Any:
        return sorted({self._key(name) for name in given or ()})

    def read(self, wire: Any, path: str) -> Any:
        if wire is None:
            return []
        if not isinstance(wire, list) or not all(isinstance(name, str) for name in wire):
            raise WrongShape(path, "a list of strings", wire)
        return self.normal(wire)

    def body(self, given: Any, have: Any, path: str) -> Any:
        """As it was written, but once each: services refuse lists that hold a value twice."""
        first: dict[str, str] = {}
        for name in given:
            first.setdefault(self._key(name), name)
        return list(first.values())

    def _key(self, name: str) -> str:
        return name.lower() if self.fold else name


@dataclass(frozen=True)
class Hostports(Names):
    """A set of hosts with their ports. Names in other scripts are compared as the DNS has them."""

    def _member_faults(self, name: str, path: str) -> Iterator[str]:
        yield from hostport_faults(name, path)

    def _key(self, name: str) -> str:
        return host_key(name)


_LABEL_ENDS = re.compile("[.\u3002\uff0e\uff61]")
_OWN_LETTERS = frozenset("ßς\u200c\u200d")


def host_key(name: str) -> str:
    """The one form of a host, with or without a port: lower case, and ASCII, as in `xn--bcher-kva.example:443`."""
    if name.isascii():
        return name.lower()
    host, colon, port = name.rpartition(":")
    if not colon or not port.isdigit():
        host, colon, port = name, "", ""
    try:
        return ".".join(_label_key(label) for label in _LABEL_ENDS.split(host)) + colon + port
    except UnicodeError:
        return name.lower()


def _label_key(label: str) -> str:
    lower = "".join(map(str.lower, label))  # each letter by itself: at the end of a word, a sigma becomes another one
    if lower.isascii():
        return lower
    if _OWN_LETTERS.isdisjoint(lower):
        return lower.encode("idna").decode("ascii")
    # Python knows the older IDNA, which writes ß as ss. Today these are two names, which may belong to two owners.
    return "xn--" + unicodedata.normalize("NFC", lower).encode("punycode").decode("ascii")


class OneOf(list[str]):
    """What a service says that shows a single Ref where several may have been sent: that this one is among them."""


@dataclass(frozen=True)
class References(Names):
    """A set of identifiers, of objects `of` this kind. The response has a list of Ref in its place; some services show
    a single Ref.
    """

    of: str = ""

    def _member_faults(self, name: str, path: str) -> Iterator[str]:
        yield from id_faults(name, self.of, path)

    def read(self, wire: Any, path: str) -> Any:
        ids = _ids(wire, path)
        return OneOf(ids) if ids and isinstance(wire, dict) else self.normal(ids)

    def carried(self, have: Any, path: str) -> Any:
        if isinstance(have, OneOf):
            raise Contradiction(
                f"{path}: required, because the service shows only one of the identifiers that it holds."
            )
        return super().carried(have, path)

    def same(self, have: Any, want: Any) -> bool:
        if isinstance(have, OneOf) and want:
            return set(have) <= set(want)
        return super().same(have, want)

    def shown(self, value: Any) -> Any:
        return list(value)


@dataclass(frozen=True)
class Headers(Kind):
    """A map of header names, which have no case, to values."""

    empty: ClassVar[dict[str, str]] = {}
    clears_when_omitted = True
    option: ClassVar[Mapping[str, Any]] = {"type": "dict"}

    def faults(self, given: Any, path: str) -> Iterator[str]:
        spelled: dict[str, str] = {}
        for name, value in by_name(given) if isinstance(given, dict) else ():
            if isinstance(value, bool):
                yield f"{path}.{name}: expected a string, got {kind_of(value)}; put it in quotes if you mean a string"
            elif not isinstance(value, (str, int, float)):
                advice = f"; {UNSET_VARIABLE}" if value is None else ""
                yield f"{path}.{name}: expected a string, got {kind_of(value)}{advice}"
            yield from _header_faults(str(name), value, path)
            other = spelled.setdefault(str(name).lower(), str(name))
            if other != str(name):
                yield f"{path}: {other} and {name} are the same header; keep one of them"

    def normal(self, given: Any) -> Any:
        return {str(name).lower(): str(value) for name, value in sorted((given or {}).items(), key=str)}

    def read(self, wire: Any, path: str) -> Any:
        if wire is None:
            return {}
        if not isinstance(wire, dict) or not all(isinstance(value, str) for value in wire.values()):
            raise WrongShape(path, "a map of strings", wire)
        # Headers that differ in case only stay apart: nobody can declare both, so they differ from every declaration,
        # which replaces them. To take one of them for the whole would hide the other.
        spellings = Counter(map(str.lower, wire))
        return {name if spellings[name.lower()] > 1 else name.lower(): wire[name] for name in sorted(wire)}

    def body(self, given: Any, have: Any, path: str) -> Any:
        return {str(name): str(value) for name, value in given.items()}


_NO_HEADER_NAME = re.compile(r"[\s:\x01-\x1f\x7f]")
_LINE_BREAK = re.compile(r"[\r\n]")


def _header_faults(name: str, value: Any, path: str) -> Iterator[str]:
    """What would not be one header in any message of HTTP."""
    if not name or _NO_HEADER_NAME.search(name):
        rule = "a name has no blanks, colons or control characters"
        yield f"{path}: {quoted(name)} is not the name of a header; {rule}"
    elif isinstance(value, str) and _LINE_BREAK.search(value):
        yield f"{path}.{name}: contains a line break; remove it"


@dataclass(frozen=True)
class Ref(Kind):
    """A reference that is only read: {id, uri}, or None."""

    def read(self, wire: Any, path: str) -> Any:
        refs = _refs(wire, path)
        return refs[0] if refs else None


@dataclass(frozen=True)
class RefList(Kind):
    """References that are only read: a list of {id, uri}, also where a service shows a single one."""

    empty: ClassVar[list[Any]] = []

    def read(self, wire: Any, path: str) -> Any:
        return _refs(wire, path)


@dataclass(frozen=True)
class Labels(Kind):
    """A map of strings that is only read."""

    empty: ClassVar[dict[str, str]] = {}

    def read(self, wire: Any, path: str) -> Any:
        if wire is None:
            return {}
        if not isinstance(wire, dict) or not all(isinstance(value, str) for value in wire.values()):
            raise WrongShape(path, "a map of strings", wire)
        return wire


def _refs(wire: Any, path: str) -> list[dict[str, str]]:
    if wire is None:
        return []
    refs = []
    for ref in wire if isinstance(wire, list) else [wire]:
        if isinstance(ref, str):
            refs.append({"id": ref, "uri": ""})
        elif isinstance(ref, dict) and isinstance(ref.get("id"), str):
            refs.append({"id": ref["id"], "uri": str(ref.get("uri") or "")})
        elif ref:
            raise WrongShape(path, "a reference with an id", ref)
    return refs


def _ids(wire: Any, path: str) -> list[str]:
    return [ref["id"] for ref in _refs(wire, path) if ref["id"]]
