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
from places import held_route, is_active, lets_everybody_through, seed_route
from rich_world import FIRST

BACKEND = {"backend_id": "bkdhr_one"}
GUARDS = ("oauth", "oidc", "saml", "ip_restriction", "webhook_verification", "user_agent_filter")
BREAKING = [
    *("503 before", "reset after", "redirect"),
    *(pytest.param(kind, marks=pytest.mark.long(cores=0)) for kind in ("504 after", "reset before", "a page of HTML")),
]

# What protects the route before, and what is declared.
CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "oauth is replaced by oidc": ({"oauth": FIRST["oauth"]}, {"oidc": FIRST["oidc"], "absent_modules": ["oauth"]}),
    "saml is replaced by oauth": ({"saml": FIRST["saml"]}, {"oauth": FIRST["oauth"], "absent_modules": ["saml"]}),
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


class Watched:
    """One route, looked at after each request that the service gets."""

    def __init__(
        self, tasks: Tasks, proxy: FaultProxy, before: dict[str, Any], faults: Mapping[int, Fault] | None = None
    ) -> None:
        self.tasks = tasks
        tasks.service.reset()
        tasks.service.switches(one_auth_module=True)
        self.place = seed_route(tasks, backend=BACKEND, **before)
        self.seen: list[dict[str, Any]] = []
        proxy.begin(faults)
        proxy.saw = lambda request: self.seen.append(held_route(tasks))

    def change(self, declared: dict[str, Any], base_url: str) -> dict[str, Any]:
        return self.tasks.run("https_edge_route", base_url=base_url, **self.place, **declared)


@pytest.mark.parametrize(("before", "declared"), CHANGES.values(), ids=CHANGES)
def test_a_change_never_opens_the_route(
    tasks: Tasks, proxy: FaultProxy, before: dict[str, Any], declared: dict[str, Any]
) -> None:
    watched = Watched(tasks, proxy, before)
    assert not watched.change(declared, proxy.base_url).get("failed")
    assert len(watched.seen) == len(proxy.requests) > 1
    assert not any(lets_everybody_through(route, GUARDS) for route in watched.seen)
    assert is_active(held_route(tasks), "backend")


@pytest.mark.parametrize("kind", BREAKING)
@pytest.mark.parametrize(("before", "declared"), CHANGES.values(), ids=CHANGES)
def test_a_run_that_breaks_off_never_opens_the_route(
    tasks: Tasks, proxy: FaultProxy, figures: Figures, before: dict[str, Any], declared: dict[str, Any], kind: str
) -> None:
    watched = Watched(tasks, proxy, before)
    assert not watched.change(declared, proxy.base_url).get("failed")
    for position in range(len(proxy.requests)):
        # All that comes after it breaks, too: nothing can be made good.
        watched = Watched(tasks, proxy, before, dict.fromkeys(range(position, 20), KINDS[kind]))
        result = watched.change(declared, proxy.base_url)
        figures.tried("protection, if every request fails from some point on", len(proxy.injected))
        assert result["failed"]
        assert len(watched.seen) == len(proxy.requests) > position
        assert not any(lets_everybody_through(route, GUARDS) for route in [*watched.seen, held_route(tasks)])
        if not is_active(held_route(tasks), "backend"):
            assert "closed" in result["msg"]
        finished = watched.change({**declared, "backend": BACKEND}, tasks.service.base_url)
        assert not finished.get("failed"), finished["msg"]
        assert is_active(held_route(tasks), "backend")
        assert not lets_everybody_through(held_route(tasks), GUARDS)
