# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as Markdown, for a pull request, a chat, or a wiki. Pure.

Text of others is shown as code, so that it stays text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...module_utils._errors import counted
from ...module_utils._exposure.finding import SEVERITIES
from .._plan_markdown.limited import Part, limited, shortened
from .._plan_markdown.text import code, code_block, code_in_table, heading, table_head, table_row
from .._report.account_view import AccountView, Finding
from .._report.findings import by_rule
from .._report.identity import EDGE
from .._report.report import Report
from .._report.wording import titled, yaml

LIMIT = 60_000
"""In characters. The comments of a pull request on GitHub can have 65,536."""

_NAME, _SENTENCE, _MOST_RULES = 200, 1000, 50
_LONGEST_REASON = 300
_WORDS = re.compile(r"(?=[A-Za-z])(?:[\w ,;:.'?()-]|`[\w ]+`)+", re.ASCII)


def markdown_page(report: Report) -> str:
    """Return the report with at most LIMIT characters. Lists are shortened, and say by how many members."""
    undeclared = (_item(one.get("object"), account, one.get("why")) for account, one in report.undeclared())
    gaps = (_item(gap.object, gap.account, gap.why, f"{gap.kind}: ") for gap in report.gaps)
    parts: list[Part] = [
        f"# {_bounded(heading, report.title, _NAME)}\n\n",
        *_incomplete(report),
        _totals(report),
        *_since(report),
        *_accounts(report),
        *_findings(report),
        *_public_routes(report),
        *_plan(report),
        *_section("## Undeclared", undeclared),
        *_section("## Not covered", gaps),
    ]
    return limited(parts, LIMIT).rstrip("\n") + "\n"


def _section(title: str, items: Iterable[str], head: str = "", end: str = "\n") -> Iterator[Part]:
    """Yield a list below its title, nothing if the list is empty."""
    if found := list(items):
        yield f"{title}\n\n"
        yield shortened(found, head, end)


def _incomplete(report: Report) -> Iterator[Part]:
    found = report.incomplete
    lines = (f"- {code(view.name, _NAME)} {view.problem} {code(view.error, _SENTENCE)}\n" for view in found)
    title = f"**This report is not complete: {len(found)} of {len(report.accounts)} accounts.**"
    return _section(title, lines)


def _totals(report: Report) -> str:
    openness = report.openness
    counts = [
        f"{openness['public']} public",
        f"{openness['one'] + openness['several']} with checks",
        f"{openness['closed']} closed",
        *([f"{openness['unknown']} not judged"] if openness["unknown"] else []),
    ]
    findings = [f"{number} {severity}" for severity, number in report.severities.items()]
    findings += [f"{report.accepted} accepted"] if report.accepted else []
    return f"{counted(len(report.routes), 'routes')}: {', '.join(counts)}. Findings: {', '.join(findings)}.\n\n"


def _since(report: Report) -> Iterator[Part]:
    since = report.since
    if since is None:
        return
    findings, routes = counted(len(since.new), "new findings"), counted(len(since.new_routes), "new routes")
    yield "## What has changed\n\n"
    yield f"{findings}, {len(since.gone)} gone. {routes}, {len(since.gone_routes)} gone.\n\n"
    lines = [_finding_line(one, f"{one.state}: ") for one in (*since.new, *since.gone)]
    yield shortened([*lines, *(f"- {state}: {_of(name, account)}\n" for state, account, name in since.routes)])


def _accounts(report: Report) -> Iterator[Part]:
    head = table_head("Account", "Edges", "Routes", "Public", *map(str.capitalize, SEVERITIES), "Plan", "As of")
    return _section("## Accounts", (_account_row(report, view) for view in report.accounts), head)


