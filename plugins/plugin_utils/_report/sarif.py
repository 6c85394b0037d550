# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as SARIF 2.1.0, which platforms for code show as the results of a scanner. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from posixpath import normpath
from typing import Any
from urllib.parse import quote

from ...module_utils._errors import counted
from .account_view import AccountView, Finding
from .identity import Numbered
from .report import Report
from .since import identity_of
from .version import VERSION
from .wording import account_absence, text, titled, yaml

_LEVELS = {"high": "error", "medium": "warning", "low": "note"}
_RANKS = {severity: rank for rank, severity in enumerate(_LEVELS)}
_SCORES = {"high": "8.0", "medium": "5.0", "low": "2.0"}
_LONGEST, _LONGEST_DESCRIPTION = 4000, 990
"""Code scanning of GitHub reads 1,024 characters of a description. This leaves room to say what was cut."""

_MOST = 25_000
"""Results. Code scanning rejects a run with more."""

_OF_CODE_SCANNING = "primaryLocationLineHash"
"""The only fingerprint that code scanning compares. From one that it makes by itself, of the line, all results on an
edge would be one alert."""

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif_document(report: Report) -> str:
    """Return the findings as one run. An account that could not be read makes the run unsuccessful."""
    found = _found(report)
    numbered = Numbered()
    written = [_result(*one, report.sources, numbered) for one in found[:_MOST]]
    rules: dict[str, tuple[int, dict[str, Any]]] = {}
    for result, (_view, finding, _state) in zip(written, found, strict=False):
        rule = result["ruleId"]
        result["ruleIndex"] = rules.setdefault(rule, (len(rules), _rule(rule, finding)))[0]
    notifications = [_notification(view) for view in report.incomplete]
    invocation = {"executionSuccessful": not notifications}
    if len(found) > _MOST:
        omitted = f"{counted(len(found) - _MOST, 'findings')} of the lowest severity are omitted."
        notifications.append({"level": "warning", "message": {"text": omitted}})
    times = {text(view.name): text(view.collected_at) for view in report.accounts if view.collected_at}
    driver = {
        "name": "edgeops.ingress",
        "version": VERSION,
        "semanticVersion": VERSION,
        "rules": [rule for _number, rule in rules.values()],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"edgeops.ingress/{text(report.title)}/"},
        "invocations": [{**invocation, **({"toolExecutionNotifications": notifications} if notifications else {})}],
        "results": written,
        "columnKind": "unicodeCodePoints",
        "properties": {"title": text(report.title), **({"collected_at": times} if times else {})},
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _found(report: Report) -> list[tuple[AccountView, Finding, str]]:
    """Return the findings, each with its state since the earlier report. Too many are ordered by their severity."""
    since = report.since
    found = [(view, one, since.state(one) if since else "") for view, one in report.findings]
    found += [(view, one, "absent") for view, one in (since.gone if since else ())]
    if len(found) > _MOST:
        found.sort(key=lambda one: _RANKS.get(str(one[1].get("severity")), len(_RANKS)))
    return found


def _result(
    view: AccountView, finding: Finding, state: str, sources: Mapping[str, str], numbered: Numbered
) -> dict[str, Any]:
    name, path = text(finding.get("object")), text(finding.get("path"))
    logical = {"name": name, "fullyQualifiedName": f"{text(view.name)}/{path}", "kind": "resource"}
    identity = "\0".join(map(str, numbered.key(identity_of(view, finding))))
    fingerprint = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    accepted = finding.get("accepted")
    properties = {
        "account": text(view.name),
        "fix": yaml(finding.get("fix_options")),
        "owner": text(finding.get("owner")),
    }
    return {
        "ruleId": text(finding.get("rule")),
        "level": _LEVELS.get(str(finding.get("severity")), "note"),
        "message": {"text": f"{name}: {text(view.message(finding), _LONGEST)}"},
        "locations": [{**_physical_location(view, finding, sources), "logicalLocations": [logical]}],
        "partialFingerprints": {"object/v1": fingerprint, _OF_CODE_SCANNING: fingerprint},
        "properties": {name: one for name, one in properties.items() if one},
        **({"baselineState": state} if state else {}),
        **({"suppressions": [_suppression(accepted)]} if isinstance(accepted, Mapping) else {}),
    }


def _rule(rule: str, finding: Mapping[str, Any]) -> dict[str, Any]:
    severity = str(finding.get("severity"))
    return {
        "id": rule,
        "shortDescription": {"text": titled(rule)},
        "fullDescription": {"text": text(finding.get("why"), _LONGEST_DESCRIPTION) or titled(rule)},
        "help": {"text": text(finding.get("fix"), _LONGEST) or titled(rule)},
        "defaultConfiguration": {"level": _LEVELS.get(severity, "note")},
        "properties": {"tags": ["security"], "security-severity": _SCORES.get(severity, "2.0")},
    }


def _suppression(accepted: Mapping[str, Any]) -> dict[str, Any]:
    until = f" (until {text(accepted['until'])})" if accepted.get("until") else ""
    return {"kind": "external", "status": "accepted", "justification": f"{text(accepted.get('reason'))}{until}"}


def _notification(view: AccountView) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {
            "text": f"The account {text(view.name)} {account_absence(view)} {text(view.error, _LONGEST)}".strip()
        },
    }


def _physical_location(view: AccountView, finding: Finding, sources: Mapping[str, str]) -> dict[str, Any]:
    """Return the place of the object of a finding, empty if nobody says where the account is declared.

    `sources` are the contents of the files that could be read. Without one, the place is the first line.
    """
    if not view.declaration:
        return {}
    key = view.exposure.key_of(finding.get("path"))
    names = str(key[1]).split(", ") if key else []
    place = {
        "artifactLocation": {"uri": quote(normpath(view.declaration), errors="replace")},
        "region": _region(sources.get(view.declaration, ""), names),
    }
    return {"physicalLocation": place}


def _region(source: str, names: Sequence[str]) -> dict[str, int]:
    """Return the first of the names that is not part of a longer one, else the start of the file."""
    wanted = "|".join(re.escape(name) for name in names if name)
    found = re.search(rf"(?<![\w.-])(?:{wanted})(?![\w.-])", source, re.IGNORECASE) if wanted else None
    start, end = found.span() if found else (0, 0)
    line, before = source.count("\n", 0, start) + 1, source.rfind("\n", 0, start)
    return {"startLine": line, "startColumn": start - before, "endLine": line, "endColumn": end - before}
