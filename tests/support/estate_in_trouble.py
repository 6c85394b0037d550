# SPDX-License-Identifier: GPL-3.0-or-later
"""One estate with a bit of everything to do, run through the fault proxy, and what must be true afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fault_kinds import TIMEOUT
from fault_proxy import Fault, FaultProxy
from figures import LEAK
from module_task import WRITES
from one_run import apply
from reference_service_process import API_KEY, ReferenceService

SECRETS = ("canary-of-webhook", "canary-of-oidc", "canary-of-oauth")
OLD = ["old.example.com:443"]

PREFIX, ONE = {"match_type": "path_prefix"}, {"match_type": "exact_path", "match": "/one"}
ROOT = {**PREFIX, "match": "/", "backend": {"backend_id": "bkdhr_one"}}
HOOK = {"webhook_verification": {"provider": "slack", "secret": SECRETS[0]}}
OIDC = {"oidc": {"issuer": "https://id.example.com", "client_id": "app", "client_secret": SECRETS[1]}}
OAUTH = {"oauth": {"provider": {"github": {"client_id": "app", "client_secret": SECRETS[2]}}}}

SEED: dict[str, Any] = {
    "https_edges": [
        {
            "id": "edghts_old",
            "hostports": OLD,
            "description": "as it was",
            "mutual_tls": {"certificate_authority_ids": ["ca_one"]},
            "routes": [{**ROOT, **OAUTH}, {**PREFIX, "match": "/gone"}],
        }
    ],
    "tls_edges": [{"id": "edgtls_one"}, {"id": "edgtls_two", "tls_termination": {"terminate_at": "edge"}}],
    "event_subscriptions": [{"id": "esb_one", "sources": ["ip_policy_created.v0"]}],
}

ESTATE: dict[str, Any] = {
    "https_edges": [
        {
            "hostports": ["new.example.com:443", "new.example.com:8443"],
            "metadata": {"name": "new"},
            "routes": [{**ONE, "compression": {"enabled": True}}, {**PREFIX, "match": "/two", **HOOK}],
        },
        {
            "hostports": OLD,
            "description": "as it is to be",
            "tls_termination": {"min_version": "1.2"},
            "routes": [{**ROOT, **OIDC}],
        },
    ],
    "tls_edges": [
        {"edge_id": "edgtls_one", "ip_restriction": {"ip_policy_ids": ["ipp_one"]}},
        {"edge_id": "edgtls_two", "absent_modules": ["tls_termination"]},
    ],
    "event_subscriptions": [{"subscription_id": "esb_one", "sources": ["ip_policy_updated.v0"]}],
    "purge": ["routes", "modules", "sources"],
}


class EstateInTrouble:
    """Runs the estate through the proxy. `run` starts from the seed, and says what came of it."""

    def __init__(self, service: ReferenceService, proxy: FaultProxy, **options: Any) -> None:
        self.service, self.proxy, self.options = service, proxy, options
        self.start_over()
        self.expected: Any = None
        first = self.apply(proxy.base_url, timeout=30.0)
        assert not first.get("failed"), first["msg"]
        self.requests = len(proxy.requests)
        self.expected = self.state()

    def start_over(self) -> None:
        self.service.reset()
        self.service.switches(one_auth_module=True)
        self.service.seed(**SEED)
        self.proxy.begin()

    def apply(self, base_url: str, check: bool = False, **options: Any) -> dict[str, Any]:
        return apply(ESTATE, base_url, check, **{"timeout": TIMEOUT, **self.options, **options})

    def run(self, faults: Mapping[int, Fault], **options: Any) -> dict[str, Any]:
        self.start_over()
        self.proxy.begin(faults)
        return self.apply(self.proxy.base_url, **options)

    def complaints(self, result: dict[str, Any]) -> list[str]:
        """What is wrong after a run with faults: nothing, if all promises were kept."""
        self.proxy.raise_errors()
        sent_twice = [f"sent twice without a look: {request}" for request in _blindly_repeated(self.proxy)]
        found = [*sent_twice, *_leaks(result)]
        if result.get("failed"):
            found += _unclear(result)
        elif self.state() != self.expected:
            found.append("it said that it succeeded, and the state is another")
        again = self.apply(self.service.base_url, timeout=30.0)
        if again.get("failed"):
            found.append(f"the next run failed: {again['msg']}")
        if self.state() != self.expected:
            found.append(f"after the next run, the state is {self.state()} instead of {self.expected}")
        if not again.get("failed") and self.apply(self.service.base_url, check=True, timeout=30.0)["changed"]:
            found.append("the run after the next would change something")
        return found

    def state(self) -> Any:
        """All that the service holds, without what it makes up itself, in an order that does not depend on the run."""
        return _ordered(self.service.state())


def _blindly_repeated(proxy: FaultProxy) -> list[str]:
    """POST and PATCH requests that the service got twice, with nothing read in between."""
    found = []
    since_read: list[tuple[str, str, bytes]] = []
    for request in proxy.requests:
        if request.method not in WRITES:
            since_read = []
        elif request.method in ("POST", "PATCH") and proxy.statuses.get(request.number, 429) != 429:
            sent = (request.method, request.path, request.body)
            found += [f"{request.method} {request.path}"] if sent in since_read else []
            since_read.append(sent)
    return found


def _leaks(result: dict[str, Any]) -> list[str]:
    text = json.dumps(result, default=str)
    return [f"{LEAK}: {secret}" for secret in (*SECRETS, API_KEY) if secret in text]


def _unclear(result: dict[str, Any]) -> list[str]:
    """What an error lacks: the object that it is about, the operation, the cause."""
    failures = result.get("failures") or [{"object": "reading", "msg": result["msg"], "error": result.get("error")}]
    return [
        f"an error that does not say what it is about: {failure}"
        for failure in failures
        if not failure["object"]
        or not failure["msg"]
        or not any(
            word in failure["msg"]
            for word in ("Skipped", "Not created", "Not changed", "Not deleted", "Not purged", "Not finished", "/")
        )
    ]


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _ordered(member) for name, member in value.items() if name not in ("id", "created_at")}
    if isinstance(value, list):
        return sorted((_ordered(member) for member in value), key=lambda member: json.dumps(member, sort_keys=True))
    return value
