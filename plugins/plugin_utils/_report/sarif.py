# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as SARIF 2.1.0, which platforms for code show as the results of a scanner. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .account_view import AccountView, Finding
from .declared_at import physical_location
from .html import account_absence
from .page_data import text, titled, yaml
from .report import Report
from .version import VERSION

_LEVELS = {"high": "error", "medium": "warning", "low": "note"}
_SCORES = {"high": "8.0", "medium": "5.0", "low": "2.0"}
_LONGEST = 4000
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif_document(report: Report) -> str:
    """Return the findings as one run. An account that could not be read makes the run unsuccessful."""
    rules: dict[str, dict[str, Any]] = {}
    results = [one for view in report.accounts for one in _results(view, view.exposure.findings, rules, report)]
    for view, finding in report.since.gone if report.since else ():
        results += [{**one, "baselineState": "absent"} for one in _results(view, [finding], rules, report)]
    notifications = [_notification(view) for view in report.incomplete]
    invocation = {
        "executionSuccessful": not notifications,
        **({"toolExecutionNotifications": notifications} if notifications else {}),
    }
    driver = {
        "name": "edgeops.ingress",
        "version": VERSION,
        "rules": list(rules.values()),
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"edgeops.ingress/{text(report.title)}/"},
        "invocations": [invocation],
        "results": results,
        "columnKind": "unicodeCodePoints",
        "properties": {"title": text(report.title)},
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _results(
    view: AccountView, findings: Sequence[Finding], rules: dict[str, dict[str, Any]], report: Report
) -> Iterator[dict[str, Any]]:
    for finding in findings:
        rule = text(finding.get("rule"))
        rules.setdefault(rule, _rule(rule, finding))
        name, path = text(finding.get("object")), text(finding.get("path"))
        result: dict[str, Any] = {
            "ruleId": rule,
            "ruleIndex": list(rules).index(rule),
            "level": _LEVELS.get(str(finding.get("severity")), "note"),
            "message": {"text": f"{name}: {text(view.message(finding), _LONGEST)}"},
            "locations": [
                {
                    **physical_location(view, finding, report.sources),
                    "logicalLocations": [
                        {"name": name, "fullyQualifiedName": f"{text(view.name)}/{path}", "kind": "resource"}
                    ],
                }
            ],
            "partialFingerprints": {"object/v1": _fingerprint(view.name, rule, str(finding.get("object")))},
            "properties": {"account": text(view.name)},
        }
        options = yaml(finding["fix_options"]) if finding.get("fix_options") else ""
        if report.since:
            result["baselineState"] = report.since.state(finding)
        if options:
            result["properties"]["fix"] = options
        if finding.get("owner"):
            result["properties"]["owner"] = text(finding["owner"])
        if isinstance(finding.get("accepted"), Mapping):
            result["suppressions"] = [_suppression(finding["accepted"])]
        yield result


def _rule(rule: str, finding: Mapping[str, Any]) -> dict[str, Any]:
    severity = str(finding.get("severity"))
    return {
        "id": rule,
        "shortDescription": {"text": titled(rule)},
        "fullDescription": {"text": text(finding.get("why"), _LONGEST) or titled(rule)},
        "help": {"text": text(finding.get("fix"), _LONGEST) or titled(rule)},
        "defaultConfiguration": {"level": _LEVELS.get(severity, "note")},
        "properties": {"tags": ["security"], "security-severity": _SCORES.get(severity, "2.0")},
    }


def _suppression(accepted: Mapping[str, Any]) -> dict[str, Any]:
    until = f" (until {text(accepted['until'])})" if accepted.get("until") else ""
    return {"kind": "external", "status": "accepted", "justification": f"{text(accepted.get('reason'))}{until}"}


def _fingerprint(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _notification(view: AccountView) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {
            "text": f"The account {text(view.name)} {account_absence(view)} {text(view.error, _LONGEST)}".strip()
        },
    }
