# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as Markdown, for a pull request, a chat, or a wiki. Pure.

Text of others is shown as code, so that it stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...module_utils._errors import counted
from ...module_utils._exposure.finding import SEVERITIES
from .._plan_markdown.limited import ShortenedList, limited
from .._plan_markdown.text import code, code_block, code_in_table, heading
from .account_view import AccountView
from .findings import by_rule
from .identity import EDGE
from .names import with_names
from .plan_view import Change
from .report import Report
from .wording import account_absence, openings_note, titled, yaml

LIMIT = 60_000
"""In characters. The comments of a pull request on GitHub can have 65,536."""

_NAME, _SENTENCE, _MOST_RULES = 200, 1000, 50
_LONGEST_REASON = 300
_WORDS = re.compile(r"(?:[\w ,;:.'?()-]|`[\w ]+`)+", re.ASCII)

Part = str | ShortenedList


def markdown_page(report: Report) -> str:
    """Return the report with at most LIMIT characters. Lists are shortened, and say by how many members."""
    parts: list[Part] = [f"# {heading(report.title, _NAME)}\n\n"]
    parts += _incomplete(report)
    parts.append(_totals(report))
    parts += _since(report)
    parts += _accounts(report)
    parts += _findings(report)
    parts += _public_routes(report)
    parts += _plan(report)
    parts += _list("Undeclared", [_undeclared(*one) for one in report.undeclared()])
    parts += _list("Not covered", [_gap_line(gap) for gap in report.gaps])
    return limited(parts, LIMIT).rstrip("\n") + "\n"


def _incomplete(report: Report) -> Iterator[Part]:
    found = report.incomplete
    if found:
        yield f"**This report is not complete: {len(found)} of {len(report.accounts)} accounts.**\n\n"
        lines = (
            f"- {code(view.name, _NAME)} {account_absence(view)} {code(view.error, _SENTENCE)}\n" for view in found
        )
        yield ShortenedList(list(lines), _more, "", "\n")


def _totals(report: Report) -> str:
    openness = report.openness
    counts = [
        (openness["public"], "public"),
        (openness["one"] + openness["several"], "with checks"),
        (openness["closed"], "closed"),
    ]
    counts += [(openness["unknown"], "not judged")] if openness["unknown"] else []
    routes = ", ".join(f"{number} {what}" for number, what in counts)
    findings = ", ".join(f"{number} {severity}" for severity, number in report.severities.items())
    accepted = f", {report.accepted} accepted" if report.accepted else ""
    return f"{counted(len(report.routes), 'routes')}: {routes}. Findings: {findings}{accepted}.\n\n"


def _since(report: Report) -> Iterator[Part]:
    since = report.since
    if since is None:
        return
    yield "## What has changed\n\n"
    findings, routes = counted(len(since.new), "new findings"), counted(len(since.new_routes), "new routes")
    yield f"{findings}, {len(since.gone)} gone. {routes}, {len(since.gone_routes)} gone.\n\n"
    lines = [_finding_line(view, one, f"{state}: ") for state, view, one in since.findings]
    lines += [f"- {state}: {code(name, _NAME)} of {code(account, _NAME)}\n" for state, account, name in since.routes]
    if lines:
        yield ShortenedList(lines, _more, "", "\n")


def _accounts(report: Report) -> Iterator[Part]:
    head = f"| Account | Edges | Routes | Public | High | Medium | Low | Plan | As of |\n{'|---' * 9}|\n"
    yield "## Accounts\n\n"
    yield ShortenedList([_account_row(report, view) for view in report.accounts], _more, head, "\n")


def _account_row(report: Report, view: AccountView) -> str:
    name = code_in_table(view.name, _NAME)
    as_of = code_in_table(view.collected_at, _NAME) if view.collected_at else ""
    if not view.is_read:
        return f"| {name} | not read | | | | | | | {as_of} |\n"
    severities = view.severities()
    cells = [view.edges, len(view.objects()), view.openness()["public"]]
    cells += [severities[severity] for severity in SEVERITIES]
    plan = counted(sum(report.actions_of(view.name).values()), "changes") if view.has_plan() else ""
    return f"| {name} | {' | '.join(map(str, cells))} | {plan} | {as_of} |\n"


def _findings(report: Report) -> Iterator[Part]:
    rules = by_rule((view, one) for view in report.accounts for one in view.exposure.findings)
    yield "## Findings\n\n"
    if not rules:
        yield "There are no findings.\n\n"
    for rule in rules[:_MOST_RULES]:
        yield f"### {heading(titled(rule.rule), 80)} ({'accepted' if rule.is_accepted else rule.severity})\n\n"
        yield f"{_prose(rule.cases[0].why)}\n\n"
        if rule.cases[0].fix:
            yield f"How to fix it: {_prose(rule.cases[0].fix)}\n\n"
        yield ShortenedList([_finding_line(*pair) for pair in rule.findings], _more, "", "\n")
    if len(rules) > _MOST_RULES:
        yield f"… and {len(rules) - _MOST_RULES} more rules\n\n"


