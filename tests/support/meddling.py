# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody else does to the edges of a service while a task runs."""

from __future__ import annotations

import json
import random
from typing import Any

from any_change import AUTHORITIES, HOSTPORTS, LOGINS, MATCHES
from reference_service_process import API_KEY, ReferenceService
from scripted_service import Received, forwarding
from watched_change import Meddle

GUARDS = ("ip_restriction", "webhook_verification", *LOGINS)
HEADERS = {"Authorization": f"Bearer {API_KEY}", "Svc-Version": "2", "Content-Type": "application/json"}


def any_meddling(chance: random.Random) -> Meddle:
    """One request that is drawn once the state is known. The service may reject it, which is as good as none."""

    def meddle(service: ReferenceService, state: Any) -> None:
        edges = state["https_edges"]
        if edges:
            sending(*_request(chance, chance.choice(edges)))(service, state)

    return meddle


def sending(method: str, path: str, body: Any = None) -> Meddle:
    request = Received(0, method, path, HEADERS, b"" if body is None else json.dumps(body).encode())
    return lambda service, _state: forwarding(service.base_url)(request)


def _request(chance: random.Random, edge: dict[str, Any]) -> tuple[str, str, Any]:
    path = f"/edges/https/{edge['id']}"
    backend = {"backend": {"backend_id": "bkd_two"}}
    drawn: list[tuple[str, str, Any]] = [
        ("POST", f"{path}/routes", {"match_type": "path_prefix", "match": chance.choice(MATCHES), **backend}),
        ("PATCH", path, {"hostports": chance.sample(HOSTPORTS, 2)}),
        ("PATCH", path, {"mutual_tls": {"certificate_authority_ids": chance.sample(AUTHORITIES, 1)}}),
        ("DELETE", f"{path}/mutual_tls", None),
    ]
    if edge["routes"]:
        route = chance.choice(edge["routes"])
        its_path = f"{path}/routes/{route['id']}"
        held = [name for name in GUARDS if name in route]
        drawn += [("DELETE", its_path, None), ("PATCH", its_path, {"match": chance.choice(MATCHES)})]
        drawn += [("PATCH", its_path, backend), *(("DELETE", f"{its_path}/{name}", None) for name in held)]
    return chance.choice(drawn)
