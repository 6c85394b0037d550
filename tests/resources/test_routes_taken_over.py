# SPDX-License-Identifier: GPL-3.0-or-later
"""A route that goes leaves its requests to a less specific one, and a new one takes some: who gets through then is
warned about and judged.
"""

from __future__ import annotations

import pytest

from cases import cases
from convergence import widened
from estates_to_judge import Given, estate, route
from module_task import Tasks, writes
from places import EDGE, in_each_module

RULE = "protected_route_deleted"
SHOP = "shop.example.com:443"
NETWORK, TAKEN = "no longer requires an allowed network", "path_prefix / takes it from "


def live(text: str) -> Given:
    [edge] = estate(f"[host=shop.example.com+a.example.com] {text}")["https_edges"]
    for one in edge["routes"]:
        one["id"] = f"edghtsrt_{one['match_type']}_{one['match'].strip('/').replace('/', '_')}"
    return {"https_edges": [{"id": EDGE, **edge}]}


def left(text: str) -> Given:
    routes = estate(text)["https_edges"][0]["routes"]
    return {"https_edges": [{"id": EDGE, "routes": routes}], "purge": ["routes", "modules"]}


# What is live, what stays, what the warning says of `/`, and whether it is a finding.
CASES = cases(
    """
    to everybody                | /, /admin office                 | /                   | *NETWORK | true
    to those who log in         | / oidc, /admin office            | / oidc              | *NETWORK | false
    of two protections          | / office, /a office oidc         | / office            | a login  | false
    to a route that opens       | / office, /admin office          | /                   | *NETWORK | true
    of one host                 | /, a.example.com/admin office    | /                   | *NETWORK | true
    what was closed | /, /admin -backend | / | nobody got through | false
    what an exact match leaves  | /, =/admin office, /admin office | /, =/admin office   | *NETWORK | true
    to a closed route           | / -backend, /admin office        | / -backend          | ""       | false
    to a route in between       | /, /admin office, /admin/x office | /, /admin office   | ""       | false
    """,
    NETWORK=NETWORK,
)


@pytest.mark.parametrize(("there", "stays", "text", "is_finding"), CASES.values(), ids=CASES)
def test_a_purge_that_leaves_a_path_to_an_open_route_is_a_finding(
    tasks: Tasks, there: str, stays: str, text: str, is_finding: bool
) -> None:
    tasks.service.seed(**live(there))
    options = left(stays)
    judged = tasks.run("estate", True, **options, reject_findings="high")
    assert [one["rule"] for one in judged["findings"]] == [RULE] * is_finding
    assert judged.get("failed", False) is is_finding
    # If both the deletion and another change are needed to open it, both say so.
    warnings = [one for one in widened(tasks.done("estate", **options)) if TAKEN in one]
    assert (bool(warnings), all(text in one for one in warnings)) == (bool(text), True)


def test_the_finding_names_what_goes_and_what_takes_over(tasks: Tasks) -> None:
    tasks.service.seed(**live("/, /admin office"))
    rejected = tasks.failed("estate", **left("/"), reject_findings="high")
    [finding] = rejected["findings"]
    name = f"https_edge_route path_prefix /admin of a.example.com:443, {SHOP}"
    found = (finding["object"], finding["created"], writes(rejected))
    assert found == (f"{name} (edghtsrt_path_prefix_admin)", True, [])
    assert finding["also"] == ["https_edges[0].routes[0]"]
    assert "Everyone can reach it through path_prefix /, which takes its requests" in finding["message"]
    accept = [{"rule": RULE, "object": name, "reason": "It moves to another host."}]
    done = tasks.done("estate", **left("/"), reject_findings="high", accept=accept)
    assert len(writes(done)) == 1
    assert tasks.done("estate", **left("/"), reject_findings="high")["findings"] == []


# What is live, the new route, and what the warning says of it.
NEW = cases(
    """
    a path below a login  | / oidc              | /admin                    | no longer requires a login
    one exact path        | / office            | =/ok                      | no longer requires an allowed network
    another network       | / office            | /admin networks=ipp_other | also admits ipp_other
    another protection    | / oidc              | /admin oidc office        | ""
    below a closed route  | / oidc -backend     | /admin                    | nobody got through before
    another host          | a.example.com/ oidc | b.example.com/            | ""
    """
)


@pytest.mark.parametrize(("there", "new", "text"), NEW.values(), ids=NEW)
def test_a_new_route_that_lets_more_visitors_through_opens_something(
    tasks: Tasks, there: str, new: str, text: str
) -> None:
    tasks.service.seed(**live(there))
    for module, options in in_each_module(route(new)).items():
        result = tasks.done(module, True, **options)
        [warning] = widened(result) or [""]
        assert (text in warning, " takes it from path_prefix /" in warning) == (True, bool(text)), module
        kinds = {opening["kind"] for entry in result.get("plan", ()) for opening in entry["opens"]}
        assert module == "https_edge_route" or bool(kinds - {"new"}) is bool(text)
