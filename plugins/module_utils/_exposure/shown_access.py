# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through an object, and the way of one request, in the form of results. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from .._access.access import Access
from .._access.locks import ON, POLICY, UNKNOWN, Lock
from .._access.parts import START
from .._access.probes import Probe, Request, by_reading
from .._access.routing import Area
from .._access.served_objects import PORTS
from .._model.protection import CHECKS, CLOSED, PUBLIC
from .._values.option_error import join
from .doubts import ACTIONS, FORM, HOLLOW, UNKNOWN_ROUTES
from .judged import HTTPS, TUNNEL, Estate, Subject

_ORDER = (*CHECKS, POLICY)
_MOST_ADMITTED = 5
_EVERYONE = {"oauth": "any user of {}", "saml": "any user"}
"""Whom logins admit that do not restrict the users of a provider. Those of `oidc` are known by their issuer."""

_OPTIONS = "OPTIONS "

_UNSETTLED = (
    "The API does not define how it resolves empty segments, dots, and encoded characters in a path, so another route "
    "may take this request."
)
_UNREAD = "were not read, and one of them may serve the host."
_ANYWHERE = "may serve the host: its hostports have an unexpected form."
_NOT_SERVED = (
    "Nothing that was read serves this host and port. The API reference defines no list of TLS edges, and no hostports "
    "of them, so one of them may."
)


def exposed(subject: Subject) -> dict[str, Any]:
    return {
        **place_of(subject),
        "kind": subject.kind,
        "path": subject.path,
        "id": subject.id,
        "access": subject.access,
        "by": {} if subject.is_closed else {name: list(paths) for name, paths in subject.required.items()},
        "locks": locks(subject),
    }


def place_of(subject: Subject) -> dict[str, Any]:
    """Return the name of an object, and the edge, the route, and the backend that belong to it."""
    edge, is_route = subject.edge, subject.parent is not None
    hostports = {"hostports": list(edge.hostports)} if edge.kind == HTTPS else {}
    return {
        "object": subject.name,
        "edge": None if edge.kind == TUNNEL else {"id": edge.id, **hostports},
        "route": {name: subject.state[name] for name in ("match_type", "match")} if is_route else None,
        "backend_id": subject.backend_id if is_route else None,
    }


def locks(subject: Subject, *, is_options: bool = False) -> list[dict[str, Any]]:
    """Return the traffic modules of an object, and of its edge, that can keep visitors out, in the documented order.

    Requests with the method OPTIONS can be exempt from a login.
    """
    found = sorted(subject.locks, key=lambda one: _ORDER.index(one[1].check))
    return [_shown(owner, lock) for owner, lock in found if not (is_options and lock.exempts_options)]


def _shown(owner: Subject, lock: Lock) -> dict[str, Any]:
    """Return in short what a lock checks, and whom it admits if it is enabled."""
    everyone = _EVERYONE.get(lock.module, "{}")
    admits = [
        everyone.format(member[0]) if len(member) == 1 or lock.module == "oidc" else member[-1]
        for member in sorted(lock.members)
    ]
    if lock.check == POLICY:
        # Nobody knows what its actions do.
        policy = owner.state[lock.module]
        admits = [str(rule.get("name") or "rule") for rule in (*policy["inbound"], *policy["outbound"])]
    return {
        "module": lock.module,
        "path": join(owner.path, lock.module),
        "requires": lock.check,
        "state": UNKNOWN if lock.check == POLICY and lock.state == ON else lock.state,
        "admits": admits[:_MOST_ADMITTED],
        "admits_count": len(admits),
    }


def request_of(text: str) -> Request | None:
    """Return the request of a URL such as `https://shop.example.com/admin`, or with `OPTIONS ` before it.

    None if there is none in it, or a user name as well, which may come with a password.
    """
    try:
        url = urlsplit(text.removeprefix(_OPTIONS))
        port = url.port or PORTS.get(url.scheme)
    except ValueError:
        return None
    if not url.hostname or not port or "@" in url.netloc:
        return None
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    return Request(f"{host}:{port}", url.path or "/", text.startswith(_OPTIONS))


def traced(estate: Estate, text: str, request: Request) -> dict[str, Any]:
    """Return the way of a request, whose text has the form of a URL, as it is assumed."""
    assumed, *others = by_reading(estate.account, request)
    taker = assumed.taker(START)
    serving = (one.edge.own for one in assumed.servers if one.hostport in one.edge.hosts_at(START))
    part = taker[1] if taker else next(serving, None)
    # What takes the request, or else the edge that serves its host.
    subject: Subject | None = part.subject if part else None
    anywhere = [f"{one.name} {_ANYWHERE}" for one in estate.served if "" in one.hostports]
    possible = [] if taker else [*(f"{one.name} {_UNREAD}" for one in estate.unread), *anywhere]
    return {
        "request": text,
        **(place_of(subject) if subject else dict.fromkeys(("object", "edge", "route", "backend_id"))),
        "locks": locks(subject, is_options=request.is_options) if subject else [],
        "access": _classes(assumed.access(START)),
        "unsure": [
            *_doubts(subject, request),
            *(f"{one[0].upper()}{one[1:]}" for one in possible),
            *_otherwise(assumed, others),
        ],
    }


def _classes(access: Access | None) -> list[str]:
    return [CLOSED] if access is None else access.classes or [PUBLIC]


def _otherwise(assumed: Probe, others: Iterable[Probe]) -> Iterator[str]:
    """Yield the ways that differ on services with other readings."""
    seen = [assumed.taker(START)]
    for probe in others:
        taker = probe.taker(START)
        if taker not in seen:
            seen.append(taker)
            how: str = probe.reading.value
            taken = f"{taker[1].subject.name} takes it: {' and '.join(_classes(probe.access(START)))}" if taker else ""
            yield f"{how[0].upper()}{how[1:]}, {taken or 'nothing takes it'}."


def _doubts(subject: Subject | None, request: Request) -> Iterator[str]:
    if not Area("", request.path, is_exact=True).is_settled:
        yield _UNSETTLED
    if subject is None:
        yield _NOT_SERVED
        return
    if subject.kind == HTTPS and not subject.knows_routes:
        yield UNKNOWN_ROUTES
    if subject.has_actions:
        yield ACTIONS
    yield from (f"{name}: {FORM}" for name in subject.unclear)
    yield from (f"{name}: {HOLLOW}" for one in (subject, subject.parent) if one for name in one.hollow)
