# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks that fail because of findings: those of `exposure_info`, and plans of `estate` that would create them; with the
options that say which findings count, and which ones somebody has accepted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from .._access.openings import Opened
from .._applying.failures import listed, planning_failures
from .._applying.outcome import Outcome
from .._applying.permission import NothingExecuted
from .._definition import Options
from .._errors import UNSET_VARIABLE, IngressError, counted
from .._exposure.finding import SEVERITIES, Finding
from .._exposure.judge import created, judgement_of
from .._exposure.judged import Estate
from .._exposure.rules import ACCEPTABLE
from .._model.objects import join
from .._model.option_error import OptionError, OptionErrors, list_of
from .._model.option_wording import DocumentedElsewhere, NeverNull, kind_of, quoted
from .._planning.plan import Plan
from .._planning.plan_document import PlanDocument

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)

SEVERITY = NeverNull(type="str", choices=list(SEVERITIES))
ACCEPT: dict[str, Any] = {
    "type": "list",
    "elements": "dict",
    "default": [],
    "options": {
        "rule": {"type": "str", "required": True, "choices": list(ACCEPTABLE)},
        "object": {"type": "str", "required": True},
        "reason": {"type": "str", "required": True},
        "until": NeverNull(type="str"),
    },
}

OPTIONS = {
    "reject_findings": SEVERITY,
    "reject_existing": {"type": "bool", "default": False},
    "accept": DocumentedElsewhere(ACCEPT),
}


def acceptance_errors(given: Any, path: str = "accept") -> OptionErrors:
    """Yield the errors in the option: exceptions that accept nothing, or that nobody can understand later."""
    for number, one in enumerate(list_of(given)):
        if not isinstance(one, dict):
            continue
        where = f"{path}[{number}]"
        for name in ("object", "reason"):
            if isinstance(one.get(name), str) and not one[name].strip():
                yield OptionError(join(where, name), f"is empty; {UNSET_VARIABLE}")
        until = one.get("until")
        try:
            if until is not None:
                date.fromisoformat(until if _DATE.fullmatch(until) else "")
        except ValueError:
            got = quoted(until) if until else kind_of(until)
            yield OptionError(join(where, "until"), f"{got} is not a date; expected a date such as '2027-03-31'")


def rejection_errors(options: Options) -> OptionErrors:
    """Yield the errors in the options, which have no effect without a severity."""
    yield from acceptance_errors(options.get("accept"))
    for name in ("accept", "reject_existing"):
        if options.get(name) and options.get("reject_findings") is None:
            yield OptionError(name, f"has no effect without `reject_findings`; set `reject_findings`, or remove {name}")


def findings_error(findings: Sequence[Finding], severity: str) -> IngressError:
    return IngressError(f"{counted(len(findings), 'findings')} of {_at_least(severity)}:{_lines(findings)}")


def today() -> date:
    """Return the date on the host that runs the task. Only this function of the core asks for it."""
    return datetime.now().astimezone().date()


def judged_plan(
    before: Estate,
    after: Estate,
    opened: Sequence[Opened],
    options: Options,
    document: PlanDocument,
    plans: Sequence[Plan],
) -> Outcome:
    """Return the findings of what a plan makes of an estate, and the error of those that prevent it, if any."""
    severity, now = options["reject_findings"], today()
    judgement = judgement_of(after, options["accept"], now)
    new = created(judgement.findings, judgement_of(before, (), now).findings, opened)
    counting = [one for one in judgement.counting(severity) if options["reject_existing"] or one.key in new]
    message = _rejection(counting, severity, plans, is_new=not options["reject_existing"])
    error = NothingExecuted(message, document, plans) if message else None
    findings = [{**one.shown(), "created": one.key in new} for one in judgement.findings]
    shown = {"findings": findings, "not_judged": [one.shown() for one in judgement.not_judged]}
    return Outcome(objects=shown, warnings=list(judgement.warnings), error=error)


def _rejection(counting: Sequence[Finding], severity: str, plans: Sequence[Plan], *, is_new: bool) -> str:
    if failures := planning_failures(plans):
        head = "The plan is incomplete, so `reject_findings` cannot judge what it leads to. Nothing was changed."
        return f"{head} {failures}"
    if not counting:
        return ""
    verb = "would create or make worse" if is_new else "would leave"
    return (
        f"The plan {verb} {counted(len(counting), 'findings')} of {_at_least(severity)}. Nothing was changed. Change "
        f"the declaration, or list exceptions in `accept`:{_lines(counting)}"
    )


def _at_least(severity: str) -> str:
    return "severity high" if severity == "high" else f"severity {severity} or higher"


def _lines(findings: Sequence[Finding]) -> str:
    return listed([f"{one.name}: {one.hit.message} ({one.rule.name})" for one in findings])
