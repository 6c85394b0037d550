# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as one HTML file, which loads nothing and sends nothing.

The Content-Security-Policy in it allows only its own style and script, by their digests. Text of others is escaped by
Jinja, or is part of the data that the script shows as text.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ...module_utils._errors import counted
from ...module_utils._exposure.finding import SEVERITIES
from ...module_utils._planning.plan import NEW
from .account_view import AccountView
from .drawing import OTHERS
from .exposure import severity_of
from .icons import GENERAL, ICONS
from .identity import EDGE, TLS_EDGE, TUNNEL, without_id
from .page_data import PageData, as_script_data, text, titled
from .plan_view import OPENS
from .report import MISSING, OPENNESS, Report
from .route_table import MOST_ROWS, rows, rows_note
from .to_copy import declaration_of, yaml

_FOLDER = Path(__file__).parent / "page"
_SCRIPT = (
    *("data", "pieces", "lists", "findings", "edges", "options"),
    *("plan", "undeclared", "overview", "filters", "address", "events"),
)
"""The files of the script. Each uses what those before it define."""

CONSEQUENCE = " Nothing on this page is about it."

_MARKS = {"create": "+", "update": "~", "delete": "\N{MINUS SIGN}"}
_HEADS = ("Who gets through", "Route", "Certificate", "Network", "Signature", "Login", "Policy", "Others", "Backend")


@cache
def _style() -> str:
    return _without_license("style.css")


@cache
def _script() -> str:
    parts = "".join(_without_license(f"script/{name}.js") for name in _SCRIPT)
    return f"'use strict';\n(() => {{\n{parts}}})();\n"


def _without_license(name: str) -> str:
    """Return a file without its first line, because the page belongs to those who write it."""
    return (_FOLDER / name).read_text(encoding="utf-8").partition("\n")[2]


def html_page(report: Report) -> str:
    """Return the page. The same report always results in the same page."""
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = _style(), _script()
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    data = as_script_data(PageData(report).data())
    # The style and the script are our own; the data contains none of the characters of markup.
    own = {"style": Markup(style), "script": Markup(script), "data": Markup(data)}
    icons = {**dict.fromkeys(OTHERS, GENERAL), **ICONS}
    context = {"policy": policy, "icons": icons, **own, **_context(report)}
    return environment.get_template("template.html.j2").render(context) + "\n"


