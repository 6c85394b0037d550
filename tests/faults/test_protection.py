# SPDX-License-Identifier: GPL-3.0-or-later
"""While a run changes what protects a route, and wherever it breaks off, nobody gets through without any protection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fault_kinds import KINDS
from fault_proxy import Fault, FaultProxy
from figures import Figures
from module_task import Tasks
from rich_world import FIRST

EDGE, ROUTE = "edghts_guarded", "edghtsrt_guarded"
BACKEND = {"backend_id": "bkdhr_one"}
GUARDS = ("oauth", "oidc", "saml", "ip_restriction", "webhook_verification", "user_agent_filter")
BREAKING = ("503 before", "504 after", "reset before", "reset after", "a page of HTML", "redirect")

# What protects the route before, and what is declared.
CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "oauth gives way to oidc": ({"oauth": FIRST["oauth"]}, {"oidc": FIRST["oidc"], "absent_modules": ["oauth"]}),
    "saml gives way to oauth": ({"saml": FIRST["saml"]}, {"oauth": FIRST["oauth"], "saml": {}}),
    "one restriction for another": (
        {"ip_restriction": {"ip_policy_ids": ["ipp_one"]}},
        {"ip_restriction": {"ip_policy_ids": ["ipp_two"]}},
    ),
    "a restriction for a login": (
        {"oidc": FIRST["oidc"]},
        {"ip_restriction": {"ip_policy_ids": ["ipp_two"]}, "backend": BACKEND, "purge_modules": True},
    ),
    "a login for a restriction": (
        {"ip_restriction": {"ip_policy_ids": ["ipp_one"]}},
        {"oauth": FIRST["oauth"], "absent_modules": ["ip_restriction"]},
    ),
}


def is_in_force(route: dict[str, Any], module: str) -> bool:
    return module in route and bool(route[module].get("enabled", True))


def lets_everybody_through(route: dict[str, Any]) -> bool:
    return is_in_force(route, "backend") and not any(is_in_force(route, guard) for guard in GUARDS)


class Watched:
    """One route, looked at after each request that the service gets."""

    def __init__(
        self, tasks: Tasks, proxy: FaultProxy, before: dict[str, Any], faults: Mapping[int, Fault] | None = None
    ) -> None:
        self.tasks = tasks
        route = {"id": ROUTE, "match_type": "path_prefix", "match": "/", "backend": BACKEND, **before}
        tasks.service.reset()
        tasks.service.switches(one_auth_module=True)
        tasks.service.seed(https_edges=[{"id": EDGE, "hostports": ["a.example.com:443"], "routes": [route]}])
        self.seen: list[dict[str, Any]] = []
        proxy.begin(faults)
        proxy.saw = lambda request: self.seen.append(self.route())

    def route(self) -> dict[str, Any]:
        route: dict[str, Any] = self.tasks.service.state()["https_edges"][0]["routes"][0]
        return route

    def change(self, declared: dict[str, Any], base_url: str) -> dict[str, Any]:
        options = {"edge_id": EDGE, "match_type": "path_prefix", "match": "/", **declared}
        return self.tasks.run("https_edge_route", base_url=base_url, **options)


@pytest.mark.parametrize(("before", "declared"), CHANGES.values(), ids=CHANGES)
def test_a_change_never_opens_the_route(
    tasks: Tasks, proxy: FaultProxy, before: dict[str, Any], declared: dict[str, Any]
) -> None:
    watched = Watched(tasks, proxy, before)
    assert not watched.change(declared, proxy.base_url).get("failed")
    assert len(watched.seen) == len(proxy.requests) > 1
    assert not any(lets_everybody_through(route) for route in watched.seen)
    assert is_in_force(watched.route(), "backend")


@pytest.mark.parametrize("kind", BREAKING)
@pytest.mark.parametrize(("before", "declared"), CHANGES.values(), ids=CHANGES)
def test_a_run_that_breaks_off_never_opens_the_route(
    tasks: Tasks, proxy: FaultProxy, figures: Figures, before: dict[str, Any], declared: dict[str, Any], kind: str
) -> None:
    watched = Watched(tasks, proxy, before)
    assert not watched.change(declared, proxy.base_url).get("failed")
    for position in range(len(proxy.requests)):
        watched = Watched(tasks, proxy, before)
        # All that comes after it breaks, too: nothing can be made good.
        proxy.begin(dict.fromkeys(range(position, 20), KINDS[kind]))
        result = watched.change(declared, proxy.base_url)
        figures.tried("protection, with everything broken from some request on", len(proxy.injected))
        assert result["failed"]
        assert not any(lets_everybody_through(route) for route in [*watched.seen, watched.route()])
        if not is_in_force(watched.route(), "backend"):
            assert "closed" in result["msg"]
        finished = watched.change({**declared, "backend": BACKEND}, tasks.service.base_url)
        assert not finished.get("failed"), finished["msg"]
        assert is_in_force(watched.route(), "backend")
        assert not lets_everybody_through(watched.route())
