# SPDX-License-Identifier: GPL-3.0-or-later
"""A report as JUnit XML, which CI systems show as tests. Pure.

Each account is a test suite, and each object that was judged is a test, which fails if it has findings that are not
accepted. So the names of the tests stay the same from run to run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree as ET

from .account_view import AccountView
from .identity import Numbered
from .report import Report
from .since import NEW, Since
from .wording import account_absence, text

_LONGEST = 4000


def junit_document(report: Report) -> str:
    """Return the report as XML, in the format that Jenkins publishes as junit-10.xsd."""
    suites = ET.Element("testsuites", {"name": text(report.title)})
    for view in report.accounts:
        suites.append(_suite(view, report.since))
    for name in ("tests", "failures", "errors"):
        suites.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    ET.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(suites, encoding="unicode")}\n'


def _suite(view: AccountView, since: Since | None) -> ET.Element:
    cases = list(_cases(view, since))
    numbered = Numbered()
    for case in cases:  # such as those of the replicas of a tunnel, of which CI systems would show only one
        name, *number = numbered.key((case.get("name"),))
        case.set("name", f"{name} ({number[0]})" if number else name)
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


def _cases(view: AccountView, since: Since | None) -> Iterator[ET.Element]:
    if view.error:
        case = _case(view, "the account")
        failure = {"type": "incomplete", "message": f"The account {account_absence(view)}"}
        ET.SubElement(case, "failure", failure).text = text(view.error, _LONGEST)
        yield case
    placed: set[int] = set()
    for group in view.groups:
        if group.is_live and (group.findings or not group.objects):
            placed.update(map(id, group.findings))
            yield _judged(view, since, f"{group.kind} {', '.join(group.hosts)}", group.findings, is_judged=True)
        for one in group.objects:
            if one.live is not None:
                placed.update(map(id, one.findings))
                yield _judged(view, since, group.name_of(one), one.findings, is_judged=bool(one.live.access))
    others: dict[str, list[Mapping[str, Any]]] = {}
    for finding in view.exposure.findings:
        if id(finding) not in placed:
            others.setdefault(str(finding.get("object")), []).append(finding)
    for name, findings in others.items():
        yield _judged(view, since, name, findings, is_judged=True)


def _case(view: AccountView, name: str) -> ET.Element:
    return ET.Element("testcase", {"classname": text(view.name), "name": text(name)})


def _judged(
    view: AccountView, since: Since | None, name: str, findings: list[Mapping[str, Any]], *, is_judged: bool
) -> ET.Element:
    case = _case(view, name)
    counted = [one for one in findings if not one.get("accepted")]
    if counted:
        kinds = ", ".join(dict.fromkeys(str(one.get("rule")) for one in counted))
        attributes = {"type": text(counted[0].get("severity")), "message": text(kinds)}
        ET.SubElement(case, "failure", attributes).text = "\n".join(_lines(view, since, counted))
    elif not is_judged:
        ET.SubElement(case, "skipped", {"message": "It was not judged."})
    accepted = [one for one in findings if one.get("accepted")]
    if accepted:
        ET.SubElement(case, "system-out").text = "\n".join(_lines(view, None, accepted))
    return case


def _lines(view: AccountView, since: Since | None, findings: list[Mapping[str, Any]]) -> Iterator[str]:
    for one in findings:
        what = " ".join((text(one.get("severity")), text(one.get("rule")), "at", text(one.get("path"))))
        state = "new: " if since and since.state(one) == NEW else ""
        yield f"{state}{what}: {text(view.message(one), _LONGEST)}"
        if isinstance(one.get("fix"), str):
            yield f"Fix: {text(one.get('fix'), _LONGEST)}"
        accepted = one.get("accepted")
        if isinstance(accepted, Mapping):
            yield f"Accepted: {text(accepted.get('reason'), _LONGEST)}"
