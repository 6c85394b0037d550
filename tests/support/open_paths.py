# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets through to what: the paths of all hosts that lead to a backend without anything that keeps people out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from module_task import Tasks
from places import is_active
from scripted_service import Received, Response, Script, as_json, forwarding

GUARDS = ("oauth", "oidc", "saml", "ip_restriction", "webhook_verification")

Open = frozenset[tuple[str, str, str]]
"""Hostport, path, and backend of what everybody gets through to."""

Instead = Callable[[Received], "Response | None"]
"""The response in place of the service, or None to leave it to the service."""


def open_to_all(state: Mapping[str, Any], paths: Iterable[str]) -> Open:
    """What everybody reaches of these paths, in the state of a service. The route with the longest match decides."""
    probes = tuple(paths)
    return frozenset(
        (hostport, path, route["backend"]["backend_id"])
        for edge in state["https_edges"]
        for hostport in edge["hostports"]
        for path in probes
        for route in _deciding(edge["routes"], path)
        if not is_active(edge, "mutual_tls") and _is_open(route)
    )


def _deciding(routes: Iterable[Mapping[str, Any]], path: str) -> list[Mapping[str, Any]]:
    """Return the route that a request for the path takes, if there is any."""
    matching = [route for route in routes if path.startswith(route["match"])]
    return sorted(matching, key=lambda route: len(route["match"]))[-1:]


def _is_open(route: Mapping[str, Any]) -> bool:
    return is_active(route, "backend") and not any(is_active(route, guard) for guard in GUARDS)


def watched(tasks: Tasks, seen: list[Open], paths: Iterable[str], instead: Instead = lambda request: None) -> Script:
    """The service of the tasks, but for the responses `instead`. `seen` is what was open after each request."""
    to_the_service = forwarding(tasks.service.base_url)
    probes = tuple(paths)

    def script(request: Received) -> Response:
        response = instead(request) or to_the_service(request)
        seen.append(open_to_all(tasks.service.state(), probes))
        return response

    return script


def rejection(status: int) -> Response:
    """A rejection in the format of the service."""
    rejected = {"error_code": "ERR_REJECTED", "status_code": status, "msg": "Rejected for the test.", "details": {}}
    return as_json(rejected, status)


def rejecting(method: str, path: str, match: str = "", status: int = 400) -> Instead:
    """Reject the requests with this method whose path ends like this and, if given, that are about this match."""

    def instead(request: Received) -> Response | None:
        is_it = request.method == method and request.path.endswith(path)
        if is_it and match:
            is_it = json.loads(request.body)["match"] == match
        return rejection(status) if is_it else None

    return instead
