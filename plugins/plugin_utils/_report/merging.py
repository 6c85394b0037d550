# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as JSON, and several of them as one. Pure.

The order of the reports is ignored: merging them, in one step or in several, always results in the same report.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...module_utils._values.option_error import dictionary_of
from ...module_utils._values.option_wording import kind_of
from .exposure import strings
from .judging import is_own, judged_with_tunnels, united
from .options import PARTS, document_errors

FORMAT = "edgeops_ingress_report"
VERSION = 1

EXPECTED = "expected a report that was written with `format: json`"


class Conflict(ValueError):
    """Two reports that contradict each other."""


@dataclass
class Collected:
    """The accounts of one or more reports by name, and the names that are expected."""

    accounts: dict[str, dict[str, Any]] = field(default_factory=dict)
    expected: set[str] = field(default_factory=set)

    def add(self, account: Mapping[str, Any]) -> None:
        """Add what is known of an account. Raises Conflict if the same part of it is already known to be different.

        An exposure that was given takes the place of what the report has judged itself.
        """
        name = str(account.get("name"))
        known = self.accounts.setdefault(name, {"name": name})
        own = [one["exposure"] for one in (known, account) if is_own(one.get("exposure"))]
        if is_own(known.get("exposure")):
            del known["exposure"]
        for part in PARTS:
            value = account.get(part)
            if value is None or (part == "exposure" and is_own(value)):
                continue
            if part in known and _compared(part, known[part]) != _compared(part, value):
                raise Conflict(f"the account {name!r} has another {part} in another report; merge only one of them")
            if part == "exposure":
                demanded = sorted({*_requirements(known.get(part)), *_requirements(value)})
                value = {**value, "summary": {**dictionary_of(value.get("summary")), "requirements": demanded}}
            known[part] = json.loads(json.dumps(value, sort_keys=True))  # in the order that it always has in a report
        for name in ("collected_at", "declaration"):
            if account.get(name):
                known[name] = min(str(account[name]), known.get(name, str(account[name])))
        if account.get("error"):
            known["error"] = united(known.get("error"), account["error"])
        if own and "exposure" not in known:
            judged = judged_with_tunnels(own, known)
            known.update(json.loads(json.dumps({name: one for name, one in judged.items() if one}, sort_keys=True)))

    def ordered(self) -> list[dict[str, Any]]:
        return [self.accounts[name] for name in sorted(self.accounts)]

    def document(self, summary: Mapping[str, Any]) -> str:
        """Return the report as JSON. The summary is for people and programs; merging computes it again."""
        content = {
            FORMAT: VERSION,
            "accounts": self.ordered(),
            "expected_accounts": sorted(self.expected),
            "summary": summary,
        }
        return json.dumps(content, sort_keys=True, indent=1) + "\n"


def _requirements(exposure: Any) -> list[str]:
    return strings(dictionary_of(dictionary_of(exposure).get("summary")).get("requirements"))


def _compared(part: str, value: Any) -> str:
    """Return what is the same in two reports that agree about a part. One of them may have demanded more."""
    if part == "exposure":
        value = {**value, "summary": {**dictionary_of(value.get("summary")), "requirements": None}}
    return json.dumps(value, sort_keys=True)


def collected(accounts: Iterable[Mapping[str, Any]], expected: Iterable[str]) -> Collected:
    found = Collected(expected=set(expected))
    for account in accounts:
        found.add(account)
    return found


def read_document(text: str) -> tuple[list[Mapping[str, Any]], list[str]]:
    """Return the accounts and the expected names of a report as JSON. Raises ValueError if it is not one."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{EXPECTED}, got a file that is not JSON") from None
    if not isinstance(content, Mapping):
        raise ValueError(f"{EXPECTED}, got {kind_of(content)}")
    if FORMAT not in content:
        raise ValueError(f"{EXPECTED}, got other JSON")
    if content[FORMAT] != VERSION:
        got = f"got one of version {content[FORMAT]}; this version of the collection reads version {VERSION}"
        raise ValueError(f"{EXPECTED}, {got}")
    for error in document_errors(content):
        raise ValueError(f"{EXPECTED}, got one with an error: {error}")
    return list(content["accounts"]), list(content.get("expected_accounts") or ())