def _prose(sentence: str) -> str:
    """Return a sentence of a rule: as it is if it only consists of words, else as code."""
    return sentence if _WORDS.fullmatch(sentence) else code(sentence, _LONGEST_REASON) if sentence else ""


def _finding_line(view: AccountView, one: Mapping[str, Any], state: str = "") -> str:
    where = f"{code(str(one.get('object')), _NAME)} of {code(view.name, _NAME)}"
    line = f"- {state}{where}: {code(str(view.message(one)), _SENTENCE)}\n"
    accepted = one.get("accepted")
    if isinstance(accepted, Mapping):
        until = f" until {code(str(accepted['until']), _NAME)}" if accepted.get("until") else ""
        return f"{line}  Accepted{until}: {code(str(accepted.get('reason')), _SENTENCE)}\n"
    declared = yaml(one.get("fix_options"))
    if declared and not state:
        block = code_block(declared.rstrip("\n").split("\n"), "yaml")
        return line + "".join(f"  {row}\n" for row in block.rstrip("\n").split("\n"))
    return line


def _public_routes(report: Report) -> Iterator[Part]:
    names = {view.name: view.names for view in report.accounts}
    rows = [
        _route_row(
            " ".join((*group.hosts, one.name)), with_names(one.live.backend, names[group.account]), group.account
        )
        for group in report.groups
        for one in group.objects
        if group.kind == EDGE and one.live is not None and one.live.openness == "public"
    ]
    if rows:
        yield "## Public routes\n\n"
        yield ShortenedList(rows, _more, "| Route | Backend | Account |\n|---|---|---|\n", "\n")


def _route_row(name: str, backend: str, account: str) -> str:
    shown = code_in_table(backend, _NAME) if backend else ""
    return f"| {code_in_table(name, _NAME)} | {shown} | {code_in_table(account, _NAME)} |\n"


def _plan(report: Report) -> Iterator[Part]:
    if not report.has_plan and not report.failures:
        return
    yield "## What the plan changes\n\n"
    if report.failures:
        yield f"**Not everything was planned or executed: {counted(report.failures, 'failures')}.**\n\n"
    if not report.has_plan:
        return
    effects = report.effects
    unknown = f" {effects['not judged']} not judged." if effects["not judged"] else ""
    counts = f"Opens {effects['opens']}, closes {effects['closes']}, adds {effects['adds']}, and removes"
    yield f"{counts} {counted(effects['removes'], 'routes')}.{unknown}\n\n"
    yield from _openings(report)
    created = [_finding_line(*pair) for pair in report.created()]
    if created:
        yield f"**The plan creates {counted(len(created), 'findings')}:**\n\n"
        yield ShortenedList(created, _more, "", "\n")
    rows = [_change_row(change) for change in report.changes]
    if rows:
        head = "| Action | Object | Account | Who gets through | |\n|---|---|---|---|---|\n"
        yield ShortenedList(rows, _more, head, "\n")
    else:
        yield "There is nothing to change.\n\n"


def _openings(report: Report) -> Iterator[Part]:
    lines = []
    for change, one in report.openings():
        where = f"{code(str(change.entry.get('object')), _NAME)} of {code(change.account, _NAME)}"
        lines.append(f"- {one.kind}: {code(f'{one.request}: {one.text}', _SENTENCE)}: {where}\n")
    if lines:
        note = openings_note(report)
        yield ShortenedList(lines, _more, "**The plan opens:**\n\n", f"\n{note}\n\n" if note else "\n")


def _change_row(change: Change) -> str:
    return (
        f"| {heading(change.action, 20)} | {code_in_table(str(change.entry.get('object')), _NAME)} "
        f"| {code_in_table(change.account, _NAME)} | {change.sides} | {change.effect} |\n"
    )


def _undeclared(account: str, one: Mapping[str, Any]) -> str:
    return (
        f"- {code(str(one.get('object')), _NAME)} of {code(account, _NAME)}: {code(str(one.get('why')), _SENTENCE)}\n"
    )


def _gap_line(gap: Any) -> str:
    return f"- {gap.kind}: {code(gap.object, _NAME)} of {code(gap.account, _NAME)}: {code(gap.why, _SENTENCE)}\n"


def _list(title: str, lines: list[str]) -> Iterator[Part]:
    if lines:
        yield f"## {title}\n\n"
        yield ShortenedList(lines, _more, "", "\n")


def _more(omitted: Sequence[int]) -> str:
    return f"… and {len(omitted)} more\n\n"
