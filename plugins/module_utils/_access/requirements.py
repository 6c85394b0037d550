# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody demands of all requests to some hosts and paths, and with which requests that is not met. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .._errors import as_sentence
from .._model.protection import CHECKS, CLOSED, needs_of
from .._values.escapes import visible
from .._values.hostports import host_key
from .._values.option_wording import enumerated
from .access import Access
from .account import Account, Edge
from .parts import At, Part, View
from .probes import Probe, hostports, probes_within, shown_request
from .route_probes import route_probes
from .routing import ASSUMED, covers


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
    """A request with which somebody gets through a route without what the requirement of this number demands."""

    number: int
    taker: tuple[Edge, Part[View]]
    text: str


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
        ways = enumerated([CHECKS[name] for name in one.needs if name != CLOSED] or ["that nobody gets through"])
        demands = f"but requirements[{number}] demands {ways}: {as_sentence(visible(one.reason))}"
        seen: set[tuple[Edge, Part[View]]] = set()
        for probe in probes:
            access, taker = probe.access(at), probe.taker(at)
            is_met = access is None or not set(one.needs).isdisjoint(access.certain_classes)
            if access is not None and taker is not None and not is_met and taker not in seen:
                seen.add(taker)
                given = f"{shown_request(probe.request, taker[0])} {_required(access)}"
                condition = f" {probe.reading.value}" if probe.reading != ASSUMED else ""
                yield Violation(number, taker, f"{given}{condition}, {demands}")


def _required(access: Access) -> str:
    """Return what is required, of which nobody knows whether it is enough if rules of IP policies are not known."""
    classes = access.classes
    text = f"requires only {needs_of(classes)}" if classes else "lets everyone through"
    return text if access.certain_classes == classes else f"{text}, and not all rules of its IP policies are known"


def without_hosts(account: Account, requirements: Sequence[Requirement]) -> Iterator[str]:
    """Yield the options with hosts that are not served."""
    for number, one in enumerate(requirements):
        for place, pattern in enumerate(one.hosts):
            if not any(one or covers(pattern, one) for one in hostports(account, pattern)):
                yield f"requirements[{number}].hosts[{place}]"