def _account_row(report: Report, view: AccountView) -> str:
    name = _cell(view.name)
    as_of = _cell(view.collected_at) if view.collected_at else ""
    severities = view.severities()
    plan = counted(sum(report.actions_of[view.name].values()), "changes") if view.has_plan else ""
    cells = [view.edges, len(view.live()), view.openness()["public"], *(severities[one] for one in SEVERITIES), plan]
    return table_row(name, *(cells if view.is_read else ["not read", *[""] * (len(cells) - 1)]), as_of)


def _findings(report: Report) -> Iterator[Part]:
    rules = by_rule(report.findings)
    yield "## Findings\n\n"
    if not rules:
        yield "There are no findings.\n\n"
    for rule in rules[:_MOST_RULES]:
        title = _bounded(heading, titled(rule.rule), 80)
        yield f"### {title} ({'accepted' if rule.is_accepted else rule.severity})\n\n"
        [first, *_more] = rule.cases.values()
        yield f"{_prose(first.why)}\n\n"
        if first.fix:
            yield f"How to fix it: {_prose(first.fix)}\n\n"
        yield shortened([_finding_line(one) for one in rule.findings])
    if len(rules) > _MOST_RULES:
        yield f"… and {len(rules) - _MOST_RULES} more rules\n\n"


def _prose(sentence: str) -> str:
    """Return a sentence of a rule: as it is if it only consists of words and is not too long, else as code."""
    if len(sentence) <= _LONGEST_REASON and _WORDS.fullmatch(sentence):
        return sentence
    return _bounded(code, sentence, _LONGEST_REASON) if sentence else ""


def _bounded(show: Callable[[str, int], str], text: str, longest: int) -> str:
    """Return a text of which no list can omit anything. Escape sequences can be ten times as long as the text."""
    most = longest + 60  # with delimiters, and the number of the remaining characters
    while len(shown := show(text, longest)) > most:
        longest //= 2
    return shown


def _finding_line(one: Finding, state: str = "") -> str:
    line = _item(one.object, one.account.name, one.message, state)
    if one.accepted:
        until = f" until {code(str(one.accepted['until']), _NAME)}" if one.accepted.get("until") else ""
        return f"{line}  Accepted{until}: {code(str(one.accepted.get('reason')), _SENTENCE)}\n"
    declared = yaml(one.given.get("fix_options"))
    if declared and not state:
        block = code_block(declared.rstrip("\n").split("\n"), "yaml")
        return line + "".join(f"  {row}\n" for row in block.rstrip("\n").split("\n"))
    return line


def _public_routes(report: Report) -> Iterator[Part]:
    rows = []
    for group in report.groups:
        for one in group.objects if group.kind == EDGE else ():
            if one.live is not None and one.live.openness == "public":
                backend = group.account.named(one.live.backend)
                name = _cell(" ".join((*group.hosts, one.name)))
                rows.append(table_row(name, _cell(backend) if backend else "", _cell(group.account.name)))
    return _section("## Public routes", rows, table_head("Route", "Backend", "Account"))


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
    openings = [
        f"- {one.kind}: {code(f'{one.request}: {one.text}', _SENTENCE)}: {_of(change.object, change.account.name)}\n"
        for change, one in report.openings()
    ]
    note = report.openings_note
    yield from _section("**The plan opens:**", openings, end=f"\n{note}\n\n" if note else "\n")
    created = [_finding_line(one) for one in report.created]
    yield from _section(f"**The plan creates {counted(len(created), 'findings')}:**", created)
    rows = [
        table_row(heading(one.action, 20), _cell(one.object), _cell(one.account.name), one.sides, one.effect)
        for one in report.changes
    ]
    head = table_head("Action", "Object", "Account", "Who gets through", "")
    yield shortened(rows, head) if rows else "There is nothing to change.\n\n"


def _item(name: Any, account: str, text: Any, state: str = "") -> str:
    return f"- {state}{_of(name, account)}: {code(str(text), _SENTENCE)}\n"


def _of(name: Any, account: str) -> str:
    return f"{code(str(name), _NAME)} of {code(account, _NAME)}"


def _cell(text: Any) -> str:
    return code_in_table(str(text), _NAME)
