# SPDX-License-Identifier: GPL-3.0-or-later
"""Exchanging oauth, oidc and saml for one another: at no moment does the route let anybody pass without any of them."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from convergence import converges
from module_task import Tasks, writes
from places import ROUTE_PATH, held_route, is_active, seed_route
from rich_world import AUTH_MODULES, FIRST

BACKEND = {"backend_id": "bkd_one"}
TAKING_OFF = {
    "absent_modules": lambda old: {"absent_modules": [old]},
    "purge_modules": lambda old: {"purge_modules": True, "backend": BACKEND},
}


def exchange(old: str, new: str, how: str = "absent_modules") -> dict[str, Any]:
    """Options that put one authentication module in the place of another."""
    return {new: FIRST[new], **TAKING_OFF[how](old)}


PATCH, DELETE = f"PATCH {ROUTE_PATH}", f"DELETE {ROUTE_PATH}"


@pytest.mark.parametrize("one_auth_module", [True, False])
@pytest.mark.parametrize("how", TAKING_OFF)
@pytest.mark.parametrize(("old", "new"), list(permutations(AUTH_MODULES, 2)))
def test_the_route_is_closed_during_an_exchange(
    tasks: Tasks, old: str, new: str, how: str, one_auth_module: bool
) -> None:
    place = seed_route(tasks, backend=BACKEND, description="d", **{old: FIRST[old]})
    tasks.service.switches(one_auth_module=one_auth_module, patch_forgets_text=True)
    real = converges(tasks, "https_edge_route", **place, **exchange(old, new, how))
    # The first change shows that the service clears the description.
    assert writes(real) == [PATCH, PATCH, f"{DELETE}/{old}", PATCH]
    bodies = [request["body"] for request in real["sent"] if request["method"] == "PATCH"]
    assert [body["backend"]["enabled"] for body in bodies] == [False, False, True]
    after = held_route(tasks)
    assert (old in after, new in after, after["description"]) == (False, True, "d")
    assert after["backend"] == {"enabled": True, **BACKEND}
    assert real["https_edge_route"]["backend"]["enabled"] is True


# What the backend is before, what is declared of it, and what it must be afterwards.
BACKENDS: list[tuple[Any, dict[str, Any], Any]] = [
    (BACKEND, {"backend": {"backend_id": "bkd_two"}}, {"enabled": True, "backend_id": "bkd_two"}),
    (BACKEND, {"backend": {**BACKEND, "enabled": False}}, {"enabled": False, **BACKEND}),
    (BACKEND, {"absent_modules": ["backend", "oauth"]}, None),
    ({"enabled": True}, {}, {"enabled": True}),
    ({**BACKEND, "enabled": False}, {"backend": BACKEND}, {"enabled": True, **BACKEND}),
    (None, {"backend": BACKEND}, {"enabled": True, **BACKEND}),
]


@pytest.mark.parametrize(("held", "declared", "left"), BACKENDS)
def test_the_backend_ends_as_declared(tasks: Tasks, held: Any, declared: dict[str, Any], left: Any) -> None:
    place = seed_route(tasks, oauth=FIRST["oauth"], **({} if held is None else {"backend": held}))
    options = {**place, **exchange("oauth", "saml"), **declared}
    tasks.done("https_edge_route", **options)
    assert held_route(tasks).get("backend") == left
    assert not tasks.done("https_edge_route", **options)["changed"]


DISABLED = {"saml": {**FIRST["saml"], "enabled": False}}
# What the route has in addition to oauth, what is declared, and the requests.
REQUESTS: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "other modules are removed at the end": (
        {"ip_restriction": FIRST["ip_restriction"]},
        {"oidc": FIRST["oidc"], "absent_modules": ["oauth", "ip_restriction"]},
        [PATCH, f"{DELETE}/oauth", PATCH, f"{DELETE}/ip_restriction"],
    ),
    "a login that is added closes no route": ({}, {"oidc": FIRST["oidc"]}, [PATCH]),
    "a disabled login is enabled first": (DISABLED, exchange("oauth", "saml"), [PATCH, f"{DELETE}/oauth"]),
}


@pytest.mark.parametrize(("held", "declared", "requests"), REQUESTS.values(), ids=REQUESTS)
def test_a_route_is_closed_only_if_it_must_be(tasks: Tasks, held: Any, declared: Any, requests: list[str]) -> None:
    place = seed_route(tasks, backend=BACKEND, oauth=FIRST["oauth"], **held)
    assert writes(tasks.done("https_edge_route", **place, **declared)) == requests
    assert is_active(held_route(tasks), "saml" if held is DISABLED else "oidc")


def is_left_closed(tasks: Tasks, result: dict[str, Any]) -> bool:
    """Whether a failure left the route closed, and says so, with what was done."""
    assert held_route(tasks)["backend"] == {**BACKEND, "enabled": False}
    assert (result["changed"], bool(result["operations"])) == (True, True)
    assert all(one["path"] in result["msg"] for one in result["operations"])
    return "closed" in result["msg"] and "backend" in result["msg"]


def test_a_rejected_replacement_leaves_the_route_closed(tasks: Tasks) -> None:
    place = seed_route(tasks, backend=BACKEND, oauth=FIRST["oauth"])
    options = exchange("oauth", "saml")
    # Its provider needs a secret, which only the service knows.
    result = tasks.failed("https_edge_route", **place, **options, webhook_verification={"provider": "like_sns"})
    assert is_left_closed(tasks, result)
    assert "secret is required" in result["msg"]
    # As the message says: with the backend declared, the next run finishes.
    assert tasks.done("https_edge_route", **place, **options, backend=BACKEND)["changed"]
    assert held_route(tasks)["backend"]["enabled"] is True
    assert not {"oauth", "webhook_verification"} & set(held_route(tasks))


@pytest.mark.parametrize("status", [404, 405, 501])
def test_route_stays_closed_if_the_old_module_cannot_be_removed(tasks: Tasks, status: int) -> None:
    place = seed_route(tasks, backend=BACKEND, oauth=FIRST["oauth"])
    tasks.service.switches(operations="documented", missing_operation=status)
    result = tasks.failed("https_edge_route", **place, **exchange("oauth", "saml"))
    assert is_left_closed(tasks, result)
    assert "oauth" in held_route(tasks)


@pytest.mark.parametrize("declared", [{}, {"backend": BACKEND}, {"backend": {**BACKEND, "enabled": False}}])
def test_a_route_that_an_interrupted_task_left_closed_is_named(tasks: Tasks, declared: dict[str, Any]) -> None:
    """The next task cannot know who has closed it, so it stays closed until the backend is declared."""
    place = seed_route(tasks, backend={**BACKEND, "enabled": False})
    options = {**place, "saml": FIRST["saml"], "absent_modules": ["oauth"], **declared}
    for check in (True, False):
        result = tasks.done("https_edge_route", check, **options)
        warned = [warning for warning in result.get("warnings", ()) if "so the route stays closed" in warning]
        assert bool(warned) == (not declared)
    assert held_route(tasks)["backend"]["enabled"] is (declared.get("backend") == BACKEND)
