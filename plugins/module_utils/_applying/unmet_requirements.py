# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a plan is rejected that leaves a requirement unmet, whether or not it causes that. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .._access.account import Account
from .._access.parts import START
from .._access.requirements import Requirement, Violation, demanded, violations, without_hosts
from .._errors import counted
from .._exposure.finding import Finding, Hit
from .._exposure.rules_of_public_access import requirement_not_met
from .._planning.object_names import joined, route_subject
from .._planning.plan import Plan
from .._planning.undeclared import Remainder
from .failures import listed, not_read, planning_failures

_ALREADY = " The plan does not cause this: it is so already."


class UnmetRequirements(NamedTuple):
    """Why a plan is rejected, or an empty string; the findings, as `exposure_info` returns them."""

    message: str
    findings: Sequence[dict[str, Any]]
    without_hosts: Sequence[str]


def unmet_requirements(
    account: Account, plans: Sequence[Plan], rest: Sequence[Remainder], requirements: Sequence[Requirement]
) -> UnmetRequirements:
    """Return what these plans of an account leave unmet. `rest` is what else the task has read, or has not."""
    end = {position: len(plan.operations) for position, plan in enumerate(plans)}
    about = demanded(account, requirements)
    before = set(violations(about, START))
    found = [(one, one in before) for one in violations(about, end)]
    hits = [Hit(None, "", one.text, requirement=requirements[one.number].reason) for one, _is_old in found]
    findings = [
        {**Finding(requirement_not_met, hit).shown(), "object": _name(plans, one), "created": not is_old}
        for hit, (one, is_old) in zip(hits, found)
    ]
    message = ""
    if failures := planning_failures(plans):
        head = "The plan is incomplete, so nobody knows whether it meets `requirements`. Nothing was changed."
        message = f"{head} {failures}"
    elif unread := not_read(rest):
        message = f"What was not read does not meet `requirements`. Nothing was changed. Not read:{unread}"
    elif found:
        lines = [f"{one.text}{_ALREADY if is_old else ''}" for one, is_old in found]
        message = (
            f"The plan leaves {counted(len(lines), 'routes')} on which a requirement is not met. Nothing was changed. "
            f"Declare what is demanded, or disable the backends:{listed(lines)}"
        )
    return UnmetRequirements(message, findings, list(without_hosts(account, requirements)))


def _name(plans: Sequence[Plan], violation: Violation) -> str:
    edge, route = violation.taker
    if route.plan is not None:
        return plans[route.plan].subject
    state = route.existing[0].state
    hostports = edge.own.existing[-1].state["hostports"] if edge.own and edge.own.existing else ()
    return route_subject(state, joined(hostports)) if "match" in state else edge.name
