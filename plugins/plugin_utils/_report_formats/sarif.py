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
from ...module_utils._exposure.finding import SEVERITIES
from .._report.account_view import Finding
from .._report.identity import Numbered
from .._report.report import Report
from .._report.since import GONE
from .._report.wording import text, titled, yaml
from .version import VERSION

_LEVELS = {"high": "error", "medium": "warning", "low": "note"}
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
    written = [_result(one, report.sources, numbered) for one in found[:_MOST]]
    rules: dict[str, tuple[int, dict[str, Any]]] = {}
    for result, finding in zip(written, found, strict=False):
        rule = result["ruleId"]
        result["ruleIndex"] = rules.setdefault(rule, (len(rules), _rule(rule, finding)))[0]
    problems = (f"The account {text(one.name)} {one.problem} {text(one.error, _LONGEST)}" for one in report.incomplete)
    notifications = [{"level": "error", "message": {"text": problem}} for problem in problems]
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


def _found(report: Report) -> list[Finding]:
    """Return the findings, with those that are gone since the earlier report. Too many are ordered by severity."""
    found = [*report.findings, *(report.since.gone if report.since else ())]
    return sorted(found, key=lambda one: SEVERITIES.index(one.severity)) if len(found) > _MOST else found


def _result(one: Finding, sources: Mapping[str, str], numbered: Numbered) -> dict[str, Any]:
    account, name = text(one.account.name), text(one.object)
    logical = {"name": name, "fullyQualifiedName": f"{account}/{text(one.path)}", "kind": "resource"}
    identity = "\0".join(map(str, numbered.key(one.identity)))
    fingerprint = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    properties = {"account": account, "fix": yaml(one.given.get("fix_options")), "owner": text(one.owner)}
    return {
        "ruleId": text(one.rule),
        "level": _LEVELS[one.severity],
        "message": {"text": f"{name}: {text(one.message, _LONGEST)}"},
        "locations": [{**_physical_location(one, sources), "logicalLocations": [logical]}],
        "partialFingerprints": {"object/v1": fingerprint, _OF_CODE_SCANNING: fingerprint},
        "properties": {name: value for name, value in properties.items() if value},
        **({"baselineState": "absent" if one.state == GONE else one.state} if one.state else {}),
        **({"suppressions": [_suppression(one.accepted)]} if one.accepted else {}),
    }


def _rule(rule: str, finding: Finding) -> dict[str, Any]:
    return {
        "id": rule,
        "shortDescription": {"text": titled(rule)},
        "fullDescription": {"text": text(finding.why, _LONGEST_DESCRIPTION) or titled(rule)},
        "help": {"text": text(finding.given.get("fix"), _LONGEST) or titled(rule)},
        "defaultConfiguration": {"level": _LEVELS[finding.severity]},
        "properties": {"tags": ["security"], "security-severity": _SCORES[finding.severity]},
    }


def _suppression(accepted: Mapping[str, Any]) -> dict[str, Any]:
    until = f" (until {text(accepted['until'])})" if accepted.get("until") else ""
    return {"kind": "external", "status": "accepted", "justification": f"{text(accepted.get('reason'))}{until}"}


def _physical_location(finding: Finding, sources: Mapping[str, str]) -> dict[str, Any]:
    """Return the place of the object of a finding, empty if nobody says where the account is declared.

    `sources` are the contents of the files that could be read. Without one, the place is the first line.
    """
    declaration = finding.account.declaration
    if not declaration:
        return {}
    names = str(finding.at.key[1]).split(", ") if finding.at else []
    place = {
        "artifactLocation": {"uri": quote(normpath(declaration), errors="replace")},
        "region": _region(sources.get(declaration, ""), names),
    }
    return {"physicalLocation": place}


def _region(source: str, names: Sequence[str]) -> dict[str, int]:
    """Return the first of the names that is not part of a longer one, else the start of the file."""
    wanted = "|".join(re.escape(name) for name in names if name)
    found = re.search(rf"(?<![\w.-])(?:{wanted})(?![\w.-])", source, re.IGNORECASE) if wanted else None
    start, end = found.span() if found else (0, 0)
    line, before = source.count("\n", 0, start) + 1, source.rfind("\n", 0, start)
    return {"startLine": line, "startColumn": start - before, "endLine": line, "endColumn": end - before}
