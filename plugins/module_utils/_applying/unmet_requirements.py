# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a plan is rejected that leaves a requirement unmet, whether or not it causes that. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .._access.account import Account
from .._access.requirements import Requirement, Violation, demanded, violations, without_hosts
from .._access.views import START
from .._errors import counted
from .._exposure.finding import Finding, Hit
from .._exposure.rules_of_public_access import requirement_not_met
from .._planning.object_names import joined, route_subject, tls_edge_subject
from .._planning.plan import Plan
from .._planning.undeclared import NotExamined, Remainder
from .failures import listed, planning_failures

_ALREADY = " The plan does not cause this: it is so already."


@dataclass(frozen=True)
class UnmetRequirements:
    """What plans leave unmet, each with the name of the object that takes the request, and whether it is so before."""

    violations: Sequence[tuple[Violation, str, bool]]
    without_hosts: Sequence[str]
    failures: str = ""
    unread: Sequence[NotExamined] = ()

    @property
    def message(self) -> str:
        """Why the plan is rejected, or an empty string."""
        if self.failures:
            head = "The plan is incomplete, so nobody knows whether it meets `requirements`. Nothing was changed."
            return f"{head} {self.failures}"
        if self.unread:
            head = "What was not read does not meet `requirements`. Nothing was changed. Not read:"
            return f"{head}{listed([f'{one.subject}: {one.why}' for one in self.unread])}"
        if not self.violations:
            return ""
        lines = [f"{one.text}{_ALREADY if is_old else ''}" for one, _name, is_old in self.violations]
        return (
            f"The plan leaves {counted(len(lines), 'routes')} on which a requirement is not met. Nothing was changed. "
            f"Declare what is demanded, or disable the backends:{listed(lines)}"
        )

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings, as `exposure_info` returns them."""
        return [
            {**Finding(requirement_not_met, Hit(None, "", one.text)).shown(), "object": name, "created": not is_old}
            for one, name, is_old in self.violations
        ]


def unmet_requirements(
    account: Account, plans: Sequence[Plan], rest: Sequence[Remainder], requirements: Sequence[Requirement]
) -> UnmetRequirements:
    """Return what these plans of an account leave unmet. `rest` is what else the task has read, or has not."""
    end = {position: len(plan.operations) for position, plan in enumerate(plans)}
    about = demanded(account, requirements)
    before = {(one.number, one.taker, one.text) for one in violations(about, START)}
    found = [(one, _name(plans, one), (one.number, one.taker, one.text) in before) for one in violations(about, end)]
    unread = [one for one in rest if isinstance(one, NotExamined) and one.counts]
    return UnmetRequirements(found, list(without_hosts(account, requirements)), planning_failures(plans), unread)


def _name(plans: Sequence[Plan], violation: Violation) -> str:
    edge, route = violation.taker
    if route.plan is not None:
        return plans[route.plan].subject
    state = route.existing[0].state
    hostports = edge.own.existing[-1].state["hostports"] if edge.own and edge.own.existing else ()
    return route_subject(state, joined(hostports)) if "match" in state else tls_edge_subject(edge.identifier)
