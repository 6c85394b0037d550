# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody demands of all requests to some hosts and paths, and with which requests that is not met. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .._errors import as_sentence
from .._model.escapes import visible
from .._model.option_wording import enumerated
from .._model.protection import CHECKS, CLOSED, needs_of
from .._model.string_sets import host_key
from .account import Account, Edge
from .openings import shown_request
from .probe import Probe
from .probes import hostports, probes_within, unclear_within
from .routing import ASSUMED, condition
from .views import At, Part


class Requirement(NamedTuple):
    """What requests to any of these hosts and below any of these paths need: one of these classes.

    If the only class is "closed", nobody may get through.
    """

    hosts: Sequence[str]
    paths: Sequence[str]
    needs: Sequence[str]
    reason: str

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Requirement:
        """Return the requirement of an option without errors."""
        hosts = [host_key(host.rstrip(".")) for host in given.get("hosts") or ["*"]]
        return cls(hosts, given.get("paths") or ["/"], given["needs"], given["reason"])


class Violation(NamedTuple):
    """A request with which somebody gets through a route without what is demanded. `number` is that of the requirement.

    `access` is what they need, and `condition` says on which services the route takes the request. It `is_unknown`
    whether they need an allowed network if not all rules of the IP policies are known.
    """

    number: int
    requirement: Requirement
    request: str
    access: Sequence[str]
    taker: tuple[Edge, Part]
    condition: str
    is_unknown: bool = False

    @property
    def text(self) -> str:
        """What is wrong, in words."""
        given = f"requires only {needs_of(self.access)}" if self.access else "lets everyone through"
        if self.is_unknown:
            given += ", and not all rules of its IP policies are known"
        if self.condition:
            given += f" {self.condition}"
        return f"{self.request} {given}, but requirements[{self.number}] demands {self._demanded}: {self._reason}"

    @property
    def _demanded(self) -> str:
        ways = [CHECKS[name] for name in self.requirement.needs if name != CLOSED]
        return enumerated(ways or ["that nobody gets through"])

    @property
    def _reason(self) -> str:
        return as_sentence(visible(self.requirement.reason))


Demanded = Sequence[tuple[Requirement, Sequence[Probe]]]
"""Requirements, each with the requests that it is about."""


def demanded(account: Account, requirements: Sequence[Requirement]) -> Demanded:
    """Return the requirements with the requests that stand for all that they are about, at any time."""
    return [(one, _probes(account, one)) for one in requirements]


def violations(found: Demanded, at: At) -> Iterator[Violation]:
    """Yield a request for each route that does not meet a requirement. What is not known does not meet it."""
    for number, (one, probes) in enumerate(found):
        seen: set[tuple[Edge, Part]] = set()
        for probe in probes:
            access, taker = probe.access(at), probe.taker(at)
            if (
                access is None
                or taker is None
                or taker in seen
                or not set(one.needs).isdisjoint(access.certain_classes)
            ):
                continue
            seen.add(taker)
            request = shown_request(probe.request, *taker)
            is_unknown = access.certain_classes != access.classes
            yield Violation(number, one, request, access.classes, taker, condition(probe.reading), is_unknown)


def without_hosts(account: Account, requirements: Sequence[Requirement]) -> Iterator[str]:
    """Yield the options with hosts that are not served."""
    for number, one in enumerate(requirements):
        for place, pattern in enumerate(one.hosts):
            if next(hostports(account, pattern), None) is None:
                yield f"requirements[{number}].hosts[{place}]"


def _probes(account: Account, one: Requirement) -> list[Probe]:
    found: list[Probe] = [
        probe for host in one.hosts for path in one.paths for probe in probes_within(account, host, path)
    ]
    unclear = [probe for host in one.hosts for probe in unclear_within(account, host)]
    # The best proof is a request that is certainly taken as assumed.
    return sorted([*found, *unclear], key=lambda probe: probe.reading != ASSUMED)
