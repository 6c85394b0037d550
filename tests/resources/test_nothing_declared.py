# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks that declare nothing, or nothing of what they purge: one of their variables may never have been set."""

from __future__ import annotations

import pytest

from module_task import Given, Tasks, writes
from places import EDGE, HOSTPORT, KEY, SOURCE, SUBSCRIPTION, TLS_EDGE, seed_edge, seed_subscription, seed_tls_edge

BARE = {"hostports": [HOSTPORT]}
TLS = [{"edge_id": TLS_EDGE}]


def sources(*names: str) -> list[Given]:
    return [{"subscription_id": SUBSCRIPTION, "sources": list(names)}]


@pytest.fixture
def there(tasks: Tasks) -> Tasks:
    """Tasks on a service with one of each, which purges could remove."""
    seed_edge(tasks, routes=[KEY])
    seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_one"]})
    seed_subscription(tasks, SOURCE)
    return tasks


NEITHER = "is declared; declare one of them, or"
# What a TLS edge, or a list, is declared with, and how the one option error begins.
UNDECLARED: list[tuple[Given, str]] = [
    ({}, "estate: nothing is declared; set objects, https_edges, tls_edges, or event_subscriptions"),
    ({"purge": ["edges"]}, "estate: nothing is declared"),
    *(
        ({"tls_edges": TLS, "purge": [name]}, f"purge: {name} is listed, but {error}")
        for name, error in (
            ("edges", "https_edges is not declared; declare it, or remove edges from purge"),
            ("routes", "no edge in https_edges declares routes; declare them, or"),
            ("hostports", f"neither https_edges nor objects {NEITHER}"),
            ("sources", "event_subscriptions is not declared"),
        )
    ),
    (
        {"event_subscriptions": sources(SOURCE), "purge": ["modules"]},
        f"purge: modules is listed, but neither https_edges nor tls_edges {NEITHER}",
    ),
]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("declared", "option_error"), UNDECLARED, ids=str)
def test_what_is_not_declared_is_not_compared(there: Tasks, declared: Given, option_error: str, check: bool) -> None:
    result = there.failed("estate", check, **declared)
    assert (option_error in result["msg"], len(result["option_errors"]), result["sent"]) == (True, 1, [])


def test_each_kind_that_could_not_be_purged_is_named(there: Tasks) -> None:
    result = there.failed("estate", tls_edges=[], purge=["edges", "routes", "modules", "sources"])
    assert [option_error.split()[1] for option_error in result["option_errors"]] == ["edges", "routes", "sources"]


# The module, what it declares, and whether nothing is there that it could remove.
HARMLESS: list[tuple[str, Given, bool]] = [
    ("estate", {"https_edges": [], "purge": ["routes", "modules"]}, False),
    ("estate", {"event_subscriptions": [], "purge": ["sources"]}, False),
    ("estate", {"https_edges": [{**BARE, "find_by": "hostports"}], "purge": ["edges"]}, False),
    ("event_sources", {"subscription_id": SUBSCRIPTION, "types": []}, False),
    ("estate", {"https_edges": [{**BARE, "routes": []}], "purge": ["edges", "routes", "modules"]}, True),
    ("estate", {"event_subscriptions": sources(), "purge": ["sources"]}, True),
    ("https_edge_routes", {"edge_id": EDGE, "routes": [], "purge": True}, True),
    ("event_sources", {"subscription_id": SUBSCRIPTION, "types": [], "purge": True}, True),
]


@pytest.mark.parametrize(("module", "declared", "is_bare"), HARMLESS, ids=str)
@pytest.mark.parametrize("check", [True, False])
def test_what_removes_nothing_needs_no_allow_empty(
    tasks: Tasks, module: str, declared: Given, is_bare: bool, check: bool
) -> None:
    assert not tasks.done("estate", check, https_edges=[], purge=["edges"])["changed"]
    seed_edge(tasks, routes=[] if is_bare else [KEY])
    seed_subscription(tasks, *([] if is_bare else [SOURCE]))
    assert not tasks.done(module, check, **declared)["changed"]


def test_the_export_of_an_account_without_routes_can_be_applied_with_purge(tasks: Tasks) -> None:
    seed_edge(tasks, tls_termination={})
    seed_subscription(tasks)
    exported = tasks.done("estate_info", event_subscriptions=[SUBSCRIPTION])["estate"]
    purge = ["edges", "routes", "modules", "sources"]
    assert not tasks.done("estate", **exported, purge=purge)["changed"]
    tasks.service.seed(https_edges=[{"id": "edghts_new", "hostports": ["new.example.com:443"], "routes": [KEY]}])
    assert writes(tasks.done("estate", **exported, purge=purge)) == ["DELETE /edges/https/edghts_new"]


def test_one_empty_list_among_others_is_a_declaration(there: Tasks) -> None:
    other = {"hostports": ["other.example.com:443"], "routes": [KEY]}
    there.done("estate", https_edges=[other])
    result = there.done("estate", https_edges=[{**BARE, "routes": []}, other], purge=["routes"])
    assert [write.split()[0] for write in writes(result)] == ["DELETE"]
