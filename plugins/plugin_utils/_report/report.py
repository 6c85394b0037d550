# SPDX-License-Identifier: GPL-3.0-or-later
"""A report on several accounts: what is common to all its formats. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...module_utils._errors import counted
from ...module_utils._exposure.finding import SEVERITIES
from ...module_utils._values.option_error import members_of
from .._plan_facts import Opening, kind_order, more_openings, openings_of
from .._plan_markdown.result import unlisted
from .account_view import AccountView, Finding, Group
from .coverage import Coverage
from .drawing import ACCESS, Drawing
from .identity import EDGE, TLS_EDGE, TUNNEL, Anchors
from .plan_view import ADDS, CLOSES, OPENS, REMOVES, UNKNOWN, Change, changes_of
from .since import Since

OPENNESS = ("public", "one", "several", "closed", "unknown")
ACTIONS = ("create", "update", "delete")

NOT_PLANNED, NOT_EXECUTED = "not planned", "not executed"

MISSING = "No report of this account was collected."
_ABSENT = "It is in `previous`, and not in this report."


@dataclass(frozen=True)
class Gap:
    """Something that the report does not cover."""

    kind: str
    account: str
    object: str
    why: str


class Report:
    """The accounts of a report, by name, with their plans.

    `accounts` have the shape of the option, and are free of secrets. `expected` are the names that must be among them,
    `previous` are the accounts of an earlier report, None if there is none. `sources` are the contents
    of files in which accounts are declared, by their paths. `actions_of` says of each account how many objects its plan
    creates, updates, and deletes.
    """

    def __init__(
        self,
        title: str,
        accounts: Sequence[Mapping[str, Any]],
        expected: Sequence[str] = (),
        previous: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        self.title = title
        self.sources: Mapping[str, str] = {}
        anchors = Anchors()
        ordered = sorted(with_missing(accounts, expected), key=lambda account: str(account.get("name")))
        self.accounts = [AccountView(account, anchors) for account in ordered]
        earlier = Anchors()
        before = [AccountView(account, earlier) for account in previous or ()]
        self._coverage = {view.name: Coverage(view) for view in self.accounts}
        self.since = None if previous is None else Since(before, self.accounts, self._coverage)
        planned = {view.name: changes_of(view) for view in self.accounts}
        self.actions_of = {name: Counter(one.action for one in changes) for name, changes in planned.items()}
        self.changes = sorted((one for changes in planned.values() for one in changes), key=lambda one: one.rank)

    @property
    def incomplete(self) -> list[AccountView]:
        """The accounts of which something is missing, those of which nothing is known first."""
        return sorted((view for view in self.accounts if view.error), key=lambda view: (view.is_read, view.name))

    @cached_property
    def groups(self) -> list[Group]:
        return [group for view in self.accounts for group in view.groups.values()]

    @cached_property
    def routes(self) -> list[Drawing]:
        return [one for view in self.accounts for one in view.live()]

    @property
    def subscriptions(self) -> list[tuple[AccountView, Mapping[str, Any]]]:
        estates = ((view, members_of(view.estate.get("event_subscriptions"))) for view in self.accounts)
        return [(view, one) for view, members in estates for one in members]

    def count(self, kind: str) -> int:
        """Return how many live edges, TLS edges, or tunnels there are."""
        return sum(view.edges if kind == EDGE else len(view.live(kind)) for view in self.accounts)

    @property
    def knows_tunnels(self) -> bool:
        """Whether the online tunnels of any account were read."""
        return bool(self.count(TUNNEL)) or any("tunnels" not in one.unread for one in self._coverage.values())

    @cached_property
    def openness(self) -> Counter[str]:
        return sum((view.openness() for view in self.accounts), Counter())

    @cached_property
    def severities(self) -> dict[str, int]:
        """Return how many findings that are not accepted there are of each severity."""
        found: Counter[str] = sum((view.severities() for view in self.accounts), Counter())
        return {severity: found[severity] for severity in SEVERITIES}

    @cached_property
    def findings(self) -> list[Finding]:
        return [one for view in self.accounts for one in view.findings]

    @property
    def accepted(self) -> int:
        return sum(bool(one.accepted) for one in self.findings)

    @cached_property
    def owners(self) -> set[str]:
        owned: list[Group | Finding | Change] = [*self.groups, *self.findings, *self.created, *self.changes]
        found = {one.owner for one in owned} | {str(one.get("owner") or "") for _account, one in self.undeclared()}
        return found - {""}

    @property
    def has_plan(self) -> bool:
        return any(view.has_plan for view in self.accounts)

    @cached_property
    def actions(self) -> dict[str, int]:
        found = Counter(change.action for change in self.changes)
        return {action: found[action] for action in ACTIONS}

    @cached_property
    def effects(self) -> dict[str, int]:
        """Return how many routes the plans open, close, add, and remove, and how many changes are not judged."""
        known = {one: sum(change.count(one) for change in self.changes) for one in (OPENS, CLOSES, ADDS, REMOVES)}
        return {**known, UNKNOWN: sum(bool(change.count(UNKNOWN)) for change in self.changes)}

    def openings(self) -> list[tuple[Change, Opening]]:
        """Return what the plans open, each with a change that opens it. Those that nothing took before come last."""
        found = ((change, one) for change in self.changes for one in openings_of(change.entry))
        return sorted(found, key=lambda pair: kind_order(pair[1]))

    @property
    def openings_note(self) -> str:
        """How many openings are only counted, empty if all are listed."""
        number = sum(more_openings(change.entry) for change in self.changes)
        return f"The plan only counts {counted(number, 'more requests')}." if number else ""

    @cached_property
    def created(self) -> list[Finding]:
        """The findings that plans would create, if `estate` has judged its plan (`reject_findings`)."""
        found = ((view, one) for view in self.accounts for one in members_of(view.plan.get("findings")))
        return [Finding(view, one) for view, one in found if one.get("created") and not one.get("accepted")]

    @property
    def failures(self) -> int:
        """Return how many objects or accounts have a plan that failed, so that nobody knows what it changes."""
        return sum(gap.kind in (NOT_PLANNED, NOT_EXECUTED) for gap in self.gaps)

    def undeclared(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for view in self.accounts:
            yield from ((view.name, one) for one in members_of(view.plan.get("undeclared")))

    @cached_property
    def gaps(self) -> list[Gap]:
        """Return what the report does not cover, accounts first."""
        what = {"not read": "the whole account", "partly read": "the account"}
        unread = [("partly read" if view.is_read else "not read", view.name, view.error) for view in self.incomplete]
        unread += [("not read", name, _ABSENT) for name in (self.since.absent if self.since else ())]
        gaps = [Gap(kind, name, what[kind], why) for kind, name, why in unread]
        return [*gaps, *(gap for one in self._coverage.values() for gap in _gaps(one.view, one))]

    def summary(self) -> dict[str, Any]:
        """Return how much of everything there is. Findings that are accepted are counted on their own."""
        access = Counter(name for one in self.routes for name in one.access)
        return {
            "accounts": len(self.accounts),
            "read": sum(view.is_read for view in self.accounts),
            "missing": [view.name for view in self.accounts if view.is_missing],
            "incomplete": [view.name for view in self.accounts if view.error and not view.is_missing],
            "https_edges": self.count(EDGE),
            "routes": len(self.routes),
            "tls_edges": self.count(TLS_EDGE),
            "tunnels": self.count(TUNNEL),
            "access": {name: access[name] for name in ACCESS},
            "not_judged": self.openness["unknown"],
            "findings": self.severities,
            "accepted": self.accepted,
            "changes": self.actions,
            "created": len(self.created),
            **({"since": self.since.summary()} if self.since else {}),
        }


def with_missing(accounts: Sequence[Mapping[str, Any]], expected: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the accounts, and each that is expected and not among them as one that was not read."""
    given = {str(account.get("name")) for account in accounts}
    return [*accounts, *({"name": name, "missing": True, "error": MISSING} for name in sorted(set(expected) - given))]


