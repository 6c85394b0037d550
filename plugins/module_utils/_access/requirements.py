# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody demands of all requests to some hosts and paths, and with which requests that is not met. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .._errors import as_sentence
from .._model.escapes import visible
from .._model.hostports import host_key
from .._model.option_wording import enumerated
from .._model.protection import CHECKS, CLOSED, needs_of
from .access import Access
from .account import Account, Edge
from .probes import Probe, hostports, probes_within, route_probes, shown_request
from .routing import ASSUMED
from .views import At, Part, View


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
        hosts = [host_key(host.rstrip(".")) for host in given.get("hosts") or ["*"]]
        return cls(hosts, given.get("paths") or ["/"], given["needs"], given["reason"])


class Violation(NamedTuple):
    """A request with which somebody gets through a route without what is demanded. `number` is that of the requirement.

    Whether an allowed network is needed is not known if not all rules of the IP policies are known.
    """

    number: int
    requirement: Requirement
    probe: Probe
    access: Access
    taker: tuple[Edge, Part[View]]

    @property
    def text(self) -> str:
        classes = self.access.classes
        given = f"requires only {needs_of(classes)}" if classes else "lets everyone through"
        if self.access.certain_classes != classes:
            given += ", and not all rules of its IP policies are known"
        if self.probe.reading != ASSUMED:
            given += f" {self.probe.reading.value}"
        ways = [CHECKS[name] for name in self.requirement.needs if name != CLOSED]
        demanded = enumerated(ways or ["that nobody gets through"])
        reason = as_sentence(visible(self.requirement.reason))
        request = shown_request(self.probe.request, *self.taker)
        return f"{request} {given}, but requirements[{self.number}] demands {demanded}: {reason}"


Demanded = Sequence[tuple[Requirement, Sequence[Probe]]]
"""Requirements, each with the requests that it is about."""


def demanded(account: Account, requirements: Sequence[Requirement]) -> Demanded:
    """Return the requirements with the requests that stand for all that they are about, at any time."""
    found = []
    for one in requirements:
        probes = [probe for host in one.hosts for path in one.paths for probe in probes_within(account, host, path)]
        unclear = (probe for host in one.hosts for probe in route_probes(account, host) if probe.is_unclear)
        # The best proof is a request that is certainly taken as assumed.
        found.append((one, sorted([*probes, *unclear], key=lambda probe: probe.reading != ASSUMED)))
    return found


def violations(found: Demanded, at: At) -> Iterator[Violation]:
    """Yield a request for each route that does not meet a requirement. What is not known does not meet it."""
    for number, (one, probes) in enumerate(found):
        seen: set[tuple[Edge, Part[View]]] = set()
        for probe in probes:
            access, taker = probe.access(at), probe.taker(at)
            is_met = access is None or not set(one.needs).isdisjoint(access.certain_classes)
            if access is not None and taker is not None and not is_met and taker not in seen:
                seen.add(taker)
                yield Violation(number, one, probe, access, taker)


def without_hosts(account: Account, requirements: Sequence[Requirement]) -> Iterator[str]:
    """Yield the options with hosts that are not served."""
    for number, one in enumerate(requirements):
        for place, pattern in enumerate(one.hosts):
            if next(hostports(account, pattern), None) is None:
                yield f"requirements[{number}].hosts[{place}]"
