# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as JUnit XML, which CI systems show as tests. Pure.

Each account is a test suite, and each object that was judged is a test, which fails if it has findings that are not
accepted. So the names of the tests stay the same from run to run.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from .._report.account_view import KINDS, AccountView, Finding
from .._report.identity import Numbered
from .._report.report import Report
from .._report.since import NEW
from .._report.wording import text

_LONGEST = 4000


def junit_document(report: Report) -> str:
    """Return the report as XML, in the format that Jenkins publishes as junit-10.xsd."""
    suites = ET.Element("testsuites", {"name": text(report.title)})
    for view in report.accounts:
        suites.append(_suite(view))
    for name in ("tests", "failures", "errors"):
        suites.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    ET.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(suites, encoding="unicode")}\n'


def _suite(view: AccountView) -> ET.Element:
    cases = list(_cases(view))
    numbered = Numbered()
    for case in cases:  # such as those of the replicas of a tunnel, of which CI systems would show only one
        name, *number = numbered.key((case.get("name"),))
        case.set("name", f"{name} ({number[0]})" if number else name)
        case.set("classname", text(view.name))
    failures = sum(case.find("failure") is not None for case in cases)
    skipped = sum(case.find("skipped") is not None for case in cases)
    counts = {"tests": len(cases), "failures": failures, "errors": 0, "skipped": skipped}
    suite = ET.Element("testsuite", {"name": text(view.name), **{name: str(number) for name, number in counts.items()}})
    if view.collected_at:
        # The time of a suite is that of its run elsewhere, and has no room for other notations.
        properties = ET.SubElement(suite, "properties")
        ET.SubElement(properties, "property", {"name": "collected_at", "value": text(view.collected_at)})
    suite.extend(cases)
    return suite


def _cases(view: AccountView) -> Iterator[ET.Element]:
    if view.error:
        case = ET.Element("testcase", {"name": "the account"})
        failure = {"type": "incomplete", "message": f"The account {view.problem}"}
        ET.SubElement(case, "failure", failure).text = text(view.error, _LONGEST)
        yield case
    for group in sorted(view.groups.values(), key=lambda group: KINDS.index(group.kind)):
        if group.is_live and (group.findings or not group.objects):
            yield _judged(f"{group.kind} {', '.join(group.hosts)}", group.findings)
        for one in group.objects:
            if one.live is not None:
                yield _judged(group.name_of(one), one.findings, is_judged=bool(one.live.access))
    others: dict[str, list[Finding]] = {}
    for finding in view.findings:
        if not finding.at:
            others.setdefault(finding.object, []).append(finding)
    for name, findings in others.items():
        yield _judged(name, findings)


def _judged(name: str, findings: list[Finding], *, is_judged: bool = True) -> ET.Element:
    case = ET.Element("testcase", {"name": text(name)})
    if failed := [one for one in findings if not one.accepted]:
        attributes = {"type": failed[0].severity, "message": text(", ".join(dict.fromkeys(one.rule for one in failed)))}
        ET.SubElement(case, "failure", attributes).text = "\n".join(map(_lines, failed))
    elif not is_judged:
        ET.SubElement(case, "skipped", {"message": "It was not judged."})
    if accepted := [one for one in findings if one.accepted]:
        ET.SubElement(case, "system-out").text = "\n".join(map(_lines, accepted))
    return case


def _lines(one: Finding) -> str:
    what = " ".join((one.severity, text(one.rule), "at", text(one.path)))
    state = "new: " if one.state == NEW else ""
    fix = one.given.get("fix")
    return "\n".join(
        (
            f"{state}{what}: {text(one.message, _LONGEST)}",
            *([f"Fix: {text(fix, _LONGEST)}"] if isinstance(fix, str) else []),
            *([f"Accepted: {text(one.accepted.get('reason'), _LONGEST)}"] if one.accepted else []),
        )
    )