def _digest(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def _context(report: Report) -> dict[str, Any]:
    accounts = [_account(view, report) for view in report.accounts]
    return {
        "title": text(report.title),
        "limit": MOST_ROWS,
        "heads": _HEADS,
        "others": OTHERS,
        "accounts": accounts,
        "incomplete": [_account(view, report) for view in report.incomplete],
        "since": _since(report),
        "read": sum(view.is_read for view in report.accounts),
        "counts": {
            "edges": report.count(EDGE),
            "tls_edges": report.count(TLS_EDGE),
            "tunnels": report.count(TUNNEL),
            "subscriptions": sum(len(view.subscriptions) for view in report.accounts),
        },
        "routes": len(report.routes),
        "open": {word: report.openness[word] for word in OPENNESS},
        "segments": _segments(report.openness),
        "severities": report.severities,
        "accepted": report.accepted,
        "has_plan": report.has_plan,
        "changes": len(report.changes),
        "failures": report.failures,
        "effects": report.effects,
        "created": len(report.created()),
        "actions": report.actions,
        "opened": list(_opened(report))[:3],
        "openings": list(_openings(report)),
        "openings_note": openings_note(report),
        "findings": list(_findings(report)),
        "rows": list(rows(report)),
        "rows_note": rows_note(report),
        "planned": list(_planned(report)),
        "subscriptions": list(_subscriptions(report)),
        "undeclared": [_undeclared(account, one) for account, one in report.undeclared()],
        "gaps": list(_gaps(report)),
    }


def _segments(openness: Mapping[str, int]) -> dict[str, Any]:
    parts, start = [], 0
    for word in OPENNESS:
        if openness[word]:
            parts.append((word, start, openness[word]))
            start += openness[word]
    return {"total": start, "parts": parts}


def _account(view: AccountView, report: Report) -> dict[str, Any]:
    changes = [change.action for change in report.changes if change.account == view.name] if view.has_plan() else []
    counts = [f"{mark}{changes.count(action)}" for action, mark in _MARKS.items()]
    openness = view.openness()
    return {
        "name": text(view.name),
        "short": text(view.name, 40),
        "anchor": view.anchor,
        "what": f"{account_absence(view)}{CONSEQUENCE if not view.is_read else ''}",
        "as_of": text(view.collected_at),
        "error": text(view.error if view.error != MISSING else "", 2000),
        "is_incomplete": bool(view.error),
        "is_read": view.is_read,
        "is_judged": view.exposure.is_known,
        "edges": sum(group.kind == EDGE and group.is_live for group in view.groups),
        "routes": len(view.objects()),
        "tls_edges": len(view.objects(TLS_EDGE)),
        "tunnels": len(view.objects(TUNNEL)),
        "open": {word: openness[word] for word in OPENNESS},
        "segments": _segments(openness),
        "severities": {severity: view.severities()[severity] for severity in SEVERITIES},
        "plan": " ".join(counts) if view.has_plan() else "",
        "digest": text(view.plan.get("plan_digest")),
    }


def _since(report: Report) -> dict[str, Any] | None:
    since = report.since
    if since is None:
        return None
    findings = (("new", since.new), ("gone", since.gone))
    routes = (("new", since.new_routes), ("gone", since.gone_routes))
    return {
        "counts": since.summary(),
        "new": len(since.new),
        "findings": [
            {
                "state": state,
                "severity": one.get("severity") if one.get("severity") in SEVERITIES else "low",
                "rule": text(titled(str(one.get("rule")))),
                "object": text(without_id(str(one.get("object")))),
                "account": text(view.name),
                "owner": text(one.get("owner")),
            }
            for state, pairs in findings
            for view, one in pairs
        ],
        "routes": [
            {"state": state, "name": text(name), "account": text(account)}
            for state, pairs in routes
            for account, name in pairs
        ],
    }


def account_absence(view: AccountView) -> str:
    """Return what is wrong with an account that is not complete, as the end of a sentence."""
    if view.is_missing:
        return "is missing."
    return "was read only in part." if view.is_read else "could not be read."


def _openings(report: Report) -> Iterator[dict[str, str]]:
    for change, one in report.openings():
        shown = {name: text(value) for name, value in one._asdict().items()}
        yield {**shown, "object": text(change.entry.get("object")), "account": text(change.account)}


def openings_note(report: Report) -> str:
    """Return how many openings are only counted, empty if all are listed."""
    number = report.more_openings
    return f"The plan only counts {counted(number, 'more requests')}." if number else ""


def _opened(report: Report) -> Iterator[dict[str, str]]:
    for change, one in report.openings():
        if one.kind != NEW:
            yield {"anchor": change.anchor, "kind": one.kind, "name": text(one.request, 80)}
    for change in report.changes:
        for pair in change.pairs:
            if pair.effect == OPENS and not change.lets_others_in:
                yield {
                    "anchor": change.anchor,
                    "kind": "",
                    "name": text(" ".join(str(part) for part in pair.key[1:] if part), 80),
                }


def _findings(report: Report) -> Iterator[dict[str, Any]]:
    pairs = ((view, one) for view in report.accounts for one in view.exposure.findings)
    for view, one in sorted(pairs, key=lambda pair: (bool(pair[1].get("accepted")), _rank(pair[1]))):
        accepted = one.get("accepted")
        yield {
            "severity": one.get("severity") if one.get("severity") in SEVERITIES else "low",
            "rule": text(titled(str(one.get("rule")))),
            "account": text(view.name),
            "object": text(one.get("object")),
            "message": text(view.sentence(one)),
            "owner": text(one.get("owner")),
            "why": text(one.get("why"), 2000),
            "fix": text(one.get("fix"), 2000) if isinstance(one.get("fix"), str) else "",
            "yaml": yaml(one.get("fix_options")),
            "accepted": text(accepted.get("reason")) if isinstance(accepted, Mapping) else "",
        }


def _rank(finding: Mapping[str, Any]) -> int:
    return (*SEVERITIES, severity_of([finding])).index(severity_of([finding]))


def _planned(report: Report) -> Iterator[dict[str, str]]:
    for change in report.changes:
        yield {
            "action": change.action,
            "object": text(change.entry.get("object")),
            "effect": f"{change.sides} {change.effect}",
            "account": text(change.account),
        }


def _subscriptions(report: Report) -> Iterator[dict[str, Any]]:
    for number, view in enumerate(report.accounts):
        for one in view.subscriptions:
            sources = one.get("sources") if isinstance(one.get("sources"), list) else []
            names = [str(each.get("type")) if isinstance(each, Mapping) else str(each) for each in sources or ()]
            yield {
                "number": number,
                "account": text(view.name),
                "id": text(one.get("subscription_id")),
                "sources": [text(name) for name in names],
            }


def _undeclared(account: str, one: Mapping[str, Any]) -> dict[str, str]:
    return {
        "account": text(account),
        "object": text(one.get("object")),
        "option": text(one.get("option")),
        "why": text(one.get("why")),
        "yaml": declaration_of(one),
    }


def _gaps(report: Report) -> Iterator[dict[str, Any]]:
    numbers = {view.name: number for number, view in enumerate(report.accounts)}
    for gap in report.gaps:
        shown = {name: text(getattr(gap, name), 1000) for name in ("kind", "account", "object", "why")}
        yield {"number": numbers[gap.account], **shown}