def _gaps(view: AccountView, coverage: Coverage) -> Iterator[Gap]:
    if view.is_read and not view.exposure.is_known:
        yield Gap("not judged", view.name, "the whole account", "There is no exposure.")
    for kind, members in (("not judged", view.exposure.not_judged), ("not examined", view.plan.get("not_examined"))):
        for one in members_of(members):
            yield Gap(kind, view.name, str(one.get("object") or ""), str(one.get("why") or ""))
    for name in coverage.unjudged():
        yield Gap("not judged", view.name, name, "The exposure of the account does not contain it.")
    for key in view.only_judged:
        name = str(view.exposure.objects[key].get("object") or "")
        yield Gap("not read", view.name, name, "Its exposure is known, but the estate does not contain it.")
    for failure in members_of(view.plan.get("failures")):
        yield Gap(NOT_PLANNED, view.name, str(failure.get("object") or ""), str(failure.get("msg") or ""))
    if number := unlisted(view.plan):
        why = "The result of the plan only counts them. Request all names with `undeclared: names`."
        yield Gap("not listed", view.name, counted(number, "undeclared objects"), why)
    if view.plan.get("failed") and not view.plan.get("failures"):
        kind = NOT_EXECUTED if view.has_plan else NOT_PLANNED
        yield Gap(kind, view.name, "the whole account", str(view.plan.get("msg") or ""))
