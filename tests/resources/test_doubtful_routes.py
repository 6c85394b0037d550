# SPDX-License-Identifier: GPL-3.0-or-later
"""Warnings about routes that a service may accept, and that are hardly what somebody wants."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks
from places import EDGE, ROUTE, seed_edge

OAUTH = {"oauth": {"provider": {"github": {"client_id": "c", "client_secret": "canary-of-oauth"}}}}
OIDC = {"oidc": {"issuer": "https://issuer.example.com", "client_id": "c", "client_secret": "canary-of-oidc"}}
NO_SLASH = "`match` has no leading slash, but every path begins with one. Did you mean /admin?"
SEVERAL = "oauth and oidc are enabled. Some services allow only one of them on a route."

WITHOUT_SECRET = (
    "`oidc.client_secret` is omitted, so the new login has no secret, and works only with a provider that needs none."
)


def warnings(tasks: Tasks, check: bool, **route: Any) -> list[str]:
    """What a task says about a route, without the name of the route."""
    result = tasks.done("https_edge_route", check, edge_id=EDGE, match_type="path_prefix", **route)
    return [one.partition(": ")[2] for one in result.get("warnings", ())]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("match", "expected"), [("admin", [NO_SLASH]), ("/admin", []), ("/", [])], ids=["without", "with", "only"]
)
def test_a_match_without_a_slash(tasks: Tasks, check: bool, match: str, expected: list[str]) -> None:
    seed_edge(tasks)
    assert warnings(tasks, check, match=match) == expected


def test_only_a_new_match_is_doubted(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, "match_type": "path_prefix", "match": "admin"}])
    assert warnings(tasks, True, match="admin", description="new") == []
    assert warnings(tasks, True, id=ROUTE, match="secret/admin")[0].endswith("Did you mean /secret/admin?")


@pytest.mark.parametrize(
    ("live", "declared", "expected"),
    [({}, {**OAUTH, **OIDC}, [SEVERAL]), (OAUTH, OIDC, [SEVERAL]), ({**OAUTH, **OIDC}, {}, []), ({}, OAUTH, [])],
    ids=["two", "one more", "two before", "one"],
)
def test_several_logins_on_a_route_are_a_warning(
    tasks: Tasks, live: dict[str, Any], declared: dict[str, Any], expected: list[str]
) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, "match_type": "path_prefix", "match": "/", **live}])
    options = {"match": "/", "description": "new", **declared}
    assert [one for one in warnings(tasks, True, **options) if "logins" in one or "allow only" in one] == expected
    assert not any("allow only" in one for one in warnings(tasks, False, **options))


NO_SECRET = {"oidc": {"issuer": "https://issuer.example.com", "client_id": "c"}}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("live", "declared", "expected"),
    [
        ({}, NO_SECRET, [WITHOUT_SECRET]),
        ({}, {"oidc": {**NO_SECRET["oidc"], "enabled": False}}, []),
        ({}, OIDC, []),
        (OIDC, NO_SECRET, []),
        (NO_SECRET, NO_SECRET, []),
    ],
    ids=["omitted", "disabled", "given", "kept", "as before"],
)
def test_a_new_login_without_a_secret(
    tasks: Tasks, check: bool, live: dict[str, Any], declared: dict[str, Any], expected: list[str]
) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, "match_type": "path_prefix", "match": "/", **live}])
    assert warnings(tasks, check, match="/", description="new", **declared) == expected
